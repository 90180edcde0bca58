//! Runs the checks that the player performs when it links a vertex and a fragment program, in the order of Adobe's own
//! checker.
//!
//! A pair must have one program of each stage. The vertex program must write all varyings that the fragment program reads, and
//! the outputs of both programs must be complete.

use crate::disassemble::register;
use crate::finding::{self, Finding, FindingPlace, Kind, Part};
use crate::flow::{self, Register, VARYINGS, outputs, reads, register_index, unmasked, whole};
use crate::program::Program;
use crate::register::{File, Stage};
use crate::rules::Rules;
use crate::token::Mask;
use crate::validate::{Validated, validate};

/// The use of a varying by the two programs of a pair.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Varying {
    /// The varying's number in its register file.
    pub number: u32,
    /// The components that the vertex program writes on at least one path.
    pub written: Mask,
    /// The components that the fragment program's operations use.
    pub read: Mask,
    /// The components that the fragment program's swizzles name, which the player counts as read. The swizzle of a matrix operand
    /// counts for every row of the matrix, regardless of the write mask.
    pub named: Mask,
}

/// Returns the varyings that a pair uses, in ascending order of their numbers.
pub fn varyings(vertex: &Program, fragment: &Program) -> Vec<Varying> {
    let mut all: Vec<Varying> = (0..VARYINGS).map(|number| Varying { number, ..Varying::default() }).collect();
    for token in &vertex.tokens {
        if let Some((File::Varying, number)) = flow::destination(token)
            && let Some(varying) = all.get_mut(number as usize)
        {
            varying.written.0 |= flow::written(token).0;
        }
    }
    for token in &fragment.tokens {
        for slot in 0..2 {
            let named = token.src(slot).swizzle.reads(Mask::ALL);
            reads(token, slot, whole(token), |(file, number), read| {
                if let (File::Varying, Some(varying)) = (file, all.get_mut(number as usize)) {
                    varying.read.0 |= read.0;
                }
            });
            reads(token, slot, unmasked(token), |(file, number), _| {
                if let (File::Varying, Some(varying)) = (file, all.get_mut(number as usize)) {
                    varying.named.0 |= named.0;
                }
            });
        }
    }
    all.retain(|varying| !varying.written.is_empty() || !varying.named.is_empty());
    all
}

/// Returns the register components that every path through a program writes.
///
/// ```
/// use agal_front::assemble::assemble;
/// use agal_front::link::assigned;
/// use agal_front::register::File;
/// use agal_front::token::Mask;
///
/// let text = "mov oc.xyz, v0\nifg v0.x, v0.y\nmov oc.w, v0\neif";
/// let program = assemble(text, &Default::default()).expect("a program").program;
/// assert_eq!(assigned(&program, File::Output, 0), Mask(7));
/// ```
pub fn assigned(program: &Program, file: File, number: u32) -> Mask {
    validate(program, &Rules::default()).assigned.of(register_index((file, number)))
}

/// Returns the findings about the linkage of a pair, or about the outputs of a single program. Each finding comes with the index
/// of its program.
pub(crate) fn link(programs: &[&Program], validated: &[Validated]) -> Vec<(usize, Finding)> {
    let last = programs.len().saturating_sub(1);
    let at = |stage| {
        let mut each = programs.iter().copied().zip(validated).enumerate();
        each.find(|(_, (program, _))| program.stage == stage)
    };
    let mut findings = Vec::new();
    if let [first, second] = programs
        && first.stage == second.stage
    {
        findings.push((last, Finding::new(Kind::PairStages { stage: first.stage }, FindingPlace::default())));
        return findings;
    }
    let (vertex, fragment) = (at(Stage::Vertex), at(Stage::Fragment));
    let mut pair_varyings = Vec::new();
    if let (Some((_, (vertex, validated))), Some((_, (fragment, _)))) = (vertex, fragment) {
        // Collecting the fragment program's reads takes time and is necessary only if a varying is missing.
        let is_missing = |(number, named): (u32, Mask)| {
            named.0 & !validated.written.of(register_index((File::Varying, number))).0 != 0
        };
        if (0..).zip(named(fragment)).any(is_missing) {
            pair_varyings = varyings(vertex, fragment);
        }
    }
    for number in 0..VARYINGS {
        if let Some((index, (program, _))) = fragment
            && let Some(varying) = pair_varyings.iter().find(|varying| varying.number == number)
        {
            findings.extend(unwritten(program, varying).map(|finding| (index, finding)));
        }
        let output = (File::Varying, number);
        if let Some((index, (program, validated))) = vertex
            && let Some(lacks) = lacking(validated, output)
        {
            findings.push((index, incomplete(program, validated, output, lacks)));
        }
    }
    for (index, (program, validated)) in [fragment, vertex].into_iter().flatten() {
        let outputs = outputs(program.stage).filter(|(file, _)| *file != File::Varying);
        for output in outputs {
            if let Some(lacks) = lacking(validated, output) {
                findings.push((index, incomplete(program, validated, output, lacks)));
            }
        }
    }
    if let (Some((_, (vertex, _))), Some((_, (fragment, _)))) = (vertex, fragment)
        && vertex.version != fragment.version
    {
        let kind = Kind::PairVersions { vertex: vertex.version, fragment: fragment.version };
        findings.push((last, Finding::new(kind, FindingPlace::default())));
    }
    findings
}

