//! Each device witness draws small pictures whose pixels are known in advance.

mod textures;

use conformance::{Failure, witness};
use sdlbc::{FunctionKind, Module};
use sdlbc_interp::{Cull, DepthTest, Draw, Image, Topology};

/// Returns a vertex function that copies attribute 0 to the position and attribute 1 to the varying that `varying` declares.
fn vertex(varying: &str) -> String {
    format!(
        r#"vertex function "vs_main" {{
  input %1 place: float4 = attribute 0
  input %2 given: float4 = attribute 1
  output 0 position: float4 = position
  output 1 value: float4 = varying {varying}
  poke %1, 0
  poke %2, 1
}}
"#
    )
}

fn pair(vertex: &str, fragment: &str) -> Module {
    let text = format!("{vertex}\nfragment function \"fs_main\" {{\n{fragment}\n}}\n");
    let module = sdlbc::parse(&text).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    assert_eq!(sdlbc::verify(&module), Ok(()));
    module
}

fn with_vertices(mut draw: Draw, vertices: &[([f32; 4], [f32; 4])]) -> Draw {
    let bits = |values: [f32; 4]| values.map(f32::to_bits);
    draw.attributes.insert(0, vertices.iter().map(|&(place, _)| bits(place)).collect());
    draw.attributes.insert(1, vertices.iter().map(|&(_, value)| bits(value)).collect());
    draw.indices = (0..vertices.len() as u32).collect();
    draw
}

/// Returns two clockwise triangles that cover the picture. The values run from `(0, 0)` at the top left to `(1, 1)` at the bottom
/// right.
fn square(depth: f32) -> [([f32; 4], [f32; 4]); 6] {
    let corner = |x: f32, y: f32| ([x * 2.0 - 1.0, 1.0 - y * 2.0, depth, 1.0], [x, y, depth, 1.0]);
    let [a, b, c, d] = [corner(0.0, 0.0), corner(1.0, 0.0), corner(0.0, 1.0), corner(1.0, 1.0)];
    [a, b, c, b, d, c]
}

/// Returns a draw with one point for each value. Each point covers exactly one pixel, which no other point covers.
fn points(module: Module, width: u32, values: &[[u32; 4]]) -> Draw {
    let height = (values.len() as u32).div_ceil(width);
    let mut draw = Draw::new(module, width, height);
    let place = |at: u32, of: u32| ((at as f32 + 0.5) / of as f32) * 2.0 - 1.0;
    let places = (0..values.len() as u32).map(|i| [place(i % width, width), -place(i / width, height), 0.0, 1.0]);
    draw.attributes.insert(0, places.map(|place| place.map(f32::to_bits)).collect());
    draw.attributes.insert(1, values.to_vec());
    draw.indices = (0..values.len() as u32).collect();
    draw.topology = Topology::Points;
    draw
}

/// Draws a picture with every witness, and passes each witness's name and picture to `look`.
fn with_each(draw: &Draw, mut look: impl FnMut(&str, Image)) {
    for witness in &mut witness::all().expect("all devices are available") {
        let name = witness.name();
        match witness.draw(draw) {
            Ok(image) => look(&name, image),
            Err(failure) => panic!("{name}: {failure:?}"),
        }
    }
}

/// Returns the rows of a render target as strings, in which `letter` chooses the character for each pixel.
fn letters(image: &Image, target: usize, letter: impl Fn([f32; 4]) -> char) -> Vec<String> {
    let rows = image.targets[target].chunks(image.width as usize);
    rows.map(|row| row.iter().map(|&pixel| letter(pixel)).collect()).collect()
}

