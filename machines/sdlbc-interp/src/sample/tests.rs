//! Tests each sampler state against handwritten results and against a direct computation in f64.

mod plain;

use sdlbc::{Dimension, Sampler, Texel};

use super::{Gathered, LevelOf, fetch, gather_layers, sample, sample_layers};
use crate::{LANES, Level, Mask, Texture};

const ALL: Mask = Mask::MAX;
const BASE: LevelOf<'_> = LevelOf::Exact(&[0.0; LANES]);

fn sampler(filter: u8, mip: u8, wrap_u: u8, wrap_v: u8) -> Sampler {
    Sampler { filter, mip, wrap_u, wrap_v, ..Sampler::default() }
}

fn grey(values: &[u8]) -> Vec<[u8; 4]> {
    values.iter().map(|&value| [value, 255 - value, 0, 255]).collect()
}

/// Returns the red component at one coordinate, times 255.
fn red(texture: &Texture, sampler: Sampler, at: [f32; 3], level: LevelOf<'_>) -> f32 {
    sample(texture, &sampler, &[at; LANES], level, ALL)[5][0] * 255.0
}

fn near(a: f32, b: f32) -> bool {
    (a - b).abs() < 1e-3
}

/// Returns the coordinates of identical quads: the coordinate of the upper left lane is `at`, and `dx` and `dy` are the steps to
/// the right and down.
fn quads(at: [f32; 3], dx: [f32; 3], dy: [f32; 3]) -> [[f32; 3]; LANES] {
    std::array::from_fn(|lane| {
        let (x, y) = ((lane % 2) as f32, (lane / 2 % 2) as f32);
        std::array::from_fn(|i| at[i] + x * dx[i] + y * dy[i])
    })
}

/// Returns a texture in which every texel of mip level n has the value 10 n.
fn levels(dimension: Dimension, sizes: [u32; 3], count: u32) -> Texture {
    let levels = (0..count)
        .map(|number| {
            let size = |size: u32| (size >> number).max(1);
            let [width, height] = [size(sizes[0]), size(sizes[1])];
            let depth = if dimension == Dimension::D3 { size(sizes[2]) } else { sizes[2] };
            let texels = grey(&vec![10 * number as u8; (width * height * depth) as usize]);
            Level { width, height, depth, texels }
        })
        .collect();
    Texture::new(dimension, levels).unwrap()
}

#[test]
fn nearest_reads_the_texel_that_contains_the_coordinate() {
    let texture = Texture::d2(4, 2, grey(&[0, 10, 20, 30, 40, 50, 60, 70])).unwrap();
    for (u, v, clamped, repeated) in [
        (0.125, 0.25, 0.0, 0.0),
        (0.0, 0.0, 0.0, 0.0),
        (0.2499, 0.25, 0.0, 0.0),
        (0.25, 0.25, 10.0, 10.0),
        (0.875, 0.75, 70.0, 70.0),
        (0.9999, 0.5, 70.0, 70.0),
        (1.0, 0.25, 30.0, 0.0),
        (-0.1, 0.25, 0.0, 30.0),
        (-1e-10, 0.25, 0.0, 30.0),
        (1.3, 0.25, 30.0, 10.0),
        (-7.3, 1.25, 40.0, 20.0),
        (0.125, -0.25, 0.0, 40.0),
        (1000.375, 0.25, 30.0, 10.0),
        (16_777_216.0, 0.25, 30.0, 0.0),
        (5_000_000.5, 0.25, 30.0, 20.0),
    ] {
        assert_eq!(red(&texture, sampler(0, 0, 0, 0), [u, v, 0.0], BASE), clamped, "{u} {v}");
        assert_eq!(red(&texture, sampler(0, 0, 1, 1), [u, v, 0.0], BASE), repeated, "{u} {v}");
    }
}

