//! Meshes: built-in shapes and OBJ files, with all the data that a vertex program may read.
//!
//! Front faces are clockwise when seen from outside, in left-handed coordinates. On a front face, u increases to the right and v
//! downward. Shapes are computed in f64 with `libm`.

#![cfg_attr(
    not(test),
    expect(clippy::indexing_slicing, reason = "indices into arrays of three and four are constants")
)]

mod obj;
mod shapes;

pub use shapes::Shape;

use crate::matrix::{cross, dot, minus, normal};
use crate::number::{count, single};

/// A vertex of a mesh.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Vertex {
    /// The vertex's position in model space.
    pub position: [f32; 3],
    /// The surface normal at the vertex, in model space.
    pub normal: [f32; 3],
    /// The texture coordinates u and v; v increases downward.
    pub uv: [f32; 2],
    /// The direction in which u increases, followed by a sign of 1 or -1. The direction in which v increases is the cross product
    /// of the normal and the tangent, multiplied by the sign.
    pub tangent: [f32; 4],
    /// The colour as red, green, blue and alpha.
    pub colour: [f32; 4],
    /// For each bone that moves the vertex, the offset of the first of the bone's three registers.
    pub bones: [f32; 4],
    /// The weights of the bones, which add up to 1 except in sprites. A sprite has four random weights.
    pub weights: [f32; 4],
}

/// The vertex data that an attribute register reads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Attribute {
    /// The position as x, y, z, 1.
    Position,
    /// The normal as x, y, z, 1.
    Normal,
    /// The texture coordinates as u, v, 0, 1.
    Uv,
    /// The tangent as x, y, z, and the sign of the bitangent.
    Tangent,
    /// The colour as red, green, blue and alpha.
    Colour,
    /// For each of four bones, the offset of the bone's first register.
    Bones,
    /// The weights of four bones.
    Weights,
    /// The vertex's number as the first component, followed by 0, 0, 1.
    Number,
    /// A constant: the same four numbers for every vertex.
    All([f32; 4]),
}

impl Attribute {
    /// The words by which scenes name attributes.
    pub const WORDS: [(&'static str, Attribute); 8] = [
        ("position", Attribute::Position),
        ("normal", Attribute::Normal),
        ("uv", Attribute::Uv),
        ("tangent", Attribute::Tangent),
        ("colour", Attribute::Colour),
        ("bones", Attribute::Bones),
        ("weights", Attribute::Weights),
        ("number", Attribute::Number),
    ];

    /// The default attributes of `va0` to `va6`.
    pub const USUAL: [Attribute; 7] = [
        Attribute::Position,
        Attribute::Uv,
        Attribute::Normal,
        Attribute::Tangent,
        Attribute::Colour,
        Attribute::Bones,
        Attribute::Weights,
    ];

    /// Returns the word by which scenes name the attribute, or an empty string for [`Attribute::All`].
    pub fn word(self) -> &'static str {
        Attribute::WORDS.iter().find(|(_, attribute)| *attribute == self).map_or("", |(word, _)| word)
    }

    /// Returns the attribute's four components at a vertex with the given number.
    pub fn of(self, vertex: &Vertex, number: usize) -> [f32; 4] {
        let with_one = |[x, y, z]: [f32; 3]| [x, y, z, 1.0];
        match self {
            Attribute::Position => with_one(vertex.position),
            Attribute::Normal => with_one(vertex.normal),
            Attribute::Uv => [vertex.uv[0], vertex.uv[1], 0.0, 1.0],
            Attribute::Tangent => vertex.tangent,
            Attribute::Colour => vertex.colour,
            Attribute::Bones => vertex.bones,
            Attribute::Weights => vertex.weights,
            Attribute::Number => [number as f32, 0.0, 0.0, 1.0],
            Attribute::All(value) => value,
        }
    }
}

/// A mesh of triangles.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// The vertices, which triangles may share.
    pub vertices: Vec<Vertex>,
    /// The vertex indices, three per triangle.
    pub indices: Vec<u32>,
}

