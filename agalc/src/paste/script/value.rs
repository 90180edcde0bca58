//! The values of expressions in pasted code, and tests of their contents.

use std::ops::Range;

use agal_front::{Kind, Stage};

use super::{LARGEST, Script};
use crate::paste::pieced::Pieced;
use crate::paste::program::{Found, begins_agal, is_program, quoted};

#[derive(Clone, Debug)]
pub(super) enum Value {
    Text(Pieced),
    /// A list whose elements are not lists, because nested lists are flattened.
    List(Vec<Value>),
    Number(String, Range<usize>),
    /// A constant that names a stage, such as `Context3DProgramType.VERTEX`.
    Stage(Stage),
    /// The programs in a call's arguments, the reason why the call's result is unknown, and the source range to which the reason
    /// refers.
    Given(Vec<Found>, Kind, Range<usize>),
    /// An unknown value: the reason why it is unknown, and the source range to which the reason refers.
    Unknown(Kind, Range<usize>),
    Nothing,
}

impl Value {
    /// Reports whether the value may be a program: AGAL text, a list that contains AGAL text, or a list of bytes.
    pub(super) fn is_program(&self) -> bool {
        match self {
            Value::Text(text) => is_program(text.as_str()),
            Value::List(list) => begins_bytes(list) || list.iter().any(Value::is_program),
            _ => false,
        }
    }

    /// Reports whether the value contains AGAL or begins with an AGAL statement.
    pub(super) fn has_agal(&self) -> bool {
        match self {
            Value::Text(text) => begins_agal(text.as_str()),
            Value::List(list) => begins_bytes(list) || list.iter().any(Value::has_agal),
            Value::Given(found, ..) => !found.is_empty(),
            _ => false,
        }
    }
}

/// Replaces the lists in a list with their elements.
pub(super) fn flattened(values: Vec<Value>) -> Vec<Value> {
    let mut elements = Vec::new();
    for value in values {
        match value {
            Value::List(inner) => elements.extend(inner),
            value => elements.push(value),
        }
    }
    elements
}

/// Parses a whole number in ActionScript or Haxe syntax.
pub(super) fn number(text: &str) -> Option<i64> {
    let (sign, digits) = text.strip_prefix('-').map_or((1, text), |digits| (-1, digits));
    let value = match digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
        Some(digits) => i64::from_str_radix(digits, 16).ok()?,
        None => digits.parse().ok()?,
    };
    value.checked_mul(sign)
}

/// Parses a number that fits in one byte, signed or unsigned.
fn byte(text: &str) -> Option<u8> {
    let value = number(text)?;
    u8::try_from(value).or_else(|_| i8::try_from(value).map(i8::cast_unsigned)).ok()
}

/// Reports whether a number is a possible first byte of AGAL bytecode: 0xA0 or 0xB0.
pub(in crate::paste) fn is_first_byte(text: &str) -> bool {
    matches!(byte(text), Some(0xa0 | 0xb0))
}

/// Reports whether a list begins like AGAL bytecode, with the first byte and the version.
fn begins_bytes(list: &[Value]) -> bool {
    let byte_at = |at: usize| match list.get(at) {
        Some(Value::Number(text, _)) => byte(text),
        _ => None,
    };
    let is_zero = |at: usize| list.get(at).is_none() || byte_at(at) == Some(0);
    matches!(list.first(), Some(Value::Number(text, _)) if is_first_byte(text))
        && byte_at(1).is_some_and(|version| version < 8)
        && is_zero(2)
        && is_zero(3)
}

