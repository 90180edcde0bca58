//! The layout of a file's structs: their tags, and their fields in the order of their words.
//!
//! Rule: each field is listed once, in this file. The writer (`encode.rs`), the reader (`decode.rs`) and the dump (`dump.rs`)
//! pass their own macros to [`layout!`], and each macro generates one method for each row. The form of a field, such as a number,
//! an id, a type or a string, is the name of a method in each of the three files. A new field therefore needs only an entry in a
//! row.
//!
//! The words of a kind are listed in the rows of `kinds.rs`, and the words of an instruction follow from the rows of `ops.rs`.

/// Calls `$callback!` with rows of the form `name(Type): field = form(name in the dump), ...;`, one for each struct. A list keyed
/// by id has no row, because each element is an id followed by a name or a member, and the id is a map key in memory.
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

/// The lowest tag of a record. Lower tags denote sections or operations.
pub(crate) const RECORDS: u32 = 0x2000;

/// The tag of the record that lists the additions used by a file. The record is the last section, or the first section in older
/// files.
pub(crate) const ADDITIONS: u32 = 0x2002;

/// The tag of the record that contains the size of a compute function's workgroup as three numbers. The record follows the
/// function's outputs.
pub(crate) const WORKGROUP: u32 = 0x2003;

/// A record that contains a list of entries. Each entry begins with the number of its words.
pub(crate) struct Entries {
    pub(crate) tag: u32,
    pub(crate) name: &'static str,
    pub(crate) entry: &'static str,
}

pub(crate) const INPUTS: Entries = Entries { tag: 0x2000, name: "inputs", entry: "input" };
pub(crate) const OUTPUTS: Entries = Entries { tag: 0x2001, name: "outputs", entry: "output" };

/// Returns the name of the record with the given tag, or an empty string if no record of a function or of the file has
/// the tag.
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
        /// The records of the debug table in their required order: records about the whole table first, and then the records of
        /// each function.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub(crate) enum Record {
            $(#[doc = $content] $record),*
        }

        impl Record {
            pub(crate) const fn of(tag: u32) -> Option<Record> {
                match tag { $($tag => Some(Record::$record),)* _ => None }
            }

            pub(crate) const fn tag(self) -> u32 {
                match self { $(Record::$record => $tag),* }
            }

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
    Bindings     0x3006 "bindings of the source"       "Pairs of a resource's id and its place in the source.";
    Lines        0x3002 "line numbers of instructions" "The line numbers of the function's instructions.";
}

/// The position of a record in the debug table: the index of the described function (`None` for a record about the whole table),
/// and the kind of record.
pub(crate) type RecordPlace = (Option<u32>, Record);

impl Record {
    pub(crate) const WHAT: &'static str = "debug record";

    /// Reports whether the record describes a function and therefore begins with the function's index.
    pub(crate) const fn is_of_function(self) -> bool {
        !matches!(self, Record::Program | Record::Source)
    }

    /// Returns the position of a record whose first word is `number`, or `None` if the record must not follow a record at the
    /// position `last`. Only sources may share a position.
    pub(crate) fn place(self, number: u32, last: Option<RecordPlace>) -> Option<RecordPlace> {
        let place = Some((self.is_of_function().then_some(number), self));
        if place < last || place == last && self != Record::Source { None } else { place }
    }
}