/// Returns values that rendering easily corrupts: zeros, the smallest and largest floats, infinities and NaN.
fn special() -> Vec<[u32; 4]> {
    let floats = [0.0, -0.0, 1.0, -1.5, f32::MIN_POSITIVE, f32::MAX, f32::MIN, f32::INFINITY, f32::NEG_INFINITY, 1e-30];
    let mut bits: Vec<u32> = floats.map(f32::to_bits).to_vec();
    bits.push(f32::NAN.to_bits());
    (0..bits.len() * 3).map(|i| std::array::from_fn(|k| bits[(i + k * 3) % bits.len()])).collect()
}

#[test]
fn flat_and_smooth_varyings_keep_every_bit_of_special_numbers() {
    for varying in ["0 flat", "0"] {
        let fragment =
            format!("input %1 value: float4 = varying {varying}\noutput 0 colour: float4 = colour 0\npoke %1, 0");
        let values = special();
        let draw = points(pair(&vertex(varying), &fragment), 8, &values);
        with_each(&draw, |name, image| {
            assert_eq!((image.width, image.height, image.depth.as_ref()), (8, 5, None));
            for (pixel, value) in image.targets[0].iter().zip(&values) {
                for (&got, &given) in pixel.iter().zip(value) {
                    let given = f32::from_bits(given);
                    // Interpolation adds numbers, and the sum of a positive and a negative zero is positive, so an interpolated
                    // negative zero may become positive.
                    let alike = if varying == "0" { got == given } else { got.to_bits() == given.to_bits() };
                    let same = alike || got.is_nan() && given.is_nan();
                    assert!(same, "{name}, {varying}: {given} became {got}");
                }
            }
            assert!(image.targets[0][33..].iter().all(|pixel| *pixel == [0.0; 4]), "{name}: a pixel without a point");
        });
    }
}

const COPY: &str = "input %1 value: float4 = varying 0\noutput 0 colour: float4 = colour 0\npoke %1, 0";

fn near(a: f32, b: f32) -> bool {
    (a - b).abs() < 1e-5
}

/// Returns a string with `0` for each black pixel and `1` for every other pixel.
fn covered(image: &Image, target: usize) -> String {
    letters(image, target, |pixel| if pixel == [0.0; 4] { '0' } else { '1' }).join(" ")
}

#[test]
fn rows_go_down_and_columns_go_right() {
    let draw = with_vertices(Draw::new(pair(&vertex("0"), COPY), 4, 3), &square(0.5));
    with_each(&draw, |name, image| {
        for (at, pixel) in image.targets[0].iter().enumerate() {
            let (x, y) = ((at % 4) as f32 + 0.5, (at / 4) as f32 + 0.5);
            assert!(near(pixel[0], x / 4.0) && near(pixel[1], y / 3.0), "{name}: pixel {at} is {pixel:?}");
        }
    });
    // The red triangle covers only the upper left corner.
    let corner = |x, y| ([x, y, 0.0, 1.0], [1.0, 0.0, 0.0, 1.0]);
    let corner = [corner(-1.0, 1.0), corner(0.0, 1.0), corner(-1.0, 0.0)];
    let draw = with_vertices(Draw::new(pair(&vertex("0"), COPY), 4, 4), &corner);
    with_each(&draw, |name, image| {
        let red = |pixel: [f32; 4]| if near(pixel[0], 1.0) && near(pixel[3], 1.0) { 'r' } else { '.' };
        let rows = letters(&image, 0, red);
        assert!(
            rows[0].starts_with('r') && rows[2..] == ["....", "...."] && !rows.concat().contains(".r"),
            "{name}: {rows:?}"
        );
    });
}