impl Script<'_> {
    /// Reports AGAL in values whose use is unknown. Returns whether any value contains AGAL.
    pub(super) fn refuse(&mut self, values: &[Value], kind: &Kind, range: &Range<usize>) -> bool {
        let has_agal = values.iter().any(Value::has_agal);
        if has_agal {
            self.note(kind.clone(), range.clone());
        }
        has_agal
    }

    /// Converts a list of bytes to text whose character codes are the bytes.
    fn bytes(&mut self, list: Vec<Value>) -> Pieced {
        let mut bytes = Pieced::default();
        for value in list {
            match value {
                Value::Number(text, range) => match byte(&text) {
                    Some(byte) => bytes.put(char::from(byte).encode_utf8(&mut [0; 4]), range),
                    None => self.note(Kind::PastedByte { found: quoted(&text) }, range),
                },
                value => {
                    self.text_of(value);
                }
            }
        }
        self.spend(bytes.weight());
        bytes
    }

    pub(super) fn add(&mut self, left: Value, right: Value) -> Value {
        if let (Value::Number(a, at), Value::Number(b, _)) = (&left, &right) {
            let sum = number(a).zip(number(b)).and_then(|(a, b)| a.checked_add(b));
            return match sum {
                Some(sum) => Value::Number(sum.to_string(), at.clone()),
                None => Value::Unknown(Kind::PastedSyntax { found: "+".to_string() }, at.clone()),
            };
        }
        let is_text = |value: &Value| matches!(value, Value::Text(_));
        if !is_text(&left) && !is_text(&right) {
            // If neither operand is known to be text, `+` may add numbers or join text.
            return match (left, right) {
                (unknown @ Value::Unknown(..), _) | (_, unknown @ Value::Unknown(..)) => unknown,
                (Value::Given(_, kind, range), _) | (_, Value::Given(_, kind, range)) => Value::Unknown(kind, range),
                (list @ Value::List(_), _) | (_, list @ Value::List(_)) => list,
                _ => Value::Nothing,
            };
        }
        let (left, right) = (self.text_of(left), self.text_of(right));
        let mut sum = left.unwrap_or_default();
        if let Some(right) = right {
            self.append(&mut sum, &right);
        }
        Value::Text(sum)
    }

    pub(super) fn append(&mut self, text: &mut Pieced, more: &Pieced) {
        self.spend(more.weight());
        if self.budget > 0 {
            text.append(more);
        }
    }

    /// Subtracts copied bytes from the budget, and reports the limit when the budget is spent.
    pub(super) fn spend(&mut self, bytes: usize) {
        let had = self.budget;
        self.budget = self.budget.saturating_sub(bytes);
        if had > 0 && self.budget == 0 {
            let at = self.at.min(self.tokens.len()).checked_sub(1).and_then(|at| self.tokens.get(at));
            self.note(Kind::PastedSize { limit: LARGEST >> 20 }, at.map_or(0..0, |token| token.range()));
        }
    }

    pub(super) fn joined(&mut self, list: Vec<Value>, separator: &str) -> Pieced {
        let mut text = Pieced::default();
        for (number, value) in list.into_iter().enumerate() {
            if number > 0 {
                text.separate(separator);
            }
            if let Some(more) = self.text_of(value) {
                self.append(&mut text, &more);
            }
        }
        text
    }

    /// Converts a value to text, with one line for each list element. If the value is unknown, reports the reason and returns
    /// `None`.
    pub(super) fn text_of(&mut self, value: Value) -> Option<Pieced> {
        match value {
            Value::Text(text) => Some(text),
            Value::List(list) if begins_bytes(&list) => Some(self.bytes(list)),
            Value::List(list) => Some(self.joined(list, "\n")),
            Value::Number(text, range) => {
                let mut written = Pieced::default();
                written.put(&number(&text).map_or(text, |number| number.to_string()), range);
                Some(written)
            }
            Value::Unknown(kind, range) | Value::Given(_, kind, range) => {
                self.note(kind, range);
                None
            }
            Value::Stage(_) | Value::Nothing => None,
        }
    }
}

/// Reports whether a value may be a length or a flag, as in `new Vector.<String>(4, true)`.
pub(super) fn is_flag(value: &Value) -> bool {
    matches!(value, Value::Number(..) | Value::Unknown(..))
}

/// Returns the size of a value in memory, in bytes.
pub(super) fn weight(value: &Value) -> usize {
    let inside = match value {
        Value::Text(text) => text.weight(),
        Value::List(list) => list.iter().map(weight).sum(),
        Value::Given(found, ..) => found.iter().map(|found| found.text.weight()).sum(),
        _ => 0,
    };
    size_of::<Value>() + inside
}
