//! A token's bits: 24 bytes, little endian, as opcode, destination, source 1, source 2 or sampler.
//!
//! Rule: a token keeps its words as they were read, reserved bits included, so that encoding returns the same bytes; the views
//! here decode a word and encode it again. The layout is Adobe's published bytecode format.

pub(crate) use sdlbc::front::letter;
pub use sdlbc::front::{Mask, Swizzle};

use crate::opcode::{Opcode, Operand, Row, of_slot};
use crate::register::File;

/// Bytes before the first token.
pub const HEADER_BYTES: usize = 7;
/// Bytes of a token.
pub const TOKEN_BYTES: usize = 24;

/// The byte of a word from a bit on.
const fn byte(word: u64, at: u32) -> u8 {
    (word >> at).to_le_bytes()[0]
}

/// The lowest 16 bits of a word.
const fn half(word: u64) -> u16 {
    let bytes = word.to_le_bytes();
    u16::from_le_bytes([bytes[0], bytes[1]])
}

/// One token, as its four words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Token {
    /// The operation's number.
    pub opcode: u32,
    /// The destination, see [`Destination`].
    pub destination: u32,
    /// The sources, see [`Source`] and [`Sampler`].
    pub sources: [u64; 2],
}

impl Token {
    /// Reads a token from its bytes.
    pub fn decode(bytes: &[u8; TOKEN_BYTES]) -> Token {
        let word = |at: usize| {
            let word = bytes.get(at..at + 4).and_then(|word| word.try_into().ok());
            word.map_or(0, u32::from_le_bytes)
        };
        let long = |at: usize| u64::from(word(at)) | u64::from(word(at + 4)) << 32;
        Token { opcode: word(0), destination: word(4), sources: [long(8), long(16)] }
    }

    /// The token's bytes.
    pub fn encode(&self) -> [u8; TOKEN_BYTES] {
        let mut bytes = [0; TOKEN_BYTES];
        bytes[0..4].copy_from_slice(&self.opcode.to_le_bytes());
        bytes[4..8].copy_from_slice(&self.destination.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.sources[0].to_le_bytes());
        bytes[16..24].copy_from_slice(&self.sources[1].to_le_bytes());
        bytes
    }

    /// The operation, if there is one with this number.
    pub fn op(&self) -> Option<Opcode> {
        Opcode::from_code(self.opcode)
    }

    /// The row of the operation, if there is one with this number.
    pub fn row(&self) -> Option<&'static Row> {
        Opcode::row_of(self.opcode)
    }

    /// The destination word, decoded.
    pub fn dst(&self) -> Destination {
        Destination::decode(self.destination)
    }

    /// The word of a source slot (0 or 1).
    pub fn word(&self, slot: usize) -> u64 {
        of_slot(self.sources, slot)
    }

    /// A source word, decoded as a register operand.
    pub fn src(&self, slot: usize) -> Source {
        Source::decode(self.word(slot))
    }

    /// The second source word, decoded as a sampler.
    pub fn sampler(&self) -> Sampler {
        Sampler::decode(self.sources[1])
    }

    /// Kind of a source slot; [`Operand::None`] if the operation is unknown.
    pub fn operand(&self, slot: usize) -> Operand {
        self.row().map_or(Operand::None, |row| row.source(slot))
    }
}

/// `----TTTT----MMMMNNNNNNNNNNNNNNNN`: register type, write mask, register number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Destination {
    /// The register's number.
    pub number: u16,
    /// The components that are written.
    pub mask: Mask,
    /// The file's number; see [`File::from_number`].
    pub file: u8,
}

impl Destination {
    /// The bits that the format reserves.
    pub const RESERVED: u32 = 0xf0f0_0000;

    /// Reads the word; reserved bits are not kept.
    pub const fn decode(word: u32) -> Destination {
        let word = word as u64;
        Destination { number: half(word), mask: Mask(byte(word, 16) & 0xf), file: byte(word, 24) & 0xf }
    }