#[test]
fn linear_weights_the_neighbours_and_wraps_each_axis_separately() {
    let texture = Texture::d2(4, 2, grey(&[0, 10, 20, 30, 40, 50, 60, 70])).unwrap();
    for (u, v, [clamp, repeat_u, repeat_v]) in [
        // At the centre of a texel, the result is exactly that texel.
        (0.125, 0.25, [0.0; 3]),
        (0.875, 0.75, [70.0; 3]),
        // Between the centres of texels, the result is the weighted mean of the adjacent texels.
        (0.25, 0.25, [5.0; 3]),
        (0.25, 0.5, [25.0; 3]),
        (0.4375, 0.25, [12.5; 3]),
        // Beyond the outermost centres, the result depends on the wrap mode.
        (0.0, 0.25, [0.0, 15.0, 0.0]),
        (1.0, 0.25, [30.0, 15.0, 30.0]),
        (0.125, 0.0, [0.0, 0.0, 20.0]),
        (0.125, 1.0, [40.0, 40.0, 20.0]),
        (0.0625, 0.25, [0.0, 7.5, 0.0]),
        (-3.0, 0.25, [0.0, 15.0, 0.0]),
        (2.375, 0.25, [30.0, 10.0, 30.0]),
        (0.125, -9.75, [0.0, 0.0, 0.0]),
        (0.125, 9.75, [40.0, 40.0, 40.0]),
    ] {
        for (wrap, wanted) in [([0, 0], clamp), ([1, 0], repeat_u), ([0, 1], repeat_v)] {
            // Anisotropic filters are treated as linear.
            for filter in 1..=5 {
                let is = red(&texture, sampler(filter, 0, wrap[0], wrap[1]), [u, v, 0.0], BASE);
                assert!(near(is, wanted), "{u} {v} {wrap:?}: {is}, not {wanted}");
            }
        }
    }
    let both = red(&texture, sampler(1, 0, 1, 1), [0.0, 0.0, 0.0], BASE);
    assert!(near(both, (0.0 + 30.0 + 40.0 + 70.0) / 4.0), "{both}");
}

#[test]
fn an_unmixed_texel_is_exactly_its_byte_divided_by_255() {
    let all: Vec<u8> = (0..=255).collect();
    let texture = Texture::d2(256, 1, grey(&all)).unwrap();
    for filter in [0, 1] {
        for value in 0..=255u8 {
            let at = [(f32::from(value) + 0.5) / 256.0, 0.5, 0.0];
            let texels = sample(&texture, &sampler(filter, 0, 0, 0), &[at; LANES], BASE, ALL);
            let wanted = [f32::from(value) / 255.0, f32::from(255 - value) / 255.0, 0.0, 1.0];
            assert_eq!(texels, [wanted; LANES]);
            assert_eq!(fetched(&texture, [value.into(), 0, 0], 0), wanted);
        }
    }
}

#[test]
fn the_third_axis_of_a_3d_texture_wraps_like_the_first() {
    let texture = Texture::d3(2, 1, 4, grey(&[0, 10, 20, 30, 40, 50, 60, 70])).unwrap();
    for (filter, wraps, at, wanted) in [
        (0, [0, 0], [0.25, 0.5, 0.125], 0.0),
        (0, [0, 0], [0.75, 0.5, 0.6], 50.0),
        (0, [0, 1], [0.25, 0.5, 1.1], 60.0),
        (0, [1, 0], [0.25, 0.5, 1.1], 0.0),
        (1, [0, 0], [0.25, 0.5, 0.375], 20.0),
        (1, [0, 0], [0.5, 0.5, 0.25], 15.0),
        (1, [0, 1], [0.25, 0.5, 0.0], 0.0),
        (1, [1, 0], [0.25, 0.5, 0.0], 30.0),
        (1, [1, 0], [0.0, 0.5, 1.0], 35.0),
        (1, [1, 1], [0.25, 7.2, -0.125], 60.0),
    ] {
        let is = red(&texture, sampler(filter, 0, wraps[0], wraps[1]), at, BASE);
        assert!(near(is, wanted), "{filter} {wraps:?} {at:?}: {is}, not {wanted}");
    }
}

