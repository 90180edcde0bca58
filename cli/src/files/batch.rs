//! The files of a batch. Each shader has its own `Files`. When a shader is done, its outputs are written under temporary names.
//! When the batch is done, all outputs are renamed.
//!
//! Rules: as in a single run, no output is a file that one of the shaders read, and no two outputs are the same file. Every
//! output is either complete or unchanged, even if the run is interrupted.

use std::cell::RefCell;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Error, Result, anyhow};
use rayon::ThreadPool;

use super::destination::{Destination, Identity};
use super::temporary::TemporaryFiles;
use super::{Files, cannot_write, destination_of, fail_when_too_large, identity, output_of};
use crate::output::{PendingOutput, Sink, usage};
use crate::report::{self, Output};

pub(crate) struct BatchFiles {
    temporary: TemporaryFiles,
    known: Mutex<Vec<ShaderFiles>>,
}

/// The result of running a command for one shader of a batch.
#[derive(Debug)]
pub(crate) enum Outcome {
    Done,
    /// The command rejected the shader.
    Refused(Error),
    /// An output of the shader cannot be written.
    Unwritten(Error),
}

impl Outcome {
    pub(crate) fn error(&self) -> Option<&Error> {
        match self {
            Outcome::Done => None,
            Outcome::Refused(error) | Outcome::Unwritten(error) => Some(error),
        }
    }

    pub(crate) fn into_result(self) -> Result<()> {
        match self {
            Outcome::Done => Ok(()),
            Outcome::Refused(error) | Outcome::Unwritten(error) => Err(error),
        }
    }
}

struct ShaderFiles {
    shader: usize,
    read: Vec<Identity>,
    written: Vec<Written>,
}

/// An output that has been written under a temporary name.
struct Written {
    output: Output,
    name: String,
    identity: Identity,
}

impl BatchFiles {
    /// Begins a batch. If a signal ends the run, the temporary files of the batch are removed.
    pub(crate) fn new() -> Result<BatchFiles> {
        fail_when_too_large()?;
        let temporary = TemporaryFiles::new().context("cannot watch for signals")?;
        Ok(BatchFiles { temporary, known: Mutex::default() })
    }

    /// Runs a command for a shader, and writes the shader's outputs under temporary names. If the command fails, these files are
    /// removed, but the standard output of the command is still returned.
    pub(crate) fn shader(&self, shader: usize, run: impl FnOnce(&Files) -> Result<()>) -> (Vec<u8>, Outcome) {
        let files = Files::of_batch();
        let done = run(&files);
        let outputs = files.kept.as_ref().map(RefCell::take).unwrap_or_default();
        let (stdout, outputs): (Vec<_>, Vec<_>) = outputs.into_iter().partition(|output| output.sink == Sink::Stdout);
        let stdout = stdout.into_iter().flat_map(|output| output.bytes).collect();
        let (written, ended) = match done.map(|()| self.add(shader, &outputs)) {
            Ok(Ok(written)) => (written, Outcome::Done),
            Ok(Err(error)) => (Vec::new(), Outcome::Unwritten(error)),
            Err(error) => (Vec::new(), Outcome::Refused(error)),
        };
        if ended.error().is_some() {
            self.temporary.forget(shader);
        }
        let known = ShaderFiles { shader, read: files.read.take(), written };
        self.known.lock().unwrap_or_else(PoisonError::into_inner).push(known);
        (stdout, ended)
    }

    fn add(&self, shader: usize, outputs: &[PendingOutput]) -> Result<Vec<Written>> {
        let mut written = Vec::new();
        for output in outputs {
            let PendingOutput { sink, bytes, .. } = output;
            let destination = destination_of(sink)?;
            let (Destination::File(target), Some(identity)) = (&destination, identity(&destination)) else {
                return Err(anyhow!("{}: it is not a plain file", cannot_write(sink)));
            };
            written.push(Written { output: output_of(output), name: sink.quoted(), identity });
            self.temporary.add(target, bytes, shader).with_context(|| cannot_write(sink))?;
        }
        Ok(written)
    }

    /// Renames every output to its final name, or removes all outputs if the batch has stopped. Also records in `files` every file
    /// that a shader has read.
    ///
    /// # Errors
    /// An output is a file that was read, two outputs are the same file, or a file cannot be renamed. In the first two cases, no
    /// output is written.
    pub(crate) fn finish(self, files: &Files, is_stopped: bool, threads: &ThreadPool) -> Result<()> {
        let mut known = self.known.into_inner().unwrap_or_else(PoisonError::into_inner);
        known.sort_by_key(|known| known.shader);
        files.read.borrow_mut().extend(known.iter().flat_map(|known| known.read.iter().cloned()));
        if is_stopped {
            return Ok(());
        }
        let reserved = files.reserved.borrow().clone();
        let reserved =
            reserved.map(|sink| Ok::<_, Error>((sink.quoted(), identity(&destination_of(&sink)?)))).transpose()?;
        check(&known, reserved.as_ref().and_then(|(name, identity)| Some((name.as_str(), identity.as_ref()?))))?;
        let name_of = |path: &Path| {
            let mut written = known.iter().flat_map(|known| &known.written);
            let found = written.find(|written| written.identity.keys().0 == Some(path));
            found.map_or_else(|| Sink::File(path.to_path_buf()).quoted(), |written| written.name.clone())
        };
        let finished = self.temporary.finish(Some(threads));
        finished.map_err(|(path, error)| anyhow!(error).context(format!("cannot write {}", name_of(&path))))?;
        known.into_iter().flat_map(|known| known.written).for_each(|written| report::wrote_in_batch(written.output));
        Ok(())
    }
}

/// Rejects an output that is an input, the file for messages, or the same file as another output.
fn check(known: &[ShaderFiles], reserved: Option<(&str, &Identity)>) -> Result<()> {
    let mut read = Seen::default();
    for identity in known.iter().flat_map(|known| &known.read) {
        read.insert(identity);
    }
    let mut outputs = Seen::default();
    let written = known.iter().flat_map(|known| &known.written);
    let written = written.map(|written| (written.name.as_str(), &written.identity));
    for (name, identity) in reserved.into_iter().chain(written) {
        if read.has(identity) {
            let message = format!("{name} is read and would be overwritten; name another folder for the outputs");
            return usage(message);
        }
        if !outputs.insert(identity) {
            let message = format!("{name} would be written twice; name another output, or rename a shader");
            return usage(message);
        }
    }
    Ok(())
}

#[derive(Default)]
struct Seen {
    paths: HashSet<PathBuf>,
    nodes: HashSet<(u64, u64)>,
}

impl Seen {
    fn has(&self, identity: &Identity) -> bool {
        let (path, node) = identity.keys();
        path.is_some_and(|path| self.paths.contains(path)) || node.is_some_and(|node| self.nodes.contains(&node))
    }

    fn insert(&mut self, identity: &Identity) -> bool {
        let is_new = !self.has(identity);
        let (path, node) = identity.keys();
        self.paths.extend(path.map(Path::to_path_buf));
        self.nodes.extend(node);
        is_new
    }
}
