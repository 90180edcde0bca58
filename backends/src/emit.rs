//! Replaces the labels of a lowered module with names, and finds the variables that a stage uses.

use naga::{GlobalVariable, Handle, ShaderStage};

use crate::lower::Lowered;
use crate::mend::names::Given;

/// Reports whether the code of a stage uses a variable, directly or through calls.
pub(crate) fn is_read(lowered: &Lowered, variable: Handle<GlobalVariable>, stage: ShaderStage) -> bool {
    let mut entries = lowered.module.entry_points.iter().enumerate().filter(|(_, entry)| entry.stage == stage);
    entries.any(|(index, _)| !lowered.info.get_entry_point(index)[variable].is_empty())
}

/// Replaces the module's labels with names, and returns the module with the results of naga's validator.
pub(crate) fn module(mut lowered: Lowered) -> (naga::Module, naga::valid::ModuleInfo) {
    name(&mut lowered);
    (lowered.module, lowered.info)
}

/// Replaces the module's labels with names. An entry point keeps its exact name, because applications look it up.
pub(crate) fn name(lowered: &mut Lowered) -> Given {
    let given = lowered.names.plain();
    let change = |name: &mut Option<String>| {
        if let Some(label) = name {
            given.rename(label);
        }
    };
    let module = &mut lowered.module;
    for (entry, name) in module.entry_points.iter_mut().zip(&lowered.entry_names) {
        entry.name.clear();
        entry.name.push_str(name.name(&given));
    }
    if !lowered.names.are_labels() {
        return given;
    }
    module.global_variables.iter_mut().for_each(|(_, variable)| change(&mut variable.name));
    let handles: Vec<_> = module.types.iter().map(|(handle, _)| handle).collect();
    for handle in handles {
        let mut ty = module.types[handle].clone();
        change(&mut ty.name);
        if let naga::TypeInner::Struct { members, .. } = &mut ty.inner {
            members.iter_mut().for_each(|member| change(&mut member.name));
        }
        // naga's type arena panics if a replacement equals a type already in the arena.
        if ty != module.types[handle] {
            module.types.replace(handle, ty);
        }
    }
    let functions = module.functions.iter_mut().map(|(_, function)| function);
    for function in functions.chain(module.entry_points.iter_mut().map(|entry| &mut entry.function)) {
        change(&mut function.name);
        function.arguments.iter_mut().for_each(|argument| change(&mut argument.name));
        function.local_variables.iter_mut().for_each(|(_, variable)| change(&mut variable.name));
    }
    given
}
