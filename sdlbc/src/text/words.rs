//! Prints and parses the words of the text form: immediates, strings, names and types.
//!
//! Rule: the code that prints a word is next to the code that parses it, and parsing a printed word returns the same word.
//! `kinds.rs` prints and parses the kinds of inputs and outputs.

use std::fmt::{self, Write};

use crate::front::letter;
use crate::{Arity, Format, Op, Scalar, Type, TypeRule, module};

/// The notation in which an immediate is printed and parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// A number that is always written in hexadecimal.
    Bits,
    Number,
    Bool,
    Int,
    Uint,
    Float,
    /// A swizzle, written as one to four of the letters `xyzw`.
    Swizzle,
    Component,
    /// The value of a SWITCH case, or the offset of a PEEK, POKE or atomic operation: an int or an unsigned int.
    Case,
    /// A texel offset, written as two or three ints that the file packs into the bytes of one word.
    Offset,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unreadable {
    /// The word is in the wrong notation.
    Form,
    /// The word is a number that is too large or too small.
    Range,
}

impl Form {
    pub(super) fn of(op: Op) -> Form {
        match op.type_rule() {
            TypeRule::Literal(Scalar::Bool, _) => Form::Bool,
            TypeRule::Literal(Scalar::Int, _) => Form::Int,
            TypeRule::Literal(Scalar::Uint, _) => Form::Uint,
            TypeRule::Literal(Scalar::Float, _) => Form::Float,
            TypeRule::Literal(Scalar::Half, _) => Form::Bits,
            TypeRule::Swizzle => Form::Swizzle,
            TypeRule::Convert | TypeRule::Bitcast => Form::Component,
            TypeRule::Peek | TypeRule::Poke | TypeRule::Atomic | TypeRule::AtomicCompare => Form::Case,
            TypeRule::TextureOffset => Form::Offset,
            _ if op.shape().ignored => Form::Bits,
            _ => Form::Number,
        }
    }

    /// Describes the notation in error messages, for example as `a float`.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Form::Bits => "a word in hexadecimal",
            Form::Number => "a number",
            Form::Bool => "`true` or `false`",
            Form::Int | Form::Case | Form::Offset => "an int",
            Form::Uint => "an unsigned int",
            Form::Float => "a float",
            Form::Swizzle => "one to four letters of `xyzw`",
            Form::Component => "a component type",
        }
    }

    /// Prints a word in this notation, or in hexadecimal if the notation cannot represent the word.
    pub(super) fn show(self, word: u32) -> String {
        let short = match self {
            Form::Bits => None,
            Form::Number | Form::Uint => Some(word.to_string()),
            Form::Int | Form::Case => Some(word.cast_signed().to_string()),
            Form::Bool => match word {
                0 => Some("false".to_string()),
                1 => Some("true".to_string()),
                _ => None,
            },
            Form::Float => Some(f32::from_bits(word)).filter(|value| !value.is_nan()).map(|value| format!("{value:?}")),
            Form::Swizzle => show_swizzle(word),
            Form::Offset => show_offset(word),
            Form::Component => match Type::from_words(word, 0) {
                Some(Type::Vector(scalar, 1)) => Some(scalar.name().to_string()),
                _ => None,
            },
        };
        short.unwrap_or_else(|| format!("{word:#010x}"))
    }

    /// Parses a word in this notation, except a texel offset, which `Cursor::offset` parses.
    pub(super) fn read(self, text: &str) -> Result<u32, Unreadable> {
        if let Some(digits) = text.strip_prefix("0x") {
            return hexadecimal(digits);
        }
        match self {
            Form::Bits | Form::Offset => Err(Unreadable::Form),
            Form::Number | Form::Uint => {
                decimal(text).and_then(|value| u32::try_from(value).or(Err(Unreadable::Range)))
            }
            Form::Int => {
                let value = decimal(text)?;
                i32::try_from(value).map(i32::cast_unsigned).or(Err(Unreadable::Range))
            }
            Form::Case => Form::Int.read(text).or_else(|_| Form::Uint.read(text)),
            Form::Bool => match text {
                "false" => Ok(0),
                "true" => Ok(1),
                _ => Err(Unreadable::Form),
            },
            Form::Float => read_float(text),
            Form::Swizzle => read_swizzle(text).ok_or(Unreadable::Form),
            Form::Component => match Scalar::ALL.into_iter().find(|scalar| scalar.name() == text) {
                Some(scalar) => Ok(Type::Vector(scalar, 1).word()),
                None => Err(Unreadable::Form),
            },
        }
    }
}

pub(crate) fn immediate(op: Op, word: u32) -> String {
    Form::of(op).show(word)
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Parses one to eight hexadecimal digits.
fn hexadecimal(digits: &str) -> Result<u32, Unreadable> {
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err(Unreadable::Form);
    }
    if digits.len() > 8 {
        return Err(Unreadable::Range);
    }
    u32::from_str_radix(digits, 16).or(Err(Unreadable::Form))
}

