//! Finds the names that an output could not keep.

use std::collections::BTreeSet;

use sdlbc::{Function, FunctionKind, InputKind, Module};

use crate::Renamed;
use crate::interface::{Interface, Resource, ResourceKind, Variable};

/// Returns the inputs, outputs and members of a module that have another name in the output, in the order of their names.
pub(crate) fn renamed(module: &Module, interface: &Interface) -> Vec<Renamed> {
    let mut found = BTreeSet::new();
    let mut compare = |wanted: &str, given: &str| {
        // Built-in variables have no names of ours, and some results none at all.
        if !wanted.is_empty() && !given.is_empty() && wanted != given && !given.starts_with("gl_") {
            found.insert(Renamed { wanted: wanted.to_string(), given: given.to_string() });
        }
    };
    let function_of = |stage: FunctionKind| module.functions.iter().position(|function| function.kind == stage);
    for entry in &interface.entries {
        let Some(function) = function_of(entry.stage).and_then(|index| module.functions.get(index)) else { continue };
        let given = |variables: &[Variable], compare: &mut dyn FnMut(&str, &str), name: &dyn Fn(usize) -> String| {
            variables.iter().for_each(|variable| compare(&name(variable.index), &variable.name));
        };
        let input = |index: usize| function.inputs.get(index).map_or(String::new(), |input| input.name.clone());
        let output = |index: usize| function.outputs.get(index).map_or(String::new(), |output| output.name.clone());
        given(&entry.inputs, &mut compare, &input);
        given(&entry.outputs, &mut compare, &output);
    }
    for resource in &interface.resources {
        let Some(index) = function_of(resource.stage) else { continue };
        let Some(function) = module.functions.get(index) else { continue };
        if let Some(wanted) = name_of(function, resource) {
            compare(wanted, &resource.name);
        }
        let ResourceKind::Constants { members, .. } = &resource.kind else { continue };
        let named = module.debug_of(index).and_then(|debug| debug.members.get(&resource.input));
        for member in named.into_iter().flatten() {
            let offset = 16 * member.first + 4 * member.component;
            if let Some(field) = members.iter().find(|field| field.offset == offset) {
                compare(&member.name, &field.name);
            }
        }
    }
    found.into_iter().collect()
}

/// Returns the name of the input that a resource holds; `None` for the variable of several uniforms, and for a sampler.
fn name_of<'m>(function: &'m Function, resource: &Resource) -> Option<&'m str> {
    let uniforms = function.inputs.iter().filter(|input| input.kind == InputKind::Uniform).count();
    match resource.kind {
        ResourceKind::Sampler { .. } => return None,
        ResourceKind::Constants { ref members, .. } if uniforms > 1 && members.len() > 1 => return None,
        _ => {}
    }
    function.inputs.iter().find(|input| input.id == resource.input).map(|input| input.name.as_str())
}
