//! Finds the names that an output could not keep.

use std::collections::BTreeSet;

use sdlbc::{Function, FunctionKind, InputKind, Member, Module, Type};

use crate::interface::{Interface, Resource, ResourceKind, Variable};
use crate::lower::wanted_entry;
use crate::{Layout, Renamed, Target, members};

/// Returns the entry points, inputs, outputs and members of a module that have another name in the output, in the order of their
/// names. A name that the target prescribes is not reported: GLSL's `main`, and `main0` in MSL.
pub(crate) fn renamed(module: &Module, target: Target, layout: &Layout, interface: &Interface) -> Vec<Renamed> {
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
        compare(wanted_entry(function, target, layout), &entry.name);
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
        let ResourceKind::Constants { members: fields, .. } = &resource.kind else { continue };
        let named = module.debug_of(index).and_then(|debug| debug.members.get(&resource.input));
        let Some(named) = named else { continue };
        let array = function.inputs.iter().find(|input| input.id == resource.input);
        if let Some(array) = array.filter(|array| !members::is_split(module, function, array, named)) {
            // The members of an array that stays whole are reached by their places in it.
            let field = fields.iter().find(|field| field.name == array.name);
            let path = field.map_or(&resource.name, |field| &field.path);
            named.iter().for_each(|member| compare(&member.name, &place(path, member)));
            continue;
        }
        for member in named {
            let offset = 16 * member.first + 4 * member.component;
            if let Some(field) = fields.iter().find(|field| field.offset == offset) {
                compare(&member.name, &field.name);
            }
        }
    }
    found.into_iter().collect()
}

/// Returns how a member of an array that is not split is reached.
fn place(path: &str, member: &Member) -> String {
    let letters: String = match member.ty {
        Type::Vector(_, width) if width < 4 => {
            "xyzw".chars().skip(member.component as usize).take(usize::from(width)).collect()
        }
        _ => String::new(),
    };
    let dot = if letters.is_empty() { "" } else { "." };
    format!("{path}[{}]{dot}{letters}", member.first)
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The names that this module cannot keep in WGSL.
    fn renamed_in(text: &str) -> Vec<String> {
        let module = sdlbc::text::parse(text).expect("it can be read");
        let output = crate::write(&module, Target::Wgsl, None, &Layout::default()).expect("it can be written");
        output.renamed.iter().map(|Renamed { wanted, given }| format!("{wanted} {given}")).collect()
    }

    const ENTRY: &str = "fragment function \"main\" {
  input %1 fc: float4[6] = uniform
  input %2 loop: float4 = varying 0
  output 0 oc: float4 = colour 0
  member %1[0].z fade: float2
  member %1[1] turn: float4x4
  member %1[5] while: float4
  %3 = peek %1, 0
  %4 = peek %1, 5
  %5 = swizzle %3, zw
  %6 = add %3, %4
  %8 = dot %5, %5
  %7 = add %6, %2
";

    #[test]
    fn a_word_of_the_language_gets_a_number() {
        let text = format!("{ENTRY}  poke %7, 0\n}}\n");
        assert_eq!(renamed_in(&text), ["loop loop_1", "while while_1"]);
    }

    #[test]
    fn the_members_of_an_array_that_a_called_function_reads_too_are_its_elements() {
        let called = "generic function \"last\" {
  input %1 fc: float4[6] = uniform
  output 0 result: float4 = returned
  %2 = peek %1, 5
  return %2
}
";
        let text = format!("{called}{ENTRY}  %9 = call 0\n  %10 = add %7, %9\n  poke %10, 0\n}}\n");
        assert_eq!(renamed_in(&text), ["fade fc[0].zw", "loop loop_1", "turn fc[1]", "while fc[5]"]);
    }
}
