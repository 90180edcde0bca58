//! Checks roughly whether a text is AGAL source. Unknown parts of the text match anything.
//!
//! Texts that no known call receives are reported only if they pass the check. The assembler decides later whether a reported
//! text is a program.
//!
//! The recognised words also determine which methods the interpreter explores further, so changing the words changes the results
//! for large libraries. For that reason, the module does not use the larger tables of agal-front.

use std::sync::LazyLock;

use agal_front::opcode::{Opcode, Operand};
use agalc::Stage;
use regex::Regex;

use crate::strings::{is_one_of, pattern};

/// The role of a string constant in AGAL source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Constant {
    /// The constant contains a statement or the beginning of a statement.
    Code,
    /// The constant contains a word of AGAL, such as a register name or a sampler option, or consists of AGAL punctuation.
    Word,
    Other,
}

/// The character that replaces an unknown part of a text.
pub(crate) const HOLE: char = '\u{fffc}';

/// The words of AGAL source that are neither mnemonics nor register names, such as sampler options.
const WORDS: &str = "2d 3d cube linear nearest miplinear mipnearest mipnone nomip repeat wrap clamp dxt1 dxt5 centroid single \
                     ignore depth ignoresampler video vertex fragment rgba anisotropic";

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

/// Reports whether a line begins with a mnemonic and an operand.
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

/// The patterns of a register's name and of a register file's name. In the name of a single register, such as `op`, the number is
/// optional.
const REGISTER: &str = "(?:(?:op|oc|od|fd|iid)[0-9]?|(?:v[actsio]?|f[ctso]|[actios])[0-9]{1,3})";
const FILE: &str = "(?:op|oc|od|fd|iid|v[actsio]?|f[ctso]|[actios])";

static WHOLE_REGISTER: LazyLock<Regex> = LazyLock::new(|| pattern(&format!("^{REGISTER}$")));

/// Matches the first operand at the beginning of a string. The string may end within the operand.
static START: LazyLock<Regex> = LazyLock::new(|| pattern(&format!("^(?:{HOLE}|{REGISTER}(?:[^0-9A-Za-z]|$)|{FILE}$)")));

/// Statistics about the lines of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Reading {
    pub(crate) statements: usize,
    /// The number of statements that have operands, which is 0 for a table of opcode names.
    pub(crate) with_operands: usize,
    /// The number of nonempty lines that are neither statements nor comments.
    pub(crate) others: usize,
    /// The number of lines in `others` that look like misspelt statements.
    pub(crate) misspelt: usize,
    /// The number of operands whose register file exists only in vertex programs.
    pub(crate) vertex: usize,
    pub(crate) fragment: usize,
    /// The number of register declarations and operands in the syntax of Alternativa3D's procedures.
    pub(crate) alternativa: usize,
    /// Whether an operand names an output register.
    pub(crate) outputs: bool,
}

impl Reading {
    /// Reports whether the text contains only AGAL, apart from a few misspelt statements.
    pub(crate) fn is_agal(&self) -> bool {
        self.with_operands > self.misspelt * 2 && self.others == self.misspelt
    }

    /// Returns the stage that the registers imply, or `None` if they imply no stage or both stages.
    pub(crate) fn stage(&self) -> Option<Stage> {
        match (self.vertex, self.fragment) {
            (1.., 0) => Some(Stage::Vertex),
            (0, 1..) => Some(Stage::Fragment),
            _ => None,
        }
    }
}

/// Reads the lines of a text, in which each [`HOLE`] stands for an unknown part.
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
        // For example, `#c3=coefficient` names a register.
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
    // An unknown part before a mnemonic may end with a line break.
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
    // An unknown part may contain several operands.
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

/// Matches an operand, including any commas in its brackets and any sampler options after a blank.
static OPERAND: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?:[^\s,<\[]|\[[^\]]*\]?|[\s,]*<[^>]*>?)+"));

/// Reports whether a text contains a missing value, such as `null`, as an operand or before a mnemonic. No assembler accepts such
/// a text, so the code must have built it from incomplete objects.
pub(crate) fn has_missing_value(text: &str) -> bool {
    let code = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    let mut words = code.flat_map(|line| line.split(|letter: char| !letter.is_ascii_alphanumeric()));
    let is_statement = |rest: &str| Opcode::from_mnemonic(rest).is_some();
    words
        .any(|word| matches!(word, "null" | "undefined" | "NaN") || word.strip_prefix("null").is_some_and(is_statement))
}

/// Reports whether a string is a valid operand, or a swizzle that a misplaced blank may have separated from its operand.
fn may_be_operand(operand: &str) -> bool {
    is_operand(operand) || operand.trim_start_matches('.').chars().all(|letter| "xyzwrgba".contains(letter))
}

/// Matches a hole, a register, an indexed register, or a register whose number is a hole. Blanks or commas may follow the
/// register name.
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
