//! Selects control flow: conditionals, loops, calls, and jumps.
//!
//! A conditional on a known value is decided at compile time; any other conditional is a fork (`fork.rs`). AGAL has no jumps. The
//! code after a conditional jump therefore moves to the other branch of the conditional, or runs under a computed condition that
//! is true if no jump was taken. A loop is unrolled, and each iteration runs only if no earlier iteration left the loop. Rule: a
//! loop that certainly never ends is refused.

use std::rc::Rc;

use agal_front::opcode::Opcode;
use sdlbc::compute::Value;
use sdlbc::{Block, Few, Id, InputKind, Inst, InstRef, Op, Type, flow};

use super::fork::{Leaves, Want, Way, negated, no, yes};
use super::{Frame, Selected, Selector, Val, operand};
use crate::code::Lane;
use crate::refusal::RefusalKind;

/// A part of a block, from the instruction after `place` to the end of the block.
#[derive(Clone, Copy)]
struct Part<'a, 'w> {
    block: Block<'a>,
    place: u32,
    is_counted: bool,
    /// The values that are read after control leaves the part and the code in `then`.
    wanted: &'w [Id],
    /// The code to execute if control reaches the end of the part.
    then: Option<&'w Then<'a, 'w>>,
}

/// The code after a branch of a conditional.
struct Then<'a, 'w> {
    phis: &'w [&'a Inst],
    /// The index of the PHI operands that belong to the branch.
    side: usize,
    part: Part<'a, 'w>,
}

/// The maximum number of iterations that are unrolled for one loop.
const ROUNDS: u32 = 1024;
/// The maximum number of instructions that the selector executes.
const STEPS: u32 = 1 << 20;
/// The number of iterations up to which a loop is assumed to have a bound. If the code stops fitting in a later iteration, the
/// loop is reported as having no known bound.
const LIKELY: u32 = 32;
const CALLS: u32 = 64;

const UNBOUNDED: RefusalKind = RefusalKind::Flow {
    what: "jumps, and the number of iterations of this loop is not known: give the loop a bound, such as `i < 16`, and leave it early with `break`",
};

impl<'a> Selector<'a> {
    /// Executes a block whose values are not read afterwards. `is_counted` is true if the block's instructions belong to the
    /// function itself and not to a callee.
    pub(super) fn block(&mut self, frame: &mut Frame<'a>, block: Block<'a>, is_counted: bool) -> Selected<Leaves> {
        self.part(frame, Part { block, place: self.place, is_counted, wanted: &[], then: None })
    }

    /// Executes a part of a block, and then the code in `then` if control reaches the end of the part.
    fn part(&mut self, frame: &mut Frame<'a>, part: Part<'a, '_>) -> Selected<Leaves> {
        let Part { block, place: start, is_counted, wanted, then } = part;
        self.place = start;
        let mut rest = block.iter();
        let total = |block: Block<'a>| u32::try_from(block.all().len()).unwrap_or(u32::MAX);
        let all = total(block);
        loop {
            let left = total(rest.rest());
            let Some(inst) = rest.next() else { break };
            self.steps += 1;
            if self.steps > STEPS {
                return Err(RefusalKind::Steps { limit: STEPS });
            }
            if is_counted {
                self.place = start + (all - left) + 1;
            }
            let place = if is_counted { start + (all - total(rest.rest())) } else { start };
            let following = Part { block: rest.rest(), place, is_counted, wanted, then };
            let leaves = match inst.op {
                Op::If => {
                    let (leaves, is_done) = self.conditional(frame, inst, following)?;
                    if is_done {
                        return Ok(leaves);
                    }
                    leaves
                }
                // The PHI's value was set when the IF or LOOP to which the PHI belongs was executed.
                Op::Phi | Op::Nop => continue,
                Op::Loop => self.repeat(frame, inst, is_counted)?,
                Op::Switch => self.switch(frame, inst, is_counted)?,
                Op::Break => return Ok(Leaves::By(Way::Break)),
                Op::Continue => return Ok(Leaves::By(Way::Continue)),
                Op::Return => {
                    frame.returned = match inst.inputs.first() {
                        Some(&id) if id.is_some() => Some(frame.value(id)?.clone()),
                        _ => None,
                    };
                    return Ok(Leaves::By(Way::Return));
                }
                Op::Discard => {
                    self.discard()?;
                    return Ok(Leaves::Discarded);
                }
                Op::Call => self.call(frame, inst.inst())?,
                Op::Poke => {
                    self.poke(frame, inst.inst())?;
                    continue;
                }
                _ => {
                    let value = self.value(frame, inst.inst())?;
                    frame.origins.insert(inst.output, inst.inst());
                    frame.values.insert(inst.output, value);
                    continue;
                }
            };
            match leaves {
                Leaves::By(Way::End) => {}
                Leaves::Mixed(ways) if ways.known(Way::End) != Some(false) => {
                    return self.where_reached(frame, following, Leaves::Mixed(ways));
                }
                leaves => return Ok(leaves),
            }
        }
        let Some(then) = then else { return Ok(Leaves::By(Way::End)) };
        self.choose_phis(frame, then.phis, then.side)?;
        self.part(frame, then.part)
    }