#[test]
fn clockwise_triangles_are_front_facing() {
    let fragment = r#"input %1 front: bool = builtin frontfacing
output 0 colour: float4 = colour 0
%2 = convert %1, float
%3 = literalfloat 1.0
%4 = vector %2, %2, %2, %3
poke %4, 0"#;
    let mut draw = with_vertices(Draw::new(pair(&vertex("0"), fragment), 2, 2), &square(0.5));
    for (cull, clockwise) in [(Cull::None, true), (Cull::None, false), (Cull::Back, true), (Cull::Back, false)] {
        (draw.cull, draw.indices) = (cull, if clockwise { vec![0, 1, 2, 3, 4, 5] } else { vec![2, 1, 0, 5, 4, 3] });
        let seen = cull == Cull::None || clockwise;
        with_each(&draw, |name, image| {
            let expected = [f32::from(u8::from(clockwise)), f32::from(u8::from(seen))];
            let pixels = image.targets[0].iter();
            let all: Vec<[f32; 2]> =
                pixels.map(|pixel| [if seen { pixel[0] } else { expected[0] }, pixel[3]]).collect();
            assert_eq!(all, [expected; 4], "{name}: {cull:?}, clockwise {clockwise}");
        });
    }
    draw.cull = Cull::Front;
    with_each(&draw, |name, image| assert_eq!(covered(&image, 0), "11 11", "{name}"));
    draw.indices = (0..6).collect();
    with_each(&draw, |name, image| assert_eq!(covered(&image, 0), "00 00", "{name}"));
}

#[test]
fn the_depth_test_keeps_the_right_fragments_and_what_is_too_near_is_clipped() {
    let module = pair(&vertex("0"), COPY);
    // The third component of the colour is the depth of the visible square.
    let [near_one, far_one] = [square(0.25), square(0.75)];
    let both = |a: &[_], b: &[_]| with_vertices(Draw::new(module.clone(), 2, 2), &[a, b].concat());
    let cases = [
        (both(&near_one, &far_one), Some(DepthTest::Less), 0.25),
        (both(&far_one, &near_one), Some(DepthTest::Less), 0.25),
        (both(&near_one, &far_one), Some(DepthTest::Always), 0.75),
        (both(&near_one, &far_one), None, 0.75),
        (both(&far_one, &near_one), Some(DepthTest::LessEqual), 0.25),
    ];
    for (mut draw, depth, expected) in cases {
        draw.depth = depth;
        with_each(&draw, |name, image| {
            assert!(image.targets[0].iter().all(|pixel| near(pixel[2], expected)), "{name}: {depth:?} {image:?}");
            assert!(image.depth.is_none() || depth.is_some(), "{name}");
            if depth.is_some() && !name.contains("ES") {
                let kept = image.depth.expect(name);
                assert!(kept.len() == 4 && kept.iter().all(|&kept| near(kept, expected)), "{name}: {kept:?}");
            }
        });
    }
    // The nearer square is drawn again in another colour.
    let again = square(0.25).map(|(place, [x, y, ..])| (place, [x, y, 0.5, 1.0]));
    for (test, expected) in [(DepthTest::Less, 0.25), (DepthTest::LessEqual, 0.5)] {
        let mut draw = both(&near_one, &again);
        draw.depth = Some(test);
        with_each(&draw, |name, image| {
            assert!(image.targets[0].iter().all(|pixel| near(pixel[2], expected)), "{name}: {test:?} {image:?}");
        });
    }
    for depth in [-0.01, 1.01] {
        let draw = with_vertices(Draw::new(module.clone(), 2, 2), &square(depth));
        with_each(&draw, |name, image| assert_eq!(covered(&image, 0), "00 00", "{name}: z {depth}"));
    }
}

#[test]
fn a_depth_written_by_the_function_works_with_and_without_a_depth_buffer() {
    let fragment = r#"input %1 value: float4 = varying 0
output 0 colour: float4 = colour 0
output 1 depth: float = depth
poke %1, 0
%2 = swizzle %1, x
poke %2, 1"#;
    let mut draw = with_vertices(Draw::new(pair(&vertex("0"), fragment), 2, 1), &square(0.5));
    with_each(&draw, |name, image| assert_eq!(covered(&image, 0), "11", "{name}"));
    draw.depth = Some(DepthTest::Less);
    with_each(&draw, |name, image| {
        let depth = image.depth.unwrap_or(vec![0.25, 0.75]);
        assert!(near(depth[0], 0.25) && near(depth[1], 0.75), "{name}: {depth:?}");
    });
}

