//! The layout of a token, which has 24 bytes in little-endian order for the opcode, the destination, source 1, and
//! source 2 or a sampler.
//!
//! Rule: a token keeps its words as they were read, including reserved bits, so that encoding returns the same bytes. The types
//! [`Destination`], [`Source`] and [`Sampler`] decode a word and encode it again. The layout follows Adobe's published bytecode
//! format.

pub(crate) use sdlbc::front::letter;
pub use sdlbc::front::{Mask, Swizzle};

use crate::opcode::{Opcode, Operand, Row, of_slot};
use crate::register::File;

/// The size of a program's header in bytes.
pub const HEADER_BYTES: usize = 7;
/// The size of a token in bytes.
pub const TOKEN_BYTES: usize = 24;

const fn byte(word: u64, at: u32) -> u8 {
    (word >> at).to_le_bytes()[0]
}

const fn half(word: u64) -> u16 {
    let bytes = word.to_le_bytes();
    u16::from_le_bytes([bytes[0], bytes[1]])
}

/// One token of a program: an opcode, a destination word and two source words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Token {
    /// The opcode's number, which may be unknown.
    pub opcode: u32,
    /// The encoded destination; see [`Destination`].
    pub destination: u32,
    /// The encoded sources; see [`Source`] and [`Sampler`].
    pub sources: [u64; 2],
}

impl Token {
    /// Decodes a token from its bytes.
    pub fn decode(bytes: &[u8; TOKEN_BYTES]) -> Token {
        let word = |at: usize| {
            let word = bytes.get(at..at + 4).and_then(|word| word.try_into().ok());
            word.map_or(0, u32::from_le_bytes)
        };
        let long = |at: usize| u64::from(word(at)) | u64::from(word(at + 4)) << 32;
        Token { opcode: word(0), destination: word(4), sources: [long(8), long(16)] }
    }

    /// Encodes the token as bytes.
    pub fn encode(&self) -> [u8; TOKEN_BYTES] {
        let mut bytes = [0; TOKEN_BYTES];
        bytes[0..4].copy_from_slice(&self.opcode.to_le_bytes());
        bytes[4..8].copy_from_slice(&self.destination.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.sources[0].to_le_bytes());
        bytes[16..24].copy_from_slice(&self.sources[1].to_le_bytes());
        bytes
    }

    /// Returns the token's opcode, or `None` if the opcode's number is unknown.
    pub fn op(&self) -> Option<Opcode> {
        Opcode::from_code(self.opcode)
    }

    /// Returns the opcode's row in the opcode table, or `None` if the opcode is unknown.
    pub fn row(&self) -> Option<&'static Row> {
        Opcode::row_of(self.opcode)
    }

    /// Decodes the destination word.
    pub fn dst(&self) -> Destination {
        Destination::decode(self.destination)
    }

    /// Returns the encoded source word in slot 0 or 1.
    pub fn word(&self, slot: usize) -> u64 {
        of_slot(self.sources, slot)
    }

    /// Decodes the source word in slot 0 or 1 as a register operand.
    pub fn src(&self, slot: usize) -> Source {
        Source::decode(self.word(slot))
    }

    /// Decodes the second source word as a sampler.
    pub fn sampler(&self) -> Sampler {
        Sampler::decode(self.sources[1])
    }

    /// Returns the kind of operand that the opcode expects in a source slot, or [`Operand::None`] for an unknown opcode.
    pub fn operand(&self, slot: usize) -> Operand {
        self.row().map_or(Operand::None, |row| row.source(slot))
    }
}

/// A destination, encoded as `----TTTT----MMMMNNNNNNNNNNNNNNNN`: register type, write mask, register number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Destination {
    /// The index of the destination register in its file.
    pub number: u16,
    /// The write mask: the components that the instruction writes.
    pub mask: Mask,
    /// The type number of the register file; see [`File::from_number`].
    pub file: u8,
}

impl Destination {
    /// The reserved bits of a destination word, which must be 0.
    pub const RESERVED: u32 = 0xf0f0_0000;

