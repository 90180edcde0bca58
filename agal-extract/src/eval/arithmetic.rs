//! Operators.

use crate::avm::types::{Constant, Type};
use crate::eval::expr::{Expr, Kind};
use crate::eval::machine::{Run, Stop};
use crate::eval::number::{int32, uint32};
use crate::eval::value::{ObjectKind, Value};

impl Run<'_, '_> {
    /// A value that conditions made known.
    pub(crate) fn known(&self, value: &Value) -> Value {
        let Value::Unknown(expr) = value else { return value.clone() };
        match self.facts.constant(expr) {
            Some(known) => value_of(&known).unwrap_or_else(|| value.clone()),
            None => value.clone(),
        }
    }

    /// `+`: text if one of them is text, and the sum of numbers.
    pub(crate) fn add(&mut self, one: &Value, two: &Value) -> Result<Value, Stop> {
        let (one, two) = (self.known(one), self.known(two));
        let is_text = |value: &Value| match value {
            Value::Text(_) => true,
            Value::Unknown(expr) => matches!(expr.of(), Type::String),
            _ => false,
        };
        let is_object = |value: &Value| match value {
            Value::Object(at) => !matches!(self.heap.get(*at).map(|object| &object.kind), Some(ObjectKind::Plain)),
            _ => false,
        };
        if is_text(&one) || is_text(&two) || is_object(&one) || is_object(&two) {
            let mut text = self.text_of(&one)?;
            let other = self.text_of(&two)?;
            text.push(&other);
            return Ok(Value::Text(self.limit_text(text)?));
        }
        self.arithmetic("+", &one, &two)
    }

    /// An operator on numbers.
    pub(crate) fn arithmetic(&mut self, name: &'static str, one: &Value, two: &Value) -> Result<Value, Stop> {
        let (one, two) = (self.known(one), self.known(two));
        if let (Some(one), Some(two)) = (one.number(), two.number()) {
            return Ok(Value::Number(calculate(name, one, two).ok_or(Stop::Broken)?));
        }
        let (left, right) = (self.expr(&one), self.expr(&two));
        // `(x + 1) + 1` is `x + 2`, and `x + 0` is `x`.
        if let (true, Some(number)) = (matches!(name, "+" | "-"), two.number()) {
            let number = if name == "-" { -number } else { number };
            if number == 0.0 && left.of().is_number() {
                return Ok(one);
            }
            if let Some(("+", [inner, constant])) = left.operation()
                && let Kind::Constant(Constant::Number(old)) = constant.kind()
            {
                let sum = f64::from_bits(*old) + number;
                return Ok(Value::Unknown(match sum == 0.0 && inner.of().is_number() {
                    true => inner.clone(),
                    false => Expr::op("+", &[inner.clone(), self.expr(&Value::Number(sum))], Type::Number),
                }));
            }
            let constant = self.expr(&Value::Number(number));
            if name == "-" && number < 0.0 {
                return Ok(Value::Unknown(Expr::op("-", &[left, right], Type::Number)));
            }
            return Ok(Value::Unknown(Expr::op("+", &[left, constant], sum_type(&one, &two))));
        }
        Ok(Value::Unknown(Expr::op(name, &[left, right], sum_type(&one, &two))))
    }

    pub(crate) fn not(&self, value: &Value) -> Value {
        match value.truth() {
            Some(truth) => Value::Bool(!truth),
            None => {
                let expr = self.expr(value);
                match expr.operation() {
                    Some(("!", [inner])) => Value::Unknown(inner.clone()),
                    _ => Value::Unknown(Expr::op("!", &[expr], Type::Boolean)),
                }
            }
        }
    }

    /// A comparison.
    pub(crate) fn compare(&mut self, name: &'static str, one: &Value, two: &Value) -> Result<Value, Stop> {
        let (one, two) = (self.known(one), self.known(two));
        let one = self.compared(one, &two);
        let two = self.compared(two, &one);
        if let Some(known) = self.compare_known(name, &one, &two) {
            return Ok(Value::Bool(known));
        }
        let (mut one, mut two) = (self.expr(&one), self.expr(&two));
        if matches!(name, "==" | "===") && crate::eval::facts::is_constant(&one) {
            std::mem::swap(&mut one, &mut two);
        }
        // Only a value of any type may be undefined and not null.
        let is_nothing = matches!(two.kind(), Kind::Constant(Constant::Undefined | Constant::Null));
        let is_strict = is_nothing && matches!(one.of(), Type::Any);
        let name = if name == "===" && !is_strict { "==" } else { name };
        let compared = Expr::op(name, &[one, two], Type::Boolean);
        Ok(match self.facts.truth(&compared) {
            Some(known) => Value::Bool(known),
            None => Value::Unknown(compared),
        })
    }

