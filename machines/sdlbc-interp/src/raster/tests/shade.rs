//! Tests of the inputs and outputs of fragments: varyings, depth, render targets, drawing order and threads.

use sdlbc::Interpolation::{Flat, Linear, Perspective};
use testing::Random;

use super::super::{DrawError, LARGEST, draw_into, draw_with};
use super::*;

/// The vertices of a triangle, all of which are outside the picture.
const AROUND: [(f32, f32); 3] = [(-3.0, -2.0), (40.0, 1.0), (2.0, 45.0)];

/// Computes the weights of three vertices at a position in f64: the screen-space weights, and the perspective weights for the
/// given values of w.
fn weights(corners: [(f32, f32); 3], w: [f32; 3], x: f64, y: f64) -> [[f64; 3]; 2] {
    let [a, b, c] = corners.map(|(x, y)| (f64::from(x), f64::from(y)));
    let cross = |p: (f64, f64), q: (f64, f64), r: (f64, f64)| (q.0 - p.0) * (r.1 - p.1) - (q.1 - p.1) * (r.0 - p.0);
    let whole = cross(a, b, c);
    let screen = [cross(b, c, (x, y)) / whole, cross(c, a, (x, y)) / whole, cross(a, b, (x, y)) / whole];
    let through: [f64; 3] = std::array::from_fn(|i| screen[i] / f64::from(w[i]));
    let sum: f64 = through.iter().sum();
    [screen, through.map(|part| part / sum)]
}

fn mean(weights: [f64; 3], values: [f32; 3]) -> f32 {
    weights.iter().zip(values).map(|(weight, value)| weight * f64::from(value)).sum::<f64>() as f32
}

#[test]
fn varyings_are_interpolated_in_space_on_the_screen_or_not_at_all() {
    let size = [32, 32];
    let (w, z) = ([1.0, 5.0, 0.25], [0.1, 0.9, 0.4]);
    let values = [[1.0, 7.0, -3.0, 100.0], [2.0, 7.0, 8.0, -50.0], [4.0, 7.0, 0.5, 3.0]];
    let positions: [_; 3] = std::array::from_fn(|i| at(size, AROUND[i].0, AROUND[i].1, z[i], w[i]));
    let draw =
        Draw { targets: 4, depth: Some(DepthTest::Less), ..mesh(size, &[&positions, &values, &values, &values]) };
    let run = |lane: &Lane<'_>| Fragment {
        colours: vec![lane.varying(0), lane.varying(1), lane.varying(2), lane.coordinate()],
        ..Fragment::default()
    };
    let image = super::draw(&draw, &Paint::new(&[Perspective, Linear, Flat], &run));
    let mut covered = 0;
    for y in 0..32 {
        for x in 0..32 {
            let [in_space, on_screen, flat, coordinate] = [0, 1, 2, 3].map(|target| image.targets[target][y * 32 + x]);
            if coordinate == [0.0; 4] {
                continue;
            }
            covered += 1;
            let (cx, cy) = (x as f64 + 0.5, y as f64 + 0.5);
            let [screen, space] = weights(AROUND, w, cx, cy);
            for component in 0..4 {
                let of = values.map(|value| value[component]);
                assert!((in_space[component] - mean(space, of)).abs() < 2e-5, "{x} {y} {in_space:?}");
                assert!((on_screen[component] - mean(screen, of)).abs() < 2e-5, "{x} {y} {on_screen:?}");
            }
            assert_eq!([in_space[1], on_screen[1]], [7.0, 7.0], "values that agree at all vertices are constant");
            assert_eq!(flat, values[0]);
            assert_eq!(coordinate[..2], [cx as f32, cy as f32]);
            assert!((coordinate[2] - mean(screen, z)).abs() < 1e-6);
            assert!((coordinate[3] - mean(screen, w.map(|w| 1.0 / w))).abs() < 1e-5);
            assert_eq!(image.depth.as_ref().unwrap()[y * 32 + x], coordinate[2]);
        }
    }
    assert!(covered > 700, "{covered}");
}

