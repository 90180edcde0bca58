//! Tests that shortened AGAL programs, and modules translated to AGAL, keep their results.
//!
//! The AGAL machine runs random programs and the programs of testdata and the corpus, before and after shortening. The
//! interpreter runs random modules and modules with each operation, and the AGAL machine runs the translations of these modules.
//! `OPTIMISED=`, `AROUND=` and `MODULES_TO_AGAL=` set the number of cases, and `SEED=` runs a single case. `SHOW=1` lists the
//! sizes of each program.

use std::path::{Path, PathBuf};

use agal_back::{ConstantSource, Refusal, Size, Translated};
use agal_front::assemble::assemble;
use agal_front::check::check;
use agal_front::register::File;
use agal_front::{Program, Rules, Stage};
use agal_machine::{Environment, Inputs, Lookup, Machine, Options, Quad};
use laws::back::{around, optimised};
use laws::programs;
use sdlbc::{Builtin, FunctionKind, InputKind, Module, OutputKind, Scalar, Type, Verified};
use sdlbc_interp::{Column, LANES};
use testing::{Effort, Random};

use crate::wide;

/// Reads an AGAL program from a file. Returns `None` if the program is not valid.
fn program(path: &Path) -> Option<Program> {
    let bytes = std::fs::read(path).expect("a file");
    let program = match bytes.first() {
        Some(0xa0) => Program::decode(&bytes).ok()?.0,
        _ => {
            let name = path.to_string_lossy();
            let stage = match () {
                _ if name.contains(".vert") || name.contains("vertex") => Some(Stage::Vertex),
                _ if name.contains(".frag") || name.contains("fragment") => Some(Stage::Fragment),
                _ => None,
            };
            let options = agal_front::assemble::AssembleOptions::default().stage(stage);
            assemble(&String::from_utf8_lossy(&bytes), &options).ok()?.program
        }
    };
    let is_right = !check(&[&program], &Rules::default()).concat().iter().any(|finding| finding.is_error());
    is_right.then_some(program)
}

fn sums(name: &str, paths: &[PathBuf]) {
    let programs: Vec<(String, Program)> =
        paths.iter().filter_map(|path| Some((path.display().to_string(), program(path)?))).collect();
    let all = programs.len();
    let programs = Effort::part_of("OPTIMISED", &programs);
    let sizes: Vec<[Size; 2]> = testing::on_two_threads(&programs, |(_, program)| optimised(program, &mut Random(1)));
    let mut sum = [Size::default(); 2];
    for ([before, after], (path, _)) in sizes.iter().zip(programs.iter().copied()) {
        if std::env::var_os("SHOW").is_some() {
            testing::say(&format!("{before:?} {after:?} {path}"));
        }
        for (sum, size) in sum.iter_mut().zip([before, after]) {
            sum.tokens += size.tokens;
            sum.temporaries += size.temporaries;
        }
    }
    let [before, after] = sum;
    testing::say(&format!(
        "{name}: {} programs, {} tokens to {}, {} temporaries to {}",
        programs.len(),
        before.tokens,
        after.tokens,
        before.temporaries,
        after.temporaries
    ));
    assert!(after.tokens <= before.tokens && !programs.is_empty());
    // Over many programs, optimisation must save at least 6% of the tokens.
    if programs.len() == all && all > 50 {
        assert!(100 * after.tokens <= 94 * before.tokens, "{name}: less is saved than was");
    }
}

#[test]
fn the_programs_of_testdata_get_shorter_and_compute_the_same() {
    for folder in ["pairs", "scenes", "agal/text", "agal/lift", "agal/disassembled"] {
        sums(folder, &testing::files_below(&testing::testdata(folder), ".agal"));
    }
}

#[test]
fn the_programs_of_other_people_get_shorter_and_compute_the_same() {
    let corpus = testing::corpus();
    if !corpus.is_empty() {
        sums("corpus", &corpus);
    }
}

