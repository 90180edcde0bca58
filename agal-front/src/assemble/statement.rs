//! Assembles one statement to one token.
//!
//! Rule: a statement that AGALMiniAssembler accepts is assembled to the same bytes. Colour letters and upper case, which
//! AGALMiniAssembler ignores, are accepted with a warning. If a statement has the wrong number of operands or an invalid index,
//! the operands are read again in the same way as by AGALMiniAssembler. AGALMiniAssembler ignores most brackets.

use std::ops::Range;

use super::operand::is_name;
use super::reader::{Reader, Role, StageMark, quote};
use super::scan::{self, Bracket, Operand, is_word};
use crate::finding::Kind;
use crate::opcode::{Opcode, Operand as Slot, Row};
use crate::token::{Destination, Sampler, Source, TOKEN_BYTES, Token};
use sdlbc::nearest::nearest;

pub(super) struct Statement {
    pub(super) token: Token,
    pub(super) operation: Range<usize>,
    pub(super) destination: Option<Range<usize>>,
    pub(super) sources: [Option<Range<usize>>; 2],
}

pub(super) fn pieces(text: &str, range: &Range<usize>, separator: fn(char) -> bool) -> Vec<Range<usize>> {
    let mut next = range.start;
    let all = text.get(range.clone()).unwrap_or_default().split_inclusive(separator).map(|piece| {
        let start = next;
        next += piece.len();
        start..start + piece.trim_end_matches(separator).len()
    });
    all.filter(|piece| !piece.is_empty()).collect()
}

impl<'a> Reader<'a> {
    /// Assembles a statement, given without its comment, line break and surrounding whitespace. Returns `None` if the
    /// statement produces no token or has an error.
    pub(super) fn statement(&mut self, line: Range<usize>) -> Option<Statement> {
        if !self.trailing.is_empty() {
            self.note(Kind::TrailingLine, &line);
            return None;
        }
        match self.text_of(&line).split_whitespace().next() {
            Some(".token") => return self.token_line(line),
            Some(".trailing") => {
                self.trailing_line(line);
                return None;
            }
            _ => {}
        }
        let line = self.without_semicolon(line);
        if line.is_empty() {
            return None;
        }
        let (opcode, operation) = self.mnemonic(&line)?;
        let row = opcode.row();
        let (body, options, open) = self.split_options(operation.end..line.end);
        let operands = self.operands(row, &operation, body, open)?;
        self.options_seen |= options.is_some() && !row.sources.contains(&Slot::Sampler);
        let mut good = true;
        let mut statement = Statement { token: Token::default(), operation, destination: None, sources: [None, None] };
        statement.token.opcode = row.code;
        let mut next = operands.into_iter();
        if row.destination
            && let Some(operand) = next.next()
        {
            statement.destination = Some(operand.range.clone());
            let destination = self.destination(&operand);
            good &= destination.is_some();
            statement.token.destination = destination.map_or(0, Destination::encode);
        }
        let written = statement.token.sources.iter_mut().zip(&mut statement.sources);
        for (slot, (kind, (source, place))) in row.sources.into_iter().zip(written).enumerate() {
            let Some(operand) = (if kind == Slot::None { None } else { next.next() }) else { continue };
            let word = match kind {
                Slot::Sampler => self.sampler(&operand, options.clone()).map(Sampler::encode),
                _ => self.source(&operand, row.registers(slot)).map(Source::encode),
            };
            good &= word.is_some();
            *source = word.unwrap_or(0);
            *place = Some(operand.range);
        }
        if let Some(options) = options
            && !row.sources.contains(&Slot::Sampler)
        {
            self.note(Kind::OptionsUnused { mnemonic: row.mnemonic }, &(options.start - 1..options.end));
        }
        good.then_some(statement)
    }

