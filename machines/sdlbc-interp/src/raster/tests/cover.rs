//! Tests of the pixels that a draw covers: edges, clipping, culling and points.

use super::*;
use testing::Random;

/// Returns the number of times that each pixel is covered.
fn counts(draw: &Draw) -> Vec<f32> {
    let counters: Vec<AtomicUsize> = (0..draw.width * draw.height).map(|_| AtomicUsize::new(0)).collect();
    let run = |lane: &Lane<'_>| {
        let [x, y, ..] = lane.coordinate();
        counters[(y as u32 * draw.width + x as u32) as usize].fetch_add(1, Ordering::Relaxed);
        Fragment::default()
    };
    super::draw(draw, &Paint::new(&[], &run));
    counters.into_iter().map(|count| count.into_inner() as f32).collect()
}

#[test]
fn a_fan_covers_each_pixel_exactly_once() {
    let size = [37, 23];
    let mut random = Random(7);
    for round in 0..60 {
        // The fan's centre is on a pixel's centre, on a corner between pixels, or at an arbitrary position. The rim is outside
        // the picture.
        let middle = match round % 3 {
            0 => [18.5, 11.5],
            1 => [18.0, 11.0],
            _ => [random.between(5.0, 30.0), random.between(5.0, 20.0)],
        };
        let count = 3 + round % 13;
        let rim: Vec<[f32; 2]> = (0..count)
            .map(|i| {
                let angle = (i as f32 + random.between(0.0, 0.4)) * std::f32::consts::TAU / count as f32;
                [middle[0] + 200.0 * angle.cos(), middle[1] + 200.0 * angle.sin()]
            })
            .collect();
        let mut positions = Vec::new();
        for i in 0..count {
            let (w, v) = (1.0 + i as f32, 1.0 + ((i + 1) % count) as f32);
            let (a, b) = (rim[i], rim[(i + 1) % count]);
            let mut corners =
                [at(size, middle[0], middle[1], 0.5, 1.0), at(size, a[0], a[1], 0.5, w), at(size, b[0], b[1], 0.5, v)];
            corners.rotate_left(i % 3);
            if i % 2 == 1 {
                corners.swap(0, 1);
            }
            positions.extend(corners);
        }
        let counts = counts(&mesh(size, &[&positions]));
        assert!(counts.iter().all(|&count| count == 1.0), "round {round}: {counts:?}");
    }
}

#[test]
fn a_grid_on_pixel_centres_covers_each_pixel_exactly_once() {
    // Every edge passes through pixel centres: along rows, along columns, and along both diagonals.
    let size = [16, 16];
    let mut positions = Vec::new();
    for y in -1..9 {
        for x in -1..9 {
            let corner =
                |dx: i32, dy: i32| at(size, (2 * (x + dx)) as f32 + 0.5, (2 * (y + dy)) as f32 + 0.5, 0.0, 1.0);
            let [a, b, c, d] = [corner(0, 0), corner(1, 0), corner(0, 1), corner(1, 1)];
            if (x + y) % 2 == 0 {
                positions.extend([a, b, c, b, c, d]);
            } else {
                positions.extend([a, d, b, d, a, c]);
            }
        }
    }
    let counts = counts(&mesh(size, &[&positions]));
    assert!(counts.iter().all(|&count| count == 1.0), "{counts:?}");
}

#[test]
fn top_and_left_edges_are_inside_and_the_others_are_not() {
    let size = [8, 8];
    let corner = |x, y| at(size, x, y, 0.0, 1.0);
    let square = [(1.5, 2.5), (5.5, 2.5), (1.5, 4.5), (5.5, 2.5), (5.5, 4.5), (1.5, 4.5)].map(|(x, y)| corner(x, y));
    let counts = counts(&mesh(size, &[&square]));
    for y in 0..8 {
        for x in 0..8 {
            let inside = (1..5).contains(&x) && (2..4).contains(&y);
            assert_eq!(counts[y * 8 + x] == 1.0, inside, "{x} {y}");
        }
    }
}

