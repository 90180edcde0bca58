//! Interpolates varyings. [`Simd`](crate::simd::Simd) compiles `interpolate` for several kinds of processors.

use std::ops::Range;

use crate::{Column, LANES};

/// The weights of a triangle's second and third vertices in each lane. The first vertex has the remaining weight.
pub(crate) type Weights = [[f32; LANES]; 2];

/// Interpolates the components of a varying in the given quads of one triangle. `corners` contains the bits of the components at
/// the three vertices.
#[inline(always)]
pub(crate) fn interpolate(columns: &mut [Column], quads: Range<usize>, weights: &Weights, corners: [&[u32]; 3]) {
    let [second, third] = weights;
    let (second, third) = (&second.as_chunks::<4>().0[quads.clone()], &third.as_chunks::<4>().0[quads.clone()]);
    for (component, column) in columns.iter_mut().enumerate() {
        let [a, b, c] = [corners[0], corners[1], corners[2]].map(|corner| f32::from_bits(corner[component]));
        let (to_second, to_third) = (b - a, c - a);
        let quads = column.as_chunks_mut::<4>().0[quads.clone()].iter_mut();
        for ((lanes, second), third) in quads.zip(second).zip(third) {
            for lane in 0..4 {
                // If all vertices have the same value, the result is that value for any weights.
                lanes[lane] = (a + second[lane] * to_second + third[lane] * to_third).to_bits();
            }
        }
    }
}
