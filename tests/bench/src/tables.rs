//! The tables of docs/internals/performance.md, which compare current measurements with the baseline.
//!
//! Rule: a table is the text between `<!-- table: NAME -->` and `<!-- end -->` in the page. The command `./bench table --renew`
//! replaces this text.

use std::fmt::Write as _;

use crate::records::{Record, find};
use crate::stages::{STAGES, WHOLE};

/// Divides a number by a record's length, which is in tokens or instructions.
fn each(number: u64, record: &Record) -> f64 {
    number as f64 / (record.length as f64).max(1.0)
}

fn rounded(number: f64) -> String {
    if number < 100.0 { format!("{number:.1}") } else { format!("{number:.0}") }
}

/// Returns the distinct inputs of the records, in the order of the records.
fn inputs(records: &[Record]) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for record in records {
        if !names.contains(&record.input.as_str()) {
            names.push(&record.input);
        }
    }
    names
}

/// Formats a table of the whole translation from AGAL to SPIR-V. For the baseline and the current version, the table lists
/// agalc's own instructions, naga's instructions and allocations, each per token.
pub fn whole(baseline: &[Record], now: &[Record]) -> String {
    let mut text =
        "| input | tokens | own before | own now | ratio | naga before | naga now | allocations before | now |\n\
                    |---|---:|---:|---:|---:|---:|---:|---:|---:|\n"
            .to_string();
    for name in inputs(now) {
        let Some(now) = find(now, name, WHOLE) else { continue };
        let before = find(baseline, name, WHOLE);
        let old = |measure: fn(&Record) -> u64| before.map_or("–".into(), |of| rounded(each(measure(of), of)));
        let new = |measure: fn(&Record) -> u64| rounded(each(measure(now), now));
        let ratio = before.map_or("–".into(), |of| format!("{:.3}", each(now.own, now) / each(of.own, of).max(1.0)));
        writeln!(
            text,
            "| {name} | {} | {} | {} | {ratio} | {} | {} | {} | {} |",
            now.length,
            old(|of| of.own),
            new(|of| of.own),
            old(|of| of.naga),
            new(|of| of.naga),
            old(|of| of.allocations),
            new(|of| of.allocations)
        )
        .expect("memory");
    }
    text
}

/// Formats a table of every stage on the named inputs. The table lists one measure, per token or instruction, for the baseline
/// and the current version.
pub fn stages(baseline: &[Record], now: &[Record], names: &[&str], measure: fn(&Record) -> u64) -> String {
    let names: Vec<&str> = names.iter().copied().filter(|name| inputs(now).contains(name)).collect();
    let columns: Vec<String> = names.iter().map(|name| format!("{name}: before | now")).collect();
    let mut text = format!("| stage | {} |\n|---|{}\n", columns.join(" | "), "---:|---:|".repeat(names.len()));
    for stage in STAGES {
        let number = |records: &[Record], name: &str| {
            find(records, name, stage.name).map_or("–".into(), |of| rounded(each(measure(of), of)))
        };
        let row: Vec<String> =
            names.iter().map(|name| format!("{} | {}", number(baseline, name), number(now, name))).collect();
        writeln!(text, "| {} | {} |", stage.name, row.join(" | ")).expect("memory");
    }
    text
}

/// Replaces a table in a page.
///
/// # Errors
/// Fails if the page has no markers for the table.
pub fn put(page: &str, name: &str, table: &str) -> Result<String, String> {
    let begin = format!("<!-- table: {name} -->\n");
    let missing = || format!("docs/internals/performance.md has no place for the table {name}");
    let (before, rest) = page.split_once(&begin).ok_or_else(missing)?;
    let (_, after) = rest.split_once("<!-- end -->").ok_or_else(missing)?;
    Ok(format!("{before}{begin}{}\n<!-- end -->{after}", table.trim_end()))
}

#[cfg(test)]
mod tests {
    use super::{put, stages, whole};
    use crate::records::Record;
    use crate::stages::WHOLE;

    fn record(input: &str, stage: &str, own: u64) -> Record {
        let (input, stage) = (input.to_string(), stage.to_string());
        Record { input, stage, length: 10, own, naga: 50, allocations: 25, peak: 0 }
    }

    #[test]
    fn what_is_measured_stands_beside_the_baseline_for_each_token() {
        let before = [record("pairs", WHOLE, 20_000), record("pairs", "lift", 30)];
        let now = [record("pairs", WHOLE, 5000), record("pairs", "lift", 15), record("new", WHOLE, 10)];
        let text = whole(&before, &now);
        assert!(text.contains("| pairs | 10 | 2000 | 500 | 0.250 | 5.0 | 5.0 | 2.5 | 2.5 |\n"), "{text}");
        assert!(text.contains("| new | 10 | – | 1.0 | – | – | 5.0 | – | 2.5 |\n"), "{text}");
        let text = stages(&before, &now, &["pairs", "none"], |of| of.own);
        assert!(text.contains("| lift | 3.0 | 1.5 |\n") && text.contains("| WGSL | – | – |\n"), "{text}");
    }

    #[test]
    fn a_table_replaces_the_one_in_the_page_and_nothing_else() {
        let page = "a\n<!-- table: x -->\nold\n<!-- end -->\nb\n<!-- table: y -->\n<!-- end -->\n";
        let new = put(page, "x", "new\n").expect("a place");
        assert_eq!(new, page.replace("old", "new"));
        assert_eq!(put(&new, "x", "old").expect("a place"), page);
        assert!(put(page, "z", "").is_err());
    }
}
