//! Tests of fragments in quads, of the observer, and of a pair of functions used as a shader.

use std::collections::BTreeMap;

use sdlbc::{FunctionKind, InputKind, Interpolation, Module, Op};
use sdlbc_interp::{
    Column, Fragments, LANES, Mask, Observer, Pair, Program, Ran, Resources, Shaded, Shader, Site, Varying, Vertices,
};

fn parsed(text: &str) -> Module {
    let module = sdlbc::parse(text).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    assert_eq!(sdlbc::verify(&module), Ok(()), "{text}");
    module
}

fn fragment(code: &str) -> Module {
    parsed(&format!(
        "fragment function \"main\" {{
  input %1 v: float = varying 0
  output 0 oc: float4 = colour 0
  %2 = literalfloat 0.0
{code}
}}"
    ))
}

fn squares() -> Column {
    std::array::from_fn(|lane| ((lane * lane) as f32).to_bits())
}

fn run(module: &Module, live: Mask, observer: Option<&mut dyn Observer>) -> Ran {
    let inputs = |kind: InputKind| matches!(kind, InputKind::Varying { .. }).then_some([squares(); 4]);
    let program = Program::new(module, 0).expect("a program");
    program.run(&Resources::default(), live, &inputs, observer).expect("it terminates")
}

fn floats(column: &Column) -> [f32; LANES] {
    column.map(f32::from_bits)
}

const SLOPES: &str = "  %3 = ddx %1
  %4 = ddy %1
  %5 = vector %3, %4, %2, %2
  poke %5, 0";

#[test]
fn derivatives_are_the_differences_of_a_fragments_own_row_and_column() {
    let ran = run(&fragment(SLOPES), Mask::MAX, None);
    let [dx, dy] = [0, 1].map(|at| floats(&ran.outputs[0][at]));
    for quad in (0..LANES).step_by(4) {
        let v = |lane: usize| ((quad + lane) * (quad + lane)) as f32;
        assert_eq!(dx[quad..quad + 4], [v(1) - v(0), v(1) - v(0), v(3) - v(2), v(3) - v(2)]);
        assert_eq!(dy[quad..quad + 4], [v(2) - v(0), v(3) - v(1), v(2) - v(0), v(3) - v(1)]);
    }
}

#[test]
fn uncovered_lanes_run_as_helpers() {
    let all = run(&fragment(SLOPES), Mask::MAX, None);
    let some = run(&fragment(SLOPES), 1 << 9, None);
    assert_eq!(some.live, 1 << 9);
    assert_eq!((some.outputs[0][0][9], some.outputs[0][1][9]), (all.outputs[0][0][9], all.outputs[0][1][9]));
    // The neighbouring helper invocation also computes its value, even in a conditional.
    let code = "  %3 = literalfloat 81.0
  %4 = lessthan %1, %3
  if %4 {
    %5 = add %1, %3
  } else {
  }
  %6 = phi %5, %2
  %7 = ddx %6
  %8 = swizzle %7, xxxx
  poke %8, 0";
    let ran = run(&fragment(code), 1 << 9, None);
    assert_eq!(floats(&ran.outputs[0][0])[9], 0.0 - (64.0 + 81.0));
}

#[test]
fn a_discarded_fragment_continues_as_a_helper() {
    let code = "  %3 = literalfloat 81.0
  %4 = equal %1, %3
  if %4 {
    discard
  }
  %5 = multiply %1, %3
  %6 = ddx %5
  %8 = swizzle %6, xxxx
  poke %8, 0";
    let ran = run(&fragment(code), Mask::MAX, None);
    assert_eq!(ran.live, !(1 << 9));
    assert_eq!(floats(&ran.outputs[0][0])[8], (81.0 - 64.0) * 81.0);
}

