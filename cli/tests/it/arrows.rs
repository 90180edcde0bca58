//! The dependencies between crates, read from their manifests. A new one is added on purpose, here and in ARCHITECTURE.md.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The crates that each crate may depend on.
const ARROWS: [(&str, &[&str]); 24] = [
    ("sdlbc", &["crc32fast", "libm", "petgraph", "smallvec", "smol_str"]),
    ("front", &[]),
    ("agal-front", &["front", "sdlbc"]),
    ("es2-front", &["front", "sdlbc"]),
    ("agal-back", &["agal-front", "sdlbc"]),
    ("naga-front", &["front", "naga", "sdlbc"]),
    ("passes", &["hashbrown", "sdlbc"]),
    ("agal-machine", &["agal-front", "libm"]),
    ("es2-machine", &["es2-front", "libm"]),
    ("backends", &["sdlbc", "naga", "rspirv", "smol_str"]),
    ("interp", &["sdlbc"]),
    (
        "agalc",
        &[
            "agal-back",
            "agal-front",
            "backends",
            "codespan-reporting",
            "es2-front",
            "front",
            "naga-front",
            "passes",
            "sdlbc",
            "serde",
            "serde_json",
            "toml",
        ],
    ),
    ("agal-build", &["agal-front", "agalc", "backends", "sdlbc", "serde_json", "tempfile"]),
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
    ("lsp", &["agal-front", "agalc", "lsp-server", "lsp-types", "serde", "serde_json"]),
    ("scene", &["agal-front", "interp", "libm", "agalc", "png", "sdlbc", "toml"]),
    (
        "laws",
        &[
            "sdlbc",
            "agal-back",
            "agal-front",
            "agal-machine",
            "backends",
            "es2-front",
            "front",
            "interp",
            "arbitrary",
            "naga",
            "naga-front",
            "passes",
            "testing",
        ],
    ),
    ("testing", &["crc32fast", "similar"]),
    (WEB[0], &["wasm-bindgen-cli-support"]),
    (
        WEB[1],
        &[
            "agal-front",
            "agalc",
            "js-sys",
            "passes",
            "serde",
            "serde-wasm-bindgen",
            "serde_bytes",
            "serde_json",
            "wasm-bindgen",
        ],
    ),
    (WEB[2], &["agalc", "bridge", "interp", "js-sys", "scene", "sdlbc", "serde", "serde-wasm-bindgen", "wasm-bindgen"]),
    (WEB[3], &["agal-extract", "agalc", "bridge", "serde", "serde_bytes", "wasm-bindgen"]),
    (
        WEB[4],
        &[
            "agal-front",
            "agalc",
            "backends",
            "bridge",
            "lsp",
            "sdlbc",
            "serde",
            "serde_bytes",
            "serde_json",
            "wasm-bindgen",
        ],
    ),
    (BENCHMARKS, &["agal-front", "agalc", "backends", "dhat", "passes", "rspirv", "rustix", "sdlbc", "testing"]),
];
/// The crates of the workspace that the tests of a crate may use in addition; all tests may use `testing`.
const TESTS: [(&str, &[&str]); 3] =
    [("laws", &["es2-machine"]), ("agal-machine", &["laws"]), ("agalc", &["interp", "laws"])];
/// The crate that all tests share. It depends on no other crate of the workspace.
const SHARED: &str = "testing";
/// The crate that may use anything but the laws and the suite. Nothing uses it.
const TOP: (&str, &str) = ("cli", "agalc-cli");
/// The conformance suite, which may use anything but the command line. Only the clients use it.
const SUITE: &str = "conformance";
/// The real clients that draw, which may use anything but the command line. Nothing uses them.
const CLIENTS: &str = "clients";
/// The example with its build script, a program as users write it, and its tests, which may use anything but the command line
/// and the suite. Only the tests use the example.
const EXAMPLE: [&str; 2] = ["examples/tests", "examples/wgpu"];
/// The benchmarks. Nothing uses them.
const BENCHMARKS: &str = "benchmarks";
/// What `web/build` builds for JavaScript. Nothing uses it but these crates.
const WEB: [&str; 5] = ["web/bindgen", "web/bridge", "web/executor", "web/extractor", "web/wasm"];
/// The crates that only tests need, the benchmarks, and the example, which are not published; and what is published for JavaScript.
const KEPT: [&str; 12] =
    [SUITE, CLIENTS, EXAMPLE[0], EXAMPLE[1], BENCHMARKS, WEB[0], WEB[1], WEB[2], WEB[3], WEB[4], "laws", SHARED];
/// A crate that runs the programs of a language as a witness, and what it may use of the front end: the decoded words of a
/// program. A witness shares nothing else with the translator that it judges.
struct Machine {
    name: &'static str,
    /// The front end, as it is called in code.
    front: &'static str,
    /// The paths of the front end.
    words: &'static [&'static str],
    /// Methods of these types that return more than a field: an opcode's meaning and operands.
    meanings: &'static [&'static str],
}

