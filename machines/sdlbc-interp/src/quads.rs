//! Computes fine derivatives: differences within a quad, along each fragment's own row and column.

use sdlbc::number::Float;

use crate::{Column, LANES};

fn differences<F: Float>(to: &mut Column, from: &Column, pairs: [(usize, usize); 4]) {
    for quad in (0..LANES).step_by(4) {
        for (lane, (less, more)) in pairs.into_iter().enumerate() {
            let difference = F::of(from[quad + more]) - F::of(from[quad + less]);
            to[quad + lane] = difference.bits();
        }
    }
}

/// Subtracts the left fragment from the right fragment in each row.
pub(crate) fn ddx<F: Float>(to: &mut Column, from: &Column) {
    differences::<F>(to, from, [(0, 1), (0, 1), (2, 3), (2, 3)]);
}

/// Subtracts the upper fragment from the lower fragment in each column.
pub(crate) fn ddy<F: Float>(to: &mut Column, from: &Column) {
    differences::<F>(to, from, [(0, 2), (1, 3), (0, 2), (1, 3)]);
}

/// Returns all lanes of the quads that have a lane in `mask`.
pub(crate) fn whole(mask: u64) -> u64 {
    let any = mask | mask >> 1 | mask >> 2 | mask >> 3;
    (any & 0x1111_1111_1111_1111) * 15
}
