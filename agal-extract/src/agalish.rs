//! Checks roughly whether the lines of a text read as AGAL. Unknown parts of a text match anything.
//!
//! The check determines which texts are reported although no call takes them. The assembler determines whether a text is a program.
//! The words that are recognised also determine which methods are explored further, so a change of them changes what is found in a
//! large library; agal-front's tables, which have more words, are not used for that reason.

use std::sync::LazyLock;

use agal_front::opcode::{Opcode, Operand};
use agalc::Stage;
use regex::Regex;

use crate::strings::{is_one_of, pattern};

/// Kind of a string constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Constant {
    /// The constant contains a statement or the beginning of one.
    Code,
    /// The constant contains a word of the language, such as the name of a register or a sampler's option.
    Word,
    Other,
}

/// The character that stands for an unknown part.
pub(crate) const HOLE: char = '\u{fffc}';

/// Words that occur between the statements of a program.
const WORDS: &str = "2d 3d cube linear nearest miplinear mipnearest mipnone nomip repeat wrap clamp dxt1 dxt5 centroid single \
                     ignore depth ignoresampler video vertex fragment rgba anisotropic";

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
    let is_word = text.len() < 100 && words.any(|word| is_one_of(word, WORDS) || WHOLE_REGISTER.is_match(word));
    let is_punctuation = !text.is_empty() && text.chars().all(|letter| " <>,.\n\r\t;xyzw".contains(letter));
    if is_word || is_punctuation { Constant::Word } else { Constant::Other }
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
    operand.is_empty() || START.is_match(operand)
}

/// Patterns of a register with its number, which may be missing for registers that exist once, and of a register file.
const REGISTER: &str = "(?:(?:op|oc|od|fd|iid)[0-9]?|(?:v[actsio]?|f[ctso]|[actios])[0-9]{1,3})";
const FILE: &str = "(?:op|oc|od|fd|iid|v[actsio]?|f[ctso]|[actios])";

/// A register.
static WHOLE_REGISTER: LazyLock<Regex> = LazyLock::new(|| pattern(&format!("^{REGISTER}$")));

/// The beginning of an operand, which may be cut off.
static START: LazyLock<Regex> = LazyLock::new(|| pattern(&format!("^(?:{HOLE}|{REGISTER}(?:[^0-9A-Za-z]|$)|{FILE}$)")));

/// Counts of the lines of a text, by kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Reading {
    /// Number of statements.
    pub(crate) statements: usize,
    /// Number of statements with operands: a table of opcodes has the names alone.
    pub(crate) with_operands: usize,
    /// Number of other lines, apart from comments and empty lines.
    pub(crate) others: usize,
    /// Number of these other lines that begin like statements.
    pub(crate) misspelt: usize,
    /// Number of statements with registers that only vertex programs have, and of those with registers that only fragment programs
    /// have.
    pub(crate) vertex: usize,
    pub(crate) fragment: usize,
    /// Number of statements with registers of Alternativa3D's procedures.
    pub(crate) alternativa: usize,
    /// Whether an output register is written.
    pub(crate) outputs: bool,
}

impl Reading {
    /// Whether the text is AGAL and nothing else.
    pub(crate) fn is_agal(&self) -> bool {
        self.with_operands > self.misspelt * 2 && self.others == self.misspelt
    }

    /// Stage, if the registers tell.
    pub(crate) fn stage(&self) -> Option<Stage> {
        match (self.vertex, self.fragment) {
            (1.., 0) => Some(Stage::Vertex),
            (0, 1..) => Some(Stage::Fragment),
            _ => None,
        }
    }
}

/// Reads the lines of a text, in which [`HOLE`] stands for unknown parts.
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
        // `#c3=coefficient` gives a register a name.
        match name.split_once('=') {
            Some((register, _)) if WHOLE_REGISTER.is_match(register.trim()) => reading.alternativa += 1,
            _ => reading.others += 1,
        }
        return;
    }
    if is_statement(line, reading) {
        reading.statements += 1;
    } else {
        reading.others += 1;
    }
}

fn is_statement(line: &str, reading: &mut Reading) -> bool {
    // An unknown part before a mnemonic may be lines of its own.
    let line = line.trim_start_matches(HOLE).trim_start();
    let end = line.find(|letter: char| !letter.is_ascii_alphanumeric()).unwrap_or(line.len());
    let (mnemonic, rest) = line.split_at_checked(end).unwrap_or((line, ""));
    let Some(opcode) = Opcode::from_mnemonic(mnemonic) else {
        return false;
    };
    let row = opcode.row();
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
    for operand in operands {
        let file = operand.split(|letter: char| !letter.is_ascii_alphabetic()).next().unwrap_or_default();
        match file {
            "va" | "vc" | "vt" | "op" | "vo" => reading.vertex += 1,
            "fc" | "ft" | "fs" | "oc" | "fo" | "od" | "fd" => reading.fragment += 1,
            "a" | "c" | "t" | "i" | "o" | "s" => reading.alternativa += 1,
            _ => {}
        }
        reading.outputs |= matches!(file, "op" | "vo" | "oc" | "fo" | "o");
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

/// Whether an operand is valid, or a part of a valid one that a typing error has cut off, such as `xy`.
fn may_be_operand(operand: &str) -> bool {
    is_operand(operand) || operand.trim_start_matches('.').chars().all(|letter| "xyzwrgba".contains(letter))
}

/// A hole, a register, an indexed register, or one whose number is a hole; a blank or a comma may follow its name.
static WHOLE_OPERAND: LazyLock<Regex> =
    LazyLock::new(|| pattern(&format!(r"^(?:{HOLE}|{REGISTER}[,\s]*(?:$|[.<\[{HOLE}])|{FILE}[,\s]*[\[{HOLE}])")));

fn is_operand(operand: &str) -> bool {
    WHOLE_OPERAND.is_match(operand)
}

#[cfg(test)]
mod tests {
    use super::{Constant, constant, has_missing_value};

    #[test]
    fn texts_of_incomplete_objects_are_told() {
        assert!(has_missing_value("mov ft0, null.yyyy") && has_missing_value("nullm44 op, va0, vc0"));
        assert!(!has_missing_value("mov oc, ft0 // null") && !has_missing_value("nullify"));
    }

    #[test]
    fn constants_are_sorted() {
        assert_eq!(constant("mov oc, ft0\n"), Constant::Code);
        assert_eq!(constant("mul "), Constant::Code);
        assert_eq!(constant(" <2d,linear"), Constant::Word);
        assert_eq!(constant("ft0"), Constant::Word);
        assert_eq!(constant("Could not load the file"), Constant::Other);
        assert_eq!(constant("add to the list"), Constant::Other);
    }
}