    /// Decodes a destination word. Reserved bits are dropped.
    pub const fn decode(word: u32) -> Destination {
        let word = word as u64;
        Destination { number: half(word), mask: Mask(byte(word, 16) & 0xf), file: byte(word, 24) & 0xf }
    }

    /// Encodes the destination with all reserved bits set to 0.
    pub const fn encode(self) -> u32 {
        self.number as u32 | (self.mask.0 as u32 & 0xf) << 16 | (self.file as u32 & 0xf) << 24
    }

    /// Returns the destination's register file, or `None` if the type number is unknown.
    pub fn register_file(self) -> Option<File> {
        File::from_number(self.file)
    }
}

/// A source register, encoded as `D-------------QQ----IIII----TTTTSSSSSSSSOOOOOOOONNNNNNNNNNNNNNNN`. An indirect source adds an
/// offset to the value of an index register, and reads the register whose number is the sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Source {
    /// The register's number in its file. In an indirect source, this is the number of the index register.
    pub number: u16,
    /// The offset that an indirect source adds to the index. The field must be 0 in a direct source.
    pub offset: u8,
    /// The swizzle that selects the components of the register's value.
    pub swizzle: Swizzle,
    /// The type number of the register file; see [`File::from_number`].
    pub file: u8,
    /// The type number of the index register's file. The field must be 0 in a direct source.
    pub index_file: u8,
    /// The component (0 to 3) of the index register that an indirect source reads. The field must be 0 in a direct source.
    pub index_component: u8,
    /// Whether an index register supplies the number of the source register.
    pub indirect: bool,
}

impl Source {
    /// The reserved bits of a source word, which must be 0.
    pub const RESERVED: u64 = 0x7ffc_f0f0_0000_0000;
    /// The bits of a direct source: its register number, swizzle and file.
    pub(crate) const PLAIN: u64 = 0x0000_000f_ff00_ffff;
    /// The bit that marks an indirect source.
    pub(crate) const INDIRECT: u64 = 1 << 63;

    /// Decodes a source word. Reserved bits are dropped.
    pub const fn decode(word: u64) -> Source {
        Source {
            number: half(word),
            offset: byte(word, 16),
            swizzle: Swizzle(byte(word, 24)),
            file: (word >> 32 & 0xf) as u8,
            index_file: (word >> 40 & 0xf) as u8,
            index_component: (word >> 48 & 3) as u8,
            indirect: word >> 63 != 0,
        }
    }

    /// Encodes the source with all reserved bits set to 0.
    pub const fn encode(self) -> u64 {
        self.number as u64
            | (self.offset as u64) << 16
            | (self.swizzle.0 as u64) << 24
            | (self.file as u64 & 0xf) << 32
            | (self.index_file as u64 & 0xf) << 40
            | (self.index_component as u64 & 3) << 48
            | (self.indirect as u64) << 63
    }

    /// Returns the source's register file, or `None` if the type number is unknown.
    pub fn register_file(self) -> Option<File> {
        File::from_number(self.file)
    }

    /// Returns the file of the index register, or `None` if the type number is unknown.
    pub fn index_register_file(self) -> Option<File> {
        File::from_number(self.index_file)
    }
}

/// A sampler register and its sampling state, encoded as `FFFFMMMMWWWWSSSSDDDDffff----TTTT--------BBBBBBBBNNNNNNNNNNNNNNNN`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sampler {
    /// The index of the sampler register.
    pub number: u16,
    /// The level-of-detail bias, in eighths of a mip level.
    pub bias: i8,
    /// The type number of the register file, which must be 5 ([`File::Sampler`]).
    pub file: u8,
    /// The texture format, which is 0 for rgba, 1 for compressed (dxt1), 2 for compressed with alpha (dxt5) and 3 for video.
    pub format: u8,
    /// The texture's dimension, which is 0 for 2d, 1 for cube, 2 for 3d and 3 for rectangle.
    pub dimension: u8,
    /// The special flags, which are 1 for centroid, 2 for single and 4 for ignoresampler.
    pub special: u8,
    /// The wrap mode, which is 0 for clamp, 1 for repeat, 2 for clamped u and repeated v, and 3 for repeated u and clamped v.
    pub wrap: u8,
    /// The mip mode, which is 0 for none, 1 for nearest and 2 for linear.
    pub mip: u8,
    /// The filter, which is 0 for nearest, 1 for linear, and 2 to 5 for anisotropic 2x, 4x, 8x and 16x.
    pub filter: u8,
}

