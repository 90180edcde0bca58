//! The rewrite table, and the matcher that applies it.
//!
//! Rule: every rewrite of a single instruction is a row of [`ROWS`] in `table/rows.rs`. A row has a pattern, conditions, a
//! replacement, required assumptions and a guarantee. The tests in `tests/it` prove each row from the data that the matcher
//! reads, so no property of a row is stated twice. Constant folding is not in the rewrite table but in the `computes` column of
//! the operation table. A pass calls [`rewrite`] with an instruction and builds the returned replacement.
//!
//! Arithmetic rows are componentwise: each component of either side depends only on the same component of the operands. A proof
//! of an arithmetic row for scalars therefore also covers vectors. [`Replacement`] describes when scalars must be widened.

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
