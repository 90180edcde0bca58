//! The built-in shapes, which are converted to meshes.

#![cfg_attr(
    not(test),
    expect(clippy::indexing_slicing, reason = "indices into arrays of three and four are constants")
)]

use std::f64::consts::TAU;

use super::{Mesh, Point, Vertex};
use crate::matrix::{cross, minus, normal};
use crate::number::{single, unit};

/// A built-in shape, centred on the origin unless stated otherwise. `segments` contains the numbers of rectangles along the two
/// directions of the surface.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum Shape {
    /// A rectangle in the xy plane that faces -z, with the given side lengths and numbers of rectangles across and down.
    Quad { size: [f64; 2], segments: [u32; 2] },
    /// A rectangle in the xz plane that faces up, with the given side lengths and numbers of rectangles across and down.
    Plane { size: [f64; 2], segments: [u32; 2] },
    /// A box with the given side lengths. Each face has `segments` rectangles along each side.
    Cube { size: [f64; 3], segments: u32 },
    /// A sphere. `segments` counts the rectangles around the sphere and from pole to pole. The coordinate u increases around the
    /// sphere, and v increases from the upper to the lower pole.
    Sphere { radius: f64, segments: [u32; 2] },
    /// A torus around the y axis. `radius` is the radius of the ring, `tube` is the radius of the tube, and `segments` counts the
    /// rectangles along and around the tube.
    Torus { radius: f64, tube: f64, segments: [u32; 2] },
    /// A tube along a knot. `radius` is the radius of the knot, `tube` is the radius of the tube, and `segments` counts the
    /// rectangles along and around the tube.
    Knot { radius: f64, tube: f64, segments: [u32; 2] },
    /// A closed cylinder along the y axis. `segments` counts the rectangles around and along the cylinder. The cylinder has
    /// `bones` bones, two of which move each vertex.
    Cylinder { radius: f64, length: f64, bones: u32, segments: [u32; 2] },
    /// `count` rectangles scattered in a cube from -1 to 1. The seed determines random colours and weights. All corners of a
    /// rectangle are at its centre, and the corners differ only in uv.
    Sprites { count: u32, seed: u32 },
    /// A rectangle in clip space at depth 0 that covers the picture.
    Rectangle,
    /// One triangle in clip space at depth 0 that covers the picture.
    Triangle,
}