fn decimal(text: &str) -> Result<i64, Unreadable> {
    if !is_digits(text.strip_prefix('-').unwrap_or(text)) {
        return Err(Unreadable::Form);
    }
    text.parse().or(Err(Unreadable::Range))
}

/// Parses a float: infinity, or digits with an optional fraction and an optional exponent.
fn read_float(text: &str) -> Result<u32, Unreadable> {
    let size = text.strip_prefix('-').unwrap_or(text);
    if size != "inf" {
        let (mantissa, exponent) = size.split_once(['e', 'E']).unwrap_or((size, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, "0"));
        if ![whole, fraction, exponent.strip_prefix(['+', '-']).unwrap_or(exponent)].into_iter().all(is_digits) {
            return Err(Unreadable::Form);
        }
    }
    let value: f32 = text.parse().or(Err(Unreadable::Form))?;
    if value.is_infinite() && size != "inf" { Err(Unreadable::Range) } else { Ok(value.to_bits()) }
}

/// Returns the letters of a `swizvals` word, or `None` if letters cannot represent all of its bits.
fn show_swizzle(word: u32) -> Option<String> {
    let lanes = module::lanes(word).collect::<Vec<_>>();
    let letters = lanes.iter().map(|&lane| letter(lane)).collect::<String>();
    (!lanes.is_empty() && module::swizvals(&lanes) == word).then_some(letters)
}

fn read_swizzle(text: &str) -> Option<u32> {
    if !(1..=4).contains(&text.len()) {
        return None;
    }
    let lane = |c| (0..4).find(|&lane| letter(lane) == c);
    let lanes = text.chars().map(lane).collect::<Option<Vec<u8>>>()?;
    Some(module::swizvals(&lanes))
}

/// Returns the numbers of a texel offset, omitting the third number if it is 0.
fn show_offset(word: u32) -> Option<String> {
    let [x, y, z] = module::texel_offset(word);
    let short = if z == 0 { format!("{x}, {y}") } else { format!("{x}, {y}, {z}") };
    (word >> 24 == 0).then_some(short)
}

/// Reports whether the text form omits the last input of an operation if that input is absent. An absent input of a PHI is
/// printed as `_` instead, because either input of a PHI may be absent.
pub(super) fn leaves_out_last(op: Op, inputs: usize) -> bool {
    op != Op::Phi && inputs.checked_sub(1).is_some_and(|last| op.may_lack(last))
}

/// Returns the number of inputs of an instruction that is written with `ids` ids, including an omitted last input. Returns `None`
/// if the operation does not allow this number of inputs.
pub(super) fn inputs_of_ids(op: Op, ids: usize) -> Option<usize> {
    let allowed = |inputs| op.shape().inputs.allows(inputs);
    if allowed(ids) {
        return Some(ids);
    }
    let more = ids.saturating_add(1);
    (allowed(more) && leaves_out_last(op, more)).then_some(more)
}

/// Returns the minimum and maximum number of operand ids with which an operation can be written.
pub(super) fn ids_of(op: Op) -> (usize, usize) {
    let shape = op.shape();
    if shape.inputs == Arity::Any && !shape.ignored {
        return (0, usize::MAX);
    }
    let mut counts = (0..=5).filter(|&count| inputs_of_ids(op, count).is_some());
    let fewest = counts.next().unwrap_or(0);
    (fewest, counts.next_back().unwrap_or(fewest))
}

/// Parses the printed form of any [`Type`] except an array, and also accepts `float1` for `float`.
pub(super) fn read_type(word: &str) -> Option<Type> {
    if let Some(ty) = textures().find(|ty| ty.to_string() == word) {
        return Some(ty);
    }
    let (scalar, width) =
        Scalar::ALL.into_iter().find_map(|scalar| Some((scalar, word.strip_prefix(scalar.name())?)))?;
    let number = |text: &str| if is_digits(text) { text.parse::<u8>().ok() } else { None };
    match width.split_once('x') {
        Some((columns, rows)) if scalar == Scalar::Float => {
            Some(Type::Matrix { columns: number(columns)?, rows: number(rows)? })
        }
        Some(_) => None,
        None if width.is_empty() => Some(Type::Vector(scalar, 1)),
        None => Some(Type::Vector(scalar, number(width)?)),
    }
}

fn textures() -> impl Iterator<Item = Type> {
    let of = |dimension| Format::ALL.into_iter().map(move |format| Type::Image(dimension, format));
    Type::TEXTURES.iter().copied().chain(Type::IMAGES.into_iter().flat_map(of))
}

