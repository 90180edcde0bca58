//! What the conditions of a path tell about the values that are not known.

use std::collections::HashMap;

use crate::avm::types::Type;
use crate::avm::world::ClassId;
use crate::eval::expr::{Constant, Expr, Kind};

/// The conditions that hold on a path.
#[derive(Clone, Debug, Default)]
pub(crate) struct Facts {
    of: HashMap<Expr, Fact>,
    /// Comparisons of two values neither of which is known.
    comparisons: HashMap<(&'static str, Expr, Expr), bool>,
}

/// What is known of a value.
#[derive(Clone, Debug)]
struct Fact {
    truth: Option<bool>,
    is_nothing: Option<bool>,
    is: Option<Expr>,
    is_not: Vec<Expr>,
    /// The least value, and whether it is excluded.
    low: (f64, bool),
    high: (f64, bool),
    classes: Option<Vec<ClassId>>,
}

impl Default for Fact {
    fn default() -> Fact {
        Fact {
            truth: None,
            is_nothing: None,
            is: None,
            is_not: Vec::new(),
            low: (f64::NEG_INFINITY, false),
            high: (f64::INFINITY, false),
            classes: None,
        }
    }
}

/// A constant that an expression is.
pub(crate) fn is_constant(expr: &Expr) -> bool {
    match expr.kind() {
        Kind::Constant(_) => true,
        Kind::Text(text) => text.known().is_some(),
        _ => false,
    }
}

fn number(expr: &Expr) -> Option<f64> {
    match expr.kind() {
        Kind::Constant(Constant::Number(value)) => Some(*value),
        Kind::Constant(Constant::Bool(value)) => Some(f64::from(u8::from(*value))),
        _ => None,
    }
}

fn is_nothing(expr: &Expr) -> bool {
    matches!(expr.kind(), Kind::Constant(Constant::Undefined | Constant::Null))
}

/// Whether a condition on a constant holds.
fn truth_of(expr: &Expr) -> Option<bool> {
    match expr.kind() {
        Kind::Constant(Constant::Bool(value)) => Some(*value),
        Kind::Constant(Constant::Number(value)) => Some(!(value.is_nan() || *value == 0.0)),
        Kind::Constant(_) => Some(false),
        Kind::Text(text) => text.known().map(|text| !text.is_empty()),
        _ => None,
    }
}

/// Whether two constants are equal.
fn same(one: &Expr, two: &Expr) -> bool {
    match (number(one), number(two)) {
        (Some(one), Some(two)) => one == two,
        _ => (is_nothing(one) && is_nothing(two)) || one == two,
    }
}

impl Facts {
    /// The constant that an expression is known to be.
    pub(crate) fn constant(&self, expr: &Expr) -> Option<Expr> {
        let fact = self.of.get(expr)?;
        if fact.is.is_some() {
            return fact.is.clone();
        }
        match (fact.truth, expr.of()) {
            (Some(truth), Type::Boolean) => Some(Expr::new(Kind::Constant(Constant::Bool(truth)), Type::Boolean)),
            _ => None,
        }
    }

    /// The classes of which an object may be, as far as the path has decided.
    pub(crate) fn classes(&self, expr: &Expr) -> Option<&[ClassId]> {
        self.of.get(expr)?.classes.as_deref()
    }

    pub(crate) fn set_classes(&mut self, expr: &Expr, classes: Vec<ClassId>) {
        let fact = self.of.entry(expr.clone()).or_default();
        fact.classes = Some(classes);
        fact.is_nothing = Some(false);
    }

    /// Whether a condition holds, if the path has decided.
    pub(crate) fn truth(&self, expr: &Expr) -> Option<bool> {
        if let Some(truth) = truth_of(expr) {
            return Some(truth);
        }
        match expr.operation() {
            Some(("!", [one])) => return self.truth(one).map(|truth| !truth),
            Some(("!=", [one, two])) => return self.equal(one, two).map(|truth| !truth),
            Some(("==", [one, two])) => return self.equal(one, two),
            Some(("<", [one, two])) => return self.less(one, two),
            Some((">", [one, two])) => return self.less(two, one),
            Some((">=", [one, two])) => return self.less(one, two).map(|truth| !truth),
            Some(("<=", [one, two])) => return self.less(two, one).map(|truth| !truth),
            _ => {}
        }
        let fact = self.of.get(expr)?;
        if fact.truth.is_some() {
            return fact.truth;
        }
        if fact.is_nothing == Some(true) {
            return Some(false);
        }
        if let Some(constant) = &fact.is {
            return truth_of(constant);
        }
        let positive = fact.low.0 > 0.0 || fact.low == (0.0, true);
        let negative = fact.high.0 < 0.0 || fact.high == (0.0, true);
        (positive || negative).then_some(true)
    }