    /// The word, reserved bits zero.
    pub const fn encode(self) -> u32 {
        self.number as u32 | (self.mask.0 as u32 & 0xf) << 16 | (self.file as u32 & 0xf) << 24
    }

    /// The register file, if there is one with this number.
    pub fn register_file(self) -> Option<File> {
        File::from_number(self.file)
    }
}

/// `D-------------QQ----IIII----TTTTSSSSSSSSOOOOOOOONNNNNNNNNNNNNNNN`: a register, read directly or, when `indirect`,
/// through an index register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Source {
    /// The register's number, or the number of the index register when `indirect`.
    pub number: u16,
    /// Added to the index when `indirect`; otherwise it must be 0.
    pub offset: u8,
    /// The components that are read, applied to the register that was fetched.
    pub swizzle: Swizzle,
    /// The file's number; see [`File::from_number`].
    pub file: u8,
    /// The file of the index register when `indirect`; otherwise it must be 0.
    pub index_file: u8,
    /// The component (0 to 3) of the index register when `indirect`; otherwise it must be 0.
    pub index_component: u8,
    /// Whether the register's number is computed.
    pub indirect: bool,
}

impl Source {
    /// The bits that the format reserves.
    pub const RESERVED: u64 = 0x7ffc_f0f0_0000_0000;
    /// The bits of a register that is read directly: its number, swizzle and file.
    pub(crate) const PLAIN: u64 = 0x0000_000f_ff00_ffff;
    /// The bit of a register whose number is computed.
    pub(crate) const INDIRECT: u64 = 1 << 63;

    /// Reads the word; reserved bits are not kept.
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

    /// The word, reserved bits zero.
    pub const fn encode(self) -> u64 {
        self.number as u64
            | (self.offset as u64) << 16
            | (self.swizzle.0 as u64) << 24
            | (self.file as u64 & 0xf) << 32
            | (self.index_file as u64 & 0xf) << 40
            | (self.index_component as u64 & 3) << 48
            | (self.indirect as u64) << 63
    }

    /// The register file, if there is one with this number.
    pub fn register_file(self) -> Option<File> {
        File::from_number(self.file)
    }

    /// The index register's file, if there is one with this number.
    pub fn index_register_file(self) -> Option<File> {
        File::from_number(self.index_file)
    }
}

/// `FFFFMMMMWWWWSSSSDDDDffff----TTTT--------BBBBBBBBNNNNNNNNNNNNNNNN`: a texture and its sampling state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sampler {
    /// The sampler's number.
    pub number: u16,
    /// Level-of-detail bias in eighths.
    pub bias: i8,
    /// The file's number, which must be 5.
    pub file: u8,
    /// Texture format: 0 rgba, 1 compressed (dxt1), 2 compressed with alpha (dxt5), 3 video.
    pub format: u8,
    /// Dimension: 0 2d, 1 cube, 2 3d, 3 rectangle.
    pub dimension: u8,
    /// Flags: 1 centroid, 2 single, 4 ignoresampler.
    pub special: u8,
    /// Wrap: 0 clamp, 1 repeat, 2 clamp u and repeat v, 3 repeat u and clamp v.
    pub wrap: u8,
    /// Mip levels: 0 none, 1 nearest, 2 linear.
    pub mip: u8,
    /// Filter: 0 nearest, 1 linear, 2 to 5 anisotropic 2x, 4x, 8x, 16x.
    pub filter: u8,
}

impl Sampler {
    /// The bits that the format reserves.
    pub const RESERVED: u64 = 0x0000_00f0_ff00_0000;
    /// The flag that reads one component and copies it to all.
    pub const SINGLE: u8 = 2;
    /// The flag for a sampler state that the application sets.
    pub const IGNORE: u8 = 4;

    /// Reads the word; reserved bits are not kept.
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

    /// The word, reserved bits zero.
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

    /// Components of a coordinate: two for 2d, three for cube and 3d.
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

    /// Every bit of every word is either decoded, and so encoded again, or reserved.
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