/// Returns the names of all types except arrays, as candidates for "did you mean" suggestions.
pub(super) fn type_names() -> impl Iterator<Item = String> {
    let vectors = Scalar::ALL.into_iter().flat_map(|scalar| (1..=4).map(move |width| Type::Vector(scalar, width)));
    let matrices = (2..=4).flat_map(|columns| (2..=4).map(move |rows| Type::Matrix { columns, rows }));
    vectors.chain(matrices).chain(textures()).map(|ty| ty.to_string())
}

/// Displays text, escaping the characters that would break the line or change the text direction.
pub(super) struct Visible<'a>(pub(super) &'a str);

impl fmt::Display for Visible<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|c| show_character(c, f))
    }
}

fn show_character(c: char, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    // Line separators, byte order marks and characters that change the text direction are escaped.
    let breaks = matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}');
    match c {
        '\n' => f.write_str("\\n"),
        '\t' => f.write_str("\\t"),
        c if breaks || c.is_control() => write!(f, "\\u{{{:x}}}", u32::from(c)),
        c => f.write_char(c),
    }
}

pub(crate) struct Quoted<'a>(pub(crate) &'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        self.0.chars().try_for_each(|c| match c {
            '"' | '\\' => write!(f, "\\{c}"),
            c => show_character(c, f),
        })?;
        f.write_char('"')
    }
}

/// Parses a quoted string. The error is the byte range of the first invalid escape in `text`.
pub(super) fn unquoted(text: &str) -> Result<String, std::ops::Range<usize>> {
    let inside = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text);
    let start = usize::from(inside.len() < text.len());
    let mut string = String::with_capacity(inside.len());
    let mut rest = inside;
    while let Some((before, escape)) = rest.split_once('\\') {
        string.push_str(before);
        let (c, length) = unescaped(escape);
        let Some(c) = c else {
            let at = start + inside.len() - escape.len();
            return Err(at - 1..at + length);
        };
        string.push(c);
        rest = escape.get(length..).unwrap_or_default();
    }
    string.push_str(rest);
    Ok(string)
}

/// Returns the character that an escape denotes (`None` for an invalid escape) and the escape's length in bytes without its `\`.
fn unescaped(escape: &str) -> (Option<char>, usize) {
    let first = escape.chars().next();
    let length = first.map_or(0, char::len_utf8);
    match first {
        Some(c @ ('"' | '\\')) => (Some(c), length),
        Some('n') => (Some('\n'), length),
        Some('t') => (Some('\t'), length),
        Some('u') => match escape.get(1..).and_then(|rest| rest.strip_prefix('{')?.split_once('}')) {
            Some((digits, _)) if digits.len() <= 8 => {
                (hexadecimal(digits).ok().and_then(char::from_u32), digits.len() + 3)
            }
            _ => (None, length),
        },
        _ => (None, length),
    }
}

/// Reports whether a name can be printed without quotes.
pub(super) fn is_label(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Displays a name, in quotes if the grammar requires quotes.
pub(super) struct Label<'a>(pub(super) &'a str);

impl fmt::Display for Label<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if is_label(self.0) { f.write_str(self.0) } else { Quoted(self.0).fmt(f) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_reads_back_in_every_form() {
        let forms = [
            Form::Bits,
            Form::Number,
            Form::Bool,
            Form::Int,
            Form::Uint,
            Form::Float,
            Form::Swizzle,
            Form::Component,
            Form::Case,
        ];
        let mut state = 1u32;
        let special = [0, 1, 2, u32::MAX, 0x8000_0000, 0x7f80_0000, 0xff80_0000, 0x7fc0_0000, Type::UINT.word()];
        for round in 0..testing::Effort::of("WORDS", 100_000).cases as usize {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let swizzle = module::swizvals(&(0..state % 5).map(|at| (state >> at & 3) as u8).collect::<Vec<_>>());
            for word in [state, state >> 24, swizzle, *special.get(round % 32).unwrap_or(&0)] {
                for form in forms {
                    let text = form.show(word);
                    assert_eq!(form.read(&text), Ok(word), "{form:?} {text}");
                }
                assert_eq!(Form::Case.read(&Form::Uint.show(word)), Ok(word));
            }
        }
    }

