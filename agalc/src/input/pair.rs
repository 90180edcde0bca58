//! Combines the functions of several modules into one module.

use std::collections::{BTreeMap, HashSet};

use sdlbc::{FunctionKind, InputKind, Module, Op, OutputKind};

use crate::error::PairError;

pub(crate) fn append(module: &mut Module, mut more: Module) {
    if *module == Module::default() {
        // A debug table without functions is kept unchanged, because it contains the checksum of its program.
        *module = more;
        return;
    }
    let functions = number(module.functions.len());
    let sources = number(module.debug.sources.len());
    let insts = more.functions.iter_mut().flat_map(|function| function.body.insts_mut());
    for inst in insts.filter(|inst| inst.op == Op::Call) {
        inst.immediates.iter_mut().take(1).for_each(|callee| *callee = callee.saturating_add(functions));
    }
    module.functions.extend(more.functions);
    module.debug.sources.extend(more.debug.sources);
    module.debug.functions.extend(more.debug.functions.into_iter().map(|mut debug| {
        debug.function = debug.function.saturating_add(functions);
        if let Some(lines) = &mut debug.lines {
            lines.source = lines.source.saturating_add(sources);
        }
        debug
    }));
}

/// Converts the size of a collection to a `u32`. A size that does not fit becomes the largest `u32`, which exceeds a limit that
/// the verifier checks.
pub(crate) fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// Makes the names of functions unique in a module. If both entry points have the same name, as in GLSL, both are renamed. A
/// generic function is renamed if an entry point or an earlier function has the same name. CALL refers to functions by number, so
/// renaming changes no calls.
pub(crate) fn part_names(module: &mut Module) {
    let named = |kind: FunctionKind| kind != FunctionKind::Generic;
    let mut names = module.functions.iter().filter(|function| named(function.kind)).map(|function| &function.name);
    if let (Some(one), Some(other)) = (names.next(), names.next())
        && one == other
    {
        for function in &mut module.functions {
            match function.kind {
                FunctionKind::Vertex => function.name = "vs_main".to_string(),
                FunctionKind::Fragment => function.name = "fs_main".to_string(),
                FunctionKind::Generic | FunctionKind::Compute => {}
            }
        }
    }
    let entries = module.functions.iter().filter(|function| named(function.kind));
    let mut taken: HashSet<String> = entries.map(|function| function.name.clone()).collect();
    let had: HashSet<String> = module.functions.iter().map(|function| function.name.clone()).collect();
    let mut numbers = 2u32..;
    for function in module.functions.iter_mut().filter(|function| !named(function.kind)) {
        if function.name.is_empty() || taken.insert(function.name.clone()) {
            continue;
        }
        let mut numbered = numbers.by_ref().map(|number| format!("{}_{number}", function.name));
        if let Some(name) = numbered.find(|name| !had.contains(name) && taken.insert(name.clone())) {
            function.name = name;
        }
    }
}

/// If a fragment function reads a varying, gives the varying the location of the vertex function's output with the same name. A
/// varying without such an output gets a location that no output has.
pub(crate) fn link_by_name(module: &mut Module) {
    let of = |kind| move |function: &&sdlbc::Function| function.kind == kind;
    let Some(vertex) = module.functions.iter().find(of(FunctionKind::Vertex)) else { return };
    let outputs = vertex.outputs.iter().filter_map(|output| match output.kind {
        OutputKind::Varying { location, .. } => Some((output.name.clone(), location)),
        _ => None,
    });
    let outputs: BTreeMap<String, u32> = outputs.collect();
    let mut free = (0..).filter(|location| !outputs.values().any(|taken| taken == location));
    for function in module.functions.iter_mut().filter(|function| function.kind == FunctionKind::Fragment) {
        for input in &mut function.inputs {
            if let InputKind::Varying { location, .. } = &mut input.kind {
                *location = outputs.get(&input.name).copied().or_else(|| free.next()).unwrap_or(*location);
            }
        }
    }
}

/// Checks that a module is a pair, and puts the vertex function before the fragment function.
pub(crate) fn pair(module: &mut Module) -> Result<(), PairError> {
    let kinds = || module.functions.iter().map(|function| function.kind);
    let count = |kind| kinds().filter(|&of| of == kind).count();
    let (vertex, fragment) = (count(FunctionKind::Vertex), count(FunctionKind::Fragment));
    let place = |kind| kinds().position(|of| of == kind);
    let (1, 1, Some(a), Some(b)) = (vertex, fragment, place(FunctionKind::Vertex), place(FunctionKind::Fragment))
    else {
        return Err(PairError::NotAPair { vertex, fragment });
    };
    if a < b {
        return Ok(());
    }
    // No CALL refers to an entry point, so the numbers of entry points occur only in the debug table.
    module.functions.swap(a, b);
    for debug in &mut module.debug.functions {
        debug.function = match debug.function {
            function if function == number(a) => number(b),
            function if function == number(b) => number(a),
            function => function,
        };
    }
    module.debug.functions.sort_by_key(|debug| debug.function);
    Ok(())
}
