//! Progress bars on a terminal.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::report;

/// A bar appears when the work takes longer than this.
const DELAY: Duration = Duration::from_secs(1);

/// A progress bar, which appears after a delay.
pub(crate) struct Progress {
    template: &'static str,
    begun: Instant,
    is_watched: bool,
    bar: Option<ProgressBar>,
}

impl Progress {
    /// Begins some work. `template` is the form of the bar, as indicatif defines it.
    pub(crate) fn new(template: &'static str) -> Progress {
        Progress { template, begun: Instant::now(), is_watched: report::shows_progress(), bar: None }
    }

    /// Shows that `done` of `all` steps are done.
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

    /// Shows other output, which the bar must not overwrite.
    pub(crate) fn aside(&self, show: impl FnOnce()) {
        match &self.bar {
            Some(bar) => bar.suspend(show),
            None => show(),
        }
    }

    /// Removes the bar.
    pub(crate) fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