#[test]
fn each_target_gets_its_colour_and_an_unwritten_one_keeps_its_content() {
    let fragment = r#"input %1 value: float4 = varying 0
output 0 first: float4 = colour 0
output 1 third: float4 = colour 2
%2 = literalfloat 7.0
%3 = vector %2, %2, %2, %2
poke %1, 0
poke %3, 1"#;
    let mut draw = with_vertices(Draw::new(pair(&vertex("0"), fragment), 3, 2), &square(0.5));
    (draw.targets, draw.clear) = (4, [-2.0, 0.25, 1e6, 3.0]);
    with_each(&draw, |name, image| {
        assert_eq!(image.targets.len(), 4, "{name}");
        assert!(near(image.targets[0][5][0], 2.5 / 3.0), "{name}");
        assert_eq!(image.targets[1], vec![draw.clear; 6], "{name}");
        assert_eq!(image.targets[2], vec![[7.0; 4]; 6], "{name}");
        assert_eq!(image.targets[3], vec![draw.clear; 6], "{name}");
    });
    draw.indices.clear();
    with_each(&draw, |name, image| assert_eq!(image.targets, vec![vec![draw.clear; 6]; 4], "{name}"));
}

#[test]
fn derivatives_and_fragment_coordinates_grow_to_the_right_and_down() {
    let fragment = r#"input %1 value: float4 = varying 0
input %2 place: float4 = builtin fragmentcoordinate
output 0 slopes: float4 = colour 0
output 1 place: float4 = colour 1
%3 = swizzle %1, x
%4 = ddx %3
%5 = swizzle %1, y
%6 = ddy %5
%7 = ddx %5
%8 = ddy %3
%9 = vector %4, %6, %7, %8
poke %9, 0
poke %2, 1"#;
    let mut draw = with_vertices(Draw::new(pair(&vertex("0"), fragment), 4, 4), &square(0.5));
    draw.targets = 2;
    with_each(&draw, |name, image| {
        for (at, (slopes, place)) in image.targets[0].iter().zip(&image.targets[1]).enumerate() {
            let expected = [0.25, 0.25, 0.0, 0.0];
            assert!(slopes.iter().zip(expected).all(|(&a, b)| near(a, b)), "{name}: {slopes:?}");
            let expected = [(at % 4) as f32 + 0.5, (at / 4) as f32 + 0.5, 0.5, 1.0];
            assert!(place.iter().zip(expected).all(|(&a, b)| near(a, b)), "{name}: {place:?}");
        }
    });
}

#[test]
fn a_flat_varying_is_that_of_the_first_vertex() {
    let fragment = COPY.replace("varying 0", "varying 0 flat");
    let draw = with_vertices(Draw::new(pair(&vertex("0 flat"), &fragment), 2, 2), &square(0.5));
    with_each(&draw, |name, image| {
        // The corners (0, 0) and (1, 0) belong to the first vertices of the two triangles.
        assert_eq!(image.targets[0][0], [0.0, 0.0, 0.5, 1.0], "{name}");
        assert_eq!(image.targets[0][3], [1.0, 0.0, 0.5, 1.0], "{name}");
    });
}

#[test]
fn integer_attributes_are_passed_unchanged() {
    let vertex = r#"vertex function "vs_main" {
  input %1 place: float4 = attribute 0
  input %2 signed: int3 = attribute 1
  input %3 unsigned: uint = attribute 3
  input %4 number: uint = builtin vertexindex
  input %5 copy: uint = builtin instanceindex
  output 0 position: float4 = position
  output 1 signed: int3 = varying 0 flat
  output 2 counts: uint3 = varying 1 flat
  poke %1, 0
  poke %2, 1
  %6 = vector %3, %4, %5
  poke %6, 2
}"#;
    let fragment = r#"input %1 signed: int3 = varying 0 flat
