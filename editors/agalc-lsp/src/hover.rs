//! Hover text for opcodes, registers, sampler options and names.

use std::fmt::Write;
use std::ops::Range;

use agal_front::disassemble::{effective, live_temporaries, register};
use agal_front::link::{assigned, varyings};
use agal_front::opcode::{Opcode, Operand};
use agal_front::register::File;
use agal_front::token::{Mask, Token};
use agal_front::uses;
use agalc::{AgalProgram as Program, Stage};

use crate::analysis::Assembled;
use lsp_types::{Hover, HoverContents, MarkupContent, MarkupKind};

use crate::document::Document;
use crate::lexer::Class;
use crate::names::declarations;
use crate::opcodes::{meaning, option, usage};

/// The maximum number of lines in a list of uses.
const LISTED: usize = 8;

pub(crate) fn hover(document: &Document, offset: usize) -> Option<Hover> {
    let analysis = document.analysis();
    let word = analysis.word_at(offset)?;
    let text = document.slice(&word.range);
    let value = match word.class {
        Class::Opcode(op) => opcode(op),
        Class::Register(file) => of_register(document, &word.range, file)?,
        Class::Option => format!("`{text}`: {}", option(text)?),
        Class::Name => name(document, text)?,
        _ => return None,
    };
    let contents = HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value });
    Some(Hover { contents, range: Some(document.range(word.range.clone())) })
}

/// Describes an opcode's operation, and the AGAL versions and stages that support the opcode.
pub(crate) fn opcode(op: Opcode) -> String {
    let row = op.row();
    let stage = row.stage.map_or("vertex and fragment programs".to_string(), |stage| format!("{stage} programs"));
    format!("```agal\n{}\n```\n{}\n\nAGAL {} and later, {stage}; one token", usage(op), meaning(op), row.since)
}

/// Describes a name of the macro language.
fn name(document: &Document, text: &str) -> Option<String> {
    let aliases = document.analysis().programs.iter().flat_map(|agal| &agal.aliases);
    if let Some(alias) = aliases.into_iter().find(|alias| alias.name == text) {
        let mut value = format!("`{text}` is `{}`", alias.target);
        if let Some(values) = alias.values {
            let values = values.map(|value| value.map_or("?".to_string(), |value| value.to_string()));
            let _ = write!(value, ", to which the application uploads {}", values.join(", "));
        }
        return Some(value);
    }
    let declared = declarations(document).find(|range| document.slice(range) == text)?;
    let line = document.line(document.line_of(declared.start));
    Some(format!("```agal\n{}\n```", document.slice(&line).trim().trim_end_matches('{').trim_end()))
}

/// Describes a register: its file, limit, names and uses, its liveness, and its role in the pair.
fn of_register(document: &Document, range: &Range<usize>, file: File) -> Option<String> {
    let analysis = document.analysis();
    let text = document.slice(range).to_ascii_lowercase();
    let letters = text.trim_end_matches(|c: char| c.is_ascii_digit());
    let number: u32 = text.get(letters.len()..)?.parse().unwrap_or_default();
    let found = analysis.instruction_at(range.start);
    let Some((agal, index)) = found.or_else(|| Some((analysis.programs.first()?, usize::MAX))) else {
        return Some(format!("`{text}`: {}", file.description()));
    };
    let program = &agal.program;
    let count = file.count(program.stage, program.version);
    let mut value = format!("`{text}`: {}", file.description());
    let of_profile = document.profile().map(|profile| (profile.count(file, program.stage), profile.name()));
    let _ = match (count, of_profile) {
        (0, _) => write!(value, "; AGAL {} has none in {} programs", program.version, program.stage),
        (1, _) => Ok(()),
        (_, Some((fewer, profile))) if fewer < count => {
            write!(value, " {number} of 0 to {} in profile {profile}", fewer.saturating_sub(1))
        }
        _ => write!(value, " {number} of 0 to {} in AGAL {}", count - 1, program.version),
    };
    for named in agal.names.iter().filter(|named| covers(named.registers, file, number)) {
        let _ = write!(value, "\n\n`{named}`");
    }
    let uses = uses(program, file, number);
    let lines = |list: &[(usize, Mask)]| listed(agal, program.stage, file, number, list);
    if !uses.written.is_empty() {
        let _ = write!(value, "\n\nwritten {}", lines(&uses.written));
    }
    if !uses.read.is_empty() {
        let _ = write!(value, "\n\nread {}", lines(&uses.read));
    }
    let held = match (file, program.stage) {
        (File::Temporary, _) => live_after(program, number, index),
        (File::Attribute | File::Constant, _) | (File::Varying, Stage::Fragment) => effect(program, file, number),
        (File::Output | File::Depth, _) | (File::Varying, Stage::Vertex) => unwritten(program, file, number),
        (File::Sampler | File::Instance, _) => None,
    };
    let linked = analysis.pair().filter(|_| file == File::Varying);
    let linked = linked.map(|(vertex, fragment)| of_pair(vertex, fragment, number, program.stage));
    for line in held.into_iter().chain(linked) {
        let _ = write!(value, "\n\n{line}");
    }
    Some(value)
}

