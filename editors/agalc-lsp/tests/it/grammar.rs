//! Tests that the files of the extension for VS Code (`editors/vscode`) contain exactly the opcodes, sampler options, registers
//! and profiles of agalc's tables.

use std::collections::BTreeSet;

use agal_front::Profile;
use agal_front::assemble::option_words;
use agal_front::opcode::Opcode;
use agal_front::register::{File, named};
use serde_json::Value;

fn read(file: &str) -> Value {
    let path = format!("{}/../vscode/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    serde_json::from_str(&text).expect("JSON")
}

/// Returns the scope and the regular expression of each rule in the grammar.
fn rules(value: &Value) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for (pattern, captures) in [("match", "captures"), ("begin", "beginCaptures")] {
        let scopes = ["0", "1"].map(|group| &value[captures][group]["name"]).into_iter();
        let scopes = scopes.chain([&value["name"]]).filter_map(Value::as_str);
        if let Some(pattern) = value[pattern].as_str() {
            found.extend(scopes.map(|scope| (scope.to_string(), pattern.to_string())));
        }
    }
    match value {
        Value::Object(fields) => found.extend(fields.values().flat_map(rules)),
        Value::Array(items) => found.extend(items.iter().flat_map(rules)),
        _ => {}
    }
    found
}

/// Returns the alternatives in the first group of a rule's pattern: `a` and `b` for `(a|b)`.
fn words(pattern: &str) -> Vec<String> {
    let plain = pattern.replace("(?i)", "").replace(r"(?<![.\w#])", "").replace(r"(?<![.\w])", "");
    let (_, rest) = plain.split_once('(').expect("a group");
    rest.split(')').next().expect("its end").split('|').map(str::to_string).collect()
}

/// Returns the words of all rules with the given scope. Each word may occur in only one of these rules.
fn named_by(scope: &str) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    let grammar = read("syntaxes/agal.tmLanguage.json");
    for (_, pattern) in rules(&grammar).into_iter().filter(|(of, _)| of.contains(scope)) {
        for word in words(&pattern) {
            assert!(all.insert(word.clone()), "`{word}` is twice in the grammar");
        }
    }
    all
}

fn set<'w>(words: impl IntoIterator<Item = &'w str>) -> BTreeSet<String> {
    words.into_iter().map(str::to_string).collect()
}

#[test]
fn the_grammar_has_the_opcodes_of_the_table() {
    assert_eq!(named_by(".opcode."), set(Opcode::ALL.iter().map(|op| op.row().mnemonic)));
}

#[test]
fn the_grammar_has_the_sampler_options_of_the_table() {
    assert_eq!(named_by(".option."), set(option_words()));
}

#[test]
fn the_grammar_tells_registers_by_file() {
    let letters = || (b'a'..=b'z').map(char::from);
    let short = letters().flat_map(|a| std::iter::once(a.to_string()).chain(letters().map(move |b| format!("{a}{b}"))));
    let all: Vec<String> =
        short.clone().chain(short.flat_map(|ab| letters().map(move |c| format!("{ab}{c}")))).collect();
    for file in File::ALL {
        let scope = match file {
            File::Attribute => ".attribute.",
            File::Constant => ".constant.register.",
            File::Temporary => ".temporary.",
            File::Output => ".output.",
            File::Varying => ".varying.",
            File::Sampler => ".sampler.",
            File::Depth => ".depth.",
            File::Instance => ".instance.",
        };
        let names = all.iter().filter(|name| named(name).is_some_and(|(of, _)| of == file));
        assert_eq!(named_by(scope), set(names.map(String::as_str)), "{file:?}");
    }
}

#[test]
fn the_setting_offers_the_profiles_of_the_table() {
    let setting = &read("package.json")["contributes"]["configuration"]["properties"]["agalc.profile"]["enum"];
    let offered = setting.as_array().expect("a list").iter().filter_map(Value::as_str);
    assert_eq!(set(offered), set(Profile::ALL.map(Profile::name).into_iter().chain([""])));
}

#[test]
fn the_extension_has_the_version_of_the_server() {
    assert_eq!(read("package.json")["version"], env!("CARGO_PKG_VERSION"));
}