input %2 counts: uint3 = varying 1 flat
output 0 first: float4 = colour 0
output 1 second: float4 = colour 1
%3 = convert %1, float
%4 = literalfloat 0.0
%5 = vector %3, %4
poke %5, 0
%6 = convert %2, float
%7 = vector %6, %4
poke %7, 1"#;
    let signed = [[-5i32, 7, i32::MIN, 99], [1, -1, 65536, 99]].map(|four| four.map(|n| n as u32));
    let mut draw = points(pair(vertex, fragment), 2, &signed);
    draw.attributes.insert(3, vec![[4_000_000_000, 9, 9, 9], [3, 9, 9, 9]]);
    (draw.targets, draw.instances) = (2, 3);
    with_each(&draw, |name, image| {
        assert_eq!(image.targets[0], [[-5.0, 7.0, i32::MIN as f32, 0.0], [1.0, -1.0, 65536.0, 0.0]], "{name}");
        // The last instance covers all earlier instances.
        assert_eq!(image.targets[1], [[4_000_000_000f32, 0.0, 2.0, 0.0], [3.0, 1.0, 2.0, 0.0]], "{name}");
    });
}

#[test]
fn uniforms_of_every_type_are_laid_out_as_each_language_expects() {
    let vertex = r#"vertex function "vs_main" {
  input %1 place: float4 = attribute 0
  input %2 vc: float3[3] = uniform
  input %3 unread: float4 = uniform
  input %4 square: float2x2 = uniform
  input %5 same: int3 = uniform
  output 0 position: float4 = position
  output 1 first: float4 = varying 0 flat
  output 2 second: float4 = varying 1 flat
  poke %1, 0
  %6 = peek %2, 2
  %7 = peek %4, 1
  %8 = swizzle %7, x
  %9 = vector %6, %8
  poke %9, 1
  %10 = convert %5, float
  %11 = peek %4, 0
  %12 = swizzle %11, y
  %13 = vector %10, %12
  poke %13, 2
}"#;
    let fragment = r#"input %1 first: float4 = varying 0 flat
input %2 second: float4 = varying 1 flat
input %3 same: float = uniform
input %4 tall: float3x4 = uniform
input %5 wide: float4x3 = uniform
input %6 counts: uint2[2] = uniform
output 0 a: float4 = colour 0
output 1 b: float4 = colour 1
output 2 c: float4 = colour 2
output 3 d: float4 = colour 3
poke %1, 0
poke %2, 1
%7 = peek %4, 2
poke %7, 2
%8 = peek %5, 3
%9 = swizzle %8, xz
%10 = peek %6, 1
%11 = convert %10, float
%12 = swizzle %11, y
%13 = vector %9, %12, %3
poke %13, 3"#;
    let mut draw = points(pair(vertex, fragment), 1, &[[0; 4]]);
    draw.targets = 4;
    let mut set = |stage, name: &str, words: Vec<u32>| draw.resources.uniforms.insert((stage, name.into()), words);
    let floats = |from: u8, count: u8| (from..from + count).map(|n| f32::from(n).to_bits()).collect::<Vec<u32>>();
    set(FunctionKind::Vertex, "vc", floats(1, 9));
    set(FunctionKind::Vertex, "square", floats(11, 4));
    set(FunctionKind::Vertex, "same", vec![-3i32 as u32, 4, 5]);
    set(FunctionKind::Fragment, "same", floats(20, 1));
    set(FunctionKind::Fragment, "tall", floats(30, 12));
    set(FunctionKind::Fragment, "wide", floats(50, 12));
    set(FunctionKind::Fragment, "counts", vec![70, 71, 72, 73]);
    with_each(&draw, |name, image| {
        let pixels: Vec<[f32; 4]> = image.targets.iter().map(|target| target[0]).collect();
        let first = [[7.0, 8.0, 9.0, 13.0], [-3.0, 4.0, 5.0, 12.0]];
        let second = [[38.0, 39.0, 40.0, 41.0], [59.0, 61.0, 73.0, 20.0]];
        assert_eq!(pixels, [first, second].concat(), "{name}");
    });
}

