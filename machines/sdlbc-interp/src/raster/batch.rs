//! Collects the fragment quads of one or several triangles into batches that are shaded together.
//!
//! No batch covers a pixel twice, and batches are written in order, so each pixel receives its fragments in primitive order.

use sdlbc::Interpolation;

use super::interpolate::Weights;
use super::layout::Layout;
use super::primitive::{Primitive, Triangle};
use super::vertices::Vertices;
use crate::simd::Simd;
use crate::{Column, DepthTest, Fragments, LANES, Mask, Shaded, Shader};

/// A range of rows of every render target and of the depth buffer.
pub(super) struct Band<'a> {
    /// The band's first row.
    pub(super) top: u32,
    /// The row after the band's last row.
    pub(super) end: u32,
    /// The number of rows per band, which is even. The last band may have fewer rows.
    pub(super) rows: u32,
    pub(super) targets: Vec<&'a mut [[f32; 4]]>,
    pub(super) depth: Option<&'a mut [f32]>,
    pub(super) cleared: bool,
}

impl Band<'_> {
    /// Fills the pixels of each target with the target's colour and the depths with 1, unless the band has already been cleared.
    pub(super) fn clear(&mut self, colours: &[[f32; 4]]) {
        if !self.cleared {
            self.cleared = true;
            self.targets.iter_mut().zip(colours).for_each(|(target, &colour)| target.fill(colour));
            self.depth.iter_mut().for_each(|depth| depth.fill(1.0));
        }
    }
}

/// The number of quads per batch.
const QUADS: usize = LANES / 4;

pub(super) struct Context<'a> {
    pub(super) shader: &'a dyn Shader,
    pub(super) layout: &'a Layout,
    pub(super) depth: Option<DepthTest>,
    pub(super) store: &'a Vertices,
    pub(super) primitives: &'a [Primitive],
    pub(super) width: u32,
    /// The loops over lanes, compiled for the current processor.
    pub(super) simd: Simd,
}

#[derive(Clone, Copy, Default)]
struct Quad {
    primitive: usize,
    x: u32,
    y: u32,
    covered: u8,
}

pub(super) struct Batch<'a> {
    context: &'a Context<'a>,
    /// Whether hidden fragments can be dropped before they are shaded.
    early: bool,
    front: bool,
    count: usize,
    quads: [Quad; QUADS],
    live: Mask,
    coordinate: [Column; 4],
    on_screen: Weights,
    in_space: Weights,
    varyings: Vec<[Column; 4]>,
    shaded: Shaded,
    /// For each quad in a band, the number of the last batch that covers pixels of the quad, and a mask of these pixels.
    last: Vec<(u64, u8)>,
    number: u64,
    failed: bool,
}

