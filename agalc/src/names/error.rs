//! Errors and warnings about the names that are given to a program's registers.
//!
//! Rule: a name from a file or the caller causes an error if it does not fit, and a warning if it is unused, overridden or
//! changed. A name from AGAL text that does not fit is dropped without a message.

use std::fmt;

use agal_front::Stage;
use sdlbc::Type;
use sdlbc::front::letter;

use super::entry::Origin;
use super::registers::Registers;
use super::types::ValueType;

/// A name that does not fit, and the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameError {
    /// The registers to which the name was given.
    pub registers: Registers,
    /// The file or the caller that gave the name.
    pub origin: Origin,
    /// The reason why the name does not fit.
    pub kind: NameErrorKind,
}

/// A reason why a name does not fit.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NameErrorKind {
    /// A different name from an equally ranked origin covers some of the registers.
    Overlaps {
        /// The other name, as written.
        other: String,
        /// The registers that the other name covers.
        registers: Registers,
    },
    /// The type needs a different number of registers than the name covers.
    Count {
        /// The type that the name states.
        ty: ValueType,
        /// The number of registers that the type needs.
        takes: u32,
        /// The number of registers that the name covers.
        found: u32,
    },
    /// The name has a type, but only constants and attributes can have types.
    NoType,
    /// A constant has a vertex-buffer format as its type.
    Format(ValueType),
    /// An attribute has a type other than a float, a vector or a vertex-buffer format.
    NotOfAttribute(ValueType),
    /// A vector begins at a component that its width does not allow. Vectors of two components begin at x or z, and longer
    /// vectors at x.
    Placement {
        /// The type of the vector.
        ty: Type,
        /// The vector's first component, 0 to 3.
        component: u8,
    },
    /// The program reads a component that the type does not have.
    ReadsMore {
        /// The name's type, stated or inferred.
        ty: Type,
        /// The number of the register that the program reads.
        register: u32,
        /// The component that the program reads, 0 to 3.
        component: u8,
    },
    /// The register is read at a computed index, so it must be part of an array.
    Indexed {
        /// The number of the register that is read at a computed index.
        register: u32,
    },
    /// A read at a computed index begins in an array that does not include the registers, but the read may reach them.
    Reached {
        /// The register at which the read begins.
        register: u32,
    },
    /// The name covers a range of registers, but only constants can be named as a range.
    Range,
    /// The name covers components of a register that is neither a constant nor, in an AGAL program, a temporary.
    Components,
    /// The type has a different number of components than the name covers.
    Width {
        /// The type that the name states.
        ty: ValueType,
        /// The number of components that the name covers.
        found: u8,
    },
    /// The registers are beyond the end of the array, and the array cannot be extended.
    Beyond {
        /// The maximum length of the array, in registers.
        length: u32,
    },
    /// The attribute's type in the module is neither a float4 nor the type that the name states.
    Attribute {
        /// The attribute's type in the module.
        ty: Type,
    },
    /// Applying all names would exceed a limit of the SDLSHADERBC format.
    TooMuch,
}

/// A warning about a name that is unused, overridden or changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameWarning {
    /// The registers to which the name was given.
    pub registers: Registers,
    /// The name as it was given.
    pub name: String,
    /// The file or the caller that gave the name.
    pub origin: Origin,
    /// The reason for the warning.
    pub kind: NameWarningKind,
}

/// A reason for a warning about a name.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NameWarningKind {
    /// The program does not use the registers, so the name has no effect.
    Unused,
    /// The module has no program of the registers' stage.
    NoStage(Stage),
    /// The name is not a valid identifier, and was changed to this identifier.
    Became(String),
    /// The name was already taken by another input, output or member, and was changed to this name.
    Taken(String),
    /// Another name for some of the registers overrides the name.
    Overridden {
        /// The overriding name.
        by: String,
        /// The registers that the overriding name covers.
        registers: Registers,
    },
    /// The name replaces a name that the module already has for some of the registers.
    Replaces {
        /// The replaced name.
        other: String,
        /// The first register with the replaced name.
        first: u32,
        /// The last register with the replaced name.
        last: u32,
    },
    /// The registers are only part of a matrix, so they became an array.
    PartOfMatrix {
        /// The matrix's first register.
        first: u32,
        /// The matrix's last register.
        last: u32,
    },
}

/// Writes the position of a name in its file, such as `lit.names.toml:2:12: `.
fn place(origin: &Origin, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let Origin::File { file, span } = origin else { return Ok(()) };
    let (line, column) = file.position(span.start);
    write!(f, "{}:{line}:{column}: ", file.name())
}

/// Returns a type's name as it is spelt in files of names.
fn written(ty: &Type) -> String {
    match *ty {
        Type::Vector(sdlbc::Scalar::Float, width) => ValueType::Floats(width).to_string(),
        Type::Matrix { columns, rows } => ValueType::Matrix { columns, rows }.to_string(),
        Type::Array(_, _, length) => ValueType::Array(Some(length)).to_string(),
        other => other.to_string(),
    }
}

impl NameError {
    /// Returns the error message without its position, for a renderer that shows the source line.
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
                format!("cannot be a {ty}, which takes {takes} {plural}, not {found}")
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
                format!("cannot be a {ty}, which must begin {begins}, not at {letter}; name each component separately")
            }
            NameErrorKind::ReadsMore { ty, register, component } => {
                let (ty, letter) = (written(ty), letter(*component));
                format!("cannot be a {ty}, because the program also reads {file}{register}.{letter}")
            }
            NameErrorKind::Indexed { register } => format!(
                "must be an array, because the program reads {file}{register} at a computed index; name a range such as {file}{register}.. or give it the type vec4[]"
            ),
            NameErrorKind::Reached { register } => format!(
                "may belong to the array that the program reads at a computed index from {file}{register} on; name that array with its end: {file}{register}..N=NAME"
            ),
            NameErrorKind::Width { ty: ty @ ValueType::Floats(width), found } => {
                format!("cannot be a {ty}, which has {width} components, not {found}")
            }
            NameErrorKind::Width { ty, found } => {
                let plural = if *found == 1 { "component" } else { "components" };
                format!("cannot be a {ty}, because the name covers {found} {plural} of one register")
            }
            NameErrorKind::Range => "cannot share a name; only constants can be named as a range".to_string(),
            NameErrorKind::Components => {
                "cannot have a name; only components of constants, and of temporaries in AGAL programs, can be named"
                    .to_string()
            }
            NameErrorKind::Beyond { length } => {
                format!("is beyond the last of the {length} constants")
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

/// Writes one line: the position of the name, if the name comes from a file, and the message.
impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        place(&self.origin, f)?;
        f.write_str(&self.message())
    }
}

impl std::error::Error for NameError {}

impl NameWarning {
    /// Returns the warning message without its position, for a renderer that shows the source line.
    pub fn message(&self) -> String {
        let NameWarning { registers, name, .. } = self;
        let file = registers.file_name();
        match &self.kind {
            NameWarningKind::Unused => format!("`{registers}` is not used by the program, so `{name}` names nothing"),
            NameWarningKind::NoStage(stage) => {
                format!("`{registers}` belongs to a {stage} program, but none is given, so `{name}` names nothing")
            }
            NameWarningKind::Became(made) => {
                format!("`{name}`, the name of `{registers}`, is not an identifier; it became `{made}`")
            }
            NameWarningKind::Taken(made) => {
                format!("`{name}`, the name of `{registers}`, is already taken; it became `{made}`")
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

/// Writes one line: the position of the name, if the name comes from a file, and the message.
impl fmt::Display for NameWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        place(&self.origin, f)?;
        f.write_str(&self.message())
    }
}
