//! Errors and warnings about names for a program, as values.
//!
//! Rule: a name that was given on purpose and does not fit is an error; a name that is not used, or is used in another
//! form, is a warning. A name from AGAL text that does not fit is dropped without a message.

use std::fmt;

use agal_front::Stage;
use sdlbc::Type;
use sdlbc::front::letter;

use super::entry::Origin;
use super::registers::Registers;
use super::types::ValueType;

/// The reason why a name does not fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameError {
    /// The registers that are named.
    pub registers: Registers,
    /// The origin of the name.
    pub origin: Origin,
    /// The kind of the error.
    pub kind: NameErrorKind,
}

/// The kind of an error about a name.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NameErrorKind {
    /// Some of the registers have another name from a source of the same kind.
    Overlaps {
        /// The other name.
        other: String,
        /// Its registers.
        registers: Registers,
    },
    /// The type needs another number of registers.
    Count {
        /// The type.
        ty: ValueType,
        /// The number of registers that it needs.
        takes: u32,
        /// The number of registers that are named.
        found: u32,
    },
    /// The registers cannot have a type; only constants and attributes can.
    NoType,
    /// A constant has the format of a vertex buffer as its type.
    Format(ValueType),
    /// The type is not a float, a vector or a format of vertex buffers, which are the types of attributes.
    NotOfAttribute(ValueType),
    /// A vector cannot begin at this component: a vector of two components begins at x or z, a longer vector at x.
    Placement {
        /// The type.
        ty: Type,
        /// The component, 0 to 3.
        component: u8,
    },
    /// The program reads a component that the type does not have.
    ReadsMore {
        /// The type.
        ty: Type,
        /// The register.
        register: u32,
        /// The component, 0 to 3.
        component: u8,
    },
    /// The register is read at a computed index, so it must be part of an array.
    Indexed {
        /// The register.
        register: u32,
    },
    /// A read at a computed index may reach the registers, but they are outside the array in which the read begins.
    Reached {
        /// The register where that read begins.
        register: u32,
    },
    /// The name is for a range of registers that are not constants.
    Range,
    /// The name is for components of registers that are neither constants nor, in AGAL programs, temporaries.
    Components,
    /// The type has another number of components.
    Width {
        /// The type.
        ty: ValueType,
        /// The number of components that are named.
        found: u8,
    },
    /// The registers are beyond the end of the array, which has a fixed length because it is read at computed indices.
    Beyond {
        /// The length of the array.
        length: u32,
    },
    /// The attribute is not a float4 in the module, and has fewer components than the type, or is not of floats.
    Attribute {
        /// The attribute's type in the module.
        ty: Type,
    },
    /// With all names, the module exceeds a limit of its format.
    TooMuch,
}

/// A name that is not used, or is used in another form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameWarning {
    /// The registers that are named.
    pub registers: Registers,
    /// The name as it was given.
    pub name: String,
    /// The origin of the name.
    pub origin: Origin,
    /// The kind of the warning.
    pub kind: NameWarningKind,
}

/// The kind of a warning about a name.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NameWarningKind {
    /// The program does not use the registers, so the name is not used.
    Unused,
    /// There is no program of the stage that the registers belong to.
    NoStage(Stage),
    /// The name is not an identifier, and became this identifier.
    Became(String),
    /// Another input, output or member has the name, which therefore became this name.
    Taken(String),
    /// Another name for some of the registers overrides it.
    Overridden {
        /// The other name.
        by: String,
        /// Its registers.
        registers: Registers,
    },
    /// The name replaces a name that the module has for some of the registers.
    Replaces {
        /// The other name.
        other: String,
        /// The first register with the other name.
        first: u32,
        /// The last register with the other name.
        last: u32,
    },
    /// The registers are a part of a matrix, so they are an array.
    PartOfMatrix {
        /// The matrix's first register.
        first: u32,
        /// The matrix's last register.
        last: u32,
    },
}

/// Writes the place of a name in its file: `lit.names.toml:2:12: `.
fn place(origin: &Origin, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let Origin::File { file, span } = origin else { return Ok(()) };
    let (line, column) = file.position(span.start);
    write!(f, "{}:{line}:{column}: ", file.name())
}

/// Returns the spelling of a type in files of names.
fn written(ty: &Type) -> String {
    match *ty {
        Type::Vector(sdlbc::Scalar::Float, width) => ValueType::Floats(width).to_string(),
        Type::Matrix { columns, rows } => ValueType::Matrix { columns, rows }.to_string(),
        Type::Array(_, _, length) => ValueType::Array(Some(length)).to_string(),
        other => other.to_string(),
    }
}

