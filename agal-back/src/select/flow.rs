//! Control flow: conditionals, loops whose rounds are known, calls.
//!
//! A conditional on something known is decided here. Any other becomes `ife` to `eif` where the version has them and nothing in it
//! needs its neighbours; otherwise both branches are run and their results selected.

use agal_front::opcode::Opcode;
use sdlbc::{Block, Few, Id, Inst, InstRef, Op, Scalar};

use super::{Frame, Selected, Selector, Val};
use crate::code::Lane;
use crate::refusal::RefusalKind;

/// How control leaves a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leaves {
    AtEnd,
    ByBreak,
    ByContinue,
    ByReturn,
    Discarded,
}

/// How many rounds a loop may have.
const ROUNDS: u32 = 1024;
/// How deep calls may be.
const CALLS: u32 = 64;

const UNKNOWN_JUMP: RefusalKind = RefusalKind::Flow { what: "jump that depends on what the program computes" };

impl<'a> Selector<'a> {
    /// Runs a block. `is_counted` says whether its instructions are those of the function itself.
    pub(super) fn block(&mut self, frame: &mut Frame<'a>, block: Block<'a>, is_counted: bool) -> Selected<Leaves> {
        let mut rest = block.iter();
        let total = |block: Block<'a>| u32::try_from(block.all().len()).unwrap_or(u32::MAX);
        let (start, all) = (self.place, total(block));
        loop {
            let left = total(rest.rest());
            let Some(inst) = rest.next() else { break };
            if is_counted {
                self.place = start + (all - left) + 1;
            }
            match inst.op {
                Op::If => {
                    let phis = phis_of(rest.rest());
                    let leaves = self.conditional(frame, inst, &phis, is_counted)?;
                    if leaves != Leaves::AtEnd {
                        return Ok(leaves);
                    }
                }
                // Those after an IF are set by it.
                Op::Phi | Op::Nop => {}
                Op::Loop => {
                    let leaves = self.repeat(frame, inst, is_counted)?;
                    if leaves != Leaves::AtEnd {
                        return Ok(leaves);
                    }
                }
                Op::Switch => {
                    let leaves = self.switch(frame, inst, is_counted)?;
                    if leaves != Leaves::AtEnd {
                        return Ok(leaves);
                    }
                }
                Op::Break => return Ok(Leaves::ByBreak),
                Op::Continue => return Ok(Leaves::ByContinue),
                Op::Return => {
                    frame.returned = match inst.inputs.first() {
                        Some(&id) if id.is_some() => Some(frame.value(id)?.clone()),
                        _ => None,
                    };
                    return Ok(Leaves::ByReturn);
                }
                Op::Discard => {
                    self.discard()?;
                    return Ok(Leaves::Discarded);
                }
                Op::Call => {
                    let leaves = self.call(frame, inst.inst())?;
                    if leaves != Leaves::AtEnd {
                        return Ok(leaves);
                    }
                }
                Op::Poke => self.poke(frame, inst.inst())?,
                _ => {
                    let value = self.value(frame, inst.inst())?;
                    frame.origins.insert(inst.output, inst.inst());
                    frame.values.insert(inst.output, value);
                }
            }
        }
        Ok(Leaves::AtEnd)
    }

    fn poke(&mut self, frame: &mut Frame<'a>, inst: &Inst) -> Selected<()> {
        let place = inst.immediates.first().and_then(|&at| usize::try_from(at).ok());
        if let &[value, slot, index] = &inst.inputs[..] {
            let plus = inst.immediates.first().copied().unwrap_or(0).cast_signed();
            let at = match index.is_some().then(|| frame.value(index)).transpose()? {
                None => plus,
                Some(Val::Known(known)) => known.words.first().copied().unwrap_or(0).cast_signed().wrapping_add(plus),
                Some(_) => {
                    return Err(RefusalKind::Operands { op: Op::Poke, what: "a local array at a computed index" });
                }
            };
            let value = frame.value(value)?.clone();
            if let Some(Val::Local(elements)) = frame.values.get_mut(&slot) {
                let last = elements.len().saturating_sub(1);
                if let Some(element) = elements.get_mut(usize::try_from(at.max(0)).unwrap_or(0).min(last)) {
                    *element = value;
                }
            }
            return Ok(());
        }
        let (&[value], Some(place)) = (&inst.inputs[..], place) else {
            return Err(RefusalKind::Operands { op: Op::Poke, what: "a local array" });
        };
        let lanes = self.floats(frame, value)?;
        if let Some(output) = self.outputs.get_mut(place) {
            *output = Some(lanes);
        }
        Ok(())
    }

