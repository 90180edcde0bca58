//! Loads and translates the programs, modules and sources of testdata and the third-party programs of the corpus.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use agal_front::assemble::{AssembleOptions, assemble};
use agal_front::lift::{self, translate};
use agal_front::{Finding, Program};
use backends::{Error, Glsl, Layout, Target};
use sdlbc::front::SourceOptions;
use sdlbc::{FunctionKind, Module, Verified};
use testing::{files, testdata};

use crate::sources::Source;

/// A program and the file from which it was read.
#[derive(Clone, Debug)]
pub struct Read {
    /// The path of the program's file.
    pub path: PathBuf,
    /// The decoded or assembled program.
    pub program: Program,
    /// Whether the file states the program's AGAL version.
    version_given: bool,
}

impl Read {
    /// Reads a program from AGAL bytecode or assembler text.
    ///
    /// # Panics
    /// Panics if the file is not a program.
    pub fn file(path: &Path) -> Read {
        let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let wrong = |findings: Vec<Finding>| -> ! { panic!("{}: {findings:#?}", path.display()) };
        let (program, version_given) = match bytes.first() {
            Some(0xa0) => (Program::decode(&bytes).unwrap_or_else(|findings| wrong(findings)).0, true),
            _ => {
                let text = String::from_utf8(bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
                let assembly = assemble(&text, &AssembleOptions::default());
                let assembly = assembly.unwrap_or_else(|findings| wrong(findings));
                (assembly.program, assembly.version_given)
            }
        };
        Read { path: path.to_path_buf(), program, version_given }
    }
}

/// A pair of programs that are compiled together, or a single program.
#[derive(Clone, Debug)]
pub struct Work {
    /// The name of the work, derived from its file names, such as `lit_texture` for a pair or `lit_texture.vert` for a program.
    pub name: String,
    /// The programs. In a pair, the vertex program comes first.
    pub sources: Vec<Read>,
    /// The numbers of the findings that must be allowed for the programs to compile.
    pub allow: Vec<u16>,
}

impl Work {
    /// Returns the programs as `agalc` compiles them. A program whose text states no version gets the highest version among the
    /// programs of the work.
    pub fn programs(&self) -> Vec<Program> {
        let version = self.sources.iter().map(|source| source.program.version).max().unwrap_or(1);
        let with_version = |source: &Read| match source.version_given {
            true => source.program.clone(),
            false => Program { version, ..source.program.clone() },
        };
        self.sources.iter().map(with_version).collect()
    }

    /// Lifts the programs to a module, ignoring the findings whose numbers are in `allow`.
    ///
    /// # Errors
    /// Returns all findings if at least one of them is an error.
    pub fn translate(&self, allow: &[u16]) -> Result<Module, Vec<Finding>> {
        let programs = self.programs();
        let programs: Vec<&Program> = programs.iter().collect();
        let rules = agal_front::Rules::default().allow(allow.to_vec()).allow_ted(true);
        let options = lift::Options::default().rules(rules);
        translate(&programs, &options).map(|lifted| lifted.module).map_err(|findings| findings.concat())
    }

    /// Lifts the programs to a module, ignoring the findings in [`Work::allow`].
    ///
    /// # Panics
    /// Panics if the front end refuses the programs.
    pub fn module(&self) -> Module {
        self.translate(&self.allow).unwrap_or_else(|findings| panic!("{}: {findings:#?}", self.name))
    }
}

fn stem(path: &Path, ending: &str) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    name.strip_suffix(ending).unwrap_or(&name).to_string()
}

/// The pairs of programs in testdata/pairs.
pub static PAIRS: LazyLock<Vec<Work>> = LazyLock::new(|| {
    let folder = testdata("pairs");
    let pair = |vertex: &PathBuf| {
        let name = stem(vertex, ".vert.agal");
        let sources = vec![Read::file(vertex), Read::file(&folder.join(format!("{name}.frag.agal")))];
        Work { name, sources, allow: Vec::new() }
    };
    let pairs: Vec<Work> = files(&folder, ".vert.agal").iter().map(pair).collect();
    assert!(pairs.len() >= 50, "only {} pairs in {}", pairs.len(), folder.display());
    pairs
});

