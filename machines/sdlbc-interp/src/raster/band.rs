//! Splits the picture into bands of rows, and draws the primitives of a band. Quads are drawn from left to right and from top to
//! bottom.

use super::batch::{Band, Batch, Context};
use super::primitive::{Primitive, Triangle};
use crate::Image;

/// The approximate number of bands in a picture.
const BANDS: u32 = 32;

pub(super) fn cut(image: &mut Image) -> Vec<Band<'_>> {
    let rows = image.height.div_ceil(BANDS).next_multiple_of(2).max(2);
    let area = rows as usize * image.width as usize;
    if area == 0 || image.height == 0 {
        return Vec::new();
    }
    let mut targets: Vec<_> = image.targets.iter_mut().map(|target| target.chunks_mut(area)).collect();
    let mut depth = image.depth.as_mut().map(|depth| depth.chunks_mut(area));
    (0..image.height)
        .step_by(rows as usize)
        .map(|top| Band {
            top,
            end: image.height.min(top + rows),
            rows,
            targets: targets.iter_mut().filter_map(Iterator::next).collect(),
            depth: depth.as_mut().and_then(Iterator::next),
            cleared: false,
        })
        .collect()
}

/// The buffers that a thread reuses for each band it draws.
pub(super) struct Scratch<'a> {
    context: &'a Context<'a>,
    batch: Batch<'a>,
}

impl<'a> Scratch<'a> {
    pub(super) fn new(context: &'a Context<'a>, rows: u32) -> Scratch<'a> {
        Scratch { context, batch: Batch::new(context, rows) }
    }

    /// Draws the primitives with the indices `numbers` in order. If the shader fails, the remaining primitives are not drawn and
    /// the result is false.
    pub(super) fn draw(&mut self, band: &mut Band<'_>, numbers: &[u32]) -> bool {
        for &number in numbers {
            let number = number as usize;
            match &self.context.primitives[number] {
                Primitive::Triangle(triangle) => self.triangle(band, number, triangle),
                Primitive::Point(point) => {
                    let (x, y) = (point.x & !1, point.y & !1);
                    self.batch.add(band, number, x, y, 1 << (point.x - x + 2 * (point.y - y)));
                }
            }
            if self.batch.failed() {
                return false;
            }
        }
        self.batch.flush(band);
        !self.batch.failed()
    }

    fn triangle(&mut self, band: &mut Band<'_>, number: usize, triangle: &Triangle) {
        let (top, bottom) = triangle.rows;
        let (top, bottom) = (top.max(band.top), bottom.min(band.end));
        for y in (top & !1..bottom).step_by(2) {
            let span = |y: u32| if (top..bottom).contains(&y) { triangle.span(y.into()) } else { (0, 0) };
            let spans = [span(y), span(y + 1)];
            let used = spans.into_iter().filter(|(first, end)| first < end);
            let Some((first, end)) = used.reduce(|(a, b), (c, d)| (a.min(c), b.max(d))) else { continue };
            for x in (first & !1..end).step_by(2) {
                let covered = |(first, end): (i64, i64), x: i64| u8::from(first <= x && x < end);
                let upper = covered(spans[0], x) | covered(spans[0], x + 1) << 1;
                let lower = covered(spans[1], x) | covered(spans[1], x + 1) << 1;
                if upper | lower != 0 {
                    self.batch.add(band, number, x as u32, y, upper | lower << 2);
                }
            }
        }
    }
}
