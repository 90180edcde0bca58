//! Reduces a module with a finding: removes whatever the finding does not need.

use sdlbc::{Block, FunctionKind, Id, InputKind, Inst, Module, Op, verify};

/// A change to the instruction at an index of a block.
type Edit<'a> = &'a dyn Fn(&mut Block, usize) -> bool;

/// The same, boxed.
type Made = Box<dyn Fn(&mut Block, usize) -> bool>;

/// Applies an edit to a function's instruction with this number in reading order.
fn edited(module: &Module, function: usize, number: usize, edit: Edit<'_>) -> Option<Module> {
    fn walk(block: &mut Block, left: &mut usize, edit: Edit<'_>) -> Option<bool> {
        let mut at = 0;
        while at < block.len() {
            if *left == 0 {
                return Some(edit(block, at));
            }
            *left -= 1;
            for inner in &mut block[at].blocks {
                if let Some(done) = walk(inner, left, edit) {
                    return Some(done);
                }
            }
            at += 1;
        }
        None
    }
    let mut module = module.clone();
    let done = walk(&mut module.functions[function].body, &mut { number }, edit);
    (done == Some(true)).then_some(module)
}

fn count(block: &Block) -> usize {
    block.iter().map(|inst| 1 + inst.blocks.iter().map(count).sum::<usize>()).sum()
}

fn each(block: &mut Block, visit: &mut impl FnMut(&mut Inst)) {
    for inst in block {
        visit(inst);
        inst.blocks.iter_mut().for_each(|block| each(block, visit));
    }
}

/// The module without the function at `gone`, if nothing calls it.
fn without_function(module: &Module, gone: usize) -> Option<Module> {
    let mut module = module.clone();
    module.functions.remove(gone);
    let mut called = false;
    for function in &mut module.functions {
        each(&mut function.body, &mut |inst| {
            if inst.op == Op::Call {
                called |= inst.immediates[0] as usize == gone;
                inst.immediates[0] -= u32::from(inst.immediates[0] as usize > gone);
            }
        });
    }
    (!called).then_some(module)
}

/// The module with all uses of one value replaced by another.
fn replaced(module: &Module, function: usize, from: Id, to: Id) -> Module {
    let mut module = module.clone();
    each(&mut module.functions[function].body, &mut |inst| {
        inst.inputs.iter_mut().filter(|id| **id == from).for_each(|id| *id = to);
    });
    module
}

/// The smallest module that can be reached from this one by removals and is still `bad`.
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
    let mut number = count(&module.functions[function].body);
    while number > 0 {
        number -= 1;
        let remove: Edit<'_> = &|block, at| {
            block.remove(at);
            true
        };
        // Replaces a compound instruction by one or all of its blocks, with or without PHIs and jumps.
        let splice = |which: usize, jumps: bool| {
            move |block: &mut Block, at: usize| {
                let inst = block.remove(at);
                let Some(inner) = inst.blocks.get(which) else { return false };
                let kept = inner.iter().filter(|inst| jumps || !matches!(inst.op, Op::Break | Op::Continue | Op::Phi));
                block.splice(at..at, kept.cloned());
                true
            }
        };
        let empty = |which: usize| {
            move |block: &mut Block, at: usize| match block[at].blocks.get_mut(which) {
                Some(inner) if !inner.is_empty() => {
                    inner.clear();
                    true
                }
                _ => false,
            }
        };
        let case: Edit<'_> = &|block, at| {
            let inst = &mut block[at];
            let some = inst.op == Op::Switch && !inst.immediates.is_empty();
            if some {
                inst.immediates = inst.immediates[1..].into();
                inst.blocks = inst.blocks[1..].into();
            }
            some
        };
        let tail: Edit<'_> = &|block, at| {
            let longer = block.len() > at + 1;
            block.truncate(at + 1);
            longer
        };
        let edits: Vec<Made> = vec![
            Box::new(remove),
            Box::new(splice(0, false)),
            Box::new(splice(1, false)),
            Box::new(splice(0, true)),
            Box::new(splice(1, true)),
            Box::new(empty(0)),
            Box::new(empty(1)),
            Box::new(case),
            Box::new(tail),
        ];
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
        each(&mut of.body, &mut |inst| {
            if inst.op == Op::Poke && inst.inputs.len() == 1 {
                match inst.immediates[0] as usize {
                    output if output == at => *inst = Inst::new(Op::Nop, Id::NONE, &[], &[]),
                    output => inst.immediates[0] -= u32::from(output > at),
                }
            }
        });
        changed |= try_one(module, Some(candidate));
    }
    changed
}

/// Replaces later values by earlier ones.
fn simpler_operands(module: &mut Module, function: usize, try_one: Try<'_>) -> bool {
    let mut changed = false;
    let mut ids: Vec<Id> = module.functions[function].inputs.iter().map(|input| input.id).collect();
    each(&mut module.clone().functions[function].body, &mut |inst| ids.push(inst.output));
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
