//! Shared by the end-to-end tests: the repository's programs, compiled as the command compiles them but in this process; the
//! external validators; the comparison with files under testdata/.

#![allow(dead_code)]

pub(crate) mod examples;
pub(crate) mod game;
pub(crate) mod given;
pub(crate) mod reference;
pub(crate) mod sandbox;
pub(crate) mod schema;
pub(crate) mod took;

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use agal_front::lift::{self, translate};
use agal_front::{Finding, Program};
use agalc::Input;
use backends::{Glsl, Layout};
use sdlbc::{FunctionKind, Module, Verified};

pub(crate) use laws::naga_accepts;
pub(crate) use testing::{
    GLSLANG, Random, SPIRV_VAL, TINT, Tool, expect, on_two_threads, repository, say, testdata, updates,
};

/// A program and the file that it was read from.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    pub(crate) path: PathBuf,
    pub(crate) program: Program,
    read: agalc::Program,
}

impl Source {
    /// Reads bytecode or text.
    pub(crate) fn read(path: &Path) -> Source {
        let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let input = Input { name: path.display().to_string(), bytes };
        let options = agalc::Options::default();
        let read = agalc::Source::open(&input, &options).read_one(&options).unwrap_or_else(|error| panic!("{error}"));
        let agal = read.agal().unwrap_or_else(|| panic!("{} is not AGAL", path.display()));
        Source { path: path.to_path_buf(), program: agal.program.clone(), read }
    }
}

/// A linked pair or a single program of the repository.
#[derive(Clone, Debug)]
pub(crate) struct Work {
    pub(crate) name: String,
    pub(crate) sources: Vec<Source>,
    /// Findings that must be allowed for it to compile.
    pub(crate) allow: Vec<u16>,
}

impl Work {
    /// The programs with one version, as the command compiles them: the higher one, if a text does not state it.
    pub(crate) fn programs(&self) -> Vec<Program> {
        let mut programs: Vec<agalc::Program> = self.sources.iter().map(|source| source.read.clone()).collect();
        agalc::lift(&mut programs, &agalc::Options::default());
        programs.iter().filter_map(|program| Some(program.agal()?.program.clone())).collect()
    }

    pub(crate) fn translate(&self, allow: &[u16]) -> Result<Module, Vec<Finding>> {
        let programs = self.programs();
        let programs: Vec<&Program> = programs.iter().collect();
        let rules = agal_front::Rules { allow: allow.to_vec(), allow_ted: true, ..agal_front::Rules::default() };
        let options = lift::Options { rules, ..lift::Options::default() };
        translate(&programs, &options).map(|lifted| lifted.module).map_err(|findings| findings.concat())
    }

    pub(crate) fn verified(&self) -> Verified {
        Verified::new(self.module()).expect("it verifies")
    }

    pub(crate) fn module(&self) -> Module {
        self.translate(&self.allow).unwrap_or_else(|findings| panic!("{}: {findings:#?}", self.name))
    }
}

fn stem(path: &Path, ending: &str) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    name.strip_suffix(ending).unwrap_or(&name).to_string()
}

/// The pairs of testdata/pairs.
pub(crate) static PAIRS: LazyLock<Vec<Work>> = LazyLock::new(|| {
    let folder = testdata("pairs");
    let pair = |vertex: &PathBuf| {
        let name = stem(vertex, ".vert.agal");
        let sources = vec![Source::read(vertex), Source::read(&folder.join(format!("{name}.frag.agal")))];
        Work { name, sources, allow: Vec::new() }
    };
    let pairs: Vec<Work> = testing::files(&folder, ".vert.agal").iter().map(pair).collect();
    assert!(pairs.len() >= 50, "only {} pairs in {}", pairs.len(), folder.display());
    pairs
});

/// The real programs next to the repository. Empty, with a notice, if they are missing.
pub(crate) static CORPUS: LazyLock<Vec<Work>> = LazyLock::new(|| {
    let work = |path: &PathBuf| {
        let name = stem(path, ".agalbc");
        let allow = if name.starts_with("misc_opcodes") { vec![3647, 3648] } else { Vec::new() };
        Work { name, sources: vec![Source::read(path)], allow }
    };
    testing::corpus().iter().map(work).collect()
});

/// Every pair, each of its programs alone, every program of the corpus alone, and the corpus's pairs.
pub(crate) static EVERYTHING: LazyLock<Vec<Work>> = LazyLock::new(|| {
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
        // The two programs of special opcodes are not a pair: one reads varyings that the other does not write.
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
pub(crate) enum Kind {
    Spirv,
    Wgsl,
    Glsl(Glsl),
}

pub(crate) const KINDS: [Kind; 5] =
    [Kind::Spirv, Kind::Wgsl, Kind::Glsl(Glsl::Core450), Kind::Glsl(Glsl::Core330), Kind::Glsl(Glsl::Es300)];

impl Kind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Spirv => "SPIR-V",
            Kind::Wgsl => "WGSL",
            Kind::Glsl(Glsl::Core450) => "GLSL 450",
            Kind::Glsl(Glsl::Core330) => "GLSL 330",
            Kind::Glsl(Glsl::Es300) => "GLSL 300 es",
        }
    }

    /// The value of `--glsl`.
    pub(crate) fn glsl_option(self) -> Option<&'static str> {
        match self {
            Kind::Glsl(Glsl::Core450) => Some("450"),
            Kind::Glsl(Glsl::Core330) => Some("330"),
            Kind::Glsl(Glsl::Es300) => Some("300es"),
            _ => None,
        }
    }
}

