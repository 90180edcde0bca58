//! Reads the files of testdata/agal whose comments state the expected findings of lifting and validation.

#![allow(dead_code)]

use std::fmt::Write;
use std::path::PathBuf;

use agal_front::assemble::{AssembleOptions, assemble};
use agal_front::lift::Options;
use agal_front::{Compat, Profile, finding};
use agal_front::{Finding, Kind, Program, SourceMap};

pub(crate) fn files(path: &str, extension: &str) -> Vec<PathBuf> {
    testing::files(&folder(path), &format!(".{extension}"))
}

pub(crate) fn folder(path: &str) -> PathBuf {
    testing::testdata("agal").join(path)
}

/// Compares the actual text with a file of testdata/agal, or rewrites the file if `UPDATE_EXPECT=1` is set.
pub(crate) fn expect(path: &str, actual: &str) -> Result<(), String> {
    testing::expect(&format!("testdata/agal/{path}"), actual)
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Expected {
    pub(crate) lift: Options,
    /// Findings in the form `LINE:COLUMN MARK CODE MESSAGE`, in which `end` may replace the position.
    pub(crate) findings: Vec<String>,
}

impl Expected {
    pub(crate) fn read(text: &str) -> Expected {
        let mut expected = Expected::default();
        for (line, number) in text.lines().zip(1..) {
            for comment in line.split("//").skip(1) {
                expected.comment(number, comment);
            }
        }
        expected
    }

    fn comment(&mut self, line: usize, comment: &str) {
        let words: Vec<&str> = comment.split_whitespace().collect();
        match words[..] {
            [":", "strict-ifg"] => self.lift.strict_ifg = true,
            [":", "truncate-index"] => self.lift.truncate_index = true,
            [":", "allow-ted"] => self.lift.rules.allow_ted = true,
            [":", "signed-offset"] => self.lift.signed_offset = true,
            [":", "allow", code] => self.lift.rules.allow.push(code.parse().expect("a number")),
            [":", "player"] => self.lift.rules.compat = Compat::Player,
            [":", "lints"] => self.lift.rules.lints = true,
            [":", "profile", name] => {
                self.lift.rules.profile = Profile::ALL.into_iter().find(|profile| profile.name() == name);
                assert!(self.lift.rules.profile.is_some(), "no profile {name}");
            }
            [mark @ ("!" | "~"), code, column, ref message @ ..] => {
                let line = if column == "end" { "end".to_string() } else { format!("{line}:{column}") };
                self.findings.push(format!("{line} {mark} {code} {}", message.join(" ")));
            }
            [first, ..] if first.starts_with([':', '!', '~']) => panic!("line {line}: not an expectation: {comment}"),
            _ => {}
        }
    }

    pub(crate) fn assemble(&self, text: &str) -> (Program, SourceMap) {
        let assembly = assemble(text, &AssembleOptions::default());
        let assembly = assembly.unwrap_or_else(|findings| panic!("{findings:#?}\n{text}"));
        (assembly.program, assembly.map)
    }
}

fn code(finding: &Finding) -> String {
    finding.code().to_string()
}

fn mark(finding: &Finding) -> char {
    if finding.is_error() { '!' } else { '~' }
}

/// Formats a finding in the notation of the test files, with its position in the source text or `end`.
pub(crate) fn notation(finding: &Finding, map: &SourceMap) -> String {
    let place = map.locate(finding.place);
    let at = place.span.map_or("end".to_string(), |span| format!("{}:{}", span.line, span.column));
    format!("{at} {} {} {}", mark(finding), code(finding), finding.kind)
}

/// Returns the differences between the findings and the expected findings, one per line, regardless of order. Each finding must
/// also state the byte offset of its token.
pub(crate) fn differences(
    name: &str,
    expected: &Expected,
    program: &Program,
    map: &SourceMap,
    findings: &[Finding],
) -> String {
    let mut differences = String::new();
    let mut found: Vec<String> = findings.iter().map(|finding| notation(finding, map)).collect();
    for expected in &expected.findings {
        match found.iter().position(|found| found == expected) {
            Some(at) => drop(found.remove(at)),
            None => writeln!(differences, "{name}: missing {expected}").expect("memory"),
        }
    }
    for found in found {
        writeln!(differences, "{name}: unexpected {found}").expect("memory");
    }
    for finding in findings {
        let place = finding.place;
        let end = 7 + 24 * program.tokens.len();
        let byte = place.instruction.map_or(end, |token| 7 + 24 * (token as usize - 1) + finding::offset(place.part));
        if place.byte.is_some_and(|found| found != byte) {
            writeln!(differences, "{name}: {finding} is not at byte {byte}").expect("memory");
        }
    }
    differences
}

pub(crate) fn bytes(line: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    for word in line.split_whitespace() {
        let (digits, times) = word.split_once('*').unwrap_or((word, "1"));
        let hex = |at| u8::from_str_radix(&digits[at..at + 2], 16).expect("hexadecimal");
        let part: Vec<u8> = (0..digits.len()).step_by(2).map(hex).collect();
        (0..times.parse().expect("a count")).for_each(|_| bytes.extend(&part));
    }
    bytes
}

/// Returns the kinds that have numbers in the range `numbers` but occur in no finding of `seen`. The number and level of each
/// finding must be in the table of kinds, because docs/findings.md and `--allow` depend on the table.
pub(crate) fn missing_kinds(numbers: std::ops::Range<u16>, seen: &[Finding]) -> Vec<&'static str> {
    let mut names: Vec<&str> = Vec::new();
    for row in Kind::ROWS.iter().filter(|row| row.codes().any(|code| numbers.contains(&code))) {
        let is_named = |finding: &&Finding| {
            let shown = format!("{:?}", finding.kind);
            shown.split([' ', '{']).next() == Some(row.name)
        };
        let mut found = seen.iter().filter(is_named).peekable();
        if found.peek().is_none() {
            names.push(row.name);
        }
        for finding in found {
            assert!(row.codes().any(|code| code == finding.code()), "{finding:?} has a number that is not in its row");
            assert!(
                row.levels().any(|level| level == finding.kind.level()),
                "{finding:?} has a level that is not in its row"
            );
        }
    }
    names
}
