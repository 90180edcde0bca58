//! Groups the files of a batch into shaders, and determines the paths of the shaders' outputs.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use agalc::found::{self, Clash, Part, Together};
use agalc::render::shown;
use anyhow::{Error, Result, anyhow};

use super::inputs::{Entry, FileFilter, Skipped};
use crate::output::{UsageError, usage};
use crate::phrases::quoted;

/// The result of a command for a shader that is not refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Success {
    Written,
    Accepted,
    /// The command only printed the shader's key.
    Keyed,
}

#[derive(Clone, Debug)]
pub(crate) struct Shader {
    /// One file, or the files of a vertex and a fragment program.
    pub(crate) inputs: Vec<PathBuf>,
    /// The path of the shader's outputs without an extension, relative to the output folder.
    place: PathBuf,
}

impl Shader {
    pub(crate) fn output(&self, folder: &Path, extension: &str) -> PathBuf {
        let mut name = self.place.file_name().unwrap_or_default().to_os_string();
        name.push(".");
        name.push(extension);
        folder.join(self.place.with_file_name(name))
    }

    /// Returns the paths of the shader's files, separated by spaces.
    pub(crate) fn name(&self) -> String {
        let names: Vec<String> = self.inputs.iter().map(|path| shown::path(path)).collect();
        names.join(" ")
    }

    /// Returns the paths of the shader's files in backticks, for use in a sentence.
    pub(super) fn quoted(&self) -> String {
        let names: Vec<String> = self.inputs.iter().map(|path| quoted(path)).collect();
        names.join(" with ")
    }
}

/// Groups files into shaders, in the order of each shader's first file. Fails if two files contain the same stage of a shader, or
/// if the outputs of two shaders would have the same path.
pub(super) fn group(entries: Vec<Entry>, filter: FileFilter, done: Success) -> Result<Vec<Shader>> {
    let mut places: HashMap<PathBuf, (usize, PathBuf)> = HashMap::new();
    let mut shaders: Vec<(usize, Shader)> = Vec::new();
    let mut named = Vec::new();
    for (index, Entry { path, place }) in entries.into_iter().enumerate() {
        match filter != FileFilter::Programs && found::name(&path).is_some() {
            true => {
                places.insert(path.clone(), (index, place));
                named.push(path);
            }
            // A file is a separate shader if its name is not recognised or if the filter is `FileFilter::Programs`.
            false => shaders.push((index, Shader { place: place.with_extension(""), inputs: vec![path] })),
        }
    }
    let (found, clashes) = found::shaders(named);
    if let Some(clash) = clashes.first() {
        return Err(clash_error(clash).into());
    }
    for found in found {
        let of_files = found.paths().iter().filter_map(|path| places.get(path));
        let Some((index, place)) = of_files.min_by_key(|(index, _)| *index) else { continue };
        // The programs `lit.vert` and `lit.frag` become the shader `lit`.
        let place = match found.files {
            Together::Pair(_) => found::name(place).map_or_else(|| place.with_extension(""), |named| named.stem),
            _ => place.with_extension(""),
        };
        shaders.push((*index, Shader { inputs: found.paths().to_vec(), place }));
    }
    shaders.sort_by_key(|(index, _)| *index);
    let shaders: Vec<Shader> = shaders.into_iter().map(|(_, shader)| shader).collect();
    if done == Success::Written {
        check_outputs(&shaders)?;
    }
    Ok(shaders)
}

fn clash_error(Clash { stem, files: [one, other], part }: &Clash) -> UsageError {
    let what = match part {
        Part::Vertex => "the vertex program of",
        Part::Fragment => "the fragment program of",
        Part::Whole => "the shader",
    };
    let [one, other, stem] = [one, other, stem].map(|path| quoted(path));
    UsageError(format!(
        "{one} and {other} are both {what} {stem}; rename one of them, or name the files of one shader as the inputs"
    ))
}

/// Returns an error if the outputs of two shaders would have the same path.
fn check_outputs(shaders: &[Shader]) -> Result<()> {
    let mut first: HashMap<&Path, &Shader> = HashMap::new();
    // Templates and pieces of an extraction are refused, so they have no outputs.
    let is_written = |shader: &&Shader| shader.inputs.iter().all(|path| found::unfinished(path).is_none());
    for shader in shaders.iter().filter(is_written) {
        if let Some(other) = first.insert(&shader.place, shader) {
            let [one, other] = [other, shader].map(Shader::name);
            let message = format!(
                "`{one}` and `{other}` would both be written as {}; rename one of them, or name a folder that contains both",
                quoted(&shader.place)
            );
            return usage(message);
        }
    }
    Ok(())
}

/// Returns the error for inputs without shaders.
pub(super) fn none(inputs: &[PathBuf], skipped: &Skipped) -> Error {
    let names: Vec<String> = inputs.iter().map(|path| quoted(path)).collect();
    anyhow!(
        "there are no shaders in {}; the names of programs end in .agal, .agalbc, .es2 or .es2bc, and those of modules in .sdlbc or \
         .sdlasm{}",
        names.join(" and "),
        skipped.summary()
    )
}
