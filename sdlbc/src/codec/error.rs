//! Why bytes are not a module.

use std::fmt;

use crate::limits::{self, Counted};

/// Why a file cannot be read, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodeError {
    /// What is wrong.
    pub kind: DecodeErrorKind,
    /// The byte at which it is.
    pub offset: usize,
}

/// What can be wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DecodeErrorKind {
    /// The file is shorter than a header.
    HeaderTooShort,
    /// The first bytes are not those of this format.
    Magic,
    /// A version that nobody has described yet.
    Version(u32),
    /// The file's length is not a whole number of words.
    Length(usize),
    /// The content is not the one that the checksum was made of.
    Checksum {
        /// What the file says.
        stored: u32,
        /// What its content is.
        computed: u32,
    },
    /// An unknown section.
    SectionTag(u32),
    /// A function behind the debug table.
    FunctionAfterDebugTable,
    /// A second debug table.
    SecondDebugTable,
    /// An unknown record in the debug table.
    DebugRecord(u32),
    /// Another tag than the one that must stand here.
    RecordTag {
        /// The one that must.
        expected: u32,
        /// The one that does.
        found: u32,
    },
    /// A word count that is too small, too large, or not the one that the content needs.
    WordCount {
        /// Of what.
        what: &'static str,
        /// The count.
        found: u32,
    },
    /// The enclosing struct ends before this one is complete.
    Ends {
        /// What ends.
        what: &'static str,
    },
    /// An unknown `fntype`.
    FunctionKind(u32),
    /// An unknown kind of input.
    InputKind(u32),
    /// An unknown kind of output.
    OutputKind(u32),
    /// Words of an input's or output's kind that mean nothing.
    KindData {
        /// The kind.
        kind: &'static str,
    },
    /// A descriptor word, or its length word, that describes no type.
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
    /// Blocks nested above [`limits::NESTING`](crate::limits::NESTING).
    Nesting,
    /// More of something than its limit allows.
    TooMany(Counted),
    /// An id above [`limits::MAX_ID`](crate::limits::MAX_ID).
    Id(u32),
    /// A record of the debug table that stands before one that it must follow, or for the second time.
    DebugOrder,
    /// A name or a list of names in the debug table that is empty.
    DebugEmpty,
    /// A source whose unit is unknown.
    SourceUnit,
    /// Names of values whose ids do not rise.
    NamesOrder(u32),
    /// A string without a NUL.
    StringNotTerminated,
    /// Something other than zeroes behind a string's NUL.
    StringPadding,
    /// A string with more words than it needs.
    StringTooLong,
    /// A string that is not UTF-8.
    StringNotUtf8,
}

impl DecodeErrorKind {
    /// The error at a byte.
    pub(crate) const fn at(self, offset: usize) -> DecodeError {
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
            Length(length) => write!(f, "the file's {length} bytes are not whole words"),
            Checksum { stored, computed } => {
                write!(f, "the checksum is {stored:#010x} and the content's {computed:#010x}")
            }
            SectionTag(tag) => write!(f, "unknown section {tag:#x}"),
            FunctionAfterDebugTable => f.write_str("a function behind the debug table"),
            SecondDebugTable => f.write_str("a second debug table"),
            DebugRecord(tag) => write!(f, "unknown debug record {tag:#x}"),
            RecordTag { expected, found } => write!(f, "record {found:#x} where {expected:#x} must stand"),
            WordCount { what, found } => write!(f, "bad word count {found} of {what}"),
            Ends { what } => write!(f, "the {what} ends too early"),
            FunctionKind(kind) => write!(f, "unknown function type {kind}"),
            InputKind(kind) => write!(f, "unknown input kind {kind}"),
            OutputKind(kind) => write!(f, "unknown output kind {kind}"),
            KindData { kind } => write!(f, "bad data of kind {kind}"),
            Type { word, length } => write!(f, "no type has the words {word:#010x} {length:#x}"),
            ArrayLength(length) => write!(f, "an array of {length} elements is too long"),
            Opcode(number) => write!(f, "unknown operation {number:#x}"),
            Nesting => write!(f, "blocks stand more than {} deep inside each other", limits::NESTING),
            TooMany(counted) => write!(f, "more than {} {}", counted.limit(), counted.what()),
            DebugOrder => f.write_str("a debug record out of order, or for the second time"),
            DebugEmpty => f.write_str("a debug record that names nothing"),
            SourceUnit => f.write_str("a source with an unknown unit"),
            Id(id) => write!(f, "the id %{id} is too high"),
            NamesOrder(id) => write!(f, "the name of %{id} is out of order"),
            StringNotTerminated => f.write_str("a string without a nul"),
            StringPadding => f.write_str("a string with something behind its nul"),
            StringTooLong => f.write_str("a string with more words than it needs"),
            StringNotUtf8 => f.write_str("a string that is not utf-8"),
        }
    }
}

/// Why a module's file does not read as that module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// No reader would take the file.
    Refused(DecodeErrorKind),
    /// It reads as another module, as this one has what no file holds (V07, V09, V32).
    Another,
}

/// One lower-case line.
impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unreadable::Refused(kind) => write!(f, "the module's file could not be read again: {kind}"),
            Unreadable::Another => f.write_str("the module's file would read as another module"),
        }
    }
}

impl std::error::Error for Unreadable {}

/// One lower-case line that ends with the byte.
impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {}", self.kind, self.offset)
    }
}

impl std::error::Error for DecodeError {}