#[test]
fn triangles_cover_the_pixels_of_a_direct_computation() {
    let size = [21, 18];
    let mut random = Random(1);
    for round in 0..400 {
        // Positions are in units of 1/256 pixel. Some positions are outside the picture, some are on pixel centres, and some
        // triangles are slivers.
        let corners: [[i64; 2]; 3] = std::array::from_fn(|_| {
            std::array::from_fn(|axis| {
                let place = random.between(-6.0, size[axis] as f32 + 6.0);
                let parts = if round % 2 == 0 { 256.0 } else { 2.0 };
                (place * parts).round() as i64 * (256 / parts as i64)
            })
        });
        let positions = corners.map(|[x, y]| at([32, 32], x as f32 / 256.0, y as f32 / 256.0, 0.0, 1.0)); // exact in f32
        let draw = mesh([32, 32], &[&positions]);
        let counts = counts(&draw);
        let [mut a, mut b, c] = corners;
        if (b[0] - a[0]) * (c[1] - a[1]) < (c[0] - a[0]) * (b[1] - a[1]) {
            std::mem::swap(&mut a, &mut b);
        }
        for y in 0..32i64 {
            for x in 0..32i64 {
                let inside = [(a, b), (b, c), (c, a)].iter().all(|(from, to)| {
                    let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
                    let value = dx * (256 * y + 128 - from[1]) - dy * (256 * x + 128 - from[0]);
                    value > 0 || (value == 0 && (dy < 0 || (dy == 0 && dx > 0)))
                });
                assert_eq!(counts[(y * 32 + x) as usize], f32::from(u8::from(inside)), "round {round}: {x} {y}");
            }
        }
    }
}

#[test]
fn vertices_are_snapped_to_the_nearest_fraction_of_a_pixel() {
    // The triangle's left edge is near a column of pixel centres. The column is inside if the snapped edge is exactly on the
    // column, but not if the edge is 1/256 pixel to the right.
    for (parts, inside) in [(-0.4, true), (0.0, true), (0.4, true), (0.6, false), (1.0, false), (1.4, false)] {
        let left = 2.5 + parts / 256.0;
        let corners = [(left, -8.0), (16.0, 4.0), (left, 16.0)].map(|(x, y)| at([8, 8], x, y, 0.0, 1.0));
        let counts = counts(&mesh([8, 8], &[&corners]));
        assert_eq!(counts[4 * 8 + 2] == 1.0, inside, "{parts}");
        assert_eq!((counts[4 * 8 + 1], counts[4 * 8 + 3]), (0.0, 1.0));
    }
}

#[test]
fn an_edge_between_vertices_far_outside_is_exact() {
    // The edge is the line y = x / 3 + 10, and each end is more than 300,000 pixels away.
    let size = [32, 32];
    for w in [1.0, 8.0] {
        let corners = [(-3e5, -99_990.0), (3e6, 1_000_010.0), (-3e5, 1e6)];
        let positions = corners.map(|(x, y)| at(size, x, y, 0.5, w));
        let counts = counts(&mesh(size, &[&positions]));
        for y in 0..32 {
            for x in 0..32 {
                let below = y as f32 + 0.5 - ((x as f32 + 0.5) / 3.0 + 10.0);
                if below.abs() > 0.1 {
                    assert_eq!(counts[y * 32 + x] == 1.0, below > 0.0, "{x} {y}");
                }
            }
        }
    }
}

#[test]
fn back_and_front_faces_are_culled() {
    let size = [8, 8];
    let clockwise = [(0.0, 0.0), (8.0, 0.0), (0.0, 8.0)].map(|(x, y)| at(size, x, y, 0.0, 1.0));
    let mut other = clockwise;
    other.swap(1, 2);
    for (positions, front) in [(clockwise, true), (other, false)] {
        for (cull, drawn) in [(Cull::None, true), (Cull::Back, front), (Cull::Front, !front)] {
            let draw = Draw { cull, ..mesh(size, &[&positions]) };
            let run = |lane: &Lane<'_>| colour([1.0, f32::from(u8::from(lane.fragments.front)), 0.0, 0.0]);
            let image = super::draw(&draw, &Paint::new(&[], &run));
            let wanted = if drawn { [1.0, f32::from(u8::from(front)), 0.0, 0.0] } else { [0.0; 4] };
            assert_eq!(pixel(&image, 1, 1), wanted, "{cull:?} {front}");
            assert_eq!(pixel(&image, 6, 6), [0.0; 4]);
        }
    }
}

