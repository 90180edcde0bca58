//! Converts shader names to Rust's spelling, makes names unique within a scope, and formats paths for the generated code.

use std::collections::BTreeSet;
use std::path::Path;

/// The words that are reserved in at least one edition of Rust.
const RESERVED: [&str; 52] = [
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do", "dyn", "else",
    "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro", "match", "mod",
    "move", "mut", "override", "priv", "pub", "ref", "return", "self", "Self", "static", "struct", "super", "trait",
    "true", "try", "type", "typeof", "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// The types and traits in the preludes of all editions, separated by spaces. The generated code uses these names without a path,
/// so a generated structure must have a different name.
pub(crate) const PRELUDE: &str = "AsMut AsRef AsyncFn AsyncFnMut AsyncFnOnce Box Clone Copy Debug Default \
    DoubleEndedIterator Drop Eq Err ExactSizeIterator Extend Fn FnMut FnOnce From FromIterator Hash Into IntoIterator \
    Iterator None Ok Option Ord PartialEq PartialOrd Result Send Sized Some String Sync Vec";

/// Splits a name into words at characters that are not letters or digits, and before a capital next to a lower-case letter. For
/// example, `Sprite2DMaterial` consists of the words `sprite2d` and `material`.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut previous = '_';
    let mut characters = name.chars().peekable();
    while let Some(c) = characters.next() {
        if c.is_ascii_alphanumeric() {
            let is_before_small = characters.peek().is_some_and(char::is_ascii_lowercase);
            let begins = !previous.is_ascii_alphanumeric()
                || c.is_ascii_uppercase() && (previous.is_ascii_lowercase() || is_before_small);
            match words.last_mut() {
                Some(word) if !begins => word.push(c.to_ascii_lowercase()),
                _ => words.push(c.to_ascii_lowercase().to_string()),
            }
        }
        previous = c;
    }
    words
}

/// Converts any name to a valid identifier, even if the name is empty, begins with a digit or is a reserved word.
fn legal(name: String, spare: &str) -> String {
    match name.chars().next() {
        None => spare.to_string(),
        Some(first) if first.is_ascii_digit() => format!("{spare}_{name}"),
        _ if RESERVED.contains(&name.as_str()) => format!("{name}_"),
        _ => name,
    }
}

/// Converts a name to snake case, for fields and functions: `lightDir` becomes `light_dir`.
pub(crate) fn snake(name: &str) -> String {
    legal(words(name).join("_"), "unnamed")
}

/// Converts a name to upper snake case, for constants: `lightDir` becomes `LIGHT_DIR`.
pub(crate) fn upper(name: &str) -> String {
    legal(words(name).join("_").to_uppercase(), "UNNAMED")
}

/// Converts a name to upper camel case, for types: `lightDir` becomes `LightDir`.
pub(crate) fn camel(name: &str) -> String {
    let capital = |word: String| {
        let mut characters = word.chars();
        characters.next().map_or(String::new(), |first| first.to_ascii_uppercase().to_string() + characters.as_str())
    };
    legal(words(name).into_iter().map(capital).collect(), "Unnamed")
}

/// The names that are already taken in a scope.
#[derive(Debug, Default)]
pub(crate) struct Scope(BTreeSet<String>);

impl Scope {
    pub(crate) fn with(taken: &[&str]) -> Scope {
        Scope(taken.iter().map(ToString::to_string).collect())
    }

    /// Adds a name to the scope, and returns the name. A name that is already taken gets the first free numeric suffix, beginning
    /// with 2.
    pub(crate) fn take(&mut self, name: String) -> String {
        if self.0.insert(name.clone()) {
            return name;
        }
        let separator = if name.ends_with(|c: char| c.is_ascii_digit()) { "_" } else { "" };
        let numbered = (2u32..).map(|number| format!("{name}{separator}{number}"));
        let free = numbered.into_iter().find(|name| self.0.insert(name.clone()));
        free.unwrap_or(name)
    }
}

/// Formats a path with forward slashes, so that generated files are the same on every system.
pub(crate) fn slashed(path: &Path) -> String {
    path.display().to_string().replace('\\', "/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_spelled_as_rust_spells_them() {
        for (name, spelled) in [
            ("lightDir", ["light_dir", "LIGHT_DIR", "LightDir"]),
            ("vc", ["vc", "VC", "Vc"]),
            ("fs0_sampler", ["fs0_sampler", "FS0_SAMPLER", "Fs0Sampler"]),
            ("MVP", ["mvp", "MVP", "Mvp"]),
            ("Sprite2DMaterial", ["sprite2d_material", "SPRITE2D_MATERIAL", "Sprite2dMaterial"]),
            ("AGALPhong", ["agal_phong", "AGAL_PHONG", "AgalPhong"]),
            ("type", ["type_", "TYPE", "Type"]),
            ("self", ["self_", "SELF", "Self_"]),
            ("2d", ["unnamed_2d", "UNNAMED_2D", "Unnamed_2d"]),
            ("größe", ["gr_e", "GR_E", "GrE"]),
            ("", ["unnamed", "UNNAMED", "Unnamed"]),
        ] {
            assert_eq!([snake(name), upper(name), camel(name)], spelled, "{name}");
        }
    }

    #[test]
    fn a_name_that_is_taken_gets_a_number() {
        let mut scope = Scope::with(&["vertex"]);
        let taken = ["vertex", "vertex", "vc1", "vc1", "vc1_2"].map(|name| scope.take(name.to_string()));
        assert_eq!(taken, ["vertex2", "vertex3", "vc1", "vc1_2", "vc1_2_2"]);
    }
}
