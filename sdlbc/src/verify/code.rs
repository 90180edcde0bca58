//! The rules of code: ids, scopes, shapes, types, PHIs, and that every output is written.
//!
//! Rule: one walk in reading order, in time proportional to the code (times the depth for the written outputs), which
//! goes no deeper than [`limits::NESTING`].
//!
//! PHIs. Behind an IF, a PHI's first value must be visible at the end of the IF's first block: defined before the IF,
//! or directly in that block. The second likewise for the second block. A block that ends in a DISCARD never comes to
//! the PHI, so the PHI's value for it is never taken; it must be visible at the block's end and of the type all the
//! same, so that no reader needs to know where control goes to understand a PHI.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use super::interface::output_detail;
use super::{Detail, Report, Rule, Types};
use crate::{Function, FunctionKind, Id, Inst, Op, Stages, Type, TypeRule, infer, limits};

/// Checks a function's code and gives the types of its values.
pub(super) fn check(function: &Function, report: &mut Report<'_>) -> Types {
    let mut walk = Walk { function, report, values: HashMap::new(), open: vec![true], next: 0 };
    for input in &function.inputs {
        walk.define(input.id, Some(input.ty), INPUTS, None);
    }
    let left = walk.block(&function.body, 0);
    for (index, output) in function.outputs.iter().enumerate() {
        if left.written.as_ref().is_some_and(|written| !written.contains(&index)) {
            walk.report.add(Rule::Written, output_detail(function.kind, index, output));
        }
    }
    Types { of: walk.values.into_iter().map(|(id, value)| (id, value.ty)).collect() }
}

/// The scope of the inputs; the blocks' follow in reading order.
const INPUTS: usize = 0;

/// A value as the walk knows it.
struct Value {
    ty: Option<Type>,
    /// The scope that it is defined in.
    scope: usize,
    /// The instruction that defines it; an input has none.
    at: Option<usize>,
}

/// How a block was left.
struct Left {
    scope: usize,
    /// The outputs that are written by then; `None` when the end is not reached.
    written: Option<HashSet<usize>>,
}

/// The place directly behind an IF.
#[derive(Clone, Copy)]
struct Join {
    /// The scopes of its blocks.
    scopes: [usize; 2],
    /// The first instruction behind it.
    at: usize,
}

struct Walk<'a, 'r> {
    function: &'a Function,
    report: &'a mut Report<'r>,
    values: HashMap<Id, Value>,
    /// Scope by scope, whether its values are visible now.
    open: Vec<bool>,
    /// The number of the next instruction.
    next: usize,
}

impl Walk<'_, '_> {
    fn block(&mut self, block: &[Inst], depth: usize) -> Left {
        let scope = self.open.len();
        self.open.push(true);
        let mut written = Some(HashSet::new());
        let mut join = None;
        let mut discarded = false;
        for inst in block {
            let at = self.next;
            self.next += 1;
            if discarded {
                self.report.add_at(at, Rule::BehindDiscard, Detail::Op(inst.op));
                discarded = false;
            }
            if inst.op.stage() == Stages::Fragment && self.function.kind != FunctionKind::Fragment {
                self.report.add_at(at, Rule::FragmentOnly, Detail::Op(inst.op));
            }
            let phi = inst.op.type_rule() == TypeRule::Phi;
            if phi && join.is_none() {
                self.report.add_at(at, Rule::PhiPlace, Detail::Id(inst.output));
            }
            let shaped = self.shape(inst, at);
            let types = match join.filter(|_| phi) {
                Some(join) => self.phi(inst, at, join),
                None => self.operands(inst, at),
            };
            let ty = types.filter(|_| shaped).and_then(|types| self.infer(inst, at, &types));
            self.define(inst.output, ty, scope, Some(at));
            self.write(inst, &mut written);
            let behind = self.blocks(inst, at, depth, &mut written);
            if !phi {
                join = behind;
            }
            if inst.op == Op::Discard {
                discarded = true;
                written = None;
            }
        }
        if let Some(open) = self.open.get_mut(scope) {
            *open = false;
        }
        Left { scope, written }
    }

    /// Walks an instruction's blocks and gives the place behind them.
    fn blocks(&mut self, inst: &Inst, at: usize, depth: usize, written: &mut Option<HashSet<usize>>) -> Option<Join> {
        if inst.blocks.len() != if inst.op.shape().blocks { 2 } else { 0 } {
            self.report.add_at(at, Rule::Blocks, operands(inst));
        }
        if inst.blocks.is_empty() {
            return None;
        }
        if depth >= limits::NESTING {
            self.report.add_at(at, Rule::Nesting, Detail::None);
            self.next += count(&inst.blocks);
            return None;
        }
        let left = inst.blocks.iter().map(|block| self.block(block, depth + 1)).collect::<Vec<_>>();
        let scopes = match left[..] {
            [ref a, ref b] => [a.scope, b.scope],
            _ => return None,
        };
        let both = left.into_iter().map(|left| left.written).reduce(meet).flatten();
        *written = match (written.take(), both) {
            (Some(before), Some(both)) => Some(join(before, both)),
            _ => None,
        };
        Some(Join { scopes, at: self.next })
    }

