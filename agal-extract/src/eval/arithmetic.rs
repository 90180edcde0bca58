//! Evaluates operators and conversions, and determines the types of the results.

use crate::avm::names::{Name, PUBLIC, short};
use crate::avm::types::{Constant, Type};
use crate::avm::world::Member;
use crate::eval::expr::{Expr, Kind, is_constant};
use crate::eval::machine::{Run, Running, Stop};
use crate::eval::number::{int32, text, uint32};
use crate::eval::text::Text;
use crate::eval::value::{Object, ObjectKind, Ref, Value};

impl Run<'_, '_> {
    /// Returns the constant to which the path's conditions restrict a value, or the unchanged value if there is no such constant.
    pub(crate) fn known(&self, value: &Value) -> Value {
        let Value::Unknown(expr) = value else { return value.clone() };
        self.facts.constant(expr).and_then(|known| value_of(&known)).unwrap_or_else(|| value.clone())
    }

    /// Applies `+`, which concatenates if either operand is a string, and adds otherwise.
    pub(crate) fn add(&mut self, one: &Value, two: &Value) -> Result<Value, Stop> {
        let (one, two) = (self.known(one), self.known(two));
        let is_text = |value: &Value| match value {
            Value::Text(_) => true,
            Value::Unknown(expr) => matches!(expr.of(), Type::String),
            _ => false,
        };
        let is_object = |value: &Value| self.kind_of(value).is_some_and(|kind| !matches!(kind, ObjectKind::Plain));
        if is_text(&one) || is_text(&two) || is_object(&one) || is_object(&two) {
            let mut text = self.text_of(&one)?;
            text.push(&self.text_of(&two)?);
            return Ok(Value::Text(self.limit_text(text)?));
        }
        self.arithmetic("+", &one, &two)
    }

    pub(crate) fn arithmetic(&mut self, name: &'static str, one: &Value, two: &Value) -> Result<Value, Stop> {
        let (one, two) = (self.known(one), self.known(two));
        if let (Some(one), Some(two)) = (one.number(), two.number()) {
            return Ok(Value::Number(calculate(name, one, two).ok_or(Stop::Broken)?));
        }
        let (left, right) = (self.expr(&one), self.expr(&two));
        // The expression `(x + 1) + 1` becomes `x + 2`, and `x + 0` becomes `x`.
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
        if let Some(truth) = value.truth() {
            return Value::Bool(!truth);
        }
        let expr = self.expr(value);
        match expr.operation() {
            Some(("!", [inner])) => Value::Unknown(inner.clone()),
            _ => Value::Unknown(Expr::op("!", &[expr], Type::Boolean)),
        }
    }

