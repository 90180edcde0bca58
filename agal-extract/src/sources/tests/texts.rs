//! Compiles the sources in testdata, and compares the results with the expected listings.

use std::fmt::Write;

use testing::{expect, say};

use super::{check, compiled, listing, sources};
use crate::sources::{Source, compile};

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
