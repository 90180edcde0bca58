//! Tests the browser witness with pictures whose pixels are known in advance. The module `failures` tests the witness's errors.

mod failures;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use conformance::Witness;
use conformance::witness::Browser;
use sdlbc::{Dimension, FunctionKind};
use sdlbc_interp::{Cull, DepthTest, Draw, Image, Level, Texture, Topology};

use crate::witnesses::{PLANES, clipped, wrongly_clipped};

/// A vertex function that passes a position and a value through.
const VERTEX: &str = r#"
vertex function "vs_main" {
  input %1 va0: float4 = attribute 0
  input %2 va1: float4 = attribute 1
  output 0 op: float4 = position
  output 1 v0: float4 = varying 0
  poke %1, 0
  poke %2, 1
}
"#;

/// A fragment function that outputs the interpolated value.
const FRAGMENT: &str = r#"
fragment function "fs_main" {
  input %1 v0: float4 = varying 0
  output 0 oc: float4 = colour 0
  poke %1, 0
}
"#;

/// Returns the browser that concurrent tests share. The browser closes when the last test that uses it ends.
fn browser() -> Arc<Mutex<Browser>> {
    static SHARED: Mutex<Weak<Mutex<Browser>>> = Mutex::new(Weak::new());
    let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
    shared.upgrade().unwrap_or_else(|| {
        let started = Arc::new(Mutex::new(Browser::start().expect("Chromium")));
        *shared = Arc::downgrade(&started);
        started
    })
}

fn lock(browser: &Mutex<Browser>) -> MutexGuard<'_, Browser> {
    browser.lock().unwrap_or_else(PoisonError::into_inner)
}

fn drawn(draw: &Draw) -> Image {
    lock(&browser()).draw(draw).expect("a picture")
}

fn bits(values: [f32; 4]) -> [u32; 4] {
    values.map(f32::to_bits)
}

fn empty(text: &str, width: u32, height: u32) -> Draw {
    let module = sdlbc::parse(text).unwrap_or_else(|errors| panic!("{errors:?}"));
    Draw { attributes: [(0, Vec::new()), (1, Vec::new())].into(), ..Draw::new(module, width, height) }
}

/// A rectangle in clip space that is drawn as clockwise triangles.
struct Quad {
    left: f32,
    top: f32,
    right: f32,
    bottom: f32,
    z: f32,
}

const WHOLE: Quad = Quad { left: -1.0, top: 1.0, right: 1.0, bottom: -1.0, z: 0.5 };

/// Adds a rectangle with `values` at its upper left, upper right, lower left and lower right corners.
fn add(draw: &mut Draw, quad: &Quad, values: [[f32; 4]; 4]) {
    let Quad { left, top, right, bottom, z } = *quad;
    let corners = [[left, top], [right, top], [left, bottom], [right, bottom]];
    let positions = draw.attributes.entry(0).or_default();
    let first = positions.len() as u32;
    positions.extend(corners.map(|[x, y]| bits([x, y, z, 1.0])));
    draw.attributes.entry(1).or_default().extend(values.map(bits));
    draw.indices.extend([0, 1, 2, 1, 3, 2].map(|corner| first + corner));
}

/// Returns the values at a rectangle's four corners. The first component varies from left to right over `across`, and the second
/// component varies from top to bottom over `down`.
fn ramp(across: [f32; 2], down: [f32; 2]) -> [[f32; 4]; 4] {
    let corners = [[across[0], down[0]], [across[1], down[0]], [across[0], down[1]], [across[1], down[1]]];
    corners.map(|[s, t]| [s, t, 0.0, 1.0])
}

fn rows(image: &Image) -> Vec<&[[f32; 4]]> {
    image.targets[0].chunks(image.width as usize).collect()
}

fn reds(image: &Image) -> Vec<Vec<f32>> {
    rows(image).iter().map(|row| row.iter().map(|pixel| pixel[0]).collect()).collect()
}

