//! Finds the operands of a statement wherever they occur in the statement.
//!
//! Rule: operands are found by AGALMiniAssembler's method, which has no grammar for the text between operands. The scanner
//! searches for `[vofi][acostdip]?d?`, digits, and up to four components, in upper or lower case, and ignores text that does not
//! match. The scanner also matches colour letters, and it matches spaces and negative offsets in an index; the caller reports
//! these deviations from AGALMiniAssembler.

use std::ops::Range;

#[derive(Debug)]
pub(super) struct Operand<'a> {
    pub(super) range: Range<usize>,
    pub(super) name: &'a str,
    pub(super) digits: &'a str,
    pub(super) bracket: Option<Bracket<'a>>,
    pub(super) components: Option<&'a str>,
}

#[derive(Debug)]
pub(super) enum Bracket<'a> {
    Index(Index<'a>),
    /// Brackets that do not contain `register.component+offset`, or that do not follow a bare `vc`.
    Unreadable(Range<usize>),
    /// The byte offset of a bracket that is not closed.
    Open(usize),
}

#[derive(Debug)]
pub(super) struct Index<'a> {
    pub(super) range: Range<usize>,
    pub(super) name: &'a str,
    pub(super) digits: &'a str,
    pub(super) component: Option<&'a str>,
    /// Whether the offset is negative, and the offset's digits.
    pub(super) offset: Option<(bool, &'a str)>,
    pub(super) spaces: bool,
}

impl Index<'_> {
    /// Reports whether AGALMiniAssembler recognises the index in this form.
    fn is_exact(&self) -> bool {
        !self.spaces && self.offset.is_none_or(|(negative, digits)| !negative && digits.len() <= 3)
    }
}

pub(super) fn operands(text: &str, range: Range<usize>) -> Vec<Operand<'_>> {
    Scanner { text, at: range.start, end: range.end, exact: false }.operands()
}

/// Returns the operands that AGALMiniAssembler finds in a range of the source text.
pub(super) fn exact_operands(text: &str, range: Range<usize>) -> Vec<Operand<'_>> {
    Scanner { text, at: range.start, end: range.end, exact: true }.operands()
}

/// Reports whether `\w` in a regular expression matches the byte.
pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// A position in the source text, always at a character boundary.
struct Scanner<'a> {
    text: &'a str,
    at: usize,
    end: usize,
    exact: bool,
}

