//! Lifts calls to generic functions, and inlines the functions that cannot be generic.

use naga::{AddressSpace, Expression, Function, Handle, TypeInner};
use sdlbc::lifting::Value;
use sdlbc::{Few, Id};

use super::flow::Tail;
use super::types::is_pointer;
use super::{Argument, Lifter};
use sdlbc::front::RefusalKind;

/// The maximum nesting depth of inlined calls.
const MOST_INLINED: usize = 60;

impl Lifter<'_, '_> {
    /// Lifts a call, and reports whether the callee ever returns.
    pub(super) fn call(
        &mut self,
        callee: Handle<Function>,
        arguments: &[Handle<Expression>],
        result: Option<Handle<Expression>>,
    ) -> bool {
        let value = match self.shared.numbers.get(&callee).copied() {
            Some(number) => {
                let arguments: Few<Id> = arguments.iter().map(|&argument| self.one(argument)).collect();
                Value::One(self.lifting.builder.call(number, &arguments))
            }
            None => match self.inline(callee, arguments) {
                Some(value) => value,
                None => return false,
            },
        };
        if let Some(result) = result {
            self.set_value(result, value);
        }
        true
    }

    /// Lifts a function's statements in place of a call. Returns the result, or `None` if the function never returns.
    fn inline(&mut self, callee: Handle<Function>, arguments: &[Handle<Expression>]) -> Option<Value> {
        let module = self.shared.module;
        let function = &module.functions[callee];
        let span = module.functions.get_span(callee);
        let nothing = Value::Many(Vec::new());
        if self.frames.len() > MOST_INLINED {
            let what = format!("calls of functions that must be inlined are nested more than {MOST_INLINED} deep");
            self.shared.refuse(RefusalKind::Limit { what }, span);
            return Some(nothing);
        }
        if !self.step(span) {
            return Some(nothing);
        }
        let mark = self.lifting.mark();
        let values = arguments.iter().map(|&argument| self.argument(argument)).collect();
        let result = function.result.as_ref().map(|result| self.declare(result.ty, None, false, span));
        let returned = self.lifting.flag();
        self.enter(function, &self.shared.info[callee], values, Some((result, returned)));
        let returns = self.block(&function.body, Tail::Return);
        self.frames.pop();
        let result = match result.filter(|_| returns) {
            Some(number) => self.lifting.load(number, &[]),
            None => nothing,
        };
        // Nothing refers to the variables of the inlined function any longer.
        self.lifting.forget(mark);
        returns.then_some(result)
    }

    /// Returns the value of an inlined function's argument, which may be a pointer, a texture or a sampler.
    fn argument(&mut self, argument: Handle<Expression>) -> Argument {
        match self.naga_type(argument) {
            Some(inner) if is_pointer(inner) => Argument::Place(self.place(argument)),
            Some(TypeInner::Image { .. } | TypeInner::Sampler { .. }) => match self.resource(argument) {
                Some(variable) => Argument::Resource(variable),
                None => Argument::Value(Value::Many(Vec::new())),
            },
            _ => Argument::Value(self.value(argument)),
        }
    }

    /// Returns the texture or sampler to which an expression refers.
    pub(super) fn resource(&mut self, handle: Handle<Expression>) -> Option<Handle<naga::GlobalVariable>> {
        match self.expression(handle) {
            Some(&Expression::GlobalVariable(variable))
                if self.shared.module.global_variables[variable].space == AddressSpace::Handle =>
            {
                Some(variable)
            }
            Some(&Expression::FunctionArgument(number)) => {
                match self.frame().and_then(|frame| frame.arguments.get(number as usize)) {
                    Some(&Argument::Resource(variable)) => Some(variable),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}
