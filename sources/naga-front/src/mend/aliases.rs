//! GLSL calls that pass one variable twice as `inout` or `out`.
//!
//! Upstream fault `aliased_arguments`: `Frontend::function_call` in `front/glsl/functions.rs` passes pointers to the variable,
//! although GLSL copies the variable in and out for each parameter. naga's validator does not refuse such pointers
//! (gfx-rs/wgpu#7650).

use std::ops::Range;

use naga::{Block, Expression, Function, GlobalVariable, Handle, Literal, LocalVariable, Module, Statement};

/// Returns the source range of the first call that passes two pointers into the same part of a variable.
pub(crate) fn passed_twice(module: &Module) -> Option<Range<usize>> {
    let functions = module.functions.iter().map(|(_, function)| function);
    let mut all = functions.chain(module.entry_points.iter().map(|entry| &entry.function));
    all.find_map(|function| in_block(module, function, &function.body))
}

fn in_block(module: &Module, function: &Function, block: &Block) -> Option<Range<usize>> {
    block.span_iter().find_map(|(statement, span)| match statement {
        Statement::Call { function: callee, arguments, .. } => {
            let parameters = &module.functions[*callee].arguments;
            let is_pointer = |ty: Handle<naga::Type>| matches!(module.types[ty].inner, naga::TypeInner::Pointer { .. });
            let pointers = arguments.iter().zip(parameters).filter(|(_, parameter)| is_pointer(parameter.ty));
            let places: Vec<Place> = pointers.map(|(&pointer, _)| Place::of(function, pointer)).collect();
            let is_twice = |(number, place): (usize, &Place)| places.iter().take(number).any(|of| of.overlaps(place));
            places.iter().enumerate().any(is_twice).then(|| span.to_range()).flatten()
        }
        Statement::Block(block) => in_block(module, function, block),
        Statement::If { accept, reject, .. } => {
            in_block(module, function, accept).or_else(|| in_block(module, function, reject))
        }
        Statement::Loop { body, continuing, .. } => {
            in_block(module, function, body).or_else(|| in_block(module, function, continuing))
        }
        Statement::Switch { cases, .. } => cases.iter().find_map(|case| in_block(module, function, &case.body)),
        _ => None,
    })
}

/// The place that a pointer points to: a variable or a parameter, and the indices of the fields and elements that lead to a part.
/// The index of an element is `None` if the shader computes the index.
struct Place {
    root: Root,
    steps: Vec<Option<u32>>,
}

#[derive(PartialEq)]
enum Root {
    Local(Handle<LocalVariable>),
    Global(Handle<GlobalVariable>),
    Parameter(u32),
    Other(Handle<Expression>),
}

impl Place {
    fn of(function: &Function, pointer: Handle<Expression>) -> Place {
        let (mut at, mut steps) = (pointer, Vec::new());
        let root = loop {
            let (base, step) = match function.expressions[at] {
                Expression::AccessIndex { base, index } => (base, Some(index)),
                Expression::Access { base, index } => match function.expressions[index] {
                    Expression::Literal(Literal::I32(number)) => (base, u32::try_from(number).ok()),
                    Expression::Literal(Literal::U32(number)) => (base, Some(number)),
                    _ => (base, None),
                },
                Expression::LocalVariable(variable) => break Root::Local(variable),
                Expression::GlobalVariable(variable) => break Root::Global(variable),
                Expression::FunctionArgument(number) => break Root::Parameter(number),
                _ => break Root::Other(at),
            };
            at = base;
            steps.push(step);
        };
        steps.reverse();
        Place { root, steps }
    }

    fn overlaps(&self, other: &Place) -> bool {
        let is_apart = |(a, b): (&Option<u32>, &Option<u32>)| a.is_some() && b.is_some() && a != b;
        self.root == other.root && !self.steps.iter().zip(&other.steps).any(is_apart)
    }
}
