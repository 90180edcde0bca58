//! Tests of dead local arrays, and of the rewrite table: proofs of its rows, wrong rows that the provers must refute, the matcher, and the page of rows.
//! The environment variable `ROW` selects a single row to prove, and `CASES` sets the number of random values.

mod locals;
mod machine;
mod matching;
mod page;
mod program;
mod proofs;
mod prover;
mod single;
mod smt;
mod solver;
mod tiny;
mod wrong;