#[test]
fn the_mip_filter_chooses_levels() {
    let texture = levels(Dimension::D2, [16, 16, 1], 5);
    for (lod, none, nearest, linear) in [
        (0.0, 0.0, 0.0, 0.0),
        (-3.0, 0.0, 0.0, 0.0),
        (0.25, 0.0, 0.0, 2.5),
        (0.5, 0.0, 10.0, 5.0),
        (1.4, 0.0, 10.0, 14.0),
        (1.6, 0.0, 20.0, 16.0),
        (2.0, 0.0, 20.0, 20.0),
        (3.75, 0.0, 40.0, 37.5),
        (4.0, 0.0, 40.0, 40.0),
        (99.0, 0.0, 40.0, 40.0),
        (f32::INFINITY, 0.0, 40.0, 40.0),
        (f32::NEG_INFINITY, 0.0, 0.0, 0.0),
        (f32::NAN, 0.0, 0.0, 0.0),
    ] {
        for filter in [0, 1] {
            for (mip, wanted) in [(0, none), (1, nearest), (2, linear)] {
                let level = LevelOf::Exact(&[lod; LANES]);
                let is = red(&texture, sampler(filter, mip, 0, 0), [0.3, 0.6, 0.0], level);
                assert!(near(is, wanted), "{lod} {filter} {mip}: {is}, not {wanted}");
            }
        }
    }
    // If a texture lacks its smallest levels, larger LODs return the last level that it has.
    let short = levels(Dimension::D2, [16, 16, 1], 3);
    for (lod, wanted) in [(1.5, 15.0), (2.0, 20.0), (3.0, 20.0)] {
        assert!(near(red(&short, sampler(1, 2, 0, 0), [0.3, 0.6, 0.0], LevelOf::Exact(&[lod; LANES])), wanted));
    }
}

#[test]
fn the_implicit_level_is_the_longer_difference_in_texels() {
    let implicit = LevelOf::Implicit { bias: None };
    for (dimension, sizes, dx, dy, lod) in [
        (Dimension::D2, [64, 64, 1], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], 0.0),
        (Dimension::D2, [64, 64, 1], [2.0, 0.0, 0.0], [0.0, 1.0, 0.0], 1.0),
        (Dimension::D2, [64, 64, 1], [0.0, 1.0, 0.0], [-4.0, 0.0, 0.0], 2.0),
        (Dimension::D2, [64, 64, 1], [3.0, 4.0, 0.0], [0.0, 1.0, 0.0], 5f32.log2()),
        (Dimension::D2, [64, 16, 1], [0.0, 8.0, 0.0], [1.0, 0.0, 0.0], 3.0),
        (Dimension::D2, [64, 64, 1], [0.125, 0.0, 0.0], [0.0, 0.125, 0.0], -3.0),
        (Dimension::D2, [64, 64, 1], [0.0, 0.0, 64.0], [0.0, 0.0, 64.0], f32::NEG_INFINITY),
        (Dimension::D3, [32, 32, 16], [0.0, 0.0, 4.0], [1.0, 0.0, 0.0], 2.0),
        (Dimension::D3, [32, 32, 16], [2.0, 3.0, 6.0], [1.0, 0.0, 0.0], 7f32.log2()),
    ] {
        let texture = levels(dimension, sizes, 5);
        let through = |d: [f32; 3]| std::array::from_fn(|i| d[i] / sizes[i] as f32);
        let (dx, dy) = (through(dx), through(dy));
        let at = quads([0.1, 0.2, 0.3], dx, dy);
        let gradient = LevelOf::Gradient { dx: &[dx; LANES], dy: &[dy; LANES] };
        for level in [implicit, gradient] {
            let texels = sample(&texture, &sampler(1, 2, 1, 1), &at, level, ALL);
            for texel in texels {
                assert!((texel[0] * 255.0 - 10.0 * lod.max(0.0)).abs() < 2e-2, "{sizes:?} {dx:?} {dy:?}: {texel:?}");
            }
        }
        let bias = std::array::from_fn(|lane| (lane % 5) as f32 - 2.0);
        let texels = sample(&texture, &sampler(1, 2, 1, 1), &at, LevelOf::Implicit { bias: Some(&bias) }, ALL);
        for (texel, bias) in texels.iter().zip(bias) {
            let wanted = (lod + bias).clamp(0.0, 4.0);
            assert!((texel[0] * 255.0 - 10.0 * wanted).abs() < 2e-2, "{bias}: {texel:?}");
        }
    }
}

