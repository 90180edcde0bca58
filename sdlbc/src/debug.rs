//! The debug table inside the file of its program, or beside it in a file of its own.
//!
//! Rule: a table beside its program names it by the checksum of the file that [`encode_in()`] writes of it without a
//! table, in either dialect, so that a table is never attached to another program (docs/format.md, "Debug table").

use std::fmt;

use crate::codec::checksum;
use crate::{Debug, Dialect, Module, encode_in};

/// The program without its debug table, and the table alone, which names the program's file.
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

/// The program with the debug table that a file of its own holds.
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
/// The two do not belong together, or one of them is not what it should be.
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

/// The checksum in the header of a program's file.
fn checksum_of(program: &Module, dialect: Dialect) -> u32 {
    checksum(&encode_in(program, dialect)).unwrap_or_default()
}

/// Why a debug table cannot be attached to a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AttachError {
    /// What should be a debug table alone has functions.
    NotATable,
    /// The debug table does not say which program it belongs to.
    NoProgram,
    /// The program has a debug table already.
    HasATable,
    /// The debug table belongs to another program.
    OtherProgram {
        /// The checksum that the table names.
        stated: u32,
        /// The checksum of the program's file, in the dialect of the published text.
        checksum: u32,
    },
}

/// One lower-case line.
impl fmt::Display for AttachError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AttachError::NotATable => f.write_str("a debug table alone has no functions, and this file has some"),
            AttachError::NoProgram => f.write_str("the debug table does not say which program it belongs to"),
            AttachError::HasATable => f.write_str("the program has a debug table already"),
            AttachError::OtherProgram { stated, checksum } => {
                write!(f, "the debug table belongs to the file {stated:#010x}, and this program's is {checksum:#010x}")
            }
        }
    }
}

impl std::error::Error for AttachError {}
