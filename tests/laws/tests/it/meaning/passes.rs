//! Checks that optimised modules have the same results as the originals, bit for bit, except that all NaNs count as equal. The
//! module must be valid after each pass. With `SEED=`, a failure names the first pass that changes a result. `MODULES=` sets
//! the number of modules.

use ::sdlbc_passes::{Body, Level, Options, Ran, optimise};
use sdlbc::{Function, FunctionKind, Module, Op, Scalar, Type, Verified, call_order};
use testing::{Effort, caught, files_below, number, on_two_threads, say, testdata};

use super::given::Given;
use super::{RUNS, execute, loops, smaller};

/// The outputs of each run, or `None` if the format leaves them undefined.
type Results = Vec<Option<Vec<Value>>>;

type Value = (Type, Vec<u32>);

/// Runs the entry functions. If `changed` is set, an entry function runs only if it is the function `changed` or calls that
/// function, and all other results come from `wanted`.
fn results(module: &Module, wanted: Option<&Results>, changed: Option<usize>) -> Result<Results, String> {
    let mut all = Results::new();
    for (index, function) in module.functions.iter().enumerate() {
        if function.kind == FunctionKind::Generic {
            continue;
        }
        let runs = changed.is_none_or(|changed| changed == index || call_order(module, index).contains(&changed));
        for seed in 0..RUNS {
            // An undefined result of the original module is not compared.
            if let Some(result) = wanted.and_then(|wanted| wanted.get(all.len()))
                && (!runs || result.is_none())
            {
                all.push(result.clone());
                continue;
            }
            let given = Given::new(module, function.kind, seed);
            let (outputs, open) = caught(|| execute::run(module, index, &given)).and_then(|outputs| outputs)?;
            // A discarded fragment has no outputs, which an empty list represents.
            let outputs = outputs.unwrap_or_default().into_iter().map(|value| (value.ty, value.words)).collect();
            all.push(Some(outputs).filter(|_| !open || wanted.is_some()));
        }
    }
    Ok(all)
}

fn same(a: &Results, b: &Results) -> bool {
    let word = |ty: &Type, a: u32, b: u32| {
        let float = matches!(ty, Type::Vector(Scalar::Float | Scalar::Half, _));
        a == b || float && f32::from_bits(a).is_nan() && f32::from_bits(b).is_nan()
    };
    let value = |(a, b): (&Value, &Value)| {
        a.0 == b.0 && a.1.len() == b.1.len() && a.1.iter().zip(&b.1).all(|(&x, &y)| word(&a.0, x, y))
    };
    a.len() == b.len()
        && a.iter().zip(b).all(|(a, b)| match (a, b) {
            (Some(a), Some(b)) => a.len() == b.len() && a.iter().zip(b).all(value),
            (a, b) => a.is_none() && b.is_none(),
        })
}

/// Optimises a module and compares the results at the end, or after each pass if `each` is set. Returns the number of
/// instructions before and after optimisation.
fn compare(module: &Module, each: bool) -> Result<[usize; 2], String> {
    let verified = Verified::new(module.clone()).map_err(|violations| format!("{}", violations[0]))?;
    // Some samples loop forever on some inputs.
    let Ok(wanted) = results(module, None, None) else { return Ok([0, 0]) };
    let count = |module: &Module| module.functions.iter().map(|function| function.body.insts().len()).sum::<usize>();
    for level in [Level::O1, Level::O2] {
        let options = Options::default().level(level);
        let mut now = module.clone();
        let mut failure: Option<String> = None;
        let mut after = |ran: &Ran<'_>, body: &Body| {
            let function: Function = body.function().clone();
            let Some(place) = now.functions.get_mut(ran.function) else { return };
            if failure.is_some() || *place == function {
                return;
            }
            let before = std::mem::replace(place, function);
            let shown = |what: String, now: &Module| {
                let mut old = now.clone();
                old.functions[ran.function] = before.clone();
                let (old, new) = (sdlbc::print(&old), sdlbc::print(now));
                Some(format!("after {}: {what}\n{old}\n{new}", ran.pass))
            };
            // The pass has changed the ids, so the names of values are no longer valid.
            now.debug = Default::default();
            if let Err(violations) = sdlbc::verify(&now) {
                failure = shown(violations[0].to_string(), &now);
                return;
            }
            if !each {
                return;
            }
            match results(&now, Some(&wanted), Some(ran.function)) {
                Ok(found) if same(&wanted, &found) => {}
                Ok(_) => failure = shown("another result".to_string(), &now),
                Err(error) => failure = shown(error, &now),
            }
        };
        let optimised = optimise(verified.clone(), &options, &mut after).into_module();
        if let Some(failure) = failure {
            return Err(format!("{level:?}, {failure}"));
        }
        let again = Verified::new(optimised.clone())
            .map_err(|violations| format!("{level:?}, at the end: {}", violations[0]))?;
        if !same(&wanted, &results(&optimised, Some(&wanted), None)?) {
            return Err(format!("{level:?}, at the end: another result"));
        }
        let twice = optimise(again, &options, &mut |_, _| {});
        if *twice != optimised {
            let (once, twice) = (sdlbc::print(&optimised), sdlbc::print(&twice));
            return Err(format!("{level:?}: optimising again changes it\n{once}\n{twice}"));
        }
        if level == Level::O2 {
            return Ok([count(module), count(&optimised)]);
        }
    }
    Ok([0, 0])
}

