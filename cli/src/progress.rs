//! Progress bars, which are shown only on a terminal.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::report;

/// The time after which a progress bar appears.
const DELAY: Duration = Duration::from_secs(1);

pub(crate) struct Progress {
    template: &'static str,
    begun: Instant,
    is_watched: bool,
    bar: Option<ProgressBar>,
}

impl Progress {
    /// Starts measuring the time. `template` is an indicatif template for the progress bar.
    pub(crate) fn new(template: &'static str) -> Progress {
        Progress { template, begun: Instant::now(), is_watched: report::shows_progress(), bar: None }
    }

    /// Shows that `done` of `all` steps are complete.
    pub(crate) fn set(&mut self, done: u64, all: u64) {
        if self.is_watched && self.bar.is_none() && self.begun.elapsed() > DELAY {
            let style = ProgressStyle::with_template(self.template);
            self.bar = style.ok().map(|style| ProgressBar::new(all).with_style(style));
        }
        if let Some(bar) = &self.bar {
            bar.set_length(all);
            bar.set_position(done);
        }
    }

    /// Hides the progress bar while `show` writes to the terminal.
    pub(crate) fn aside(&self, show: impl FnOnce()) {
        match &self.bar {
            Some(bar) => bar.suspend(show),
            None => show(),
        }
    }

    pub(crate) fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
