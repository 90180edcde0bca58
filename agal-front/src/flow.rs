//! Components of registers that a token reads and writes: the component rule, defined once for validation, liveness and lifting.
//!
//! A component-wise operation computes destination component i from slot i of each source's swizzle; other operations read fixed
//! slots (dot products, matrices) regardless of the mask.

use std::collections::BTreeMap;

use crate::opcode::{Meaning, Operand, Row};
use crate::program::Program;
use crate::register::{File, Stage};
use crate::token::{Mask, Sampler, Token};

/// A register: its file and number.
pub(crate) type Register = (File, u32);

/// The components that the token writes, if its operation yields them.
#[inline]
pub(crate) fn written(token: &Token) -> Mask {
    token.row().map_or(Mask(0), |row| Mask(token.dst().mask.0 & row.yields.0))
}

/// The register that the token writes, if its operation writes one.
#[inline]
pub(crate) fn destination(token: &Token) -> Option<Register> {
    let writes = token.row().is_some_and(|row| row.destination);
    let file = token.dst().register_file().filter(|_| writes)?;
    Some((file, u32::from(token.dst().number)))
}

/// The components of the whole result: the written ones, or all for an operation without a destination.
#[inline]
pub(crate) fn whole(token: &Token) -> Mask {
    if token.row().is_some_and(|row| row.destination) { written(token) } else { Mask::ALL }
}

/// The components that the operation yields, regardless of the mask.
pub(crate) fn unmasked(token: &Token) -> Mask {
    match token.row().map(|row| row.meaning) {
        Some(Meaning::Matrix { rows, .. }) => low(rows),
        _ => Mask::ALL,
    }
}

/// The swizzle slot with the level of detail of `ted`, if any: the fourth. There is none if the fourth slot repeats the third,
/// because text that names fewer components repeats the last one.
#[inline]
pub(crate) fn level_slot(token: &Token) -> Option<u8> {
    let swizzle = token.src(0).swizzle;
    let takes = token.row().is_some_and(|row| row.meaning == Meaning::TextureLevel);
    (takes && swizzle.component(3) != swizzle.component(2)).then_some(3)
}

/// The swizzle positions of the source operand `slot` (0 or 1) that are used to compute the components `mask` of the result.
pub(crate) fn slots(token: &Token, slot: usize, mask: Mask) -> Mask {
    token.row().map_or(Mask(0), |row| slots_of(token, row, slot, mask))
}

/// The swizzle slots of a source that are used, for a token whose row is known.
#[inline]
pub(crate) fn slots_of(token: &Token, row: &Row, slot: usize, mask: Mask) -> Mask {
    match row.source(slot) {
        Operand::None | Operand::Sampler => Mask(0),
        Operand::Coordinate => {
            let level = level_slot(token).map_or(0, |slot| 1 << slot);
            Mask(low(token.sampler().coordinate_components()).0 | level)
        }
        _ if !row.reads.is_empty() => row.reads,
        _ if row.meaning == Meaning::Cross => mask.of_cross(),
        _ => mask,
    }
}

/// The set of the first `count` components.
#[inline]
pub(crate) const fn low(count: u8) -> Mask {
    Mask((1u8 << count) - 1)
}

/// Calls `read` with each register of source `slot` and its components that are used to compute the components `mask` of the
/// result; for an indirect source that is the index register.
#[inline]
pub(crate) fn reads(token: &Token, slot: usize, mask: Mask, read: impl FnMut(Register, Mask)) {
    if let Some(row) = token.row() {
        reads_of(token, row, slot, mask, read);
    }
}

/// Calls `read` as [`reads`] does, for a token whose row is known.
#[inline]
pub(crate) fn reads_of(token: &Token, row: &Row, slot: usize, mask: Mask, mut read: impl FnMut(Register, Mask)) {
    let slots = slots_of(token, row, slot, mask);
    if slots.is_empty() {
        return;
    }
    let source = token.src(slot);
    if source.indirect {
        if let Some(file) = source.index_register_file() {
            read((file, u32::from(source.number)), Mask(1 << source.index_component));
        }
        return;
    }
    let Some(file) = source.register_file() else { return };
    let (number, components) = (u32::from(source.number), source.swizzle.reads(slots));
    match row.source(slot) {
        Operand::Matrix => mask.components().for_each(|row| read((file, number + u32::from(row)), components)),
        _ => read((file, number), components),
    }
}

/// The tokens that write and that read a register, by their indices, with its components.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Uses {
    /// Tokens that write the register.
    pub written: Vec<(usize, Mask)>,
    /// Tokens that read the register. A register that is an index or a texture counts as read with all components.
    pub read: Vec<(usize, Mask)>,
}

