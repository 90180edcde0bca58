//! Batches: quads of fragments that are shaded together, of one triangle or of several.
//!
//! No batch has a pixel twice, and batches are written in order, so each pixel gets its fragments in the order of their primitives.

use sdlbc::Interpolation;

use super::Layout;
use super::band::Band;
use super::primitive::{Primitive, Triangle};
use super::vertices::Vertices;
use crate::{Column, DepthTest, Fragments, LANES, Mask, Shader};

/// Quads a batch.
const QUADS: usize = LANES / 4;

/// What all batches of a draw have in common.
pub(super) struct Context<'a> {
    /// What shades.
    pub(super) shader: &'a dyn Shader,
    /// Where the varyings are.
    pub(super) layout: &'a Layout,
    /// The depth test.
    pub(super) depth: Option<DepthTest>,
    /// The vertices.
    pub(super) store: &'a Vertices,
    /// What is drawn.
    pub(super) primitives: &'a [Primitive],
    /// Pixels across the picture.
    pub(super) width: u32,
}

/// A quad of a batch.
#[derive(Clone, Copy, Default)]
struct Quad {
    primitive: usize,
    x: u32,
    y: u32,
    covered: u8,
}

/// Quads that wait to be shaded.
pub(super) struct Batch<'a> {
    context: &'a Context<'a>,
    /// Whether hidden fragments may be left out before they are shaded.
    early: bool,
    front: bool,
    count: usize,
    quads: [Quad; QUADS],
    live: Mask,
    coordinate: [Column; 4],
    /// The weights of the second and the third corner on the screen.
    on_screen: [[f32; LANES]; 2],
    /// The same in space.
    in_space: [[f32; LANES]; 2],
    varyings: Vec<[Column; 4]>,
    /// For each quad of a band, which batch had it last, and which of its pixels were covered.
    last: Vec<(u64, u8)>,
    /// The number of this batch.
    number: u64,
    failed: bool,
}

