//! The arrows between crates, read from their manifests: a new one is made on purpose, here and in the architecture.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// What each crate may use besides the standard library.
const ARROWS: [(&str, &[&str]); 4] = [
    ("sdlbc", &["crc32fast", "petgraph"]),
    ("agal-front", &["sdlbc"]),
    ("backends", &["sdlbc", "naga", "rspirv"]),
    ("laws", &["sdlbc", "agal-front", "backends", "arbitrary"]),
];
/// The crate that may use anything, and that nothing uses.
const TOP: (&str, &str) = ("cli", "agalc");

fn repository() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// The lines of a manifest by section, without comments; keys to what stands behind `=`.
type Manifest = BTreeMap<String, BTreeMap<String, String>>;

fn manifest(path: &str) -> Manifest {
    let file = repository().join(path);
    let text = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let mut manifest = Manifest::new();
    let mut section = String::new();
    for line in text.lines() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if let Some(name) = line.strip_prefix('[') {
            section = name.trim_matches(['[', ']']).to_string();
            // `[dependencies.name]` is an entry of `[dependencies]`.
            if let Some((table, name)) = section.clone().split_once("dependencies.") {
                manifest.entry(format!("{table}dependencies")).or_default().insert(name.to_string(), String::new());
            }
        } else if let Some((key, value)) = line.split_once('=') {
            let (key, value) = (key.trim().to_string(), value.trim().to_string());
            manifest.entry(section.clone()).or_default().insert(key, value);
        }
    }
    manifest
}

/// The crates in a kind of section, for every platform.
fn crates(manifest: &Manifest, kind: &str) -> BTreeSet<String> {
    let sections = manifest.iter().filter(|(name, _)| *name == kind || name.ends_with(&format!(".{kind}")));
    let keys = sections.filter(|(name, _)| *name != "workspace.dependencies").flat_map(|(_, entries)| entries.keys());
    keys.map(|key| key.split('.').next().unwrap_or(key).to_string()).collect()
}

fn members() -> Vec<String> {
    let members = manifest("Cargo.toml")["workspace"]["members"].clone();
    let names = members.trim_matches(['[', ']']).split(',').map(|name| name.trim().trim_matches('"').to_string());
    names.filter(|name| !name.is_empty()).collect()
}

#[test]
fn each_crate_uses_what_its_arrow_allows_and_nothing_else() {
    let mut expected: Vec<&str> = ARROWS.iter().map(|(name, _)| *name).chain([TOP.0]).collect();
    let mut found = members();
    expected.sort();
    found.sort();
    assert_eq!(found, expected, "a new crate has its arrows stated here");
    for (name, allowed) in ARROWS {
        let manifest = manifest(&format!("{name}/Cargo.toml"));
        assert!(!manifest.is_empty());
        for kind in ["dependencies", "build-dependencies"] {
            for used in crates(&manifest, kind) {
                assert!(allowed.contains(&used.as_str()), "{name} may not use {used}");
            }
        }
    }
}

/// Tests may use more, but no crate's tests reach against the arrows.
#[test]
fn no_arrow_turns_round_for_tests() {
    let inside: Vec<String> = members();
    for (name, allowed) in ARROWS {
        let manifest = manifest(&format!("{name}/Cargo.toml"));
        for used in crates(&manifest, "dev-dependencies") {
            let arrow = allowed.contains(&used.as_str()) || !(inside.contains(&used) || used == TOP.1);
            assert!(arrow, "the tests of {name} may not use {used}");
        }
    }
}

#[test]
fn nothing_depends_on_the_command_line_and_anyhow_begins_there() {
    for (name, _) in ARROWS {
        let manifest = manifest(&format!("{name}/Cargo.toml"));
        for kind in ["dependencies", "build-dependencies", "dev-dependencies"] {
            let used = crates(&manifest, kind);
            assert!(!used.contains(TOP.0) && !used.contains(TOP.1), "{name} uses the command line");
            assert!(!used.contains("anyhow"), "{name} uses anyhow");
        }
    }
    assert!(crates(&manifest(&format!("{}/Cargo.toml", TOP.0)), "dependencies").contains("anyhow"));
}

/// The laws look at all the others; only the fuzz targets, a workspace of their own, look at them.
#[test]
fn nothing_depends_on_the_laws() {
    for name in members() {
        let manifest = manifest(&format!("{name}/Cargo.toml"));
        for kind in ["dependencies", "build-dependencies", "dev-dependencies"] {
            assert!(!crates(&manifest, kind).contains("laws"), "{name} uses the laws");
        }
    }
    assert!(!manifest("Cargo.toml")["workspace.dependencies"].contains_key("laws"));
    assert_eq!(
        crates(&manifest("fuzz/Cargo.toml"), "dependencies"),
        ["laws", "libfuzzer-sys"].map(String::from).into()
    );
}

/// Each law has its target, and each target its folder of files to begin with.
#[test]
fn every_law_has_a_fuzz_target() {
    let names = |folder: &str| -> BTreeSet<String> {
        let entries = std::fs::read_dir(repository().join(folder)).expect("the folder");
        let paths = entries.map(|entry| entry.expect("an entry").path());
        paths.filter_map(|path| Some(path.file_stem()?.to_string_lossy().into_owned())).collect()
    };
    let laws = ["agal", "backends", "by_file", "decode", "dump", "roundtrip", "text"].map(String::from).into();
    assert_eq!(names("fuzz/fuzz_targets"), laws);
    assert_eq!(names("testdata/fuzz"), laws);
}

#[test]
fn versions_are_stated_once_in_the_workspace() {
    let workspace = manifest("Cargo.toml");
    let stated = &workspace["workspace.dependencies"];
    let mut used = BTreeSet::new();
    for name in members() {
        let manifest = manifest(&format!("{name}/Cargo.toml"));
        for (section, entries) in manifest.iter().filter(|(section, _)| section.ends_with("dependencies")) {
            for (key, value) in entries {
                let from_workspace =
                    key.ends_with(".workspace") && value == "true" || value.contains("workspace = true");
                assert!(from_workspace && !value.contains("version"), "{name} [{section}] {key} states a version");
                let dependency = key.split('.').next().unwrap_or(key);
                assert!(stated.contains_key(dependency), "{dependency} is not in [workspace.dependencies]");
                used.insert(dependency.to_string());
            }
        }
        for key in ["version", "edition", "rust-version", "license"] {
            let package = &manifest["package"];
            assert_eq!(package.get(&format!("{key}.workspace")).map(String::as_str), Some("true"), "{name}: {key}");
        }
    }
    let unused: Vec<&String> = stated.keys().filter(|name| !used.contains(*name)).collect();
    assert!(unused.iter().all(|name| *name == "petgraph"), "stated and not used: {unused:?}");
}

#[test]
fn every_crate_keeps_the_shared_lints() {
    for name in members() {
        let manifest = manifest(&format!("{name}/Cargo.toml"));
        assert_eq!(manifest["lints"].get("workspace").map(String::as_str), Some("true"), "{name}");
    }
    assert_eq!(
        manifest("Cargo.toml")["workspace.lints.rust"].get("unsafe_code").map(String::as_str),
        Some("\"forbid\"")
    );
}
