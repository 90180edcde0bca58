//! Generates the table of rows and proofs in docs/internals/passes.md. The command `UPDATE_EXPECT=1 cargo test -p sdlbc-passes`
//! updates the page.

use std::fmt::Write;

use sdlbc::Scalar;
use sdlbc_passes::table::{Assume, Keeps, Proof, ROWS, Row, Var};
use testing::{expect, repository};

use crate::prover::{kinds, vars};
use crate::tiny::values;

/// Returns the number of combinations of 8-bit values for a row, including those that the row's conditions exclude.
fn cases(row: &Row) -> u64 {
    let of = |scalar: Scalar| {
        let count = |var: &Var| values(if var.is_truth() { Scalar::Bool } else { scalar }).len() as u64;
        vars(row).iter().map(count).product::<u64>()
    };
    kinds(row).into_iter().map(of).sum::<u64>() * row.patterns().len() as u64
}

fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy);
    groups.collect::<Vec<_>>().join(" ")
}

fn types(row: &Row) -> String {
    row.scalars.iter().map(|scalar| scalar.name()).collect::<Vec<_>>().join(", ")
}

fn line(row: &Row) -> String {
    let mut when: Vec<String> = row.conditions.iter().map(ToString::to_string).collect();
    when.extend(row.ordered.then(|| "in this order".to_string()));
    let proof = match row.proof {
        Proof::Solver => "z3: unsat",
        Proof::Random if kinds(row).len() > 1 => "random: 10^8 of floats; z3: unsat for ints",
        Proof::Random => "random: 10^8",
    };
    let keeps = if row.keeps == Keeps::Bits { "bits" } else { "permitted" };
    let needs = if row.needs == Assume::NOTHING {
        String::new()
    } else {
        format!("{} | ", row.needs.to_string().replace(',', ", "))
    };
    format!(
        "| `{}` | `{row}` | {} | {} | {needs}{keeps} | {}; {proof} |\n",
        row.name,
        types(row),
        when.join("; "),
        grouped(cases(row)),
    )
}

#[test]
fn the_page_lists_every_row_and_its_proofs() {
    let (exact, relaxed): (Vec<&Row>, Vec<&Row>) = ROWS.iter().partition(|row| row.needs == Assume::NOTHING);
    let mut text = format!(
        "{} rows: {} always apply, and {} need assumptions. z3 proves {} rows, and the other {} are tested with random values.\n",
        ROWS.len(),
        exact.len(),
        relaxed.len(),
        ROWS.iter().filter(|row| row.proof == Proof::Solver).count(),
        ROWS.iter().filter(|row| row.proof == Proof::Random).count(),
    );
    text.push_str("\n### Always\n\n| name | rewrite | for | if | keeps | proof |\n|---|---|---|---|---|---|\n");
    exact.iter().for_each(|row| text.push_str(&line(row)));
    text.push_str("\n### With assumptions\n\n");
    for (name, says) in Assume::ALL.names() {
        let _ = writeln!(text, "- `{name}`: {says}");
    }
    text.push_str("\n| name | rewrite | for | if | needs | keeps | proof |\n|---|---|---|---|---|---|---|\n");
    relaxed.iter().for_each(|row| text.push_str(&line(row)));

    let document = std::fs::read_to_string(repository().join("docs/internals/passes.md")).expect("the page");
    let (before, rest) = document.split_once("<!-- begin rows -->\n").expect("a marker");
    let (_, after) = rest.split_once("<!-- end rows -->").expect("a marker");
    let document = format!("{before}<!-- begin rows -->\n{text}<!-- end rows -->{after}");
    expect("docs/internals/passes.md", &document).unwrap_or_else(|difference| panic!("{difference}"));
}
