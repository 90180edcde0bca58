//! Implements `stages count MANIFEST` and `stages write MANIFEST FOLDER`, which `tests/bench/src/bin/stages.rs` describes.

mod common;

use common::{Case, STAGES, applies, cases, spirv};

#[inline(never)]
fn measured(run: fn(&Case), cases: &[&Case]) {
    for case in cases {
        run(case);
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let cases = cases(&arguments[1]);
    if arguments[0] == "write" {
        for case in &cases {
            let words = spirv(case.module());
            let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            std::fs::write(format!("{}/{}.spv", arguments[2], case.name), bytes).expect("a file");
        }
        return;
    }
    for (name, agal, run) in STAGES {
        let of: Vec<&Case> = cases.iter().filter(|case| applies(agal, case)).collect();
        if !of.is_empty() {
            of.iter().for_each(|case| run(case));
            measured(run, &of);
            println!("{name}\t{}", of.iter().map(|case| case.units).sum::<usize>());
        }
    }
}
