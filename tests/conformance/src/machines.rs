//! Converts a draw's uniforms, textures and columns to the forms that the machines use, and a machine's results back to columns.

use std::collections::BTreeMap;

use agal_machine::{Dimension, Level, Quad, Texture};
use sdlbc::FunctionKind;
use sdlbc_interp::{Column, Draw, LANES, Mask};

/// Returns the registers of an array of uniforms, or no registers if the draw does not have the array.
pub(crate) fn uniforms(draw: &Draw, kind: FunctionKind, name: &str) -> Vec<[f32; 4]> {
    let words = draw.resources.uniforms.get(&(kind, name.to_string()));
    let registers = words.map(|words| words.chunks(4)).into_iter().flatten();
    let values = registers.map(|register| {
        std::array::from_fn(|component| register.get(component).map_or(0.0, |&bits| f32::from_bits(bits)))
    });
    values.collect()
}

/// Returns the textures of a stage, keyed by slot, in the form that the AGAL machine's filters use. These filters are
/// independent of interp's filters.
pub(crate) fn textures(draw: &Draw, kind: FunctionKind) -> BTreeMap<u32, Texture> {
    let textures = draw.resources.textures.iter().filter(|((stage, _), _)| *stage == kind);
    let textures = textures.filter_map(|((_, slot), texture)| {
        let level =
            |level: &sdlbc_interp::Level| Level::from_bytes(level.width, level.height, level.depth, &level.texels);
        let levels = texture.levels.iter().map(level).collect();
        let dimension = match texture.dimension {
            sdlbc::Dimension::D2 => Dimension::D2,
            sdlbc::Dimension::D3 => Dimension::D3,
            // AGAL has no array textures.
            sdlbc::Dimension::D2Array | sdlbc::Dimension::CubeArray => return None,
            sdlbc::Dimension::Cube => Dimension::Cube,
        };
        Some((*slot, Texture { dimension, levels }))
    });
    textures.collect()
}

/// Returns a register's values in the quad that begins at lane `first`.
pub(crate) fn quad(columns: &[Column; 4], first: usize) -> Quad {
    std::array::from_fn(|lane| columns.each_ref().map(|column| f32::from_bits(column[first + lane])))
}

/// Stores a register's values in the columns of the register's components, for the quad that begins at lane `first`.
pub(crate) fn put(columns: &mut [Column; 4], first: usize, values: Quad) {
    for (lane, value) in values.into_iter().enumerate() {
        for (column, number) in columns.iter_mut().zip(value) {
            column[first + lane] = number.to_bits();
        }
    }
}

/// Returns the first lane of each quad that has a lane in the mask.
pub(crate) fn quads(live: Mask) -> impl Iterator<Item = usize> {
    (0..LANES).step_by(4).filter(move |first| live >> first & 0xf != 0)
}
