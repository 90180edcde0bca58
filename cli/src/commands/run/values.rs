//! Values of inputs and outputs: textures and files of constants, numbers as text and as JSON, and warnings about settings.

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

/// A trace aligns the effects of instructions in a column, except after instructions with more characters than this.
pub(super) const WIDEST_INSTRUCTION: usize = 50;

/// Warns about inputs that are read but not set (`unset`), inputs that are set but not read (`unread`), and constants that are read
/// through an index although none is set (`lacks` is the first of them).
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

/// Reads a file of constants.
pub(super) fn constants_of(files: &Files, path: &Path) -> Result<Description> {
    let mut description = Description::plain([512, 512]);
    description.read_constants(path).map_err(|error| report::scene_error(&error))?;
    files.mark_read(path);
    Ok(description)
}

/// Describes a scene with a single texture, given in the notation of scenes. Its register is arbitrary.
pub(super) fn described(named: &Named) -> std::result::Result<Description, agalc_scene::Error> {
    let mut description = Description::plain([1, 1]);
    description.textures.clear();
    match named {
        Named::Word(word) => description.set_texture("fs0", word),
        Named::File(path) => description.set_texture_file("fs0", path.clone()),
    }?;
    Ok(description)
}

/// Reads or generates a texture, given in the notation of scenes, with all mip levels.
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

/// Returns an element of a list. Extends the list with default values if it is too short.
#[expect(clippy::indexing_slicing, reason = "the list has been extended to contain it")]
pub(super) fn at<T: Clone + Default>(list: &mut Vec<T>, index: usize) -> &mut T {
    if list.len() <= index {
        list.resize(index + 1, T::default());
    }
    &mut list[index]
}

/// The message for more numbers than an input holds.
pub(super) fn holds(name: &str, most: usize, found: usize) -> String {
    format!("`{name}` holds {}, but {found} are given", counted(most, "number", "numbers"))
}

/// Writes a number as the shortest decimal from which the same number can be parsed.
pub(super) fn decimal(value: f32) -> String {
    match value.abs() {
        _ if value.is_nan() => "nan".to_string(),
        size if size != 0.0 && size.is_finite() && !(1e-5..1e9).contains(&size) => format!("{value:e}"),
        _ => value.to_string(),
    }
}

/// The scalars of a type's components.
pub(super) fn scalar(ty: Type) -> Scalar {
    match ty {
        Type::Vector(scalar, _) | Type::Array(scalar, ..) | Type::Buffer(scalar, _) => scalar,
        _ => Scalar::Float,
    }
}

/// Writes a component as text.
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

/// Converts components to JSON.
pub(super) fn json(ty: Type, words: &[u32]) -> Result<Vec<Value>> {
    let value = |&word: &u32| match scalar(ty) {
        Scalar::Float | Scalar::Half => serde_json::to_value(Number(f32::from_bits(word))),
        Scalar::Int => Ok(word.cast_signed().into()),
        Scalar::Uint => Ok(word.into()),
        Scalar::Bool => Ok((word != 0).into()),
    };
    Ok(words.iter().map(value).collect::<Result<_, _>>()?)
}

/// A number in JSON. JSON has no infinity and no NaN, so these are strings.
pub(super) struct Number(pub(super) f32);

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            value if value.is_finite() => serializer.serialize_f32(value),
            value => serializer.serialize_str(&decimal(value)),
        }
    }
}
