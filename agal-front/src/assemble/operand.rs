//! Encodes the operands of a statement as destination, source and sampler words.

use std::ops::Range;

use super::reader::{Reader, Role, StageMark, quote};
use super::scan::{Bracket, Index, Operand};
use crate::finding::Kind;
use crate::register::{self, File, NAMES, component};
use crate::token::{Destination, Mask, Sampler, Source, Swizzle, letter};

/// Reports whether Adobe's assembler accepts the register name. That assembler accepts only lower case.
pub(super) fn is_name(text: &str) -> bool {
    NAMES.iter().any(|(name, ..)| *name == text)
}

/// Returns the four selectors of a swizzle. The last letter is repeated for missing selectors.
fn swizzle(letters: Option<&str>) -> Swizzle {
    let Some(letters) = letters else { return Swizzle::IDENTITY };
    let mut last = 0;
    let mut letters = letters.bytes();
    Swizzle((0..4).fold(0, |word, slot| {
        last = letters.next().map_or(last, component);
        word | last << (2 * slot)
    }))
}

impl<'a> Reader<'a> {
    pub(super) fn destination(&mut self, operand: &Operand<'a>) -> Option<Destination> {
        let (file, number) = self.register(Role::Register, operand.name, operand.digits, 1, &operand.range)?;
        if let Some(bracket) = &operand.bracket {
            let kind = match bracket {
                Bracket::Open(_) => Kind::Unterminated { open: '[' },
                _ => Kind::IndexedDestination,
            };
            self.note(kind, &operand.range);
            return None;
        }
        self.check_letters(operand);
        let letters = operand.components.unwrap_or("xyzw");
        let mask = Mask(letters.bytes().fold(0, |mask, letter| mask | 1 << component(letter)));
        let read = mask.to_string();
        if letters.bytes().map(component).ne(mask.components()) {
            self.note(Kind::MaskLetters { found: format!(".{letters}"), read: format!(".{read}") }, &operand.range);
        }
        Some(Destination { number, mask, file: file as u8 })
    }

    pub(super) fn source(&mut self, operand: &Operand<'a>, rows: u8) -> Option<Source> {
        let used = if operand.bracket.is_some() { 0 } else { rows };
        let base = self.register(Role::Register, operand.name, operand.digits, used, &operand.range);
        let swizzle = swizzle(operand.components);
        let direct = |(file, number)| Source { number, swizzle, file: file as u8, ..Source::decode(0) };
        self.check_letters(operand);
        match &operand.bracket {
            None => base.map(direct),
            Some(Bracket::Index(index)) => self.index(index, rows, direct(base?)),
            Some(Bracket::Unreadable(range)) => {
                self.note(Kind::IndexSyntax { found: quote(self.text_of(range)) }, &operand.range);
                None
            }
            Some(Bracket::Open(at)) => {
                self.note(Kind::Unterminated { open: '[' }, &(*at..operand.range.end));
                None
            }
        }
    }

    /// Parses a sampler operand. Like the mini assembler, this function accepts any register as a sampler, and uses the index
    /// register's number for an indexed operand.
    pub(super) fn sampler(&mut self, operand: &Operand<'a>, options: Option<Range<usize>>) -> Option<Sampler> {
        let source = match operand.bracket {
            Some(_) => self.source(operand, 1).map(|source| (File::Constant, source.number)),
            None => self.register(Role::Register, operand.name, operand.digits, 1, &operand.range),
        };
        if let Some((file, number)) = source
            && (file != File::Sampler || operand.bracket.is_some())
        {
            self.note(Kind::SamplerName { found: quote(self.text_of(&operand.range)), number }, &operand.range);
        }
        if let Some(letters) = operand.components {
            let read = self.text_of(&(operand.range.start..operand.range.end - letters.len() - 1));
            self.note(
                Kind::Skipped { text: format!(".{letters}"), read: Some(quote(read)), written: false },
                &operand.range,
            );
        }
        let mut sampler = Sampler::decode(0);
        sampler.file = File::Sampler as u8;
        match options {
            Some(range) => {
                self.options_seen = true;
                self.options(range, &mut sampler);
            }
            None if self.options_seen => self.note(Kind::OptionsMissing, &operand.range),
            None => {}
        }
        source.map(|(_, number)| Sampler { number, ..sampler })
    }

