//! Dead code: an instruction whose result nothing needs is removed, and so is one of which nothing needs a component that it
//! computes. Components are followed through swizzles, vectors, PHIs and operations that work component by component.
//!
//! Requires nothing. Keeps writes, control flow and calls, and what they need. Breaks nothing. A second run finds nothing.
//!
//! One walk backward sees each use before its definition. Only the second value of a PHI at the head of a LOOP is defined after it:
//! what such a PHI adds is followed afterwards, from a list.

use sdlbc::{Id, Inst, Op, OpSet, flow};

use crate::analyses::{Memory, Scope};
use crate::body::{index, narrow, wide};
use crate::kinds::{self, Reads};
use crate::{Analyses, Body, Changed};

/// All components.
const ALL: u8 = 0b1111;

/// See the file.
pub(crate) fn run(body: &mut Body, analyses: &mut Analyses) -> Changed {
    let (scopes, memory) = analyses.scopes(body);
    let unneeded = find(body, scopes, memory);
    if unneeded > 0 {
        body.keep(&memory.flags);
    }
    Changed::from(unneeded > 0)
}

/// Sets the flags of the instructions that are needed: those with an effect, and what they need, directly or through others.
/// Returns the number of the others.
fn find(body: &Body, scopes: &[Scope], memory: &mut Memory) -> usize {
    let Memory { flags, components, places, .. } = memory;
    let insts = body.insts();
    components.clear();
    components.resize(body.ids(), 0);
    flags.clear();
    flags.resize(insts.len(), false);
    places.clear();
    let joins = if body.has(kinds::NESTING) { joins(insts, scopes) } else { Vec::new() };
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
        let kind = kinds::of(inst.op);
        // Nothing needs the id 0.
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
    // From here on, every definition was visited before.
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
        demand.operands(inst, kinds::of(inst.op).reads, demand.of(inst.output));
    }
    unneeded
}

/// Visits the instructions that are needed where the one at a place is: the one whose block it is in, and the IF that it is a PHI of.
fn around(at: usize, scopes: &[Scope], joins: &[u32], mut visit: impl FnMut(usize)) {
    for place in [scopes.get(at).map(|scope| scope.around), joins.get(at).copied()] {
        if let Some(place) = place.and_then(|place| wide(place).checked_sub(1)) {
            visit(place);
        }
    }
}

/// By place: for a PHI after an IF, one more than the place of the IF.
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

/// What is needed so far.
struct Demand<'a> {
    body: &'a Body,
    /// By id: the components that are needed, as bits.
    components: &'a mut [u8],
    /// By id: one more than the place of the definition; 0 for an input. Empty in a function without LOOPs.
    places: &'a [u32],
    /// The place of the instruction that is visited; what is defined after it was visited before.
    here: usize,
    /// The places of instructions that were visited before more was needed of them.
    later: Vec<usize>,
}

impl Demand<'_> {
    /// The components of a value that are needed. A scalar is needed whichever component of an operation needs it.
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
        // An operand is defined even if none of its components matters.
        let all = *demand | components.max(1);
        if *demand == all {
            return;
        }
        *demand = all;
        if let Some(place) = self.places.get(index(id)).map(|&place| wide(place)).filter(|&place| place > self.here) {
            self.later.extend(place.checked_sub(1));
        }
    }

    /// Adds what an instruction reads of which these components are needed.
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
