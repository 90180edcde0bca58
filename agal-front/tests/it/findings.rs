//! docs/findings.md is generated from the table of findings; `UPDATE_EXPECT=1` renews it.

use crate::common;

use std::collections::BTreeMap;
use std::fmt::Write;

use agal_front::Kind;
use agal_front::finding::{KindRow, Level, is_attested};
use common::expect;

const OPENING: &str = "# Findings

The findings of `agalc` about AGAL programs, by number. `--allow` accepts a number, and `validate --format json` reports it as `code`.
Numbers from 3612 to 3805 are Flash Player's own for the same error; `validate` reports them in the player's order and marks the first one,
at which the player stops, if it is known to stop there. This page is generated from the table in `agal-front/src/kinds.rs`.

*Default* is the severity of a finding, *player* its severity with `--compat player`: what the player refuses but has one plain meaning is a
warning by default. *Allow* states whether `--allow` accepts the number: an error that is allowed becomes a warning, because the program then
has a meaning, and a warning that is allowed is not reported. A star marks numbers of which only the player's message is published, and no
program that triggered it: `validate` states that under such a finding (`attested` in JSON) instead of marking where the player stops.

Of each program the first thousand errors and the first thousand warnings are reported, and beyond those the first of each number; the others
are counted, in JSON by 9098 and in text by a note.

The player reports 3613 and 3614 when the native compiler of its machine refuses a program after all of the player's own checks; a file alone
cannot predict that. The errors that it reports at draw time (3604 to 3611, 3695, 3700, 3753 and so on) depend on textures and buffers;
`inspect` lists what a program reads.
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
        let found: Vec<&str> = rows.iter().map(|row| row.description.trim().trim_end_matches('.')).collect();
        let has = |level| rows.iter().any(|row| row.levels().any(|found| found == level));
        let either = |error: bool, warning: bool| match (error, warning) {
            (true, true) => "error or warning",
            (true, false) => "error",
            (false, _) => "warning",
        };
        let error = has(Level::Error) || has(Level::Tolerable);
        let default = either(error, has(Level::Strict) || has(Level::Warning));
        let player = either(error || has(Level::Strict), has(Level::Warning));
        let allow = if rows.iter().any(|row| row.levels().any(|level| level != Level::Error)) { "yes" } else { "no" };
        writeln!(text, "| {code}{star} | {} | {default} | {player} | {allow} |", found.join("; ")).expect("memory");
    }
}

#[test]
fn the_page_of_findings_matches_the_table() {
    let mut text = OPENING.to_string();
    table(&mut text, "Flash's", |code| code < 9000);
    table(&mut text, "Ours, about programs", |code| (9000..9100).contains(&code));
    table(&mut text, "Ours, about text", |code| (9100..9200).contains(&code));
    table(&mut text, "Ours, about the macro language", |code| code >= 9200);
    expect("../../docs/findings.md", &text).unwrap_or_else(|difference| panic!("{difference}"));
}

/// Several rows may share a number up to 9100, as forms of one fault; every number above has one row.
#[test]
fn each_number_about_text_has_one_row() {
    let mut numbers: Vec<u16> = Kind::ROWS.iter().flat_map(KindRow::codes).filter(|&code| code > 9100).collect();
    let all = numbers.len();
    numbers.sort_unstable();
    numbers.dedup();
    assert_eq!(numbers.len(), all);
    assert!(Kind::ROWS.iter().all(|row| row.codes().count() > 0 && row.levels().count() > 0));
}
