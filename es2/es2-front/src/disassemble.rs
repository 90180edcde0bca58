//! Disassembles programs into assembly text.

use std::fmt::Write;

use crate::opcode::{Format, Opcode};
use crate::program::Program;
use crate::register::{File, Register, Written, input, output};
use crate::word::{Destination, Instruction};
use sdlbc::front::Stage;

/// Returns a program's assembly text. If the program is valid, the text assembles to an equal program.
pub fn disassemble(program: &Program) -> String {
    let mut text = format!("!!ES2{}p1.0\n", if program.stage == Stage::Vertex { 'v' } else { 'f' });
    for instruction in &program.instructions {
        text += &line(program, instruction);
        text.push('\n');
    }
    text + "END\n"
}

/// Disassembles one instruction of `program` into a line of assembly, without a line break.
pub fn line(program: &Program, instruction: &Instruction) -> String {
    let row = instruction.op.row();
    let mut operands = Vec::with_capacity(6);
    if row.format != Format::Bare {
        operands.push(destination(program.stage, instruction.op, instruction.destination));
    }
    for (at, _) in instruction.operands().enumerate() {
        operands.push(source(program.stage, instruction, at));
    }
    match instruction.op {
        Opcode::Clamp => operands.insert(2, "0".to_string()),
        Opcode::Swz => operands.push(instruction.extended.separated(", ")),
        Opcode::Tex => {
            operands.push(format!("t{}", instruction.sampler));
            operands.push(program.dimension(instruction.sampler).name().to_string());
        }
        _ => {}
    }
    format!("{} {}", row.mnemonic, operands.join(", ")).trim_end().to_string() + ";"
}

fn destination(stage: Stage, op: Opcode, destination: Destination) -> String {
    let Destination { written, index, mask } = destination;
    let name = match written {
        _ if op == Opcode::Arl => return "A0.x".to_string(),
        Written::Temporary => Register::Temporary(index).to_string(),
        Written::Output => output(stage, index).map_or_else(|| format!("o{index}"), |register| register.to_string()),
    };
    if mask == sdlbc::front::Mask::ALL { name } else { format!("{name}.{mask}") }
}

fn source(stage: Stage, instruction: &Instruction, at: usize) -> String {
    let Some(&source) = instruction.sources.get(at) else { return String::new() };
    let number = instruction.number(source);
    let mut text = if source.negate { "-".to_string() } else { String::new() };
    let _ = match source.file {
        File::Temporary => write!(text, "{}", Register::Temporary(number)),
        File::Input => match input(stage, number) {
            Some(register) => write!(text, "{register}"),
            None => write!(text, "i{number}"),
        },
        File::Uniform => write!(text, "u{number}"),
        File::Relative => write!(text, "u[A0.x + {number}]"),
    };
    text += &source.swizzle.to_string();
    if at == 0 && instruction.op.row().format.has_extended() && instruction.op != Opcode::Swz {
        text += &instruction.extended.to_string();
    }
    text
}
