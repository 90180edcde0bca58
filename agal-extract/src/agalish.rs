//! Checks roughly whether the lines of a text read as AGAL. Unknown parts of a text match anything.
//!
//! The check determines which texts are reported although no call takes them. The assembler determines whether a text is a program.

use std::sync::LazyLock;

use agal_front::assemble::option_words;
use agal_front::opcode::{Opcode, Operand};
use agal_front::register::{File, named};
use agalc::Stage;
use regex::Regex;

use crate::strings::pattern;

/// Kind of a string constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Constant {
    /// The constant contains a statement or the beginning of one.
    Code,
    /// The constant contains a word of the language, such as the name of a register or a sampler's option.
    Word,
    Other,
}

/// The character that replaces an unknown part of a text.
pub(crate) const HOLE: char = '\u{fffc}';

/// Kind of a string constant.
pub(crate) fn constant(text: &str) -> Constant {
    if text.len() > 200_000 {
        return Constant::Other;
    }
    if text.split(['\n', '\r', ';']).any(begins_a_statement) {
        return Constant::Code;
    }
    let words = text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    let mut words = words.filter(|word| !word.is_empty());
    let has_word = text.len() < 100 && words.any(is_word);
    let is_punctuation = !text.is_empty() && text.chars().all(|letter| " <>,.\n\r\t;xyzw".contains(letter));
    if has_word || is_punctuation { Constant::Word } else { Constant::Other }
}

/// Whether a word occurs between the statements of a program.
fn is_word(word: &str) -> bool {
    is_register(word)
        || option_words().any(|option| option == word)
        || matches!(word, "anisotropic" | "depth" | "ignore" | "vertex" | "fragment")
}

/// Whether a line begins with a mnemonic and an operand.
fn begins_a_statement(line: &str) -> bool {
    let line = line.trim_start();
    let Some((mnemonic, rest)) = line.split_at_checked(3) else { return false };
    if Opcode::from_mnemonic(mnemonic).is_none() {
        return false;
    }
    let Some(space) = rest.chars().next() else { return matches!(mnemonic, "els" | "eif") };
    if !space.is_whitespace() {
        return false;
    }
    let operand = rest.trim_start();
    // The operand may be cut off.
    operand.is_empty()
        || operand.starts_with(HOLE)
        || Register::of(operand).is_some_and(|register| {
            register.is_complete() && !register.rest.starts_with(|letter: char| letter.is_ascii_alphanumeric())
                || register.file.len() == operand.len()
        })
}

/// Splits a text before the first letter of another kind.
fn split_before(text: &str, is_other: impl Fn(char) -> bool) -> (&str, &str) {
    text.split_at_checked(text.find(is_other).unwrap_or(text.len())).unwrap_or((text, ""))
}

/// The parts of an operand that begins with the name of a register file.
struct Register<'t> {
    file: &'t str,
    number: &'t str,
    rest: &'t str,
}

impl<'t> Register<'t> {
    fn of(operand: &'t str) -> Option<Register<'t>> {
        let (file, rest) = split_before(operand, |letter| !letter.is_ascii_lowercase());
        let (number, rest) = split_before(rest, |letter| !letter.is_ascii_digit());
        (named(file).is_some() || is_of_procedure(file)).then_some(Register { file, number, rest })
    }

    /// Whether the register has a number. Outputs and registers that exist once need none.
    fn is_complete(&self) -> bool {
        match named(self.file) {
            Some((File::Output | File::Depth | File::Instance, _)) => self.number.len() <= 1,
            _ => (1..=3).contains(&self.number.len()),
        }
    }
}

/// Whether a text is a register and nothing else.
fn is_register(text: &str) -> bool {
    Register::of(text).is_some_and(|register| register.is_complete() && register.rest.is_empty())
}

/// Whether a register file occurs in Alternativa3D's procedures. Their file `v` is one of AGAL too.
fn is_of_procedure(file: &str) -> bool {
    matches!(file, "a" | "c" | "t" | "i" | "o" | "s")
}

/// Counts of the lines of a text, by kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Reading {
    /// Number of statements.
    pub(crate) statements: usize,
    /// Number of statements with operands. A table of mnemonics has none.
    pub(crate) with_operands: usize,
    /// Number of lines that are neither statements, declarations of registers, comments, holes nor empty.
    pub(crate) others: usize,
    /// Number of the lines in `others` that begin like statements.
    pub(crate) misspelt: usize,
    /// Number of operands that only vertex programs have.
    pub(crate) vertex: usize,
    /// Number of operands that only fragment programs have.
    pub(crate) fragment: usize,
    /// Number of operands and declarations of Alternativa3D's procedures; the file `i` is one of AGAL too.
    pub(crate) alternativa: usize,
    /// Whether an output register is written.
    pub(crate) outputs: bool,
}

impl Reading {
    /// Whether the text is AGAL and nothing else.
    pub(crate) fn is_agal(&self) -> bool {
        self.with_operands > self.misspelt * 2 && self.others == self.misspelt
    }

    /// Stage, if only one stage has all of the registers.
    pub(crate) fn stage(&self) -> Option<Stage> {
        match (self.vertex, self.fragment) {
            (1.., 0) => Some(Stage::Vertex),
            (0, 1..) => Some(Stage::Fragment),
            _ => None,
        }
    }
}

