//! Compares measured counts with `testdata/bench/counts.txt`.
//!
//! Rule: until the file is updated on purpose, the comparison fails if a stage's count grows, or if a row is only in the file or
//! only in the measurement. A stage whose count shrinks is reported, so that the file can be updated to the smaller count.

use std::fmt::Write as _;
use std::process::Command;

use crate::measure::output;
use crate::records::{Record, find, format, head, parse};

/// The path of the file with the expected counts, relative to the root of the repository.
pub const FILE: &str = "testdata/bench/counts.txt";

/// The greatest relative difference at which a count is considered unchanged.
const CHANGE: f64 = 0.02;
/// An instruction count is considered unchanged if it differs by at most this number for each token or instruction of the input.
/// In a short stage, the cost of an allocation depends on the state in which earlier stages left the heap.
const FLOOR: u64 = 5;

/// The differences between measured and expected counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comparison {
    /// Descriptions of the failures: counts that grew, lengths that changed, and rows that are only in the file or only in the
    /// measurement.
    pub grown: Vec<String>,
    /// Descriptions of the counts that shrank.
    pub shrunk: Vec<String>,
}

type Measure = (&'static str, fn(&Record) -> u64);

const MEASURES: [Measure; 3] = [
    ("own instructions", |record| record.own),
    ("naga's instructions", |record| record.naga),
    ("allocations", |record| record.allocations),
];

/// Compares the records of a measurement with the records of the file.
pub fn compare(before: &[Record], now: &[Record]) -> Comparison {
    let mut comparison = Comparison::default();
    for record in now {
        let Record { input, stage, .. } = record;
        let Some(before) = find(before, input, stage) else {
            comparison.grown.push(format!("{input}, {stage}: not in {FILE}"));
            continue;
        };
        if before.length != record.length {
            comparison
                .grown
                .push(format!("{input}, {stage}: its length is {} instead of {}", record.length, before.length));
        }
        for (name, measure) in MEASURES {
            let (before, now) = (measure(before), measure(record));
            let growth = (now as f64 - before as f64) / (before as f64).max(1.0);
            let floor = if name == MEASURES[2].0 { 0 } else { FLOOR * record.length };
            if now.abs_diff(before) <= floor {
                continue;
            }
            let line = || format!("{input}, {stage}: {name} {before} before, {now} now ({:+.1} %)", 100.0 * growth);
            if growth > CHANGE {
                comparison.grown.push(line());
            } else if growth < -CHANGE {
                comparison.shrunk.push(line());
            }
        }
    }
    let gone = before.iter().filter(|record| find(now, &record.input, &record.stage).is_none());
    comparison.grown.extend(gone.map(|gone| format!("{}, {}: only in {FILE}", gone.input, gone.stage)));
    comparison
}

impl Comparison {
    /// Formats the comparison as a report to the user.
    pub fn report(&self) -> String {
        let mut text = String::new();
        for (title, lines) in [("less than before", &self.shrunk), ("more than before", &self.grown)] {
            if !lines.is_empty() {
                writeln!(text, "{title}:").expect("memory");
                lines.iter().for_each(|line| writeln!(text, "  {line}").expect("memory"));
            }
        }
        match (self.grown.is_empty(), self.shrunk.is_empty()) {
            (true, true) => text += "no stage has changed by more than 2 %\n",
            (true, false) => text += "`./bench counts --renew` records it, so that it is not lost again\n",
            (false, _) => {
                text += "if this is on purpose, `./bench counts --renew` records it: commit the file with the reason\n"
            }
        }
        text
    }
}

/// Returns the versions of the tools on which the counts depend, as lines for the head of the file.
///
/// # Errors
/// Fails if the compiler or valgrind is missing.
pub fn tools() -> Result<Vec<String>, String> {
    let version = output(Command::new("rustc").arg("-vV"))?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).unwrap_or("an unknown host");
    let rustc = version.lines().next().unwrap_or_default();
    let valgrind = output(Command::new("valgrind").arg("--version"))?;
    Ok(vec![format!("{rustc}, {host}, {}, profile suite", valgrind.trim())])
}

/// Formats the file of counts with the given records.
pub fn text(tools: &[String], records: &[Record]) -> String {
    let explained = "Instructions by callgrind and allocations of each stage: docs/internals/performance.md. `./bench counts --renew` writes it.";
    let head: Vec<String> = std::iter::once(explained.to_string()).chain(tools.iter().cloned()).collect();
    format(&head, records)
}

/// Compares records with the text of the file. If the file was recorded with other tools, counts may differ for reasons other than
/// the code, so the comparison fails only in CI.
///
/// # Errors
/// Returns the report if a stage has grown, or a message if the file is damaged.
pub fn check(file: &str, tools: &[String], records: &[Record], ci: bool) -> Result<String, String> {
    let before = parse(file).map_err(|error| format!("{FILE}: {error}"))?;
    let comparison = compare(&before, records);
    let report = comparison.report();
    let recorded: Vec<&str> = head(file).into_iter().skip(1).take(tools.len()).collect();
    if recorded != tools {
        let note = format!("{FILE} was recorded with {}; here is {}", recorded.join(", "), tools.join(", "));
        let text = format!("{report}{note}\n");
        return if ci { Err(text + "renew it with the tools of CI\n") } else { Ok(text + "so nothing fails\n") };
    }
    if comparison.grown.is_empty() { Ok(report) } else { Err(report) }
}

