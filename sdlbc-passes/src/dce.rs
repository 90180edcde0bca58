//! Dead code elimination: removes each instruction that has no effect and no needed result component. The pass traces the needed
//! components of operands through swizzles, vectors, PHIs and componentwise operations. A write to a local array has an effect only
//! if a needed PEEK reads the array.
//!
//! The pass has no prerequisites and preserves writes to outputs and to other memory, control flow, calls and the operands of calls. A second run of the
//! pass changes nothing.
//!
//! One backward walk visits each use of a value before the value's definition. The only exception is the second value of a PHI
//! at the head of a LOOP: the value's definition follows the PHI. If the PHI later needs further components of its second
//! value, the value's definition is visited again from a work list.

use sdlbc::{Id, Inst, Op, OpSet, flow};

use crate::analyses::{Memory, Scope};
use crate::body::{index, narrow, wide};
use crate::properties::{self, Reads};
use crate::{Analyses, Body, Changed};

const ALL: u8 = 0b1111;

pub(crate) fn run(body: &mut Body, analyses: &mut Analyses) -> Changed {
    let (scopes, memory) = analyses.scopes(body);
    let unneeded = find(body, scopes, memory);
    if unneeded > 0 {
        body.keep(&memory.flags);
    }
    Changed::from(unneeded > 0)
}

/// Flags the instructions that have an effect, and the instructions on which they depend directly or indirectly. Returns the
/// number of instructions that are not flagged.
fn find(body: &Body, scopes: &[Scope], memory: &mut Memory) -> usize {
    let Memory { flags, components, places, .. } = memory;
    let insts = body.insts();
    components.clear();
    components.resize(body.ids(), 0);
    flags.clear();
    flags.resize(insts.len(), false);
    places.clear();
    let joins = if body.has(properties::NESTING) { joins(insts, scopes) } else { Vec::new() };
    if body.has(OpSet::of(&[Op::Loop])) {
        places.resize(body.ids(), 0);
        for (at, inst) in insts.iter().enumerate() {
            if let Some(place) = places.get_mut(index(inst.output)) {
                *place = narrow(at + 1);
            }
        }
    }
    let writes = writes(body);
    let read = if writes.is_empty() { Vec::new() } else { vec![false; body.inputs().len() + 1] };
    let mut demand = Demand { body, components, places, writes, read, here: insts.len(), later: Vec::new() };
    let mut unneeded = 0;
    for (at, inst) in insts.iter().enumerate().rev() {
        let kind = properties::of(inst.op);
        // An instruction without a result has the id 0, which is never needed.
        let result = demand.of(inst.output);
        let Some(flag) = flags.get_mut(at) else { continue };
        let is_root = kind.is_root && (inst.op != Op::Poke || demand.is_read(inst));
        if !*flag && !is_root && result == 0 {
            unneeded += 1;
            continue;
        }
        *flag = true;
        if !scopes.is_empty() {
            around(at, scopes, &joins, |at| {
                if let Some(flag) = flags.get_mut(at) {
                    *flag = true;
                }
            });
        }
        demand.here = at;
        demand.operands(inst, kind.reads, result);
    }
    // At this point, the backward walk has visited every definition.
    demand.here = 0;
    while let Some(at) = demand.later.pop() {
        let Some(inst) = insts.get(at) else { continue };
        if let Some(flag) = flags.get_mut(at).filter(|flag| !**flag) {
            *flag = true;
            unneeded -= 1;
            around(at, scopes, &joins, |at| {
                if flags.get(at) == Some(&false) {
                    demand.later.push(at);
                }
            });
        }
        demand.operands(inst, properties::of(inst.op).reads, demand.of(inst.output));
    }
    unneeded
}

/// Returns the local array that an instruction reads or writes, or `None` if it accesses none.
fn local_of(body: &Body, inst: &Inst) -> Option<Id> {
    let &id = inst.inputs.get(usize::from(inst.op == Op::Poke))?;
    let is_access = matches!(inst.op, Op::Peek | Op::Poke);
    Some(id).filter(|&id| is_access && body.is_local(id))
}

/// Returns the local array and the index of each instruction that writes a local array, in this order.
fn writes(body: &Body) -> Vec<(Id, usize)> {
    if !body.has(OpSet::of(&[Op::Poke])) || !body.inputs().iter().any(|input| body.is_local(input.id)) {
        return Vec::new();
    }
    let pokes = body.insts().iter().enumerate().filter(|(_, inst)| inst.op == Op::Poke);
    let mut writes: Vec<_> = pokes.filter_map(|(at, inst)| Some((local_of(body, inst)?, at))).collect();
    writes.sort_unstable();
    writes
}

