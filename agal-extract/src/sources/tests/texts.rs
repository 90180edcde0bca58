//! Sources in testdata, each with the listing of what it is compiled to.

use std::fmt::Write;

use testing::{expect, say};

use super::{check, compiled, listing, sources};
use crate::sources::{Source, compile};

/// What a source is compiled to, and what was left out of it.
fn listing_of(name: &str, text: &str) -> String {
    let compiled = compiled(name, text);
    let mut out = String::new();
    for warning in &compiled.warnings {
        let _ = writeln!(out, "{}:{}: {}", warning.line, warning.column, warning.message);
    }
    compiled.units.iter().filter(|unit| unit.file.is_some()).for_each(|unit| out.push_str(&listing::of(unit)));
    out
}

#[test]
fn sources_are_compiled_to_what_their_listings_show() {
    let mut problems = Vec::new();
    for (name, text) in sources() {
        problems.extend(expect(&format!("testdata/extract/sources/{name}.txt"), &listing_of(&name, &text)).err());
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn sources_see_the_definitions_of_each_other() {
    let base =
        "package a { public class Base { protected var code:String; public static const M:String = \"mov \"; } }";
    let derived = "package b { import a.*; public class Derived extends Base {
        function f(x:String = Base.M):void { code = M + x; } } }";
    let sources = [Source { name: "Base.as", text: base }, Source { name: "Derived.as", text: derived }];
    let compiled = compile(&sources);
    check::all(&compiled, derived);
    assert_eq!(compiled.warnings, []);
    let listing = listing::of(&compiled.units[1]);
    for expected in ["extends [a]Base", "f(x:String = \"mov \")", "setproperty ?code", "getlex ?M\n"] {
        assert!(listing.contains(expected), "{expected}\n{listing}");
    }
}

#[test]
fn each_instruction_has_its_line_in_the_table() {
    let text = "package {\r\nclass A {\r\n function f():String {\r\n  return \"a\" +\r\n   b(1,\r\n    2);\r\n } } }";
    let compiled = compiled("A.as", text);
    let listing = listing::of(&compiled.units[0]);
    let line_of = |code: &str| {
        let lines: Vec<&str> = listing.lines().collect();
        let at = lines.iter().position(|line| line.contains(code)).unwrap_or_else(|| panic!("{code}\n{listing}"));
        // The line is shown where it changes.
        let shown = lines[..=at].iter().rev().find_map(|line| line.get(4..8)?.trim().parse::<u32>().ok());
        shown.expect("a line")
    };
    assert_eq!(line_of("pushstring \"a\""), 4);
    assert_eq!(line_of("pushbyte 1"), 5);
    assert_eq!(line_of("pushbyte 2"), 6);
    assert_eq!(line_of("add"), 4);
    let unit = &compiled.units[0];
    assert!(unit.file == Some(0) && unit.lines.values().all(|line| (1..=7).contains(line)));
}

/// Sources of other people, in a folder that `SOURCES=` names: all of them are understood.
#[test]
fn sources_of_other_people_are_understood() {
    let Some(folder) = std::env::var_os("SOURCES").filter(|folder| !folder.is_empty()) else {
        return say("SKIPPED: SOURCES= names no folder with sources; only those of testdata are tested");
    };
    let mut texts = Vec::new();
    for ending in [".as", ".hx", ".mxml"] {
        let found = testing::caught(|| testing::files_below(folder.as_ref(), ending)).unwrap_or_default();
        for path in found {
            let bytes = std::fs::read(&path).expect("the source");
            texts.push((path.display().to_string(), String::from_utf8_lossy(&bytes).into_owned()));
        }
    }
    assert!(!texts.is_empty(), "there are no sources in SOURCES=");
    let all: Vec<Source<'_>> = texts.iter().map(|(name, text)| Source { name, text }).collect();
    let compiled = compile(&all);
    check::all(&compiled, "");
    let warnings: Vec<String> = compiled
        .warnings
        .iter()
        .map(|warning| {
            let name = all[warning.file].name;
            format!("{name}:{}:{}: {}", warning.line, warning.column, warning.message)
        })
        .collect();
    assert!(warnings.is_empty(), "{} sources:\n{}", all.len(), warnings.join("\n"));
}