fn around_all(name: &str, paths: &[PathBuf], passes: bool) {
    // The paths are sorted by file size, so that a quick run tries programs of all sizes.
    let mut paths = paths.to_vec();
    paths.sort_by_key(|path| std::fs::metadata(path).map_or(0, |data| data.len()));
    let (mut sum, mut refused) = ([0; 2], 0);
    for path in Effort::part_of("AROUND", &paths) {
        let Some(program) = program(path) else { continue };
        let back = std::panic::catch_unwind(|| around(&program, passes, &mut Random(1)));
        match back.unwrap_or_else(|_| panic!("{}", path.display())) {
            Ok(sizes) => (0..2).for_each(|at| sum[at] += sizes[at].tokens),
            Err(refusal) => {
                refused += 1;
                testing::say(&format!("{}: {refusal}", path.display()));
            }
        }
    }
    testing::say(&format!("{name}, passes {passes}: {} tokens to {}, {refused} refused", sum[0], sum[1]));
}

#[test]
fn the_programs_of_testdata_come_back_from_modules() {
    for folder in ["pairs", "scenes", "agal/lift"] {
        for passes in [false, true] {
            around_all(folder, &testing::files_below(&testing::testdata(folder), ".agal"), passes);
        }
    }
    let corpus = testing::corpus();
    around_all("corpus", &corpus, false);
    around_all("corpus", &corpus, true);
}

#[test]
fn random_programs_come_back_from_modules() {
    let (mut sum, mut refused) = ([0; 2], std::collections::BTreeMap::new());
    for seed in Effort::of("AROUND", 1_000).seeds() {
        let stage = if seed & 1 == 0 { Stage::Vertex } else { Stage::Fragment };
        let mut random = Random(seed);
        let length = programs::some_length(&mut random);
        let program = programs::program(&mut random, 1 + (seed >> 1 & 3) as u32, stage, length);
        for passes in [false, true] {
            let back = std::panic::catch_unwind(|| around(&program, passes, &mut Random(seed)));
            match back.unwrap_or_else(|_| panic!("SEED={seed:#x} passes {passes}")) {
                Ok(sizes) => (0..2).for_each(|at| sum[at] += sizes[at].tokens),
                Err(refusal) => *refused.entry(refusal.to_string()).or_insert(0) += 1,
            }
        }
    }
    testing::say(&format!("random: {} tokens to {}; refused: {refused:?}", sum[0], sum[1]));
}

#[test]
fn random_programs_get_shorter_and_compute_the_same() {
    let mut sum = [0; 2];
    for seed in Effort::of("OPTIMISED", 2_000).seeds() {
        let stage = if seed & 1 == 0 { Stage::Vertex } else { Stage::Fragment };
        let mut random = Random(seed);
        let length = programs::some_length(&mut random);
        let program = programs::program(&mut random, 1 + (seed >> 1 & 3) as u32, stage, length);
        let sizes = std::panic::catch_unwind(|| optimised(&program, &mut Random(seed)));
        let [before, after] = sizes.unwrap_or_else(|_| panic!("SEED={seed:#x}"));
        sum[0] += before.tokens;
        sum[1] += after.tokens;
    }
    testing::say(&format!("random: {} tokens to {}", sum[0], sum[1]));
    assert!(sum[1] < sum[0]);
}

fn constant(source: &ConstantSource, module: &Module, function: usize, resources: &sdlbc_interp::Resources) -> f32 {
    match source {
        ConstantSource::Literal(word) => f32::from_bits(*word),
        ConstantSource::Uniform { name, element, is_row, component, as_float } => {
            let function = &module.functions[function];
            let words = &resources.uniforms[&(function.kind, name.clone())];
            // The uniform may belong to a function that the entry function calls.
            let all = module.functions.iter().flat_map(|function| &function.inputs);
            let ty = function.inputs.iter().chain(all).find(|input| input.name == *name).expect("the uniform").ty;
            let (element, component) = (*element as usize, usize::from(*component));
            let at = match ty {
                Type::Matrix { rows, .. } if *is_row => component * usize::from(rows) + element,
                Type::Matrix { rows: width, .. } | Type::Array(_, width, _) => element * usize::from(width) + component,
                _ => component,
            };
            let scalar = if let Type::Vector(scalar, _) = ty { scalar } else { Scalar::Float };
            match scalar {
                _ if !as_float => f32::from_bits(words[at]),
                Scalar::Int => words[at].cast_signed() as f32,
                _ => words[at] as f32,
            }
        }
    }
}

