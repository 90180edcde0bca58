//! Names that are forbidden by every target, reserved by a target, close to the maximum length, or distinguished only by
//! characters that a careless target may drop.

use std::collections::BTreeSet;

use sdlbc::limits;

use super::choices::Choices;

/// Words of the target languages, of the module text, and of the code that backends generate around a module.
const WORDS: [&str; 58] = [
    "fn",
    "let",
    "var",
    "struct",
    "main",
    "gl_Position",
    "gl_FragCoord",
    "gl_",
    "vec4",
    "vec4f",
    "float4",
    "mat4x4",
    "mat4x4f",
    "f32",
    "true",
    "false",
    "null",
    "self",
    "default",
    "case",
    "switch",
    "loop",
    "break",
    "return",
    "discard",
    "uniform",
    "sampler2D",
    "texture2d",
    "texture_2d",
    "highp",
    "in",
    "out",
    "inout",
    "void",
    "int",
    "bool",
    "half",
    "function",
    "source",
    "generic",
    "vertex",
    "fragment",
    "if",
    "select",
    "dot",
    "sin",
    "precision",
    "layout",
    "array",
    "enable",
    "diagnostic",
    "override",
    "atomic",
    "common",
    "VertexConstants",
    "FragmentConstants",
    "vs_main",
    "fs_main",
];

/// Strings that are not identifiers, that resemble another name, or that contain a character with a special meaning, such as a
/// quotation mark.
const ODD: [&str; 52] = [
    "a",
    "A",
    "a_",
    "a_1",
    "a_1_",
    "_a",
    "__a",
    "_",
    "__",
    "___",
    "1",
    "1a",
    "a1",
    "a 1",
    "a-1",
    "a.1",
    "é",
    "e\u{301}",
    "变量",
    "ß",
    "ſ",
    "K",
    "ı",
    "İ",
    "\u{202e}abc",
    "\u{feff}a",
    "a\u{200d}b",
    "\u{1F600}",
    "\"",
    "\\",
    "\\\"",
    "\\u{41}",
    "'",
    "`",
    "\n",
    "a\nb",
    "a\r\nb",
    "\t",
    " ",
    "  a  ",
    "\u{7f}",
    "\u{1}",
    "\u{1b}[31m",
    "\u{85}",
    "\u{2028}b",
    "*/",
    "/* a",
    "// a",
    "; a",
    "#define a",
    "%1",
    "@1",
];

/// A module's small set of names. Several entities of the module share each name.
pub(super) struct Names {
    few: Vec<String>,
}

impl Names {
    pub(super) fn new(choices: &mut Choices<'_>) -> Names {
        let count = 2 + choices.below(7);
        Names { few: (0..count).map(|_| name(choices)).collect() }
    }

    /// Returns any name, possibly the empty one.
    pub(super) fn any(&self, choices: &mut Choices<'_>) -> String {
        match choices.below(8) {
            0 => String::new(),
            1..=5 => self.few[choices.below(self.few.len())].clone(),
            _ => name(choices),
        }
    }

    /// Returns a name that is not taken yet. The empty name, which means no name, is always available.
    pub(super) fn fresh(&self, choices: &mut Choices<'_>, taken: &mut BTreeSet<String>) -> String {
        let mut found = self.any(choices);
        if found.is_empty() {
            return found;
        }
        for number in 0.. {
            if !taken.contains(&found) {
                break;
            }
            // A careless writer uses this name for the second of two entities with the same name.
            found = if number == 0 { format!("{found}_1") } else { format!("{found}{number}") };
            if found.len() > limits::NAME {
                found = format!("n{number}");
            }
        }
        taken.insert(found.clone());
        found
    }

    /// Returns a non-empty name that is not taken yet.
    pub(super) fn non_empty(&self, choices: &mut Choices<'_>, taken: &mut BTreeSet<String>) -> String {
        for number in 0..8 {
            let found = self.fresh(choices, taken);
            if !found.is_empty() {
                return found;
            }
            let other = format!("entry{number}");
            if taken.insert(other.clone()) {
                return other;
            }
        }
        String::from("entry")
    }
}

fn name(choices: &mut Choices<'_>) -> String {
    let word = choices.one(&WORDS);
    match choices.below(16) {
        0..=4 => word.to_string(),
        5..=9 => choices.one(&ODD).to_string(),
        10 => format!("{word}_"),
        11 => format!("_{word}{}", choices.below(3)),
        12 => format!("{word}{}", choices.one(&ODD)),
        // Names that are equal up to a length at which a careless writer may truncate them.
        13 => {
            let length = choices.one(&[63, 64, 255, 256, 1023, 1024, 4095]);
            format!("{}{}", "x".repeat(length), choices.one(&["", "y", "_"]))
        }
        14 => "é".repeat(limits::NAME / 2),
        _ => (0..1 + choices.below(5)).filter_map(|_| char::from_u32(choices.word() % 0x11_0000)).map(no_nul).collect(),
    }
}

fn no_nul(c: char) -> char {
    if c == '\0' { '0' } else { c }
}