    /// How control leaves the call: at its end, or by a discard.
    fn call(&mut self, frame: &mut Frame<'a>, inst: &'a Inst) -> Selected<Leaves> {
        let called = inst.immediates.first().and_then(|&at| self.module.functions.get(usize::try_from(at).ok()?));
        let Some(called) = called.filter(|_| self.depth < CALLS) else {
            return Err(RefusalKind::Flow { what: "calls as deep as these" });
        };
        let mut inner = Frame::default();
        let mut arguments = inst.inputs.iter();
        for input in &called.inputs {
            if input.kind != sdlbc::InputKind::Parameter {
                let value = self.input(input)?;
                inner.values.insert(input.id, value);
                continue;
            }
            let argument = arguments.next().copied().unwrap_or(Id::NONE);
            inner.values.insert(input.id, frame.value(argument)?.clone());
        }
        self.depth += 1;
        let leaves = self.block(&mut inner, called.body.block(), false)?;
        self.depth -= 1;
        if let Some(value) = inner.returned {
            frame.values.insert(inst.output, value);
        }
        Ok(if leaves == Leaves::Discarded { Leaves::Discarded } else { Leaves::AtEnd })
    }

    fn repeat(&mut self, frame: &mut Frame<'a>, inst: InstRef<'a>, is_counted: bool) -> Selected<Leaves> {
        let Some(body) = inst.blocks().first() else { return Ok(Leaves::AtEnd) };
        let phis = phis_of(body);
        let place = self.place;
        for round in 0..ROUNDS {
            // All of them at once: one may be the next value of another.
            let input = usize::from(round > 0);
            let values = phis.iter().map(|phi| {
                let id = phi.inputs.get(input).copied().unwrap_or(Id::NONE);
                Ok((phi.output, frame.value(id)?.clone()))
            });
            let values: Vec<(Id, Val)> = values.collect::<Selected<_>>()?;
            frame.values.extend(values);
            self.place = place;
            match self.block(frame, body, is_counted)? {
                Leaves::AtEnd | Leaves::ByContinue => {}
                Leaves::ByBreak => return Ok(Leaves::AtEnd),
                leaves => return Ok(leaves),
            }
        }
        Err(RefusalKind::Flow { what: "loop of more rounds than can be unrolled" })
    }

    fn switch(&mut self, frame: &mut Frame<'a>, inst: InstRef<'a>, is_counted: bool) -> Selected<Leaves> {
        let selector = inst.inputs.first().copied().unwrap_or(Id::NONE);
        let Val::Known(value) = frame.value(selector)? else { return Err(UNKNOWN_JUMP) };
        let chosen = inst.immediates.iter().position(|case| value.words.first() == Some(case));
        let at = chosen.unwrap_or(inst.immediates.len());
        let before: usize = at.checked_sub(1).and_then(|at| inst.block_ends().get(at)).map_or(0, |&end| end as usize);
        let Some(block) = inst.blocks().get(at) else { return Ok(Leaves::AtEnd) };
        self.place += u32::try_from(before).unwrap_or(0);
        match self.block(frame, block, is_counted)? {
            Leaves::AtEnd | Leaves::ByBreak => Ok(Leaves::AtEnd),
            leaves => Ok(leaves),
        }
    }

