//! Statements. Those of Haxe may have a value, which they leave on the stack if it is wanted.

use std::collections::HashMap;

use swf::avm2::types::{Index, Op};

use crate::sources::emit::Emitter;
use crate::sources::emit::assembler::Label;
use crate::sources::syntax::{Catch, Expression, ExpressionKind, Statement, StatementKind as Is, Type, Variable};

impl Emitter<'_> {
    pub(super) fn statements(&mut self, statements: &[Statement]) {
        statements.iter().for_each(|statement| self.statement(statement));
    }

    /// A statement whose value is not wanted.
    pub(super) fn statement(&mut self, statement: &Statement) {
        self.at_line(statement.line);
        match &statement.kind {
            Is::Empty => {}
            Is::Expression(value) => self.effect(value),
            Is::Variables(all) => all.iter().for_each(|one| self.variable(one)),
            Is::Block(body) => self.in_block(|emitter| emitter.statements(body)),
            Is::If { arms, otherwise } => self.branches(arms, otherwise.as_deref(), false),
            Is::While { condition, body } => self.for_loop(None, Some(condition), None, body),
            Is::DoWhile { body, condition } => self.do_loop(body, condition),
            Is::For { first, condition, update, body } => {
                self.for_loop(first.as_deref(), condition.as_ref(), update.as_ref(), body);
            }
            Is::ForIn(found) => self.for_in(found),
            Is::Range { name, from, to, body } => self.range(name, from, to, body),
            Is::Switch { value, cases } => self.switch(value, cases, false),
            Is::Return(value) => self.return_value(value.as_ref()),
            Is::Throw(value) => {
                let depth = self.frame.asm.depth();
                self.value(value);
                self.op(Op::Throw, 1, 0);
                self.frame.asm.set_depth(depth);
            }
            Is::Break(label) => self.leave(label.as_ref(), false),
            Is::Continue(label) => self.leave(label.as_ref(), true),
            Is::Labelled { label, body } => {
                self.frame.labels.push(label.clone());
                self.labelled(body);
                self.frame.labels.clear();
            }
            Is::Try { body, catches, finally } => self.try_statement(body, catches, finally.as_deref(), false),
            Is::With { object, body } => {
                self.value(object);
                self.push_scope(Op::PushWith);
                self.statement(body);
                self.pop_scope();
            }
            Is::Function(function) => {
                if self.is_haxe {
                    self.local_function(function);
                }
            }
        }
    }

    /// A statement whose value is wanted.
    pub(super) fn statement_value(&mut self, statement: &Statement) {
        let line = self.at_line(statement.line);
        match &statement.kind {
            Is::Expression(value) => self.value(value),
            Is::Block(body) => self.in_block(|emitter| emitter.block_value(body)),
            Is::If { arms, otherwise } => self.branches(arms, otherwise.as_deref(), true),
            Is::Switch { value, cases } => self.switch(value, cases, true),
            Is::Try { body, catches, finally } => self.try_statement(body, catches, finally.as_deref(), true),
            Is::Function(function) => {
                self.local_function(function);
                if let Some(local) = function.name.as_ref().and_then(|name| self.frame.find(name)).cloned() {
                    self.load(&local);
                } else {
                    self.closure(function);
                }
            }
            _ => {
                self.statement(statement);
                self.op(Op::PushUndefined, 0, 1);
            }
        }
        self.at_line(line);
    }

    /// The value of the last of some statements.
    pub(super) fn block_value(&mut self, body: &[Statement]) {
        match body.split_last() {
            Some((last, before)) => {
                self.statements(before);
                self.statement_value(last);
            }
            None => self.op(Op::PushUndefined, 0, 1),
        }
    }

    fn either(&mut self, statement: &Statement, wants_value: bool) {
        if wants_value {
            self.statement_value(statement);
        } else {
            self.statement(statement);
        }
    }

    /// Variables of Haxe belong to their block.
    pub(super) fn in_block(&mut self, write: impl FnOnce(&mut Self)) {
        self.frame.blocks.push(HashMap::new());
        write(self);
        self.frame.blocks.pop();
    }

    /// The declaration of a variable. Those of ActionScript were declared before, but for those of scripts.
    fn variable(&mut self, variable: &Variable) {
        self.at_line(variable.line);
        if self.is_haxe {
            let value = variable.value.as_ref();
            if let Some(value) = value {
                self.value(value);
            }
            self.declare_and_store(variable, value.is_some());
            return;
        }
        let Some(value) = &variable.value else { return };
        match self.frame.find(&variable.name).cloned() {
            Some(local) => self.store_from(&local, |emitter| emitter.value(value)),
            None => {
                let target = Expression { line: variable.line, kind: ExpressionKind::Name(variable.name.clone()) };
                self.assign(None, &target, value, false);
            }
        }
    }

    /// Declares a variable, and gives it the value on the stack if there is one.
    pub(super) fn declare_and_store(&mut self, variable: &Variable, has_value: bool) {
        let value = self.frame.temporary();
        if has_value {
            self.set_local(value);
        }
        let local = self.declare(&variable.name, variable.of.as_ref());
        if has_value {
            self.store_from(&local, |emitter| emitter.get_local(value));
        }
        self.frame.release(value);
    }

    fn branches(&mut self, arms: &[(Expression, Statement)], otherwise: Option<&Statement>, wants_value: bool) {
        let end = self.label();
        for (at, (condition, body)) in arms.iter().enumerate() {
            let next = self.label();
            self.at_line(condition.line);
            self.condition(condition, false, next);
            self.either(body, wants_value);
            let is_last = at + 1 == arms.len() && otherwise.is_none() && !wants_value;
            if !is_last {
                self.jump(end);
            }
            self.place(next);
        }
        match otherwise {
            Some(body) => self.either(body, wants_value),
            None if wants_value => self.op(Op::PushUndefined, 0, 1),
            None => {}
        }
        self.place(end);
    }

    fn return_value(&mut self, value: Option<&Expression>) {
        let depth = self.frame.asm.depth();
        match value {
            Some(value) => {
                self.value(value);
                self.op(Op::ReturnValue, 1, 0);
            }
            None => self.op(Op::ReturnVoid, 0, 0),
        }
        self.frame.asm.set_depth(depth);
    }

    fn try_statement(
        &mut self,
        body: &[Statement],
        catches: &[Catch],
        finally: Option<&[Statement]>,
        wants_value: bool,
    ) {
        if self.frame.asm.depth() > 0 {
            // An exception empties the stack, so what is caught here could not go on: the code goes on without it.
            self.guarded(body, wants_value);
            self.statements(finally.unwrap_or_default());
            return;
        }
        let result = wants_value.then(|| self.frame.register());
        let (from, to, end) = (self.label(), self.label(), self.label());
        self.place(from);
        self.guarded(body, wants_value);
        self.keep(result);
        self.place(to);
        self.jump(end);
        for found in catches {
            let target = self.handler(from, to, found.of.as_ref());
            self.place(target);
            self.restore_scopes();
            self.in_block(|emitter| {
                emitter.bound(&found.name, emitter.frame.asm.line);
                emitter.guarded(&found.body, wants_value);
            });
            self.keep(result);
            self.jump(end);
        }
        if let Some(finally) = finally {
            let target = self.handler(from, to, None);
            self.place(target);
            self.restore_scopes();
            let exception = self.frame.register();
            self.set_local(exception);
            self.in_block(|emitter| emitter.statements(finally));
            self.get_local(exception);
            self.op(Op::Throw, 1, 0);
        }
        self.place(end);
        self.in_block(|emitter| emitter.statements(finally.unwrap_or_default()));
        if let Some(result) = result {
            self.get_local(result);
        }
    }

    fn guarded(&mut self, body: &[Statement], wants_value: bool) {
        self.in_block(|emitter| if wants_value { emitter.block_value(body) } else { emitter.statements(body) });
    }

    fn keep(&mut self, result: Option<u32>) {
        if let Some(result) = result {
            self.set_local(result);
        }
    }

    fn handler(&mut self, from: Label, to: Label, of: Option<&Type>) -> Label {
        let target = self.label();
        let type_name = if self.is_haxe { Index::new(0) } else { self.type_index(of) };
        self.frame.asm.handler(from, to, target, type_name);
        target
    }

    /// Makes the scope stack again, which an exception has emptied. The exception stays on the stack.
    fn restore_scopes(&mut self) {
        let scopes = self.frame.scopes;
        for at in 0..scopes {
            let is_activation = self.frame.activation.map(u32::from) == Some(at);
            let register = if is_activation { self.frame.activation_register } else { 0 };
            self.get_local(register);
            self.op(Op::PushScope, 1, 0);
        }
    }
}
