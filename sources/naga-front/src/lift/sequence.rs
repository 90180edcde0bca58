//! The rest of a deeply nested block, as a sequence of conditionals.
//!
//! The rest of a block after a skip is usually in one arm of a conditional (`flow.rs`), so each skip adds a level of nesting. A
//! block with many skips would nest deeper than SDLSHADERBC allows. At depth [`DEEP`] and beyond, the block is split after each
//! statement that may skip, and each piece becomes a conditional: `if (!skipped) { ... } if (!skipped) { ... }`. PHIs pass the
//! values of a piece to later pieces.

use std::collections::BTreeSet;

use naga::{Expression, Handle, Statement};

use super::Lifter;
use super::flow::Tail;
use crate::operands;
use crate::summary::each_of;

/// The nesting depth from which conditionals are written in sequence instead of nested. The other half of SDLSHADERBC's limit
/// remains for the nesting of the source itself.
const DEEP: usize = sdlbc::limits::NESTING / 2;

impl<'m> Lifter<'_, 'm> {
    pub(super) fn is_deep(&self) -> bool {
        self.lifting.builder.depth() >= DEEP
    }

    /// Lifts statements that run only while the flag in a register is not set; the statements themselves may set the flag.
    /// Control always reaches the end of the sequence, because each conditional has an empty arm.
    pub(super) fn in_sequence(&mut self, flag: usize, rest: &'m [Statement], tail: Tail) {
        let mut parts: Vec<&'m [Statement]> =
            rest.split_inclusive(|statement| self.skips(std::slice::from_ref(statement))).collect();
        let last = parts.pop();
        let mut parts: Vec<_> = parts.into_iter().map(|part| (part, Tail::No)).collect();
        parts.extend(last.map(|part| (part, tail)));
        // The values that each part defines and later parts need, collected from the last part to the first.
        let mut needed = BTreeSet::new();
        let mut carried = Vec::with_capacity(parts.len());
        for &(part, _) in parts.iter().rev() {
            let mut own = Vec::new();
            for statement in part {
                operands::defined(statement, &mut |handle| own.extend(needed.contains(&handle).then_some(handle)));
            }
            carried.push(own);
            self.add_needed(part, &mut needed);
        }
        for ((part, tail), carried) in parts.into_iter().zip(carried.into_iter().rev()) {
            self.unless(flag, part, &carried, tail);
        }
    }

    /// Adds the expressions that the statements refer to, directly or through other expressions such as pointers.
    fn add_needed(&self, statements: &'m [Statement], needed: &mut BTreeSet<Handle<Expression>>) {
        let mut open = Vec::new();
        for statement in statements {
            each_of(statement, &mut |statement| operands::of_statement(statement, &mut |operand| open.push(operand)));
        }
        while let Some(handle) = open.pop() {
            if let Some(expression) = self.expression(handle).filter(|_| needed.insert(handle)) {
                operands::of_expression(expression, &mut |operand| open.push(operand));
            }
        }
    }

    /// Lifts statements in a conditional that runs if a flag is not set. The values in `carried` can be used after the
    /// conditional.
    fn unless(&mut self, flag: usize, part: &'m [Statement], carried: &[Handle<Expression>], tail: Tail) {
        let mark = self.lifting.mark();
        let skipped = self.lifting.read_flag(flag);
        let goes_on = self.lifting.builder.not(skipped);
        self.lifting.begin_if(goes_on);
        let reached = self.block(part, tail);
        // The registers that a part creates are not used after it.
        self.lifting.forget(mark);
        let mut held = Vec::new();
        for &handle in carried.iter().filter(|_| reached) {
            let value = self.computed(handle);
            held.extend(value.map(|value| (handle, self.lifting.hold(&value))));
        }
        self.lifting.begin_else(reached);
        for &(_, variable) in &held {
            self.lifting.clear(variable);
        }
        self.lifting.end_if(true, usize::MAX);
        for (handle, variable) in held {
            let value = self.lifting.load(variable, &[]);
            self.set_value(handle, value);
        }
        self.lifting.forget(mark);
    }
}
