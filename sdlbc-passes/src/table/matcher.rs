//! The matcher finds the first row that applies to an instruction, and returns the replacement to build.
//!
//! Rule: the matcher reads the same rows as the provers and has no rules of its own. Matching allocates no memory, and the index
//! over the rows is computed at compile time. Most instructions match no row. A pattern is therefore tried only if the
//! instruction's operands have all bits of the pattern's mask.

use std::cmp::Ordering;

use sdlbc::{Id, Op, Scalar, Type};

use super::index::{Entry, Group, root, seen, seen_type};
use super::order::Order;
use super::{Assume, Condition, ROWS, Row, Term, Var};

/// Facts about each component of a value; false means that the fact is unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// The value is never NaN, as [`Condition::Number`] requires.
    pub number: bool,
    /// The sign bit is not set unless the value is NaN, as [`Condition::Unsigned`] requires.
    pub unsigned: bool,
    /// The value is at least zero, or NaN, as [`Condition::NonNegative`] requires.
    pub non_negative: bool,
    /// The value is from 0 to 1, or NaN, as [`Condition::Unit`] requires.
    pub unit: bool,
    /// The value is whole, infinite or NaN, as [`Condition::Whole`] requires.
    pub whole: bool,
}

/// Converts the facts of `sdlbc`, which never exclude NaN or a set sign bit.
impl From<sdlbc::facts::Facts> for Facts {
    fn from(known: sdlbc::facts::Facts) -> Facts {
        let sdlbc::facts::Facts { non_negative, unit, whole, uniform: _ } = known;
        Facts { non_negative: non_negative || unit, unit, whole, ..Facts::default() }
    }
}

/// Provides the matcher with information about a function's values.
pub trait Terms {
    /// The kinds of facts that the caller may know; the matcher requests no other facts.
    const KNOWN: Facts = Facts { number: true, unsigned: true, non_negative: true, unit: true, whole: true };
    /// Returns the operation, operands and immediates of the instruction that defines a value. Returns `None` for an input of the
    /// function, or to hide an operation from patterns.
    fn definition(&self, id: Id) -> Option<(Op, &[Id], &[u32])>;
    /// Returns the type of a value.
    fn ty(&self, id: Id) -> Type;
    /// Returns the bits of a constant whose components are all equal. A half is returned as the bits of a float.
    fn constant(&self, id: Id) -> Option<u32>;
    /// Returns the known facts about a value.
    fn facts(&self, id: Id) -> Facts;
    /// Returns the value's mask bits, which an implementation may cache.
    fn root(&self, id: Id) -> u32 {
        root(self.constant(id), self.definition(id).map(|(op, ..)| op))
    }
}

/// The instruction to rewrite.
#[derive(Clone, Copy, Debug)]
pub struct Node<'a> {
    /// The instruction's operation.
    pub op: Op,
    /// The ids of the instruction's operands.
    pub inputs: &'a [Id],
    /// The instruction's immediate words.
    pub immediates: &'a [u32],
    /// The type of the instruction's result.
    pub ty: Type,
}

/// An operand of a [`Step`], or the result of a [`Replacement`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// A value that the pattern matched.
    Value(Id),
    /// The type and bits of a scalar constant; a half has the bits of a float.
    Constant(Scalar, u32),
    /// The result of the step with this index.
    Step(usize),
}

/// An instruction of a [`Replacement`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The operation of the new instruction.
    pub op: Op,
    /// The result type of a CONVERT, as an immediate word; `None` for other operations.
    pub immediate: Option<u32>,
    inputs: [Operand; 3],
    count: usize,
}

impl Step {
    /// Returns the operands of the new instruction, in order.
    pub fn inputs(&self) -> &[Operand] {
        self.inputs.get(..self.count).unwrap_or_default()
    }

    /// Reports whether the operand at this index must be as wide as the result, as both values of a SELECT must be.
    pub fn is_full_width(&self, operand: usize) -> bool {
        self.op == Op::Select && operand > 0
    }
}

/// The maximum number of instructions that a row builds.
const STEPS: usize = 3;

/// The instructions that replace a matched instruction.
///
/// The caller appends the steps in order and uses [`Replacement::result`] instead of the matched instruction. A result that is
/// narrower than the matched instruction must be widened to a vector of equal components, as for `(multiply x 1)` with a scalar
/// `x` and a vector of ones. A scalar operand must also be widened if [`Step::is_full_width`] returns true for the operand. The
/// caller should fold steps whose operands are all constants.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Replacement {
    /// The row that matched the instruction.
    pub row: &'static Row,
    /// The new value of the matched instruction: a step, a value or a constant.
    pub result: Operand,
    steps: [Step; STEPS],
    count: usize,
}

impl Replacement {
    /// Returns the instructions to append, in order; the operands of a step refer only to earlier steps.
    pub fn steps(&self) -> &[Step] {
        self.steps.get(..self.count).unwrap_or_default()
    }
}

/// The values bound to the pattern's variables, and the row's component type.
#[derive(Clone, Copy, Default)]
struct Bindings {
    ids: [Id; Var::ALL.len()],
    scalar: Option<Scalar>,
}

