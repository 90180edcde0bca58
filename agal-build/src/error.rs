//! Errors: the problems of all pairs, each with its kind and a text that shows the source line.

use std::collections::BTreeSet;
use std::fmt;
use std::path::PathBuf;

/// The reason why nothing was generated: all problems of all pairs.
///
/// Display and Debug write one line, since cargo shows the problems; see [`Problem`].
#[derive(Clone)]
pub struct Error {
    /// The problems, in the order of the pairs.
    pub problems: Vec<Problem>,
}

/// A problem.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The pair's name, if it belongs to one.
    pub pair: Option<String>,
    /// Its kind.
    pub kind: ProblemKind,
    /// The text that is shown for it: one line, or a message with the source line and a caret.
    pub text: String,
}

/// The kind of a problem.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum ProblemKind {
    /// A file or folder cannot be read.
    Read {
        /// Its path.
        path: PathBuf,
        /// The reason.
        error: std::io::ErrorKind,
    },
    /// The shaders cannot become a module.
    Shaders(Box<agalc::Refused>),
    /// The module cannot be written in a target.
    Target(String),
    /// A folder has a program of one stage without its counterpart.
    Lone {
        /// The file.
        path: PathBuf,
    },
    /// A folder has no shaders.
    Empty {
        /// The folder.
        path: PathBuf,
    },
    /// The configuration has neither pairs nor folders.
    NoShaders,
    /// Two pairs have this name.
    Twice,
    /// A pair's name is not that of a Rust module.
    NotAModule,
    /// A name is given for registers of a pair that does not exist.
    NoPair,
    /// Names for registers cannot be read.
    Names,
    /// The folder for the generated files is unknown or cannot be written.
    Output {
        /// The path, if it is known.
        path: Option<PathBuf>,
    },
}

impl Problem {
    /// A problem without a source line.
    pub(crate) fn new(pair: Option<&str>, kind: ProblemKind, text: String) -> Problem {
        Problem { pair: pair.map(str::to_string), kind, text: format!("error: {text}") }
    }
}

impl From<Problem> for Error {
    fn from(problem: Problem) -> Error {
        Error { problems: vec![problem] }
    }
}

/// `2 errors in the shaders of lit; nothing was generated`
impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut pairs: Vec<&str> = self.problems.iter().filter_map(|problem| problem.pair.as_deref()).collect();
        let mut seen = BTreeSet::new();
        pairs.retain(|pair| seen.insert(*pair));
        let count = self.problems.len();
        write!(f, "{count} {}", if count == 1 { "error" } else { "errors" })?;
        match pairs.as_slice() {
            [] => {}
            pairs => write!(f, " in the shaders of {}", pairs.join(", "))?,
        }
        f.write_str("; nothing was generated")
    }
}

/// Writes the same as Display, since a build script's `main` shows its error by Debug.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Error {}