impl<'a> Scanner<'a> {
    fn operands(mut self) -> Vec<Operand<'a>> {
        let mut found = Vec::new();
        while self.at < self.end {
            match self.operand() {
                Some(operand) => found.push(operand),
                None => self.at += 1,
            }
        }
        found
    }

    fn peek(&self) -> Option<u8> {
        if self.at < self.end { self.text.as_bytes().get(self.at).copied() } else { None }
    }

    /// Consumes and returns up to `limit` bytes for which `accept` returns true. The consumed bytes must end at a character
    /// boundary.
    fn run(&mut self, limit: usize, accept: impl Fn(u8) -> bool) -> &'a str {
        let start = self.at;
        while self.at - start < limit && self.peek().is_some_and(&accept) {
            self.at += 1;
        }
        self.text.get(start..self.at).unwrap_or_default()
    }

    fn eat(&mut self, byte: u8) -> bool {
        !self.run(1, |found| found == byte).is_empty()
    }

    fn letter(&mut self, letters: &str) -> bool {
        !self.run(1, |byte| letters.as_bytes().contains(&byte.to_ascii_lowercase())).is_empty()
    }

    fn name(&mut self) -> Option<&'a str> {
        let start = self.at;
        if !self.letter("vofi") {
            return None;
        }
        self.letter("acostdip");
        self.letter("d");
        self.text.get(start..self.at)
    }

    fn digits(&mut self) -> &'a str {
        self.run(usize::MAX, |byte| byte.is_ascii_digit())
    }

    /// Consumes a dot and one to `limit` component letters from a single set, and returns the letters.
    fn components(&mut self, limit: usize) -> Option<&'a str> {
        let before = self.at;
        let letters = if self.eat(b'.') { self.letters(limit) } else { None };
        if letters.is_none() {
            self.at = before;
        }
        letters
    }

    /// Consumes one to `limit` component letters, either all from `xyzw` or all from `rgba`.
    fn letters(&mut self, limit: usize) -> Option<&'a str> {
        let sets: &[&[u8; 4]] = if self.exact { &[b"xyzw"] } else { &[b"xyzw", b"rgba"] };
        sets.iter().find_map(|set| {
            let letters = self.run(limit, |byte| set.contains(&byte.to_ascii_lowercase()));
            (!letters.is_empty()).then_some(letters)
        })
    }

    fn operand(&mut self) -> Option<Operand<'a>> {
        let start = self.at;
        let name = self.name()?;
        let digits = self.digits();
        let bracket = (self.peek() == Some(b'[')).then(|| {
            let indexable = name.eq_ignore_ascii_case("vc") && digits.is_empty();
            self.bracket(indexable)
        });
        let bracket = bracket.flatten();
        let components = self.components(4);
        Some(Operand { range: start..self.at, name, digits, bracket, components })
    }

    fn bracket(&mut self, indexable: bool) -> Option<Bracket<'a>> {
        let start = self.at;
        if indexable && let Some(index) = self.index().filter(|index| !self.exact || index.is_exact()) {
            return Some(Bracket::Index(index));
        }
        self.at = start;
        if self.exact {
            return None;
        }
        self.run(usize::MAX, |found| found != b']');
        Some(if self.eat(b']') { Bracket::Unreadable(start..self.at) } else { Bracket::Open(start) })
    }

    fn index(&mut self) -> Option<Index<'a>> {
        let start = self.at;
        self.eat(b'[');
        let mut spaces = self.spaces();
        let name = self.name()?;
        let digits = self.digits();
        spaces |= self.spaces();
        let mut component = None;
        if self.eat(b'.') {
            spaces |= self.spaces();
            component = Some(self.letters(1)?);
            spaces |= self.spaces();
        }
        let mut offset = None;
        let negative = self.peek() == Some(b'-');
        if self.eat(b'-') || self.eat(b'+') {
            spaces |= self.spaces();
            offset = Some((negative, self.digits())).filter(|(_, digits)| !digits.is_empty());
            offset?;
            spaces |= self.spaces();
        }
        self.eat(b']').then_some(Index { range: start..self.at, name, digits, component, offset, spaces })
    }

    fn spaces(&mut self) -> bool {
        !self.run(usize::MAX, |byte| byte == b' ' || byte == b'\t').is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(text: &str) -> Vec<&str> {
        operands(text, 0..text.len()).into_iter().map(|operand| &text[operand.range]).collect()
    }

    #[test]
    fn operands_are_found_anywhere() {
        assert_eq!(pieces("ft4.w, fc0.x"), ["ft4.w", "fc0.x"]);
        assert_eq!(pieces("vt4.wzvc13.x"), ["vt4.wz", "vc13.x"]);
        assert_eq!(pieces("ft3.xytz ft2.wwwww"), ["ft3.xy", "ft2.wwww"]);
        assert_eq!(pieces("ft1,xyz,ft2.xyz"), ["ft1", "ft2.xyz"]);
        assert_eq!(pieces("é ft0 é"), ["ft0"]);
        assert_eq!(pieces("op iid i2 fi3 v"), ["op", "iid", "i2", "fi3", "v"]);
    }

    #[test]
    fn an_index_is_one_operand() {
        for text in ["vc[va0.x+7].xyz", "vc[va0]", "vc[ va0 . x + 7 ]", "VC[VT1.W-23].X", "vc[iid]"] {
            let found = operands(text, 0..text.len());
            assert!(matches!(found[..], [Operand { bracket: Some(Bracket::Index(_)), .. }]), "{text}");
        }
        for text in ["vc[nonsense].x", "vc[va0.x+]", "vc[va0.xy]", "vc3[va0.x]", "fc[ft0.x]"] {
            let found = operands(text, 0..text.len());
            assert!(matches!(found[..], [Operand { bracket: Some(Bracket::Unreadable(_)), .. }]), "{text}");
        }
        assert!(matches!(operands("vc[va0.x, v0", 0..12)[..], [Operand { bracket: Some(Bracket::Open(2)), .. }]));
        assert_eq!(pieces("vc0[va0.x] v1"), ["vc0[va0.x]", "v1"]);
    }

    #[test]
    fn colours_and_coordinates_do_not_mix() {
        assert_eq!(pieces("ft0.rgba ft1.xg ft2.rx"), ["ft0.rgba", "ft1.x", "ft2.r"]);
    }
}