/// The third-party programs of the corpus. If the corpus folder is missing, the list is empty and a notice is printed.
pub static CORPUS: LazyLock<Vec<Work>> = LazyLock::new(|| {
    let work = |path: &PathBuf| {
        let name = stem(path, ".agalbc");
        let allow = if name.starts_with("misc_opcodes") { vec![3647, 3648] } else { Vec::new() };
        Work { name, sources: vec![Read::file(path)], allow }
    };
    testing::corpus().iter().map(work).collect()
});

/// Every pair and every single program of testdata and of the corpus.
pub static EVERYTHING: LazyLock<Vec<Work>> = LazyLock::new(|| {
    let mut works = Vec::new();
    for pair in PAIRS.iter() {
        works.push(pair.clone());
        for (source, stage) in pair.sources.iter().zip(["vert", "frag"]) {
            let name = format!("{}.{stage}", pair.name);
            works.push(Work { name, sources: vec![source.clone()], allow: Vec::new() });
        }
    }
    works.extend(CORPUS.iter().cloned());
    for vertex in CORPUS.iter() {
        // The two `misc_opcodes` programs are not a pair, because the fragment program reads varyings that the vertex program
        // does not write.
        let Some(stem) = vertex.name.strip_suffix("_vertex").filter(|stem| *stem != "misc_opcodes") else { continue };
        let fragment = CORPUS.iter().find(|work| work.name == format!("{stem}_fragment"));
        if let Some(fragment) = fragment {
            let sources = [vertex, fragment].iter().flat_map(|work| work.sources.clone()).collect();
            works.push(Work { name: format!("{stem}_pair"), sources, allow: vertex.allow.clone() });
        }
    }
    works
});

/// An output format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// SPIR-V in binary form.
    Spirv,
    /// WGSL source code.
    Wgsl,
    /// GLSL source code of one version.
    Glsl(Glsl),
}

/// All values of [`Kind`], each of which has an external validator.
pub const KINDS: [Kind; 5] =
    [Kind::Spirv, Kind::Wgsl, Kind::Glsl(Glsl::Core450), Kind::Glsl(Glsl::Core330), Kind::Glsl(Glsl::Es300)];

impl Kind {
    /// Returns the format's name for messages, such as `GLSL 450`.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Spirv => "SPIR-V",
            Kind::Wgsl => "WGSL",
            Kind::Glsl(Glsl::Core450) => "GLSL 450",
            Kind::Glsl(Glsl::Core330) => "GLSL 330",
            Kind::Glsl(Glsl::Es300) => "GLSL 300 es",
        }
    }

    /// Returns the value of the command's `--glsl` option, or `None` for SPIR-V and WGSL.
    pub fn glsl_option(self) -> Option<&'static str> {
        match self {
            Kind::Glsl(Glsl::Core450) => Some("450"),
            Kind::Glsl(Glsl::Core330) => Some("330"),
            Kind::Glsl(Glsl::Es300) => Some("300es"),
            _ => None,
        }
    }

    fn target(self) -> Target {
        match self {
            Kind::Spirv => Target::Spirv,
            Kind::Wgsl => Target::Wgsl,
            Kind::Glsl(version) => Target::Glsl(version),
        }
    }
}

/// An output file in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// The format of the file's contents.
    pub kind: Kind,
    /// The extension of the file's name, such as `spv` or `vert`.
    pub extension: &'static str,
    /// The contents of the file.
    pub bytes: Vec<u8>,
}

impl Output {
    /// Returns the contents of the file as text.
    ///
    /// # Panics
    /// Panics if the output is SPIR-V.
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.bytes).expect("text")
    }
}

/// Translates a module to one format. GLSL has one file for each stage, and every other format has a single file.
///
/// # Errors
/// Returns the backend's error if the module cannot be translated.
pub fn outputs(module: &Module, kind: Kind) -> Result<Vec<Output>, Error> {
    let files = crate::outputs(module, kind.target(), &Layout::default())?;
    let output = |(stage, bytes)| {
        let extension = match (kind, stage) {
            (Kind::Spirv, _) => "spv",
            (Kind::Wgsl, _) => "wgsl",
            (_, Some(FunctionKind::Vertex)) => "vert",
            (_, Some(FunctionKind::Compute)) => "comp",
            _ => "frag",
        };
        Output { kind, extension, bytes }
    };
    Ok(files.into_iter().map(output).collect())
}

