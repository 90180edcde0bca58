//! Control flow: nested ifs, loops, switches and jumps, with PHIs that swap, rotate and refer to themselves.

use sdlbc::{Block, Body, Id, Inst, InstRef, Op, Scalar, Type, limits};

use super::code::{Enclosing, Writer, ends_in_jump};
use super::mood::Mood;

/// The maximum nesting depth of blocks, which leaves room for the exit of a counted loop.
const DEEPEST: usize = limits::NESTING - 3;

/// Case values that include the extremes of ints and adjacent numbers.
const CASES: [u32; 12] = [0, 1, u32::MAX, 0x8000_0000, 0x7fff_ffff, 2, 0x8000_0001, 0xffff_fffe, 3, 31, 65536, 255];

impl Writer<'_, '_, '_> {
    /// Adds statements to a block until one of them leaves the block.
    pub(super) fn statements(&mut self, out: &mut Body, depth: usize) {
        self.space(out);
        // Until the nesting limit is reached, each block begins with a nested construct.
        self.nests_to_limit &= depth < DEEPEST;
        if self.nests_to_limit {
            self.compound(out, depth);
            if depth > 0 && !self.choices.once_in(4) {
                return;
            }
        }
        let count = self.choices.one(&[2, 0, 1, 3, 6, 12]);
        for _ in 0..count {
            if self.budget == 0 || ends_in_jump(out.block()) {
                break;
            }
            match self.choices.below(16) {
                0..=8 => self.operation(out),
                9 => self.peek(out),
                10 => self.poke(out),
                11 => self.call(out),
                12 if depth > 0 => self.jump(out),
                _ if depth < DEEPEST => self.compound(out, depth),
                _ => self.operation(out),
            }
            self.space(out);
        }
    }

    fn compound(&mut self, out: &mut Body, depth: usize) {
        match self.choices.below(4) {
            0 | 1 => self.branch(out, depth),
            2 => self.cycle(out, depth),
            _ => self.switch(out, depth),
        }
    }

    /// Adds a jump that is allowed at this point.
    fn jump(&mut self, out: &mut Body) {
        let mut jumps = vec![Op::Return];
        if !self.around.is_empty() {
            jumps.extend([Op::Break; 2]);
        }
        let innermost = self.around.iter().rev().find(|around| **around != Enclosing::Switch);
        if innermost == Some(&Enclosing::Loop) {
            jumps.extend([Op::Continue; 3]);
        }
        if self.sketch.of_fragments {
            jumps.push(Op::Discard);
        }
        match self.choices.one(&jumps) {
            Op::Return => self.leave(out),
            op => {
                out.push(Inst::new(op, Id::NONE, &[], &[]));
                self.count(1);
            }
        }
        self.space(out);
    }

    /// Returns a new block, and the values that the block defines and that are visible at its end.
    fn block(&mut self, depth: usize) -> (Body, Vec<(Id, Type)>) {
        let before = self.scope.len();
        let mut block = Body::default();
        if !self.choices.once_in(6) {
            self.statements(&mut block, depth);
        }
        let inside = self.scope.split_off(before);
        (block, inside)
    }

    fn branch(&mut self, out: &mut Body, depth: usize) {
        let condition = self.value(out, Type::BOOL);
        let (mut yes, mut in_yes) = self.block(depth + 1);
        let (mut no, mut in_no) = self.block(depth + 1);
        let mut phis = Vec::new();
        for _ in 0..self.choices.one(&[0, 1, 2, 4]) {
            let flip = self.choices.once_in(2);
            let sides = [(&mut yes, &mut in_yes), (&mut no, &mut in_no)];
            let [(here, in_here), (there, in_there)] = if flip {
                let [a, b] = sides;
                [b, a]
            } else {
                sides
            };
            // The operand is a value from the arm itself or from before the IF.
            let from = if in_here.is_empty() || self.choices.once_in(4) { &self.scope } else { &*in_here };
            let Some(&(a, ty)) = from.get(self.choices.below(from.len())) else { continue };
            let visible = self.scope.iter().chain(in_there.iter());
            let like: Vec<Id> = visible.filter(|(_, of)| *of == ty).map(|&(id, _)| id).collect();
            let b = match like.get(self.choices.below(like.len())) {
                Some(&id) => id,
                None if ends_in_jump(there.block()) => Id::NONE,
                None => {
                    let before = self.scope.len();
                    self.scope.append(in_there);
                    let made = self.make(there, ty);
                    *in_there = self.scope.split_off(before);
                    made
                }
            };
            let (mut a, mut b) = (a, b);
            // A PHI may lack the operand for an unreachable block end, but not both operands.
            if !reaches(there.block()) && self.choices.once_in(2) {
                b = Id::NONE;
            } else if !reaches(here.block()) && b.is_some() && self.choices.once_in(2) {
                a = Id::NONE;
            }
            if b == Id::NONE && reaches(there.block()) {
                continue;
            }
            phis.push((if flip { [b, a] } else { [a, b] }, ty));
        }
        out.nest(Inst::new(Op::If, Id::NONE, &[condition], &[]), [yes, no]);
        self.count(1);
        let mut made = Vec::new();
        for (inputs, ty) in phis {
            self.space(out);
            let id = self.id();
            out.push(Inst::new(Op::Phi, id, &inputs, &[]));
            self.count(1);
            self.types.insert(id, ty);
            made.push((id, ty));
        }
        self.scope.append(&mut made);
    }

    fn switch(&mut self, out: &mut Body, depth: usize) {
        let of = self.choices.one(&[Scalar::Int, Scalar::Uint]);
        let selector = self.value(out, Type::Vector(of, 1));
        let mut cases: Vec<u32> = Vec::new();
        for _ in 0..self.choices.one(&[1, 2, 0, 3, 8, 40]) {
            let value = if self.choices.once_in(4) { self.choices.word() } else { self.choices.one(&CASES) };
            if !cases.contains(&value) {
                cases.push(value);
            }
        }
        self.around.push(Enclosing::Switch);
        let blocks: Vec<Body> = (0..=cases.len()).map(|_| self.block(depth + 1).0).collect();
        self.around.pop();
        out.nest(Inst::new(Op::Switch, Id::NONE, &[selector], &cases), blocks);
        self.count(1);
    }

    fn cycle(&mut self, out: &mut Body, depth: usize) {
        let trips = self.choices.one(&[2, 1, 3, 5]);
        if self.is_too_much(60 * trips) {
            return self.branch(out, depth);
        }
        let kind = self.choices.below(if self.plan.mood == Mood::Calm { 3 } else { 4 });
        let (is_counted, is_wild) = (kind < 2, kind == 3);
        let float = self.choices.once_in(4);
        let (of, one) = if float { (Op::LiteralFloat, 1f32.to_bits()) } else { (Op::LiteralUint, 1) };
        let count = |n: u64| if float { (n as f32).to_bits() } else { u32::try_from(n).unwrap_or(1) };
        let mut heads = Vec::new();
        if is_counted {
            let zero = self.push(out, of, &[], &[0]);
            heads.push((self.id(), zero, self.types[&zero]));
        }
        for _ in 0..self.choices.one(&[1, 0, 2, 3]) {
            if let Some(&(first, ty)) = self.scope.get(self.choices.below(self.scope.len())) {
                heads.push((self.id(), first, ty));
            }
        }
        let before = self.scope.len();
        for &(id, _, ty) in &heads {
            self.types.insert(id, ty);
            self.scope.push((id, ty));
        }
        let times = self.times;
        self.times = match times {
            _ if is_wild => None,
            Some(times) if is_counted => Some(times.saturating_mul(trips + 1)),
            times => times,
        };
        self.around.push(if kind == 2 { Enclosing::Once } else { Enclosing::Loop });
        let mut body = Body::default();
        let mut next = Id::NONE;
        if is_counted {
            let most = self.push(&mut body, of, &[], &[count(trips)]);
            let (op, flip) = self.choices.one(&[(Op::GreaterThanOrEqual, false), (Op::LessThan, true)]);
            let done = self.push(&mut body, op, &[heads[0].0, most], &[]);
            let mut exit = Body::default();
            if self.choices.once_in(5) {
                self.leave(&mut exit);
            } else {
                exit.push(Inst::new(Op::Break, Id::NONE, &[], &[]));
            }
            self.scope.truncate(before + heads.len());
            let arms = if flip { [Body::default(), exit] } else { [exit, Body::default()] };
            body.nest(Inst::new(Op::If, Id::NONE, &[done], &[]), arms);
            let one = self.push(&mut body, of, &[], &[one]);
            next = self.push(&mut body, Op::Add, &[heads[0].0, one], &[]);
        }
        self.statements(&mut body, depth + 1);
        if is_wild && !ends_in_jump(body.block()) && self.choices.once_in(2) {
            let condition = self.value(&mut body, Type::BOOL);
            let exit = Body::from(Inst::new(Op::Break, Id::NONE, &[], &[]));
            body.nest(Inst::new(Op::If, Id::NONE, &[condition], &[]), [exit, Body::default()]);
        }
        if kind == 2 || !leaves(body.block(), true) {
            // The format forbids loops that never terminate. A final jump that does not leave the loop is therefore removed.
            while ends_in_jump(body.block()) && !leaves(body.block(), true) {
                let last = body.insts().len() - 1;
                body.replace(last, Body::default());
            }
            if !ends_in_jump(body.block()) {
                body.push(Inst::new(Op::Break, Id::NONE, &[], &[]));
            }
        }
        self.around.pop();
        self.count(1);
        self.times = times;
        self.scope.truncate(before);
        let phis = heads.iter().enumerate().map(|(at, &(id, first, ty))| {
            let counts = is_counted && at == 0;
            let second = if counts { next } else { self.second(&heads, ty, body.block()) };
            Inst::new(Op::Phi, id, &[first, second], &[])
        });
        let mut whole: Body = phis.collect();
        // NOPs are allowed between PHIs.
        if whole.insts().len() > 1 && self.choices.once_in(4) {
            whole.insert(1, Inst::new(Op::Nop, Id::NONE, &[], &[0xdead]));
        }
        whole.append(body);
        out.nest(Inst::new(Op::Loop, Id::NONE, &[], &[]), [whole]);
        self.count(1);
    }

    /// Returns the second operand of a PHI at the head of a loop. The operand is a PHI of the loop, a value from before the loop,
    /// or a value that the body defines before the first CONTINUE.
    fn second(&mut self, heads: &[(Id, Id, Type)], ty: Type, body: Block<'_>) -> Id {
        let repeats = reaches(body) || body.iter().any(continues);
        if !repeats && self.choices.once_in(2) {
            return Id::NONE;
        }
        let defined = body.iter().take_while(|inst| !continues(*inst)).filter(|inst| inst.output.is_some());
        let defined: Vec<Id> = defined.map(|inst| inst.output).filter(|id| self.types.get(id) == Some(&ty)).collect();
        let heads: Vec<Id> = heads.iter().filter(|head| head.2 == ty).map(|head| head.0).collect();
        let before: Vec<Id> = self.scope.iter().filter(|(_, of)| *of == ty).map(|&(id, _)| id).collect();
        let from = match self.choices.below(4) {
            0 | 1 if !defined.is_empty() => &defined,
            3 if !before.is_empty() => &before,
            _ => &heads,
        };
        from[self.choices.below(from.len())]
    }
}

