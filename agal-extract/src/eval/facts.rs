//! Facts about unknown values, derived from the conditions of a path.
//!
//! A condition is decided if the facts determine it, or if one of its alternatives contradicts a condition that the path has taken
//! before.

use crate::avm::types::{Constant, Type};
use crate::avm::world::{ClassId, World};
use crate::eval::arithmetic::{calculate, value_of};
use crate::eval::expr::{ByExpr, Expr, Kind, is_constant};
use crate::eval::natives::function;
use crate::eval::range::Range;
use crate::eval::text::{Part, Text};
use crate::eval::value::Value;

/// The conditions that hold on a path.
#[derive(Clone, Debug, Default)]
pub(crate) struct Facts {
    of: ByExpr<Fact>,
    /// Pairs of values with the first at most the second, and whether it is strictly less.
    ordered: Vec<(Expr, Expr, bool)>,
    /// Pairs of values that are not equal.
    unequal: Vec<(Expr, Expr)>,
    /// The conditions that the path has taken, with their truth.
    taken: Vec<(Expr, bool)>,
}

/// Facts about a value.
#[derive(Clone, Debug, Default)]
struct Fact {
    truth: Option<bool>,
    is_nothing: Option<bool>,
    is: Option<Expr>,
    is_not: Vec<Expr>,
    range: Range,
    /// Possible classes of an object, as far as the path has decided.
    classes: Option<Vec<ClassId>>,
    /// Types that the value has or does not have.
    types: Vec<(Type, bool)>,
}

/// Maximum depth of the search in expressions.
const DEPTH: usize = 8;

/// Maximum depth in an expression at which the ordering with other values is used.
const ORDERED_DEPTH: usize = 2;

/// The maximum number of values ordered with a value that are examined.
const ORDERED: usize = 32;

fn number(expr: &Expr) -> Option<f64> {
    match expr.kind() {
        Kind::Constant(Constant::Number(bits)) => Some(f64::from_bits(*bits)),
        Kind::Constant(Constant::Bool(value)) => Some(f64::from(u8::from(*value))),
        _ => None,
    }
}

fn of_number(number: f64) -> Expr {
    Expr::new(Kind::Constant(Constant::Number(number.to_bits())), Type::Number)
}

fn is_nothing(expr: &Expr) -> bool {
    matches!(expr.kind(), Kind::Constant(Constant::Undefined | Constant::Null))
}

/// The comparison in a condition, such as `==`, `===` or `<`, and whether it holds when the condition holds.
fn comparison(expr: &Expr) -> Option<(&'static str, &Expr, &Expr, bool)> {
    match expr.operation()? {
        (name @ ("==" | "===" | "<"), [one, two]) => Some((name, one, two, true)),
        (">", [one, two]) => Some(("<", two, one, true)),
        (">=", [one, two]) => Some(("<", one, two, false)),
        ("<=", [one, two]) => Some(("<", two, one, false)),
        _ => None,
    }
}

/// Whether a condition on a constant holds.
fn truth_of(expr: &Expr) -> Option<bool> {
    value_of(expr)?.truth()
}

/// Whether two constants are equal. Whether an object equals a text or a number depends on the object's conversion to text.
fn same(one: &Expr, two: &Expr) -> Option<bool> {
    match (one.kind(), two.kind()) {
        _ if is_nothing(one) || is_nothing(two) => Some(is_nothing(one) && is_nothing(two)),
        (Kind::Text(_), Kind::Text(_)) | (Kind::Object(..), Kind::Object(..)) => Some(one == two),
        _ => Some(value_of(one)?.number()? == value_of(two)?.number()?),
    }
}

/// Whether a text with holes may equal a known text.
fn may_be(text: &Text, known: &str) -> bool {
    let (Some(first), Some(last)) = (text.parts().first(), text.parts().last()) else { return known.is_empty() };
    let begins = |part: &Part| matches!(part, Part::Literal(text) if !known.starts_with(text.as_str()));
    let ends = |part: &Part| matches!(part, Part::Literal(text) if !known.ends_with(text.as_str()));
    let least: usize = text.literals().map(str::len).sum();
    !begins(first) && !ends(last) && least <= known.len()
}

