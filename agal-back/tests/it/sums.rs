//! Every program of testdata and of the corpus: optimised, compared, and counted.

use std::path::PathBuf;

use agal_back::Size;
use agal_front::assemble::assemble;
use agal_front::check::check;
use agal_front::{Program, Rules, Stage};
use testing::{Effort, Random};

use crate::law::{around, optimised};
use crate::programs;

/// The AGAL programs of a file, if it has any that can be used.
fn program(path: &PathBuf) -> Option<Program> {
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
            let options = agal_front::assemble::AssembleOptions { stage, ..Default::default() };
            assemble(&String::from_utf8_lossy(&bytes), &options).ok()?.program
        }
    };
    let is_right = !check(&[&program], &Rules::default()).concat().iter().any(|finding| finding.is_error());
    is_right.then_some(program)
}

fn sums(name: &str, paths: &[PathBuf]) {
    let programs: Vec<(String, Program)> =
        paths.iter().filter_map(|path| Some((path.display().to_string(), program(path)?))).collect();
    let sizes: Vec<[Size; 2]> = testing::on_two_threads(&programs, |(_, program)| optimised(program, &mut Random(1)));
    let mut sum = [Size::default(); 2];
    for ([before, after], (path, _)) in sizes.iter().zip(&programs) {
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
    let (mut sum, mut refused) = ([0; 2], 0);
    for path in paths {
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
