//! Summaries of functions, which are computed before the functions are lifted.

use std::collections::BTreeSet;

use naga::{
    AddressSpace, Block, Expression, Function, GlobalVariable, Handle, LocalVariable, Module, SampleLevel, Statement,
};

use crate::lift::types;

/// The effects of a function and of all functions that it calls.
#[derive(Debug, Default)]
pub(crate) struct Summary {
    /// Whether the function computes derivatives, or samples a texture with an implicit level of detail.
    pub(crate) quad: bool,
    pub(crate) kills: bool,
    /// Whether the function has a barrier, or reads or writes workgroup variables. In SDLSHADERBC, only entry points may contain
    /// such operations.
    pub(crate) has_workgroup: bool,
    pub(crate) private: BTreeSet<Handle<GlobalVariable>>,
    /// Whether the function may be lifted as a generic function of the module instead of being inlined.
    pub(crate) callable: bool,
}

#[derive(Debug)]
pub(crate) struct Summaries {
    functions: Vec<Summary>,
}

impl Summaries {
    /// Summarises the functions of a module.
    pub(crate) fn new(module: &Module) -> Summaries {
        let mut all = Summaries { functions: Vec::with_capacity(module.functions.len()) };
        // Callees precede their callers in naga's module.
        for (_, function) in module.functions.iter() {
            let summary = all.summarise(module, function);
            all.functions.push(summary);
        }
        let mut entries = module.entry_points.iter().map(|entry| all.summarise(module, &entry.function));
        // An invocation continues after a discard.
        if entries.any(|entry| entry.quad) || all.functions.iter().any(|summary| summary.quad) {
            all.functions.iter_mut().for_each(|summary| summary.callable &= !summary.kills);
        }
        all
    }

    pub(crate) fn of(&self, function: Handle<Function>) -> &Summary {
        const NOTHING: &Summary =
            &Summary { quad: false, kills: false, has_workgroup: false, private: BTreeSet::new(), callable: false };
        self.functions.get(function.index()).unwrap_or(NOTHING)
    }

    /// Summarises a function whose callees already have summaries.
    pub(crate) fn summarise(&self, module: &Module, function: &Function) -> Summary {
        let mut summary = Summary::default();
        for (_, expression) in function.expressions.iter() {
            summary.quad |= needs_quad(expression);
            if let Expression::GlobalVariable(variable) = *expression {
                match module.global_variables[variable].space {
                    AddressSpace::Private => drop(summary.private.insert(variable)),
                    AddressSpace::WorkGroup => summary.has_workgroup = true,
                    _ => {}
                }
            }
        }
        self.add(function, &mut summary);
        let is_value = |ty| types::value(&module.types[ty].inner).is_some();
        summary.callable = summary.private.is_empty()
            && !summary.has_workgroup
            && function.arguments.iter().all(|argument| is_value(argument.ty))
            && function.result.as_ref().is_none_or(|result| is_value(result.ty));
        summary
    }

    fn add(&self, function: &Function, summary: &mut Summary) {
        each(&function.body, &mut |statement| match statement {
            Statement::Kill => summary.kills = true,
            Statement::ControlBarrier(_) | Statement::MemoryBarrier(_) => summary.has_workgroup = true,
            Statement::Call { function, .. } => {
                let callee = self.of(*function);
                summary.quad |= callee.quad;
                summary.kills |= callee.kills;
                summary.has_workgroup |= callee.has_workgroup;
                summary.private.extend(&callee.private);
            }
            _ => {}
        });
    }

    /// Reports whether statements compute derivatives, directly or through the functions that they call.
    pub(crate) fn has_quad(&self, function: &Function, statements: &[&[Statement]]) -> bool {
        let mut found = false;
        for statement in statements.iter().copied().flatten() {
            each_of(statement, &mut |statement| match statement {
                Statement::Emit(range) => {
                    found |= range.clone().any(|expression| needs_quad(&function.expressions[expression]));
                }
                Statement::Call { function, .. } => found |= self.of(*function).quad,
                _ => {}
            });
        }
        found
    }
}

/// Returns the local variable that a pointer points into. `None` means that the pointer points into another kind of variable.
pub(crate) fn local_of(function: &Function, mut pointer: Handle<Expression>) -> Option<Handle<LocalVariable>> {
    loop {
        match function.expressions[pointer] {
            Expression::Access { base, .. } | Expression::AccessIndex { base, .. } => pointer = base,
            Expression::LocalVariable(variable) => return Some(variable),
            _ => return None,
        }
    }
}

fn needs_quad(expression: &Expression) -> bool {
    matches!(
        expression,
        Expression::Derivative { .. }
            | Expression::ImageSample { gather: None, level: SampleLevel::Auto | SampleLevel::Bias(_), .. }
    )
}

/// Visits each statement of a block, including nested statements.
pub(crate) fn each<'b>(block: &'b Block, visit: &mut impl FnMut(&'b Statement)) {
    block.iter().for_each(|statement| each_of(statement, visit));
}

pub(crate) fn each_of<'b>(statement: &'b Statement, visit: &mut impl FnMut(&'b Statement)) {
    let mut open = vec![statement];
    while let Some(statement) = open.pop() {
        visit(statement);
        match statement {
            Statement::Block(block) => open.extend(block),
            Statement::If { accept, reject, .. } => open.extend(accept.iter().chain(reject)),
            Statement::Switch { cases, .. } => open.extend(cases.iter().flat_map(|case| &case.body)),
            Statement::Loop { body, continuing, .. } => open.extend(body.iter().chain(continuing)),
            _ => {}
        }
    }
}
