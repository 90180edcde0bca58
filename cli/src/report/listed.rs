//! Which of many findings are shown as text.

use agal_front::{Finding, Kind};

use super::said;

/// A finding of either language.
pub(crate) trait Listed {
    /// How many findings it stands for.
    fn count(&self) -> usize;
    /// Whether the program is refused because of it.
    fn is_error(&self) -> bool;
    /// Whether it only counts others.
    fn is_further(&self) -> bool;
}

impl Listed for Finding {
    fn count(&self) -> usize {
        self.stands_for()
    }

    fn is_error(&self) -> bool {
        Finding::is_error(self)
    }

    fn is_further(&self) -> bool {
        matches!(self.kind, Kind::Further { .. })
    }
}

impl Listed for es2_front::Finding {
    fn count(&self) -> usize {
        self.stands_for()
    }

    fn is_error(&self) -> bool {
        es2_front::Finding::is_error(self)
    }

    fn is_further(&self) -> bool {
        matches!(self.kind, es2_front::Kind::Further { .. })
    }
}

/// Selects up to `most` findings to show as text, and counts the others. Each has a value that the caller attached to it. If messages
/// are collected, the others are returned too, and not shown.
pub(crate) fn first_of<T, F: Listed>(findings: Vec<(T, &F)>, most: usize) -> (Vec<(T, &F, bool)>, usize) {
    let count: usize = findings.iter().map(|(_, finding)| finding.count()).sum();
    let is_long = findings.iter().filter(|(_, finding)| !finding.is_further()).count() > most;
    let mut listed: Vec<(usize, T, &F)> =
        findings.into_iter().enumerate().map(|(index, (of, finding))| (index, of, finding)).collect();
    if is_long {
        // Errors must not be crowded out by warnings.
        listed.sort_by_key(|(.., finding)| !finding.is_error());
    }
    let mut shown = 0;
    let mut all: Vec<(usize, (T, &F, bool))> = Vec::new();
    for (index, of, finding) in listed {
        let is_shown = shown < most && !finding.is_further();
        shown += usize::from(is_shown);
        if is_shown || said::is_collected() {
            all.push((index, (of, finding, is_shown)));
        }
    }
    if said::is_collected() {
        all.sort_by_key(|(index, _)| *index);
    }
    (all.into_iter().map(|(_, one)| one).collect(), count.saturating_sub(shown))
}
