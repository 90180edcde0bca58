//! Clips triangles to the volume in front of the eye, between the near and far planes, and to non-negative clip distances.
//!
//! A clip distance is linear in clip space, so it acts like a clip plane: the remaining part of a triangle is a
//! polygon.
//!
//! At the left, right, top and bottom, triangles are clipped only to a guard band, within which pixels are computed exactly. A
//! new vertex is always computed from the inside vertex toward the outside vertex, so triangles with a common edge receive the
//! same vertex.

use sdlbc::Interpolation;

use super::layout::Layout;
use super::primitive::Viewport;
use super::vertices::Vertices;

/// The smallest allowed w, which keeps 1 / w finite. Visible vertices have a larger w.
const NEAREST_W: f64 = 1e-30;

/// The number of clip planes of every draw. Each clip distance adds another plane.
const PLANES: usize = 7;

/// Returns the distance of a position from each clip plane. The distance is negative if the position is clipped.
fn distances([x, y, z, w]: [f32; 4], guard: [f64; 2]) -> [f64; PLANES] {
    let [x, y, z, w] = [x, y, z, w].map(f64::from);
    let (side, height) = (guard[0] * w, guard[1] * w);
    [w - NEAREST_W, z, w - z, side - x, side + x, height - y, height + y]
}

fn clip_distances<'a>(store: &'a Vertices, layout: &Layout, slot: usize) -> impl Iterator<Item = f32> + 'a {
    let values = store.values(slot).get(layout.clip_distances.clone()).unwrap_or_default();
    values.iter().map(|&bits| f32::from_bits(bits))
}

/// Reports whether all clip distances of a vertex are at least zero.
pub(super) fn keeps(store: &Vertices, layout: &Layout, slot: usize) -> bool {
    clip_distances(store, layout, slot).all(|distance| distance >= 0.0)
}

/// Returns the distance of a vertex from a clip plane. Clip distances are numbered after the planes of the view volume.
fn distance(store: &Vertices, layout: &Layout, viewport: &Viewport, slot: usize, plane: usize) -> f64 {
    match plane.checked_sub(PLANES) {
        None => distances(store.position(slot), viewport.guard)[plane],
        Some(index) => clip_distances(store, layout, slot).nth(index).map_or(0.0, f64::from),
    }
}

/// Clips a triangle, and calls `emit` with each resulting triangle and with the provoking vertex, which supplies the flat
/// varyings.
pub(super) fn triangle(
    store: &mut Vertices,
    layout: &Layout,
    viewport: &Viewport,
    corners: [usize; 3],
    mut emit: impl FnMut(&Vertices, [usize; 3], usize),
) {
    let positions = corners.map(|corner| store.position(corner));
    if !positions.iter().flatten().all(|component| component.is_finite()) {
        return;
    }
    let all = positions.map(|position| distances(position, viewport.guard));
    let mut outside = all.map(|of_corner| of_corner.iter().fold(0u16, |set, &d| set << 1 | u16::from(d < 0.0)));
    if !layout.clip_distances.is_empty() {
        for (set, &corner) in outside.iter_mut().zip(&corners) {
            for distance in clip_distances(store, layout, corner) {
                if distance.is_nan() {
                    return;
                }
                *set = *set << 1 | u16::from(distance < 0.0);
            }
        }
    }
    if outside == [0; 3] {
        return emit(store, corners, corners[0]);
    }
    if outside[0] & outside[1] & outside[2] != 0 {
        return;
    }
    let mut polygon = corners.to_vec();
    for plane in 0..PLANES + layout.clip_distances.len() {
        polygon = cut(store, layout, viewport, &polygon, plane);
    }
    if let [first, rest @ ..] = &*polygon {
        for pair in rest.windows(2) {
            emit(store, [*first, pair[0], pair[1]], corners[0]);
        }
    }
}

fn cut(store: &mut Vertices, layout: &Layout, viewport: &Viewport, polygon: &[usize], plane: usize) -> Vec<usize> {
    let mut kept = Vec::with_capacity(polygon.len() + 1);
    for (place, &from) in polygon.iter().enumerate() {
        let to = polygon[(place + 1) % polygon.len()];
        let inside = |slot: usize| distance(store, layout, viewport, slot, plane);
        let (here, there) = (inside(from), inside(to));
        if here >= 0.0 {
            kept.push(from);
        }
        if (here >= 0.0) != (there >= 0.0) {
            let ends = [(from, here), (to, there)];
            let [inside, outside] = if here >= 0.0 { ends } else { [ends[1], ends[0]] };
            kept.push(between(store, layout, inside, outside));
        }
    }
    kept
}

/// Adds a vertex at the point where the edge from an inside vertex to an outside vertex meets a clip plane.
fn between(store: &mut Vertices, layout: &Layout, stays: (usize, f64), goes: (usize, f64)) -> usize {
    let (stays, goes, part) = (stays.0, goes.0, stays.1 / (stays.1 - goes.1));
    let (a, b) = (store.position(stays), store.position(goes));
    let on_way = |a: f32, b: f32, part: f64| (f64::from(a) + (f64::from(b) - f64::from(a)) * part) as f32;
    let position: [f32; 4] = std::array::from_fn(|i| on_way(a[i], b[i], part));
    // `on_screen` is the position of the new vertex on the screen, as a fraction of the edge. If the signs of w differ, the edge
    // passes through infinity, and the fraction is negative.
    let on_screen = part * f64::from(b[3]) / f64::from(position[3]).max(NEAREST_W);
    let mut parts = vec![None; layout.stride];
    for &(offset, width, interpolation) in &layout.varyings {
        parts[offset..][..width].fill(match interpolation {
            Interpolation::Perspective => Some(part),
            Interpolation::Linear => Some(on_screen),
            Interpolation::Flat => None,
        });
    }
    parts[layout.clip_distances.clone()].fill(Some(part));
    store.push(position, |store, place| {
        let (a, b) = (store.values(stays)[place], store.values(goes)[place]);
        parts[place].map_or(a, |part| on_way(f32::from_bits(a), f32::from_bits(b), part).to_bits())
    })
}
