//! Moves the debug table between the file of its program and a separate file.
//!
//! Rule: a separate table identifies its program by a checksum, so that a table is never attached to the wrong program. The
//! checksum covers the program's file without a debug table, as written by [`encode_in()`] in either dialect (docs/format.md,
//! "Debug table").

use crate::codec::checksum;
use crate::members::Place;
use crate::messages::messages;
use crate::{Debug, Dialect, Id, Module, encode_in, limits};

/// Splits a module into the program without its debug table, and a module with only the debug table. The table identifies the
/// program's file by its checksum.
///
/// ```
/// use sdlbc::{Function, Module, Source, attach, split};
///
/// let mut module = Module { functions: vec![Function::default()], ..Module::default() };
/// module.debug.sources.push(Source { file: "lit.agal".to_string(), ..Source::default() });
///
/// let (program, table) = split(&module);
/// assert!(program.debug.is_empty());
/// assert!(table.functions.is_empty() && table.debug.program.is_some());
/// assert_eq!(attach(program, table), Ok(module));
/// ```
pub fn split(module: &Module) -> (Module, Module) {
    let program = Module { functions: module.functions.clone(), debug: Debug::default() };
    let debug = Debug { program: Some(checksum_of(&program, Dialect::Text)), ..module.debug.clone() };
    (program, Module { functions: Vec::new(), debug })
}

/// Combines a program with its separate debug table.
///
/// ```
/// use sdlbc::{AttachError, Function, Module, attach, split};
///
/// let program = |count| Module { functions: vec![Function::default(); count], ..Module::default() };
/// let (_, table) = split(&program(1));
/// assert!(matches!(attach(program(2), table), Err(AttachError::OtherProgram { .. })));
/// ```
///
/// # Errors
/// Returns an error if the table does not belong to the program, if `table` also contains functions, or if the program already
/// has a debug table.
pub fn attach(program: Module, table: Module) -> Result<Module, AttachError> {
    if !table.functions.is_empty() {
        return Err(AttachError::NotATable);
    }
    let stated = table.debug.program.ok_or(AttachError::NoProgram)?;
    if !program.debug.is_empty() {
        return Err(AttachError::HasATable);
    }
    let text = checksum_of(&program, Dialect::Text);
    if stated != text && stated != checksum_of(&program, Dialect::Header) {
        return Err(AttachError::OtherProgram { stated, checksum: text });
    }
    Ok(Module { functions: program.functions, debug: Debug { program: None, ..table.debug } })
}

messages! {
    /// A name or text that [`fit()`] removed from a debug table. A `LeftOut` is displayed as one lower-case line that states why
    /// a file cannot contain the name or text.
    #[derive(Clone, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum LeftOut {
        /// The text of a source, identified by the index of the source.
        Text(source: usize, why: Unfit) => "the text of source {source} {why}";
        /// The file name of a source, identified by the index of the source.
        File(source: usize, why: Unfit) => "the file name of source {source} {why}";
        /// The debug name of a function, identified by the index of the function.
        Function(function: u32, why: Unfit) => "the debug name of function {function} {why}";
        /// The name of a value, identified by the index of its function and the id of the value.
        Value(function: u32, id: Id, why: Unfit) => "the name of {id} in function {function} {why}";
        /// A member of a uniform array, with its name.
        Member {
            /// The index of the function that has the array as an input.
            function: u32,
            /// The id of the uniform array.
            array: Id,
            /// The index of the first array element that the member covered.
            first: u32,
            /// The first component that the member covered in the first array element.
            component: u32,
            /// The reason why a file cannot contain the member's name.
            why: Unfit,
        } => "the name of the member at {array}{} in function {function} {why}", Place { first: *first, component: *component };
    }
}