#[test]
fn triangles_are_clipped_to_the_near_and_far_planes() {
    // The depth is -1 at the left and 2 at the right, so it is 0 at one third of the width and 1 at two thirds.
    let size = [30, 4];
    let corners =
        [(0.0, -1.0, 0.0), (30.0, 2.0, 0.0), (0.0, -1.0, 4.0), (30.0, 2.0, 0.0), (30.0, 2.0, 4.0), (0.0, -1.0, 4.0)];
    for w in [1.0, 3.0] {
        let positions = corners.map(|(x, z, y)| at(size, x, y, z, w));
        let counts = counts(&mesh(size, &[&positions]));
        for y in 0..4 {
            for x in 0..30 {
                assert_eq!(counts[y * 30 + x] == 1.0, (10..20).contains(&x), "{x} {y}");
            }
        }
    }
}

/// Returns the number of times that each pixel is drawn, with clip distances from attributes.
fn clipped(draw: &Draw, clips: usize) -> Vec<f32> {
    let run = |_: &Lane<'_>| colour([1.0; 4]);
    let image = super::draw(draw, &Paint { clips, ..Paint::new(&[], &run) });
    image.targets[0].iter().map(|pixel| pixel[0]).collect()
}

#[test]
fn triangles_are_clipped_where_a_clip_distance_is_negative() {
    // The first clip distance is -1 at the left and 2 at the right, so it is 0 at one third of the width. The second clip
    // distance is 1 at the top and -1 at the bottom.
    let size = [30, 8];
    let corners = [(0.0, 0.0), (30.0, 0.0), (0.0, 8.0), (30.0, 0.0), (30.0, 8.0), (0.0, 8.0)];
    let distances = corners.map(|(x, y): (f32, f32)| [x / 10.0 - 1.0, 1.0 - y / 4.0, f32::INFINITY, 0.0]);
    for w in [1.0, 3.0] {
        let positions = corners.map(|(x, y)| at(size, x, y, 0.5, w));
        let draw = mesh(size, &[&positions, &distances]);
        for clips in 0..=4 {
            let counts = clipped(&draw, clips);
            for y in 0..8 {
                for x in 0..30 {
                    let covered = (clips < 1 || x >= 10) && (clips < 2 || y < 4);
                    assert_eq!(counts[y * 30 + x] == 1.0, covered, "{clips} distances, {x} {y}");
                }
            }
        }
    }
}

#[test]
fn a_clip_distance_is_linear_in_clip_space_and_not_on_the_screen() {
    // The right side of the rectangle is three times as far away as the left side. The clip distance is 1 at the left and -1 at
    // the right, so it is 0 in the middle of the rectangle, which appears at three quarters of the screen's width.
    let size = [40, 4];
    let corners = [(0.0, 0.0), (40.0, 0.0), (0.0, 4.0), (40.0, 0.0), (40.0, 4.0), (0.0, 4.0)];
    let w = |x: f32| if x == 0.0 { 1.0 } else { 3.0 };
    let positions = corners.map(|(x, y)| at(size, x, y, 0.5, w(x)));
    let distances = corners.map(|(x, _)| [if x == 0.0 { 1.0 } else { -1.0 }; 4]);
    let counts = clipped(&mesh(size, &[&positions, &distances]), 1);
    for x in 0..40 {
        assert_eq!(counts[40 + x] == 1.0, x < 30, "{x}");
    }
}

#[test]
fn a_triangle_with_a_clip_distance_that_is_nan_or_wholly_outside_draws_nothing() {
    let size = [8, 8];
    let positions = [(-8.0, 0.0), (16.0, 0.0), (0.0, 24.0)].map(|(x, y)| at(size, x, y, 0.0, 1.0));
    let all = |[a, b, c]: [f32; 3]| {
        let distances = [a, b, c].map(|distance| [distance, 1.0, 1.0, 1.0]);
        clipped(&mesh(size, &[&positions, &distances]), 4).iter().sum::<f32>()
    };
    assert!(all([0.0, 0.0, 0.0]) > 40.0);
    assert!(all([f32::MAX, f32::INFINITY, 1e-40]) > 40.0);
    assert_eq!(all([-1.0, -1e-40, f32::NEG_INFINITY]), 0.0);
    for place in 0..3 {
        let mut distances = [1.0; 3];
        distances[place] = f32::NAN;
        assert_eq!(all(distances), 0.0, "{place}");
    }
}

