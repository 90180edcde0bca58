//! Disassembles a program to AGAL source text.
//!
//! Rule: assembling the output yields the same program, bit for bit. The disassembler assembles each line to check this rule. A
//! token that the language cannot express, because it has reserved bits, non-zero unused slots or unknown numbers, is written as
//! four raw words. Bytes after the last token are written as a `.trailing` line. Operands are aligned in columns.

mod annotate;

use sdlbc::name::{Name, numbered};

use crate::assemble;
use crate::assemble::options::{Field, WORDS};
use crate::opcode::{Meaning, Operand};
use crate::program::Program;
use crate::register::{File, Stage};
use crate::token::{Destination, Mask, Sampler, Source, Token, letter};

pub use annotate::{LiveTemporaries, annotate, effective, live_temporaries};

/// The maximum indentation depth, which keeps the size of the disassembly proportional to the size of the program.
const DEEPEST_INDENT: usize = 16;
/// The length, including the comma, above which an operand does not widen its column.
const WIDEST_COLUMN: usize = 12;

/// Disassembles a program to a header comment, which states the version and the stage, and one line for each token.
pub fn disassemble(program: &Program) -> String {
    let mut text = header(program);
    for line in lines(program).chain(trailing(program)) {
        text.push_str(&line);
        text.push('\n');
    }
    text
}

fn header(program: &Program) -> String {
    format!("// agal {} {}\n", program.version, program.stage)
}

/// Returns a `.trailing` line with the bytes after the last token, or `None` if the program ends with a complete token.
fn trailing(program: &Program) -> Option<String> {
    let digits = program.trailing.iter().map(|byte| format!("{byte:02x}"));
    (!program.trailing.is_empty()).then(|| format!(".trailing 0x{}", digits.collect::<String>()))
}

/// The maximum number of lines that are kept while the column widths are computed. The lines of a longer program are generated
/// twice.
const KEPT: usize = 1 << 16;

/// Disassembles the tokens to lines, with operands aligned in columns throughout the program and the bodies of
/// conditionals indented.
fn lines(program: &Program) -> impl Iterator<Item = String> {
    let line = |token: &Token| Line::of(token, program.stage);
    let mut columns = Columns::default();
    let mut kept = Vec::new();
    for token in &program.tokens {
        let line = line(token);
        columns.widen(line.operands());
        if program.tokens.len() <= KEPT {
            kept.push(line);
        }
    }
    let mut kept = kept.into_iter();
    let mut indent = Indent::default();
    program.tokens.iter().map(move |token| {
        let line = kept.next().unwrap_or_else(|| line(token));
        let meaning = token.row().map(|row| row.meaning);
        indent.next(meaning) + &line.aligned(columns)
    })
}

/// The widths of the first two operand columns, in characters.
#[derive(Clone, Copy, Debug, Default)]
pub struct Columns([usize; 2]);

impl Columns {
    /// Computes the column widths for statements; each item contains the operands of one statement.
    pub fn of<'o>(statements: impl IntoIterator<Item = &'o [String]>) -> Columns {
        let mut columns = Columns::default();
        statements.into_iter().for_each(|operands| columns.widen(operands));
        columns
    }

    fn widen(&mut self, operands: &[String]) {
        let with_comma = operands.split_last().map_or(&[][..], |(_, others)| others);
        for (column, operand) in self.0.iter_mut().zip(with_comma) {
            let width = operand.chars().count() + 1;
            *column = (*column).max(if width <= WIDEST_COLUMN { width } else { 0 });
        }
    }

    /// Formats a statement with its operands aligned in the columns.
    ///
    /// ```
    /// use agal_front::disassemble::Columns;
    ///
    /// let operands = [["ft0.xy".to_string(), "v0".to_string()], ["oc".to_string(), "ft0".to_string()]];
    /// let columns = Columns::of(operands.iter().map(|operands| &operands[..]));
    /// assert_eq!(columns.line("mov", &operands[1]), "mov oc,     ft0");
    /// ```
    pub fn line(self, mnemonic: &str, operands: &[String]) -> String {
        let mut line = mnemonic.to_string();
        let widths = self.0.into_iter().chain(std::iter::repeat(0));
        for (at, (operand, width)) in operands.iter().zip(widths).enumerate() {
            line.push(' ');
            match at + 1 == operands.len() {
                true => line.push_str(operand),
                false => line.push_str(&format!("{:width$}", format!("{operand},"))),
            }
        }
        line
    }
}

