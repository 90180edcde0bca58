//! What a stage is run on: a program, a pair or a module, with everything that a stage starts from.
//!
//! Cases pass from program to program as a *manifest*: a file with a line for each, its name and its files, separated by tabs.

use std::path::{Path, PathBuf};

use agal_front::Program;
use sdlbc::{Module, Verified};

use crate::stages::{decode, lift};

/// What a case begins with, and what a stage needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// AGAL, as bytecode.
    Agal,
    /// A module.
    Module,
}

impl Form {
    /// The ending of its files.
    pub const fn ending(self) -> &'static str {
        match self {
            Form::Agal => "agalbc",
            Form::Module => "sdlbc",
        }
    }
}

/// A program, a pair or a module at all stages.
#[derive(Clone, Debug)]
pub struct Case {
    /// What it is called: a name of a file.
    pub name: String,
    /// What it begins with.
    pub form: Form,
    /// The tokens of its programs, or the instructions of its module.
    pub length: usize,
    /// The bytes of its programs.
    pub bytes: Vec<Vec<u8>>,
    /// Its programs.
    pub programs: Vec<Program>,
    /// Its module.
    pub module: Verified,
    /// The module's file.
    pub file: Vec<u8>,
}

impl Case {
    /// A case of one program, or of a pair.
    pub fn of_programs(name: &str, bytes: Vec<Vec<u8>>) -> Case {
        let programs = decode(&bytes);
        let module = verified(name, lift(&programs));
        let length = programs.iter().map(|program| program.tokens.len()).sum();
        let file = sdlbc::encode(&module);
        Case { name: name.to_string(), form: Form::Agal, length, bytes, programs, module, file }
    }

    /// A case of a module of so many instructions, from its file.
    ///
    /// # Panics
    /// The file is damaged.
    pub fn of_module(name: &str, file: Vec<u8>, length: usize) -> Case {
        let module = verified(name, sdlbc::decode(&file).unwrap_or_else(|error| panic!("{name}: {error}")));
        Case {
            name: name.to_string(),
            form: Form::Module,
            length,
            bytes: Vec::new(),
            programs: Vec::new(),
            module,
            file,
        }
    }

    /// Whether a stage applies to it.
    pub fn has(&self, needs: Form) -> bool {
        needs == Form::Module || self.form == Form::Agal
    }
}

fn verified(name: &str, module: Module) -> Verified {
    Verified::new(module).unwrap_or_else(|violations| panic!("{name}: {violations:?}"))
}

/// A line of a manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The case's name.
    pub name: String,
    /// Its length, which the stages report.
    pub length: usize,
    /// Its files, of one form.
    pub files: Vec<PathBuf>,
}

/// Writes a manifest.
pub fn manifest(lines: &[Line]) -> String {
    let line = |line: &Line| {
        let files: Vec<String> = line.files.iter().map(|file| file.display().to_string()).collect();
        format!("{}\t{}\t{}\n", line.name, line.length, files.join("\t"))
    };
    lines.iter().map(line).collect()
}

/// Reads the cases of a manifest.
///
/// # Panics
/// The manifest or a file cannot be read, or is not what it should be.
pub fn cases(manifest: &Path) -> Vec<Case> {
    read(manifest, |path| std::fs::read_to_string(path)).lines().map(case).collect()
}

fn case(line: &str) -> Case {
    let fields: Vec<&str> = line.split('\t').collect();
    let [name, length, files @ ..] = fields.as_slice() else { panic!("a line of a manifest: {line}") };
    let length = length.parse().unwrap_or_else(|error| panic!("{line}: {error}"));
    let bytes: Vec<Vec<u8>> = files.iter().map(|file| read(Path::new(file), |path| std::fs::read(path))).collect();
    match files {
        [file] if file.ends_with(Form::Module.ending()) => Case::of_module(name, bytes.concat(), length),
        _ => Case::of_programs(name, bytes),
    }
}

fn read<T>(path: &Path, reader: impl FnOnce(&Path) -> std::io::Result<T>) -> T {
    reader(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