/// Supplies textures that each have a single colour.
struct Flat;

impl Flat {
    fn bytes(slot: u32) -> [u8; 4] {
        [(40, 17), (226, 250), (11, 90), (236, 255)].map(|(by, at)| slot.wrapping_mul(by).wrapping_add(at) as u8)
    }
}

impl Environment for Flat {
    fn texels(&self, lookup: &Lookup) -> Quad {
        [Flat::bytes(lookup.sampler.number.into()).map(|byte| f32::from(byte) / 255.0); 4]
    }
}

/// Runs a function on the interpreter and its translation on the AGAL machine. Returns how many finite results are equal, and how
/// many are only close.
fn compared(
    module: &Module,
    function: usize,
    translated: &Translated,
    random: &mut Random,
) -> Result<[u32; 2], String> {
    let of = &module.functions[function];
    let mut resources = wide::resources(module, of.kind, random);
    for (&(_, slot), texture) in &mut resources.textures {
        // All texels of a texture are the same, so that filters have no effect.
        let texel = Flat::bytes(slot);
        for level in &mut texture.levels {
            level.texels.fill(texel);
        }
    }
    // AGAL represents int uniforms as floats, so their values must be small.
    for input in module.functions.iter().flat_map(|function| &function.inputs).filter(|input| input.kind.is_uniform()) {
        let small = |word: &mut u32| match input.ty {
            Type::Vector(Scalar::Int, _) => *word = (word.cast_signed() % 1000).cast_unsigned(),
            Type::Vector(Scalar::Uint, _) => *word %= 1000,
            _ => {}
        };
        resources.uniforms.entry((of.kind, input.name.clone())).or_default().iter_mut().for_each(small);
    }
    let inputs: Vec<(InputKind, [Column; 4])> = wide::inputs(of, random)
        .into_iter()
        .map(|(kind, columns)| match kind {
            InputKind::Builtin(_) => (kind, columns.map(|column| column.map(|word| word & 7))),
            kind => (kind, columns),
        })
        .collect();
    let given = |kind: InputKind| inputs.iter().find(|input| input.0 == kind).map(|input| input.1);
    let program = sdlbc_interp::Program::new(module, function).map_err(|error| error.to_string())?;
    let ran = program.run(&resources, u64::MAX, &given, None).map_err(|error| error.to_string())?;
    let mut constants = vec![[0.0; 4]; 256];
    for register in &translated.constants {
        for (cell, source) in constants[register.number as usize].iter_mut().zip(&register.components) {
            *cell = source.as_ref().map_or(0.0, |source| constant(source, module, function, &resources));
        }
    }
    let machine = Machine::new(&translated.program, Options::default()).map_err(|error| error.to_string())?;
    let mut counts = [0; 2];
    for first in (0..LANES).step_by(4) {
        let column = |kind: InputKind, component: usize, lane: usize| {
            given(kind).map_or(0, |columns| columns[component][first + lane])
        };
        let registers: Vec<Quad> = (0..16)
            .map(|number| {
                let is = |kind: &InputKind| match kind {
                    InputKind::Attribute { location } | InputKind::Varying { location, .. } => *location == number,
                    _ => false,
                };
                let kind = inputs.iter().map(|input| input.0).find(is);
                let value = |component, lane| kind.map_or(0.0, |kind| f32::from_bits(column(kind, component, lane)));
                std::array::from_fn(|lane| std::array::from_fn(|component| value(component, lane)))
            })
            .collect();
        let instance = std::array::from_fn(|lane| column(InputKind::Builtin(Builtin::InstanceIndex), 0, lane));
        let outputs =
            machine.run(&Inputs { registers: &registers, constants: &constants, instance, environment: &Flat });
        for lane in 0..4 {
            let is_live = ran.live >> (first + lane) & 1 != 0;
            if is_live == outputs.killed[lane] {
                return Err(format!("lane {}: one is discarded", first + lane));
            }
            for (output, columns) in of.outputs.iter().zip(&ran.outputs).filter(|_| is_live) {
                let (file, number) = match output.kind {
                    OutputKind::Position => (File::Output, 0),
                    OutputKind::Varying { location, .. } => (File::Varying, location),
                    OutputKind::Colour { target } => (File::Output, target),
                    _ => (File::Depth, 0),
                };
                let Some(found) = outputs.get(file, number) else { continue };
                for (component, column) in columns.iter().enumerate() {
                    let (mut wanted, found) = (f32::from_bits(column[first + lane]), found.values[lane][component]);
                    if file == File::Depth {
                        // Writing a depth clamps it to the range from 0 to 1.
                        wanted = wanted.clamp(0.0, 1.0);
                    }
                    if !wanted.is_finite() || !found.is_finite() {
                        continue;
                    }
                    let near = (wanted - found).abs() <= 1e-3 * wanted.abs().max(1.0);
                    if !near {
                        return Err(format!(
                            "lane {}: {}.{component} is {found:?} and not {wanted:?}",
                            first + lane,
                            output.name
                        ));
                    }
                    // The translation may replace a branch with arithmetic, which may change the sign of a zero. The comparison
                    // of floats ignores the signs of zeroes.
                    counts[usize::from(wanted != found)] += 1;
                }
            }
        }
    }
    Ok(counts)
}

