//! Batches: one run of a command for many shaders, on all processors.
//!
//! Rules: the outputs and messages for a shader are the same as in a run for its files alone. The messages are in the order of the
//! inputs, whatever the number of threads. If a shader is refused, none of its outputs is written; with `--fail-fast`, no output of
//! the batch is written.

mod applications;
mod inputs;
mod shaders;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result, anyhow};

use crate::args::BatchOptions;
use crate::files::{BatchFiles, Files, Outcome};
use crate::output::PendingOutput;
use crate::phrases::counted;
use crate::progress::Progress;
use crate::report::{self, Messages, Repeats};
use inputs::Skipped;
pub(crate) use inputs::{FileFilter, Listed, list, wrong_inputs};
pub(crate) use shaders::{Shader, Success};

/// The size of a thread's stack in bytes: twice the usual size of the main thread's stack, which is enough for the most deeply
/// nested modules.
const STACK: usize = 16 << 20;

/// The shaders of a batch.
pub(crate) struct Batch<'a> {
    shaders: Vec<Shader>,
    skipped: Skipped,
    /// The number of files and folders that could not be read, which have been reported.
    unread: usize,
    done: Success,
    options: &'a BatchOptions,
}

/// Whether inputs are a batch. `most` is the maximum number of inputs that are not a batch.
pub(crate) fn is_batch(options: &BatchOptions, inputs: &[PathBuf], most: usize) -> bool {
    options.batch || inputs.len() > most || inputs.iter().any(|path| path.is_dir() || inputs::is_pattern(path))
}

impl<'a> Batch<'a> {
    /// Finds the shaders in the inputs.
    ///
    /// # Errors
    /// There are no shaders (unless a folder is an extraction with only templates or pieces), an input cannot be read, or the grouping
    /// of files or the paths of outputs are ambiguous.
    pub(crate) fn new(
        inputs: &[PathBuf],
        filter: FileFilter,
        done: Success,
        options: &'a BatchOptions,
    ) -> Result<Batch<'a>> {
        let listed = inputs::list(inputs, filter)?;
        let unread = listed.problems.len();
        listed.problems.iter().for_each(report::error);
        if unread > 0 && options.fail_fast {
            return Err(anyhow!("{}; nothing was written", counted_unread(unread)));
        }
        let shaders = shaders::group(listed.entries, filter, done)?;
        if shaders.is_empty() && !listed.skipped.is_unfinished() {
            return Err(shaders::none(inputs, &listed.skipped));
        }
        Ok(Batch { shaders, skipped: listed.skipped, unread, done, options })
    }

    /// Runs a command for each shader.
    ///
    /// # Errors
    /// A shader is refused, or the outputs cannot be written.
    pub(crate) fn run(self, files: &Files, job: impl Fn(&Shader, &Files) -> Result<()> + Sync) -> Result<()> {
        self.run_with(files, job, |_| None)?.1
    }

    /// Runs a command for each shader, and writes the file that `last` makes from the standard outputs of all shaders. Returns
    /// these standard outputs, and the error of the run if a shader is refused. The outputs of the other shaders are then written
    /// all the same, unless `--fail-fast` is given.
    ///
    /// # Errors
    /// The outputs cannot be written.
    pub(crate) fn run_with(
        self,
        files: &Files,
        job: impl Fn(&Shader, &Files) -> Result<()> + Sync,
        last: impl FnOnce(&[Vec<u8>]) -> Option<PendingOutput>,
    ) -> Result<(Vec<Vec<u8>>, Result<()>)> {
        let threads = self.options.jobs.and_then(|jobs| usize::try_from(jobs).ok());
        let threads = threads.or_else(|| std::thread::available_parallelism().ok().map(Into::into)).unwrap_or(1);
        let threads = threads.min(self.shaders.len()).max(1);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK).build();
        let pool = pool.context("cannot start threads")?;
        let batch_files = BatchFiles::new()?;
        let (next, first_failed) = (AtomicUsize::new(0), AtomicUsize::new(usize::MAX));
        let order = Mutex::new(Order::new(&self.shaders, self.options.fail_fast));
        // Threads take the shaders in their order, so that messages can be shown early. After an error with `--fail-fast`, only the
        // shaders before the refused one are still needed.
        pool.broadcast(|_| {
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(shader) = self.shaders.get(index) else { break };
                if index > first_failed.load(Ordering::Relaxed) {
                    break;
                }
                let ((stdout, ended), messages) = report::captured(|| {
                    let (stdout, ended) = batch_files.shader(index, |files| job(shader, files));
                    ended.error().into_iter().for_each(report::error);
                    (stdout, ended)
                });
                if ended.error().is_some() && self.options.fail_fast {
                    first_failed.fetch_min(index, Ordering::Relaxed);
                }
                let ran = Ran { stdout, ended, messages };
                order.lock().unwrap_or_else(PoisonError::into_inner).add(index, ran);
            }
        });
        let order = order.into_inner().unwrap_or_else(PoisonError::into_inner);
        order.progress.end();
        if !order.is_stopped {
            let last = last(&order.stdout);
            batch_files.shader(self.shaders.len(), |files| files.write(last.into_iter().collect())).1.into_result()?;
        }
        report::repeated(&order.repeats);
        batch_files.finish(files, order.is_stopped, &pool)?;
        let summary = self.summary(&order);
        if order.failed() > 0 || self.unread > 0 {
            return Ok((order.stdout, Err(report::Refused::error(summary))));
        }
        if self.done != Success::Keyed {
            report::done(&summary);
        }
        Ok((order.stdout, Ok(())))
    }

    /// ``124 shaders: 122 written, 2 refused (`a.agal`, `b.agal`); 3 warnings; 2 other files skipped``
    fn summary(&self, order: &Order<'_>) -> String {
        let done = match self.done {
            Success::Written => "written",
            Success::Accepted => "accepted",
            Success::Keyed => "with a key",
        };
        let mut text = format!("{}: ", counted(self.shaders.len(), "shader", "shaders"));
        let is_written = self.done == Success::Written;
        let ended = if order.is_stopped && is_written { 0 } else { order.next.saturating_sub(order.failed()) };
        text += &format!("{ended} {done}");
        for (shaders, what) in
            [(&order.refused, "refused"), (&order.unwritten, "with an output that cannot be written")]
        {
            if !shaders.is_empty() {
                text += &format!(", {} {what}{}", shaders.len(), self.few(shaders));
            }
        }
        if order.is_stopped {
            text += STOPPED;
        }
        if order.warnings > 0 {
            text += &format!("; {}", counted(order.warnings, "warning", "warnings"));
        }
        text += &self.skipped.summary();
        if self.unread > 0 {
            text += &format!("; {}", counted_unread(self.unread));
        }
        text
    }

    /// The names of some shaders in brackets; nothing if there are many.
    fn few(&self, indices: &[usize]) -> String {
        let names = indices.iter().filter_map(|index| self.shaders.get(*index)).map(Shader::quoted);
        match indices.len() > FEW {
            true => String::new(),
            false => format!(" ({})", names.collect::<Vec<_>>().join(", ")),
        }
    }
}

