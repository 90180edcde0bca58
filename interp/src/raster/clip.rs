//! Clipping: what of a triangle is in front of the eye and between the near and the far plane.
//!
//! To the left, right, top and bottom only what lies far outside is cut off, where pixels could no longer be counted exactly. A new
//! corner is always reckoned from the corner that stays: triangles that share an edge get the same one.

use sdlbc::Interpolation;

use super::Layout;
use super::primitive::Viewport;
use super::vertices::Vertices;

/// The least w. It keeps 1 / w finite, and nothing that is seen is so near.
const NEAREST_W: f64 = 1e-30;

/// How far a position is inside of each plane; below zero it is outside.
fn distances([x, y, z, w]: [f32; 4], guard: [f64; 2]) -> [f64; 7] {
    let [x, y, z, w] = [x, y, z, w].map(f64::from);
    let (side, height) = (guard[0] * w, guard[1] * w);
    [w - NEAREST_W, z, w - z, side - x, side + x, height - y, height + y]
}

/// Hands on the triangles that remain of a triangle, each with the corner that its flat varyings are from.
pub(super) fn triangle(
    store: &mut Vertices,
    layout: &Layout,
    viewport: &Viewport,
    corners: [usize; 3],
    mut hand_on: impl FnMut(&Vertices, [usize; 3], usize),
) {
    let positions = corners.map(|corner| store.position(corner));
    if !positions.iter().flatten().all(|component| component.is_finite()) {
        return;
    }
    let all = positions.map(|position| distances(position, viewport.guard));
    let outside = all.map(|of_corner| of_corner.iter().fold(0u8, |set, &d| set << 1 | u8::from(d < 0.0)));
    if outside == [0; 3] {
        return hand_on(store, corners, corners[0]);
    }
    if outside[0] & outside[1] & outside[2] != 0 {
        return;
    }
    let mut polygon = corners.to_vec();
    for plane in 0..7 {
        polygon = cut(store, layout, viewport, &polygon, plane);
    }
    if let [first, rest @ ..] = &*polygon {
        for pair in rest.windows(2) {
            hand_on(store, [*first, pair[0], pair[1]], corners[0]);
        }
    }
}

/// What of a polygon is inside of one plane.
fn cut(store: &mut Vertices, layout: &Layout, viewport: &Viewport, polygon: &[usize], plane: usize) -> Vec<usize> {
    let mut kept = Vec::with_capacity(polygon.len() + 1);
    for (place, &from) in polygon.iter().enumerate() {
        let to = polygon[(place + 1) % polygon.len()];
        let inside = |slot: usize| distances(store.position(slot), viewport.guard)[plane];
        let (here, there) = (inside(from), inside(to));
        if here >= 0.0 {
            kept.push(from);
        }
        if (here >= 0.0) != (there >= 0.0) {
            let new = if here >= 0.0 {
                between(store, layout, (from, here), (to, there))
            } else {
                between(store, layout, (to, there), (from, here))
            };
            kept.push(new);
        }
    }
    kept
}

/// The corner where the edge from a corner that stays to one that goes meets the plane.
fn between(store: &mut Vertices, layout: &Layout, stays: (usize, f64), goes: (usize, f64)) -> usize {
    let (stays, goes, part) = (stays.0, goes.0, stays.1 / (stays.1 - goes.1));
    let (a, b) = (store.position(stays), store.position(goes));
    let on_way = |a: f32, b: f32, part: f64| (f64::from(a) + (f64::from(b) - f64::from(a)) * part) as f32;
    let position: [f32; 4] = std::array::from_fn(|i| on_way(a[i], b[i], part));
    // How far it is on the screen. With w of both signs the edge goes by way of infinity, and so does this.
    let on_screen = part * f64::from(b[3]) / f64::from(position[3]).max(NEAREST_W);
    let mut parts = vec![None; layout.stride];
    for &(offset, width, interpolation) in &layout.varyings {
        parts[offset..][..width].fill(match interpolation {
            Interpolation::Perspective => Some(part),
            Interpolation::Linear => Some(on_screen),
            Interpolation::Flat => None,
        });
    }
    store.push(position, |store, place| {
        let (a, b) = (store.values(stays)[place], store.values(goes)[place]);
        parts[place].map_or(a, |part| on_way(f32::from_bits(a), f32::from_bits(b), part).to_bits())
    })
}
