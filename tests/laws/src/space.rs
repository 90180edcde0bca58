//! Checks that NOPs have no effect at any position in a program.

use sdlbc::{Block, Body, Id, Inst, Module, Op, prune, verify};

use crate::format::differs;
use crate::targets::result;
use crate::{TARGETS, roundtrip_of, text_of};

/// Returns the module with NOPs before and after each instruction, including between an IF and its PHIs, between PHIs, before the
/// PHIs at a LOOP's head, and after every jump. In the debug table, each instruction keeps its line.
pub fn spaced(module: &Module) -> Module {
    let mut spaced = module.clone();
    for (index, function) in spaced.functions.iter_mut().enumerate() {
        let mut places = Vec::new();
        let mut padded = Body::with_capacity(3 * function.body.insts().len() + 1);
        pad(function.body.block(), &mut padded, &mut 0, &mut places);
        function.body = padded;
        let of_function = |number: u32| usize::try_from(number) == Ok(index);
        for debug in spaced.debug.functions.iter_mut().filter(|debug| of_function(debug.function)) {
            if let Some(lines) = &mut debug.lines {
                let number = |place: &Option<usize>| place.and_then(|at| lines.numbers.get(at)).copied().unwrap_or(0);
                lines.numbers = places.iter().map(number).collect();
            }
        }
    }
    spaced
}

/// Appends a block's instructions to `padded`, with NOPs between them. For each appended instruction, `places` gets the
/// instruction's old index, or `None` for an added NOP.
fn pad(block: Block<'_>, padded: &mut Body, next: &mut usize, places: &mut Vec<Option<usize>>) {
    let nop = |places: &mut Vec<Option<usize>>| {
        places.push(None);
        Inst::new(Op::Nop, Id::NONE, &[], if places.len().is_multiple_of(2) { &[] } else { &[7, u32::MAX] })
    };
    padded.push(nop(places));
    for inst in block {
        places.push(Some(*next));
        *next += 1;
        let at = padded.open(inst.inst().clone());
        for block in inst.blocks() {
            pad(block, padded, next, places);
            padded.end_block(at);
        }
        padded.push(nop(places));
    }
}

/// Checks that a module with added NOPs is valid, obeys the laws of files and texts, has the same output in every target and,
/// apart from NOPs, becomes the same module after pruning.
pub fn space_changes_nothing(module: &Module) {
    if verify(module).is_err() {
        return;
    }
    let spaced = spaced(module);
    assert_eq!(verify(&spaced), Ok(()), "it does not verify with nops\n{}", sdlbc::print(&spaced));
    roundtrip_of(&spaced);
    text_of(&spaced);
    for target in TARGETS {
        assert!(
            result(&spaced, target) == result(module, target),
            "{target} differs with nops\n{}",
            sdlbc::print(&spaced)
        );
    }
    let (mut linked, mut linked_spaced) = (module.clone(), spaced.clone());
    if prune(&mut linked).is_ok() {
        assert!(prune(&mut linked_spaced).is_ok());
        // Pruning leaves the NOPs in functions that it does not change, so the comparison ignores NOPs.
        let (a, b) = (without(&linked), without(&linked_spaced));
        assert!(a == b, "pruning with nops produces another module: {}", differs(&a, &b));
    }
}

/// Returns the module without NOPs and without line tables, whose entries correspond to the instructions.
fn without(module: &Module) -> Module {
    let mut module = module.clone();
    for body in module.functions.iter_mut().map(|function| &mut function.body) {
        let keep = body.insts().iter().map(|inst| inst.op != Op::Nop).collect::<Vec<_>>();
        body.keep(&keep);
    }
    module.debug.functions.iter_mut().for_each(|debug| debug.lines = None);
    module.debug.functions.retain(|debug| !debug.is_empty());
    module
}
