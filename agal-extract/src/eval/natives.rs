//! Evaluates Flash Player's functions, and the constants of its classes.

use crate::avm::names::{Name, short};
use crate::avm::types::Type;
use crate::eval::expr::Expr;
use crate::eval::machine::{Known, Run, Stop};
use crate::eval::number::{int32, parse_float, parse_int, to_i64, uint32};
use crate::eval::selector::Selector;
use crate::eval::value::{ObjectKind, Value};

/// Returns the value of a string constant in one of Flash Player's classes: the constant's name in camel case, with a numeric
/// suffix for packed texture formats.
fn text_of(class: &str, name: &str) -> Option<String> {
    let is_text = matches!(
        class.strip_prefix("Context3D").unwrap_or(class),
        "Endian" | "ProgramType" | "TextureFormat" | "WrapMode" | "TextureFilter" | "MipFilter" | "Profile"
    );
    let mut words = name.split('_').filter(|_| is_text);
    let mut text = words.next()?.to_ascii_lowercase();
    for word in words {
        text.extend([word.get(..1)?, &word.get(1..)?.to_ascii_lowercase()]);
    }
    text.push_str(match &*text {
        "bgraPacked" => "4444",
        "bgrPacked" => "565",
        _ => "",
    });
    name.chars().all(|letter| matches!(letter, 'A'..='Z' | '0'..='9' | '_')).then_some(text)
}

/// Returns a constant of one of Flash Player's classes, or a global constant if the class name is empty.
pub(crate) fn constant(class: &str, selector: &Selector) -> Option<Value> {
    let (class, name) = (short(class), selector.name());
    if let Some(text) = text_of(class, &name) {
        return Some(Value::text(&text));
    }
    Some(Value::Number(match (class, &*name) {
        ("Math", "PI") => std::f64::consts::PI,
        ("Math", "E") => std::f64::consts::E,
        ("Math", "SQRT2") => std::f64::consts::SQRT_2,
        ("Math", "SQRT1_2") => std::f64::consts::FRAC_1_SQRT_2,
        ("Math", "LN2") => std::f64::consts::LN_2,
        ("Math", "LN10") => std::f64::consts::LN_10,
        ("int", "MAX_VALUE") => f64::from(i32::MAX),
        ("int", "MIN_VALUE") => f64::from(i32::MIN),
        ("uint", "MAX_VALUE") => f64::from(u32::MAX),
        ("Number", "MAX_VALUE") => f64::MAX,
        ("Number", "MIN_VALUE") => 5e-324,
        ("Number", "POSITIVE_INFINITY") | ("", "Infinity") => f64::INFINITY,
        ("Number", "NEGATIVE_INFINITY") => f64::NEG_INFINITY,
        ("Number", "NaN") | ("", "NaN") => f64::NAN,
        ("", "undefined") => return Some(Value::Undefined),
        _ => return None,
    }))
}

/// Applies a `Math` function or an integer conversion to known numbers.
pub(crate) fn function(name: &str, numbers: &[f64]) -> Option<f64> {
    let one = numbers.first().copied()?;
    let two = numbers.get(1).copied().unwrap_or(f64::NAN);
    Some(match name {
        "abs" => one.abs(),
        "floor" => one.floor(),
        "ceil" => one.ceil(),
        "round" => (one + 0.5).floor(),
        "sqrt" => one.sqrt(),
        "min" | "max" if numbers.iter().any(|number| number.is_nan()) => f64::NAN,
        "min" => numbers.iter().copied().fold(f64::INFINITY, f64::min),
        "max" => numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        "pow" => one.powf(two),
        "sin" => one.sin(),
        "cos" => one.cos(),
        "tan" => one.tan(),
        "exp" => one.exp(),
        "log" => one.ln(),
        "atan2" => one.atan2(two),
        "int" => f64::from(int32(one)),
        "uint" => f64::from(uint32(one)),
        _ => return None,
    })
}

