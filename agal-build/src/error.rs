//! Errors: the problems of all pairs, each with its kind and a text that shows the source line.

use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};

/// All problems of all pairs, because of which no file was generated.
///
/// `Display` and `Debug` write one line, since cargo shows the problems; see [`Problem`].
#[derive(Clone)]
pub struct Error {
    /// The problems, in the order of the pairs.
    pub problems: Vec<Problem>,
}

/// A problem that prevents generating the modules.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The name of the pair that has the problem; `None` for a problem of a folder or of the configuration.
    pub pair: Option<String>,
    /// Its kind.
    pub kind: ProblemKind,
    /// The message: one line, or several with the source line and a caret.
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
    /// The module cannot be written for a target.
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
    /// A pair's name cannot be the name of a Rust module.
    NotAModule,
    /// The configuration names registers of a pair that does not exist.
    NoPair,
    /// Names of registers cannot be read.
    Names,
    /// The folder for the generated files is unknown or cannot be written.
    Output {
        /// The path, if it is known.
        path: Option<PathBuf>,
    },
}

impl Problem {
    /// Returns a problem without a source line.
    pub(crate) fn new(pair: Option<&str>, kind: ProblemKind, text: String) -> Problem {
        Problem { pair: pair.map(str::to_string), kind, text: format!("error: {text}") }
    }

    /// Returns the problem of a file or folder that cannot be read.
    pub(crate) fn unread(pair: Option<&str>, path: &Path, error: &std::io::Error) -> Problem {
        let kind = ProblemKind::Read { path: path.to_path_buf(), error: error.kind() };
        Problem::new(pair, kind, format!("cannot read `{}`: {error}", path.display()))
    }
}

impl From<Problem> for Error {
    fn from(problem: Problem) -> Error {
        Error { problems: vec![problem] }
    }
}

/// Writes a line such as `2 errors in the shaders of lit; nothing was generated`.
impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut pairs: Vec<&str> = self.problems.iter().filter_map(|problem| problem.pair.as_deref()).collect();
        let mut seen = BTreeSet::new();
        pairs.retain(|pair| seen.insert(*pair));
        let count = self.problems.len();
        write!(f, "{count} {}", if count == 1 { "error" } else { "errors" })?;
        if !pairs.is_empty() {
            write!(f, " in the shaders of {}", pairs.join(", "))?;
        }
        f.write_str("; nothing was generated")
    }
}

/// Writes the same text as `Display`, since the `main` of a build script shows its error with `Debug`.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Error {}