#[test]
fn lanes_that_are_not_live_do_not_affect_the_level() {
    let texture = levels(Dimension::D2, [64, 64, 1], 7);
    // The longer difference is horizontal in the first case, and vertical in the second case.
    let ways = [([4.0 / 64.0, 0.0, 0.0], [0.0, 1.0 / 64.0, 0.0]), ([1.0 / 64.0, 0.0, 0.0], [0.0, 4.0 / 64.0, 0.0])];
    for (dx, dy) in ways {
        for dead in 0..4 {
            let mut at = quads([0.1, 0.2, 0.0], dx, dy);
            at[dead] = [f32::NAN, 1e30, 0.0];
            let live = ALL & !(1 << dead);
            let texels = sample(&texture, &sampler(1, 2, 0, 0), &at, LevelOf::Implicit { bias: None }, live);
            for (lane, texel) in texels.iter().enumerate() {
                if lane == dead {
                    assert_eq!(*texel, [0.0; 4]);
                } else {
                    assert!(near(texel[0] * 255.0, 20.0), "{dead} {lane} {texel:?}");
                }
            }
        }
    }
    // With a single live lane, or with two live lanes on a diagonal, all differences are zero, so the largest level is read.
    let at = quads([0.1, 0.2, 0.0], [4.0 / 64.0, 0.0, 0.0], [0.0, 1.0 / 64.0, 0.0]);
    for live in [0b0001, 0b1001, 0b0110] {
        let texels = sample(&texture, &sampler(1, 2, 0, 0), &at, LevelOf::Implicit { bias: None }, live);
        for (lane, texel) in texels.iter().enumerate() {
            let wanted = if live >> lane & 1 == 1 { grey(&[0])[0].map(|c| f32::from(c) / 255.0) } else { [0.0; 4] };
            assert_eq!(*texel, wanted, "{live:b} {lane}");
        }
    }
    assert_eq!(sample(&texture, &sampler(1, 2, 0, 0), &at, BASE, 0), [[0.0; 4]; LANES]);
}

/// Returns a cube whose texels encode their position: red is 40 times the face, green is 20 times x, and blue is 20 times y.
fn positions(size: u32) -> Texture {
    let face =
        |face: u8| (0..size * size).map(|i| [40 * face, 20 * (i % size) as u8, 20 * (i / size) as u8, 255]).collect();
    Texture::cube(size, std::array::from_fn(|number| face(number as u8))).unwrap()
}

fn bytes(texture: &Texture, filter: u8, at: [f32; 3]) -> [f32; 4] {
    sample(texture, &sampler(filter, 0, 0, 0), &[at; LANES], BASE, ALL)[63].map(|component| component * 255.0)
}

#[test]
fn a_direction_meets_its_face_at_the_position_of_its_axes() {
    let texture = positions(2);
    // Each direction points to the upper right quarter of a face as seen from inside, which is the texel at x = 1 and y = 0.
    for (face, at) in
        [[1.0, 0.5, -0.5], [-1.0, 0.5, 0.5], [0.5, 1.0, -0.5], [0.5, -1.0, 0.5], [0.5, 0.5, 1.0], [-0.5, 0.5, -1.0]]
            .into_iter()
            .enumerate()
    {
        for filter in [0, 1] {
            let wanted = [40.0 * face as f32, 20.0, 0.0, 255.0];
            let is = bytes(&texture, filter, at.map(|component| component * 3.7));
            assert!(is.iter().zip(wanted).all(|(is, wanted)| near(*is, wanted)), "{face} {filter}: {is:?}");
        }
    }
    // If components have the same magnitude, z takes precedence over y, and y over x.
    assert_eq!(bytes(&texture, 0, [1.0, 1.0, 1.0])[0], 160.0);
    assert_eq!(bytes(&texture, 0, [-1.0, -1.0, 0.5])[0], 120.0);
    assert_eq!(bytes(&texture, 0, [-1.0, 0.2, -1.0])[0], 200.0);
}

#[test]
fn a_cubes_edges_mix_both_faces_and_its_corners_three() {
    let faces = std::array::from_fn(|face| vec![[40 * face as u8; 4]; 4]);
    let texture = Texture::cube(2, faces).unwrap();
    let axis = |face: usize| {
        let mut at = [0.0; 3];
        at[face / 2] = [1.0, -1.0f32][face % 2];
        at
    };
    for a in 0..6 {
        for b in (0..6).filter(|b| b / 2 != a / 2) {
            let at = std::array::from_fn(|i| axis(a)[i] + axis(b)[i]);
            let is = bytes(&texture, 1, at)[0];
            assert!(near(is, 20.0 * (a + b) as f32), "{a} {b}: {is}");
            for c in (0..6).filter(|c| c / 2 != a / 2 && c / 2 != b / 2) {
                let at = std::array::from_fn(|i| axis(a)[i] + axis(b)[i] + axis(c)[i]);
                let is = bytes(&texture, 1, at)[0];
                // The face's own texel and the two neighbours' texels have a weight of one quarter each, and the mean of the
                // three texels has the last quarter.
                assert!(near(is, 40.0 * (a + b + c) as f32 / 3.0), "{a} {b} {c}: {is}");
            }
        }
    }
}

