//! Compares the results of opcodes with handwritten values, tests registers, masks, conditionals and quads, and checks that
//! damaged programs cause no panic.

use std::collections::{BTreeMap, BTreeSet};

use agal_front::lift::{self, translate};
use agal_front::opcode::Opcode;
use agal_front::register::File;
use agal_front::token::{Mask, Token};
use agal_front::{Program, Rules, Stage};
use agal_machine::{Effect, Error, ErrorKind, Inputs, Machine, NESTING, Options, Outputs, Quad, Texture, Trace};

use super::program;
use laws::programs;
use testing::Random;

const NAN: f32 = f32::NAN;
const INF: f32 = f32::INFINITY;
/// The initial value of a destination register, which remains in the components that a token does not write.
const OLD: f32 = 7.0;

fn run_with(text: &str, options: Options, registers: &[Quad], constants: &[[f32; 4]]) -> Outputs {
    let machine = Machine::new(&program(text), options).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let textures = BTreeMap::<u32, Texture>::new();
    machine.run(&Inputs { registers, constants, instance: [0, 1, 2, 3], environment: &textures })
}

fn run(text: &str, registers: &[Quad], constants: &[[f32; 4]]) -> Outputs {
    run_with(text, Options::default(), registers, constants)
}

fn values(outputs: &Outputs, file: File, number: u32) -> Quad {
    outputs.get(file, number).unwrap_or_else(|| panic!("no {file:?} {number}")).values
}

/// Runs a program with the same inputs in all four invocations, and returns its output.
fn one(text: &str, registers: &[[f32; 4]], constants: &[[f32; 4]]) -> [f32; 4] {
    let registers: Vec<Quad> = registers.iter().map(|&register| [register; 4]).collect();
    values(&run(text, &registers, constants), File::Output, 0)[2]
}

/// Reports whether each component of `a` has the same bits as the corresponding component of `b`, or both components are NaN.
fn same(a: [f32; 4], b: [f32; 4]) -> bool {
    a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan())
}