    pub(crate) fn compare(&mut self, name: &'static str, one: &Value, two: &Value) -> Result<Value, Stop> {
        let (one, two) = (self.known(one), self.known(two));
        let one = self.compared(one, &two);
        let two = self.compared(two, &one);
        if let Some(known) = self.compare_known(name, &one, &two) {
            return Ok(Value::Bool(known));
        }
        let (mut one, mut two) = (self.expr(&one), self.expr(&two));
        if matches!(name, "==" | "===") && is_constant(&one) {
            std::mem::swap(&mut one, &mut two);
        }
        // Only a value of type `*` may be either null or undefined, so `===` and `==` differ only for such a value.
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
            (Value::Object(one), Value::Object(two)) if one == two => true,
            (Value::Object(one), Value::Object(two)) => {
                let is_itself = |at: Ref| self.heap.get(at).is_some_and(Object::is_itself);
                // An object created on the current path differs from every object that existed before the path began.
                let is_new = |at: Ref| is_itself(at) && at.0 >= self.heap.base_length();
                let is_other = is_new(*one) || is_new(*two) || is_itself(*one) && is_itself(*two);
                return is_other.then_some(false);
            }
            (Value::Class(one), Value::Class(two)) => one == two,
            (Value::Native(one), Value::Native(two)) => one == two,
            (Value::Unknown(_), _) | (_, Value::Unknown(_)) => return None,
            (Value::Undefined | Value::Null, Value::Object(at))
            | (Value::Object(at), Value::Undefined | Value::Null) => {
                // An object that existed before the path began may be null.
                let object = self.heap.get(*at)?;
                return object.expr.as_ref().map_or(Some(false), |expr| self.facts.truth(expr).map(|truth| !truth));
            }
            (Value::Undefined | Value::Null, _) | (_, Value::Undefined | Value::Null) => false,
            (Value::Object(at), _) | (_, Value::Object(at)) => {
                return self.differs_from_primitives(*at, strict).then_some(false);
            }
            _ if strict => false,
            _ => match (one.number(), two.number()) {
                (Some(one), Some(two)) => one == two,
                _ => return None,
            },
        })
    }

    /// Reports whether an object is known to differ from every string, number and Boolean. `===` never converts an object, and
    /// `==` converts only objects whose class defines a conversion.
    fn differs_from_primitives(&self, at: Ref, strict: bool) -> bool {
        let Some(object) = self.heap.get(at).filter(|object| object.is_itself()) else { return false };
        let is_bare = |class| {
            let defines = |name: &str| self.world.instance_member(class, name, &[PUBLIC]).is_some();
            !object.may_be_below && self.world.has_known_bases(class) && !defines("toString") && !defines("valueOf")
        };
        match object.kind {
            ObjectKind::Xml(_) => false,
            ObjectKind::Plain if object.class.is_some_and(is_bare) => true,
            _ => strict,
        }
    }

    /// Converts a value to the declared type of a variable.
    pub(crate) fn coerce(&mut self, value: Value, of: &Type) -> Value {
        match (of, value) {
            (Type::Any, value) => value,
            (Type::String, Value::Undefined | Value::Null) => Value::Null,
            (Type::String, Value::Number(number)) => Value::text(&text(number)),
            (Type::String, Value::Bool(value)) => Value::text(if value { "true" } else { "false" }),
            (Type::String, value @ Value::Object(_)) => self.primitive(value),
            (Type::Boolean, value) => match value.truth() {
                Some(truth) => Value::Bool(truth),
                None => Value::Unknown(self.refine(self.expr(&value), of)),
            },
            (
                Type::Int | Type::Uint,
                value @ (Value::Undefined | Value::Null | Value::Bool(_) | Value::Number(_) | Value::Unknown(_)),
            ) => self.to_integer(value, *of == Type::Uint),
            (Type::Number, value @ (Value::Undefined | Value::Null | Value::Bool(_))) => self.to_number(value),
            (of, Value::Undefined) if of.is_object() => Value::Null,
            (of, Value::Unknown(expr)) => Value::Unknown(self.refine(expr, of)),
            (_, value) => value,
        }
    }

    /// Converts XML and known arrays to text. Values of any other kind are returned unchanged.
    pub(crate) fn primitive(&mut self, value: Value) -> Value {
        let text = match value.object().and_then(|at| self.heap.get(at)) {
            Some(Object { kind: ObjectKind::Array(_), is_open: false, .. }) => self.text_of(&value).ok(),
            _ => self.text_of_xml(&value),
        };
        text.map_or(value, Value::Text)
    }

    /// Returns the expression with the type `of`, if `of` is more specific than the expression's own type.
    fn refine(&self, expr: Expr, of: &Type) -> Expr {
        let better = match (expr.of(), of) {
            (Type::Any, _) => true,
            (Type::Named(_), Type::Class(_) | Type::Vector(_)) => true,
            (Type::Class(old), Type::Class(new)) => self.world.is_below(*new, *old),
            _ => false,
        };
        if better { expr.typed(of.clone()) } else { expr }
    }

    /// Converts a value to text. Unknown parts become holes.
    pub(crate) fn text_of(&mut self, value: &Value) -> Result<Text, Stop> {
        Ok(match value {
            Value::Text(text) => text.clone(),
            Value::Undefined => Text::literal("undefined"),
            Value::Null => Text::literal("null"),
            Value::Bool(value) => Text::literal(if *value { "true" } else { "false" }),
            Value::Number(value) => Text::literal(&text(*value)),
            Value::Unknown(expr) => match (self.known(value), expr.kind()) {
                (Value::Unknown(_), Kind::Text(text)) => text.clone(),
                (Value::Unknown(_), _) => Text::hole(expr.clone()),
                (known, _) => self.text_of(&known)?,
            },
            Value::Object(at) => self.text_of_object(*at)?,
            other => Text::hole(self.expr(other)),
        })
    }

    fn text_of_object(&mut self, at: Ref) -> Result<Text, Stop> {
        if let Some(text) = self.text_of_xml(&Value::Object(at)) {
            return Ok(text);
        }
        let object = self.object(at)?;
        match &object.kind {
            ObjectKind::Array(elements) => {
                let elements = elements.clone();
                return self.join(at, &elements, &Text::literal(","));
            }
            ObjectKind::Bytes(bytes) if !bytes.is_unknown => {
                return Ok(Text::literal(&String::from_utf8_lossy(&bytes.bytes)));
            }
            _ => {}
        }
        if let Some(class) = object.class
            && !object.may_be_below
            && let Some((_, _, Member::Method(method))) = self.world.instance_member(class, "toString", &[PUBLIC])
        {
            return match self.invoke(method, Value::Object(at), Vec::new())? {
                value @ Value::Object(_) => Ok(Text::hole(self.expr(&value))),
                value => self.text_of(&value),
            };
        }
        Ok(Text::hole(self.expr_of_object(at)))
    }

    pub(crate) fn join(&mut self, at: Ref, elements: &[Value], separator: &Text) -> Result<Text, Stop> {
        if self.frames.len() >= self.shared.limits.depth {
            return Ok(Text::hole(self.expr_of_object(at)));
        }
        self.spend(elements.len())?;
        let mut texts = Vec::with_capacity(elements.len());
        for element in elements {
            texts.push(match element {
                Value::Undefined | Value::Null => Text::default(),
                // An array may contain itself.
                Value::Object(inner) if *inner == at => Text::default(),
                element => {
                    // Each nested array counts as a nested call, so the limit on call depth applies.
                    self.frames.push(Running::default());
                    let text = self.text_of(element);
                    self.frames.pop();
                    text?
                }
            });
        }
        let mut joined = Text::join(&texts, separator);
        if self.object(at)?.is_open {
            joined.push(&Text::hole(Expr::op("more of", &[self.expr_of_object(at)], Type::String)));
        }
        self.limit_text(joined)
    }

    /// Deducts the size of a new string from the bytes that the path may still add. A string that is too long ends the path.
    pub(crate) fn limit_text(&mut self, text: Text) -> Result<Text, Stop> {
        let size = text.size();
        self.spend(size / 128)?;
        self.text_left = self.text_left.checked_sub(size).ok_or(Stop::Limit)?;
        if size > self.shared.limits.text { Err(Stop::Limit) } else { Ok(text) }
    }

    pub(crate) fn to_number(&self, value: Value) -> Value {
        match self.known(&value) {
            Value::Unknown(expr) => Value::Unknown(self.refine(expr, &Type::Number)),
            known => match known.number() {
                Some(number) => Value::Number(number),
                None => Value::Unknown(Expr::op("Number", &[self.expr(&known)], Type::Number)),
            },
        }
    }

    pub(crate) fn to_integer(&self, value: Value, unsigned: bool) -> Value {
        match self.to_number(value) {
            Value::Number(number) if unsigned => Value::Number(f64::from(uint32(number))),
            Value::Number(number) => Value::Number(f64::from(int32(number))),
            Value::Unknown(expr) => {
                let of = if unsigned { Type::Uint } else { Type::Int };
                Value::Unknown(match expr.of() {
                    known if known.is_integer() => expr,
                    Type::Any => expr.typed(of),
                    _ if is_integer(&expr) => expr.typed(of),
                    _ => Expr::op(if unsigned { "uint" } else { "int" }, &[expr], of),
                })
            }
            other => other,
        }
    }

    pub(crate) fn is_type(&self, value: &Value, of: &Type) -> Value {
        let known = match (value, of) {
            (Value::Undefined | Value::Null, _) => Some(false),
            (Value::Text(_), Type::String) | (Value::Bool(_), Type::Boolean) => Some(true),
            (Value::Number(_), Type::Number) => Some(true),
            (Value::Number(number), Type::Int) => Some(f64::from(int32(*number)) == *number),
            (Value::Number(number), Type::Uint) => Some(f64::from(uint32(*number)) == *number),
            (Value::Object(at), Type::Class(class)) => self.heap.get(*at).and_then(|object| {
                let is_below = self.world.is_below(object.class?, *class);
                if is_below || (!object.may_be_below && object.expr.is_none()) {
                    return Some(is_below);
                }
                self.facts.is_of(object.expr.as_ref()?, of, self.world)
            }),
            (Value::Object(_), Type::Named(_) | Type::Vector(_)) => {
                self.elements_of(value).map(|_| of.is_named("Array") || of.is_named("Vector"))
            }
            (Value::Object(_), Type::String | Type::Boolean | Type::Number | Type::Int | Type::Uint) => Some(false),
            (Value::Text(_) | Value::Bool(_) | Value::Number(_), Type::Class(_)) => Some(false),
            (Value::Text(_) | Value::Bool(_), Type::Number | Type::Int | Type::Uint) => Some(false),
            (Value::Unknown(expr), Type::Class(class)) => match expr.of() {
                Type::Class(known) if self.world.is_below(*known, *class) => self.facts.truth(expr),
                _ => self.facts.is_of(expr, of, self.world),
            },
            _ => None,
        };
        if let Some(known) = known {
            return Value::Bool(known);
        }
        let name: Name = match of {
            Type::Class(class) => self.world.short_name(*class).unwrap_or_default().into(),
            Type::Named(names) => names.first().map_or("", |name| short(name)).into(),
            Type::Vector(_) => "Vector".into(),
            Type::Int => "int".into(),
            Type::Uint => "uint".into(),
            other => format!("{other:?}").into(),
        };
        let name = Expr::new(Kind::Global(name), of.clone());
        Value::Unknown(Expr::op("is", &[self.expr(value), name], Type::Boolean))
    }

    pub(crate) fn type_name(&self, value: &Value) -> Value {
        let name = match value {
            Value::Undefined => "undefined",
            Value::Null | Value::Class(_) | Value::Vector(_) | Value::Object(_) => "object",
            Value::Bool(_) => "boolean",
            Value::Number(_) => "number",
            Value::Text(_) => "string",
            Value::Function(_) => "function",
            other => return Value::Unknown(Expr::op("typeof", &[self.expr(other)], Type::String)),
        };
        Value::text(name)
    }
}

/// Applies an operator to two known numbers. Returns `None` for an operator that is not supported.
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

/// Returns the type of a sum. The type is unknown if either operand may be a string.
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

/// Returns the value of a constant expression, or `None` if the expression is not constant.
pub(crate) fn value_of(expr: &Expr) -> Option<Value> {
    Some(match expr.kind() {
        Kind::Constant(constant) => Value::constant(constant),
        Kind::Text(text) => Value::Text(text.clone()),
        Kind::Object(_, at) => Value::Object(*at),
        _ => return None,
    })
}

/// Reports whether an expression's operations guarantee that its value is an integer.
fn is_integer(expr: &Expr) -> bool {
    if expr.of().is_integer() {
        return true;
    }
    match expr.kind() {
        Kind::Constant(Constant::Number(bits)) => f64::from_bits(*bits).fract() == 0.0,
        Kind::Field(_, name) => &**name == "length",
        Kind::Op("+" | "-" | "*" | "%", operands) => operands.iter().all(is_integer),
        Kind::Op(name, _) => matches!(*name, "&" | "|" | "^" | "<<" | ">>" | ">>>" | "floor" | "ceil" | "round"),
        _ => false,
    }
}