#[test]
fn rows_go_from_the_top_down_and_colours_are_any_floats() {
    let mut draw = empty(&format!("{VERTEX}{FRAGMENT}"), 3, 4);
    draw.clear = [9.0, -8.0, 7.5, 0.25];
    let corner = Quad { left: -1.0, top: 1.0, right: -1.0 / 3.0, bottom: 0.5, z: 0.0 };
    add(&mut draw, &corner, [[2.5, -1.0, 1e30, 0.0]; 4]);
    let image = drawn(&draw);
    assert_eq!((image.width, image.height, image.targets.len(), &image.depth), (3, 4, 1, &None));
    for (y, row) in rows(&image).iter().enumerate() {
        for (x, &pixel) in row.iter().enumerate() {
            let expected = if (x, y) == (0, 0) { [2.5, -1.0, 1e30, 0.0] } else { draw.clear };
            assert_eq!(bits(pixel), bits(expected), "pixel {x}, {y}");
        }
    }
}

#[test]
fn clockwise_triangles_are_front_facing() {
    let fragment = r#"
fragment function "fs_main" {
  input %1 v0: float4 = varying 0
  input %2 front: bool = builtin frontfacing
  output 0 oc: float4 = colour 0
  %3 = literalfloat 1.0
  %4 = literalfloat 2.0
  %5 = select %2, %3, %4
  %6 = vector %5, %5, %5, %5
  poke %6, 0
}"#;
    let mut draw = empty(&format!("{VERTEX}{fragment}"), 2, 1);
    add(&mut draw, &Quad { right: 0.0, ..WHOLE }, [[0.0; 4]; 4]);
    add(&mut draw, &Quad { left: 0.0, ..WHOLE }, [[0.0; 4]; 4]);
    draw.indices[6..].reverse(); // the right rectangle shows its back
    for (cull, expected) in [(Cull::None, [1.0, 2.0]), (Cull::Back, [1.0, 0.0]), (Cull::Front, [0.0, 2.0])] {
        draw.cull = cull;
        assert_eq!(reds(&drawn(&draw)), [expected], "{cull:?}");
    }
}

#[test]
fn the_depth_test_keeps_the_right_fragments_and_depths_are_read_back() {
    let mut draw = empty(&format!("{VERTEX}{FRAGMENT}"), 2, 1);
    for (z, value) in [(0.5, 1.0), (0.75, 2.0), (0.5, 3.0)] {
        add(&mut draw, &Quad { right: 0.0, z, ..WHOLE }, [[value; 4]; 4]);
    }
    for (test, value) in [(DepthTest::Always, 3.0), (DepthTest::Less, 1.0), (DepthTest::LessEqual, 3.0)] {
        draw.depth = Some(test);
        let image = drawn(&draw);
        assert_eq!(reds(&image), [[value, 0.0]], "{test:?}");
        assert_eq!(image.depth.as_deref(), Some(&[0.5, 1.0][..]), "{test:?}");
    }
    draw.indices.truncate(12);
    draw.depth = Some(DepthTest::Always);
    assert_eq!(drawn(&draw).depth.as_deref(), Some(&[0.75, 1.0][..]), "the last one's depth");
}

#[test]
fn a_fragment_writes_its_own_depth_and_needs_no_depth_buffer_for_it() {
    let fragment = r#"
fragment function "fs_main" {
  input %1 v0: float4 = varying 0
  output 0 oc: float4 = colour 0
  output 1 od: float = depth
  poke %1, 0
  %2 = swizzle %1, x
  poke %2, 1
}"#;
    let mut draw = empty(&format!("{VERTEX}{fragment}"), 2, 1);
    add(&mut draw, &Quad { z: 0.1, ..WHOLE }, [[0.75; 4]; 4]);
    add(&mut draw, &Quad { z: 0.9, right: 0.0, ..WHOLE }, [[0.25; 4]; 4]);
    let image = drawn(&draw);
    assert_eq!((reds(&image), image.depth), (vec![vec![0.25, 0.75]], None));
    draw.depth = Some(DepthTest::Less);
    assert_eq!(drawn(&draw).depth, Some(vec![0.25, 0.75]));
}

