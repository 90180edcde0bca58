//! The measured inputs: all pairs of testdata, long programs, functions of four shapes, and third-party programs from outside the
//! repository, if they are present.
//!
//! Rule: an input consists of the same bytes on every machine and in every run.

use std::path::{Path, PathBuf};

use agal_front::assemble::assemble;
use testing::shapes::SHAPES;
use testing::{corpus, files, testdata};

use crate::agal::program;
use crate::case::{Form, Line};

/// The name of the input that consists of all pairs of testdata.
pub const PAIRS: &str = "pairs";
/// The name of the longest program that the player accepts.
pub const LONG: &str = "agal_2048";
/// The number of instructions in each generated function whose counts are checked.
const HELD: usize = 2000;

/// Cases that are measured together, so that a row of a table contains their sum.
#[derive(Clone, Debug)]
pub struct Input {
    /// The name of the input in the tables and in the records.
    pub name: String,
    /// The cases of the input.
    pub cases: Vec<Files>,
}

/// The contents of a case's files.
#[derive(Clone, Debug)]
pub struct Files {
    /// The case's name.
    pub name: String,
    /// The form of all files of the case.
    pub form: Form,
    /// The case's length in tokens or instructions.
    pub length: usize,
    /// The bytes of each file: one program, the two programs of a pair, or one module.
    pub contents: Vec<Vec<u8>>,
}

impl Input {
    fn of(files: Files) -> Input {
        Input { name: files.name.clone(), cases: vec![files] }
    }
}

/// Returns the inputs whose counts are checked: the pairs of testdata, a generated program, and generated functions.
///
/// # Errors
/// Fails if a program does not assemble.
pub fn held() -> Result<Vec<Input>, String> {
    let mut inputs = vec![Input { name: PAIRS.to_string(), cases: pairs()? }, Input::of(long(2048)?)];
    for shape in SHAPES {
        inputs.push(Input::of(function(shape.name, HELD)?));
    }
    Ok(inputs)
}

/// Returns the third-party programs of the corpus, which is outside the repository. Each program is a separate input.
/// Prints a message if the corpus is missing.
///
/// # Errors
/// Fails if a file cannot be read.
pub fn others() -> Result<Vec<Input>, String> {
    corpus().iter().map(|path| Ok(Input::of(bytecode(path)?))).collect()
}

/// Returns all pairs of testdata.
///
/// # Errors
/// Fails if a program does not assemble, or if a fragment program is missing.
pub fn pairs() -> Result<Vec<Files>, String> {
    let vertex = files(&testdata("pairs"), ".vert.agal");
    let pair = |vertex: &PathBuf| {
        let text = vertex.to_string_lossy().replace(".vert.agal", ".frag.agal");
        let contents = vec![assembled(vertex)?, assembled(Path::new(&text))?];
        let name = vertex.file_name().unwrap_or_default().to_string_lossy().replace(".vert.agal", "");
        Ok(Files { name, form: Form::Agal, length: tokens(&contents), contents })
    };
    vertex.iter().map(pair).collect()
}

fn assembled(path: &Path) -> Result<Vec<u8>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let assembly = assemble(&text, &Default::default()).map_err(|error| format!("{}: {error:?}", path.display()))?;
    Ok(assembly.program.encode())
}

fn tokens(programs: &[Vec<u8>]) -> usize {
    programs.iter().map(|bytes| bytes.len().saturating_sub(7) / 24).sum()
}

fn bytecode(path: &Path) -> Result<Files, String> {
    let contents = vec![std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?];
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Ok(Files { name, form: Form::Agal, length: tokens(&contents), contents })
}

/// Generates a program with `tokens` tokens.
///
/// # Errors
/// Fails if no program of this length can be generated.
pub fn long(tokens: usize) -> Result<Files, String> {
    let contents = vec![program(tokens)?];
    Ok(Files { name: format!("agal_{tokens}"), form: Form::Agal, length: tokens, contents })
}

/// Generates a function of the given shape with about `instructions` instructions.
///
/// # Errors
/// Fails if the shape does not exist, or if the function exceeds the limits for a module.
pub fn function(shape: &str, instructions: usize) -> Result<Files, String> {
    let name = format!("{}_{instructions}", shape.to_lowercase());
    let shape = SHAPES.iter().find(|of| of.name == shape).ok_or_else(|| format!("no shape {shape}"))?;
    let module = sdlbc::parse(&shape.of_length(instructions)).map_err(|errors| format!("{name}: {errors:?}"))?;
    Ok(Files { name, form: Form::Module, length: instructions, contents: vec![sdlbc::encode(&module)] })
}

/// Writes the files of an input to a folder, and returns the lines of the input's manifest.
///
/// # Errors
/// Fails if a file cannot be written.
pub fn write(input: &Input, folder: &Path) -> Result<Vec<Line>, String> {
    let mut lines = Vec::new();
    for case in &input.cases {
        let mut files = Vec::new();
        for (at, content) in case.contents.iter().enumerate() {
            let file = folder.join(format!("{}.{at}.{}", case.name, case.form.ending()));
            std::fs::write(&file, content).map_err(|error| format!("{}: {error}", file.display()))?;
            files.push(file);
        }
        lines.push(Line { name: case.name.clone(), length: case.length, files });
    }
    Ok(lines)
}
