//! Links a vertex and a fragment function: removes the varyings that the fragment function does not read, and renumbers the
//! remaining varyings without gaps.
//!
//! Requires: a valid module with one vertex and one fragment function. Preserves: validity, the values of the remaining outputs,
//! and the bindings of resources. The result is deterministic.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::{Function, FunctionKind, Id, Input, InputKind, Inst, Module, Op, OutputKind, Violation, dce, verify};

/// The locations of the varyings that [`prune()`] removed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pruned {
    /// The locations of varyings that the vertex function wrote and the fragment function does not read.
    pub outputs: BTreeSet<u32>,
    /// The locations of varyings that the fragment function declared but does not read.
    pub inputs: BTreeSet<u32>,
}

/// Removes the varyings that the fragment function does not read, the code that computes only these varyings, and the inputs
/// that are no longer read. Calls and loops are kept. A uniform is kept if its removal would renumber the bindings of other
/// uniforms.
///
/// ```
/// let text = r#"
/// vertex function "vs_main" {
///   input %1 va0: float4 = attribute 0
///   input %2 va1: float4 = attribute 1
///   output 0 op: float4 = position
///   output 1 v0: float4 = varying 0
///   output 2 v3: float4 = varying 3
///   %3 = negate %2
///   poke %1, 0
///   poke %3, 1
///   poke %1, 2
/// }
/// fragment function "fs_main" {
///   input %1 v3: float4 = varying 3
///   output 0 oc: float4 = colour 0
///   poke %1, 0
/// }"#;
/// let mut module = sdlbc::parse(text).expect("a module");
/// let pruned = sdlbc::prune(&mut module).expect("a pair");
/// assert_eq!(pruned.outputs, [0].into());
/// assert_eq!(module.functions[0].inputs.len(), 1);
/// assert_eq!(sdlbc::pack(&mut module).expect("a pair"), [(3, 0)].into());
/// assert_eq!(sdlbc::verify(&module), Ok(()));
/// ```
///
/// # Errors
/// Fails, and leaves the module unchanged, if the module is invalid or lacks a vertex or fragment function.
pub fn prune(module: &mut Module) -> Result<Pruned, LinkError> {
    let (vertex, fragment) = pair(module)?;
    let mut pruned = Pruned::default();
    // Unused code of the fragment function may contain the only reads of a varying.
    let before = inputs(module, fragment);
    clean(module, fragment, &|_| true);
    let read = inputs(module, fragment);
    pruned.inputs.extend(before.difference(&read));
    let written = outputs(module, vertex);
    pruned.outputs.extend(written.difference(&read));
    if !pruned.outputs.is_empty() {
        clean(
            module,
            vertex,
            &|kind| !matches!(kind, OutputKind::Varying { location, .. } if !read.contains(&location)),
        );
    }
    Ok(pruned)
}

/// Renumbers the varyings of the vertex and fragment functions from 0 without gaps, in the order of their locations. Returns
/// a map from old to new locations.
///
/// # Errors
/// Fails, and leaves the module unchanged, if the module is invalid or lacks a vertex or fragment function.
pub fn pack(module: &mut Module) -> Result<BTreeMap<u32, u32>, LinkError> {
    let (vertex, fragment) = pair(module)?;
    let mut old = outputs(module, vertex);
    old.append(&mut inputs(module, fragment));
    let places: BTreeMap<u32, u32> = old.into_iter().zip(0..).collect();
    let renumber = |location: &mut u32| {
        if let Some(&place) = places.get(location) {
            *location = place;
        }
    };
    for function in &mut module.functions {
        for output in &mut function.outputs {
            if let OutputKind::Varying { location, .. } = &mut output.kind {
                renumber(location);
            }
        }
        for input in &mut function.inputs {
            if let InputKind::Varying { location, .. } = &mut input.kind {
                renumber(location);
            }
        }
    }
    Ok(places)
}

/// Verifies a module, and returns the indices of its vertex and fragment functions.
fn pair(module: &Module) -> Result<(usize, usize), LinkError> {
    verify(module).map_err(LinkError::Broken)?;
    let entry = |kind| module.functions.iter().position(|function| function.kind == kind);
    entry(FunctionKind::Vertex).zip(entry(FunctionKind::Fragment)).ok_or(LinkError::NotAPair)
}

/// Returns the locations of a function's varying outputs.
fn outputs(module: &Module, function: usize) -> BTreeSet<u32> {
    let outputs = module.functions.get(function).map(|function| &function.outputs[..]).unwrap_or_default();
    let location = |kind| if let OutputKind::Varying { location, .. } = kind { Some(location) } else { None };
    outputs.iter().filter_map(|output| location(output.kind)).collect()
}

/// Returns the locations of a function's varying inputs.
fn inputs(module: &Module, function: usize) -> BTreeSet<u32> {
    let inputs = module.functions.get(function).map(|function| &function.inputs[..]).unwrap_or_default();
    let location = |kind| if let InputKind::Varying { location, .. } = kind { Some(location) } else { None };
    inputs.iter().filter_map(|input| location(input.kind)).collect()
}

