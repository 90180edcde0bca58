//! The errors of a build. All problems of all pairs are reported, each with a message that shows the source line.

use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};

/// All problems of all pairs. The build script generates no file if a pair has a problem.
///
/// `Display` and `Debug` write a one-line summary, because cargo shows the problems themselves; see [`Problem`].
#[derive(Clone)]
pub struct Error {
    /// The problems, in the order of the pairs.
    pub problems: Vec<Problem>,
}

/// A problem that prevents the generation of the modules.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The name of the pair that has the problem; `None` for a problem with a folder or the configuration.
    pub pair: Option<String>,
    /// The kind of problem, for callers that handle some kinds specially.
    pub kind: ProblemKind,
    /// The message: a single line, or several lines that show the source line and a caret.
    pub text: String,
}

/// The kinds of problems that prevent the generation of modules.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum ProblemKind {
    /// A file or folder cannot be read.
    Read {
        /// The path of the file or folder.
        path: PathBuf,
        /// The kind of I/O error that the operating system reported.
        error: std::io::ErrorKind,
    },
    /// The shaders contain errors, so no module can be created from them.
    Shaders(Box<agalc::Refused>),
    /// The module cannot be translated to a target, or uses a feature for which no Rust code can be generated. The string is the
    /// reason.
    Target(String),
    /// A folder contains a vertex program without its fragment program, or a fragment program without its vertex program.
    Lone {
        /// The path of the program whose counterpart is missing.
        path: PathBuf,
    },
    /// A folder contains no shaders.
    Empty {
        /// The path of the folder.
        path: PathBuf,
    },
    /// The configuration contains neither pairs nor folders.
    NoShaders,
    /// Two pairs have the same name.
    Twice,
    /// A pair's name cannot be the name of a Rust module.
    NotAModule,
    /// The configuration names registers of a pair that does not exist.
    NoPair,
    /// A file of register names, or a register name in the configuration, cannot be parsed.
    Names,
    /// The output folder is unknown, or a path in it cannot be written.
    Output {
        /// The path that cannot be written; `None` if no output folder is known.
        path: Option<PathBuf>,
    },
}

impl Problem {
    pub(crate) fn new(pair: Option<&str>, kind: ProblemKind, text: String) -> Problem {
        Problem { pair: pair.map(str::to_string), kind, text: format!("error: {text}") }
    }

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

/// Writes the same line as `Display`, because Rust uses `Debug` to print an error that `main` returns.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Error {}