/// Uses of a register in a program.
///
/// ```
/// use agal_front::assemble::assemble;
/// use agal_front::register::File;
/// use agal_front::token::Mask;
///
/// let program = assemble("mov ft2.xy, v0\nmov oc, ft2.xxyy", &Default::default()).expect("a program").program;
/// let uses = agal_front::uses(&program, File::Temporary, 2);
/// assert_eq!((uses.written, uses.read), (vec![(0, Mask(3))], vec![(1, Mask(3))]));
/// ```
pub fn uses(program: &Program, file: File, number: u32) -> Uses {
    let mut uses = Uses::default();
    for (index, token) in program.tokens.iter().enumerate() {
        if destination(token) == Some((file, number)) {
            uses.written.push((index, written(token)));
        }
        let mut read = Mask(0);
        for slot in 0..2 {
            reads(token, slot, whole(token), |register, mask| {
                if register == (file, number) {
                    read = Mask(read.0 | mask.0);
                }
            });
        }
        if file == File::Sampler && token.operand(1) == Operand::Sampler && u32::from(token.sampler().number) == number
        {
            read = Mask::ALL;
        }
        if !read.is_empty() {
            uses.read.push((index, read));
        }
    }
    uses
}

/// Whether a sampler's level or footprint is chosen from the coordinate's derivatives. Without mip levels the same filter applies
/// to magnification and minification, so the level does not matter; a state that the application sets may have mip levels.
pub(crate) fn has_levels(sampler: Sampler) -> bool {
    sampler.mip != 0 || sampler.filter > 1 || sampler.special & Sampler::IGNORE != 0
}

/// The state of each sampler by number: that of its first use in the program, even if the result is not read.
pub(crate) fn samplers(program: &Program) -> BTreeMap<u16, Sampler> {
    let textures = program.tokens.iter().filter(|token| token.operand(1) == Operand::Sampler);
    let mut samplers = BTreeMap::new();
    for sampler in textures.map(Token::sampler) {
        samplers.entry(sampler.number).or_insert(sampler);
    }
    samplers
}

/// Registers with values while a program runs, numbered for bit sets and SSA: temporaries, then the output registers, then the flag
/// for fragments that will be discarded.
pub(crate) const REGISTERS: usize = DISCARD_FLAG + 1;
const TEMPORARIES: u32 = 32;
const OUTPUTS: u32 = 4;
/// More varyings than any version has.
pub(crate) const VARYINGS: u32 = 16;
/// The register of the discard flag.
pub(crate) const DISCARD_FLAG: usize = (TEMPORARIES + OUTPUTS + VARYINGS + 1) as usize;

/// The index of a register with a value; `None` for the other files and for numbers that no version has.
#[inline]
pub(crate) fn register_index((file, number): Register) -> Option<usize> {
    // For each file, the index of its first register, and its number of registers.
    const PLACES: [(u32, u32); File::ALL.len()] = [
        (0, 0),
        (0, 0),
        (0, TEMPORARIES),
        (TEMPORARIES, OUTPUTS),
        (TEMPORARIES + OUTPUTS, VARYINGS),
        (0, 0),
        (TEMPORARIES + OUTPUTS + VARYINGS, 1),
        (0, 0),
    ];
    let &(base, count) = PLACES.get(file as usize)?;
    (number < count).then_some((base + number) as usize)
}

/// A set of register components.
pub(crate) type Components = sdlbc::front::Components<REGISTERS>;

/// The registers that programs of a stage output.
pub(crate) fn outputs(stage: Stage) -> impl Iterator<Item = Register> {
    let files: &[(File, u32)] = match stage {
        Stage::Vertex => &[(File::Output, 1), (File::Varying, VARYINGS)],
        Stage::Fragment => &[(File::Output, OUTPUTS), (File::Depth, 1)],
    };
    files.iter().flat_map(|&(file, count)| (0..count).map(move |number| (file, number)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::register::VERSIONS;

    #[test]
    fn every_register_that_can_be_written_has_an_index_of_its_own() {
        let mut used = std::collections::HashSet::new();
        for file in [File::Temporary, File::Output, File::Varying, File::Depth] {
            let count = |stage| VERSIONS.map(|version| file.count(stage, version)).max().unwrap_or(0);
            for number in 0..count(Stage::Vertex).max(count(Stage::Fragment)) {
                let index = register_index((file, number)).expect("an index");
                assert!(index < DISCARD_FLAG && used.insert(index), "{file:?} {number}");
            }
        }
    }
}
