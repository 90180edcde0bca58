//! Statements: blocks, conditionals, loops, switches and jumps.
//!
//! The lifter emits the jumps BREAK, RETURN and DISCARD. SDLSHADERBC's CONTINUE cannot express a `continue`, because naga's loops
//! run code before the next iteration, and no jump can express the `return` of an inlined function. Instead, a `continue` or an
//! inlined `return` *skips* the rest of its block and of the enclosing blocks up to its target. If one arm of a conditional
//! always skips, the rest of the block moves into the other arm. If neither arm always skips, the skip sets a flag, and the rest
//! of the block runs only if the flag is not set. If the nesting would become too deep, the rest of the block becomes a sequence
//! of conditionals (`sequence.rs`).

use naga::{Block, Expression, Handle, Statement, SwitchCase, SwitchValue, UnaryOperator};
use sdlbc::Id;

use super::Lifter;
use crate::summary::each_of;
use sdlbc::front::RefusalKind;

/// The place to which control passes at the end of a block. A jump to that place needs no code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tail {
    No,
    /// The code that runs before the next iteration of the innermost loop.
    Continue,
    Return,
    Case,
}

/// A loop or switch whose body is being lifted.
#[derive(Clone, Copy, Debug)]
pub(super) enum Open {
    Loop {
        /// The register that is true once the rest of the loop's body is skipped.
        continued: usize,
    },
    Switch,
}

impl Open {
    fn is_loop(self) -> bool {
        matches!(self, Open::Loop { .. })
    }

    fn continued(self) -> Option<usize> {
        if let Open::Loop { continued } = self { Some(continued) } else { None }
    }
}

