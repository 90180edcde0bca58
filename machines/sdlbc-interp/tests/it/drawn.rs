//! Tests that draw pictures with the executor, the sampler and the rasteriser together.

use std::collections::BTreeMap;

use sdlbc::FunctionKind;
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
