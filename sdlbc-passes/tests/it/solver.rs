//! Runs the SMT solver on the queries of each row.

use std::io::Write as _;
use std::process::{Command, Stdio};

use sdlbc::Scalar;
use sdlbc_passes::table::{Proof, ROWS, Row};
use testing::{Effort, Z3};

use crate::proofs::all_hold;
use crate::prover::kinds;
use crate::smt::{HALF, SINGLE, Size, queries};

/// The solver's processor-time limit in seconds for a row and a component type. A limit on elapsed time would depend on the
/// machine's load.
const LIMIT: u32 = 60;

/// Proves a row with the solver for each of its component types. A row that is tested with random floats is
/// proved only for ints and bools.
///
/// # Errors
/// Returns the query that is satisfiable or that the solver does not answer in time.
fn proved(row: &Row, is_full: bool) -> Result<(), String> {
    kinds(row).into_iter().filter(|&kind| kind != Scalar::Float || row.proof == Proof::Solver).try_for_each(|scalar| {
        let halfs = scalar == Scalar::Float && row.scalars.contains(&Scalar::Half);
        // Quick runs prove a row for halves instead of floats, because the solver is many times slower for floats.
        if !halfs || is_full {
            proved_at(row, scalar, SINGLE)?;
        }
        if halfs { proved_at(row, scalar, HALF) } else { Ok(()) }
    })
}

/// Proves a row for one component type with the solver; `size` is the float format.
///
/// # Errors
/// Returns the query that is satisfiable or that the solver does not answer in time.
pub(crate) fn proved_at(row: &Row, scalar: Scalar, size: Size) -> Result<(), String> {
    let queries = queries(row, scalar, size);
    let answers = ask(&queries.concat());
    let wrong = queries
        .iter()
        .zip(answers.lines().chain(std::iter::repeat("no answer")))
        .find(|(_, answer)| *answer != "unsat");
    match wrong {
        Some((query, answer)) => Err(format!("{}: {row}: {answer} for {scalar:?} of {size:?}\n{query}", row.name)),
        None => Ok(()),
    }
}

fn ask(text: &str) -> String {
    let mut solver = Command::new("sh");
    solver
        .args(["-c", &format!("ulimit -t {LIMIT}; exec {} -in", Z3.name)])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let mut solver = solver.spawn().unwrap_or_else(|error| panic!("{}: {error}", Z3.name));
    solver.stdin.take().expect("a pipe").write_all(text.as_bytes()).expect("the solver reads");
    String::from_utf8_lossy(&solver.wait_with_output().expect("an exit").stdout).into_owned()
}

#[test]
fn the_solver_proves_each_row() {
    if !Z3.is_there() {
        return;
    }
    let only = std::env::var("ROW").ok();
    let rows: Vec<Row> = ROWS.iter().copied().filter(|row| only.as_ref().is_none_or(|only| row.name == only)).collect();
    let is_full = only.is_some() || Effort::of("ROWS", 1000).is_full();
    let rows: Vec<Row> = Effort::part_of("ROWS", &rows).into_iter().copied().collect();
    all_hold(&rows, |row| {
        let begun = std::time::Instant::now();
        let result = proved(row, is_full);
        println!("{:8.2} {}", begun.elapsed().as_secs_f64(), row.name);
        result
    });
}
