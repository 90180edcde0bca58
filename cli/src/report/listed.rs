//! Selects the findings that are shown as text.

use agalc::Finding;

use super::messages;

/// Selects up to `most` findings to show as text, and returns the number of the remaining findings. Each returned finding has a
/// flag that is true if the finding is shown. Findings that are not shown are returned only if messages are collected for a
/// document.
pub(crate) fn first_of<T>(findings: Vec<(T, &Finding)>, most: usize) -> (Vec<(T, &Finding, bool)>, usize) {
    let count: usize = findings.iter().map(|(_, finding)| finding.stands_for()).sum();
    let is_long = findings.iter().filter(|(_, finding)| !finding.is_count()).count() > most;
    let mut listed: Vec<(usize, (T, &Finding))> = findings.into_iter().enumerate().collect();
    if is_long {
        // If there are too many findings, errors take precedence over warnings.
        listed.sort_by_key(|(_, (_, finding))| !finding.is_error());
    }
    let mut shown = 0;
    let mut all: Vec<(usize, (T, &Finding, bool))> = Vec::new();
    for (index, (of, finding)) in listed {
        let is_shown = shown < most && !finding.is_count();
        shown += usize::from(is_shown);
        if is_shown || messages::is_collected() {
            all.push((index, (of, finding, is_shown)));
        }
    }
    if messages::is_collected() {
        all.sort_by_key(|(index, _)| *index);
    }
    (all.into_iter().map(|(_, one)| one).collect(), count.saturating_sub(shown))
}
