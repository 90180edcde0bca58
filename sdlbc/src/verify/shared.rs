//! The rules about declarations in several functions: the uniforms, textures and storage buffers that an entry point reaches, and
//! the varyings between the stages.
//!
//! Rule: the first declaration of a resource, in reading order, defines the resource, and all later declarations must match it. A
//! second vertex or fragment function breaks V15 and is not checked here.

use std::collections::{HashMap, HashSet};

use crate::calls::Calls;
use crate::{Function, FunctionKind, Input, InputKind, Interpolation, Module, OutputKind, Type};

/// The inputs whose declarations conflict, as pairs of a function's index and an input's index.
#[derive(Default)]
pub(super) struct Conflicts {
    /// Uniforms, textures, storage buffers and storage textures that differ from their first declaration.
    pub(super) resources: HashSet<(usize, usize)>,
    /// Varyings of the fragment function that differ from the vertex function's varyings.
    pub(super) varyings: HashSet<(usize, usize)>,
    /// Uniforms that overlap another uniform in the same slot.
    pub(super) overlaps: HashSet<(usize, usize)>,
}

/// The name or slot that identifies a uniform, a texture, a storage buffer or a storage texture.
#[derive(PartialEq, Eq, Hash)]
enum Key<'a> {
    Uniform(&'a str),
    Texture(u32),
    Buffer(u32),
    Image(u32),
}

pub(super) fn conflicts(module: &Module, calls: &Calls) -> Conflicts {
    let entry = |kind| module.functions.iter().position(|function| function.kind == kind);
    let (vertex, fragment) = (entry(FunctionKind::Vertex), entry(FunctionKind::Fragment));
    let compute = entry(FunctionKind::Compute);
    let mut found = Conflicts::default();
    // Without calls, no entry point reaches a declaration in another function.
    let entries = || vertex.into_iter().chain(fragment).chain(compute).filter(|_| !calls.is_empty());
    for entry in entries() {
        resources(module, &calls.reached([entry]), &mut found);
    }
    let has_places = |function: &Function| function.inputs.iter().any(|input| place(input.kind).is_some());
    if module.functions.iter().any(has_places) {
        for alone in 0..module.functions.len() {
            overlaps(module, &[alone], &mut found);
        }
        for entry in entries() {
            let reached = calls.reached([entry]);
            let reached: Vec<usize> = (0..).zip(reached).filter_map(|(at, reached)| reached.then_some(at)).collect();
            overlaps(module, &reached, &mut found);
        }
    }
    if let (Some(vertex), Some(fragment)) = (vertex, fragment) {
        varyings(module, vertex, fragment, &mut found);
    }
    found
}

fn resources(module: &Module, reached: &[bool], found: &mut Conflicts) {
    // The first declaration of each resource, and the index of the declaring function.
    let mut first: HashMap<Key<'_>, (&Input, usize)> = HashMap::new();
    let functions = module.functions.iter().enumerate().zip(reached);
    for (index, function) in functions.filter(|(_, reached)| **reached).map(|(function, _)| function) {
        for (number, input) in function.inputs.iter().enumerate() {
            let key = match input.kind {
                InputKind::Uniform | InputKind::Placed { .. } if !input.name.is_empty() => Key::Uniform(&input.name),
                InputKind::Texture { slot, .. } => Key::Texture(slot),
                InputKind::Buffer { slot, .. } => Key::Buffer(slot),
                InputKind::Image { slot, .. } => Key::Image(slot),
                _ => continue,
            };
            let &mut (declared, function) = first.entry(key).or_insert((input, index));
            // Duplicate declarations in one function are violations of V22 or V23, which `interface.rs` checks.
            if function != index && (declared.ty, declared.kind) != (input.ty, input.kind) {
                found.resources.insert((index, number));
            }
        }
    }
}

const fn place(kind: InputKind) -> Option<(u32, u32)> {
    match kind {
        InputKind::Placed { slot, offset } => Some((slot, offset)),
        _ => None,
    }
}

/// Finds each uniform of the given functions that overlaps a preceding uniform in its slot. Uniforms with the same name may
/// overlap, because several functions may declare the same uniform.
fn overlaps(module: &Module, functions: &[usize], found: &mut Conflicts) {
    let mut placed = Vec::new();
    for &index in functions {
        let inputs = module.functions.get(index).map(|function| &function.inputs[..]).unwrap_or_default();
        for (number, input) in inputs.iter().enumerate() {
            placed.extend(place(input.kind).map(|place| (place, index, number, input)));
        }
    }
    placed.sort_by_key(|&(place, index, number, _)| (place, index, number));
    let mut last: Option<((u32, u32), u32, &Input)> = None;
    for (place, index, number, input) in placed {
        let end = place.1.saturating_add(input.ty.uniform_bytes());
        if let Some((before, until, other)) = last
            && before.0 == place.0
        {
            let is_same = !input.name.is_empty() && other.name == input.name;
            if place.1 < until && !is_same {
                found.overlaps.insert((index, number));
            }
            if end <= until {
                continue;
            }
        }
        last = Some((place, end, input));
    }
}

fn varyings(module: &Module, vertex: usize, fragment: usize, found: &mut Conflicts) {
    let outputs = module.functions.get(vertex).map(|function| &function.outputs[..]).unwrap_or_default();
    let inputs = module.functions.get(fragment).map(|function| &function.inputs[..]).unwrap_or_default();
    let mut written: Vec<(u32, Type, Interpolation)> = Vec::with_capacity(outputs.len());
    for output in outputs {
        if let OutputKind::Varying { location, interpolation } = output.kind {
            written.push((location, output.ty, interpolation));
        }
    }
    // The sort is stable, so the first output at each location is compared.
    written.sort_by_key(|(location, ..)| *location);
    for (number, input) in inputs.iter().enumerate() {
        if let InputKind::Varying { location, interpolation } = input.kind
            && let Some(&(of, ty, how)) = written.get(written.partition_point(|(before, ..)| *before < location))
            && of == location
            && (ty, how) != (input.ty, interpolation)
        {
            found.varyings.insert((fragment, number));
        }
    }
}
