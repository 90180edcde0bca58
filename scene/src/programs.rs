//! A scene's programs: AGAL as text or bytecode, or an SDLSHADERBC module.

use std::path::Path;

use agal_front::assemble::{AssembleOptions, assemble, parts};
use agal_front::finding::SourceMap;
use agal_front::lift::translate;
use agal_front::{Finding, Program, Stage};
use sdlbc::{FunctionKind, Module};

use crate::description::{Files, Reading};
use crate::error::{Error, ErrorKind};

/// What there is to say about a program that is none the less drawn with.
#[derive(Clone, Debug, PartialEq)]
pub struct Warned {
    /// Its file.
    pub file: String,
    /// Its text.
    pub text: Option<String>,
    /// The warnings, with their places.
    pub findings: Vec<Finding>,
}

/// The programs of a scene.
#[derive(Clone, Debug, Default)]
pub(crate) struct Loaded {
    pub(crate) module: Module,
    pub(crate) agal: Option<[Program; 2]>,
    pub(crate) warned: Vec<Warned>,
}

/// An AGAL program with what it was read from.
struct Source {
    file: String,
    text: Option<(String, SourceMap)>,
    program: Program,
    version_given: bool,
    warnings: Vec<Finding>,
}

enum Input {
    Agal(Vec<Source>),
    Module(String, Module),
}

/// Reads the files of a scene.
pub(crate) fn load(files: &Files, reading: &Reading) -> Result<Loaded, Error> {
    let inputs = match files {
        Files::Both(both) => vec![read(both, None, reading)?],
        Files::Pair(vertex, fragment) => {
            vec![read(vertex, Some(Stage::Vertex), reading)?, read(fragment, Some(Stage::Fragment), reading)?]
        }
    };
    let mut sources = Vec::new();
    let mut modules = Vec::new();
    for input in inputs {
        match input {
            Input::Agal(read) => sources.extend(read),
            Input::Module(file, module) => modules.push((file, module)),
        }
    }
    let Some((file, mut module)) = modules.pop() else { return lift(sources, reading) };
    if !sources.is_empty() {
        return Err(Error::of(file, ErrorKind::NoPair { found: 2 }));
    }
    if let Some((_, first)) = modules.pop() {
        if first.functions.len() != 1 || module.functions.len() != 1 {
            return Err(Error::of(file, ErrorKind::NoPair { found: 2 }));
        }
        module.functions.splice(0..0, first.functions);
        // The table counts the functions of its own file.
        module.debug = sdlbc::Debug::default();
    }
    if let Err(violations) = sdlbc::verify(&module) {
        let errors = violations.iter().map(ToString::to_string).collect();
        return Err(Error::of(file, ErrorKind::Module { errors }));
    }
    is_pair(&module).map_err(|kind| Error::of(file, kind))?;
    Ok(Loaded { module, ..Loaded::default() })
}

/// Refuses a module that has not one vertex and one fragment function.
pub(crate) fn is_pair(module: &Module) -> Result<(), ErrorKind> {
    let count = |kind| module.functions.iter().filter(|function| function.kind == kind).count();
    match (count(FunctionKind::Vertex), count(FunctionKind::Fragment)) {
        (1, 1) => Ok(()),
        (vertex, fragment) => Err(ErrorKind::NoPair { found: vertex + fragment }),
    }
}