messages! {
    /// The reason why a file cannot contain a name or a text. An `Unfit` is displayed as the predicate of a sentence whose
    /// subject is the name or text.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum Unfit {
        /// The name or text has a NUL at this byte offset, and a NUL would end the string in a file.
        Nul(at: usize) => "has a nul at byte {at}, which would end the string in a file";
        /// The name has this many bytes, which is more than [`limits::NAME`].
        Long(bytes: usize) => "has {bytes} bytes, but the limit is {}", limits::NAME;
        /// All names and texts together, including the text in question, have this many bytes, which is more than
        /// [`limits::STRINGS`].
        Together(bytes: usize)
            => "is too long: all names and texts together have {bytes} bytes, but the limit is {}", limits::STRINGS;
    }
}

/// Removes from the debug table the names and texts that a file cannot contain and that would break V28 or V44. Returns the
/// removed items: names and texts with a NUL, names that are too long, and the last source texts if all strings together are
/// too long. A member is removed together with its name.
///
/// ```
/// use sdlbc::{Function, Module, Source, fit, verify};
///
/// let mut module = Module { functions: vec![Function::default()], ..Module::default() };
/// module.debug.sources.push(Source { file: "a.agal".to_string(), text: "mov\0".to_string(), ..Source::default() });
/// assert!(verify(&module).is_err());
/// let left_out = fit(&mut module);
/// assert_eq!(left_out[0].to_string(), "the text of source 0 has a nul at byte 3, which would end the string in a file");
/// assert_eq!(module.debug.sources[0].text, "");
/// assert_eq!(verify(&module), Ok(()));
/// ```
pub fn fit(module: &mut Module) -> Vec<LeftOut> {
    let mut left_out = Vec::new();
    for (index, source) in module.debug.sources.iter_mut().enumerate() {
        if let Some(why) = unfit_name(&source.file) {
            source.file.clear();
            left_out.push(LeftOut::File(index, why));
        }
        if let Some(at) = source.text.find('\0') {
            source.text = String::new();
            left_out.push(LeftOut::Text(index, Unfit::Nul(at)));
        }
    }
    for debug in &mut module.debug.functions {
        if let Some(why) = unfit_name(&debug.name) {
            debug.name.clear();
            left_out.push(LeftOut::Function(debug.function, why));
        }
        debug.ids.retain(|id, name| {
            let why = unfit_name(name);
            left_out.extend(why.map(|why| LeftOut::Value(debug.function, id, why)));
            why.is_none()
        });
        debug.members.retain(|&array, members| {
            members.retain(|member| {
                let why = unfit_name(&member.name);
                let (function, first, component) = (debug.function, member.first, member.component);
                left_out.extend(why.map(|why| LeftOut::Member { function, array, first, component, why }));
                why.is_none()
            });
            !members.is_empty()
        });
    }
    module.debug.functions.retain(|debug| !debug.is_empty());
    let mut bytes = limits::strings(module);
    for (index, source) in module.debug.sources.iter_mut().enumerate().rev() {
        if bytes > limits::STRINGS && !source.text.is_empty() {
            left_out.push(LeftOut::Text(index, Unfit::Together(bytes)));
            bytes -= source.text.len();
            source.text = String::new();
        }
    }
    left_out
}

fn unfit_name(name: &str) -> Option<Unfit> {
    let nul = name.find('\0').map(Unfit::Nul);
    nul.or_else(|| (name.len() > limits::NAME).then_some(Unfit::Long(name.len())))
}

fn checksum_of(program: &Module, dialect: Dialect) -> u32 {
    checksum(&encode_in(program, dialect)).unwrap_or_default()
}

messages! {
    /// The reason why a debug table cannot be attached to a program.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum AttachError {
        /// The file of the debug table also contains functions.
        NotATable => "expected a debug table without functions, but this file has functions";
        /// The debug table does not identify its program.
        NoProgram => "the debug table does not say which program it belongs to";
        /// The program already has a debug table.
        HasATable => "the program already has a debug table";
        /// The debug table belongs to another program.
        OtherProgram {
            /// The program's checksum according to the debug table.
            stated: u32,
            /// The checksum of the program's file, in the dialect of the published text.
            checksum: u32,
        } => "the debug table belongs to a program with checksum {stated:#010x}, but this program has {checksum:#010x}";
    }
}

impl std::error::Error for AttachError {}
