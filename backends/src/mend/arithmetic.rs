//! Mends the arithmetic functions and numeric conversions that naga writes into HLSL and MSL.

use crate::mend::text::replaced;

/// The functions that naga defines in HLSL and MSL because the language's own result is undefined for some operands, and the
/// names that replace naga's names.
///
/// Upstream fault `own_functions`: the names of `naga_div` and other functions (`back/hlsl/help.rs` and
/// `back/msl/writer.rs`) contain the library's name, and no option changes these names.
pub(crate) const OWN_FUNCTIONS: [(&str, &str); 6] = [
    ("naga_abs", "absolute"),
    ("naga_div", "quotient"),
    ("naga_f2i32", "to_int"),
    ("naga_f2u32", "to_uint"),
    ("naga_mod", "remainder"),
    ("naga_neg", "negative"),
];

/// The clamps in naga's float-to-integer conversions. Each row has naga's form of a clamp, with limits rounded to the shortest
/// decimals, and the same clamp with all digits of the limits.
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

/// The largest offset that can be added to a converted float without overflow. naga's conversion returns at most 2147483520, the
/// largest float below 2^31.
const SAFE_OFFSET: u32 = 127;

/// Adds offsets to indices without naga's conversion to unsigned numbers and back. Only an index in a variable that contains a
/// converted float is changed, because the sum then cannot overflow. The array parameter contains naga's text before, between and
/// after the operands of a sum.
///
/// Upstream fault `offset_conversions`: the sum of two ints (`BinaryOperator::Add` in `back/{hlsl,msl}/writer.rs`) is computed
/// with uints, even if the sum cannot overflow.
pub(crate) fn plain_offsets(text: &str, [before, between, after]: [&str; 3]) -> String {
    replaced(text, before, |plain, sum| {
        let (index, rest) = sum.split_once(between)?;
        let (offset, rest) = rest.split_once(after)?;
        let converted = plain.contains(&format!("int {index} = naga_f2i32("));
        let fits = offset.parse().is_ok_and(|offset: u32| offset <= SAFE_OFFSET);
        (converted && fits).then(|| (format!("{index} + {offset}").into(), rest))
    })
}
