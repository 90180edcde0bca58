//! Measurements of a stage on an input, and their files.
//!
//! A file begins with lines with `#` that describe the measurement; then it has a line for each record, with fields separated by
//! tabs.

use std::fmt::Write as _;

/// Measurements of a stage on an input.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// The input.
    pub input: String,
    /// The stage.
    pub stage: String,
    /// The number of tokens or instructions of the input.
    pub length: u64,
    /// The number of instructions of our own code.
    pub own: u64,
    /// The number of instructions of naga's validator and writer.
    pub naga: u64,
    /// The number of allocations; a reallocation counts as one.
    pub allocations: u64,
    /// The maximum number of bytes on the heap at one time, in addition to the stage's input; for several cases, the maximum of
    /// these. Not compared, and not written to files.
    pub peak: u64,
}

/// The columns of a file.
const COLUMNS: &str = "input\tstage\tlength\town instructions\tnaga's instructions\tallocations";

/// Writes a file of records, with the lines `head` at the beginning.
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

/// Reads a file of records.
///
/// # Errors
/// The first malformed line.
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

/// The lines at the beginning of a file.
pub fn head(text: &str) -> Vec<&str> {
    text.lines().map_while(|line| line.strip_prefix("# ")).collect()
}

/// The record of a stage on an input.
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
