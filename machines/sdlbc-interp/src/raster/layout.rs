//! Lays out the varyings and clip distances of a transformed vertex.

use std::ops::Range;

use sdlbc::{Interpolation, limits};

use crate::Shader;

/// The positions of the varyings and clip distances among a vertex's values.
pub(super) struct Layout {
    /// For each varying, the position of its first value, the number of its values, and the interpolation mode.
    pub(super) varyings: Vec<(usize, usize, Interpolation)>,
    /// The positions of the clip distances, which follow the varyings.
    pub(super) clip_distances: Range<usize>,
    pub(super) stride: usize,
}

impl Layout {
    pub(super) fn of(shader: &dyn Shader) -> Layout {
        let mut stride = 0;
        let mut varyings = Vec::new();
        for varying in shader.varyings() {
            let width = usize::from(varying.width).min(4);
            varyings.push((stride, width, varying.interpolation));
            stride += width;
        }
        let clip_distances = stride..stride + shader.clip_distances().min(limits::CLIP_DISTANCES as usize);
        Layout { varyings, stride: clip_distances.end, clip_distances }
    }
}
