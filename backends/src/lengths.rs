//! Shortens arrays of constants to the length that the layout allows.
//!
//! Rule: only an array that is read at a computed index is shortened, and never below an element that is read at a constant
//! one. A computed index beyond the end then reads the last element of the shorter array.

use std::collections::HashMap;

use sdlbc::{Block, Function, Id, Input, InputKind, Module, Op, Type};

use crate::{Layout, Length};

/// How an array is read, by all functions that share it.
#[derive(Clone, Copy, Debug, Default)]
struct Reads {
    /// Whether an index is computed.
    computed: bool,
    /// One more than the highest constant index.
    end: u32,
}

/// Shortens the arrays of the module's uniforms.
pub(crate) fn shorten(module: &mut Module, layout: &Layout) {
    let Length::Read { indexed: limit } = layout.length else { return };
    let too_long = |input: &Input| input.kind == InputKind::Uniform && length(input.ty) > limit;
    if !module.functions.iter().flat_map(|function| &function.inputs).any(too_long) {
        return;
    }
    // Functions share a uniform by its name.
    let key = |at: usize, input: &Input| match input.name.is_empty() {
        true => (Some((at, input.id)), String::new()),
        false => (None, input.name.clone()),
    };
    let mut found: HashMap<_, Reads> = HashMap::new();
    for (at, function) in module.functions.iter().enumerate() {
        let reads = reads(function);
        for input in function.inputs.iter().filter(|input| too_long(input)) {
            let of = reads.get(&input.id).copied().unwrap_or_default();
            let all = found.entry(key(at, input)).or_default();
            *all = Reads { computed: all.computed || of.computed, end: all.end.max(of.end) };
        }
    }
    for (at, function) in module.functions.iter_mut().enumerate() {
        for input in function.inputs.iter_mut().filter(|input| too_long(input)) {
            let reads = found.get(&key(at, input)).copied().unwrap_or_default();
            if let Type::Array(_, _, length) = &mut input.ty
                && reads.computed
            {
                *length = (*length).min(limit.max(reads.end)).max(1);
            }
        }
    }
}

fn length(ty: Type) -> u32 {
    if let Type::Array(_, _, length) = ty { length } else { 0 }
}

/// Returns how a function reads its arrays of uniforms.
fn reads(function: &Function) -> HashMap<Id, Reads> {
    fn visit(block: &Block, lengths: &HashMap<Id, u32>, found: &mut HashMap<Id, Reads>) {
        for inst in block {
            if let (Op::Peek, [of, index]) = (inst.op, &inst.inputs[..])
                && let Some(length) = lengths.get(of)
            {
                let reads = found.entry(*of).or_default();
                let offset = inst.immediates.first().map_or(0, |offset| offset.cast_signed());
                match index.is_some() {
                    true => reads.computed = true,
                    false => {
                        reads.end = reads.end.max(u32::try_from(offset).unwrap_or(0).saturating_add(1).min(*length))
                    }
                }
            }
            inst.blocks.iter().for_each(|block| visit(block, lengths, found));
        }
    }
    let uniforms = function.inputs.iter().filter(|input| input.kind == InputKind::Uniform);
    let lengths = uniforms.map(|input| (input.id, length(input.ty))).collect();
    let mut found = HashMap::new();
    visit(&function.body, &lengths, &mut found);
    found
}