#[test]
fn each_target_gets_its_colour_and_one_without_keeps_its_content() {
    let fragment = r#"
fragment function "fs_main" {
  input %1 v0: float4 = varying 0
  output 0 oc0: float4 = colour 0
  output 1 oc1: float4 = colour 1
  output 2 oc3: float4 = colour 3
  poke %1, 0
  %2 = add %1, %1
  poke %2, 1
  %3 = negate %1
  poke %3, 2
}"#;
    let mut draw = empty(&format!("{VERTEX}{fragment}"), 5, 5);
    draw.targets = 4;
    draw.clear = [0.5; 4];
    add(&mut draw, &WHOLE, [[3.0, 4.0, 5.0, 6.0]; 4]);
    let image = drawn(&draw);
    let expected = [[3.0, 4.0, 5.0, 6.0], [6.0, 8.0, 10.0, 12.0], [0.5; 4], [-3.0, -4.0, -5.0, -6.0]];
    assert_eq!(image.targets, expected.map(|colour| vec![colour; 25]));
}

#[test]
fn ddx_points_right_and_ddy_down() {
    let fragment = r#"
fragment function "fs_main" {
  input %1 v0: float4 = varying 0
  output 0 oc: float4 = colour 0
  %2 = swizzle %1, xy
  %3 = ddx %2
  %4 = ddy %2
  %5 = vector %3, %4
  poke %5, 0
}"#;
    let mut draw = empty(&format!("{VERTEX}{fragment}"), 4, 4);
    // The first component rises by 1 per pixel to the right, and the second component rises by 2 per pixel downwards.
    add(&mut draw, &WHOLE, ramp([0.0, 4.0], [0.0, 8.0]));
    assert_eq!(drawn(&draw).targets[0], [[1.0, 0.0, 0.0, 2.0]; 16]);
}

/// Returns a fragment function that samples a texture at the interpolated coordinates.
fn textured(ty: &str, swizzle: &str, sampler: &str) -> String {
    format!(
        r#"{VERTEX}
fragment function "fs_main" {{
  input %1 v0: float4 = varying 0
  input %2 fs0: {ty} = texture 3 {{ {sampler}, format 0, special 0, bias 0 }}
  output 0 oc: float4 = colour 0
  %3 = swizzle %1, {swizzle}
  %4 = sample %2, %3
  poke %4, 0
}}"#
    )
}

fn level(width: u32, height: u32, depth: u32, reds: &[u8]) -> Level {
    Level { width, height, depth, texels: reds.iter().map(|&red| [red, 0, 0, 255]).collect() }
}

fn texture(draw: &mut Draw, dimension: Dimension, levels: Vec<Level>) {
    draw.resources.textures.insert((FunctionKind::Fragment, 3), Texture { dimension, levels });
}

fn bytes(image: &Image) -> Vec<Vec<u8>> {
    reds(image).iter().map(|row| row.iter().map(|red| (red * 255.0).round() as u8).collect()).collect()
}

#[test]
fn a_texture_starts_at_the_top_left_and_each_axis_has_its_own_wrap_mode() {
    let picture = |wrap: &str| {
        let mut draw = empty(&textured("texture2d", "xy", &format!("filter 0, mip 0, wrap {wrap}")), 4, 4);
        add(&mut draw, &WHOLE, ramp([0.0, 2.0], [-1.0, 1.0]));
        texture(&mut draw, Dimension::D2, vec![level(2, 2, 1, &[10, 20, 30, 40])]);
        bytes(&drawn(&draw))
    };
    let (above, below) = (vec![10, 20, 20, 20], vec![30, 40, 40, 40]);
    assert_eq!(picture("0 0"), [above.clone(), above.clone(), above.clone(), below.clone()]);
    assert_eq!(picture("0 1"), [above.clone(), below.clone(), above, below]);
    let (above, below) = (vec![10, 20, 10, 20], vec![30, 40, 30, 40]);
    assert_eq!(picture("1 0"), [above.clone(), above.clone(), above.clone(), below.clone()]);
    assert_eq!(picture("1 1"), [above.clone(), below.clone(), above, below]);
}

