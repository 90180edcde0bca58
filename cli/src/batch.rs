//! Batches: a command for many shaders in one run, on all processors.
//!
//! Rules: the outputs and messages for a shader are those of a run for its files alone. The messages are in the order
//! of the inputs, whatever the number of threads. If a shader is refused, none of its outputs is written, and with
//! `--fail-fast` no output of the batch.

mod applications;
mod inputs;
mod progress;
mod shaders;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result, anyhow};

use crate::args::BatchOptions;
use crate::files::{Ended, Files, Together};
use crate::output::PendingOutput;
use crate::report::{self, Messages, Repeats};
pub(crate) use inputs::{Listed, Passed, list, usage};
use progress::Progress;
pub(crate) use shaders::Shader;

/// The stack of a thread, in bytes. The main thread's stack is usually half as large, which the most deeply nested
/// modules need.
const STACK: usize = 16 << 20;

/// The files of a folder that a command takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Takes {
    /// Programs and modules, and pairs of programs.
    Shaders,
    /// Programs, and pairs of them.
    Pairs,
    /// Programs, each by itself.
    Programs,
    /// Files that may contain programs: applications, libraries and sources of Flash.
    Applications,
    /// All files.
    Everything,
}

/// The result of a command for a shader that it does not refuse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Done {
    Written,
    Accepted,
    /// Its key is printed, and nothing else unless there is an error.
    Keyed,
}

/// The shaders of a batch.
pub(crate) struct Batch<'a> {
    shaders: Vec<Shader>,
    passed: Passed,
    /// The number of files and folders that could not be read, which have been reported.
    unread: usize,
    done: Done,
    options: &'a BatchOptions,
}

/// Whether inputs are a batch, for a command whose single run takes up to `most` inputs.
pub(crate) fn is_batch(options: &BatchOptions, inputs: &[PathBuf], most: usize) -> bool {
    options.batch || inputs.len() > most || inputs.iter().any(|path| path.is_dir() || inputs::is_pattern(path))
}

impl<'a> Batch<'a> {
    /// Finds the shaders that inputs stand for.
    ///
    /// # Errors
    /// There are no shaders (unless the folder is an extraction with only templates or pieces), something cannot be
    /// read, or the grouping of files or the places of outputs are ambiguous.
    pub(crate) fn new(inputs: &[PathBuf], takes: Takes, done: Done, options: &'a BatchOptions) -> Result<Batch<'a>> {
        let listed = inputs::list(inputs, takes)?;
        let unread = listed.problems.len();
        listed.problems.iter().for_each(report::error);
        if unread > 0 && options.fail_fast {
            return Err(anyhow!(
                "{}; nothing was written",
                counted(unread, "input cannot be read", "inputs cannot be read")
            ));
        }
        let shaders = shaders::group(listed.entries, takes, done)?;
        if shaders.is_empty() && !listed.passed.is_unfinished() {
            return Err(shaders::none(inputs, &listed.passed));
        }
        Ok(Batch { shaders, passed: listed.passed, unread, done, options })
    }

    /// Runs a command for each shader. Returns the standard output of each, and the error of the run if a shader is
    /// refused. The outputs of the other shaders are then written all the same, unless `--fail-fast` is given.
    ///
    /// # Errors
    /// The outputs cannot be written.
    pub(crate) fn run(
        self,
        files: &Files,
        job: impl Fn(&Shader, &Files) -> Result<()> + Sync,
    ) -> Result<(Vec<Vec<u8>>, Result<()>)> {
        self.run_with(files, job, |_| None)
    }

    /// Runs a command for each shader, and writes a file that is made of their standard outputs.
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
        let together = Together::new()?;
        let (next, first_failed) = (AtomicUsize::new(0), AtomicUsize::new(usize::MAX));
        let order = Mutex::new(Order::new(&self.shaders, self.options.fail_fast));
        // Threads take the shaders in their order, so that messages can be shown early, and after an error only the
        // shaders before it are still needed.
        pool.broadcast(|_| {
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(shader) = self.shaders.get(index) else { break };
                if index > first_failed.load(Ordering::Relaxed) {
                    break;
                }
                let ((stdout, ended), messages) = report::kept(|| {
                    let (stdout, ended) = together.shader(index, |files| job(shader, files));
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
            together.shader(self.shaders.len(), |files| files.write(last.into_iter().collect())).1.into_result()?;
        }
        report::repeated(&order.repeats);
        together.finish(files, order.is_stopped, &pool)?;
        let summary = self.summary(&order);
        let done = match order.failed() == 0 && self.unread == 0 {
            true if self.done == Done::Keyed => Ok(()),
            true => {
                report::done(&summary);
                Ok(())
            }
            false => Err(report::Refused::error(summary)),
        };
        Ok((order.stdout, done))
    }

    /// ``124 shaders: 122 written, 2 refused (`a.agal`, `b.agal`); 3 warnings; 2 other files skipped``
    fn summary(&self, order: &Order<'_>) -> String {
        let done = match self.done {
            Done::Written => "written",
            Done::Accepted => "accepted",
            Done::Keyed => "with a key",
        };
        let mut text = format!("{}: ", counted(self.shaders.len(), "shader", "shaders"));
        let is_written = self.done == Done::Written;
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
        text += &self.passed.summary();
        if self.unread > 0 {
            text += &format!("; {}", counted(self.unread, "input cannot be read", "inputs cannot be read"));
        }
        text
    }

    /// The names of some shaders in brackets, if they are few.
    fn few(&self, indices: &[usize]) -> String {
        if indices.len() > FEW {
            return String::new();
        }
        let names = indices.iter().filter_map(|index| self.shaders.get(*index));
        let names: Vec<String> = names.map(Shader::quoted).collect();
        format!(" ({})", names.join(", "))
    }
}

const STOPPED: &str = "; --fail-fast stops at the first error";

/// The maximum number of refused shaders that the last line names.
const FEW: usize = 5;

fn counted(count: usize, one: &str, several: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
}

/// The outputs and messages of a command for a shader.
struct Ran {
    /// Its standard output.
    stdout: Vec<u8>,
    ended: Ended,
    messages: Messages,
}

/// Puts the results of threads into the order of the inputs, and shows them.
struct Order<'a> {
    shaders: &'a [Shader],
    /// The results that are ready before an earlier one is.
    waiting: BTreeMap<usize, Ran>,
    next: usize,
    fail_fast: bool,
    /// Whether there was an error about a shader and the later ones are ignored.
    is_stopped: bool,
    /// The places of the shaders that are refused.
    refused: Vec<usize>,
    /// The places of the shaders that are not refused, but whose outputs cannot be written.
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
            progress: Progress::new(shaders.len()),
        }
    }

    fn add(&mut self, index: usize, ran: Ran) {
        self.waiting.insert(index, ran);
        self.progress.step();
        while !self.is_stopped
            && let Some(Ran { stdout, ended, messages }) = self.waiting.remove(&self.next)
        {
            let about = self.shaders.get(self.next).map_or(&[][..], |shader| &shader.inputs);
            let place = self.next;
            self.next += 1;
            self.warnings += messages.warnings;
            let repeats = &mut self.repeats;
            self.progress.aside(|| messages.show(about, repeats));
            self.stdout.push(stdout);
            match ended {
                Ended::Done => {}
                Ended::Refused(_) => self.refused.push(place),
                Ended::Unwritten(_) => self.unwritten.push(place),
            }
            self.is_stopped = self.failed() > 0 && self.fail_fast;
        }
    }

    /// The number of shaders with errors.
    fn failed(&self) -> usize {
        self.refused.len() + self.unwritten.len()
    }
}
