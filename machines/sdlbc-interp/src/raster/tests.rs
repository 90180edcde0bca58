//! Tests of drawing, pixel by pixel, with shaders written in Rust.

mod cover;
mod shade;

use std::collections::{BTreeMap, HashSet};
use std::sync::atomic::{AtomicUsize, Ordering};

use sdlbc::{Interpolation, Module};

use super::{draw, draw_on};
use crate::{
    Column, Cull, DepthTest, Draw, Fragments, Image, LANES, Shaded, Shader, Topology, Transformed, Varying, Vertices,
};

#[derive(Default)]
struct Fragment {
    colours: Vec<[f32; 4]>,
    depth: Option<f32>,
    discard: bool,
}

struct Lane<'a> {
    fragments: &'a Fragments<'a>,
    lane: usize,
}

impl Lane<'_> {
    fn varying(&self, number: usize) -> [f32; 4] {
        self.fragments.varyings[number].map(|column| f32::from_bits(column[self.lane]))
    }

    /// Returns the value of a varying in another lane of the fragment's quad.
    fn of_lane(&self, number: usize, lane: usize) -> [f32; 4] {
        self.fragments.varyings[number].map(|column| f32::from_bits(column[self.lane / 4 * 4 + lane]))
    }

    fn coordinate(&self) -> [f32; 4] {
        self.fragments.coordinate.map(|column| f32::from_bits(column[self.lane]))
    }
}

type Run<'a> = dyn Fn(&Lane<'_>) -> Fragment + Sync + 'a;

/// A shader for tests. Attribute 0 is the position, attribute n + 1 is varying n, and each further attribute contains four clip
/// distances.
struct Paint<'a> {
    varyings: Vec<Varying>,
    run: &'a Run<'a>,
    clips: usize,
    writes_depth: bool,
    shaded: AtomicUsize,
    transformed: AtomicUsize,
    fails_after: usize,
}

impl<'a> Paint<'a> {
    fn new(interpolations: &[Interpolation], run: &'a Run<'a>) -> Paint<'a> {
        let varyings = interpolations
            .iter()
            .enumerate()
            .map(|(location, &interpolation)| Varying { location: location as u32, width: 4, interpolation })
            .collect();
        let (shaded, transformed) = Default::default();
        Paint { varyings, run, clips: 0, writes_depth: false, shaded, transformed, fails_after: usize::MAX }
    }
}

impl Shader for Paint<'_> {
    fn varyings(&self) -> &[Varying] {
        &self.varyings
    }

    fn clip_distances(&self) -> usize {
        self.clips
    }

    fn vertex(&self, vertices: &Vertices<'_>) -> Transformed {
        self.transformed.fetch_add(vertices.live.count_ones() as usize, Ordering::Relaxed);
        let attribute = |location| (vertices.attributes)(location).unwrap_or([[0; LANES]; 4]);
        let mut position = attribute(0);
        for (x, instance) in position[0].iter_mut().zip(vertices.instance) {
            // Instances are placed next to each other, one unit of x apart.
            *x = (f32::from_bits(*x) + instance as f32).to_bits();
        }
        let after = self.varyings.len() as u32 + 1;
        let clip_distances = (0..self.clips).map(|n| attribute(after + n as u32 / 4)[n % 4]).collect();
        let varyings = (1..after).map(attribute).collect();
        Transformed { position, varyings, clip_distances }
    }

    fn fragment(&self, fragments: &Fragments<'_>, shaded: &mut Shaded) {
        let mut pixels = HashSet::new();
        let mut live = fragments.live;
        let mut colours: Vec<Option<[Column; 4]>> = Vec::new();
        let mut depth = None;
        for lane in 0..LANES {
            let one = Lane { fragments, lane };
            let [x, y, ..] = one.coordinate();
            if fragments.live >> lane & 1 == 1 {
                assert!(pixels.insert((x as u32, y as u32)), "no batch contains a pixel twice");
                assert_eq!([(x as u32 % 2) as usize, (y as u32 % 2) as usize], [lane % 2, lane / 2 % 2]);
                self.shaded.fetch_add(1, Ordering::Relaxed);
            } else {
                continue;
            }
            let fragment = (self.run)(&one);
            if fragment.discard {
                live &= !(1 << lane);
            }
            colours.resize(colours.len().max(fragment.colours.len()), Some([[0; LANES]; 4]));
            for (columns, colour) in colours.iter_mut().flatten().zip(fragment.colours) {
                for (column, component) in columns.iter_mut().zip(colour) {
                    column[lane] = component.to_bits();
                }
            }
            if let Some(given) = fragment.depth {
                depth.get_or_insert([0; LANES])[lane] = given.to_bits();
            }
        }
        *shaded = Shaded { live, colours, depth };
    }

    fn writes_depth(&self) -> bool {
        self.writes_depth
    }

    fn failed(&self) -> bool {
        self.shaded.load(Ordering::Relaxed) > self.fails_after
    }
}

/// Returns a draw of triangles. List n in `attributes` contains the values of attribute n.
fn mesh(size: [u32; 2], attributes: &[&[[f32; 4]]]) -> Draw {
    let count = attributes.first().map_or(0, |positions| positions.len());
    let bits = |list: &&[[f32; 4]]| list.iter().map(|vector| vector.map(f32::to_bits)).collect();
    Draw {
        attributes: (0..).zip(attributes.iter().map(bits)).collect::<BTreeMap<u32, _>>(),
        indices: (0..count as u32).collect(),
        ..Draw::new(Module::default(), size[0], size[1])
    }
}

/// Converts a position in pixels, with a depth and w, to clip space.
fn at(size: [u32; 2], x: f32, y: f32, z: f32, w: f32) -> [f32; 4] {
    [(x / size[0] as f32 * 2.0 - 1.0) * w, (1.0 - y / size[1] as f32 * 2.0) * w, z * w, w]
}

fn colour(colour: [f32; 4]) -> Fragment {
    Fragment { colours: vec![colour], ..Fragment::default() }
}

fn pixel(image: &Image, x: u32, y: u32) -> [f32; 4] {
    image.targets[0][(y * image.width + x) as usize]
}
