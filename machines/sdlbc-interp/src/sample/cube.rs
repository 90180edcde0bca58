//! Finds the face and position where a direction meets a cube, and the texels beyond the edges of a face.

use crate::Level;

/// The major axis and the s and t axes of each face. Each axis is given by the index of a direction's component and a
/// sign.
const FACES: [[(usize, i32); 3]; 6] = [
    [(0, 1), (2, -1), (1, -1)],
    [(0, -1), (2, 1), (1, -1)],
    [(1, 1), (0, 1), (2, 1)],
    [(1, -1), (0, 1), (2, -1)],
    [(2, 1), (0, 1), (1, -1)],
    [(2, -1), (0, -1), (1, -1)],
];

/// Returns the face that a direction meets, and the components of `of` along the major, s and t axes of that face. If components
/// have the same magnitude, z takes precedence over y, and y over x, as in Vulkan. The function spells out the rows of [`FACES`]
/// to avoid a look-up.
#[inline(always)]
fn along(direction: &[f32; 3], of: &[f32; 3]) -> (i32, [f32; 3]) {
    // The code has no branches, so that a loop over lanes vectorises.
    let [x, y, z] = *direction;
    let along_z = (z.abs() >= x.abs()) & (z.abs() >= y.abs());
    let along_y = !along_z & (y.abs() >= x.abs());
    let of_axis = |x: f32, y: f32, z: f32| {
        if along_z {
            z
        } else if along_y {
            y
        } else {
            x
        }
    };
    let major = of_axis(x, y, z);
    let sign = major.to_bits() & 1 << 31;
    let signed = |x: f32| f32::from_bits(x.to_bits() ^ sign);
    let axis = if along_z {
        4
    } else if along_y {
        2
    } else {
        0
    };
    let s = if along_z | along_y { of[0] } else { -of[2] };
    let s = if along_y { s } else { signed(s) };
    let t = if along_y { signed(of[2]) } else { -of[1] };
    (axis + (sign >> 31).cast_signed(), [signed(of_axis(of[0], of[1], of[2])), s, t])
}

/// Returns the face that a direction meets, and the position s and t on the face, from 0 to 1.
#[inline(always)]
pub(super) fn project(direction: &[f32; 3]) -> (i32, f32, f32) {
    let (face, [major, s, t]) = along(direction, direction);
    (face, 0.5 * (s / major) + 0.5, 0.5 * (t / major) + 0.5)
}

/// Returns the first-order changes of s and t on a face when the direction changes from `direction` by the vector `by`.
#[inline(always)]
pub(super) fn difference(direction: &[f32; 3], by: &[f32; 3]) -> [f32; 2] {
    let (_, [major, s, t]) = along(direction, direction);
    let (_, [by_major, by_s, by_t]) = along(direction, by);
    [0.5 * (by_s - s / major * by_major) / major, 0.5 * (by_t - t / major * by_major) / major]
}

/// Applies the function `of` to a texel of a cube's face, and returns the result. The texel's components are from 0 to 255. The
/// cube's six faces begin at the slice `first`. If `x` or `y` is one texel beyond an edge, the adjoining face is read. In a
/// corner, where three faces meet, the function returns the mean of the results for their three texels.
#[inline]
pub(super) fn texel(
    level: &Level,
    [first, face]: [usize; 2],
    x: i32,
    y: i32,
    of: impl Fn([f32; 4]) -> [f32; 4],
) -> [f32; 4] {
    let size = level.width as i32;
    let (in_x, in_y) = ((0..size).contains(&x), (0..size).contains(&y));
    let (held_x, held_y) = (x.clamp(0, size - 1), y.clamp(0, size - 1));
    match (in_x, in_y) {
        (true, true) => of(read(level, first + face, x, y)),
        (false, true) => of(beyond(level, [first, face], x.clamp(-1, size), y)),
        (true, false) => of(beyond(level, [first, face], x, y.clamp(-1, size))),
        (false, false) => {
            let own = of(read(level, first + face, held_x, held_y));
            let beside = of(beyond(level, [first, face], x.clamp(-1, size), held_y));
            let above = of(beyond(level, [first, face], held_x, y.clamp(-1, size)));
            std::array::from_fn(|i| (own[i] + beside[i] + above[i]) / 3.0)
        }
    }
}

fn beyond(level: &Level, [first, face]: [usize; 2], x: i32, y: i32) -> [f32; 4] {
    // Positions are in half texels from the cube's centre. The texel's centre is at `size` along the face's axis, and one beyond
    // `size` along s or t. After folding over the edge, the texel's centre is at `size` along s or t, and at one less than `size`
    // along the face's axis.
    let size = level.width as i32;
    let mut place = [0; 3];
    for ((axis, sign), part) in FACES[face].into_iter().zip([size, 2 * x + 1 - size, 2 * y + 1 - size]) {
        place[axis] = sign * if part.abs() > size { part.signum() * size } else { part };
    }
    let (own, sign) = FACES[face][0];
    place[own] = sign * (size - 1);
    let Some(axis) = (0..3).find(|&axis| axis != own && place[axis].abs() == size) else {
        return [0.0; 4];
    };
    let face = 2 * axis + usize::from(place[axis] < 0);
    let [_, (s_axis, s_sign), (t_axis, t_sign)] = FACES[face];
    read(level, first + face, (s_sign * place[s_axis] + size - 1) / 2, (t_sign * place[t_axis] + size - 1) / 2)
}

fn read(level: &Level, face: usize, x: i32, y: i32) -> [f32; 4] {
    let row = face * level.height as usize + y as usize;
    level.texels.get(row * level.width as usize + x as usize).copied().unwrap_or_default().map(f32::from)
}
