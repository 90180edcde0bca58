//! The public interface: a program that uses agalc needs no other crate of the workspace, because agalc exports every type that a
//! public signature, field or variant names.

use std::collections::BTreeSet;
use std::path::Path;

/// Types of the standard library and of the crates whose types the module `render` exposes.
const KNOWN: [&str; 21] = [
    "AsRef",
    "BTreeMap",
    "BTreeSet",
    "Box",
    "Cow",
    "Diagnostic",
    "FilesError",
    "FnOnce",
    "Into",
    "IntoIterator",
    "Item",
    "Iterator",
    "ModuleInfo",
    "Option",
    "Path",
    "PathBuf",
    "Range",
    "Result",
    "String",
    "Vec",
    "WriteStyle",
];

/// Returns the words that begin with a capital letter and contain a lower-case letter.
fn types(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.filter(|word| word.starts_with(char::is_uppercase) && word.contains(char::is_lowercase))
}

/// Reads a source file without its comments and tests.
fn code(path: &Path) -> String {
    let text = std::fs::read_to_string(path).expect("a source");
    let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    code.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// Returns the types in the signatures of public functions, in public fields and in the variants of public enums.
fn shown(code: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for start in ["pub fn ", "pub const fn "] {
        for (at, _) in code.match_indices(start) {
            let rest = &code[at..];
            let end = rest.find([';', '{']).unwrap_or(rest.len());
            found.extend(types(&rest[..end]).map(str::to_string));
        }
    }
    for line in code.lines().map(str::trim) {
        if let Some((name, ty)) = line.strip_prefix("pub ").and_then(|field| field.split_once(": "))
            && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
        {
            found.extend(types(ty).map(str::to_string));
        }
    }
    for fields in code.lines().filter_map(|line| line.strip_prefix("pub struct ")?.split_once('(')) {
        found.extend(fields.1.split("pub ").skip(1).flat_map(types).map(str::to_string));
    }
    for (at, _) in code.match_indices("\npub enum ") {
        let body = code[at..].split("\n}").next().unwrap_or_default();
        for variant in body.lines().skip(2).filter_map(|line| line.split_once(['(', ':'])) {
            found.extend(types(variant.1).map(str::to_string));
        }
    }
    found
}

#[test]
fn every_type_of_a_public_signature_is_exported() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let lib = code(&root.join("lib.rs"));
    let uses = lib.split("pub use ").skip(1).filter_map(|rest| rest.split(';').next());
    let mut exported: BTreeSet<String> = uses.flat_map(types).map(str::to_string).collect();
    let files = testing::files_below(&root, ".rs");
    assert!(files.len() > 40);
    for path in &files {
        let name = path.strip_prefix(&root).expect("below it").to_string_lossy().into_owned();
        let is_public = ["names", "reflect", "render", "found", "script"].iter().any(|module| name.starts_with(module));
        let code = code(path);
        for start in ["pub struct ", "pub enum ", "pub type ", "pub trait "] {
            let defined = code.match_indices(start).filter_map(|(at, _)| types(&code[at + start.len()..]).next());
            exported.extend(defined.filter(|_| is_public).map(str::to_string));
        }
    }
    exported.extend(KNOWN.map(str::to_string));
    let seen: BTreeSet<String> = files.iter().flat_map(|path| shown(&code(path))).collect();
    assert!(KNOWN.iter().all(|known| seen.contains(*known)), "a type of the list is in no signature");
    let mut missing: Vec<String> = Vec::new();
    for path in &files {
        let missed = shown(&code(path)).into_iter().filter(|ty| !exported.contains(ty));
        missing.extend(missed.map(|ty| format!("{ty} ({})", path.strip_prefix(&root).expect("below it").display())));
    }
    assert!(missing.is_empty(), "not exported: {}", missing.join(", "));
}
