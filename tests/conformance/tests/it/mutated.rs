//! Reads SPIR-V before and after passes of spirv-opt that keep its meaning, and compares what interp makes of both.
//!
//! A random module is written as SPIR-V first; the shaders of `testdata/sources/suite` are mutated too. The passes and their order
//! depend on the seed. `MUTATIONS=50000` sets the number of mutated modules, and `SEED=...` runs a single one and prints why
//! spirv-opt fails, if it does.

use std::collections::BTreeMap;
use std::io::Write;
use std::process::{Command, Stdio};

use backends::Layout;
use conformance::originals::interface::Parsed;
use conformance::originals::{compare_results, execute};
use conformance::{runs, suite, values};
use rspirv::spirv::MAGIC_NUMBER;
use sdlbc::front::{Convention, SourceOptions};
use sdlbc::{FunctionKind, InputKind, Module, Verified};
use sdlbc_interp::Resources;
use testing::{Effort, Random, on_two_threads};

use crate::source_suite::{Original, SUITE, words};

/// The number of mutated modules in a full run.
const MUTATIONS: u64 = 5000;
/// The number of invocations of a vertex function.
const POINTS: usize = 16;
/// The side, in pixels, of the square that a fragment function covers.
const SIDE: u32 = 4;
/// The maximum number of passes that mutate a module.
const MOST_PASSES: usize = 10;

/// Passes of spirv-opt, and its two lists of passes, that keep the meaning of a module, and the names of its inputs, outputs and
/// resources. Of the passes on loops, `--loop-invariant-code-motion` does not: it moves loads of variables that the loop stores to.
/// `--loop-fusion` often crashes.
const PASSES: [&str; 38] = [
    "-O",
    "-Os",
    "--ccp",
    "--cfg-cleanup",
    "--combine-access-chains",
    "--convert-local-access-chains",
    "--copy-propagate-arrays",
    "--eliminate-dead-branches",
    "--eliminate-dead-code-aggressive",
    "--eliminate-dead-const",
    "--eliminate-dead-functions",
    "--eliminate-dead-inserts",
    "--eliminate-dead-variables",
    "--eliminate-local-multi-store",
    "--eliminate-local-single-block",
    "--eliminate-local-single-store",
    "--fix-func-call-param",
    "--flatten-decorations",
    "--fold-spec-const-op-composite",
    "--if-conversion",
    "--inline-entry-points-exhaustive",
    "--local-redundancy-elimination",
    "--loop-fission=4",
    "--loop-peeling",
    "--loop-unroll",
    "--loop-unroll-partial=3",
    "--loop-unswitch",
    "--merge-blocks",
    "--merge-return",
    "--private-to-local",
    "--reduce-load-size",
    "--redundancy-elimination",
    "--scalar-replacement=100",
    "--simplify-instructions",
    "--ssa-rewrite",
    "--strength-reduction",
    "--vector-dce",
    "--wrap-opkill",
];

/// What became of a mutated module.
enum Outcome {
    /// Both modules write the same.
    Same,
    /// There is nothing to compare, because the module is not written or has no interface, or because spirv-opt fails.
    Skipped(&'static str),
    /// The modules write different values, or only the mutated one is refused.
    Wrong(String),
}

fn passes(seed: u64) -> Vec<&'static str> {
    let mut random = Random::of(seed, &[11]);
    let count = 1 + random.below(MOST_PASSES);
    (0..count).map(|_| PASSES[random.below(PASSES.len())]).collect()
}

/// Returns a module after passes, or `None` if spirv-opt does not accept it.
fn mutated(bytes: &[u8], passes: &[&str]) -> Option<Vec<u8>> {
    let mut child = Command::new("spirv-opt")
        .args(["--preserve-bindings", "--target-env=spv1.6", "-", "-o", "-"])
        .args(passes)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("spirv-opt (Debian package spirv-tools)");
    // A pipe that spirv-opt closes early means that it fails.
    let _ = child.stdin.take().expect("a pipe").write_all(bytes);
    let output = child.wait_with_output().expect("the output of spirv-opt");
    if output.status.success() {
        // Messages of passes precede the module.
        let begins = output.stdout.windows(4).position(|word| *word == MAGIC_NUMBER.to_le_bytes())?;
        return output.stdout.get(begins..).map(<[u8]>::to_vec);
    }
    if testing::number("SEED").is_some() {
        println!("spirv-opt: {}: {}", output.status, String::from_utf8_lossy(&output.stderr));
    }
    None
}

fn read(bytes: &[u8], options: &SourceOptions) -> Result<Module, String> {
    Ok(spirv_front::read(bytes, options).map_err(|refusals| refusals[0].to_string())?.module)
}

/// Reads a module before and after passes. Returns both, or why there is nothing to compare.
fn pair(bytes: &[u8], options: &SourceOptions, passes: &[&str]) -> Result<[Module; 2], Outcome> {
    let before = read(bytes, options).map_err(|message| Outcome::Wrong(format!("refused before: {message}")))?;
    let after = mutated(bytes, passes).ok_or(Outcome::Skipped("spirv-opt fails"))?;
    let after = read(&after, options).map_err(|message| Outcome::Wrong(format!("refused: {message}")))?;
    Ok([before, after])
}

