//! Reads the `mesh` entry of a scene file: a shape's name, a table with a shape's dimensions, or the path of an OBJ file.

use std::path::PathBuf;

use crate::error::{Error, ErrorKind};
use crate::mesh::Shape;
use crate::reader::{Node, Table, unknown_word};
use crate::store::Folder;

/// The source of a scene's mesh.
#[derive(Clone, Debug, PartialEq)]
pub enum Body {
    /// A built-in shape, with its dimensions.
    Shape(Shape),
    /// The path of an OBJ file.
    File(PathBuf),
}

const SEGMENTS: u32 = 1024;

pub(crate) fn read(node: &Node<'_>, folder: Folder<'_>) -> Result<Body, Error> {
    if let Some(word) = node.text() {
        if word.contains('.') {
            return node.file(folder).map(Body::File);
        }
        return named(node).map(Body::Shape);
    }
    let table = node.table("a mesh")?;
    if let Some(file) = table.find("file") {
        table.only(&["file"])?;
        return file.file(folder).map(Body::File);
    }
    let mut shape = named(&table.need("shape")?)?;
    measure(&mut shape, table)?;
    Ok(Body::Shape(shape))
}

fn named(node: &Node<'_>) -> Result<Shape, Error> {
    let name = node.string("a shape's name")?;
    let words = Shape::WORDS;
    let known = words.iter().map(|(word, _)| *word);
    Shape::named(name).ok_or_else(|| node.error(unknown_word(name, "shape", known)))
}

/// Reads a shape's dimensions from a table. A dimension that the table lacks keeps its default.
fn measure(shape: &mut Shape, table: Table<'_>) -> Result<(), Error> {
    let length = |key: &str, into: &mut f64| table.set(key, into, |node| node.number(1e-6..=1e6));
    let two = |into: &mut [u32; 2], least: u32| {
        table.set("segments", into, |node| match node.list().as_deref() {
            Some([a, b]) => Ok([a.whole(least..=SEGMENTS)?, b.whole(least..=SEGMENTS)?]),
            _ => Err(node.expected("a list of 2 numbers")),
        })
    };
    match shape {
        Shape::Quad { size, segments } | Shape::Plane { size, segments } => {
            table.only(&["shape", "size", "segments"])?;
            table.set("size", size, Node::vector)?;
            two(segments, 1)?;
        }
        Shape::Cube { size, segments } => {
            table.only(&["shape", "size", "segments"])?;
            table.set("size", size, Node::vector)?;
            table.set("segments", segments, |node| node.whole(1..=SEGMENTS))?;
        }
        Shape::Sphere { radius, segments } => {
            table.only(&["shape", "radius", "segments"])?;
            length("radius", radius)?;
            two(segments, 3)?;
        }
        Shape::Torus { radius, tube, segments } | Shape::Knot { radius, tube, segments } => {
            table.only(&["shape", "radius", "tube", "segments"])?;
            length("radius", radius)?;
            length("tube", tube)?;
            two(segments, 3)?;
        }
        Shape::Cylinder { radius, length: own, bones, segments } => {
            table.only(&["shape", "radius", "length", "bones", "segments"])?;
            length("radius", radius)?;
            length("length", own)?;
            table.set("bones", bones, |node| node.whole(1..=64))?;
            two(segments, 3)?;
        }
        Shape::Sprites { count, seed } => {
            table.only(&["shape", "count", "seed"])?;
            table.set("count", count, |node| node.whole(1..=100_000))?;
            table.set("seed", seed, |node| node.whole(0..=u32::MAX))?;
        }
        Shape::Rectangle | Shape::Triangle => {
            table.only(&["shape"])?;
        }
    }
    if let Shape::Quad { size: [a, b], .. } | Shape::Plane { size: [a, b], .. } = shape
        && (*a <= 0.0 || *b <= 0.0)
    {
        return Err(table.error(ErrorKind::Degenerate { what: "the sides of a shape must be greater than 0" }));
    }
    Ok(())
}