#[test]
fn the_first_vertex_provokes_in_front_and_back_faces_and_after_clipping() {
    let size = [32, 32];
    let flat = [[1.0, 0.0, 0.0, 0.0], [2.0, 0.0, 0.0, 0.0], [3.0, 0.0, 0.0, 0.0]];
    let run = |lane: &Lane<'_>| colour(lane.varying(0));
    for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2]] {
        for z in [[0.5, 0.5, 0.5], [-0.5, 0.5, 0.5], [-0.2, -0.2, 0.9], [0.5, 1.5, 0.5]] {
            let positions: [_; 3] = std::array::from_fn(|i| at(size, AROUND[i].0, AROUND[i].1, z[i], 1.0));
            let mut draw = mesh(size, &[&positions, &flat]);
            draw.indices = order.to_vec();
            let image = super::draw(&draw, &Paint::new(&[Flat], &run));
            let wanted = flat[order[0] as usize];
            assert!(image.targets[0].contains(&wanted));
            assert!(image.targets[0].iter().all(|&texel| texel == wanted || texel == [0.0; 4]), "{order:?} {z:?}");
        }
    }
}

#[test]
fn clipping_does_not_change_interpolated_values() {
    // The cases clip the triangle at the near plane, at the far plane, and at the guard band.
    let size = [32, 32];
    let w = [1.0, 4.0, 2.0];
    let values = [[1.0; 4], [2.0; 4], [4.0; 4]];
    let run = |lane: &Lane<'_>| Fragment { colours: vec![lane.varying(0), lane.varying(1)], ..Fragment::default() };
    let far_aside = [(-1e6, -2.0), (40.0, 1.0), (2.0, 45.0)];
    for (corners, z) in [(AROUND, [-0.3, 0.9, 0.2]), (AROUND, [0.4, 0.2, 1.3]), (far_aside, [0.5, 0.5, 0.5])] {
        let positions: [_; 3] = std::array::from_fn(|i| at(size, corners[i].0, corners[i].1, z[i], w[i]));
        let draw = Draw { targets: 2, ..mesh(size, &[&positions, &values, &values]) };
        let image = super::draw(&draw, &Paint::new(&[Perspective, Linear], &run));
        let mut covered = 0;
        for y in 0..32 {
            for x in 0..32 {
                let [space, screen] = [0, 1].map(|target| image.targets[target][y * 32 + x][0]);
                if space != 0.0 {
                    covered += 1;
                    let wanted = weights(corners, w, x as f64 + 0.5, y as f64 + 0.5);
                    // Clipping snaps each new vertex to 1/256 pixel.
                    assert!((screen - mean(wanted[0], [1.0, 2.0, 4.0])).abs() < 1e-2, "{x} {y} {screen}");
                    assert!((space - mean(wanted[1], [1.0, 2.0, 4.0])).abs() < 1e-2, "{x} {y} {space}");
                }
            }
        }
        assert!(covered > 100, "{covered}");
    }
}

#[test]
fn a_floor_has_the_distance_of_its_perspective() {
    // The floor is 1 below the eye, and the field of view is 90 degrees. The floor's distance in a row of pixels is the
    // reciprocal of the row's offset below the middle.
    let size = [64, 64];
    let corner = |x: f32, distance: f32| [x, -1.0, (distance - 0.5) * 0.5, distance];
    let [a, b, c, d] = [corner(-99.0, -20.0), corner(99.0, -20.0), corner(-99.0, 90.0), corner(99.0, 90.0)];
    let position = [a, b, c, b, d, c];
    let varying = position.map(|[x, _, _, w]| [x, w, 0.0, 1.0]);
    let run = |lane: &Lane<'_>| colour(lane.varying(0));
    let image = super::draw(&mesh(size, &[&position, &varying]), &Paint::new(&[Perspective], &run));
    for y in 33..64 {
        for x in 0..64 {
            let below = (y as f32 + 0.5) / 32.0 - 1.0;
            let aside = (x as f32 + 0.5) / 32.0 - 1.0;
            let [is_aside, is_away, ..] = pixel(&image, x, y);
            assert!((is_away * below - 1.0).abs() < 2e-3, "{x} {y}: {is_away}");
            assert!((is_aside * below - aside).abs() < 2e-3, "{x} {y}: {is_aside}");
        }
    }
}