impl Shape {
    /// The words that name shapes in scenes, each with the shape's default parameters.
    pub const WORDS: [(&'static str, Shape); 11] = [
        ("quad", Shape::Quad { size: [2.0, 2.0], segments: [1, 1] }),
        ("plane", Shape::Plane { size: [2.0, 2.0], segments: [1, 1] }),
        ("grid", Shape::Plane { size: [2.0, 2.0], segments: [64, 64] }),
        ("cube", Shape::Cube { size: [2.0, 2.0, 2.0], segments: 1 }),
        ("sphere", Shape::Sphere { radius: 1.0, segments: [64, 32] }),
        ("torus", Shape::Torus { radius: 1.0, tube: 0.4, segments: [96, 48] }),
        ("knot", Shape::Knot { radius: 1.0, tube: 0.25, segments: [192, 32] }),
        ("cylinder", Shape::Cylinder { radius: 0.3, length: 2.0, bones: 5, segments: [32, 48] }),
        ("sprites", Shape::Sprites { count: 64, seed: 1 }),
        ("rectangle", Shape::Rectangle),
        ("triangle", Shape::Triangle),
    ];

    /// Returns the named shape with its default parameters; `None` if the name is unknown.
    pub fn named(name: &str) -> Option<Shape> {
        Shape::WORDS.iter().find(|(word, _)| *word == name).map(|(_, shape)| shape.clone())
    }

    /// Builds the shape's mesh.
    pub fn mesh(&self) -> Mesh {
        let mut mesh = Mesh::default();
        match *self {
            Shape::Quad { size: [w, h], segments } => {
                mesh.surface(segments, |u, v| flat([0.0; 3], [w, 0.0, 0.0], [0.0, -h, 0.0], u, v));
            }
            Shape::Plane { size: [w, h], segments } => {
                mesh.surface(segments, |u, v| flat([0.0; 3], [w, 0.0, 0.0], [0.0, 0.0, -h], u, v));
            }
            Shape::Cube { size, segments } => cube(&mut mesh, size, segments),
            Shape::Sphere { radius, segments } => mesh.surface(segments, |u, v| {
                let [(sin, cos), (ring, y)] = [round(u - 0.5), round(v / 2.0)];
                // At a pole, all vertices are at the same point.
                let ring = if v == 0.0 || v == 1.0 { 0.0 } else { ring };
                let normal = [ring * sin, y, -ring * cos];
                Point { position: normal.map(|x| x * radius), normal, tangent: [cos, 0.0, sin] }
            }),
            Shape::Torus { radius, tube, segments } => mesh.surface(segments, |u, v| {
                let [(sin, cos), (up, out)] = [round(u), round(-v)];
                let normal = [out * sin, up, -out * cos];
                let from = radius + tube * out;
                Point { position: [from * sin, tube * up, -from * cos], normal, tangent: [cos, 0.0, sin] }
            }),
            Shape::Knot { radius, tube, segments } => mesh.surface(segments, |u, v| knot(radius, tube, u, v)),
            Shape::Cylinder { radius, length, bones, segments } => {
                cylinder(&mut mesh, radius, length, segments);
                mesh.vertices.iter_mut().for_each(|vertex| bind(vertex, length, bones));
            }
            Shape::Sprites { count, seed } => sprites(&mut mesh, count, seed),
            Shape::Rectangle => mesh.surface([1, 1], |u, v| flat([0.0; 3], [2.0, 0.0, 0.0], [0.0, -2.0, 0.0], u, v)),
            Shape::Triangle => {
                for (x, y) in [(0.0, 0.0), (2.0, 0.0), (0.0, 2.0)] {
                    mesh.vertices.push(flat([0.0; 3], [2.0, 0.0, 0.0], [0.0, -2.0, 0.0], x, y).vertex([x, y]));
                }
                mesh.indices.extend([0, 1, 2]);
            }
        }
        mesh
    }
}

/// Returns the sine and cosine of an angle in turns. A full turn counts as 0, so that closed shapes close exactly.
fn round(turns: f64) -> (f64, f64) {
    let part = turns - turns.floor();
    if part == 0.0 { (0.0, 1.0) } else { libm::sincos(part * TAU) }
}

/// Returns the point at `u` and `v` of a parallelogram with the given centre.
fn flat(middle: [f64; 3], right: [f64; 3], down: [f64; 3], u: f64, v: f64) -> Point {
    let position = [0, 1, 2].map(|i| middle[i] + right[i] * (u - 0.5) + down[i] * (v - 0.5));
    // A sprite has no area, so its normal is the direction towards the default camera.
    let facing = normal(cross(right, down)).unwrap_or([0.0, 0.0, -1.0]);
    Point { position, normal: facing, tangent: normal(right).unwrap_or([1.0, 0.0, 0.0]) }
}

fn cube(mesh: &mut Mesh, size: [f64; 3], segments: u32) {
    const FACES: [[[f64; 3]; 2]; 6] = [
        [[0.0, 0.0, 1.0], [0.0, -1.0, 0.0]],
        [[0.0, 0.0, -1.0], [0.0, -1.0, 0.0]],
        [[1.0, 0.0, 0.0], [0.0, 0.0, -1.0]],
        [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]],
        [[-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]],
        [[1.0, 0.0, 0.0], [0.0, -1.0, 0.0]],
    ];
    for [right, down] in FACES {
        let by = |a: [f64; 3], scale: f64| [0, 1, 2].map(|i| a[i] * size[i] * scale);
        let middle = by(cross(right, down), 0.5);
        mesh.surface([segments; 2], |u, v| flat(middle, by(right, 1.0), by(down, 1.0), u, v));
    }
}