    /// Executes the rest of a block under the condition that control reaches it.
    fn where_reached(&mut self, frame: &mut Frame<'a>, rest: Part<'a, '_>, leaves: Leaves) -> Selected<Leaves> {
        let Leaves::Mixed(ways) = &leaves else { return Ok(leaves) };
        if rest.then.is_none() && rest.block.all().iter().all(|inst| matches!(inst.op, Op::Phi | Op::Nop)) {
            return Ok(leaves);
        }
        let comes = ways.of(Way::End).clone();
        let before = Leaves::Mixed(Box::new(ways.without(Way::End)));
        let apart = self.part_needs_neighbours(rest);
        let wants: Vec<Want> = rest.wanted.iter().map(|&id| Want::of_side(id, true)).collect();
        let place = self.place;
        let done = self.fork(frame, &comes, apart, &wants, &mut |selector, frame, side| match side {
            true => selector.part(frame, rest),
            false => Ok(before.clone()),
        });
        self.place = place;
        done
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

    /// Executes a call. Control leaves the call at the callee's end or by a discard.
    fn call(&mut self, frame: &mut Frame<'a>, inst: &'a Inst) -> Selected<Leaves> {
        let called = inst.immediates.first().and_then(|&at| self.module.functions.get(usize::try_from(at).ok()?));
        let Some(called) = called.filter(|_| self.depth < CALLS) else {
            return Err(RefusalKind::Flow { what: "support for calls nested this deeply" });
        };
        let mut inner = Frame::default();
        let mut arguments = inst.inputs.iter();
        for input in &called.inputs {
            let value = match input.kind {
                InputKind::Parameter => frame.value(arguments.next().copied().unwrap_or(Id::NONE))?.clone(),
                _ => self.input(input)?,
            };
            inner.values.insert(input.id, value);
        }
        self.depth += 1;
        let leaves = self.block(&mut inner, called.body.block(), false)?;
        self.depth -= 1;
        if let Some(value) = inner.returned {
            frame.values.insert(inst.output, value);
        }
        Ok(if leaves == Leaves::Discarded { Leaves::Discarded } else { Leaves::By(Way::End) })
    }

    fn repeat(&mut self, frame: &mut Frame<'a>, inst: InstRef<'a>, is_counted: bool) -> Selected<Leaves> {
        let Some(body) = inst.blocks().first() else { return Ok(Leaves::By(Way::End)) };
        let phis = phis_of(body);
        let place = self.place;
        let next = inputs_of(&phis, 1);
        let is_here = |id: Id| body.iter().any(|inst| inst.output == id && inst.op != Op::Phi);
        let apart = self.needs_neighbours(body);
        // `left` is true after a break or a return, and `returned` only after a return.
        let (mut left, mut returned) = (no(), no());
        for round in 0..ROUNDS {
            // All PHIs are set at once, because one PHI may be the next value of another PHI.
            let input = usize::from(round > 0);
            let values = phis.iter().map(|phi| {
                let id = operand(phi, input);
                Ok((phi.output, frame.value(id)?.clone()))
            });
            let values: Vec<(Id, Val)> = values.collect::<Selected<_>>()?;
            frame.values.extend(values);
            next.iter().filter(|id| is_here(**id)).for_each(|id| drop(frame.values.remove(id)));
            self.place = place;
            let part = Part { block: body, place, is_counted, wanted: &next, then: None };
            if left.is_known(false) {
                let leaves = self.part(frame, part)?;
                let Leaves::Mixed(ways) = leaves else {
                    match leaves {
                        Leaves::By(Way::Break) => return Ok(Leaves::By(Way::End)),
                        Leaves::By(Way::Return) | Leaves::Discarded => return Ok(leaves),
                        _ => continue,
                    }
                };
                (left, returned) = (self.any_of(&ways, &[Way::Break, Way::Return])?, ways.of(Way::Return).clone());
            } else {
                let wants = phis.iter().filter_map(|phi| {
                    let id = input_of(phi, 1)?;
                    Some(Want { otherwise: frame.values.get(&phi.output).cloned(), ..Want::of_side(id, true) })
                });
                let wants: Vec<Want> = wants.collect();
                // If an earlier iteration left the loop, later iterations have no effect.
                let before = Leaves::left(&left, &returned);
                let comes = negated(left);
                let mut always_leaves = false;
                let leaves = self.fork(frame, &comes, apart, &wants, &mut |selector, frame, side| {
                    if !side {
                        return Ok(before.clone());
                    }
                    match selector.part(frame, part)? {
                        Leaves::Mixed(ways) => {
                            let left = selector.any_of(&ways, &[Way::Break, Way::Return])?;
                            Ok(Leaves::left(&left, ways.of(Way::Return)))
                        }
                        Leaves::By(Way::Continue) => Ok(Leaves::By(Way::End)),
                        leaves => {
                            always_leaves = leaves != Leaves::By(Way::End);
                            Ok(leaves)
                        }
                    }
                });
                self.place = place;
                let leaves = leaves.map_err(|kind| match kind {
                    RefusalKind::Tokens { .. } if round > LIKELY => UNBOUNDED,
                    kind => kind,
                })?;
                let Some(ways) = leaves.ways() else { return Ok(Leaves::Discarded) };
                left = if always_leaves { yes() } else { ways.of(Way::Break).clone() };
                returned = ways.of(Way::Return).clone();
            }
            if left.is_known(true) {
                return Ok(Leaves::Mixed(Box::new(super::fork::Ways::returned_or_ended(returned))).simple());
            }
        }
        self.place = place;
        Err(if left.is_known(false) { RefusalKind::Rounds { limit: ROUNDS } } else { UNBOUNDED })
    }

    fn switch(&mut self, frame: &mut Frame<'a>, inst: InstRef<'a>, is_counted: bool) -> Selected<Leaves> {
        let selector = operand(inst.inst(), 0);
        let chosen = frame.value(selector)?.clone();
        let leaves = if let Val::Known(value) = chosen {
            let chosen = inst.immediates.iter().position(|case| value.words.first() == Some(case));
            self.case(frame, inst, chosen.unwrap_or(inst.immediates.len()), is_counted)?
        } else if let Some((_, lanes)) = self.int_lanes(&chosen)? {
            self.cases(frame, inst, &lanes, 0, is_counted)?
        } else {
            return Err(RefusalKind::Operands {
                op: Op::Switch,
                what: "an int whose value is not known at compile time",
            });
        };
        match leaves {
            Leaves::By(Way::Break) => Ok(Leaves::By(Way::End)),
            Leaves::Mixed(ways) => {
                let ends = self.any_of(&ways, &[Way::End, Way::Break])?;
                Ok(Leaves::Mixed(Box::new(ways.without(Way::Break).with(Way::End, ends))).simple())
            }
            leaves => Ok(leaves),
        }
    }

    fn case(&mut self, frame: &mut Frame<'a>, inst: InstRef<'a>, at: usize, is_counted: bool) -> Selected<Leaves> {
        let before: usize = at.checked_sub(1).and_then(|at| inst.block_ends().get(at)).map_or(0, |&end| end as usize);
        let Some(block) = inst.blocks().get(at) else { return Ok(Leaves::By(Way::End)) };
        self.place += if is_counted { u32::try_from(before).unwrap_or(0) } else { 0 };
        self.block(frame, block, is_counted)
    }

    /// Executes the blocks of a switch from index `at` onwards, each under the condition that the selector equals the block's
    /// value.
    fn cases(
        &mut self,
        frame: &mut Frame<'a>,
        inst: InstRef<'a>,
        selector: &[Lane],
        at: usize,
        is_counted: bool,
    ) -> Selected<Leaves> {
        // The switch's selector is an int stored as a float, so it never equals a value beyond the exact range of floats.
        let mut cases = (at..).zip(inst.immediates.iter().skip(at));
        let small = cases.find_map(|(at, &word)| {
            let value = Val::Known(Value { ty: Type::INT, words: vec![word] });
            Some((at, self.int_lanes(&value).ok().flatten()?.1))
        });
        let Some((at, value)) = small else { return self.case(frame, inst, inst.immediates.len(), is_counted) };
        let apart = inst.blocks().iter().skip(at).any(|block| self.needs_neighbours(block));
        let condition = Val::Comparison(Op::Equal, selector.to_vec(), value);
        let place = self.place;
        let leaves = self.fork(frame, &condition, apart, &[], &mut |selector_of, frame, holds| {
            selector_of.place = place;
            match holds {
                true => selector_of.case(frame, inst, at, is_counted),
                false => selector_of.cases(frame, inst, selector, at + 1, is_counted),
            }
        });
        self.place = place;
        leaves
    }

    /// Executes a conditional, and returns whether the code after the conditional was executed too. If one branch always jumps,
    /// the code after the conditional is executed as a part of the other branch.
    fn conditional(
        &mut self,
        frame: &mut Frame<'a>,
        inst: InstRef<'a>,
        following: Part<'a, '_>,
    ) -> Selected<(Leaves, bool)> {
        let is_counted = following.is_counted;
        let phis = phis_of(following.block);
        let condition = frame.value(operand(inst.inst(), 0))?.clone();
        let mut blocks = inst.blocks();
        let (accept, reject) = (blocks.next().unwrap_or_default(), blocks.next().unwrap_or_default());
        let place = self.place;
        let within = if is_counted { u32::try_from(accept.all().len()).unwrap_or(0) } else { 0 };
        let of_reject = place + within;
        let wanted = [0, 1].map(|side| inputs_of(&phis, side));
        let side_of = |holds: bool| {
            let [accepted, rejected] = &wanted;
            match holds {
                true => Part { block: accept, place, is_counted, wanted: accepted, then: None },
                false => Part { block: reject, place: of_reject, is_counted, wanted: rejected, then: None },
            }
        };
        if let Val::Known(known) = &condition {
            let holds = known.words.first() != Some(&0);
            let leaves = self.part(frame, side_of(holds))?;
            if leaves.may(Way::End) {
                self.choose_phis(frame, &phis, usize::from(!holds))?;
            }
            return Ok((leaves, false));
        }
        if phis.is_empty() && reject.is_empty() && matches!(accept.all(), [only] if only.op == Op::Discard) {
            self.discard_if(&condition)?;
            return Ok((Leaves::By(Way::End), false));
        }
        let apart = self.needs_neighbours(accept) || self.needs_neighbours(reject);
        let is_jump = |inst: &Inst| matches!(inst.op, Op::Break | Op::Continue | Op::Return);
        let jumps = |block: Block<'a>| !flow::falls_through(block) && block.all().iter().any(is_jump);
        let continues = match (jumps(accept), jumps(reject)) {
            (true, false) => Some(false),
            (false, true) => Some(true),
            _ => None,
        };
        if let Some(continues) = continues {
            let apart = apart || self.part_needs_neighbours(following);
            let wants: Vec<Want> = following.wanted.iter().map(|&id| Want::of_side(id, continues)).collect();
            let then = Then { phis: &phis, side: usize::from(!continues), part: following };
            let leaves = self.fork(frame, &condition, apart, &wants, &mut |selector, frame, holds| {
                let then = (holds == continues).then_some(&then);
                let wanted = if then.is_some() { following.wanted } else { &[] };
                selector.part(frame, Part { then, wanted, ..side_of(holds) })
            })?;
            return Ok((leaves, true));
        }
        let wants = phis.iter().map(|phi| {
            let from = [0, 1].map(|side| input_of(phi, side));
            Want { to: phi.output, from, otherwise: None, only_at_end: true }
        });
        let wants: Vec<Want> = wants.collect();
        let leaves = self
            .fork(frame, &condition, apart, &wants, &mut |selector, frame, holds| selector.part(frame, side_of(holds)));
        self.place = place;
        Ok((leaves?, false))
    }

    /// Adds a conditional with two selected branches to the code.
    pub(super) fn branch(&mut self, condition: &Val, branches: [Vec<Rc<crate::code::Inst>>; 2]) -> Selected<()> {
        let [mut first, mut second] = branches;
        if first.is_empty() && second.is_empty() {
            return Ok(());
        }
        if let Val::Otherwise(of) = condition {
            return self.branch(of, [second, first]);
        }
        let (mut op, mut a, mut b) = match condition {
            Val::Comparison(Op::Equal, a, b) => (Opcode::Ife, a.clone(), b.clone()),
            Val::Comparison(Op::NotEqual, a, b) => (Opcode::Ine, a.clone(), b.clone()),
            Val::Comparison(Op::LessThan, a, b) if !first.is_empty() => (Opcode::Ifl, a.clone(), b.clone()),
            Val::Comparison(Op::GreaterThan, a, b) if !first.is_empty() => (Opcode::Ifl, b.clone(), a.clone()),
            // The condition of `ifg` is also true for equal values, contrary to its published description.
            _ => (Opcode::Ine, self.truth(condition)?, Self::number(0.0)),
        };
        if a == b {
            // A value equals itself unless it is NaN, but AGAL forbids a conditional that compares an operand with itself.
            (op, a, b) = (Opcode::Ine, self.truth(condition)?, Self::number(0.0));
        }
        if first.is_empty() {
            std::mem::swap(&mut first, &mut second);
            op = if op == Opcode::Ife { Opcode::Ine } else { Opcode::Ife };
        }
        // In a conditional, unlike in other operations, both operands may be constants.
        (a, b) = (self.operand(&a)?, self.operand(&b)?);
        self.effect(op, [a, b])?;
        self.code.insts.append(&mut first);
        if !second.is_empty() {
            self.push(self.inst(Opcode::Els))?;
            self.code.insts.append(&mut second);
        }
        self.push(self.inst(Opcode::Eif))
    }

    /// Reports whether an operation in the part, or in the code that follows the part, needs neighbouring fragments.
    fn part_needs_neighbours(&self, part: Part<'a, '_>) -> bool {
        let mut next = Some(part);
        while let Some(part) = next {
            if self.needs_neighbours(part.block) {
                return true;
            }
            next = part.then.map(|then| then.part);
        }
        false
    }

    /// Reports whether a block or one of its callees contains an operation that needs neighbouring fragments, which AGAL forbids
    /// in a conditional.
    fn needs_neighbours(&self, block: Block<'_>) -> bool {
        let needs = |inst: &Inst| {
            matches!(inst.op, Op::Ddx | Op::Ddy | Op::Sample | Op::SampleBias | Op::SampleGrad | Op::SampleLod)
        };
        let mut blocks = vec![block];
        let mut seen = std::collections::BTreeSet::new();
        while let Some(block) = blocks.pop() {
            if block.all().iter().any(needs) {
                return true;
            }
            for at in flow::calls(block).into_iter().filter(|at| seen.insert(*at)) {
                blocks.extend(self.module.functions.get(at).map(|of| of.body.block()));
            }
        }
        false
    }

    fn choose_phis(&mut self, frame: &mut Frame<'a>, phis: &[&'a Inst], side: usize) -> Selected<()> {
        for phi in phis {
            if let Some(id) = input_of(phi, side) {
                let value = frame.value(id)?.clone();
                frame.values.insert(phi.output, value);
            }
        }
        Ok(())
    }

