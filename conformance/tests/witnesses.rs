//! Each witness that is a device draws small pictures whose pixels are known without drawing them.

use std::collections::BTreeMap;

use conformance::{Failure, Witness, witness};
use interp::{Cull, DepthTest, Draw, Image, Level, Resources, Texture, Topology};
use sdlbc::{Dimension, FunctionKind, Module};

/// A vertex function that hands attribute 0 to the position and attribute 1 on; `varying` says how.
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

fn picture(module: Module, width: u32, height: u32) -> Draw {
    Draw {
        module,
        attributes: BTreeMap::new(),
        indices: Vec::new(),
        topology: Topology::Triangles,
        instances: 1,
        cull: Cull::None,
        depth: None,
        resources: Resources::default(),
        width,
        height,
        targets: 1,
        clear: [0.0; 4],
    }
}

/// Attributes of vertices: places and what goes with them.
fn with_vertices(mut draw: Draw, vertices: &[([f32; 4], [f32; 4])]) -> Draw {
    let bits = |values: [f32; 4]| values.map(f32::to_bits);
    draw.attributes.insert(0, vertices.iter().map(|&(place, _)| bits(place)).collect());
    draw.attributes.insert(1, vertices.iter().map(|&(_, value)| bits(value)).collect());
    draw.indices = (0..vertices.len() as u32).collect();
    draw
}

/// Two triangles over all of the picture, clockwise, from `(0, 0)` at the top left to `(1, 1)` at the bottom right.
fn square(depth: f32) -> [([f32; 4], [f32; 4]); 6] {
    let corner = |x: f32, y: f32| ([x * 2.0 - 1.0, 1.0 - y * 2.0, depth, 1.0], [x, y, depth, 1.0]);
    let [a, b, c, d] = [corner(0.0, 0.0), corner(1.0, 0.0), corner(0.0, 1.0), corner(1.0, 1.0)];
    [a, b, c, b, d, c]
}

/// One point a pixel, each with its value.
fn points(module: Module, width: u32, values: &[[u32; 4]]) -> Draw {
    let height = (values.len() as u32).div_ceil(width);
    let mut draw = picture(module, width, height);
    let place = |at: u32, of: u32| ((at as f32 + 0.5) / of as f32) * 2.0 - 1.0;
    let places = (0..values.len() as u32).map(|i| [place(i % width, width), -place(i / width, height), 0.0, 1.0]);
    draw.attributes.insert(0, places.map(|place| place.map(f32::to_bits)).collect());
    draw.attributes.insert(1, values.to_vec());
    draw.indices = (0..values.len() as u32).collect();
    draw.topology = Topology::Points;
    draw
}

/// Has every witness draw it, and hands each picture on.
fn with_each(draw: &Draw, mut look: impl FnMut(&str, Image)) {
    for witness in &mut witness::all().expect("all devices are there") {
        let name = witness.name();
        match witness.draw(draw) {
            Ok(image) => look(&name, image),
            Err(failure) => panic!("{name}: {failure:?}"),
        }
    }
}

/// The pixels of a target's rows, as letters by what `letter` says of each.
fn letters(image: &Image, target: usize, letter: impl Fn([f32; 4]) -> char) -> Vec<String> {
    let rows = image.targets[target].chunks(image.width as usize);
    rows.map(|row| row.iter().map(|&pixel| letter(pixel)).collect()).collect()
}

/// Numbers that are easily lost: zeroes, the least and the greatest, infinities, NaN.
fn special() -> Vec<[u32; 4]> {
    let floats = [0.0, -0.0, 1.0, -1.5, f32::MIN_POSITIVE, f32::MAX, f32::MIN, f32::INFINITY, f32::NEG_INFINITY, 1e-30];
    let mut bits: Vec<u32> = floats.map(f32::to_bits).to_vec();
    bits.push(f32::NAN.to_bits());
    (0..bits.len() * 3).map(|i| std::array::from_fn(|k| bits[(i + k * 3) % bits.len()])).collect()
}

#[test]
fn special_numbers_come_through_flat_and_smooth_varyings_bit_by_bit() {
    for varying in ["0 flat", "0"] {
        let fragment = format!(
            "input %1 value: float4 = varying {varying}\noutput 0 colour: float4 = colour 0\npoke %1, 0"
        );
        let values = special();
        let draw = points(pair(&vertex(varying), &fragment), 8, &values);
        with_each(&draw, |name, image| {
            assert_eq!((image.width, image.height, image.depth.as_ref()), (8, 5, None));
            for (pixel, value) in image.targets[0].iter().zip(&values) {
                for (&got, &given) in pixel.iter().zip(value) {
                    let given = f32::from_bits(given);
                    // Interpolation adds, and the sum of a zero and a negative one is positive.
                    let alike = if varying == "0" { got == given } else { got.to_bits() == given.to_bits() };
                    let same = alike || got.is_nan() && given.is_nan();
                    assert!(same, "{name}, {varying}: {given} became {got}");
                }
            }
            assert!(image.targets[0][33..].iter().all(|pixel| *pixel == [0.0; 4]), "{name}: no point there");
        });
    }
}
