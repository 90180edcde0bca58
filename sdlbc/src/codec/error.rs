//! Errors of the decoder.

use std::fmt;

use super::layout::record;
use crate::limits::{self, Counted};
use crate::messages::messages;

/// The reason why a file cannot be read, and its position.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DecodeError {
    /// The fault.
    pub kind: DecodeErrorKind,
    /// The offset of the fault in bytes.
    pub offset: usize,
}

messages! {
    /// The kinds of faults in a file.
    #[derive(Clone, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum DecodeErrorKind {
        /// The file is shorter than a header.
        HeaderTooShort => "the file is shorter than its header";
        /// The file does not begin with the magic bytes of this format.
        Magic => "not an SDLSHADERBC file";
        /// An unknown version.
        Version(version: u32) => "unknown format version {version}";
        /// The file's length is not a whole number of words.
        Length(length: usize) => "the file's length of {length} bytes is not a multiple of 4";
        /// The checksum does not match the content.
        Checksum {
            /// The checksum in the header.
            stored: u32,
            /// The checksum of the content.
            computed: u32,
        } => "the checksum in the header is {stored:#010x}, but that of the content is {computed:#010x}";
        /// An unknown section.
        SectionTag(tag: u32) => "unknown section {tag:#x}";
        /// A second record of additions.
        SecondAdditions => "a second record of additions";
        /// A Function after a record of additions that is not the first section.
        FunctionAfterAdditions => "a function after the record of additions";
        /// Additions whose numbers do not ascend.
        AdditionsOrder(number: u32) => "the addition {number} is out of order";
        /// An unknown addition, or a later revision of a known addition.
        Addition {
            /// The number of the addition.
            number: u32,
            /// The revision that the file needs.
            revision: u32,
        } => "unknown addition {number} in revision {revision}";
        /// An unknown record in a function.
        Record(tag: u32) => "unknown record {tag:#x}";
        /// A function after the debug table.
        FunctionAfterDebugTable => "a function after the debug table";
        /// A second debug table.
        SecondDebugTable => "a second debug table";
        /// An unknown record in the debug table.
        DebugRecord(tag: u32) => "unknown debug record {tag:#x}";
        /// A record other than the required record.
        RecordTag {
            /// The expected tag.
            expected: u32,
            /// The tag found.
            found: u32,
        } => "expected {}, found {}", record_name(*expected), record_name(*found);
        /// A word count that is too small, too large, or does not match the content.
        WordCount {
            /// The thing that is counted.
            what: &'static str,
            /// The count.
            found: u32,
        } => "bad word count {found} of {what}";
        /// A struct ends before its content is complete.
        Ends {
            /// The struct that ends.
            what: &'static str,
        } => "the {what} ends before its content is complete";
        /// An unknown `fntype`.
        FunctionKind(kind: u32) => "unknown function type {kind}";
        /// An unknown kind of input.
        InputKind(kind: u32) => "unknown input kind {kind}";
        /// An unknown kind of output.
        OutputKind(kind: u32) => "unknown output kind {kind}";
        /// Invalid data of an input's or output's kind.
        KindData {
            /// The kind.
            kind: &'static str,
        } => "bad data of kind {kind}";
        /// A descriptor word and a length word that do not describe a type.
        Type {
            /// The descriptor.
            word: u32,
            /// The length.
            length: u32,
        } => "the descriptor {word:#010x} and length {length:#x} are not a type";
        /// An array above [`limits::ARRAY_LENGTH`](crate::limits::ARRAY_LENGTH).
        ArrayLength(length: u32) => "an array of {length} elements is too long";
        /// An unknown operation.
        Opcode(number: u32) => "unknown operation {number:#x}";
        /// Blocks nested deeper than [`limits::NESTING`](crate::limits::NESTING).
        Nesting => "blocks are nested more than {} deep", limits::NESTING;
        /// More of something than its limit.
        TooMany(counted: Counted) => "more than {} {}", counted.limit(), counted.what();
        /// An id above [`limits::MAX_ID`](crate::limits::MAX_ID).
        Id(id: u32) => "the id %{id} exceeds the limit of {}", limits::MAX_ID;
        /// A record of the debug table that is out of order or repeated.
        DebugOrder => "a debug record that is out of order or repeated";
        /// A name or a list of names or members in the debug table that is empty.
        DebugEmpty => "a debug record without a name";
        /// A source whose unit is unknown.
        SourceUnit => "a source with an unknown unit";
        /// Value names whose ids do not ascend.
        NamesOrder(id: u32) => "the name of %{id} is out of order";
        /// Members whose arrays' ids do not ascend.
        MembersOrder(id: u32) => "the member of %{id} is out of order";
        /// A string without a NUL.
        StringNotTerminated => "a string without a nul";
        /// A non-zero byte after a string's NUL.
        StringPadding => "a string with a non-zero byte after its nul";
        /// A string with more words than it needs.
        StringTooLong => "a string with more words than it needs";
        /// A string that is not UTF-8.
        StringNotUtf8 => "a string that is not utf-8";
    }
}

impl DecodeErrorKind {
    /// The error at a byte offset.
    pub const fn at(self, offset: usize) -> DecodeError {
        DecodeError { kind: self, offset }
    }
}

/// A record by its name and tag, or by its tag if it has no name.
fn record_name(tag: u32) -> String {
    match record(tag) {
        "" => format!("{tag:#x}"),
        name => format!("the record of {name} ({tag:#x})"),
    }
}

messages! {
    /// The reason why a module cannot be written so that its file decodes to the same module.
    #[derive(Clone, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum Unreadable {
        /// The reader would refuse the file.
        Refused(kind: DecodeErrorKind) => "the module's file could not be read again: {kind}";
        /// The file would decode to another module, because this one contains something that a file cannot represent (V07,
        /// V09, V32).
        Another => "the module's file would be read as another module";
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
