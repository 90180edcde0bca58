//! Facts about unknown values, derived from the conditions on a path.
//!
//! A condition is decided if the facts determine its truth, or if either outcome contradicts an earlier condition.

use crate::avm::types::{Constant, Type};
use crate::avm::world::{ClassId, World};
use crate::eval::arithmetic::{calculate, value_of};
use crate::eval::expr::{ByExpr, Expr, Kind, is_constant};
use crate::eval::natives::function;
use crate::eval::range::Range;
use crate::eval::text::{Part, Text};
use crate::eval::value::Value;

#[derive(Clone, Debug, Default)]
pub(crate) struct Facts {
    of: ByExpr<Fact>,
    /// Pairs of values in which the first is at most the second, each with a flag that is set if the first is strictly less.
    ordered: Vec<(Expr, Expr, bool)>,
    unequal: Vec<(Expr, Expr)>,
    /// Conditions taken on the path, and whether each was true.
    taken: Vec<(Expr, bool)>,
}

#[derive(Clone, Debug, Default)]
struct Fact {
    truth: Option<bool>,
    is_nothing: Option<bool>,
    is: Option<Expr>,
    is_not: Vec<Expr>,
    range: Range,
    /// The object's possible classes, or `None` if the path has not restricted the classes.
    classes: Option<Vec<ClassId>>,
    /// The types that the value is known to have (`true`) or not to have (`false`).
    types: Vec<(Type, bool)>,
}

/// The maximum depth to which the operands of an expression are examined.
const DEPTH: usize = 8;

/// The maximum depth of an operand whose range is derived from the operand's ordering relative to other values.
const ORDERED_DEPTH: usize = 2;

/// The maximum number of results of a search for the values that are ordered relative to a given value.
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

/// Returns the comparison in a condition, such as `==`, `===` or `<`, the comparison's operands, and a flag that is false if the
/// condition negates the comparison.
fn comparison(expr: &Expr) -> Option<(&'static str, &Expr, &Expr, bool)> {
    match expr.operation()? {
        (name @ ("==" | "===" | "<"), [one, two]) => Some((name, one, two, true)),
        (">", [one, two]) => Some(("<", two, one, true)),
        (">=", [one, two]) => Some(("<", one, two, false)),
        ("<=", [one, two]) => Some(("<", two, one, false)),
        _ => None,
    }
}

fn truth_of(expr: &Expr) -> Option<bool> {
    value_of(expr)?.truth()
}

/// Reports whether two constants are equal. Returns `None` if an object is compared with a string or number, because the result
/// depends on the object's string conversion.
fn same(one: &Expr, two: &Expr) -> Option<bool> {
    match (one.kind(), two.kind()) {
        _ if is_nothing(one) || is_nothing(two) => Some(is_nothing(one) && is_nothing(two)),
        (Kind::Text(_), Kind::Text(_)) | (Kind::Object(..), Kind::Object(..)) => Some(one == two),
        _ => Some(value_of(one)?.number()? == value_of(two)?.number()?),
    }
}

/// Reports whether a string with holes may equal a known string, judging by its beginning, its end and its length.
fn may_be(text: &Text, known: &str) -> bool {
    let (Some(first), Some(last)) = (text.parts().first(), text.parts().last()) else { return known.is_empty() };
    let begins = |part: &Part| matches!(part, Part::Literal(text) if !known.starts_with(text.as_str()));
    let ends = |part: &Part| matches!(part, Part::Literal(text) if !known.ends_with(text.as_str()));
    let least: usize = text.literals().map(str::len).sum();
    !begins(first) && !ends(last) && least <= known.len()
}