impl<'a> Batch<'a> {
    /// For bands of so many rows.
    pub(super) fn new(context: &'a Context<'a>, rows: u32) -> Batch<'a> {
        let test = context.depth.is_some_and(|test| test != DepthTest::Always);
        Batch {
            context,
            early: test && !context.shader.gives_depth(),
            front: true,
            count: 0,
            quads: [Quad::default(); QUADS],
            live: 0,
            coordinate: [[0; LANES]; 4],
            on_screen: [[0.0; LANES]; 2],
            in_space: [[0.0; LANES]; 2],
            varyings: vec![[[0; LANES]; 4]; context.layout.varyings.len()],
            last: vec![(0, 0); context.width.div_ceil(2) as usize * rows.div_ceil(2) as usize],
            number: 1,
            failed: false,
        }
    }

    /// Whether the shader failed.
    pub(super) fn failed(&self) -> bool {
        self.failed
    }

    /// Adds the quad whose upper left pixel is at `x` and `y`.
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

    /// Sets the next quad's lanes to a triangle's weights.
    fn set_triangle(&mut self, triangle: &Triangle, x: u32, y: u32) {
        let begin = 4 * self.count;
        let weights = triangle.weights(x, y);
        let [z, w] = [triangle.depth, triangle.inverse_w];
        let depth = std::array::from_fn(|i| z[0] + weights[1][i] * (z[1] - z[0]) + weights[2][i] * (z[2] - z[0]));
        let mut inverse_w = [w[0]; 4];
        let mut in_space = weights;
        // With one w for all, the weights in space are those on the screen, to the last bit.
        if w != inverse_w[..3] {
            for (weights, w) in in_space.iter_mut().zip(w) {
                *weights = weights.map(|weight| weight * w);
            }
            inverse_w = std::array::from_fn(|i| in_space[0][i] + in_space[1][i] + in_space[2][i]);
            for weights in &mut in_space {
                *weights = std::array::from_fn(|i| weights[i] / inverse_w[i]);
            }
        }
        for corner in 0..2 {
            self.on_screen[corner][begin..][..4].copy_from_slice(&weights[corner + 1]);
            self.in_space[corner][begin..][..4].copy_from_slice(&in_space[corner + 1]);
        }
        self.set_lanes(x, y, depth, inverse_w);
    }

    /// Sets the next quad's coordinates.
    fn set_lanes(&mut self, x: u32, y: u32, depth: [f32; 4], inverse_w: [f32; 4]) {
        let begin = 4 * self.count;
        let (x, y) = (x as f32 + 0.5, y as f32 + 0.5);
        let lanes = [[x, x + 1.0, x, x + 1.0], [y, y, y + 1.0, y + 1.0], depth.map(hold), inverse_w];
        for (column, values) in self.coordinate.iter_mut().zip(lanes) {
            column[begin..][..4].copy_from_slice(&values.map(f32::to_bits));
        }
    }

    /// Which of the next quad's covered pixels the depth buffer would take.
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

    /// A pixel's place in a band.
    fn index(&self, band: &Band<'_>, x: u32, y: u32, lane: usize) -> usize {
        let row = (y - band.top) as usize + lane / 2;
        row * self.context.width as usize + x as usize + lane % 2
    }

    /// Shades and writes what waits.
    pub(super) fn flush(&mut self, band: &mut Band<'_>) {
        if self.count == 0 || self.failed {
            self.restart();
            return;
        }
        for (number, quad) in self.quads[..self.count].iter().enumerate() {
            interpolate(self.context, quad, number, &self.on_screen, &self.in_space, &mut self.varyings);
        }
        let shaded = self.context.shader.fragment(&Fragments {
            live: self.live,
            coordinate: self.coordinate,
            front: self.front,
            varyings: &self.varyings,
        });
        self.failed = self.context.shader.failed();
        let depth = shaded.depth.as_ref().unwrap_or(&self.coordinate[2]);
        for (number, quad) in self.quads[..self.count].iter().enumerate() {
            for lane in 0..4 {
                let column = 4 * number + lane;
                if quad.covered >> lane & 1 == 0 || shaded.live >> column & 1 == 0 {
                    continue;
                }
                let index = self.index(band, quad.x, quad.y, lane);
                if let (Some(test), Some(depths)) = (self.context.depth, &mut band.depth) {
                    let depth = hold(f32::from_bits(depth[column]));
                    if !passes(test, depth, depths[index]) {
                        continue;
                    }
                    depths[index] = depth;
                }
                for (target, colour) in band.targets.iter_mut().zip(&shaded.colours) {
                    let Some(colour) = colour else { continue };
                    target[index] = [0, 1, 2, 3].map(|i| f32::from_bits(colour[i][column]));
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

/// A depth from 0 to 1; NaN is 0.
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

/// Sets one quad's lanes of all varyings.
fn interpolate(
    context: &Context<'_>,
    quad: &Quad,
    number: usize,
    on_screen: &[[f32; LANES]; 2],
    in_space: &[[f32; LANES]; 2],
    varyings: &mut [[Column; 4]],
) {
    let begin = 4 * number;
    let triangle = match &context.primitives[quad.primitive] {
        Primitive::Triangle(triangle) => triangle,
        Primitive::Point(point) => {
            let values = context.store.values(point.vertex);
            for (columns, &(offset, width, _)) in varyings.iter_mut().zip(&context.layout.varyings) {
                for (column, &bits) in columns.iter_mut().zip(&values[offset..][..width]) {
                    column[begin..][..4].fill(bits);
                }
            }
            return;
        }
    };
    let [a, b, c] = triangle.corners.map(|corner| context.store.values(corner));
    let provoking = context.store.values(triangle.provoking);
    for (columns, &(offset, width, interpolation)) in varyings.iter_mut().zip(&context.layout.varyings) {
        let [second, third] = match interpolation {
            Interpolation::Perspective => in_space,
            Interpolation::Linear => on_screen,
            Interpolation::Flat => {
                for (column, &bits) in columns.iter_mut().zip(&provoking[offset..][..width]) {
                    column[begin..][..4].fill(bits);
                }
                continue;
            }
        };
        let (second, third) = (&second[begin..][..4], &third[begin..][..4]);
        for (component, column) in columns.iter_mut().enumerate().take(width) {
            let [a, b, c] = [a, b, c].map(|values| f32::from_bits(values[offset + component]));
            let (to_second, to_third) = (b - a, c - a);
            // Where all corners are alike the value is theirs, whatever the weights.
            for ((bits, second), third) in column[begin..][..4].iter_mut().zip(second).zip(third) {
                *bits = (a + second * to_second + third * to_third).to_bits();
            }
        }
    }
}
