//! Emits functions: parameters, variables, and the activation object that a function shares with its nested functions.

use swf::avm2::types::{DefaultValue, Index, Method, MethodBody, MethodFlags, MethodParam, Op, TraitKind};

use crate::sources::emit::assembler::count;
use crate::sources::emit::classes::plain;
use crate::sources::emit::frame::{Frame, FrameKind, Local, Storage};
use crate::sources::emit::{Emitter, integer};
use crate::sources::syntax::{Expression, ExpressionKind, Function, Link, LinkKind, Name, Type, Variable};

/// The maximum number of parameters of a function. ABC stores the parameter count in one byte.
const MOST_PARAMETERS: usize = 250;

/// The variable from which nested functions read the `this` of a Haxe method.
pub(super) const OUTER_THIS: &str = "_this";

impl<'a> Emitter<'a> {
    /// Adds a method without a body, and returns its index.
    pub(super) fn signature(&mut self, function: &Function) -> Index<Method> {
        let (params, flags) = self.parameters(function);
        let return_type = self.type_index(function.result.as_ref());
        let index = count(&self.abc.methods);
        self.abc.methods.push(Method { name: Index::new(0), params, return_type, flags, body: None });
        Index::new(index)
    }

    /// Writes the definition of a function. The callback `first` writes the code between the function's prologue and its body.
    pub(super) fn function(
        &mut self,
        function: &Function,
        kind: FrameKind,
        first: impl FnOnce(&mut Self),
    ) -> Index<Method> {
        let index = self.signature(function);
        let contents = &function.contents;
        let outer = std::mem::replace(&mut self.frame, Frame::new(kind));
        self.outer.push(outer);
        self.at_line(function.line);
        if kind != FrameKind::Closure {
            self.get_local(0);
            self.push_scope(Op::PushScope);
        }
        if contents.has_functions {
            // The activation object's register follows the parameter registers.
            let register = count(&function.parameters).saturating_add(2);
            self.frame.activation_register = register;
            self.frame.activation = u8::try_from(self.frame.scopes).ok();
            self.op(Op::NewActivation, 0, 1);
            self.op(Op::Dup, 1, 2);
            self.set_local(register);
            self.push_scope(Op::PushScope);
        }
        self.declare_parameters(function);
        if contents.has_functions && self.is_haxe && kind == FrameKind::Instance {
            let outer = self.declare(&OUTER_THIS.into(), None);
            self.store_from(&outer, |emitter| emitter.get_local(0));
        }
        first(self);
        self.hoist(&contents.variables);
        self.statements(function.body.as_deref().unwrap_or_default());
        self.op(Op::ReturnVoid, 0, 0);
        self.end(index);
        index
    }

    fn end(&mut self, method: Index<Method>) {
        let outer = self.outer.pop().unwrap_or_default();
        let mut frame = std::mem::replace(&mut self.frame, outer);
        if !frame.asm.finish() {
            self.too_long.push(frame.asm.line);
            return;
        }
        let at = count(&self.abc.method_bodies);
        self.lines.extend(frame.asm.lines.into_iter().map(|(at, line)| ((method.0, at), line)));
        self.abc.method_bodies.push(MethodBody {
            method,
            max_stack: 0,
            num_locals: frame.registers,
            init_scope_depth: 0,
            max_scope_depth: 0,
            code: frame.asm.code,
            exceptions: frame.asm.exceptions,
            traits: frame.slots,
        });
        if let Some(method) = self.abc.methods.get_mut(method.0 as usize) {
            method.body = Some(Index::new(at));
        }
    }

    pub(super) fn push_scope(&mut self, op: Op) {
        self.op(op, 1, 0);
        self.frame.scopes = self.frame.scopes.saturating_add(1);
    }

    pub(super) fn pop_scope(&mut self) {
        self.op(Op::PopScope, 0, 0);
        self.frame.scopes = self.frame.scopes.saturating_sub(1);
    }

    fn parameters(&mut self, function: &Function) -> (Vec<MethodParam>, MethodFlags) {
        let mut flags = MethodFlags::empty();
        let mut params = Vec::new();
        // ABC does not list a rest parameter in the method's signature.
        let listed = function.parameters.len().saturating_sub(usize::from(function.has_rest));
        for parameter in function.parameters.iter().take(listed.min(MOST_PARAMETERS)) {
            flags |= MethodFlags::HAS_PARAM_NAMES;
            let mut default_value = self.constant(parameter);
            if parameter.value.is_some() || flags.contains(MethodFlags::HAS_OPTIONAL) {
                flags |= MethodFlags::HAS_OPTIONAL;
                default_value.get_or_insert(DefaultValue::Undefined);
            }
            let kind = self.type_index(parameter.of.as_ref());
            params.push(MethodParam { name: Some(self.pool.string(&parameter.name)), kind, default_value });
        }
        flags.set(MethodFlags::NEED_REST, function.has_rest);
        flags.set(MethodFlags::NEED_ARGUMENTS, has_arguments(function));
        (params, flags)
    }

    /// Returns the initial value of a parameter or slot, if the value is a constant or names a class constant.
    pub(super) fn constant(&mut self, variable: &Variable) -> Option<DefaultValue> {
        let value = variable.value.as_ref()?;
        Some(match &self.named_constant(value).unwrap_or(value).kind {
            ExpressionKind::Text(text) => DefaultValue::String(self.pool.string(text)),
            ExpressionKind::Constant(Op::PushTrue) => DefaultValue::True,
            ExpressionKind::Constant(Op::PushFalse) => DefaultValue::False,
            ExpressionKind::Constant(Op::PushNull) => DefaultValue::Null,
            ExpressionKind::Constant(Op::PushUndefined) => DefaultValue::Undefined,
            ExpressionKind::Number(number) => {
                let is_number = variable.of.as_ref().is_some_and(|of| &*of.path == "Number");
                match integer(*number).filter(|_| !is_number) {
                    Some(integer) => DefaultValue::Int(self.pool.int(integer)),
                    None => DefaultValue::Double(self.pool.double(*number)),
                }
            }
            _ => return None,
        })
    }