const STOPPED: &str = "; --fail-fast stops at the first error";

/// The maximum number of refused shaders that the summary names.
const FEW: usize = 5;

fn counted_unread(count: usize) -> String {
    counted(count, "input cannot be read", "inputs cannot be read")
}

/// The outputs and messages of a command for a shader.
struct Ran {
    /// Its standard output.
    stdout: Vec<u8>,
    ended: Outcome,
    messages: Messages,
}

/// Orders the results of threads by their inputs, and shows them.
struct Order<'a> {
    shaders: &'a [Shader],
    /// The results that wait for the result of an earlier shader.
    waiting: BTreeMap<usize, Ran>,
    /// The index of the next shader whose result is shown.
    next: usize,
    fail_fast: bool,
    /// Whether a shader had an error, and the later shaders are ignored.
    is_stopped: bool,
    /// The indices of the shaders that are refused.
    refused: Vec<usize>,
    /// The indices of the shaders that are not refused, but whose outputs cannot be written.
    unwritten: Vec<usize>,
    warnings: usize,
    repeats: Repeats,
    /// The standard outputs of the shaders.
    stdout: Vec<Vec<u8>>,
    progress: Progress,
}

impl<'a> Order<'a> {
    fn new(shaders: &'a [Shader], fail_fast: bool) -> Order<'a> {
        Order {
            shaders,
            waiting: BTreeMap::new(),
            next: 0,
            fail_fast,
            is_stopped: false,
            refused: Vec::new(),
            unwritten: Vec::new(),
            warnings: 0,
            repeats: Repeats::default(),
            stdout: Vec::new(),
            progress: Progress::new("{pos} of {len} shaders {bar:40} {eta} to go"),
        }
    }

    fn add(&mut self, index: usize, ran: Ran) {
        self.waiting.insert(index, ran);
        self.progress.set((self.next + self.waiting.len()) as u64, self.shaders.len() as u64);
        while !self.is_stopped
            && let Some(Ran { stdout, ended, messages }) = self.waiting.remove(&self.next)
        {
            let about = self.shaders.get(self.next).map_or(&[][..], |shader| &shader.inputs);
            let index = self.next;
            self.next += 1;
            self.warnings += messages.warnings;
            let repeats = &mut self.repeats;
            self.progress.aside(|| messages.show(about, repeats));
            self.stdout.push(stdout);
            match ended {
                Outcome::Done => {}
                Outcome::Refused(_) => self.refused.push(index),
                Outcome::Unwritten(_) => self.unwritten.push(index),
            }
            self.is_stopped = self.failed() > 0 && self.fail_fast;
        }
    }

    /// The number of shaders with errors.
    fn failed(&self) -> usize {
        self.refused.len() + self.unwritten.len()
    }
}