/// Tracks the nesting of conditionals to indent statements.
#[derive(Clone, Copy, Debug, Default)]
pub struct Indent {
    depth: usize,
}

impl Indent {
    /// Returns the indentation of the next statement. `meaning` is the meaning of the statement's opcode, or `None` for an
    /// unknown opcode.
    pub fn next(&mut self, meaning: Option<Meaning>) -> String {
        if matches!(meaning, Some(Meaning::Else | Meaning::EndIf)) {
            self.depth = self.depth.saturating_sub(1);
        }
        let spaces = "  ".repeat(self.depth.min(DEEPEST_INDENT));
        if matches!(meaning, Some(Meaning::If(_) | Meaning::Else)) {
            self.depth += 1;
        }
        spaces
    }
}

/// Disassembles one token to a line that assembles to the same token. A token that no instruction can express is written
/// as `.token` and its words, with the closest instruction as a comment.
pub fn instruction(token: &Token, stage: Stage) -> String {
    Line::of(token, stage).aligned(Columns::default())
}

enum Line {
    Instruction(&'static str, Vec<String>),
    /// A complete `.token` line, with the closest instruction as a comment.
    Words(String),
}

impl Line {
    fn of(token: &Token, stage: Stage) -> Line {
        let Token { opcode, destination, sources: [first, second] } = token;
        let words = || format!(".token 0x{opcode:08x} 0x{destination:08x} 0x{first:016x} 0x{second:016x}");
        let Some((mnemonic, operands)) = closest(token, stage) else { return Line::Words(words()) };
        let line = Columns::default().line(mnemonic, &operands);
        match assemble::token(&line, stage) == Some(*token) {
            true => Line::Instruction(mnemonic, operands),
            false => Line::Words(format!("{} // {line}", words())),
        }
    }

    fn operands(&self) -> &[String] {
        match self {
            Line::Instruction(_, operands) => operands,
            Line::Words(_) => &[],
        }
    }

