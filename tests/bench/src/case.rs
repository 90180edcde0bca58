//! Cases, on which stages run: a program, a pair or a module, with all data with which a stage may begin.
//!
//! One program passes cases to another in a *manifest*: a file with a line for each case, with its name and its files, separated by
//! tabs.

use std::path::{Path, PathBuf};

use agal_front::lift::{Options, translate};
use agal_front::{Program, Rules};
use sdlbc::{Module, Verified};

/// The first form of a case, or the form that a stage needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// AGAL, as bytecode.
    Agal,
    /// A module.
    Module,
}

impl Form {
    /// The extension of the form's files.
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
    /// The name of the case, usable as a file name.
    pub name: String,
    /// The first form of the case.
    pub form: Form,
    /// The number of tokens of the programs, or of instructions of the module.
    pub length: usize,
    /// The bytes of each program.
    pub bytes: Vec<Vec<u8>>,
    /// The programs.
    pub programs: Vec<Program>,
    /// The verified module.
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

    /// A case with a module of `length` instructions, from its file.
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

    /// Whether a stage that needs a form applies to the case.
    pub fn has(&self, needs: Form) -> bool {
        needs == Form::Module || self.form == Form::Agal
    }
}

fn verified(name: &str, module: Module) -> Verified {
    Verified::new(module).unwrap_or_else(|violations| panic!("{name}: {violations:?}"))
}

/// Options that the corpus needs: programs that read unwritten components (3647), and `ted`.
pub(crate) fn options() -> Options {
    Options::default().rules(Rules::default().allow(vec![3647]).allow_ted(true))
}

/// References to the programs, as the front end requires.
pub(crate) fn by_reference(programs: &[Program]) -> Vec<&Program> {
    programs.iter().collect()
}

/// Decodes programs.
///
/// # Panics
/// One of the inputs is not a program.
pub fn decode(bytes: &[Vec<u8>]) -> Vec<Program> {
    let one = |bytes: &Vec<u8>| Program::decode(bytes).unwrap_or_else(|findings| panic!("{findings:?}")).0;
    bytes.iter().map(one).collect()
}

/// Lifts one program or a pair to a module.
///
/// # Panics
/// The programs have errors.
pub fn lift(programs: &[Program]) -> Module {
    let lifted = translate(&by_reference(programs), &options());
    lifted.unwrap_or_else(|findings| panic!("{findings:?}")).module
}

/// A line of a manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The case's name.
    pub name: String,
    /// The length of the case, which the stages report.
    pub length: usize,
    /// The files of the case, all of the same form.
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
/// The manifest or a file cannot be read, or is malformed.
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
