//! Checks the dependencies between crates, read from their manifests. A new dependency must be added to the table in this file.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

/// The dependencies that each crate may have. The command, the example, the conformance suite and their tests are not in the
/// table.
const ARROWS: [(&str, &[&str]); 25] = [
    ("sdlbc", &["crc32fast", "libm", "petgraph", "smallvec", "smol_str"]),
    ("agal-front", &["sdlbc"]),
    ("es2-front", &["sdlbc"]),
    ("agal-back", &["agal-front", "sdlbc"]),
    ("glsl-front", &["glslang", "glslang-sys", "sdlbc", "tempfile"]),
    ("naga-front", &["naga", "sdlbc"]),
    ("spirv-front", &["rspirv", "sdlbc"]),
    ("sdlbc-passes", &["sdlbc"]),
    ("agal-machine", &["agal-front", "libm"]),
    ("es2-machine", &["es2-front", "libm"]),
    ("sdlbc-naga", &["sdlbc", "naga", "rspirv", "smol_str"]),
    ("sdlbc-interp", &["sdlbc"]),
    (
        "agalc",
        &[
            "agal-back",
            "agal-front",
            "codespan-reporting",
            "es2-front",
            "glsl-front",
            "naga-front",
            "sdlbc",
            "sdlbc-naga",
            "sdlbc-passes",
            "serde",
            "serde_json",
            "spirv-front",
            "toml",
        ],
    ),
    ("agal-build", &["agal-front", "agalc", "sdlbc", "sdlbc-naga", "serde_json", "tempfile"]),
    (
        "agal-extract",
        &[
            "agal-front",
            "agalc",
            "flate2",
            "lzma-rs",
            "regex",
            "serde",
            "serde_json",
            "sha2",
            "swf",
            "tar",
            "toml",
            "zip",
        ],
    ),
    ("agalc-lsp", &["agal-front", "agalc", "lsp-server", "lsp-types", "serde", "serde_json"]),
    ("agalc-scene", &["agal-front", "agalc", "libm", "png", "sdlbc", "sdlbc-interp", "toml"]),
    (
        LAWS,
        &[
            "agal-back",
            "agal-front",
            "agal-machine",
            "arbitrary",
            "es2-front",
            "es2-machine",
            "glsl-front",
            "naga",
            "naga-front",
            "sdlbc",
            "sdlbc-interp",
            "sdlbc-naga",
            "sdlbc-passes",
            "spirv-front",
            "testing",
        ],
    ),
    (SHARED, &["crc32fast", "similar"]),
    ("bench", &["agal-front", "agalc", "dhat", "rspirv", "rustix", "sdlbc", "sdlbc-naga", "sdlbc-passes", SHARED]),
    ("agalc-bindgen", &["wasm-bindgen-cli-support"]),
    (
        BRIDGE,
        &[
            "agal-front",
            "agalc",
            "js-sys",
            "sdlbc-passes",
            "serde",
            "serde-wasm-bindgen",
            "serde_bytes",
            "serde_json",
            "wasm-bindgen",
        ],
    ),
    (
        "agalc-wasm",
        &["agalc", "agalc-lsp", BRIDGE, "sdlbc", "sdlbc-naga", "serde", "serde_bytes", "serde_json", "wasm-bindgen"],
    ),
    (
        "agalc-wasm-executor",
        &[
            "agalc",
            "agalc-scene",
            BRIDGE,
            "js-sys",
            "sdlbc",
            "sdlbc-interp",
            "serde",
            "serde-wasm-bindgen",
            "wasm-bindgen",
        ],
    ),
    ("agalc-wasm-extractor", &["agal-extract", "agalc", BRIDGE, "serde", "serde_bytes", "wasm-bindgen"]),
];
/// The workspace crates, other than `testing`, that a crate's tests may use in addition to the crate's own dependencies.
const TESTS: [(&str, &[&str]); 4] = [
    ("agal-machine", &[LAWS]),
    ("agalc", &["sdlbc-interp", LAWS]),
    ("glsl-front", &["spirv-front"]),
    ("sdlbc-naga", &["agal-front", LAWS]),
];
const LAWS: &str = "laws";
/// The crate that all tests share. The shared crate depends on no other crate of the workspace.
const SHARED: &str = "testing";
/// The command, which no crate uses and which may use any published crate.
const TOP: &str = "agalc-cli";
/// The conformance suite, which only the clients use.
const SUITE: &str = "conformance";
/// The clients of the conformance suite, which no crate uses.
const CLIENTS: &str = "clients";
/// The example program, which only its tests use.
const EXAMPLE: &str = "wgpu-pairs";
/// The tests of the example program, which no crate uses.
const EXAMPLE_TESTS: &str = "example-tests";
/// The bridge crate, which only the modules for JavaScript use.
const BRIDGE: &str = "agalc-wasm-bridge";
/// A crate that checks the translator by interpreting programs independently of it. The crate uses only the front end's types for
/// decoded programs.
struct Machine {
    folder: &'static str,
    /// The name of the front end's crate in Rust code.
    front: &'static str,
    /// The paths in the front end that the machine may use.
    words: &'static [&'static str],
    /// The methods of allowed types that a machine must not call, because they compute more than the value of a field: for
    /// example, an opcode's meaning.
    meanings: &'static [&'static str],
}