/// Describes which components of a temporary are read again after an instruction.
fn live_after(program: &Program, number: u32, index: usize) -> Option<String> {
    let live = live_temporaries(program).ok()?;
    Some(match live.get(index)?.iter().find(|(of, _)| *of == number) {
        Some((_, Mask::ALL)) => "read again after this line".to_string(),
        Some((_, mask)) => format!("`.{mask}` is read again after this line"),
        None => "not read after this line".to_string(),
    })
}

/// Describes which components of an input affect the program's outputs. An indirect access may read any register of the register
/// file.
fn effect(program: &Program, file: File, number: u32) -> Option<String> {
    let by_index = |token: &Token| {
        let is_register = |slot: usize| !matches!(token.operand(slot), Operand::None | Operand::Sampler);
        (0..2)
            .any(|slot| is_register(slot) && token.src(slot).indirect && token.src(slot).register_file() == Some(file))
    };
    if program.tokens.iter().any(by_index) {
        return Some(format!("an indexed read may reach any {}", file.description()));
    }
    let name = register(file, number, program.stage);
    match effective(program, file, number).ok()? {
        Mask::ALL => None,
        Mask(0) => Some(format!("no output of the program depends on `{name}`")),
        mask => Some(format!("of this register, the outputs depend only on `{name}.{mask}`")),
    }
}

/// Describes which components of an output are not written, or not written on every path. The depth output has one component.
fn unwritten(program: &Program, file: File, number: u32) -> Option<String> {
    let name = register(file, number, program.stage);
    let all = if file == File::Depth { Mask(1) } else { Mask::ALL };
    let written = uses(program, file, number).written.iter().fold(0, |all, (_, mask)| all | mask.0);
    if written & all.0 == 0 {
        return Some(format!("`{name}` is not written"));
    }
    let missing = |of: u8| Some(Mask(all.0 & !of)).filter(|mask| !mask.is_empty());
    if let Some(mask) = missing(written) {
        return Some(format!("`{name}.{mask}` is not written"));
    }
    missing(assigned(program, file, number).0).map(|mask| format!("`{name}.{mask}` is not written on every path"))
}

/// Describes how the other program of the pair uses a varying.
fn of_pair(vertex: &Program, fragment: &Program, number: u32, stage: Stage) -> String {
    let varying = varyings(vertex, fragment).into_iter().find(|varying| varying.number == number);
    let (other, verb, mask) = match stage {
        Stage::Vertex => (Stage::Fragment, "read", varying.map(|varying| varying.read)),
        Stage::Fragment => (Stage::Vertex, "write", varying.map(|varying| varying.written)),
    };
    match mask.unwrap_or_default() {
        Mask(0) => format!("the {other} program does not {verb} it"),
        Mask::ALL => format!("the {other} program {verb}s it"),
        mask => format!("the {other} program {verb}s `v{number}.{mask}`"),
    }
}

fn covers(registers: agal_front::assemble::Registers, file: File, number: u32) -> bool {
    use agal_front::assemble::Extent;
    registers.file == file
        && match registers.extent {
            Extent::File => true,
            Extent::Whole { first, last } => number >= first && last.is_none_or(|last| number <= last),
            Extent::Part { number: of, .. } => number == of,
        }
}

/// Lists the lines of instructions, with the components that each instruction writes or reads.
fn listed(agal: &Assembled, stage: Stage, file: File, number: u32, list: &[(usize, Mask)]) -> String {
    let line = |index: usize| agal.map.get(index).map_or(0, |spans| spans.operation.line);
    let mut shown: Vec<String> = Vec::new();
    for (index, mask) in list.iter().take(LISTED) {
        let components =
            if *mask == Mask::ALL { String::new() } else { format!(" (`{}.{mask}`)", register(file, number, stage)) };
        shown.push(format!("{}{components}", line(*index)));
    }
    let more = match list.get(LISTED..).and_then(<[_]>::last) {
        Some((last, _)) => format!(" and {} more, the last in line {}", list.len() - LISTED, line(*last)),
        None => String::new(),
    };
    format!("in line{} {}{more}", if list.len() == 1 { "" } else { "s" }, shown.join(", "))
}