    fn shape(&mut self, inst: &Inst, at: usize) -> bool {
        let shape = inst.op.shape();
        // The words of an instruction are counted as a file has them, the count of an IF's first block included.
        let words = usize::from(shape.output) + inst.inputs.len() + inst.immediates.len() + usize::from(shape.blocks);
        let fits = shape.inputs_among(words) == Some(inst.inputs.len())
            && (shape.ignored || inst.immediates.len() == shape.immediates)
            && (shape.output || !inst.output.is_some());
        if !fits {
            self.report.add_at(at, Rule::Shape, operands(inst));
        }
        fits
    }

    /// The types of the operands, an absent index left out; `None` when one has none, or is not there.
    fn operands(&mut self, inst: &Inst, at: usize) -> Option<Vec<Type>> {
        let optional = |index: usize| inst.op.type_rule() == TypeRule::Peek && index == 1;
        let mut types = Some(Vec::with_capacity(inst.inputs.len()));
        for (index, &id) in inst.inputs.iter().enumerate() {
            if optional(index) && !id.is_some() {
                continue;
            }
            let ty = self.operand(id, at, Rule::Visible, |open, value| open.get(value.scope) == Some(&true));
            add(&mut types, ty);
        }
        types
    }

    /// The same of a PHI, whose operands must be visible each at the end of its block.
    fn phi(&mut self, inst: &Inst, at: usize, join: Join) -> Option<Vec<Type>> {
        let mut types = Some(Vec::with_capacity(inst.inputs.len()));
        for (&id, arm) in inst.inputs.iter().zip(join.scopes) {
            let ty = self.operand(id, at, Rule::PhiValues, |open, value| {
                let before = open.get(value.scope) == Some(&true) && value.at.is_none_or(|at| at < join.at);
                before || value.scope == arm
            });
            add(&mut types, ty);
        }
        types
    }

    /// The type of one operand, which must be there, defined and visible.
    fn operand(&mut self, id: Id, at: usize, rule: Rule, visible: impl Fn(&[bool], &Value) -> bool) -> Option<Type> {
        if !id.is_some() {
            self.report.add_at(at, Rule::OperandPresent, Detail::None);
            return None;
        }
        let Some(value) = self.values.get(&id) else {
            self.report.add_at(at, Rule::Defined, Detail::Id(id));
            return None;
        };
        if !visible(&self.open, value) {
            self.report.add_at(at, rule, Detail::Id(id));
        }
        value.ty
    }

    fn infer(&mut self, inst: &Inst, at: usize, types: &[Type]) -> Option<Type> {
        match infer(inst, types, &self.function.outputs) {
            Ok(ty) => ty,
            Err(error) => {
                self.report.add_at(at, Rule::Types, Detail::Types(error));
                None
            }
        }
    }

    fn define(&mut self, id: Id, ty: Option<Type>, scope: usize, at: Option<usize>) {
        if !id.is_some() {
            return;
        }
        let mut report = |rule| match at {
            Some(at) => self.report.add_at(at, rule, Detail::Id(id)),
            None => self.report.add(rule, Detail::Id(id)),
        };
        if id.0 > limits::MAX_ID {
            report(Rule::IdLimit);
        }
        match self.values.entry(id) {
            Entry::Occupied(_) => report(Rule::UniqueIds),
            Entry::Vacant(place) => {
                place.insert(Value { ty, scope, at });
            }
        }
    }

    fn write(&self, inst: &Inst, written: &mut Option<HashSet<usize>>) {
        if let (TypeRule::Poke, Some(written), Some(&index)) =
            (inst.op.type_rule(), written.as_mut(), inst.immediates.first())
        {
            let index = usize::try_from(index).ok();
            written.extend(index.filter(|&index| index < self.function.outputs.len()));
        }
    }
}

fn add(types: &mut Option<Vec<Type>>, ty: Option<Type>) {
    match (types.as_mut(), ty) {
        (Some(types), Some(ty)) => types.push(ty),
        _ => *types = None,
    }
}

/// What is written behind two ways, each of which may not come here.
fn meet(a: Option<HashSet<usize>>, b: Option<HashSet<usize>>) -> Option<HashSet<usize>> {
    match (a, b) {
        (Some(a), Some(b)) => {
            let (mut small, large) = if a.len() <= b.len() { (a, b) } else { (b, a) };
            small.retain(|index| large.contains(index));
            Some(small)
        }
        (a, b) => a.or(b),
    }
}

/// What is written by either of two stretches, one behind the other. The smaller goes into the larger, so that a long
/// row of IFs costs no more than its POKEs.
fn join(a: HashSet<usize>, b: HashSet<usize>) -> HashSet<usize> {
    let (small, mut large) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    large.extend(small);
    large
}

fn operands(inst: &Inst) -> Detail {
    Detail::Operands {
        op: inst.op,
        output: inst.output.is_some(),
        inputs: inst.inputs.len(),
        immediates: inst.immediates.len(),
        blocks: inst.blocks.len(),
    }
}

/// How many instructions stand in blocks that are not walked.
fn count(blocks: &[Vec<Inst>]) -> usize {
    let mut waiting = blocks.iter().collect::<Vec<_>>();
    let mut total = 0;
    while let Some(block) = waiting.pop() {
        total += block.len();
        waiting.extend(block.iter().flat_map(|inst| &inst.blocks));
    }
    total
}