#[test]
fn a_cubes_faces_join_at_the_right_texels() {
    // Along each edge, the texels of the two faces are adjacent, so the results on both sides of the edge agree.
    let texture = positions(4);
    for a in 0..3 {
        for (sign_a, sign_b) in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0f32)] {
            for along in [-0.75, -0.25, 0.25, 0.75, 0.1, -0.6] {
                let (b, c) = ((a + 1) % 3, (a + 2) % 3);
                let place = |first: f32, second: f32| {
                    let mut at = [0.0; 3];
                    (at[a], at[b], at[c]) = (sign_a * first, sign_b * second, along);
                    bytes(&texture, 1, at)
                };
                let (one, other) = (place(1.0, 0.999_999), place(0.999_999, 1.0));
                assert!(one.iter().zip(other).all(|(one, other)| (one - other).abs() < 1e-2), "{one:?} {other:?}");
            }
        }
    }
    // The face to the right of +z is +x, whose left column continues the rows of +z.
    for (y, t) in [(0, 0.125), (1, 0.375), (2, 0.625), (3, 0.875)] {
        let is = bytes(&texture, 1, [1.0, 1.0 - 2.0 * t, 1.0]);
        let wanted = [(160.0 + 0.0) / 2.0, (60.0 + 0.0) / 2.0, 20.0 * y as f32, 255.0];
        assert!(is.iter().zip(wanted).all(|(is, wanted)| near(*is, wanted)), "{y}: {is:?}");
    }
    // The face above +y is -z, whose top row continues the columns of +y in reverse.
    for (x, s) in [(0, 0.125), (1, 0.375), (2, 0.625), (3, 0.875)] {
        let is = bytes(&texture, 1, [2.0 * s - 1.0, 1.0, -1.0]);
        let wanted = [(80.0 + 200.0) / 2.0, (20.0 * x as f32 + 20.0 * (3 - x) as f32) / 2.0, 0.0, 255.0];
        assert!(is.iter().zip(wanted).all(|(is, wanted)| near(*is, wanted)), "{x}: {is:?}");
    }
}

#[test]
fn a_cubes_level_is_that_of_the_position_on_the_face() {
    let texture = levels(Dimension::Cube, [64, 64, 6], 7);
    let implicit = LevelOf::Implicit { bias: None };
    // On face +x, s = -z / x. The face is 64 texels wide, so a step of 1/32 in z is one texel at x = 1, and a quarter of a
    // texel at x = 4. A step in x also changes s.
    for (at, dx, lod) in [
        ([1.0, 0.0, 0.0], [0.0, 0.0, 4.0 / 32.0], 2.0),
        ([4.0, 0.0, 0.0], [0.0, 0.0, 16.0 / 32.0], 2.0),
        ([-1.0, 0.0, 0.0], [0.0, 8.0 / 32.0, 0.0], 3.0),
        ([0.0, 0.0, -2.0], [8.0 / 32.0, 0.0, 0.0], 2.0),
        ([0.0, 3.0, 0.0], [1.0, 0.0, 0.0], (32.0f32 / 3.0).log2()),
        // An outward step in the middle of a face changes nothing. Elsewhere, an outward step moves the position inward.
        ([1.0, 0.0, 0.0], [0.5, 0.0, 0.0], 0.0),
        ([1.0, 0.0, 0.5], [0.25, 0.0, 0.0], 2.0),
    ] {
        let lods = [
            (implicit, quads(at, dx, [0.0; 3])),
            (LevelOf::Gradient { dx: &[dx; LANES], dy: &[[0.0; 3]; LANES] }, [at; LANES]),
        ];
        for (level, at) in lods {
            for texel in sample(&texture, &sampler(1, 2, 0, 0), &at, level, ALL) {
                assert!((texel[0] * 255.0 - 10.0 * lod).abs() < 2e-2, "{at:?} {dx:?}: {texel:?}, not {lod}");
            }
        }
    }
}

