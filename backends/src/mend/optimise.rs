//! Optimises the SPIR-V that naga has written: makes it shorter without changing a result.
//!
//! naga writes each expression separately: an address for each use, a structure of all outputs that is decomposed at once,
//! a block for the arguments and another for the code. Where a different naga module avoids such code, `lower` builds that
//! module; this pass over the words removes the rest:
//!
//! 1. `blocks` joins consecutive blocks, and finds dominators.
//! 2. `walk`, forwards: value numbering removes repeated computations and loads (`value_numbers`), local variables become
//!    values (`variables`), and vectors that are decomposed and rebuilt stay whole (`lanes`).
//! 3. `peephole`, backwards: unused instructions are removed, and some groups of instructions become one instruction.
//!    Types and constants are added as needed, and removed if they are unused (`declarations`).
//! 4. `write` writes the remaining instructions, with consecutive ids.
//!
//! Each step takes time in proportion to the words. So the pass does not use rspirv's modules, as `combined.rs` does:
//! they allocate several times for each instruction, and finding a definition takes a map. Here an instruction is
//! represented by the range of its words (`code`), and one table has the data of each id, with its number of uses.
//!
//! The pass keeps the names and decorations of remaining ids, and the whole interface: variables, the types that have
//! names or decorations, and entry points. A module with an instruction that the pass does not know (`shape`), whose
//! names and decorations are not contiguous, or whose blocks are in an unexpected order, stays unchanged.
//!
//! Upstream fault `joined_blocks`: `Writer::write_function` in `back/spv/writer.rs` writes a block for arguments and variables,
//! and one for the code, with a branch between them.

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

use blocks::Blocks;
use code::Code;
use declarations::Declarations;

/// Returns shorter SPIR-V with the same meaning, or the same words if the pass does not know an instruction.
pub(crate) fn optimise(mut words: Vec<u32>) -> Vec<u32> {
    let Some(mut code) = Code::parse(&words) else { return words };
    code.order_locals(&mut words);
    code.words = words;
    blocks::join(&mut code);
    let Some(blocks) = Blocks::new(&code) else { return code.words };
    // The walk changes the words, and can fail only because of variables.
    let before = if code.locals.is_empty() { Vec::new() } else { code.words.clone() };
    let Some(mut phis) = walk::walk(&mut code, &blocks) else { return before };
    let mut declared = Declarations::default();
    variables::retain_used(&mut code, &mut declared, &mut phis);
    peephole::walk_back(&mut code, &mut declared);
    declared.remove_unused(&mut code);
    write::write(code, &blocks, &declared.added, &phis)
}