/// Operands of a condition that are not operations themselves, and texts whose lengths or parts are operands.
fn atoms<'a>(expr: &'a Expr, depth: usize, found: &mut Vec<&'a Expr>) {
    if depth == 0 || is_constant(expr) {
        return;
    }
    match expr.kind() {
        Kind::Op(_, operands) => operands.iter().for_each(|operand| atoms(operand, depth - 1, found)),
        Kind::Text(text) => text.holes().for_each(|expr| atoms(expr, depth - 1, found)),
        Kind::Field(object, _) | Kind::Call(Some(object), ..) => {
            found.push(expr);
            atoms(object, depth - 1, found);
        }
        _ => found.push(expr),
    }
}

impl Facts {
    fn fact(&mut self, expr: &Expr) -> &mut Fact {
        self.of.entry(expr.clone()).or_default()
    }

    /// The constant that an expression is known to equal.
    pub(crate) fn constant(&self, expr: &Expr) -> Option<Expr> {
        let fact = self.of.get(expr)?;
        let truth = || Value::Bool(fact.truth.filter(|_| *expr.of() == Type::Boolean)?).as_constant();
        fact.is.clone().or_else(truth)
    }

    /// Possible classes of an object, as far as the path has decided.
    pub(crate) fn classes(&self, expr: &Expr) -> Option<&[ClassId]> {
        self.of.get(expr)?.classes.as_deref()
    }

    pub(crate) fn set_classes(&mut self, expr: &Expr, classes: Vec<ClassId>) {
        let fact = self.fact(expr);
        fact.classes = Some(classes);
        fact.is_nothing = Some(false);
    }

    /// Whether a value has a type, if the path has decided it.
    pub(crate) fn is_of(&self, expr: &Expr, of: &Type, world: &World) -> Option<bool> {
        let fact = self.of.get(expr)?;
        if fact.is_nothing == Some(true) {
            return Some(false);
        }
        let Type::Class(class) = of else { return None };
        if let Some(classes) = &fact.classes {
            let below = classes.iter().filter(|one| world.is_below(**one, *class)).count();
            if below == 0 || below == classes.len() {
                return Some(below > 0);
            }
        }
        fact.types.iter().find_map(|(other, holds)| {
            let Type::Class(other) = other else { return None };
            match holds {
                true if world.is_below(*other, *class) => Some(true),
                true => world.are_apart(*other, *class).then_some(false),
                false => world.is_below(*class, *other).then_some(false),
            }
        })
    }

    /// Records that an object is not null, since an operation uses it. Returns whether this contradicts no decision of the path.
    pub(crate) fn is_used(&mut self, expr: &Expr) -> bool {
        if matches!(expr.kind(), Kind::Global(_)) {
            return true;
        }
        let fact = self.fact(expr);
        if fact.is_nothing == Some(true) || (fact.truth == Some(false) && expr.of().is_object()) {
            return false;
        }
        fact.is_nothing = Some(false);
        true
    }

    /// Records that a number is in a range.
    pub(crate) fn bound(&mut self, expr: &Expr, range: Range) {
        let fact = self.fact(expr);
        fact.range = fact.range.and(range);
    }

    /// Whether a condition holds, if the path has decided it.
    pub(crate) fn truth(&self, expr: &Expr) -> Option<bool> {
        self.truth_within(expr, DEPTH)
    }

