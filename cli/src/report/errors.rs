//! Errors that end a run: the summary of errors that have been reported, and an error about an input, which is also data.

use std::error::Error;
use std::fmt;

use agalc::render::{Level, Problem};

/// An input was refused; its errors have been reported.
#[derive(Debug)]
pub(crate) struct Refused {
    summary: String,
}

impl Refused {
    /// Creates an error whose details have been reported.
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

/// An error about an input, as text and as data.
#[derive(Debug)]
pub(super) struct Located {
    text: String,
    pub(super) problems: Vec<Problem>,
}

impl Located {
    pub(super) fn error(text: String, problems: Vec<Problem>) -> anyhow::Error {
        Located { text, problems }.into()
    }

    /// Appends text to the message of an error about an input. Other errors are unchanged.
    pub(super) fn with(error: anyhow::Error, end: &str) -> anyhow::Error {
        error.downcast::<Located>().map_or_else(|other| other, |of| Located::error(of.text + end, of.problems))
    }

    /// Creates an error about a whole input, with the same text for people and in the data.
    pub(super) fn whole(name: &str, text: String) -> anyhow::Error {
        Located::about(name, text.clone(), text, None)
    }

    /// Creates an error about a whole input or a byte of it: `text` for people, `message` in the data.
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
