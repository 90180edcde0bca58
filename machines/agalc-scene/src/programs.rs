//! Reads a scene's programs, in any form that `agalc::load` detects.

use std::path::Path;

use agal_front::{Program, Stage};
use agalc::{Input, Loaded as Module, Options, PairError, Refused, Source, Warning};
use sdlbc::FunctionKind;

use crate::description::{Files, Reading};
use crate::error::{Error, ErrorKind};
use crate::reader::LARGEST_FILE;
use crate::store::Store;

#[derive(Clone, Debug, Default)]
pub(crate) struct Loaded {
    pub(crate) module: sdlbc::Module,
    pub(crate) agal: Option<[Program; 2]>,
    pub(crate) warned: Vec<agalc::Program>,
    pub(crate) warnings: Vec<Warning>,
}

pub(crate) fn load(store: Store<'_>, files: &Files, reading: &Reading) -> Result<Loaded, Error> {
    let (defines, meaning) = (reading.defines.clone(), reading.options.clone());
    // A scene refers to registers by number, even if the program's source text names the registers.
    let options =
        Options::default().version(reading.version).defines(defines).meaning(meaning).ignore_source_names(true);
    let loaded = match files {
        Files::Both(both) => agalc::load(&[Source::open(&read(store, both)?, &options)], &options),
        Files::Pair(vertex, fragment) => {
            let [vertex, fragment] = [read(store, vertex)?, read(store, fragment)?];
            let vertex = Source::open(&vertex, &options).with_role(Stage::Vertex);
            let fragment = Source::open(&fragment, &options).with_role(Stage::Fragment);
            agalc::load(&[vertex, fragment], &options)
        }
    };
    let first = match files {
        Files::Both(path) | Files::Pair(path, _) => path.display().to_string(),
    };
    let Module { module, mut programs, warnings, .. } = loaded.map_err(|refused| error(&first, refused))?;
    is_pair(&module).map_err(|kind| Error::of(first, kind))?;
    programs.sort_by_key(agalc::Program::stage);
    let agal = programs.iter().filter_map(|program| Some(program.agal()?.program.clone())).collect::<Vec<_>>();
    let agal = agal.try_into().ok();
    programs.retain(|program| !program.findings.is_empty());
    let (module, warned) = (module.into_module(), programs);
    Ok(Loaded { module, agal, warned, warnings })
}

/// Returns the first error in the inputs, or the error in the pair if each input is valid.
fn error(file: &str, Refused { inputs, pair, .. }: Refused) -> Error {
    match (inputs.into_iter().find_map(Result::err), pair.map(|pair| *pair)) {
        (Some(error), _) => Error::of(error.name.clone(), ErrorKind::Program(error)),
        (None, Some(PairError::NotAPair { vertex, fragment })) => {
            Error::of(file, ErrorKind::NoPair { found: vertex + fragment })
        }
        (None, Some(pair)) => Error::of(file, ErrorKind::Pair(pair)),
        (None, None) => Error::of(file, ErrorKind::NoPair { found: 0 }),
    }
}

/// Checks that a module has one vertex function and one fragment function, and neither storage buffers nor storage textures.
pub(crate) fn is_pair(module: &sdlbc::Module) -> Result<(), ErrorKind> {
    let count = |kind| module.functions.iter().filter(|function| function.kind == kind).count();
    let [vertex, fragment] = [FunctionKind::Vertex, FunctionKind::Fragment].map(count);
    if [vertex, fragment] != [1, 1] {
        return Err(ErrorKind::NoPair { found: vertex + fragment });
    }
    let storage = |input: &sdlbc::Input| match input.kind {
        sdlbc::InputKind::Buffer { .. } => Some(ErrorKind::Buffer { name: input.name.clone() }),
        sdlbc::InputKind::Image { .. } => Some(ErrorKind::StorageTexture { name: input.name.clone() }),
        _ => None,
    };
    module.functions.iter().flat_map(|function| &function.inputs).find_map(storage).map_or(Ok(()), Err)
}

fn read(store: Store<'_>, path: &Path) -> Result<Input, Error> {
    Ok(Input { name: path.display().to_string(), bytes: store.bytes(path, LARGEST_FILE)?.into_owned() })
}
