//! Tests of whole programs with 24-bit floats. Every value is rounded when it enters a register, regardless of its source.

use sdlbc::{Builtin, Dimension, FunctionKind, InputKind, Module};
use sdlbc_interp::{Column, Draw, Float, LANES, Level, Mask, Pair, Program, Ran, Resources, Texture, Topology, draw};

use super::reference::{is_float24, multiply, round_single, subtract};

fn parsed(text: &str) -> Module {
    let module = sdlbc::parse(text).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    assert_eq!(sdlbc::verify(&module), Ok(()), "{text}");
    module
}

/// Returns a different float with 24 significant bits for each `number`.
fn long(number: usize) -> u32 {
    (1.0 / (number as f32 + 3.0)).to_bits() | 1
}

fn longs(first: usize) -> Column {
    std::array::from_fn(|lane| long(first + lane))
}

/// Runs a fragment function on floats with 24 significant bits. If `is_rounded` is true, the inputs are first rounded to 24-bit
/// floats.
fn run(text: &str, resources: &Resources, float: Float, is_rounded: bool) -> Ran {
    let module = parsed(text);
    let floats = |columns: [Column; 4]| match is_rounded {
        true => columns.map(|column| column.map(round_single)),
        false => columns,
    };
    let inputs = |kind: InputKind| match kind {
        InputKind::Builtin(Builtin::FragmentCoordinate) => {
            Some(floats([longs(100), longs(200), longs(300), longs(400)]))
        }
        InputKind::Varying { location: 0, .. } => Some(floats([longs(0), longs(1), longs(2), longs(3)])),
        // The lanes of integer varyings have the values 0, 1, 2 and 3 in turn.
        InputKind::Varying { .. } => Some([std::array::from_fn(|lane| (lane % 4) as u32); 4]),
        _ => None,
    };
    let program = Program::with_float(&module, 0, float).expect("a program");
    program.run(resources, Mask::MAX, &inputs, None).expect("it terminates")
}

#[test]
fn what_enters_a_register_is_rounded() {
    let text = "fragment function \"main\" {
  input %1 v: float4 = varying 0
  input %2 index: int = varying 1 flat
  input %3 place: float4 = builtin fragmentcoordinate
  input %4 scale: float = uniform
  input %5 rows: float2x2 = uniform
  input %6 list: float2[4] = uniform
  input %7 count: int = uniform
  output 0 a: float4 = colour 0
  output 1 b: float4 = colour 1
  output 2 c: float4 = colour 2
  output 3 d: float4 = colour 3
  %10 = literalfloat 0.33333334
  %11 = literalfloat4 0.1, 0.2, 0.3, 0.7
  %12 = peek %6, 1
  %13 = peek %6, %2, 0
  %14 = peek %5, 1
  %15 = swizzle %12, x
  %16 = swizzle %11, y
  %17 = swizzle %14, y
  poke %1, 0
  poke %3, 1
  %18 = vector %10, %16, %4, %15
  poke %18, 2
  %19 = convert %7, float
  %20 = vector %13, %17, %19
  poke %20, 3
}";
    let mut resources = Resources::default();
    let mut set = |name: &str, words: Vec<u32>| resources.uniforms.insert((FunctionKind::Fragment, name.into()), words);
    set("scale", vec![long(10)]);
    set("rows", (20..24).map(long).collect());
    set("list", (30..38).map(long).collect());
    set("count", vec![0x1_0001 * 5]);
    let ran = run(text, &resources, Float::F24, false);
    let same = run(text, &resources, Float::F32, false);
    let round = round_single;
    for lane in 0..LANES {
        let given = |first: usize| round(long(first + lane));
        let found = |output: usize| -> Vec<u32> { ran.outputs[output].iter().map(|column| column[lane]).collect() };
        assert_eq!(found(0), [given(0), given(1), given(2), given(3)], "varyings");
        assert_eq!(found(1), [given(100), given(200), given(300), given(400)], "a builtin");
        let literals = [0.333_333_34f32, 0.2].map(|literal| round(literal.to_bits()));
        assert_eq!(found(2), [literals[0], literals[1], round(long(10)), round(long(32))], "literals and uniforms");
        let element = 30 + lane % 4 * 2;
        let converted = round(327_685f32.to_bits());
        assert_eq!(
            found(3),
            [round(long(element)), round(long(element + 1)), round(long(23)), converted],
            "an element that is computed, a matrix, an int"
        );
        assert_eq!(same.outputs[0][0][lane], long(lane), "with 32 bits nothing is rounded");
    }
}

