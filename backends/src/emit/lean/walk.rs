//! The walk over all blocks in order that computes nothing twice: variables become values (`variables.rs`), an instruction that
//! an earlier one dominates and that computes the same is replaced by it (`numbers.rs`), and what takes a vector apart and puts
//! it together again is replaced by the vector (`lanes.rs`).
//!
//! Two instructions are the same if their words are, results aside: no operation on numbers is reordered or approximated. One
//! that has a decoration is never replaced, nor does it replace another.

use rspirv::spirv::{Decoration, Op, StorageClass};

use super::blocks::Blocks;
use super::code::Code;
use super::lanes;
use super::numbers::Numbers;
use super::variables::Variables;

/// Memory that a shader only reads; blocks in `Uniform` that are written have a decoration ([`is_written`]).
const READ_ONLY: [StorageClass; 4] =
    [StorageClass::UniformConstant, StorageClass::Uniform, StorageClass::Input, StorageClass::PushConstant];

/// Modf and Frexp of GLSL.std.450, which write memory, and its three instructions that interpolate at another place.
const NOT_PURE: [u32; 5] = [35, 51, 76, 77, 78];

/// Whether memory in `Uniform` or of an input may change: the pass leaves such a module as it is.
pub(super) fn is_written(code: &Code) -> bool {
    let changes = [Decoration::BufferBlock, Decoration::Volatile].map(|decoration| decoration as u32);
    (0..code.functions).any(|index| match code.insts[index].op {
        Op::Decorate => changes.contains(&code.operand(index, 1)),
        Op::MemberDecorate => changes.contains(&code.operand(index, 2)),
        _ => false,
    })
}

/// Visits all blocks. Returns the OpPhis that were made, with their blocks, or `None` if the order of blocks is not the one that
/// is expected; then the code is not to be used.
pub(super) fn walk(code: &mut Code, blocks: &Blocks) -> Option<Vec<(usize, usize)>> {
    let mut variables = Variables::new(code, blocks);
    let mut numbers = Numbers::new(code.end);
    // The blocks that dominate the one at hand, and what was known at the end of each.
    let mut path: Vec<(u32, usize, usize)> = Vec::new();
    for (block, &at) in blocks.list.iter().enumerate() {
        while path.last().is_some_and(|last| last.0 != at.parent) {
            path.pop();
        }
        let (_, known, changed) = path.last().copied().unwrap_or_default();
        numbers.truncate(known);
        variables.truncate(changed);
        variables.enter(code, blocks, block)?;
        for index in at.label..at.end {
            code.resolve_ids(index);
            if !variables.visit(code, block, index) {
                simplify(code, &mut numbers, at.label, index);
            }
        }
        if let Some(header) = blocks.jumps_back(block) {
            variables.jump_back(code, header);
        }
        path.push((block as u32, numbers.len(), variables.len()));
    }
    Some(variables.phis)
}

/// Replaces an instruction by the value that it computes, if there is one already.
fn simplify(code: &mut Code, numbers: &mut Numbers, block: usize, index: usize) {
    if code.is_decorated(index) {
        return;
    }
    match code.insts[index].op {
        Op::AccessChain => join_chains(code, index),
        Op::CompositeExtract => lanes::shorten(code, index),
        _ => {}
    }
    if let Some(value) = lanes::whole(code, index) {
        code.replace(index, value);
    } else if is_pure(code, index)
        && let Some(same) = numbers.find(code, index)
        // A combination of an image and a sampler stays in its block.
        && (code.insts[index].op != Op::SampledImage || same > block)
        && let Some(value) = code.result(same)
    {
        code.replace(index, value);
    }
}

/// Makes a chain that begins at the end of another begin where that one does.
fn join_chains(code: &mut Code, index: usize) {
    let inner = code.def_as(code.operand(index, 0), Op::AccessChain).filter(|&inner| !code.is_decorated(inner));
    if let Some(inner) = inner {
        let joined = [code.operands(inner), &code.operands(index)[1..]].concat();
        code.rewrite(index, Op::AccessChain, code.ty(index), &joined);
    }
}

/// Whether an instruction has the same result wherever its operands do.
fn is_pure(code: &Code, index: usize) -> bool {
    match code.insts[index].op {
        Op::Load => is_constant(code, index),
        Op::ExtInst => !NOT_PURE.contains(&code.operand(index, 1)),
        _ => code.insts[index].effect == super::shape::Effect::Pure,
    }
}

/// Whether a load is from memory that does not change.
pub(super) fn is_constant(code: &Code, load: usize) -> bool {
    let pointer = code.def_as(code.type_of(code.operand(load, 0)), Op::TypePointer);
    let class = pointer.map(|pointer| code.operand(pointer, 0));
    code.operands(load).len() == 1 && READ_ONLY.iter().any(|&read_only| class == Some(read_only as u32))
}
