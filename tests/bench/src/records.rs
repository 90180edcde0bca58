//! Measurements of stages on inputs, and the files in which the measurements are stored.
//!
//! A file begins with `#` lines that describe the measurement. Each further line is a record, whose fields are separated by tabs.

use std::fmt::Write as _;

/// The measurements of one stage on one input.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// The name of the input.
    pub input: String,
    /// The name of the stage.
    pub stage: String,
    /// The length of the input in tokens or instructions.
    pub length: u64,
    /// The number of instructions that agalc's own code executes.
    pub own: u64,
    /// The number of instructions that naga's validator and writers execute.
    pub naga: u64,
    /// The number of allocations; a reallocation counts as one.
    pub allocations: u64,
    /// The maximum number of bytes on the heap at one time, in addition to the stage's input. For several cases, the peak is the
    /// maximum over the cases. Peaks are neither compared nor written to files.
    pub peak: u64,
}

/// The names of a file's columns, separated by tabs.
const COLUMNS: &str = "input\tstage\tlength\town instructions\tnaga's instructions\tallocations";

/// Formats a file of records that begins with the lines `head`.
pub fn format(head: &[String], records: &[Record]) -> String {
    let mut text = String::new();
    for line in head {
        writeln!(text, "# {line}").expect("memory");
    }
    writeln!(text, "# {COLUMNS}").expect("memory");
    for Record { input, stage, length, own, naga, allocations, .. } in records {
        writeln!(text, "{input}\t{stage}\t{length}\t{own}\t{naga}\t{allocations}").expect("memory");
    }
    text
}

/// Parses a file of records.
///
/// # Errors
/// Reports the first malformed line.
pub fn parse(text: &str) -> Result<Vec<Record>, String> {
    let lines = text.lines().zip(1..).filter(|(line, _)| !line.starts_with('#'));
    lines.map(|(line, number)| record(line).ok_or_else(|| format!("line {number}: expected {COLUMNS}"))).collect()
}

fn record(line: &str) -> Option<Record> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [input, stage, numbers @ ..] = fields.as_slice() else { return None };
    let numbers: Vec<u64> = numbers.iter().map(|number| number.parse()).collect::<Result<_, _>>().ok()?;
    let [length, own, naga, allocations] = numbers[..] else { return None };
    let (input, stage) = ((*input).to_string(), (*stage).to_string());
    Some(Record { input, stage, length, own, naga, allocations, peak: 0 })
}

/// Returns the lines at the beginning of a file that describe the measurement.
pub fn head(text: &str) -> Vec<&str> {
    text.lines().map_while(|line| line.strip_prefix("# ")).collect()
}

/// Returns the record of a stage on an input, or `None` if the stage was not measured on the input.
pub fn find<'r>(records: &'r [Record], input: &str, stage: &str) -> Option<&'r Record> {
    records.iter().find(|record| record.input == input && record.stage == stage)
}

#[cfg(test)]
mod tests {
    use super::{Record, format, head, parse};

    #[test]
    fn a_file_that_was_written_is_read_again() {
        let record = |stage: &str, own| Record {
            input: "pairs".into(),
            stage: stage.into(),
            length: 5,
            own,
            naga: 3,
            allocations: 2,
            peak: 0,
        };
        let records = [record("AGAL to SPIR-V", 7), record("lift", u64::MAX)];
        let text = format(&["how".to_string()], &records);
        assert_eq!(parse(&text).expect("records"), records);
        assert_eq!(head(&text)[0], "how");
    }

    #[test]
    fn a_damaged_line_is_named() {
        for line in ["pairs\tlift\t1\t2\t3", "pairs\tlift\t1\t2\t3\tx", "pairs", ""] {
            let error = parse(&format!("# head\n{line}\n")).expect_err(line);
            assert!(error.starts_with("line 2: expected input"), "{error}");
        }
    }
}
