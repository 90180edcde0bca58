//! Converts numbers to and from strings, following ActionScript's rules.

use std::iter::successors;
use std::sync::LazyLock;

use regex::Regex;

use crate::strings::pattern;

/// Converts a number to its shortest round-trip decimal form. Numbers below 1e-6, and numbers from 1e21 upwards, have an
/// exponent.
pub(crate) fn text(number: f64) -> String {
    if !number.is_finite() {
        return number.to_string().replace("inf", "Infinity");
    }
    if number == 0.0 {
        return "0".to_string();
    }
    if (1e-6..1e21).contains(&number.abs()) {
        return format!("{number}");
    }
    let text = format!("{number:e}");
    match text.split_once('e') {
        Some((digits, exponent)) if !exponent.starts_with('-') => format!("{digits}e+{exponent}"),
        _ => text,
    }
}

/// Converts a number to a string in a base from 2 to 36, as `toString` does. Any other base counts as 10. Fractions are
/// truncated, except in base 10.
pub(crate) fn in_base(number: f64, base: u32) -> String {
    if base == 10 || !number.is_finite() || !(2..=36).contains(&base) {
        return text(number);
    }
    let divided = |left: &f64| Some((left / f64::from(base)).trunc()).filter(|left| *left >= 1.0);
    let digit = |left: f64| char::from_digit(uint32(left % f64::from(base)), base).unwrap_or('0');
    let digits = successors(Some(number.abs().trunc()), divided).map(digit);
    let sign = (number < 0.0).then_some('-');
    digits.chain(sign).collect::<Vec<char>>().into_iter().rev().collect()
}

/// Converts a string to a number, or to NaN if the string is not numeric.
pub(crate) fn parse(text: &str) -> f64 {
    let text = text.trim();
    match text {
        "" => return 0.0,
        "Infinity" | "+Infinity" => return f64::INFINITY,
        "-Infinity" => return f64::NEG_INFINITY,
        _ => {}
    }
    if let Some(digits) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        return u64::from_str_radix(digits, 16)
            .ok()
            .filter(|_| !digits.starts_with('+'))
            .map_or(f64::NAN, |value| value as f64);
    }
    let plain = text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'+' | b'-' | b'.' | b'e' | b'E'));
    if plain { text.parse().unwrap_or(f64::NAN) } else { f64::NAN }
}

static NUMBER: LazyLock<Regex> = LazyLock::new(|| pattern(r"^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"));

/// Parses the number at the beginning of a string, as `parseFloat` does.
pub(crate) fn parse_float(text: &str) -> f64 {
    NUMBER.find(text.trim_start()).and_then(|number| number.as_str().parse().ok()).unwrap_or(f64::NAN)
}

/// Parses the integer at the beginning of a string, as `parseInt` does. If `base` is 0, a `0x` prefix selects base 16.
pub(crate) fn parse_int(text: &str, base: u32) -> f64 {
    let text = text.trim_start();
    let (sign, text) = match text.strip_prefix('-') {
        Some(rest) => (-1.0, rest),
        None => (1.0, text.strip_prefix('+').unwrap_or(text)),
    };
    let hexadecimal = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    let (base, text) = match (base, hexadecimal) {
        (0 | 16, Some(rest)) => (16, rest),
        (0, None) => (10, text),
        (base, _) => (base.clamp(2, 36), text),
    };
    let digits = text.chars().map_while(|letter| letter.to_digit(base)).map(f64::from);
    digits.reduce(|value, digit| value * f64::from(base) + digit).map_or(f64::NAN, |value| sign * value)
}

/// Truncates a number to a 64-bit integer. NaN becomes 0.
#[expect(clippy::cast_possible_truncation, reason = "the conversion truncates and saturates")]
pub(crate) fn to_i64(number: f64) -> i64 {
    number as i64
}

/// Converts a number to a signed 32-bit integer, modulo 2^32.
pub(crate) fn int32(number: f64) -> i32 {
    uint32(number).cast_signed()
}

/// Converts a number to an unsigned 32-bit integer, modulo 2^32.
pub(crate) fn uint32(number: f64) -> u32 {
    if !number.is_finite() {
        return 0;
    }
    let rest = number.trunc() % 4_294_967_296.0;
    u32::try_from(to_i64(if rest < 0.0 { rest + 4_294_967_296.0 } else { rest })).unwrap_or_default()
}

/// Converts a number to a string with a fixed number of decimal places, as `toFixed` does.
pub(crate) fn fixed(number: f64, digits: usize) -> String {
    if number.is_finite() && number.abs() < 1e21 { format!("{number:.*}", digits.min(20)) } else { text(number) }
}
