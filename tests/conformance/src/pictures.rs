//! Compares pictures of scenes as displayed: each target in 256 steps, and the depth as a grey picture.
//!
//! Rule: interp's picture is the reference. Away from edges no pixel may differ by more than 2 steps. A pixel next to an edge may
//! belong to either side of the edge, so at edges a thousandth of the picture may differ by more.

use std::fmt;

use agalc_scene::{Difference, Limits, Picture};
use sdlbc_interp::Image;

/// The share of a picture's pixels that may differ at edges, in percent.
pub const AT_EDGES: f64 = 0.1;

/// A named picture of a target or of the depth.
pub struct Seen {
    /// The suffix of the picture's file name: empty for the first target, `-1` for the second target, and `-depth` for the depth.
    pub name: String,
    /// The picture as displayed, with 256 steps for each colour component.
    pub picture: Picture,
}

/// Returns the least and the greatest depth in a picture, ignoring the background.
fn range(depth: &[f32]) -> [f32; 2] {
    let drawn = depth.iter().copied().filter(|&depth| depth < 1.0);
    let [least, most] = drawn.fold([1.0f32, 0.0], |[least, most], depth| [least.min(depth), most.max(depth)]);
    [least.min(most), most]
}

/// Returns a picture's targets and depth as displayed. Depths are scaled to the range of depths in `first`, so that small
/// differences become visible. The background is white.
pub fn seen(image: &Image, first: &Image) -> Vec<Seen> {
    let mut all = Vec::new();
    for target in 0..image.targets.len() {
        let name = if target == 0 { String::new() } else { format!("-{target}") };
        all.extend(Picture::of(image, target).map(|picture| Seen { name, picture }));
    }
    if let (Some(depth), Some(of)) = (&image.depth, &first.depth) {
        let [least, most] = range(of);
        let span = (most - least).max(1e-6);
        let shade = |&depth: &f32| {
            let part = if depth < 1.0 { (depth - least) / span * 0.9 } else { 1.0 };
            let grey = (part.clamp(0.0, 1.0) * 255.0 + 0.5) as u8;
            [grey, grey, grey, 255]
        };
        let picture = Picture { width: image.width, height: image.height, pixels: depth.iter().map(shade).collect() };
        all.push(Seen { name: "-depth".to_string(), picture });
    }
    all
}

/// The greatest differences between a witness's pictures of a scene and interp's pictures, over all targets.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Worst {
    /// The greatest difference of a pixel away from edges, in steps of 1/255.
    pub elsewhere: u8,
    /// The greatest share of a picture's pixels that differ at edges by more than two steps, in percent.
    pub percent: f64,
}

impl Worst {
    /// Combines two results by taking the greater value of each field.
    pub fn with(self, other: Worst) -> Worst {
        Worst { elsewhere: self.elsewhere.max(other.elsewhere), percent: self.percent.max(other.percent) }
    }

    /// Reports whether the pictures agree within the limits for edges and for all other pixels.
    pub fn agrees(self) -> bool {
        self.elsewhere <= Limits::default().threshold && self.percent <= AT_EDGES
    }
}

impl fmt::Display for Worst {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.elsewhere, self.percent) {
            (0, 0.0) => write!(f, "0"),
            (elsewhere, 0.0) => write!(f, "{elsewhere}"),
            (elsewhere, percent) => write!(f, "{elsewhere}, {percent:.3} %"),
        }
    }
}

fn difference_of(a: &[u8; 4], b: &[u8; 4]) -> u8 {
    a.iter().zip(b).map(|(a, b)| a.abs_diff(*b)).max().unwrap_or(0)
}

/// Reports whether the colour at a point of the other picture also occurs in the first picture, at that point or next to it.
///
/// A border whose contrast is too low is not recognised as an edge. A point that matches a neighbour is therefore treated as a
/// point at an edge, where only a small share of the pixels may differ.
fn matches_neighbour(first: &Picture, other: &Picture, at: usize) -> bool {
    let (width, height) = (i64::from(first.width), i64::from(first.height));
    let (x, y) = (at as i64 % width, at as i64 / width);
    let places = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (x + dx, y + dy)));
    let mut places = places.filter(|&(x, y)| (0..width).contains(&x) && (0..height).contains(&y));
    places.any(|(x, y)| {
        difference_of(&first.pixels[(y * width + x) as usize], &other.pixels[at]) <= Limits::default().threshold
    })
}

/// Compares each picture of `other` with the picture of the same name in `first`, in the order of `other`. An edge of one target
/// or of the depth counts as an edge of all targets, because a surface may have the background's colour and differ only in depth.
///
/// # Errors
/// Returns an error if the pictures differ in size, or if `first` lacks one of the pictures.
pub fn compare(first: &[Seen], other: &[Seen]) -> Result<Vec<(Worst, Difference)>, String> {
    let mut differences = Vec::new();
    let mut edges: Vec<bool> = Vec::new();
    for other in other {
        let same = first.iter().find(|first| first.name == other.name);
        let first = &same.ok_or_else(|| format!("there is no {}", other.name))?.picture;
        let difference =
            agalc_scene::compare(first, &other.picture, Limits::default()).map_err(|error| error.to_string())?;
        edges.resize(first.pixels.len(), false);
        let of = agalc_scene::edges(first, &other.picture, Limits::default().contrast);
        edges.iter_mut().zip(of).for_each(|(all, edge)| *all |= edge);
        differences.push((first, &other.picture, difference));
    }
    let hold = |(first, other, mut difference): (&Picture, &Picture, Difference)| {
        (difference.greatest_elsewhere, difference.at_edges) = (0, 0);
        for (at, ((a, b), &edge)) in first.pixels.iter().zip(&other.pixels).zip(&edges).enumerate() {
            let off = difference_of(a, b);
            let edge = edge || off > difference.limits.threshold && matches_neighbour(first, other, at);
            if !edge {
                difference.greatest_elsewhere = difference.greatest_elsewhere.max(off);
            } else if off > difference.limits.threshold {
                difference.at_edges += 1;
            }
        }
        (Worst { elsewhere: difference.greatest_elsewhere, percent: difference.percent() }, difference)
    };
    Ok(differences.into_iter().map(hold).collect())
}

