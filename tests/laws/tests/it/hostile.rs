//! Checks that most generated hostile modules are valid, that all of them obey every law, and that terminating modules run to
//! completion. Modules at each limit are accepted, and modules above a limit are rejected.
//!
//! In a full run, 20 modules go through all laws, and `MODULES=20000` tests many more. A failure prints its seed, and `SEED=...`
//! runs a single module.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use laws::{Mood, boundaries, hostile_from_bytes, hostile_from_seed, hostile_of};
use sdlbc::compute::components;
use sdlbc::{Dialect, Dimension, FunctionKind, InputKind, Module, Op, Type, encode_readable, print, verify};
use sdlbc_interp::{Column, LANES, Level, Mask, Program, Resources, Texture};
use testing::{Effort, Random, caught, on_two_threads, say};

/// The time limit for one module, in a debug build on a busy machine.
const LONGEST: Duration = Duration::from_secs(30);

/// Runs `work` for each seed. If some runs fail, this function fails with the beginning of each message and a longer part of the
/// first message.
#[track_caller]
fn hold(effort: Effort, work: impl Fn(u64) + Sync) {
    let seeds: Vec<u64> = effort.seeds().collect();
    let failures = on_two_threads(&seeds, |&seed| {
        let start = Instant::now();
        let failed = caught(|| work(seed)).err();
        let slow = || (start.elapsed() > LONGEST).then(|| format!("it took {:?}", start.elapsed()));
        failed.or_else(slow).map(|what| (seed, what))
    });
    let failures: Vec<(u64, String)> = failures.into_iter().flatten().collect();
    // The beginning of the message contains the location of the failure in our code.
    let short = |what: &str| what.chars().filter(|c| !c.is_control()).take(260).collect::<String>();
    let lines: Vec<String> =
        failures.iter().take(40).map(|(seed, what)| format!("SEED={seed}: {}", short(what))).collect();
    let first: String = failures.first().map_or("", |(_, what)| what).chars().take(20_000).collect();
    assert!(failures.is_empty(), "{} of {}\n{}\n{first}", failures.len(), seeds.len(), lines.join("\n"));
}

#[test]
fn most_generated_modules_verify_and_every_operation_occurs() {
    let (mut verified, mut ended, mut broken) = (0, 0, BTreeMap::<String, (u64, u64)>::new());
    let mut operations = BTreeMap::<Op, u64>::new();
    let count = Effort::of("MODULES", 300).cases.max(200);
    for seed in 0..count {
        let made = hostile_from_seed(seed, Mood::Wild);
        match verify(&made.module) {
            Ok(()) => verified += 1,
            Err(violations) => {
                for violation in violations {
                    let kind = broken.entry(format!("{:?}", violation.rule)).or_insert((0, seed));
                    kind.0 += 1;
                }
            }
        }
        ended += u64::from(made.steps.is_some());
        for inst in made.module.functions.iter().flat_map(|function| function.body.insts()) {
            *operations.entry(inst.op).or_default() += 1;
        }
    }
    say(&format!(
        "{verified} of {count} verify, {ended} terminate; broken rules, with count and first seed: {broken:?}"
    ));
    assert!(verified * 10 >= count * 9, "only {verified} of {count} verify");
    assert!(ended * 2 > count, "only {ended} of {count} are known to terminate");
    // The generator makes no compute functions, because `compute.rs` derives compute functions from vertex functions.
    let wanted = Op::ALL.iter().filter(|op| !laws::compute::OPERATIONS.contains(op));
    let missing: Vec<&Op> = wanted.filter(|op| !operations.contains_key(op)).collect();
    assert!(missing.is_empty(), "no module has {missing:?}");
}

#[test]
fn hostile_modules_keep_every_law() {
    hold(Effort::of("MODULES", 20), |seed| {
        hostile_of(&hostile_from_seed(seed, if seed % 4 == 0 { Mood::Calm } else { Mood::Wild }).module)
    });
}

#[test]
fn bytes_that_run_out_still_make_a_module() {
    hold(Effort::of("MODULES", 20), |seed| {
        let mut random = Random(seed);
        let length = random.below(200);
        let bytes: Vec<u8> = (0..length).map(|_| random.below(256) as u8).collect();
        hostile_of(&hostile_from_bytes(&bytes).module);
    });
}

fn texture(dimension: Dimension) -> Texture {
    let depth = match dimension {
        Dimension::D2 => 1,
        Dimension::D3 => 2,
        Dimension::Cube => 6,
        Dimension::D2Array => 3,
        Dimension::CubeArray => 12,
    };
    let texels = (0..4 * depth).map(|at| [at, 255 - at, at * 7, 9].map(|c| c as u8)).collect();
    Texture { dimension, levels: vec![Level { width: 2, height: 2, depth, texels }] }
}

