//! `render` and `compare` on the command line.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use clap::builder::{OsStringValueParser, TypedValueParser};

use super::{CompatName, Format, Ifg, Index, LanguageName, Reading};
use crate::shown;

#[derive(Debug, clap::Args)]
pub(crate) struct Render {
    /// A scene's file (.toml), or a vertex and a fragment program as for `compile`; `-` is standard input
    #[arg(required = true, num_args = 1..=2, value_name = "IN")]
    pub(crate) inputs: Vec<PathBuf>,
    /// The PNG file to write; of several render targets the second goes to OUT.1.png, and so on. `-` is standard output
    #[arg(short, long = "output", value_name = "OUT")]
    pub(crate) output: PathBuf,
    /// Pixels across and down, or of both sides; by default the scene's, or 512
    #[arg(long, value_name = "WIDTHxHEIGHT", value_parser = size)]
    pub(crate) size: Option<[u32; 2]>,
    /// For a pair: the mesh, a built-in one (`sphere`, `cube`, `torus`, `knot`, `rectangle` ...), an OBJ file, or as a
    /// scene has it: { shape = "torus", tube = 0.2 }
    #[arg(long, value_name = "MESH", value_parser = parsed(|mesh| Ok(Named::new(mesh))))]
    pub(crate) mesh: Option<Named>,
    /// For a pair: a texture, a PNG file or a built-in one (`checker`, `noise`, `sky` ...), or as a scene has it; may be
    /// given again
    #[arg(long = "texture", value_name = "REGISTER=TEXTURE", value_parser = parsed(texture))]
    pub(crate) textures: Vec<(String, Named)>,
    /// For a pair: a TOML file with `constants`, `camera` and `model` as in a scene; by default vc0 to vc3 bring the mesh
    /// into view
    #[arg(long, value_name = "FILE")]
    pub(crate) constants: Option<PathBuf>,
    /// For a scene: let it name files that are not below its folder
    #[arg(long)]
    pub(crate) allow_outside: bool,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Compare {
    /// A PNG file
    #[arg(value_name = "A")]
    pub(crate) first: PathBuf,
    /// A PNG file of the same size
    #[arg(value_name = "B")]
    pub(crate) second: PathBuf,
    /// The greatest difference of a component, of 255 steps, that does not count
    #[arg(long, value_name = "N", default_value = "2")]
    pub(crate) threshold: u8,
    /// How many pixels may differ by more, in percent
    #[arg(long, value_name = "PERCENT", default_value = "0", value_parser = percent)]
    pub(crate) allow: f64,
    /// Pixels are edges where their neighbours vary by more than this
    #[arg(long, value_name = "N", default_value = "16")]
    pub(crate) contrast: u8,
    /// A PNG file for the difference: white where the pictures differ by more than the threshold, black elsewhere
    #[arg(short, long = "output", value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,
    /// How to say it: for people, or in JSON
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
    /// The same as --format json
    #[arg(long)]
    pub(crate) json: bool,
}

fn size(text: &str) -> Result<[u32; 2], String> {
    let (width, height) = text.split_once('x').unwrap_or((text, text));
    let side = |text: &str| text.parse().ok().filter(|side| (1..=scene::LARGEST).contains(side));
    match (side(width), side(height)) {
        (Some(width), Some(height)) => Ok([width, height]),
        _ => Err(format!("a size is like 640x480, each side from 1 to {}", scene::LARGEST)),
    }
}

/// A mesh or a texture: a word, a table or a file's name; a name that is no text is a file's.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Named {
    Word(String),
    File(PathBuf),
}

impl Named {
    fn new(text: OsString) -> Named {
        text.into_string().map_or_else(|name| Named::File(name.into()), Named::Word)
    }

    /// As it is shown in messages.
    pub(crate) fn shown(&self) -> String {
        match self {
            Named::Word(word) => shown::name(word).into_owned(),
            Named::File(path) => shown::path(path),
        }
    }
}

/// A value that may hold a file's name, which need not be text.
pub(super) fn parsed<T: Clone + Send + Sync + 'static>(
    parse: impl Fn(OsString) -> Result<T, String> + Clone + Send + Sync + 'static,
) -> impl TypedValueParser<Value = T> {
    OsStringValueParser::new().try_map(parse)
}

fn texture(text: OsString) -> Result<(String, Named), String> {
    let (register, texture) = halves(text).ok_or("a texture is like fs0=file.png")?;
    let texture = match texture {
        Named::Word(word) => Named::Word(word.trim().to_string()),
        file => file,
    };
    Ok((register, texture))
}

/// What stands before and after the first `=`.
pub(super) fn halves(text: OsString) -> Option<(String, Named)> {
    let bytes = text.as_encoded_bytes();
    let at = bytes.iter().position(|&byte| byte == b'=')?;
    let name = String::from_utf8_lossy(bytes.get(..at)?).trim().to_string();
    Some((name, Named::new(rest(&text, at + 1)?)))
}

/// The text from a byte on.
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

impl Reading {
    /// Whether nothing was said of how programs are read.
    pub(crate) fn is_usual(&self) -> bool {
        let text = &self.text;
        let judging = &self.judging;
        text.stage.is_none()
            && text.agal_version.is_none()
            && text.language == LanguageName::Auto
            && text.defines.is_empty()
            && judging.compat == CompatName::Lenient
            && judging.profile.is_none()
            && judging.allow.is_empty()
            && !judging.allow_ted
            && self.ifg == Ifg::GreaterEqual
            && self.index == Index::Round
            && !self.signed_offsets
            && self.debug_table.is_none()
    }
}
