//! Applies the user's names and types for registers to a module.
//!
//! A name applies to an attribute, a varying, a texture, an output, a temporary, a constant or several constants
//! (`vc0..3`). The name of a constant or an attribute may have a type. A constant whose name has no type gets the type
//! that the use of its registers implies. Names of constants become the [members](sdlbc::Member) of the array of
//! constants. All other names become names of inputs, outputs and values.
//!
//! Rule: names never change what a program computes, except that an attribute may get fewer components. The attribute's
//! missing y, z and w components then read as 0, 0 and 1. A name that does not fit is an error if it comes from a file
//! or the caller, and is dropped if it comes from AGAL text. The caller's name for a register overrides a name from a
//! file, which overrides a name from AGAL text.
//!
//! ```
//! use agalc::names::{Names, VertexFormat, apply};
//! use agalc::{Input, Options, load_all};
//!
//! let text = "m44 op, va0, vc0\nmul v0, va1, vc4.x";
//! let input = Input { name: "lit.vert.agal".to_string(), bytes: text.as_bytes().to_vec() };
//! let mut module = load_all(&[input], &Options::default())?.module.into_module();
//!
//! let mut names = Names::from_toml("\"vc0..3\" = \"clip\"\nvc4 = \"scale\"", "lit.names.toml")?;
//! names.push(Names::parse_entry("va1=uv:float2")?);
//! let applied = apply(&mut module, &names).map_err(|errors| errors[0].clone())?;
//! assert_eq!(applied.warnings, []);
//! assert_eq!(applied.formats[&1], VertexFormat::Float32x2);
//!
//! let members: Vec<_> = module.debug.functions[0].members.values().flatten().collect();
//! let members: Vec<String> = members.iter().map(|member| format!("{}: {}", member.name, member.ty)).collect();
//! assert_eq!(members, ["clip: float4x4", "scale: float"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod apply;
mod attributes;
mod constants;
mod entry;
mod error;
mod file;
mod outcome;
mod registers;
mod types;
mod usage;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use agal_front::assemble::SourceName;
use agal_front::{Stage, lift};

pub use agal_front::assemble::Extent;
pub use apply::apply;
pub(crate) use apply::apply_lifted;
pub use entry::{Entry, EntryError, NamesFile, Origin};
pub use error::{NameError, NameErrorKind, NameWarning, NameWarningKind};
pub use file::{FileError, FileErrorKind};
pub use registers::{File, Registers, Spelling};
#[cfg(feature = "es2")]
pub(crate) use registers::{SAMPLERS, UNIFORMS};
pub use types::{ValueType, VertexFormat};

/// Names for the registers of a program or a pair of programs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    entries: Vec<Entry>,
}

/// The errors in a file of names; there is at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileErrors(pub Vec<FileError>);

/// Writes one line for each error.
impl fmt::Display for FileErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
    }
}

impl std::error::Error for FileErrors {}

impl Names {
    /// Parses one entry, such as `vc0..3=clip:mat4` or `va1=uv`.
    ///
    /// ```
    /// use agalc::names::Names;
    ///
    /// assert_eq!(Names::parse_entry("vc0..3=clip:mat4")?.to_string(), "vc0..3 = clip: mat4x4");
    /// let error = Names::parse_entry("vc0..3:mat4").unwrap_err();
    /// assert_eq!(error.to_string(), "column 7: expected `=` and a name after the registers, as in vc0..3=clip");
    /// # Ok::<(), agalc::names::EntryError>(())
    /// ```
    ///
    /// # Errors
    /// Returns the position of the error and a description of the expected text.
    pub fn parse_entry(text: &str) -> Result<Entry, EntryError> {
        Entry::parse(text)
    }

    /// Parses a TOML file whose keys are registers and whose values are names with or without a type. Errors refer to the
    /// file as `file_name`.
    ///
    /// # Errors
    /// Returns all errors in the file, each with its line and column.
    pub fn from_toml(text: &str, file_name: &str) -> Result<Names, FileErrors> {
        file::read(text, file_name).map(|entries| Names { entries }).map_err(FileErrors)
    }

    /// Converts the register names that AGAL text declares. Comments that turn out to be prose are skipped.
    pub fn from_source(names: &[SourceName]) -> Names {
        Names { entries: names.iter().filter_map(Entry::of_source).collect() }
    }

    /// Adds an entry after all existing entries.
    pub fn push(&mut self, entry: Entry) {
        self.entries.push(entry);
    }

    /// Adds the entries of another set of names after all existing entries.
    pub fn extend(&mut self, others: Names) {
        self.entries.extend(others.entries);
    }

    /// Returns the entries in the order in which they were added.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Reports whether no names were added.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Writes the names for a stage as comments in AGAL text, one on each line. Reading the comments yields the same names.
    ///
    /// ```
    /// use agal_front::Stage;
    /// use agalc::names::Names;
    ///
    /// let mut names = Names::default();
    /// names.push(Names::parse_entry("vc0..3=clip:mat4")?);
    /// names.push(Names::parse_entry("fs0=albedo")?);
    /// assert_eq!(names.comments(Stage::Vertex), "// vc0..3 = clip: mat4x4\n");
    /// # Ok::<(), agalc::names::EntryError>(())
    /// ```
    pub fn comments(&self, stage: Stage) -> String {
        // An assembler uses the first name that the comments give to a register.
        let entries = self.ranked().into_iter();
        let entries = entries.filter(|entry| entry.registers.stage.is_none_or(|of| of == stage));
        let mut seen = BTreeSet::new();
        let line = |entry: &Entry| {
            let registers = entry.registers.in_agal(stage).filter(|registers| seen.insert(*registers))?;
            let entry = Entry { name: entry::identifier(&entry.name), registers: registers.into(), ..entry.clone() };
            Some(format!("// {entry}\n"))
        };
        entries.filter_map(line).collect()
    }

    fn ranked(&self) -> Vec<&Entry> {
        let mut entries: Vec<&Entry> = self.entries.iter().collect();
        entries.sort_by_key(|entry| Reverse(entry.origin.rank()));
        entries
    }

    /// Returns the names of temporaries' components. These names take effect only during lifting.
    pub(crate) fn temporaries(&self) -> Vec<lift::TemporaryName> {
        let name = |entry: &Entry| match (entry.registers.file, entry.registers.stage, entry.registers.extent) {
            (File::Temporary, Some(stage), Extent::Part { number, component, count }) => Some(lift::TemporaryName {
                stage,
                number,
                components: (component..component + count).fold(0, |set, component| set | 1 << component),
                name: entry::identifier(&entry.name),
            }),
            _ => None,
        };
        self.ranked().into_iter().filter_map(name).collect()
    }
}

/// The result of applying names to a module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Applied {
    /// Warnings about names that are unused, overridden or changed.
    pub warnings: Vec<NameWarning>,
    /// The formats of the attributes whose names have a type, keyed by attribute location.
    pub formats: BTreeMap<u32, VertexFormat>,
}
