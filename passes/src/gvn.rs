//! Common subexpressions: an instruction that computes what one before it computes is replaced by that one's value. (Value
//! numbering with scopes: a value may be read to the end of the block that it is in.)
//!
//! Requires nothing. Keeps types and control flow. Breaks nothing. Calls, PHIs and reads of local slots are computed each time.

use hashbrown::HashTable;
use sdlbc::{Id, Inst, Op, Type};

use crate::analyses::{Scope, scopes};
use crate::body::Substitution;
use crate::{Analyses, Body, Changed, Pass};

/// See the file.
pub(crate) struct Numbering;

impl Pass for Numbering {
    fn name(&self) -> &'static str {
        "gvn"
    }

    fn run(&self, body: &mut Body, _: &mut Analyses) -> Changed {
        let mut by = Substitution::default();
        // The places of the instructions that may be found, by their content.
        let mut table: HashTable<u32> = HashTable::with_capacity(body.insts().len());
        let scopes = scopes(body);
        // The scopes that are open, by number.
        let mut open = vec![false; body.insts().len() + 2];
        let mut path: Vec<u32> = Vec::new();
        for at in 0..body.insts().len() {
            let Some(&scope) = scopes.get(at) else { break };
            enter(scope, &mut path, &mut open);
            if let Some(inst) = body.insts_mut().get_mut(at) {
                inst.inputs.iter_mut().for_each(|id| *id = by.of(*id));
            }
            let Some(inst) = body.insts().get(at) else { break };
            let is_slot = inst.op == Op::Peek && inst.inputs.first().is_some_and(|&of| body.is_slot(of));
            if !inst.output.is_some() || matches!(inst.op, Op::Phi | Op::Call) || is_slot {
                continue;
            }
            let content = Content::of;
            let (output, this) = (inst.output, content(inst, body));
            let hash = this.hash();
            let insts = body.insts();
            let place = |place: &u32| usize::try_from(*place).unwrap_or(usize::MAX);
            let found =
                table.find_mut(hash, |other| insts.get(place(other)).is_some_and(|other| content(other, body) == this));
            let here = u32::try_from(at).unwrap_or(u32::MAX);
            match found {
                Some(found) => {
                    let other = place(found);
                    let is_visible =
                        scopes.get(other).and_then(|scope| open.get(scope.number)).copied().unwrap_or(false);
                    match insts.get(other).filter(|_| is_visible) {
                        Some(other) => by.replace(output, other.output),
                        None => *found = here,
                    }
                }
                None => {
                    let of = |place: &u32| {
                        insts
                            .get(usize::try_from(*place).unwrap_or(usize::MAX))
                            .map_or(0, |inst| content(inst, body).hash())
                    };
                    table.insert_unique(hash, here, of);
                }
            }
        }
        let changed = !by.is_empty();
        body.substitute(&by);
        changed.into()
    }
}

/// Closes the scopes that have ended before an instruction, and opens its own.
fn enter(scope: Scope, path: &mut Vec<u32>, open: &mut [bool]) {
    let number = u32::try_from(scope.number).unwrap_or(u32::MAX);
    if path.get(scope.depth) == Some(&number) && path.len() == scope.depth + 1 {
        return;
    }
    while path.len() > scope.depth && path.get(scope.depth) != Some(&number) || path.len() > scope.depth + 1 {
        let Some(closed) = path.pop() else { break };
        if let Some(flag) = open.get_mut(usize::try_from(closed).unwrap_or(usize::MAX)) {
            *flag = false;
        }
    }
    if path.len() == scope.depth {
        path.push(number);
        if let Some(flag) = open.get_mut(scope.number) {
            *flag = true;
        }
    }
}

/// What makes two instructions compute the same.
#[derive(PartialEq)]
struct Content<'a> {
    op: Op,
    /// The first two operands; in ascending order where their order does not matter.
    first: [Id; 2],
    rest: &'a [Id],
    immediates: &'a [u32],
    count: usize,
}

impl<'a> Content<'a> {
    fn of(inst: &'a Inst, body: &Body) -> Content<'a> {
        let operand = |at: usize| inst.inputs.get(at).copied().unwrap_or_default();
        let (a, b) = (operand(0), operand(1));
        let first = if b < a && commutes(inst, body) { [b, a] } else { [a, b] };
        let rest = inst.inputs.get(2..).unwrap_or_default();
        Content { op: inst.op, first, rest, immediates: &inst.immediates, count: inst.inputs.len() }
    }

    fn hash(&self) -> u64 {
        let mut hash = u64::from(self.op.number());
        let mut add = |word: u32| hash = (hash.rotate_left(5) ^ u64::from(word)).wrapping_mul(0x517c_c1b7_2722_0a95);
        self.first.iter().chain(self.rest).for_each(|id| add(id.0));
        self.immediates.iter().for_each(|word| add(*word));
        hash
    }
}

/// Whether the order of the first two operands does not matter.
fn commutes(inst: &Inst, body: &Body) -> bool {
    match inst.op {
        Op::Add | Op::Equal | Op::NotEqual | Op::Dot | Op::LogicalAnd | Op::LogicalOr => true,
        Op::BinaryAnd | Op::BinaryOr | Op::BinaryXor => true,
        Op::Multiply => inst.inputs.iter().all(|&id| matches!(body.ty(id), Some(Type::Vector(..)))),
        _ => false,
    }
}
