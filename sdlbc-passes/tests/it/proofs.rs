//! Tests that evaluate both sides of each row for many values and compare the results.

use sdlbc_passes::table::{Proof, ROWS, Row};
use testing::{Effort, on_two_threads};

use crate::prover::{exhaustive, random};
use crate::single::Single;
use crate::tiny::{Tiny, values};

/// The largest number of value combinations that a quick run tries exhaustively.
const FEW: u64 = 100_000;

pub(crate) fn all_hold(rows: &[Row], prove: impl Fn(&Row) -> Result<(), String> + Sync) {
    let results = on_two_threads(rows, prove);
    let failed: Vec<String> = results.into_iter().filter_map(Result::err).collect();
    assert!(failed.is_empty(), "{} rows fail\n{}", failed.len(), failed.join("\n"));
}

#[test]
fn each_row_holds_for_all_values_of_8_bits() {
    let effort = Effort::of("CASES", 1000);
    // The stride is odd, because an even stride could skip half of a variable's values in all cases.
    let stride = |total: u64| if effort.is_full() || total <= FEW { 1 } else { (total / FEW) | 1 };
    all_hold(ROWS, |row| {
        let tried = exhaustive(&Tiny, values, row, stride)?;
        if tried.allowed * 100 < tried.cases { Err(format!("{}: of {tried:?}", row.name)) } else { Ok(()) }
    });
}

#[test]
fn each_row_without_an_answer_of_the_solver_holds_for_random_values() {
    let rows: Vec<Row> = ROWS.iter().copied().filter(|row| row.proof == Proof::Random).collect();
    let rows: Vec<Row> = Effort::part_of("ROWS", &rows).into_iter().copied().collect();
    let effort = Effort::of("CASES", 50_000_000);
    all_hold(&rows, |row| {
        let tried = random(&Single, row, effort.only.unwrap_or(0), effort.cases)?;
        if tried.allowed * 10 < tried.cases { Err(format!("{}: of {tried:?}", row.name)) } else { Ok(()) }
    });
}