#[test]
fn varyings_are_extrapolated_in_helper_invocations() {
    let size = [16, 16];
    let corners = [(1.0, 1.0), (14.0, 3.0), (4.0, 13.0)];
    let positions = corners.map(|(x, y)| at(size, x, y, 0.0, 1.0));
    let places = corners.map(|(x, y)| [x, y, 0.0, 1.0]);
    let run = |lane: &Lane<'_>| {
        let [a, b, c, d] = [0, 1, 2, 3].map(|place| lane.of_lane(0, place));
        let near = |x: f32, y: f32| (x - y).abs() < 1e-4;
        assert!(near(b[0] - a[0], 1.0) && near(d[0] - c[0], 1.0) && near(c[0] - a[0], 0.0));
        assert!(near(c[1] - a[1], 1.0) && near(d[1] - b[1], 1.0) && near(b[1] - a[1], 0.0));
        colour(lane.varying(0))
    };
    let image = super::draw(&mesh(size, &[&positions, &places]), &Paint::new(&[Perspective], &run));
    assert!((pixel(&image, 5, 5)[0] - 5.5).abs() < 1e-4);
}

#[test]
fn a_points_varyings_are_those_of_its_vertex_bit_by_bit() {
    let odd = [f32::NAN, f32::INFINITY, f32::from_bits(1), -0.0];
    let other = [f32::from_bits(0x7fa0_1234), f32::MAX, f32::NEG_INFINITY, 3.0];
    let size = [8, 8];
    let positions = [at(size, 3.5, 2.5, 0.25, 2.0), at(size, 2.5, 2.5, 0.5, 4.0)];
    for interpolation in Interpolation::ALL {
        let draw = Draw { topology: Topology::Points, ..mesh(size, &[&positions, &[odd, other]]) };
        let run = |lane: &Lane<'_>| {
            for place in 0..4 {
                assert_eq!(lane.of_lane(0, place).map(f32::to_bits), lane.varying(0).map(f32::to_bits));
            }
            let wanted = if lane.coordinate()[0] == 3.5 { (odd, 0.25, 0.5) } else { (other, 0.5, 0.25) };
            assert_eq!(lane.coordinate()[2..], [wanted.1, wanted.2]);
            colour(lane.varying(0))
        };
        let image = super::draw(&draw, &Paint::new(&[interpolation], &run));
        assert_eq!(pixel(&image, 3, 2).map(f32::to_bits), odd.map(f32::to_bits));
        assert_eq!(pixel(&image, 2, 2).map(f32::to_bits), other.map(f32::to_bits));
    }
}

/// Returns two triangles that cover the same pixels at two depths, with the colours 1 and 2.
fn two(size: [u32; 2], depths: [f32; 2]) -> Draw {
    let mut positions = Vec::new();
    let mut colours = Vec::new();
    for (number, depth) in depths.into_iter().enumerate() {
        positions.extend([(0.0, 0.0), (16.0, 0.0), (0.0, 16.0)].map(|(x, y)| at(size, x, y, depth, 1.0)));
        colours.extend([[number as f32 + 1.0, depth, 0.0, 0.0]; 3]);
    }
    mesh(size, &[&positions, &colours])
}

#[test]
fn the_depth_test_accepts_the_right_fragments() {
    let size = [8, 8];
    let run = |lane: &Lane<'_>| colour(lane.varying(0));
    for (test, depths, winner, depth) in [
        (None, [0.2, 0.8], 2.0, None),
        (Some(DepthTest::Less), [0.25, 0.75], 1.0, Some(0.25)),
        (Some(DepthTest::Less), [0.75, 0.25], 2.0, Some(0.25)),
        (Some(DepthTest::Less), [0.5, 0.5], 1.0, Some(0.5)),
        (Some(DepthTest::LessEqual), [0.5, 0.5], 2.0, Some(0.5)),
        (Some(DepthTest::LessEqual), [0.25, 0.75], 1.0, Some(0.25)),
        (Some(DepthTest::Always), [0.25, 0.75], 2.0, Some(0.75)),
        (Some(DepthTest::Less), [1.0, 1.0], 0.0, Some(1.0)),
        (Some(DepthTest::LessEqual), [1.0, 1.0], 2.0, Some(1.0)),
    ] {
        let draw = Draw { depth: test, ..two(size, depths) };
        // An early and a late depth test must produce the same result.
        for writes_depth in [false, true] {
            let image = super::draw(&draw, &Paint { writes_depth, ..Paint::new(&[Flat], &run) });
            assert_eq!(pixel(&image, 3, 3)[0], winner, "{test:?} {depths:?}");
            assert_eq!(image.depth.as_ref().map(|depth| depth[27]), depth, "{test:?} {depths:?}");
        }
    }
}