/// Translates each entry function of a module to AGAL and compares the results. Returns the counts of equal and of close values,
/// and the refusals.
fn to_agal(mut module: Module, name: &str, random: &mut Random) -> ([u32; 2], Vec<Refusal>) {
    let (mut counts, mut refused) = ([0; 2], Vec::new());
    // Each uniform gets its own name, because the interpreter finds uniforms by name.
    let mut number = 0;
    for input in module.functions.iter_mut().flat_map(|function| &mut function.inputs) {
        number += 1;
        // Uniforms at the same place in a uniform buffer share a name.
        input.name = match input.kind {
            InputKind::Placed { slot, offset } => format!("{} {slot} {offset}", input.name),
            _ => format!("{}_{number}", input.name),
        };
    }
    let verified = Verified::new(module).unwrap_or_else(|violations| panic!("{name}: {violations:?}"));
    for (at, function) in verified.functions.iter().enumerate() {
        if function.kind == FunctionKind::Generic {
            continue;
        }
        for version in [None, Some(3)] {
            match agal_back::translate(&verified, at, &agal_back::Options::default().version(version)) {
                Ok(translated) => {
                    let found = compared(&verified, at, &translated, random).unwrap_or_else(|error| {
                        let text = agal_front::disassemble::disassemble(&translated.program);
                        panic!("{name}: {error}\n{}\n{text}\n{:?}", sdlbc::print(&verified), translated.constants)
                    });
                    (0..2).for_each(|at| counts[at] += found[at]);
                }
                Err(refusals) => {
                    assert!(!refusals.is_empty() && refusals.iter().all(|refusal| !refusal.to_string().contains('\n')));
                    refused.extend(refusals);
                }
            }
        }
    }
    (counts, refused)
}