    #[test]
    fn a_word_has_a_short_form_or_its_hex() {
        for (op, word, text) in [
            (Op::LiteralInt, 0xffff_ffff, "-1"),
            (Op::LiteralUint, 0xffff_ffff, "4294967295"),
            (Op::LiteralBool, 1, "true"),
            (Op::LiteralBool, 2, "0x00000002"),
            (Op::LiteralFloat, 0x8000_0000, "-0.0"),
            (Op::LiteralFloat, 1, "1e-45"),
            (Op::LiteralFloat, 0x3f80_0000, "1.0"),
            (Op::LiteralFloat, 0xff80_0000, "-inf"),
            (Op::LiteralFloat, 0x7fc0_0000, "0x7fc00000"),
            (Op::Swizzle, 0xff02_0201, "yzz"),
            (Op::Swizzle, 0xfe02_0201, "0xfe020201"),
            (Op::Swizzle, 0xffff_ffff, "0xffffffff"),
            (Op::Convert, Type::INT.word(), "int"),
            (Op::Convert, Type::FLOAT4.word(), "0x00040300"),
            (Op::Peek, 27, "27"),
            (Op::Nop, 1, "0x00000001"),
            (Op::TextureOffset, 0x0003_fe01, "1, -2, 3"),
            (Op::TextureOffset, 0x0000_0001, "1, 0"),
            (Op::TextureOffset, 0x0100_0000, "0x01000000"),
        ] {
            assert_eq!(immediate(op, word), text, "{op}");
        }
    }

    #[test]
    fn invalid_words_are_refused() {
        for (form, text, error) in [
            (Form::Int, "2147483648", Unreadable::Range),
            (Form::Int, "99999999999999999999", Unreadable::Range),
            (Form::Int, "1.0", Unreadable::Form),
            (Form::Uint, "-1", Unreadable::Range),
            (Form::Number, "+1", Unreadable::Form),
            (Form::Number, "-", Unreadable::Form),
            (Form::Number, "0x", Unreadable::Form),
            (Form::Number, "0x+1", Unreadable::Form),
            (Form::Number, "0x123456789", Unreadable::Range),
            (Form::Case, "4294967296", Unreadable::Range),
            (Form::Case, "-2147483649", Unreadable::Range),
            (Form::Float, "1e39", Unreadable::Range),
            (Form::Float, "1.", Unreadable::Form),
            (Form::Float, "-.5", Unreadable::Form),
            (Form::Float, "1e", Unreadable::Form),
            (Form::Float, "1e+-1", Unreadable::Form),
            (Form::Float, "nan", Unreadable::Form),
            (Form::Float, "infinity", Unreadable::Form),
            (Form::Swizzle, "xyzwx", Unreadable::Form),
            (Form::Swizzle, "", Unreadable::Form),
            (Form::Swizzle, "rgba", Unreadable::Form),
            (Form::Component, "float2", Unreadable::Form),
            (Form::Bool, "1", Unreadable::Form),
        ] {
            assert_eq!(form.read(text), Err(error), "{form:?} {text}");
        }
        assert_eq!(Form::Float.read("1"), Ok(1f32.to_bits()));
        assert_eq!(Form::Float.read("25E-2"), Ok(0.25f32.to_bits()));
    }

    #[test]
    fn every_type_reads_back() {
        for a in 0..=255 {
            for ty in Scalar::ALL.map(|scalar| Type::Vector(scalar, a)) {
                assert_eq!(read_type(&ty.to_string()), Some(ty));
            }
            let matrix = Type::Matrix { columns: a, rows: 255 - a };
            assert_eq!(read_type(&matrix.to_string()), Some(matrix));
        }
        for name in type_names() {
            assert_eq!(read_type(&name).map(|ty| ty.to_string()), Some(name));
        }
        for wrong in ["", "float256", "float+4", "int2x2", "float2x", "floatx2", "Float", "texture", "textures2d"] {
            assert_eq!(read_type(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_name_that_is_not_a_word_is_quoted() {
        for (name, text) in [
            ("vt0", "vt0"),
            ("a_1", "a_1"),
            ("", "\"\""),
            ("_", "\"_\""),
            ("1a", "\"1a\""),
            ("a\"b\\\n\t\0é", "\"a\\\"b\\\\\\n\\t\\u{0}é\""),
            ("\u{202e}\\", "\"\\u{202e}\\\\\""),
        ] {
            assert_eq!(Label(name).to_string(), text);
        }
    }

    #[test]
    fn every_character_of_a_string_reads_back() {
        let all = (0..=0x2100).chain([0xfeff, 0x10_ffff]).filter_map(char::from_u32).collect::<String>();
        for string in [all.as_str(), "", "\\", "\"\"", "\\\"\n"] {
            assert_eq!(unquoted(&Quoted(string).to_string()).as_deref(), Ok(string));
        }
    }

    #[test]
    fn the_range_of_an_invalid_escape_is_returned() {
        for (text, range) in [
            (r#""a\x""#, 2..4),
            (r#""\u{110000}""#, 1..11),
            (r#""\u{d800} ""#, 1..9),
            (r#""\u{}""#, 1..5),
            (r#""é\u1""#, 3..5),
            (r#""\u{1""#, 1..3),
        ] {
            assert_eq!(unquoted(text), Err(range), "{text}");
        }
    }
}
