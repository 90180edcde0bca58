//! Expands procedures of Alternativa3D to source text for the mini assembler.
//!
//! A procedure has the registers `a` (attribute), `c` (constant), `t` (temporary), `v` (varying), `s` (sampler), `o` (output),
//! `d` (depth) and `i` (parameter). Each register has a number but no letter for the stage. Commas between operands may be left
//! out. The line `#c3=coefficient` names a register, `t0 = t1 * c0 + c1` computes an expression, and `bias16` among sampler
//! options means a bias of 16 eighths.
//!
//! Rule: each procedure is assembled as a separate program, with the registers that the procedure names. Alternativa3D's linker
//! may combine several procedures into one program and renumber their registers. A procedure that cannot be assembled without the
//! linker's choices is reported as an error.

mod expression;
mod piece;

use std::ops::Range;

use super::lines::lines;
use super::macros::{Expanded, ExpandedText, Line, MacroNotes, Named, SourcePlace};
use crate::finding::Kind;
use crate::opcode::Opcode;
use crate::register::{File, Stage, named};
use piece::{Piece, Register, register};

/// Returns the lines that contain code, without their comments.
fn code(text: &str) -> impl Iterator<Item = Piece<'_>> {
    lines(text).filter_map(|line| {
        let line = Piece { text: text.get(line.clone())?, at: line.start };
        let end = line.text.find("//").unwrap_or(line.text.len());
        Some(line.part(0..end).trimmed()).filter(|line| !line.text.is_empty())
    })
}

fn declaration(line: Piece<'_>) -> Option<(Register<'_>, Piece<'_>)> {
    let inside = line.text.strip_prefix('#')?;
    let equals = inside.find('=')?;
    let register = register(line.part(1..1 + equals).trimmed())?;
    let is_number = register.number.text.bytes().all(|digit| digit.is_ascii_digit()) && register.number.text.len() <= 3;
    let is_declared = "acvs".contains(register.file) && register.rest.text.is_empty() && is_number;
    let name = line.part(2 + equals..line.text.len()).trimmed();
    let length = name.text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(name.text.len());
    is_declared.then_some((register, name.part(0..length)))
}

struct Statement<'a> {
    mnemonic: Piece<'a>,
    operands: Vec<Piece<'a>>,
    options: Option<Piece<'a>>,
}

fn statement(line: Piece<'_>) -> Statement<'_> {
    let open = line.text.find('<').unwrap_or(line.text.len());
    let close = line.text.rfind('>').filter(|close| *close > open);
    let options = close.map(|close| line.part(open + 1..close));
    let body = line.part(0..if options.is_some() { open } else { line.text.len() });
    let mut pieces = Vec::new();
    let (mut start, mut is_inside) = (None, false);
    for (at, c) in body.text.char_indices().chain([(body.text.len(), ' ')]) {
        is_inside = c == '[' || is_inside && c != ']';
        match (start, (c.is_whitespace() || c == ',') && !is_inside || at == body.text.len()) {
            (Some(from), true) => {
                pieces.push(body.part(from..at));
                start = None;
            }
            (None, false) => start = Some(at),
            _ => {}
        }
    }
    let mut pieces = pieces.into_iter();
    let mnemonic = pieces.next().unwrap_or(line.part(0..0));
    Statement { mnemonic, operands: pieces.collect(), options }
}

fn is_assignment(line: Piece<'_>) -> bool {
    let before = line.text.split('=').next().map(|text| Piece { text, at: line.at }.trimmed());
    line.text.contains('=') && before.and_then(register).is_some()
}

/// Reports whether source text is a procedure, which begins with a register declaration or uses registers without a letter for
/// the stage.
pub(super) fn is_procedure(text: &str) -> bool {
    for line in code(text) {
        if declaration(line).is_some() {
            return true;
        }
        let first = line.text.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
        if !is_assignment(line) && Opcode::from_mnemonic(first).is_none() {
            return false;
        }
        let before_options = line.text.split('<').next().unwrap_or_default();
        for word in before_options
            .split(|c: char| !c.is_ascii_alphanumeric())
            .filter(|word| *word != first || is_assignment(line))
        {
            let name = word.trim_end_matches(|c: char| c.is_ascii_digit());
            match name.len() {
                1 if name.len() < word.len() && matches!(name, "a" | "c" | "t" | "s" | "o") => return true,
                2.. if named(name).is_some() => return false,
                _ => {}
            }
        }
    }
    false
}

/// Infers the stage of a procedure from opcodes and registers that exist in only one stage.
fn stage_of(text: &str) -> Option<Stage> {
    let of_source = |register: &Register<'_>| match register.file {
        'a' => Some(Stage::Vertex),
        'c' if register.number.text.starts_with('[') => Some(Stage::Vertex),
        's' | 'v' => Some(Stage::Fragment),
        _ => None,
    };
    code(text).find_map(|line| {
        if let Some((register, _)) = declaration(line) {
            return of_source(&register).filter(|_| register.file != 'v');
        }
        let mut operands = match is_assignment(line) {
            true => piece::operands(line),
            false => {
                let Statement { mnemonic, operands, .. } = statement(line);
                let only = Opcode::from_mnemonic(mnemonic.text).and_then(|opcode| opcode.row().stage);
                if only.is_some() {
                    return only;
                }
                operands
            }
        }
        .into_iter()
        .filter_map(register);
        let destination = operands.next()?;
        match (destination.file, destination.number.text) {
            ('v', _) => Some(Stage::Vertex),
            ('d', _) => Some(Stage::Fragment),
            ('o', number) if number != "0" => Some(Stage::Fragment),
            _ => operands.find_map(|register| of_source(&register)),
        }
    })
}

