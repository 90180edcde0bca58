//! Random names, some of which a backend must escape or replace.

use std::collections::HashSet;

use super::dice::Dice;

const PLAIN: [&str; 14] =
    ["a", "color", "position", "va0", "v0", "vc", "fs0", "light_dir", "n", "uv", "mvp", "i", "sum", "x2"];

/// Keywords and reserved names of the target languages, names in other scripts, and strings that are not identifiers.
const ODD: [&str; 62] = [
    "",
    "main",
    "float",
    "vec4",
    "mat4",
    "int",
    "half",
    "bool",
    "true",
    "while",
    "loop",
    "switch",
    "default",
    "discard",
    "in",
    "out",
    "uniform",
    "attribute",
    "varying",
    "texture",
    "sampler",
    "sampler2D",
    "struct",
    "precision",
    "highp",
    "subroutine",
    "layout",
    "fn",
    "var",
    "let",
    "override",
    "enable",
    "self",
    "Self",
    "f32",
    "u32",
    "array",
    "ptr",
    "textureSample",
    "gl_Position",
    "gl_1",
    "naga_mod",
    "naga_div",
    "_",
    "__",
    "_a",
    "a_",
    "a__b",
    "a1_",
    "1a",
    "0",
    "A",
    "x; } void evil() { int q",
    "a b\t\"c\"\\",
    "line\nbreak\r",
    "; comment",
    "}",
    "ünïcode",
    "e\u{301}",
    "\u{1f980}\u{202e}",
    "\u{1}\u{7f}\u{2028}\u{feff}",
    "日本語の名前はとても長いのでファイルの中で何語も占めることになります",
];

/// Returns a name, which may be the name of another entity. If `odd` is set, half of the names come from a list of unusual names,
/// which includes the empty name.
pub(super) fn any(dice: &mut Dice<'_, '_>, odd: bool) -> String {
    if odd && dice.one_in(2) {
        return dice.pick(&ODD).to_string();
    }
    dice.pick(&PLAIN).to_string()
}

/// Returns a name that is not taken yet. The empty name is always available.
pub(super) fn free(dice: &mut Dice<'_, '_>, odd: bool, taken: &mut HashSet<String>) -> String {
    let name = any(dice, odd);
    if name.is_empty() { name } else { unlike(name, taken) }
}

/// Returns a non-empty name that is not taken yet.
pub(super) fn free_word(dice: &mut Dice<'_, '_>, odd: bool, taken: &mut HashSet<String>) -> String {
    let name = any(dice, odd);
    unlike(if name.is_empty() { "main".to_string() } else { name }, taken)
}

fn unlike(name: String, taken: &mut HashSet<String>) -> String {
    let mut free = name.clone();
    let mut number = 1;
    while !taken.insert(free.clone()) {
        free = format!("{name}{number}");
        number += 1;
    }
    free
}
