//! Wrong rows with plausible errors. Both provers must refute each wrong row with a counterexample.
//!
//! Rule: none of the wrong rows is in the rewrite table. A prover that accepts a wrong row proves nothing.

use sdlbc::Scalar::{self, Float, Int};
use sdlbc_passes::rows;
use sdlbc_passes::table::{ROWS, Row};
use testing::{Effort, Z3};

use crate::prover::exhaustive;
use crate::smt::HALF;
use crate::solver::proved_at;
use crate::tiny::{Tiny, values};

const FLOATS: &[Scalar] = &[Float];
const INT: &[Scalar] = &[Int];

#[rustfmt::skip]
const WRONG: &[Row] = rows! {
    // Rows that are wrong because -0.0 + 0.0 is 0.0.
    add_zero FLOATS (Add x 0.0) => x;
    subtract_from_zero FLOATS (Subtract 0.0 x) => (Negate x);
    negate_subtract FLOATS (Negate (Subtract x y)) => (Subtract y x);
    // Rows that are wrong for infinity or NaN.
    multiply_zero FLOATS (Multiply x 0.0) => 0.0;
    multiply_zero_finite FLOATS (Multiply x 0.0) => 0.0, needs [FINITE];
    multiply_zero_unsigned FLOATS (Multiply x 0.0) => 0.0, needs [NO_SIGNED_ZERO];
    subtract_itself FLOATS (Subtract x x) => 0.0;
    equal_itself FLOATS (Equal x x) => true;
    less_or_equal_difference FLOATS (LessThanOrEqual (Subtract x y) 0.0) => (LessThanOrEqual x y);
    subtract_fract FLOATS (Subtract x (Fract x)) => (Floor x);
    not_less FLOATS (Not (LessThan x y)) => (GreaterThanOrEqual x y);
    select_less FLOATS (Select (LessThan x y) x y) => (Min x y), keeps Permitted;
    select_less_finite FLOATS (Select (LessThan x y) x y) => (Min x y), needs [FINITE], keeps Permitted;
    max_min FLOATS (Max (Min x b) a) => (Clamp x a b), if [Ascending(a, b)], keeps Permitted;
    // Rows that are wrong because the order of the operands decides which zero is returned.
    min_max FLOATS (Min (Max x a) b) => (Clamp x a b), if [Ascending(a, b)], keeps Permitted;
    max_max_again FLOATS (Max (Max x y) x) => (Max x y), order Fixed;
    // Rows whose conditions allow values for which the sides differ.
    abs_non_negative FLOATS (Abs x) => x, if [NonNegative(x)];
    saturate_unit FLOATS (Clamp x 0.0 1.0) => x, if [Unit(x)], keeps Permitted;
    fract_whole FLOATS (Fract x) => 0.0, if [Whole(x)];
    less_truth FLOATS (LessThan (number p) a) => (Not p);
    // Rows whose two sides round differently.
    divide_constant FLOATS (Divide x a) => (Multiply x (Divide 1.0 a)), keeps Permitted;
    multiply_quotient FLOATS (Multiply x (Divide 1.0 y)) => (Divide x y), needs [FINITE, NO_SIGNED_ZERO];
    add_product_unfused FLOATS (Add (Multiply x y) z) => (Mad x y z);
    add_add FLOATS (Add (Add x a) b) => (Add x (Add a b)), needs [FINITE, NO_SIGNED_ZERO];
    fract_fract FLOATS (Fract (Fract x)) => (Fract x);
    // Rows with swapped operands or similar mistakes.
    subtract_swapped FLOATS (Subtract x (Negate y)) => (Subtract x y);
    select_not FLOATS (Select (Not p) x y) => (Select p x y);
    clamp_swapped FLOATS (Min (Max x a) b) => (Clamp x b a), if [Below(a, b)], keeps Permitted, order Fixed;
    // Rows that are wrong for the lowest int or for 0.
    abs_square_int INT (Abs (Multiply x x)) => (Multiply x x);
    less_difference_int INT (LessThan (Subtract x y) 0) => (LessThan x y);
    divide_itself_int INT (Divide x x) => 1;
    divide_power_of_two_int INT (Divide x 2) => (ShiftRight x 1);
};

#[test]
fn a_wrong_row_is_refuted_by_values_of_8_bits() {
    for row in WRONG {
        assert!(!ROWS.contains(row), "{} is in the table", row.name);
        let result = exhaustive(&Tiny, values, row, |total| total / 1_000_000);
        assert!(result.is_err(), "{}: {row}: not refuted by {result:?}", row.name);
    }
}

#[test]
fn a_wrong_row_is_refuted_by_the_solver() {
    if !Z3.is_there() {
        return;
    }
    for row in Effort::part_of("ROWS", WRONG) {
        // The solver finds counterexamples sooner for 16-bit floats.
        let answer = proved_at(row, row.scalars[0], HALF).err().unwrap_or_default();
        assert!(answer.contains(": sat for"), "{}: {row}: {answer}", row.name);
    }
}