#[test]
fn a_point_has_the_size_that_its_function_writes() {
    let vertex = r#"vertex function "vs_main" {
  input %1 place: float4 = attribute 0
  input %2 given: float4 = attribute 1
  output 0 position: float4 = position
  output 1 value: float4 = varying 0
  output 2 size: float = pointsize
  poke %1, 0
  poke %2, 1
  %3 = literalfloat 3.0
  poke %3, 2
}"#;
    let mut draw = points(pair(vertex, COPY), 5, &[[1f32.to_bits(); 4]; 25]);
    draw.indices = vec![11];
    for witness in &mut witness::all().expect("all devices are available") {
        match (witness.name().as_str(), witness.draw(&draw)) {
            ("Vulkan, WGSL", Err(Failure::Unsupported(why))) => assert!(why.contains("point size"), "{why}"),
            (name, Ok(image)) => assert_eq!(covered(&image, 0), "00000 11100 11100 11100 00000", "{name}"),
            (name, Err(failure)) => panic!("{name}: {failure:?}"),
        }
    }
}

#[test]
fn a_triangle_is_clipped_by_its_distances() {
    let mut all = witness::all().expect("all devices are available");
    all.extend(witness::others().expect("all devices are available"));
    for (count, w) in [(0, 3.0), (1, 1.0), (2, 3.0), (3, 1.0), (4, 3.0), (5, 3.0), (8, 1.0), (8, 3.0)] {
        let draw = clipped(&PLANES[..count], w);
        let look = |name: &str, image: &Image| {
            let wrong = wrongly_clipped(image, &PLANES[..count], w);
            assert!(wrong.is_empty(), "{name}, {count} distances, w {w}: {wrong:?}");
        };
        let pair = sdlbc_interp::Pair::new(&draw.module, draw.resources.clone()).expect("it runs");
        look("interp", &sdlbc_interp::draw(&draw, &pair));
        for witness in &mut all {
            let name = witness.name();
            look(&name, &witness.draw(&draw).unwrap_or_else(|failure| panic!("{name}: {failure:?}")));
        }
    }
}

#[test]
fn a_draw_without_clip_distances_after_one_with_them_is_whole() {
    let whole = with_vertices(Draw::new(pair(&vertex("0"), COPY), 12, 12), &square(0.5));
    for witness in &mut witness::all().expect("all devices are available") {
        let clipped = witness.draw(&clipped(&[[0.0, 0.0, -1.0]], 1.0)).expect("a picture");
        assert!(clipped.targets[0].iter().all(|pixel| *pixel == [0.0; 4]), "{}", witness.name());
        let image = witness.draw(&whole).expect("a picture");
        assert!(image.targets[0].iter().all(|pixel| *pixel != [0.0; 4]), "{}", witness.name());
    }
}

/// The coefficients a, b and c of the lines `a x + b y + c = 0` that clip a square of 12 by 12 pixels. No line passes through a
/// pixel centre.
pub(crate) const PLANES: [[f32; 3]; 8] = [
    [1.0, 0.0, -2.0],
    [0.0, 1.0, -3.0],
    [-1.0, 0.0, 9.0],
    [0.0, -1.0, 11.0],
    [1.0, 1.0, -8.1],
    [-1.0, -1.0, 16.9],
    [1.0, -1.0, 6.1],
    [-1.0, 1.0, 6.1],
];