impl<'a> Batch<'a> {
    pub(super) fn new(context: &'a Context<'a>, rows: u32) -> Batch<'a> {
        let test = context.depth.is_some_and(|test| test != DepthTest::Always);
        Batch {
            context,
            early: test && !context.shader.writes_depth(),
            front: true,
            count: 0,
            quads: [Quad::default(); QUADS],
            live: 0,
            coordinate: [[0; LANES]; 4],
            on_screen: [[0.0; LANES]; 2],
            in_space: [[0.0; LANES]; 2],
            varyings: vec![[[0; LANES]; 4]; context.layout.varyings.len()],
            shaded: Shaded::default(),
            last: vec![(0, 0); context.width.div_ceil(2) as usize * rows.div_ceil(2) as usize],
            number: 1,
            failed: false,
        }
    }

    pub(super) fn failed(&self) -> bool {
        self.failed
    }

    /// Adds the quad whose upper left pixel is at (`x`, `y`). The batch is flushed first if it is full, contains primitives
    /// that face the other way, or already covers one of the pixels.
    pub(super) fn add(&mut self, band: &mut Band<'_>, primitive: usize, x: u32, y: u32, covered: u8) {
        let context = self.context;
        let front = context.primitives[primitive].front();
        let place = ((y - band.top) / 2 * context.width.div_ceil(2) + x / 2) as usize;
        let (number, taken) = self.last[place];
        let twice = number == self.number && taken & covered != 0;
        if self.count == QUADS || front != self.front || twice {
            self.flush(band);
            self.front = front;
        }
        match &context.primitives[primitive] {
            Primitive::Triangle(triangle) => self.set_triangle(triangle, x, y),
            Primitive::Point(point) => self.set_lanes(x, y, [point.depth; 4], [point.inverse_w; 4]),
        }
        let covered = if self.early { self.visible(band, x, y, covered) } else { covered };
        if covered == 0 {
            return;
        }
        let (number, taken) = self.last[place];
        self.last[place] = (self.number, if number == self.number { taken | covered } else { covered });
        self.live |= Mask::from(covered) << (4 * self.count);
        self.quads[self.count] = Quad { primitive, x, y, covered };
        self.count += 1;
    }

    /// Sets the lanes of the next quad to a triangle's weights, depth and 1 / w.
    fn set_triangle(&mut self, triangle: &Triangle, x: u32, y: u32) {
        let on_screen = triangle.weights(x, y);
        let [z, w] = [triangle.depth, triangle.inverse_w];
        let (to_second, to_third) = (z[1] - z[0], z[2] - z[0]);
        let depth = quad(|i| z[0] + on_screen[1][i] * to_second + on_screen[2][i] * to_third);
        let mut inverse_w = [w[0]; 4];
        let mut in_space = on_screen;
        // If all vertices have the same w, the perspective weights are exactly the screen-space weights.
        if w != inverse_w[..3] {
            let through = |corner: usize| quad(|i| on_screen[corner][i] * w[corner]);
            let [a, b, c] = [through(0), through(1), through(2)];
            inverse_w = quad(|i| a[i] + b[i] + c[i]);
            in_space = [a, quad(|i| b[i] / inverse_w[i]), quad(|i| c[i] / inverse_w[i])];
        }
        for (to, from) in [(&mut self.on_screen, on_screen), (&mut self.in_space, in_space)] {
            for (to, from) in to.iter_mut().zip(&from[1..]) {
                to.as_chunks_mut::<4>().0[self.count] = *from;
            }
        }
        self.set_lanes(x, y, depth, inverse_w);
    }

    fn set_lanes(&mut self, x: u32, y: u32, depth: [f32; 4], inverse_w: [f32; 4]) {
        let (x, y) = (x as f32 + 0.5, y as f32 + 0.5);
        let depth = quad(|i| hold(depth[i]));
        let lanes = [[x, x + 1.0, x, x + 1.0], [y, y, y + 1.0, y + 1.0], depth, inverse_w];
        for (column, values) in self.coordinate.iter_mut().zip(lanes) {
            set(column, self.count, values);
        }
    }

    /// Returns the covered pixels of the next quad that would pass the depth test.
    fn visible(&self, band: &Band<'_>, x: u32, y: u32, covered: u8) -> u8 {
        let mut visible = covered;
        if let (Some(test), Some(depths)) = (self.context.depth, &band.depth) {
            for lane in 0..4 {
                let depth = f32::from_bits(self.coordinate[2][4 * self.count + lane]);
                if covered >> lane & 1 == 1 && !passes(test, depth, depths[self.index(band, x, y, lane)]) {
                    visible &= !(1 << lane);
                }
            }
        }
        visible
    }

    fn index(&self, band: &Band<'_>, x: u32, y: u32, lane: usize) -> usize {
        let row = (y - band.top) as usize + lane / 2;
        row * self.context.width as usize + x as usize + lane % 2
    }

    /// Interpolates all varyings in the waiting quads, primitive by primitive.
    fn interpolate(&mut self) {
        let context = self.context;
        let mut begin = 0;
        for same in self.quads[..self.count].chunk_by(|a, b| a.primitive == b.primitive) {
            let quads = begin..begin + same.len();
            begin = quads.end;
            let (corners, provoking) = match &context.primitives[same[0].primitive] {
                Primitive::Triangle(triangle) => (Some(triangle.corners), triangle.provoking),
                Primitive::Point(point) => (None, point.vertex),
            };
            let provoking = context.store.values(provoking);
            let corners = corners.map(|corners| corners.map(|corner| context.store.values(corner)));
            for (columns, &(offset, width, interpolation)) in self.varyings.iter_mut().zip(&context.layout.varyings) {
                let (weights, corners) = match (interpolation, corners) {
                    (Interpolation::Perspective, Some(corners)) => (&self.in_space, corners),
                    (Interpolation::Linear, Some(corners)) => (&self.on_screen, corners),
                    (Interpolation::Flat, _) | (_, None) => {
                        for (column, &bits) in columns.iter_mut().zip(&provoking[offset..][..width]) {
                            column.as_chunks_mut::<4>().0[quads.clone()].fill([bits; 4]);
                        }
                        continue;
                    }
                };
                let corners = corners.map(|corner| &corner[offset..][..width]);
                (context.simd.interpolate)(&mut columns[..width], quads.clone(), weights, corners);
            }
        }
    }

    pub(super) fn flush(&mut self, band: &mut Band<'_>) {
        if self.count == 0 || self.failed {
            self.restart();
            return;
        }
        self.interpolate();
        let fragments =
            Fragments { live: self.live, coordinate: &self.coordinate, front: self.front, varyings: &self.varyings };
        self.context.shader.fragment(&fragments, &mut self.shaded);
        let shaded = &self.shaded;
        self.failed = self.context.shader.failed();
        let depth = shaded.depth.as_ref().unwrap_or(&self.coordinate[2]);
        for (number, quad) in self.quads[..self.count].iter().enumerate() {
            let mut taken = quad.covered & (shaded.live >> (4 * number)) as u8;
            let places = [0, 1, 2, 3].map(|lane| self.index(band, quad.x, quad.y, lane));
            if let (Some(test), Some(depths)) = (self.context.depth, &mut band.depth) {
                for lane in 0..4 {
                    if taken >> lane & 1 == 1 {
                        let depth = hold(f32::from_bits(depth[4 * number + lane]));
                        let there = &mut depths[places[lane]];
                        if passes(test, depth, *there) {
                            *there = depth;
                        } else {
                            taken &= !(1 << lane);
                        }
                    }
                }
            }
            for (target, colour) in band.targets.iter_mut().zip(&shaded.colours) {
                let Some(columns) = colour else { continue };
                let [red, green, blue, alpha] = columns.each_ref().map(|column| &column.as_chunks::<4>().0[number]);
                let pixel = |lane: usize| [red[lane], green[lane], blue[lane], alpha[lane]].map(f32::from_bits);
                if taken == 0b1111 {
                    // The two pixels of a row are next to each other in memory.
                    target[places[0]..][..2].copy_from_slice(&[pixel(0), pixel(1)]);
                    target[places[2]..][..2].copy_from_slice(&[pixel(2), pixel(3)]);
                    continue;
                }
                for (lane, &place) in places.iter().enumerate() {
                    if taken >> lane & 1 == 1 {
                        target[place] = pixel(lane);
                    }
                }
            }
        }
        self.restart();
    }

    fn restart(&mut self) {
        self.count = 0;
        self.live = 0;
        self.number += 1;
    }
}

/// Clamps a depth to the range from 0 to 1, and maps NaN to 0.
fn hold(depth: f32) -> f32 {
    let depth = if depth > 0.0 { depth } else { 0.0 };
    if depth < 1.0 { depth } else { 1.0 }
}

fn passes(test: DepthTest, depth: f32, there: f32) -> bool {
    match test {
        DepthTest::Always => true,
        DepthTest::Less => depth < there,
        DepthTest::LessEqual => depth <= there,
    }
}

#[inline(always)]
fn quad(number: impl Fn(usize) -> f32) -> [f32; 4] {
    [number(0), number(1), number(2), number(3)]
}

#[inline(always)]
fn set(column: &mut Column, number: usize, values: [f32; 4]) {
    let [a, b, c, d] = values;
    column.as_chunks_mut::<4>().0[number] = [a.to_bits(), b.to_bits(), c.to_bits(), d.to_bits()];
}
