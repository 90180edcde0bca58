//! Emits statements. In Haxe, the value of a statement stays on the stack if the value is used.

use std::collections::HashMap;

use swf::avm2::types::Op;

use crate::sources::emit::Emitter;
use crate::sources::emit::assembler::Label;
use crate::sources::syntax::{Expression, ExpressionKind as Is, Name, Variable};

impl Emitter<'_> {
    pub(super) fn statements(&mut self, statements: &[Expression]) {
        statements.iter().for_each(|statement| self.effect(statement));
    }

    /// Writes statements or expressions in order. The last expression determines the value.
    pub(super) fn sequence(&mut self, all: &[Expression], wants_value: bool) {
        match all.split_last() {
            Some((last, before)) => {
                self.statements(before);
                self.write(last, wants_value);
            }
            None if wants_value => self.op(Op::PushUndefined, 0, 1),
            None => {}
        }
    }

    /// Writes the contents of a block in a new scope. Haxe variables are block-scoped.
    pub(super) fn in_block(&mut self, write: impl FnOnce(&mut Self)) {
        self.frame.blocks.push(HashMap::new());
        write(self);
        self.frame.blocks.pop();
    }

    pub(super) fn block(&mut self, body: &[Expression], wants_value: bool) {
        self.in_block(|emitter| emitter.sequence(body, wants_value));
    }

    /// Writes a variable declaration. ActionScript variables are already declared, except in scripts.
    pub(super) fn variable(&mut self, variable: &Variable) {
        self.at_line(variable.line);
        let Some(value) = &variable.value else {
            if self.is_haxe {
                self.declare(&variable.name, variable.of.as_ref());
            }
            return;
        };
        if self.is_haxe {
            self.value(value);
            return self.declare_and_store(variable);
        }
        let target = Expression { line: variable.line, kind: Is::Name(variable.name.clone()) };
        self.assign(None, &target, value, false);
    }

    pub(super) fn declare_and_store(&mut self, variable: &Variable) {
        let value = self.frame.temporary();
        self.set_local(value);
        let local = self.declare(&variable.name, variable.of.as_ref());
        self.store_from(&local, |emitter| emitter.get_local(value));
        self.frame.release(value);
    }

    pub(super) fn branches(
        &mut self,
        arms: &[(Expression, Expression)],
        otherwise: Option<&Expression>,
        wants_value: bool,
    ) {
        let end = self.label();
        for (at, (condition, body)) in arms.iter().enumerate() {
            let next = self.label();
            self.at_line(condition.line);
            self.condition(condition, false, next);
            self.write(body, wants_value);
            let is_last = at + 1 == arms.len() && otherwise.is_none() && !wants_value;
            if !is_last {
                self.jump(end);
            }
            self.place(next);
        }
        self.sequence(otherwise.map(std::slice::from_ref).unwrap_or_default(), wants_value);
        self.place(end);
    }

    pub(super) fn try_statement(
        &mut self,
        body: &[Expression],
        catches: &[(Name, Vec<Expression>)],
        finally: Option<&[Expression]>,
        wants_value: bool,
    ) {
        if self.frame.asm.depth > 0 {
            // An exception empties the stack. If the stack contains values, only the body and the `finally` block are written,
            // without handlers.
            self.block(body, wants_value);
            self.statements(finally.unwrap_or_default());
            return;
        }
        let result = wants_value.then(|| self.frame.register());
        let (from, to, end) = (self.label(), self.label(), self.label());
        self.place(from);
        self.block(body, wants_value);
        self.keep(result);
        self.place(to);
        self.jump(end);
        for (name, body) in catches {
            self.handler(from, to);
            self.in_block(|emitter| {
                emitter.bound(name, emitter.frame.asm.line);
                emitter.block(body, wants_value);
            });
            self.keep(result);
            self.jump(end);
        }
        if let Some(finally) = finally {
            self.handler(from, to);
            let exception = self.frame.register();
            self.set_local(exception);
            self.block(finally, false);
            self.get_local(exception);
            self.op(Op::Throw, 1, 0);
        }
        self.place(end);
        self.block(finally.unwrap_or_default(), false);
        if let Some(result) = result {
            self.get_local(result);
        }
    }

    fn keep(&mut self, result: Option<u32>) {
        if let Some(result) = result {
            self.set_local(result);
        }
    }

    fn handler(&mut self, from: Label, to: Label) {
        let target = self.label();
        self.frame.asm.handler(from, to, target);
        self.place(target);
        // An exception empties the scope stack, so the handler pushes the scopes again. The exception itself is on the operand
        // stack.
        for at in 0..self.frame.scopes {
            let is_activation = self.frame.activation.map(u32::from) == Some(at);
            let register = if is_activation { self.frame.activation_register } else { 0 };
            self.get_local(register);
            self.op(Op::PushScope, 1, 0);
        }
    }
}
