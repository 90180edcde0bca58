//! Dead code: an instruction whose result nothing needs is removed, and so is one of which nothing needs a component that it
//! computes. Components are followed through swizzles, vectors, PHIs and operations that work component by component.
//!
//! Requires nothing. Keeps writes, control flow and calls, and what they need. Breaks nothing.

use sdlbc::{Block, Id, Inst, Op, Type, TypeRule, flow};

use crate::body::index;
use crate::{Analyses, Body, Changed, Pass};

/// See the file.
pub(crate) struct DeadCode;

/// All components.
const ALL: u8 = 0b1111;

impl Pass for DeadCode {
    fn name(&self) -> &'static str {
        "dce"
    }

    fn run(&self, body: &mut Body, _: &mut Analyses) -> Changed {
        let needed = needed(body);
        let changed = needed.contains(&false);
        if changed {
            body.keep(&needed);
        }
        changed.into()
    }
}

/// Which instructions are needed: those with an effect, and what they need, directly or through others.
fn needed(body: &Body) -> Vec<bool> {
    let mut demand = Demand::new(body);
    for (at, inst) in body.insts().iter().enumerate() {
        let is_choice = matches!(inst.op, Op::Nop | Op::If | Op::Switch);
        // A LOOP may not end, and a CALL may discard.
        if !is_choice && !inst.op.shape().output || inst.op == Op::Call {
            demand.need(at);
        }
    }
    while let Some(at) = demand.waiting.pop() {
        if let Some(inst) = body.insts().get(at) {
            demand.operands(inst, body);
        }
    }
    demand.needed
}

/// What is needed so far.
struct Demand {
    /// By id: the components that are needed, as bits.
    components: Vec<u8>,
    /// By id: one more than the place of the definition; 0 for an input.
    places: Vec<usize>,
    /// By place: one more than the place of the instruction whose block it is in.
    around: Vec<usize>,
    /// By place: for a PHI after an IF, one more than the place of the IF.
    joins: Vec<usize>,
    needed: Vec<bool>,
    /// The places of instructions whose operands must be looked at.
    waiting: Vec<usize>,
}

impl Demand {
    fn new(body: &Body) -> Demand {
        let count = body.insts().len();
        let mut demand = Demand {
            components: vec![0; body.ids()],
            places: vec![0; body.ids()],
            around: vec![0; count],
            joins: vec![0; count],
            needed: vec![false; count],
            waiting: Vec::new(),
        };
        demand.block(body.function().body.block(), 0, &mut 0);
        demand
    }

    /// Notes where the instructions of a block are. `around` is one more than the place of the instruction that has the block.
    fn block(&mut self, block: Block<'_>, around: usize, next: &mut usize) {
        for inst in block {
            let at = *next;
            *next += 1;
            if let Some(place) = self.around.get_mut(at) {
                *place = around;
            }
            if let Some(place) = self.places.get_mut(index(inst.output)).filter(|_| inst.output.is_some()) {
                *place = at + 1;
            }
            inst.blocks().for_each(|block| self.block(block, at + 1, next));
            if inst.op == Op::If {
                let phis = flow::phis(inst.following().all());
                self.joins.iter_mut().skip(*next).take(phis).for_each(|join| *join = at + 1);
            }
        }
    }

    /// Marks an instruction, the IF that it is a PHI of, and all instructions around it.
    fn need(&mut self, at: usize) {
        let mut next = Some(at);
        while let Some(at) = next {
            let Some(flag) = self.needed.get_mut(at).filter(|flag| !**flag) else { return };
            *flag = true;
            self.waiting.push(at);
            if let Some(join) = self.joins.get(at).and_then(|join| join.checked_sub(1)) {
                self.need(join);
            }
            next = self.around.get(at).and_then(|around| around.checked_sub(1));
        }
    }

    fn of(&self, id: Id) -> u8 {
        self.components.get(index(id)).copied().unwrap_or(ALL)
    }

    fn add(&mut self, id: Id, components: u8) {
        let Some(demand) = self.components.get_mut(index(id)).filter(|_| id.is_some()) else { return };
        // An operand is defined even if none of its components matters.
        let components = components.max(1);
        if *demand | components == *demand {
            return;
        }
        *demand |= components;
        if let Some(at) = self.places.get(index(id)).and_then(|place| place.checked_sub(1)) {
            match self.needed.get(at) {
                // More of its components are needed than before.
                Some(true) => self.waiting.push(at),
                _ => self.need(at),
            }
        }
    }

    /// Adds what an instruction that is needed reads.
    fn operands(&mut self, inst: &Inst, body: &Body) {
        let of_result = if inst.output.is_some() { self.of(inst.output) } else { ALL };
        match inst.op.type_rule() {
            TypeRule::Swizzle => {
                let lanes = inst.lanes().enumerate().filter(|(at, _)| of_result >> at & 1 == 1);
                let read = lanes.fold(0, |set, (_, lane)| set | 1 << lane);
                inst.inputs.iter().for_each(|&id| self.add(id, read));
            }
            TypeRule::Vector => {
                let mut first = 0;
                for &id in &inst.inputs {
                    let width = body.width(id);
                    self.add(id, of_result >> first & (ALL >> (4 - width.clamp(1, 4))));
                    first += width;
                }
            }
            TypeRule::Componentwise(_)
            | TypeRule::Comparison(_)
            | TypeRule::ByInts(_)
            | TypeRule::Select
            | TypeRule::Phi
            | TypeRule::Convert => self.by_component(inst, of_result, body),
            TypeRule::Product if inst.inputs.iter().all(|&id| matches!(body.ty(id), Some(Type::Vector(..)))) => {
                self.by_component(inst, of_result, body);
            }
            _ => inst.inputs.iter().for_each(|&id| self.add(id, ALL)),
        }
    }

    fn by_component(&mut self, inst: &Inst, of_result: u8, body: &Body) {
        for &id in &inst.inputs {
            let read = if body.width(id) == 1 { u8::from(of_result != 0) } else { of_result };
            self.add(id, read);
        }
    }
}