/// Combines pictures into one opaque picture for a page, scaled down to a width of about `side` pixels.
pub fn small(pictures: &[&Picture], side: u32) -> Picture {
    let across = if pictures.len() > 1 { 2 } else { 1 };
    let Some(first) = pictures.first() else { return Picture::default() };
    let factor = (first.width * across).div_ceil(side).max(1);
    let (width, height) = (first.width / factor, first.height / factor);
    let down = (pictures.len() as u32).div_ceil(across);
    let mut small = Picture { width: width * across, height: height * down, pixels: Vec::new() };
    for (y, x) in (0..small.height).flat_map(|y| (0..small.width).map(move |x| (y, x))) {
        let number = (y / height * across + x / width) as usize;
        let mut sum = [0u32; 3];
        for (dy, dx) in (0..factor).flat_map(|dy| (0..factor).map(move |dx| (dy, dx))) {
            let at = (y % height * factor + dy) * first.width + x % width * factor + dx;
            let pixel = pictures.get(number).and_then(|picture| picture.pixels.get(at as usize));
            sum.iter_mut().zip(pixel.unwrap_or(&[0; 4])).for_each(|(sum, &part)| *sum += u32::from(part));
        }
        let count = factor * factor;
        let [r, g, b] = sum.map(|sum| ((sum + count / 2) / count) as u8);
        small.pixels.push([r, g, b, 255]);
    }
    small
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(side: u32, pixel: [u8; 4]) -> Picture {
        Picture { width: side, height: side, pixels: vec![pixel; (side * side) as usize] }
    }

    fn worst(first: &Picture, other: &Picture) -> Worst {
        let seen = |picture: &Picture| [Seen { name: String::new(), picture: picture.clone() }];
        compare(&seen(first), &seen(other)).expect("one size")[0].0
    }

    #[test]
    fn an_edge_of_the_depth_is_an_edge_of_the_colour() {
        let seen = |grey: u8, depth: u8| {
            let mut all = [plain(64, [100; 4]), plain(64, [0; 4])];
            all[0].pixels[70] = [grey; 4];
            all[1].pixels[70] = [depth; 4];
            let [colour, depth] = all;
            [Seen { name: String::new(), picture: colour }, Seen { name: "-depth".to_string(), picture: depth }]
        };
        let worst = |depth| compare(&seen(100, 0), &seen(110, depth)).expect("one size")[0].0;
        assert_eq!((worst(0).elsewhere, worst(200).elsewhere), (10, 0));
        assert!(!worst(0).agrees() && worst(200).agrees());
    }

    #[test]
    fn a_pixel_that_is_off_by_three_does_not_agree_and_one_by_two_does() {
        let first = plain(64, [100; 4]);
        for (off, agrees) in [(2, true), (3, false)] {
            let mut other = first.clone();
            other.pixels[70][1] += off;
            let worst = worst(&first, &other);
            assert_eq!((worst.elsewhere, worst.agrees()), (off, agrees));
        }
    }

    #[test]
    fn a_faint_border_may_be_off_by_a_pixel_but_no_other_colour_may_appear_there() {
        let mut first = plain(64, [100; 4]);
        first.pixels.chunks_mut(64).for_each(|row| row[..32].fill([110; 4]));
        for (grey, elsewhere) in [(110, 0), (105, 5)] {
            let mut other = first.clone();
            other.pixels[64 * 7 + 32] = [grey; 4];
            assert_eq!(worst(&first, &other).elsewhere, elsewhere);
        }
    }

    #[test]
    fn at_an_edge_a_thousandth_of_the_picture_may_differ() {
        let mut first = plain(64, [0; 4]);
        first.pixels.chunks_mut(64).for_each(|row| row[..32].fill([255; 4]));
        for (pixels, agrees) in [(4, true), (5, false)] {
            let mut other = first.clone();
            other.pixels.chunks_mut(64).take(pixels).for_each(|row| row[32] = [255; 4]);
            assert_eq!(worst(&first, &other).agrees(), agrees, "{pixels}");
        }
    }

    #[test]
    fn depths_are_stretched_over_their_range() {
        let image = |depth: [f32; 3]| Image { width: 3, height: 1, targets: vec![], depth: Some(depth.to_vec()) };
        let first = image([0.9, 0.95, 1.0]);
        let greys = |image: &Image| -> Vec<u8> { seen(image, &first)[0].picture.pixels.iter().map(|p| p[0]).collect() };
        assert_eq!(greys(&first), [0, 230, 255]);
        assert_eq!(greys(&image([0.925, 0.95, 0.95])), [115, 230, 230]);
    }

    #[test]
    fn small_pictures_hold_all_targets() {
        let four = [10, 20, 30, 40].map(|grey| plain(8, [grey, grey, grey, 0]));
        let small = small(&four.each_ref(), 8);
        assert_eq!((small.width, small.height), (8, 8));
        assert_eq!([0, 4, 32, 36].map(|at| small.pixels[at][0]), [10, 20, 30, 40]);
        assert!(small.pixels.iter().all(|pixel| pixel[3] == 255));
    }
}
