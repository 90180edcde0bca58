//! Functions and conversions of numbers that naga writes into HLSL and MSL.

use crate::mend::text::replaced;

/// The functions that naga defines in HLSL and MSL where the language's own result is undefined for some operands, and
/// the names that they get.
///
/// Upstream fault `own_functions`: `naga_div` and others (`back/hlsl/help.rs` and `back/msl/writer.rs`) have the name of the
/// library in them, and no option gives them another.
pub(crate) const OWN_FUNCTIONS: [(&str, &str); 6] = [
    ("naga_abs", "absolute"),
    ("naga_div", "quotient"),
    ("naga_f2i32", "to_int"),
    ("naga_f2u32", "to_uint"),
    ("naga_mod", "remainder"),
    ("naga_neg", "negative"),
];

/// The limits of naga's conversions to integers: the shortest decimal that is read as the same float, as naga writes
/// it, and the number in full, as a reader expects it.
const LIMITS: [(&str, &str); 2] = [
    ("clamp(value, -2147483600.0, 2147483500.0)", "clamp(value, -2147483648.0, 2147483520.0)"),
    ("clamp(value, 0.0, 4294967000.0)", "clamp(value, 0.0, 4294967040.0)"),
];

/// Writes the limits of conversions to integers with all their digits.
///
/// Upstream fault `rounded_limits`: `write_wrapped_cast_functions` in `back/hlsl/help.rs` and `Writer::write_wrapped_cast` in
/// `back/msl/writer.rs` write the limits as Rust's `{:?}` does, rounded to the shortest decimal.
pub(crate) fn exact_limits(text: &str) -> String {
    LIMITS.iter().fold(text.to_string(), |text, (short, exact)| text.replace(short, exact))
}

/// The largest offset that can be added to a float's integer part without an overflow: naga's conversion is at most the
/// largest float below 2 to the power of 31, which is 2147483520.
const SAFE_OFFSET: u32 = 127;

/// Adds offsets of indices without naga's conversion to unsigned numbers and back, where the sum cannot overflow: the index is
/// a variable that holds a converted float. The array has the text before, between and after the operands of such a sum.
///
/// Upstream fault `offset_conversions`: the sum of two ints (`BinaryOperator::Add` in `back/{hlsl,msl}/writer.rs`) is computed
/// with uints, also where it cannot overflow.
pub(crate) fn plain_offsets(text: &str, [before, between, after]: [&str; 3]) -> String {
    replaced(text, before, |plain, sum| {
        let (index, rest) = sum.split_once(between)?;
        let (offset, rest) = rest.split_once(after)?;
        let converted = plain.contains(&format!("int {index} = naga_f2i32("));
        let fits = offset.parse().is_ok_and(|offset: u32| offset <= SAFE_OFFSET);
        (converted && fits).then(|| (format!("{index} + {offset}").into(), rest))
    })
}