const AGAL_MACHINE: Machine = Machine {
    folder: "machines/agal-machine",
    front: "agal_front",
    words: &[
        "options",
        "program::Program",
        "register::File",
        "register::Stage",
        "token::Mask",
        "token::Sampler",
        "token::Source",
        "token::Token",
    ],
    meanings: &["op", "operand", "row", "coordinate_components"],
};
const ES2_MACHINE: Machine = Machine {
    folder: "es2/es2-machine",
    front: "es2_front",
    words: &[
        "opcode::Opcode",
        "program::Program",
        "register::File",
        "register::Written",
        "word::Destination",
        "word::Instruction",
        "word::Part",
        "word::Source",
    ],
    meanings: &["row", "selected", "from_number", "from_mnemonic", "coordinate"],
};

fn repository() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

struct Crate {
    name: String,
    /// The crate's folder, relative to the root of the repository.
    folder: String,
    published: bool,
    everyday: bool,
    /// The crate's dependencies and their names in code, by the kind of dependency: normal, `dev` or `build`.
    uses: BTreeMap<String, BTreeMap<String, String>>,
}

impl Crate {
    fn used(&self) -> BTreeSet<&str> {
        self.uses.values().flatten().map(|(package, _)| package.as_str()).collect()
    }

    fn of(&self, kind: &str) -> BTreeSet<&str> {
        self.uses.get(kind).into_iter().flatten().map(|(package, _)| package.as_str()).collect()
    }

    fn manifest(&self) -> Manifest {
        manifest(&format!("{}/Cargo.toml", self.folder))
    }
}

fn crates() -> Vec<Crate> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_string());
    let output = Command::new(cargo)
        .args(["metadata", "--no-deps", "--offline", "--locked", "--format-version", "1"])
        .current_dir(repository())
        .output()
        .expect("cargo");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let root = PathBuf::from(metadata["workspace_root"].as_str().expect("a path"));
    let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
    let everyday = metadata["workspace_default_members"].as_array().expect("a list");
    let packages = metadata["packages"].as_array().expect("a list").iter();
    let crates = packages.map(|package| {
        let manifest = PathBuf::from(text(&package["manifest_path"]));
        let folder = manifest.parent().and_then(|folder| folder.strip_prefix(&root).ok()).expect("a folder");
        let mut uses: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
        for used in package["dependencies"].as_array().expect("a list") {
            let of = uses.entry(text(&used["kind"])).or_default();
            let name = if used["rename"].is_null() { &used["name"] } else { &used["rename"] };
            of.insert(text(&used["name"]), text(name).replace('-', "_"));
        }
        Crate {
            name: text(&package["name"]),
            folder: folder.display().to_string(),
            // In cargo's metadata, `publish = false` is an empty list of registries.
            published: package["publish"] != json!([]),
            everyday: everyday.contains(&package["id"]),
            uses,
        }
    });
    crates.collect()
}

