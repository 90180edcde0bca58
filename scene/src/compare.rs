//! How much two pictures differ.
//!
//! Rule: a pixel differs by the greatest difference of its four parts. An edge is a pixel around which, in the nine pixels with
//! it in their middle, some part of either picture varies by more than the contrast: there a sample that falls on the other
//! side of a border changes all, which says nothing about what is computed.

#![cfg_attr(
    not(test),
    expect(
        clippy::indexing_slicing,
        reason = "components of arrays of three and four are counted by numbers that stand here"
    )
)]

use std::fmt;

use crate::number::count;
use crate::picture::Picture;

/// What counts as different, and as an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Differences up to this do not count.
    pub threshold: u8,
    /// Neighbours that vary by more than this make an edge.
    pub contrast: u8,
}

impl Default for Limits {
    /// Two steps of 255, and an edge from 16 on.
    fn default() -> Limits {
        Limits { threshold: 2, contrast: 16 }
    }
}

/// How many pixels differ by more than `threshold`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Above {
    /// The difference that is passed.
    pub threshold: u8,
    /// The pixels.
    pub pixels: usize,
}

/// What differs.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// What counted.
    pub limits: Limits,
    /// Pixels of each picture.
    pub pixels: usize,
    /// Pixels that differ by more than the threshold.
    pub differing: usize,
    /// Those of them that are at edges.
    pub at_edges: usize,
    /// Pixels that are edges, whether they differ or not.
    pub edges: usize,
    /// The greatest difference.
    pub greatest: u8,
    /// The column and row where it is first.
    pub at: (u32, u32),
    /// The greatest difference away from edges.
    pub greatest_elsewhere: u8,
    /// The mean of all parts' differences.
    pub mean: f64,
    /// The peak signal-to-noise ratio in decibels; nothing for pictures that are the same.
    pub psnr: Option<f64>,
    /// Pixels by how much they differ: by more than 0, 1, 2, 4, 8 and so on.
    pub above: [Above; 9],
    /// White where pixels differ by more than the threshold, black elsewhere.
    pub picture: Picture,
}

/// The pictures are of two sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// Of the first, across and down.
    pub first: [u32; 2],
    /// Of the second.
    pub second: [u32; 2],
}

impl fmt::Display for Sizes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Sizes { first: [a, b], second: [c, d] } = self;
        write!(f, "the pictures have {a}x{b} and {c}x{d} pixels")
    }
}

impl std::error::Error for Sizes {}

/// The pixels that are edges in either picture, row by row.
pub fn edges(a: &Picture, b: &Picture, contrast: u8) -> Vec<bool> {
    let is_edge = |picture: &Picture, x: i64, y: i64| {
        let (mut least, mut most) = ([u8::MAX; 4], [0; 4]);
        for (dx, dy) in (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy))) {
            let pixel = picture.near(x + dx, y + dy);
            for part in 0..4 {
                least[part] = least[part].min(pixel[part]);
                most[part] = most[part].max(pixel[part]);
            }
        }
        (0..4).any(|part| most[part] - least[part] > contrast)
    };
    let places = (0..i64::from(a.height)).flat_map(|y| (0..i64::from(a.width)).map(move |x| (x, y)));
    places.map(|(x, y)| is_edge(a, x, y) || is_edge(b, x, y)).collect()
}

/// Compares two pictures of one size.
///
/// # Errors
/// They are of two sizes.
pub fn compare(a: &Picture, b: &Picture, limits: Limits) -> Result<Difference, Sizes> {
    if (a.width, a.height) != (b.width, b.height) || a.pixels.len() != b.pixels.len() {
        return Err(Sizes { first: [a.width, a.height], second: [b.width, b.height] });
    }
    let edges = edges(a, b, limits.contrast);
    let thresholds = [0, 1, 2, 4, 8, 16, 32, 64, 128];
    let mut difference = Difference {
        limits,
        pixels: a.pixels.len(),
        differing: 0,
        at_edges: 0,
        edges: edges.iter().filter(|&&edge| edge).count(),
        greatest: 0,
        at: (0, 0),
        greatest_elsewhere: 0,
        mean: 0.0,
        psnr: None,
        above: thresholds.map(|threshold| Above { threshold, pixels: 0 }),
        picture: Picture { width: a.width, height: a.height, pixels: Vec::with_capacity(a.pixels.len()) },
    };
    let (mut sum, mut squares) = (0u64, 0u64);
    for (index, ((a, b), &edge)) in a.pixels.iter().zip(&b.pixels).zip(&edges).enumerate() {
        let mut greatest = 0;
        for (a, b) in a.iter().zip(b) {
            let part = a.abs_diff(*b);
            greatest = greatest.max(part);
            sum += u64::from(part);
            squares += u64::from(part) * u64::from(part);
        }
        for above in difference.above.iter_mut().filter(|above| greatest > above.threshold) {
            above.pixels += 1;
        }
        if greatest > difference.greatest {
            let width = difference.picture.width.max(1);
            difference.greatest = greatest;
            difference.at = (count(index) % width, count(index) / width);
        }
        if !edge {
            difference.greatest_elsewhere = difference.greatest_elsewhere.max(greatest);
        }
        let differs = greatest > limits.threshold;
        difference.differing += usize::from(differs);
        difference.at_edges += usize::from(differs && edge);
        let white = if differs { 255 } else { 0 };
        difference.picture.pixels.push([white, white, white, 255]);
    }
    let parts = (difference.pixels * 4).max(1) as f64;
    difference.mean = sum as f64 / parts;
    if squares > 0 {
        difference.psnr = Some(10.0 * libm::log10(255.0 * 255.0 * parts / squares as f64));
    }
    Ok(difference)
}

impl Difference {
    /// Of all pixels, the part that differs by more than the threshold, in percent.
    pub fn percent(&self) -> f64 {
        100.0 * self.differing as f64 / self.pixels.max(1) as f64
    }
}