#[test]
fn hidden_fragments_are_not_shaded_if_the_shader_writes_no_depth() {
    let draw = Draw { depth: Some(DepthTest::Less), ..two([8, 8], [0.25, 0.75]) };
    let run = |lane: &Lane<'_>| colour(lane.varying(0));
    let early = Paint::new(&[Flat], &run);
    super::draw(&draw, &early);
    let late = Paint { writes_depth: true, ..Paint::new(&[Flat], &run) };
    super::draw(&draw, &late);
    assert_eq!([early.shaded.into_inner(), late.shaded.into_inner()], [64, 128]);
}

#[test]
fn the_shaders_own_depth_is_tested_and_clamped() {
    let draw = Draw { depth: Some(DepthTest::LessEqual), ..two([8, 8], [0.25, 0.75]) };
    let run = |lane: &Lane<'_>| {
        let far = lane.varying(0)[0] == 1.0;
        Fragment { depth: Some(if far { 0.9 } else { 0.1 }), ..colour(lane.varying(0)) }
    };
    let image = super::draw(&draw, &Paint { writes_depth: true, ..Paint::new(&[Flat], &run) });
    assert_eq!((pixel(&image, 3, 3)[0], image.depth.unwrap()[27]), (2.0, 0.1));
    for (given, kept) in [(-2.0, 0.0), (1.5, 1.0), (f32::NAN, 0.0), (f32::INFINITY, 1.0)] {
        let run = |lane: &Lane<'_>| Fragment { depth: Some(given), ..colour(lane.varying(0)) };
        let image = super::draw(&draw, &Paint { writes_depth: true, ..Paint::new(&[Flat], &run) });
        assert_eq!(image.depth.unwrap()[27], kept, "{given}");
    }
}

#[test]
fn discarded_fragments_write_neither_colour_nor_depth() {
    let draw = Draw { depth: Some(DepthTest::Less), clear: [9.0; 4], ..two([8, 8], [0.5, 0.25]) };
    let run = |lane: &Lane<'_>| {
        let second = lane.varying(0)[0] == 2.0;
        Fragment { discard: second && lane.coordinate()[0] < 4.0, ..colour(lane.varying(0)) }
    };
    let image = super::draw(&draw, &Paint::new(&[Flat], &run));
    let depth = image.depth.as_ref().unwrap();
    assert_eq!((pixel(&image, 2, 2)[0], depth[18]), (1.0, 0.5));
    assert_eq!((pixel(&image, 5, 2)[0], depth[21]), (2.0, 0.25));
    assert_eq!(pixel(&image, 7, 7)[0], 2.0, "16 pixels each way reach that far");
}

#[test]
fn each_target_gets_its_colour_and_one_without_a_colour_stays_clear() {
    let draw = Draw { targets: 3, clear: [0.5, 0.25, 0.125, 1.0], ..two([8, 8], [0.5, 0.5]) };
    let run = |lane: &Lane<'_>| {
        let [n, ..] = lane.varying(0);
        Fragment { colours: vec![[n, 1e9, -5.0, 0.0], [10.0 * n; 4]], ..Fragment::default() }
    };
    let image = super::draw(&draw, &Paint::new(&[Flat], &run));
    assert_eq!(image.targets.len(), 3);
    assert_eq!(image.targets[0][9], [2.0, 1e9, -5.0, 0.0]);
    assert_eq!(image.targets[1][9], [20.0; 4]);
    assert_eq!(image.targets[2][9], draw.clear);
}

/// Returns a draw of many small triangles and some large, overlapping triangles. Without a depth buffer, the triangles' order
/// matters.
fn heap(size: [u32; 2], count: usize) -> Draw {
    let mut random = Random(3);
    let (mut positions, mut colours) = (Vec::new(), Vec::new());
    for number in 0..count {
        let reach = if number % 50 == 0 { 60.0 } else { 4.0 };
        let middle = [random.between(0.0, size[0] as f32), random.between(0.0, size[1] as f32)];
        for _ in 0..3 {
            let [x, y] = middle.map(|place| place + random.between(-reach, reach));
            positions.push(at(size, x, y, random.unit(), random.between(0.5, 2.0)));
            colours.push([number as f32, random.unit(), random.unit(), 1.0]);
        }
    }
    mesh(size, &[&positions, &colours])
}

