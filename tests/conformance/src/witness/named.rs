//! Modules with names and members, for the witnesses that use a non-default layout.
//!
//! Rule: names and members are derived from the module's content, so that a failure can be reproduced. The names are unique, and
//! no target language reserves them, so the output keeps them unchanged (docs/names.md) and a device finds resources by name.

use std::collections::{BTreeMap, BTreeSet};

use sdlbc::{FunctionKind, InputKind, Module, OutputKind, Type};
use sdlbc_interp::Topology;

/// Returns the module with names for its attributes, varyings, textures and uniforms, and with members for its constants.
///
/// Registers that are read at a computed index form one array. In a mesh, the array begins at the lowest of these registers. In
/// all other pictures, indices are arbitrary and are clamped to the whole register file, so the array contains all registers.
pub(super) fn named(module: &Module, topology: Topology) -> Module {
    let begins =
        |kind, lowest| if kind == FunctionKind::Vertex && topology == Topology::Triangles { lowest } else { 0 };
    let mut module = laws::with_members(module, seed(module), begins);
    for members in module.debug.functions.iter_mut().flat_map(|debug| debug.members.values_mut()) {
        for member in members {
            let kind = match member.ty {
                Type::Matrix { .. } => "turned",
                Type::Array(..) => "many",
                Type::Vector(_, 1) => "factor",
                _ => "direction",
            };
            member.name = format!("{kind}_{}_{}", member.first, member.component);
        }
    }
    let words = Words::of(&module);
    for function in &mut module.functions {
        let kind = function.kind;
        for (place, input) in function.inputs.iter_mut().enumerate() {
            if let Some(name) = words.of_input(kind, place, &input.name, input.kind) {
                input.name = name;
            }
        }
        for output in &mut function.outputs {
            if let OutputKind::Varying { location, .. } = output.kind {
                output.name = format!("passed_{location}_on");
            }
        }
    }
    module
}

/// Returns the FNV-1a hash of the encoded module.
fn seed(module: &Module) -> u64 {
    sdlbc::encode(module)
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |seed, &byte| (seed ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The facts about a module's functions that determine the new names of the resources.
struct Words {
    /// A number for each distinct uniform name.
    uniforms: BTreeMap<String, usize>,
    /// The names of the uniforms that generic functions read.
    called: BTreeSet<String>,
    called_textures: bool,
}

impl Words {
    fn of(module: &Module) -> Words {
        let all = module.functions.iter().flat_map(|function| {
            function.inputs.iter().filter(|input| input.kind.is_uniform()).map(move |input| (function, input))
        });
        let names: BTreeSet<String> = all.clone().map(|(_, input)| input.name.clone()).collect();
        let called = all.filter(|(function, _)| function.kind == FunctionKind::Generic);
        let mut generic = module.functions.iter().filter(|function| function.kind == FunctionKind::Generic);
        Words {
            called: called.map(|(_, input)| input.name.clone()).collect(),
            uniforms: names.into_iter().zip(0..).collect(),
            called_textures: generic
                .any(|function| function.inputs.iter().any(|input| matches!(input.kind, InputKind::Texture { .. }))),
        }
    }

    /// Returns an input's new name. If only one stage's entry function reads a resource, the resource's name contains that stage.
    fn of_input(&self, kind: FunctionKind, place: usize, name: &str, input: InputKind) -> Option<String> {
        let stage = match kind {
            FunctionKind::Vertex => "vertex",
            FunctionKind::Fragment => "fragment",
            FunctionKind::Compute => "compute",
            FunctionKind::Generic => "shared",
        };
        match input {
            InputKind::Attribute { location } => Some(format!("given_{location}_in")),
            InputKind::Varying { location, .. } => Some(format!("passed_{location}_on")),
            InputKind::Uniform | InputKind::Placed { .. } if name.is_empty() => {
                Some(format!("{stage}_own_{place}_set"))
            }
            InputKind::Uniform | InputKind::Placed { .. } => {
                let number = self.uniforms.get(name)?;
                let stage = if self.called.contains(name) { "shared" } else { stage };
                Some(format!("{stage}_{number}_set"))
            }
            InputKind::Texture { slot, .. } => {
                let stage = if self.called_textures { "shared" } else { stage };
                Some(format!("{stage}_{slot}_map"))
            }
            _ => None,
        }
    }
}

/// Returns the offset, in words, of the member, register or component with this name.
pub(super) fn member_offset(module: &Module, stage: FunctionKind, uniform: &str, name: &str) -> Option<usize> {
    let (index, function) = module.functions.iter().enumerate().find(|(_, function)| function.kind == stage)?;
    let input = function.inputs.iter().find(|input| input.kind.is_uniform() && input.name == uniform)?;
    let members = module.debug_of(index).and_then(|debug| debug.members.get(&input.id));
    if let Some(member) = members.and_then(|members| members.iter().find(|member| member.name == name)) {
        return Some(4 * member.first as usize + member.component as usize);
    }
    let rest = name.strip_prefix(if stage == FunctionKind::Vertex { "vc" } else { "fc" })?;
    let (register, component) = match rest.split_once('_') {
        Some((register, letter)) => (register, ["x", "y", "z", "w"].iter().position(|known| *known == letter)?),
        None => (rest, 0),
    };
    Some(4 * register.parse::<usize>().ok()? + component)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_members_follow_from_the_module_and_are_valid() {
        let mut members = 0;
        for number in 0..400 {
            let module = laws::from_seed(number);
            let other = named(&module, Topology::Points);
            assert_eq!(sdlbc::verify(&other), Ok(()), "seed {number}\n{}", sdlbc::print(&other));
            assert_eq!(other, named(&module, Topology::Points));
            members += other.debug.functions.iter().map(|debug| debug.members.len()).sum::<usize>();
        }
        assert!(members > 20, "only {members} uniforms with members");
    }

    #[test]
    fn a_part_that_no_member_covers_is_found_by_its_register() {
        let text = "vertex function \"vs_main\" {\n  input %1 set: float4[9] = uniform\n  \
            output 0 op: float4 = position\n  %2 = peek %1, 0\n  poke %2, 0\n}\n";
        let module = sdlbc::parse(text).unwrap_or_else(|errors| panic!("{errors:?}"));
        let at = |name| member_offset(&module, FunctionKind::Vertex, "set", name);
        assert_eq!([at("vc5"), at("vc5_z"), at("fc5"), at("vc5_q")], [Some(20), Some(22), None, None]);
    }
}
