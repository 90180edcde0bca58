//! Links a vertex and a fragment program by their varyings. The vertex program must write each varying that the fragment program
//! reads.

use sdlbc::front::{Components, Mask, Part, Stage};

use crate::finding::{Finding, Kind};
use crate::live::{REGISTERS, components, liveness, output_at, written};
use crate::program::{Program, at};
use crate::register::{File, Register, VARYINGS, input};

/// A varying between a vertex program and a fragment program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Varying {
    /// The varying's number, 0 to 12.
    pub number: u8,
    /// The components that the vertex program writes.
    pub written: Mask,
    /// The varying's components that affect an output of the fragment program.
    pub read: Mask,
}

/// Returns the varyings that the vertex program writes or the fragment program reads, in ascending order of their numbers.
pub fn varyings(vertex: &Program, fragment: &Program) -> Vec<Varying> {
    let given = given(vertex);
    let mut wanted = Components::<REGISTERS>::none();
    reads(fragment, |number, _, _, components| wanted.add(output_at(number), components));
    let varying = |number| Varying { number, written: given.of(output_at(number)), read: wanted.of(output_at(number)) };
    (0..VARYINGS).map(varying).filter(|varying| !varying.written.is_empty() || !varying.read.is_empty()).collect()
}

/// Returns, for each register, the components that a vertex program writes.
fn given(vertex: &Program) -> Components<REGISTERS> {
    let mut given = Components::<REGISTERS>::none();
    let writes = vertex.instructions.iter().filter_map(written);
    writes.for_each(|(register, mask)| given.add(Some(register), mask));
    given
}

/// Calls `read` for each source operand that reads a varying. `read` receives the varying's number, the instruction's index, the
/// source's number, and the components that are read.
fn reads(fragment: &Program, mut read: impl FnMut(u8, usize, usize, Mask)) {
    for ((index, instruction), live) in fragment.instructions.iter().enumerate().zip(liveness(fragment)) {
        for (source, operand) in instruction.operands().enumerate() {
            let Some(Register::Varying(number)) = input(Stage::Fragment, operand.index) else { continue };
            let components = components(fragment, instruction, source, live);
            if operand.file == File::Input && !components.is_empty() {
                read(number, index, source, components);
            }
        }
    }
}

/// Returns a finding for each varying that the fragment program reads but the vertex program does not write.
pub(crate) fn unlinked(vertex: &Program, fragment: &Program) -> Vec<Finding> {
    let mut given = given(vertex);
    let mut findings = Vec::new();
    reads(fragment, |number, index, source, components| {
        let register = output_at(number);
        if given.of(register).is_empty() {
            let kind =
                Kind::Unlinked { register: Register::Varying(number).to_string(), components: components.to_string() };
            findings.push(Finding::new(kind, at(index, Part::Source(u8::try_from(source).unwrap_or(0)))));
            given.add(register, Mask::ALL);
        }
    });
    findings
}