/// Returns the pixels in a picture of [`clipped`] that differ from the expected values, except pixels at an edge. Each entry
/// contains the pixel's index, its colour and the expected values.
pub(crate) fn wrongly_clipped(image: &Image, planes: &[[f32; 3]], w: f32) -> Vec<(usize, [f32; 4], [f32; 2])> {
    let whole = clipped(&[], w);
    let pair = sdlbc_interp::Pair::new(&whole.module, whole.resources.clone()).expect("it runs");
    let whole = sdlbc_interp::draw(&whole, &pair);
    let mut wrong = Vec::new();
    let mut covered = 0;
    for (at, (&pixel, &[x, y, ..])) in image.targets[0].iter().zip(&whole.targets[0]).enumerate() {
        let distances = || planes.iter().map(|[a, b, c]| a * 12.0 * x + b * 12.0 * y + c);
        if distances().any(|distance| distance.abs() < 0.02) {
            continue;
        }
        let is_inside = distances().all(|distance| distance > 0.0);
        covered += usize::from(is_inside);
        let wanted = if is_inside { [x, y] } else { [0.0; 2] };
        if (0..2).any(|i| (pixel[i] - wanted[i]).abs() > 2e-3) {
            wrong.push((at, pixel, wanted));
        }
    }
    assert!(covered > 10, "{covered} pixels are inside");
    wrong
}

/// Returns a square of 12 by 12 pixels with the clip distance `a x + b y + c`, in pixels, for each plane. Two corners have the
/// given `w`, and the other corners have 1.
pub(crate) fn clipped(planes: &[[f32; 3]], w: f32) -> Draw {
    use std::fmt::Write;
    let mut text = vertex("0").trim_end().trim_end_matches('}').to_string();
    let mut outputs = String::new();
    for (index, [a, b, c]) in planes.iter().enumerate() {
        writeln!(outputs, "  output {} plane{index}: float = clipdistance {index}", index + 2).expect("a string");
        let id = 10 * (index + 1);
        // The attribute is (x, y, 1, 0), so a dot product computes the clip distance.
        let bits = [a * 12.0, b * 12.0, *c, 0.0].map(|number| format!("{:#x}", number.to_bits())).join(", ");
        writeln!(text, "  %{id} = literalfloat4 {bits}").expect("a string");
        writeln!(text, "  %{} = dot %2, %{id}\n  poke %{}, {}", id + 1, id + 1, index + 2).expect("a string");
    }
    text = text.replace("  poke %1, 0\n", &format!("{outputs}  poke %1, 0\n")) + "}\n";
    let vertices = square(0.5).map(|(place, [x, y, ..])| {
        let w = if x == y { 1.0 } else { w };
        (place.map(|component| component * w), [x, y, 1.0, 0.0])
    });
    with_vertices(Draw::new(pair(&text, COPY), 12, 12), &vertices)
}

#[test]
fn threads_draw_each_with_its_own_witnesses() {
    let draw = with_vertices(Draw::new(pair(&vertex("0"), COPY), 4, 3), &square(0.5));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let mut all = witness::all().expect("all devices are available");
                for round in 0..5 {
                    let mut draw = draw.clone();
                    draw.clear[0] = round as f32;
                    draw.indices.truncate(3);
                    for witness in &mut all {
                        let image = witness.draw(&draw).expect("a picture");
                        assert_eq!(image.targets[0][11], [round as f32, 0.0, 0.0, 0.0], "{}", witness.name());
                    }
                }
            });
        }
    });
}

#[test]
fn a_feature_that_a_device_lacks_is_unsupported_and_an_invalid_draw_is_broken() {
    let far = vertex("0").replace("attribute 1", "attribute 60");
    let mut draw = points(pair(&far, COPY), 1, &[[0; 4]]);
    for witness in &mut witness::all().expect("all devices are available") {
        let result = witness.draw(&draw);
        assert!(matches!(result, Err(Failure::Unsupported(_))), "{}: {result:?}", witness.name());
    }
    draw.targets = 0;
    for witness in &mut witness::all().expect("all devices are available") {
        let result = witness.draw(&draw);
        assert!(matches!(result, Err(Failure::Broken(_))), "{}: {result:?}", witness.name());
    }
}