/// A point of a surface, from which a vertex is built.
struct Point {
    position: [f64; 3],
    normal: [f64; 3],
    /// The direction in which u increases.
    tangent: [f64; 3],
}

impl Point {
    fn vertex(&self, uv: [f64; 2]) -> Vertex {
        let [x, y, z] = self.tangent.map(single);
        Vertex {
            position: self.position.map(single),
            normal: self.normal.map(single),
            uv: uv.map(single),
            // The sign is 1, because v increases along the cross product of the normal and the tangent.
            tangent: [x, y, z, 1.0],
            colour: colour_of(self.normal),
            bones: [0.0; 4],
            weights: [1.0, 0.0, 0.0, 0.0],
        }
    }
}

fn colour_of([x, y, z]: [f64; 3]) -> [f32; 4] {
    let of = |n: f64| single(n * 0.5 + 0.5);
    [of(x), of(y), of(-z), 1.0]
}

impl Mesh {
    /// Adds a surface that is divided into `across` times `down` rectangles.
    fn surface(&mut self, [across, down]: [u32; 2], point: impl Fn(f64, f64) -> Point) {
        let first = count(self.vertices.len());
        for row in 0..=down {
            for column in 0..=across {
                let uv = [f64::from(column) / f64::from(across), f64::from(row) / f64::from(down)];
                self.vertices.push(point(uv[0], uv[1]).vertex(uv));
            }
        }
        for row in 0..down {
            for column in 0..across {
                let corner = |x: u32, y: u32| first + (row + y) * (across + 1) + column + x;
                let [a, b, c, d] = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
                self.triangle([a, b, c]);
                self.triangle([a, c, d]);
            }
        }
    }

    /// Adds a triangle, unless two of its corners coincide, as at a sphere's pole.
    fn triangle(&mut self, corners: [u32; 3]) {
        let [a, b, c] = corners.map(|corner| self.vertices.get(corner as usize).map(|vertex| vertex.position));
        if a != b && b != c && c != a {
            self.indices.extend(corners);
        }
    }

    /// Computes tangents from the texture coordinates.
    fn find_tangents(&mut self) {
        let wide = |a: [f32; 3]| a.map(f64::from);
        let mut sums = vec![([0.0; 3], [0.0; 3]); self.vertices.len()];
        for corners in self.indices.chunks_exact(3) {
            let of = |i: usize| self.vertices.get(corners[i] as usize).copied().unwrap_or_default();
            let [a, b, c] = [of(0), of(1), of(2)];
            let (p, q) = (minus(wide(b.position), wide(a.position)), minus(wide(c.position), wide(a.position)));
            let uv = |x: Vertex, i: usize| f64::from(x.uv[i]) - f64::from(a.uv[i]);
            let (bu, bv, cu, cv) = (uv(b, 0), uv(b, 1), uv(c, 0), uv(c, 1));
            let area = bu * cv - cu * bv;
            if area == 0.0 {
                continue;
            }
            for &corner in corners {
                let Some((tangent, other)) = sums.get_mut(corner as usize) else { continue };
                for i in 0..3 {
                    tangent[i] += (p[i] * cv - q[i] * bv) / area;
                    other[i] += (q[i] * bu - p[i] * cu) / area;
                }
            }
        }
        for (vertex, (tangent, other)) in self.vertices.iter_mut().zip(sums) {
            let up = wide(vertex.normal);
            let along = dot(up, tangent);
            let flat = [0, 1, 2].map(|i| tangent[i] - up[i] * along);
            // Without texture coordinates, any tangent direction is valid.
            let spare = if up[0].abs() < 0.9 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
            let tangent = normal(flat).or_else(|| normal(cross(up, spare))).unwrap_or([1.0, 0.0, 0.0]);
            let side = if dot(cross(up, tangent), other) < 0.0 { -1.0 } else { 1.0 };
            let [x, y, z] = tangent.map(single);
            vertex.tangent = [x, y, z, side];
        }
    }
}

pub(crate) use obj::read as read_obj;
