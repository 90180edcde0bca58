//! `allocations MANIFEST` runs each stage, or those named after the manifest, on each case with an allocator that counts, and prints a line for each: the case, the
//! stage, the allocations (a reallocation is one), their bytes, and the highest number of bytes at one time.

use std::path::Path;

use bench::case::cases;
use bench::stages::STAGES;

#[global_allocator]
static ALLOCATOR: dhat::Alloc = dhat::Alloc;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let manifest = arguments.next().unwrap_or_else(|| panic!("allocations MANIFEST: ./bench runs this program"));
    let names: Vec<String> = arguments.collect();
    let cases = cases(Path::new(&manifest));
    for stage in STAGES.iter().filter(|stage| names.is_empty() || names.iter().any(|name| name == stage.name)) {
        for case in cases.iter().filter(|case| case.has(stage.of)) {
            // Once so that what is made once in a process exists.
            (stage.run)(case);
            let profiler = dhat::Profiler::builder().testing().build();
            (stage.run)(case);
            let heap = dhat::HeapStats::get();
            drop(profiler);
            let (name, stage) = (&case.name, stage.name);
            println!("{name}\t{stage}\t{}\t{}\t{}", heap.total_blocks, heap.total_bytes, heap.max_bytes);
        }
    }
}
