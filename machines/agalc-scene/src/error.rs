//! Errors in scenes, with their positions.
//!
//! An error consists of a kind with its data, the file's name, and the position in the file, if known. The message of an error is
//! one line that begins in lower case. The command line shows the source line below the message.

use std::fmt;
use std::ops::Range;

use agalc::PairError;
use sdlbc::Dimension;

/// A position in a source text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextPosition {
    /// The line number, counted from 1.
    pub line: usize,
    /// The column in characters, counted from 1.
    pub column: usize,
    /// The byte range in the source text.
    pub span: Range<usize>,
}

impl TextPosition {
    /// Computes the line and the column at which a byte range begins.
    pub(crate) fn new(text: &str, span: Range<usize>) -> TextPosition {
        let before = text.get(..span.start).unwrap_or(text);
        let line = 1 + before.bytes().filter(|&byte| byte == b'\n').count();
        let column = 1 + before.chars().rev().take_while(|&c| c != '\n').count();
        TextPosition { line, column, span }
    }
}

/// An error in a scene, with its position.
#[derive(Clone, Debug, PartialEq)]
pub struct Error {
    /// The file's name; empty if the error concerns no file.
    pub file: String,
    /// The position in the file; `None` if the error concerns the file as a whole.
    pub place: Option<TextPosition>,
    /// The file's content, if a message may quote a line of the file.
    pub text: Option<String>,
    /// The kind of the error, with the data that the message contains.
    pub kind: Box<ErrorKind>,
}

impl Error {
    /// Creates an error about a file as a whole.
    pub(crate) fn of(file: impl Into<String>, kind: ErrorKind) -> Error {
        Error { file: file.into(), place: None, text: None, kind: Box::new(kind) }
    }
}

