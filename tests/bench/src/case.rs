//! Cases, which are the inputs of stages. A case is a program, a pair or a module, stored in every form that a stage may need.
//!
//! One program passes cases to another in a *manifest*, a file with one line for each case. The line contains the case's name,
//! length and files, separated by tabs.

use std::path::{Path, PathBuf};

use agal_front::lift::{Options, translate};
use agal_front::{Program, Rules};
use sdlbc::{Module, Verified};

/// The form in which a case was given, or the form that a stage needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// AGAL bytecode.
    Agal,
    /// An SDLSHADERBC module.
    Module,
}

impl Form {
    /// Returns the extension of files in this form, without the dot.
    pub const fn ending(self) -> &'static str {
        match self {
            Form::Agal => "agalbc",
            Form::Module => "sdlbc",
        }
    }
}

/// A program, a pair or a module, in every form that a stage may need.
#[derive(Clone, Debug)]
pub struct Case {
    /// The case's name, which can be used as a file name.
    pub name: String,
    /// The form in which the case was given.
    pub form: Form,
    /// The number of tokens in the programs, or the number of instructions if the case was given as a module.
    pub length: usize,
    /// The bytecode of each program; empty if the case was given as a module.
    pub bytes: Vec<Vec<u8>>,
    /// The decoded programs; empty if the case was given as a module.
    pub programs: Vec<Program>,
    /// The verified module, which is lifted from the programs if there are any.
    pub module: Verified,
    /// The encoded module.
    pub file: Vec<u8>,
}

impl Case {
    /// Creates a case from the bytecode of one program or of a pair.
    pub fn of_programs(name: &str, bytes: Vec<Vec<u8>>) -> Case {
        let programs = decode(&bytes);
        let module = verified(name, lift(&programs));
        let length = programs.iter().map(|program| program.tokens.len()).sum();
        let file = sdlbc::encode(&module);
        Case { name: name.to_string(), form: Form::Agal, length, bytes, programs, module, file }
    }

    /// Creates a case from the file of a module with `length` instructions.
    ///
    /// # Panics
    /// Panics if the file is damaged.
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

    /// Reports whether a stage that needs the form `needs` can run on the case.
    pub fn has(&self, needs: Form) -> bool {
        needs == Form::Module || self.form == Form::Agal
    }
}

fn verified(name: &str, module: Module) -> Verified {
    Verified::new(module).unwrap_or_else(|violations| panic!("{name}: {violations:?}"))
}

/// Returns the options that the corpus needs, which allow reads of unwritten components (finding 3647) and the opcode `ted`.
pub(crate) fn options() -> Options {
    Options::default().rules(Rules::default().allow(vec![3647]).allow_ted(true))
}

pub(crate) fn by_reference(programs: &[Program]) -> Vec<&Program> {
    programs.iter().collect()
}

/// Decodes the bytecode of programs.
///
/// # Panics
/// Panics if an input is not a program.
pub fn decode(bytes: &[Vec<u8>]) -> Vec<Program> {
    let one = |bytes: &Vec<u8>| Program::decode(bytes).unwrap_or_else(|findings| panic!("{findings:?}")).0;
    bytes.iter().map(one).collect()
}

/// Lifts one program or a pair to a module.
///
/// # Panics
/// Panics if the programs have errors.
pub fn lift(programs: &[Program]) -> Module {
    let lifted = translate(&by_reference(programs), &options());
    lifted.unwrap_or_else(|findings| panic!("{findings:?}")).module
}

/// A line of a manifest, which describes one case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The case's name.
    pub name: String,
    /// The case's length in tokens or instructions, which the stages report.
    pub length: usize,
    /// The paths of the case's files, which all have the same form.
    pub files: Vec<PathBuf>,
}

/// Formats the lines of a manifest.
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
/// Panics if the manifest or a file of a case cannot be read or is malformed.
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
