//! Reduces a module for which a test fails, by removing every part that the failure does not need.

use sdlbc::{Body, FunctionKind, Id, InputKind, Inst, InstRef, Module, Op, verify};

/// Changes the instruction at the given index in reading order. Returns the function's new body, or `None` if the change is
/// impossible.
type Edit = Box<dyn Fn(&Body, usize) -> Option<Body>>;

fn edited(module: &Module, function: usize, number: usize, edit: &Edit) -> Option<Module> {
    let body = edit(&module.functions[function].body, number)?;
    let mut module = module.clone();
    module.functions[function].body = body;
    Some(module)
}

/// Returns an edit that replaces an instruction and its nested blocks with other code.
fn replacing(code: impl Fn(InstRef<'_>) -> Option<Body> + 'static) -> Edit {
    Box::new(move |body, number| {
        let mut edited = body.clone();
        edited.replace(number, code(body.get(number)?)?);
        Some(edited)
    })
}

/// Returns an edit that replaces a compound instruction with one of its blocks. The block's own PHIs, BREAKs and CONTINUEs are
/// kept only if `jumps` is set.
fn splice(which: usize, jumps: bool) -> Edit {
    replacing(move |inst| {
        let mut code = Body::default();
        let kept = |inst: &InstRef<'_>| jumps || !matches!(inst.op, Op::Break | Op::Continue | Op::Phi);
        inst.blocks().get(which)?.iter().filter(kept).for_each(|inst| code.append(inst.alone()));
        Some(code)
    })
}

/// Returns an edit that empties one block of a compound instruction.
fn empty(which: usize) -> Edit {
    replacing(move |inst| {
        inst.blocks().get(which).filter(|block| !block.is_empty())?;
        let blocks = inst.blocks().enumerate();
        let blocks = blocks.map(|(at, block)| if at == which { Body::default() } else { block.into() });
        Some(inst.inst().clone().with_blocks(blocks))
    })
}

fn without_case(inst: InstRef<'_>) -> Option<Body> {
    let mut switch = inst.inst().clone();
    if switch.op != Op::Switch || switch.immediates.is_empty() {
        return None;
    }
    switch.immediates.remove(0);
    Some(switch.with_blocks(inst.blocks().skip(1).map(Body::from)))
}

/// Removes the instructions that follow an instruction in its block.
fn without_tail(body: &Body, number: usize) -> Option<Body> {
    let inst = body.get(number)?;
    let start = number + 1 + inst.inner().len();
    let tail = start..start + inst.following().all().len();
    let kept: Vec<bool> = (0..body.insts().len()).map(|at| !tail.contains(&at)).collect();
    let mut edited = body.clone();
    edited.keep(&kept);
    (!tail.is_empty()).then_some(edited)
}

/// Removes the function with the index `gone`. Returns `None` if another function calls it.
fn without_function(module: &Module, gone: usize) -> Option<Module> {
    let mut module = module.clone();
    module.functions.remove(gone);
    let mut called = false;
    for function in &mut module.functions {
        for inst in function.body.insts_mut().iter_mut().filter(|inst| inst.op == Op::Call) {
            called |= inst.immediates[0] as usize == gone;
            inst.immediates[0] -= u32::from(inst.immediates[0] as usize > gone);
        }
    }
    (!called).then_some(module)
}

fn replaced(module: &Module, function: usize, from: Id, to: Id) -> Module {
    let mut module = module.clone();
    let inputs = module.functions[function].body.insts_mut().iter_mut().flat_map(|inst| &mut inst.inputs);
    inputs.filter(|id| **id == from).for_each(|id| *id = to);
    module
}

/// Removes parts of a module while `bad` still returns true for the rest, and returns the reduced module.
pub(crate) fn smallest(module: &Module, bad: &dyn Fn(&Module) -> bool) -> Module {
    let mut module = module.clone();
    let try_one = |module: &mut Module, candidate: Option<Module>| {
        let better = candidate.filter(|candidate| verify(candidate).is_ok() && bad(candidate));
        better.map(|better| *module = better).is_some()
    };
    let nameless = Module { debug: sdlbc::Debug::default(), ..module.clone() };
    try_one(&mut module, Some(nameless));
    loop {
        let mut changed = false;
        for at in (0..module.functions.len()).rev() {
            let candidate = without_function(&module, at);
            changed |= try_one(&mut module, candidate);
        }
        for function in 0..module.functions.len() {
            changed |= smaller_function(&mut module, function, &try_one);
        }
        if !changed {
            return module;
        }
    }
}

type Try<'a> = &'a dyn Fn(&mut Module, Option<Module>) -> bool;

fn smaller_function(module: &mut Module, function: usize, try_one: Try<'_>) -> bool {
    let mut changed = false;
    let edits: [Edit; 9] = [
        replacing(|_| Some(Body::default())),
        splice(0, false),
        splice(1, false),
        splice(0, true),
        splice(1, true),
        empty(0),
        empty(1),
        replacing(without_case),
        Box::new(without_tail),
    ];
    let mut number = module.functions[function].body.insts().len();
    while number > 0 {
        number -= 1;
        changed |= edits.iter().any(|edit| try_one(module, edited(module, function, number, edit)));
    }
    for at in (0..module.functions[function].inputs.len()).rev() {
        let mut candidate = module.clone();
        let gone = candidate.functions[function].inputs.remove(at);
        changed |= gone.kind != InputKind::Parameter && try_one(module, Some(candidate));
    }
    changed | fewer_outputs(module, function, try_one) | simpler_operands(module, function, try_one)
}

fn fewer_outputs(module: &mut Module, function: usize, try_one: Try<'_>) -> bool {
    let mut changed = false;
    for at in (0..module.functions[function].outputs.len()).rev() {
        if module.functions[function].kind == FunctionKind::Generic {
            continue;
        }
        let mut candidate = module.clone();
        let of = &mut candidate.functions[function];
        of.outputs.remove(at);
        for inst in of.body.insts_mut().iter_mut().filter(|inst| inst.op == Op::Poke && inst.inputs.len() == 1) {
            match inst.immediates[0] as usize {
                output if output == at => *inst = Inst::new(Op::Nop, Id::NONE, &[], &[]),
                output => inst.immediates[0] -= u32::from(output > at),
            }
        }
        changed |= try_one(module, Some(candidate));
    }
    changed
}

/// Replaces operands with earlier values of the same type.
fn simpler_operands(module: &mut Module, function: usize, try_one: Try<'_>) -> bool {
    let mut changed = false;
    let mut ids: Vec<Id> = module.functions[function].inputs.iter().map(|input| input.id).collect();
    ids.extend(module.functions[function].body.insts().iter().map(|inst| inst.output));
    ids.retain(|id| id.is_some());
    let types = sdlbc::infer_types(module, function);
    for (at, &from) in ids.iter().enumerate().rev() {
        for &to in ids[..at].iter().filter(|&&to| types.get(to) == types.get(from)) {
            let candidate = replaced(module, function, from, to);
            if candidate != *module && try_one(module, Some(candidate)) {
                changed = true;
                break;
            }
        }
    }
    changed
}
