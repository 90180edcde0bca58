//! Errors of the decoder.

use std::fmt;

use super::layout::record;
use crate::limits::{self, Counted};

/// The reason why a file cannot be read, and its position.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DecodeError {
    /// The fault.
    pub kind: DecodeErrorKind,
    /// The offset of the fault in bytes.
    pub offset: usize,
}

/// The kinds of faults in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DecodeErrorKind {
    /// The file is shorter than a header.
    HeaderTooShort,
    /// The first bytes are not those of this format.
    Magic,
    /// An unknown version.
    Version(u32),
    /// The file's length is not a whole number of words.
    Length(usize),
    /// The checksum does not match the content.
    Checksum {
        /// The checksum in the header.
        stored: u32,
        /// The checksum of the content.
        computed: u32,
    },
    /// An unknown section.
    SectionTag(u32),
    /// A second record of additions.
    SecondAdditions,
    /// A Function after a record of additions that is not the first section.
    FunctionAfterAdditions,
    /// Additions whose numbers do not ascend.
    AdditionsOrder(u32),
    /// An unknown addition, or a known one in a later revision.
    Addition {
        /// The number of the addition.
        number: u32,
        /// The revision that the file needs.
        revision: u32,
    },
    /// An unknown record in a function.
    Record(u32),
    /// A function after the debug table.
    FunctionAfterDebugTable,
    /// A second debug table.
    SecondDebugTable,
    /// An unknown record in the debug table.
    DebugRecord(u32),
    /// A record other than the one that must be here.
    RecordTag {
        /// The expected tag.
        expected: u32,
        /// The tag found.
        found: u32,
    },
    /// A word count that is too small, too large, or does not match the content.
    WordCount {
        /// The thing that is counted.
        what: &'static str,
        /// The count.
        found: u32,
    },
    /// A struct ends before its content is complete.
    Ends {
        /// The struct that ends.
        what: &'static str,
    },
    /// An unknown `fntype`.
    FunctionKind(u32),
    /// An unknown kind of input.
    InputKind(u32),
    /// An unknown kind of output.
    OutputKind(u32),
    /// Invalid data of an input's or output's kind.
    KindData {
        /// The kind.
        kind: &'static str,
    },
    /// A descriptor word and a length word that do not describe a type.
    Type {
        /// The descriptor.
        word: u32,
        /// The length.
        length: u32,
    },
    /// An array above [`limits::ARRAY_LENGTH`](crate::limits::ARRAY_LENGTH).
    ArrayLength(u32),
    /// An unknown operation.
    Opcode(u32),
    /// Blocks nested deeper than [`limits::NESTING`](crate::limits::NESTING).
    Nesting,
    /// More of something than its limit.
    TooMany(Counted),
    /// An id above [`limits::MAX_ID`](crate::limits::MAX_ID).
    Id(u32),
    /// A record of the debug table that is out of order or repeated.
    DebugOrder,
    /// A name or a list of names or members in the debug table that is empty.
    DebugEmpty,
    /// A source whose unit is unknown.
    SourceUnit,
    /// Value names whose ids do not ascend.
    NamesOrder(u32),
    /// Members whose arrays' ids do not ascend.
    MembersOrder(u32),
    /// A string without a NUL.
    StringNotTerminated,
    /// A non-zero byte after a string's NUL.
    StringPadding,
    /// A string with more words than it needs.
    StringTooLong,
    /// A string that is not UTF-8.
    StringNotUtf8,
}

impl DecodeErrorKind {
    /// The error at a byte offset.
    pub const fn at(self, offset: usize) -> DecodeError {
        DecodeError { kind: self, offset }
    }
}

impl fmt::Display for DecodeErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use DecodeErrorKind::*;
        match self {
            HeaderTooShort => f.write_str("the file is shorter than its header"),
            Magic => f.write_str("not an SDLSHADERBC file"),
            Version(version) => write!(f, "unknown format version {version}"),
            Length(length) => write!(f, "the file's length of {length} bytes is not a multiple of 4"),
            Checksum { stored, computed } => {
                write!(f, "the checksum in the header is {stored:#010x}, but that of the content is {computed:#010x}")
            }
            SectionTag(tag) => write!(f, "unknown section {tag:#x}"),
            SecondAdditions => f.write_str("a second record of additions"),
            FunctionAfterAdditions => f.write_str("a function after the record of additions"),
            AdditionsOrder(number) => write!(f, "the addition {number} is out of order"),
            Addition { number, revision } => write!(f, "unknown addition {number} in revision {revision}"),
            Record(tag) => write!(f, "unknown record {tag:#x}"),
            FunctionAfterDebugTable => f.write_str("a function after the debug table"),
            SecondDebugTable => f.write_str("a second debug table"),
            DebugRecord(tag) => write!(f, "unknown debug record {tag:#x}"),
            RecordTag { expected, found } => {
                let named = |tag| match record(tag) {
                    "" => format!("{tag:#x}"),
                    name => format!("the record of {name} ({tag:#x})"),
                };
                write!(f, "expected {}, found {}", named(*expected), named(*found))
            }
            WordCount { what, found } => write!(f, "bad word count {found} of {what}"),
            Ends { what } => write!(f, "the {what} ends before its content is complete"),
            FunctionKind(kind) => write!(f, "unknown function type {kind}"),
            InputKind(kind) => write!(f, "unknown input kind {kind}"),
            OutputKind(kind) => write!(f, "unknown output kind {kind}"),
            KindData { kind } => write!(f, "bad data of kind {kind}"),
            Type { word, length } => write!(f, "the descriptor {word:#010x} and length {length:#x} are not a type"),
            ArrayLength(length) => write!(f, "an array of {length} elements is too long"),
            Opcode(number) => write!(f, "unknown operation {number:#x}"),
            Nesting => write!(f, "blocks are nested more than {} deep", limits::NESTING),
            TooMany(counted) => write!(f, "more than {} {}", counted.limit(), counted.what()),
            DebugOrder => f.write_str("a debug record that is out of order or repeated"),
            DebugEmpty => f.write_str("a debug record without a name"),
            SourceUnit => f.write_str("a source with an unknown unit"),
            Id(id) => write!(f, "the id %{id} exceeds the limit of {}", limits::MAX_ID),
            NamesOrder(id) => write!(f, "the name of %{id} is out of order"),
            MembersOrder(id) => write!(f, "the member of %{id} is out of order"),
            StringNotTerminated => f.write_str("a string without a nul"),
            StringPadding => f.write_str("a string with a non-zero byte after its nul"),
            StringTooLong => f.write_str("a string with more words than it needs"),
            StringNotUtf8 => f.write_str("a string that is not utf-8"),
        }
    }
}

/// The reason why a module cannot be written so that its file decodes to the same module.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unreadable {
    /// The reader would refuse the file.
    Refused(DecodeErrorKind),
    /// The file would decode to another module, because this one contains something that a file cannot represent (V07, V09, V32).
    Another,
}

/// One lower-case line.
impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unreadable::Refused(kind) => write!(f, "the module's file could not be read again: {kind}"),
            Unreadable::Another => f.write_str("the module's file would be read as another module"),
        }
    }
}

impl std::error::Error for Unreadable {}

/// One lower-case line that ends with the offset.
impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {}", self.kind, self.offset)
    }
}

impl std::error::Error for DecodeError {}
