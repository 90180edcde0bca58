//! Strings as far as they are known: known text with expressions between.

use std::rc::Rc;

use crate::eval::expr::Expr;

/// A part of a string.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Part {
    /// Known text.
    Literal(String),
    /// The value of an expression, as text.
    Hole(Expr),
}

/// A string. Two literals are never next to each other, and none is empty.
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

    pub(crate) fn of(parts: impl IntoIterator<Item = Part>) -> Text {
        let mut text = Text::default();
        for part in parts {
            text.push_part(part);
        }
        text
    }

    pub(crate) fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The expressions in it.
    pub(crate) fn holes(&self) -> impl Iterator<Item = &Expr> {
        self.parts.iter().filter_map(|part| if let Part::Hole(expr) = part { Some(expr) } else { None })
    }

    /// What is known of it.
    pub(crate) fn literals(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|part| if let Part::Literal(text) = part { Some(text.as_str()) } else { None })
    }

    /// The whole text, if all of it is known.
    pub(crate) fn known(&self) -> Option<&str> {
        match self.parts.as_slice() {
            [] => Some(""),
            [Part::Literal(text)] => Some(text),
            _ => None,
        }
    }

    /// How many bytes are known, and each hole as one.
    pub(crate) fn size(&self) -> usize {
        self.literals().map(str::len).sum::<usize>() + self.holes().count()
    }

    /// Whether it is one value that is not known.
    pub(crate) fn as_hole(&self) -> Option<&Expr> {
        match self.parts.as_slice() {
            [Part::Hole(expr)] => Some(expr),
            _ => None,
        }
    }

    pub(crate) fn has_holes(&self) -> bool {
        self.holes().next().is_some()
    }

    fn push_part(&mut self, part: Part) {
        match part {
            Part::Literal(text) => self.push_str(&text),
            hole => Rc::make_mut(&mut self.parts).push(hole),
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
        for part in other.parts.iter() {
            match part {
                Part::Literal(text) => self.push_str(text),
                hole => Rc::make_mut(&mut self.parts).push(hole.clone()),
            }
        }
    }

    pub(crate) fn join(texts: &[Text], separator: &Text) -> Text {
        let mut joined = Text::default();
        for (at, text) in texts.iter().enumerate() {
            if at > 0 {
                joined.push(separator);
            }
            joined.push(text);
        }
        joined
    }

    /// The text with each literal changed.
    pub(crate) fn map(&self, mut change: impl FnMut(&str) -> String, hole: impl Fn(&Expr) -> Expr) -> Text {
        Text::of(self.parts.iter().map(|part| match part {
            Part::Literal(text) => Part::Literal(change(text)),
            Part::Hole(expr) => Part::Hole(hole(expr)),
        }))
    }

    /// The parts between separators. What is not known is taken to have none.
    pub(crate) fn split(&self, separator: &str) -> Vec<Text> {
        let mut parts = vec![Text::default()];
        for part in self.parts.iter() {
            match part {
                Part::Literal(text) => {
                    for (at, piece) in text.split(separator).enumerate() {
                        if at > 0 {
                            parts.push(Text::default());
                        }
                        if let Some(last) = parts.last_mut() {
                            last.push_str(piece);
                        }
                    }
                }
                hole => {
                    if let Some(last) = parts.last_mut() {
                        last.push_part(hole.clone());
                    }
                }
            }
        }
        parts
    }

    /// The characters from `from` up to `to`, negative numbers counting from the end, if they are known.
    pub(crate) fn slice(&self, from: i64, to: i64) -> Option<Text> {
        if let Some(text) = self.known() {
            let characters: Vec<char> = text.chars().collect();
            let length = i64::try_from(characters.len()).ok()?;
            let place =
                |at: i64| usize::try_from(if at < 0 { at.saturating_add(length) } else { at.min(length) }.max(0));
            let (from, to) = (place(from).ok()?, place(to).ok()?);
            return Some(Text::literal(&characters.get(from..to).unwrap_or_default().iter().collect::<String>()));
        }
        let (first, last) = (self.parts.first()?, self.parts.last()?);
        let mut parts = self.parts.to_vec();
        if from >= 0 && (0..i64::MAX).contains(&to) {
            let Part::Literal(text) = first else { return None };
            (i64::try_from(text.chars().count()).ok()? >= to).then_some(())?;
            return Text::literal(text).slice(from, to);
        }
        // From the beginning or the end of what is known, over everything between.
        if to < 0 {
            let Part::Literal(text) = last else { return None };
            (i64::try_from(text.chars().count()).ok()? >= -to).then_some(())?;
            let kept = Text::literal(text).slice(0, to)?;
            parts.pop();
            parts.extend(kept.parts.iter().cloned());
        }
        if from > 0 {
            let Part::Literal(text) = first else { return None };
            (i64::try_from(text.chars().count()).ok()? >= from).then_some(())?;
            let kept = Text::literal(text).slice(from, i64::MAX)?;
            parts.splice(0..1, kept.parts.iter().cloned());
        } else if from < 0 {
            let Part::Literal(text) = last else { return None };
            (i64::try_from(text.chars().count()).ok()? >= -from).then_some(())?;
            return Text::literal(text).slice(from, to);
        }
        Some(Text::of(parts))
    }
}
