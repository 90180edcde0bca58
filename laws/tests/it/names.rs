//! The law of names over the samples of the IR, over modules that fuzzing has found, and over random ones.
//!
//! 2,000 random modules in a full run, `MODULES=` for another number. A failure prints its seed; `SEED=...` runs a single
//! one.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use testing::testdata;

use laws::{from_seed, module_of, same_by_any_names};
use sdlbc::Module;
use testing::Effort;

/// The files under a folder of testdata, in order.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths.into_iter().flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

#[test]
fn the_samples_of_the_ir_keep_their_meaning_whatever_the_names() {
    let mut tried = 0;
    let seeds = Effort::of("NAMES", 20).seeds();
    for folder in ["ir", "run", "fuzz/backends", "fuzz/names"] {
        for path in files(&testdata(folder)) {
            let Some(module) = module_of(&std::fs::read(&path).expect("the file")) else { continue };
            let kept =
                seeds.clone().all(|seed| catch_unwind(AssertUnwindSafe(|| same_by_any_names(&module, seed))).is_ok());
            assert!(kept, "the law does not hold for {}", path.display());
            tried += 1;
        }
    }
    assert!(tried > 40, "only {tried} samples were found");
}

#[test]
fn random_modules_keep_their_meaning_whatever_the_names() {
    let failures: Vec<u64> = Effort::of("MODULES", 2000)
        .seeds()
        .filter(|&seed| {
            let module: Module = from_seed(seed);
            catch_unwind(AssertUnwindSafe(|| same_by_any_names(&module, seed))).is_err()
        })
        .take(4)
        .collect();
    assert!(failures.is_empty(), "the law does not hold for the seeds {failures:?}");
}