/// Given a needed instruction, visits the instruction whose block contains it and, for a PHI after an IF, the IF.
fn around(at: usize, scopes: &[Scope], joins: &[u32], mut visit: impl FnMut(usize)) {
    for place in [scopes.get(at).map(|scope| scope.around), joins.get(at).copied()] {
        if let Some(place) = place.and_then(|place| wide(place).checked_sub(1)) {
            visit(place);
        }
    }
}

/// Maps each PHI after an IF to one more than the index of the IF, and any other instruction to 0.
fn joins(insts: &[Inst], scopes: &[Scope]) -> Vec<u32> {
    let mut joins = vec![0; insts.len()];
    for (at, inst) in insts.iter().enumerate().filter(|(_, inst)| inst.op == Op::If) {
        let start = at + 1 + inst.inner();
        let after = insts.get(start..).unwrap_or_default();
        let phis = flow::phis(after);
        let scope = |at: usize| scopes.get(at).map(|scope| scope.number);
        let own = (start..start + phis).take_while(|&place| scope(place) == scope(at));
        for place in own {
            if let Some(join) = joins.get_mut(place) {
                *join = narrow(at + 1);
            }
        }
    }
    joins
}

/// The components of values that are needed according to the instructions visited so far.
struct Demand<'a> {
    body: &'a Body,
    /// The needed components of each value as bits, indexed by id.
    components: &'a mut [u8],
    /// One more than the index of each value's definition, or 0 for an input. The table is empty in a function without LOOPs.
    places: &'a [u32],
    /// The writes to local arrays.
    writes: Vec<(Id, usize)>,
    /// Whether a needed instruction reads the local array, indexed by the id of the input.
    read: Vec<bool>,
    /// The index of the current instruction; the walk has already visited the definitions after this index.
    here: usize,
    /// The indices of the instructions to visit again, because more components of their results are needed.
    later: Vec<usize>,
}

impl Demand<'_> {
    /// Reports whether a POKE is needed: it writes an output or other memory, or a local array that a needed instruction reads.
    fn is_read(&self, poke: &Inst) -> bool {
        self.writes.is_empty() || local_of(self.body, poke).is_none_or(|of| self.read.get(index(of)) == Some(&true))
    }

    /// Notes the local array that a needed instruction reads. In a function with LOOPs, the read may also follow the writes that the
    /// walk has already visited.
    fn note_read(&mut self, inst: &Inst) {
        let Some(of) = local_of(self.body, inst).filter(|_| inst.op == Op::Peek) else { return };
        let Some(read) = self.read.get_mut(index(of)).filter(|read| !**read) else { return };
        *read = true;
        if self.places.is_empty() {
            return;
        }
        let visited = self.writes.partition_point(|write| *write <= (of, self.here));
        let writes = self.writes.iter().skip(visited).take_while(|(written, _)| *written == of);
        self.later.extend(writes.map(|&(_, at)| at));
    }

    /// Returns the needed components of a value. A scalar is needed as a whole, regardless of which component of an operation
    /// needs it.
    #[inline]
    fn of(&self, id: Id) -> u8 {
        match self.components.get(index(id)).copied().unwrap_or(ALL) {
            2.. if self.body.width(id) == 1 => 1,
            needed => needed,
        }
    }

    #[inline]
    fn add(&mut self, id: Id, components: u8) {
        let Some(demand) = self.components.get_mut(index(id)).filter(|_| id.is_some()) else { return };
        // An operand must be defined even if none of its components is needed.
        let all = *demand | components.max(1);
        if *demand == all {
            return;
        }
        *demand = all;
        if let Some(place) = self.places.get(index(id)).map(|&place| wide(place)).filter(|&place| place > self.here) {
            self.later.extend(place.checked_sub(1));
        }
    }

    /// Adds the operand components from which an instruction computes the components `result`.
    #[inline]
    fn operands(&mut self, inst: &Inst, reads: Reads, result: u8) {
        let body = self.body;
        if !self.writes.is_empty() {
            self.note_read(inst);
        }
        match reads {
            Reads::Swizzle => {
                let (mut read, mut needed) = (0, result);
                for lane in inst.lanes() {
                    read |= (needed & 1) << lane;
                    needed >>= 1;
                }
                inst.inputs.iter().for_each(|&id| self.add(id, read));
            }
            Reads::Vector => {
                let mut needed = result;
                for &id in &inst.inputs {
                    let width = body.width(id).clamp(1, 4);
                    self.add(id, needed & (ALL >> (4 - width)));
                    needed >>= width;
                }
            }
            Reads::SameOfVectors if inst.inputs.iter().any(|&id| body.width(id) == 0) => {
                inst.inputs.iter().for_each(|&id| self.add(id, ALL));
            }
            Reads::Same | Reads::SameOfVectors => inst.inputs.iter().for_each(|&id| self.add(id, result)),
            Reads::All => inst.inputs.iter().for_each(|&id| self.add(id, ALL)),
        }
    }
}
