//! Reads the inputs of commands, and builds modules from them.

use std::path::{Path, PathBuf};

use agalc::{Input, Loaded, Program, Source, found};
use anyhow::{Result, anyhow};
use sdlbc::Module;

use crate::args::{Convert, DebugLevel, Reading};
use crate::files::Files;
use crate::report;

/// Builds the module of one or two inputs, and reports warnings. `debug` is the level of detail of the debug table.
pub(super) fn loaded(files: &Files, paths: &[PathBuf], reading: &Reading, debug: DebugLevel) -> Result<Loaded> {
    loaded_of(files, paths, &read_all(files, paths)?, reading, debug)
}

/// Builds the module of inputs that have already been read, and reports warnings.
pub(super) fn loaded_of(
    files: &Files,
    paths: &[PathBuf],
    inputs: &[Input],
    reading: &Reading,
    debug: DebugLevel,
) -> Result<Loaded> {
    let sources = Source::all(inputs, &reading.opening());
    let options = reading.options(files, paths, &sources, debug)?;
    report::loaded(agalc::load(&sources, &options), &reading.judging)
}

/// Builds a module for display. A single module is accepted even if it breaks rules. Its unknown parts are skipped if `step_over`
/// is true.
pub(super) fn shown(files: &Files, paths: &[PathBuf], reading: &Reading, step_over: bool) -> Result<Loaded<Module>> {
    let inputs = read_all(files, paths)?;
    shown_of(files, paths, &Source::all(&inputs, &reading.opening()), reading, DebugLevel::Names, step_over)
}

/// Builds a module for display from opened inputs. `debug` is the level of detail of the debug table.
pub(super) fn shown_of(
    files: &Files,
    paths: &[PathBuf],
    sources: &[Source<'_>],
    reading: &Reading,
    debug: DebugLevel,
    step_over: bool,
) -> Result<Loaded<Module>> {
    let options = reading.options(files, paths, sources, debug)?.step_over(step_over);
    report::loaded(agalc::show(sources, &options), &reading.judging)
}

pub(super) fn read_all(files: &Files, paths: &[PathBuf]) -> Result<Vec<Input>> {
    paths.iter().map(|path| read(files, path)).collect()
}

/// Reads a program or a module, and refuses templates and pieces of an extraction.
pub(super) fn read(files: &Files, path: &Path) -> Result<Input> {
    let input = files.read(path)?;
    found::unfinished(path).map_or(Ok(()), |unfinished| Err(report::unfinished(&input.name, unfinished)))?;
    Ok(input)
}

/// Returns all values if there is no error. Otherwise reports all errors except the last, and returns the last error.
pub(super) fn all<T>(results: Vec<Result<T>>) -> Result<Vec<T>> {
    let (values, errors): (Vec<_>, Vec<_>) = results.into_iter().partition(Result::is_ok);
    let mut errors: Vec<anyhow::Error> = errors.into_iter().filter_map(Result::err).collect();
    let Some(last) = errors.pop() else { return Ok(values.into_iter().flatten().collect()) };
    errors.iter().for_each(report::error);
    Err(last)
}

/// Inserts comments at the beginning of AGAL text. A header comment stays on the first line, and the inserted comments follow it.
pub(super) fn with_names(text: String, comments: &str) -> String {
    match text.split_once('\n').filter(|(first, _)| first.to_ascii_lowercase().starts_with("// agal ")) {
        Some((header, rest)) => format!("{header}\n{comments}{rest}"),
        None => format!("{comments}{text}"),
    }
}

/// Reads the program of an input, and reports warnings. Fails for a module, with a message that ends with `instead`.
pub(super) fn program(files: &Files, args: &Convert, instead: &str) -> Result<Program> {
    let (input, options) = (read(files, &args.input)?, args.text.options(args.judging.rules()));
    // This command refuses every module, so the rules of modules are not checked.
    let program = crate::input::read_shown(&Source::open(&input, &options), &options)?;
    if program.module().is_some() {
        return Err(anyhow!("`{}` is an SDLSHADERBC file; {instead}", input.name));
    }
    let program = program.sound().map_err(|error| report::load_error(&error))?;
    report::program(&program, &args.judging);
    report::file_warnings(&program.warnings, &args.judging)?;
    Ok(program)
}
