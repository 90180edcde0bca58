//! The rules about declarations in several functions: the uniforms and textures that an entry function reaches, and the
//! varyings between the stages.
//!
//! Rule: the first declaration of a resource, in reading order, defines it; the others must match it. A second vertex or
//! fragment function breaks V15 and is not checked here.

use std::collections::{HashMap, HashSet};

use crate::calls::Calls;
use crate::{FunctionKind, InputKind, Module, OutputKind, Sampler, Type};

/// The inputs that do not match the first declaration, each by the index of its function and its own index.
#[derive(Default)]
pub(super) struct Conflicts {
    /// Uniforms and textures.
    pub(super) resources: HashSet<(usize, usize)>,
    /// Varyings.
    pub(super) varyings: HashSet<(usize, usize)>,
}

/// The identity of a uniform or texture.
#[derive(PartialEq, Eq, Hash)]
enum Key<'a> {
    Uniform(&'a str),
    Texture(u32),
}

/// The first declaration of a uniform or texture, and its function.
struct Resource {
    ty: Type,
    sampler: Option<Sampler>,
    function: usize,
}

pub(super) fn conflicts(module: &Module, calls: &Calls) -> Conflicts {
    let entry = |kind| module.functions.iter().position(|function| function.kind == kind);
    let (vertex, fragment) = (entry(FunctionKind::Vertex), entry(FunctionKind::Fragment));
    let mut found = Conflicts::default();
    for entry in vertex.into_iter().chain(fragment) {
        resources(module, &calls.reached([entry]), &mut found);
    }
    if let (Some(vertex), Some(fragment)) = (vertex, fragment) {
        varyings(module, vertex, fragment, &mut found);
    }
    found
}

fn resources(module: &Module, reached: &[bool], found: &mut Conflicts) {
    let mut first = HashMap::new();
    let functions = module.functions.iter().enumerate().zip(reached);
    for (index, function) in functions.filter(|(_, reached)| **reached).map(|(function, _)| function) {
        for (number, input) in function.inputs.iter().enumerate() {
            let (key, sampler) = match input.kind {
                InputKind::Uniform if !input.name.is_empty() => (Key::Uniform(&input.name), None),
                InputKind::Texture { slot, sampler } => (Key::Texture(slot), Some(sampler)),
                _ => continue,
            };
            let resource = Resource { ty: input.ty, sampler, function: index };
            let one = first.entry(key).or_insert(resource);
            // Duplicates in one function break V22 or V23.
            if one.function != index && (one.ty, one.sampler) != (input.ty, sampler) {
                found.resources.insert((index, number));
            }
        }
    }
}

fn varyings(module: &Module, vertex: usize, fragment: usize, found: &mut Conflicts) {
    let outputs = module.functions.get(vertex).map(|function| &function.outputs[..]).unwrap_or_default();
    let inputs = module.functions.get(fragment).map(|function| &function.inputs[..]).unwrap_or_default();
    let mut given = HashMap::new();
    for output in outputs {
        if let OutputKind::Varying { location, interpolation } = output.kind {
            given.entry(location).or_insert((output.ty, interpolation));
        }
    }
    for (number, input) in inputs.iter().enumerate() {
        if let InputKind::Varying { location, interpolation } = input.kind
            && given.get(&location).is_some_and(|&given| given != (input.ty, interpolation))
        {
            found.varyings.insert((fragment, number));
        }
    }
}
