//! Checks the laws for modules of fixed seeds, and for the files of `testdata/fuzz`: small seed files, damaged files, and files
//! that fuzzing has found.
//!
//! A full run tests 200 modules, and `MODULES=2000` tests more.

use std::path::PathBuf;

use laws::{LAWS, from_seed};
use sdlbc::{Dialect, Module, encode_in};
use testing::{Effort, Random, caught, damage::edit, testdata};

fn folder(law: &str) -> PathBuf {
    testdata("fuzz").join(law)
}

/// Checks a law for the module of each seed, and fails with the first seeds whose modules break the law.
#[track_caller]
fn hold(law: impl Fn(&Module)) {
    let mut failures = Vec::new();
    for seed in Effort::of("MODULES", 200).seeds() {
        let module = from_seed(seed);
        failures.extend(
            caught(|| law(&module)).err().map(|error| format!("the law does not hold for SEED={seed}: {error}")),
        );
        // Each failure prints a long text, so the search stops after four failures.
        if failures.len() == 4 {
            break;
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn an_encoded_module_decodes_to_the_same_module() {
    hold(laws::roundtrip_of);
}

#[test]
fn a_printed_module_parses_to_the_same_module() {
    hold(laws::text_of);
}

#[test]
fn the_dump_of_a_module_shows_every_byte() {
    hold(|module| {
        for dialect in [Dialect::Text, Dialect::Header] {
            let file = encode_in(module, dialect);
            laws::dump(&file);
            assert!(sdlbc::dump(&file).good);
        }
    });
}

#[test]
fn damaged_files_are_decoded_and_dumped_without_harm() {
    hold(|module| {
        let file = sdlbc::encode(module);
        let mut random = Random(u64::from(u32::from_le_bytes([file[16], file[17], file[18], file[19]])));
        for _ in 0..8 {
            let mut damaged = file.clone();
            for _ in 0..1 + random.below(3) {
                edit(&mut damaged, &mut random, &file, 4);
            }
            laws::decode(&damaged);
            laws::dump(&damaged);
        }
    });
}

#[test]
fn a_module_is_translated_or_rejected() {
    hold(laws::written_or_refused);
}

#[test]
fn nops_change_nothing_wherever_they_are() {
    hold(laws::space_changes_nothing);
}

#[test]
fn a_round_trip_through_a_file_changes_no_output() {
    hold(laws::same_by_file);
}

#[test]
fn the_kept_files_keep_the_laws() {
    let mut failures = Vec::new();
    for (name, law) in LAWS {
        let mut paths: Vec<PathBuf> = std::fs::read_dir(folder(name))
            .unwrap_or_else(|error| panic!("{}: {error}", folder(name).display()))
            .map(|entry| entry.expect("an entry").path())
            .collect();
        paths.sort();
        for path in paths {
            let bytes = std::fs::read(&path).expect("the file");
            let error = caught(|| law(&bytes)).err();
            failures.extend(error.map(|error| format!("{name} does not hold for {}: {error}", path.display())));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