impl<'m> Lifter<'_, 'm> {
    /// Lifts a block, and returns whether control reaches the end of the block.
    pub(super) fn block(&mut self, block: &'m [Statement], tail: Tail) -> bool {
        for (at, statement) in block.iter().enumerate() {
            let rest = block.get(at + 1..).unwrap_or_default();
            let before = self.quad_follows;
            self.expect_quads(&[rest]);
            let outcome = self.statement(statement, rest, tail);
            self.quad_follows = before;
            match outcome {
                Outcome::Next => {}
                Outcome::Elsewhere => return false,
                Outcome::BlockEnd => return true,
            }
        }
        true
    }

    /// Records whether the following statements compute derivatives, in which case discards must be deferred.
    fn expect_quads(&mut self, following: &[&[Statement]]) {
        if self.discarded.is_some()
            && let Some(function) = self.function()
        {
            self.quad_follows |= self.shared.summaries.has_quad(function, following);
        }
    }

    fn statement(&mut self, statement: &'m Statement, rest: &'m [Statement], tail: Tail) -> Outcome {
        let last = if rest.is_empty() { tail } else { Tail::No };
        match statement {
            Statement::Emit(range) => {
                for handle in range.clone() {
                    let span = self.span(handle);
                    if !self.step(span) {
                        return Outcome::Elsewhere;
                    }
                    self.set_line(span);
                    self.compute(handle);
                }
                Outcome::Next
            }
            Statement::Block(block) => match self.skips(block) {
                true if rest.is_empty() => Outcome::end_if(self.block(block, tail)),
                true => Outcome::end_if(self.block(block, Tail::No) && self.unless_skipped(rest, tail)),
                false => Outcome::next_if(self.block(block, last)),
            },
            Statement::If { condition, accept, reject } => self.conditional(*condition, accept, reject, rest, tail),
            Statement::Loop { body, continuing, break_if } => {
                let reached = self.repeat(body, continuing, *break_if);
                self.test_flags(statement, reached, rest, tail)
            }
            Statement::Switch { selector, cases } => {
                let reached = self.switch(*selector, cases);
                self.test_flags(statement, reached, rest, tail)
            }
            Statement::Break => {
                if tail == Tail::Case && rest.is_empty() {
                    Outcome::BlockEnd
                } else {
                    self.leave()
                }
            }
            Statement::Continue => self.skip(tail, true),
            Statement::Return { value } => self.return_value(*value, tail),
            Statement::Kill => self.discard(),
            Statement::Store { pointer, value } => {
                self.set_line(self.span(*value));
                let value = self.value(*value);
                let place = self.place(*pointer);
                self.store(&place, &value);
                Outcome::Next
            }
            Statement::Atomic { pointer, fun, value, result } => {
                self.atomic(*pointer, *fun, *value, *result);
                Outcome::Next
            }
            Statement::ImageStore { image, coordinate, array_index, value } => {
                self.set_line(self.span(*value));
                self.image_store(*image, *coordinate, *array_index, *value);
                Outcome::Next
            }
            Statement::ControlBarrier(barrier) => {
                self.barrier(*barrier, naga::Span::UNDEFINED);
                Outcome::Next
            }
            Statement::Call { function, arguments, result } => {
                Outcome::next_if(self.call(*function, arguments, *result))
            }
            other => {
                let name = statement_name(other);
                self.shared.refuse(RefusalKind::Operation { name: name.to_string() }, naga::Span::UNDEFINED);
                Outcome::Next
            }
        }
    }

    pub(super) fn set_line(&mut self, span: naga::Span) {
        let line = self.shared.line(span);
        if line != 0 {
            self.lifting.builder.at_line(line);
        }
    }

    fn open(&mut self, open: Open) {
        self.frames.last_mut().into_iter().for_each(|frame| frame.open.push(open));
    }

    fn close(&mut self) {
        self.frames.last_mut().and_then(|frame| frame.open.pop());
    }

    fn innermost(&self) -> Option<Open> {
        self.frame()?.open.last().copied()
    }

    /// Returns the register that is true once the rest of the innermost loop's body is skipped.
    pub(super) fn continued(&self) -> Option<usize> {
        self.frame()?.open.iter().rev().find_map(|open| open.continued())
    }

    /// Reports whether a block may skip the code that follows it. If the innermost enclosing loop or switch is a loop, a
    /// `continue` may skip the code. If no loop or switch encloses the block, an inlined function's `return` may skip it.
    pub(super) fn skips(&self, block: &[Statement]) -> bool {
        let is_inlined = self.inlined().is_some();
        let (continues, returns) = match self.innermost() {
            None => (false, is_inlined),
            Some(open) => (open.is_loop(), false),
        };
        let mut open: Vec<&Statement> = block.iter().collect();
        while let Some(statement) = open.pop() {
            match statement {
                Statement::Continue if continues => return true,
                Statement::Return { .. } if returns => return true,
                Statement::Block(block) => open.extend(block),
                Statement::If { accept, reject, .. } => open.extend(accept.iter().chain(reject)),
                // A `return` inside the loop sets a flag, which is tested after the loop.
                Statement::Loop { .. } if returns && contains_return(statement) => return true,
                Statement::Switch { .. } if returns && contains_return(statement) => return true,
                Statement::Switch { .. } if continues && contains_continue(statement) => return true,
                _ => {}
            }
        }
        false
    }

    /// Returns the register of the flag that a skip in the current block sets.
    fn skip_flag(&self) -> Option<usize> {
        match self.innermost() {
            Some(open) => open.continued(),
            None => self.inlined().map(|(_, returned)| returned),
        }
    }

    fn conditional(
        &mut self,
        condition: Handle<Expression>,
        accept: &'m Block,
        reject: &'m Block,
        rest: &'m [Statement],
        tail: Tail,
    ) -> Outcome {
        // A conditional with a negated condition is lifted without the negation and with its arms exchanged.
        if let Some(&Expression::Unary { op: UnaryOperator::LogicalNot, expr }) = self.expression(condition) {
            return self.conditional(expr, reject, accept, rest, tail);
        }
        let condition = self.one(condition);
        if rest.is_empty() || !self.skips(accept) && !self.skips(reject) {
            let last = if rest.is_empty() { tail } else { Tail::No };
            return Outcome::next_if(self.branch(
                condition,
                |lifter| lifter.block(accept, last),
                |lifter| lifter.block(reject, last),
            ));
        }
        // If one arm always skips, the rest of the block moves into the other arm.
        let is_deep = self.is_deep();
        if !is_deep && always_leaves(accept) {
            let reached = self.branch(
                condition,
                |lifter| lifter.block(accept, tail),
                |lifter| lifter.block_and_rest(reject, rest, tail),
            );
            return Outcome::end_if(reached);
        }
        if !is_deep && always_leaves(reject) {
            let reached = self.branch(
                condition,
                |lifter| lifter.block_and_rest(accept, rest, tail),
                |lifter| lifter.block(reject, tail),
            );
            return Outcome::end_if(reached);
        }
        let reached =
            self.branch(condition, |lifter| lifter.block(accept, Tail::No), |lifter| lifter.block(reject, Tail::No));
        Outcome::end_if(reached && self.unless_skipped(rest, tail))
    }

    /// Lifts a block and then the rest of the enclosing block, and returns whether control reaches the end of the rest.
    fn block_and_rest(&mut self, block: &'m [Statement], rest: &'m [Statement], tail: Tail) -> bool {
        let skips = self.skips(block);
        self.block(block, Tail::No) && if skips { self.unless_skipped(rest, tail) } else { self.block(rest, tail) }
    }

    /// Lifts the rest of a block, which runs only if no skip has set the flag, and returns whether control reaches the end of the
    /// block.
    fn unless_skipped(&mut self, rest: &'m [Statement], tail: Tail) -> bool {
        let Some(flag) = self.skip_flag() else { return self.block(rest, tail) };
        if self.is_deep() {
            self.in_sequence(flag, rest, tail);
            return true;
        }
        let skipped = self.lifting.read_flag(flag);
        self.branch(skipped, |_| true, |lifter| lifter.block(rest, tail))
    }

    /// Emits a conditional, and returns whether control reaches its end.
    fn branch(
        &mut self,
        condition: Id,
        accept: impl FnOnce(&mut Self) -> bool,
        reject: impl FnOnce(&mut Self) -> bool,
    ) -> bool {
        let known = self.lifting.registers.count();
        self.lifting.begin_if(condition);
        let accepted = accept(self);
        self.lifting.begin_else(accepted);
        let rejected = reject(self);
        self.lifting.end_if(rejected, known);
        accepted || rejected
    }

    fn leave(&mut self) -> Outcome {
        self.lifting.leave();
        Outcome::Elsewhere
    }

    /// Skips to the next iteration of a loop, or out of an inlined function.
    fn skip(&mut self, tail: Tail, is_continue: bool) -> Outcome {
        let is_near = match self.innermost() {
            Some(open) => is_continue && open.is_loop(),
            None => !is_continue,
        };
        if is_near && tail == (if is_continue { Tail::Continue } else { Tail::Return }) {
            return Outcome::BlockEnd;
        }
        let flag = match is_continue {
            true => self.continued(),
            false => self.inlined().map(|(_, returned)| returned),
        };
        if let Some(flag) = flag {
            self.lifting.set_flag(flag, true);
        }
        match is_near {
            true => Outcome::BlockEnd,
            false if self.innermost().is_some_and(|open| !open.is_loop()) && tail == Tail::Case => Outcome::BlockEnd,
            false => self.leave(),
        }
    }

    fn return_value(&mut self, value: Option<Handle<Expression>>, tail: Tail) -> Outcome {
        let value = value.map(|value| self.value(value));
        match self.inlined() {
            Some((result, _)) => {
                if let (Some(result), Some(value)) = (result, value) {
                    self.lifting.store(result, &[], &value);
                }
                self.skip(tail, false)
            }
            None if self.outputs.is_empty() && self.kind == sdlbc::FunctionKind::Generic => {
                match value {
                    Some(value) => self.lifting.builder.return_value(value.one()),
                    None if tail == Tail::Return => return Outcome::BlockEnd,
                    None => self.lifting.builder.return_nothing(),
                }
                self.lifting.jumped();
                Outcome::Elsewhere
            }
            None => {
                self.end_entry(value.as_ref(), tail);
                Outcome::Elsewhere
            }
        }
    }

    /// Ends the invocation immediately, or at the end of the function if later code may compute derivatives.
    fn discard(&mut self) -> Outcome {
        match self.discarded.filter(|_| self.quad_follows) {
            Some(flag) => {
                self.lifting.set_flag(flag, true);
                Outcome::Next
            }
            None => {
                self.lifting.builder.discard();
                self.lifting.jumped();
                Outcome::Elsewhere
            }
        }
    }

    /// Emits a loop, and returns whether control reaches the code after the loop.
    fn repeat(&mut self, body: &'m Block, continuing: &'m Block, break_if: Option<Handle<Expression>>) -> bool {
        let written = self.written([body, continuing]);
        let before = self.quad_follows;
        self.expect_quads(&[body, continuing]);
        let continued = self.lifting.flag();
        let open_loop = self.lifting.begin_loop(&written);
        self.lifting.set_flag(continued, false);
        self.open(Open::Loop { continued });
        let reached = self.block(body, Tail::Continue) && self.block(continuing, Tail::No);
        if let Some(condition) = break_if.filter(|_| reached) {
            let condition = self.one(condition);
            self.lifting.leave_if(condition);
        }
        self.close();
        self.quad_follows = before;
        self.lifting.end_loop(open_loop, reached)
    }

    /// Emits a switch, and returns whether control reaches the code after the switch.
    fn switch(&mut self, selector: Handle<Expression>, cases: &'m [SwitchCase]) -> bool {
        let selector = self.one(selector);
        let written = self.written(cases.iter().map(|case| &case.body));
        let before = self.lifting.begin_switch(&written);
        self.open(Open::Switch);
        let mut blocks = Vec::new();
        let mut default = None;
        let mut values: Vec<SwitchValue> = Vec::new();
        let mut any = false;
        for (at, case) in cases.iter().enumerate() {
            values.push(case.value);
            // An empty case that falls through shares the block of the next case, as in `case 1, 2:`.
            if case.fall_through && case.body.is_empty() {
                continue;
            }
            for value in values.drain(..) {
                self.lifting.begin_case(&before);
                let reached = self.case(cases.get(at..).unwrap_or_default());
                any |= reached;
                let scope = self.lifting.end_case(reached);
                match value {
                    SwitchValue::I32(value) => blocks.push((value.cast_unsigned(), scope)),
                    SwitchValue::U32(value) => blocks.push((value, scope)),
                    SwitchValue::Default => default = Some(scope),
                }
            }
        }
        self.close();
        let default = default.unwrap_or_else(|| {
            any = true;
            self.lifting.begin_case(&before);
            self.lifting.end_case(true)
        });
        self.lifting.end_switch(selector, &before, blocks, default, any)
    }

    /// Lifts a case and the cases that it falls through to, and returns whether control reaches the end of the last case.
    fn case(&mut self, cases: &'m [SwitchCase]) -> bool {
        for case in cases {
            let tail = if case.fall_through { Tail::No } else { Tail::Case };
            if !self.block(&case.body, tail) {
                return false;
            }
            if !case.fall_through {
                break;
            }
        }
        true
    }

    /// After a loop or switch, tests the flags that jumps inside that loop or switch may have set.
    fn test_flags(&mut self, statement: &'m Statement, reached: bool, rest: &'m [Statement], tail: Tail) -> Outcome {
        if !reached {
            return Outcome::Elsewhere;
        }
        let returned = self.inlined().filter(|_| contains_return(statement)).map(|(_, returned)| returned);
        let continues = matches!(statement, Statement::Switch { .. }) && contains_continue(statement);
        let continued = self.continued().filter(|_| continues);
        let mut skipped = None;
        for flag in returned.into_iter().chain(continued) {
            let set = self.lifting.read_flag(flag);
            skipped = Some(skipped.map_or(set, |other| self.lifting.builder.logical_or(other, set)));
        }
        let Some(skipped) = skipped else { return Outcome::Next };
        // A `return` leaves all loops and switches around it. A `continue` leaves the switches inside the innermost loop.
        let leaves = match self.innermost() {
            None => false,
            Some(open) => returned.is_some() || !open.is_loop(),
        };
        if !leaves && rest.is_empty() {
            return Outcome::BlockEnd;
        }
        if !leaves {
            // The only flag that can be set here is the flag that `unless_skipped` tests.
            return Outcome::end_if(self.unless_skipped(rest, tail));
        }
        if let Some(returned) = returned.filter(|_| continued.is_some())
            && self.innermost().is_some_and(Open::is_loop)
        {
            // A `continue` skips only the rest of the loop's body, but a `return` also leaves the loop.
            let set = self.lifting.read_flag(returned);
            self.lifting.leave_if(set);
            return Outcome::end_if(self.unless_skipped(rest, tail));
        }
        self.lifting.leave_if(skipped);
        Outcome::Next
    }
}