/// The values in a manifest, by section and key.
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
            // A section `[dependencies.name]` is equivalent to the entry `name` of `[dependencies]`.
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

fn sources(folder: &Path) -> String {
    let mut text = String::new();
    for entry in std::fs::read_dir(folder).expect("the folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            text += &sources(&path);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            text += &std::fs::read_to_string(&path).expect("a source");
        }
    }
    text
}

#[test]
fn each_crate_uses_what_its_arrow_allows_and_nothing_else() {
    let crates = crates();
    for (name, allowed) in ARROWS {
        let of = crates.iter().find(|of| of.name == name).unwrap_or_else(|| panic!("there is no crate {name}"));
        for used in of.of("").into_iter().chain(of.of("build")) {
            assert!(allowed.contains(&used), "{name} may not use {used}");
        }
    }
    let others = [TOP, SUITE, CLIENTS, EXAMPLE, EXAMPLE_TESTS];
    let expected: BTreeSet<&str> = ARROWS.iter().map(|(name, _)| *name).chain(others).collect();
    let found: BTreeSet<&str> = crates.iter().map(|of| of.name.as_str()).collect();
    assert_eq!(found, expected, "state the dependencies of a new crate in ARROWS");
}

/// Tests may use any external crate. Of the crates in the workspace, tests may use the crate's dependencies, `testing`, and the
/// crates in `TESTS`.
#[test]
fn no_arrow_turns_round_for_tests() {
    let crates = crates();
    for of in &crates {
        let Some((_, allowed)) = ARROWS.iter().find(|(name, _)| *name == of.name) else { continue };
        for used in of.of("dev") {
            let besides = used == SHARED || TESTS.iter().any(|(name, more)| *name == of.name && more.contains(&used));
            let inside = crates.iter().any(|of| of.name == used);
            assert!(besides || allowed.contains(&used) || !inside, "the tests of {} may not use {used}", of.name);
        }
    }
}

#[test]
fn nothing_depends_on_the_command_line_and_anyhow_begins_there() {
    for of in crates() {
        assert!(!of.used().contains(TOP), "{} uses the command line", of.name);
        match of.name.as_str() {
            TOP => assert!(of.of("").contains("anyhow"), "{TOP} does not use anyhow"),
            EXAMPLE => {}
            name => assert!(!of.used().contains("anyhow"), "{name} uses anyhow"),
        }
    }
}

/// A published crate may use unpublished crates only in its tests, where it may use `laws` and the crate that all tests share.
#[test]
fn what_is_published_needs_nothing_that_is_not() {
    let crates = crates();
    for of in &crates {
        let kept = |used: &&str| crates.iter().any(|of| of.name == *used && !of.published);
        for used in of.used().into_iter().filter(kept) {
            let allowed = match used {
                LAWS | SHARED => !of.published || !of.of("").contains(used) && !of.of("build").contains(used),
                SUITE => of.name == CLIENTS,
                EXAMPLE => of.name == EXAMPLE_TESTS,
                BRIDGE => of.name.starts_with("agalc-wasm"),
                _ => false,
            };
            assert!(allowed, "{} uses {used}", of.name);
        }
    }
    assert!(!manifest("Cargo.toml")["workspace.dependencies"].contains_key(CLIENTS));
    let fuzz = manifest("tests/fuzz/Cargo.toml");
    let sections = fuzz.iter().filter(|(section, _)| section.ends_with("dependencies"));
    let used: BTreeSet<&str> =
        sections.flat_map(|(_, entries)| entries.keys().map(|key| key.split('.').next().unwrap_or(key))).collect();
    assert_eq!(used, ["agal-extract", "agalc", LAWS, "libfuzzer-sys"].into());
}

#[test]
fn tests_examples_and_modules_for_javascript_are_not_published() {
    for of in crates() {
        let kept = ["tests/", "examples/", "web/"].iter().any(|group| of.folder.starts_with(group));
        assert_eq!(of.published, !kept, "{}", of.name);
    }
}

