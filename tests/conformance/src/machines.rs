//! The inputs and outputs of machines as shaders of a picture: uniforms, textures, and registers of quads in columns of lanes.

use std::collections::BTreeMap;

use agal_machine::{Dimension, Level, Quad, Texture};
use sdlbc::FunctionKind;
use sdlbc_interp::{Column, Draw, LANES, Mask};

/// The registers of an array of uniforms; none if the draw does not have the array.
pub(crate) fn uniforms(draw: &Draw, kind: FunctionKind, name: &str) -> Vec<[f32; 4]> {
    let words = draw.resources.uniforms.get(&(kind, name.to_string()));
    let registers = words.map(|words| words.chunks(4)).into_iter().flatten();
    let values = registers.map(|register| {
        std::array::from_fn(|component| register.get(component).map_or(0.0, |&bits| f32::from_bits(bits)))
    });
    values.collect()
}

/// The textures of a stage by slot, with the filters of the AGAL machine, which are independent of interp's.
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

/// A register of a quad, from the columns of its components.
pub(crate) fn quad(columns: &[Column; 4], first: usize) -> Quad {
    std::array::from_fn(|lane| columns.each_ref().map(|column| f32::from_bits(column[first + lane])))
}

/// Writes a register of a quad into the columns of its components.
pub(crate) fn put(columns: &mut [Column; 4], first: usize, values: Quad) {
    for (lane, value) in values.into_iter().enumerate() {
        for (column, number) in columns.iter_mut().zip(value) {
            column[first + lane] = number.to_bits();
        }
    }
}

/// The first lanes of the quads that have a lane in the mask.
pub(crate) fn quads(live: Mask) -> impl Iterator<Item = usize> {
    (0..LANES).step_by(4).filter(move |first| live >> first & 0xf != 0)
}
