//! Runs every operation of the IR on every witness, except the operations of compute functions (`dispatches.rs`). Each operation
//! that computes a value is tested with all operand types and widths that it accepts, and with special and random values. Module
//! texts cover control flow, memory, neighbouring invocations and textures. `OP=add,loop` tests only the named operations.

use std::path::Path;

use conformance::operations;
use conformance::parallel::tabulate;
use conformance::probe::{Inputs, Probe};
use conformance::suite::{self, Subject, Turn};
use conformance::values;
use conformance::{Witness, table, table::Table};
use laws::compute::OPERATIONS;
use sdlbc::{FunctionKind, InputKind, Module, Op, Sampler};
use testing::testdata;

/// The number of random inputs, in addition to the special values.
const RANDOM: usize = 1000;
/// The number of invocations of the vertex function in a module text.
const POINTS: usize = 64;
const SIDE: u32 = 16;
/// The number of times that each module text is drawn, each time with different inputs.
const TIMES: u64 = 3;

struct Shown {
    op: Op,
    label: String,
    module: Module,
    kind: FunctionKind,
    /// The seed of the inputs for a module text, or `None` if the inputs are the special values.
    seed: Option<u64>,
}

fn ask(shown: &Shown, devices: &mut [Box<dyn Witness>], table: &mut Table) -> Result<(), String> {
    let module = &shown.module;
    let probe = match shown.seed {
        Some(seed) => suite::probe(module, shown.kind, seed, POINTS, SIDE),
        None if operations::has_neighbours(shown.op) => suite::probe(module, shown.kind, 1, POINTS, 2 * SIDE),
        None => {
            let resources = values::resources(u64::from(shown.op.number()), module);
            Probe::fragment(module, &Inputs::Points(operations::inputs(shown.op, RANDOM)), resources)
        }
    };
    let subject = Subject {
        row: (shown.op.number() as usize, format!("`{}`", shown.op)),
        label: format!("`{}`, {}", shown.op, shown.label),
        module,
        program: None,
        probe,
        single: true,
        devices: true,
    };
    let seed = shown.seed.unwrap_or(1);
    // Every device runs all sampler states for SAMPLE, and a third of the sampler states for each other sampling operation.
    let devices = match seed >= TIMES && shown.op != Op::Sample {
        true => suite::some_of(devices, Turn::Two, seed),
        false => suite::nearly_all(devices, seed),
    };
    suite::compare(&subject, devices, table)
}

/// Returns each entry function of a module text several times, each time with different inputs.
fn text(op: Op, path: &Path) -> Vec<Shown> {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let module = sdlbc::parse(&text).unwrap_or_else(|errors| panic!("{}: {errors:?}", path.display()));
    assert_eq!(sdlbc::verify(&module), Ok(()), "{}", path.display());
    let mut all = Vec::new();
    for kind in module.functions.iter().map(|function| function.kind) {
        if kind == FunctionKind::Generic {
            continue;
        }
        for (seed, sampler) in samplers(op).into_iter().enumerate() {
            let mut module = module.clone();
            for input in module.functions.iter_mut().flat_map(|function| &mut function.inputs) {
                if let (InputKind::Texture { sampler: own, .. }, Some(other)) = (&mut input.kind, sampler) {
                    *own = Sampler {
                        filter: other.filter,
                        mip: other.mip,
                        wrap_u: other.wrap_u,
                        wrap_v: other.wrap_v,
                        ..*own
                    };
                }
            }
            let label = format!("{}, {seed}", path.display());
            all.push(Shown { op, label, module, kind, seed: Some(seed as u64) });
        }
    }
    all
}

/// Returns the sampler for each run of a module text. `None` stands for the sampler that the text declares. A text of a sampling
/// operation also runs with all 24 sampler states.
fn samplers(op: Op) -> Vec<Option<Sampler>> {
    let mut all = vec![None; TIMES as usize];
    if matches!(
        op,
        Op::Sample
            | Op::SampleBias
            | Op::SampleLod
            | Op::SampleGrad
            | Op::SampleCompare
            | Op::SampleCompareZero
            | Op::Gather
            | Op::GatherCompare
            | Op::TextureOffset
    ) {
        for state in 0..24 {
            let [filter, mip] = [state % 2, state / 2 % 3];
            let [wrap_u, wrap_v] = [state / 6 % 2, state / 12];
            all.push(Some(Sampler { filter, mip, wrap_u, wrap_v, ..Sampler::default() }));
        }
    }
    all
}

/// Returns the operations that vertex and fragment functions can use.
fn drawn() -> impl Iterator<Item = Op> {
    Op::ALL.iter().copied().filter(|op| !OPERATIONS.contains(op))
}

/// Returns the module texts in testdata/ir/operations and testdata/conformance. A file name in testdata/conformance begins with
/// an operation's name and an underscore.
fn texts() -> Vec<Shown> {
    let testdata = testdata("");
    let mut all: Vec<Shown> =
        drawn().flat_map(|op| text(op, &testdata.join(format!("ir/operations/{op}.sdlasm")))).collect();
    let mut own = 0;
    for file in std::fs::read_dir(testdata.join("conformance")).expect("the folder") {
        let path = file.expect("a file").path();
        if path.extension().is_some_and(|extension| extension == "sdlasm") {
            let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
            let op = Op::from_mnemonic(name.split('_').next().unwrap_or_default());
            all.extend(text(op.unwrap_or_else(|| panic!("{name} does not begin with an operation's name")), &path));
            own += 1;
        }
    }
    assert!(own > 10, "only {own} texts in testdata/conformance");
    all
}

#[test]
fn every_operation_is_the_same_on_every_witness() {
    let only = std::env::var("OP").ok();
    let computed = drawn().flat_map(operations::shown);
    let fragment = FunctionKind::Fragment;
    let computed = computed.map(|shown| Shown {
        op: shown.op,
        label: shown.label,
        module: shown.module,
        kind: fragment,
        seed: None,
    });
    let mut all: Vec<Shown> = computed.chain(texts()).collect();
    if let Some(only) = only {
        let only: Vec<&str> = only.split(',').collect();
        all.retain(|shown| only.contains(&shown.op.mnemonic()));
        println!("{}", tabulate(&all, suite::MACHINE, ask).markdown("operation"));
        return;
    }
    println!("{} functions", all.len());
    let table = tabulate(&all, suite::MACHINE, ask);
    table::keep("operations", &table.markdown("operation"));
    assert_eq!(table.rows().count(), drawn().count(), "a row for each operation");
    for op in drawn() {
        let row = table.rows().find(|(number, ..)| *number == op.number() as usize);
        let (_, _, cells) = row.unwrap_or_else(|| panic!("`{op}` has no row"));
        let of_devices = cells.iter().filter(|(witness, _)| !witness.starts_with("interp"));
        assert!(of_devices.map(|(_, cell)| cell.tally.compared).max() > Some(0), "no device ran `{op}`");
    }
}
