//! The rewrite table: what may be replaced by what, and the matcher that finds it.
//!
//! Rule: a rewrite of one instruction is a row of [`ROWS`] (`table/rows.rs`), and nothing else is. A row has a pattern, conditions,
//! a replacement, the assumptions it needs and what it keeps. Each row is proved by `tests/it`, from the same data that the matcher
//! reads: nothing is stated about a row in two places. Folding of constants is not in the table; it is the `computes` column of the
//! operation table. Passes give [`rewrite`] an instruction and build what it returns.
//!
//! Arithmetic rows are componentwise: each component of both sides depends on the same component of the operands alone, by the
//! same function. So a proof about scalars holds for vectors. Widths are the business of [`Replacement`].

mod assume;
mod index;
mod matcher;
mod order;
mod row;
mod rows;

pub use assume::{Assume, UnknownAssumption};
pub(crate) use index::root;
pub(crate) use matcher::{Candidates, candidates};
pub use matcher::{Facts, Node, Operand, Replacement, Step, Terms, applies, rewrite, rows_for};
pub use order::Pattern;
pub use row::{Condition, Keeps, Proof, Row, Term, Var};
pub use rows::ROWS;