/// Returns a point on a tube along a torus knot. The knot winds three times around the tube of a torus and twice around the
/// torus's axis.
fn knot(radius: f64, tube: f64, u: f64, v: f64) -> Point {
    let place = |u: f64| {
        let [(sin, cos), (up, out)] = [round(2.0 * u), round(3.0 * u)];
        let from = radius * (0.7 + 0.3 * out);
        [from * sin, radius * 0.45 * up, -from * cos]
    };
    let step = 1.0 / 4096.0;
    let along = normal(minus(place(u + step), place(u - step))).unwrap_or([1.0, 0.0, 0.0]);
    let (sin, cos) = round(2.0 * u);
    // The outward direction of the ring, made perpendicular to the tube.
    let side = normal(cross(along, [sin, 0.0, -cos])).unwrap_or([0.0, 1.0, 0.0]);
    let out = cross(side, along);
    let (s, c) = round(-v);
    let normal = [0, 1, 2].map(|i| out[i] * c + side[i] * s);
    let middle = place(u);
    Point { position: [0, 1, 2].map(|i| middle[i] + normal[i] * tube), normal, tangent: along }
}

fn cylinder(mesh: &mut Mesh, radius: f64, length: f64, [around, along]: [u32; 2]) {
    let part = |mesh: &mut Mesh, down: u32, of: &dyn Fn(f64) -> (f64, f64, [f64; 2])| {
        mesh.surface([around, down], |u, v| {
            let (sin, cos) = round(u - 0.5);
            let (from, y, [out, up]) = of(v);
            Point {
                position: [from * sin, y, -from * cos],
                normal: [out * sin, up, -out * cos],
                tangent: [cos, 0.0, sin],
            }
        });
    };
    let half = length / 2.0;
    part(mesh, 1, &|v| (radius * v, half, [0.0, 1.0]));
    part(mesh, along, &|v| (radius, half - length * v, [1.0, 0.0]));
    part(mesh, 1, &|v| (radius * (1.0 - v), -half, [0.0, -1.0]));
}

/// Binds a vertex of a cylinder to the two nearest bones. A nearer bone has a greater weight.
fn bind(vertex: &mut Vertex, length: f64, bones: u32) {
    let along = (f64::from(vertex.position[1]) / length + 0.5) * f64::from(bones) - 0.5;
    let last = f64::from(bones.saturating_sub(1));
    let along = along.clamp(0.0, last);
    let below = along.floor().min((last - 1.0).max(0.0));
    let part = along - below;
    let above = (below + 1.0).min(last);
    let smooth = single(part * part * (3.0 - 2.0 * part));
    vertex.bones = [single(below) * 3.0, single(above) * 3.0, 0.0, 0.0];
    vertex.weights = [1.0 - smooth, smooth, 0.0, 0.0];
}

fn sprites(mesh: &mut Mesh, count: u32, seed: u32) {
    for sprite in 0..count {
        let random = |what: u32| unit([sprite, what, seed]);
        let middle = [0, 1, 2].map(|axis| random(axis) * 2.0 - 1.0);
        let first = crate::number::count(mesh.vertices.len());
        for (x, y) in [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)] {
            let mut vertex = flat(middle, [0.0; 3], [0.0; 3], x, y).vertex([x, y]);
            let [r, g, b] = [3, 4, 5].map(|what| single(random(what)));
            vertex.colour = [r, g, b, 1.0];
            vertex.weights = [6, 7, 8, 9].map(|what| single(random(what)));
            mesh.vertices.push(vertex);
        }
        mesh.indices.extend([0, 1, 2, 0, 2, 3].map(|corner| first + corner));
    }
}