/// Runs every entry function of a terminating module on all lanes, with small, large, infinite and NaN inputs.
fn run(module: &Module, seed: u64) {
    let mut random = Random(seed);
    let mut word = move || match random.below(4) {
        0 => random.next() as u32,
        1 => [0x7f80_0000, 0x7fc0_0000, 1, 0x8000_0000, u32::MAX][random.below(5)],
        2 => random.below(9) as u32,
        _ => (random.below(64) as f32 / 8.0 - 4.0).to_bits(),
    };
    for (index, function) in module.functions.iter().enumerate() {
        if function.kind == FunctionKind::Generic {
            continue;
        }
        let mut resources = Resources::default();
        for input in module.functions.iter().flat_map(|function| &function.inputs) {
            match (input.kind, input.ty) {
                (InputKind::Uniform | InputKind::Placed { .. }, ty) => {
                    let words = (0..components(ty)).map(|_| word()).collect();
                    resources.uniforms.insert((function.kind, input.name.clone()), words);
                }
                (InputKind::Texture { slot, .. }, Type::Texture(dimension, _)) => {
                    resources.textures.insert((function.kind, slot), texture(dimension));
                }
                _ => {}
            }
        }
        let given: Vec<(InputKind, [Column; 4])> = function
            .inputs
            .iter()
            .map(|input| (input.kind, std::array::from_fn(|_| std::array::from_fn(|_| word()))))
            .collect();
        let inputs = |kind: InputKind| given.iter().find(|input| input.0 == kind).map(|input| input.1);
        let program = Program::new(module, index).unwrap_or_else(|error| panic!("{error}\n{}", print(module)));
        let ran = program.run(&resources, Mask::MAX, &inputs, None);
        let ran = ran.unwrap_or_else(|error| panic!("{error}\n{}", print(module)));
        assert_eq!(ran.outputs.len(), function.outputs.len());
        assert!(ran.outputs.iter().flatten().all(|column| column.len() == LANES));
    }
}

#[test]
fn hostile_modules_that_terminate_are_run_to_their_end() {
    let ran = std::sync::atomic::AtomicU64::new(0);
    let effort = Effort::of("MODULES", 120);
    hold(effort, |seed| {
        let made = hostile_from_seed(seed, Mood::Wild);
        if made.steps.is_some_and(|steps| steps < 100_000) && verify(&made.module).is_ok() {
            run(&made.module, seed);
            ran.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        }
    });
    let ran = ran.into_inner();
    say(&format!("{ran} were run"));
    assert!(ran >= effort.at_least(50), "only {ran} were run");
}

/// The largest limit that the test reaches outside full runs.
const MANY: usize = 1 << 17;

#[test]
fn modules_at_a_limit_are_accepted_and_those_above_rejected() {
    let effort = Effort::of("MODULES", 20);
    let large = effort.cases > 20;
    let tried = boundaries().into_iter().enumerate().filter(|(_, case)| case.count <= MANY || effort.is_full());
    let tried: Vec<(usize, laws::Boundary)> = tried.collect();
    let failures = on_two_threads(&tried, |(number, case)| {
        let (start, module) = (Instant::now(), &case.module());
        let what = format!("{}, {}", case.what, case.count);
        let verified = verify(module);
        if verified.is_ok() != case.is_allowed {
            return Some(format!("{what}: {verified:?}"));
        }
        // A module that a file can represent must be read back unchanged, even if the module is invalid.
        let readable = encode_readable(module, Dialect::Text);
        match &readable {
            Ok(file) if sdlbc::decode(file).as_ref() != Ok(module) => {
                return Some(format!("{what}: the file decodes to another module"));
            }
            Err(error) if case.is_allowed => return Some(format!("{what}: {error}")),
            _ => {}
        }
        laws::dump(&sdlbc::encode(module));
        if sdlbc::decode(&sdlbc::encode(module)).is_ok() != readable.is_ok() {
            return Some(format!("{what}: the writer and the reader disagree about what is readable"));
        }
        let text = print(module);
        let parsed = sdlbc::parse(&text);
        match &parsed {
            Ok(again) if again != module => return Some(format!("{what}: the text parses to another module")),
            Err(errors) if case.is_allowed => return Some(format!("{what}: {:?}", errors.first())),
            _ => {}
        }
        // Modules at a limit are large, so each module is written in only one target, unless the run has more cases than a full
        // run.
        if large {
            laws::written_or_refused(module);
        } else if verified.is_ok() {
            let written = laws::outputs(module, laws::TARGETS[number / 2 % 5], &backends::Layout::default());
            if let Err(error @ (backends::Error::Internal(_) | backends::Error::Invalid(_))) = written {
                return Some(format!("{what}: {error}"));
            }
        }
        (start.elapsed() > LONGEST).then(|| format!("{what}: it took {:?}", start.elapsed()))
    });
    let failures: Vec<String> = failures.into_iter().flatten().collect();
    assert!(failures.is_empty(), "{}", failures.join("\n").chars().take(6000).collect::<String>());
}
