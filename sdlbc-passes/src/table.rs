//! The rewrite table, and the matcher that applies it.
//!
//! Rule: every rewrite of a single instruction is a row of [`ROWS`] (`table/rows.rs`). A row has a pattern, conditions, a
//! replacement, required assumptions and a guarantee. Each row is proved by `tests/it`, from the same data that the matcher
//! reads, so that nothing is stated about a row in two places. Constant folding is not in the table; it is the `computes`
//! column of the operation table. Passes call [`rewrite`] with an instruction and build the replacement that it returns.
//!
//! Arithmetic rows are componentwise: each component of both sides depends only on the same component of the operands, by the
//! same function. A proof about scalars therefore applies to vectors. [`Replacement`] describes where scalars must be widened.

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
