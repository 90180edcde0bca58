//! The forward walk over all blocks. Variables become values (`variables.rs`). An instruction is replaced by an earlier
//! instruction that dominates it and computes the same value (`value_numbers.rs`). Instructions that decompose and rebuild a
//! vector are replaced by the vector (`lanes.rs`).
//!
//! Two instructions are equal if all their words except the results are equal, so no arithmetic is reordered or approximated. A
//! decorated instruction is never replaced, and never replaces another instruction.

use rspirv::spirv::Op;

use super::blocks::Blocks;
use super::code::{Code, Inst};
use super::lanes;
use super::shape::Effect;
use super::value_numbers::ValueNumbers;
use super::variables::Variables;

/// The GLSL.std.450 instructions that are not pure: Modf and Frexp, which write memory, and three instructions that interpolate
/// an input.
const NOT_PURE: [u32; 5] = [35, 51, 76, 77, 78];

/// Visits all blocks and returns the new OpPhis with their blocks. If the result is `None`, the code is only partly rewritten,
/// and the caller must discard it.
pub(super) fn walk(code: &mut Code, blocks: &Blocks) -> Option<Vec<(usize, usize)>> {
    let mut variables = Variables::new(code, blocks);
    let has_variables = !variables.is_empty();
    let mut numbers = ValueNumbers::new(code.end - code.functions);
    // The lengths of `numbers` and of the undo list at the end of each visited block.
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

/// Replaces an instruction with an earlier value that equals the instruction's result, if there is such a value.
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
    // SPIR-V requires an OpSampledImage to be in the block that uses its result.
    let stays = |same: usize| inst.op == Op::SampledImage && same <= block;
    let same = |same: usize| (!stays(same)).then(|| code.result(same));
    if let Some(value) = value.or_else(|| numbers.find(code, index).and_then(same)) {
        code.replace(index, value);
    }
}

fn join_chains(code: &mut Code, index: usize) {
    let outer = code.operand(index, 0);
    if let Some(inner) = code.def_as(outer, Op::AccessChain).filter(|_| !code.is_decorated(outer)) {
        code.join_chains(index, inner);
    }
}

/// Reports whether a load reads memory that does not change.
pub(super) fn is_constant(code: &Code, load: usize) -> bool {
    matches!(*code.operands(load), [address] if code.is_read_only(address))
}