    fn conditional(
        &mut self,
        frame: &mut Frame<'a>,
        inst: InstRef<'a>,
        phis: &[&'a Inst],
        is_counted: bool,
    ) -> Selected<Leaves> {
        let condition = frame.value(inst.inputs.first().copied().unwrap_or(Id::NONE))?.clone();
        let mut blocks = inst.blocks();
        let (accept, reject) = (blocks.next().unwrap_or_default(), blocks.next().unwrap_or_default());
        let place = self.place;
        let of_reject = place + u32::try_from(accept.all().len()).unwrap_or(0);
        if let Val::Known(known) = &condition {
            let holds = known.words.first() != Some(&0);
            self.place = if holds { place } else { of_reject };
            let leaves = self.block(frame, if holds { accept } else { reject }, is_counted)?;
            if leaves == Leaves::AtEnd {
                self.choose_phis(frame, phis, usize::from(!holds))?;
            }
            return Ok(leaves);
        }
        if phis.is_empty() && reject.is_empty() && matches!(accept.all(), [only] if only.op == Op::Discard) {
            self.discard_if(&condition)?;
            return Ok(Leaves::AtEnd);
        }
        let apart =
            self.code.version < 2 || needs_neighbours(accept) || needs_neighbours(reject) || !self.path.is_empty();
        let before = self.outputs.clone();
        let locals = frame.locals();
        let (truth, mut code) = match apart {
            true => (self.truth(&condition)?, Vec::new()),
            false => (Vec::new(), std::mem::take(&mut self.code.insts)),
        };
        let mut sides = Vec::new();
        for (side, block, start) in [(true, accept, place), (false, reject, of_reject)] {
            self.outputs.clone_from(&before);
            frame.values.extend(locals.iter().cloned());
            if apart {
                let lane = if side { truth.clone() } else { self.not(&truth)? };
                self.path.extend(lane);
            }
            self.place = start;
            let leaves = self.block(frame, block, is_counted)?;
            self.place = place;
            if apart {
                self.path.pop();
            }
            if !matches!(leaves, Leaves::AtEnd | Leaves::Discarded) {
                return Err(UNKNOWN_JUMP);
            }
            let insts = if apart { Vec::new() } else { std::mem::take(&mut self.code.insts) };
            sides.push((leaves, insts, self.outputs.clone(), frame.locals()));
        }
        let [accepted, rejected] = &mut sides[..] else { return Ok(Leaves::AtEnd) };
        let ends = [accepted.0, rejected.0];
        // What either side leaves, for each phi and each output.
        let mut merged: Vec<(Id, [Val; 2])> = Vec::new();
        // The elements of local arrays that the sides leave differently: the array, the element, and both values.
        let mut elements: Vec<(Id, usize, [Val; 2])> = Vec::new();
        for ((id, first), (_, second)) in accepted.3.iter().zip(&rejected.3) {
            let (Val::Local(first), Val::Local(second)) = (first, second) else { continue };
            for (at, (first, second)) in first.iter().zip(second).enumerate() {
                let both = match ends {
                    [Leaves::AtEnd, Leaves::AtEnd] => [first.clone(), second.clone()],
                    [Leaves::AtEnd, _] => [first.clone(), first.clone()],
                    _ => [second.clone(), second.clone()],
                };
                elements.push((*id, at, both));
            }
        }
        for phi in phis {
            let mut both = Vec::new();
            for (at, end) in ends.iter().enumerate() {
                let id = phi.inputs.get(at).copied().filter(|id| id.is_some() && *end == Leaves::AtEnd);
                both.push(id.map(|id| frame.value(id).cloned()).transpose()?);
            }
            let [first, second] = &both[..] else { continue };
            if let Some(some) = first.clone().or_else(|| second.clone()) {
                merged.push((phi.output, [first.clone().unwrap_or(some.clone()), second.clone().unwrap_or(some)]));
            }
        }
        let outputs = accepted.2.iter().zip(&rejected.2).map(|(first, second)| {
            let first = first.clone().filter(|_| ends[0] == Leaves::AtEnd).or_else(|| second.clone());
            let second = second.clone().filter(|_| ends[1] == Leaves::AtEnd).or_else(|| first.clone());
            (first, second)
        });
        let outputs: Vec<_> = outputs.collect();
        if apart && self.code.version < 2 {
            for (id, [first, second]) in merged {
                let value = self.select_values(&truth, first, second)?;
                frame.values.insert(id, value);
            }
            for (id, at, [first, second]) in elements {
                let value = if first == second { first } else { self.select_values(&truth, first, second)? };
                frame.set_element(id, at, value);
            }
            for (at, (first, second)) in outputs.into_iter().enumerate() {
                let (Some(first), Some(second)) = (first, second) else { continue };
                let lanes = if first == second { first } else { self.select_lanes(&truth, &first, &second)? };
                if let Some(output) = self.outputs.get_mut(at) {
                    *output = Some(lanes);
                }
            }
            return Ok(Leaves::AtEnd);
        }
        let (first, second) = (std::mem::take(&mut accepted.1), std::mem::take(&mut rejected.1));
        let mut branches = [first, second];
        let condition = if apart { Val::Truth(truth) } else { condition };
        code.append(&mut self.code.insts);
        self.code.insts = code;
        for (id, both) in merged {
            let value = self.merge(&mut branches, both)?;
            frame.values.insert(id, value);
        }
        for (id, at, both) in elements {
            let value = self.merge(&mut branches, both)?;
            frame.set_element(id, at, value);
        }
        for (at, (first, second)) in outputs.into_iter().enumerate() {
            let (Some(first), Some(second)) = (first, second) else { continue };
            if let Val::Lanes(lanes) = self.merge(&mut branches, [Val::Lanes(first), Val::Lanes(second)])?
                && let Some(output) = self.outputs.get_mut(at)
            {
                *output = Some(lanes);
            }
        }
        self.branch(&condition, branches)?;
        Ok(Leaves::AtEnd)
    }

    /// Adds a conditional.
    fn branch(&mut self, condition: &Val, branches: [Vec<crate::code::Inst>; 2]) -> Selected<()> {
        let [mut first, mut second] = branches;
        if first.is_empty() && second.is_empty() {
            return Ok(());
        }
        let (mut op, mut a, mut b) = match condition {
            Val::Comparison(Op::Equal, a, b) => (Opcode::Ife, a.clone(), b.clone()),
            Val::Comparison(Op::NotEqual, a, b) => (Opcode::Ine, a.clone(), b.clone()),
            Val::Comparison(Op::LessThan, a, b) if !first.is_empty() => (Opcode::Ifl, a.clone(), b.clone()),
            Val::Comparison(Op::GreaterThan, a, b) if !first.is_empty() => (Opcode::Ifl, b.clone(), a.clone()),
            // `ifg` also holds for equal values, which is not what its published description says.
            _ => (Opcode::Ine, self.truth(condition)?, Self::number(0.0)),
        };
        if first.is_empty() {
            std::mem::swap(&mut first, &mut second);
            op = if op == Opcode::Ife { Opcode::Ine } else { Opcode::Ife };
        }
        if a == b {
            // A value equals itself, or is NaN; AGAL forbids such a conditional.
            (op, a, b) = (Opcode::Ine, self.truth(condition)?, Self::number(0.0));
        }
        // A conditional may compare constants.
        (a, b) = (self.operand(&a)?, self.operand(&b)?);
        let inst = crate::code::Inst { sources: [a, b], ..self.inst(op) };
        self.push(inst)?;
        self.code.insts.append(&mut first);
        if !second.is_empty() {
            self.push(self.inst(Opcode::Els))?;
            self.code.insts.append(&mut second);
        }
        self.push(self.inst(Opcode::Eif))
    }

    /// One value of what two branches leave: webs that both write at their ends.
    fn merge(&mut self, branches: &mut [Vec<crate::code::Inst>; 2], both: [Val; 2]) -> Selected<Val> {
        let [first, second] = &both;
        if first == second {
            return Ok(both[0].clone());
        }
        let is_truth = |value: &Val| match value {
            Val::Comparison(..) | Val::Truth(_) => Some(true),
            Val::Known(known) => Some(matches!(known.ty, sdlbc::Type::Vector(Scalar::Bool, _))),
            Val::Lanes(_) => Some(false),
            _ => None,
        };
        let (Some(is_bool), Some(other)) = (is_truth(first), is_truth(second)) else {
            return Err(RefusalKind::Operands { op: Op::Phi, what: "ints, matrices or textures" });
        };
        if is_bool != other || !is_bool && matches!(first, Val::Known(_)) {
            return Err(RefusalKind::Operands { op: Op::Phi, what: "ints, matrices or textures" });
        }
        let mut webs: Vec<Lane> = Vec::new();
        for (branch, value) in branches.iter_mut().zip(&both) {
            std::mem::swap(branch, &mut self.code.insts);
            let lanes = match value {
                Val::Lanes(lanes) => lanes.clone(),
                value => self.truth(value)?,
            };
            if webs.is_empty() {
                webs = self.joint(lanes.len());
            }
            let lanes = self.operand(&lanes)?;
            self.set(&webs, &lanes)?;
            std::mem::swap(branch, &mut self.code.insts);
        }
        Ok(if is_bool { Val::Truth(webs) } else { Val::Lanes(webs) })
    }

    fn choose_phis(&mut self, frame: &mut Frame<'a>, phis: &[&'a Inst], side: usize) -> Selected<()> {
        for phi in phis {
            if let Some(&id) = phi.inputs.get(side).filter(|id| id.is_some()) {
                let value = frame.value(id)?.clone();
                frame.values.insert(phi.output, value);
            }
        }
        Ok(())
    }