/// Removes the outputs for which `keeps` returns false, the code that becomes unused, all unread varyings, and other inputs that
/// become unread. The debug table is updated accordingly.
fn clean(module: &mut Module, index: usize, keeps: &dyn Fn(OutputKind) -> bool) {
    let has_uniform = |function: &Function| function.inputs.iter().any(|input| input.kind.is_uniform());
    let generic = |function: &&Function| function.kind == FunctionKind::Generic;
    let shared_uniforms = module.functions.iter().filter(generic).any(has_uniform);
    let Some(function) = module.functions.get_mut(index) else { return };
    // The ids are renumbered because even a small module may use the highest id, and the tables below are indexed by id.
    let dense = dce::renumber(function);
    let ids = function.max_id() as usize + 1;
    let mut read_before = vec![false; ids];
    let code = function.body.insts().iter();
    code.flat_map(|inst| &inst.inputs).for_each(|&id| dce::mark(&mut read_before, id));

    let mut outputs = Vec::new();
    let mut next = 0u32;
    for output in &function.outputs {
        let is_kept = keeps(output.kind);
        outputs.push(is_kept.then_some(next));
        next += u32::from(is_kept);
    }
    function.outputs.retain(|output| keeps(output.kind));
    function.body.insts_mut().iter_mut().for_each(|inst| renumber_output(inst, &outputs));
    let mut used = vec![false; ids];
    let needed = dce::needed(&function.body, &function.inputs, &mut used);
    function.body.keep(&needed);
    let remaining = (0..).zip(needed).filter_map(|(at, needed)| needed.then_some(at)).collect::<Vec<usize>>();

    let mut may_remove_uniforms = !shared_uniforms;
    let mut inputs: Vec<Input> = Vec::with_capacity(function.inputs.len());
    for input in std::mem::take(&mut function.inputs).into_iter().rev() {
        let unread = !dce::is_used(&used, input.id);
        let became_unread = unread && dce::is_used(&read_before, input.id);
        let is_removed = match input.kind {
            InputKind::Varying { .. } => unread,
            // Bindings are numbered in order, so only the last uniforms can be removed without renumbering other bindings.
            InputKind::Uniform => {
                may_remove_uniforms &= became_unread;
                may_remove_uniforms
            }
            // The offset of a uniform in a buffer does not depend on other uniforms.
            InputKind::Placed { .. } => became_unread,
            InputKind::Parameter => false,
            _ => became_unread,
        };
        if !is_removed {
            inputs.push(input);
        }
    }
    inputs.reverse();
    function.inputs = inputs;
    let new_ids = dce::renumber(function);
    let renamed = |old: Id| new_ids.get(*dense.get(old)?).copied();
    update_debug(module, index, &renamed, &remaining);
}

/// Renumbers the output that a POKE writes, or replaces the POKE of a removed output with a NOP.
fn renumber_output(inst: &mut Inst, outputs: &[Option<u32>]) {
    // A POKE with more than one input writes a slot instead of an output.
    if inst.op != Op::Poke || inst.inputs.len() != 1 {
        return;
    }
    let Some(output) = inst.immediates.first_mut() else { return };
    match outputs.get(*output as usize).copied().flatten() {
        Some(number) => *output = number,
        None => *inst = Inst::new(Op::Nop, Id::NONE, &[], &[]),
    }
}

/// Updates a function's debug information for the remaining ids and instructions.
fn update_debug(module: &mut Module, index: usize, new: &dyn Fn(Id) -> Option<Id>, remaining: &[usize]) {
    for debug in module.debug.functions.iter_mut().filter(|debug| debug.function as usize == index) {
        debug.ids.renumber(new);
        let members = std::mem::take(&mut debug.members);
        debug.members = members.into_iter().filter_map(|(id, members)| Some((new(id)?, members))).collect();
        let bindings = std::mem::take(&mut debug.bindings);
        debug.bindings = bindings.into_iter().filter_map(|(id, binding)| Some((new(id)?, binding))).collect();
        if let Some(lines) = &mut debug.lines {
            lines.numbers = remaining.iter().map(|&number| lines.numbers.get(number).copied().unwrap_or(0)).collect();
        }
    }
    module.debug.functions.retain(|debug| !debug.is_empty());
}

/// The reason why a module cannot be linked.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LinkError {
    /// The module lacks a vertex function or a fragment function.
    NotAPair,
    /// The module is invalid; the list contains all violations.
    Broken(Vec<Violation>),
}

impl fmt::Display for LinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LinkError::NotAPair => f.write_str("the module does not have both a vertex and a fragment function"),
            LinkError::Broken(violations) => {
                f.write_str("the module breaks the rules of SDLSHADERBC")?;
                violations.first().map_or(Ok(()), |first| write!(f, ": {first}"))
            }
        }
    }
}

impl std::error::Error for LinkError {}