#[test]
fn each_operation_is_computed_or_refused_by_name() {
    let (mut sum, mut refused) = ([0; 2], Vec::new());
    let folders = ["ir/operations", "back"].map(testing::testdata);
    for path in folders.iter().flat_map(|folder| testing::files(folder, ".sdlasm")) {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let module = sdlbc::parse(&std::fs::read_to_string(&path).expect("a file")).expect("a module");
        // AGAL's `pow` uses the absolute value of its base, so the results differ from the module's results.
        if name == "pow" {
            continue;
        }
        let (counts, refusals) = to_agal(module, &name, &mut Random(3));
        (0..2).for_each(|at| sum[at] += counts[at]);
        match refusals.first() {
            Some(refusal) => refused.push(format!("{name}: {refusal}\n")),
            None if counts == [0; 2] => refused.push(format!("{name}: not compared\n")),
            None => {}
        }
    }
    testing::say(&format!("{} numbers are equal, {} are near", sum[0], sum[1]));
    assert!(sum[0] > 20 * sum[1], "{sum:?}");
    testing::expect("testdata/back/operations.txt", &refused.concat()).unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn filters_in_wgsl_become_agal_that_computes_the_same() {
    let (mut sum, mut tokens) = ([0; 2], 0);
    let paths = testing::files(&testing::testdata("sources/filters"), ".wgsl");
    for path in &paths {
        let text = std::fs::read_to_string(path).expect("a text");
        let name = path.display().to_string();
        let lifted = naga_front::read(&text, &naga_front::Options::default());
        let module = lifted.unwrap_or_else(|refusals| panic!("{name}: {}", refusals[0])).module;
        let before: u32 = sum.iter().sum();
        for seed in 0..8 {
            let (counts, refusals) = to_agal(module.clone(), &name, &mut Random(seed));
            assert!(refusals.is_empty(), "{name}: {}", refusals[0]);
            (0..2).for_each(|at| sum[at] += counts[at]);
        }
        assert!(sum.iter().sum::<u32>() > before, "{name} is not compared");
        let verified = Verified::new(module).expect("it verifies");
        let at = verified.functions.iter().position(|function| function.kind == FunctionKind::Fragment).expect("one");
        let translated = agal_back::translate(&verified, at, &agal_back::Options::default()).expect("a program");
        assert!(translated.program.version <= 2, "{name} needs AGAL {}", translated.program.version);
        tokens += translated.program.tokens.len();
    }
    testing::say(&format!(
        "{} filters, {tokens} tokens: {} numbers are equal, {} are near",
        paths.len(),
        sum[0],
        sum[1]
    ));
    assert!(paths.len() >= 25);
}

#[test]
fn random_modules_are_computed_or_refused() {
    let (mut sum, mut refused) = ([0; 2], 0);
    for seed in Effort::of("MODULES_TO_AGAL", 1_000).seeds() {
        let (counts, refusals) = to_agal(laws::from_seed(seed), &format!("SEED={seed:#x}"), &mut Random(seed));
        (0..2).for_each(|at| sum[at] += counts[at]);
        refused += refusals.len();
    }
    testing::say(&format!("{} numbers are equal, {} are near, {refused} refusals", sum[0], sum[1]));
}

#[test]
fn plain_modules_are_computed_and_few_are_refused() {
    let (mut sum, mut translated, mut refused) = ([0; 2], 0, std::collections::BTreeMap::new());
    let effort = Effort::of("MODULES_TO_AGAL", 2_000);
    let seeds: Vec<u64> = effort.seeds().collect();
    let results = testing::on_two_threads(&seeds, |&seed| {
        to_agal(laws::plain_from_seed(seed), &format!("SEED={seed:#x}"), &mut Random(seed))
    });
    for (counts, refusals) in results {
        (0..2).for_each(|at| sum[at] += counts[at]);
        translated += u64::from(refusals.is_empty());
        refusals.iter().for_each(|refusal| *refused.entry(refusal.to_string()).or_insert(0) += 1);
    }
    testing::say(&format!(
        "{translated} of {} are translated; {} numbers are equal, {} are near; refused: {refused:?}",
        seeds.len(),
        sum[0],
        sum[1]
    ));
    assert!(100 * translated >= 95 * effort.at_least(2_000), "only {translated} modules are translated: {refused:?}");
    assert_eq!(sum[1], 0, "operations that are exact are only near");
    assert!(u64::from(sum[0]) >= effort.at_least(200_000), "only {} numbers are compared", sum[0]);
}

#[test]
fn the_saved_inputs_of_fuzzing_hold() {
    for path in testing::files(&testing::testdata("fuzz/back"), ".agalbc") {
        laws::back::back(&std::fs::read(path).expect("a file"));
    }
}