    /// Ends the fragment, if it comes here.
    fn discard(&mut self) -> Selected<()> {
        let path = self.path.clone();
        let mut holds = Self::number(1.0);
        for lane in path {
            holds = self.both(&holds, &[lane])?;
        }
        self.kill_where(&holds)
    }

    fn discard_if(&mut self, condition: &Val) -> Selected<()> {
        if self.path.is_empty()
            && let Val::Comparison(Op::LessThan, a, b) = condition
            && b[..] == Self::number(0.0)[..]
        {
            return self.kill(&a.clone());
        }
        let truth = self.truth(condition)?;
        self.path.extend(truth);
        let done = self.discard();
        self.path.pop();
        done
    }

    /// Discards where a float is 1 and not 0.
    fn kill_where(&mut self, truth: &[Lane]) -> Selected<()> {
        if matches!(truth, [Lane::Literal(_)]) {
            // An operand of `kil` may not be a constant.
            let minus = self.each(Opcode::Mov, &Self::number(-1.0), &[])?;
            return self.kill(&minus);
        }
        let minus = self.each(Opcode::Neg, truth, &[])?;
        self.kill(&minus)
    }

    fn kill(&mut self, lane: &[Lane]) -> Selected<()> {
        let [a, b] = self.operands(Opcode::Kil, lane, &[])?;
        let inst = crate::code::Inst { sources: [a, b], ..self.inst(Opcode::Kil) };
        self.push(inst)
    }
}

/// Whether a block has operations that need their neighbours: they may not stand in a conditional.
fn needs_neighbours(block: Block<'_>) -> bool {
    let needs = |op: Op| {
        matches!(op, Op::Ddx | Op::Ddy | Op::Sample | Op::SampleBias | Op::SampleGrad | Op::SampleLod | Op::Call)
    };
    block.all().iter().any(|inst| needs(inst.op))
}

/// The PHIs at the start of a block.
fn phis_of(block: Block<'_>) -> Few<&Inst> {
    let insts = block.all();
    insts.iter().take(sdlbc::flow::phis(insts)).filter(|inst| inst.op == Op::Phi).collect()
}
