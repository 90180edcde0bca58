//! Compares the results of instructions with values computed by hand. The instructions use swizzles, masks, the address register,
//! quads and textures.

use std::collections::BTreeSet;

use es2_front::assemble::assemble;
use es2_front::{Dimension, Instruction, Opcode, Program, Stage};
use es2_machine::{Float, Inputs, Quad, Vector, run};
use testing::Random;

use super::{fragment, one};

const NAN: f32 = f32::NAN;
const INF: f32 = f32::INFINITY;
const LOWEST: f32 = f32::MIN;

fn same(a: Vector, b: Vector) -> bool {
    a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan())
}

type Case = (&'static str, Vector, Vector, Vector);

#[test]
fn each_instruction_computes_the_stated_values() {
    let none = [0.0; 4];
    #[rustfmt::skip]
    let cases: &[Case] = &[
        ("MOV", [1.0, -0.0, INF, NAN], none, [1.0, -0.0, INF, NAN]),
        ("ABS", [-1.0, -0.0, -INF, NAN], none, [1.0, 0.0, INF, NAN]),
        ("FLR", [1.75, -0.25, -3.0, INF], none, [1.0, -1.0, -3.0, INF]),
        ("FRC", [1.75, -0.25, 3.0, -2.5], none, [0.75, 0.75, 0.0, 0.5]),
        ("SWZ", [1.0, 2.0, 3.0, 4.0], none, [4.0, -3.0, 0.0, -1.0]),
        ("ADD", [1.0, INF, INF, -0.0], [2.0, 1.0, -INF, -0.0], [3.0, INF, NAN, -0.0]),
        ("MUL", [2.0, 0.0, -0.0, 1e-38], [3.0, INF, 5.0, 1e-10], [6.0, NAN, -0.0, 0.0]),
        ("DST", [9.0, 2.0, 3.0, 8.0], [7.0, 5.0, 6.0, 4.0], [1.0, 10.0, 3.0, 4.0]),
        ("XPD", [1.0, 2.0, 3.0, 9.0], [4.0, 5.0, 7.0, 9.0], [-1.0, 5.0, -3.0, 0.0]),
        ("MAX", [1.0, NAN, -INF, 0.5], [2.0, 3.0, 0.0, NAN], [2.0, 3.0, 0.0, 0.5]),
        ("MIN", [1.0, NAN, -INF, 0.5], [2.0, 3.0, 0.0, NAN], [1.0, 3.0, -INF, 0.5]),
        ("SGE", [1.0, 2.0, -0.0, NAN], [2.0, 2.0, 0.0, 0.0], [0.0, 1.0, 1.0, 0.0]),
        ("SLT", [1.0, 2.0, -0.0, NAN], [2.0, 2.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]),
        ("DPH", [1.0, 2.0, 3.0, NAN], [4.0, 5.0, 6.0, 0.5], [32.5; 4]),
        ("DP3", [1.0, 2.0, 3.0, NAN], [4.0, 5.0, 6.0, NAN], [32.0; 4]),
        ("DP4", [1.0, 2.0, 3.0, 4.0], [4.0, 5.0, 6.0, 0.5], [34.0; 4]),
        ("CLAMP", [-1.0, 0.5, 9.0, 0.5], [1.0, 1.0, 2.0, -3.0], [0.0, 0.5, 2.0, -3.0]),
        ("MULZ", [1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0], [1.0, 2.0, 21.0, 4.0]),
        ("MAD", [1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0], [10.0, 18.0, 28.0, 40.0]),
        ("EXP", [2.5, 9.0, 9.0, 9.0], none, [4.0, 0.5, 5.656_854, 1.0]),
        ("LOG", [-8.0, 9.0, 9.0, 9.0], none, [3.0, 1.0, 3.0, 1.0]),
        ("LOG", [0.75, 9.0, 9.0, 9.0], none, [-1.0, 1.5, -0.415_037_5, 1.0]),
        ("LOG", [0.0, 9.0, 9.0, 9.0], none, [-INF, 1.0, -INF, 1.0]),
        ("LOG", [-INF, 9.0, 9.0, 9.0], none, [INF, 1.0, INF, 1.0]),
        ("LOG", [1e-45, 9.0, 9.0, 9.0], none, [-149.0, 1.0, -149.0, 1.0]),
        ("EX2", [3.0, 9.0, 9.0, 9.0], none, [8.0; 4]),
        ("REX2", [-1.0, 9.0, 9.0, 9.0], none, [0.5; 4]),
        ("LG2", [8.0, 9.0, 9.0, 9.0], none, [3.0; 4]),
        ("LG2", [0.0, 9.0, 9.0, 9.0], none, [-INF; 4]),
        ("LG2", [-8.0, 9.0, 9.0, 9.0], none, [NAN; 4]),
        ("RLG2", [8.0, 9.0, 9.0, 9.0], none, [3.0; 4]),
        ("RLG2", [0.0, 9.0, 9.0, 9.0], none, [LOWEST; 4]),
        ("RCP", [4.0, 9.0, 9.0, 9.0], none, [0.25; 4]),
        ("RCP", [-0.0, 9.0, 9.0, 9.0], none, [-INF; 4]),
        ("RSQ", [-4.0, 9.0, 9.0, 9.0], none, [0.5; 4]),
        ("RSQ", [0.0, 9.0, 9.0, 9.0], none, [INF; 4]),
    ];
    let mut tested: BTreeSet<&str> = BTreeSet::new();
    for &(mnemonic, a, b, expected) in cases {
        tested.insert(mnemonic);
        let operands = match mnemonic {
            "SWZ" => "v0, w, -z, 0, -x",
            "CLAMP" => "v0, 0, v1",
            "MAD" => "v0, v1, v1",
            "ADD" | "MUL" | "DST" | "XPD" | "MAX" | "MIN" | "SGE" | "SLT" | "DPH" | "DP3" | "DP4" | "MULZ" => "v0, v1",
            _ => "v0",
        };
        let found = one(&fragment(&format!("{mnemonic} fragcolor, {operands};")), &[a, b], &[]);
        assert!(same(found, expected), "{mnemonic} {a:?} {b:?}: {found:?}, not {expected:?}");
    }
    // Other tests cover NOP, ARL and TEX.
    let others = ["NOP", "ARL", "TEX"];
    let all: BTreeSet<&str> = Opcode::ALL.iter().map(|op| op.row().mnemonic).collect();
    assert_eq!(tested.into_iter().chain(others).collect::<BTreeSet<_>>(), all);
}

#[test]
fn a_swizzle_acts_before_the_sign_and_the_extended_swizzle_after_both() {
    let varyings = [[1.0, 2.0, 3.0, 4.0], [10.0, 20.0, 30.0, 40.0]];
    for (body, expected) in [
        ("MOV fragcolor, v0.wzyx;", [4.0, 3.0, 2.0, 1.0]),
        ("MOV fragcolor, -v0.y;", [-2.0; 4]),
        ("MOV fragcolor, v0.[w,-x,0,1];", [4.0, -1.0, 0.0, 1.0]),
        ("MOV fragcolor, -v0.wzyx.[x,-y,-1,z];", [-4.0, 3.0, -1.0, -2.0]),
        ("ADD fragcolor, v0, -v1.x;", [-9.0, -8.0, -7.0, -6.0]),
        ("MAD fragcolor, v0.x, v1, -v0.yyww;", [8.0, 18.0, 26.0, 36.0]),
        ("RCP fragcolor, v0.[w,x,x,x];", [0.25; 4]),
    ] {
        assert_eq!(one(&fragment(body), &varyings, &[]), expected, "{body}");
    }
}

#[test]
fn a_masked_write_keeps_the_other_components_and_what_was_never_written_is_zero() {
    let v0 = [[1.0, 2.0, 3.0, 4.0]];
    for (body, expected) in [
        ("MOV r0, v0; ADD r0.xz, r0, r0; MOV fragcolor, r0;", [2.0, 2.0, 6.0, 4.0]),
        ("MOV fragcolor.yw, v0;", [0.0, 2.0, 0.0, 4.0]),
        ("ADD fragcolor, v0, r3;", v0[0]),
        ("NOP; MOV fragcolor, v0; NOP;", v0[0]),
        // The result of XPD replaces a register that the instruction reads.
        ("MOV r0, v0; XPD r0, r0, r0.yzxw; MOV fragcolor, r0;", [2.0 - 9.0, 6.0 - 1.0, 3.0 - 4.0, 0.0]),
    ] {
        assert_eq!(one(&fragment(body), &v0, &[]), expected, "{body}");
    }
}

#[test]
fn uniforms_are_read_by_number_and_by_the_address_register_and_the_nearest_one_replaces_those_outside() {
    let uniforms: Vec<Vector> = (0..128).map(|number| [number as f32; 4]).collect();
    let direct = fragment("ADD fragcolor, u127, u112;");
    assert_eq!(one(&direct, &[], &uniforms), [239.0; 4]);
    assert_eq!(one(&direct, &[], &uniforms[..120]), [112.0; 4], "a uniform that is not set is zero");
    let relative = fragment("ARL A0.x, v0.y; MOV fragcolor, u[A0.x + 20];");
    for (address, expected) in
        [(3.7, 23.0), (-0.5, 19.0), (-1e30, 0.0), (1e30, 127.0), (INF, 127.0), (-INF, 0.0), (NAN, 20.0), (107.0, 127.0)]
    {
        assert_eq!(one(&relative, &[[9.0, address, 9.0, 9.0]], &uniforms), [expected; 4], "{address}");
    }
}

#[test]
fn a_texture_is_asked_once_for_the_coordinates_of_the_whole_quad() {
    let program = fragment("TEX r1, -v0.yxzw.[x,1,z,w], t3, 3D; MUL fragcolor, r1, v1;");
    assert_eq!(program.dimension(3), Dimension::D3);
    let mut inputs = [Quad::default(); 16];
    inputs[0] = [1.0, 2.0, 3.0, 4.0].map(|x| [x, 10.0 * x, 100.0 * x, 7.0]);
    inputs[1] = [1.0, 2.0, 3.0, 4.0].map(|x| [x; 4]);
    let texels = |sampler: u8, coordinates: Quad| {
        assert_eq!(sampler, 3);
        assert_eq!(coordinates, [1.0, 2.0, 3.0, 4.0].map(|x| [-10.0 * x, 1.0, -100.0 * x, -7.0]));
        [0.5, 0.25, 2.0, 1.0].map(|texel| [texel; 4])
    };
    let outputs = run(&program, &Inputs { inputs, uniforms: &[], texels: &texels, float: Float::F32 });
    assert_eq!(outputs.get(15), Some(&[0.5, 0.5, 6.0, 4.0].map(|value| [value; 4])));
}

#[test]
fn outputs_are_those_that_the_program_writes() {
    let text = "!!ES2vp1.0\nMOV v3.x, a0;\nMOV position, a1;\nMOV pointsize.x, a0.y;\nMOV r5, a0;\nEND\n";
    let program = assemble(text, None).expect("a program").program;
    let mut inputs = [Quad::default(); 16];
    (inputs[0], inputs[1]) = ([[5.0, 6.0, 7.0, 8.0]; 4], [[1.0, 2.0, 3.0, 4.0]; 4]);
    let outputs =
        run(&program, &Inputs { inputs, uniforms: &[], texels: &|_, coordinates| coordinates, float: Float::F32 });
    let written: Vec<u8> = (0..16).filter(|&index| outputs.get(index).is_some()).collect();
    assert_eq!(written, [3, 14, 15]);
    assert_eq!(outputs.outputs[3], [[5.0, 0.0, 0.0, 0.0]; 4]);
    assert_eq!(outputs.outputs[14], [[6.0, 0.0, 0.0, 0.0]; 4]);
    assert_eq!(outputs.outputs[15], inputs[1]);
    assert_eq!(outputs.get(16), None);
}

#[test]
fn no_word_makes_the_machine_panic() {
    let mut random = Random(1);
    let mut ran = 0;
    for _ in 0..20_000 {
        // About half of the random words have a defined opcode.
        let word = random.next() >> if random.once_in(2) { 1 } else { 0 };
        let Ok(instruction) = Instruction::decode(word) else { continue };
        for stage in [Stage::Vertex, Stage::Fragment] {
            let program = Program { instructions: vec![instruction; 2], ..Program::new(stage) };
            let inputs = [[[NAN, INF, -1.0, 1e9]; 4]; 16];
            run(
                &program,
                &Inputs { inputs, uniforms: &[[1.0; 4]; 3], texels: &|_, coordinates| coordinates, float: Float::F32 },
            );
        }
        ran += 1;
    }
    assert!(ran > 1000, "{ran}");
}