#[test]
fn filters_and_mip_levels_follow_the_sampler() {
    // Four pixels cover `span` times the texture's 8 texels, so the level of detail is `log2(2 * span)`.
    let picture = |sampler: &str, span: f32| {
        let mut draw = empty(&textured("texture2d", "xy", &format!("{sampler}, wrap 1 1")), 4, 4);
        add(&mut draw, &WHOLE, ramp([0.0, span], [0.0, span]));
        let levels = (0..4).map(|n| {
            let size = 8 >> n;
            level(size, size, 1, &vec![200 >> n; (size * size) as usize])
        });
        texture(&mut draw, Dimension::D2, levels.collect());
        bytes(&drawn(&draw))[1][1]
    };
    let half = 2f32.sqrt(); // level of detail 1.5
    assert_eq!(picture("filter 0, mip 0", 4.0), 200, "no levels");
    assert_eq!(picture("filter 0, mip 1", 0.5), 200);
    assert_eq!(picture("filter 0, mip 1", 1.0), 100);
    assert_eq!(picture("filter 0, mip 1", half * 0.95), 100, "the nearest level is below");
    assert_eq!(picture("filter 0, mip 1", half * 1.05), 50, "the nearest level is above");
    assert_eq!(picture("filter 1, mip 2", half), 75, "between two levels");
    assert_eq!(picture("filter 3, mip 2", 4.0), 25, "an anisotropic filter");
    assert_eq!(picture("filter 1, mip 2", 64.0), 25, "the last level");

    let mut draw = empty(&textured("texture2d", "xy", "filter 1, mip 0, wrap 0 0"), 4, 1);
    add(&mut draw, &WHOLE, ramp([0.0, 1.0], [0.0, 1.0]));
    texture(&mut draw, Dimension::D2, vec![level(2, 1, 1, &[0, 200])]);
    assert_eq!(bytes(&drawn(&draw)), [[0, 50, 150, 200]], "linear between texels");
}

#[test]
fn cubes_have_their_faces_and_volumes_their_slices() {
    let mut draw = empty(&textured("texturecube", "xyz", "filter 0, mip 0, wrap 0 0"), 6, 1);
    let directions =
        [[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, -1.0]];
    for (n, [x, y, z]) in directions.into_iter().enumerate() {
        let edge = |n: usize| n as f32 / 3.0 - 1.0;
        add(&mut draw, &Quad { left: edge(n), right: edge(n + 1), ..WHOLE }, [[x, y, z, 0.0]; 4]);
    }
    texture(&mut draw, Dimension::Cube, vec![level(1, 1, 6, &[10, 20, 30, 40, 50, 60])]);
    assert_eq!(bytes(&drawn(&draw)), [[10, 20, 30, 40, 50, 60]]);

    // The slice coordinate rises from left to right, and uses u's wrap mode.
    let volume = |wrap: &str| {
        let mut draw = empty(&textured("texture3d", "yyx", &format!("filter 0, mip 0, wrap {wrap}")), 4, 1);
        add(&mut draw, &WHOLE, ramp([0.0, 2.0], [0.0, 0.0]));
        texture(&mut draw, Dimension::D3, vec![level(1, 1, 2, &[70, 90])]);
        bytes(&drawn(&draw))
    };
    assert_eq!(volume("1 0"), [[70, 90, 70, 90]]);
    assert_eq!(volume("0 1"), [[70, 90, 90, 90]]);
}

#[test]
fn a_missing_texture_reads_zeroes() {
    for (ty, swizzle) in [("texture2d", "xy"), ("texture3d", "xyz"), ("texturecube", "xyz")] {
        let mut draw = empty(&textured(ty, swizzle, "filter 1, mip 2, wrap 0 0"), 1, 1);
        draw.clear = [1.0; 4];
        add(&mut draw, &WHOLE, [[0.5; 4]; 4]);
        assert_eq!(drawn(&draw).targets[0], [[0.0; 4]], "{ty}");
    }
}

