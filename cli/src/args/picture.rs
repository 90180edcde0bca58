//! The options of `render` and `compare`, and parsers of option values that name a mesh, a texture or a file.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use clap::builder::{OsStringValueParser, PathBufValueParser, PossibleValue, TypedValueParser};

use agalc::render::shown;
use sdlbc_interp::Float;

use super::layout::named;
use super::reading::Reading;
use crate::output::Kind;

#[derive(Debug, clap::Args)]
pub(crate) struct Render {
    /// A scene (.toml), or a vertex and a fragment program as for `compile`; `-` is standard input
    #[arg(required = true, num_args = 1..=2, value_name = "IN")]
    pub(crate) inputs: Vec<PathBuf>,
    /// The PNG file to write; with several render targets, the second is written to OUT.1.png, and so on. `-` is standard output
    #[arg(short, long = "output", value_name = "OUT", value_parser = PathBufValueParser::new().try_map(png))]
    pub(crate) output: PathBuf,
    /// The size in pixels, or one number for both sides; by default the scene's size, or 512 for a pair
    #[arg(long, value_name = "WIDTHxHEIGHT", value_parser = size)]
    pub(crate) size: Option<[u32; 2]>,
    /// The mesh of a pair: a built-in shape (`sphere`, `cube`, `torus`, `knot`, `rectangle` ...), an OBJ file, or a table as in a
    /// scene, such as { shape = "torus", tube = 0.2 }. The default is a torus, or a rectangle for a vertex program without a
    /// matrix
    #[arg(long, value_name = "MESH", value_parser = parsed(|mesh| Ok(Named::new(mesh))))]
    pub(crate) mesh: Option<Named>,
    /// A texture of a pair: a PNG file, a built-in texture (`checker`, `noise`, `sky` ...), or a table as in a scene; may be
    /// repeated
    #[arg(long = "texture", value_name = "REGISTER=TEXTURE", value_parser = parsed(texture))]
    pub(crate) textures: Vec<(String, Named)>,
    /// The vertex data for a pair's register: a word as in a scene (`position`, `uv`, `normal`, `colour` ...), such as
    /// va1=normal; may be repeated. By default, va1 is `uv` and va2 is `normal`
    #[arg(long = "attribute", value_name = "REGISTER=DATA", value_parser = attribute)]
    pub(crate) attributes: Vec<(String, String)>,
    /// A TOML file for a pair, with `constants`, `camera` and `model` as in a scene. A constant without a value is set to
    /// the clip-space matrix of a camera above the mesh, to an identity matrix, or to 1, and a note reports the choice
    #[arg(long, value_name = "FILE")]
    pub(crate) constants: Option<PathBuf>,
    /// Allow a scene to name files outside its folder
    #[arg(long)]
    pub(crate) allow_outside: bool,
    /// The float format of programs: 32 bits, or 24 bits with a 7-bit exponent and a 16-bit mantissa (docs/running.md)
    #[arg(long, value_parser = floats(), value_name = "BITS", default_value = "32")]
    pub(crate) float: Float,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

/// Parses the number of bits of the float format.
pub(super) fn floats() -> impl TypedValueParser<Value = Float> {
    let name = |bits, help| PossibleValue::new(bits).help(help);
    named([(Float::F24, name("24", "24 bits")), (Float::F32, name("32", "32 bits"))])
}

#[derive(Debug, clap::Args)]
pub(crate) struct Compare {
    /// The first PNG file
    #[arg(value_name = "A")]
    pub(crate) first: PathBuf,
    /// A PNG file of the same size as the first
    #[arg(value_name = "B")]
    pub(crate) second: PathBuf,
    /// Ignore differences of up to N in a component, where N is 0 to 255
    #[arg(long, value_name = "N", default_value = "2")]
    pub(crate) threshold: u8,
    /// The percentage of pixels that may differ by more than the threshold
    #[arg(long, value_name = "PERCENT", default_value = "0", value_parser = percent)]
    pub(crate) allow: f64,
    /// A pixel is at an edge if the pixel and its neighbours vary by more than N
    #[arg(long, value_name = "N", default_value = "16")]
    pub(crate) contrast: u8,
    /// Write the difference as a PNG file: white where the difference is above the threshold, black elsewhere
    #[arg(short, long = "output", value_name = "OUT", value_parser = PathBufValueParser::new().try_map(png))]
    pub(crate) output: Option<PathBuf>,
}

/// The file extensions of picture formats other than PNG.
const OTHER_PICTURES: [&str; 17] = [
    "jpg", "jpeg", "gif", "webp", "bmp", "tga", "tif", "tiff", "dds", "atf", "ktx", "exr", "hdr", "svg", "ppm", "avif",
    "qoi",
];

/// Accepts a path for a PNG file, and rejects a path with the extension of another known format.
fn png(path: PathBuf) -> Result<PathBuf, String> {
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase());
    let is_other = extension.is_some_and(|extension| OTHER_PICTURES.contains(&extension.as_str()));
    match is_other || Kind::from_path(&path).is_some() {
        true => Err(format!(
            "the picture is written as PNG, but this name has the extension of another format; use `{}`",
            shown::path(&path.with_extension("png"))
        )),
        false => Ok(path),
    }
}

