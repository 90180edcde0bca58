//! Tests of invalid programs: each file of testdata/agal/wrong states each finding on its line, as `// ! CODE COLUMN MESSAGE` for
//! an error or `~` for a warning. The column is `end` for a finding after the last token. A file must have no other findings.
//! Codes and conditions were compared with Flash's published list (agal-errors.md) when the files were written.

use crate::common::{Expected, bytes, differences, files, folder};
use agal_front::assemble::{AssembleOptions, assemble};
use agal_front::lift::{Options, translate};
use agal_front::{Finding, Kind, Program, Rules, Severity};

fn findings(program: &Program, options: &Options) -> Vec<Finding> {
    match translate(&[program], options) {
        Ok(lifted) => lifted.findings.concat(),
        Err(findings) => findings.concat(),
    }
}

#[test]
fn each_wrong_program_has_exactly_the_expected_findings() {
    let mut failures = String::new();
    for file in files("wrong", "agal") {
        let text = std::fs::read_to_string(&file).expect("a text");
        let expected = Expected::read(&text);
        assert!(!expected.findings.is_empty(), "{} expects nothing", file.display());
        let (program, map) = expected.assemble(&text);
        let findings = findings(&program, &expected.lift);
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        failures += &differences(&name, &expected, &program, &map, &findings);
    }
    assert!(failures.is_empty(), "\n{failures}");
}

fn header_findings(bytes: &[u8]) -> Vec<Finding> {
    match Program::decode(bytes) {
        Ok((_, warnings)) => warnings,
        Err(findings) => findings,
    }
}

fn header_lines() -> Vec<(Vec<u8>, Vec<String>)> {
    let text = std::fs::read_to_string(folder("wrong/headers.hex")).expect("the file");
    let lines = text.lines().filter(|line| !line.starts_with("//"));
    let line = |line: &str| {
        let mut parts = line.split("//");
        let bytes = bytes(parts.next().unwrap_or_default());
        let expected = parts.map(|part| part.trim().to_string()).filter(|part| part != "~ none");
        (bytes, expected.collect())
    };
    lines.map(line).collect()
}

#[test]
fn each_wrong_header_has_exactly_the_expected_findings() {
    for (bytes, expected) in header_lines() {
        let notation = |finding: &Finding| {
            let mark = if finding.is_error() { '!' } else { '~' };
            let code = finding.code().to_string();
            format!("{mark} {code} {} {}", finding.place.byte.expect("a byte"), finding.kind)
        };
        let found: Vec<String> = header_findings(&bytes).iter().map(notation).collect();
        assert_eq!(found, expected, "{bytes:02x?}");
    }
}

/// Translates two programs as a pair, and returns the findings in the order of the programs.
fn pair(first: &str, second: &str) -> Vec<Finding> {
    let [first, second] = [first, second].map(|text| {
        assemble(text, &AssembleOptions::default()).unwrap_or_else(|findings| panic!("{findings:#?}")).program
    });
    match translate(&[&first, &second], &Options::default()) {
        Ok(lifted) => lifted.findings.concat(),
        Err(findings) => findings.concat(),
    }
}

#[test]
fn a_pair_is_a_vertex_and_a_fragment_program_of_one_version_that_fit_each_other() {
    let found = |first: &str, second: &str| -> Vec<String> {
        let notation = |finding: &Finding| {
            let mark = if finding.is_error() { '!' } else { '~' };
            let token = finding.place.instruction.map_or("-".to_string(), |token| token.to_string());
            format!("{mark} {} {token} {}", finding.code(), finding.kind)
        };
        pair(first, second).iter().map(notation).collect()
    };
    let none: [&str; 0] = [];
    assert_eq!(found("mov op, va0\nmov v0, va1", "mov oc, v0"), none);
    assert_eq!(found("mov oc, v0", "mov op, va0\nmov v0, va1"), none, "the order does not matter");
    assert_eq!(found("mov op, va0\nmov v0, va1", "mov oc, fc0"), none, "an unread varying is legal");
    assert_eq!(
        found("mov op, va0", "mov ft0, v2\nadd oc, ft0, v2"),
        ["! 3632 1 the fragment program reads `v2`, which the vertex program does not write"]
    );
    assert_eq!(found("mov op, va0", "mov op, va0"), ["! 3630 - both programs are vertex programs"]);
    assert_eq!(found("mov oc, fc0", "mov oc, fc0"), ["! 3631 - both programs are fragment programs"]);
    assert_eq!(
        found("// agal 1 vertex\nmov op, va0", "// agal 2 fragment\nmov oc, fc0"),
        ["~ 3757 - the vertex program is AGAL 1 and the fragment program AGAL 2"]
    );
}

fn long(version: u32, tokens: usize) -> Program {
    let text = format!("// agal {version} fragment\n{}", "mov ft0, v0\n".repeat(tokens));
    assemble(&text, &AssembleOptions::default()).expect("a program").program
}

#[test]
fn more_tokens_than_the_player_accepts_are_a_warning() {
    for (version, limit) in [(1, 200), (2, 1024), (3, 2048)] {
        let allowed = Rules::default().allow(vec![3634]);
        let findings = |tokens| findings(&long(version, tokens), &Options::default().rules(allowed.clone()));
        assert_eq!(findings(limit).len(), 1);
        let found = findings(limit + 1);
        assert_eq!(found[0].kind, Kind::TooManyTokens { tokens: limit + 1, limit });
        assert_eq!((found[0].severity, found[0].place.instruction), (Severity::Warning, Some(limit as u32 + 1)));
    }
}

fn nested(depth: usize) -> Program {
    let text =
        format!("mov ft0, v0\n{}mov ft0, v1\n{}mov oc, ft0", "ifl v0.x, fc0.x\n".repeat(depth), "eif\n".repeat(depth));
    assemble(&text, &AssembleOptions::default()).expect("a program").program
}

#[test]
fn conditionals_nest_up_to_the_limit_of_the_file_format() {
    let limit = sdlbc::limits::NESTING;
    let deepest = translate(&[&nested(limit)], &Options::default()).expect("at the limit").module;
    assert_eq!(sdlbc::verify(&deepest), Ok(()));
    let found = findings(&nested(limit + 1), &Options::default());
    let errors: Vec<_> = found.iter().filter(|finding| finding.is_error()).collect();
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert_eq!(errors[0].kind, Kind::NestingLimit { limit });
    assert_eq!(errors[0].place.instruction, Some(limit as u32 + 2));
    assert!(found.len() < 10, "deep nesting must not be reported for each of {limit} conditionals");
}

#[test]
fn an_error_that_is_allowed_by_its_number_is_a_warning() {
    let text = "mov op.xyz, va0.xyz\nadd v0.xy, va0, vt0";
    let program = assemble(text, &AssembleOptions::default()).expect("a program").program;
    let errors = |allow: &[u16]| {
        let rules = Rules::default().allow(allow.to_vec());
        let options = Options::default().rules(rules);
        findings(&program, &options).iter().filter(|finding| finding.is_error()).map(Finding::code).collect()
    };
    let codes: Vec<u16> = errors(&[]);
    assert_eq!(codes, [3647, 3633, 3635]);
    let codes: Vec<u16> = errors(&[3647, 3633]);
    assert_eq!(codes, [3635]);
    let codes: Vec<u16> = errors(&[3647, 3633, 3635]);
    assert!(codes.is_empty());
}