/// Returns the rows whose pattern has the operation `op` at its root, in table order.
pub fn rows_for(op: Op) -> impl Iterator<Item = &'static Row> {
    ROWS.iter().filter(move |row| row.pattern.op() == Some(op))
}

/// Returns the replacement for an instruction according to the first row that applies under the given assumptions. An instruction
/// whose operands are all constants is left to the constant folder.
pub fn rewrite(terms: &impl Terms, node: Node<'_>, assume: Assume) -> Option<Replacement> {
    let Type::Vector(..) = node.ty else { return None };
    candidates(node.op, node.inputs, |id| terms.root(id), |id| terms.ty(id))?.rewrite(terms, node, assume)
}

/// Returns the rows that an instruction may match, given the [`root`] of each operand; `None` if there are no such rows.
#[inline]
pub(crate) fn candidates(
    op: Op,
    inputs: &[Id],
    root: impl Fn(Id) -> u32,
    ty: impl Fn(Id) -> Type,
) -> Option<Candidates> {
    let group = Group::of(op)?;
    let seen = seen(inputs, root)?;
    if group.any != u64::MAX && seen & group.any == 0 {
        return None;
    }
    Some(Candidates { entries: group.entries(), seen: seen | seen_type(ty(*inputs.last()?)) })
}

#[derive(Clone, Copy)]
pub(crate) struct Candidates {
    entries: &'static [Entry],
    seen: u64,
}

impl Candidates {
    pub(crate) fn rewrite(self, terms: &impl Terms, node: Node<'_>, assume: Assume) -> Option<Replacement> {
        self.entries.iter().filter(|entry| entry.mask & !self.seen == 0).find_map(|entry| {
            let row = ROWS.get(usize::from(entry.row)).filter(|row| assume.has(row.needs))?;
            build(row, &matched(terms, row, entry.order, node)?)
        })
    }
}

/// Returns the replacement for an instruction according to a given row, which need not be in the table. The function is meant for
/// tests, because it computes the row's operand orders on every call.
pub fn applies(terms: &impl Terms, node: Node<'_>, row: &'static Row) -> Option<Replacement> {
    row.orders().iter().find_map(|&order| build(row, &matched(terms, row, order, node)?))
}

fn matched(terms: &impl Terms, row: &Row, mut order: Order, node: Node<'_>) -> Option<Bindings> {
    let mut found = Bindings::default();
    let fits = is_operation(terms, &row.pattern, &mut order, (node.op, node.inputs, node.immediates), &mut found)
        && found.scalar.is_none_or(|scalar| row.scalars.contains(&scalar))
        && row.conditions.iter().all(|&condition| holds(terms, condition, &found));
    fits.then_some(found)
}

/// Reports whether an instruction's operation is the root of a pattern and its operands match the pattern's operands.
fn is_operation(
    terms: &impl Terms,
    pattern: &Term,
    order: &mut Order,
    (op, inputs, immediates): (Op, &[Id], &[u32]),
    found: &mut Bindings,
) -> bool {
    let operands = pattern.operands();
    if pattern.op() != Some(op) || operands.len() != inputs.len() {
        return false;
    }
    let is_swapped = order.take(pattern);
    let last = inputs.len().saturating_sub(1);
    // Operands are matched from last to first, because the bits in an `Order` are in that sequence.
    let all = operands.iter().enumerate().rev().all(|(at, operand)| {
        let id = inputs.get(if is_swapped { last - at } else { at }).copied().unwrap_or_default();
        value_matches(terms, operand, order, id, found)
    });
    all && match *pattern {
        Term::Convert(to, _) => converts(to, immediates, found),
        _ => true,
    }
}

/// Reports whether a CONVERT's immediates name the component type `to`, or the row's component type if `to` is `None`.
fn converts(to: Option<Scalar>, immediates: &[u32], found: &mut Bindings) -> bool {
    let Some(Type::Vector(scalar, 1)) = immediates.first().and_then(|&word| Type::from_words(word, 0)) else {
        return false;
    };
    match to {
        Some(to) => scalar == to,
        None => is_of_row(scalar, found),
    }
}

/// Reports whether a component type is the row's component type. The first checked value determines the row's component
/// type.
fn is_of_row(scalar: Scalar, found: &mut Bindings) -> bool {
    *found.scalar.get_or_insert(scalar) == scalar
}

fn value_matches(terms: &impl Terms, pattern: &Term, order: &mut Order, id: Id, found: &mut Bindings) -> bool {
    if pattern.op().is_some() {
        return terms.definition(id).is_some_and(|inst| is_operation(terms, pattern, order, inst, found));
    }
    let Type::Vector(scalar, _) = terms.ty(id) else { return false };
    match *pattern {
        Term::Var(var) => {
            let fits = if var.is_truth() { scalar == Scalar::Bool } else { is_of_row(scalar, found) };
            let Some(bound) = found.ids.get_mut(var.index()) else { return false };
            if bound.is_some() {
                return fits && *bound == id;
            }
            *bound = id;
            fits && (!var.is_constant() || terms.constant(id).is_some())
        }
        Term::Number(number) => {
            terms.constant(id) == Some(bits(number, scalar)) && scalar != Scalar::Bool && is_of_row(scalar, found)
        }
        Term::Truth(truth) => scalar == Scalar::Bool && terms.constant(id) == Some(u32::from(truth)),
        Term::Op(..) | Term::Convert(..) => false,
    }
}

