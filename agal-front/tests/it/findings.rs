//! Checks that docs/findings.md matches the table of findings. `UPDATE_EXPECT=1` regenerates the page.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::common::expect;
use agal_front::finding::{FindingPlace, KindRow, Level, Part, is_attested};
use agal_front::{Finding, Kind};

const OPENING: &str = "# Findings

This page lists agalc's findings about AGAL programs by number, in the notation of `--allow`. It is generated from the table in
`agal-front/src/kinds.rs`. [checking.md](checking.md#checking-agal) describes how findings are reported, and `agalc explain AGAL3647`
explains finding 3647. Numbers 3612 to 3805 are Flash Player's error numbers.

The column *default* contains a finding's severity, and *player* contains the severity with `--compat player`. *Allow* states whether
`--allow` accepts the number: an error becomes a warning, and a warning is not reported. If the cases of a number differ, the
severities are listed in the order of the cases. A star marks numbers for which only the player's message is published, without a
program that causes it (`attested` is false in JSON).

For each program, agalc reports the first 1,000 errors and the first 1,000 warnings. After that, it reports a finding only if no
earlier one has the same number. All other findings are only counted: finding 9098 in JSON and a note in text state the count.

The player reports 3613 and 3614 if the graphics driver's shader compiler rejects a program, which agalc cannot predict. The player's
errors at draw calls (such as 3604 to 3611, 3695, 3700 and 3753) depend on textures and buffers; `agalc check-draw` reports these
errors.
";

fn table(text: &mut String, title: &str, numbers: impl Fn(u16) -> bool) {
    let mut rows: BTreeMap<u16, Vec<&KindRow>> = BTreeMap::new();
    for row in Kind::ROWS {
        for code in row.codes().filter(|&code| numbers(code)) {
            rows.entry(code).or_default().push(row);
        }
    }
    write!(text, "\n## {title}\n\n| number | what is found | default | player | allow |\n|---|---|---|---|---|\n")
        .expect("memory");
    for (code, rows) in rows {
        let star = if is_attested(code) { "" } else { "\\*" };
        let mut found: Vec<String> = rows.iter().map(|row| row.case(code)).collect();
        for further in found.iter_mut().skip(1) {
            further.get_mut(..1).expect("a letter").make_ascii_lowercase();
        }
        let levels: Vec<Level> = rows.iter().flat_map(|row| row.levels()).collect();
        let severities = |errors: &[Level]| {
            let of = |level: &Level| match level {
                Level::Published if errors.len() == 2 => "none",
                _ if errors.contains(level) => "error",
                _ => "warning",
            };
            let mut severities: Vec<&str> = levels.iter().map(of).collect();
            if severities.iter().all(|severity| Some(severity) == severities.first()) {
                severities.truncate(1);
            }
            let cases: usize = found.iter().map(|found| found.split("; ").count()).sum();
            assert!(severities.len() == 1 || severities.len() == cases, "{code} has a case without a severity");
            severities.join("; ")
        };
        let default = severities(&[Level::Error, Level::Tolerable]);
        let player = severities(&[Level::Error, Level::Tolerable, Level::Strict]);
        let cases = |row: &KindRow| row.case(code).split("; ").count();
        let mut allowed: Vec<&str> = rows.iter().flat_map(|row| allowed(row, cases(row))).collect();
        if allowed.iter().all(|one| Some(one) == allowed.first()) {
            allowed.truncate(1);
        }
        let allow = allowed.join("; ");
        writeln!(text, "| {code}{star} | {} | {default} | {player} | {allow} |", found.join("; ")).expect("memory");
    }
}

/// Returns a row's entries for the column that states whether `--allow` accepts a finding.
fn allowed(row: &KindRow, cases: usize) -> Vec<&'static str> {
    let mut levels: Vec<&str> = row.levels().map(|level| if level == Level::Error { "no" } else { "yes" }).collect();
    // If a row has more levels than cases, the level of one case depends on the finding's data.
    if levels.len() > cases && levels.contains(&"yes") && levels.contains(&"no") {
        levels = vec!["where the message says so"];
    }
    levels
}

#[test]
fn the_page_of_findings_matches_the_table() {
    let mut text = OPENING.to_string();
    table(&mut text, "Flash's", |code| code < 9000);
    table(&mut text, "Ours, about programs", |code| (9000..9100).contains(&code));
    table(&mut text, "Ours, about text", |code| (9100..9200).contains(&code));
    table(&mut text, "Ours, about the macro language", |code| (9200..9300).contains(&code));
    table(&mut text, "Ours, about text in code and procedures", |code| code >= 9300);
    expect("../../docs/findings.md", &text).unwrap_or_else(|difference| panic!("{difference}"));
}

/// Several rows may share a number of 9100 or less, because each row describes one form of an error.
#[test]
fn each_number_about_text_has_one_row() {
    let mut numbers: Vec<u16> = Kind::ROWS.iter().flat_map(KindRow::codes).filter(|&code| code > 9100).collect();
    let all = numbers.len();
    numbers.sort_unstable();
    numbers.dedup();
    assert_eq!(numbers.len(), all);
    assert!(Kind::ROWS.iter().all(|row| row.codes().count() > 0 && row.levels().count() > 0));
}

#[test]
fn a_finding_in_bytecode_has_the_number_of_its_token_and_its_byte() {
    let finding = Finding::new(Kind::EifWithoutIf, FindingPlace::part(1, Part::Operation, 31));
    assert_eq!(finding.to_string(), "token 2, byte 31: `eif` does not close a conditional");
    let finding = Finding::new(Kind::EifWithoutIf, FindingPlace::byte(31));
    assert_eq!(finding.to_string(), "byte 31: `eif` does not close a conditional");
}