    /// Returns a register's file and number. Also records the stage that the register's name implies, and the use of `rows`
    /// consecutive registers.
    fn register(
        &mut self,
        role: Role,
        name: &'a str,
        digits: &str,
        rows: u8,
        range: &Range<usize>,
    ) -> Option<(File, u16)> {
        let Some(&(name, file, stage)) = register::name(name) else {
            self.note(Kind::UnknownRegister { found: quote(self.text_of(range)) }, range);
            return None;
        };
        if let Some(stage) = stage {
            self.mark(StageMark { name, stage, range: range.clone(), role });
        }
        let number = if digits.is_empty() { Some(0) } else { digits.parse::<u16>().ok() };
        let Some(number) = number else {
            self.note(Kind::RegisterNumber { found: quote(self.text_of(range)) }, range);
            return None;
        };
        if let Some(last) = rows.checked_sub(1) {
            self.record_use(file, u32::from(number) + u32::from(last));
        }
        Some((file, number))
    }

    fn record_use(&mut self, file: File, number: u32) {
        if let Some(highest) = self.highest.get_mut(file as usize) {
            *highest = (*highest).max(Some(number));
        }
    }

    /// Converts a direct operand with an index in brackets to an indirect operand.
    fn index(&mut self, index: &Index<'a>, rows: u8, direct: Source) -> Option<Source> {
        let (file, mut number) = self.register(Role::Index, index.name, index.digits, 1, &index.range)?;
        if index.spaces {
            self.note(Kind::IndexSpaces, &index.range);
        }
        if index.component.is_none() {
            self.note(Kind::IndexComponent, &index.range);
        }
        let offset = match index.offset {
            None => 0,
            Some((negative, digits)) => {
                let value = digits.parse::<i32>().ok().map(|value| if negative { -value } else { value });
                let Some(offset) = value.filter(|value| (-128..=255).contains(value)) else {
                    let found = quote(self.text_of(&index.range));
                    self.note(Kind::OffsetRange { found }, &index.range);
                    return None;
                };
                offset
            }
        };
        // The offset is stored as a byte, with negative offsets in two's complement.
        let byte = offset.to_le_bytes()[0];
        if offset < 0 {
            self.note(Kind::NegativeOffset { found: offset, byte }, &index.range);
        } else {
            self.record_use(File::Constant, u32::from(byte) + u32::from(rows.saturating_sub(1)));
        }
        // The mini assembler uses the first digits between the brackets as the register number, even if the digits belong to the
        // offset.
        if index.digits.is_empty() && index.component.is_some() && !index.spaces && offset > 0 {
            number = u16::from(byte);
            self.record_use(file, u32::from(number));
            let rest = self.text_of(&(index.range.start + 1 + index.name.len()..index.range.end));
            let instead = format!("vc[{}0{rest}", index.name);
            self.note(Kind::IndexNumber { number, instead }, &index.range);
        }
        let index_component = index.component.and_then(|letter| letter.bytes().next()).map_or(0, component);
        Some(Source { number, offset: byte, index_file: file as u8, index_component, indirect: true, ..direct })
    }

    fn check_letters(&mut self, operand: &Operand) {
        let text = self.text_of(&operand.range);
        if text.bytes().any(|byte| byte.is_ascii_uppercase()) {
            self.note(Kind::UpperCase { found: quote(text) }, &operand.range);
        }
        let inside = match &operand.bracket {
            Some(Bracket::Index(index)) => index.component,
            _ => None,
        };
        for letters in [inside, operand.components].into_iter().flatten() {
            if letters.bytes().all(|letter| b"rgba".contains(&letter.to_ascii_lowercase())) {
                let read = letters.bytes().map(|found| letter(component(found)));
                let read = std::iter::once('.').chain(read).collect();
                self.note(Kind::ColourLetters { found: format!(".{letters}"), read }, &operand.range);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_letter_of_a_swizzle_repeats() {
        assert_eq!(swizzle(None), Swizzle(0xe4));
        assert_eq!(swizzle(Some("xyzw")), Swizzle(0xe4));
        assert_eq!(swizzle(Some("w")), Swizzle(0xff));
        assert_eq!(swizzle(Some("zx")), Swizzle(0x02));
        assert_eq!(swizzle(Some("RGB")), Swizzle(0xa4));
    }

    #[test]
    fn every_register_name_is_found_in_any_case() {
        for (name, file, _) in NAMES {
            assert_eq!(register::name(&name.to_ascii_uppercase()).map(|(_, found, _)| found), Some(file), "{name}");
        }
        assert!(register::name("vp").is_none());
    }
}
