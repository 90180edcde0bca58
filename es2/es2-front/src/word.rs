//! Encodes and decodes the 64-bit code words of instructions, which are laid out as in docs/isa.md.
//!
//! Rule: decoding is exact. A word either becomes an instruction that encodes to the same word, or is refused.

use std::fmt::{self, Write};

use sdlbc::front::{Mask, Swizzle, letter};

use crate::opcode::{Format, Opcode};
use crate::register::{File, Written};

/// The maximum number of instructions in a program.
pub const LONGEST: usize = 65_536;

/// A source operand, which takes 15 bits of a code word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Source {
    /// The register file that the operand reads.
    pub file: File,
    /// The register's number in its file, 0 to 15. A uniform's number is relative to the instruction's bank.
    pub index: u8,
    /// The register component that each slot reads.
    pub swizzle: Swizzle,
    /// Whether the operand is negated.
    pub negate: bool,
}

impl Source {
    /// The source that stands for a missing operand, encoded as zero bits.
    pub const NONE: Source = Source { file: File::Temporary, index: 0, swizzle: Swizzle(0), negate: false };

    fn decode(bits: u64) -> Source {
        let [file, index] = [field(bits, 13, 2), field(bits, 9, 4)];
        let file = File::ALL.get(usize::from(file)).copied().unwrap_or_default();
        Source { file, index, swizzle: Swizzle(field(bits, 1, 8)), negate: field(bits, 0, 1) != 0 }
    }

    fn encode(self) -> u64 {
        (self.file as u64) << 13
            | u64::from(self.index & 15) << 9
            | u64::from(self.swizzle.0) << 1
            | u64::from(self.negate)
    }
}

/// The extended swizzle of an instruction's first source, with four bits for each slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Extended(pub u16);

/// The part of an operand that a slot selects: a component or a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// A component of the register, 0 to 3.
    Component(u8),
    /// The constant 0.
    Zero,
    /// The constant 1.
    One,
}

impl Extended {
    /// The identity swizzle `.[x,y,z,w]`.
    pub const IDENTITY: Extended = Extended(0x3210);

    /// Returns whether a slot is negated and which part the slot selects. Returns `None` for the undefined selectors 6 and 7.
    pub fn component(self, slot: u8) -> Option<(bool, Part)> {
        let bits = self.0 >> (4 * (slot & 3)) & 15;
        let part = match bits & 7 {
            4 => Part::Zero,
            5 => Part::One,
            6 | 7 => return None,
            component => Part::Component(u8::try_from(component).unwrap_or(0)),
        };
        Some((bits & 8 != 0, part))
    }

    /// Creates an extended swizzle from the negation and the part of each slot.
    pub fn of(components: [(bool, Part); 4]) -> Extended {
        let bits = components.map(|(negate, part)| {
            let selector = match part {
                Part::Component(component) => u16::from(component & 3),
                Part::Zero => 4,
                Part::One => 5,
            };
            selector | u16::from(negate) << 3
        });
        Extended(bits.into_iter().rev().fold(0, |word, bits| word << 4 | bits))
    }

    /// Returns the swizzle's four components in assembly syntax, separated by `by`.
    pub(crate) fn separated(self, by: &str) -> String {
        let mut text = String::new();
        for slot in 0..4 {
            let Some((negate, part)) = self.component(slot) else { continue };
            text += if slot > 0 { by } else { "" };
            text += if negate { "-" } else { "" };
            text.push(match part {
                Part::Component(component) => letter(component),
                Part::Zero => '0',
                Part::One => '1',
            });
        }
        text
    }
}

/// Writes the swizzle in assembly syntax, or writes nothing for the identity. The short form, such as `.1xz0`, is used if no
/// component is negated and at least one component is a constant.
impl fmt::Display for Extended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Extended::IDENTITY {
            return Ok(());
        }
        f.write_char('.')?;
        let parts = (0..4).filter_map(|slot| self.component(slot));
        let is_plain = parts.clone().all(|(negate, _)| !negate);
        match is_plain && parts.clone().any(|(_, part)| !matches!(part, Part::Component(_))) {
            true => f.write_str(&self.separated("")),
            false => write!(f, "[{}]", self.separated(",")),
        }
    }
}

/// A destination operand, which takes 9 bits of a code word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Destination {
    /// The register file that the instruction writes.
    pub written: Written,
    /// The register's number in its file, 0 to 15.
    pub index: u8,
    /// The write mask, which selects the components that the instruction writes.
    pub mask: Mask,
}

