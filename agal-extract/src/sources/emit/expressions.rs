//! Emits expressions. The code of an expression leaves one value on the stack, or none if only its side effects are needed.

use swf::avm2::types::Op;

use crate::sources::emit::Emitter;
use crate::sources::emit::assembler::{Label, count};
use crate::sources::emit::frame::FrameKind;
use crate::sources::emit::functions::OUTER_THIS;
use crate::sources::syntax::{Binary, Expression, ExpressionKind as Is, Type, Unary};

impl Emitter<'_> {
    pub(super) fn value(&mut self, expression: &Expression) {
        self.write(expression, true);
    }

    pub(super) fn effect(&mut self, expression: &Expression) {
        self.write(expression, false);
    }

    /// Writes an expression or a statement. The value stays on the stack if `wants_value` is set.
    pub(super) fn write(&mut self, expression: &Expression, wants_value: bool) {
        let line = self.at_line(expression.line);
        match &expression.kind {
            Is::Chain { base, links } => self.chain(base, links, wants_value),
            Is::Assign { operator, target, value } => self.assign(operator.as_ref(), target, value, wants_value),
            Is::Update { target, is_prefix, is_increment } => {
                self.update(target, *is_prefix, *is_increment, wants_value);
            }
            Is::Sequence(all) => self.sequence(all, wants_value),
            Is::Block(body) => self.block(body, wants_value),
            Is::If { arms, otherwise } => self.branches(arms, otherwise.as_deref(), wants_value),
            Is::Switch { value, cases } => self.switch(value, cases, wants_value),
            Is::Try { body, catches, finally } => self.try_statement(body, catches, finally.as_deref(), wants_value),
            Is::Function(function) if self.is_haxe && function.name.is_some() && !wants_value => {
                self.local_function(function);
            }
            kind => match (self.write_plain(kind), wants_value) {
                (true, false) => self.op(Op::Pop, 1, 0),
                (false, true) => self.op(Op::PushUndefined, 0, 1),
                _ => {}
            },
        }
        self.at_line(line);
    }

    /// Writes an expression, which always has a value, or a statement, which never has one. Returns true for an expression.
    fn write_plain(&mut self, kind: &Is) -> bool {
        match kind {
            Is::Constant(op) => self.op(op.clone(), 0, 1),
            Is::This | Is::Super => self.this(),
            Is::Number(value) => self.push_number(*value),
            Is::Text(text) => self.push_string(text),
            Is::Name(name) => self.name(name),
            Is::New { class, arguments } => self.construct(class, arguments),
            Is::Array(items) => {
                items.iter().for_each(|item| self.value(item));
                let num_args = count(items);
                self.op(Op::NewArray { num_args }, num_args, 1);
            }
            Is::Object(fields) => {
                for (name, value) in fields {
                    self.push_string(name);
                    self.value(value);
                }
                let num_args = count(fields);
                self.op(Op::NewObject { num_args }, num_args.saturating_mul(2), 1);
            }
            Is::Function(function) => self.closure(function),
            Is::Unary { operator, operand } => self.unary(operator, operand),
            Is::Binary { first, rest } => {
                self.value(first);
                for (operator, operand) in rest {
                    self.combine(operator, operand);
                }
            }
            Is::Cast { value, of } => {
                self.value(value);
                let coercion = self.coercion(of.as_ref());
                self.coerce(coercion.as_ref());
            }
            statement => {
                self.statement(statement);
                return false;
            }
        }
        true
    }

    fn statement(&mut self, kind: &Is) {
        match kind {
            Is::Variables(all) => all.iter().for_each(|one| self.variable(one)),
            Is::For(of) => self.for_loop(of),
            Is::ForIn { key, value, object, body } => self.for_in([key.as_deref(), value.as_deref()], object, body),
            Is::Return(value) => {
                let op = if value.is_some() { Op::ReturnValue } else { Op::ReturnVoid };
                self.end_path(value.as_deref(), op);
            }
            Is::Throw(value) => self.end_path(Some(value), Op::Throw),
            Is::Leave { label, is_continue } => self.leave(label.as_ref(), *is_continue),
            Is::Labelled { label, body } => {
                self.frame.labels.push(label.clone());
                self.labelled(body);
                self.frame.labels.clear();
            }
            Is::With { object, body } => {
                self.value(object);
                self.push_scope(Op::PushWith);
                self.effect(body);
                self.pop_scope();
            }
            _ => {}
        }
    }

    /// Writes a `return` or `throw` instruction, preceded by the code of its operand.
    fn end_path(&mut self, value: Option<&Expression>, op: Op) {
        let depth = self.frame.asm.depth;
        if let Some(value) = value {
            self.value(value);
        }
        self.op(op, u32::from(value.is_some()), 0);
        self.frame.asm.depth = depth;
    }

    /// Writes a lookup of the name `what`, which has no definition, so its value is unknown.
    pub(super) fn unknown(&mut self, what: &str) {
        let name = self.public(what);
        self.get_lex(name);
    }

    pub(super) fn this(&mut self) {
        let is_captured = self.is_haxe
            && self.frame.kind == FrameKind::Closure
            && self.outer.iter().any(|frame| frame.find(OUTER_THIS).is_some());
        if is_captured {
            self.name(&OUTER_THIS.into());
        } else {
            self.get_local(0);
        }
    }

    /// Writes code that applies type parameters to the class on the stack.
    pub(super) fn apply(&mut self, parameters: &[Option<Type>]) {
        for parameter in parameters {
            let base = parameter.as_ref().map(|of| Type::named(&of.path));
            match self.type_multi(base.as_ref()) {
                Some(multi) => self.get_lex(multi),
                None => self.op(Op::PushNull, 0, 1),
            }
            if let Some(of) = parameter.as_ref().filter(|of| !of.parameters.is_empty()) {
                self.apply(&of.parameters);
            }
        }
        let num_types = count(parameters);
        self.op(Op::ApplyType { num_types }, num_types + 1, 1);
    }

    fn unary(&mut self, operator: &Unary, operand: &Expression) {
        if *operator == Unary::Delete {
            return self.delete(operand);
        }
        self.value(operand);
        match operator {
            Unary::Op(op) => self.op(op.clone(), 1, 1),
            Unary::Void | Unary::Delete => {
                self.op(Op::Pop, 1, 0);
                self.op(Op::PushUndefined, 0, 1);
            }
        }
    }

    /// Writes code that applies a binary operator to the value on the stack and to `operand`.
    pub(super) fn combine(&mut self, operator: &Binary, operand: &Expression) {
        let (Binary::Op(op) | Binary::Not(op)) = operator else { return self.choose(operator, operand) };
        self.value(operand);
        self.op(op.clone(), 2, 1);
        if matches!(operator, Binary::Not(_)) {
            self.op(Op::Not, 1, 1);
        }
    }

    /// Writes a short-circuit operator (`&&`, `||` or `??`), whose left operand is on the stack.
    fn choose(&mut self, operator: &Binary, other: &Expression) {
        let end = self.label();
        self.op(Op::Dup, 1, 2);
        if *operator == Binary::OrIfNull {
            self.op(Op::PushNull, 0, 1);
            self.frame.asm.branch(|offset| Op::IfNe { offset }, 2, end);
        } else {
            self.jump_if(*operator == Binary::Or, end);
        }
        self.op(Op::Pop, 1, 0);
        self.value(other);
        self.place(end);
    }

    /// Writes a jump to `label` that is taken if the condition evaluates to `sense`.
    pub(super) fn condition(&mut self, condition: &Expression, sense: bool, label: Label) {
        let line = self.at_line(condition.line);
        match &condition.kind {
            Is::Constant(Op::PushTrue) if sense => self.jump(label),
            Is::Constant(Op::PushFalse) if !sense => self.jump(label),
            Is::Constant(Op::PushTrue | Op::PushFalse) => {}
            _ => {
                self.value(condition);
                self.jump_if(sense, label);
            }
        }
        self.at_line(line);
    }
}