/// Translates a module to every format in [`KINDS`].
///
/// # Errors
/// Returns the first backend's error if a format cannot express the module.
pub fn all_outputs(module: &Module) -> Result<Vec<Output>, Error> {
    Ok(KINDS.iter().map(|&kind| outputs(module, kind)).collect::<Result<Vec<_>, _>>()?.concat())
}

/// Converts the bytes of a little-endian SPIR-V file to words.
pub fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
}

/// Verifies a module and runs the optimisation passes with their default options.
///
/// # Panics
/// Panics if the module is invalid.
pub fn optimised(module: Module) -> Verified {
    let module = Verified::new(module).unwrap_or_else(|violations| panic!("{violations:?}"));
    sdlbc_passes::optimise(module, &sdlbc_passes::Options::default(), &mut |_, _| {})
}

/// Returns the modules that testdata stores as text in `ir`, `ir/operations` and `conformance`, with the names of their files.
pub fn samples() -> Vec<(String, Module)> {
    let mut paths = files(&testdata("ir"), ".sdlasm");
    paths.extend(files(&testdata("ir/operations"), ".sdlasm"));
    paths.extend(files(&testdata("conformance"), ".sdlasm"));
    let sample = |path: &PathBuf| (path.file_stem().expect("a name").to_string_lossy().into_owned(), of_file(path));
    assert!(paths.len() > 90, "{} samples", paths.len());
    paths.iter().map(sample).collect()
}

/// Returns a copy of the module with random members in its arrays of constants. The copy's named inputs get new names, many of
/// which are types, qualifiers or functions of a target language.
pub fn named(module: &Module, seed: u64) -> Module {
    const WORDS: [&str; 12] = [
        "position", "texture", "sampler", "half", "float4", "vertex", "input", "matrix", "kernel", "sample", "cbuffer",
        "saturate",
    ];
    let mut module = crate::with_members(module, seed, |_, lowest| lowest);
    for function in &mut module.functions {
        let named = function.inputs.iter_mut().filter(|input| !input.name.is_empty());
        // In the output, the name of a constant array becomes the name of the variable that contains the array's members.
        for (index, input) in named.enumerate() {
            let word = WORDS[(index + seed as usize) % WORDS.len()];
            input.name = if index < WORDS.len() { word.to_string() } else { format!("{word}{index}") };
        }
    }
    assert_eq!(sdlbc::verify(&module), Ok(()));
    module
}

/// Returns the modules in testdata that have compute functions, with their file names.
pub fn compute_functions() -> Vec<(String, Module)> {
    modules_of(&[
        ("ir/compute", ".sdlasm"),
        ("conformance/compute", ".sdlasm"),
        ("sources/compute", ".wgsl"),
        ("sources/compute", ".comp"),
    ])
}

/// Returns the modules lifted from testdata's vertex and fragment sources, with their file names.
pub fn source_modules() -> Vec<(String, Module)> {
    modules_of(&[
        ("sources/wgsl", ".wgsl"),
        ("sources/filters", ".wgsl"),
        ("sources/glsl", ".vert"),
        ("sources/glsl", ".frag"),
    ])
}

/// Reads the modules from files of testdata. Each entry of `folders` selects files by their folder and the ending of their
/// names.
fn modules_of(folders: &[(&str, &str)]) -> Vec<(String, Module)> {
    let of = |(folder, ending): &(&str, &str)| files(&testdata(folder), ending);
    let named = |path: PathBuf| (path.file_name().expect("a name").to_string_lossy().into_owned(), of_file(&path));
    folders.iter().flat_map(of).map(named).collect()
}

/// Parses a module from text, or lifts a WGSL or GLSL source, depending on the file's extension.
///
/// # Panics
/// Panics if the file contains no valid module.
pub fn of_file(path: &Path) -> Module {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let Some(source) = Source::of(path, &text) else {
        return sdlbc::parse(&text).unwrap_or_else(|errors| panic!("{}: {errors:?}", path.display()));
    };
    source
        .read(&SourceOptions::default())
        .unwrap_or_else(|refusals| panic!("{}: {}", path.display(), refusals[0]))
        .module
}