fn read(path: &Path, stage: Option<Stage>, reading: &Reading) -> Result<Input, Error> {
    let file = path.display().to_string();
    let bytes =
        std::fs::read(path).map_err(|error| Error::of(&file, ErrorKind::Unreadable { why: error.to_string() }))?;
    if bytes.starts_with(b"SDLSHADERBC") {
        let module = sdlbc::decode(&bytes)
            .map_err(|error| Error::of(&file, ErrorKind::Module { errors: vec![error.to_string()] }))?;
        return Ok(Input::Module(file, module));
    }
    if bytes.first() == Some(&0xa0) {
        let (program, warnings) = Program::decode(&bytes)
            .map_err(|findings| Error::of(&file, ErrorKind::Program { text: None, findings }))?;
        return Ok(Input::Agal(vec![Source { file, text: None, program, version_given: true, warnings }]));
    }
    let text = String::from_utf8(bytes).map_err(|_| Error::of(&file, ErrorKind::NoText))?;
    if path.extension().is_some_and(|extension| extension == "sdlasm") {
        let module = sdlbc::parse(&text).map_err(|errors| {
            let errors = errors.iter().map(ToString::to_string).collect();
            Error::of(&file, ErrorKind::Module { errors })
        })?;
        return Ok(Input::Module(file, module));
    }
    let stages: Vec<Option<Stage>> = match stage {
        Some(stage) => vec![Some(stage)],
        None if parts(&text).len() > 1 => vec![Some(Stage::Vertex), Some(Stage::Fragment)],
        None => vec![None],
    };
    let sources = stages.into_iter().map(|stage| source(&file, &text, stage, reading));
    Ok(Input::Agal(sources.collect::<Result<Vec<Source>, Error>>()?))
}

fn source(file: &str, text: &str, stage: Option<Stage>, reading: &Reading) -> Result<Source, Error> {
    let rules = &reading.options.rules;
    let (defines, allow) = (reading.defines.clone(), rules.allow.clone());
    let options = AssembleOptions { stage, version: reading.version, defines, allow, ..AssembleOptions::default() };
    let is_said = |found: &Finding| !matches!(found.kind, agal_front::Kind::Part { .. });
    match assemble(text, &options) {
        Ok(assembly) => Ok(Source {
            file: file.to_string(),
            program: assembly.program,
            version_given: assembly.version_given,
            warnings: assembly.warnings.into_iter().filter(is_said).collect(),
            text: Some((text.to_string(), assembly.map)),
        }),
        Err(mut findings) => {
            findings.retain(is_said);
            rules.judge(&mut findings);
            Err(Error::of(file, ErrorKind::Program { text: Some(text.to_string()), findings }))
        }
    }
}

/// Lifts a vertex and a fragment program, in whichever order they come.
fn lift(mut sources: Vec<Source>, reading: &Reading) -> Result<Loaded, Error> {
    sources.sort_by_key(|source| source.program.stage);
    let stages: Vec<Stage> = sources.iter().map(|source| source.program.stage).collect();
    if stages != [Stage::Vertex, Stage::Fragment] {
        let file = sources.first().map(|source| source.file.clone()).unwrap_or_default();
        return Err(Error::of(file, ErrorKind::NoPair { found: stages.len() }));
    }
    // A text's version is the lowest that will do; in a pair both have the higher one.
    let rules = &reading.options.rules;
    let version = sources.iter().map(|source| source.program.version).max().unwrap_or(1);
    let version = version.min(rules.profile.map_or(version, |profile| profile.version()));
    for source in sources.iter_mut().filter(|source| !source.version_given) {
        source.program.version = version;
    }
    let programs: Vec<&Program> = sources.iter().map(|source| &source.program).collect();
    let (module, findings) = match translate(&programs, &reading.options) {
        Ok(lifted) => (Some(lifted.module), lifted.findings),
        Err(findings) => (None, findings),
    };
    let mut warned = Vec::new();
    let mut agal = Vec::new();
    for (source, found) in sources.into_iter().zip(findings) {
        let Source { file, text, program, mut warnings, .. } = source;
        rules.judge(&mut warnings);
        warnings.extend(found.into_iter().map(|mut finding| {
            finding.place = text.as_ref().map_or(finding.place, |(_, map)| map.locate(finding.place));
            finding
        }));
        let text = text.map(|(text, _)| text);
        if warnings.iter().any(Finding::is_error) {
            return Err(Error::of(file, ErrorKind::Program { text, findings: warnings }));
        }
        if !warnings.is_empty() {
            warned.push(Warned { file, text, findings: warnings });
        }
        agal.push(program);
    }
    let none = || Error::of("", ErrorKind::NoPair { found: 0 });
    Ok(Loaded { module: module.ok_or_else(none)?, agal: agal.try_into().ok(), warned })
}
