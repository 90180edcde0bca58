//! Checks that linking preserves the results of a vertex and fragment pair. Each generated pair runs both unchanged and
//! without the varyings that the fragment function does not read.

use laws::{TARGETS, from_seed, outputs};
use sdlbc::{FunctionKind, InputKind, LinkError, Module, OutputKind, pack, prune};

use super::{execute, given::Given, same};
use testing::Effort;

/// Runs the function of a stage. Returns each output's kind and value.
fn run(module: &Module, kind: FunctionKind, seed: u64) -> Option<Vec<(OutputKind, sdlbc::compute::Value)>> {
    let index = module.functions.iter().position(|function| function.kind == kind).expect("a function");
    let given = Given::new(module, kind, seed);
    let values = execute::run(module, index, &given).expect("it terminates").0?;
    Some(module.functions[index].outputs.iter().map(|output| output.kind).zip(values).collect())
}

fn locations(module: &Module) -> [Vec<u32>; 2] {
    let of = |kind| module.functions.iter().filter(move |function| function.kind == kind);
    let given = of(FunctionKind::Vertex).flat_map(|function| &function.outputs);
    let taken = of(FunctionKind::Fragment).flat_map(|function| &function.inputs);
    let mut all = [
        given
            .filter_map(|output| match output.kind {
                OutputKind::Varying { location, .. } => Some(location),
                _ => None,
            })
            .collect::<Vec<_>>(),
        taken
            .filter_map(|input| match input.kind {
                InputKind::Varying { location, .. } => Some(location),
                _ => None,
            })
            .collect(),
    ];
    all.iter_mut().for_each(|locations| locations.sort_unstable());
    all
}

#[test]
fn a_linked_pair_computes_the_same() {
    let (mut pairs, mut gone, mut compared) = (0, 0, 0);
    let effort = Effort::of("MODULES", 800);
    for seed in effort.seeds() {
        let module = from_seed(seed);
        let mut linked = module.clone();
        let pruned = match prune(&mut linked) {
            Ok(pruned) => pruned,
            Err(error) => {
                assert_eq!(error, LinkError::NotAPair, "seed {seed}");
                assert_eq!(linked, module, "seed {seed}: it must not be changed");
                continue;
            }
        };
        pairs += 1;
        gone += pruned.outputs.len() + pruned.inputs.len();
        let shown = || format!("seed {seed}\n{}\n{}", sdlbc::print(&module), sdlbc::print(&linked));
        assert_eq!(sdlbc::verify(&linked), Ok(()), "{}", shown());
        let [given, taken] = locations(&linked);
        assert!(given.iter().all(|location| taken.contains(location)), "{}", shown());
        let mut again = linked.clone();
        assert_eq!(prune(&mut again), Ok(Default::default()), "{}", shown());
        assert_eq!(again, linked, "{}", shown());
        for kind in [FunctionKind::Vertex, FunctionKind::Fragment] {
            for input in 0..3 {
                let (before, after) = (run(&module, kind, input), run(&linked, kind, input));
                assert_eq!(before.is_some(), after.is_some(), "{}", shown());
                let (Some(before), Some(after)) = (before, after) else { continue };
                for (output, value) in after {
                    let (_, wanted) = before.iter().find(|(other, _)| *other == output).expect("it was there");
                    assert!(same(wanted.ty, &wanted.words, &value.words), "{output:?} {}", shown());
                    compared += 1;
                }
            }
        }
        let mut packed = linked.clone();
        let places = pack(&mut packed).expect("a pair");
        assert_eq!(sdlbc::verify(&packed), Ok(()), "{}", shown());
        assert!(places.values().copied().eq(0..places.len() as u32), "{}", shown());
        let [given, taken] = locations(&packed);
        let all: std::collections::BTreeSet<u32> = given.into_iter().chain(taken).collect();
        assert!(all.into_iter().eq(0..places.len() as u32), "{}", shown());
        if seed % 10 == 0 {
            for target in TARGETS {
                let (one, other) = [&module, &packed].map(|module| outputs(module, target, &Default::default())).into();
                assert!(one.is_err() || other.is_ok(), "{target}: {other:?} {}", shown());
            }
        }
    }
    let enough =
        [(pairs, 100), (gone, 100), (compared, 1000)].map(|(found, full)| found as u64 >= effort.at_least(full));
    assert!(enough == [true; 3], "{pairs} pairs, {gone} varyings gone, {compared} compared");
}
