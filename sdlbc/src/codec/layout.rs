//! The layout of a file's structs: their tags, and their fields in the order of their words.
//!
//! Rule: a field is stated here once. The writer (`encode.rs`), the reader (`decode.rs`) and the dump (`dump.rs`) each call
//! [`layout!`] with a macro of their own, which generates a method for each row. The form of a field (a number, an id, a type,
//! a string ...) is a method of the same name in each of the three. So a new field is an entry in a row.
//!
//! The words of a kind are in the rows of `kinds.rs`, and the words of an instruction follow from the rows of `ops.rs`.

/// Calls `$callback!` with the structs: rows of `name(Type): field = form(name in the dump), ...;`. Lists keyed by id have no
/// row: their elements are an id and a name or a member, and the id is a key in memory.
macro_rules! layout {
    ($callback:ident) => {
        $callback! {
    function(Function): kind = kind::<FunctionKind>(""), name = name("name"), inputs = inputs(), outputs = outputs(),
        workgroup = workgroup(), body = code();
    input(Input): id = id("id", "no id"), ty = ty(), kind = kind::<InputKind>(""), name = name("name");
    output(FunctionOutput): ty = ty(), kind = kind::<OutputKind>(""), name = name("name");
    source(Source): unit = kind::<Unit>("counted in "), file = name("file"), text = text("text");
    member(Member): first = number(|number| format!("element {number}")), component = number(component), ty = ty(),
        name = name("name");
    lines(Lines): source = number(|number| format!("in source {number}")), numbers = line_numbers();
        }
    };
}
pub(crate) use layout;

/// The first tag of a record; lower tags are sections or operations.
pub(crate) const RECORDS: u32 = 0x2000;

/// The record of the additions that a file uses. It is the last section; in older files it is the first.
pub(crate) const ADDITIONS: u32 = 0x2002;

/// The record of a compute function's workgroup, after its outputs: three numbers.
pub(crate) const WORKGROUP: u32 = 0x2003;

/// A record of entries; an entry begins with the number of its words.
pub(crate) struct Entries {
    pub(crate) tag: u32,
    /// The name of the record.
    pub(crate) name: &'static str,
    /// The name of an entry.
    pub(crate) entry: &'static str,
}

/// A function's inputs.
pub(crate) const INPUTS: Entries = Entries { tag: 0x2000, name: "inputs", entry: "input" };
/// A function's outputs.
pub(crate) const OUTPUTS: Entries = Entries { tag: 0x2001, name: "outputs", entry: "output" };

/// The name of a record of a function, and of the file; empty for other words.
pub(crate) const fn record(tag: u32) -> &'static str {
    match tag {
        ADDITIONS => "additions",
        WORKGROUP => "the workgroup",
        tag if tag == INPUTS.tag => INPUTS.name,
        tag if tag == OUTPUTS.tag => OUTPUTS.name,
        _ => "",
    }
}

macro_rules! records {
    ($($record:ident $tag:literal $name:literal $content:literal;)*) => {
        /// The records of the debug table, in their order: records about the whole table first, then the records of each
        /// function.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub(crate) enum Record {
            $(#[doc = $content] $record),*
        }

        impl Record {
            /// The record with a tag.
            pub(crate) const fn of(tag: u32) -> Option<Record> {
                match tag { $($tag => Some(Record::$record),)* _ => None }
            }

            pub(crate) const fn tag(self) -> u32 {
                match self { $(Record::$record => $tag),* }
            }

            /// The name of the record in the dump.
            pub(crate) const fn name(self) -> &'static str {
                match self { $(Record::$record => $name),* }
            }
        }
    };
}

records! {
    Program      0x3004 "program"                      "The checksum of the program's file, in a separate debug table.";
    Source       0x3003 "source"                       "A source.";
    FunctionName 0x3001 "name of a function"           "The function's debug name.";
    ValueNames   0x3000 "names of values"              "Pairs of an id and a name.";
    Members      0x3005 "members of uniforms"          "Pairs of an array's id and a member.";
    Lines        0x3002 "line numbers of instructions" "The line numbers of the function's instructions.";
}

/// The place of a record in the table: the function that it is about, if any, and the kind of record.
pub(crate) type RecordPlace = (Option<u32>, Record);

impl Record {
    /// The name in errors for any record.
    pub(crate) const WHAT: &'static str = "debug record";

    /// Whether the record is about a function, and so begins with the function's index.
    pub(crate) const fn is_of_function(self) -> bool {
        !matches!(self, Record::Program | Record::Source)
    }

    /// The place of a record with this first word, if it may follow the record at the place `last`. Two records must not have
    /// the same place, except for sources.
    pub(crate) fn place(self, number: u32, last: Option<RecordPlace>) -> Option<RecordPlace> {
        let place = Some((self.is_of_function().then_some(number), self));
        if place < last || place == last && self != Record::Source { None } else { place }
    }
}