    fn compare_known(&self, name: &str, one: &Value, two: &Value) -> Option<bool> {
        if matches!(name, "==" | "===") {
            return self.equal(one, two, name == "===");
        }
        if let (Value::Text(one), Value::Text(two)) = (one, two) {
            let (one, two) = (one.known()?, two.known()?);
            return Some(ordered(name, one.cmp(two)));
        }
        let order = one.number()?.partial_cmp(&two.number()?);
        Some(order.is_some_and(|order| ordered(name, order)))
    }

    fn equal(&self, one: &Value, two: &Value, strict: bool) -> Option<bool> {
        Some(match (one, two) {
            (Value::Undefined, Value::Undefined) | (Value::Null, Value::Null) => true,
            (Value::Undefined, Value::Null) | (Value::Null, Value::Undefined) => !strict,
            (Value::Bool(one), Value::Bool(two)) => one == two,
            (Value::Number(one), Value::Number(two)) => one == two,
            (Value::Text(one), Value::Text(two)) => match (one.known(), two.known()) {
                (Some(one), Some(two)) => one == two,
                _ if one == two => true,
                _ => return None,
            },
            (Value::Object(one), Value::Object(two)) => {
                let made = |at| self.heap.get(at).is_some_and(|object| object.expr.is_none());
                if one == two {
                    return Some(true);
                }
                return (made(*one) || made(*two)).then_some(false);
            }
            (Value::Class(one), Value::Class(two)) => one == two,
            (Value::Native(one), Value::Native(two)) => one == two,
            (Value::Unknown(_), _) | (_, Value::Unknown(_)) => return None,
            (Value::Undefined | Value::Null, Value::Object(at))
            | (Value::Object(at), Value::Undefined | Value::Null) => {
                // An object that was there before may be null.
                let object = self.heap.get(*at)?;
                return object.expr.as_ref().map_or(Some(false), |expr| self.facts.truth(expr).map(|truth| !truth));
            }
            (Value::Undefined | Value::Null, _) | (_, Value::Undefined | Value::Null) => false,
            _ if strict => match (one, two) {
                (Value::Object(_), _) | (_, Value::Object(_)) => return None,
                _ => false,
            },
            _ => match (one.number(), two.number()) {
                (Some(one), Some(two)) => one == two,
                _ => return None,
            },
        })
    }
}

/// An operator on two numbers.
pub(crate) fn calculate(name: &str, one: f64, two: f64) -> Option<f64> {
    let shift = uint32(two) & 31;
    Some(match name {
        "+" => one + two,
        "-" => one - two,
        "*" => one * two,
        "/" => one / two,
        "%" => one % two,
        "&" => f64::from(int32(one) & int32(two)),
        "|" => f64::from(int32(one) | int32(two)),
        "^" => f64::from(int32(one) ^ int32(two)),
        "<<" => f64::from(int32(one).wrapping_shl(shift)),
        ">>" => f64::from(int32(one).wrapping_shr(shift)),
        ">>>" => f64::from(uint32(one).wrapping_shr(shift)),
        _ => return None,
    })
}

/// Of what type a sum is: nothing is known of it if one may be text.
fn sum_type(one: &Value, two: &Value) -> Type {
    let may_be_text = |value: &Value| matches!(value, Value::Unknown(expr) if matches!(expr.of(), Type::Any));
    if may_be_text(one) || may_be_text(two) { Type::Any } else { Type::Number }
}

fn ordered(name: &str, order: std::cmp::Ordering) -> bool {
    match name {
        "<" => order.is_lt(),
        "<=" => order.is_le(),
        ">" => order.is_gt(),
        _ => order.is_ge(),
    }
}

/// A constant expression as a value.
pub(crate) fn value_of(expr: &Expr) -> Option<Value> {
    Some(match expr.kind() {
        Kind::Constant(constant) => Value::constant(constant),
        Kind::Text(text) => Value::Text(text.clone()),
        _ => return None,
    })
}
