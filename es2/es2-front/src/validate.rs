//! Checks programs against the rules of the instruction set, and warns about unwritten temporaries and unused results.

use sdlbc::front::{Components, FindingPlace, Mask, Part};

use crate::finding::{Finding, Findings, Kind};
use crate::link::unlinked;
use crate::live::{ADDRESS, OUTPUTS, REGISTERS, liveness, output_at, reads, written};
use crate::opcode::Opcode;
use crate::program::{HEADER_BYTES, Program, WORD_BYTES, at};
use crate::register::{POINT_SIZE, POSITION, Register, Written, output};
use sdlbc::front::Stage;

/// Checks a program, and returns its errors and warnings.
pub fn validate(program: &Program) -> Vec<Finding> {
    let mut findings = Findings::default();
    let mut assigned = Components::<REGISTERS>::none();
    let live = liveness(program);
    let (mut colour, mut data) = (None, None);
    for ((index, instruction), live) in program.instructions.iter().enumerate().zip(live) {
        let mut report = |part, kind| findings.push(Finding::new(kind, at(index, part)));
        let Some((register, mask)) = written(instruction) else { continue };
        let destination = instruction.destination;
        if mask.is_empty() {
            report(Part::Destination, Kind::EmptyMask);
        }
        for source in 0..instruction.sources.len() {
            let part = Part::Source(u8::try_from(source).unwrap_or(0));
            reads(program, instruction, source, mask, |register, components| {
                let lacks = Mask(components.0 & !assigned.of(Some(register)).0);
                if lacks.is_empty() {
                    return;
                }
                let kind = match register {
                    ADDRESS => Kind::NoAddress,
                    _ => Kind::Unwritten { register: format!("r{register}"), components: lacks.to_string() },
                };
                report(part, kind);
                assigned.add(Some(register), lacks);
            });
        }
        if instruction.op != Opcode::Arl && destination.written == Written::Output {
            match output(program.stage, destination.index) {
                Some(Register::Colour) => colour = colour.or(Some(index)),
                Some(Register::Data(_)) => data = data.or(Some(index)),
                Some(_) => {}
                None => {
                    let stage = program.stage.name();
                    report(Part::Destination, Kind::NoOutput { index: destination.index, stage });
                }
            }
        }
        let exists = register < OUTPUTS || register == ADDRESS || output(program.stage, destination.index).is_some();
        if live.is_empty() && !mask.is_empty() && exists {
            report(Part::Operation, Kind::Unused);
        }
        assigned.add(Some(register), mask);
    }
    let end = FindingPlace::byte(HEADER_BYTES + WORD_BYTES * program.instructions.len());
    match program.stage {
        Stage::Vertex => {
            let missing = Mask(Mask::ALL.0 & !assigned.of(output_at(POSITION)).0);
            if !missing.is_empty() {
                findings.push(Finding::new(Kind::NoPosition { missing: missing.to_string() }, end));
            }
            let size = assigned.of(output_at(POINT_SIZE));
            if !size.is_empty() && !size.has(0) {
                findings.push(Finding::new(Kind::NoPointSize, end));
            }
        }
        Stage::Fragment => match (colour, data) {
            (Some(colour), Some(data)) => {
                findings.push(Finding::new(Kind::ColourAndData, at(colour.max(data), Part::Destination)));
            }
            (None, None) => findings.push(Finding::new(Kind::NoColour, end)),
            _ => {}
        },
    }
    findings.into_list()
}

/// Returns the findings of each program. For a vertex and a fragment program, in either order, the fragment program's findings
/// include those about varyings.
pub fn validate_all(programs: &[&Program]) -> Vec<Vec<Finding>> {
    let mut findings: Vec<Vec<Finding>> = programs.iter().map(|program| validate(program)).collect();
    let of = |stage| programs.iter().position(|program| program.stage == stage);
    if let (Some(vertex), Some(fragment)) = (of(Stage::Vertex), of(Stage::Fragment))
        && let (Some(given), Some(reads), Some(found)) =
            (programs.get(vertex), programs.get(fragment), findings.get_mut(fragment))
    {
        found.extend(unlinked(given, reads));
    }
    findings
}