fn size(text: &str) -> Result<[u32; 2], String> {
    let (width, height) = text.split_once('x').unwrap_or((text, text));
    let side = |text: &str| text.parse().ok().filter(|side| (1..=agalc_scene::LARGEST).contains(side));
    match (side(width), side(height)) {
        (Some(width), Some(height)) => Ok([width, height]),
        _ => Err(format!("a size is one or two numbers, such as 640x480, each from 1 to {}", agalc_scene::LARGEST)),
    }
}

/// An option value that names a mesh or a texture: a word, a table or a file name. A value that is not valid UTF-8 is a file
/// name.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Named {
    Word(String),
    File(PathBuf),
}

impl Named {
    fn new(text: OsString) -> Named {
        text.into_string().map_or_else(|name| Named::File(name.into()), Named::Word)
    }

    pub(crate) fn shown(&self) -> String {
        match self {
            Named::Word(word) => shown::name(word).into_owned(),
            Named::File(path) => shown::path(path),
        }
    }
}

/// Parses an option value that may contain a file name, which need not be valid UTF-8.
pub(super) fn parsed<T: Clone + Send + Sync + 'static>(
    parse: impl Fn(OsString) -> Result<T, String> + Clone + Send + Sync + 'static,
) -> impl TypedValueParser<Value = T> {
    OsStringValueParser::new().try_map(parse)
}

fn texture(text: OsString) -> Result<(String, Named), String> {
    let (register, texture) = halves(text).ok_or("write a texture as fs0=file.png")?;
    let texture = match texture {
        Named::Word(word) => Named::Word(word.trim().to_string()),
        file => file,
    };
    Ok((register, texture))
}

fn attribute(text: &str) -> Result<(String, String), String> {
    let (register, data) = text.split_once('=').ok_or("write vertex data as va1=normal")?;
    Ok((register.trim().to_string(), data.trim().to_string()))
}

/// Splits an option value at the first `=`.
pub(super) fn halves(text: OsString) -> Option<(String, Named)> {
    let bytes = text.as_encoded_bytes();
    let at = bytes.iter().position(|&byte| byte == b'=')?;
    let name = String::from_utf8_lossy(bytes.get(..at)?).trim().to_string();
    Some((name, Named::new(rest(&text, at + 1)?)))
}

/// Returns the text from the byte offset `from` to the end.
#[cfg(unix)]
fn rest(text: &OsStr, from: usize) -> Option<OsString> {
    use std::os::unix::ffi::OsStrExt;
    Some(OsStr::from_bytes(text.as_bytes().get(from..)?).to_os_string())
}

#[cfg(not(unix))]
fn rest(text: &OsStr, from: usize) -> Option<OsString> {
    Some(text.to_string_lossy().get(from..)?.into())
}

fn percent(text: &str) -> Result<f64, String> {
    let percent = text.trim_end_matches('%').trim_end().parse().ok();
    percent.filter(|percent| (0.0..=100.0).contains(percent)).ok_or_else(|| "a number from 0 to 100".to_string())
}
