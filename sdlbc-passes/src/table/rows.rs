//! The rows of the rewrite table, in the notation that [`crate::rows!`] explains.
//!
//! Rule: of two rows that match, the earlier row is applied. Each row makes the code shorter or cheaper, or produces a form that
//! other rows match, and no rows undo each other. The caller folds the operations of a replacement whose operands are all
//! constants.

use sdlbc::Scalar::{self, Bool, Float, Half, Int, Uint};

use super::Row;

const FLOATS: &[Scalar] = &[Float, Half];
const INTS: &[Scalar] = &[Int, Uint];
const SIGNED: &[Scalar] = &[Float, Half, Int];
const INT: &[Scalar] = &[Int];
const UINT: &[Scalar] = &[Uint];
const NUMBERS: &[Scalar] = &[Float, Half, Int, Uint];
const SCALARS: &[Scalar] = &[Float, Half, Int, Uint, Bool];
const BOOLS: &[Scalar] = &[Bool];

/// Every row of the rewrite table, in order of precedence.
#[rustfmt::skip]
pub const ROWS: &[Row] = crate::rows! {
    // Rewrites of signs and absolute values.
    negate_negate SIGNED (Negate (Negate x)) => x;
    negate_subtract_ints INT (Negate (Subtract x y)) => (Subtract y x);
    negate_subtract FLOATS (Negate (Subtract x y)) => (Subtract y x), needs [NO_SIGNED_ZERO], by Random;
    negate_multiply SIGNED (Negate (Multiply x a)) => (Multiply x (Negate a));
    negate_divide FLOATS (Negate (Divide x a)) => (Divide x (Negate a));
    negate_divided FLOATS (Negate (Divide a x)) => (Divide (Negate a) x);
    abs_unsigned FLOATS (Abs x) => x, if [Unsigned(x)];
    abs_non_negative FLOATS (Abs x) => x, if [NonNegative(x)], needs [NO_SIGNED_ZERO];
    abs_uint UINT (Abs x) => x;
    abs_abs NUMBERS (Abs (Abs x)) => (Abs x);
    abs_negate SIGNED (Abs (Negate x)) => (Abs x);
    abs_square FLOATS (Abs (Multiply x x)) => (Multiply x x);
    log2_abs_non_negative FLOATS (Log2 (Abs x)) => (Log2 x), if [NonNegative(x)], keeps Permitted, by Random;
    sign_sign SIGNED (Sign (Sign x)) => (Sign x);
    cos_negate FLOATS (Cos (Negate x)) => (Cos x), keeps Permitted, by Random;
    cos_abs FLOATS (Cos (Abs x)) => (Cos x), keeps Permitted, by Random;

    // Rewrites of sums and differences.
    add_minus_zero FLOATS (Add x [-0.0]) => x;
    add_zero FLOATS (Add x 0.0) => x, needs [NO_SIGNED_ZERO];
    add_zero_ints INTS (Add x 0) => x;
    add_negate SIGNED (Add x (Negate y)) => (Subtract x y);
    add_add_ints INTS (Add (Add x a) b) => (Add x (Add a b));
    add_subtract_ints INTS (Add (Subtract x y) y) => x;
    add_product FLOATS (Add (Multiply x y) z) => (Mad x y z), needs [FUSE], keeps Permitted;
    add_selected FLOATS (Add (Select p x 0.0) (Select p 0.0 y)) => (Select p x y), needs [NO_SIGNED_ZERO];
    subtract_zero FLOATS (Subtract x 0.0) => x;
    subtract_minus_zero FLOATS (Subtract x [-0.0]) => x, needs [NO_SIGNED_ZERO];
    subtract_zero_ints INTS (Subtract x 0) => x;
    subtract_from_minus_zero FLOATS (Subtract [-0.0] x) => (Negate x);
    subtract_from_zero FLOATS (Subtract 0.0 x) => (Negate x), needs [NO_SIGNED_ZERO];
    subtract_from_zero_int INT (Subtract 0 x) => (Negate x);
    subtract_negate SIGNED (Subtract x (Negate y)) => (Add x y);
    subtract_itself_ints INTS (Subtract x x) => 0;
    subtract_itself FLOATS (Subtract x x) => 0.0, needs [FINITE];
    subtract_constant_ints INTS (Subtract x a) => (Add x (Subtract 0 a));
    subtract_sum_ints INTS (Subtract (Add x y) y) => x;
    subtract_truth FLOATS (Subtract 1.0 (number p)) => (number (Not p));
    subtract_fract FLOATS (Subtract x (Fract x)) => (Floor x), needs [FINITE];
    subtract_floor FLOATS (Subtract x (Floor x)) => (Fract x), keeps Permitted;

    // Rewrites of products, quotients and remainders, and of MAD, DOT and MIX.
    multiply_one NUMBERS (Multiply x 1) => x;
    multiply_minus_one SIGNED (Multiply x [-1]) => (Negate x);
    multiply_zero_ints INTS (Multiply x 0) => 0;
    multiply_zero FLOATS (Multiply x 0.0) => 0.0, needs [FINITE, NO_SIGNED_ZERO];
    multiply_minus_zero FLOATS (Multiply x [-0.0]) => 0.0, needs [FINITE, NO_SIGNED_ZERO];
    multiply_negates SIGNED (Multiply (Negate x) (Negate y)) => (Multiply x y);
    multiply_negate SIGNED (Multiply (Negate x) a) => (Multiply x (Negate a));
    multiply_abs FLOATS (Multiply (Abs x) (Abs x)) => (Multiply x x);
    multiply_truths FLOATS (Multiply (number p) (number q)) => (number (LogicalAnd p q));
    multiply_truth FLOATS (Multiply x (number p)) => (Select p x 0.0), needs [FINITE, NO_SIGNED_ZERO];
    multiply_multiply_ints INTS (Multiply (Multiply x a) b) => (Multiply x (Multiply a b));
    divide_one NUMBERS (Divide x 1) => x;
    divide_minus_one SIGNED (Divide x [-1]) => (Negate x);
    divide_power_of_two FLOATS (Divide x a) => (Multiply x (Divide 1.0 a)), if [PowerOfTwo(a)], keeps Permitted;
    divide_negates FLOATS (Divide (Negate x) (Negate y)) => (Divide x y);
    divide_negate FLOATS (Divide (Negate x) a) => (Divide x (Negate a));
    divide_negated FLOATS (Divide a (Negate x)) => (Divide (Negate a) x);
    divide_zero_ints INTS (Divide 0 x) => 0;
    divide_zero FLOATS (Divide 0.0 x) => 0.0, needs [FINITE, NO_SIGNED_ZERO];
    divide_itself FLOATS (Divide x x) => 1.0, needs [FINITE];
    divide_by_root FLOATS (Divide 1.0 (Sqrt x)) => (Rsqrt x), keeps Permitted;
    modulo_one_ints INTS (Modulo x 1) => 0;
    modulo_minus_one INT (Modulo x [-1]) => 0;
    modulo_power_of_two UINT (Modulo x a) => (BinaryAnd x (Subtract a 1)), if [PowerOfTwo(a)];
    mad_one NUMBERS (Mad x 1 y) => (Add x y), by Random;
    mad_one_first NUMBERS (Mad 1 x y) => (Add x y), by Random;
    mad_minus_one SIGNED (Mad x [-1] y) => (Subtract y x), by Random;
    mad_minus_one_first SIGNED (Mad [-1] x y) => (Subtract y x), by Random;
    mad_minus_zero FLOATS (Mad x y [-0.0]) => (Multiply x y), by Random;
    mad_of_zero FLOATS (Mad x y 0.0) => (Multiply x y), needs [NO_SIGNED_ZERO], by Random;
    mad_of_zero_ints INTS (Mad x y 0) => (Multiply x y);
    mad_zero FLOATS (Mad x 0.0 y) => y, needs [FINITE, NO_SIGNED_ZERO];
    mad_zero_first FLOATS (Mad 0.0 x y) => y, needs [FINITE, NO_SIGNED_ZERO];
    mad_zero_ints INTS (Mad x 0 y) => y;
    mad_zero_first_ints INTS (Mad 0 x y) => y;
    mad_negates SIGNED (Mad (Negate x) (Negate y) z) => (Mad x y z), by Random;
    dot_negates FLOATS (Dot (Negate x) (Negate y)) => (Dot x y);
    dot_abs FLOATS (Dot (Abs x) (Abs x)) => (Dot x x);
    mix_zero FLOATS (Mix x y 0.0) => x, needs [FINITE, NO_SIGNED_ZERO];
    mix_one FLOATS (Mix x y 1.0) => y, needs [FINITE, NO_SIGNED_ZERO];
    mix_truth FLOATS (Mix x y (number p)) => (Select p y x), needs [FINITE, NO_SIGNED_ZERO];

    // Rewrites of powers.
    pow_zero FLOATS (Pow x 0.0) => 1.0, keeps Permitted, by Random;
    pow_one FLOATS (Pow x 1.0) => x, keeps Permitted, by Random;
    pow_two FLOATS (Pow x 2.0) => (Multiply x x), keeps Permitted, by Random;
    pow_half FLOATS (Pow x 0.5) => (Sqrt x), if [Unsigned(x)], keeps Permitted, by Random;
    pow_minus_one FLOATS (Pow x [-1.0]) => (Divide 1.0 x), keeps Permitted, by Random;
    pow_of_one FLOATS (Pow 1.0 x) => 1.0, keeps Permitted, by Random;

    // Rewrites of rounding operations.
    floor_whole FLOATS (Floor x) => x, if [Whole(x)];
    ceil_whole FLOATS (Ceil x) => x, if [Whole(x)];
    trunc_whole FLOATS (Trunc x) => x, if [Whole(x)];
    round_whole FLOATS (Round x) => x, if [Whole(x)];
    round_even_whole FLOATS (RoundEven x) => x, if [Whole(x)];
    fract_whole FLOATS (Fract x) => 0.0, if [Whole(x)], needs [FINITE];
    floor_negate FLOATS (Floor (Negate x)) => (Negate (Ceil x));
    ceil_negate FLOATS (Ceil (Negate x)) => (Negate (Floor x));

    // Rewrites of minima and maxima.
    min_itself NUMBERS (Min x x) => x;
    max_itself NUMBERS (Max x x) => x;
    min_min FLOATS (Min (Min x a) b) => (Min x (Min a b)), if [Nonzero(a), Nonzero(b)], keeps Permitted;
    max_max FLOATS (Max (Max x a) b) => (Max x (Max a b)), if [Nonzero(a), Nonzero(b)], keeps Permitted;
    min_min_ints INTS (Min (Min x a) b) => (Min x (Min a b));
    max_max_ints INTS (Max (Max x a) b) => (Max x (Max a b));
    min_min_again NUMBERS (Min (Min x y) y) => (Min x y), order Fixed;
    max_max_again NUMBERS (Max (Max x y) y) => (Max x y), order Fixed;
    min_min_any FLOATS (Min (Min x y) y) => (Min x y), needs [NO_SIGNED_ZERO], keeps Permitted;
    max_max_any FLOATS (Max (Max x y) y) => (Max x y), needs [NO_SIGNED_ZERO], keeps Permitted;
    min_max FLOATS (Min (Max x a) b) => (Clamp x a b), if [Ascending(a, b)], keeps Permitted, order Fixed;
    min_max_nonzero FLOATS (Min (Max x a) b) => (Clamp x a b), if [Ascending(a, b), Nonzero(a), Nonzero(b)], keeps Permitted;
    min_max_any FLOATS (Min (Max x a) b) => (Clamp x a b), if [Ascending(a, b)], needs [NO_SIGNED_ZERO], keeps Permitted;
    max_min FLOATS (Max (Min x b) a) => (Clamp x a b), if [Ascending(a, b)], needs [FINITE, NO_SIGNED_ZERO], keeps Permitted;
    min_max_ints INTS (Min (Max x a) b) => (Clamp x a b), if [Ascending(a, b)];
    max_min_ints INTS (Max (Min x b) a) => (Clamp x a b), if [Ascending(a, b)];
    max_zero FLOATS (Max x 0.0) => x, if [Number(x), Unsigned(x)];
    max_zero_non_negative FLOATS (Max x 0.0) => x, if [NonNegative(x)], needs [FINITE, NO_SIGNED_ZERO];
    min_one FLOATS (Min x 1.0) => x, if [Number(x), Unit(x)];
    min_one_unit FLOATS (Min x 1.0) => x, if [Unit(x)], needs [FINITE];
    max_zero_uint UINT (Max x 0) => x;
    min_zero_uint UINT (Min x 0) => 0;
    max_negate FLOATS (Max x (Negate x)) => (Abs x), needs [NO_SIGNED_ZERO], keeps Permitted;
    min_negate FLOATS (Min x (Negate x)) => (Negate (Abs x)), needs [NO_SIGNED_ZERO], keeps Permitted;
    max_truths FLOATS (Max (number p) (number q)) => (number (LogicalOr p q));
    min_truths FLOATS (Min (number p) (number q)) => (number (LogicalAnd p q));
    max_negates FLOATS (Max (Negate x) (Negate y)) => (Negate (Min x y)), needs [NO_SIGNED_ZERO], keeps Permitted;
    min_negates FLOATS (Min (Negate x) (Negate y)) => (Negate (Max x y)), needs [NO_SIGNED_ZERO], keeps Permitted;
    saturate_unit FLOATS (Clamp x 0.0 1.0) => x, if [Number(x), Unsigned(x), Unit(x)];
    saturate_unit_or_nan FLOATS (Clamp x 0.0 1.0) => x, if [Unit(x)], needs [FINITE, NO_SIGNED_ZERO];
    saturate_number FLOATS (Clamp x 0.0 1.0) => (Min x 1.0), if [Number(x), Unsigned(x)], keeps Permitted;
    saturate_non_negative FLOATS (Clamp x 0.0 1.0) => (Min x 1.0), if [NonNegative(x)], needs [FINITE, NO_SIGNED_ZERO], keeps Permitted;
    clamp_clamp NUMBERS (Clamp (Clamp x a b) a b) => (Clamp x a b), if [Below(a, b)], keeps Permitted;
    clamp_max NUMBERS (Clamp (Max x a) a b) => (Clamp x a b), if [Ascending(a, b)], keeps Permitted, order Fixed;
    clamp_max_any FLOATS (Clamp (Max x a) a b) => (Clamp x a b), if [Ascending(a, b)], needs [NO_SIGNED_ZERO], keeps Permitted;
    clamp_min FLOATS (Clamp (Min x b) a b) => (Clamp x a b), if [Ascending(a, b)], needs [FINITE, NO_SIGNED_ZERO], keeps Permitted;
    clamp_min_ints INTS (Clamp (Min x b) a b) => (Clamp x a b), if [Ascending(a, b)];
    max_clamp NUMBERS (Max (Clamp x a b) a) => (Clamp x a b), if [Below(a, b)], keeps Permitted, order Fixed;
    min_clamp NUMBERS (Min (Clamp x a b) b) => (Clamp x a b), if [Below(a, b)], keeps Permitted, order Fixed;

    // Rewrites of comparisons.
    equal_itself_ints INTS (Equal x x) => true;
    equal_itself FLOATS (Equal x x) => true, needs [FINITE];
    not_equal_itself_ints INTS (NotEqual x x) => false;
    not_equal_itself FLOATS (NotEqual x x) => false, needs [FINITE];
    less_itself NUMBERS (LessThan x x) => false;
    greater_itself NUMBERS (GreaterThan x x) => false;
    less_or_equal_itself_ints INTS (LessThanOrEqual x x) => true;
    less_or_equal_itself FLOATS (LessThanOrEqual x x) => true, needs [FINITE];
    greater_or_equal_itself_ints INTS (GreaterThanOrEqual x x) => true;
    greater_or_equal_itself FLOATS (GreaterThanOrEqual x x) => true, needs [FINITE];
    less_zero_uint UINT (LessThan x 0) => false;
    greater_or_equal_zero_uint UINT (GreaterThanOrEqual x 0) => true;
    less_zero_abs FLOATS (LessThan (Abs x) 0.0) => false;
    less_zero_non_negative FLOATS (LessThan x 0.0) => false, if [NonNegative(x)];
    greater_or_equal_zero_number FLOATS (GreaterThanOrEqual x 0.0) => true, if [NonNegative(x), Number(x)];
    greater_or_equal_zero_non_negative FLOATS (GreaterThanOrEqual x 0.0) => true, if [NonNegative(x)], needs [FINITE];
    equal_zero_abs FLOATS (Equal (Abs x) 0.0) => (Equal x 0.0);
    not_equal_zero_abs FLOATS (NotEqual (Abs x) 0.0) => (NotEqual x 0.0);
    less_difference FLOATS (LessThan (Subtract x y) 0.0) => (LessThan x y);
    greater_difference FLOATS (GreaterThan (Subtract x y) 0.0) => (GreaterThan x y);
    less_or_equal_difference FLOATS (LessThanOrEqual (Subtract x y) 0.0) => (LessThanOrEqual x y), needs [FINITE];
    greater_or_equal_difference FLOATS (GreaterThanOrEqual (Subtract x y) 0.0) => (GreaterThanOrEqual x y), needs [FINITE];
    equal_difference FLOATS (Equal (Subtract x y) 0.0) => (Equal x y), needs [FINITE];
    not_equal_difference FLOATS (NotEqual (Subtract x y) 0.0) => (NotEqual x y), needs [FINITE];
    equal_difference_ints INTS (Equal (Subtract x y) 0) => (Equal x y);
    not_equal_difference_ints INTS (NotEqual (Subtract x y) 0) => (NotEqual x y);
    less_sum FLOATS (LessThan (Add x a) 0.0) => (LessThan x (Negate a));
    greater_sum FLOATS (GreaterThan (Add x a) 0.0) => (GreaterThan x (Negate a));
    less_negates FLOATS (LessThan (Negate x) (Negate y)) => (GreaterThan x y);
    greater_negates FLOATS (GreaterThan (Negate x) (Negate y)) => (LessThan x y);
    less_or_equal_negates FLOATS (LessThanOrEqual (Negate x) (Negate y)) => (GreaterThanOrEqual x y);
    greater_or_equal_negates FLOATS (GreaterThanOrEqual (Negate x) (Negate y)) => (LessThanOrEqual x y);
    equal_negates SIGNED (Equal (Negate x) (Negate y)) => (Equal x y);
    not_equal_negates SIGNED (NotEqual (Negate x) (Negate y)) => (NotEqual x y);
    less_negate FLOATS (LessThan (Negate x) a) => (GreaterThan x (Negate a));
    greater_negate FLOATS (GreaterThan (Negate x) a) => (LessThan x (Negate a));
    less_or_equal_negate FLOATS (LessThanOrEqual (Negate x) a) => (GreaterThanOrEqual x (Negate a));
    greater_or_equal_negate FLOATS (GreaterThanOrEqual (Negate x) a) => (LessThanOrEqual x (Negate a));
    equal_negate SIGNED (Equal (Negate x) a) => (Equal x (Negate a));
    not_equal_negate SIGNED (NotEqual (Negate x) a) => (NotEqual x (Negate a));
    less_constant_first NUMBERS (LessThan a x) => (GreaterThan x a);
    greater_constant_first NUMBERS (GreaterThan a x) => (LessThan x a);
    less_or_equal_constant_first NUMBERS (LessThanOrEqual a x) => (GreaterThanOrEqual x a);
    greater_or_equal_constant_first NUMBERS (GreaterThanOrEqual a x) => (LessThanOrEqual x a);

    // Rewrites of comparisons with bools that were converted to numbers, such as the results of AGAL's `slt`, `sge`, `seq` and
    // `sne`.
    not_equal_zero_truth NUMBERS (NotEqual (number p) 0) => p;
    equal_zero_truth NUMBERS (Equal (number p) 0) => (Not p);
    equal_one_truth NUMBERS (Equal (number p) 1) => p;
    not_equal_one_truth NUMBERS (NotEqual (number p) 1) => (Not p);
    equal_truths NUMBERS (Equal (number p) (number q)) => (Equal p q);
    not_equal_truths NUMBERS (NotEqual (number p) (number q)) => (NotEqual p q);
    less_truth FLOATS (LessThan (number p) a) => (Not p), if [UpToOne(a)];
    greater_or_equal_truth FLOATS (GreaterThanOrEqual (number p) a) => p, if [UpToOne(a)];
    greater_truth FLOATS (GreaterThan (number p) a) => p, if [BelowOne(a)];
    less_or_equal_truth FLOATS (LessThanOrEqual (number p) a) => (Not p), if [BelowOne(a)];

    // Rewrites of type conversions.
    truth_of_truth NUMBERS (to Bool (number p)) => p;
    float_of_int_truth BOOLS (to Float (to Int p)) => (to Float p);
    int_of_float_truth BOOLS (to Int (to Float p)) => (to Int p);
    int_of_uint INT (to Int (to Uint x)) => x;
    uint_of_int UINT (to Uint (to Int x)) => x;
    same_type SCALARS (number x) => x;
    truth_of_negate FLOATS (to Bool (Negate x)) => (to Bool x);
    truth_of_abs FLOATS (to Bool (Abs x)) => (to Bool x);

    // Rewrites of logical operations.
    not_not BOOLS (Not (Not p)) => p;
    not_equal_not SCALARS (Not (Equal x y)) => (NotEqual x y);
    not_not_equal SCALARS (Not (NotEqual x y)) => (Equal x y);
    not_less_ints INTS (Not (LessThan x y)) => (GreaterThanOrEqual x y);
    not_greater_ints INTS (Not (GreaterThan x y)) => (LessThanOrEqual x y);
    not_less_or_equal_ints INTS (Not (LessThanOrEqual x y)) => (GreaterThan x y);
    not_greater_or_equal_ints INTS (Not (GreaterThanOrEqual x y)) => (LessThan x y);
    not_less FLOATS (Not (LessThan x y)) => (GreaterThanOrEqual x y), needs [FINITE];
    not_greater FLOATS (Not (GreaterThan x y)) => (LessThanOrEqual x y), needs [FINITE];
    not_less_or_equal FLOATS (Not (LessThanOrEqual x y)) => (GreaterThan x y), needs [FINITE];
    not_greater_or_equal FLOATS (Not (GreaterThanOrEqual x y)) => (LessThan x y), needs [FINITE];
    and_true BOOLS (LogicalAnd p true) => p;
    and_false BOOLS (LogicalAnd p false) => false;
    and_itself BOOLS (LogicalAnd p p) => p;
    and_not_itself BOOLS (LogicalAnd p (Not p)) => false;
    and_and BOOLS (LogicalAnd (LogicalAnd p q) q) => (LogicalAnd p q);
    and_or BOOLS (LogicalAnd (LogicalOr p q) q) => q;
    and_nots BOOLS (LogicalAnd (Not p) (Not q)) => (Not (LogicalOr p q));
    or_true BOOLS (LogicalOr p true) => true;
    or_false BOOLS (LogicalOr p false) => p;
    or_itself BOOLS (LogicalOr p p) => p;
    or_not_itself BOOLS (LogicalOr p (Not p)) => true;
    or_or BOOLS (LogicalOr (LogicalOr p q) q) => (LogicalOr p q);
    or_and BOOLS (LogicalOr (LogicalAnd p q) q) => q;
    or_nots BOOLS (LogicalOr (Not p) (Not q)) => (Not (LogicalAnd p q));
    equal_true BOOLS (Equal p true) => p;
    equal_false BOOLS (Equal p false) => (Not p);
    not_equal_true BOOLS (NotEqual p true) => (Not p);
    not_equal_false BOOLS (NotEqual p false) => p;
    equal_itself_bools BOOLS (Equal p p) => true;
    not_equal_itself_bools BOOLS (NotEqual p p) => false;
    equal_nots BOOLS (Equal (Not p) (Not q)) => (Equal p q);
    equal_not BOOLS (Equal (Not p) q) => (NotEqual p q);
    not_equal_not_bools BOOLS (NotEqual (Not p) q) => (Equal p q);
    all_one BOOLS (All p) => p, if [Scalar(p)];
    any_one BOOLS (Any p) => p, if [Scalar(p)];

    // Rewrites of SELECT.
    select_true SCALARS (Select true x y) => x;
    select_false SCALARS (Select false x y) => y;
    select_same SCALARS (Select p x x) => x;
    select_not SCALARS (Select (Not p) x y) => (Select p y x);
    select_first_again SCALARS (Select p (Select p x y) z) => (Select p x z);
    select_second_again SCALARS (Select p x (Select p y z)) => (Select p x z);
    select_and SCALARS (Select p (Select q x y) y) => (Select (LogicalAnd p q) x y);
    select_or SCALARS (Select p x (Select q x y)) => (Select (LogicalOr p q) x y);
    select_numbers NUMBERS (Select p 1 0) => (number p);
    select_numbers_reversed NUMBERS (Select p 0 1) => (number (Not p));
    select_bools BOOLS (Select p true false) => p;
    select_bools_reversed BOOLS (Select p false true) => (Not p);
    select_true_or BOOLS (Select p true q) => (LogicalOr p q);
    select_and_false BOOLS (Select p q false) => (LogicalAnd p q);
    select_false_and BOOLS (Select p false q) => (LogicalAnd (Not p) q);
    select_or_true BOOLS (Select p q true) => (LogicalOr (Not p) q);
    select_truths NUMBERS (Select p (number q) (number r)) => (number (Select p q r));
    select_truth_zero NUMBERS (Select p (number q) 0) => (number (LogicalAnd p q));
    select_one_truth NUMBERS (Select p 1 (number q)) => (number (LogicalOr p q));
    select_equal_ints INTS (Select (Equal x y) x y) => y;
    select_equal FLOATS (Select (Equal x y) x y) => y, needs [NO_SIGNED_ZERO];
    select_not_equal_ints INTS (Select (NotEqual x y) x y) => x;
    select_not_equal FLOATS (Select (NotEqual x y) x y) => x, needs [NO_SIGNED_ZERO];
    select_less_ints INTS (Select (LessThan x y) x y) => (Min x y);
    select_greater_ints INTS (Select (GreaterThan x y) x y) => (Max x y);
    select_less FLOATS (Select (LessThan x y) x y) => (Min x y), needs [FINITE, NO_SIGNED_ZERO], keeps Permitted;
    select_greater FLOATS (Select (GreaterThan x y) x y) => (Max x y), needs [FINITE, NO_SIGNED_ZERO], keeps Permitted;
    select_less_reversed FLOATS (Select (LessThan x y) y x) => (Max x y), needs [FINITE, NO_SIGNED_ZERO], keeps Permitted;
    select_greater_reversed FLOATS (Select (GreaterThan x y) y x) => (Min x y), needs [FINITE, NO_SIGNED_ZERO], keeps Permitted;
    select_or_equal_less FLOATS (Select (LessThanOrEqual x y) x y) => (Min x y), needs [FINITE, NO_SIGNED_ZERO], keeps Permitted;
    select_or_equal_greater FLOATS (Select (GreaterThanOrEqual x y) x y) => (Max x y), needs [FINITE, NO_SIGNED_ZERO], keeps Permitted;
    select_less_zero FLOATS (Select (LessThan x 0.0) (Negate x) x) => (Abs x), needs [NO_SIGNED_ZERO];
    select_greater_or_equal_zero FLOATS (Select (GreaterThanOrEqual x 0.0) x (Negate x)) => (Abs x), needs [NO_SIGNED_ZERO];
    select_truth_itself NUMBERS (Select p (number p) x) => (Select p 1 x);
    select_itself_truth NUMBERS (Select p x (number p)) => (Select p x 0);

    // Rewrites of bitwise operations and shifts.
    complement_complement INTS (Complement (Complement x)) => x;
    binary_and_zero INTS (BinaryAnd x 0) => 0;
    binary_and_ones INTS (BinaryAnd x [-1]) => x;
    binary_and_itself INTS (BinaryAnd x x) => x;
    binary_and_complement INTS (BinaryAnd x (Complement x)) => 0;
    binary_and_and INTS (BinaryAnd (BinaryAnd x a) b) => (BinaryAnd x (BinaryAnd a b));
    binary_and_or INTS (BinaryAnd (BinaryOr x y) y) => y;
    binary_or_zero INTS (BinaryOr x 0) => x;
    binary_or_ones INTS (BinaryOr x [-1]) => [-1];
    binary_or_itself INTS (BinaryOr x x) => x;
    binary_or_complement INTS (BinaryOr x (Complement x)) => [-1];
    binary_or_or INTS (BinaryOr (BinaryOr x a) b) => (BinaryOr x (BinaryOr a b));
    binary_or_and INTS (BinaryOr (BinaryAnd x y) y) => y;
    binary_xor_zero INTS (BinaryXor x 0) => x;
    binary_xor_ones INTS (BinaryXor x [-1]) => (Complement x);
    binary_xor_itself INTS (BinaryXor x x) => 0;
    binary_xor_xor INTS (BinaryXor (BinaryXor x a) b) => (BinaryXor x (BinaryXor a b));
    binary_xor_twice INTS (BinaryXor (BinaryXor x y) y) => x;
    equal_xor_zero INTS (Equal (BinaryXor x y) 0) => (Equal x y);
    shift_left_zero INTS (ShiftLeft x 0) => x;
    shift_right_zero INTS (ShiftRight x 0) => x;
    shift_left_of_zero INTS (ShiftLeft 0 x) => 0;
    shift_right_of_zero INTS (ShiftRight 0 x) => 0;
    shift_right_of_ones INT (ShiftRight [-1] x) => [-1];
};
