//! A pair of a vertex and a fragment program: its varyings, and the rule that each varying read must be written.

use sdlbc::front::{Components, Mask, Part, Stage};

use crate::finding::{Finding, Kind};
use crate::live::{REGISTERS, components, liveness, output_at, written};
use crate::program::{Program, at};
use crate::register::{File, Register, VARYINGS, input};

/// A varying of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Varying {
    /// The number of the varying.
    pub number: u8,
    /// The components that the vertex program writes.
    pub written: Mask,
    /// The components that an output of the fragment program depends on.
    pub read: Mask,
}

/// The varyings that a program of the pair writes or reads, by number.
pub fn varyings(vertex: &Program, fragment: &Program) -> Vec<Varying> {
    let given = given(vertex);
    let mut wanted = Components::<REGISTERS>::none();
    reads(fragment, |number, _, _, components| wanted.add(output_at(number), components));
    let varying = |number| Varying { number, written: given.of(output_at(number)), read: wanted.of(output_at(number)) };
    (0..VARYINGS).map(varying).filter(|varying| !varying.written.is_empty() || !varying.read.is_empty()).collect()
}

/// The components of outputs that a vertex program writes.
fn given(vertex: &Program) -> Components<REGISTERS> {
    let mut given = Components::<REGISTERS>::none();
    let writes = vertex.instructions.iter().filter_map(written);
    writes.for_each(|(register, mask)| given.add(Some(register), mask));
    given
}

/// Calls `read` for each varying that a fragment program reads, with the index of the instruction, the number of the source,
/// and the components, of which there is at least one.
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

/// Findings about varyings that the fragment program reads and the vertex program does not write at all, one for each.
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
