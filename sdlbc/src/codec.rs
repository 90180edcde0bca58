//! What the encoder, the decoder and the dump share: the header, the tags, and how many words belong to what.
//!
//! Rule: a number of the container stands here or in `kinds.rs`, once. The layout is written down in docs/format.md.

mod decode;
mod encode;
mod error;
pub(crate) mod kinds;
pub(crate) mod places;
mod region;
mod table;

pub use decode::{decode, dialect};
pub use encode::{encode, encode_in, encode_readable};
pub use error::{DecodeError, DecodeErrorKind, Unreadable};

pub(crate) use decode::{body, checksum, header};

use std::ffi::CStr;

use crate::{Blocks, Shape};

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

/// How the sections are numbered. The published text and the published header differ in it, and in nothing else.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// The published text's: FUNCTION is 1 and DEBUGTABLE 2. Files are written so by default.
    #[default]
    Text,
    /// The published header's: FUNCTION is 0 and DEBUGTABLE 1.
    Header,
}

impl Dialect {
    /// The tag of a function.
    pub(crate) const fn function(self) -> u32 {
        match self {
            Dialect::Text => 1,
            Dialect::Header => 0,
        }
    }

    /// The tag of the debug table.
    pub(crate) const fn debug_table(self) -> u32 {
        self.function() + 1
    }

    /// The dialect of a file whose first section has this tag. (A 1 is the text's function: a debug table alone is
    /// always written in the text's dialect.)
    pub(crate) const fn of_first_tag(tag: u32) -> Dialect {
        if tag == 0 { Dialect::Header } else { Dialect::Text }
    }
}

/// The tag of a function's inputs.
pub(crate) const INPUTS: u32 = 0x2000;
/// The tag of a function's outputs.
pub(crate) const OUTPUTS: u32 = 0x2001;
/// The tags of the debug table's records. [`debug_place`] gives their order.
pub(crate) const NAMES: u32 = 0x3000;
/// A function's name.
pub(crate) const FUNCTION_NAME: u32 = 0x3001;
/// Where a function's instructions come from.
pub(crate) const LINES: u32 = 0x3002;
/// What functions were made from.
pub(crate) const SOURCE: u32 = 0x3003;
/// The checksum of the program's file, in a debug table that is a file of its own.
pub(crate) const PROGRAM: u32 = 0x3004;

/// Where a record stands among others: those of the whole table are first, then function by function, and in the order
/// of the list. `number` is the record's first word, the function's index where it is about one. No two records have one
/// place, sources aside.
pub(crate) fn debug_place(tag: u32, number: u32) -> Option<(Option<u32>, usize)> {
    let order = [PROGRAM, SOURCE, FUNCTION_NAME, NAMES, LINES];
    let rank = order.iter().position(|&known| known == tag)?;
    Some((if matches!(tag, PROGRAM | SOURCE) { None } else { Some(number) }, rank))
}

impl Shape {
    /// How many of so many operand words are input ids, if the words fit the shape. The words of blocks count as
    /// operands here; of a shape with ignored operands none are ids.
    pub(crate) fn inputs_among(self, operands: usize) -> Option<usize> {
        if self.ignored {
            return Some(0);
        }
        // In front of its first block an IF has that block's word count, and a SWITCH the number of its cases.
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

/// The text of a String's data words: UTF-8 up to the first NUL, which stands in the last word, zeroes behind it. The
/// empty string has no data words at all. An error comes with its offset in `data`.
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
