//! `allocations MANIFEST`: see `tests/bench/src/bin/allocations.rs`.

mod common;

use common::{STAGES, applies, cases};

#[global_allocator]
static ALLOCATOR: dhat::Alloc = dhat::Alloc;

fn main() {
    let cases = cases(&std::env::args().nth(1).expect("a manifest"));
    for (name, agal, run) in STAGES {
        for case in cases.iter().filter(|case| applies(agal, case)) {
            run(case);
            let profiler = dhat::Profiler::builder().testing().build();
            run(case);
            let heap = dhat::HeapStats::get();
            drop(profiler);
            println!("{}\t{name}\t{}\t{}\t{}", case.name, heap.total_blocks, heap.total_bytes, heap.max_bytes);
        }
    }
}
