//! Rasterises the triangles or points of a [`Draw`], and runs a [`Shader`] for their vertices and fragments.
//!
//! The rules of Vulkan and WebGPU apply. Triangles are clipped to 0 <= z <= w and to non-negative clip distances, and vertices
//! are snapped to 1/256 pixel. A pixel is covered if its centre is inside the triangle or on a top or left edge. The first vertex
//! of a primitive is the provoking vertex.
//!
//! The picture is split into bands of rows. One thread draws all primitives of a band in order, and bands share nothing, so the
//! picture does not depend on the number of threads.

use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::simd::Simd;
use crate::{Draw, Image, Shader, Topology};

use band::Scratch;
use batch::Band;
pub(crate) use interpolate::{Weights, interpolate};
use layout::Layout;
use primitive::{Primitive, Viewport};
use vertices::Vertices;

mod band;
mod batch;
mod clip;
mod interpolate;
mod layout;
mod primitive;
#[cfg(test)]
mod tests;
mod vertices;

/// The maximum width and height of a picture in pixels.
pub const LARGEST: u32 = 1 << 15;

/// The number of fraction bits of a vertex's position on the screen.
const FINEST: u32 = 8;

/// The approximate number of vertices transformed, or primitives drawn, at a time. This limit bounds the memory that a draw
/// needs.
const GROUP: usize = 1 << 16;

/// The number of primitives below which a small picture is drawn by a single thread.
const FEW: usize = 256;

/// The reason why a picture cannot be drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DrawError {
    /// The width or height exceeds [`LARGEST`].
    TooLarge {
        /// The width in pixels.
        width: u32,
        /// The height in pixels.
        height: u32,
    },
    /// The shader failed, so the picture is incomplete.
    Failed,
}

impl fmt::Display for DrawError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DrawError::TooLarge { width, height } => {
                write!(f, "a picture of {width} x {height} pixels is larger than {LARGEST} x {LARGEST}")
            }
            DrawError::Failed => write!(f, "a program failed"),
        }
    }
}

impl std::error::Error for DrawError {}

/// Draws with as many threads as the machine has processors. `shader` must have been made from the draw's module, of which
/// this function reads only the types of the colours. If the shader fails, the picture is incomplete.
///
/// One or two indices after the last triangle are ignored. A depth that is NaN counts as 0. A triangle is dropped if one
/// of its vertices is not finite, and a primitive is dropped if one of its clip distances is NaN. An infinite clip
/// distance is replaced by the largest finite number. A render target for which the shader returns no colour is not
/// changed.
///
/// # Panics
/// Panics if the width or height exceeds [`LARGEST`].
pub fn draw(draw: &Draw, shader: &dyn Shader) -> Image {
    draw_snapped(draw, shader, FINEST)
}

/// Draws like [`draw`], but into an existing picture, whose contents are replaced. The picture's memory is reused if
/// the picture has the right size.
///
/// # Panics
/// Panics if the width or height exceeds [`LARGEST`].
pub fn draw_into(draw: &Draw, shader: &dyn Shader, image: &mut Image) {
    draw_any(draw, shader, FINEST, image);
}

/// Draws like [`draw`], but snaps vertices to positions with `bits` fraction bits, for devices with fewer than 8 such bits.
///
/// # Panics
/// Panics if the width or height exceeds [`LARGEST`].
pub fn draw_snapped(draw: &Draw, shader: &dyn Shader, bits: u32) -> Image {
    let mut image = Image::default();
    draw_any(draw, shader, bits, &mut image);
    image
}

fn draw_any(draw: &Draw, shader: &dyn Shader, bits: u32, image: &mut Image) {
    assert!(draw.width.max(draw.height) <= LARGEST, "{}", too_large(draw));
    draw_on(processors(), draw, shader, bits, &mut |_, _| {}, image);
}

/// Draws like [`draw`], and calls `progress` repeatedly with the completed and the total amount of work. In the last
/// call, the completed amount equals the total amount.
///
/// # Errors
/// Returns a [`DrawError`] if the picture is too large or the shader fails.
pub fn draw_with(draw: &Draw, shader: &dyn Shader, progress: &mut dyn FnMut(u64, u64)) -> Result<Image, DrawError> {
    if draw.width.max(draw.height) > LARGEST {
        return Err(too_large(draw));
    }
    let mut image = Image::default();
    let complete = draw_on(processors(), draw, shader, FINEST, progress, &mut image);
    if complete { Ok(image) } else { Err(DrawError::Failed) }
}

fn too_large(draw: &Draw) -> DrawError {
    DrawError::TooLarge { width: draw.width, height: draw.height }
}

fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Draws with at most `threads` threads, and returns false if the shader failed.
fn draw_on(
    threads: usize,
    draw: &Draw,
    shader: &dyn Shader,
    bits: u32,
    progress: &mut dyn FnMut(u64, u64),
    image: &mut Image,
) -> bool {
    let pixels = draw.width as usize * draw.height as usize;
    image.width = draw.width;
    image.height = draw.height;
    // The pixels are not cleared here, because the thread that draws a band also clears the band.
    image.targets.resize_with(draw.targets, Vec::new);
    for target in image.targets.iter_mut().filter(|target| target.len() != pixels) {
        *target = vec![[0.0; 4]; pixels];
    }
    let depth = image.depth.take().filter(|depth| depth.len() == pixels);
    image.depth = draw.depth.map(|_| depth.unwrap_or_else(|| vec![0.0; pixels]));
    let mut bands = band::cut(image);
    let clear: Vec<[f32; 4]> = (0..draw.targets).map(|target| draw.cleared(target)).collect();
    let primitives = draw.indices.len() / corners(draw.topology);
    let mut canvas = Canvas {
        draw,
        shader,
        threads,
        layout: Layout::of(shader),
        viewport: Viewport::new(draw.width, draw.height, bits),
        total: primitives as u64 * u64::from(draw.instances) * bands.len() as u64,
        bands: &mut bands,
        clear: &clear,
        progress,
        done: 0,
    };
    let complete = canvas.instances();
    bands.iter_mut().for_each(|band| band.clear(&clear));
    complete
}

struct Canvas<'a, 'b> {
    draw: &'a Draw,
    shader: &'a dyn Shader,
    threads: usize,
    layout: Layout,
    viewport: Viewport,
    bands: &'a mut [Band<'b>],
    /// The initial colour of each render target.
    clear: &'a [[f32; 4]],
    progress: &'a mut dyn FnMut(u64, u64),
    /// The total amount of work: the number of primitives in all instances, times the number of bands.
    total: u64,
    done: u64,
}

impl Canvas<'_, '_> {
    fn instances(&mut self) -> bool {
        let (unique, slots) = vertices::unique(&self.draw.indices);
        let group = (GROUP / unique.len().max(1)).max(1) as u32;
        let mut first = 0;
        while first < self.draw.instances && self.total > 0 {
            let count = group.min(self.draw.instances - first);
            let mut store =
                Vertices::transform(self.draw, self.shader, &self.layout, &unique, first..first + count, self.threads);
            if !self.group(&mut store, &slots, (0..count as usize).map(|instance| instance * unique.len())) {
                return false;
            }
            first += count;
        }
        (self.progress)(self.total, self.total);
        !self.shader.failed()
    }

    /// Draws a group of instances. `bases` contains the index of each instance's first vertex.
    fn group(&mut self, store: &mut Vertices, slots: &[u32], bases: impl Iterator<Item = usize>) -> bool {
        let transformed = store.len();
        let mut primitives = Vec::new();
        let mut taken = 0;
        for base in bases {
            for corners in slots.chunks_exact(corners(self.draw.topology)) {
                let slot = |i: usize| base + corners[i] as usize;
                match self.draw.topology {
                    Topology::Points => {
                        if clip::keeps(store, &self.layout, slot(0)) {
                            primitives.extend(self.viewport.point(store, slot(0)));
                        }
                    }
                    Topology::Triangles => {
                        let corners = [slot(0), slot(1), slot(2)];
                        clip::triangle(store, &self.layout, &self.viewport, corners, |store, corners, provoking| {
                            primitives.extend(self.viewport.triangle(store, corners, provoking, self.draw.cull));
                        });
                    }
                }
                taken += 1;
                if taken == GROUP {
                    if !self.fill(store, &primitives, taken as u64) {
                        return false;
                    }
                    // The vertices that clipping has added are no longer needed.
                    store.truncate(transformed);
                    primitives.clear();
                    taken = 0;
                }
            }
        }
        taken == 0 || self.fill(store, &primitives, taken as u64)
    }

    /// Draws primitives into all bands. Each band counts as `worth` units of completed work.
    fn fill(&mut self, store: &Vertices, primitives: &[Primitive], worth: u64) -> bool {
        let mut bins = vec![Vec::new(); self.bands.len()];
        let rows = self.bands.first().map_or(1, |band| band.rows);
        for (number, primitive) in primitives.iter().enumerate() {
            let (top, bottom) = primitive.rows();
            for bin in &mut bins[(top / rows) as usize..=((bottom - 1) / rows) as usize] {
                bin.push(number as u32);
            }
        }
        let threads = if primitives.len() < FEW && self.viewport.is_small() { 1 } else { self.threads };
        let context = batch::Context {
            shader: self.shader,
            layout: &self.layout,
            depth: self.draw.depth,
            store,
            primitives,
            width: self.draw.width,
            simd: Simd::best(),
        };
        let clear = self.clear;
        let queue = Mutex::new(self.bands.iter_mut().zip(&bins));
        let (done, stop) = (AtomicU64::new(self.done), AtomicBool::new(false));
        let work = |progress: &mut dyn FnMut(u64)| {
            let mut scratch = Scratch::new(&context, rows);
            while !stop.load(Ordering::Relaxed) {
                let next = queue.lock().ok().and_then(|mut queue| queue.next());
                let Some((band, bin)) = next else { break };
                band.clear(clear);
                if !scratch.draw(band, bin) {
                    stop.store(true, Ordering::Relaxed);
                }
                progress(done.fetch_add(worth, Ordering::Relaxed) + worth);
            }
        };
        let (total, progress) = (self.total, &mut *self.progress);
        std::thread::scope(|scope| {
            for _ in 1..threads.min(bins.len()) {
                scope.spawn(|| work(&mut |_| {}));
            }
            work(&mut |done| progress(done, total));
        });
        self.done = done.into_inner();
        !stop.into_inner()
    }
}

fn corners(topology: Topology) -> usize {
    match topology {
        Topology::Triangles => 3,
        Topology::Points => 1,
    }
}
