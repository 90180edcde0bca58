//! Runs 600 random modules with fixed seeds, and the modules on which witnesses once disagreed (testdata/conformance/found).
//!
//! interp and one device run each random module, and the devices take turns. `ALL=1` runs every module on every device.
//! `MODULES=...` sets the number of modules, and `SEED=...` runs a single module.

use std::collections::BTreeSet;

use conformance::parallel::tabulate;
use conformance::suite::{self, Subject, Turn};
use conformance::{Witness, table, table::Table, values};
use sdlbc::{FunctionKind, InputKind, Module, Op, OutputKind};
use testing::{Effort, number, testdata};

/// The number of modules in a full run.
const MODULES: u64 = 600;
/// The number of invocations of a vertex function.
const POINTS: usize = 32;
/// The side, in pixels, of the square that a fragment function covers.
const SIDE: u32 = 8;

/// An entry function of a module, with the seed of its inputs.
pub(crate) struct Entry {
    pub(crate) module: Module,
    pub(crate) seed: u64,
    pub(crate) label: String,
    pub(crate) kind: FunctionKind,
    pub(crate) every: bool,
    /// Whether integer uniforms are small ([`values::limit_counts`]).
    small_counts: bool,
}

impl Entry {
    pub(crate) fn with_small_counts(self) -> Entry {
        Entry { small_counts: true, ..self }
    }
}

pub(crate) fn entries(module: &Module, seed: u64, label: &str, every: bool) -> Vec<Entry> {
    let kinds = module.functions.iter().map(|function| function.kind);
    let kinds = kinds.filter(|&kind| kind != FunctionKind::Generic);
    let entry =
        |kind| Entry { module: module.clone(), seed, label: label.to_string(), kind, every, small_counts: false };
    kinds.map(entry).collect()
}

/// Renumbers locations and slots consecutively without changing their order, because devices support fewer locations and slots
/// than the format allows.
fn close(mut module: Module) -> Module {
    for among in [false, true] {
        let functions = || module.functions.iter();
        let given = functions().flat_map(|function| function.inputs.iter().map(|input| input.kind));
        let given = given.filter_map(|kind| match kind {
            InputKind::Attribute { location } if !among => Some(location),
            InputKind::Varying { location, .. } if among => Some(location),
            _ => None,
        });
        let written = functions().flat_map(|function| function.outputs.iter().map(|output| output.kind));
        let written = written.filter_map(|kind| match kind {
            OutputKind::Varying { location, .. } if among => Some(location),
            _ => None,
        });
        let taken: BTreeSet<u32> = given.chain(written).collect();
        let place = |location: &mut u32| *location = taken.range(..*location).count() as u32;
        for function in &mut module.functions {
            for input in &mut function.inputs {
                match &mut input.kind {
                    InputKind::Attribute { location } if !among => place(location),
                    InputKind::Varying { location, .. } if among => place(location),
                    _ => {}
                }
            }
            for output in &mut function.outputs {
                match &mut output.kind {
                    OutputKind::Varying { location, .. } if among => place(location),
                    _ => {}
                }
            }
        }
    }
    // The slots of uniform buffers are also renumbered consecutively.
    let slots: BTreeSet<u32> = module
        .functions
        .iter()
        .flat_map(|function| &function.inputs)
        .filter_map(|input| if let InputKind::Placed { slot, .. } = input.kind { Some(slot) } else { None })
        .collect();
    for input in module.functions.iter_mut().flat_map(|function| &mut function.inputs) {
        if let InputKind::Placed { slot, .. } = &mut input.kind {
            *slot = slots.range(..*slot).count() as u32;
        }
    }
    // A device may store any value for a NaN depth, so NaN literals are replaced.
    for function in &mut module.functions {
        if function.outputs.iter().any(|output| output.kind == OutputKind::Depth) {
            let literals = function.body.insts_mut().iter_mut().filter(|inst| inst.op == Op::LiteralFloat);
            let words = literals.flat_map(|inst| &mut inst.immediates);
            words.filter(|word| f32::from_bits(**word).is_nan()).for_each(|word| *word = 0.5f32.to_bits());
        }
    }
    module
}

pub(crate) fn ask(entry: &Entry, devices: &mut [Box<dyn Witness>], table: &mut Table) -> Result<(), String> {
    let stage = if entry.kind == FunctionKind::Vertex { "vertex" } else { "fragment" };
    let mut resources = values::resources(entry.seed, &entry.module);
    if entry.small_counts {
        values::limit_counts(&mut resources, &entry.module);
    }
    let subject = Subject {
        row: (usize::from(entry.kind != FunctionKind::Vertex), stage.to_string()),
        label: format!("{}, {stage} function", entry.label),
        module: &entry.module,
        program: None,
        probe: suite::probe_with(&entry.module, entry.kind, entry.seed, POINTS, SIDE, resources),
        single: false,
        devices: true,
    };
    let devices =
        if entry.every { devices.iter_mut().collect() } else { suite::some_of(devices, Turn::One, entry.seed) };
    suite::compare(&subject, devices, table)
}

#[test]
fn random_modules_are_the_same_on_every_witness() {
    let effort = Effort::of("MODULES", MODULES);
    let seeds = effort.seeds();
    let modules = seeds.end - seeds.start;
    let every = number("ALL").is_some() || modules == 1;
    let one = |seed| entries(&close(laws::from_seed(seed)), seed, &format!("seed {seed}"), every);
    let all: Vec<Entry> = seeds.flat_map(one).collect();
    let functions = all.len();
    let table = tabulate(&all, suite::MACHINE, ask);
    let devices =
        if every { "every device" } else { "one device each, chosen in turn (with `ALL=1`, on every device)" };
    let said = format!(
        "The {functions} vertex and fragment functions of {modules} modules run on interp and on {devices}.\n\n{}",
        table.summary()
    );
    if modules == MODULES && !every {
        table::keep("modules", &said);
    } else {
        println!("{said}");
    }
}

/// Each file begins with a comment that explains which witness was wrong. The line `; seed N` states the seed of the inputs.
#[test]
fn modules_on_which_witnesses_once_disagreed_are_the_same_on_all() {
    let folder = testdata("conformance/found");
    let mut all = Vec::new();
    for file in std::fs::read_dir(&folder).expect("the folder") {
        let path = file.expect("a file").path();
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let module = sdlbc::parse(&text).unwrap_or_else(|errors| panic!("{}: {errors:?}", path.display()));
        assert_eq!(sdlbc::verify(&module), Ok(()), "{}", path.display());
        let seed = text.lines().find_map(|line| line.strip_prefix("; seed ")?.trim().parse().ok());
        let seed = seed.unwrap_or_else(|| panic!("{}: no line `; seed N`", path.display()));
        all.extend(entries(&module, seed, &path.display().to_string(), true));
    }
    assert!(!all.is_empty(), "{} is empty", folder.display());
    println!("{}", tabulate(&all, suite::MACHINE, ask).summary());
}
