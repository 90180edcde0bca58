//! Compares the messages about the faulty programs in testdata/es2/wrong.txt with wrong.expected. `UPDATE_EXPECT=1` updates
//! wrong.expected.
//!
//! A case in wrong.txt begins with `==` and its name. If the first word of a case is `words`, hexadecimal 64-bit words follow, to
//! which the test adds a fragment program's header. If the first word is `file`, the hexadecimal bytes of a file follow.

use std::collections::BTreeSet;
use std::fmt::Write;

use es2_front::assemble::assemble;
use es2_front::program::at;
use es2_front::validate::validate_all;
use es2_front::{Finding, Kind, Program};
use sdlbc::front::Part;
use testing::{expect, testdata};

/// The numbers of the findings that no case can cause: a program that is too long, dropped findings, a bug in the crate, and an
/// unexpected stage.
const OTHERS: [u16; 4] = [2107, 2129, 2130, 2142];

fn program(text: &str) -> Result<(Program, Vec<Finding>), Vec<Finding>> {
    let bytes = |text: &str| -> Vec<u8> {
        let digits: Vec<char> = text.chars().filter(char::is_ascii_hexdigit).collect();
        let byte = |pair: &[char]| u8::from_str_radix(&pair.iter().collect::<String>(), 16).expect("digits");
        digits.chunks(2).map(byte).collect()
    };
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    let file = match first {
        "file" => bytes(rest),
        "words" => {
            let words = rest.lines().flat_map(|line| bytes(line).into_iter().rev().collect::<Vec<u8>>());
            [b"ES2f\x01\0\0\0".to_vec(), words.collect()].concat()
        }
        _ => {
            let assembly = assemble(text, None)?;
            return Ok((assembly.program, assembly.warnings));
        }
    };
    Ok((Program::decode(&file)?, Vec::new()))
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let cases = std::fs::read_to_string(testdata("es2/wrong.txt")).expect("the cases");
    let mut said = String::new();
    let mut numbers = BTreeSet::new();
    for case in cases.split("== ").skip(1) {
        let (name, text) = case.split_once('\n').expect("a name");
        let text = text.trim_end_matches('\n');
        let mut findings = Vec::new();
        let mut programs = Vec::new();
        for part in text.split("--\n") {
            match program(part) {
                Ok((program, warnings)) => {
                    programs.push(program);
                    findings.extend(warnings);
                }
                Err(errors) => findings.extend(errors),
            }
        }
        findings.extend(validate_all(&programs.iter().collect::<Vec<_>>()).concat());
        assert!(!findings.is_empty(), "{name} is not wrong");
        writeln!(said, "== {name}").expect("a string");
        for finding in findings {
            numbers.insert(finding.code());
            let severity = if finding.is_error() { "error" } else { "warning" };
            writeln!(said, "{severity} {}: {finding}", finding.code()).expect("a string");
            if let Some(help) = finding.kind.help() {
                writeln!(said, "    {help}").expect("a string");
            }
        }
    }
    expect("testdata/es2/wrong.expected", &said).unwrap_or_else(|difference| panic!("{difference}"));
    let all: BTreeSet<u16> = Kind::ROWS.iter().flat_map(|row| row.codes()).collect();
    let tried: BTreeSet<u16> = numbers.into_iter().chain(OTHERS).collect();
    assert_eq!(tried, all, "each finding has a case");
}

#[test]
fn other_findings_are_of_the_limits_and_of_the_stage() {
    let text = format!("!!ES2fp1.0\n{}END\n", "FOO;\n".repeat(5000));
    let findings = assemble(&text, None).expect_err("it is wrong");
    assert_eq!(findings.len(), 1001);
    assert_eq!(
        findings.last().map(ToString::to_string).as_deref(),
        Some("the program: 4000 further findings are not listed")
    );
    assert_eq!(findings.last().map(Finding::is_error), Some(true));
    let other =
        assemble("!!ES2fp1.0\nMOV fragcolor, v0;\nEND\n", Some(es2_front::Stage::Vertex)).expect_err("another stage");
    assert_eq!(other.iter().map(Finding::code).collect::<Vec<_>>(), [2142]);
    let long = format!("!!ES2fp1.0\n{}END\n", "NOP;\n".repeat(65_537));
    assert_eq!(assemble(&long, None).expect_err("it is too long").first().map(Finding::code), Some(2107));
}

#[test]
fn a_finding_in_code_words_has_the_number_of_its_instruction_and_its_byte() {
    let finding = Finding::new(Kind::Unused, at(1, Part::Operation));
    assert_eq!(finding.to_string(), "instruction 2, byte 16: nothing reads the result");
}
