//! The forward walk over all blocks: variables become values (`variables.rs`), an instruction is replaced by an earlier
//! instruction that dominates it and computes the same value (`value_numbers.rs`), and instructions that decompose a vector
//! and rebuild it are replaced by the vector (`lanes.rs`).
//!
//! Two instructions are equal if all their words except the results are equal: no operation on numbers is reordered or
//! approximated. An instruction with a decoration is never replaced, and never replaces another.

use rspirv::spirv::Op;

use super::blocks::Blocks;
use super::code::{Code, Inst};
use super::lanes;
use super::shape::Effect;
use super::value_numbers::ValueNumbers;
use super::variables::Variables;

/// Modf and Frexp of GLSL.std.450, which write memory, and its three instructions for interpolation.
const NOT_PURE: [u32; 5] = [35, 51, 76, 77, 78];

/// Visits all blocks. Returns the OpPhis that were made, with their blocks, or `None` if the blocks are not in the
/// expected order; the code must not be used then.
pub(super) fn walk(code: &mut Code, blocks: &Blocks) -> Option<Vec<(usize, usize)>> {
    let mut variables = Variables::new(code, blocks);
    let has_variables = !variables.is_empty();
    let mut numbers = ValueNumbers::new(code.end - code.functions);
    // By block, the state at its end.
    let mut known: Vec<(usize, usize)> = Vec::with_capacity(blocks.list.len());
    for (block, &at) in blocks.list.iter().enumerate() {
        let (numbered, changed) = known.get(at.parent as usize).copied().unwrap_or_default();
        numbers.truncate(numbered);
        variables.truncate(changed);
        variables.enter(code, blocks, block)?;
        for index in at.label..at.end {
            let inst = code.insts[index];
            code.resolve_ids(inst);
            let is_local = has_variables && matches!(inst.op, Op::Load | Op::Store | Op::Variable);
            if !is_local || !variables.visit(code, index) {
                simplify(code, &mut numbers, at.label, index, inst);
            }
        }
        if let Some(header) = blocks.jumps_back(block) {
            variables.jump_back(code, header);
        }
        known.push((numbers.len(), variables.len()));
    }
    if variables.is_stale {
        (code.functions..code.end).for_each(|index| code.resolve_ids(code.insts[index]));
    }
    Some(variables.phis)
}

/// Replaces an instruction by an existing value that equals its result, if there is one.
#[inline]
fn simplify(code: &mut Code, numbers: &mut ValueNumbers, block: usize, index: usize, inst: Inst) {
    if !matches!(inst.effect, Effect::Pure | Effect::Reads) || code.is_decorated(inst.result) {
        return;
    }
    let value = match inst.op {
        Op::CompositeConstruct | Op::VectorShuffle | Op::CompositeInsert => lanes::whole(code, index),
        Op::CompositeExtract => lanes::extracted(code, index),
        Op::AccessChain => {
            join_chains(code, index);
            None
        }
        Op::Load if is_constant(code, index) => None,
        Op::ExtInst if NOT_PURE.contains(&code.operand(index, 1)) => return,
        _ if inst.effect != Effect::Pure => return,
        _ => None,
    };
    // A combination of an image and a sampler stays in its block.
    let stays = |same: usize| inst.op == Op::SampledImage && same <= block;
    let same = |same: usize| (!stays(same)).then(|| code.result(same));
    if let Some(value) = value.or_else(|| numbers.find(code, index).and_then(same)) {
        code.replace(index, value);
    }
}

/// Merges an access chain with the access chain that computes its base.
fn join_chains(code: &mut Code, index: usize) {
    let outer = code.operand(index, 0);
    if let Some(inner) = code.def_as(outer, Op::AccessChain).filter(|_| !code.is_decorated(outer)) {
        code.join_chains(index, inner);
    }
}

/// Whether a load reads memory that does not change.
pub(super) fn is_constant(code: &Code, load: usize) -> bool {
    matches!(*code.operands(load), [address] if code.is_read_only(address))
}
