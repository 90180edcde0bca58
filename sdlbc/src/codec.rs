//! Definitions shared by the encoder, the decoder and the dump: the header, the sections, strings and operand counts.
//!
//! Rule: each number of the file format is defined only once, in this file, in `layout.rs` or in `kinds.rs`. The format is
//! described in docs/format.md.

mod additions;
mod decode;
mod encode;
mod error;
pub(crate) mod kinds;
pub(crate) mod layout;
pub(crate) mod offsets;
mod region;
mod table;

pub use additions::{Addition, Additions, additions};
pub use decode::{checksum, decode, decode_known, dialect, stripped};
pub use encode::{encode, encode_in, encode_readable};
pub use error::{DecodeError, DecodeErrorKind, Unreadable};

pub(crate) use additions::unknown as unknown_addition;
pub(crate) use decode::{body, header, known};
pub(crate) use region::{end_of, is_unknown as is_unknown_record, word_at};

use std::ffi::CStr;

use crate::{Blocks, Shape};

pub(crate) const MAGIC: [u8; 12] = *b"SDLSHADERBC\0";
/// The only version of the format.
pub const VERSION: u32 = 1;
pub(crate) const VERSION_AT: usize = 12;
/// The byte offset of the checksum, which covers the bytes after the header.
pub(crate) const CHECKSUM_AT: usize = 16;
/// The size of the header in bytes, which is also the byte offset of the first section.
pub(crate) const HEADER_BYTES: usize = 20;

/// The numbering of a file's sections. SDL_shader_tools published the format as a text and as a C header, which differ
/// only in this numbering.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// The numbering in the published text: FUNCTION is 1 and DEBUGTABLE is 2. The writer uses this numbering by default.
    #[default]
    Text,
    /// The numbering in the published header: FUNCTION is 0 and DEBUGTABLE is 1.
    Header,
}

crate::words!(Dialect {
    Text "text" "As in the published text: functions have tag 1",
    Header "header" "As in the published header: functions have tag 0",
});

impl Dialect {
    pub(crate) const fn function(self) -> u32 {
        match self {
            Dialect::Text => 1,
            Dialect::Header => 0,
        }
    }

    pub(crate) const fn debug_table(self) -> u32 {
        self.function() + 1
    }

    /// Returns the dialect of a file whose first section has the tag `tag`. If the first tag is 1, the dialect is the text's
    /// dialect, because a file that contains only a debug table is always written in the text's dialect.
    pub(crate) const fn of_first_tag(tag: u32) -> Dialect {
        if tag == 0 { Dialect::Header } else { Dialect::Text }
    }
}

impl Shape {
    /// Returns the number of input ids in an instruction. `operands` is the number of the instruction's operand words, including
    /// the words of its blocks. Returns `None` if the number of operand words does not fit the shape. A shape with ignored
    /// operands has no input ids.
    pub(crate) fn inputs_among(self, operands: usize) -> Option<usize> {
        if self.ignored {
            return Some(0);
        }
        // An IF stores the word count of its first block, and a SWITCH stores the number of its cases.
        let counts = usize::from(matches!(self.blocks, Blocks::If | Blocks::Switch));
        let others = usize::from(self.output) + self.immediates + counts;
        let rest = operands.checked_sub(others)?;
        match (self.inputs, self.blocks) {
            (crate::Arity::Fixed(count), Blocks::If | Blocks::Loop | Blocks::Switch) => {
                (rest >= count).then_some(count)
            }
            (arity, _) => arity.allows(rest).then_some(rest),
        }
    }
}

fn set_checksum(file: &mut [u8]) {
    let crc = crc32fast::hash(file.get(HEADER_BYTES..).unwrap_or_default());
    if let Some(place) = file.get_mut(CHECKSUM_AT..HEADER_BYTES) {
        place.copy_from_slice(&crc.to_le_bytes());
    }
}

/// Returns the text in the data words of a String: UTF-8 up to the first NUL, which is in the last word and followed by zeroes.
/// The empty string has no data words. Each error comes with its offset in `data`.
pub(crate) fn text(data: &[u8]) -> Result<&str, (DecodeErrorKind, usize)> {
    if data.is_empty() {
        return Ok("");
    }
    let Ok(text) = CStr::from_bytes_until_nul(data) else {
        return Err((DecodeErrorKind::StringNotTerminated, 0));
    };
    let (text, padding) = data.split_at(text.count_bytes());
    if let Some(at) = padding.iter().position(|&byte| byte != 0) {
        return Err((DecodeErrorKind::StringPadding, text.len() + at));
    }
    if padding.len() > 4 || text.is_empty() {
        return Err((DecodeErrorKind::StringTooLong, 0));
    }
    std::str::from_utf8(text).map_err(|error| (DecodeErrorKind::StringNotUtf8, error.valid_up_to()))
}