#[test]
fn the_picture_does_not_depend_on_the_number_of_threads() {
    let run = |lane: &Lane<'_>| colour(lane.varying(0));
    for (depth, topology) in
        [(None, Topology::Triangles), (Some(DepthTest::Less), Topology::Triangles), (None, Topology::Points)]
    {
        let draw = Draw { depth, topology, ..heap([96, 75], 700) };
        let images = [1, 2, 3, 8].map(|threads| {
            let mut image = Image::default();
            assert!(draw_on(threads, &draw, &Paint::new(&[Perspective], &run), 8, &mut |_, _| {}, &mut image));
            image
        });
        assert!(images.iter().all(|image| *image == images[0]), "{depth:?} {topology:?}");
        assert!(images[0].targets[0].iter().filter(|&&texel| texel != [0.0; 4]).count() > 500);
    }
}

#[test]
fn later_triangles_and_points_are_drawn_over_earlier_ones() {
    let size = [16, 16];
    let run = |lane: &Lane<'_>| colour(lane.varying(0));
    let draw = heap(size, 300);
    for topology in [Topology::Triangles, Topology::Points] {
        let draw = Draw { topology, ..draw.clone() };
        let whole = super::draw(&draw, &Paint::new(&[Flat], &run));
        // `wanted` is the last fragment of each pixel, found by drawing each primitive separately.
        let mut wanted = vec![[0.0; 4]; 256];
        for indices in draw.indices.chunks(if topology == Topology::Points { 1 } else { 3 }) {
            let image = super::draw(
                &Draw { indices: indices.to_vec(), clear: [-1.0; 4], ..draw.clone() },
                &Paint::new(&[Flat], &run),
            );
            for (wanted, texel) in wanted.iter_mut().zip(&image.targets[0]).filter(|(_, texel)| texel[0] >= 0.0) {
                *wanted = *texel;
            }
        }
        assert_eq!(whole.targets[0], wanted, "{topology:?}");
    }
}

#[test]
fn a_vertex_with_many_indices_is_transformed_once_per_instance() {
    let size = [12, 4];
    let corners = [(0.0, 0.0), (4.0, 0.0), (0.0, 4.0), (4.0, 4.0)].map(|(x, y)| at(size, x, y, 0.0, 1.0));
    let mut draw = mesh(size, &[&corners]);
    draw.indices = [0, 1, 2, 1, 3, 2].repeat(20);
    draw.instances = 2;
    let run = |_: &Lane<'_>| colour([1.0; 4]);
    let paint = Paint::new(&[], &run);
    let image = super::draw(&draw, &paint);
    assert_eq!(paint.transformed.into_inner(), 8);
    // Each instance is one unit (half the picture's width) to the right of the previous instance.
    let row: Vec<f32> = (0..12).map(|x| pixel(&image, x, 1)[0]).collect();
    assert_eq!(row, [1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0]);
}

#[test]
fn several_groups_of_primitives_are_drawn_in_order_and_progress_is_reported() {
    let size = [4, 4];
    let draw = two(size, [0.5, 0.5]);
    let run = |lane: &Lane<'_>| colour(lane.varying(0));
    // The first and the last of 70,001 points cover the same pixel, and all other points are out of view.
    let mut indices = vec![1; 70_000];
    indices[0] = 0;
    indices.push(3);
    let mut points = Draw { topology: Topology::Points, indices, ..draw };
    let [here, elsewhere] = [1.5, 9.5].map(|x| at(size, x, 1.5, 0.5, 1.0).map(f32::to_bits));
    points.attributes.insert(0, vec![here, elsewhere, elsewhere, here]);
    let mut calls = Vec::new();
    let image = draw_with(&points, &Paint::new(&[Flat], &run), &mut |done, total| calls.push((done, total))).unwrap();
    assert_eq!(pixel(&image, 1, 1)[0], 2.0);
    assert!(calls.len() > 2 && calls.is_sorted());
    assert_eq!(calls.last(), Some(&(140_002, 140_002)), "two bands");
}

#[test]
fn a_shader_that_fails_ends_the_draw() {
    let draw = heap([64, 64], 500);
    let run = |lane: &Lane<'_>| colour(lane.varying(0));
    let paint = Paint { fails_after: 100, ..Paint::new(&[Flat], &run) };
    assert_eq!(draw_with(&draw, &paint, &mut |_, _| {}), Err(DrawError::Failed));
    assert!(paint.shaded.into_inner() < 100 + 16 * LANES);
}

