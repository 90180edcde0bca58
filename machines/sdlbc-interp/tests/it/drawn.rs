//! Tests that draw pictures with the executor, the sampler and the rasteriser together.

use std::collections::BTreeMap;

use sdlbc::FunctionKind;
use sdlbc::Scalar::{Float, Int, Uint};
use sdlbc_interp::{Cull, DepthTest, Draw, Image, Pair, Resources, Shader as _, Texture, draw};

const TEXTURED: &str = r#"vertex function "vertex" {
  input %1 va0: float4 = attribute 0
  input %2 va1: float2 = attribute 1
  output 0 op: float4 = position
  output 1 v0: float2 = varying 0 perspective
  poke %1, 0
  poke %2, 1
}

fragment function "fragment" {
  input %1 v0: float2 = varying 0 perspective
  input %2 fs0: texture2d = texture 0 { filter 1, mip 2, wrap 0 0, format 0, special 0, bias 0 }
  output 0 oc: float4 = colour 0
  %3 = sample %2, %1
  poke %3, 0
}
"#;

/// Returns the draw of a square that covers the whole picture, with a texture of 8 x 8 texels.
fn textured(size: u32) -> Draw {
    let module = sdlbc::parse(TEXTURED).unwrap_or_else(|errors| panic!("{errors:?}"));
    assert_eq!(sdlbc::verify(&module), Ok(()));
    let texels = (0..64).map(|i| [(i % 8 * 32) as u8, (i / 8 * 32) as u8, 255, 255]).collect();
    let texture = Texture::d2(8, 8, texels).expect("a texture").with_mips();
    let corners = [[-1.0, 1.0], [1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]];
    let bits = |list: [[f32; 4]; 4]| list.map(|vector| vector.map(f32::to_bits)).to_vec();
    let positions = bits(corners.map(|[x, y]| [x, y, 0.5, 1.0]));
    let places = bits(corners.map(|[x, y]| [0.5 + 0.5 * x, 0.5 - 0.5 * y, 0.0, 0.0]));
    Draw {
        attributes: BTreeMap::from([(0, positions), (1, places)]),
        indices: vec![0, 1, 2, 1, 3, 2],
        cull: Cull::Back,
        depth: Some(DepthTest::Less),
        resources: Resources {
            textures: BTreeMap::from([((FunctionKind::Fragment, 0), texture)]),
            ..Resources::default()
        },
        ..Draw::new(module, size, size)
    }
}

fn drawn(of: &Draw) -> Image {
    let pair = Pair::new(&of.module, of.resources.clone()).expect("a pair");
    assert!(!pair.writes_depth() && !pair.failed());
    draw(of, &pair)
}

#[test]
fn a_textured_square_shows_its_texels() {
    let image = drawn(&textured(8));
    for (place, pixel) in image.targets[0].iter().enumerate() {
        let wanted = [(place % 8 * 32) as f32 / 255.0, (place / 8 * 32) as f32 / 255.0, 1.0, 1.0];
        assert!(pixel.iter().zip(wanted).all(|(is, wanted)| (is - wanted).abs() < 1e-4), "{place}: {pixel:?}");
    }
    assert_eq!(image.depth, Some(vec![0.5; 64]));
}

#[test]
fn a_square_of_half_the_size_shows_the_second_mip_level() {
    let image = drawn(&textured(4));
    for (place, pixel) in image.targets[0].iter().enumerate() {
        let wanted = (place % 4 * 64 + 16) as f32 / 255.0;
        assert!((pixel[0] - wanted).abs() < 1e-3, "{place}: {pixel:?}");
    }
}

const INTS: &str = r#"vertex function "vertex" {
  input %1 va0: float4 = attribute 0
  output 0 op: float4 = position
  poke %1, 0
}

fragment function "fragment" {
  input %1 place: float4 = builtin fragmentcoordinate
  output 0 ids: uint4 = colour 3
  output 1 cells: int4 = colour 1
  output 2 oc: float4 = colour 0
  %2 = convert %1, int
  %3 = swizzle %2, xxyy
  %4 = swizzle %3, x
  %5 = swizzle %3, z
  %6 = lessthan %4, %5
  if %6 {
    discard
  }
  %7 = complement %3
  %8 = convert %7, uint
  poke %8, 0
  poke %7, 1
  poke %1, 2
}
"#;

#[test]
fn targets_of_ints_hold_the_bits_of_the_ints() {
    let module = sdlbc::parse(INTS).unwrap_or_else(|errors| panic!("{errors:?}"));
    assert_eq!(sdlbc::verify(&module), Ok(()));
    let square = textured(2);
    let draw = Draw { module, targets: 4, clear: [-1.5, 0.75, 7.25, 5e9], depth: None, ..square };
    assert_eq!([0, 1, 2, 3].map(|target| draw.scalar(target)), [Float, Int, Float, Uint]);
    let image = drawn(&draw);
    let bits = |target: usize| image.targets[target].iter().map(|pixel| pixel.map(f32::to_bits)).collect::<Vec<_>>();
    let not = |x: u32, y: u32| [!x, !x, !y, !y];
    let most = i32::MAX.cast_unsigned();
    assert_eq!(bits(1), [not(0, 0), not(1, 0), [u32::MAX, 0, 7, most], not(1, 1)]);
    assert_eq!(bits(3), [not(0, 0), not(1, 0), [0, 0, 7, u32::MAX], not(1, 1)]);
    assert_eq!(image.targets[2], [draw.clear; 4], "no function writes this target");
    assert_eq!(image.targets[0][2], draw.clear, "the pixel is discarded");
}
