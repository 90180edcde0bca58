//! Checks the parts of a statement that are not operands: numbers, signs, stray text, and words that were mistaken for operands.
//!
//! Rule: text that Adobe's assembler ignores causes a warning. A wrong number of operands is an error. The message names the
//! cause if the statement shows a cause, and the number of operands otherwise.

use std::ops::Range;

use super::advice::{self, is_number};
use super::reader::{Reader, quote};
use super::scan::{self, Operand, is_word};
use super::statement::{expected, pieces};
use crate::finding::Kind;
use crate::opcode::Row;
use crate::register::named;

impl Reader<'_> {
    /// Reports a word such as `divide` that merely begins with a mnemonic, or else each number such as `2.0f` that was read as an
    /// operand. Returns true if nothing was reported.
    pub(super) fn check_names(
        &mut self,
        row: &Row,
        operation: &Range<usize>,
        body: &Range<usize>,
        operands: &[Operand],
    ) -> bool {
        let mnemonic = self.word_around(operation, &(operation.start..body.end));
        let is_glued = |operand: &Operand| operand.range.start < mnemonic.end;
        let word = self.text_of(&mnemonic);
        let rest = self.text_of(&(operation.end..mnemonic.end));
        let is_longer = !rest.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphabetic());
        let is_foreign = advice::foreign(word).is_some() && operands.len() != expected(row);
        let is_wrong = |operand: &Operand| is_glued(operand) && (is_foreign || named(operand.name).is_none());
        if is_longer && operands.iter().any(is_wrong) {
            self.note(Kind::UnknownMnemonic { found: quote(word), nearest: Some(row.mnemonic) }, &mnemonic);
            return false;
        }
        let mut good = true;
        let mut left = body.start;
        for operand in operands.iter().filter(|operand| operand.bracket.is_none()) {
            if operand.range.start >= left && named(operand.name).is_none() {
                let word = self.word_around(&operand.range, &(left..body.end));
                good &= !self.check_number(&word);
                left = word.end;
            }
        }
        good
    }

    fn check_number(&mut self, piece: &Range<usize>) -> bool {
        let text = self.text_of(piece);
        let is_number = is_number(text);
        if is_number {
            self.note(Kind::NumberOperand { found: quote(text) }, piece);
        }
        is_number
    }

    /// Checks the number of operands against the opcode. A wrong number is reported at the text that caused it or, if no cause is
    /// found, as a count.
    pub(super) fn check_operands(
        &mut self,
        row: &Row,
        operation: &Range<usize>,
        body: &Range<usize>,
        operands: &[Operand],
    ) -> bool {
        let expected = expected(row);
        if operands.len() == expected {
            return true;
        }
        for (sign, kind) in [(';', Kind::SeveralStatements), ('#', Kind::CommentSign)] {
            if let Some(at) = self.text_of(body).find(sign) {
                let at = body.start + at;
                self.note(kind, &(at..at + 1));
                return false;
            }
        }
        let mut strays = 0;
        let (mut left, mut right) = (body.start, body.start);
        for operand in operands {
            if operand.range.start >= right && operand.bracket.is_none() {
                let word = self.word_around(&operand.range, &(left..body.end));
                right = word.end;
                if !is_operands(self.text_of(&word)) {
                    self.note(Kind::UnknownRegister { found: quote(self.text_of(&word)) }, &word);
                    strays += 1;
                }
            }
            left = operand.range.end;
        }
        // An operand may be missing because a number or a word without a register was written instead.
        for piece in pieces(self.text, body, |c| c == ',' || c.is_whitespace()) {
            let holds = |operand: &Operand| operand.range.start < piece.end && piece.start < operand.range.end;
            let is_name = self.text_of(&piece).starts_with(|c: char| c.is_ascii_alphabetic());
            if strays > 0 || operands.len() >= expected {
                break;
            }
            if self.check_number(&piece) {
                strays += 1;
            } else if is_name && !operands.iter().any(holds) {
                self.note(Kind::UnknownRegister { found: quote(self.text_of(&piece)) }, &piece);
                strays += 1;
            }
        }
        if strays == 0 {
            let place = operands.get(expected).map_or(operation, |surplus| &surplus.range);
            let kind = Kind::OperandCount { mnemonic: row.mnemonic, expected, found: operands.len() };
            self.note(kind, &place.clone());
        }
        false
    }

    /// Returns the range of the word that contains `range`, within `bounds`.
    fn word_around(&self, range: &Range<usize>, bounds: &Range<usize>) -> Range<usize> {
        let part = |byte: &u8| is_word(*byte) || *byte == b'.';
        let before = self.text_of(&(bounds.start..range.start));
        let after = self.text_of(&(range.end..bounds.end));
        let start = range.start - before.bytes().rev().take_while(|byte| part(byte)).count();
        start..range.end + after.bytes().take_while(|byte| part(byte)).count()
    }

    /// Reports any text between operands except one comma and spaces.
    pub(super) fn check_gaps(&mut self, row: &Row, body: &Range<usize>, operands: &[Operand]) {
        let mut start = body.start;
        for at in 0..=operands.len() {
            let next = operands.get(at).map_or(body.end..body.end, |operand| operand.range.clone());
            let gap = start..next.start;
            start = next.end;
            let junk = pieces(self.text, &gap, |c| c == ',' || c.is_whitespace());
            if let (Some(first), Some(last)) = (junk.first(), junk.last()) {
                self.skipped(row, &gap, first.start..last.end, operands, at);
                continue;
            }
            let commas = self.text_of(&gap).matches(',').count();
            let between = at > 0 && at < operands.len();
            if commas > usize::from(between) {
                self.note(Kind::ExtraComma, &gap);
            } else if between && commas == 0 {
                self.note(Kind::MissingComma, &next);
            } else if at == 0 && gap.is_empty() && !operands.is_empty() {
                self.note(Kind::MissingSpace { mnemonic: row.mnemonic }, &next);
            }
        }
    }

    /// Reports the skipped text at `range`, in the gap before operand `at`, together with the operand to which the text belongs.
    /// A sign belongs to the next operand, and so does text with a comma before but not after it.
    fn skipped(&mut self, row: &Row, gap: &Range<usize>, range: Range<usize>, operands: &[Operand], at: usize) {
        let text = self.text_of(&range);
        let comma = |range: Range<usize>| self.text_of(&range).contains(',');
        let touches = at < operands.len() && range.end == gap.end && text.ends_with(['-', '+', '!', '~', '(']);
        let is_next = at < operands.len() && (touches || comma(gap.start..range.start) && !comma(range.end..gap.end));
        let owner = if is_next || at == 0 { at } else { at - 1 };
        let written = row.destination && owner == 0;
        let read = match operands.get(owner) {
            // Text directly after the mnemonic's third letter belongs to the mnemonic.
            _ if at == 0 && range.start == gap.start => Some((row.mnemonic, false)),
            Some(operand) => Some((self.text_of(&operand.range), written)),
            None => None,
        };
        let bracket = operands.get(owner).filter(|operand| owner < at && operand.range.end == range.start);
        let instead = bracket.filter(|operand| operand.digits.is_empty() && operand.components.is_none());
        if let (Some(operand), Some((number, rest))) = (instead, bracketed(text)) {
            let (read, instead) = (format!("{}0", operand.name), format!("{}{number}{rest}", operand.name));
            return self.note(Kind::BracketNumber { read, instead, written }, &(operand.range.start..range.end));
        }
        let (read, written) = read.map_or((None, false), |(read, written)| (Some(quote(read)), written));
        self.note(Kind::Skipped { text: quote(text), read, written }, &range);
    }
}

/// Returns the number between brackets, and the components after the brackets.
fn bracketed(text: &str) -> Option<(u16, &str)> {
    let (number, rest) = text.strip_prefix('[')?.split_once(']')?;
    let letters = rest.strip_prefix('.').unwrap_or(rest);
    let is_letters = letters.len() <= 4 && letters.bytes().all(|letter| b"xyzwrgba".contains(&letter));
    let digits = number.trim();
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|_| is_number && is_letters).map(|number| (number, rest))
}

/// Reports whether a word begins with an operand, and every operand in the word names a register.
fn is_operands(word: &str) -> bool {
    let found = scan::operands(word, 0..word.len());
    found.first().is_some_and(|first| first.range.start == 0)
        && found.iter().all(|operand| named(operand.name).is_some())
}