impl Destination {
    /// The destination of an instruction that writes no register, encoded as zero bits.
    pub const NONE: Destination = Destination { written: Written::Temporary, index: 0, mask: Mask(0) };
    /// The destination of ARL, which stands for the address register.
    pub const ADDRESS: Destination = Destination { written: Written::Temporary, index: 0, mask: Mask(1) };
}

/// A decoded instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Instruction {
    /// The opcode, which determines the format of the code word.
    pub op: Opcode,
    /// The destination, which is [`Destination::ADDRESS`] for ARL and all components of a temporary for TEX.
    pub destination: Destination,
    /// The bank of 16 uniforms that all uniform sources read, 0 to 7. An instruction without uniform sources has bank 0.
    pub bank: u8,
    /// The three sources, which are [`Source::NONE`] for operands that the opcode lacks.
    pub sources: [Source; 3],
    /// The extended swizzle of the first source, or 0 if the format has no extended swizzle.
    pub extended: Extended,
    /// The number of TEX's sampler, 0 to 7.
    pub sampler: u8,
}

/// The reason why a code word is not an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WordError {
    /// No opcode has this number.
    Opcode(u8),
    /// The external operation is not a texture load.
    External,
    /// The extended swizzle contains this undefined selector, 6 or 7.
    Selector(u8),
    /// These bits are set although the instruction does not use them, or ARL's destination is not the address register.
    Reserved(u64),
}

impl Instruction {
    /// The NOP instruction, which does nothing.
    pub const NOP: Instruction = Instruction {
        op: Opcode::Nop,
        destination: Destination::NONE,
        bank: 0,
        sources: [Source::NONE; 3],
        extended: Extended(0),
        sampler: 0,
    };

    /// Decodes a code word.
    ///
    /// # Errors
    /// Returns the reason why the word is not an instruction.
    pub fn decode(word: u64) -> Result<Instruction, WordError> {
        let number = field(word, 58, 6);
        let is_external = word >> 57 & 1 != 0 && number == Opcode::Nop.row().number;
        let op = match is_external {
            true => Opcode::Tex,
            false => Opcode::from_number(number).ok_or(WordError::Opcode(number))?,
        };
        let source = |at: u32| Source::decode(word >> at & 0x7fff);
        let extended = Extended((word & 0xffff) as u16);
        let destination = Destination {
            written: if field(word, 57, 1) != 0 { Written::Output } else { Written::Temporary },
            index: field(word, 53, 4),
            mask: Mask(field(word, 49, 4)),
        };
        let plain = Instruction { op, destination, bank: field(word, 46, 3), ..Instruction::NOP };
        let instruction = match op.row().format {
            Format::Bare => Instruction { op, ..Instruction::NOP },
            Format::Standard => {
                let second = if op.row().sources > 1 { source(16) } else { Source::NONE };
                Instruction { sources: [source(31), second, Source::NONE], extended, ..plain }
            }
            Format::Mad => Instruction { sources: [source(31), source(16), source(1)], ..plain },
            Format::External if field(word, 56, 1) != 0 => return Err(WordError::External),
            Format::External => {
                let destination =
                    Destination { written: Written::Temporary, index: field(word, 52, 4), mask: Mask::ALL };
                let sources = [source(31), Source::NONE, Source::NONE];
                Instruction { destination, sources, extended, sampler: field(word, 49, 3), ..plain }
            }
        };
        if op.row().format.has_extended()
            && let Some(slot) = (0..4).find(|&slot| extended.component(slot).is_none())
        {
            return Err(WordError::Selector(field(word, 4 * u32::from(slot), 3)));
        }
        match instruction.encode() ^ word {
            0 => Ok(instruction),
            bits => Err(WordError::Reserved(bits)),
        }
    }

    /// Encodes the instruction as a code word. Numbers are truncated to their bit fields. Values without a bit field in the
    /// instruction's format are ignored.
    pub fn encode(&self) -> u64 {
        let row = self.op.row();
        let [a, b, c] = self.sources.map(Source::encode);
        let Destination { written, index, mask } = self.destination;
        let destination = match self.op {
            Opcode::Arl => 1,
            _ => (written as u64) << 8 | u64::from(index & 15) << 4 | u64::from(mask.0 & 15),
        };
        let bank = if self.reads_uniforms() { u64::from(self.bank & 7) << 46 } else { 0 };
        let head = u64::from(row.number) << 58 | bank;
        match row.format {
            Format::Bare => head,
            Format::Standard => {
                let b = if row.sources > 1 { b } else { 0 };
                head | destination << 49 | a << 31 | b << 16 | u64::from(self.extended.0)
            }
            Format::Mad => head | destination << 49 | a << 31 | b << 16 | c << 1,
            Format::External => {
                let external = 1 << 8 | u64::from(index & 15) << 3 | u64::from(self.sampler & 7);
                head | external << 49 | a << 31 | u64::from(self.extended.0)
            }
        }
    }