/// A mnemonic, its two operands, and the expected result.
type Case = (&'static str, [f32; 4], [f32; 4], [f32; 4]);

#[test]
fn each_opcode_computes_the_stated_values() {
    let third = [3.0, 4.0, 5.0, 6.0];
    let rows = [[1.0, 0.0, 0.0, 10.0], [0.0, 2.0, 0.0, 20.0], [1.0, 1.0, 1.0, 30.0], [0.0, 0.0, 0.0, 1.0]];
    let none = [0.0; 4];
    #[rustfmt::skip]
    let cases: &[Case] = &[
        ("mov", [1.0, -0.0, INF, NAN], none, [1.0, -0.0, INF, NAN]),
        ("add", [1.0, INF, INF, -0.0], [2.0, 1.0, -INF, -0.0], [3.0, INF, NAN, -0.0]),
        ("sub", [1.0, INF, 0.5, 0.0], [2.0, INF, 0.25, 0.0], [-1.0, NAN, 0.25, 0.0]),
        ("mul", [2.0, 0.0, -0.0, 1e-38], [3.0, INF, 5.0, 1e-10], [6.0, NAN, -0.0, 0.0]),
        ("div", [1.0, 1.0, 0.0, -6.0], [0.0, -0.0, 0.0, 3.0], [INF, -INF, NAN, -2.0]),
        ("rcp", [4.0, 0.0, -0.0, -INF], none, [0.25, INF, -INF, -0.0]),
        ("min", [1.0, NAN, -INF, 0.5], [2.0, 3.0, 0.0, NAN], [1.0, 3.0, -INF, 0.5]),
        ("max", [1.0, NAN, -INF, 0.5], [2.0, 3.0, 0.0, NAN], [2.0, 3.0, 0.0, 0.5]),
        ("frc", [1.75, -0.25, 3.0, -2.5], none, [0.75, 0.75, 0.0, 0.5]),
        ("sqt", [4.0, -4.0, 0.0, INF], none, [2.0, 2.0, 0.0, INF]),
        ("rsq", [4.0, -4.0, 0.0, INF], none, [0.5, 0.5, INF, 0.0]),
        ("pow", [2.0, -2.0, 0.0, 0.0], [3.0, 2.0, 0.0, 2.0], [8.0, 4.0, 1.0, 0.0]),
        ("pow", [-2.0, -4.0, -8.0, NAN], [3.0, 0.5, -1.0, 1.0], [8.0, 2.0, 0.125, NAN]),
        ("pow", [NAN, INF, 0.0, 4.0], [0.0, -0.0, -1.0, -0.5], [1.0, 1.0, INF, 0.5]),
        ("log", [8.0, -0.125, 0.0, INF], none, [3.0, -3.0, -INF, INF]),
        ("exp", [3.0, -1.0, -0.0, -INF], none, [8.0, 0.5, 1.0, 0.0]),
        ("nrm", [0.0, -2.0, 0.0, 9.0], none, [0.0, -1.0, 0.0, OLD]),
        ("nrm", [0.0, 0.0, 0.0, 9.0], none, [0.0, 0.0, 0.0, OLD]),
        ("sin", [0.0, -0.0, 0.5, INF], none, [0.0, -0.0, 0.479_425_55, NAN]),
        ("cos", [0.0, -0.0, 0.5, INF], none, [1.0, 1.0, 0.877_582_55, NAN]),
        ("crs", [1.0, 2.0, 3.0, 9.0], [4.0, 5.0, 7.0, 9.0], [-1.0, 5.0, -3.0, OLD]),
        ("dp3", [1.0, 2.0, 3.0, NAN], [4.0, 5.0, 6.0, NAN], [32.0; 4]),
        ("dp4", [1.0, 2.0, 3.0, 4.0], [4.0, 5.0, 6.0, 0.5], [34.0; 4]),
        ("abs", [-1.0, -0.0, -INF, NAN], none, [1.0, 0.0, INF, NAN]),
        ("neg", [-1.0, 0.0, INF, NAN], none, [1.0, -0.0, -INF, NAN]),
        ("sat", [-1.0, 0.5, INF, NAN], none, [0.0, 0.5, 1.0, 0.0]),
        ("m33", third, rows[0], [3.0, 8.0, 12.0, OLD]),
        ("m44", third, rows[0], [63.0, 128.0, 192.0, 6.0]),
        ("m34", third, rows[0], [63.0, 128.0, 192.0, OLD]),
        ("ddx", [5.0; 4], none, [0.0; 4]),
        ("ddy", [5.0; 4], none, [0.0; 4]),
        ("sge", [1.0, 2.0, -0.0, NAN], [2.0, 2.0, 0.0, 0.0], [0.0, 1.0, 1.0, 0.0]),
        ("slt", [1.0, 2.0, -0.0, NAN], [2.0, 2.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]),
        ("sgn", [-3.0, -0.0, 1e-40, NAN], none, [-1.0, 0.0, 1.0, 0.0]),
        ("seq", [1.0, INF, -0.0, NAN], [2.0, INF, 0.0, NAN], [0.0, 1.0, 1.0, 0.0]),
        ("sne", [1.0, INF, -0.0, NAN], [2.0, INF, 0.0, NAN], [1.0, 0.0, 0.0, 1.0]),
    ];
    let mut tested: BTreeSet<&str> = BTreeSet::new();
    for &(mnemonic, a, b, expected) in cases {
        tested.insert(mnemonic);
        let operands = if has_two_sources(mnemonic) { "v0, v1" } else { "v0" };
        let text = format!("// agal 3 fragment\nmov ft0, fc0\n{mnemonic} ft0, {operands}\nmov oc, ft0\n");
        let found = one(&text, &[a, b, rows[1], rows[2], rows[3]], &[[OLD; 4]]);
        assert!(same(found, expected), "{mnemonic} {a:?} {b:?}: {found:?}, not {expected:?}");
    }
    // Opcodes without a result and texture opcodes are tested elsewhere.
    let others = ["ife", "ine", "ifg", "ifl", "els", "eif", "kil", "tex", "ted", "tld"];
    let all: BTreeSet<&str> = Opcode::ALL.iter().map(|op| op.row().mnemonic).collect();
    assert_eq!(tested.into_iter().chain(others).collect::<BTreeSet<_>>(), all);
}

fn has_two_sources(mnemonic: &str) -> bool {
    let one = ["mov", "rcp", "frc", "sqt", "rsq", "log", "exp", "nrm", "sin", "cos", "abs", "neg", "sat", "ddx", "ddy"];
    !one.contains(&mnemonic) && mnemonic != "sgn"
}

#[test]
fn every_mask_writes_its_components_of_the_swizzle_and_keeps_the_others() {
    let v0 = [1.0, 2.0, 3.0, 4.0];
    for mask in 1..16u8 {
        for swizzle in ["xyzw", "wzyx", "yyxx", "zwxy"] {
            let text = format!("// agal 2 fragment\nmov ft0, fc0\nneg ft0.{}, v0.{swizzle}\nmov oc, ft0\n", Mask(mask));
            let component = |i: usize| v0["xyzw".find(&swizzle[i..=i]).expect("a letter")];
            let expected = std::array::from_fn(|i| if mask >> i & 1 != 0 { -component(i) } else { OLD });
            assert_eq!(one(&text, &[v0], &[[OLD; 4]]), expected, "{text}");
        }
    }
}

#[test]
fn the_mask_selects_from_the_result_of_operations_across_components() {
    let rows = [[1.0, 2.0, 3.0, 4.0], [1.0, 0.0, 0.0, 0.0], [0.0, 5.0, 0.0, 0.0], [0.0, 0.0, 6.0, 0.0]];
    for (line, expected) in [
        ("m33 ft0.y, v0, v1", [OLD, 10.0, OLD, OLD]),
        ("m44 ft0.zw, v0.wzyx, v1", [OLD, OLD, 12.0, 0.0]),
        ("crs ft0.z, v0, v2", [OLD, OLD, 5.0, OLD]),
        ("dp3 ft0.w, v0, v1", [OLD, OLD, OLD, 1.0]),
        ("nrm ft0.x, v1", [1.0, OLD, OLD, OLD]),
    ] {
        let text = format!("// agal 2 fragment\nmov ft0, fc0\n{line}\nmov oc, ft0\n");
        assert_eq!(one(&text, &rows, &[[OLD; 4]]), expected, "{line}");
    }
}

#[test]
fn sources_are_read_before_the_destination_is_written() {
    let v = [[1.0, 2.0, 3.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [1.0, 0.0, 0.0, 0.0]];
    for (line, expected) in [
        ("mov ft0, ft0.zyxw", [3.0, 2.0, 1.0, 0.0]),
        ("m33 ft0.xyz, ft0.xyz, v1", [2.0, 3.0, 1.0, 0.0]),
        ("crs ft0.xyz, ft0.xyz, v1", [-3.0, 0.0, 1.0, 0.0]),
        ("crs ft0.xyz, v1.xyz, ft0.xyz", [3.0, 0.0, -1.0, 0.0]),
        ("sub ft0.xy, ft0.yx, ft0.xy", [1.0, -1.0, 3.0, 0.0]),
        ("dp3 ft0, ft0, ft0", [14.0; 4]),
    ] {
        let text = format!("// agal 2 fragment\nmov ft0, v0\n{line}\nmov oc, ft0\n");
        assert_eq!(one(&text, &v, &[]), expected, "{line}");
    }
    // A matrix product may overwrite the registers of its own matrix.
    let text = "// agal 2 fragment\nmov ft0, v1\nmov ft1, v2\nmov ft2, v3\nm33 ft0.xyz, v0, ft0\nmov oc, ft0\n";
    assert_eq!(one(text, &v, &[]), [2.0, 3.0, 1.0, 0.0]);
}

#[test]
fn unwritten_components_are_zero_and_reported_as_unwritten() {
    let outputs =
        run("// agal 2 fragment\nmov ft1.y, v0\nmov oc.yw, ft1.yxzx\nmov od.x, v0.x\n", &[[[2.0; 4]; 4]], &[]);
    let output = outputs.get(File::Output, 0).expect("oc");
    assert_eq!((output.values[0], output.written[0]), ([0.0; 4], Mask(0b1010)));
    assert_eq!(values(&outputs, File::Depth, 0)[0][0], 1.0, "depth is clamped to 0..1");
    assert!(outputs.get(File::Output, 1).is_none());
    // Missing inputs read as zero.
    assert_eq!(one("// agal 2 fragment\nadd oc, v3, fc9\n", &[], &[]), [0.0; 4]);
}

#[test]
fn a_vertex_program_writes_position_and_varyings() {
    let text = "// agal 3 vertex\nm44 op, va0, vc0\nmov v0, va1\nmov v2.xy, iid.x\n";
    let identity = [[2.0, 0.0, 0.0, 0.0], [0.0, 2.0, 0.0, 0.0], [0.0, 0.0, 2.0, 0.0], [0.0, 0.0, 0.0, 1.0]];
    let outputs = run(text, &[[[1.0, 2.0, 3.0, 1.0]; 4], [[0.5; 4]; 4]], &identity);
    assert_eq!(values(&outputs, File::Output, 0)[3], [2.0, 4.0, 6.0, 1.0]);
    assert_eq!(values(&outputs, File::Varying, 0)[0], [0.5; 4]);
    assert_eq!(values(&outputs, File::Varying, 2)[3], [3.0, 3.0, 0.0, 0.0]);
    assert_eq!(outputs.get(File::Varying, 2).expect("v2").written, [Mask(0b11); 4]);
}

#[test]
fn a_computed_index_is_rounded_offset_and_clamped_to_the_constants() {
    let constants: Vec<[f32; 4]> = (0..250).map(|n| [n as f32; 4]).collect();
    let read = |offset: u32, at: f32, options: Options| {
        let text = format!("// agal 2 vertex\nmov op, vc[va0.y+{offset}]\n");
        let registers = [[[0.0, at, 0.0, 0.0]; 4]];
        values(&run_with(&text, options, &registers, &constants), File::Output, 0)[0][0]
    };
    let plain = Options::default();
    let trunc = plain.truncate_index(true);
    let signed = plain.signed_offset(true);
    for (offset, at, options, expected) in [
        (3, 4.0, plain, 7.0),
        (0, 4.5, plain, 5.0),
        (0, 4.49, plain, 4.0),
        (0, 4.99, trunc, 4.0),
        (9, -4.5, plain, 5.0),
        (9, -4.5, trunc, 5.0),
        (9, -4.6, plain, 4.0),
        (9, -4.6, trunc, 5.0),
        (200, 40.0, plain, 240.0),
        (200, 100.0, plain, 249.0),
        (200, 100.0, signed, 44.0),
        (255, 0.0, signed, 0.0),
        (0, -3.0, plain, 0.0),
        (3, NAN, plain, 3.0),
        (0, INF, plain, 249.0),
        (0, -INF, plain, 0.0),
    ] {
        assert_eq!(read(offset, at, options), expected, "va0.y = {at}, offset {offset}, {options:?}");
    }
    // The index of each matrix row is clamped separately in each invocation.
    let text = "// agal 2 vertex\nm44 op, va1, vc[va0.x+1]\n";
    let index = [0.0, 1.0, 246.0, 250.0].map(|at| [at; 4]);
    let outputs = run(text, &[index, [[1.0, 0.0, 0.0, 0.0]; 4]], &constants);
    let expected = [[1.0, 2.0, 3.0, 4.0], [2.0, 3.0, 4.0, 5.0], [247.0, 248.0, 249.0, 249.0], [249.0; 4]];
    assert_eq!(values(&outputs, File::Output, 0), expected);
}

const FOUR: Quad = [[-1.0; 4], [0.0; 4], [1.0; 4], [NAN; 4]];

fn firsts(outputs: &Outputs) -> [f32; 4] {
    values(outputs, File::Output, 0).map(|lane| lane[0])
}

#[test]
fn each_invocation_takes_its_own_path_through_conditionals() {
    let strict = Options::default().strict_ifg(true);
    for (condition, options, expected) in [
        ("ife", Options::default(), [0.0, 1.0, 0.0, 0.0]),
        ("ine", Options::default(), [1.0, 0.0, 1.0, 1.0]),
        ("ifg", Options::default(), [0.0, 1.0, 1.0, 0.0]),
        ("ifg", strict, [0.0, 0.0, 1.0, 0.0]),
        ("ifl", Options::default(), [1.0, 0.0, 0.0, 0.0]),
    ] {
        let text =
            format!("// agal 2 fragment\n{condition} v0.x, fc0.x\nmov ft0, fc1\nels\nmov ft0, fc0\neif\nmov oc, ft0\n");
        let outputs = run_with(&text, options, &[FOUR], &[[0.0; 4], [1.0; 4]]);
        assert_eq!(firsts(&outputs), expected, "{condition}");
        let text =
            format!("// agal 2 fragment\nmov ft0, fc0\n{condition} v0.x, fc0.x\nmov ft0, fc1\neif\nmov oc, ft0\n");
        assert_eq!(firsts(&run_with(&text, options, &[FOUR], &[[0.0; 4], [1.0; 4]])), expected, "{condition}");
    }
}

#[test]
fn nested_conditionals_are_executed_only_where_the_outer_ones_are() {
    let text = "// agal 2 fragment\nmov ft0, fc0\nifl v0.x, fc1.x\n  ifl v0.x, fc0.x\n    add ft0, ft0, fc1\n  els\n    add ft0, ft0, fc2\n  eif\nels\n  ife v0.x, fc1.x\n    add ft0, ft0, fc3\n  eif\n  add ft0, ft0, fc1\neif\nmov oc, ft0\n";
    let constants = [[0.0; 4], [1.0; 4], [2.0; 4], [4.0; 4]];
    assert_eq!(firsts(&run(text, &[FOUR], &constants)), [1.0, 2.0, 5.0, 1.0]);
    // The inner condition is true in all invocations, whereas the outer condition is true only in the first invocation.
    let text = "// agal 2 fragment\nmov ft0, fc0\nifl v0.x, fc0.x\n  ifl fc0.x, fc1.x\n    mov ft0, fc1\n  els\n    mov ft0, fc2\n  eif\neif\nmov oc, ft0\n";
    assert_eq!(firsts(&run(text, &[FOUR], &constants)), [1.0, 0.0, 0.0, 0.0]);
}

#[test]
fn kil_discards_only_below_zero_and_discarded_invocations_keep_running() {
    let text = "// agal 2 fragment\nmov ft0, v0\nkil ft0.x\nddx ft1, ft0\nmov oc, ft1\n";
    let outputs = run(text, &[FOUR], &[]);
    assert_eq!(outputs.killed, [true, false, false, false]);
    assert_eq!(firsts(&outputs)[..2], [1.0, 1.0], "the discarded invocation still has a value");
    let minus_zero = run(text, &[[[-0.0; 4], [-1e-40; 4], [-INF; 4], [5.0; 4]]], &[]);
    assert_eq!(minus_zero.killed, [false, true, true, false]);
    // Only the invocations that execute the `kil` are discarded, and they stay discarded.
    let text = "// agal 2 fragment\nifl v0.x, fc0.x\nkil v0.y\neif\nmov oc, v0\n";
    let four = [[0.0, -1.0, 0.0, 0.0], [1.0, -1.0, 0.0, 0.0], [0.0; 4], [0.0, -2.0, 0.0, 0.0]];
    assert_eq!(run(text, &[four], &[[0.5; 4]]).killed, [true, false, false, true]);
}

#[test]
fn derivatives_are_differences_of_horizontal_and_vertical_neighbours() {
    let v0 = [[1.0, 10.0, 0.0, 0.0], [3.0, 10.0, 0.0, 0.0], [4.0, 15.0, 0.0, 0.0], [9.0, 20.0, 0.0, 0.0]];
    let outputs = run("// agal 2 fragment\nddx ft0, v0\nddy ft1, v0\nmov oc, ft0\nmov oc1, ft1\n", &[v0], &[]);
    let of = |number| values(&outputs, File::Output, number).map(|lane| [lane[0], lane[1]]);
    assert_eq!(of(0), [[2.0, 0.0], [2.0, 0.0], [5.0, 5.0], [5.0, 5.0]]);
    assert_eq!(of(1), [[3.0, 5.0], [6.0, 10.0], [3.0, 5.0], [6.0, 10.0]]);
}

#[test]
fn the_trace_reports_each_token_in_each_invocation() {
    let text =
        "// agal 2 fragment\nmov ft0, v0\nifl ft0.x, fc0.x\nadd ft0.y, ft0, fc1\nels\nkil fc2.x\neif\nmov oc, ft0\n";
    let machine = Machine::new(&program(text), Options::default()).expect("a machine");
    let textures = BTreeMap::<u32, Texture>::new();
    let constants = [[0.0; 4], [4.0; 4], [-1.0; 4]];
    let inputs = Inputs { registers: &[FOUR], constants: &constants, instance: [0; 4], environment: &textures };
    let mut traces: Vec<Trace> = Vec::new();
    machine.trace(&inputs, |trace| traces.push(*trace));
    assert_eq!(traces.iter().map(|trace| trace.token).collect::<Vec<_>>(), (1..8).collect::<Vec<_>>());
    let (first, others) = ([true, false, false, false], [false, true, true, true]);
    assert_eq!(traces[1].effect, Effect::Active(first));
    assert_eq!(traces[2].ran, first);
    let Effect::Wrote(File::Temporary, 0, Mask(2), after) = traces[2].effect else { panic!("{:?}", traces[2]) };
    assert_eq!(after[0], [-1.0, 3.0, -1.0, -1.0]);
    assert_eq!(after[1], [0.0; 4]);
    assert_eq!((traces[3].ran, traces[3].effect), (first, Effect::Active(others)));
    assert_eq!((traces[4].ran, traces[4].effect), (others, Effect::Killed(others)));
    assert_eq!((traces[5].ran, traces[5].effect), (others, Effect::Active([true; 4])));
    assert!(matches!(traces[6].effect, Effect::Wrote(File::Output, 0, Mask::ALL, _)));
}

#[test]
fn an_invalid_token_is_reported_with_its_number() {
    let token = |line: &str, stage| program(&format!("// agal 2 {stage}\n{line}\n")).tokens[0];
    let fragment = |line| token(line, Stage::Fragment);
    let opcode = |opcode| Token { opcode, ..Token::default() };
    let file = |number: u8| Token { destination: u32::from(number) << 24 | 0xf_0000, ..fragment("mov oc, v0") };
    for (stage, tokens, at, kind) in [
        (Stage::Fragment, vec![fragment("mov oc, v0"), opcode(0x22)], 2, ErrorKind::Opcode(0x22)),
        (Stage::Fragment, vec![opcode(u32::MAX)], 1, ErrorKind::Opcode(u32::MAX)),
        (Stage::Vertex, vec![fragment("kil fc0.x")], 1, ErrorKind::OtherStage(0x27)),
        (Stage::Fragment, vec![opcode(0x2e)], 1, ErrorKind::OtherStage(0x2e)),
        (Stage::Fragment, vec![fragment("mov oc, v99")], 1, ErrorKind::Source(4, 99)),
        (Stage::Fragment, vec![fragment("mov oc, oc1")], 1, ErrorKind::Source(3, 1)),
        (Stage::Fragment, vec![fragment("m44 oc, v0, v7")], 1, ErrorKind::Source(4, 7)),
        (Stage::Fragment, vec![file(1)], 1, ErrorKind::Destination(1, 0)),
        (Stage::Fragment, vec![file(15)], 1, ErrorKind::Destination(15, 0)),
        (Stage::Fragment, vec![token("mov op, vc[va0.x]", Stage::Vertex)], 1, ErrorKind::Index),
        (Stage::Fragment, vec![opcode(0x20)], 1, ErrorKind::Else),
        (Stage::Fragment, vec![opcode(0x21)], 1, ErrorKind::EndIf),
        (Stage::Fragment, vec![fragment("ife v0.x, v0.y"), opcode(0x20), opcode(0x20)], 3, ErrorKind::Else),
        (Stage::Fragment, vec![fragment("ife v0.x, v0.y"), opcode(0x20)], 1, ErrorKind::Unclosed),
        (Stage::Fragment, vec![fragment("ife v0.x, v0.y"); 99_999], NESTING + 1, ErrorKind::Nesting),
    ] {
        let program = Program { version: 2, stage, tokens, trailing: Vec::new() };
        let found = Machine::new(&program, Options::default()).map(|_| ());
        assert_eq!(found, Err(Error { token: at, kind }), "{:?}", program.tokens);
    }
}

#[test]
fn damaged_programs_are_run_or_refused_and_translatable_ones_are_run() {
    let allow = vec![3647, 3633, 3634, 3635, 3741, 3621, 3726, 3805];
    let rules = Rules::default().allow(allow).allow_ted(true);
    let lift = lift::Options::default().rules(rules);
    let textures = BTreeMap::<u32, Texture>::new();
    let (mut ran, mut refused, mut translated) = (0, 0, 0);
    for seed in 0..3000u64 {
        let mut random = Random(seed);
        let stage = if seed & 1 == 0 { Stage::Vertex } else { Stage::Fragment };
        let length = 1 + random.below(12);
        let mut program = programs::program(&mut random, 1 + (seed >> 1 & 3) as u32, stage, length);
        for _ in 0..random.below(4) {
            let at = random.below(program.tokens.len());
            let Some(token) = program.tokens.get_mut(at) else { continue };
            let bit = random.below(64);
            match random.below(6) {
                0 => token.opcode ^= 1 << random.below(8),
                1 => token.destination ^= 1 << (bit & 31),
                2 => token.sources[0] ^= 1 << bit,
                3 => token.sources[1] ^= 1 << bit,
                4 => token.sources = [random.next(), random.next()],
                _ => drop(program.tokens.remove(at)),
            }
        }
        let bytes: Vec<u8> = program.encode();
        let machine = Machine::new(&program, Options::default());
        if translate(&[&program], &lift).is_ok() {
            translated += 1;
            assert!(machine.is_ok(), "seed {seed}: {:?}\n{bytes:02x?}", machine.err());
        }
        let Ok(machine) = machine else {
            refused += 1;
            continue;
        };
        let number = |random: &mut Random| f32::from_bits(random.next() as u32);
        let registers: Vec<Quad> =
            (0..random.below(20)).map(|_| [[0; 4]; 4].map(|lane| lane.map(|_| number(&mut random)))).collect();
        let constants: Vec<[f32; 4]> = (0..random.below(250)).map(|_| [0; 4].map(|_| number(&mut random))).collect();
        let inputs = Inputs { registers: &registers, constants: &constants, instance: [9; 4], environment: &textures };
        machine.run(&inputs);
        ran += 1;
    }
    println!("{ran} damaged programs ran, {refused} were refused, {translated} can be translated");
    assert!(ran > 500 && refused > 500 && translated > 500);
}