/// Folders are named after their packages, except for `cli` and `backends`, whose names are older.
#[test]
fn folders_have_the_names_of_their_packages() {
    for of in crates() {
        let folder = of.folder.rsplit('/').next().unwrap_or_default();
        let expected = match folder {
            "cli" => TOP,
            "backends" => "sdlbc-naga",
            name => name,
        };
        assert_eq!(of.name, expected, "{}", of.folder);
    }
}

/// Each folder at the root is a crate of the pipeline, a crate that users install, or a group of other crates.
#[test]
fn the_root_has_at_most_18_folders() {
    // Folders that git ignores, such as those that cargo and fuzzing create, do not belong to the repository.
    let output = Command::new("git").arg("ls-files").current_dir(repository()).output().expect("git");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let files = String::from_utf8(output.stdout).expect("names in UTF-8");
    let folders = files.lines().filter_map(|file| file.split_once('/')).map(|(folder, _)| folder);
    let names: BTreeSet<&str> = folders.filter(|name| !name.starts_with('.')).collect();
    assert!(names.contains("cli") && names.len() <= 18, "{names:?}");
}

/// The default members of the workspace exclude crates that build a graphics stack, measure optimised code, or are built for
/// JavaScript.
#[test]
fn everyday_work_is_all_but_the_suites_the_example_and_the_modules_for_javascript() {
    let rare: BTreeSet<String> = crates().into_iter().filter(|of| !of.everyday).map(|of| of.name).collect();
    let expected =
        ["agalc-bindgen", "agalc-wasm", "agalc-wasm-extractor", "bench", CLIENTS, SUITE, EXAMPLE_TESTS, EXAMPLE];
    assert_eq!(rare, expected.map(String::from).into());
}

/// Each dependency in a manifest must be used in the crate's source. The conformance suite is exempt.
#[test]
fn what_a_crate_names_it_uses() {
    for of in crates().into_iter().filter(|of| of.name != SUITE) {
        let text = sources(&repository().join(&of.folder));
        for (package, named) in of.uses.values().flatten() {
            let path = [format!("{named}::"), format!("use {named};"), format!("{named} as ")];
            assert!(path.iter().any(|path| text.contains(path.as_str())), "{} does not use {package}", of.name);
        }
    }
}

/// Removes the line comments from a source. A `//` in a string does not start a comment.
fn code(source: &str) -> String {
    let comment = |line: &str| {
        let mut starts = line.match_indices("//").map(|(at, _)| at);
        starts.find(|&at| line[..at].matches('"').count().is_multiple_of(2)).unwrap_or(line.len())
    };
    source.lines().map(|line| &line[..comment(line)]).collect::<Vec<_>>().join("\n")
}

/// Returns each maximal run of letters, digits and `_`, with the source before and after the run.
fn words(code: &str) -> impl Iterator<Item = (&str, &str, &str)> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + code[at..].find(is_word)?;
        let end = code[start..].find(|c| !is_word(c)).map_or(code.len(), |length| start + length);
        at = end;
        Some((&code[..start], &code[start..end], &code[end..]))
    })
}

/// Collects the paths that follow a crate's name in a source, each prefixed with `before`. Braces may group several paths.
/// Returns the length of the source that was read.
fn paths(before: &str, text: &str, found: &mut Vec<String>) -> usize {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == ':' || c == '*' || c.is_whitespace();
    let length = text.find(|c| !is_part(c)).unwrap_or(text.len());
    // In a `use`, the alias `as NAME` is not part of the path.
    let path = text[..length].split(" as ").next().unwrap_or_default();
    let path = before.to_string() + &path.split_whitespace().collect::<String>();
    if !text[length..].starts_with('{') {
        found.push(path);
        return length;
    }
    let mut at = length + 1;
    while at < text.len() && !text[at..].starts_with('}') {
        let rest = text[at..].trim_start_matches(|c: char| c == ',' || c.is_whitespace());
        at = text.len() - rest.len();
        if !rest.is_empty() && !rest.starts_with('}') {
            // At least one character is skipped, so that the loop also ends if the source is not a path.
            at += paths(&path, rest, found).max(1);
        }
    }
    at + 1
}

