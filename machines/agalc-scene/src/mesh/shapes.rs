//! The built-in shapes.

#![cfg_attr(
    not(test),
    expect(clippy::indexing_slicing, reason = "indices into arrays of three and four are constants")
)]

use std::f64::consts::TAU;

use super::{Mesh, Point, Vertex};
use crate::matrix::{cross, minus, normal};
use crate::number::{single, unit};

/// A built-in shape, centred on the origin unless stated otherwise. `segments` are the numbers of rectangles in two directions.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum Shape {
    /// A rectangle in x and y that faces -z, with sides of these lengths, and rectangles across and down.
    Quad { size: [f64; 2], segments: [u32; 2] },
    /// A rectangle in x and z that faces up, with sides of these lengths, and rectangles across and down.
    Plane { size: [f64; 2], segments: [u32; 2] },
    /// A box with sides of these lengths, and the same number of rectangles along each side of a face.
    Cube { size: [f64; 3], segments: u32 },
    /// A sphere with rectangles around and down; u goes around, v from the upper pole to the lower one.
    Sphere { radius: f64, segments: [u32; 2] },
    /// A torus around y with the radii of its ring and its tube, and rectangles along the ring and around the tube.
    Torus { radius: f64, tube: f64, segments: [u32; 2] },
    /// A knotted tube with the radii of the knot and of the tube, and rectangles along and around the tube.
    Knot { radius: f64, tube: f64, segments: [u32; 2] },
    /// A closed cylinder along y with a chain of `bones` bones, and rectangles around and along. Two bones move each vertex.
    Cylinder { radius: f64, length: f64, bones: u32, segments: [u32; 2] },
    /// `count` rectangles scattered in a cube from -1 to 1. All corners of a rectangle are at its centre and differ in uv; colour and
    /// weights are random numbers from a seed.
    Sprites { count: u32, seed: u32 },
    /// A rectangle that covers the picture, in clip space at depth 0.
    Rectangle,
    /// One triangle that covers the picture, in clip space at depth 0.
    Triangle,
}

impl Shape {
    /// The words for shapes in scenes, with their defaults.
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

    /// Returns the shape with a name.
    pub fn named(name: &str) -> Option<Shape> {
        Shape::WORDS.iter().find(|(word, _)| *word == name).map(|(_, shape)| shape.clone())
    }

    /// Returns the shape's triangles.
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
                // A pole is one point.
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

/// Returns the sine and cosine of a fraction of a turn; a whole turn counts as 0, so that closed shapes close exactly.
fn round(turns: f64) -> (f64, f64) {
    let part = turns - turns.floor();
    if part == 0.0 { (0.0, 1.0) } else { libm::sincos(part * TAU) }
}

/// Returns a point of a parallelogram around a centre.
fn flat(middle: [f64; 3], right: [f64; 3], down: [f64; 3], u: f64, v: f64) -> Point {
    let position = [0, 1, 2].map(|i| middle[i] + right[i] * (u - 0.5) + down[i] * (v - 0.5));
    // All corners of a sprite are at its centre; its normal is towards the default camera.
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

/// A tube along a torus knot that winds three times through a ring while it goes twice around it.
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

/// Binds a vertex of a cylinder to its two nearest bones, weighted by distance.
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
