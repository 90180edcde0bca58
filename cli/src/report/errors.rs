//! The errors that end a run: a summary of errors that were already reported, or an error about one input.

use std::error::Error;
use std::fmt;

use agalc::render::{Level, Problem};

/// The error that ends a run if the errors of an input have already been reported.
#[derive(Debug)]
pub(crate) struct Refused {
    summary: String,
}

impl Refused {
    pub(crate) fn error(summary: impl Into<String>) -> anyhow::Error {
        Refused { summary: summary.into() }.into()
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.summary)
    }
}

impl Error for Refused {}

/// An error about an input, as text for people and as data for documents.
#[derive(Debug)]
pub(super) struct Located {
    text: String,
    pub(super) problems: Vec<Problem>,
}

impl Located {
    pub(super) fn error(text: String, problems: Vec<Problem>) -> anyhow::Error {
        Located { text, problems }.into()
    }

    /// Appends `end` to the message of an error about an input, and returns any other error unchanged.
    pub(super) fn with(error: anyhow::Error, end: &str) -> anyhow::Error {
        error.downcast::<Located>().map_or_else(|other| other, |of| Located::error(of.text + end, of.problems))
    }

    /// Creates an error about an entire input, with the same wording in text output and documents.
    pub(super) fn whole(name: &str, text: String) -> anyhow::Error {
        Located::about(name, text.clone(), text, None)
    }

    /// Creates an error about an input, or about one byte of the input. Text output contains `text`, and documents contain
    /// `message`.
    pub(super) fn about(name: &str, text: String, message: String, byte: Option<usize>) -> anyhow::Error {
        let problem = Problem { byte, ..Problem::new(Level::Error, message).about(name) };
        Located::error(text, vec![problem])
    }
}

impl fmt::Display for Located {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Error for Located {}