    fn equal(&self, one: &Expr, two: &Expr) -> Option<bool> {
        if one == two {
            return Some(true);
        }
        let (value, constant) = if is_constant(two) { (one, two) } else { (two, one) };
        if !is_constant(constant) {
            return self.compared("==", one, two);
        }
        if is_constant(value) {
            return Some(same(one, two));
        }
        if let (Kind::Constant(Constant::Bool(wanted)), true) = (constant.kind(), is_condition(value)) {
            return self.truth(value).map(|truth| truth == *wanted);
        }
        let fact = self.of.get(value)?;
        if is_nothing(constant) {
            return match (fact.is_nothing, fact.truth) {
                (Some(known), _) => Some(known),
                (None, Some(true)) => Some(false),
                // An object that is false is null; a string may be empty.
                (None, Some(false)) if matches!(value.of(), Type::Class(_) | Type::Named(_)) => Some(true),
                _ => fact.is.as_ref().map(is_nothing),
            };
        }
        if let Some(known) = &fact.is {
            return Some(same(known, constant));
        }
        if fact.is_not.iter().any(|one| same(one, constant)) || fact.is_nothing == Some(true) {
            return Some(false);
        }
        if fact.truth.is_some() && truth_of(constant) != fact.truth {
            return Some(false);
        }
        if let Some(number) = number(constant) {
            let below = number < fact.low.0 || (number == fact.low.0 && fact.low.1);
            let above = number > fact.high.0 || (number == fact.high.0 && fact.high.1);
            if below || above {
                return Some(false);
            }
        }
        None
    }

    fn less(&self, one: &Expr, two: &Expr) -> Option<bool> {
        let range = |expr: &Expr| match number(expr) {
            Some(number) => Some(((number, false), (number, false))),
            None => {
                let fact = self.of.get(expr)?;
                if let Some(number) = fact.is.as_ref().and_then(number) {
                    return Some(((number, false), (number, false)));
                }
                Some((fact.low, fact.high))
            }
        };
        if one == two {
            return Some(false);
        }
        if let Some(known) = self.compared("<", one, two) {
            return Some(known);
        }
        let ((low_one, high_one), (low_two, high_two)) = (range(one)?, range(two)?);
        if high_one.0 < low_two.0 || (high_one.0 == low_two.0 && (high_one.1 || low_two.1)) {
            return Some(true);
        }
        (low_one.0 >= high_two.0).then_some(false)
    }

    fn compared(&self, operator: &'static str, one: &Expr, two: &Expr) -> Option<bool> {
        let found = |one: &Expr, two: &Expr| self.comparisons.get(&(operator, one.clone(), two.clone())).copied();
        found(one, two).or_else(|| if operator == "==" { found(two, one) } else { None })
    }

    /// Goes one way at a condition.
    pub(crate) fn assume(&mut self, expr: &Expr, holds: bool) {
        match expr.operation() {
            Some(("!", [one])) => return self.assume(one, !holds),
            Some(("==", [one, two])) => return self.assume_equal(one, two, holds),
            Some(("!=", [one, two])) => return self.assume_equal(one, two, !holds),
            Some(("<", [one, two])) => return self.assume_less(one, two, holds),
            Some((">", [one, two])) => return self.assume_less(two, one, holds),
            Some((">=", [one, two])) => return self.assume_less(one, two, !holds),
            Some(("<=", [one, two])) => return self.assume_less(two, one, !holds),
            _ => {}
        }
        let fact = self.of.entry(expr.clone()).or_default();
        fact.truth = Some(holds);
        if holds {
            fact.is_nothing = Some(false);
        }
    }

    fn assume_equal(&mut self, one: &Expr, two: &Expr, holds: bool) {
        let (value, constant) = if is_constant(two) { (one, two) } else { (two, one) };
        if !is_constant(constant) {
            self.comparisons.insert(("==", one.clone(), two.clone()), holds);
            return;
        }
        if let (Kind::Constant(Constant::Bool(wanted)), true) = (constant.kind(), is_condition(value)) {
            return self.assume(value, *wanted == holds);
        }
        let fact = self.of.entry(value.clone()).or_default();
        if is_nothing(constant) {
            fact.is_nothing = Some(holds);
            if holds {
                fact.truth = Some(false);
            } else if matches!(value.of(), Type::Class(_) | Type::Named(_)) {
                fact.truth = Some(true);
            }
        } else if holds {
            fact.is = Some(constant.clone());
            fact.is_nothing = Some(false);
            fact.truth = truth_of(constant);
        } else {
            fact.is_not.push(constant.clone());
        }
    }

    fn assume_less(&mut self, one: &Expr, two: &Expr, holds: bool) {
        if let Some(bound) = number(two) {
            let fact = self.of.entry(one.clone()).or_default();
            if holds && bound <= fact.high.0 {
                fact.high = (bound, true);
            } else if !holds && bound > fact.low.0 {
                fact.low = (bound, false);
            }
        } else if let Some(bound) = number(one) {
            let fact = self.of.entry(two.clone()).or_default();
            if holds && bound >= fact.low.0 {
                fact.low = (bound, true);
            } else if !holds && bound < fact.high.0 {
                fact.high = (bound, false);
            }
        } else {
            self.comparisons.insert(("<", one.clone(), two.clone()), holds);
        }
    }
}

/// Whether a value is a truth value, so that `x == true` is `x`.
fn is_condition(value: &Expr) -> bool {
    matches!(value.of(), Type::Boolean | Type::Any)
        || value.operation().is_some_and(|(name, _)| matches!(name, "!" | "==" | "<" | ">" | "<=" | ">=" | "!="))
}
