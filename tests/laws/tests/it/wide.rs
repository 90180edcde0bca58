//! Checks that invocations do not affect each other. Random modules have the same results in 64 lanes as in a single vertex or in
//! a single quad of fragments. NOPs between all instructions do not change the results.
//!
//! A full run tests 150 modules, and `MODULES=...` tests more. `SEED=...` runs a single module.

use crate::meaning::loops;

use laws::{from_seed, spaced};
use sdlbc::compute::components;
use sdlbc::{Dimension, Function, FunctionKind, InputKind, Module, Op, OutputKind, Scalar, Type};
use sdlbc_interp::{Column, Error, LANES, Level, Mask, Observer, Program, Resources, Site, Texture};
use testing::{Effort, Random};

/// Returns a number, usually from a small range, so that lanes diverge and reconverge.
pub(crate) fn word(random: &mut Random, scalar: Scalar) -> u32 {
    match scalar {
        Scalar::Bool => random.below(2) as u32,
        Scalar::Int | Scalar::Uint if random.below(8) == 0 => random.next() as u32,
        Scalar::Int | Scalar::Uint => random.below(5) as u32,
        Scalar::Float | Scalar::Half => (random.below(33) as f32 / 8.0 - 2.0).to_bits(),
    }
}

fn texture(dimension: Dimension) -> Texture {
    let level = |size: u32| {
        let depth = match dimension {
            Dimension::D2 => 1,
            Dimension::D3 => size,
            Dimension::Cube => 6,
            Dimension::D2Array => 3,
            Dimension::CubeArray => 12,
        };
        let texels = (0..size * size * depth).map(|at| [at * 37, at * 91, at * 13, 255 - at].map(|c| c as u8));
        Level { width: size, height: size, depth, texels: texels.collect() }
    };
    Texture { dimension, levels: [4, 2, 1].map(level).into() }
}

pub(crate) fn resources(module: &Module, stage: FunctionKind, random: &mut Random) -> Resources {
    let mut resources = Resources::default();
    for input in module.functions.iter().flat_map(|function| &function.inputs) {
        match (input.kind, input.ty) {
            (InputKind::Uniform | InputKind::Placed { .. }, ty) => {
                let scalar = match ty {
                    Type::Vector(scalar, _) | Type::Array(scalar, ..) => scalar,
                    _ => Scalar::Float,
                };
                let words = (0..components(ty)).map(|_| word(random, scalar)).collect();
                resources.uniforms.insert((stage, input.name.clone()), words);
            }
            (InputKind::Texture { slot, .. }, Type::Texture(dimension, _)) => {
                resources.textures.insert((stage, slot), texture(dimension));
            }
            _ => {}
        }
    }
    resources
}

pub(crate) fn inputs(function: &Function, random: &mut Random) -> Vec<(InputKind, [Column; 4])> {
    let mut columns = |scalar| {
        let mut column = || -> Column { std::array::from_fn(|_| word(random, scalar)) };
        [column(), column(), column(), column()]
    };
    let vectors = function.inputs.iter().filter_map(|input| match input.ty {
        Type::Vector(scalar, _) => Some((input.kind, columns(scalar))),
        _ => None,
    });
    vectors.collect()
}

/// Replaces derivatives with zero, because a derivative depends on a neighbour's value, which is undefined in non-uniform control
/// flow.
struct Flat;

impl Observer for Flat {
    fn result(&mut self, site: &Site, _: Mask, _: &[Vec<Column>], columns: &mut [Column]) {
        if matches!(site.op, Op::Ddx | Op::Ddy) {
            columns.iter_mut().for_each(|column| column.fill(0));
        }
    }
}

#[track_caller]
fn undisturbed(make: fn(u64) -> Module) {
    let effort = Effort::of("MODULES", 150);
    let (mut compared, mut gone) = (0, 0);
    for seed in effort.seeds() {
        let module = make(seed);
        for (index, function) in module.functions.iter().enumerate() {
            if function.kind == FunctionKind::Generic {
                continue;
            }
            let mut random = Random(seed);
            let resources = resources(&module, function.kind, &mut random);
            let inputs = inputs(function, &mut random);
            let given = |kind: InputKind| inputs.iter().find(|input| input.0 == kind).map(|input| input.1);
            let program = Program::new(&module, index).unwrap_or_else(|error| panic!("SEED={seed}: {error}"));
            let run = |live: Mask| program.run(&resources, live, &given, Some(&mut Flat));
            let all = match run(Mask::MAX) {
                Ok(all) => all,
                Err(Error::Stuck) => panic!("SEED={seed}: a generated program does not terminate"),
                Err(error) => panic!("SEED={seed}: {error}"),
            };
            let spaced = Program::new(&spaced(&module), index).unwrap_or_else(|error| panic!("SEED={seed}: {error}"));
            let with_nops =
                spaced.run(&resources, Mask::MAX, &given, Some(&mut Flat)).expect("it terminates as without nops");
            assert_eq!(with_nops.live, all.live, "SEED={seed}: with nops");
            // The outputs of a discarded lane are undefined.
            for (at, lane) in (0..all.outputs.len()).flat_map(|at| (0..LANES).map(move |lane| (at, lane))) {
                let of = |outputs: &Vec<Vec<Column>>| outputs[at].iter().map(|column| column[lane]).collect::<Vec<_>>();
                let differs = of(&with_nops.outputs) != of(&all.outputs);
                assert!(all.live >> lane & 1 == 0 || !differs, "SEED={seed}: output {at} of lane {lane} with nops");
            }
            gone += (!all.live).count_ones();
            let group = if function.kind == FunctionKind::Fragment { 4 } else { 1 };
            for first in [0, 4, 20, 60] {
                let live = ((1 << group) - 1) << first;
                let some = run(live).unwrap_or_else(|error| panic!("SEED={seed}: {error}"));
                assert_eq!(some.live, all.live & live, "SEED={seed}: {} lane {first}", function.kind.name());
                for lane in (first..first + group).filter(|lane| some.live >> lane & 1 != 0) {
                    for (at, output) in function.outputs.iter().enumerate() {
                        assert!(output.kind != OutputKind::Returned);
                        let of = |outputs: &Vec<Vec<Column>>| -> Vec<u32> {
                            outputs[at].iter().map(|column| column[lane]).collect()
                        };
                        let (wide, narrow) = (of(&all.outputs), of(&some.outputs));
                        assert_eq!(wide, narrow, "SEED={seed}: output {at} of lane {lane}\n{}", sdlbc::print(&module));
                        compared += wide.len();
                    }
                }
            }
        }
    }
    println!("{compared} numbers compared, {gone} of the lanes discarded");
    assert!(compared as u64 >= effort.at_least(10_000), "only {compared} numbers were compared");
    assert_eq!(LANES, 64);
}

#[test]
fn invocations_do_not_affect_each_other() {
    undisturbed(from_seed);
}

#[test]
fn invocations_of_loops_do_not_affect_each_other() {
    undisturbed(loops::module);
}

#[test]
fn invocations_of_hostile_modules_do_not_affect_each_other() {
    undisturbed(|seed| laws::hostile_from_seed(seed, laws::Mood::Calm).module);
}
