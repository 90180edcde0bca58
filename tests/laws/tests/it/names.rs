//! Checks the law of names for random modules and for the modules in testdata, some of which fuzzing has found.
//!
//! A full run tests 2,000 random modules, and `MODULES=` sets a different number. A failure prints its seed, and `SEED=...`
//! runs a single module.

use laws::{from_seed, module_of, same_by_any_names};
use sdlbc::Module;
use testing::{Effort, caught, files_below, testdata};

#[test]
fn the_samples_of_the_ir_keep_their_meaning_whatever_the_names() {
    let (mut tried, mut failures) = (0, Vec::new());
    let seeds = Effort::of("NAMES", 20).seeds();
    for folder in ["ir", "run", "fuzz/backends", "fuzz/names"] {
        for path in files_below(&testdata(folder), "") {
            let Some(module) = module_of(&std::fs::read(&path).expect("the file")) else { continue };
            let error = seeds.clone().find_map(|seed| caught(|| same_by_any_names(&module, seed)).err());
            failures.extend(error.map(|error| format!("the law does not hold for {}: {error}", path.display())));
            tried += 1;
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(tried > 40, "only {tried} samples were found");
}

#[test]
fn random_modules_keep_their_meaning_whatever_the_names() {
    let failures: Vec<String> = Effort::of("MODULES", 2000)
        .seeds()
        .filter_map(|seed| {
            let module: Module = from_seed(seed);
            let error = caught(|| same_by_any_names(&module, seed)).err()?;
            Some(format!("the law does not hold for SEED={seed}: {error}"))
        })
        .take(4)
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