const AGAL_MACHINE: Machine = Machine {
    name: "agal-machine",
    front: "agal_front",
    words: &[
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
    name: "es2-machine",
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

/// The entries of a manifest, without comments: section, key, and the text after `=`.
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

/// The crates in the sections of a kind, for all platforms.
fn crates(manifest: &Manifest, kind: &str) -> BTreeSet<String> {
    let sections = manifest.iter().filter(|(name, _)| *name == kind || name.ends_with(&format!(".{kind}")));
    let keys = sections.filter(|(name, _)| *name != "workspace.dependencies").flat_map(|(_, entries)| entries.keys());
    keys.map(|key| key.split('.').next().unwrap_or(key).to_string()).collect()
}

/// The names in a list of the workspace, such as `members`.
fn listed(key: &str) -> Vec<String> {
    let names = manifest("Cargo.toml")["workspace"][key].clone();
    let names = names.trim_matches(['[', ']']).split(',').map(|name| name.trim().trim_matches('"').to_string());
    names.filter(|name| !name.is_empty()).collect()
}

/// All crates that a crate uses, including those of its tests.
fn used(name: &str) -> BTreeSet<String> {
    let manifest = manifest(&format!("{name}/Cargo.toml"));
    let kinds = ["dependencies", "build-dependencies", "dev-dependencies"];
    kinds.into_iter().flat_map(|kind| crates(&manifest, kind)).collect()
}

fn members() -> Vec<String> {
    listed("members")
}

/// The Rust files of a crate, concatenated.
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
    let mut expected: Vec<&str> =
        ARROWS.iter().map(|(name, _)| *name).chain([TOP.0, SUITE, CLIENTS]).chain(EXAMPLE).collect();
    let mut found = members();
    expected.sort();
    found.sort();
    assert_eq!(found, expected, "state the dependencies of a new crate in ARROWS");
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

/// Tests may use more crates from outside, but no crate of the workspace against the direction of its dependencies.
#[test]
fn no_arrow_turns_round_for_tests() {
    let inside: Vec<String> = members();
    for (name, allowed) in ARROWS {
        let manifest = manifest(&format!("{name}/Cargo.toml"));
        for used in crates(&manifest, "dev-dependencies") {
            let besides =
                used == SHARED || TESTS.iter().any(|(of, names)| *of == name && names.contains(&used.as_str()));
            let arrow = besides || allowed.contains(&used.as_str()) || !(inside.contains(&used) || used == TOP.1);
            assert!(arrow, "the tests of {name} may not use {used}");
        }
    }
}

#[test]
fn nothing_depends_on_the_command_line_and_anyhow_begins_there() {
    for name in members().iter().filter(|name| *name != TOP.0) {
        let used = used(name);
        assert!(!used.contains(TOP.0) && !used.contains(TOP.1), "{name} uses the command line");
        assert!(EXAMPLE[1] == name || !used.contains("anyhow"), "{name} uses anyhow");
    }
    assert!(crates(&manifest(&format!("{}/Cargo.toml", TOP.0)), "dependencies").contains("anyhow"));
}

/// Only tests use the laws: those of some crates, the fuzz targets (a workspace of their own), and the suite. Only the clients
/// use the suite.
#[test]
fn only_tests_depend_on_the_laws_and_only_the_clients_on_the_suite() {
    for name in members() {
        let used = used(&name);
        let manifest = manifest(&format!("{name}/Cargo.toml"));
        for tests in ["laws", SHARED].into_iter().filter(|_| !KEPT.contains(&name.as_str())) {
            assert!(!crates(&manifest, "dependencies").contains(tests), "{name} uses {tests} outside of tests");
        }
        assert!(name == CLIENTS || !used.contains(SUITE), "{name} uses the suite");
        assert!(!used.contains(CLIENTS), "{name} uses the clients");
        assert!(!used.contains("bench"), "{name} uses the benchmarks");
        assert!(WEB.contains(&name.as_str()) || !used.contains("bridge"), "{name} uses what is for JavaScript");
        assert!(name == EXAMPLE[0] || !used.contains("agalc-example-wgpu"), "{name} uses the example");
    }
    assert!(!manifest("Cargo.toml")["workspace.dependencies"].contains_key(CLIENTS));
    assert_eq!(
        crates(&manifest("fuzz/Cargo.toml"), "dependencies"),
        ["agal-extract", "agalc", "laws", "libfuzzer-sys"].map(String::from).into()
    );
}

/// The suite, the clients and the example build a graphics stack each, the benchmarks measure optimised code, and `web/build`
/// builds what is for JavaScript, whose tests are in JavaScript but for those of two crates, so they are not part of everyday work.
#[test]
fn everyday_work_is_all_but_the_suite_the_clients_the_benchmarks_the_example_and_the_modules_for_javascript() {
    let everyday: BTreeSet<String> = listed("default-members").into_iter().collect();
    let all: BTreeSet<String> = members().into_iter().collect();
    assert_eq!(
        all.difference(&everyday).collect::<Vec<_>>(),
        [BENCHMARKS, CLIENTS, SUITE, EXAMPLE[0], EXAMPLE[1], WEB[0], WEB[3], WEB[4]]
    );
    assert!(everyday.is_subset(&all));
}

#[test]
fn what_only_tests_need_is_not_published() {
    for name in members() {
        let publish = manifest(&format!("{name}/Cargo.toml"))["package"].get("publish").cloned();
        let kept = KEPT.contains(&name.as_str()).then_some("false");
        assert_eq!(publish.as_deref(), kept, "{name}");
    }
}

/// Each dependency in a manifest is used by a source of the crate. The suite is exempt, since its tests depend on the
/// installed drivers.
#[test]
fn what_a_crate_names_it_uses() {
    for name in members().into_iter().filter(|name| name != SUITE) {
        let text = sources(&repository().join(&name));
        for dependency in used(&name) {
            let named = dependency.replace('-', "_");
            let path = [format!("{named}::"), format!("use {named};"), format!("{named} as ")];
            assert!(path.iter().any(|path| text.contains(path.as_str())), "{name} does not use {dependency}");
        }
    }
}

/// A source without its comments. A `//` in a string starts no comment.
fn code(source: &str) -> String {
    let comment = |line: &str| {
        let mut starts = line.match_indices("//").map(|(at, _)| at);
        starts.find(|&at| line[..at].matches('"').count().is_multiple_of(2)).unwrap_or(line.len())
    };
    source.lines().map(|line| &line[..comment(line)]).collect::<Vec<_>>().join("\n")
}

/// Each maximal run of letters, digits and `_` in a source, with what precedes and follows it.
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

/// Collects the paths after a crate's name, each prefixed with `before`: a single path, or all paths of a tree in braces.
/// Returns the length of the text that was read.
fn paths(before: &str, text: &str, found: &mut Vec<String>) -> usize {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == ':' || c == '*' || c.is_whitespace();
    let length = text.find(|c| !is_part(c)).unwrap_or(text.len());
    // `as NAME` is not part of the path.
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
            // At least one character is skipped, so that text that is not a path ends too.
            at += paths(&path, rest, found).max(1);
        }
    }
    at + 1
}