    /// Returns the operands in `body`, or `None` after reporting an error. Text outside the operands is reported. `open` is the
    /// position of a `<` without `>`.
    fn operands(
        &mut self,
        row: &Row,
        operation: &Range<usize>,
        body: Range<usize>,
        open: Option<Range<usize>>,
    ) -> Option<Vec<Operand<'a>>> {
        let mut operands = scan::operands(self.text, body.clone());
        if !is_as_meant(row, &operands) {
            let exact = scan::exact_operands(self.text, body.clone());
            if expected(row) == exact.len() && exact.iter().all(|operand| is_name(operand.name)) {
                operands = exact;
            } else if let Some(open) = open {
                self.note(Kind::Unterminated { open: '<' }, &open);
                return None;
            }
        }
        if !self.check_names(row, operation, &body, &operands) || !self.check_operands(row, operation, &body, &operands)
        {
            return None;
        }
        match open {
            Some(open) if operands.last().is_none_or(|last| last.range.end <= open.start) => {
                self.note(Kind::OptionsOpen, &open);
                self.check_gaps(row, &(body.start..open.start), &operands);
            }
            _ => self.check_gaps(row, &body, &operands),
        }
        Some(operands)
    }

    fn without_semicolon(&mut self, line: Range<usize>) -> Range<usize> {
        let text = self.text_of(&line);
        let kept = text.trim_end_matches(|c: char| c == ';' || c.is_whitespace());
        let end = line.start + kept.len();
        if kept.len() < text.len() {
            let first = end + self.text_of(&(end..line.end)).find(';').unwrap_or(0);
            self.note(Kind::Semicolon, &(first..line.end));
        }
        line.start..end
    }

    /// Parses the mnemonic, which is the first three characters of the line.
    fn mnemonic(&mut self, line: &Range<usize>) -> Option<(Opcode, Range<usize>)> {
        let operation = line.start..line.start + 3;
        let text = self.text_of(&operation);
        let lower = text.to_ascii_lowercase();
        let Some(opcode) = Opcode::from_mnemonic(&lower) else {
            let rest = self.text_of(line);
            let length = rest.bytes().take_while(|&byte| is_word(byte)).count();
            let word = match length {
                0 => rest.split_whitespace().next().unwrap_or_default(),
                length => rest.get(..length).unwrap_or_default(),
            };
            let known = Opcode::ALL.iter().map(|opcode| opcode.row().mnemonic);
            let nearest = if length > 0 && self.notes.may_suggest() { nearest(word, known) } else { None };
            self.note(Kind::UnknownMnemonic { found: quote(word), nearest }, &(line.start..line.start + word.len()));
            return None;
        };
        if lower != text {
            self.note(Kind::UpperCase { found: text.to_string() }, &operation);
        }
        let row = opcode.row();
        self.since = self.since.max(row.since);
        if let Some(stage) = row.stage {
            self.mark(StageMark { name: row.mnemonic, stage, range: operation.clone(), role: Role::Opcode });
        }
        Some((opcode, operation))
    }

    /// Splits the text after the mnemonic into operands and sampler options. The third result is the position of an unclosed `<`.
    /// If there is an unclosed `<`, the operands extend to the end of the statement.
    fn split_options(&self, body: Range<usize>) -> (Range<usize>, Option<Range<usize>>, Option<Range<usize>>) {
        let text = self.text_of(&body);
        let Some(open) = text.find('<') else { return (body, None, None) };
        let at = body.start + open;
        match text.rfind('>') > Some(open) {
            true => (body.start..at, Some(at + 1..body.end), None),
            false => (body.clone(), None, Some(at..body.end)),
        }
    }

    fn token_line(&mut self, line: Range<usize>) -> Option<Statement> {
        let words = pieces(self.text, &line, char::is_whitespace);
        let hex = |range: &Range<usize>, digits: usize| {
            let word = self.text_of(range).strip_prefix("0x")?;
            let good = word.len() == digits && word.bytes().all(|byte| byte.is_ascii_hexdigit());
            u64::from_str_radix(word, 16).ok().filter(|_| good)
        };
        let read = || {
            let [operation, opcode, destination, first, second] = <&[Range<usize>; 5]>::try_from(&words[..]).ok()?;
            let token = Token {
                opcode: u32::try_from(hex(opcode, 8)?).ok()?,
                destination: u32::try_from(hex(destination, 8)?).ok()?,
                sources: [hex(first, 16)?, hex(second, 16)?],
            };
            let sources = [Some(first.clone()), Some(second.clone())];
            Some(Statement { token, operation: operation.clone(), destination: Some(destination.clone()), sources })
        };
        let statement = read();
        if statement.is_none() {
            self.note(Kind::TokenLine, &line);
        }
        statement
    }

    fn trailing_line(&mut self, line: Range<usize>) {
        let words = pieces(self.text, &line, char::is_whitespace);
        let read = || {
            let [_, digits] = <&[Range<usize>; 2]>::try_from(&words[..]).ok()?;
            let digits = self.text_of(digits).strip_prefix("0x")?;
            let good = digits.bytes().all(|byte| byte.is_ascii_hexdigit()) && digits.len() % 2 == 0;
            let bytes = (0..digits.len()).step_by(2).map_while(|at| {
                let pair = digits.get(at..at + 2)?;
                u8::from_str_radix(pair, 16).ok()
            });
            let few = good && (1..TOKEN_BYTES).contains(&(digits.len() / 2));
            few.then(|| bytes.collect::<Vec<u8>>())
        };
        match read() {
            Some(bytes) => {
                self.note(Kind::TrailingBytes { bytes: bytes.len() }, &line);
                self.trailing = bytes;
            }
            None => self.note(Kind::TrailingLine, &line),
        }
    }
}

pub(super) fn expected(row: &Row) -> usize {
    usize::from(row.destination) + row.sources.iter().filter(|&&slot| slot != Slot::None).count()
}

/// Reports whether the operation takes this number of operands and whether every bracket contains a valid index.
fn is_as_meant(row: &Row, operands: &[Operand]) -> bool {
    let good = |operand: &Operand| matches!(operand.bracket, None | Some(Bracket::Index(_)));
    operands.len() == expected(row) && operands.iter().all(good)
}