/// Returns the resources of a mutated module, in which textures have the names of the module's before, and may have other slots.
fn renumbered(resources: &Resources, [before, after]: [&Module; 2]) -> Resources {
    let slots = |module: &Module| -> BTreeMap<(FunctionKind, String), u32> {
        let of = |function: &sdlbc::Function| {
            let kind = function.kind;
            let named = function.inputs.iter().filter_map(move |input| match input.kind {
                InputKind::Texture { slot, .. } => Some(((kind, input.name.clone()), slot)),
                _ => None,
            });
            named.collect::<Vec<_>>()
        };
        module.functions.iter().flat_map(of).collect()
    };
    let known = slots(before);
    let textures = slots(after).into_iter().filter_map(|(name, slot)| {
        let from = known.get(&name)?;
        Some(((name.0, slot), resources.textures.get(&(name.0, *from))?.clone()))
    });
    Resources { textures: textures.collect(), ..resources.clone() }
}

/// Compares the functions of a random module.
fn random(seed: u64, passes: &[&str]) -> Outcome {
    let Ok(module) = Verified::new(laws::from_seed(seed)) else { return Outcome::Skipped("invalid") };
    let Ok(code) = backends::spirv(&module, &Layout::default()) else { return Outcome::Skipped("not written") };
    let bytes: Vec<u8> = code.iter().flat_map(|word| word.to_le_bytes()).collect();
    let [before, after] = match pair(&bytes, &SourceOptions::default(), passes) {
        Ok(pair) => pair,
        Err(outcome) => return outcome,
    };
    let resources = values::resources(seed, &before);
    let theirs = renumbered(&resources, [&before, &after]);
    for kind in [FunctionKind::Vertex, FunctionKind::Fragment] {
        if before.functions.iter().all(|function| function.kind != kind) {
            continue;
        }
        let probe = suite::probe_with(&before, kind, seed, POINTS, SIDE, resources.clone());
        let other = suite::probe_with(&after, kind, seed, POINTS, SIDE, theirs.clone());
        let images: Result<Vec<_>, String> = other.draws.iter().map(runs::exact).collect();
        let (Ok((exact, _)), Ok(images)) = (runs::exact_values(&probe), images) else {
            return Outcome::Skipped("does not end");
        };
        let found = other.values(&images);
        if exact.equals(&found).is_ok() {
            continue;
        }
        // Passes may round otherwise, and undefined values differ.
        match runs::thorough(&probe).map(|expected| expected.holds(&found)) {
            Ok(Err(difference)) => return Outcome::Wrong(format!("{kind:?} function: {difference}")),
            _ => continue,
        }
    }
    Outcome::Same
}

/// Compares the entry function of a shader of the suite.
fn of_suite(bytes: &[u8], seed: u32, passes: &[&str]) -> Outcome {
    let mut options = SourceOptions::default();
    options.convention = Some(Convention::Vulkan);
    let [before, after] = match pair(bytes, &options, passes) {
        Ok(pair) => pair,
        Err(outcome) => return outcome,
    };
    let Ok(interface) = Parsed::new(&words(bytes)).and_then(|parsed| parsed.interface()) else {
        return Outcome::Skipped("no interface");
    };
    let after = || execute(&after, &interface, seed);
    match execute(&before, &interface, seed).and_then(|before| compare_results(&before, &after()?, 0.0)) {
        Ok(_) => Outcome::Same,
        Err(difference) => Outcome::Wrong(difference),
    }
}

/// Runs a mutation: three of four mutate a random module, and the others a shader of the suite.
fn mutation(seed: u64, suite: &[(&str, &[u8])]) -> (String, Outcome) {
    let passes = passes(seed);
    let (name, outcome) = if seed % 4 == 3 {
        let (name, bytes) = suite[(seed / 4) as usize % suite.len()];
        (name.to_string(), of_suite(bytes, (seed / 4) as u32, &passes))
    } else {
        ("a random module".to_string(), random(seed, &passes))
    };
    (format!("seed {seed}: {name} after {}", passes.join(" ")), outcome)
}

#[test]
fn mutated_modules_that_keep_their_meaning_write_the_same() {
    let suite: Vec<(&str, &[u8])> = SUITE
        .iter()
        .filter_map(|(name, bytes): &Original| Some((name.as_str(), bytes.as_ref().ok()?.as_slice())))
        .collect();
    let seeds: Vec<u64> = Effort::of("MUTATIONS", MUTATIONS).seeds().collect();
    let all = on_two_threads(&seeds, |&seed| mutation(seed, &suite));
    let (mut counts, mut wrong, mut same) = (BTreeMap::<&str, usize>::new(), Vec::new(), 0);
    let count = all.len();
    for (label, outcome) in all {
        match outcome {
            Outcome::Same => same += 1,
            Outcome::Skipped(reason) => *counts.entry(reason).or_default() += 1,
            Outcome::Wrong(difference) => wrong.push(format!("{label}: {difference}")),
        }
    }
    println!("{same} of {count} mutated modules write the same");
    counts.iter().for_each(|(reason, count)| println!("{count} are skipped: {reason}"));
    wrong.sort();
    assert!(wrong.is_empty(), "{} differ\n{}", wrong.len(), wrong.join("\n"));
    assert!(same * 2 > count, "too few modules are compared");
}
