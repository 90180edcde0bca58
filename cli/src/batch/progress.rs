//! The progress bar of a batch, on a terminal.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// The bar appears when a batch takes longer than this.
const DELAY: Duration = Duration::from_secs(1);

/// The progress of a batch.
pub(super) struct Progress {
    all: usize,
    done: usize,
    begun: Instant,
    is_watched: bool,
    bar: Option<ProgressBar>,
}

impl Progress {
    pub(super) fn new(all: usize) -> Progress {
        Progress { all, done: 0, begun: Instant::now(), is_watched: crate::report::shows_progress(), bar: None }
    }

    /// One more shader is done.
    pub(super) fn step(&mut self) {
        self.done += 1;
        if self.is_watched && self.bar.is_none() && self.begun.elapsed() > DELAY {
            let style = ProgressStyle::with_template("{pos} of {len} shaders {bar:40} {eta} to go");
            self.bar = style.ok().map(|style| ProgressBar::new(self.all as u64).with_style(style));
        }
        if let Some(bar) = &self.bar {
            bar.set_position(self.done as u64);
        }
    }

    /// Shows other output, which the bar must not overwrite.
    pub(super) fn aside(&self, show: impl FnOnce()) {
        match &self.bar {
            Some(bar) => bar.suspend(show),
            None => show(),
        }
    }

    pub(super) fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
