//! Tests that built-in textures and shapes have the same bytes on every machine. The expected hashes are in
//! testdata/scene/made.txt, which `UPDATE_EXPECT=1` updates.

use std::fmt::Write;

use agalc_scene::{Description, Image, Shape};
use sdlbc::{Dimension, FunctionKind};
use sdlbc_interp::Texture;

fn texture(text: &str) -> Texture {
    let mut description = Description::plain([8, 8]);
    description.set_texture("fs0", text).unwrap_or_else(|error| panic!("{error}"));
    let image: &Image = &description.textures[&(FunctionKind::Fragment, 0)];
    image.texture(true).unwrap_or_else(|error| panic!("{error}"))
}

fn hash(bytes: impl Iterator<Item = u8>) -> u64 {
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

const KINDS: [&str; 16] = [
    "checker",
    "gradient",
    "{ kind = \"gradient\", steps = 5, direction = \"down\", size = [8, 64] }",
    "noise",
    "{ kind = \"noise\", cells = 3, octaves = 6, seed = 9, size = 64 }",
    "bumps",
    "{ kind = \"bumps\", pattern = \"bricks\", size = 64 }",
    "{ kind = \"bumps\", pattern = \"noise\", size = 64 }",
    "{ kind = \"bumps\", pattern = \"studs\", size = 64 }",
    "bricks",
    "disc",
    "landscape",
    "levels",
    "faces",
    "sky",
    "{ kind = \"ramp\", grade = \"film\" }",
];

#[test]
fn built_in_textures_and_shapes_are_the_same_everywhere() {
    let mut found = String::new();
    for kind in KINDS {
        let texture = texture(kind);
        let bytes = texture.levels.iter().flat_map(|level| level.texels.as_flattened().iter().copied());
        writeln!(found, "{:016x} {} levels of {kind}", hash(bytes), texture.levels.len()).expect("a string");
    }
    for (name, shape) in Shape::WORDS {
        let mesh = shape.mesh();
        let vertices = mesh.vertices.iter().flat_map(|vertex| {
            let three = [vertex.position, vertex.normal].concat();
            let four = [vertex.tangent, vertex.colour, vertex.bones, vertex.weights].concat();
            [three, vertex.uv.to_vec(), four].concat()
        });
        let indices = mesh.indices.iter().flat_map(|index| index.to_le_bytes());
        let all = vertices.flat_map(|part| part.to_bits().to_le_bytes()).chain(indices);
        writeln!(found, "{:016x} {} triangles of {name}", hash(all), mesh.indices.len() / 3).expect("a string");
    }
    testing::expect("testdata/scene/made.txt", &found).unwrap_or_else(|difference| panic!("{difference}"));
}

#[test]
fn textures_have_all_their_levels_down_to_one_texel() {
    for (kind, dimension, levels) in [
        ("{ kind = \"checker\", size = [40, 10] }", Dimension::D2, 6),
        ("{ kind = \"sky\", size = 16 }", Dimension::Cube, 5),
        ("{ kind = \"ramp\", size = 8 }", Dimension::D3, 4),
    ] {
        let texture = texture(kind);
        assert_eq!((texture.dimension, texture.levels.len()), (dimension, levels), "{kind}");
        for (at, level) in texture.levels.iter().enumerate() {
            assert_eq!(level.texels.len(), (level.width * level.height * level.depth) as usize);
            let first = &texture.levels[0];
            assert_eq!(level.width, (first.width >> at).max(1), "{kind}");
            assert_eq!(level.depth, if dimension == Dimension::D3 { first.depth >> at } else { first.depth });
        }
    }
}

#[test]
fn the_identity_colour_table_maps_coordinates_to_themselves() {
    let texture = texture("{ kind = \"ramp\", size = 3, mips = false }");
    let texels = &texture.levels[0].texels;
    assert_eq!(
        (texels[0], texels[1], texels[3], texels[9]),
        ([0, 0, 0, 255], [128, 0, 0, 255], [0, 128, 0, 255], [0, 0, 128, 255])
    );
    assert_eq!(texels[26], [255; 4]);
}

#[test]
fn the_sky_is_above_and_the_ground_below() {
    let level = &texture("{ kind = \"sky\", size = 8 }").levels[0];
    let middle = |face: usize| level.texels[face * 64 + 4 * 8 + 4];
    let [up, down] = [middle(2), middle(3)];
    assert!(up[2] > 150 && up[2] > up[0] + 50, "blue above: {up:?}");
    assert!(down.iter().take(3).all(|&part| part < 110), "dark below: {down:?}");
    // On each side face, the upper row is brighter than the lower row.
    for face in [0, 1, 4, 5] {
        let sum = |row: usize| level.texels[face * 64 + row * 8 + 4][2];
        assert!(sum(0) > sum(7), "face {face}");
    }
}

#[test]
fn bump_normals_lean_away_from_the_centre() {
    let level = &texture("{ kind = \"bumps\", pattern = \"dots\", cells = 1, size = 64, mips = false }").levels[0];
    let at = |x: usize, y: usize| level.texels[y * 64 + x];
    let (left, right, top, bottom) = (at(16, 32), at(48, 32), at(32, 16), at(32, 48));
    assert!(left[0] < 100 && right[0] > 155, "red grows to the right: {left:?} {right:?}");
    assert!(top[1] < 100 && bottom[1] > 155, "green grows downward, as v does: {top:?} {bottom:?}");
    assert_eq!(at(0, 0), [128, 128, 255, 255], "flat between them");
}

#[test]
fn noise_repeats_without_a_seam() {
    let level = &texture("{ kind = \"noise\", size = 64, cells = 4, mips = false }").levels[0];
    let at = |x: usize, y: usize| i32::from(level.texels[y * 64 + x][0]);
    for i in 0..64 {
        assert!((at(63, i) - at(0, i)).abs() < 24, "row {i}");
        assert!((at(i, 63) - at(i, 0)).abs() < 24, "column {i}");
    }
}
