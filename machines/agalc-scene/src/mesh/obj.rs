//! OBJ files with positions, texture coordinates, normals and faces.
//!
//! An OBJ file is right-handed, with counterclockwise faces and v upward. A mesh is left-handed, with clockwise faces and v
//! downward. Therefore the reader negates z, replaces v with 1 - v, and reverses the order of corners.

use std::collections::BTreeMap;
use std::ops::Range;

use sdlbc::nearest::nearest;

use super::{Mesh, Vertex};
use crate::error::{Error, ErrorKind, ObjError};
use crate::matrix::{cross, dot, minus, normal};
use crate::number::{count, single};
use crate::reader::Text;

/// The maximum number of vertices, and also the maximum number of triangles.
const MOST: usize = 1 << 21;

/// The keywords of the lines that the reader ignores, such as groups, materials, lines, points and curves.
const IGNORED: &str = "o g s mg usemtl mtllib l p vp cstype deg bmat step curv curv2 surf parm trim hole scrv \
    sp end con bevel c_interp d_interp lod shadow_obj trace_obj ctech stech usemap maplib";

/// The indices of a corner's position, texture coordinate and normal, counted from 0.
type Corner = (usize, Option<usize>, Option<usize>);

#[derive(Default)]
struct Reading {
    positions: Vec<[f64; 3]>,
    colours: Vec<Option<[f32; 3]>>,
    uvs: Vec<[f64; 2]>,
    normals: Vec<[f64; 3]>,
    triangles: Vec<[Corner; 3]>,
}

/// Reads an OBJ file. Errors do not quote content that does not look like an OBJ file, because the content may be secret.
pub(crate) fn read(text: &Text) -> Result<Mesh, Error> {
    let mut reading = Reading::default();
    let wrong = |reading: &Reading, span: Range<usize>, error: ObjError| match (reading.looks_like_obj(), error) {
        (true, error) => text.error(span, ErrorKind::Obj(error)),
        (false, ObjError::Keyword { .. } | ObjError::NoNumber { .. } | ObjError::Corner { .. }) => {
            Error { text: None, ..text.error(span, ErrorKind::Obj(ObjError::NoObj)) }
        }
        (false, error) => Error { text: None, ..text.error(span, ErrorKind::Obj(error)) },
    };
    let mut start = 0;
    // A line that ends with a backslash continues on the next line.
    let mut line = String::new();
    let mut first = 0;
    for part in text.text.split_inclusive('\n') {
        if line.is_empty() {
            first = start;
        }
        start += part.len();
        let part = part.trim_end_matches(['\n', '\r']);
        match part.strip_suffix('\\') {
            Some(part) => line = line + part + " ",
            None => {
                line += part;
                let read = reading.line(&line);
                let end = first + line.len();
                read.map_err(|error| wrong(&reading, first..end.min(text.text.len()), error))?;
                line.clear();
            }
        }
    }
    let read = reading.line(&line);
    read.map_err(|error| wrong(&reading, first..text.text.len(), error))?;
    if reading.triangles.is_empty() {
        return Err(Error::of(&text.name, ErrorKind::Obj(ObjError::NoFaces)));
    }
    Ok(reading.mesh())
}

impl Reading {
    /// Reports whether the file has already defined a position, a texture coordinate or a normal.
    fn looks_like_obj(&self) -> bool {
        !(self.positions.is_empty() && self.uvs.is_empty() && self.normals.is_empty())
    }

    fn line(&mut self, line: &str) -> Result<(), ObjError> {
        let line = line.split('#').next().unwrap_or_default();
        let mut words = line.split_whitespace();
        let Some(keyword) = words.next() else { return Ok(()) };
        match keyword {
            "v" => {
                let numbers = numbers(words, "v", 3)?;
                if let [x, y, z, rest @ ..] = &numbers[..] {
                    self.positions.push([*x, *y, -z]);
                    // Some programs write a colour after the position.
                    let colour = if let [r, g, b] = rest { Some([*r, *g, *b].map(single)) } else { None };
                    self.colours.push(colour);
                }
            }
            "vt" => {
                let numbers = numbers(words, "vt", 1)?;
                let of = |i: usize| numbers.get(i).copied().unwrap_or(0.0);
                self.uvs.push([of(0), 1.0 - of(1)]);
            }
            "vn" => {
                let numbers = numbers(words, "vn", 3)?;
                if let [x, y, z, ..] = numbers[..] {
                    self.normals.push(normal([x, y, -z]).unwrap_or([0.0; 3]));
                }
            }
            "f" => self.face(words)?,
            word if IGNORED.split(' ').any(|ignored| ignored == word) => {}
            word => {
                let known = ["v", "vt", "vn", "f"].into_iter().chain(IGNORED.split(' '));
                let near = nearest(word, known).map(str::to_string);
                return Err(ObjError::Keyword { word: word.to_string(), near });
            }
        }
        for (what, count) in
            [("positions", self.positions.len()), ("triangles", self.triangles.len()), ("normals", self.normals.len())]
        {
            if count > MOST {
                return Err(ObjError::TooMany { what, most: MOST });
            }
        }
        Ok(())
    }

