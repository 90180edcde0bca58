//! `allocations MANIFEST [STAGE...]` runs each stage, or the named stages, on each case with a counting allocator. For each run,
//! the program prints the case, the stage, the number of allocations, the number of allocated bytes, and the maximum number of
//! bytes in use at one time. A reallocation counts as one allocation.

use std::path::Path;

use bench::case::{Case, cases};
use bench::stages::{STAGES, Stage, named};

#[global_allocator]
static ALLOCATOR: dhat::Alloc = dhat::Alloc;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let manifest = arguments.next().unwrap_or_else(|| panic!("allocations MANIFEST: ./bench runs this program"));
    let names: Vec<String> = arguments.collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let cases = cases(Path::new(&manifest));
    let stages: Vec<&Stage> = if names.is_empty() { STAGES.iter().collect() } else { named(&names).collect() };
    for stage in stages {
        for case in cases.iter().filter(|case| case.has(stage.of)) {
            // The first run creates the data that each process creates only once.
            (stage.run)(case);
            let heap = counted(stage, case);
            let (name, stage) = (&case.name, stage.name);
            println!("{name}\t{stage}\t{}\t{}\t{}", heap.total_blocks, heap.total_bytes, heap.max_bytes);
        }
    }
}

fn counted(stage: &Stage, case: &Case) -> dhat::HeapStats {
    let profiler = dhat::Profiler::builder().testing().build();
    (stage.run)(case);
    let heap = dhat::HeapStats::get();
    drop(profiler);
    heap
}

#[cfg(test)]
mod tests {
    use bench::inputs;
    use bench::stages::FROM_FILE;

    use super::*;

    /// The maximum number of heap bytes per byte of a module's file.
    const HEAP: f64 = 60.0;

    #[test]
    fn long_modules_need_memory_in_proportion_to_their_files() {
        for shape in testing::shapes::SHAPES {
            let [short, long] = [2000, 64_000].map(|instructions| {
                let files = inputs::function(shape.name, instructions).unwrap_or_else(|error| panic!("{error}"));
                let file = files.contents.concat();
                let bytes = file.len();
                let heap = counted(&FROM_FILE, &Case::of_module(&files.name, file, instructions));
                heap.max_bytes as f64 / bytes as f64
            });
            println!("{}: {short:.1} and {long:.1} bytes for each byte", shape.name);
            assert!(long <= HEAP && long <= short * 1.05, "{}: {short} and then {long}", shape.name);
        }
    }
}
