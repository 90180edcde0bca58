//! Finds the names that an output could not keep.

use std::collections::BTreeSet;

use sdlbc::{Function, FunctionKind, Input, InputKind, Member, Module, Type};

use crate::features::Entry;
use crate::interface::{Interface, Resource, ResourceKind, Variable};
use crate::layout::Layout;
use crate::lower::wanted_entry;
use crate::members;
use crate::output::Renamed;

/// Lists the entry points, inputs, outputs and members whose names in the output differ from their names in the module, sorted by
/// name. A name that the target prescribes, such as GLSL's `main` or MSL's `main0`, is not listed.
pub(crate) fn renamed(module: &Module, called: Entry, layout: &Layout, interface: &Interface) -> Vec<Renamed> {
    let mut found = BTreeSet::new();
    let mut compare = |wanted: &str, given: &str| {
        // Names that begin with `gl_` belong to the language, and some results have no names.
        if !wanted.is_empty() && !given.is_empty() && wanted != given && !given.starts_with("gl_") {
            found.insert(Renamed { wanted: wanted.to_string(), given: given.to_string() });
        }
    };
    let function_of = |stage: FunctionKind| module.functions.iter().position(|function| function.kind == stage);
    for entry in &interface.entries {
        let Some(function) = function_of(entry.stage).and_then(|index| module.functions.get(index)) else { continue };
        compare(wanted_entry(function, called, layout), &entry.name);
        for Variable { index, name, .. } in &entry.inputs {
            compare(function.inputs.get(*index).map_or("", |input| &input.name), name);
        }
        for Variable { index, name, .. } in &entry.outputs {
            compare(function.outputs.get(*index).map_or("", |output| &output.name), name);
        }
    }
    for resource in &interface.resources {
        let Some(index) = function_of(resource.stage) else { continue };
        let Some(function) = module.functions.get(index) else { continue };
        if let Some(wanted) = name_of(module, function, resource) {
            compare(wanted, &resource.name);
        }
        let ResourceKind::Constants { members: fields, .. } = &resource.kind else { continue };
        for uniform in function.inputs.iter().filter(|input| input.kind.is_uniform()) {
            let fields = fields.iter().filter(|field| field.uniform == uniform.id);
            let Some(first) = fields.clone().next() else { continue };
            let named = module.debug_of(index).and_then(|debug| debug.members.get(&uniform.id));
            let named = named.map(Vec::as_slice).unwrap_or_default();
            if named.is_empty() || !members::is_split(module, function, uniform, named) {
                // The members of a structure that replaces an array have their own names.
                if matches!(first.ty, Type::Array(..)) == matches!(uniform.ty, Type::Array(..)) {
                    compare(&uniform.name, &first.name);
                }
                // Code accesses a member of an unsplit array as an element of the array, or as components of an element.
                named.iter().for_each(|member| compare(&member.name, &place(&first.path, member)));
                continue;
            }
            for member in named {
                if let Some(field) = fields.clone().find(|field| field.within == member.offset()) {
                    compare(&member.name, &field.name);
                }
            }
        }
    }
    found.into_iter().collect()
}

/// Returns the expression that accesses a member of an unsplit array.
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

/// Returns the module's name for a resource, or `None` for a sampler or for a variable that contains several uniforms.
fn name_of<'m>(module: &'m Module, function: &'m Function, resource: &Resource) -> Option<&'m str> {
    match resource.kind {
        ResourceKind::Sampler { .. } => return None,
        // If the stage itself does not use the texture, the input belongs to a function that the stage calls.
        ResourceKind::Texture { slot, .. } if !resource.input.is_some() => {
            let called = module.functions.iter().filter(|function| function.kind == FunctionKind::Generic);
            let mut inputs = called.flat_map(|function| &function.inputs);
            let is_it = |input: &&Input| matches!(input.kind, InputKind::Texture { slot: other, .. } if other == slot);
            return inputs.find(is_it).map(|input| input.name.as_str());
        }
        ResourceKind::Constants { ref members, .. } if members.iter().any(|field| field.uniform != resource.input) => {
            return None;
        }
        _ => {}
    }
    function.inputs.iter().find(|input| input.id == resource.input).map(|input| input.name.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::versions::Target;

    fn verified(text: &str) -> sdlbc::Verified {
        sdlbc::Verified::new(sdlbc::text::parse(text).expect("it can be read")).expect("it verifies")
    }

    fn renamed_in(text: &str) -> Vec<String> {
        let module = verified(text);
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

    #[test]
    fn a_texture_that_only_a_called_function_reads_is_no_input_of_its_caller() {
        let text = |name: &str| {
            format!(
                "generic function \"luma\" {{
  input %1 uv: float2 = parameter
  input %2 {name}: texture2d = texture 3 {{ filter 0, mip 0, wrap 0 0, format 0, special 0, bias 0 }}
  output 0 result: float4 = returned
  %3 = sample %2, %1
  return %3
}}
fragment function \"main\" {{
  input %1 first: float2 = varying 0
  input %2 second: float2 = varying 1
  output 0 oc: float4 = colour 0
  %3 = add %1, %2
  %4 = call 0, %3
  poke %4, 0
}}
"
            )
        };
        assert!(renamed_in(&text("t")).is_empty(), "{:?}", renamed_in(&text("t")));
        assert_eq!(renamed_in(&text("loop")), ["loop loop_1"]);
        let output = crate::write(&verified(&text("t")), Target::Wgsl, None, &Layout::default()).expect("written");
        assert!(output.interface.resources.iter().all(|resource| resource.input == sdlbc::Id::NONE));
    }

    const TWO: &str = "vertex function \"vs_main\" {
  input %1 position: float4 = attribute 0
  input %2 const: float = uniform
  input %3 vc: float4[4] = uniform
  input %4 wc: float4[2] = uniform
  output 0 op: float4 = position
  member %3[1] alpha: float3
  member %3[2].y beta: float
  member %4[0] alpha: float4
  member %4[1] loop: float4
  %10 = peek %3, 1
  %11 = peek %3, 2
  %12 = swizzle %10, xyz
  %13 = swizzle %11, y
  %14 = multiply %12, %13
  %15 = vector %14, %2
  %16 = peek %4, 0
  %17 = add %15, %16
  %18 = peek %4, 1
  %19 = add %17, %18
  poke %19, 0
}
";

    #[test]
    fn the_members_of_several_uniforms_in_one_block_are_told_apart() {
        let module = verified(TWO);
        let layout = Layout { one_block: true, ..Layout::default() };
        let output = crate::write(&module, Target::Wgsl, None, &layout).expect("it can be written");
        let shown: Vec<String> =
            output.renamed.iter().map(|Renamed { wanted, given }| format!("{wanted} {given}")).collect();
        assert_eq!(shown, ["alpha alpha_1", "const const_1", "loop loop_1"]);
        let ResourceKind::Constants { members, .. } = &output.interface.resources[0].kind else { panic!("constants") };
        let members: Vec<(u32, u32, u32)> =
            members.iter().map(|field| (field.offset, field.uniform.0, field.within)).collect();
        assert_eq!(members, [(0, 2, 0), (32, 3, 16), (52, 3, 36), (80, 4, 0), (96, 4, 16)]);
    }
}
