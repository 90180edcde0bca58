//! The layout of a vertex's values: its varyings and clip distances.

use std::ops::Range;

use sdlbc::{Interpolation, limits};

use crate::Shader;

/// The position of each varying in a vertex's values.
pub(super) struct Layout {
    /// The first value of each varying, the number of its values, and their interpolation.
    pub(super) varyings: Vec<(usize, usize, Interpolation)>,
    /// The clip distances, which follow the varyings.
    pub(super) clip_distances: Range<usize>,
    /// The number of values per vertex.
    pub(super) stride: usize,
}

impl Layout {
    /// The layout of a shader's varyings, in their order.
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
