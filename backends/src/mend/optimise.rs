//! Shortens naga's SPIR-V without changing any result, except that `!=` becomes true if an operand is NaN.
//!
//! naga writes redundant code: it computes an address for each use, builds a structure of all outputs and immediately decomposes
//! the structure, and writes separate blocks for the arguments and for the code. `lower` already builds naga modules that avoid
//! redundant code. This pass over the words removes the redundancy that remains:
//!
//! 1. `blocks` joins consecutive blocks, and finds dominators.
//! 2. `walk` works forwards: value numbering removes repeated computations and loads (`value_numbers`), local variables
//!    become values (`variables`), and vectors that are decomposed and rebuilt stay whole (`lanes`).
//! 3. `peephole` works backwards: it removes unused instructions, and replaces some groups of instructions with one
//!    instruction. `declarations` adds types and constants as needed, and removes unused types and constants.
//! 4. `write` writes the remaining instructions, with consecutive ids.
//!
//! Each step takes time proportional to the number of words. Unlike `combined.rs`, the pass does not use rspirv's modules, which
//! allocate memory several times for each instruction and need a map to find a definition. The pass represents an instruction by
//! the range of its words (`code`), and keeps the data and the number of uses of each id in one table.
//!
//! The pass keeps the names and decorations of remaining ids, and the whole interface: variables, the types that have
//! names or decorations, and entry points. A module stays unchanged if it has an instruction that the pass does not know
//! (`shape`), names and decorations that are not contiguous, or blocks in an unexpected order.
//!
//! Upstream fault `joined_blocks`: `Writer::write_function` in `back/spv/writer.rs` writes a block for arguments and variables,
//! and another block for the code, with a branch between them.
//!
//! Upstream fault `ordered_inequality`: `BlockContext::cache_expression_value` in `back/spv/block.rs` writes `!=` between floats as
//! OpFOrdNotEqual, which is false if an operand is NaN.

mod blocks;
mod code;
mod declarations;
mod lanes;
mod peephole;
mod shape;
mod value_numbers;
mod variables;
mod walk;
mod write;

#[cfg(test)]
mod tests;

use rspirv::spirv::Op;

use blocks::Blocks;
use code::Code;
use declarations::Declarations;

/// Returns shorter SPIR-V with the same results, except that `!=` is true if an operand is NaN. A module with an unknown
/// instruction is not shortened.
pub(crate) fn optimise(mut words: Vec<u32>) -> Vec<u32> {
    unorder_inequalities(&mut words);
    let Some(mut code) = Code::parse(&words) else { return words };
    code.order_locals(&mut words);
    code.words = words;
    blocks::join(&mut code);
    let Some(blocks) = Blocks::new(&code) else { return code.words };
    // The walk changes the words, and can fail only in a module that has local variables.
    let before = if code.locals.is_empty() { Vec::new() } else { code.words.clone() };
    let Some(mut phis) = walk::walk(&mut code, &blocks) else { return before };
    let mut declared = Declarations::default();
    variables::retain_used(&mut code, &mut declared, &mut phis);
    peephole::walk_back(&mut code, &mut declared);
    declared.remove_unused(&mut code);
    write::write(code, &blocks, &declared.added, &phis)
}

/// Replaces OpFOrdNotEqual with OpFUnordNotEqual, which is true if an operand is NaN, as SDLSHADERBC requires.
fn unorder_inequalities(words: &mut [u32]) {
    const HEADER: usize = 5;
    let mut at = HEADER;
    while let Some(word) = words.get_mut(at) {
        if *word as u16 == Op::FOrdNotEqual as u16 {
            *word = *word & 0xffff_0000 | Op::FUnordNotEqual as u32;
        }
        at += (*word >> 16).max(1) as usize;
    }
}