    fn truth_within(&self, expr: &Expr, depth: usize) -> Option<bool> {
        if let Some(truth) = truth_of(expr) {
            return Some(truth);
        }
        let depth = depth.checked_sub(1)?;
        if let Some(("!", [one])) = expr.operation() {
            return self.truth_within(one, depth).map(|truth| !truth);
        }
        if let Some((name, one, two, as_it_is)) = comparison(expr) {
            let truth = match name {
                "==" => self.equal(one, two, depth),
                "===" => self.identical(one, two, depth),
                _ => self.less(one, two, depth),
            };
            return truth.map(|truth| truth == as_it_is);
        }
        if let Some(fact) = self.of.get(expr) {
            match fact.is_nothing {
                _ if fact.truth.is_some() => return fact.truth,
                Some(true) => return Some(false),
                Some(false) if expr.of().is_object() => return Some(true),
                _ => {}
            }
        }
        if let Some(constant) = self.value(expr, depth) {
            return truth_of(&constant);
        }
        let of = expr.of();
        if of.is_number() || matches!(expr.kind(), Kind::Op(..)) {
            let range = self.range(expr, depth);
            if !range.has(0.0) && !range.is_empty() {
                return Some(true);
            }
        }
        let is_not_zero = |fact: &Fact| fact.is_not.iter().any(|one| number(one) == Some(0.0));
        (of.is_integer() && self.of.get(expr).is_some_and(is_not_zero)).then_some(true)
    }

    /// The constant value of an expression, by the facts about the expression and its operands.
    fn value(&self, expr: &Expr, depth: usize) -> Option<Expr> {
        if is_constant(expr) {
            return Some(expr.clone());
        }
        let known = self.constant(expr).or_else(|| self.derived(expr, depth));
        let only = || self.range(expr, depth.checked_sub(1)?).only().filter(|_| expr.of().is_number());
        known.or_else(|| only().map(of_number))
    }

    /// The constant value of an expression, by its operands alone.
    fn derived(&self, expr: &Expr, depth: usize) -> Option<Expr> {
        let depth = depth.checked_sub(1)?;
        let text = |object: &Expr| match self.value(object, depth)?.kind() {
            Kind::Text(text) => text.known().map(str::to_string),
            _ => None,
        };
        match expr.kind() {
            Kind::Op(name, operands) => {
                let number = |expr| self.value(expr, depth).as_ref().and_then(number);
                let operands: Vec<f64> = operands.iter().map(number).collect::<Option<_>>()?;
                Some(of_number(match *operands {
                    [one] => function(name, &[one])?,
                    [one, two] => calculate(name, one, two).or_else(|| function(name, &[one, two]))?,
                    _ => return None,
                }))
            }
            Kind::Field(object, name) if &**name == "length" => Some(of_number(text(object)?.chars().count() as f64)),
            Kind::Call(Some(object), name, arguments, _) if &**name == "indexOf" => {
                let [wanted] = &**arguments else { return None };
                let (text, wanted) = (text(object)?, text(wanted)?);
                let found = text.find(&wanted).and_then(|at| Some(text.get(..at)?.chars().count() as f64));
                Some(of_number(found.unwrap_or(-1.0)))
            }
            Kind::Text(text) => {
                let value = self.value(text.as_hole()?, depth)?;
                matches!(value.kind(), Kind::Text(_)).then_some(value)
            }
            _ => None,
        }
    }

    /// Whether a condition that was taken holds, by its operands alone.
    fn derived_truth(&self, expr: &Expr) -> Option<bool> {
        match expr.operation() {
            Some(("!", [one])) => self.derived_truth(one).map(|truth| !truth),
            _ if comparison(expr).is_some() => self.truth(expr),
            Some((name, [one, two])) => {
                let derived = self.derived(expr, DEPTH).as_ref().and_then(truth_of);
                let range = || Range::combine(name, self.range(one, DEPTH), self.range(two, DEPTH));
                derived.or_else(|| (!range().has(0.0)).then_some(true))
            }
            _ => self.derived(expr, DEPTH).as_ref().and_then(truth_of),
        }
    }

    /// Possible numeric values of an expression.
    fn range(&self, expr: &Expr, depth: usize) -> Range {
        let own = self.own_range(expr, depth);
        // Examining all ordered values takes time, so they are used only near the root of an expression.
        if self.ordered.is_empty() || depth + ORDERED_DEPTH <= DEPTH {
            return own;
        }
        let bounds = |downwards, bound: fn(Range, bool) -> Range| {
            let others = self.ordered(expr, downwards).into_iter();
            others.map(move |(other, is_less)| bound(self.own_range(other, depth - 1), is_less))
        };
        bounds(false, Range::up_to).chain(bounds(true, Range::from)).fold(own, Range::and)
    }

