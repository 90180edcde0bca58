//! The wgpu example draws the same pictures as the module interpreter, which `agalc render` uses.
//!
//! Rule: the tests pass attributes and constants to the interpreter by register, not through generated code.

use std::collections::BTreeMap;

use agalc::{Input, Options, Source};
use agalc_scene::Limits;
use example::gpu::{CLEAR, Gpu, Picture, SIDE};
use example::shapes::{Surface, Texture, arm, ring};
use sdlbc::{Dimension, FunctionKind, InputKind, Module};
use sdlbc_interp::{DepthTest, Draw};
use testing::repository;
use wgpu_pairs as example;

/// The maximum percentage of a picture's pixels that may differ by more than 2. All these pixels must be at edges.
const AT_EDGES: f64 = 0.1;

/// Lifts one of the example's pairs without names, so that attributes are float4 and constants are arrays.
fn module(pair: &str) -> Module {
    let input = |stage: &str| {
        let path = repository().join(format!("examples/wgpu-pairs/shaders/{pair}.{stage}.agal"));
        Input { name: pair.to_string(), bytes: std::fs::read(path).expect("a shader") }
    };
    let inputs = ["vert", "frag"].map(input);
    let stages = [agal_front::Stage::Vertex, agal_front::Stage::Fragment];
    let options = Options::default().ignore_source_names(true);
    let sources = inputs.iter().zip(stages).map(|(input, stage)| Source::open(input, &options).with_role(stage));
    let sources: Vec<Source<'_>> = sources.collect();
    agalc::load(&sources, &options).unwrap_or_else(|refused| panic!("{refused}")).module.into_module()
}

/// Returns a draw of one of the example's pairs. The constants and attributes are given by register.
fn draw(
    pair: &str,
    surface: &Surface,
    texture: &Texture,
    constants: [&[u8]; 2],
    attributes: Vec<Vec<[f32; 4]>>,
) -> Draw {
    let module = module(pair);
    let mut draw = Draw::new(module, SIDE, SIDE);
    draw.indices = surface.indices.clone();
    draw.depth = Some(DepthTest::Less);
    draw.clear = CLEAR.map(|part| part as f32);
    let columns = attributes.into_iter().zip(0..);
    draw.attributes = columns.map(|(column, register)| (register, bits(&column))).collect::<BTreeMap<_, _>>();
    for (function, constants) in draw.module.functions.iter().zip(constants) {
        let uniform = function.inputs.iter().find(|input| input.kind == InputKind::Uniform).expect("constants");
        let words = constants.as_chunks().0.iter().map(|word| u32::from_ne_bytes(*word)).collect();
        draw.resources.uniforms.insert((function.kind, uniform.name.clone()), words);
        let targets = function.outputs.iter().filter(|output| matches!(output.kind, sdlbc::OutputKind::Colour { .. }));
        draw.targets = targets.count().max(1);
    }
    let levels = texture.levels.iter().zip(0..);
    let level = |(texels, number): (&Vec<[u8; 4]>, u32)| {
        let side = texture.side >> number;
        sdlbc_interp::Level { width: side, height: side, depth: 1, texels: texels.clone() }
    };
    let levels = levels.map(level).collect();
    let texture = sdlbc_interp::Texture { dimension: Dimension::D2, levels };
    draw.resources.textures.insert((FunctionKind::Fragment, 0), texture);
    draw
}

fn bits(column: &[[f32; 4]]) -> Vec<[u32; 4]> {
    column.iter().map(|parts| parts.map(f32::to_bits)).collect()
}

/// Pads attributes to four components with the defaults 0, 0, 0, 1.
fn column<const N: usize>(parts: impl Iterator<Item = [f32; N]>) -> Vec<[f32; 4]> {
    parts
        .map(|parts| std::array::from_fn(|i| parts.get(i).copied().unwrap_or(if i == 3 { 1.0 } else { 0.0 })))
        .collect()
}