impl Sampler {
    /// The reserved bits of a sampler word, which must be 0.
    pub const RESERVED: u64 = 0x0000_00f0_ff00_0000;
    /// The special flag `single`, with which a lookup reads one component and copies it to all four.
    pub const SINGLE: u8 = 2;
    /// The special flag `ignoresampler`, which leaves the sampler state to the application.
    pub const IGNORE: u8 = 4;

    /// Decodes a sampler word. Reserved bits are dropped.
    pub const fn decode(word: u64) -> Sampler {
        Sampler {
            number: half(word),
            bias: byte(word, 16) as i8,
            file: (word >> 32 & 0xf) as u8,
            format: (word >> 40 & 0xf) as u8,
            dimension: (word >> 44 & 0xf) as u8,
            special: (word >> 48 & 0xf) as u8,
            wrap: (word >> 52 & 0xf) as u8,
            mip: (word >> 56 & 0xf) as u8,
            filter: (word >> 60) as u8,
        }
    }

    /// Encodes the sampler with all reserved bits set to 0.
    pub const fn encode(self) -> u64 {
        self.number as u64
            | (self.bias as u8 as u64) << 16
            | (self.file as u64 & 0xf) << 32
            | (self.format as u64 & 0xf) << 40
            | (self.dimension as u64 & 0xf) << 44
            | (self.special as u64 & 0xf) << 48
            | (self.wrap as u64 & 0xf) << 52
            | (self.mip as u64 & 0xf) << 56
            | (self.filter as u64 & 0xf) << 60
    }

    /// Returns the number of coordinate components: three for cube and 3d textures, two for all others.
    pub const fn coordinate_components(self) -> u8 {
        match self.dimension {
            1 | 2 => 3,
            _ => 2,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_bit_is_a_field_or_reserved() {
        for bit in 0..32 {
            let word = 1u32 << bit;
            assert_eq!(Destination::decode(word).encode(), word & !Destination::RESERVED, "destination bit {bit}");
        }
        for bit in 0..64 {
            let word = 1u64 << bit;
            assert_eq!(Source::decode(word).encode(), word & !Source::RESERVED, "source bit {bit}");
            assert_eq!(Sampler::decode(word).encode(), word & !Sampler::RESERVED, "sampler bit {bit}");
        }
    }

    #[test]
    fn a_token_is_little_endian_in_published_order() {
        let bytes: [u8; 24] = std::array::from_fn(|i| u8::try_from(i).expect("few") + 1);
        let token = Token::decode(&bytes);
        assert_eq!(token.opcode, 0x0403_0201);
        assert_eq!(token.destination, 0x0807_0605);
        assert_eq!(token.sources, [0x100f_0e0d_0c0b_0a09, 0x1817_1615_1413_1211]);
        assert_eq!(token.encode(), bytes);
    }

    #[test]
    fn a_swizzle_reads_the_component_of_each_slot() {
        for (swizzle, slots) in (0..=255).flat_map(|swizzle| (0..16).map(move |slots| (swizzle, slots))) {
            let (swizzle, slots) = (Swizzle(swizzle), Mask(slots));
            let each = slots.components().fold(0, |set, slot| set | 1 << swizzle.component(slot));
            assert_eq!(swizzle.reads(slots), Mask(each), "{swizzle:?} {slots:?}");
        }
    }

    #[test]
    fn a_swizzle_is_printed_as_it_is_written() {
        let text =
            |letters: [u8; 4]| Swizzle(letters[0] | letters[1] << 2 | letters[2] << 4 | letters[3] << 6).to_string();
        assert_eq!(text([0, 1, 2, 3]), "");
        assert_eq!(text([3, 3, 3, 3]), ".w");
        assert_eq!(text([0, 1, 1, 1]), ".xy");
        assert_eq!(text([0, 1, 2, 2]), ".xyz");
        assert_eq!(text([3, 2, 1, 0]), ".wzyx");
    }
}
