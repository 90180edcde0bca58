//! Operands of the macro language, and their components.
//!
//! Rule: an operand keeps its register and its component letters separate, so that more letters can be applied to an alias
//! or a parameter. New letters select from the components that the old letters selected.

use std::ops::Range;

use super::lexer::Lexeme;
use crate::assemble::scan;
use crate::register::{File, component, named};

/// The maximum length of a register or an option. Longer pieces of source text are truncated.
pub(super) const LONGEST: usize = 80;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Class {
    /// A register, with or without an index.
    Register,
    /// A number that some constant register must contain.
    Number(f64),
    /// A word that is not a register: an option, a mnemonic or a mistake.
    Word,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Operand {
    pub(super) class: Class,
    /// The operand's text without the component letters.
    pub(super) text: String,
    pub(super) letters: Option<String>,
    pub(super) place: SourcePlace,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::assemble) struct SourcePlace {
    pub(in crate::assemble) range: Range<usize>,
    /// The index of the macro call whose expansion contains the source text.
    pub(in crate::assemble) call: Option<usize>,
}

impl Operand {
    /// Returns the operand in the mini assembler's form. A number is returned as written, because the mini assembler
    /// has no numbers.
    pub(super) fn written(&self) -> String {
        match &self.letters {
            Some(letters) => format!("{}.{letters}", self.text),
            None => self.text.clone(),
        }
    }

    pub(super) fn register(&self) -> Option<Register> {
        shape(&self.text).map(|(file, number)| Register { file, number })
    }

    /// Returns the register and component from which the operand's index is read.
    fn index(&self) -> Option<(Register, u8)> {
        let (_, inside) = self.text.split_once('[')?;
        let found = scan::operands(inside, 0..inside.len());
        let index = found.first()?;
        let number = if index.digits.is_empty() { 0 } else { index.digits.parse().ok()? };
        let letter = index.components.and_then(|letters| letters.bytes().next());
        let register = Register { file: named(index.name)?.0, number };
        Some((register, letter.map_or(0, component)))
    }

    /// Reports whether this operand reads any of the components `lanes` of `target`, which the same operation writes.
    pub(super) fn reads(&self, target: Register, lanes: &[u8]) -> bool {
        if self.class != Class::Register {
            return false;
        }
        if let Some((register, lane)) = self.index() {
            return register == target && lanes.contains(&lane);
        }
        self.register() == Some(target)
            && lanes.iter().any(|&lane| lanes.contains(&selected(self.letters.as_deref(), lane)))
    }

    pub(super) fn lanes(&self) -> Vec<u8> {
        match &self.letters {
            None => vec![0, 1, 2, 3],
            Some(letters) => letters.bytes().map(component).collect(),
        }
    }

    /// Adds component letters, which select from any letters that the operand already has. Returns `Some` if the mini assembler,
    /// which uses only the old letters, would read different components.
    pub(super) fn select(&mut self, more: &str) -> Option<Twice> {
        let before = self.written();
        let Some(letters) = &self.letters else {
            self.letters = Some(more.to_string());
            return None;
        };
        if !are_letters(letters) || !are_letters(more) {
            self.text = before;
            self.letters = Some(more.to_string());
            return None;
        }
        let pick = |lane: u8| letters.chars().nth(usize::from(lane)).or_else(|| letters.chars().last());
        let chosen: String = more.bytes().map(component).filter_map(pick).collect();
        let same = (0..4).all(|lane| selected(Some(&chosen), lane) == selected(Some(letters), lane));
        let found = format!("{before}.{more}");
        self.letters = Some(chosen);
        (!same).then(|| Twice { found, read: self.written(), theirs: before })
    }
}

/// A second set of component letters on an operand, which Adobe's assembler interprets differently.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Twice {
    pub(super) found: String,
    pub(super) read: String,
    pub(super) theirs: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Register {
    pub(super) file: File,
    pub(super) number: u16,
}

/// Returns the component that a source operand with these letters provides for `lane`. The last letter is repeated for
/// further lanes.
pub(super) fn selected(letters: Option<&str>, lane: u8) -> u8 {
    let Some(letters) = letters else { return lane };
    letters.as_bytes().get(usize::from(lane)).copied().or_else(|| letters.bytes().last()).map_or(lane, component)
}

pub(super) fn are_letters(text: &str) -> bool {
    let all = |set: &[u8]| text.bytes().all(|letter| set.contains(&letter));
    (1..=4).contains(&text.len()) && (all(b"xyzw") || all(b"rgba"))
}

/// Returns the file and number of the register that `text` names, or `None` if `text` is not a register.
pub(super) fn shape(text: &str) -> Option<(File, u16)> {
    let digits = text.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let (file, _) = named(text.get(..text.len() - digits.len())?)?;
    let all = digits.bytes().all(|byte| byte.is_ascii_digit());
    let number = if digits.is_empty() { Some(0) } else { digits.parse().ok() };
    number.filter(|_| all).map(|number| (file, number))
}

pub(super) fn is_register(word: &str) -> bool {
    word.len() <= LONGEST && word.split('.').next().is_some_and(|base| shape(base).is_some())
}

/// Reports whether the mini assembler might find operands in an unknown word, such as `vt4.wzvc13.x`.
pub(super) fn may_hold_operands(base: &str) -> bool {
    let letters = base.len() - base.trim_start_matches(|c: char| c.is_ascii_alphabetic()).len();
    let followed = base.as_bytes().get(letters).is_none_or(u8::is_ascii_digit);
    followed && base.get(..letters).is_some_and(|name| named(name).is_some())
}

/// Returns the number of lexemes in the first operand, or 0 if there is no operand. An operand is a word with an
/// optional index.
pub(super) fn length(lexemes: &[Lexeme]) -> usize {
    match lexemes {
        [word, open, rest @ ..] if word.word().is_some() && open.is("[") => {
            let Some(close) = rest.iter().position(|lexeme| lexeme.is("]")) else { return 0 };
            let letters =
                matches!(rest.get(close + 1..), Some([dot, word, ..]) if dot.is(".") && word.word().is_some());
            close + 3 + if letters { 2 } else { 0 }
        }
        [word, ..] if word.word().is_some() => 1,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn register(text: &str, letters: Option<&str>) -> Operand {
        let letters = letters.map(str::to_string);
        Operand { class: Class::Register, text: text.to_string(), letters, place: SourcePlace::default() }
    }

    #[test]
    fn letters_of_letters_select_among_them() {
        for (first, second, read, differs) in [
            ("zw", "x", "va3.z", true),
            ("xy", "xy", "va3.xy", false),
            ("xy", "xyy", "va3.xyy", false),
            ("xy", "z", "va3.y", true),
            ("rgb", "b", "va3.b", true),
            ("x", "x", "va3.x", false),
            ("xyzw", "xyzw", "va3.xyzw", false),
            ("wzyx", "wzyx", "va3.xyzw", true),
        ] {
            let mut operand = register("va3", Some(first));
            let twice = operand.select(second);
            assert_eq!((operand.written().as_str(), twice.is_some()), (read, differs), "{first}.{second}");
        }
        let mut operand = register("va3", Some("foo"));
        assert_eq!(operand.select("x"), None);
        assert_eq!(operand.written(), "va3.foo.x");
    }

    #[test]
    fn what_is_read_depends_on_the_lanes_written() {
        let vt0 = register("vt0", None).register().expect("a register");
        for (text, letters, lanes, reads) in [
            ("vt0", None, &[0u8, 1][..], true),
            ("vt0", Some("z"), &[0, 1], false),
            ("vt0", Some("zx"), &[0], false),
            ("vt0", Some("zx"), &[0, 1], true),
            ("vt", Some("x"), &[0], true),
            ("VT0", Some("x"), &[0], true),
            ("vt1", None, &[0], false),
            ("vc[vt0.y+3]", Some("x"), &[0], false),
            ("vc[vt0.y+3]", Some("x"), &[1], true),
        ] {
            assert_eq!(register(text, letters).reads(vt0, lanes), reads, "{text} {letters:?} {lanes:?}");
        }
    }

    #[test]
    fn a_register_is_a_name_and_digits() {
        assert_eq!(shape("vc12"), Some((File::Constant, 12)));
        assert_eq!(shape("op"), Some((File::Output, 0)));
        for text in ["vc1x", "position", "vc99999", "", "7", "v_0", "vc-1", "temp0"] {
            assert_eq!(shape(text), None, "{text}");
        }
        assert!(may_hold_operands("vt4") && may_hold_operands("ft2v0"));
        assert!(!may_hold_operands("temp0") && !may_hold_operands("fog") && !may_hold_operands("v_0"));
    }
}