#[cfg(test)]
mod tests {
    use testing::repository;

    use super::{FILE, check, compare, text};
    use crate::case::Form;
    use crate::inputs::{Input, held};
    use crate::records::{Record, parse};
    use crate::stages::STAGES;

    fn record(stage: &str, own: u64, naga: u64, allocations: u64) -> Record {
        let (input, stage) = ("pairs".to_string(), stage.to_string());
        Record { input, stage, length: 1, own, naga, allocations, peak: 0 }
    }

    fn tools() -> Vec<String> {
        vec!["rustc 1, valgrind 2".to_string()]
    }

    #[test]
    fn a_stage_that_grows_by_more_than_two_percent_fails_with_both_numbers_and_the_remedy() {
        let file = text(&tools(), &[record("lift", 1000, 0, 50), record("verify", 1000, 0, 50)]);
        let now = [record("lift", 1021, 0, 50), record("verify", 1020, 0, 51)];
        let error = check(&file, &tools(), &now, true).expect_err("a stage has grown");
        assert!(error.contains("  pairs, lift: own instructions 1000 before, 1021 now (+2.1 %)\n"), "{error}");
        assert!(error.contains("`./bench counts --renew`"), "{error}");
        assert!(!error.contains("verify"), "{error}");
        let fewer = [record("lift", 1000, 0, 50), record("verify", 1000, 0, 52)];
        let error = check(&file, &tools(), &fewer, true).expect_err("more allocations");
        assert!(error.contains("  pairs, verify: allocations 50 before, 52 now (+4.0 %)\n"), "{error}");
        let naga = [record("lift", 1000, 6, 50), record("verify", 1000, 0, 50)];
        assert!(check(&file, &tools(), &naga, true).expect_err("naga").contains("naga's instructions 0 before, 6 now"));
        let few = [record("lift", 1000, 5, 50), record("verify", 1000, 0, 50)];
        assert!(check(&file, &tools(), &few, true).is_ok(), "five instructions a token are no change");
    }

    #[test]
    fn a_stage_that_shrinks_is_said_and_does_not_fail() {
        let file = text(&tools(), &[record("lift", 1000, 10, 50)]);
        let report = check(&file, &tools(), &[record("lift", 979, 10, 50)], true).expect("nothing has grown");
        assert!(report.contains("less than before:\n  pairs, lift: own instructions 1000 before, 979 now (-2.1 %)\n"));
        let report = check(&file, &tools(), &[record("lift", 981, 10, 50)], true).expect("nothing has grown");
        assert_eq!(report, "no stage has changed by more than 2 %\n");
    }

    #[test]
    fn rows_that_only_one_side_has_fail() {
        let comparison = compare(&[record("lift", 1, 1, 1)], &[record("lower", 1, 1, 1)]);
        let expected =
            ["pairs, lower: not in testdata/bench/counts.txt", "pairs, lift: only in testdata/bench/counts.txt"];
        assert_eq!(comparison.grown, expected);
        let longer = Record { length: 2, ..record("lift", 1, 1, 1) };
        let grown = compare(&[record("lift", 1, 1, 1)], &[longer]).grown;
        assert_eq!(grown, ["pairs, lift: its length is 2 instead of 1"]);
    }

    /// Without this test, only CI would read the file, after a long run.
    #[test]
    fn the_file_has_a_row_for_each_stage_of_each_input() {
        let text = std::fs::read_to_string(repository().join(FILE)).expect("the file");
        let rows = parse(&text).expect("records");
        let rows: Vec<(&str, &str)> = rows.iter().map(|row| (row.input.as_str(), row.stage.as_str())).collect();
        let inputs = held().expect("inputs");
        let applies = |input: &Input, needs| needs == Form::Module || input.cases.iter().any(|case| case.form == needs);
        let expected = inputs.iter().flat_map(|input| {
            let stages = STAGES.iter().filter(|stage| applies(input, stage.of));
            stages.map(|stage| (input.name.as_str(), stage.name))
        });
        assert_eq!(rows, expected.collect::<Vec<_>>(), "`./bench counts --renew` renews the file");
    }

    #[test]
    fn other_tools_fail_in_ci_alone() {
        let file = text(&tools(), &[record("lift", 1000, 0, 50)]);
        let (now, others) = ([record("lift", 2000, 0, 50)], ["rustc 2".to_string()]);
        let report = check(&file, &others, &now, false).expect("counts of another compiler");
        assert!(report.contains("was recorded with rustc 1, valgrind 2; here is rustc 2"), "{report}");
        assert!(report.contains("own instructions 1000 before, 2000 now"), "{report}");
        assert!(check(&file, &others, &[record("lift", 1000, 0, 50)], true).is_err());
    }
}