/// Expands a procedure to source text for the mini assembler. The optional `header` is a comment that states the version and the
/// stage, with the comment's range in the original source text.
pub(super) fn expand(text: &str, stage: Option<Stage>, header: Option<(String, Range<usize>)>) -> Expanded {
    let mut notes = MacroNotes::default();
    let known = stage.or_else(|| stage_of(text));
    if known.is_none() {
        notes.push(Kind::StageUnknown, lines(text).next().unwrap_or_default());
    }
    let mut expander = Expander { stage: known.unwrap_or(Stage::Vertex), output: ExpandedText::default(), notes };
    if let Some((comment, range)) = header {
        let mut line = Line::default();
        line.push(&comment, &SourcePlace { range, call: None });
        expander.output.line(line);
    }
    let mut named = Vec::new();
    for line in code(text) {
        match declaration(line) {
            Some((register, name)) => named.extend(expander.named(&register, name)),
            None if is_assignment(line) => expander.assignment(line),
            None => expander.statement(&statement(line)),
        }
    }
    let (text, origin) = expander.output.finish();
    Expanded { text, origin, notes: expander.notes.list, aliases: Vec::new(), named }
}

struct Expander {
    stage: Stage,
    output: ExpandedText,
    notes: MacroNotes,
}

impl Expander {
    /// Returns the AGAL name of a register's file in the program's stage. The name of an output includes the output's number.
    fn file(&mut self, register: &Register<'_>, whole: Piece<'_>) -> Option<String> {
        let number = register.number.text;
        let file = match register.file {
            'a' => File::Attribute,
            'c' => File::Constant,
            't' => File::Temporary,
            's' => File::Sampler,
            'v' => File::Varying,
            'd' => File::Depth,
            'o' if number == "0" => File::Output,
            'o' if self.stage == Stage::Fragment && matches!(number, "1" | "2" | "3") => {
                return Some(format!("oc{number}"));
            }
            file => {
                let name = format!("{file}{number}");
                let kind = if file == 'i' { Kind::ProcedureParameter { name } } else { Kind::ProcedureOutput { name } };
                self.notes.push(kind, whole.range());
                return None;
            }
        };
        Some(file.name(self.stage).to_string())
    }

    fn named(&mut self, register: &Register<'_>, name: Piece<'_>) -> Option<Named> {
        let file = self.file(register, name)?;
        let target = format!("{file}{}", register.number.text);
        (!name.text.is_empty()).then(|| Named { name: name.text.to_string(), target, place: name.place() })
    }

    /// Appends an operand to the line. An operand that is not a procedure register is copied unchanged.
    fn operand(&mut self, line: &mut Line, piece: Piece<'_>) {
        let Some(register) = register(piece) else { return line.copy(piece.text, &piece.place()) };
        let Some(file) = self.file(&register, piece) else {
            // Any register will do as a replacement, because the finding is an error.
            let temporary = if self.stage == Stage::Vertex { "vt0" } else { "ft0" };
            return line.push(temporary, &piece.place());
        };
        let Register { number, rest, .. } = register;
        if matches!(register.file, 'o' | 'd') {
            line.push(&file, &piece.part(0..piece.text.len() - rest.text.len()).place());
        } else {
            line.push(&file, &piece.part(0..1).place());
            if number.text.starts_with('[') {
                let end = number.text.len();
                let [open, inside, close] = [0..1, 1..end - 1, end - 1..end].map(|range| number.part(range));
                line.copy(open.text, &open.place());
                self.index(line, inside);
                line.copy(close.text, &close.place());
            } else {
                line.copy(number.text, &number.place());
            }
        }
        line.copy(rest.text, &rest.place());
    }

    /// Appends the text between the brackets of an index, such as `a0.x+3`.
    fn index(&mut self, line: &mut Line, inside: Piece<'_>) {
        let end = inside.text.find(['+', '-']).unwrap_or(inside.text.len());
        let trimmed = inside.part(0..end).trimmed();
        match register(trimmed) {
            Some(found) if !found.number.text.starts_with('[') => self.operand(line, trimmed),
            _ => line.copy(trimmed.text, &trimmed.place()),
        }
        for (at, c) in inside.text.char_indices().skip_while(|(at, _)| *at < end).filter(|(_, c)| !c.is_whitespace()) {
            let piece = inside.part(at..at + c.len_utf8());
            line.copy(piece.text, &piece.place());
        }
    }

    fn statement(&mut self, statement: &Statement<'_>) {
        let mut line = Line::default();
        line.copy(statement.mnemonic.text, &statement.mnemonic.place());
        for (number, operand) in statement.operands.iter().enumerate() {
            let before = Piece { text: "", at: operand.at };
            line.push(if number == 0 { " " } else { ", " }, &before.place());
            self.operand(&mut line, *operand);
        }
        if let Some(options) = statement.options {
            line.push(" <", &options.part(0..0).place());
            self.options(&mut line, options);
            line.push(">", &options.part(options.text.len()..options.text.len()).place());
        }
        self.output.line(line);
    }

    /// Appends sampler options, in which `bias40` means a bias of 40 eighths, stored as a signed byte.
    fn options(&mut self, line: &mut Line, options: Piece<'_>) {
        let mut at = 0;
        for (number, word) in options.text.split(',').enumerate() {
            let piece = options.part(at..at + word.len()).trimmed();
            at += word.len() + 1;
            if number > 0 {
                line.push(",", &piece.part(0..0).place());
            }
            let bias = piece.text.strip_prefix("bias").and_then(|digits| digits.parse::<u8>().ok());
            match bias {
                Some(byte) => line.push(&(f32::from(byte.cast_signed()) / 8.0).to_string(), &piece.place()),
                None => line.copy(piece.text, &piece.place()),
            }
        }
    }
}

#[cfg(test)]
mod tests;