    /// Reads a face, and splits the face into triangles that share its first corner.
    fn face<'w>(&mut self, words: impl Iterator<Item = &'w str>) -> Result<(), ObjError> {
        let corners: Vec<Corner> = words.map(|word| self.corner(word)).collect::<Result<_, _>>()?;
        let [first, rest @ ..] = &corners[..] else { return Err(ObjError::Corners { found: 0 }) };
        if rest.len() < 2 {
            return Err(ObjError::Corners { found: corners.len() });
        }
        for pair in rest.windows(2) {
            if let [second, third] = *pair {
                self.triangles.push([*first, third, second]);
            }
        }
        Ok(())
    }

    fn corner(&self, word: &str) -> Result<Corner, ObjError> {
        let bad = || ObjError::Corner { word: word.to_string() };
        let mut parts = word.split('/').map(|part| match part {
            "" => Ok(None),
            part => part.parse::<i64>().map(Some).map_err(|_| bad()),
        });
        let mut part = || parts.next().unwrap_or(Ok(None));
        let (position, uv, normal) = (part()?, part()?, part()?);
        if parts.next().is_some() {
            return Err(bad());
        }
        let position = position.ok_or_else(bad)?;
        Ok((
            place("positions", position, self.positions.len())?,
            uv.map(|uv| place("texture coordinates", uv, self.uvs.len())).transpose()?,
            normal.map(|normal| place("normals", normal, self.normals.len())).transpose()?,
        ))
    }

    fn mesh(&self) -> Mesh {
        let smooth = self.smooth_normals();
        let mut mesh = Mesh::default();
        let mut known: BTreeMap<Corner, u32> = BTreeMap::new();
        for &corner in self.triangles.iter().flatten() {
            let next = count(mesh.vertices.len());
            let index = *known.entry(corner).or_insert(next);
            if index == next {
                mesh.vertices.push(self.vertex(corner, &smooth));
            }
            mesh.indices.push(index);
        }
        mesh.find_tangents();
        mesh
    }

    fn vertex(&self, (position, uv, normal): Corner, smooth: &[[f64; 3]]) -> Vertex {
        let own = normal.and_then(|normal| self.normals.get(normal));
        let normal = own.or(smooth.get(position)).copied().unwrap_or_default();
        let colour = self.colours.get(position).copied().flatten().map(|[r, g, b]| [r, g, b, 1.0]);
        Vertex {
            position: self.positions.get(position).copied().unwrap_or_default().map(single),
            normal: normal.map(single),
            uv: uv.and_then(|uv| self.uvs.get(uv)).copied().unwrap_or_default().map(single),
            tangent: [0.0; 4],
            colour: colour.unwrap_or_else(|| super::colour_of(normal)),
            bones: [0.0; 4],
            weights: [1.0, 0.0, 0.0, 0.0],
        }
    }

    /// Returns a normal for each position: the weighted mean of the normals of adjacent triangles. A triangle's weight is its
    /// angle at the position, so the result does not depend on how faces are split.
    fn smooth_normals(&self) -> Vec<[f64; 3]> {
        let mut sums = vec![[0.0; 3]; self.positions.len()];
        for corners in &self.triangles {
            let [a, b, c] = corners.map(|corner| self.positions.get(corner.0).copied().unwrap_or_default());
            let Some(up) = normal(cross(minus(b, a), minus(c, a))) else { continue };
            for (corner, [at, next, last]) in corners.iter().zip([[a, b, c], [b, c, a], [c, a, b]]) {
                let (p, q) = (minus(next, at), minus(last, at));
                let angle = libm::atan2(dot(up, cross(p, q)), dot(p, q));
                if let Some(sum) = sums.get_mut(corner.0) {
                    sum.iter_mut().zip(up).for_each(|(sum, up)| *sum += up * angle);
                }
            }
        }
        sums.into_iter().map(|sum| normal(sum).unwrap_or([0.0, 1.0, 0.0])).collect()
    }
}

/// Reads at least `least` numbers from a line.
fn numbers<'w>(
    words: impl Iterator<Item = &'w str>,
    keyword: &'static str,
    least: usize,
) -> Result<Vec<f64>, ObjError> {
    let number = |word: &str| match word.parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number),
        _ => Err(ObjError::NoNumber { word: word.to_string() }),
    };
    let numbers: Vec<f64> = words.map(number).collect::<Result<_, _>>()?;
    if numbers.len() < least {
        return Err(ObjError::Count { keyword, least, found: numbers.len() });
    }
    Ok(numbers)
}

/// Converts an OBJ index, which counts from 1 or backward from the end, to an index that counts from 0.
fn place(what: &'static str, index: i64, count: usize) -> Result<usize, ObjError> {
    let at = if index < 0 { i64::try_from(count).unwrap_or(i64::MAX).checked_add(index) } else { index.checked_sub(1) };
    let at = at.and_then(|at| usize::try_from(at).ok()).filter(|&at| at < count);
    at.ok_or(ObjError::Index { what, index, count })
}
