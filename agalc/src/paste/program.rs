//! Recognises programs in pasted text, and determines their stages.

use agal_front::Stage;
use agal_front::opcode::Opcode;
use agal_front::register::named;

use super::pieced::Pieced;

#[derive(Clone, Debug)]
pub(super) struct Found {
    /// The stage that a call in the pasted code states.
    pub(super) stage: Option<Stage>,
    /// The version that a call in the pasted code states.
    pub(super) version: Option<u32>,
    /// The stage that the name of the variable suggests, if a variable contains the text.
    pub(super) name: Option<Stage>,
    pub(super) text: Pieced,
}

impl Found {
    /// Returns the first known stage: from a call, from the registers of the text, or from the variable's name.
    pub(super) fn likely_stage(&self) -> Option<Stage> {
        self.stage.or_else(|| stage_of_registers(self.text.as_str())).or(self.name)
    }

    /// Returns the stage to request from the assembler: the stage that a call states, or the stage that the variable's name
    /// suggests if no register determines the stage.
    pub(super) fn asked_stage(&self) -> Option<Stage> {
        self.stage.or_else(|| stage_of_registers(self.text.as_str()).is_none().then_some(self.name).flatten())
    }
}

/// The maximum length of text that a message quotes, in characters.
const LONGEST: usize = 40;

pub(super) fn quoted(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_string(),
    }
}

/// Reports whether a string may be AGAL text, or bytecode as digits, as base64 or as characters.
pub(super) fn is_program(text: &str) -> bool {
    begins_bytes(text) || is_agal(text)
}

/// Reports whether text, read as digits, as base64 or as character codes, encodes bytes that begin like AGAL bytecode.
pub(super) fn begins_bytes(text: &str) -> bool {
    if begins_characters(text) {
        return true;
    }
    let text = text.trim_start();
    text.starts_with("oA") || {
        let digits = text.strip_prefix("0x").or(text.strip_prefix("\\x")).unwrap_or(text);
        digits.get(..2).is_some_and(|byte| byte.eq_ignore_ascii_case("a0"))
    }
}

/// Reports whether text begins with characters whose codes are AGAL's first bytes.
pub(super) fn begins_characters(text: &str) -> bool {
    let mut characters = text.chars();
    matches!((characters.next(), characters.next()), (Some('\u{a0}' | '\u{b0}'), Some('\0'..'\u{8}')))
}

/// Reports whether text may be a program or begins with an AGAL statement.
pub(super) fn begins_agal(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default();
    is_mnemonic(first) && text.trim_start().len() > first.len() || is_program(text)
}

/// Reports whether text has a line that can only be AGAL, in the plain or the macro language.
pub(super) fn is_agal(text: &str) -> bool {
    text.split(['\n', '\r']).any(is_agal_line)
}

fn is_agal_line(line: &str) -> bool {
    let line = line.split("//").next().unwrap_or_default().trim();
    let mut words = line.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty());
    let (first, second) = (words.next().unwrap_or_default(), words.next());
    let is_register = |word: &str| {
        let name = word.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default();
        let rest = word.get(name.len()..).unwrap_or_default();
        let is_known = named(name).is_some() || name.len() == 1 && "actsoi".contains(name);
        !name.is_empty()
            && is_known
            && (rest.is_empty() || rest.starts_with(|c: char| c.is_ascii_digit() || ".[".contains(c)))
    };
    // A list or a string after `=` shows that the line is in another language.
    let is_value = |word: &str| word.starts_with(|c: char| c.is_ascii_alphanumeric() || "-(.".contains(c));
    match second {
        Some(second) => {
            is_mnemonic(first) && is_register(second)
                || first == "alias" && is_register(second)
                || is_register(first) && second == "=" && words.next().is_some_and(is_value)
        }
        None => matches!(first, "els" | "eif"),
    }
}

pub(super) fn is_mnemonic(word: &str) -> bool {
    word.len() == 3 && Opcode::from_mnemonic(&word.to_ascii_lowercase()).is_some()
}

/// Reports whether a line begins like an AGAL statement, even if the rest of the line is wrong.
pub(super) fn begins_statement(line: &str) -> bool {
    let word = line.split(|c: char| c.is_whitespace() || c == '<').next().unwrap_or_default();
    let rest = line.get(word.len()..).unwrap_or_default().trim_start();
    is_mnemonic(word) && !rest.starts_with(['=', '('])
}

/// Returns the stage of the first register that belongs to only one stage.
pub(super) fn stage_of_registers(text: &str) -> Option<Stage> {
    text.split(|c: char| !c.is_ascii_alphanumeric()).find_map(|word| {
        let name = word.trim_end_matches(|c: char| c.is_ascii_digit());
        named(name)?.1
    })
}

/// Returns the stage that a word names: a constant of `Context3DProgramType`, such as `VERTEX`, or the constant's value, such as
/// `vertex`.
pub(super) fn stage_word(word: &str) -> Option<Stage> {
    [Stage::Vertex, Stage::Fragment].into_iter().find(|stage| stage.to_string().eq_ignore_ascii_case(word))
}

/// Returns the stage that the name of a variable suggests.
pub(super) fn stage_named(name: &str) -> Option<Stage> {
    let name = name.to_ascii_lowercase();
    match (name.contains("frag") || name.contains("pixel"), name.contains("vert")) {
        (true, _) => Some(Stage::Fragment),
        (false, true) => Some(Stage::Vertex),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_agal_are_known() {
        for line in [
            "mov oc, v0",
            "m44 t0 a0 c0",
            "  TEX ft0, v0, fs0 <2d>",
            "alias va0, position",
            "oc = v0",
            "kil ft0.x // a",
            "els",
        ] {
            assert!(is_agal(line), "{line}");
        }
        for line in [
            "sin, cos and tan",
            "add it",
            "mov",
            "name = \"x\"",
            "fc2 = [1.0, 2]",
            "fc2 = \"x\"",
            "vertex",
            "abs value",
            "// mov oc, v0",
            "",
        ] {
            assert!(!is_agal(line), "{line}");
        }
    }
}
