//! Finds source texts that are parts of other source texts. Unknown parts of a text match anything.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use crate::agalish::HOLE;

/// The maximum number of texts with which one text is compared.
const CANDIDATES: usize = 400;

/// The lines of the collected texts, with an index from each line to the texts that contain it.
#[derive(Debug, Default)]
pub(crate) struct Cover {
    /// For each line, the numbers of the texts that contain it.
    by_line: HashMap<Rc<str>, Vec<usize>>,
    texts: BTreeMap<usize, Vec<Line>>,
}

#[derive(Debug)]
struct Line {
    text: Rc<str>,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Known,
    /// A partly unknown line.
    Pattern,
    /// An entirely unknown line, which may stand for any number of lines.
    Open,
}

impl Cover {
    pub(crate) fn add(&mut self, text: usize, code: &str) {
        let mut lines = Vec::new();
        for line in code.split(['\n', '\r', ';']) {
            let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
            if line.is_empty() {
                continue;
            }
            let kind = match line.contains(HOLE) {
                false => Kind::Known,
                true if line.chars().all(|letter| letter == HOLE || letter == ' ') => Kind::Open,
                true => Kind::Pattern,
            };
            // Equal lines share memory.
            let line = self.by_line.get_key_value(&*line).map_or_else(|| line.into(), |(known, _)| known.clone());
            let texts = self.by_line.entry(Rc::clone(&line)).or_default();
            if texts.last() != Some(&text) {
                texts.push(text);
            }
            lines.push(Line { text: line, kind });
        }
        self.texts.insert(text, lines);
    }

    fn of(&self, text: usize) -> &[Line] {
        self.texts.get(&text).map(Vec::as_slice).unwrap_or_default()
    }

    /// Returns the numbers of the texts that may contain the given text: the texts with its rarest known line, or all texts if
    /// the given text has no known line.
    pub(crate) fn holders(&self, text: usize) -> Vec<usize> {
        let known = self.of(text).iter().filter(|line| line.kind == Kind::Known);
        let texts = known.filter_map(|line| self.by_line.get(&line.text));
        match texts.min_by_key(|texts| texts.len()) {
            Some(texts) => texts.iter().copied().take(CANDIDATES).collect(),
            None => self.texts.keys().copied().take(CANDIDATES).collect(),
        }
    }

    /// Reports whether a text matches consecutive lines of another text.
    pub(crate) fn is_part(&self, text: usize, other: usize) -> bool {
        let (part, whole) = (trimmed(self.of(text)), self.of(other));
        (0..whole.len()).any(|from| whole.get(from..).is_some_and(|rest| fits(part, rest, false)))
    }

    /// Reports whether a text matches another text completely.
    pub(crate) fn is_whole(&self, text: usize, other: usize) -> bool {
        fits(self.of(text), self.of(other), true)
    }
}

impl Line {
    fn may_be(&self, other: &Line) -> bool {
        self.text == other.text || self.kind == Kind::Pattern && matches(&self.text, &other.text)
    }
}

/// Reports whether `part` matches the beginning of `whole`, or all of `whole` if `all` is set.
fn fits(part: &[Line], whole: &[Line], all: bool) -> bool {
    let (mut at, mut of) = (0, 0);
    // `open` contains the position after the last unknown line in `part`, and the position in `whole` at which the match of that
    // line currently ends.
    let mut open: Option<(usize, usize)> = None;
    loop {
        match part.get(at) {
            None if !all || of == whole.len() => return true,
            Some(line) if line.kind == Kind::Open => {
                at += 1;
                if at == part.len() {
                    return true;
                }
                open = Some((at, of));
                continue;
            }
            Some(line) if whole.get(of).is_some_and(|other| line.may_be(other)) => {
                at += 1;
                of += 1;
                continue;
            }
            _ => {}
        }
        // After a mismatch, the last unknown line is matched with one more line. Earlier unknown lines are not retried, since the
        // lines before the last unknown line already match.
        let Some((after, from)) = open.filter(|(_, from)| *from < whole.len()) else { return false };
        open = Some((after, from + 1));
        (at, of) = (after, from + 1);
    }
}

/// Returns the lines without the unknown lines at the beginning and at the end.
fn trimmed(lines: &[Line]) -> &[Line] {
    let is_known = |line: &Line| line.kind != Kind::Open;
    let first = lines.iter().position(is_known).unwrap_or_default();
    let last = lines.iter().rposition(is_known).map_or(0, |last| last + 1);
    lines.get(first..last).unwrap_or_default()
}

/// Reports whether a line with unknown parts can equal another line.
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