#[test]
fn fetch_reads_levels_slices_and_faces_and_zeroes_outside() {
    let texture = levels(Dimension::D2, [4, 2, 1], 3);
    assert_eq!(fetched(&texture, [1, 0, 0], 1)[0] * 255.0, 10.0);
    assert_eq!(fetched(&texture, [3, 1, 77], 0)[3], 1.0, "a 2D texture has no third component");
    for (place, level) in [
        ([4, 0, 0], 0),
        ([-1, 0, 0], 0),
        ([0, 2, 0], 0),
        ([2, 0, 0], 1),
        ([0, 0, 0], 3),
        ([0, 0, 0], -1),
        ([i32::MIN, i32::MAX, 0], 0),
    ] {
        assert_eq!(fetched(&texture, place, level), [0.0; 4], "{place:?} {level}");
    }
    let cube = positions(4);
    assert_eq!(fetched(&cube, [2, 3, 5], 0).map(|component| (component * 255.0).round()), [200.0, 40.0, 60.0, 255.0]);
    assert_eq!(fetched(&cube, [2, 3, 6], 0), [0.0; 4]);
    let deep = Texture::d3(1, 1, 3, grey(&[1, 2, 3])).unwrap();
    assert_eq!(fetched(&deep, [0, 0, 2], 0)[0] * 255.0, 3.0);
    assert_eq!(fetched(&deep, [0, 0, 3], 0), [0.0; 4]);
}

#[test]
fn every_coordinate_results_in_a_texel() {
    let odd = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN, 0.0, -0.0, 1e-45, 1.5, 8_388_609.0];
    let textures = [
        Texture::d2(3, 5, grey(&[9; 15])).unwrap().with_mips(),
        Texture::d3(3, 5, 2, grey(&[9; 30])).unwrap().with_mips(),
        Texture::cube(3, std::array::from_fn(|_| grey(&[9; 9]))).unwrap().with_mips(),
        Texture::cube(1, std::array::from_fn(|_| grey(&[9]))).unwrap(),
    ];
    let mut at = [[0.0; 3]; LANES];
    for round in 0..16 {
        for (lane, at) in at.iter_mut().enumerate() {
            let number = round * LANES + lane;
            *at = [odd[number % 10], odd[number / 10 % 10], odd[number / 100 % 10]];
        }
        for texture in &textures {
            for state in 0..36 {
                let sampler = sampler(state % 2, state / 2 % 3, state / 6 % 2, state / 12 % 2);
                let odd: [f32; LANES] = std::array::from_fn(|lane| odd[lane % 10]);
                for level in [
                    LevelOf::Implicit { bias: None },
                    LevelOf::Implicit { bias: Some(&odd) },
                    LevelOf::Exact(&odd),
                    LevelOf::Gradient { dx: &at, dy: &at },
                ] {
                    let texels = sample(texture, &sampler, &at, level, ALL);
                    assert!(texels.iter().all(|texel| near(texel[0] * 255.0, 9.0)), "{sampler:?} {texels:?}");
                }
            }
        }
    }
}

#[test]
fn an_invalid_texture_reads_as_zeroes() {
    let level = |width, height, depth, count| Level { width, height, depth, texels: grey(&vec![9; count]) };
    for (dimension, levels) in [
        (Dimension::D2, vec![]),
        (Dimension::D2, vec![level(0, 0, 0, 0)]),
        (Dimension::D2, vec![level(u32::MAX, u32::MAX, 1, 1)]),
        (Dimension::D3, vec![level(2, 2, 0, 0)]),
        (Dimension::Cube, vec![level(2, 3, 6, 36)]),
        (Dimension::D2, vec![level(2, 2, 1, 0)]),
    ] {
        let texture = Texture { dimension, levels };
        for filter in [0, 1] {
            let texels = sample(&texture, &sampler(filter, 2, 0, 1), &[[0.4; 3]; LANES], BASE, ALL);
            assert_eq!(texels, [[0.0; 4]; LANES]);
        }
        assert_eq!(fetched(&texture, [1, 2, 7], 0), [0.0; 4]);
    }
}

fn layer_of(texture: &Texture, layer: u32) -> Texture {
    let dimension = if texture.dimension == Dimension::CubeArray { Dimension::Cube } else { Dimension::D2 };
    let levels = texture.levels.iter().map(|level| {
        let slices = (level.width * level.height * dimension.faces()) as usize;
        let texels = level.texels[layer as usize * slices..][..slices].to_vec();
        Level { depth: dimension.faces(), texels, ..*level }
    });
    Texture { dimension, levels: levels.collect() }
}