#[test]
fn a_point_is_drawn_if_no_clip_distance_is_negative() {
    let size = [4, 4];
    for (distances, drawn) in [
        ([0.0, 1.0, 2.0, f32::INFINITY], true),
        ([0.0, 1.0, -1e-40, 3.0], false),
        ([f32::NEG_INFINITY, 1.0, 1.0, 1.0], false),
        ([1.0, f32::NAN, 1.0, 1.0], false),
    ] {
        let draw = mesh(size, &[&[[0.0, 0.0, 0.0, 1.0]], &[distances]]);
        let counts = clipped(&Draw { topology: Topology::Points, ..draw }, 4);
        assert_eq!(counts.iter().sum::<f32>(), f32::from(u8::from(drawn)), "{distances:?}");
    }
}

#[test]
fn a_floor_that_extends_behind_the_eye_ends_at_the_horizon_without_gaps() {
    // The eye is one unit above a floor that extends 10,000 units in each direction. The value w is the distance from the eye.
    let size = [40, 40];
    let far = 10_000.0;
    let corner = |x: f32, distance: f32| [x, -1.0, distance - 0.1, distance];
    let [a, b, c, d] = [corner(-far, -far), corner(far, -far), corner(-far, far), corner(far, far)];
    let counts = counts(&mesh(size, &[&[a, b, c, b, d, c]]));
    for y in 0..40 {
        for x in 0..40 {
            // The far end of the floor is so close to the horizon that the first row below the horizon is covered.
            assert_eq!(counts[y * 40 + x], f32::from(u8::from(y >= 20)), "{x} {y}");
        }
    }
}

#[test]
fn positions_that_are_not_finite_draw_nothing_and_huge_ones_draw() {
    let size = [8, 8];
    let corners = [(0.0, 0.0), (8.0, 0.0), (0.0, 8.0)].map(|(x, y)| at(size, x, y, 0.0, 1.0));
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        for component in 0..4 {
            let mut positions = corners;
            positions[1][component] = bad;
            assert!(counts(&mesh(size, &[&positions])).iter().all(|&count| count == 0.0), "{bad} {component}");
        }
    }
    let huge = |far: f32| [[-1e3, 1e3, 0.0, 1.0], [far, far, 0.0, 1.0], [-1e3, -far, 0.0, 1.0]];
    assert!(counts(&mesh(size, &[&huge(1e9)])).iter().all(|&count| count == 1.0));
    // The position of the near vertex is too small to affect the computations in f32, so the test checks only that no pixel is
    // covered twice.
    assert!(counts(&mesh(size, &[&huge(3e38)])).iter().all(|&count| count <= 1.0));
    for w in [0.0, -1.0] {
        let behind = corners.map(|[x, y, z, _]| [x, y, z, w]);
        assert!(counts(&mesh(size, &[&behind])).iter().all(|&count| count == 0.0), "{w}");
    }
}

#[test]
fn a_point_covers_the_pixel_that_contains_it_and_none_outside_the_view() {
    let size = [4, 3];
    let cases = [
        ([0.0, 0.0, 0.0, 1.0], Some((2, 1))),
        (at(size, 0.5, 0.5, 0.5, 1.0), Some((0, 0))),
        (at(size, 3.99, 2.99, 1.0, 7.0), Some((3, 2))),
        (at(size, 1.0, 1.0, 0.0, 1.0), Some((1, 1))),
        ([-1.0, 1.0, 0.0, 1.0], Some((0, 0))),
        (at(size, 4.5, 1.0, 0.0, 1.0), None),
        (at(size, 1.0, -0.5, 0.0, 1.0), None),
        (at(size, 1.0, 1.0, -0.1, 1.0), None),
        (at(size, 1.0, 1.0, 1.1, 1.0), None),
        ([0.0, 0.0, 0.0, 0.0], None),
        ([0.0, 0.0, 0.0, -1.0], None),
        ([f32::NAN, 0.0, 0.0, 1.0], None),
        ([0.0, 0.0, f32::NAN, 1.0], None),
        ([0.0, 0.0, 0.0, f32::NAN], None),
        ([0.0, 0.0, 0.0, f32::INFINITY], None),
    ];
    for (position, wanted) in cases {
        let counts = counts(&Draw { topology: Topology::Points, cull: Cull::Back, ..mesh(size, &[&[position]]) });
        for (place, count) in counts.iter().enumerate() {
            let here = wanted == Some((place % 4, place / 4));
            assert_eq!(*count == 1.0, here, "{position:?}, pixel {place}");
        }
    }
}
