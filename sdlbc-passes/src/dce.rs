//! Dead code elimination: removes instructions without effect if no component of their results is needed. The needed components
//! of operands are computed through swizzles, vectors, PHIs and componentwise operations.
//!
//! Requires nothing. Keeps writes, control flow and calls, and their operands. Breaks nothing. A second run changes nothing.
//!
//! One backward walk visits each use before its definition. Only the second value of a PHI at the head of a LOOP is defined after
//! the PHI. Such a definition is visited again from a list if it turns out that more of its components are needed.

use sdlbc::{Id, Inst, Op, OpSet, flow};

use crate::analyses::{Memory, Scope};
use crate::body::{index, narrow, wide};
use crate::properties::{self, Reads};
use crate::{Analyses, Body, Changed};

/// All components.
const ALL: u8 = 0b1111;

/// Runs the pass.
pub(crate) fn run(body: &mut Body, analyses: &mut Analyses) -> Changed {
    let (scopes, memory) = analyses.scopes(body);
    let unneeded = find(body, scopes, memory);
    if unneeded > 0 {
        body.keep(&memory.flags);
    }
    Changed::from(unneeded > 0)
}

/// Sets the flags of the needed instructions: those with an effect, and those on which they depend, directly or indirectly.
/// Returns the number of other instructions.
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
    let mut demand = Demand { body, components, places, here: insts.len(), later: Vec::new() };
    let mut unneeded = 0;
    for (at, inst) in insts.iter().enumerate().rev() {
        let kind = properties::of(inst.op);
        // The id 0 is never needed.
        let result = demand.of(inst.output);
        let Some(flag) = flags.get_mut(at) else { continue };
        if !*flag && !kind.is_root && result == 0 {
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
    // From here on, every definition has already been visited.
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

/// Visits the instructions that are needed whenever the instruction at a place is needed: the instruction whose block contains it
/// and, for a PHI after an IF, that IF.
fn around(at: usize, scopes: &[Scope], joins: &[u32], mut visit: impl FnMut(usize)) {
    for place in [scopes.get(at).map(|scope| scope.around), joins.get(at).copied()] {
        if let Some(place) = place.and_then(|place| wide(place).checked_sub(1)) {
            visit(place);
        }
    }
}

/// For each PHI after an IF, one more than the place of the IF; indexed by place.
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

/// The components needed so far.
struct Demand<'a> {
    body: &'a Body,
    /// The needed components as bits, by id.
    components: &'a mut [u8],
    /// One more than the place of the definition, by id; 0 for an input. Empty in a function without LOOPs.
    places: &'a [u32],
    /// The place of the instruction being visited; definitions after it have already been visited.
    here: usize,
    /// The places of instructions that must be visited again, because more of their components are needed.
    later: Vec<usize>,
}

impl Demand<'_> {
    /// The needed components of a value. A scalar is needed as a whole, whichever component of an operation needs it.
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
        // An operand must be defined even if none of its components matters.
        let all = *demand | components.max(1);
        if *demand == all {
            return;
        }
        *demand = all;
        if let Some(place) = self.places.get(index(id)).map(|&place| wide(place)).filter(|&place| place > self.here) {
            self.later.extend(place.checked_sub(1));
        }
    }

    /// Adds the components that an instruction reads to compute the components `result`.
    #[inline]
    fn operands(&mut self, inst: &Inst, reads: Reads, result: u8) {
        let body = self.body;
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