#[expect(clippy::cast_possible_truncation, reason = "numbers of rows are small, and their floats are exact")]
const fn bits(number: f64, scalar: Scalar) -> u32 {
    match scalar {
        Scalar::Float | Scalar::Half => (number as f32).to_bits(),
        // As an integer, -1 has every bit set.
        Scalar::Int | Scalar::Uint | Scalar::Bool => (number as i32).cast_unsigned(),
    }
}

fn holds<T: Terms>(terms: &T, condition: Condition, found: &Bindings) -> bool {
    let id = |var: Var| found.ids.get(var.index()).copied().unwrap_or_default();
    let facts = |var| terms.facts(id(var));
    let constant = |var| terms.constant(id(var)).unwrap_or_default();
    let float = |var| f32::from_bits(constant(var));
    let is_float = matches!(found.scalar, Some(Scalar::Float | Scalar::Half));
    match condition {
        Condition::Number(x) => T::KNOWN.number && facts(x).number,
        Condition::Unsigned(x) => T::KNOWN.unsigned && facts(x).unsigned,
        Condition::NonNegative(x) => T::KNOWN.non_negative && facts(x).non_negative,
        Condition::Unit(x) => T::KNOWN.unit && facts(x).unit,
        Condition::Whole(x) => T::KNOWN.whole && facts(x).whole,
        Condition::Scalar(x) => terms.ty(id(x)).width() == Some(1),
        Condition::Ordered(a) => !is_float || !float(a).is_nan(),
        Condition::Nonzero(a) if is_float => !float(a).is_nan() && float(a) != 0.0,
        Condition::Nonzero(a) => constant(a) != 0,
        Condition::PowerOfTwo(a) => match found.scalar {
            Some(Scalar::Float) => is_power_of_two(constant(a), 126),
            Some(Scalar::Half) => is_power_of_two(constant(a), 14),
            _ => constant(a).is_power_of_two(),
        },
        Condition::UpToOne(a) => is_float && 0.0 < float(a) && float(a) <= 1.0,
        Condition::BelowOne(a) => is_float && 0.0 <= float(a) && float(a) < 1.0,
        Condition::Ascending(a, b) => order(found.scalar, constant(a), constant(b)).is_some_and(Ordering::is_le),
        Condition::Below(a, b) => order(found.scalar, constant(a), constant(b)).is_some_and(Ordering::is_lt),
    }
}

fn order(scalar: Option<Scalar>, a: u32, b: u32) -> Option<Ordering> {
    match scalar? {
        Scalar::Int => Some(a.cast_signed().cmp(&b.cast_signed())),
        Scalar::Float | Scalar::Half => f32::from_bits(a).partial_cmp(&f32::from_bits(b)),
        Scalar::Uint | Scalar::Bool => Some(a.cmp(&b)),
    }
}

/// Reports whether a float is a power of two, of either sign, whose exponent has a magnitude of at most `most`.
const fn is_power_of_two(bits: u32, most: u32) -> bool {
    let exponent = bits >> 23 & 255;
    bits & 0x7f_ffff == 0 && exponent.abs_diff(127) <= most
}

fn build(row: &'static Row, found: &Bindings) -> Option<Replacement> {
    let nothing = Operand::Value(Id::NONE);
    let step = Step { op: Op::Nop, immediate: None, inputs: [nothing; 3], count: 0 };
    let mut replacement = Replacement { row, result: nothing, steps: [step; STEPS], count: 0 };
    replacement.result = place_term(&row.replacement, found, &mut replacement)?;
    Some(replacement)
}

/// Appends the steps that compute a term of the row's replacement. Returns `None` if the row builds too many steps, which a test
/// rules out.
fn place_term(term: &Term, found: &Bindings, into: &mut Replacement) -> Option<Operand> {
    let immediate = match *term {
        Term::Var(var) => return Some(Operand::Value(*found.ids.get(var.index())?)),
        Term::Number(number) => {
            let scalar = found.scalar?;
            return Some(Operand::Constant(scalar, bits(number, scalar)));
        }
        Term::Truth(truth) => return Some(Operand::Constant(Scalar::Bool, truth.into())),
        Term::Op(..) => None,
        Term::Convert(to, _) => Some(Type::Vector(to.or(found.scalar)?, 1).word()),
    };
    let mut inputs = [Operand::Value(Id::NONE); 3];
    let operands = term.operands();
    for (input, operand) in inputs.iter_mut().zip(operands) {
        *input = place_term(operand, found, into)?;
    }
    let at = into.count;
    *into.steps.get_mut(at)? = Step { op: term.op()?, immediate, inputs, count: operands.len() };
    into.count += 1;
    Some(Operand::Step(at))
}
