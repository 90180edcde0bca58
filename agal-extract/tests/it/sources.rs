//! Sources in ActionScript and Haxe: the programs that are found in what they are compiled to.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use agal_extract::{Alternative, Code, Extraction, Options, Piece, Place, Site, extract};
use agalc::Input;
use testing::{expect, testdata};

fn input(path: &Path) -> Input {
    let name = path.file_name().expect("a name").to_string_lossy().into_owned();
    Input { name, bytes: std::fs::read(path).expect("the source") }
}

/// The method and the line of a place, and its conditions.
fn place(place: &Place) -> String {
    let Site::Method { class, method, at } = &place.site else { return format!("{place:?}") };
    let mut text = format!("{class}.{method}, line {at}");
    for condition in &place.conditions {
        let taken = match &condition.taken {
            Alternative::True => "true",
            Alternative::False => "false",
            Alternative::Is(value) => value,
        };
        let _ = write!(text, ", {} is {taken}", condition.expression);
    }
    text
}

/// The programs as a person reads them.
fn programs(found: &Extraction) -> String {
    let mut out = String::new();
    for (number, program) in found.programs.iter().enumerate() {
        let stage = program.stage.map_or("of no stage".into(), |stage| format!("{stage:?}").to_lowercase());
        let version = program.version.map(|version| format!(", version {version}")).unwrap_or_default();
        let _ = writeln!(out, "program {number}: {stage}{version}");
        program.places.iter().for_each(|found| out.push_str(&format!("  in {}\n", place(found))));
        let Code::Text { text, .. } = &program.code else { panic!("sources have texts: {program:?}") };
        for piece in &text.pieces {
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Hole(name) => out.push_str(&format!("{{{name}}}")),
            }
        }
        out.push_str(if out.ends_with('\n') { "\n" } else { "\n\n" });
    }
    for pair in &found.pairs {
        let _ = writeln!(out, "pair: {} and {}", pair.vertex.0, pair.fragment.0);
    }
    found.warnings.iter().for_each(|warning| out.push_str(&format!("warning: {}\n", warning.message)));
    out
}

fn compare(name: &str, paths: &[PathBuf]) {
    let inputs: Vec<Input> = paths.iter().map(|path| input(path)).collect();
    let found = programs(&extract(&inputs, &Options::default()));
    expect(&format!("testdata/extract/run/{name}.txt"), &found).unwrap_or_else(|problem| panic!("{problem}"));
}

#[test]
fn what_action_script_means_is_what_is_found() {
    compare("Language.as", &[testdata("extract/run/Language.as")]);
}

#[test]
fn what_haxe_means_is_what_is_found() {
    compare("Language.hx", &[testdata("extract/run/Language.hx")]);
}

#[test]
fn the_files_of_an_engine_are_read_together() {
    compare("engine", &testing::files(&testdata("extract/run/engine"), ".as"));
}

#[test]
fn what_is_not_understood_is_a_warning_with_its_line_and_the_rest_is_found() {
    let text = "package { class A {\n function broken( { }\n function f(a:AGALMiniAssembler):void {\n  var x = ;\n\
                a.assemble(\"fragment\", \"mov oc, v0\"); } } }";
    let found = extract(&[Input { name: "A.as".into(), bytes: text.into() }], &Options::default());
    assert_eq!(found.programs.len(), 1, "{found:?}");
    let lines: Vec<&str> = found.warnings.iter().flat_map(|warning| warning.path.iter().map(String::as_str)).collect();
    assert_eq!(lines, ["line 2", "line 4"]);
    assert!(found.warnings[1].message.contains("an expression is expected here, not `;`"), "{:?}", found.warnings);
}
