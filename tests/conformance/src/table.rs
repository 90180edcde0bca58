//! Tables of comparisons. A run that produces a table prints the table and stores it in docs/internals/conformance.md.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs::File;
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, flock};

use crate::verdict::Tally;

/// The results of comparing one subject on one witness.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cell {
    /// The counts and errors of the comparisons.
    pub tally: Tally,
    /// The number of times that the witness could not run the subject.
    pub unsupported: usize,
    /// The first reason why the witness could not run the subject.
    pub reason: Option<String>,
}

/// A table with a row for each subject and a column for each witness.
#[derive(Clone, Debug, Default)]
pub struct Table {
    witnesses: Vec<String>,
    rows: BTreeMap<(usize, String), BTreeMap<String, Cell>>,
}

impl Table {
    /// Creates an empty table with the given columns, in the given order.
    pub fn new(witnesses: &[String]) -> Table {
        Table { witnesses: witnesses.to_vec(), rows: BTreeMap::new() }
    }

    /// Returns the names of the columns, from left to right.
    pub fn columns(&self) -> &[String] {
        &self.witnesses
    }

    /// Reports whether the table has no rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Returns the number, the name and the cells of each subject. The cells are keyed by witness, and the rows are in the order
    /// of the subjects' numbers.
    pub fn rows(&self) -> impl Iterator<Item = (usize, &str, &BTreeMap<String, Cell>)> {
        self.rows.iter().map(|((number, name), cells)| (*number, name.as_str(), cells))
    }

    /// Returns the cell of a subject and a witness, and adds a missing row or column. Rows are sorted by the subject's number.
    pub fn cell(&mut self, number: usize, subject: &str, witness: &str) -> &mut Cell {
        if !self.witnesses.iter().any(|known| known == witness) {
            self.witnesses.push(witness.to_string());
        }
        self.rows.entry((number, subject.to_string())).or_default().entry(witness.to_string()).or_default()
    }

    /// Adds the results of another table.
    pub fn merge(&mut self, other: Table) {
        for ((number, subject), cells) in other.rows {
            for (witness, from) in cells {
                let cell = self.cell(number, &subject, &witness);
                cell.tally = cell.tally.with(from.tally);
                cell.unsupported += from.unsupported;
                cell.reason = cell.reason.take().or(from.reason);
            }
        }
    }

    /// Returns the sum of all rows, keyed by witness.
    pub fn total(&self) -> BTreeMap<String, Cell> {
        let mut total = Table::new(&self.witnesses);
        for cells in self.rows.values() {
            for (witness, from) in cells {
                let cell = total.cell(0, "", witness);
                cell.tally = cell.tally.with(from.tally);
                cell.unsupported += from.unsupported;
                cell.reason = cell.reason.take().or(from.reason.clone());
            }
        }
        total.rows.into_values().next().unwrap_or_default()
    }

    /// Returns the table in Markdown. Each row has the number of compared values on all witnesses together, the number of open
    /// values, and the greatest error on each witness in units in the last place.
    pub fn markdown(&self, subject: &str) -> String {
        let mut text = String::new();
        let _ = writeln!(text, "| {subject} | numbers | open | {} |", self.witnesses.join(" | "));
        let _ = writeln!(text, "|---|---|---|{}", "---|".repeat(self.witnesses.len()));
        for ((_, name), cells) in &self.rows {
            let all = cells.values().fold(Tally::default(), |all, cell| all.with(cell.tally));
            let _ = write!(text, "| {name} | {} | {} |", all.compared, all.open);
            for witness in &self.witnesses {
                let _ = write!(text, " {} |", cells.get(witness).map_or("".to_string(), Cell::shown));
            }
            text.push('\n');
        }
        text
    }

    /// Returns a Markdown table with the totals of each witness.
    pub fn summary(&self) -> String {
        let mut text =
            "| witness | numbers | open | worst error | cannot express |\n|---|---|---|---|---|\n".to_string();
        let total = self.total();
        for witness in &self.witnesses {
            let Some(cell) = total.get(witness) else { continue };
            let Tally { compared, open, .. } = cell.tally;
            let _ = writeln!(text, "| {witness} | {compared} | {open} | {} | {} |", cell.worst(), cell.unsupported);
        }
        text
    }
}

impl Cell {
    /// Formats the greatest error in units in the last place, or the greatest absolute error.
    fn worst(&self) -> String {
        match self.tally.worst {
            0.0 => "0".to_string(),
            worst if worst < 10.0 => format!("{worst:.1}"),
            worst if worst < 1e4 => format!("{worst:.0}"),
            // For numbers close to zero the absolute error is more informative.
            _ => format!("±{:.1e}", self.tally.absolute),
        }
    }

    fn shown(&self) -> String {
        if self.tally.compared == 0 && self.unsupported > 0 { "–".to_string() } else { self.worst() }
    }
}

fn page() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/internals/conformance.md")
}

/// Prints a table, and stores the table in docs/internals/conformance.md between `<!-- NAME -->` and `<!-- end of NAME -->`.
/// A lock protects the page, since each test is a separate process and several tests run at a time.
///
/// # Panics
/// Panics if the page or one of the two markers is missing, or if the page cannot be written.
pub fn keep(name: &str, text: &str) {
    println!("{text}");
    let page = page();
    let failed = |error: std::io::Error| -> ! { panic!("{}: {error}", page.display()) };
    let held = File::open(&page).unwrap_or_else(|error| failed(error));
    flock(&held, FlockOperation::LockExclusive).unwrap_or_else(|error| failed(error.into()));
    let whole = std::fs::read_to_string(&page).unwrap_or_else(|error| failed(error));
    let (begin, end) = (format!("<!-- {name} -->\n"), format!("<!-- end of {name} -->"));
    let (before, rest) = whole.split_once(&begin).unwrap_or_else(|| panic!("{begin} is not in {}", page.display()));
    let (_, after) = rest.split_once(&end).unwrap_or_else(|| panic!("{end} is not in {}", page.display()));
    let renewed = format!("{before}{begin}\n{}\n\n{end}{after}", text.trim());
    if renewed != whole {
        std::fs::write(&page, renewed).unwrap_or_else(|error| failed(error));
    }
}