/// Returns, for each varying, the components that a fragment program's swizzles name.
fn named(fragment: &Program) -> [Mask; VARYINGS as usize] {
    let mut all = [Mask(0); VARYINGS as usize];
    for token in &fragment.tokens {
        for slot in 0..2 {
            let source = token.src(slot);
            if !source.indirect && source.register_file() != Some(File::Varying) {
                continue;
            }
            reads(token, slot, unmasked(token), |(file, number), _| {
                if let (File::Varying, Some(named)) = (file, all.get_mut(number as usize)) {
                    named.0 |= source.swizzle.reads(Mask::ALL).0;
                }
            });
        }
    }
    all
}

/// Finds the first read of varying components that the vertex program does not write.
fn unwritten(fragment: &Program, varying: &Varying) -> Option<Finding> {
    let number = varying.number;
    let lacks = Mask(varying.named.0 & !varying.written.0);
    if lacks.is_empty() {
        return None;
    }
    let name = register(File::Varying, number, Stage::Fragment);
    let kind = match varying.written.is_empty() && !varying.read.is_empty() {
        true => Kind::VaryingNotWritten { register: name },
        false => Kind::VaryingPartNotWritten { register: name, components: lacks.to_string() },
    };
    let mut found = None;
    for (index, token) in fragment.tokens.iter().enumerate() {
        for slot in 0..2u8 {
            let named = token.src(usize::from(slot)).swizzle.reads(Mask::ALL);
            reads(token, usize::from(slot), unmasked(token), |register, _| {
                if register == (File::Varying, number) && named.0 & lacks.0 != 0 && found.is_none() {
                    found = Some(finding::at_token(index, Part::Source(slot)));
                }
            });
        }
    }
    found.map(|place| Finding::new(kind, place))
}

fn all((file, _): Register) -> Mask {
    if file == File::Depth { Mask(1) } else { Mask::ALL }
}

/// Returns the output components that some path leaves unwritten, or `None` if the output is complete or not required. The first
/// output of a stage is required. Any other output is required if the program writes any of its components.
#[inline]
fn lacking(validated: &Validated, output: Register) -> Option<Mask> {
    let index = register_index(output);
    let lacks = Mask(all(output).0 & !validated.assigned.of(index).0);
    let required = output == (File::Output, 0) || !validated.written.of(index).is_empty();
    (required && !lacks.is_empty()).then_some(lacks)
}

/// Creates the finding about an output that some path leaves incomplete.
#[cold]
fn incomplete(program: &Program, validated: &Validated, output: Register, lacks: Mask) -> Finding {
    let (file, number) = output;
    // The player requires each component to be written on some path, not on every path.
    let missing = Mask(all(output).0 & !validated.written.of(register_index(output)).0);
    let register = register(file, number, program.stage);
    let on_some_paths = missing.is_empty();
    let missing = if on_some_paths { lacks } else { missing }.to_string();
    let kind = match (file, program.stage) {
        _ if on_some_paths => Kind::OutputOnSomePaths { register, missing },
        (File::Varying, _) => Kind::IncompleteVarying { register, missing },
        (_, Stage::Vertex) => Kind::IncompletePosition { missing },
        (_, Stage::Fragment) => Kind::IncompleteColour { register, missing },
    };
    Finding::new(kind, finding::at_end(program.tokens.len()))
}