#[test]
fn each_stage_reads_its_own_textures_and_uniforms_also_in_called_functions() {
    let text = r#"
vertex function "vs_main" {
  input %1 va0: float4 = attribute 0
  input %2 vc: float2[3] = uniform
  input %3 vs1: texture2d = texture 1 { filter 0, mip 0, wrap 0 0, format 0, special 0, bias 0 }
  output 0 op: float4 = position
  output 1 v0: float4 = varying 0
  poke %1, 0
  %5 = peek %2, 2
  %6 = literalfloat 0.0
  %7 = vector %6, %6
  %8 = samplelod %3, %7, %6
  %9 = swizzle %8, xy
  %10 = vector %5, %9
  poke %10, 1
}
fragment function "fs_main" {
  input %1 v0: float4 = varying 0
  input %2 fc: float2x3 = uniform
  input %3 count: int = uniform
  output 0 oc: float4 = colour 0
  output 1 od: float4 = colour 1
  output 2 oe: float4 = colour 2
  poke %1, 0
  %4 = call 2
  poke %4, 1
  %5 = literalfloat 1.0
  %6 = literalfloat 100.0
  %7 = vector %5, %6
  %8 = multiply %2, %7
  %9 = convert %3, float
  %10 = vector %8, %9
  poke %10, 2
}
generic function "" called "further" {
  input %1 last: float4 = uniform
  input %2 fs1: texture2d = texture 1 { filter 0, mip 0, wrap 0 0, format 0, special 0, bias 0 }
  output 0 out: float4 = returned
  %3 = literalfloat 0.5
  %4 = vector %3, %3
  %5 = sample %2, %4
  %6 = add %1, %5
  return %6
}"#;
    let mut draw = empty(text, 1, 1);
    draw.targets = 3;
    add(&mut draw, &WHOLE, [[0.0; 4]; 4]);
    let floats = |values: &[f32]| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
    let uniforms = &mut draw.resources.uniforms;
    uniforms.insert((FunctionKind::Vertex, "vc".to_string()), floats(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]));
    uniforms.insert((FunctionKind::Fragment, "fc".to_string()), floats(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]));
    uniforms.insert((FunctionKind::Fragment, "count".to_string()), vec![-7i32 as u32]);
    uniforms.insert((FunctionKind::Fragment, "last".to_string()), floats(&[10.0, 20.0, 30.0, 40.0]));
    for (kind, texel) in [(FunctionKind::Vertex, [255, 0, 0, 0]), (FunctionKind::Fragment, [0, 255, 0, 0])] {
        let levels = vec![Level { width: 1, height: 1, depth: 1, texels: vec![texel] }];
        draw.resources.textures.insert((kind, 1), Texture { dimension: Dimension::D2, levels });
    }
    let expected = [[5.0, 6.0, 1.0, 0.0], [10.0, 21.0, 30.0, 40.0], [401.0, 502.0, 603.0, -7.0]];
    assert_eq!(drawn(&draw).targets, expected.map(|colour| vec![colour]));
}

#[test]
fn columns_of_two_rows_are_laid_out_as_in_wgsl() {
    let fragment = r#"
fragment function "fs_main" {
  input %1 v0: float4 = varying 0
  input %2 fc: float3x2 = uniform
  output 0 oc: float4 = colour 0
  %3 = swizzle %1, xyz
  %4 = multiply %2, %3
  %5 = vector %4, %4
  poke %5, 0
}"#;
    let mut draw = empty(&format!("{VERTEX}{fragment}"), 1, 1);
    add(&mut draw, &WHOLE, [[1.0, 10.0, 100.0, 0.0]; 4]);
    let words = [1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0].map(f32::to_bits).to_vec();
    draw.resources.uniforms.insert((FunctionKind::Fragment, "fc".to_string()), words);
    assert_eq!(drawn(&draw).targets[0], [[531.0, 642.0, 531.0, 642.0]]);
}

#[test]
fn points_carry_data_of_every_type_to_their_pixels() {
    let text = r#"
vertex function "vs_main" {
  input %1 va0: float4 = attribute 0
  input %2 va1: float4 = attribute 1
  input %3 va2: int2 = attribute 2
  input %4 va5: uint = attribute 5
  input %5 va6: float4 = attribute 6
  output 0 op: float4 = position
  output 1 v0: float4 = varying 0 flat
  output 2 v1: int2 = varying 1 flat
  output 3 v2: uint = varying 2 flat
  poke %1, 0
  %6 = add %2, %5
  poke %6, 1
  poke %3, 2
  poke %4, 3
}
fragment function "fs_main" {
  input %1 v0: float4 = varying 0 flat
  input %2 v1: int2 = varying 1 flat
  input %3 v2: uint = varying 2 flat
  output 0 oc: float4 = colour 0
  output 1 od: float4 = colour 1
  poke %1, 0
  %4 = convert %2, float
  %5 = convert %3, float
  %6 = vector %4, %5, %5
  poke %6, 1
}"#;
    let (width, height) = (8u32, 4u32);
    let mut draw = empty(text, width, height);
    draw.targets = 2;
    draw.topology = Topology::Points;
    draw.clear = [-1.0; 4];
    let count = width * height - 1; // the last pixel keeps its content
    let value = |n: u32| [n as f32 * 0.1, -1e30 / (n + 1) as f32, 1e-30 * (n + 1) as f32, f32::INFINITY];
    for n in 0..count {
        let x = ((n % width) as f32 + 0.5) / width as f32 * 2.0 - 1.0;
        let y = 1.0 - ((n / width) as f32 + 0.5) / height as f32 * 2.0;
        draw.attributes.entry(0).or_default().push(bits([x, y, 0.0, 1.0]));
        draw.attributes.entry(1).or_default().push(bits(value(n)));
        draw.attributes.entry(2).or_default().push([-(n as i32) as u32, n, 77, 77]);
        draw.attributes.entry(5).or_default().push([0xff00_0000, 77, 77, 77]);
        draw.indices.push(n);
    }
    let image = drawn(&draw);
    for n in 0..count {
        assert_eq!(image.targets[0][n as usize].map(f32::to_bits), value(n).map(f32::to_bits), "point {n}");
        assert_eq!(image.targets[1][n as usize], [-(n as f32), n as f32, 4278190080.0, 4278190080.0], "point {n}");
    }
    assert!(image.targets.iter().all(|target| target[count as usize] == [-1.0; 4]), "the pixel without a point");
}