#[test]
fn texels_are_rounded_after_filtering_in_32_bits() {
    let text = |kind: &str, code: &str| {
        format!(
            "fragment function \"main\" {{
  input %1 v: float4 = varying 0
  input %2 at: int2 = varying 1 flat
  input %3 t: texture2d = texture 0 {{ filter {kind}, mip 1, wrap 1 1, format 0, special 0, bias 0 }}
  output 0 a: float4 = colour 0
  %4 = literalint 0
  %5 = literalfloat 0.0
  %6 = swizzle %1, xy
{code}
  poke %7, 0
}}"
        )
    };
    let texels = (0..16u8).map(|at| [at * 16, at * 3 + 1, 255 - at, 127]).collect();
    let texture = Texture { dimension: Dimension::D2, levels: vec![Level { width: 4, height: 4, depth: 1, texels }] };
    let mut resources = Resources::default();
    resources.textures.insert((FunctionKind::Fragment, 0), texture);
    let samples = ["sample %3, %6", "samplebias %3, %6, %5", "samplelod %3, %6, %5", "samplegrad %3, %6, %6, %6"];
    for (code, filter) in samples.iter().flat_map(|code| [(code, "0"), (code, "1")]).chain([(&"fetch %3, %2, %4", "0")])
    {
        let text = text(filter, &format!("  %7 = {code}"));
        let found = run(&text, &resources, Float::F24, false).outputs.concat();
        let exact = run(&text, &resources, Float::F32, true).outputs.concat();
        let mut differing = 0;
        for (exact, found) in exact.iter().flatten().zip(found.iter().flatten()) {
            assert_eq!(round_single(*exact), *found, "{code}");
            differing += u32::from(exact != found);
        }
        assert!(differing > 60, "{code}: {differing} texels need rounding");
    }
}

#[test]
fn a_derivative_is_a_difference_that_is_rounded_once() {
    let text = "fragment function \"main\" {
  input %1 v: float4 = varying 0
  output 0 x: float4 = colour 0
  output 1 y: float4 = colour 1
  %2 = ddx %1
  %3 = ddy %1
  poke %2, 0
  poke %3, 1
}";
    let module = parsed(text);
    let program = Program::with_float(&module, 0, Float::F24).expect("a program");
    // The values have many different exponents, and the exact difference between two values may have more than 24 significant
    // bits.
    let value = |lane: usize| ((lane * 37 % 29) as u32 + 110) << 23 | ((lane as u32 * 0x9_e377) & 0x7f_ff80);
    let column: Column = std::array::from_fn(value);
    let ran = program.run(&Resources::default(), Mask::MAX, &|_| Some([column; 4]), None).expect("it terminates");
    for lane in 0..LANES {
        let (left, upper) = (lane & !1, lane & !2);
        assert_eq!(ran.outputs[0][3][lane], subtract(value(left + 1), value(left)));
        assert_eq!(ran.outputs[1][0][lane], subtract(value(upper + 2), value(upper)));
    }
}

/// Both functions of a pair compute with 24-bit floats, so the results differ from 32-bit results.
#[test]
fn a_pair_draws_with_24_bits() {
    let text = "vertex function \"vs\" {
  input %1 corner: float4 = attribute 0
  input %2 third: float = uniform
  output 0 p: float4 = position
  output 1 v: float4 = varying 0
  poke %1, 0
  %3 = multiply %1, %2
  poke %3, 1
}
fragment function \"fs\" {
  input %1 v: float4 = varying 0
  input %2 third: float = uniform
  output 0 c: float4 = colour 0
  %3 = multiply %1, %2
  poke %3, 0
}";
    let mut picture = Draw::new(parsed(text), 16, 16);
    let corners = [[-1.0f32, 3.0], [3.0, -1.0], [-1.0, -1.0]];
    picture.attributes.insert(0, corners.map(|[x, y]| [x, y, 0.0, 1.0].map(f32::to_bits)).into());
    picture.indices = vec![0, 1, 2];
    assert_eq!(picture.topology, Topology::default());
    for kind in [FunctionKind::Vertex, FunctionKind::Fragment] {
        picture.resources.uniforms.insert((kind, "third".into()), vec![long(0)]);
    }
    let image = |float| {
        let pair = Pair::with_float(&picture.module, picture.resources.clone(), float).expect("a pair");
        draw(&picture, &pair).targets.remove(0)
    };
    let (narrow, wide) = (image(Float::F24), image(Float::F32));
    let unchanged = draw(&picture, &Pair::new(&picture.module, picture.resources.clone()).expect("a pair"));
    assert_eq!(unchanged.targets[0], wide, "32 bits are the default");
    assert!(narrow.iter().flatten().all(|component| is_float24(component.to_bits())));
    assert_ne!(narrow, wide);
    // The w component is 1/3 at each corner, and therefore in every fragment.
    let third = round_single(long(0));
    assert_eq!(narrow[0][3].to_bits(), multiply(third, third));
}