impl NameError {
    /// Returns the error without its place, for a renderer that shows the line.
    pub fn message(&self) -> String {
        let file = self.registers.file_name();
        let message = match &self.kind {
            NameErrorKind::Overlaps { other, registers } if *registers == self.registers => {
                format!("already has the name `{other}`; keep one of the two")
            }
            NameErrorKind::Overlaps { other, registers } => {
                format!("overlaps `{registers}`, which has the name `{other}`; keep one of the two")
            }
            NameErrorKind::Count { ty, takes, found } => {
                let plural = if *takes == 1 { "register" } else { "registers" };
                format!("cannot be a {ty}, which takes {takes} {plural}; this names {found}")
            }
            NameErrorKind::NoType => "cannot have a type; only constants and attributes can".to_string(),
            NameErrorKind::Format(ty) => format!(
                "cannot be {ty}, which is a format of vertex buffers; a constant is a float, vec2 to vec4, a matrix or vec4[N]"
            ),
            NameErrorKind::NotOfAttribute(ty) => {
                format!("cannot be a {ty}; an attribute is a float, vec2 to vec4, or a format such as Unorm8x4")
            }
            NameErrorKind::Placement { ty, component } => {
                let begins = if ty.width() == Some(2) { "at x or z" } else { "at x" };
                let (ty, letter) = (written(ty), letter(*component));
                format!("cannot be a {ty}, which begins {begins} and not at {letter}; name each component")
            }
            NameErrorKind::ReadsMore { ty, register, component } => {
                let (ty, letter) = (written(ty), letter(*component));
                format!("cannot be a {ty}, because the program reads {file}{register}.{letter}")
            }
            NameErrorKind::Indexed { register } => format!(
                "must be an array, because the program reads {file}{register} at a computed index; name a range such as {file}{register}.. or give it the type vec4[]"
            ),
            NameErrorKind::Reached { register } => format!(
                "may be read at the computed index that begins at {file}{register}; first name the registers that this index reads, as an array with an end: {file}{register}..N=NAME"
            ),
            NameErrorKind::Width { ty: ty @ ValueType::Floats(width), found } => {
                format!("cannot be a {ty}, which has {width} components; this names {found}")
            }
            NameErrorKind::Width { ty, found } => {
                let plural = if *found == 1 { "component" } else { "components" };
                format!("cannot be a {ty}, because this names {found} {plural} of one register")
            }
            NameErrorKind::Range => "cannot have one name; only constants can be named together".to_string(),
            NameErrorKind::Components => {
                "cannot have a name; only components of constants can, and of temporaries in AGAL programs".to_string()
            }
            NameErrorKind::Beyond { length } => {
                format!("is beyond the end of the constants, of which there are {length}")
            }
            NameErrorKind::TooMuch => {
                "and the other names make the module larger than its format allows; use fewer or shorter names"
                    .to_string()
            }
            NameErrorKind::Attribute { ty } => {
                format!("cannot have this type, because it is a {} in the module", written(ty))
            }
        };
        format!("`{}` {message}", self.registers)
    }
}

/// Writes one line: the place if the name is from a file, and the message, which begins with the registers.
impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        place(&self.origin, f)?;
        f.write_str(&self.message())
    }
}

impl std::error::Error for NameError {}

impl NameWarning {
    /// Returns the warning without its place, for a renderer that shows the line.
    pub fn message(&self) -> String {
        let NameWarning { registers, name, .. } = self;
        let file = registers.file_name();
        match &self.kind {
            NameWarningKind::Unused => format!("`{registers}` is not used by the program, so `{name}` names nothing"),
            NameWarningKind::NoStage(stage) => {
                format!("`{registers}` belongs to a {stage} program and there is none, so `{name}` names nothing")
            }
            NameWarningKind::Became(made) => {
                format!("`{name}`, the name of `{registers}`, is not an identifier; it became `{made}`")
            }
            NameWarningKind::Taken(made) => {
                format!("`{name}`, the name of `{registers}`, is the name of something else too; it became `{made}`")
            }
            NameWarningKind::Replaces { other, first, last } => {
                let end = if first == last { String::new() } else { format!("..{last}") };
                format!(
                    "`{name}`, the name of `{registers}`, replaces `{other}`, the module's name of `{file}{first}{end}`"
                )
            }
            NameWarningKind::PartOfMatrix { first, last } => {
                format!("`{registers}` is a part of the matrix {file}{first}..{last}, so `{name}` is an array")
            }
            NameWarningKind::Overridden { by, registers: other } => {
                format!("`{name}`, the name of `{registers}`, is not used, because `{other}` has the name `{by}`")
            }
        }
    }
}

/// Writes one line: the place if the name is from a file, and the message.
impl fmt::Display for NameWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        place(&self.origin, f)?;
        f.write_str(&self.message())
    }
}
