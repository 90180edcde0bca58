//! The registers that instructions read and write, and the components of their results that are read later.
//!
//! There is no control flow, so liveness is one pass from the last instruction to the first.

use sdlbc::front::{Components, Mask};

use crate::opcode::{Format, Opcode, slots};
use crate::program::Program;
use crate::register::{File, Register, Written, output};
use crate::word::{Instruction, Part};

/// The number of registers that hold values while a program runs: temporaries, outputs, the address register.
pub(crate) const REGISTERS: usize = ADDRESS + 1;
/// The number of the first output.
pub(crate) const OUTPUTS: usize = 16;
/// The number of the address register.
pub(crate) const ADDRESS: usize = 32;

/// The number of an output.
pub(crate) fn output_at(index: u8) -> Option<usize> {
    Some(OUTPUTS + usize::from(index))
}

/// The register that an instruction writes, and its components.
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

/// The slots of a source that are needed to compute the components `mask` of the result.
pub(crate) fn slots_of(program: &Program, instruction: &Instruction, source: usize, mask: Mask) -> Mask {
    slots(instruction.op, source, mask, program.dimension(instruction.sampler).coordinate())
}

/// The components of its register that a source reads to compute the components `mask` of the result.
pub(crate) fn components(program: &Program, instruction: &Instruction, source: usize, mask: Mask) -> Mask {
    let slots = slots_of(program, instruction, source, mask).components();
    Mask(slots.fold(0, |set, slot| match instruction.selected(source, slot) {
        (_, Part::Component(component)) => set | 1 << component,
        (_, Part::Zero | Part::One) => set,
    }))
}

/// Calls `read` with each register of a source and its components that are needed to compute the components `mask` of the
/// result; for a relative uniform this is the address register.
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

/// For each instruction, the components of its result that are read later. All outputs count as read; of the point size only x
/// does.
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