#[test]
fn a_picture_without_pixels_or_primitives_is_valid() {
    let run = |_: &Lane<'_>| colour([1.0; 4]);
    for (width, height) in [(0, 5), (5, 0), (0, 0)] {
        let image = super::draw(&Draw { width, height, ..two([8, 8], [0.5, 0.5]) }, &Paint::new(&[], &run));
        assert!(image.targets.len() == 1 && image.targets[0].is_empty());
    }
    let mut none = two([8, 8], [0.5, 0.5]);
    none.indices.clear();
    assert_eq!(super::draw(&none, &Paint::new(&[], &run)).targets[0], [[0.0; 4]; 64]);
    none.indices = vec![0, 1, 2, 3, 4];
    assert_eq!(pixel(&super::draw(&none, &Paint::new(&[], &run)), 0, 0), [1.0; 4], "two indices are left over");
    let too_large = Draw { width: LARGEST + 1, height: 1, ..none };
    let error = draw_with(&too_large, &Paint::new(&[], &run), &mut |_, _| {}).unwrap_err();
    assert_eq!(error, DrawError::TooLarge { width: LARGEST + 1, height: 1 });
}

/// Returns a draw of one triangle that covers about a third of the picture.
fn whole(size: [u32; 2], targets: usize, depth: Option<DepthTest>) -> Draw {
    let corner = |x: f32, y: f32| at(size, x * size[0] as f32, y * size[1] as f32, 0.5, 1.0);
    let corners = [corner(0.1, 0.1), corner(0.9, 0.1), corner(0.1, 0.9)];
    Draw { targets, depth, clear: [0.25, 0.5, 0.75, 1.0], ..mesh(size, &[&corners, &corners]) }
}

#[test]
fn a_picture_that_is_drawn_into_again_is_as_a_new_one() {
    let run = |lane: &Lane<'_>| colour(lane.varying(0));
    let shader = Paint::new(&[Perspective], &run);
    let mut image = Image::default();
    for (size, targets, depth) in [
        ([32, 16], 1, None),
        ([16, 32], 2, Some(DepthTest::Less)),
        ([16, 32], 2, Some(DepthTest::Less)),
        ([0, 7], 1, None),
        ([40, 33], 1, Some(DepthTest::Always)),
        ([32, 16], 3, None),
    ] {
        let draw = whole(size, targets, depth);
        draw_into(&draw, &shader, &mut image);
        assert_eq!(image, super::super::draw(&draw, &shader), "{size:?} {targets} {depth:?}");
    }
}

#[test]
fn the_bands_that_a_failing_shader_leaves_are_cleared() {
    let run = |lane: &Lane<'_>| colour(lane.varying(0));
    let draw = whole([64, 64], 1, Some(DepthTest::Less));
    let mut image = Image::default();
    draw_into(&draw, &Paint::new(&[Perspective], &run), &mut image);
    assert_ne!(pixel(&image, 10, 50), draw.clear);
    let failing = Paint { fails_after: 10, ..Paint::new(&[Perspective], &run) };
    assert!(!draw_on(1, &draw, &failing, 8, &mut |_, _| {}, &mut image));
    assert_eq!(pixel(&image, 10, 50), draw.clear, "it was covered in the first picture");
    assert_eq!(image.depth.as_ref().map(|depth| depth[50 * 64 + 10]), Some(1.0));
}

#[test]
fn instances_of_more_primitives_than_are_drawn_at_a_time_are_all_drawn() {
    let size = [256, 4];
    let triangle = |x: f32| [(x, 0.0), (x + 1.0, 0.0), (x, 4.0)].map(|(x, y)| at(size, x, y, 0.5, 1.0));
    let corners = [triangle(0.0), triangle(8.0)].concat();
    // The last triangle of each instance covers pixels that no other triangle covers. Each instance is one unit of x (128 pixels)
    // to the right of the previous instance.
    let mut draw = Draw { instances: 2, ..mesh(size, &[&corners, &corners]) };
    draw.indices = (0..3).cycle().take(3 * (super::super::GROUP / 2 + 100)).chain(3..6).collect();
    let run = |_: &Lane<'_>| colour([1.0; 4]);
    let image = super::super::draw(&draw, &Paint::new(&[Perspective], &run));
    assert_eq!([0, 8, 128, 136].map(|x| pixel(&image, x, 0)), [[1.0; 4]; 4]);
    assert_eq!(pixel(&image, 64, 0), [0.0; 4]);
}