    /// Returns the sources that the opcode has.
    pub fn operands(&self) -> impl Iterator<Item = &Source> {
        self.sources.iter().take(self.op.row().sources.into())
    }

    /// Reports whether at least one source is a uniform.
    pub fn reads_uniforms(&self) -> bool {
        self.operands().any(|source| source.file.is_uniform())
    }

    /// Returns the number of the register that a source reads. A uniform's number includes the bank.
    pub fn number(&self, source: Source) -> u8 {
        if source.file.is_uniform() { self.bank << 4 | source.index } else { source.index }
    }

    /// Returns whether slot `slot` (0 to 3) of source `source` (0 to 2) is negated, and which component or constant it selects.
    /// The result combines the source's swizzle and sign with the extended swizzle.
    pub fn selected(&self, source: usize, slot: u8) -> (bool, Part) {
        let of = self.sources.get(source).copied().unwrap_or(Source::NONE);
        let plain = |slot| Part::Component(of.swizzle.component(slot));
        if source > 0 || !self.op.row().format.has_extended() {
            return (of.negate, plain(slot));
        }
        match self.extended.component(slot) {
            Some((negate, Part::Component(slot))) => (negate ^ of.negate, plain(slot)),
            Some(number) => number,
            None => (false, Part::Zero),
        }
    }
}

/// Extracts `count` bits (at most 8) of a word, starting at bit `at`.
fn field(word: u64, at: u32, count: u32) -> u8 {
    (word >> at).to_le_bytes()[0] & (0xff >> (8 - count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fields_of_the_formats_are_where_the_page_says() {
        let source = |file, index, swizzle, negate| Source { file, index, swizzle: Swizzle(swizzle), negate };
        let mad = Instruction {
            op: Opcode::Mad,
            destination: Destination { written: Written::Output, index: 9, mask: Mask(0b1010) },
            bank: 5,
            sources: [
                source(File::Uniform, 3, 0xe4, true),
                source(File::Input, 15, 0x1b, false),
                source(File::Temporary, 7, 0xff, true),
            ],
            extended: Extended(0),
            sampler: 0,
        };
        let word = 20 << 58
            | (1 << 8 | 9 << 4 | 0b1010) << 49
            | 5 << 46
            | (2 << 13 | 3 << 9 | 0xe4 << 1 | 1) << 31
            | (1 << 13 | 15 << 9 | 0x1b << 1) << 16
            | (7 << 9 | 0xff << 1 | 1) << 1;
        assert_eq!(mad.encode(), word);
        assert_eq!(Instruction::decode(word), Ok(mad));

        let texture = Instruction {
            op: Opcode::Tex,
            destination: Destination { written: Written::Temporary, index: 6, mask: Mask::ALL },
            bank: 0,
            sources: [source(File::Input, 2, 0xe4, false), Source::NONE, Source::NONE],
            extended: Extended::IDENTITY,
            sampler: 3,
        };
        let word = (1 << 8 | 6 << 3 | 3) << 49 | (1 << 13 | 2 << 9 | 0xe4 << 1) << 31 | 0x3210;
        assert_eq!(texture.encode(), word);
        assert_eq!(Instruction::decode(word), Ok(texture));
        assert_eq!(Instruction::decode(0), Ok(Instruction::NOP));
    }

    #[test]
    fn words_that_are_no_instruction_say_why() {
        let word = |number: u64| number << 58 | 1 << 49 | 0x3210;
        assert_eq!(Instruction::decode(word(29)), Err(WordError::Opcode(29)));
        assert_eq!(Instruction::decode(word(63)), Err(WordError::Opcode(63)));
        assert_eq!(Instruction::decode(0x3216 | 2 << 58), Err(WordError::Selector(6)));
        assert_eq!(Instruction::decode(0b11 << 56), Err(WordError::External));
        // The faults are a bank without a uniform source, a second source for MOV, a set last bit in MAD, a set bit in NOP, and a
        // wrong destination for ARL.
        for (word, bits) in [
            (word(2) | 3 << 46, 3 << 46),
            (word(2) | 0x80 << 16, 0x80 << 16),
            (20 << 58 | 1, 1),
            (1 << 40, 1 << 40),
            (word(1) | 1 << 57, 1 << 57),
        ] {
            assert_eq!(Instruction::decode(word), Err(WordError::Reserved(bits)), "{word:016x}");
        }
    }
}