/// Collects the operands of a condition that are not themselves operations. For a field or a method call, the object is also
/// collected, such as the string `s` in `s.length`.
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

    pub(crate) fn constant(&self, expr: &Expr) -> Option<Expr> {
        let fact = self.of.get(expr)?;
        let truth = || Value::Bool(fact.truth.filter(|_| *expr.of() == Type::Boolean)?).as_constant();
        fact.is.clone().or_else(truth)
    }

    pub(crate) fn classes(&self, expr: &Expr) -> Option<&[ClassId]> {
        self.of.get(expr)?.classes.as_deref()
    }

    pub(crate) fn set_classes(&mut self, expr: &Expr, classes: Vec<ClassId>) {
        let fact = self.fact(expr);
        fact.classes = Some(classes);
        fact.is_nothing = Some(false);
    }

    /// Reports whether a value has the type `of`. Returns `None` if the facts do not determine the answer.
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

    /// Records that an object is not null, because an operation uses it. Returns `false` if the path has already decided that the
    /// object is null.
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

    pub(crate) fn bound(&mut self, expr: &Expr, range: Range) {
        let fact = self.fact(expr);
        fact.range = fact.range.and(range);
    }

    /// Returns the truth of a condition, or `None` if the known facts do not determine it.
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

    /// Returns the constant value of an expression, derived from facts about the expression and its operands.
    fn value(&self, expr: &Expr, depth: usize) -> Option<Expr> {
        if is_constant(expr) {
            return Some(expr.clone());
        }
        let known = self.constant(expr).or_else(|| self.derived(expr, depth));
        let only = || self.range(expr, depth.checked_sub(1)?).only().filter(|_| expr.of().is_number());
        known.or_else(|| only().map(of_number))
    }

    /// Returns the constant value of an expression, derived only from its operands.
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

    /// Derives the truth of a condition from its operands, without considering whether the path has taken the condition.
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

    fn range(&self, expr: &Expr, depth: usize) -> Range {
        let own = self.own_range(expr, depth);
        // The ordering is used only for operands near the root of an expression, because the search for ordered values is slow.
        if self.ordered.is_empty() || depth + ORDERED_DEPTH <= DEPTH {
            return own;
        }
        let bounds = |downwards, bound: fn(Range, bool) -> Range| {
            let others = self.ordered(expr, downwards).into_iter();
            others.map(move |(other, is_less)| bound(self.own_range(other, depth - 1), is_less))
        };
        bounds(false, Range::up_to).chain(bounds(true, Range::from)).fold(own, Range::and)
    }

    /// Returns the possible numeric values of an expression, without using the expression's ordering relative to other values.
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

    /// Returns the values known, directly or transitively, to be at least a value, or at most that value if `downwards` is set.
    /// Each result has a flag that is set if the two values are never equal.
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

    /// Reports whether `low` is strictly less than `high`. Returns `None` if `low` is not known to be at most `high`.
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
                // An object that converts to false is null, whereas a string that converts to false may be empty.
                (None, Some(false)) if value.of().is_object() => Some(true),
                _ => None,
            };
        }
        if fact.is_not.iter().any(|one| same(one, constant) == Some(true)) || fact.is_nothing == Some(true) {
            return Some(false);
        }
        (fact.truth.is_some() && truth_of(constant) != fact.truth).then_some(false)
    }

    /// Evaluates `===` between a value and null or undefined, for a value that may be either null or undefined.
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

    /// Returns the truth of a condition, or `None` if it is unknown. The truth is known if the facts determine it, or if the
    /// opposite is impossible.
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

    pub(crate) fn len(&self) -> usize {
        self.taken.len()
    }

    /// Reports whether a condition can have the truth value `holds` without contradicting a condition taken earlier.
    fn can_be(&self, expr: &Expr, holds: bool) -> bool {
        let mut with = self.clone();
        with.assume(expr, holds);
        let is_empty = |expr: &Expr| expr.of().is_number() && with.range(expr, DEPTH).is_empty();
        let mut own = Vec::new();
        atoms(expr, DEPTH, &mut own);
        let holds = |(taken, held): &(Expr, bool)| with.derived_truth(taken).is_none_or(|truth| truth == *held);
        !own.into_iter().any(is_empty) && with.taken.iter().all(holds)
    }

    /// Records that the path takes a condition as true or as false, and derives further facts from the condition.
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

    /// Derives facts from `(a | b) & c == 0`: neither `a` nor `b` has a bit that is set in `c`.
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

/// Reports whether a value may be Boolean. If it may, `x == true` can be treated as `x`.
fn is_condition(value: &Expr) -> bool {
    matches!(value.of(), Type::Boolean | Type::Any)
        || comparison(value).is_some()
        || value.operation().is_some_and(|(name, _)| name == "!")
}