#[test]
fn a_discard_in_a_loop_or_a_call_ends_the_fragment() {
    let helper = "generic function \"\" {
  input %1 a: float = parameter
  output 0 r: float = returned
  %2 = literalfloat 1000.0
  %3 = greaterthan %1, %2
  if %3 {
    discard
  }
  %4 = add %1, %2
  return %4
}
";
    let code = "  %9 = literalfloat 1.0
  %10 = literalfloat 10.0
  loop {
    %3 = phi %2, %4
    %4 = add %3, %9
    %5 = call 1, %1
    %6 = greaterthan %4, %10
    if %6 {
      %7 = swizzle %5, xxxx
      poke %7, 0
      break
    }
    %8 = equal %1, %9
    if %8 {
      discard
    }
  }";
    let main = sdlbc::print(&fragment(&code.replace("%5 = call 1, %1", "%5 = add %1, %9")));
    let text = main.replace("%5 = add %1, %9", "%5 = call 1, %1") + "\n" + helper;
    let ran = run(&parsed(&text), Mask::MAX, None);
    // 32 * 32 is the first square above 1000.
    assert_eq!(ran.live, 0xffff_ffff & !2);
    assert_eq!(floats(&ran.outputs[0][0])[5], 1025.0);
}

/// An observer that records its calls and adds one to each product.
#[derive(Default)]
struct Seen(Vec<(Site, Mask, Vec<Vec<u32>>, u32)>);

impl Observer for Seen {
    fn result(&mut self, site: &Site, active: Mask, operands: &[Vec<Column>], columns: &mut [Column]) {
        let first = operands.iter().map(|operand| operand.iter().map(|column| column[0]).collect()).collect();
        self.0.push((*site, active, first, columns[0][0]));
        if site.op == Op::Multiply {
            columns[0].iter_mut().for_each(|word| *word = (f32::from_bits(*word) + 1.0).to_bits());
        }
    }
}

#[test]
fn an_observer_sees_results_with_their_operands_and_can_change_them() {
    let code = "  %3 = literalfloat 3.0
  %4 = literalfloat 2.0
  %5 = subtract %4, %3
  %6 = lessthan %1, %4
  if %6 {
    %7 = multiply %1, %3
  } else {
    %8 = floor %1
  }
  %9 = phi %7, %8
  %10 = swizzle %9, xxxx
  poke %10, 0";
    let mut seen = Seen::default();
    let ran = run(&fragment(code), 3 << 60 | 15, Some(&mut seen));
    let ops: Vec<(Op, usize, Mask)> =
        seen.0.iter().map(|(site, active, ..)| (site.op, site.instruction, *active)).collect();
    let all = 15 << 60 | 15;
    // The subtraction of two constants is computed first, in every lane.
    let wanted = [(Op::Subtract, 3, Mask::MAX), (Op::LessThan, 4, all), (Op::Multiply, 6, 3), (Op::Floor, 7, all & !3)];
    assert_eq!(ops, wanted);
    assert_eq!(seen.0[0].2, [[2.0f32.to_bits()], [3.0f32.to_bits()]]);
    assert_eq!(floats(&ran.outputs[0][0])[..3], [1.0, 4.0, 4.0]);
}

