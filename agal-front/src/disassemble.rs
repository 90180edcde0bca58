//! A program to AGAL text.
//!
//! Rule: assembling the text gives the same tokens, bit for bit. Each line is assembled to see whether it does; a token
//! that the language cannot express (reserved bits, unused slots that are not zero, unknown numbers) is written as its
//! four words.

use crate::assemble;
use crate::assemble::options::{Field, WORDS};
use crate::opcode::{Meaning, Operand};
use crate::program::Program;
use crate::register::{File, Stage};
use crate::token::{Destination, Mask, Sampler, Source, Token};

/// Deeper conditionals are not indented further, so that the text stays in proportion to the program.
const DEEPEST_INDENT: usize = 16;

/// The program as text: a header comment with version and stage, and one line a token.
pub fn disassemble(program: &Program) -> String {
    let mut text = format!("// agal {} {}\n", program.version, program.stage);
    let mut depth = 0usize;
    for token in &program.tokens {
        let meaning = token.op().map(|op| op.row().meaning);
        if matches!(meaning, Some(Meaning::Else | Meaning::EndIf)) {
            depth = depth.saturating_sub(1);
        }
        text.push_str(&"  ".repeat(depth.min(DEEPEST_INDENT)));
        text.push_str(&instruction(token, program.stage));
        text.push('\n');
        if matches!(meaning, Some(Meaning::If(_) | Meaning::Else)) {
            depth += 1;
        }
    }
    text
}

/// One token as a line of text that assembles to it: an instruction, or if none does, `.token` and its words, with the
/// instruction that comes near as a comment.
pub fn instruction(token: &Token, stage: Stage) -> String {
    let line = readable(token, stage);
    if let Some(line) = &line
        && assemble::token(line, stage) == Some(*token)
    {
        return line.clone();
    }
    let Token { opcode, destination, sources: [first, second] } = token;
    let words = format!(".token 0x{opcode:08x} 0x{destination:08x} 0x{first:016x} 0x{second:016x}");
    match line {
        Some(line) => format!("{words} // {line}"),
        None => words,
    }
}

/// A register as it is written in a program of `stage`. Those of which there is usually one have no number 0.
pub fn register(file: File, number: impl Into<u32>, stage: Stage) -> String {
    match (file, number.into()) {
        (File::Output | File::Depth | File::Instance, 0) => file.name(stage).to_string(),
        (_, number) => format!("{}{number}", file.name(stage)),
    }
}

/// The register of a file's number, which may name none.
fn any_register(file: u8, number: u16, stage: Stage) -> String {
    match File::from_number(file) {
        Some(file) => register(file, number, stage),
        None => format!("?{file}.{number}"),
    }
}

/// The token as an instruction, without what an instruction cannot say; `None` if its number has no operation.
fn readable(token: &Token, stage: Stage) -> Option<String> {
    let row = token.op()?.row();
    let mut operands = Vec::new();
    if row.destination {
        operands.push(destination(token.dst(), stage));
    }
    for (slot, operand) in row.sources.into_iter().enumerate() {
        match operand {
            Operand::None => {}
            Operand::Sampler => operands.push(sampler(token.sampler(), stage)),
            _ => operands.push(source(token.src(slot), stage)),
        }
    }
    if operands.is_empty() {
        return Some(row.mnemonic.to_string());
    }
    Some(format!("{} {}", row.mnemonic, operands.join(", ")))
}

fn destination(destination: Destination, stage: Stage) -> String {
    let register = any_register(destination.file, destination.number, stage);
    match destination.mask {
        Mask::ALL => register,
        mask => format!("{register}.{mask}"),
    }
}

fn source(source: Source, stage: Stage) -> String {
    if !source.indirect {
        return format!("{}{}", any_register(source.file, source.number, stage), source.swizzle);
    }
    let name = |file: Option<File>| file.map_or("?", |file| file.name(stage));
    let (file, index) = (name(source.register_file()), name(source.index_register_file()));
    let number = source.number;
    let component = char::from(b"xyzw"[usize::from(source.index_component & 3)]);
    let offset = match source.offset {
        0 => String::new(),
        offset => format!("+{offset}"),
    };
    // The number is always written: the mini assembler would take the offset for it.
    format!("{file}[{index}{number}.{component}{offset}]{}", source.swizzle)
}

/// The sampler with its options: dimension, filter, mip and wrap always, the others where they are not zero.
fn sampler(sampler: Sampler, stage: Stage) -> String {
    let word = |field: Field| {
        let value = field.of(&sampler);
        let known = WORDS.iter().find(|word| word.field == field && word.value == value);
        known.map_or_else(|| format!("?{value}"), |word| word.text.to_string())
    };
    let mut words: Vec<String> =
        [Field::Dimension, Field::Filter, Field::Mip, Field::Wrap].into_iter().map(word).collect();
    if sampler.format != 0 {
        words.push(word(Field::Format));
    }
    let flags = WORDS.iter().filter(|word| word.field == Field::Special && sampler.special & word.value != 0);
    words.extend(flags.map(|word| word.text.to_string()));
    if sampler.bias != 0 {
        words.push((f32::from(sampler.bias) / 8.0).to_string());
    }
    format!("{} <{}>", any_register(sampler.file, sampler.number, stage), words.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn again(line: &str, stage: Stage) -> String {
        instruction(&assemble::token(line, stage).expect("a line"), stage)
    }

    #[test]
    fn a_line_comes_back_as_it_was() {
        for line in [
            "mul ft0.xyz, ft1.xyz, fc0.x",
            "tex ft0, v0, fs0 <2d,linear,miplinear,repeat>",
            "tex ft0.w, v0.xy, fs7 <cube,anisotropic16x,mipnearest,clamp_u_repeat_v,dxt5,centroid,ignoresampler,-1.875>",
            "mov oc1, ft0",
            "mov od.x, ft0.w",
            "kil ft0.x",
            "els",
            "ife ft0.x, fc0.x",
        ] {
            assert_eq!(again(line, Stage::Fragment), line);
        }
        for line in [
            "m44 op, va0, vc0",
            "mov vt0, iid.x",
            "mov vt0.xw, vc[va0.w+255].zyx",
            "tld vt0, va0, vs3 <2d,nearest,mipnone,clamp>",
        ] {
            assert_eq!(again(line, Stage::Vertex), line);
        }
    }

    #[test]
    fn what_text_cannot_say_is_written_as_words() {
        let mut token = assemble::token("mov ft0, v0", Stage::Fragment).expect("a line");
        token.sources[1] = 1;
        let line = instruction(&token, Stage::Fragment);
        assert_eq!(line, ".token 0x00000000 0x020f0000 0x00000004e4000000 0x0000000000000001 // mov ft0, v0");
        token.opcode = 0xff;
        let line = instruction(&token, Stage::Fragment);
        assert_eq!(line, ".token 0x000000ff 0x020f0000 0x00000004e4000000 0x0000000000000001");
    }

    #[test]
    fn conditionals_are_indented() {
        let text = "// agal 2 fragment\nife ft0.x, ft0.y\n  mov ft1, ft0\nels\n  mov ft1, fc0\neif\nmov oc, ft1\n";
        let options = assemble::AssembleOptions::default();
        let program = assemble::assemble(text, &options).expect("a program").program;
        assert_eq!(disassemble(&program), text);
    }
}