/// Reports whether the end of a block is reached, as docs/format.md defines it ("Reaching the end").
fn reaches(block: Block<'_>) -> bool {
    block.iter().all(|inst| match inst.op {
        Op::If => inst.blocks().any(reaches),
        Op::Switch => inst.blocks().any(|block| reaches(block) || leaves(block, false)),
        Op::Loop => inst.blocks().any(|block| leaves(block, false)),
        op => !op.is_jump(),
    })
}

/// Reports whether a block contains a BREAK that leaves the construct around the block. If `any` is set, a RETURN or DISCARD at
/// any depth also counts.
fn leaves(block: Block<'_>, any: bool) -> bool {
    block.iter().any(|inst| match inst.op {
        Op::Break => true,
        Op::Return | Op::Discard => any,
        Op::If => inst.blocks().any(|block| leaves(block, any)),
        Op::Loop | Op::Switch => any && inst.blocks().any(ends_all),
        _ => false,
    })
}

fn ends_all(block: Block<'_>) -> bool {
    block.iter().any(|inst| matches!(inst.op, Op::Return | Op::Discard) || inst.blocks().any(ends_all))
}

/// Reports whether an instruction is a CONTINUE of the enclosing loop, or contains such a CONTINUE.
fn continues(inst: InstRef<'_>) -> bool {
    match inst.op {
        Op::Continue => true,
        Op::If | Op::Switch => inst.blocks().any(|block| block.iter().any(continues)),
        _ => false,
    }
}