    /// Possible numeric values of an expression, by the facts about it and its operands, without ordered values.
    fn own_range(&self, expr: &Expr, depth: usize) -> Range {
        if let Some(number) = number(expr) {
            return Range::of(number);
        }
        let of = match (expr.of(), expr.kind()) {
            (Type::Uint, _) => Range::COUNT,
            (Type::Int, _) => Range::INTEGERS,
            (Type::Boolean, _) => Range::between(0.0, 1.0),
            (_, Kind::Field(_, name)) if &**name == "length" => Range::COUNT,
            (_, Kind::Call(_, name, ..)) if &**name == "indexOf" || &**name == "lastIndexOf" => {
                Range::between(-1.0, f64::INFINITY)
            }
            _ => Range::ALL,
        };
        let fact = self.of.get(expr);
        if let Some(number) = fact.and_then(|fact| fact.is.as_ref()).and_then(number) {
            return Range::of(number);
        }
        if matches!(expr.kind(), Kind::Field(..) | Kind::Call(..))
            && let Some(number) = self.derived(expr, depth).as_ref().and_then(number)
        {
            return Range::of(number);
        }
        let mut range = fact.map_or(of, |fact| of.and(fact.range));
        if fact.is_some_and(|fact| fact.truth == Some(false)) && expr.of().is_number() {
            range = range.and(Range::of(0.0));
        }
        range = match (expr.operation(), depth.checked_sub(1)) {
            (Some((name, [one])), Some(depth)) => range.and(Range::apply(name, self.range(one, depth))),
            (Some((name, [one, two])), Some(depth)) => {
                range.and(Range::combine(name, self.range(one, depth), self.range(two, depth)))
            }
            _ => range,
        };
        fact.map_or(range, |fact| range.without(fact.is_not.iter().filter_map(number)))
    }

    /// Values ordered with a value, directly or transitively: those at least as great, or those at most as great; and whether they
    /// are never equal to it.
    fn ordered(&self, expr: &Expr, downwards: bool) -> Vec<(&Expr, bool)> {
        let mut found: Vec<(&Expr, bool)> = Vec::new();
        let mut open = vec![(expr, false)];
        while let Some((one, is_less)) = open.pop() {
            for (low, high, less) in &self.ordered {
                let (from, to) = if downwards { (high, low) } else { (low, high) };
                if from != one {
                    continue;
                }
                if found.len() >= ORDERED {
                    return found;
                }
                let next = (to, is_less || *less);
                let is_known = found.iter().any(|(known, strict)| *known == to && (*strict || !next.1));
                if !is_known {
                    found.push(next);
                    open.push(next);
                }
            }
        }
        found
    }

    fn equal(&self, one: &Expr, two: &Expr, depth: usize) -> Option<bool> {
        if one == two {
            return Some(true);
        }
        let (one, two) = (self.value(one, depth).unwrap_or(one.clone()), self.value(two, depth).unwrap_or(two.clone()));
        let (value, constant) = if is_constant(&two) { (&one, &two) } else { (&two, &one) };
        if is_constant(value) && is_constant(constant) {
            return same(&one, &two);
        }
        let are_numbers = one.of().is_number() || two.of().is_number();
        if are_numbers && self.range(&one, depth).and(self.range(&two, depth)).is_empty() {
            return Some(false);
        }
        if is_constant(constant) {
            return self.equal_constant(value, constant, depth);
        }
        let is_unequal =
            |(first, second): &(Expr, Expr)| (*first == one && *second == two) || (*first == two && *second == one);
        if self.unequal.iter().any(is_unequal) {
            return Some(false);
        }
        match (self.at_most(&one, &two), self.at_most(&two, &one)) {
            (Some(true), _) | (_, Some(true)) => Some(false),
            (Some(false), Some(false)) => Some(true),
            _ => None,
        }
    }

