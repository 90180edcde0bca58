//! What can be wrong with a scene, and where.
//!
//! Rule: an error is a kind with its data, the file, and the place in it where there is one. Its text is one line without
//! a capital; the command line renders it with the source line.

use std::fmt;
use std::ops::Range;

use load::PairError;
use sdlbc::Dimension;

/// A place in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Counted from 1.
    pub line: usize,
    /// Counted from 1, in characters.
    pub column: usize,
    /// The bytes.
    pub span: Range<usize>,
}

impl Place {
    /// The place of some bytes of a text.
    pub(crate) fn new(text: &str, span: Range<usize>) -> Place {
        let before = text.get(..span.start).unwrap_or(text);
        let line = 1 + before.bytes().filter(|&byte| byte == b'\n').count();
        let column = 1 + before.chars().rev().take_while(|&c| c != '\n').count();
        Place { line, column, span }
    }
}

/// Something wrong, and where.
#[derive(Clone, Debug, PartialEq)]
pub struct Error {
    /// The file; empty for what came from none.
    pub file: String,
    /// The place in it.
    pub place: Option<Place>,
    /// The file's text, where a line of it may be shown.
    pub text: Option<String>,
    /// What it is.
    pub kind: Box<ErrorKind>,
}

impl Error {
    /// An error of a file as a whole.
    pub(crate) fn of(file: impl Into<String>, kind: ErrorKind) -> Error {
        Error { file: file.into(), place: None, text: None, kind: Box::new(kind) }
    }
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum ErrorKind {
    /// The file cannot be read.
    Unreadable { why: String },
    /// The file has more bytes than files of its kind may have.
    TooLarge { most: u64 },
    /// A scene names a file that is not below its folder.
    Outside { path: String },
    /// The render targets together have more pixels than are drawn at once.
    TooManyPixels { targets: usize, size: [u32; 2], most: u64 },
    /// The file is no text in UTF-8.
    NoText,
    /// The text is no TOML.
    Toml { message: String },
    /// A key that means nothing there.
    UnknownKey { key: String, of: &'static str, near: Option<String> },
    /// A word that means nothing there.
    UnknownWord { word: String, what: &'static str, near: Option<String>, all: String },
    /// A value of another type.
    Expected { what: String, found: &'static str },
    /// A number out of its range.
    Range { what: String, found: String },
    /// A key that must be there.
    Missing { key: String, of: &'static str },
    /// Two keys that say the same.
    Both { one: &'static str, other: &'static str },
    /// A register is given twice.
    Twice { register: String },
    /// A line of an OBJ file.
    Obj(ObjError),
    /// A PNG file.
    Png { why: String },
    /// A file too large, or an image of the wrong shape.
    Image { why: String },
    /// A program that cannot be used.
    Program(load::Error),
    /// Two programs that break rules together.
    Pair(PairError),
    /// No vertex and fragment program.
    NoPair { found: usize },
    /// A texture that is sampled and not given.
    NoTexture { register: String },
    /// A texture of another dimension than it is sampled with.
    Dimension { register: String, sampled: Dimension, given: Dimension },
    /// A texture that is sampled with two dimensions.
    TwoDimensions { register: String },
    /// A uniform that the module does not have.
    NoUniform { name: String, stage: &'static str },
    /// A mesh with indices beyond its vertices, or nothing in it.
    EmptyMesh,
    /// Cameras that look at themselves and the like.
    Degenerate { what: &'static str },
}

/// What is wrong in a line of an OBJ file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum ObjError {
    NoObj,
    Keyword { word: String, near: Option<String> },
    NoNumber { word: String },
    Count { keyword: &'static str, least: usize, found: usize },
    Corner { word: String },
    Index { what: &'static str, index: i64, count: usize },
    Corners { found: usize },
    TooMany { what: &'static str, most: usize },
    NoFaces,
}

impl std::error::Error for Error {}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.file.is_empty() {
            f.write_str(&self.file)?;
            if let Some(place) = &self.place {
                write!(f, ":{}:{}", place.line, place.column)?;
            }
            f.write_str(": ")?;
        }
        self.kind.fmt(f)
    }
}

/// What a pixel of a render target takes while it is drawn.
pub(crate) const BYTES_OF_PIXEL: u64 = 16;

/// `; is ... meant?`, or nothing.
struct Near<'a>(&'a Option<String>);

impl fmt::Display for Near<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.as_ref().map_or(Ok(()), |near| write!(f, "; is `{near}` meant?"))
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ErrorKind::Unreadable { why } => write!(f, "cannot be read: {why}"),
            ErrorKind::TooLarge { most } => write!(f, "is larger than {most} bytes, which are the most"),
            ErrorKind::Outside { path } => {
                write!(f, "`{path}` is not below the scene's folder; `--allow-outside` lets a scene name any file")
            }
            ErrorKind::TooManyPixels { targets, size: [width, height], most } => {
                let plural = if *targets == 1 { "render target" } else { "render targets" };
                let has = u64::from(*width) * u64::from(*height) * *targets as u64 * BYTES_OF_PIXEL;
                write!(f, "{targets} {plural} of {width}x{height} pixels take {has} bytes, and {most} are the most")
            }
            ErrorKind::NoText => f.write_str("is no text in UTF-8"),
            ErrorKind::Toml { message } => f.write_str(message),
            ErrorKind::UnknownKey { key, of, near } => write!(f, "there is no `{key}` in {of}{}", Near(near)),
            ErrorKind::UnknownWord { word, what, near: Some(near), .. } => {
                write!(f, "`{word}` is no {what}; is `{near}` meant?")
            }
            ErrorKind::UnknownWord { word, what, all, .. } => write!(f, "`{word}` is no {what}; there are {all}"),
            ErrorKind::Expected { what, found } => write!(f, "{what} is wanted here, not {found}"),
            ErrorKind::Range { what, found } => write!(f, "{found} is not {what}"),
            ErrorKind::Missing { key, of } => write!(f, "{of} needs `{key}`"),
            ErrorKind::Both { one, other } => write!(f, "`{one}` and `{other}` exclude each other"),
            ErrorKind::Twice { register } => write!(f, "{register} is given twice"),
            ErrorKind::Obj(error) => error.fmt(f),
            ErrorKind::Png { why } => write!(f, "is no PNG file that can be read: {why}"),
            ErrorKind::Image { why } => f.write_str(why),
            ErrorKind::Program(error) => error.kind.fmt(f),
            ErrorKind::Pair(error) => error.fmt(f),
            ErrorKind::NoPair { found: 1 } => f.write_str("there is one program; a picture needs a pair"),
            ErrorKind::NoPair { .. } => f.write_str("a picture needs one vertex and one fragment program"),
            ErrorKind::NoTexture { register } => write!(f, "{register} is sampled, and no texture is given for it"),
            ErrorKind::Dimension { register, sampled, given } => {
                write!(
                    f,
                    "{register} is sampled as a {} texture, and a {} one is given",
                    named(*sampled),
                    named(*given)
                )
            }
            ErrorKind::TwoDimensions { register } => write!(f, "{register} is sampled with two dimensions"),
            ErrorKind::NoUniform { name, stage } => write!(f, "the {stage} function has no uniform `{name}`"),
            ErrorKind::EmptyMesh => f.write_str("the mesh has no triangles"),
            ErrorKind::Degenerate { what } => f.write_str(what),
        }
    }
}

fn named(dimension: Dimension) -> &'static str {
    match dimension {
        Dimension::D2 => "2D",
        Dimension::D3 => "3D",
        Dimension::Cube => "cube",
    }
}

impl fmt::Display for ObjError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ObjError::NoObj => {
                f.write_str("this is no OBJ file: no line up to here has a vertex, and this one is none")
            }
            ObjError::Keyword { word, near } => write!(f, "`{word}` begins no line of an OBJ file{}", Near(near)),
            ObjError::NoNumber { word } => write!(f, "`{word}` is no number"),
            ObjError::Count { keyword, least, found } => {
                write!(f, "`{keyword}` is followed by at least {least} numbers, not {found}")
            }
            ObjError::Corner { word } => write!(f, "`{word}` is no corner; v, v/vt, v//vn and v/vt/vn are"),
            ObjError::Index { what, index: 0, .. } => write!(f, "{what} are counted from 1, or from -1 backward"),
            ObjError::Index { what, index, count } => write!(f, "there are {count} {what} up to here, and no {index}"),
            ObjError::Corners { found } => write!(f, "a face has at least 3 corners, not {found}"),
            ObjError::TooMany { what, most } => write!(f, "there are more than {most} {what}"),
            ObjError::NoFaces => f.write_str("the file has no faces"),
        }
    }
}