    /// Discards the fragment if all conditions in `path` are true.
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
            return self.kill(a);
        }
        let truth = self.truth(condition)?;
        self.path.extend(truth);
        let done = self.discard();
        self.path.pop();
        done
    }

    /// Discards the fragment if the float `truth` is 1 rather than 0.
    fn kill_where(&mut self, truth: &[Lane]) -> Selected<()> {
        let minus = match truth {
            // The operand of `kil` must not be a constant.
            [Lane::Literal(_)] => self.each(Opcode::Mov, &Self::number(-1.0), &[])?,
            _ => self.each(Opcode::Neg, truth, &[])?,
        };
        self.kill(&minus)
    }

    fn kill(&mut self, lane: &[Lane]) -> Selected<()> {
        let sources = self.operands(Opcode::Kil, lane, &[])?;
        self.effect(Opcode::Kil, sources)
    }
}

/// Returns the operand of a PHI for one side, or `None` if that side has no value.
fn input_of(phi: &Inst, side: usize) -> Option<Id> {
    phi.inputs.get(side).copied().filter(|id| id.is_some())
}

fn inputs_of(phis: &[&Inst], side: usize) -> Vec<Id> {
    phis.iter().filter_map(|phi| input_of(phi, side)).collect()
}

fn phis_of(block: Block<'_>) -> Few<&Inst> {
    let insts = block.all();
    insts.iter().take(sdlbc::flow::phis(insts)).filter(|inst| inst.op == Op::Phi).collect()
}
