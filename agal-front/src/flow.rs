//! Computes the register components that a token reads and writes, for validation, liveness and lifting.
//!
//! A component-wise operation computes destination component i from slot i of each source's swizzle. Other operations, such as
//! dot products and matrix products, read fixed slots regardless of the write mask.

use std::collections::BTreeMap;

use crate::opcode::{Meaning, Operand, Row};
use crate::program::Program;
use crate::register::{File, Stage};
use crate::token::{Mask, Sampler, Token};

pub(crate) type Register = (File, u32);

/// Returns the components in the token's write mask that the operation yields.
#[inline]
pub(crate) fn written(token: &Token) -> Mask {
    token.row().map_or(Mask(0), |row| Mask(token.dst().mask.0 & row.yields.0))
}

/// Returns the register that the token writes, or `None` if its operation has no destination.
#[inline]
pub(crate) fn destination(token: &Token) -> Option<Register> {
    let writes = token.row().is_some_and(|row| row.destination);
    let file = token.dst().register_file().filter(|_| writes)?;
    Some((file, u32::from(token.dst().number)))
}

/// Returns the written components of the token's result, or all four components for an operation without a destination.
#[inline]
pub(crate) fn whole(token: &Token) -> Mask {
    if token.row().is_some_and(|row| row.destination) { written(token) } else { Mask::ALL }
}

/// Returns the components that the operation yields, regardless of the write mask.
pub(crate) fn unmasked(token: &Token) -> Mask {
    match token.row().map(|row| row.meaning) {
        Some(Meaning::Matrix { rows, .. }) => low(rows),
        _ => Mask::ALL,
    }
}

/// Returns 3, the swizzle slot of the level of detail, for a `ted` token. Returns `None` for other tokens. Also returns `None` if
/// the fourth slot equals the third, because the fourth slot is then taken for a repetition: a swizzle with fewer letters repeats
/// its last letter.
#[inline]
pub(crate) fn level_slot(token: &Token) -> Option<u8> {
    let swizzle = token.src(0).swizzle;
    let takes = token.row().is_some_and(|row| row.meaning == Meaning::TextureLevel);
    (takes && swizzle.component(3) != swizzle.component(2)).then_some(3)
}

/// Returns the swizzle slots of source operand `slot` (0 or 1) that are used to compute the components `mask` of the result.
pub(crate) fn slots(token: &Token, slot: usize, mask: Mask) -> Mask {
    token.row().map_or(Mask(0), |row| slots_of(token, row, slot, mask))
}

/// Returns the result of [`slots`] for a token whose row in the opcode table is already known.
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

#[inline]
pub(crate) const fn low(count: u8) -> Mask {
    Mask((1u8 << count) - 1)
}

/// Calls `read` with each register that source `slot` reads and the components of this register that are needed to compute the
/// components `mask` of the result. An indirect source also reads its index register.
#[inline]
pub(crate) fn reads(token: &Token, slot: usize, mask: Mask, read: impl FnMut(Register, Mask)) {
    if let Some(row) = token.row() {
        reads_of(token, row, slot, mask, read);
    }
}

/// Calls `read` as [`reads`] does, for a token whose row in the opcode table is already known.
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

/// The tokens that use a register. Each entry has the index of a token and the components that the token uses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Uses {
    /// The tokens that write the register.
    pub written: Vec<(usize, Mask)>,
    /// The tokens that read the register. A sampler counts as read with all four components.
    pub read: Vec<(usize, Mask)>,
}

/// Finds the tokens that read or write a register.
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

/// Reports whether sampling depends on the derivatives of the coordinate, because of mip levels, an anisotropic filter, or a
/// sampler state that the application sets.
pub(crate) fn has_levels(sampler: Sampler) -> bool {
    sampler.mip != 0 || sampler.filter > 1 || sampler.special & Sampler::IGNORE != 0
}

/// Returns the state of each sampler, keyed by the sampler's number. The state is taken from the sampler's first use, even if
/// the result of that use is not read.
pub(crate) fn samplers(program: &Program) -> BTreeMap<u16, Sampler> {
    let textures = program.tokens.iter().filter(|token| token.operand(1) == Operand::Sampler);
    let mut samplers = BTreeMap::new();
    for sampler in textures.map(Token::sampler) {
        samplers.entry(sampler.number).or_insert(sampler);
    }
    samplers
}

/// The number of registers that are tracked in bit sets and SSA: temporaries, outputs, varyings, depth, and the discard flag.
pub(crate) const REGISTERS: usize = DISCARD_FLAG + 1;
const TEMPORARIES: u32 = 32;
const OUTPUTS: u32 = 4;
/// The number of tracked varyings. Every AGAL version has fewer varyings.
pub(crate) const VARYINGS: u32 = 16;
pub(crate) const DISCARD_FLAG: usize = (TEMPORARIES + OUTPUTS + VARYINGS + 1) as usize;

/// Returns the index of a register that is tracked in bit sets and SSA. The result is `None` for files that are not tracked and
/// for numbers that no version has.
#[inline]
pub(crate) fn register_index((file, number): Register) -> Option<usize> {
    // The first index and the number of registers of each file, indexed by the file's number.
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

pub(crate) type Components = sdlbc::front::Components<REGISTERS>;

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
