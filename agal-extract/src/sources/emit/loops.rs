//! Emits loops, `break` and `continue`.

use swf::avm2::types::Op;

use crate::sources::emit::Emitter;
use crate::sources::emit::assembler::Label;
use crate::sources::emit::frame::Jump;
use crate::sources::syntax::{Expression, ExpressionKind as Is, Loop, Name, Variable};

impl Emitter<'_> {
    /// Registers a statement that `break` or `continue` can target.
    pub(super) fn enter(&mut self, leave: Label, again: Option<Label>, is_plain: bool) {
        let jump = Jump {
            labels: std::mem::take(&mut self.frame.labels),
            leave,
            again,
            depth: self.frame.asm.depth,
            scopes: self.frame.scopes,
            is_plain,
        };
        self.frame.jumps.push(jump);
    }

    /// Writes a labelled statement. A loop, a `switch` or a nested labelled statement registers its labels itself. Any other
    /// statement can be left only by a `break` with the label.
    pub(super) fn labelled(&mut self, body: &Expression) {
        if body.kind.is_loop() || matches!(body.kind, Is::Switch { .. } | Is::Labelled { .. }) {
            return self.effect(body);
        }
        let end = self.label();
        self.enter(end, None, false);
        self.effect(body);
        self.frame.jumps.pop();
        self.place(end);
    }

    pub(super) fn leave(&mut self, label: Option<&Name>, is_continue: bool) {
        let found = self.frame.jumps.iter().rev().find(|jump| match label {
            Some(label) => jump.labels.contains(label),
            None if is_continue => jump.again.is_some(),
            None => jump.is_plain,
        });
        let Some(jump) = found.cloned() else { return };
        let depth = self.frame.asm.depth;
        for _ in jump.depth..depth {
            self.op(Op::Pop, 1, 0);
        }
        for _ in jump.scopes..self.frame.scopes {
            self.op(Op::PopScope, 0, 0);
        }
        let target = if is_continue { jump.again.unwrap_or(jump.leave) } else { jump.leave };
        self.jump(target);
        self.frame.asm.depth = depth;
    }

    /// Writes a loop whose test follows its body. The callback `test` writes a jump that goes to the given label if the loop
    /// continues.
    fn looped(
        &mut self,
        is_tested_first: bool,
        body: impl FnOnce(&mut Self),
        update: Option<&Expression>,
        test: impl FnOnce(&mut Self, Label),
    ) {
        let (begin, again, check, end) = (self.label(), self.label(), self.label(), self.label());
        self.enter(end, Some(again), true);
        if is_tested_first {
            self.jump(check);
        }
        self.place(begin);
        body(self);
        self.place(again);
        if let Some(update) = update {
            self.effect(update);
        }
        self.place(check);
        test(self, begin);
        self.frame.jumps.pop();
        self.place(end);
    }

    pub(super) fn for_loop(&mut self, of: &Loop) {
        let labels = std::mem::take(&mut self.frame.labels);
        if let Some(first) = &of.first {
            self.effect(first);
        }
        self.frame.labels = labels;
        let test = |emitter: &mut Self, begin| match &of.condition {
            Some(condition) => emitter.condition(condition, true, begin),
            None => emitter.jump(begin),
        };
        self.looped(!of.is_do, |emitter| emitter.effect(&of.body), of.update.as_ref(), test);
    }

    pub(super) fn for_in(&mut self, targets: [Option<&Expression>; 2], over: &Expression, body: &Expression) {
        let (object, index) = (self.frame.register(), self.frame.register());
        self.push_int(0);
        self.set_local(index);
        self.value(over);
        self.set_local(object);
        let each = |emitter: &mut Self| {
            for (target, op) in targets.into_iter().zip([Op::NextName, Op::NextValue]) {
                let Some(target) = target else { continue };
                emitter.get_local(object);
                emitter.get_local(index);
                emitter.op(op, 2, 1);
                emitter.take(target);
            }
            emitter.effect(body);
        };
        let test = |emitter: &mut Self, begin| {
            emitter.op(Op::HasNext2 { object_register: object, index_register: index }, 0, 1);
            emitter.jump_if(true, begin);
        };
        self.looped(true, |emitter| emitter.in_block(each), None, test);
    }

    /// Assigns the value on the stack to the loop variable.
    fn take(&mut self, target: &Expression) {
        match &target.kind {
            Is::Variables(all) if self.is_haxe => all.iter().for_each(|one| self.declare_and_store(one)),
            Is::Variables(all) => {
                for Variable { name, line, .. } in all {
                    self.assign_top(&Expression { line: *line, kind: Is::Name(name.clone()) });
                }
            }
            _ => self.assign_top(target),
        }
    }
}
