//! Conditionals, loops and switches.
//!
//! No PHI can follow a LOOP or a SWITCH. Each register that a LOOP or SWITCH may write therefore has a local slot, which is written
//! before each BREAK and at the end of each case, and read after the LOOP or SWITCH.

use super::{Described, Lifting};
use crate::builder::Scope;
use crate::ssa::{OpenLoop, Saved};
use crate::{Id, Type};

/// An open loop or switch.
#[derive(Debug)]
pub(super) struct Context {
    /// The registers that the loop or switch may write, each with its number of components and its slot.
    slots: Vec<(usize, u8, Id)>,
    /// Whether a BREAK leaves the loop or switch.
    is_left: bool,
    /// The number of RETURNs and DISCARDs emitted before the loop or switch.
    jumps: usize,
}

impl Lifting {
    /// Begins a conditional and its first arm.
    pub fn begin_if(&mut self, condition: Id) {
        self.registers.begin_if(&mut self.builder, condition);
    }

    /// Begins the second arm of a conditional. `reached` states whether control reaches the end of the first arm.
    pub fn begin_else(&mut self, reached: bool) {
        if !reached {
            self.registers.abandon();
        }
        self.registers.begin_else(&mut self.builder);
    }

    /// Ends a conditional. `reached` states whether control reaches the end of the second arm. Registers whose index is `known` or
    /// higher are not used after the conditional.
    pub fn end_if(&mut self, reached: bool, known: usize) {
        if !reached {
            self.registers.abandon();
        }
        let described = &self.described;
        let name = |register: usize| described.get(register).and_then(|described| described.name);
        self.registers.end_if(&mut self.builder, |slot| slot / 4 < known, name);
    }

    fn open_context(&mut self, written: &[usize]) {
        let mut slots = Vec::with_capacity(written.len());
        for &register in written {
            let Some(Described { text, scalar, width, .. }) = self.described(register).cloned() else { continue };
            let slot = self.slot(&text, Type::Array(scalar, width, 1));
            slots.push((register, width, slot));
        }
        self.contexts.push(Context { slots, is_left: false, jumps: self.jumps });
    }

    fn write_slots(&mut self) {
        let Some(context) = self.contexts.last() else { return };
        for (register, width, slot) in context.slots.clone() {
            let value = self.registers.gather(&mut self.builder, register, width);
            self.builder.poke_element(value, slot, None, 0);
        }
    }

    fn read_slots(&mut self, context: &Context) {
        for &(register, width, slot) in &context.slots {
            let value = self.builder.peek(slot, None, 0);
            self.registers.set(register, value, width);
            if let Some(name) = self.register_name(register) {
                self.builder.name(value, name);
            }
        }
    }

    /// Emits a BREAK out of the innermost loop or switch.
    pub fn leave(&mut self) {
        self.write_slots();
        if let Some(context) = self.contexts.last_mut() {
            context.is_left = true;
        }
        self.builder.break_out();
    }

    /// Emits a conditional BREAK out of the innermost loop or switch.
    pub fn leave_if(&mut self, condition: Id) {
        self.begin_if(condition);
        self.leave();
        self.begin_else(false);
        self.end_if(true, usize::MAX);
    }

    /// Counts an emitted RETURN or DISCARD.
    pub fn jumped(&mut self) {
        self.jumps += 1;
    }

    /// Begins a loop that may write the registers in `written`.
    pub fn begin_loop(&mut self, written: &[usize]) -> OpenLoop {
        self.open_context(written);
        let widths = written.iter().filter_map(|&register| Some((register, self.described(register)?.width)));
        let widths: Vec<_> = widths.collect();
        let open_loop = self.registers.begin_loop(&mut self.builder, widths);
        for (register, phi) in open_loop.phis() {
            if let Some(name) = self.register_name(register) {
                self.builder.name(phi, name);
            }
        }
        open_loop
    }

    /// Ends a loop. `reached` states whether control reaches the end of the loop's block. Returns whether control reaches the
    /// code after the loop.
    pub fn end_loop(&mut self, open_loop: OpenLoop, reached: bool) -> bool {
        // The format requires a loop to have an exit, even an exit that is never taken (V35).
        let is_endless = self.contexts.last().is_some_and(|context| self.jumps == context.jumps && !context.is_left);
        if is_endless && reached {
            let never = self.builder.bool(false);
            self.leave_if(never);
        }
        self.registers.end_loop(&mut self.builder, open_loop, reached);
        let Some(context) = self.contexts.pop() else { return false };
        if context.is_left {
            self.read_slots(&context);
        }
        context.is_left
    }

    /// Begins a switch that may write the registers in `written`. The cases follow.
    pub fn begin_switch(&mut self, written: &[usize]) -> Saved {
        self.open_context(written);
        self.registers.save()
    }

    /// Begins a case of a switch.
    pub fn begin_case(&mut self, before: &Saved) {
        self.builder.open();
        self.registers.restore(before);
    }

    /// Ends a case of a switch, and returns the block of the case. `reached` states whether control reaches the end of
    /// the block.
    pub fn end_case(&mut self, reached: bool) -> Scope {
        if reached {
            self.write_slots();
        }
        self.builder.close()
    }

    /// Ends a switch with the given cases. `reached` states whether control reaches the end of any case. Returns whether control
    /// reaches the code after the switch.
    pub fn end_switch(
        &mut self,
        selector: Id,
        before: &Saved,
        cases: Vec<(u32, Scope)>,
        default: Scope,
        reached: bool,
    ) -> bool {
        self.registers.restore(before);
        self.builder.switch(selector, cases, default);
        let Some(context) = self.contexts.pop() else { return false };
        let reached = reached || context.is_left;
        if reached {
            self.read_slots(&context);
        }
        reached
    }
}