/// Reads the lines of a text. [`HOLE`] replaces its unknown parts.
pub(crate) fn read(text: &str) -> Reading {
    let mut reading = Reading::default();
    for line in text.split(['\n', '\r']) {
        let line = line.split("//").next().unwrap_or_default();
        for statement in line.split(';') {
            read_statement(statement.trim(), &mut reading);
        }
    }
    reading
}

fn read_statement(line: &str, reading: &mut Reading) {
    if line.is_empty() || line.chars().all(|letter| letter == HOLE || letter.is_whitespace()) {
        return;
    }
    if let Some(name) = line.strip_prefix('#') {
        // `#c3=coefficient` names a register.
        match name.split_once('=') {
            Some((register, _)) if is_register(register.trim()) => reading.alternativa += 1,
            _ => reading.others += 1,
        }
        return;
    }
    let count = if is_statement(line, reading) { &mut reading.statements } else { &mut reading.others };
    *count += 1;
}

fn is_statement(line: &str, reading: &mut Reading) -> bool {
    // An unknown part before a mnemonic may consist of whole lines.
    let line = line.trim_start_matches(HOLE).trim_start();
    let (mnemonic, rest) = split_before(line, |letter| !letter.is_ascii_alphanumeric());
    let Some(row) = Opcode::from_mnemonic(mnemonic).map(Opcode::row) else { return false };
    let sources = row.sources.iter().filter(|source| !matches!(source, Operand::None)).count();
    let expected = sources + usize::from(row.destination);
    if rest.contains(HOLE) && rest.split(HOLE).any(|part| part.split_whitespace().count() > 12) {
        return false;
    }
    let operands: Vec<&str> = OPERAND.find_iter(rest).map(|operand| operand.as_str()).collect();
    // An unknown part may be several operands.
    let fits = operands.len() == expected || (rest.contains(HOLE) && operands.len() < expected);
    if !fits || !operands.iter().all(|operand| is_operand(operand)) {
        reading.misspelt += usize::from(operands.len() > 1 && operands.iter().all(|operand| may_be_operand(operand)));
        return false;
    }
    reading.with_operands += usize::from(!operands.is_empty());
    for Register { file, .. } in operands.iter().filter_map(|operand| Register::of(operand)) {
        let (known, stage) = named(file).unzip();
        match stage.flatten() {
            Some(Stage::Vertex) => reading.vertex += 1,
            Some(Stage::Fragment) => reading.fragment += 1,
            None => reading.alternativa += usize::from(is_of_procedure(file)),
        }
        reading.outputs |= known == Some(File::Output) || file == "o";
    }
    true
}

/// An operand: commas in brackets do not end it, and sampler options after a blank belong to it.
static OPERAND: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?:[^\s,<\[]|\[[^\]]*\]?|[\s,]*<[^>]*>?)+"));

/// Whether a text has the name of a missing value, such as `null`, in place of a register or before a mnemonic. No assembler
/// accepts that, so the code built the text before its objects were complete.
pub(crate) fn has_missing_value(text: &str) -> bool {
    let code = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    let mut words = code.flat_map(|line| line.split(|letter: char| !letter.is_ascii_alphanumeric()));
    let is_statement = |rest: &str| Opcode::from_mnemonic(rest).is_some();
    words
        .any(|word| matches!(word, "null" | "undefined" | "NaN") || word.strip_prefix("null").is_some_and(is_statement))
}

/// Whether an operand is valid, or the rest of one after a typing error, such as `xy`.
fn may_be_operand(operand: &str) -> bool {
    is_operand(operand) || operand.trim_start_matches('.').chars().all(|letter| "xyzwrgba".contains(letter))
}

/// Whether an operand is a hole, a register, an indexed register, or a register whose number is a hole. A blank or a comma may
/// follow the register's name.
fn is_operand(operand: &str) -> bool {
    let is_of_register = |register: Register<'_>| {
        let rest = register.rest.trim_start_matches(|letter: char| letter == ',' || letter.is_whitespace());
        register.is_complete() && (rest.is_empty() || rest.starts_with(['.', '<', '[', HOLE]))
            || register.number.is_empty() && rest.starts_with(['[', HOLE])
    };
    operand.starts_with(HOLE) || Register::of(operand).is_some_and(is_of_register)
}

#[cfg(test)]
mod tests {
    use super::{Constant, constant, has_missing_value};

    #[test]
    fn texts_with_missing_values_are_recognised() {
        assert!(has_missing_value("mov ft0, null.yyyy") && has_missing_value("nullm44 op, va0, vc0"));
        assert!(!has_missing_value("mov oc, ft0 // null") && !has_missing_value("nullify"));
    }

    #[test]
    fn constants_have_kinds() {
        assert_eq!(constant("mov oc, ft0\n"), Constant::Code);
        assert_eq!(constant("mul "), Constant::Code);
        assert_eq!(constant(" <2d,linear"), Constant::Word);
        assert_eq!(constant("ft0"), Constant::Word);
        assert_eq!(constant("Could not load the file"), Constant::Other);
        assert_eq!(constant("add to the list"), Constant::Other);
    }
}