/// The kind of an error in a scene, with the data that the message contains.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum ErrorKind {
    /// The file cannot be read.
    Unreadable { why: String },
    /// The file is larger than the limit for its kind.
    TooLarge { most: u64 },
    /// A scene refers to a file outside its folder.
    Outside { path: String },
    /// The render targets of a draw together have too many pixels.
    TooManyPixels { targets: usize, size: [u32; 2], most: u64 },
    /// The file is not UTF-8 text.
    NoText,
    /// The file is not valid TOML.
    Toml { message: String },
    /// A key that is not allowed in the table.
    UnknownKey { key: String, of: &'static str, near: Option<String> },
    /// A key that is valid only in scenes.
    OfScene { key: String, of: &'static str },
    /// A word that is not allowed for the value.
    UnknownWord { word: String, what: &'static str, near: Option<String>, all: String },
    /// A value of the wrong type.
    Expected { what: String, found: &'static str },
    /// A number that is out of range.
    Range { what: String, found: String },
    /// A required key that the table lacks.
    Missing { key: String, of: &'static str },
    /// Two keys of which only one may be present.
    Both { one: &'static str, other: &'static str },
    /// A register that is set twice.
    Twice { register: String },
    /// An error in a line of an OBJ file.
    Obj(ObjError),
    /// A PNG file that cannot be read.
    Png { why: String },
    /// A picture of a cube face that is not square, or not as large as the first face.
    Image { why: String },
    /// A program that cannot be loaded.
    Program(agalc::InputError),
    /// Two programs that are valid, but not as a pair.
    Pair(PairError),
    /// The programs are not one vertex and one fragment program.
    NoPair { found: usize },
    /// The programs read a storage buffer, which scenes cannot provide.
    Buffer { name: String },
    /// The programs read a storage texture, which scenes cannot provide.
    StorageTexture { name: String },
    /// A texture that is sampled but not provided.
    NoTexture { register: String },
    /// A texture whose dimension differs from the one that the programs expect.
    Dimension { register: String, sampled: Dimension, given: Dimension },
    /// A texture that is sampled with two different dimensions.
    TwoDimensions { register: String },
    /// A uniform that the module does not have.
    NoUniform { name: String, stage: &'static str },
    /// A mesh without triangles.
    EmptyMesh,
    /// A degenerate value, such as a camera that looks at its own position.
    Degenerate { what: &'static str },
}

/// The faults that a line of an OBJ file may have.
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

/// The memory that a draw needs for each pixel of a render target, in bytes.
pub(crate) const BYTES_OF_PIXEL: u64 = 16;

/// Displays `; did you mean ...?`, or nothing if there is no similar word.
struct Near<'a>(&'a Option<String>);

impl fmt::Display for Near<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.as_ref().map_or(Ok(()), |near| write!(f, "; did you mean `{near}`?"))
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ErrorKind::Unreadable { why } => write!(f, "cannot be read: {why}"),
            ErrorKind::TooLarge { most } => write!(f, "the file is larger than {most} bytes, the maximum for its kind"),
            ErrorKind::Outside { path } => {
                write!(f, "`{path}` is outside the scene's folder; `--allow-outside` permits any file")
            }
            ErrorKind::TooManyPixels { targets, size: [width, height], most } => {
                let plural = if *targets == 1 { "render target" } else { "render targets" };
                let has = u64::from(*width) * u64::from(*height) * *targets as u64 * BYTES_OF_PIXEL;
                write!(f, "{targets} {plural} of {width}x{height} pixels need {has} bytes, but the limit is {most}")
            }
            ErrorKind::NoText => f.write_str("the file is not UTF-8 text"),
            ErrorKind::Toml { message } => f.write_str(message),
            ErrorKind::UnknownKey { key, of, near } => write!(f, "unknown key `{key}` in {of}{}", Near(near)),
            ErrorKind::OfScene { key, of } => {
                write!(
                    f,
                    "{of} has no `{key}`, but a scene does; `agalc render SCENE.toml` draws a scene (docs/scenes.md)"
                )
            }
            ErrorKind::UnknownWord { word, what, near: Some(near), .. } => {
                write!(f, "unknown {what} `{word}`; did you mean `{near}`?")
            }
            ErrorKind::UnknownWord { word, what, all, .. } => {
                write!(f, "unknown {what} `{word}`; expected one of {all}")
            }
            ErrorKind::Expected { what, found } => write!(f, "expected {what}, found {found}"),
            ErrorKind::Range { what, found } => write!(f, "{found} is not {what}"),
            ErrorKind::Missing { key, of } => write!(f, "{of} needs `{key}`"),
            ErrorKind::Both { one, other } => write!(f, "`{one}` and `{other}` are mutually exclusive"),
            ErrorKind::Twice { register } => write!(f, "{register} is set twice"),
            ErrorKind::Obj(error) => error.fmt(f),
            ErrorKind::Png { why } => write!(f, "not a readable PNG file: {why}"),
            ErrorKind::Image { why } => f.write_str(why),
            ErrorKind::Program(error) => error.kind.fmt(f),
            ErrorKind::Pair(error) => error.fmt(f),
            ErrorKind::Buffer { name } => {
                write!(f, "the programs read the storage buffer `{name}`, which a scene cannot provide")
            }
            ErrorKind::StorageTexture { name } => {
                write!(f, "the programs read the storage texture `{name}`, which a scene cannot provide")
            }
            ErrorKind::NoPair { found: 1 } => f.write_str("there is one program; a picture needs a pair"),
            ErrorKind::NoPair { .. } => f.write_str("a picture needs one vertex and one fragment program"),
            ErrorKind::NoTexture { register } => write!(f, "{register} is sampled but has no texture"),
            ErrorKind::Dimension { register, sampled, given } => {
                write!(f, "{register} is sampled as a {} texture but is a {} texture", named(*sampled), named(*given))
            }
            ErrorKind::TwoDimensions { register } => write!(f, "{register} is sampled with two different dimensions"),
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
        Dimension::D2Array => "2D array",
        Dimension::CubeArray => "cube array",
    }
}

impl fmt::Display for ObjError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ObjError::NoObj => f.write_str("this is not an OBJ file: neither this line nor any before it is a vertex"),
            ObjError::Keyword { word, near } => write!(f, "unknown OBJ keyword `{word}`{}", Near(near)),
            ObjError::NoNumber { word } => write!(f, "`{word}` is not a number"),
            ObjError::Count { keyword, least, found } => {
                write!(f, "`{keyword}` needs at least {least} numbers, but has {found}")
            }
            ObjError::Corner { word } => write!(f, "`{word}` is not a face corner; write v, v/vt, v//vn or v/vt/vn"),
            ObjError::Index { what, index: 0, .. } => write!(f, "indices of {what} count from 1, or backward from -1"),
            ObjError::Index { what, index, count } => {
                write!(f, "index {index} is out of range; {what} so far: {count}")
            }
            ObjError::Corners { found } => write!(f, "a face needs at least 3 corners, but this one has {found}"),
            ObjError::TooMany { what, most } => write!(f, "there are more than {most} {what}"),
            ObjError::NoFaces => f.write_str("the file has no faces"),
        }
    }
}
