//! Tests that sampling operations pass the right texture, mip level and lanes to the sampler.

use sdlbc::{Dimension, FunctionKind, InputKind};
use sdlbc_interp::{Column, LANES, Level, Mask, Program, Resources, Texture};

/// Returns a texture whose mip levels 0, 1 and 2 are red, green and blue. A texel's alpha component is its column divided by 255.
fn texture() -> Texture {
    let level = |number: usize| {
        let size = 4u32 >> number;
        let texel = |at: u32| {
            let mut texel = [0, 0, 0, (at % size) as u8];
            texel[number] = 255;
            texel
        };
        Level { width: size, height: size, depth: 1, texels: (0..size * size).map(texel).collect() }
    };
    Texture { dimension: Dimension::D2, levels: (0..3).map(level).collect() }
}

/// Runs a function that samples slot 3, and also slot 4, which has no texture. Returns red, green, blue and alpha * 255 for each
/// lane.
fn run(kind: FunctionKind, code: &str, live: Mask, v: impl Fn(usize) -> [f32; 4]) -> Vec<[f32; 4]> {
    let (input, output) = match kind {
        FunctionKind::Fragment => ("varying 0", "colour 0"),
        _ => ("attribute 0", "position"),
    };
    let text = format!(
        "{} function \"main\" {{
  input %1 v: float4 = {input}
  input %2 t: texture2d = texture 3 {{ filter 0, mip 1, wrap 1 0, format 0, special 0, bias 0 }}
  input %3 u: texture2d = texture 4 {{ filter 0, mip 1, wrap 1 0, format 0, special 0, bias 0 }}
  output 0 o: float4 = {output}
  %4 = swizzle %1, xy
  %5 = swizzle %1, z
  %6 = swizzle %1, w
  %7 = vector %5, %5
  %8 = literalint 0
{code}
  poke %9, 0
}}",
        kind.name()
    );
    let module = sdlbc::parse(&text).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    assert_eq!(sdlbc::verify(&module), Ok(()), "{text}");
    let columns: [Column; 4] = std::array::from_fn(|at| std::array::from_fn(|lane| v(lane)[at].to_bits()));
    let mut resources = Resources::default();
    resources.textures.insert((kind, 3), texture());
    let inputs = |_: InputKind| Some(columns);
    let ran = Program::new(&module, 0).expect("a program").run(&resources, live, &inputs, None).expect("it terminates");
    let [r, g, b, a] = [0, 1, 2, 3].map(|at| ran.outputs[0][at].map(f32::from_bits));
    (0..LANES).map(|lane| [r[lane], g[lane], b[lane], (a[lane] * 255.0).round()]).collect()
}

const RED: [f32; 3] = [1.0, 0.0, 0.0];
const GREEN: [f32; 3] = [0.0, 1.0, 0.0];
const BLUE: [f32; 3] = [0.0, 0.0, 1.0];

#[test]
fn an_explicit_level_is_per_lane() {
    for kind in [FunctionKind::Vertex, FunctionKind::Fragment] {
        let found = run(kind, "%9 = samplelod %2, %4, %5", Mask::MAX, |lane| [0.6, 0.1, (lane % 3) as f32, 0.0]);
        for (lane, texel) in found.iter().enumerate() {
            assert_eq!(texel[..3], [RED, GREEN, BLUE][lane % 3], "lane {lane}");
            assert_eq!(texel[3], [2.0, 1.0, 0.0][lane % 3], "lane {lane}");
        }
    }
}

#[test]
fn the_level_follows_from_the_quad() {
    // Adjacent pixels of a quad are one texel apart in the first quad, two texels in the second, and four texels in the third.
    let at = |lane: usize| {
        let texels = [1.0, 2.0, 4.0][lane / 4 % 3];
        [(lane % 2) as f32 * texels / 4.0, (lane / 2 % 2) as f32 * texels / 4.0, 1.0, 0.0]
    };
    let found = run(FunctionKind::Fragment, "%9 = sample %2, %4", Mask::MAX, at);
    // With one live fragment in each quad, the result is unchanged because the other fragments run as helper invocations.
    let some = run(FunctionKind::Fragment, "%9 = sample %2, %4", 0x222, at);
    let more = run(FunctionKind::Fragment, "%9 = samplebias %2, %4, %5", Mask::MAX, at);
    for quad in 0..3 {
        for lane in quad * 4..quad * 4 + 4 {
            assert_eq!(found[lane][..3], [RED, GREEN, BLUE][quad], "lane {lane}");
            assert_eq!(more[lane][..3], [GREEN, BLUE, BLUE][quad], "lane {lane}");
        }
        assert_eq!(some[quad * 4 + 1], found[quad * 4 + 1]);
    }
}

#[test]
fn the_level_follows_from_explicit_derivatives() {
    let code = "%10 = vector %6, %6
  %9 = samplegrad %2, %4, %7, %10";
    let found = run(FunctionKind::Fragment, code, Mask::MAX, |lane| match lane % 4 {
        0 => [0.3, 0.0, 0.1, 0.1],
        1 => [0.3, 0.0, 0.36, 0.0],
        2 => [0.3, 0.0, 0.0, -0.36],
        _ => [0.3, 0.0, 0.0, 9.0],
    });
    assert_eq!(
        [0, 1, 2, 3].map(|lane: usize| [found[lane][0], found[lane][1], found[lane][2]]),
        [RED, GREEN, GREEN, BLUE]
    );
}

#[test]
fn a_fetch_reads_the_texel_at_integer_coordinates() {
    let code = "%10 = convert %4, int
  %11 = convert %5, int
  %9 = fetch %2, %10, %11";
    let found = run(FunctionKind::Vertex, code, Mask::MAX, |lane| match lane {
        0 => [3.0, 2.0, 0.0, 0.0],
        1 => [1.0, 0.0, 1.0, 0.0],
        2 => [0.0, 0.0, 2.0, 0.0],
        3 => [4.0, 0.0, 0.0, 0.0],
        4 => [-1.0, 0.0, 0.0, 0.0],
        _ => [0.0, 0.0, 3.0, 0.0],
    });
    let wanted = [[1.0, 0.0, 0.0, 3.0], [0.0, 1.0, 0.0, 1.0], [0.0, 0.0, 1.0, 0.0], [0.0; 4], [0.0; 4], [0.0; 4]];
    assert_eq!(found[..6], wanted);
}

#[test]
fn a_slot_without_a_texture_reads_zeroes() {
    for code in ["%9 = sample %3, %4", "%10 = vector %8, %8\n  %9 = fetch %3, %10, %8"] {
        assert_eq!(run(FunctionKind::Fragment, code, Mask::MAX, |_| [0.5; 4]), [[0.0; 4]; LANES]);
    }
}
