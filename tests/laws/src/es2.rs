//! The law of the unified-shader instruction set: any bytes or text are either rejected with findings or translated to a valid
//! module. A program that can be decoded keeps its words when it is encoded again, and survives a round trip through its text.
//!
//! This file also generates random valid programs.

use std::cell::Cell;

use es2_front::assemble::assemble;
use es2_front::disassemble::disassemble;
use es2_front::lift::translate;
use es2_front::opcode::Format;
use es2_front::register::{File, SAMPLERS, TARGETS, VARYINGS, Written};
use es2_front::{Destination, Dimension, Extended, Finding, Instruction, Kind, Opcode, Program, Source, Stage};
use es2_front::{validate, word};
use sdlbc::front::{Mask, Swizzle};
use testing::Random;

/// The result of reading and translating a program of the unified-shader set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The bytes are not a program.
    Refused,
    /// The bytes are a program that violates a rule of the instruction set.
    Read,
    /// The bytes were translated to a module.
    Translated,
}

/// Checks the law of the unified-shader set for a program's file or text.
pub fn es2(file: &[u8]) -> Answer {
    let program = match file.starts_with(b"ES2") {
        true => Program::decode(file).inspect(|program| {
            assert!(file == program.encode(), "the encoded bytes differ from those decoded");
        }),
        false => assemble(&String::from_utf8_lossy(file), None).map(|assembly| {
            assert_eq!(assembly.map.len(), assembly.program.instructions.len(), "the map has an entry for each");
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

/// Checks that each finding is a single line and that no finding reports an internal error.
fn check_wording(findings: &[Finding]) {
    for finding in findings {
        let message = finding.to_string();
        let is_internal = matches!(finding.kind, Kind::Internal { .. });
        assert!(!message.contains('\n') && !is_internal, "{message}");
    }
}

/// Returns a random word that usually encodes an instruction, sometimes with one bit flipped.
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

/// Returns a random instruction. The function `register` chooses the instruction's source registers.
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

/// A program under construction.
struct Making<'r> {
    random: &'r mut Random,
    program: Program,
    /// The dimension of each sampler, which the program states when it first uses the sampler.
    dimensions: [Dimension; 8],
    /// The number of data outputs of a fragment program, or 0 if the program writes a colour.
    targets: u8,
    has_address: bool,
}

/// Returns any register that the program can read.
fn any(random: &mut Random, has_address: bool) -> (File, u8) {
    let file = match random.below(6) {
        0 => File::Uniform,
        1 if has_address => File::Relative,
        1 | 2 => File::Input,
        _ => File::Temporary,
    };
    (file, random.below(16) as u8)
}

impl Making<'_> {
    fn push(&mut self, instruction: Instruction) {
        self.has_address |= instruction.op == Opcode::Arl;
        if instruction.op == Opcode::Tex {
            let sampler = usize::from(instruction.sampler);
            self.program.dimensions[sampler] = self.dimensions[sampler];
        }
        self.program.instructions.push(instruction);
    }

    /// Adds an instruction with random registers.
    fn anything(&mut self, op: Opcode) {
        let (stage, has_address) = (self.program.stage, self.has_address);
        let mut instruction = instruction(self.random, stage, op, &|random| any(random, has_address));
        if stage == Stage::Fragment && instruction.destination.written == Written::Output {
            let below = self.targets.into();
            instruction.destination.index = if below == 0 { 15 } else { self.random.below(below) as u8 };
        }
        self.push(instruction);
    }

    /// Adds a copy of a register with a random swizzle, sign and extended swizzle.
    fn copy(&mut self, destination: Destination, from: (File, u8)) {
        let copy = instruction(self.random, self.program.stage, Opcode::Mov, &|_| from);
        self.push(Instruction { destination, ..copy });
    }

    /// Adds an instruction, and copies the `mask` components of its result to an output. Most sources of the instruction are
    /// temporaries that are loaded just before it. A wrong operand or computation therefore changes the output.
    fn shown(&mut self, op: Opcode, mask: Mask, output: u8) {
        let base = self.random.below(16) as u8;
        let register = |number: u8| (base + number) & 15;
        let temporary =
            |number: u8, mask: Mask| Destination { written: Written::Temporary, index: register(number), mask };
        for number in 0..op.row().sources {
            let input = (File::Input, self.random.below(16) as u8);
            self.copy(temporary(number, Mask::ALL), input);
        }
        let (next, has_address) = (Cell::new(0), self.has_address);
        let source = |random: &mut Random| {
            let number = next.replace(next.get() + 1);
            if random.once_in(4) { any(random, has_address) } else { (File::Temporary, register(number)) }
        };
        let mut instruction = instruction(self.random, self.program.stage, op, &source);
        // The destination is sometimes also a source.
        let result = if self.random.once_in(4) { 0 } else { 3 };
        match op.row().format {
            Format::Standard | Format::Mad if op != Opcode::Arl => instruction.destination = temporary(result, mask),
            Format::External => instruction.destination = temporary(result, Mask::ALL),
            _ => {}
        }
        self.push(instruction);
        let of_result = match op {
            Opcode::Arl => (File::Relative, self.random.below(16) as u8),
            _ => (File::Temporary, register(result)),
        };
        // The output's remaining components come from a random temporary.
        let rest = Mask(Mask::ALL.0 & !mask.0);
        let before = (File::Temporary, self.random.below(16) as u8);
        for (mask, from) in [(mask, of_result), (rest, before)] {
            let source = Source { file: from.0, index: from.1, swizzle: Swizzle::IDENTITY, negate: false };
            if !mask.is_empty() {
                self.push(Instruction {
                    op: Opcode::Mov,
                    destination: Destination { written: Written::Output, index: output, mask },
                    sources: [source, Source::NONE, Source::NONE],
                    extended: Extended::IDENTITY,
                    ..Instruction::NOP
                });
            }
        }
    }
}

/// The number of instructions whose results a vertex program copies to outputs.
const SHOWN: u8 = 4;
/// The distance in the opcode table between the first opcodes that consecutive programs test. The distance is coprime to the
/// table's length, so that each opcode comes first in some program.
const STEP: u64 = 7;

/// Returns a valid program of about `length` random instructions, followed by instructions whose results are copied to outputs.
/// Programs with consecutive numbers test every opcode in turn, with one component of the result, with all components, and with
/// some components.
pub fn program(random: &mut Random, number: u64, stage: Stage, length: usize) -> Program {
    let dimensions: [Dimension; 8] = std::array::from_fn(|_| random.pick(&Dimension::ALL));
    let targets = if random.once_in(2) { 0 } else { 1 + random.below(TARGETS.into()) as u8 };
    let mut making = Making { random, program: Program::new(stage), dimensions, targets, has_address: false };
    for _ in 0..length {
        let op = making.random.pick(Opcode::ALL);
        making.anything(op);
    }
    let (first, count) = match (stage, targets) {
        (Stage::Vertex, _) => (making.random.below((VARYINGS - SHOWN).into()) as u8, SHOWN),
        (Stage::Fragment, 0) => (15, 1),
        (Stage::Fragment, targets) => (0, targets),
    };
    let opcodes = Opcode::ALL.len() as u64;
    for (at, output) in (0..).zip(first..first + count) {
        let turn = number.wrapping_mul(STEP).wrapping_add(at);
        let round = turn / opcodes;
        let mask = match round % 3 {
            0 => Mask(1 << (round / 3 % 4)),
            1 => Mask::ALL,
            _ => Mask(making.random.below(15) as u8 + 1),
        };
        if let Some(op) = Opcode::ALL.get((turn % opcodes) as usize) {
            making.shown(*op, mask, output);
        }
    }
    if stage == Stage::Vertex {
        let from = (File::Temporary, making.random.below(16) as u8);
        making.copy(Destination { written: Written::Output, index: 15, mask: Mask::ALL }, from);
    }
    making.program
}

/// Returns a random valid program, whose length and stage depend on the seed.
pub fn program_of(seed: u64) -> Program {
    let mut random = Random::of(seed, &[15]);
    let stage = random.pick(&[Stage::Vertex, Stage::Fragment]);
    let length = 1 + random.below(40);
    program(&mut random, seed, stage, length)
}

/// Returns the module of the random program with this seed.
pub fn module_of(seed: u64) -> sdlbc::Module {
    translate(&[&program_of(seed)]).map(|lifted| lifted.module).unwrap_or_default()
}
