//! Runs compute functions on every witness that supports them. The functions come from three sources: an IR text for each
//! operation, the shaders of testdata/sources/compute, and random modules whose vertex functions become compute functions.
//! `SEED=...` runs a single random module, and `MODULES=...` sets the number of random modules.

use std::collections::BTreeSet;
use std::path::Path;

use conformance::dispatch::{Dispatch, compare};
use conformance::parallel::tabulate_dispatches;
use conformance::table;
use sdlbc::front::SourceOptions;
use sdlbc::{Builtin, InputKind, Module};
use testing::{DXC, Effort, files, testdata};

/// The number of random modules in a full run.
const MODULES: u64 = 150;
/// The number of runs of each text and each shader. Each run has different inputs.
const TIMES: u64 = 4;

fn of_text(path: &Path) -> Module {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    if let Some(source) = laws::Source::of(path, &text) {
        let lifted = source.read(&SourceOptions::default());
        return lifted.unwrap_or_else(|refusals| panic!("{}: {}", path.display(), refusals[0])).module;
    }
    sdlbc::parse(&text).unwrap_or_else(|errors| panic!("{}: {errors:?}", path.display()))
}

/// Returns the slot of a storage texture if `images` is set, or of a storage buffer if `images` is not set.
fn slot(kind: &mut InputKind, images: bool) -> Option<&mut u32> {
    match kind {
        InputKind::Buffer { slot, .. } if !images => Some(slot),
        InputKind::Image { slot, .. } if images => Some(slot),
        _ => None,
    }
}

/// Renumbers the slots of storage buffers and storage textures from 0, because OpenGL supports few slots.
fn close(mut module: Module) -> Module {
    for images in [false, true] {
        let inputs = module.functions.iter_mut().flat_map(|function| &mut function.inputs);
        let slots: BTreeSet<u32> = inputs.filter_map(|input| slot(&mut input.kind, images).copied()).collect();
        for input in module.functions.iter_mut().flat_map(|function| &mut function.inputs) {
            if let Some(slot) = slot(&mut input.kind, images) {
                *slot = slots.range(..*slot).count() as u32;
            }
        }
    }
    module
}

/// Returns the number of invocations in the module's largest workgroup.
fn invocations(module: &Module) -> usize {
    module
        .functions
        .iter()
        .filter_map(|function| function.workgroup)
        .map(|size| size.iter().product::<u32>() as usize)
        .max()
        .unwrap_or(1)
}

fn reads(module: &Module, builtins: &[Builtin]) -> bool {
    let mut inputs = module.functions.iter().flat_map(|function| &function.inputs);
    inputs.any(|input| matches!(&input.kind, InputKind::Builtin(builtin) if builtins.contains(builtin)))
}

/// The texts whose HLSL DXC does not compile, because it writes an atomic instruction of SPIR-V whose value and result differ in type.
const ATOMICS_OF_DXC: [&str; 6] = ["atomiccompareexchange", "atomicmin", "extremes", "ledger", "tickets", "votes"];

#[test]
fn compute_functions_are_the_same_on_every_witness() {
    let mut all = Vec::new();
    // The names of the texts that read the number of workgroups, which HLSL does not provide.
    let mut counting = BTreeSet::new();
    let effort = Effort::of("MODULES", MODULES);
    if effort.only.is_none() {
        let texts = [
            ("ir/compute", ".sdlasm"),
            ("conformance/compute", ".sdlasm"),
            ("sources/compute", ".wgsl"),
            ("sources/compute", ".comp"),
        ];
        for (row, (folder, ending)) in texts.into_iter().enumerate() {
            let paths = files(&testdata(folder), ending);
            assert!(!paths.is_empty(), "{folder} is empty");
            for (path, seed) in paths.iter().flat_map(|path| (0..TIMES).map(move |seed| (path, seed))) {
                let name = path.file_stem().unwrap_or_default().to_string_lossy();
                let module = of_text(path);
                // A run with an even seed has one workgroup, and a run with an odd seed has two. If two concurrent invocations
                // write different values to one element, either value may remain, so every invocation must write to its own
                // elements. An invocation whose own element is past the end writes to the last element.
                let (workgroups, elements) = [([1, 1, 1], 128), ([2, 1, 1], 512)][(seed % 2) as usize];
                let elements = elements.max(invocations(&module));
                assert!(
                    workgroups == [1; 3] || reads(&module, &[Builtin::GlobalInvocationId, Builtin::WorkgroupId]),
                    "{name}: the workgroups write the same elements"
                );
                if reads(&module, &[Builtin::NumWorkgroups]) {
                    counting.insert(name.to_string());
                }
                all.push(Dispatch::new((row, &name), &module, seed, workgroups, elements));
            }
        }
    }
    let texts = all.len();
    for seed in effort.seeds() {
        if let Some(module) = laws::compute::as_compute(&laws::from_seed(seed), 64, 1 + (seed % 3) as u32) {
            all.push(Dispatch::new((3, "random modules"), &close(module), seed, [2, 1, 1], 128));
        }
    }
    assert!(effort.only.is_some() || all.len() - texts > effort.cases as usize / 2, "{} random modules", all.len());
    // DXC takes as long as all other devices together, so it compiles only one random module in three.
    let every = |number: usize| number < texts || number.is_multiple_of(3) || effort.only.is_some();
    let all: Vec<(bool, Dispatch)> = all.into_iter().enumerate().map(|(at, dispatch)| (every(at), dispatch)).collect();
    let table = tabulate_dispatches(&all, |(every, dispatch), devices, table| {
        let count = devices.len() - usize::from(!every && DXC.is_there());
        compare(dispatch, &mut devices[..count], table)
    });
    let markdown = table.markdown("compute functions");
    if effort.only.is_none() && effort.cases == MODULES {
        table::keep("dispatches", &markdown);
    } else {
        println!("{markdown}");
    }
    let mut unlike = Vec::new();
    for (_, row, cells) in table.rows() {
        for name in table.columns() {
            let ran = cells.get(name).is_some_and(|cell| cell.tally.compared > 0);
            let lacks = (counting.contains(row) || ATOMICS_OF_DXC.contains(&row)) && name.contains("HLSL");
            unlike.extend((ran == lacks).then(|| format!("{row} on {name}: it ran: {ran}")));
        }
    }
    assert!(unlike.is_empty(), "{}", unlike.join("\n"));
}