impl Run<'_, '_> {
    /// Calls a function or a static method that none of the inputs defines.
    pub(crate) fn native_call(&mut self, class: &Name, name: &Name, arguments: Vec<Value>) -> Result<Value, Stop> {
        let known: Vec<Value> = arguments.iter().map(|value| self.known(value)).collect();
        match (short(class), short(name)) {
            ("", name) => {
                if let Some(value) = self.conversion(name, &known)? {
                    return Ok(value);
                }
                if matches!(name, "Array" | "Object" | "RegExp" | "XML" | "XMLList") {
                    return self.construct(&Value::Native(name.into()), arguments);
                }
            }
            ("Math", name) => {
                let numbers: Option<Vec<f64>> = known.iter().map(Value::number).collect();
                if let Some(number) = numbers.and_then(|numbers| function(name, &numbers)) {
                    return Ok(Value::Number(number));
                }
                if let Some(name) = MATH.iter().find(|one| **one == name) {
                    let operands: Vec<Expr> = known.iter().map(|value| self.expr(value)).collect();
                    return Ok(Value::Unknown(Expr::op(name, &operands, Type::Number)));
                }
            }
            ("String", "fromCharCode") => {
                let letters: Option<String> =
                    known.iter().map(|value| char::from_u32(uint32(value.number()?))).collect();
                if let Some(text) = letters {
                    return Ok(Value::text(&text));
                }
            }
            _ => {}
        }
        let object = Value::Native(class.clone());
        if let Some(value) = self.sink(&object, name, &arguments)? {
            return Ok(value);
        }
        Ok(self.opaque(&object, name, &arguments, Type::Any))
    }

    pub(crate) fn conversion(&mut self, name: &str, arguments: &[Value]) -> Known {
        let first = arguments.first();
        Ok(Some(match name {
            "String" => Value::Text(first.map(|value| self.text_of(value)).transpose()?.unwrap_or_default()),
            "int" | "uint" | "Number" => {
                let number = self.primitive(first.cloned().unwrap_or(Value::Number(0.0)));
                if name == "Number" { self.to_number(number) } else { self.to_integer(number, name == "uint") }
            }
            "Boolean" => self.coerce(first.cloned().unwrap_or_default(), &Type::Boolean),
            "parseInt" | "parseFloat" => {
                let Some(first) = first else { return Ok(None) };
                let text = self.text_of(first)?;
                let Some(text) = text.known() else { return Ok(None) };
                let base =
                    arguments.get(1).and_then(|base| u32::try_from(to_i64(base.number()?)).ok()).unwrap_or_default();
                Value::Number(if name == "parseInt" { parse_int(text, base) } else { parse_float(text) })
            }
            "isNaN" | "isFinite" => {
                let Some(number) = first.and_then(Value::number) else { return Ok(None) };
                Value::Bool(if name == "isNaN" { number.is_nan() } else { number.is_finite() })
            }
            "trace" => Value::Undefined,
            "getQualifiedClassName" => match first {
                Some(Value::Text(_)) => Value::text("String"),
                Some(Value::Bool(_)) => Value::text("Boolean"),
                Some(Value::Number(number)) => Value::text(if number.fract() == 0.0 { "int" } else { "Number" }),
                Some(Value::Null) => Value::text("null"),
                Some(Value::Object(at)) => match (&self.object(*at)?.kind, self.object(*at)?.class) {
                    (ObjectKind::Array(_), None) => Value::text("Array"),
                    (ObjectKind::Plain, None) if self.object(*at)?.expr.is_none() => Value::text("Object"),
                    _ => return Ok(None),
                },
                _ => return Ok(None),
            },
            _ => return Ok(None),
        }))
    }
}

/// The functions of `Math` that the interpreter computes.
const MATH: [&str; 14] =
    ["abs", "floor", "ceil", "round", "sqrt", "min", "max", "pow", "sin", "cos", "tan", "exp", "log", "atan2"];