    /// Whether `low` is strictly less than `high`. `None` if `low` is not known to be at most `high`.
    fn at_most(&self, low: &Expr, high: &Expr) -> Option<bool> {
        self.ordered(low, false).into_iter().filter(|(other, _)| *other == high).map(|(_, is_less)| is_less).max()
    }

    fn equal_constant(&self, value: &Expr, constant: &Expr, depth: usize) -> Option<bool> {
        if let (Kind::Constant(Constant::Bool(wanted)), true) = (constant.kind(), is_condition(value)) {
            return self.truth_within(value, depth).map(|truth| truth == *wanted);
        }
        if let (Kind::Text(text), Kind::Text(known)) = (value.kind(), constant.kind())
            && let Some(known) = known.known()
            && !may_be(text, known)
        {
            return Some(false);
        }
        let fact = self.of.get(value)?;
        if is_nothing(constant) {
            return match (fact.is_nothing, fact.truth) {
                (Some(known), _) => Some(known),
                (None, Some(true)) => Some(false),
                // An object that is false is null; a false string may be empty.
                (None, Some(false)) if value.of().is_object() => Some(true),
                _ => None,
            };
        }
        if fact.is_not.iter().any(|one| same(one, constant) == Some(true)) || fact.is_nothing == Some(true) {
            return Some(false);
        }
        (fact.truth.is_some() && truth_of(constant) != fact.truth).then_some(false)
    }

    /// `===` with null or undefined, for a value that may be either.
    fn identical(&self, one: &Expr, two: &Expr, depth: usize) -> Option<bool> {
        let fact = self.of.get(one)?;
        if let Some(known) = &fact.is {
            return Some(known == two);
        }
        if fact.is_not.contains(two) { Some(false) } else { self.equal(one, two, depth).filter(|equal| !equal) }
    }

    fn less(&self, one: &Expr, two: &Expr, depth: usize) -> Option<bool> {
        if one == two {
            return Some(false);
        }
        let (first, second) = (self.range(one, depth), self.range(two, depth));
        if first.is_empty() || second.is_empty() {
            return None;
        }
        if first.is_below(second) {
            return Some(true);
        }
        if second.is_at_most(first) {
            return Some(false);
        }
        match (self.at_most(one, two), self.at_most(two, one)) {
            (Some(true), _) => Some(true),
            (_, known) => known.map(|_| false),
        }
    }

    /// Whether a condition holds, if the path has decided it or the other alternative is impossible.
    pub(crate) fn decided(&self, expr: &Expr) -> Option<bool> {
        let same = self.taken.iter().find(|(taken, _)| taken == expr).map(|(_, held)| *held);
        if let Some(known) = self.truth(expr).or(same) {
            return Some(known);
        }
        let mut own = Vec::new();
        atoms(expr, DEPTH, &mut own);
        let shares = |(taken, _): &&(Expr, bool)| {
            let mut others = Vec::new();
            atoms(taken, DEPTH, &mut others);
            taken != expr && others.iter().any(|one| own.contains(one))
        };
        self.taken.iter().find(shares)?;
        match (self.can_be(expr, true), self.can_be(expr, false)) {
            (true, false) => Some(true),
            (false, true) => Some(false),
            _ => None,
        }
    }

    /// Number of conditions taken.
    pub(crate) fn len(&self) -> usize {
        self.taken.len()
    }

    /// Whether an alternative of a condition contradicts no condition taken before.
    fn can_be(&self, expr: &Expr, holds: bool) -> bool {
        let mut with = self.clone();
        with.assume(expr, holds);
        let is_empty = |expr: &Expr| expr.of().is_number() && with.range(expr, DEPTH).is_empty();
        let mut own = Vec::new();
        atoms(expr, DEPTH, &mut own);
        let holds = |(taken, held): &(Expr, bool)| with.derived_truth(taken).is_none_or(|truth| truth == *held);
        !own.into_iter().any(is_empty) && with.taken.iter().all(holds)
    }