    fn aligned(self, columns: Columns) -> String {
        match self {
            Line::Instruction(mnemonic, operands) => columns.line(mnemonic, &operands),
            Line::Words(words) => words,
        }
    }
}

/// Returns the name of a register in programs of `stage`. The number 0 is omitted for files that usually have one register.
pub fn register(file: File, number: impl Into<u32>, stage: Stage) -> String {
    match (file, number.into()) {
        (File::Output | File::Depth | File::Instance, 0) => file.name(stage).to_string(),
        (_, number) => numbered(file.name(stage), number).into(),
    }
}

/// Returns the name given to the IR values of a register in programs of `stage`.
pub(crate) fn register_name(file: File, number: u32, stage: Stage) -> Name {
    match (file, number) {
        (File::Output | File::Depth | File::Instance, 0) => file.name(stage).into(),
        _ => Name::numbered(file.name(stage), number),
    }
}

fn any_register(file: u8, number: u16, stage: Stage) -> String {
    match File::from_number(file) {
        Some(file) => register(file, number, stage),
        None => format!("?{file}.{number}"),
    }
}

/// Returns the mnemonic and operands that best represent a token, ignoring the bits that an instruction cannot express. The
/// result is `None` if the opcode is unknown.
fn closest(token: &Token, stage: Stage) -> Option<(&'static str, Vec<String>)> {
    let row = token.row()?;
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
    Some((row.mnemonic, operands))
}

fn destination(destination: Destination, stage: Stage) -> String {
    let register = any_register(destination.file, destination.number, stage);
    match destination.mask {
        Mask::ALL => register,
        mask => format!("{register}.{mask}"),
    }
}

pub(crate) fn source(source: Source, stage: Stage) -> String {
    if !source.indirect {
        return format!("{}{}", any_register(source.file, source.number, stage), source.swizzle);
    }
    let name = |file: Option<File>| file.map_or("?", |file| file.name(stage));
    let (file, index) = (name(source.register_file()), name(source.index_register_file()));
    let number = source.number;
    let component = letter(source.index_component);
    let offset = match source.offset {
        0 => String::new(),
        offset => format!("+{offset}"),
    };
    // The index register's number is always written, because the mini assembler would otherwise use the offset as the number.
    format!("{file}[{index}{number}.{component}{offset}]{}", source.swizzle)
}

/// Formats a sampler with its options. Dimension, filter, mip mode and wrap mode are always written, and other options are
/// written only if their values are not zero.
fn sampler(sampler: Sampler, stage: Stage) -> String {
    let word = |field: Field| {
        let value = field.of(sampler);
        let known = WORDS.iter().find(|(_, of, known)| (*of, *known) == (field, value));
        known.map_or_else(|| format!("?{value}"), |(word, ..)| word.to_string())
    };
    let mut words: Vec<String> =
        [Field::Dimension, Field::Filter, Field::Mip, Field::Wrap].into_iter().map(word).collect();
    if sampler.format != 0 {
        words.push(word(Field::Format));
    }
    let flags = WORDS.iter().filter(|(_, field, flag)| *field == Field::Special && sampler.special & flag != 0);
    words.extend(flags.map(|(word, ..)| word.to_string()));
    if sampler.bias != 0 {
        words.push((f32::from(sampler.bias) / 8.0).to_string());
    }
    format!("{} <{}>", any_register(sampler.file, sampler.number, stage), words.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reassembled(line: &str, stage: Stage) -> String {
        instruction(&assemble::token(line, stage).expect("a line"), stage)
    }

    #[test]
    fn a_line_is_disassembled_as_it_was_written() {
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
            assert_eq!(reassembled(line, Stage::Fragment), line);
        }
        for line in [
            "m44 op, va0, vc0",
            "mov vt0, iid.x",
            "mov vt0.xw, vc[va0.w+255].zyx",
            "tld vt0, va0, vs3 <2d,nearest,mipnone,clamp>",
        ] {
            assert_eq!(reassembled(line, Stage::Vertex), line);
        }
    }

    #[test]
    fn what_text_cannot_express_is_written_as_words() {
        let mut token = assemble::token("mov ft0, v0", Stage::Fragment).expect("a line");
        token.sources[1] = 1;
        let line = instruction(&token, Stage::Fragment);
        assert_eq!(line, ".token 0x00000000 0x020f0000 0x00000004e4000000 0x0000000000000001 // mov ft0, v0");
        token.opcode = 0xff;
        let line = instruction(&token, Stage::Fragment);
        assert_eq!(line, ".token 0x000000ff 0x020f0000 0x00000004e4000000 0x0000000000000001");
    }

    #[test]
    fn conditionals_are_indented_and_operands_are_aligned_in_columns() {
        let text =
            "// agal 2 fragment\nife ft0.x, ft0.y\n  mov ft1,   ft0\nels\n  mul ft1,   v0, fc0\neif\nmov oc,    ft1\n";
        let options = assemble::AssembleOptions::default();
        let program = assemble::assemble(text, &options).expect("a program").program;
        assert_eq!(disassemble(&program), text);
    }

    #[test]
    fn a_long_operand_does_not_widen_other_lines() {
        let text = "// agal 1 vertex\nadd vt0, vc[va0.x+255].xyz, vc1\nadd vt1, va0, vc1\nmov op,  vt0\n";
        let program = assemble::assemble(text, &assemble::AssembleOptions::default()).expect("a program").program;
        assert_eq!(disassemble(&program), text);
    }
}
