//! The errors that the decoder returns.

use std::fmt;

use super::layout::record;
use crate::limits::{self, Counted};
use crate::messages::messages;

/// A fault that prevents the decoder from reading a file, and the fault's position.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DecodeError {
    /// The kind of fault that the decoder found.
    pub kind: DecodeErrorKind,
    /// The byte offset of the fault in the file.
    pub offset: usize,
}

messages! {
    /// The kinds of faults that a file can have.
    #[derive(Clone, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum DecodeErrorKind {
        /// The file is shorter than a header.
        HeaderTooShort => "the file is shorter than its header";
        /// The file does not begin with the magic bytes of this format.
        Magic => "not an SDLSHADERBC file";
        /// The header states an unknown version of the format.
        Version(version: u32) => "unknown format version {version}";
        /// The file's length is not a whole number of words.
        Length(length: usize) => "the file's length of {length} bytes is not a multiple of 4";
        /// The checksum in the header does not match the content.
        Checksum {
            /// The checksum in the header.
            stored: u32,
            /// The checksum of the bytes after the header.
            computed: u32,
        } => "the checksum in the header is {stored:#010x}, but that of the content is {computed:#010x}";
        /// A section has an unknown tag.
        SectionTag(tag: u32) => "unknown section {tag:#x}";
        /// The file has a second record of additions.
        SecondAdditions => "a second record of additions";
        /// A function follows a record of additions that is not the first section.
        FunctionAfterAdditions => "a function after the record of additions";
        /// The numbers in the record of additions do not ascend.
        AdditionsOrder(number: u32) => "the addition {number} is out of order";
        /// The file uses an unknown addition, or a later revision of a known addition.
        Addition {
            /// The number of the addition in the file.
            number: u32,
            /// The revision of the addition that the file needs.
            revision: u32,
        } => "unknown addition {number} in revision {revision}";
        /// A function contains a record with an unknown tag.
        Record(tag: u32) => "unknown record {tag:#x}";
        /// A function follows the debug table.
        FunctionAfterDebugTable => "a function after the debug table";
        /// The file has a second debug table.
        SecondDebugTable => "a second debug table";
        /// The debug table contains a record with an unknown tag.
        DebugRecord(tag: u32) => "unknown debug record {tag:#x}";
        /// A record does not have the tag that the format requires at this point.
        RecordTag {
            /// The tag of the required record.
            expected: u32,
            /// The tag of the record in the file.
            found: u32,
        } => "expected {}, found {}", record_name(*expected), record_name(*found);
        /// A word count is too small or too large, or does not match the content.
        WordCount {
            /// The name of the counted struct or list.
            what: &'static str,
            /// The word count in the file.
            found: u32,
        } => "bad word count {found} of {what}";
        /// A struct ends before its content is complete.
        Ends {
            /// The name of the incomplete struct.
            what: &'static str,
        } => "the {what} ends before its content is complete";
        /// A function has an unknown `fntype`.
        FunctionKind(kind: u32) => "unknown function type {kind}";
        /// An input has an unknown kind.
        InputKind(kind: u32) => "unknown input kind {kind}";
        /// An output has an unknown kind.
        OutputKind(kind: u32) => "unknown output kind {kind}";
        /// The data words of an input or output are invalid for its kind.
        KindData {
            /// The name of the input's or output's kind.
            kind: &'static str,
        } => "bad data of kind {kind}";
        /// A descriptor word and a length word do not describe a type.
        Type {
            /// The descriptor word of the type.
            word: u32,
            /// The length word of the type.
            length: u32,
        } => "the descriptor {word:#010x} and length {length:#x} do not describe a type";
        /// An array is longer than [`limits::ARRAY_LENGTH`](crate::limits::ARRAY_LENGTH).
        ArrayLength(length: u32) => "an array of {length} elements is too long";
        /// An instruction has an unknown operation number.
        Opcode(number: u32) => "unknown operation {number:#x}";
        /// Blocks are nested deeper than [`limits::NESTING`](crate::limits::NESTING).
        Nesting => "blocks are nested more than {} deep", limits::NESTING;
        /// A count exceeds its limit.
        TooMany(counted: Counted) => "more than {} {}", counted.limit(), counted.what();
        /// An id is higher than [`limits::MAX_ID`](crate::limits::MAX_ID).
        Id(id: u32) => "the id %{id} exceeds the limit of {}", limits::MAX_ID;
        /// A record of the debug table is out of order or repeated.
        DebugOrder => "a debug record that is out of order or repeated";
        /// The debug table contains an empty name, or an empty list of names or members.
        DebugEmpty => "a debug record without a name";
        /// A source in the debug table has an unknown unit.
        SourceUnit => "a source with an unknown unit";
        /// The ids in a list of value names do not ascend.
        NamesOrder(id: u32) => "the name of %{id} is out of order";
        /// The array ids in a list of members are out of order.
        MembersOrder(id: u32) => "the member of %{id} is out of order";
        /// The ids in a list of bindings do not ascend.
        BindingsOrder(id: u32) => "the binding of %{id} is out of order";
        /// The words of a binding state a group without a number or a number without a group, or a sampler of push constants.
        BindingWords => "a binding whose words are neither a group and a number nor absent";
        /// A string has no terminating NUL.
        StringNotTerminated => "a string without a nul";
        /// A string has a non-zero byte after its NUL.
        StringPadding => "a string with a non-zero byte after its nul";
        /// A string has more words than it needs.
        StringTooLong => "a string with more words than it needs";
        /// A string is not valid UTF-8.
        StringNotUtf8 => "a string that is not UTF-8";
    }
}

impl DecodeErrorKind {
    /// Returns the error for a fault of this kind at a byte offset.
    pub const fn at(self, offset: usize) -> DecodeError {
        DecodeError { kind: self, offset }
    }
}

/// Returns the name and tag of a record, or only the tag if the record has no name.
fn record_name(tag: u32) -> String {
    match record(tag) {
        "" => format!("{tag:#x}"),
        name => format!("the record of {name} ({tag:#x})"),
    }
}

messages! {
    /// The reason why a module cannot be written to a file that decodes to the same module.
    #[derive(Clone, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum Unreadable {
        /// The decoder would reject the module's file.
        Refused(kind: DecodeErrorKind) => "the module's file could not be read back: {kind}";
        /// The file would decode to a different module, because the format cannot represent a part of the module (V07, V09, V32).
        Another => "the module's file would be read back as a different module";
    }
}

impl std::error::Error for Unreadable {}

/// Formats the error as one lower-case line that ends with the offset.
impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {}", self.kind, self.offset)
    }
}

impl std::error::Error for DecodeError {}
