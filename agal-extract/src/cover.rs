//! Which texts are parts of others, with unknown parts standing for anything.

use std::collections::{BTreeSet, HashMap};

use crate::agalish::HOLE;

/// The most texts that are compared with one.
const CANDIDATES: usize = 400;

/// Texts, by their lines.
#[derive(Debug, Default)]
pub(crate) struct Cover {
    lines: HashMap<usize, Vec<String>>,
    by_line: HashMap<String, Vec<usize>>,
    all: Vec<usize>,
}

fn lines(text: &str) -> Vec<String> {
    let lines = text.split(['\n', '\r', ';']).map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    lines.filter(|line| !line.is_empty()).collect()
}

fn is_open(line: &str) -> bool {
    line.chars().all(|letter| letter == HOLE || letter == ' ')
}

impl Cover {
    pub(crate) fn add(&mut self, number: usize, text: &str) {
        let lines = lines(text);
        let distinct: BTreeSet<&String> = lines.iter().collect();
        for line in distinct {
            self.by_line.entry(line.clone()).or_default().push(number);
        }
        self.lines.insert(number, lines);
        self.all.push(number);
    }

    /// The texts that may hold this one.
    pub(crate) fn holders(&self, text: &str) -> Vec<usize> {
        let known = lines(text).into_iter().filter(|line| !line.contains(HOLE));
        let rarest = known.filter_map(|line| self.by_line.get(&line)).min_by_key(|found| found.len());
        rarest.unwrap_or(&self.all).iter().copied().take(CANDIDATES).collect()
    }

    /// Whether a text is a run of lines of another one.
    pub(crate) fn is_part(&self, text: &str, other: usize) -> bool {
        let (part, Some(whole)) = (lines(text), self.lines.get(&other)) else { return false };
        let part = trimmed(&part);
        (0..whole.len()).any(|from| whole.get(from..).is_some_and(|rest| fits(part, rest, false)))
    }

    /// Whether a text is another one, in which more is known.
    pub(crate) fn is_whole(&self, text: &str, other: usize) -> bool {
        let (part, Some(whole)) = (lines(text), self.lines.get(&other)) else { return false };
        fits(&part, whole, true)
    }
}

/// The lines without unknown ones at both ends.
fn trimmed(lines: &[String]) -> &[String] {
    let first = lines.iter().position(|line| !is_open(line)).unwrap_or_default();
    let last = lines.iter().rposition(|line| !is_open(line)).map_or(0, |last| last + 1);
    lines.get(first..last).unwrap_or_default()
}

/// Whether lines are those that another text begins with, or all of them. An unknown line may be any number of lines.
fn fits(part: &[String], whole: &[String], all: bool) -> bool {
    let (mut at, mut of) = (0, 0);
    // The last unknown line that was passed: what follows it, and where in the whole that was tried.
    let mut open: Option<(usize, usize)> = None;
    loop {
        match part.get(at) {
            None if !all || of == whole.len() => return true,
            Some(line) if is_open(line) => {
                at += 1;
                if at == part.len() {
                    return true;
                }
                open = Some((at, of));
                continue;
            }
            Some(line) if whole.get(of).is_some_and(|text| matches(line, text)) => {
                at += 1;
                of += 1;
                continue;
            }
            _ => {}
        }
        // It stands for one line more. Only the last one need be tried: what is before it fits already.
        let Some((after, from)) = open.filter(|(_, from)| *from < whole.len()) else { return false };
        open = Some((after, from + 1));
        (at, of) = (after, from + 1);
    }
}

/// Whether a line with unknown parts can be another one.
fn matches(pattern: &str, line: &str) -> bool {
    let mut pieces = pattern.split(HOLE);
    let first = pieces.next().unwrap_or_default();
    let Some(mut rest) = line.strip_prefix(first) else { return false };
    let mut pieces: Vec<&str> = pieces.collect();
    let Some(last) = pieces.pop() else { return rest.is_empty() };
    for piece in pieces {
        let Some(at) = rest.find(piece) else { return false };
        rest = rest.get(at + piece.len()..).unwrap_or_default();
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::{Cover, matches};

    #[test]
    fn a_part_is_found_in_a_whole() {
        let mut cover = Cover::default();
        cover.add(0, "m44 op, va0, vc0\nmov v0, va1\nmov v1, va2\n");
        assert!(cover.is_part("mov v0, va1", 0));
        assert!(cover.is_part("mov \u{fffc}, va1\nmov v1, \u{fffc}", 0));
        assert!(cover.is_part("\u{fffc}\nmov v1, va2", 0));
        assert!(!cover.is_part("mov v0, va2", 0));
        assert!(!cover.is_part("m44 op, va0, vc0\nmov v1, va2", 0));
        assert!(cover.is_whole("m44 op, va0, vc0\n\u{fffc}\nmov v1, va2", 0));
        assert!(!cover.is_whole("m44 op, va0, vc0\nmov v0, va1", 0));
    }

    #[test]
    fn many_unknown_lines_take_little_time() {
        let mut cover = Cover::default();
        cover.add(0, &"add ft0, ft0, ft1\n".repeat(400));
        let part = "\u{fffc}\nadd ft0, ft0, ft1\n".repeat(60);
        assert!(cover.is_part(&part, 0));
        assert!(!cover.is_part(&format!("{part}mov oc, ft0"), 0));
        assert!(!cover.is_whole(&format!("{part}mov oc, ft0"), 0));
    }

    #[test]
    fn unknown_parts_stand_for_anything_in_a_line() {
        assert!(matches("mov \u{fffc}, \u{fffc}.x", "mov ft0, fc1.x"));
        assert!(!matches("mov \u{fffc}, \u{fffc}.x", "mov ft0, fc1.y"));
        assert!(!matches("mov ft0", "mov ft1"));
    }
}