fn places(random: &mut testing::Random) -> [[f32; 3]; LANES] {
    std::array::from_fn(|_| std::array::from_fn(|_| random.below(4001) as f32 / 1000.0 - 2.0))
}

#[test]
fn a_layer_of_an_array_is_sampled_as_a_texture_of_its_own_and_clamped() {
    let mut random = testing::Random::of(11, &[]);
    for dimension in [Dimension::D2Array, Dimension::CubeArray] {
        for way in 0..24u8 {
            let texture = plain::random_texture(&mut random, dimension);
            let [filter, mip, wrap_u, wrap_v] = [way % 2, way / 2 % 3, way / 6 % 2, way / 12];
            let sampler = Sampler { filter, mip, wrap_u, wrap_v, ..Sampler::default() };
            let at = places(&mut random);
            let levels = [(); LANES].map(|()| random.below(40) as f32 / 10.0);
            for (layer, own) in [(-5, 0), (0, 0), (1, 1), (2, 2), (3, 2), (i32::MAX, 2)] {
                let layers = [layer.cast_unsigned(); LANES];
                let of = layer_of(&texture, own);
                let found =
                    sample_layers(&texture, &sampler, &at, (&layers, [0; 3]), LevelOf::Exact(&levels), Mask::MAX);
                assert_eq!(
                    found,
                    sample(&of, &sampler, &at, LevelOf::Exact(&levels), Mask::MAX),
                    "{dimension:?} {layer}"
                );
            }
        }
    }
}

#[test]
fn an_offset_moves_texels_in_every_level_before_they_wrap() {
    let mut random = testing::Random::of(13, &[]);
    let mut far = 0;
    for (dimension, axes) in [(Dimension::D2, 2), (Dimension::D2Array, 2), (Dimension::D3, 3)] {
        for way in 0..64u8 {
            let texture = plain::random_texture(&mut random, dimension);
            let [filter, wrap_u, wrap_v, level] = [way & 1, way >> 1 & 1, way >> 2 & 1, way >> 3 & 1];
            let sampler = Sampler { filter, mip: 1, wrap_u, wrap_v, ..Sampler::default() };
            let level = level.min(texture.levels.len() as u8 - 1);
            let mut offset = [0, 1, 2].map(|axis| if axis < axes { random.below(16) as i32 - 8 } else { 0 });
            if way >> 4 == 0 {
                offset = [[-8, 7, -8], [7, -8, 7], [0, 1, 0], [-1, 0, 1]][usize::from(way % 4)];
                offset[axes..].fill(0);
            }
            let of = &texture.levels[usize::from(level)];
            let sizes = [of.width, of.height, of.depth].map(|size| size as i32);
            let wraps = [wrap_u, wrap_v, wrap_u].map(|wrap| wrap == 1);
            // With a nearest filter, the coordinate is the centre of a texel. With a linear filter, the coordinate is half-way to
            // the centre of the next texel along each axis.
            let texels: [[i32; 3]; LANES] =
                std::array::from_fn(|_| std::array::from_fn(|_| random.below(40) as i32 - 16));
            let middle = if filter == 1 { 1.0 } else { 0.5 };
            let at = texels.map(|texel| std::array::from_fn(|axis| (texel[axis] as f32 + middle) / sizes[axis] as f32));
            let layers = [1; LANES];
            let asked = LevelOf::Exact(&[f32::from(level); LANES]);
            let found = sample_layers(&texture, &sampler, &at, (&layers, offset), asked, Mask::MAX);
            for (lane, found) in found.iter().enumerate() {
                let read = |corner: usize| {
                    let place = [0, 1, 2].map(|axis| {
                        let place = texels[lane][axis] + offset[axis] + (corner >> axis & 1) as i32;
                        far += i32::from(!(0..sizes[axis]).contains(&place));
                        match wraps[axis] {
                            _ if axis >= axes => i32::from(dimension == Dimension::D2Array),
                            true => place.rem_euclid(sizes[axis]),
                            false => place.clamp(0, sizes[axis] - 1),
                        }
                    });
                    fetched(&texture, place, level.into())
                };
                let count = if filter == 1 { 1 << axes } else { 1 };
                let four: Vec<[f32; 4]> = (0..count).map(read).collect();
                for component in 0..4 {
                    let mean = four.iter().map(|texel| texel[component]).sum::<f32>() / count as f32;
                    let what = format!("{dimension:?} {sampler:?} {offset:?} {:?}", texels[lane]);
                    assert!((found[component] - mean).abs() < 1e-3, "{what}: {} and {mean}", found[component]);
                }
                if filter == 1 && level == 0 && axes == 2 {
                    let what = Gathered::Component(Texel::Float, 2);
                    let gathered = gather_layers(&texture, &sampler, &at, (&layers, offset), what, Mask::MAX);
                    let order = [2, 3, 1, 0].map(|corner| four[corner][2]);
                    assert_eq!(gathered.map(|column| f32::from_bits(column[lane])), order, "{offset:?}");
                }
            }
        }
    }
    assert!(far > 10_000, "{far} texels are outside");
}

