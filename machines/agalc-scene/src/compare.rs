//! Compares pictures.
//!
//! The difference of a pixel is the largest difference among its four components. A pixel is an edge if, in either picture, some
//! component varies by more than the contrast within the 3x3 block around the pixel. At an edge, a small shift of the sample
//! position changes the colour completely, so a difference there does not mean that the computation is wrong.

#![cfg_attr(
    not(test),
    expect(clippy::indexing_slicing, reason = "indices into arrays of three and four are constants")
)]

use std::fmt;

use crate::number::count;
use crate::picture::Picture;

/// The limits that decide which pixels differ and which pixels are edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The largest difference that is ignored, 0 to 255.
    pub threshold: u8,
    /// The variation in a pixel's neighbourhood above which the pixel is an edge, 0 to 255.
    pub contrast: u8,
}

impl Default for Limits {
    /// Returns limits with a threshold of 2 and a contrast of 16.
    fn default() -> Limits {
        Limits { threshold: 2, contrast: 16 }
    }
}

/// A count of the pixels that differ by more than a certain threshold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Above {
    /// The threshold of the count, 0 to 255.
    pub threshold: u8,
    /// The number of pixels that differ by more than the threshold.
    pub pixels: usize,
}

/// The result of a comparison of two pictures.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The limits that the comparison used.
    pub limits: Limits,
    /// The number of pixels in each picture.
    pub pixels: usize,
    /// The number of pixels that differ by more than the threshold.
    pub differing: usize,
    /// The number of pixels that differ by more than the threshold and are edges.
    pub at_edges: usize,
    /// The number of edge pixels, whether they differ or not.
    pub edges: usize,
    /// The largest difference among all pixels, 0 to 255.
    pub greatest: u8,
    /// The column and row of the first pixel with the largest difference.
    pub at: (u32, u32),
    /// The largest difference among the pixels that are not edges.
    pub greatest_elsewhere: u8,
    /// The mean difference over all components of all pixels.
    pub mean: f64,
    /// The peak signal-to-noise ratio in decibels; `None` if the pictures are equal.
    pub psnr: Option<f64>,
    /// The counts of pixels that differ by more than 0, 1, 2, 4 and so on up to 128.
    pub above: [Above; 9],
    /// A picture that is white where the pixels differ by more than the threshold, and black elsewhere.
    pub picture: Picture,
}

/// The error for two pictures of different sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// The width and height of the first picture.
    pub first: [u32; 2],
    /// The width and height of the second picture.
    pub second: [u32; 2],
}

impl fmt::Display for Sizes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Sizes { first: [a, b], second: [c, d] } = self;
        write!(f, "the pictures differ in size: {a}x{b} and {c}x{d} pixels")
    }
}

impl std::error::Error for Sizes {}

/// Returns a flag for each pixel, row by row, that is true if the pixel is an edge in either picture.
pub fn edges(a: &Picture, b: &Picture, contrast: u8) -> Vec<bool> {
    let mut edges = edges_of(a, contrast);
    edges.iter_mut().zip(edges_of(b, contrast)).for_each(|(edge, other)| *edge |= other);
    edges
}

/// The least and the greatest value of each of the four components in a set of pixels.
type Spread = [[u8; 4]; 2];

fn spread(of: impl Iterator<Item = Spread>) -> Spread {
    of.fold([[u8::MAX; 4], [0; 4]], |[least, most], [lower, upper]| {
        [
            std::array::from_fn(|part| least[part].min(lower[part])),
            std::array::from_fn(|part| most[part].max(upper[part])),
        ]
    })
}

/// Returns a flag for each pixel that is true if the pixel is an edge of the picture.
fn edges_of(picture: &Picture, contrast: u8) -> Vec<bool> {
    let around = |at: usize| at.saturating_sub(1)..at + 2;
    let rows = || picture.pixels.chunks(picture.width.max(1) as usize);
    let in_row = |row: &[[u8; 4]], x| spread(around(x).filter_map(|x| row.get(x)).map(|&pixel| [pixel, pixel]));
    let in_rows: Vec<Vec<Spread>> = rows().map(|row| (0..row.len()).map(|x| in_row(row, x)).collect()).collect();
    let is_edge = |x: usize, y: usize| {
        let [least, most] = spread(around(y).filter_map(|y| in_rows.get(y)?.get(x).copied()));
        (0..4).any(|part| most[part] - least[part] > contrast)
    };
    rows().enumerate().flat_map(|(y, row)| (0..row.len()).map(move |x| (x, y))).map(|(x, y)| is_edge(x, y)).collect()
}

/// Compares two pictures of the same size.
///
/// # Errors
/// Returns both sizes if the pictures differ in size.
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
    /// Returns the percentage of pixels that differ by more than the threshold.
    pub fn percent(&self) -> f64 {
        100.0 * self.differing as f64 / self.pixels.max(1) as f64
    }
}