#[track_caller]
fn all_agree(full: u64, make: impl Fn(u64) -> Module + Sync) {
    let seeds: Vec<u64> = Effort::of("MODULES", full).seeds().collect();
    let results = on_two_threads(&seeds, |&seed| {
        let module = make(seed);
        if sdlbc::verify(&module).is_err() {
            return Ok([0, 0]);
        }
        // Running a module takes far longer than optimising it, so only one module in eight runs after each pass.
        compare(&module, seed % 8 == 0 || number("SEED").is_some()).map_err(|error| {
            let kind = |error: &str| error.split(':').next().unwrap_or_default().to_string();
            let first = kind(&error);
            let bad = |module: &Module| compare(module, true).is_err_and(|error| kind(&error) == first);
            match number("SEED") {
                Some(_) => {
                    let module = smaller::smallest(&module, &bad);
                    format!("SEED={seed}, reduced: {}", compare(&module, true).err().unwrap_or(error))
                }
                None => format!("SEED={seed}: {}", error.lines().next().unwrap_or_default()),
            }
        })
    });
    let failures: Vec<&String> = results.iter().filter_map(|result| result.as_ref().err()).collect();
    assert!(
        failures.is_empty(),
        "{} of {} differ\n{}",
        failures.len(),
        seeds.len(),
        failures.iter().take(20).map(|s| s.as_str()).collect::<Vec<_>>().join("\n")
    );
    let total = |at: usize| results.iter().flatten().map(|counts| counts[at]).sum::<usize>();
    say(&format!("{} modules: {} instructions, {} after the passes", seeds.len(), total(0), total(1)));
    assert!(total(1) < total(0), "{} instructions, and {} after the passes", total(0), total(1));
}

#[test]
fn random_modules_compute_the_same_after_each_pass() {
    all_agree(2000, laws::from_seed);
}

#[test]
fn modules_of_loops_compute_the_same_after_each_pass() {
    all_agree(500, loops::module);
}

#[test]
fn hostile_modules_that_verify_compute_the_same_after_each_pass() {
    all_agree(1000, |seed| laws::hostile_from_seed(seed, laws::Mood::Calm).module);
}

#[test]
fn random_agal_programs_compute_the_same_after_each_pass() {
    all_agree(5000, |seed| {
        let mut random = testing::Random::of(seed, &[14]);
        let programs = laws::programs::pair(&mut random, 1 + u32::try_from(seed % 3).expect("below 3"));
        let programs = [&programs[0], &programs[1]];
        let lifted = agal_front::lift::translate(&programs, &Default::default());
        lifted.map(|lifted| lifted.module).unwrap_or_default()
    });
}

#[cfg(feature = "es2")]
#[test]
fn random_programs_of_the_unified_set_compute_the_same_after_each_pass() {
    all_agree(1000, laws::es2::module_of);
}

#[test]
fn the_program_of_each_operation_computes_the_same_after_each_pass() {
    let files = files_below(&testdata("ir"), ".sdlasm");
    assert!(files.len() > Op::ALL.len());
    let results = on_two_threads(&files, |path| {
        let text = std::fs::read_to_string(path).expect("it can be read");
        let Ok(module) = sdlbc::parse(&text) else { return Ok([0, 0]) };
        if sdlbc::verify(&module).is_err() {
            return Ok([0, 0]);
        }
        compare(&module, true).map_err(|error| format!("{}: {error}", path.display()))
    });
    let (compared, failures): (Vec<_>, Vec<_>) = results.into_iter().partition(Result::is_ok);
    let failures: Vec<String> = failures.into_iter().filter_map(Result::err).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    let compared = compared.into_iter().flatten().filter(|counts| counts[0] > 0).count();
    assert!(compared * 10 > files.len() * 8, "only {compared} of {} were compared", files.len());
}