/// The place where control goes after a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// Control goes to the next statement.
    Next,
    /// Control does not reach the end of the block.
    Elsewhere,
    /// Control goes to the end of the block, past the remaining statements.
    BlockEnd,
}

impl Outcome {
    fn next_if(reached: bool) -> Outcome {
        if reached { Outcome::Next } else { Outcome::Elsewhere }
    }

    fn end_if(reached: bool) -> Outcome {
        if reached { Outcome::BlockEnd } else { Outcome::Elsewhere }
    }
}

fn always_leaves(block: &[Statement]) -> bool {
    match block.last() {
        Some(Statement::Continue | Statement::Return { .. } | Statement::Break) => true,
        Some(Statement::Block(block)) => always_leaves(block),
        Some(Statement::If { accept, reject, .. }) => always_leaves(accept) && always_leaves(reject),
        _ => false,
    }
}

pub(super) fn contains_return(statement: &Statement) -> bool {
    let mut found = false;
    each_of(statement, &mut |statement| found |= matches!(statement, Statement::Return { .. }));
    found
}

/// Reports whether a statement contains a `continue` that belongs to a loop around the statement.
fn contains_continue(statement: &Statement) -> bool {
    let mut open = vec![statement];
    while let Some(statement) = open.pop() {
        match statement {
            Statement::Continue => return true,
            Statement::Block(block) => open.extend(block),
            Statement::If { accept, reject, .. } => open.extend(accept.iter().chain(reject)),
            Statement::Switch { cases, .. } => open.extend(cases.iter().flat_map(|case| &case.body)),
            _ => {}
        }
    }
    false
}

fn statement_name(statement: &Statement) -> &'static str {
    match statement {
        Statement::MemoryBarrier(_) => "barriers at which invocations do not wait",
        Statement::ImageAtomic { .. } => "atomic operations on textures",
        Statement::WorkGroupUniformLoad { .. } => "`workgroupUniformLoad`",
        Statement::RayQuery { .. } | Statement::RayPipelineFunction(_) => "ray tracing",
        Statement::SubgroupBallot { .. }
        | Statement::SubgroupGather { .. }
        | Statement::SubgroupCollectiveOperation { .. } => "subgroup operations",
        _ => "this statement",
    }
}
