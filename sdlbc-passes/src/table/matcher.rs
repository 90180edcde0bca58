//! The matcher: finds the first row that applies to an instruction, and returns the replacement to build.
//!
//! Rule: the matcher reads the same rows as the provers, and has no rules of its own. It allocates no memory; the index over
//! the rows is computed at compile time. Most instructions match no row, so each pattern has a mask of the required properties
//! of the root's operands, and is only tried if all these bits are set.

use std::cmp::Ordering;

use sdlbc::{Id, Op, Scalar, Type};

use super::index::{Entry, Group, root, seen, seen_type};
use super::order::Order;
use super::{Assume, Condition, ROWS, Row, Term, Var};

/// Facts about each component of a value; false means unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// See [`Condition::Number`].
    pub number: bool,
    /// See [`Condition::Unsigned`].
    pub unsigned: bool,
    /// See [`Condition::NonNegative`].
    pub non_negative: bool,
    /// See [`Condition::Unit`].
    pub unit: bool,
    /// See [`Condition::Whole`].
    pub whole: bool,
}

/// The facts of `sdlbc`, which do not include that a value is never NaN or that its sign bit is not set.
impl From<sdlbc::facts::Facts> for Facts {
    fn from(known: sdlbc::facts::Facts) -> Facts {
        let sdlbc::facts::Facts { non_negative, unit, whole, uniform: _ } = known;
        Facts { non_negative: non_negative || unit, unit, whole, ..Facts::default() }
    }
}

/// The values of a function, as the matcher reads them.
pub trait Terms {
    /// The facts that the caller may know about a value; the matcher does not request others.
    const KNOWN: Facts = Facts { number: true, unsigned: true, non_negative: true, unit: true, whole: true };
    /// The instruction that defines a value: its operation, operands and immediates. `None` for an input of the function. A caller
    /// may also return `None` to hide an operation from patterns.
    fn definition(&self, id: Id) -> Option<(Op, &[Id], &[u32])>;
    /// The type of a value.
    fn ty(&self, id: Id) -> Type;
    /// The bits of a constant whose components are all equal; a half as the bits of a float.
    fn constant(&self, id: Id) -> Option<u32>;
    /// The known facts about a value.
    fn facts(&self, id: Id) -> Facts;
    /// The result of `root` for the value. A caller may have stored it.
    fn root(&self, id: Id) -> u32 {
        root(self.constant(id), self.definition(id).map(|(op, ..)| op))
    }
}

/// The instruction to rewrite.
#[derive(Clone, Copy, Debug)]
pub struct Node<'a> {
    /// The operation.
    pub op: Op,
    /// The ids of the operands.
    pub inputs: &'a [Id],
    /// The immediates.
    pub immediates: &'a [u32],
    /// The type of the result.
    pub ty: Type,
}

/// An operand of a [`Step`], or the result of a [`Replacement`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// A value that the pattern matched.
    Value(Id),
    /// A scalar constant, as bits; a half has the bits of a float.
    Constant(Scalar, u32),
    /// The result of the step with this number.
    Step(usize),
}

/// An instruction to build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The operation.
    pub op: Op,
    /// The immediate: the type of a CONVERT.
    pub immediate: Option<u32>,
    inputs: [Operand; 3],
    count: usize,
}

impl Step {
    /// The operands.
    pub fn inputs(&self) -> &[Operand] {
        self.inputs.get(..self.count).unwrap_or_default()
    }

    /// Whether the operand with this number must be as wide as the result. This is so for the values of a SELECT; other
    /// operands may be scalars.
    pub fn is_full_width(&self, operand: usize) -> bool {
        self.op == Op::Select && operand > 0
    }
}

/// The maximum number of instructions that a row builds.
const STEPS: usize = 3;

/// The instructions to build in place of another one.
///
/// To build it, append the steps in order, and replace the instruction by [`Replacement::result`]. In two cases the caller must
/// widen a scalar to a vector of equal components, as wide as the replaced instruction: if the result is narrower than that
/// instruction (`(multiply x 1)` of a scalar `x` and a vector of ones), and if [`Step::is_full_width`] is true. The caller should
/// fold steps whose operands are all constants.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Replacement {
    /// The row that applies.
    pub row: &'static Row,
    /// The result: a step, a value or a constant.
    pub result: Operand,
    steps: [Step; STEPS],
    count: usize,
}

