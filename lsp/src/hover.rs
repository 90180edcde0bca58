//! What a word is: an opcode, a register, an option, a name.

use std::fmt::Write;
use std::ops::Range;

use agal_front::disassemble::{live_temporaries, register};
use agal_front::opcode::Opcode;
use agal_front::register::File;
use agal_front::token::Mask;
use agal_front::uses;
use agalc::{Agal, Stage};
use lsp_types::{Hover, HoverContents, MarkupContent, MarkupKind};

use crate::document::Document;
use crate::names::declarations;
use crate::opcodes::{meaning, option, usage};
use crate::words::Class;

/// How many lines are listed.
const LISTED: usize = 8;

/// What is known of the word at an offset.
pub(crate) fn hover(document: &Document, offset: usize) -> Option<Hover> {
    let analysis = document.analysis();
    let word = analysis.word_at(offset)?;
    let text = document.slice(word.range.clone());
    let value = match word.class {
        Class::Opcode(op) => opcode(op),
        Class::Register(file) => of_register(document, word.range.clone(), file)?,
        Class::Option => format!("`{text}`: {}", option(text)?),
        Class::Name => name(document, text)?,
        _ => return None,
    };
    let contents = HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value });
    Some(Hover { contents, range: Some(document.range(word.range.clone())) })
}

/// What an opcode computes, and where it exists.
pub(crate) fn opcode(op: Opcode) -> String {
    let row = op.row();
    let stage = row.stage.map_or("vertex and fragment programs".to_string(), |stage| format!("{stage} programs"));
    format!("```agal\n{}\n```\n{}\n\nAGAL {} and later, {stage}; one token", usage(op), meaning(op), row.since)
}

/// What a name of the macro language stands for.
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
    let declared = declarations(document).find(|range| document.slice(range.clone()) == text)?;
    let line = document.line(document.line_of(declared.start));
    Some(format!("```agal\n{}\n```", document.slice(line).trim().trim_end_matches('{').trim_end()))
}

/// A register's file, limit, names and uses.
fn of_register(document: &Document, range: Range<usize>, file: File) -> Option<String> {
    let analysis = document.analysis();
    let text = document.slice(range.clone()).to_ascii_lowercase();
    let letters = text.trim_end_matches(|c: char| c.is_ascii_digit());
    let number: u32 = text.get(letters.len()..)?.parse().unwrap_or_default();
    let found = analysis.instruction_at(range.start);
    let Some((agal, index)) = found.or_else(|| Some((analysis.programs.first()?, usize::MAX))) else {
        return Some(format!("`{text}`: {}", file.description()));
    };
    let program = &agal.program;
    let count = file.count(program.stage, program.version);
    let mut value = format!("`{text}`: {}", file.description());
    let _ = match count {
        0 => write!(value, "; AGAL {} has none in {} programs", program.version, program.stage),
        1 => Ok(()),
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
    if file == File::Temporary
        && let Ok(live) = live_temporaries(program)
        && let Some(live) = live.get(index)
    {
        let _ = match live.iter().find(|(of, _)| *of == number) {
            Some((_, Mask::ALL)) => write!(value, "\n\nread again after this line"),
            Some((_, mask)) => write!(value, "\n\n`.{mask}` is read again after this line"),
            None => write!(value, "\n\nnot read after this line"),
        };
    }
    Some(value)
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

/// Lines with the components that they write or read.
fn listed(agal: &Agal, stage: Stage, file: File, number: u32, list: &[(usize, Mask)]) -> String {
    let line = |index: usize| agal.map.instructions.get(index).map_or(0, |spans| spans.operation.line);
    let mut shown: Vec<String> = Vec::new();
    for (index, mask) in list.iter().take(LISTED) {
        let components =
            if *mask == Mask::ALL { String::new() } else { format!(" (`{}.{mask}`)", register(file, number, stage)) };
        shown.push(format!("{}{components}", line(*index)));
    }
    let more = list.len().saturating_sub(LISTED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("in line{} {}{more}", if list.len() == 1 { "" } else { "s" }, shown.join(", "))
}