    /// Returns the value of the class constant that an expression such as `Sizes.SMALL` names.
    fn named_constant(&self, value: &Expression) -> Option<&'a Expression> {
        let world = self.world;
        match &value.kind {
            ExpressionKind::Name(name) => world.constant(&self.home.full()?, name),
            ExpressionKind::Chain { base, links } => {
                let ExpressionKind::Name(class) = &base.kind else { return None };
                let [Link { kind: LinkKind::Member(member), .. }] = links.as_slice() else { return None };
                world.constant(&self.find(class)?, member)
            }
            _ => None,
        }
    }

    fn declare_parameters(&mut self, function: &Function) {
        let registers: Vec<u32> =
            function.parameters.iter().take(MOST_PARAMETERS).map(|_| self.frame.register()).collect();
        let arguments = has_arguments(function).then(|| self.frame.register());
        self.frame.registers = self.frame.registers.max(self.frame.activation_register.saturating_add(1));
        for (parameter, register) in function.parameters.iter().zip(registers) {
            let local = self.declare_at(&parameter.name, parameter.of.as_ref(), register);
            if let (Some(default), None) = (&parameter.value, self.constant(parameter)) {
                // A default value that is not constant is computed when the argument is missing.
                let is_present = self.label();
                self.get_local(register);
                self.op(Op::PushUndefined, 0, 1);
                self.frame.asm.branch(|offset| Op::IfStrictNe { offset }, 2, is_present);
                self.store_from(&local, |emitter| emitter.value(default));
                self.place(is_present);
            }
        }
        if let Some(register) = arguments {
            self.declare_at(&"arguments".into(), None, register);
        }
    }

    fn declare_at(&mut self, name: &Name, of: Option<&Type>, register: u32) -> Local {
        if self.frame.activation.is_some() {
            let local = self.declare(name, of);
            self.store_from(&local, |emitter| emitter.get_local(register));
            return local;
        }
        let coercion = self.coercion(of);
        self.frame.declare(name, Local { storage: Storage::Register(register), coercion, name: name.clone() })
    }

    pub(super) fn declare(&mut self, name: &Name, of: Option<&Type>) -> Local {
        let coercion = self.coercion(of);
        let local = if self.frame.activation.is_some() {
            let unique = self.frame.unique(name);
            let slot = count(&self.frame.slots).saturating_add(1);
            let multi = self.public(&unique);
            let kind = TraitKind::Slot { slot_id: slot, type_name: self.type_index(of), value: None };
            self.frame.slots.push(plain(multi.index, kind));
            Local { storage: Storage::Slot(slot), coercion, name: unique }
        } else {
            let register = self.frame.register();
            Local { storage: Storage::Register(register), coercion, name: name.clone() }
        };
        self.frame.declare(name, local)
    }

    /// Declares the function-scoped variables of an ActionScript function, and writes the code that creates its nested functions.
    pub(super) fn hoist(&mut self, variables: &[Variable]) {
        for variable in variables {
            if self.frame.find(&variable.name).is_none() {
                let local = self.declare(&variable.name, variable.of.as_ref());
                self.start_with_default(&local);
            }
        }
        for variable in variables {
            if let (Some(function), Some(local)) = (&variable.value, self.frame.find(&variable.name).cloned()) {
                self.store_from(&local, |emitter| emitter.value(function));
            }
        }
    }

    fn start_with_default(&mut self, local: &Local) {
        let op = match local.coercion {
            None => return,
            Some(Op::ConvertI | Op::ConvertU) => Op::PushByte { value: 0 },
            Some(Op::ConvertD) => Op::PushNaN,
            Some(Op::ConvertB) => Op::PushFalse,
            Some(_) => Op::PushNull,
        };
        let plain = Local { coercion: None, ..local.clone() };
        self.store_from(&plain, |emitter| emitter.op(op, 0, 1));
    }

    pub(super) fn local_function(&mut self, function: &Function) {
        let Some(name) = &function.name else { return };
        let local = self.declare(name, None);
        self.store_from(&local, |emitter| emitter.closure(function));
    }

    pub(super) fn closure(&mut self, function: &Function) {
        let line = self.frame.asm.line;
        let index = self.function(function, FrameKind::Closure, |_| {});
        self.at_line(line);
        self.op(Op::NewFunction { index }, 0, 1);
    }

    pub(super) fn load(&mut self, local: &Local) {
        match local.storage {
            Storage::Register(register) => self.get_local(register),
            Storage::Slot(index) => {
                self.get_activation();
                self.op(Op::GetSlot { index }, 1, 1);
            }
        }
    }

    fn get_activation(&mut self) {
        let index = self.frame.activation.unwrap_or_default();
        self.op(Op::GetScopeObject { index }, 0, 1);
    }

    pub(super) fn store_from(&mut self, local: &Local, value: impl FnOnce(&mut Self)) {
        if let Storage::Slot(_) = local.storage {
            self.get_activation();
        }
        value(self);
        self.coerce(local.coercion.as_ref());
        match local.storage {
            Storage::Register(register) => self.set_local(register),
            Storage::Slot(index) => self.op(Op::SetSlot { index }, 2, 0),
        }
    }

    pub(super) fn coerce(&mut self, coercion: Option<&Op>) {
        if let Some(op) = coercion {
            self.op(op.clone(), 1, 1);
        }
    }
}

fn has_arguments(function: &Function) -> bool {
    function.contents.uses_arguments && !function.has_rest
}