#[test]
fn a_pair_shades_its_interpolated_vertex_outputs() {
    let module = parsed(
        "vertex function \"vs\" {
  input %1 va0: float2 = attribute 0
  input %2 va1: uint = attribute 3
  input %3 mvp: float4x4 = uniform
  input %4 bones: float4[3] = uniform
  input %5 n: uint = builtin vertexindex
  input %6 m: uint = builtin instanceindex
  output 0 op: float4 = position
  output 1 id: uint2 = varying 5 flat
  output 2 v: float3 = varying 1
  %10 = literalfloat 0.0
  %11 = literalfloat 1.0
  %12 = vector %1, %10, %11
  %13 = multiply %3, %12
  %14 = convert %2, int
  %15 = peek %4, %14, 1
  %16 = add %13, %15
  poke %16, 0
  %17 = vector %5, %6
  poke %17, 1
  %18 = swizzle %15, xyz
  poke %18, 2
}
fragment function \"fs\" {
  input %1 v: float3 = varying 1
  input %2 id: uint2 = varying 5 flat
  input %3 at: float4 = builtin fragmentcoordinate
  input %4 front: bool = builtin frontfacing
  input %5 point: float2 = builtin pointcoordinate
  input %6 tint: float = uniform
  output 0 second: float4 = colour 2
  output 1 depth: float = depth
  %10 = convert %4, float
  %11 = vector %1, %10
  %12 = multiply %11, %6
  poke %12, 0
  %13 = swizzle %5, x
  %14 = swizzle %3, z
  %15 = convert %2, float
  %16 = swizzle %15, y
  %17 = add %13, %14
  %18 = add %17, %16
  poke %18, 1
}",
    );
    let bits = |numbers: &[f32]| numbers.iter().map(|number| number.to_bits()).collect::<Vec<u32>>();
    let mut uniforms = BTreeMap::new();
    let mvp = [2.0, 0.0, 0.0, 0.0, 0.0, 3.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 10.0, 20.0, 30.0, 1.0];
    uniforms.insert((FunctionKind::Vertex, "mvp".to_string()), bits(&mvp));
    let bones = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0];
    uniforms.insert((FunctionKind::Vertex, "bones".to_string()), bits(&bones));
    uniforms.insert((FunctionKind::Fragment, "tint".to_string()), bits(&[2.0]));
    let pair = Pair::new(&module, Resources { uniforms, ..Resources::default() }).expect("a pair");
    let varying = |location, width, interpolation| Varying { location, width, interpolation };
    let wanted = [varying(1, 3, Interpolation::Perspective), varying(5, 2, Interpolation::Flat)];
    assert_eq!(pair.varyings(), wanted);

    let lanes = |of: fn(usize) -> u32| -> Column { std::array::from_fn(of) };
    let attributes = |location: u32| match location {
        0 => Some([lanes(|lane| (lane as f32).to_bits()), [1f32.to_bits(); LANES], [0; LANES], [0; LANES]]),
        3 => Some([lanes(|lane| lane as u32 % 3); 4]),
        _ => None,
    };
    let vertices = Vertices {
        live: 0xffff,
        index: lanes(|lane| lane as u32 + 100),
        instance: [7; LANES],
        attributes: &attributes,
    };
    let mut shaded = Shaded::default();
    for _ in 0..2 {
        let transformed = pair.vertex(&vertices);
        // Lane 3 reads bone 0 + 1, lane 4 reads bone 1 + 1, and lane 5 reads the last bone because bone 2 + 1 does not exist.
        for (lane, bone) in [(3, [5.0, 6.0, 7.0, 8.0]), (4, [9.0, 10.0, 11.0, 12.0]), (5, [9.0, 10.0, 11.0, 12.0])] {
            let x = lane as f32;
            let position = transformed.position.map(|column| f32::from_bits(column[lane]));
            assert_eq!(position, [2.0 * x + 10.0 + bone[0], 23.0 + bone[1], 30.0 + bone[2], 1.0 + bone[3]]);
            let [v, id] = [0, 1].map(|at| transformed.varyings[at].map(|column| column[lane]));
            assert_eq!(v[..3], bits(&bone[..3]));
            assert_eq!(id, [lane as u32 + 100, 7, 0, 0]);
        }
        let fragments = Fragments {
            live: 0b0110,
            coordinate: &[[0; LANES], [0; LANES], [0.25f32.to_bits(); LANES], [0; LANES]],
            front: true,
            varyings: &transformed.varyings,
        };
        pair.fragment(&fragments, &mut shaded);
        assert_eq!(shaded.live, 0b0110);
        assert_eq!(shaded.colours.len(), 3);
        assert_eq!(shaded.colours[0], None);
        let colour = shaded.colours[2].expect("a colour").map(|column| f32::from_bits(column[1]));
        assert_eq!(colour, [18.0, 20.0, 22.0, 2.0], "twice bone 2's, and it is front-facing");
        assert_eq!(shaded.depth.map(|depth| f32::from_bits(depth[1])), Some(0.5 + 0.25 + 7.0));
    }
    assert!(!pair.is_stuck());
}

#[test]
fn varyings_end_at_the_last_component_that_is_read() {
    let module = parsed(
        r#"
vertex function "vs_main" {
  input %1 a: float4 = attribute 0
  output 0 position: float4 = position
  output 1 first: float4 = varying 0
  output 2 second: float4 = varying 1
  output 3 third: float4 = varying 2
  poke %1, 0
  poke %1, 1
  poke %1, 2
  poke %1, 3
}
fragment function "fs_main" {
  input %1 first: float4 = varying 0
  input %2 second: float4 = varying 1
  input %3 third: float4 = varying 2
  output 0 colour: float4 = colour 0
  %4 = swizzle %1, z
  %5 = vector %4, %4, %4, %4
  %6 = add %5, %3
  poke %6, 0
}
"#,
    );
    let pair = Pair::new(&module, Resources::default()).expect("it can be run");
    let widths: Vec<(u32, u8)> = pair.varyings().iter().map(|varying| (varying.location, varying.width)).collect();
    assert_eq!(widths, [(0, 3), (1, 0), (2, 4)]);
}
