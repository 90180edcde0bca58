//! What the encoder, the decoder and the dump share: the header, the tags, and how many words belong to what.
//!
//! Rule: a number of the container stands here or in `kinds.rs`, once. The layout is written down in docs/format.md.

mod decode;
mod encode;
mod error;
pub(crate) mod kinds;

pub use decode::decode;
pub use encode::encode;
pub use error::{DecodeError, DecodeErrorKind};

pub(crate) use decode::{body, header};

use crate::{Arity, Shape};

/// The first bytes of every file.
pub(crate) const MAGIC: [u8; 12] = *b"SDLSHADERBC\0";
/// The one version of the format.
pub(crate) const VERSION: u32 = 1;
/// Where the version stands.
pub(crate) const VERSION_AT: usize = 12;
/// Where the checksum of everything behind the header stands.
pub(crate) const CHECKSUM_AT: usize = 16;
/// Where the sections begin.
pub(crate) const HEADER_BYTES: usize = 20;

/// The tags of the sections. The published text and the published header number them differently; a second value
/// of this type is all that reading or writing the other numbering needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SectionTags {
    pub(crate) function: u32,
    pub(crate) debug_table: u32,
}

/// The numbering of the published text.
pub(crate) const TEXT_TAGS: SectionTags = SectionTags { function: 1, debug_table: 2 };

/// The tag of a function's inputs.
pub(crate) const INPUTS: u32 = 0x2000;
/// The tag of a function's outputs.
pub(crate) const OUTPUTS: u32 = 0x2001;
/// The tag of the names of one function's values, in the debug table.
pub(crate) const NAMES: u32 = 0x3000;

impl Shape {
    /// How many of so many operand words are input ids, if the words fit the shape. The words of an IF's blocks count
    /// as operands here; of a shape with ignored operands none are ids.
    pub(crate) fn inputs_among(self, operands: usize) -> Option<usize> {
        if self.ignored {
            return Some(0);
        }
        let others = usize::from(self.output) + self.immediates + usize::from(self.blocks);
        let rest = operands.checked_sub(others)?;
        match self.inputs {
            Arity::Fixed(count) if rest == count || (self.blocks && rest > count) => Some(count),
            Arity::TwoToFour if (2..=4).contains(&rest) => Some(rest),
            _ => None,
        }
    }
}

/// The text of a String's data words: UTF-8 up to the first NUL, which stands in the last word, zeroes behind it. The
/// empty string has no data words at all. An error comes with its offset in `data`.
pub(crate) fn text(data: &[u8]) -> Result<&str, (DecodeErrorKind, usize)> {
    if data.is_empty() {
        return Ok("");
    }
    let Some(length) = data.iter().position(|&byte| byte == 0) else {
        return Err((DecodeErrorKind::StringNotTerminated, 0));
    };
    let (text, padding) = data.split_at(length);
    if let Some(at) = padding.iter().position(|&byte| byte != 0) {
        return Err((DecodeErrorKind::StringPadding, length + at));
    }
    if padding.len() > 4 || text.is_empty() {
        return Err((DecodeErrorKind::StringTooLong, 0));
    }
    std::str::from_utf8(text).map_err(|error| (DecodeErrorKind::StringNotUtf8, error.valid_up_to()))
}