/// The names in a source of a machine that it may not use.
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
                // A path may continue after the word, as in `File::ALL`.
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
            // The attribute, alone or in `cfg_attr`.
            "path" if before.ends_with(['[', ',', '(']) && rest.trim_start().starts_with('=') => {
                wrong.push(word.to_string())
            }
            _ if machine.meanings.contains(&word) && before.ends_with(['.', ':']) => wrong.push(word.to_string()),
            _ => {}
        }
    }
    wrong
}

/// The manifest holds a machine to its front end; this holds it to the words of a program.
#[test]
fn each_machine_uses_the_words_of_a_program_and_nothing_of_the_translator() {
    for machine in [AGAL_MACHINE, ES2_MACHINE] {
        let source = sources(&repository().join(machine.name).join("src"));
        for word in machine.words {
            let name = word.rsplit("::").next().unwrap_or(word);
            assert!(words(&source).any(|(_, word, _)| word == name), "{} does not use {name}", machine.name);
        }
        assert_eq!(shared_with_the_translator(&machine, &source), [""; 0], "{} may not use these", machine.name);
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

/// Each law has a fuzz target, and each target a folder of initial files.
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
    assert!(unused.is_empty(), "stated and not used: {unused:?}");
}

/// All crates use the lints of the workspace, except seven that repeat them with one change: the interfaces of graphics drivers
/// are unsafe, the command checks its streams before Rust's runtime does, the interpreter has loops for processors with AVX2, and
/// wasm-bindgen's code for what JavaScript calls is unsafe.
#[test]
fn every_crate_keeps_the_shared_lints() {
    const OWN: [(&str, &str); 7] = [
        (SUITE, "\"allow\""),
        (CLIENTS, "\"allow\""),
        ("cli", "\"deny\""),
        ("interp", "\"deny\""),
        (WEB[2], "\"deny\""),
        (WEB[3], "\"deny\""),
        (WEB[4], "\"deny\""),
    ];
    let shared = manifest("Cargo.toml");
    assert_eq!(shared["workspace.lints.rust"].get("unsafe_code").map(String::as_str), Some("\"forbid\""));
    for name in members() {
        let manifest = manifest(&format!("{name}/Cargo.toml"));
        let Some((_, unsafe_code)) = OWN.iter().find(|(own, _)| *own == name) else {
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