/// An output file: its format, extension and bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OutputFile {
    pub(crate) kind: Kind,
    pub(crate) extension: &'static str,
    pub(crate) bytes: Vec<u8>,
}

impl OutputFile {
    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.bytes).expect("text")
    }
}

/// Compiles the module to one format: one file, or for GLSL one per stage.
pub(crate) fn outputs(module: &Module, kind: Kind) -> Result<Vec<OutputFile>, backends::Error> {
    let options = Layout::default();
    let output = |extension, bytes| OutputFile { kind, extension, bytes };
    Ok(match kind {
        Kind::Spirv => vec![output("spv", little_endian(&backends::spirv(module, &options)?))],
        Kind::Wgsl => vec![output("wgsl", backends::wgsl(module, &options)?.into_bytes())],
        Kind::Glsl(version) => {
            let mut stages = Vec::new();
            for function in module.functions.iter().filter(|function| function.kind != FunctionKind::Generic) {
                let extension = match function.kind {
                    FunctionKind::Vertex => "vert",
                    FunctionKind::Compute => "comp",
                    _ => "frag",
                };
                let text = backends::glsl(module, function.kind, version, &options)?;
                stages.push(output(extension, text.into_bytes()));
            }
            stages
        }
    })
}

/// Compiles the module to every format.
pub(crate) fn all_outputs(module: &Module) -> Result<Vec<OutputFile>, backends::Error> {
    Ok(KINDS.iter().map(|&kind| outputs(module, kind)).collect::<Result<Vec<_>, _>>()?.concat())
}

pub(crate) fn little_endian(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

pub(crate) fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().expect("four bytes"))).collect()
}

/// The modules in the text form: programs, and one of each operation.
pub(crate) fn samples() -> Vec<(String, Module)> {
    let mut paths = testing::files(&testdata("ir"), ".sdlasm");
    paths.extend(testing::files(&testdata("ir/operations"), ".sdlasm"));
    paths.extend(testing::files(&testdata("conformance"), ".sdlasm"));
    let sample = |path: &PathBuf| {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(path).expect("the module");
        (name, sdlbc::parse(&text).unwrap_or_else(|errors| panic!("{}: {errors:?}", path.display())))
    };
    assert!(paths.len() > 90, "{} samples", paths.len());
    paths.iter().map(sample).collect()
}

/// The same module with random members of its constants, and with names for what else has one: words that are types, qualifiers
/// or functions of a language.
pub(crate) fn named(module: &Module, seed: u64) -> Module {
    const WORDS: [&str; 12] = [
        "position", "texture", "sampler", "half", "float4", "vertex", "input", "matrix", "kernel", "sample", "cbuffer",
        "saturate",
    ];
    let mut module = laws::with_members(module, seed, |_, lowest| lowest);
    for function in &mut module.functions {
        let named = function.inputs.iter_mut().filter(|input| !input.name.is_empty());
        // An array of constants is the variable of the members' structure.
        for (index, input) in named.enumerate() {
            let word = WORDS[(index + seed as usize) % WORDS.len()];
            input.name = if index < WORDS.len() { word.to_string() } else { format!("{word}{index}") };
        }
    }
    assert_eq!(sdlbc::verify(&module), Ok(()));
    module
}

/// The modules in testdata with compute functions, by their files.
pub(crate) fn compute_functions() -> Vec<(String, Module)> {
    modules_of(&[
        ("ir/compute", ".sdlasm"),
        ("conformance/compute", ".sdlasm"),
        ("sources/compute", ".wgsl"),
        ("sources/compute", ".comp"),
    ])
}

/// The modules of the sources in testdata without compute functions, by their files.
pub(crate) fn source_modules() -> Vec<(String, Module)> {
    modules_of(&[
        ("sources/wgsl", ".wgsl"),
        ("sources/filters", ".wgsl"),
        ("sources/glsl", ".vert"),
        ("sources/glsl", ".frag"),
    ])
}

/// The modules of the files in some folders of testdata, with these endings.
fn modules_of(folders: &[(&str, &str)]) -> Vec<(String, Module)> {
    let mut modules = Vec::new();
    for (folder, ending) in folders {
        for path in testing::files(&testdata(folder), ending) {
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            let inputs = [agalc::Input { name: name.clone(), bytes: std::fs::read(&path).expect("the file") }];
            let loaded = agalc::load_all(&inputs, &agalc::Options::default());
            modules.push((name, Module::clone(&loaded.unwrap_or_else(|_| panic!("{}", path.display())).module)));
        }
    }
    modules
}