fn shared_with_the_translator(machine: &Machine, source: &str) -> Vec<String> {
    let code = code(source);
    // Block comments and macros could hide a name from this test.
    let mut wrong: Vec<String> =
        ["/*", "macro_rules"].iter().filter(|word| code.contains(**word)).map(ToString::to_string).collect();
    for (before, word, rest) in words(&code) {
        let before = before.trim_end();
        match word {
            _ if word == machine.front => {
                let mut found = Vec::new();
                paths("", rest, &mut found);
                // An allowed path also allows its continuations, such as `File::ALL`.
                let is_word = |path: &String| {
                    machine.words.iter().any(|word| {
                        let after = path.strip_prefix("::").and_then(|path| path.strip_prefix(word));
                        after.is_some_and(|after| after.is_empty() || after.starts_with("::"))
                    })
                };
                let found = found.into_iter().filter(|path| !is_word(path));
                wrong.extend(found.map(|path| format!("{}{path}", machine.front)));
            }
            "sdlbc" => wrong.push(word.to_string()),
            "include" if rest.starts_with('!') => wrong.push(word.to_string()),
            // The attribute `path` may also occur inside `cfg_attr`.
            "path" if before.ends_with(['[', ',', '(']) && rest.trim_start().starts_with('=') => {
                wrong.push(word.to_string())
            }
            _ if machine.meanings.contains(&word) && before.ends_with(['.', ':']) => wrong.push(word.to_string()),
            _ => {}
        }
    }
    wrong
}

/// The manifest of a machine lists only one of the translator's crates, the front end. This test checks that the machine uses
/// only the front end's types for decoded programs.
#[test]
fn each_machine_uses_the_words_of_a_program_and_nothing_of_the_translator() {
    for machine in [AGAL_MACHINE, ES2_MACHINE] {
        let source = sources(&repository().join(machine.folder).join("src"));
        for word in machine.words {
            let name = word.rsplit("::").next().unwrap_or(word);
            assert!(words(&source).any(|(_, word, _)| word == name), "{} does not use {name}", machine.folder);
        }
        assert_eq!(shared_with_the_translator(&machine, &source), [""; 0], "{} may not use these", machine.folder);
    }
}

#[test]
fn each_way_to_share_code_with_the_machine_is_found() {
    for allowed in [
        "use agal_front::token::{Mask, Sampler};",
        "use agal_front::{program::Program, register::{File, Stage}};",
        "const ALL: File = agal_front::register::File::ALL;",
        "// agal_front::lift, sdlbc\nlet operand = row(op);",
    ] {
        assert_eq!(shared_with_the_translator(&AGAL_MACHINE, allowed), [""; 0], "{allowed}");
    }
    for (refused, wrong) in [
        ("use agal_front::lift::translate;", "agal_front::lift::translate"),
        ("use agal_front::{token::{Mask, letter}, Stage};", "agal_front::token::letter agal_front::Stage"),
        (
            "use agal_front::{\n    token::Mask,\n    opcode::{self, Row as R},\n};",
            "agal_front::opcode::self agal_front::opcode::Row",
        ),
        ("use agal_front::token::*;", "agal_front::token::*"),
        ("use agal_front::token;", "agal_front::token"),
        ("use agal_front as front;", "agal_front"),
        ("extern crate agal_front as front;", "agal_front"),
        ("let op = agal_front::opcode::Opcode::from_code(0);", "agal_front::opcode::Opcode::from_code"),
        ("use agal_front::token::Masks;", "agal_front::token::Masks"),
        ("fn f(op: sdlbc::Op) {}", "sdlbc"),
        ("token.op().map(Opcode::row)", "op row"),
        ("Token::operand(token, 0)", "operand"),
        ("sampler\n    . coordinate_components()", "coordinate_components"),
        ("#[path = \"../../agal-front/src/opcode.rs\"]\nmod opcode;", "path"),
        ("#[cfg_attr(all(), path = \"../../agal-front/src/opcode.rs\")]\nmod opcode;", "path"),
        ("let url = \"http://\"; let row = token.row();", "row"),
        ("let row = token./* */row();", "/*"),
        ("macro_rules! call { ($name:ident) => { token.$name() } }", "macro_rules"),
        ("include!(\"../../agal-front/src/opcode.rs\");", "include"),
    ] {
        assert_eq!(shared_with_the_translator(&AGAL_MACHINE, refused).join(" "), wrong, "{refused}");
    }
    for (refused, wrong) in [
        ("use es2_front::lift::translate;", "es2_front::lift::translate"),
        ("use es2_front::Opcode;", "es2_front::Opcode"),
        ("use es2_front::opcode::{Opcode, Meaning};", "es2_front::opcode::Meaning"),
        ("let part = instruction.selected(0, 1).part;", "selected"),
        ("match instruction.op.row().meaning {}", "row"),
    ] {
        assert_eq!(shared_with_the_translator(&ES2_MACHINE, refused).join(" "), wrong, "{refused}");
    }
}