impl Replacement {
    /// The instructions, in order. Their operands refer only to earlier ones.
    pub fn steps(&self) -> &[Step] {
        self.steps.get(..self.count).unwrap_or_default()
    }
}

/// The values of the pattern's variables, and the component type of the row.
#[derive(Clone, Copy, Default)]
struct Bindings {
    ids: [Id; Var::ALL.len()],
    scalar: Option<Scalar>,
}

/// The rows whose pattern has the operation at its root, in order.
pub fn rows_for(op: Op) -> impl Iterator<Item = &'static Row> {
    ROWS.iter().filter(move |row| row.pattern.op() == Some(op))
}

/// The replacement of an instruction by the first row that applies under these assumptions. An instruction whose operands are all
/// constants is left to the constant folder.
pub fn rewrite(terms: &impl Terms, node: Node<'_>, assume: Assume) -> Option<Replacement> {
    let Type::Vector(..) = node.ty else { return None };
    candidates(node.op, node.inputs, |id| terms.root(id), |id| terms.ty(id))?.rewrite(terms, node, assume)
}

/// The rows that an instruction may match, by the [`root`] of its operands; `None` if there are no such rows.
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

/// The rows that an instruction may match.
#[derive(Clone, Copy)]
pub(crate) struct Candidates {
    entries: &'static [Entry],
    seen: u64,
}

impl Candidates {
    /// The replacement by the first row that matches.
    pub(crate) fn rewrite(self, terms: &impl Terms, node: Node<'_>, assume: Assume) -> Option<Replacement> {
        self.entries.iter().filter(|entry| entry.mask & !self.seen == 0).find_map(|entry| {
            let row = ROWS.get(usize::from(entry.row)).filter(|row| assume.has(row.needs))?;
            build(row, &matched(terms, row, entry.order, node)?)
        })
    }
}

/// The replacement by one row, which need not be in the table. It is for tests of rows, and computes the row's orders each
/// time.
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

/// Whether an instruction has the operation at the root of a pattern, with matching operands.
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
    // From the last operand to the first, like the bits of an order.
    let all = operands.iter().enumerate().rev().all(|(at, operand)| {
        let id = inputs.get(if is_swapped { last - at } else { at }).copied().unwrap_or_default();
        value_matches(terms, operand, order, id, found)
    });
    all && match *pattern {
        Term::Convert(to, _) => converts(to, immediates, found),
        _ => true,
    }
}

/// Whether a CONVERT with these immediates converts to a component type, or to the row's if `to` is `None`.
fn converts(to: Option<Scalar>, immediates: &[u32], found: &mut Bindings) -> bool {
    let Some(Type::Vector(scalar, 1)) = immediates.first().and_then(|&word| Type::from_words(word, 0)) else {
        return false;
    };
    match to {
        Some(to) => scalar == to,
        None => is_of_row(scalar, found),
    }
}

/// Whether a component type is the row's. The first value that is checked determines it.
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

/// The bits of a number in a row, as a component.
#[expect(clippy::cast_possible_truncation, reason = "numbers of rows are small, and their floats are exact")]
const fn bits(number: f64, scalar: Scalar) -> u32 {
    match scalar {
        Scalar::Float | Scalar::Half => (number as f32).to_bits(),
        // -1 has every bit set.
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

/// The order of two constants; `None` if one is NaN.
fn order(scalar: Option<Scalar>, a: u32, b: u32) -> Option<Ordering> {
    match scalar? {
        Scalar::Int => Some(a.cast_signed().cmp(&b.cast_signed())),
        Scalar::Float | Scalar::Half => f32::from_bits(a).partial_cmp(&f32::from_bits(b)),
        Scalar::Uint | Scalar::Bool => Some(a.cmp(&b)),
    }
}

/// Whether the bits are a power of two or the negative of one, with an exponent of at most `most` in absolute value.
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

/// Appends the steps of a term. `None` if the row builds more steps than allowed, which a test excludes.
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
