//! Values of inputs and outputs: textures, files of constants, numbers as text and as JSON, and warnings about settings.

use std::path::Path;

use agalc_scene::Description;
use anyhow::{Result, bail};
use sdlbc::{Dimension, Scalar, Type};
use sdlbc_interp::Texture;
use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::args::Named;
use crate::files::Files;
use crate::output::usage;
use crate::phrases::{counted, listed};
use crate::report;

/// The maximum width, in characters, to which the instructions in a trace are padded, so that their effects form a column.
pub(super) const WIDEST_INSTRUCTION: usize = 50;

/// Warns about inputs that are read but not set, and about inputs that are set but not read. If constants are read through an
/// index although no constant is set, `lacks` is the name of the first constant.
pub(super) fn warn_of_settings(unset: &[String], unread: &[String], lacks: Option<&str>) {
    if let [first, others @ ..] = unset {
        let message = match others {
            [] => format!("`{first}` is read but not set, so it is zero"),
            _ => format!("{} are read but not set, so they are zero", listed(unset)),
        };
        report::warning(
            &message,
            &format!("`--set {first}=...` sets {}", if others.is_empty() { "it" } else { "one" }),
        );
    }
    if let Some(first) = lacks {
        let message = "constants are read through an index but none is set, so they are zero";
        report::warning(
            message,
            &format!("`--set {first}=...` sets the first; further numbers continue in the next registers"),
        );
    }
    if !unread.is_empty() {
        let message = format!("the program does not read {}", listed(unread));
        report::warning(&message, "check the name, or remove the setting");
    }
}

pub(super) fn constants_of(files: &Files, path: &Path) -> Result<Description> {
    let mut description = Description::plain([512, 512]);
    description.read_constants(path).map_err(|error| report::scene_error(&error))?;
    files.mark_read(path);
    Ok(description)
}

/// Returns the description of a scene whose only texture is `named`, in an arbitrary register.
pub(super) fn described(named: &Named) -> std::result::Result<Description, agalc_scene::Error> {
    let mut description = Description::plain([1, 1]);
    description.textures.clear();
    match named {
        Named::Word(word) => description.set_texture("fs0", word),
        Named::File(path) => description.set_texture_file("fs0", path.clone()),
    }?;
    Ok(description)
}

/// Reads or generates a texture with all mip levels. `named` is in the notation of scenes.
pub(super) fn named_texture(register: &str, named: &Named, dimension: Dimension) -> Result<Texture> {
    let read = described(named)
        .and_then(|description| description.textures.values().next().map(|image| image.texture(true)).transpose());
    let texture = read.map_err(|error| report::scene_error(&error))?;
    let text = named.shown();
    match texture {
        Some(texture) if texture.dimension == dimension => Ok(texture),
        Some(texture) => {
            let (wanted, found) = (dimension.name(), texture.dimension.name());
            usage(format!("`{register}` is read as a {wanted}, but `{text}` is a {found}"))
        }
        None => bail!("`{text}` is not a texture"),
    }
}

/// Returns the element at `index`. If the list is too short, default values are appended first.
#[expect(clippy::indexing_slicing, reason = "the list has been extended to contain it")]
pub(super) fn at<T: Clone + Default>(list: &mut Vec<T>, index: usize) -> &mut T {
    if list.len() <= index {
        list.resize(index + 1, T::default());
    }
    &mut list[index]
}

/// Returns the message for an input that is given too many numbers.
pub(super) fn holds(name: &str, most: usize, found: usize) -> String {
    format!("`{name}` holds {}, but {found} are given", counted(most, "number", "numbers"))
}

/// Formats a number as the shortest decimal that parses to the same number.
pub(super) fn decimal(value: f32) -> String {
    match value.abs() {
        _ if value.is_nan() => "nan".to_string(),
        size if size != 0.0 && size.is_finite() && !(1e-5..1e9).contains(&size) => format!("{value:e}"),
        _ => value.to_string(),
    }
}

/// Returns the scalar type of a type's components.
pub(super) fn scalar(ty: Type) -> Scalar {
    match ty {
        Type::Vector(scalar, _) | Type::Array(scalar, ..) | Type::Buffer(scalar, _) => scalar,
        _ => Scalar::Float,
    }
}

pub(super) fn shown(scalar: Scalar, word: u32) -> String {
    match scalar {
        Scalar::Float | Scalar::Half => decimal(f32::from_bits(word)),
        Scalar::Int => word.cast_signed().to_string(),
        Scalar::Uint => word.to_string(),
        Scalar::Bool => (word != 0).to_string(),
    }
}

pub(super) fn list(ty: Type, words: &[u32]) -> String {
    words.iter().map(|&word| shown(scalar(ty), word)).collect::<Vec<_>>().join(", ")
}

pub(super) fn json(ty: Type, words: &[u32]) -> Result<Vec<Value>> {
    let value = |&word: &u32| match scalar(ty) {
        Scalar::Float | Scalar::Half => serde_json::to_value(Number(f32::from_bits(word))),
        Scalar::Int => Ok(word.cast_signed().into()),
        Scalar::Uint => Ok(word.into()),
        Scalar::Bool => Ok((word != 0).into()),
    };
    Ok(words.iter().map(value).collect::<Result<_, _>>()?)
}

/// A number in JSON. Infinities and NaN become strings, because JSON has no such numbers.
pub(super) struct Number(pub(super) f32);

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            value if value.is_finite() => serializer.serialize_f32(value),
            value => serializer.serialize_str(&decimal(value)),
        }
    }
}
