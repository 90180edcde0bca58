//! Determines which registers instructions read and write, and which components of their results are read later.
//!
//! Programs have no control flow, so liveness analysis is one pass from the last instruction to the first.

use sdlbc::front::{Components, Mask};

use crate::opcode::{Format, Opcode, slots};
use crate::program::Program;
use crate::register::{File, Register, Written, output};
use crate::word::{Instruction, Part};

/// The number of registers in the register file: temporaries, outputs and the address register.
pub(crate) const REGISTERS: usize = ADDRESS + 1;
/// The first output's number in the register file.
pub(crate) const OUTPUTS: usize = 16;
/// The address register's number in the register file.
pub(crate) const ADDRESS: usize = 32;

pub(crate) fn output_at(index: u8) -> Option<usize> {
    Some(OUTPUTS + usize::from(index))
}

/// Returns the register that an instruction writes, with the written components, or `None` for NOP.
pub(crate) fn written(instruction: &Instruction) -> Option<(usize, Mask)> {
    let destination = instruction.destination;
    match instruction.op {
        op if op.row().format == Format::Bare => None,
        Opcode::Arl => Some((ADDRESS, Mask(1))),
        _ => {
            let first = if destination.written == Written::Output { OUTPUTS } else { 0 };
            Some((first + usize::from(destination.index & 15), destination.mask))
        }
    }
}

/// Returns the slots of a source that are needed to compute the components `mask` of an instruction's result.
pub(crate) fn slots_of(program: &Program, instruction: &Instruction, source: usize, mask: Mask) -> Mask {
    slots(instruction.op, source, mask, program.dimension(instruction.sampler).coordinate())
}

/// Returns the register components that a source reads to compute the components `mask` of the result.
pub(crate) fn components(program: &Program, instruction: &Instruction, source: usize, mask: Mask) -> Mask {
    let slots = slots_of(program, instruction, source, mask).components();
    Mask(slots.fold(0, |set, slot| match instruction.selected(source, slot) {
        (_, Part::Component(component)) => set | 1 << component,
        (_, Part::Zero | Part::One) => set,
    }))
}

/// Calls `read` if a source reads a temporary or the address register. `read` receives the register, and the components that are
/// needed to compute the components `mask` of the result. Only a relative uniform reads the address register.
pub(crate) fn reads(
    program: &Program,
    instruction: &Instruction,
    source: usize,
    mask: Mask,
    mut read: impl FnMut(usize, Mask),
) {
    let Some(of) = instruction.sources.get(source) else { return };
    let components = components(program, instruction, source, mask);
    match of.file {
        _ if components.is_empty() => {}
        File::Temporary => read(of.index.into(), components),
        File::Relative => read(ADDRESS, Mask(1)),
        File::Input | File::Uniform => {}
    }
}

/// Returns, for each instruction, the components of its result that are read later. All components of outputs count as read,
/// except y, z and w of the point size.
pub(crate) fn liveness(program: &Program) -> Vec<Mask> {
    let mut live = Components::<REGISTERS>::none();
    for index in 0..16 {
        let mask = match output(program.stage, index) {
            Some(Register::PointSize) => Mask(1),
            Some(_) => Mask::ALL,
            None => Mask(0),
        };
        live.add(output_at(index), mask);
    }
    let mut results = vec![Mask(0); program.instructions.len()];
    for (instruction, result) in program.instructions.iter().zip(&mut results).rev() {
        let Some((register, mask)) = written(instruction) else { continue };
        *result = live.take(Some(register), mask);
        if !result.is_empty() {
            for source in 0..instruction.sources.len() {
                reads(program, instruction, source, *result, |register, mask| live.add(Some(register), mask));
            }
        }
    }
    results
}