/// Each law has a fuzz target, and each fuzz target has a folder of initial inputs.
#[test]
fn every_law_has_a_fuzz_target() {
    let names = |folder: &str| -> BTreeSet<String> {
        let entries = std::fs::read_dir(repository().join(folder)).expect("the folder");
        let paths = entries.map(|entry| entry.expect("an entry").path());
        paths.filter_map(|path| Some(path.file_stem()?.to_string_lossy().into_owned())).collect()
    };
    let laws = [
        "agal",
        "back",
        "backends",
        "by_file",
        "decode",
        "dump",
        "es2",
        "extract",
        "hostile",
        "names",
        "roundtrip",
        "sources",
        "text",
    ];
    let laws = laws.map(String::from).into();
    assert_eq!(names("tests/fuzz/fuzz_targets"), laws);
    assert_eq!(names("testdata/fuzz"), laws);
}

#[test]
fn versions_are_stated_once_in_the_workspace() {
    let workspace = manifest("Cargo.toml");
    let stated = &workspace["workspace.dependencies"];
    let mut used = BTreeSet::new();
    for of in crates() {
        let (name, manifest) = (&of.name, of.manifest());
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
    assert!(unused.is_empty(), "stated and not used: {unused:?}");
}

/// Every crate uses the lints of the workspace, except for eight crates that repeat the lints and permit unsafe code. These eight
/// crates need unsafe code for graphics drivers, for stream checks before Rust's runtime starts, for AVX2 loops, for calls of
/// glslang and for wasm-bindgen.
#[test]
fn every_crate_keeps_the_shared_lints() {
    const OWN: [(&str, &str); 8] = [
        (SUITE, "\"allow\""),
        (CLIENTS, "\"allow\""),
        (TOP, "\"deny\""),
        ("glsl-front", "\"deny\""),
        ("sdlbc-interp", "\"deny\""),
        ("agalc-wasm", "\"deny\""),
        ("agalc-wasm-executor", "\"deny\""),
        ("agalc-wasm-extractor", "\"deny\""),
    ];
    let shared = manifest("Cargo.toml");
    assert_eq!(shared["workspace.lints.rust"].get("unsafe_code").map(String::as_str), Some("\"forbid\""));
    for of in crates() {
        let (name, manifest) = (&of.name, of.manifest());
        let Some((_, unsafe_code)) = OWN.iter().find(|(own, _)| own == name) else {
            assert_eq!(manifest["lints"].get("workspace").map(String::as_str), Some("true"), "{name}");
            continue;
        };
        let mut expected = shared["workspace.lints.rust"].clone();
        expected.insert("unsafe_code".to_string(), unsafe_code.to_string());
        assert_eq!(manifest["lints.rust"], expected, "{name}");
        assert_eq!(manifest["lints.clippy"], shared["workspace.lints.clippy"], "{name}");
        let kinds = |manifest: &Manifest| manifest.keys().filter(|name| name.contains("lints.")).count();
        assert_eq!(kinds(&manifest), kinds(&shared), "{name}: an additional kind of lints");
    }
}