#[test]
fn everything_is_drawn_once_for_each_instance() {
    let vertex = r#"
vertex function "vs_main" {
  input %1 va0: float4 = attribute 0
  input %2 iid: uint = builtin instanceindex
  output 0 op: float4 = position
  output 1 v0: float4 = varying 0
  %3 = convert %2, float
  %4 = literalfloat 0.0
  %5 = vector %3, %4, %4, %4
  %6 = add %1, %5
  poke %6, 0
  poke %5, 1
}"#;
    let mut draw = empty(&format!("{vertex}{FRAGMENT}"), 4, 1);
    draw.instances = 2;
    draw.clear = [9.0; 4];
    add(&mut draw, &Quad { right: -0.5, ..WHOLE }, [[0.0; 4]; 4]);
    assert_eq!(reds(&drawn(&draw)), [[0.0, 9.0, 1.0, 9.0]], "the second one lies two pixels to the right");
}

#[test]
fn a_pair_of_agal_is_drawn() {
    use agal_front::assemble::{AssembleOptions, assemble};
    let program = |text: &str| assemble(text, &AssembleOptions::default()).expect("a program").program;
    let vertex = program("// agal 1 vertex\nm44 op, va0, vc0\nmov v0, va1");
    let fragment = program("// agal 1 fragment\ntex ft0, v0, fs3 <2d,linear,repeat,mipnone>\nmul oc, ft0, fc2");
    let lifted = agal_front::lift::translate(&[&vertex, &fragment], &Default::default()).expect("a pair");
    let mut draw = Draw { module: lifted.module, ..empty(&format!("{VERTEX}{FRAGMENT}"), 2, 2) };
    add(&mut draw, &WHOLE, ramp([0.0, 1.0], [0.0, 1.0]));
    texture(&mut draw, Dimension::D2, vec![level(2, 2, 1, &[10, 20, 30, 40])]);
    let scaled = [[0.5, 0.0, 0.0, -0.5], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];
    let words = scaled.into_iter().flat_map(bits).collect();
    draw.resources.uniforms.insert((FunctionKind::Vertex, "vc".to_string()), words);
    let words = [[0.0; 4], [0.0; 4], [2.0, 1.0, 1.0, 0.5]].into_iter().flat_map(bits).collect();
    draw.resources.uniforms.insert((FunctionKind::Fragment, "fc".to_string()), words);
    // The rectangle covers the left half of the picture, which is a column of two pixels. The centres of these pixels lie halfway
    // between texels.
    assert_eq!(bytes(&drawn(&draw)), [[30, 0], [70, 0]]);
    assert_eq!(drawn(&draw).targets[0][0][3], 0.5);
}

#[test]
fn a_triangle_is_clipped_by_its_distances() {
    for (count, w) in [(0, 3.0), (1, 1.0), (4, 3.0), (8, 3.0)] {
        let planes = &PLANES[..count];
        let wrong = wrongly_clipped(&drawn(&clipped(planes, w)), planes, w);
        assert!(wrong.is_empty(), "{count} distances, w {w}: {wrong:?}");
    }
}