/// Checks that the device's pictures match the interpreter's pictures, and prints the differences.
fn hold(pair: &str, drawn: &[Picture], draw: &Draw) {
    let image = interpreted(draw);
    assert_eq!(drawn.len(), image.targets.len(), "{pair}: the number of targets");
    for (number, drawn) in drawn.iter().enumerate() {
        let own = agalc_scene::Picture::of(&image, number).expect("the target");
        let theirs = agalc_scene::Picture { width: drawn.side, height: drawn.side, pixels: drawn.pixels.clone() };
        let difference = agalc_scene::compare(&own, &theirs, Limits::default()).expect("the same size");
        let percent = difference.percent();
        println!(
            "{pair}, target {number}: {} of 255 away from edges, {percent:.3} % of pixels above 2, {} pixels are not equal",
            difference.greatest_elsewhere, difference.above[0].pixels
        );
        let shown = drawn.pixels.iter().filter(|pixel| **pixel != drawn.pixels[0]).count();
        assert!(10 * shown > drawn.pixels.len(), "{pair}, target {number}: only {shown} pixels are drawn");
        assert!(difference.greatest_elsewhere <= 2 && percent <= AT_EDGES, "{pair}, target {number}: {difference:?}");
    }
}

fn interpreted(draw: &Draw) -> sdlbc_interp::Image {
    let pair = sdlbc_interp::Pair::new(&draw.module, draw.resources.clone()).unwrap_or_else(|error| panic!("{error}"));
    sdlbc_interp::draw(draw, &pair)
}

#[test]
fn a_lit_and_textured_mesh_is_the_picture_that_agalc_renders() {
    let (surface, (transform, light)) = (ring(), example::lit_constants());
    let attributes = vec![
        column(surface.points.iter().map(|point| point.position)),
        column(surface.points.iter().map(|point| point.normal)),
        column(surface.points.iter().map(|point| point.uv)),
    ];
    let constants = [bytemuck::bytes_of(&transform), bytemuck::bytes_of(&light)];
    let draw = draw("lit", &surface, &example::tiles(), constants, attributes);
    let gpu = Gpu::new().expect("a device");
    hold("lit", &example::draw_lit(&gpu).expect("pictures"), &draw);
}

#[test]
fn a_skinned_mesh_is_the_picture_that_agalc_renders() {
    let (surface, (vc, fc)) = (arm(), example::skinned_constants());
    let vertices = example::skinned_vertices(&surface);
    let weight = |part: u16| f32::from(part) / f32::from(u16::MAX);
    let attributes = vec![
        column(surface.points.iter().map(|point| point.position)),
        column(surface.points.iter().map(|point| point.normal)),
        column(surface.points.iter().map(|point| point.uv)),
        column(vertices.iter().map(|vertex| vertex.bones)),
        column(vertices.iter().map(|vertex| vertex.weights.map(weight))),
    ];
    let constants = [bytemuck::bytes_of(&vc), bytemuck::bytes_of(&fc)];
    let draw = draw("skinned", &surface, &example::sleeve(), constants, attributes);
    let gpu = Gpu::new().expect("a device");
    hold("skinned", &example::draw_skinned(&gpu).expect("pictures"), &draw);
}

#[test]
fn two_render_targets_are_the_pictures_that_agalc_renders() {
    let (surface, (vc, fc)) = (ring(), example::targets_constants());
    let vertices = example::targets_vertices(&surface);
    let attributes = vec![
        column(surface.points.iter().map(|point| point.position)),
        column(surface.points.iter().map(|point| point.normal)),
        column(vertices.iter().map(|vertex| vertex.uv.map(|part| f32::from(part) / f32::from(u8::MAX)))),
    ];
    let constants = [bytemuck::bytes_of(&vc), bytemuck::bytes_of(&fc)];
    let draw = draw("targets", &surface, &example::tiles(), constants, attributes);
    let gpu = Gpu::new().expect("a device");
    hold("targets", &example::draw_targets(&gpu).expect("pictures"), &draw);
}
