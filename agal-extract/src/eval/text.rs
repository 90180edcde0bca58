//! Partly known strings, each of which is a sequence of known parts and expressions.

use std::rc::Rc;

use crate::eval::expr::Expr;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Part {
    /// Known characters of the string.
    Literal(String),
    /// An unknown part, which is the value of the expression, converted to a string.
    Hole(Expr),
}

/// A partly known string. Literals are never empty, and no two literals are adjacent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Text {
    parts: Rc<Vec<Part>>,
}

impl Text {
    pub(crate) fn literal(text: &str) -> Text {
        if text.is_empty() {
            return Text::default();
        }
        Text { parts: Rc::new(vec![Part::Literal(text.to_string())]) }
    }

    pub(crate) fn hole(expr: Expr) -> Text {
        Text { parts: Rc::new(vec![Part::Hole(expr)]) }
    }

    pub(crate) fn parts(&self) -> &[Part] {
        &self.parts
    }

    pub(crate) fn holes(&self) -> impl Iterator<Item = &Expr> {
        self.parts.iter().filter_map(|part| if let Part::Hole(expr) = part { Some(expr) } else { None })
    }

    pub(crate) fn literals(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|part| if let Part::Literal(text) = part { Some(text.as_str()) } else { None })
    }

    /// Returns the string, or `None` if the string has holes.
    pub(crate) fn known(&self) -> Option<&str> {
        match self.parts.as_slice() {
            [] => Some(""),
            [Part::Literal(text)] => Some(text),
            _ => None,
        }
    }

    /// Returns the number of known bytes, with each hole counted as one byte.
    pub(crate) fn size(&self) -> usize {
        self.literals().map(str::len).sum::<usize>() + self.holes().count()
    }

    /// Returns the expression of the hole if the string consists of a single hole.
    pub(crate) fn as_hole(&self) -> Option<&Expr> {
        if let [Part::Hole(expr)] = self.parts.as_slice() { Some(expr) } else { None }
    }

    pub(crate) fn has_holes(&self) -> bool {
        self.holes().next().is_some()
    }

    fn push_part(&mut self, part: &Part) {
        match part {
            Part::Literal(text) => self.push_str(text),
            hole => Rc::make_mut(&mut self.parts).push(hole.clone()),
        }
    }

    pub(crate) fn push_str(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        let parts = Rc::make_mut(&mut self.parts);
        match parts.last_mut() {
            Some(Part::Literal(last)) => last.push_str(text),
            _ => parts.push(Part::Literal(text.to_string())),
        }
    }

    pub(crate) fn push(&mut self, other: &Text) {
        if self.parts.is_empty() {
            self.parts = other.parts.clone();
            return;
        }
        other.parts.iter().for_each(|part| self.push_part(part));
    }

    pub(crate) fn join(texts: &[Text], separator: &Text) -> Text {
        let Some((first, rest)) = texts.split_first() else { return Text::default() };
        let mut joined = first.clone();
        for text in rest {
            joined.push(separator);
            joined.push(text);
        }
        joined
    }

    /// Returns a copy of the string with every literal, and the expression of every hole, replaced.
    pub(crate) fn map(&self, mut literal: impl FnMut(&str) -> Text, hole: impl Fn(&Expr) -> Expr) -> Text {
        let mut changed = Text::default();
        for part in self.parts.iter() {
            changed.push(&match part {
                Part::Literal(text) => literal(text),
                Part::Hole(expr) => Text::hole(hole(expr)),
            });
        }
        changed
    }

    /// Splits the string at each separator. Holes are assumed to contain no separator.
    pub(crate) fn split(&self, separator: &str) -> Vec<Text> {
        let (mut parts, mut last) = (Vec::new(), Text::default());
        for part in self.parts.iter() {
            match part {
                Part::Literal(text) => {
                    for (at, piece) in text.split(separator).enumerate() {
                        if at > 0 {
                            parts.push(std::mem::take(&mut last));
                        }
                        last.push_str(piece);
                    }
                }
                hole => last.push_part(hole),
            }
        }
        parts.push(last);
        parts
    }

    /// Returns the characters from position `from` up to position `to`. A negative position counts from the end. Returns `None`
    /// if a hole makes a position unknown.
    pub(crate) fn slice(&self, from: i64, to: i64) -> Option<Text> {
        let (from, to) = (self.locate(from)?, self.locate(to)?);
        let mut slice = Text::default();
        for (at, part) in self.parts.iter().enumerate().take(to.0 + 1).skip(from.0) {
            match part {
                Part::Literal(text) => {
                    let begin = if at == from.0 { from.1 } else { 0 };
                    let end = if at == to.0 { to.1 } else { text.len() };
                    slice.push_str(text.get(begin..end).unwrap_or_default());
                }
                hole if at < to.0 => slice.push_part(hole),
                Part::Hole(_) => {}
            }
        }
        Some(slice)
    }

    /// Returns the index of the part that contains a character position, and the byte offset in that part. A negative position
    /// counts from the end. Returns `None` if a hole makes the position unknown.
    fn locate(&self, at: i64) -> Option<(usize, usize)> {
        let count = usize::try_from(at.unsigned_abs()).ok()?;
        let found = match (self.parts.first(), self.parts.last()) {
            (_, Some(Part::Literal(text))) if at < 0 => {
                let byte = text.char_indices().rev().nth(count - 1).map(|(byte, _)| byte);
                byte.map(|byte| (self.parts.len() - 1, byte))
            }
            (Some(Part::Literal(text)), _) if at >= 0 => {
                let byte = text.char_indices().map(|(byte, _)| byte).chain([text.len()]).nth(count);
                byte.map(|byte| (0, byte))
            }
            _ => None,
        };
        let outermost = if at <= 0 { (0, 0) } else { (self.parts.len(), 0) };
        found.or((matches!(at, 0 | i64::MAX) || self.known().is_some()).then_some(outermost))
    }
}