#[test]
fn what_a_gather_reads_is_what_a_linear_filter_mixes() {
    let mut random = testing::Random::of(12, &[]);
    for dimension in [Dimension::D2, Dimension::Cube, Dimension::D2Array, Dimension::CubeArray] {
        for way in 0..8u8 {
            let texture = plain::random_texture(&mut random, dimension);
            let sampler = Sampler { filter: 1, wrap_u: way % 2, wrap_v: way / 2 % 2, ..Sampler::default() };
            let (at, layers) = (places(&mut random), [(); LANES].map(|()| random.below(4) as u32));
            let level = LevelOf::Exact(&[0.0; LANES]);
            let sampled = sample_layers(&texture, &sampler, &at, (&layers, [0; 3]), level, Mask::MAX);
            for component in 0..4 {
                let what = Gathered::Component(Texel::Float, component);
                let found = gather_layers(&texture, &sampler, &at, (&layers, [0; 3]), what, Mask::MAX);
                for (lane, sampled) in sampled.iter().enumerate() {
                    let four = found.map(|column| f32::from_bits(column[lane]));
                    let [least, most] =
                        [four.iter().fold(2.0f32, |a, &b| a.min(b)), four.iter().fold(-1.0f32, |a, &b| a.max(b))];
                    let is_between = least - 0.01 <= sampled[component] && sampled[component] <= most + 0.01;
                    assert!(is_between, "{dimension:?} {four:?} {sampled:?}");
                }
            }
        }
    }
}

#[test]
fn four_texels_are_gathered_from_the_lower_left_against_the_clock() {
    let texels = [[10, 1, 0, 255], [20, 2, 0, 255], [30, 3, 0, 255], [40, 4, 0, 255]].to_vec();
    let texture = Texture::d2(2, 2, texels).expect("a texture");
    let (sampler, at) = (Sampler::default(), [[0.5, 0.5, 0.0]; LANES]);
    let bits =
        |what| gather_layers(&texture, &sampler, &at, (&[0; LANES], [0; 3]), what, Mask::MAX).map(|column| column[3]);
    assert_eq!(bits(Gathered::Component(Texel::Uint, 0)), [30, 40, 20, 10]);
    assert_eq!(bits(Gathered::Component(Texel::Uint, 1)), [3, 4, 2, 1]);
    assert_eq!(bits(Gathered::Component(Texel::Int, 3)), [u32::MAX; 4], "ints are signed");
    let reference = [25.0 / 255.0; LANES];
    let one = 1f32.to_bits();
    assert_eq!(bits(Gathered::Compared(&reference)), [one, one, 0, 0], "less or equal");
    let linear = Sampler { filter: 1, ..sampler };
    let filtered = |sampler, at| {
        let what = Gathered::Filtered(&reference, None);
        f32::from_bits(gather_layers(&texture, sampler, &[at; LANES], (&[0; LANES], [0; 3]), what, Mask::MAX)[0][9])
    };
    assert_eq!(filtered(&linear, [0.5, 0.5, 0.0]), 0.5);
    assert_eq!(filtered(&linear, [0.5, 0.375, 0.0]), 0.25, "comparison results are mixed, not depths");
    assert_eq!(filtered(&sampler, [0.5, 0.375, 0.0]), 0.0);
    assert_eq!(filtered(&sampler, [0.5, 0.625, 0.0]), 1.0);
}

fn fetched(texture: &Texture, place: [i32; 3], level: i32) -> [f32; 4] {
    fetch(texture, Texel::Float, place, level).map(f32::from_bits)
}
