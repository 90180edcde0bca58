//! Functions: parameters, variables, and the activation object that functions in a function share with it.

use swf::avm2::types::{DefaultValue, Index, Method, MethodBody, MethodFlags, MethodParam, Op, Trait, TraitKind};

use crate::sources::emit::frame::{Frame, FrameKind, Local, Storage};
use crate::sources::emit::{Emitter, count, integer};
use crate::sources::syntax::{Expression, ExpressionKind, Function, Link, LinkKind, Name, Type, Variable};

/// The most parameters of a function: the format has a byte for them.
const MOST_PARAMETERS: usize = 250;

/// The name under which functions in a method of Haxe find its `this`.
pub(super) const OUTER_THIS: &str = "_this";

impl<'a> Emitter<'a> {
    /// A method without code.
    pub(super) fn signature(&mut self, function: &Function) -> Index<Method> {
        let (params, flags) = self.parameters(function);
        let return_type = self.type_index(function.result.as_ref());
        let index = count(&self.abc.methods);
        self.abc.methods.push(Method { name: Index::new(0), params, return_type, flags, body: None });
        Index::new(index)
    }

    /// A function with its code. `first` writes what comes before the body, once the scopes are made.
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
            // The register of the activation object comes after those of the parameters.
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

    /// Ends the code of a method.
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

    /// Puts the value on the stack on the scope stack.
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
        for parameter in given(function) {
            flags |= MethodFlags::HAS_PARAM_NAMES;
            let mut default_value = self.default_of(parameter);
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

    fn default_of(&mut self, parameter: &Variable) -> Option<DefaultValue> {
        self.constant(parameter.value.as_ref()?, parameter.of.as_ref())
    }

    /// A constant of a parameter or a slot, if the expression is one, or names one of a class.
    pub(super) fn constant(&mut self, value: &Expression, of: Option<&Type>) -> Option<DefaultValue> {
        let named = self.named_constant(value);
        self.literal(named.unwrap_or(value), of)
    }

    fn literal(&mut self, value: &Expression, of: Option<&Type>) -> Option<DefaultValue> {
        Some(match &value.kind {
            ExpressionKind::Text(text) => DefaultValue::String(self.pool.string(text)),
            ExpressionKind::Constant(Op::PushTrue) => DefaultValue::True,
            ExpressionKind::Constant(Op::PushFalse) => DefaultValue::False,
            ExpressionKind::Constant(Op::PushNull) => DefaultValue::Null,
            ExpressionKind::Constant(Op::PushUndefined) => DefaultValue::Undefined,
            ExpressionKind::Number(number) => {
                let is_number = of.is_some_and(|of| &*of.path == "Number");
                match integer(*number).filter(|_| !is_number) {
                    Some(integer) => DefaultValue::Int(self.pool.int(integer)),
                    None => DefaultValue::Double(self.pool.double(*number)),
                }
            }
            _ => return None,
        })
    }

    /// The value of the constant that an expression such as `Sizes.SMALL` names.
    fn named_constant(&self, value: &Expression) -> Option<&'a Expression> {
        let world = self.world;
        match &value.kind {
            ExpressionKind::Name(name) => world.constant(&self.home.full()?, name),
            ExpressionKind::Chain { base, links } => match (&base.kind, links.as_slice()) {
                (ExpressionKind::Name(class), [Link { kind: LinkKind::Member(member), .. }]) => {
                    world.constant(&self.find(class)?, member)
                }
                _ => None,
            },
            _ => None,
        }
    }

    fn declare_parameters(&mut self, function: &Function) {
        let registers: Vec<u32> =
            function.parameters.iter().take(MOST_PARAMETERS).map(|_| self.frame.register()).collect();
        let arguments = has_arguments(function).then(|| self.frame.register());
        self.frame.registers = self.frame.registers.max(self.frame.activation_register.saturating_add(1));
        for (parameter, register) in function.parameters.iter().zip(registers) {
            self.declare_at(&parameter.name, parameter.of.as_ref(), register);
            let is_computed = self.default_of(parameter).is_none();
            if let Some(default) = parameter.value.as_ref().filter(|_| is_computed) {
                // The default is computed: it is there only if the argument is not.
                let given = self.label();
                self.get_local(register);
                self.op(Op::PushUndefined, 0, 1);
                self.frame.asm.branch(|offset| Op::IfStrictNe { offset }, 2, given);
                if let Some(local) = self.frame.find(&parameter.name).cloned() {
                    self.store_from(&local, |emitter| emitter.value(default));
                }
                self.place(given);
            }
        }
        if let Some(register) = arguments {
            self.declare_at(&"arguments".into(), None, register);
        }
    }

    /// A variable whose value is in a register already.
    fn declare_at(&mut self, name: &Name, of: Option<&Type>, register: u32) {
        if self.frame.activation.is_some() {
            let local = self.declare(name, of);
            self.store_from(&local, |emitter| emitter.get_local(register));
            return;
        }
        let coercion = self.coercion(of);
        let local = Local { storage: Storage::Register(register), coercion, name: name.clone() };
        self.frame.declare(name.clone(), local);
    }

    /// A new variable in the innermost block.
    pub(super) fn declare(&mut self, name: &Name, of: Option<&Type>) -> Local {
        let coercion = self.coercion(of);
        let local = if self.frame.activation.is_some() {
            let unique = self.frame.unique(name);
            let slot = count(&self.frame.slots).saturating_add(1);
            let multi = self.public(&unique);
            let kind = TraitKind::Slot { slot_id: slot, type_name: self.type_index(of), value: None };
            let of = Trait { name: multi.index, kind, metadata: Vec::new(), is_final: false, is_override: false };
            self.frame.slots.push(of);
            Local { storage: Storage::Slot(slot), coercion, name: unique }
        } else {
            let register = self.frame.register();
            Local { storage: Storage::Register(register), coercion, name: name.clone() }
        };
        self.frame.declare(name.clone(), local.clone());
        local
    }

    /// Declares the variables of a function of ActionScript, which belong to all of it, and makes the functions in it.
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

    /// A variable with a type has the value that is none of its type at first.
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

    /// A function of Haxe that is a statement.
    pub(super) fn local_function(&mut self, function: &Function) {
        let Some(name) = &function.name else { return };
        let local = self.declare(name, None);
        self.store_from(&local, |emitter| emitter.closure(function));
    }

    /// The value of a function in a function.
    pub(super) fn closure(&mut self, function: &Function) {
        let line = self.frame.asm.line;
        let index = self.function(function, FrameKind::Closure, |_| {});
        self.at_line(line);
        self.op(Op::NewFunction { index }, 0, 1);
    }

    /// Gets a variable's value.
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

    /// Gives a variable a value.
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

/// The parameters that take one argument each.
fn given(function: &Function) -> impl Iterator<Item = &Variable> {
    let count = function.parameters.len() - usize::from(function.has_rest && !function.parameters.is_empty());
    function.parameters.iter().take(count.min(MOST_PARAMETERS))
}

/// Whether a function uses the array of its arguments.
fn has_arguments(function: &Function) -> bool {
    function.contents.uses_arguments && !function.has_rest
}
