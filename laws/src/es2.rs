//! The law of the unified-shader instruction set: any bytes and any text get an answer. A program keeps its words and survives a
//! round trip through its text, and it is either refused with findings or becomes a module that verifies. And random programs
//! that are valid.

use es2_front::assemble::assemble;
use es2_front::disassemble::disassemble;
use es2_front::lift::translate;
use es2_front::opcode::Format;
use es2_front::register::{File, SAMPLERS, TARGETS, VARYINGS, Written};
use es2_front::{Destination, Dimension, Extended, Finding, Instruction, Kind, Opcode, Program, Source, Stage};
use es2_front::{validate, word};
use front::{Mask, Swizzle};
use testing::Random;

/// The result of reading some bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// They are not a program.
    Refused,
    /// They are a program that is not valid.
    Read,
    /// They became a module.
    Translated,
}

/// The law for a file or a text.
pub fn es2(file: &[u8]) -> Answer {
    let program = match file.starts_with(b"ES2") {
        true => Program::decode(file).inspect(|program| {
            assert!(file == program.encode(), "the encoded bytes differ from those decoded");
        }),
        false => assemble(&String::from_utf8_lossy(file), None).map(|assembly| {
            assert_eq!(
                assembly.map.instructions.len(),
                assembly.program.instructions.len(),
                "the map has an entry for each"
            );
            assembly.program
        }),
    };
    match program {
        Ok(program) => check(&program),
        Err(findings) => {
            assert!(findings.iter().any(Finding::is_error), "it is refused without an error: {findings:?}");
            check_wording(&findings);
            Answer::Refused
        }
    }
}

/// Checks a program's round trips and its translation.
pub fn check(program: &Program) -> Answer {
    assert_eq!(Program::decode(&program.encode()).as_ref(), Ok(program));
    let findings = validate(program);
    check_wording(&findings);
    let text = disassemble(program);
    let lifted = match translate(&[program]) {
        Ok(lifted) => lifted,
        Err(findings) => {
            assert!(findings.iter().flatten().any(Finding::is_error), "it is refused without an error\n{text}");
            check_wording(&findings.concat());
            return Answer::Read;
        }
    };
    match assemble(&text, Some(program.stage)) {
        Ok(again) => assert_eq!(again.program, *program, "the text assembles to another program\n{text}"),
        Err(findings) => panic!("{findings:?}\n{text}"),
    }
    let module = lifted.module;
    assert_eq!(sdlbc::verify(&module), Ok(()), "\n{text}{}", sdlbc::print(&module));
    Answer::Translated
}

/// Checks that each finding is one line, and that none is an internal error.
fn check_wording(findings: &[Finding]) {
    for finding in findings {
        let message = finding.to_string();
        let is_internal = matches!(finding.kind, Kind::Internal { .. });
        assert!(!message.contains('\n') && !is_internal, "{message}");
    }
}

/// A word of which many are instructions: random bits, of which those that an instruction does not use are often zero.
pub fn word(random: &mut Random) -> u64 {
    let word = random.next();
    if random.once_in(4) {
        return word;
    }
    let op = random.pick(Opcode::ALL);
    let instruction = instruction(random, Stage::Fragment, op, &|random| (File::Temporary, random.below(16) as u8));
    instruction.encode() ^ if random.once_in(4) { 1 << random.below(64) } else { 0 }
}

fn extended(random: &mut Random) -> Extended {
    if !random.once_in(4) {
        return Extended::IDENTITY;
    }
    let part = |random: &mut Random| match random.below(6) {
        4 => word::Part::Zero,
        5 => word::Part::One,
        component => word::Part::Component(component as u8),
    };
    Extended::of(std::array::from_fn(|_| (random.once_in(3), part(random))))
}

/// An instruction whose registers are chosen by `register`.
fn instruction(
    random: &mut Random,
    stage: Stage,
    op: Opcode,
    register: &dyn Fn(&mut Random) -> (File, u8),
) -> Instruction {
    let row = op.row();
    if row.format == Format::Bare {
        return Instruction::NOP;
    }
    let mut instruction = Instruction { op, ..Instruction::NOP };
    let last = if stage == Stage::Vertex { VARYINGS } else { 1 };
    instruction.destination = match row.format {
        _ if op == Opcode::Arl => Destination::ADDRESS,
        Format::External => Destination { written: Written::Temporary, index: random.below(16) as u8, mask: Mask::ALL },
        _ => {
            let is_output = random.once_in(6);
            let index = random.below(if is_output { last.into() } else { 16 }) as u8;
            let written = if is_output { Written::Output } else { Written::Temporary };
            Destination { written, index, mask: Mask(random.below(15) as u8 + 1) }
        }
    };
    let mut is_uniform = false;
    for source in instruction.sources.iter_mut().take(row.sources.into()) {
        let (file, index) = register(random);
        is_uniform |= file.is_uniform();
        let swizzle = if random.once_in(2) { Swizzle::IDENTITY } else { Swizzle(random.next() as u8) };
        *source = Source { file, index, swizzle, negate: random.once_in(4) };
    }
    instruction.bank = if is_uniform { random.below(8) as u8 } else { 0 };
    if row.format.has_extended() {
        instruction.extended = extended(random);
    }
    if row.format == Format::External {
        instruction.sampler = random.below(SAMPLERS.into()) as u8;
    }
    instruction
}

/// A valid program of about `length` instructions.
pub fn program(random: &mut Random, stage: Stage, length: usize) -> Program {
    let mut program = Program::new(stage);
    let dimensions: [Dimension; 8] = std::array::from_fn(|_| random.pick(&Dimension::ALL));
    let targets = if random.once_in(2) { 0 } else { 1 + random.below(TARGETS.into()) as u8 };
    let mut has_address = false;
    for _ in 0..length {
        let op = random.pick(Opcode::ALL);
        let register = |random: &mut Random| match random.below(6) {
            0 => (File::Uniform, random.below(16) as u8),
            1 if has_address => (File::Relative, random.below(16) as u8),
            1 | 2 => (File::Input, random.below(16) as u8),
            _ => (File::Temporary, random.below(16) as u8),
        };
        let mut instruction = instruction(random, stage, op, &register);
        if stage == Stage::Fragment && instruction.destination.written == Written::Output {
            instruction.destination.index = if targets == 0 { 15 } else { random.below(targets.into()) as u8 };
        }
        has_address |= op == Opcode::Arl;
        if op == Opcode::Tex {
            let sampler = usize::from(instruction.sampler);
            program.dimensions[sampler] = dimensions[sampler];
        }
        program.instructions.push(instruction);
    }
    // What must be written.
    let last = match (stage, targets) {
        (Stage::Vertex, _) | (Stage::Fragment, 0) => 15,
        (Stage::Fragment, targets) => targets - 1,
    };
    let from = |random: &mut Random| (File::Temporary, random.below(16) as u8);
    let mut end = instruction(random, stage, Opcode::Mov, &from);
    end.destination = Destination { written: Written::Output, index: last, mask: Mask::ALL };
    program.instructions.push(end);
    program
}

/// A random program of some length in some stage, which is valid.
pub fn program_of(seed: u64) -> Program {
    let mut random = Random::of(seed, &[15]);
    let stage = random.pick(&[Stage::Vertex, Stage::Fragment]);
    let length = 1 + random.below(40);
    program(&mut random, stage, length)
}

/// The module of a random program.
pub fn module_of(seed: u64) -> sdlbc::Module {
    translate(&[&program_of(seed)]).map(|lifted| lifted.module).unwrap_or_default()
}
