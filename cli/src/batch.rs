//! Runs a command for many shaders on all processors.
//!
//! Rules: each shader has the same outputs and messages as in a separate run for its files. The messages follow the order of the
//! inputs, regardless of the number of threads. No output of a refused shader is written. If `--fail-fast` is given and a shader
//! is refused, the batch writes no output.

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

/// The stack size of a thread in bytes. Twice the usual stack of the main thread is enough for the most deeply nested modules.
const STACK: usize = 16 << 20;

pub(crate) struct Batch<'a> {
    shaders: Vec<Shader>,
    skipped: Skipped,
    /// The number of unreadable files and folders, which have already been reported.
    unread: usize,
    done: Success,
    options: &'a BatchOptions,
}

/// Returns true if `--batch` is given, if there are more than `most` inputs, or if an input is a folder or a pattern.
pub(crate) fn is_batch(options: &BatchOptions, inputs: &[PathBuf], most: usize) -> bool {
    options.batch || inputs.len() > most || inputs.iter().any(|path| path.is_dir() || inputs::is_pattern(path))
}

impl<'a> Batch<'a> {
    /// Finds the shaders in the inputs. Inputs without shaders are an error, unless an extraction contains only
    /// templates or pieces.
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

    pub(crate) fn run(self, files: &Files, job: impl Fn(&Shader, &Files) -> Result<()> + Sync) -> Result<()> {
        self.run_with(files, job, |_| None)?.1
    }

    /// Runs `job` for each shader, and writes the file that `last` makes from the standard outputs of all shaders. Returns the
    /// standard outputs and, if a shader was refused, the error that ends the run. The outputs of accepted shaders are still
    /// written, unless `--fail-fast` is given.
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
        // Threads take shaders in the order of the inputs, so that messages can be shown early. After an error with
        // `--fail-fast`, no shader after the refused shader is started.
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

    /// Returns a summary such as ``124 shaders: 122 written, 2 refused (`a.agal`, `b.agal`); 3 warnings; 2 other files skipped``.
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

    /// Returns the names of the shaders in brackets, or an empty string if there are more than `FEW` shaders.
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

struct Ran {
    stdout: Vec<u8>,
    ended: Outcome,
    messages: Messages,
}

/// Shows the results of all threads in the order of the inputs.
struct Order<'a> {
    shaders: &'a [Shader],
    /// The results that wait for an earlier shader's result, keyed by shader index.
    waiting: BTreeMap<usize, Ran>,
    /// The index of the next shader whose result will be shown.
    next: usize,
    fail_fast: bool,
    /// Whether `--fail-fast` is given and a shader has failed, in which case later shaders are ignored.
    is_stopped: bool,
    refused: Vec<usize>,
    /// The indices of accepted shaders whose outputs cannot be written.
    unwritten: Vec<usize>,
    warnings: usize,
    repeats: Repeats,
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

    fn failed(&self) -> usize {
        self.refused.len() + self.unwritten.len()
    }
}