    /// Takes an alternative of a condition.
    pub(crate) fn assume(&mut self, expr: &Expr, holds: bool) {
        self.taken.push((expr.clone(), holds));
        self.hold(expr, holds);
    }

    fn hold(&mut self, expr: &Expr, holds: bool) {
        match comparison(expr) {
            Some(("==", one, two, _)) => return self.hold_equal(one, two, holds),
            Some(("===", one, two, _)) if holds => {
                self.hold_equal(one, two, true);
                self.fact(one).is = Some(two.clone());
                return;
            }
            Some(("===", one, two, _)) => return self.fact(one).is_not.push(two.clone()),
            Some((_, one, two, as_it_is)) => return self.hold_less(one, two, holds == as_it_is),
            None => {}
        }
        match expr.operation() {
            Some(("!", [one])) => return self.hold(one, !holds),
            Some(("is", [one, of])) => {
                let fact = self.fact(one);
                fact.types.push((of.of().clone(), holds));
                if holds {
                    fact.is_nothing = Some(false);
                }
            }
            _ => {}
        }
        let fact = self.fact(expr);
        fact.truth = Some(holds);
        if holds {
            fact.is_nothing = Some(false);
        }
    }

    fn hold_equal(&mut self, one: &Expr, two: &Expr, holds: bool) {
        let (value, constant) = if is_constant(two) { (one, two) } else { (two, one) };
        if !is_constant(constant) {
            if holds {
                let (one, two) = (one.clone(), two.clone());
                self.ordered.extend([(one.clone(), two.clone(), false), (two, one, false)]);
            } else {
                self.unequal.push((one.clone(), two.clone()));
            }
            return;
        }
        if let (Kind::Constant(Constant::Bool(wanted)), true) = (constant.kind(), is_condition(value)) {
            return self.hold(value, *wanted == holds);
        }
        let is_object = value.of().is_object();
        let fact = self.fact(value);
        if is_nothing(constant) {
            fact.is_nothing = Some(holds);
            if holds {
                fact.truth = Some(false);
            } else if is_object {
                fact.truth = Some(true);
            }
        } else if holds {
            fact.is = Some(constant.clone());
            fact.is_nothing = Some(false);
            fact.truth = truth_of(constant);
            self.hold_no_bits(value, constant);
        } else {
            fact.is_not.push(constant.clone());
        }
    }

    /// Handles `(a | b) & c == 0`: neither operand has any bit of `c`.
    fn hold_no_bits(&mut self, value: &Expr, constant: &Expr) {
        let (Some(0.0), Some(("&", [one, two]))) = (number(constant), value.operation()) else { return };
        let parts = |expr: &Expr| match expr.operation() {
            Some(("|", parts)) => parts.to_vec(),
            _ => Vec::new(),
        };
        let both = |one: Expr, two: Expr| Expr::op("&", &[one, two], value.of().clone());
        let of_first = parts(one).into_iter().map(|part| both(part, two.clone()));
        let of_second = parts(two).into_iter().map(|part| both(one.clone(), part));
        for bits in of_first.chain(of_second).collect::<Vec<_>>() {
            self.hold_equal(&bits, constant, true);
        }
    }

    fn hold_less(&mut self, one: &Expr, two: &Expr, holds: bool) {
        if let Some(bound) = number(two).map(Range::of) {
            self.bound(one, if holds { Range::up_to(bound, true) } else { Range::from(bound, false) });
        } else if let Some(bound) = number(one).map(Range::of) {
            self.bound(two, if holds { Range::from(bound, true) } else { Range::up_to(bound, false) });
        } else if holds {
            self.ordered.push((one.clone(), two.clone(), true));
        } else {
            self.ordered.push((two.clone(), one.clone(), false));
        }
    }
}

/// Whether a value is Boolean, so that `x == true` is `x`.
fn is_condition(value: &Expr) -> bool {
    matches!(value.of(), Type::Boolean | Type::Any)
        || comparison(value).is_some()
        || value.operation().is_some_and(|(name, _)| name == "!")
}
