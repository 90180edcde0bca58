//! Transforms vertices. Each vertex that the indices use is transformed once per instance, and [`LANES`] vertices are transformed
//! together.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Mutex;

use super::layout::Layout;
use crate::{Draw, LANES, Shader, shader};

/// The number of batches below which a single thread transforms all vertices.
const FEW: usize = 8;

/// Transformed vertices: the position of each vertex, and the values of its varyings and clip distances.
pub(super) struct Vertices {
    positions: Vec<[f32; 4]>,
    values: Vec<u32>,
    stride: usize,
}

/// Returns the distinct indices in the order of their first use and, for each original index, its position among the distinct
/// indices.
pub(super) fn unique(indices: &[u32]) -> (Vec<u32>, Vec<u32>) {
    const NONE: u32 = u32::MAX;
    let mut unique = Vec::new();
    let largest = indices.iter().copied().max().unwrap_or(0) as usize;
    // A table is much faster than a map, but is used only if the largest index is not much greater than the number of indices.
    let (mut table, mut map) = (Vec::new(), HashMap::new());
    if largest < 4 * indices.len() + 1024 {
        table.resize(largest + 1, NONE);
    }
    let slots = indices
        .iter()
        .map(|&index| {
            let slot = match table.get_mut(index as usize) {
                Some(slot) => slot,
                None => map.entry(index).or_insert(NONE),
            };
            if *slot == NONE {
                *slot = unique.len() as u32;
                unique.push(index);
            }
            *slot
        })
        .collect();
    (unique, slots)
}

impl Vertices {
    pub(super) fn transform(
        draw: &Draw,
        shader: &dyn Shader,
        layout: &Layout,
        unique: &[u32],
        instances: Range<u32>,
        threads: usize,
    ) -> Vertices {
        let count = unique.len() * instances.len();
        let stride = layout.stride;
        let mut positions = vec![[0.0; 4]; count];
        let mut values = vec![0; count * stride];
        let batches = count.div_ceil(LANES);
        // If the shader has no varyings, `values` is empty and yields no chunks.
        let mut parts = values.chunks_mut(LANES * stride.max(1));
        let work = positions.chunks_mut(LANES).map(|positions| (positions, parts.next().unwrap_or_default()));
        let queue = Mutex::new(work.enumerate().collect::<Vec<_>>().into_iter());
        let work = || {
            while let Some((number, (positions, values))) = queue.lock().ok().and_then(|mut queue| queue.next()) {
                batch(draw, shader, layout, unique, instances.start, number * LANES, positions, values);
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..if batches < FEW { 1 } else { threads.min(batches) } {
                scope.spawn(work);
            }
            work();
        });
        drop(queue);
        Vertices { positions, values, stride }
    }

    pub(super) fn len(&self) -> usize {
        self.positions.len()
    }

    pub(super) fn truncate(&mut self, count: usize) {
        self.positions.truncate(count);
        self.values.truncate(count * self.stride);
    }

    pub(super) fn position(&self, slot: usize) -> [f32; 4] {
        self.positions[slot]
    }

    /// Returns the bits of a vertex's varyings and clip distances.
    pub(super) fn values(&self, slot: usize) -> &[u32] {
        &self.values[slot * self.stride..][..self.stride]
    }

    /// Adds a vertex, and returns its index. The function `value` is called with each position in the layout, and returns
    /// the vertex's value at that position.
    pub(super) fn push(&mut self, position: [f32; 4], value: impl Fn(&Vertices, usize) -> u32) -> usize {
        for place in 0..self.stride {
            let bits = value(self, place);
            self.values.push(bits);
        }
        self.positions.push(position);
        self.positions.len() - 1
    }
}

/// Transforms a batch of vertices. `begin` is the index of the batch's first vertex among the vertices of all instances.
#[expect(clippy::too_many_arguments, reason = "four inputs of a draw, and a range of its vertices")]
fn batch(
    draw: &Draw,
    shader: &dyn Shader,
    layout: &Layout,
    unique: &[u32],
    instance: u32,
    begin: usize,
    positions: &mut [[f32; 4]],
    values: &mut [u32],
) {
    let count = positions.len();
    let (mut indices, mut instances) = ([0; LANES], [0; LANES]);
    for lane in 0..count {
        indices[lane] = unique[(begin + lane) % unique.len()];
        instances[lane] = instance + ((begin + lane) / unique.len()) as u32;
    }
    let attributes = |location| {
        let all = draw.attributes.get(&location)?;
        let mut columns = [[0; LANES]; 4];
        for lane in 0..count {
            let of_vertex = all.get(indices[lane] as usize).copied().unwrap_or_default();
            for (column, component) in columns.iter_mut().zip(of_vertex) {
                column[lane] = component;
            }
        }
        Some(columns)
    };
    let live = u64::MAX >> (LANES - count);
    let vertices = shader::Vertices { live, index: indices, instance: instances, attributes: &attributes };
    let transformed = shader.vertex(&vertices);
    for (lane, position) in positions.iter_mut().enumerate() {
        *position = transformed.position.map(|column| f32::from_bits(column[lane]));
    }
    for (&(offset, width, _), columns) in layout.varyings.iter().zip(&transformed.varyings) {
        for (component, column) in columns.iter().enumerate().take(width) {
            for (lane, bits) in column.iter().enumerate().take(count) {
                values[lane * layout.stride + offset + component] = *bits;
            }
        }
    }
    for (place, column) in layout.clip_distances.clone().zip(&transformed.clip_distances) {
        for (lane, bits) in column.iter().enumerate().take(count) {
            // An infinite clip distance cannot be interpolated.
            values[lane * layout.stride + place] = f32::from_bits(*bits).clamp(f32::MIN, f32::MAX).to_bits();
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn each_vertex_is_listed_once() {
        assert_eq!(super::unique(&[7, 3, 7, 3, 0]), (vec![7, 3, 0], vec![0, 1, 0, 1, 2]));
        assert_eq!(super::unique(&[4_000_000_000, 3, 4_000_000_000]), (vec![4_000_000_000, 3], vec![0, 1, 0]));
        assert_eq!(super::unique(&[u32::MAX]), (vec![u32::MAX], vec![0]));
        assert_eq!(super::unique(&[]), (vec![], vec![]));
    }
}
