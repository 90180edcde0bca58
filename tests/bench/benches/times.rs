//! Measures the time and heap use of every stage. `cargo bench -p bench` measures all rows, and `cargo bench -p bench -- lift`
//! measures the rows whose names contain `lift`. Each row combines a stage of `bench::stages` with a group of cases. The groups
//! are third-party programs, long programs, all pairs of testdata together, and functions of four shapes in several lengths, up
//! to the maximum for a module.

use std::fmt;
use std::sync::LazyLock;

use bench::case::{Case, Form};
use bench::inputs::{self, Files};
use bench::stages::{STAGES, Stage};
use divan::counter::ItemsCount;
use testing::shapes::SHAPES;

/// Counts allocations, and the maximum number of bytes allocated at one time.
#[global_allocator]
static ALLOCATOR: divan::AllocProfiler = divan::AllocProfiler::system();

const TOKENS: [usize; 4] = [200, 512, 1024, 2048];
/// The lengths of the functions, in instructions, up to the limit for a module.
const INSTRUCTIONS: [usize; 5] = [2000, 16_000, 65_000, 250_000, 1_000_000];

struct Group {
    name: String,
    cases: Vec<Case>,
}

static GROUPS: LazyLock<Vec<Group>> = LazyLock::new(|| groups().unwrap_or_else(|error| panic!("{error}")));

fn groups() -> Result<Vec<Group>, String> {
    let mut groups =
        vec![Group { name: inputs::PAIRS.to_string(), cases: inputs::pairs()?.into_iter().map(case).collect() }];
    let mut others: Vec<Files> = inputs::others()?.into_iter().flat_map(|input| input.cases).collect();
    for tokens in TOKENS {
        others.push(inputs::long(tokens)?);
    }
    for shape in SHAPES {
        for size in INSTRUCTIONS.into_iter().filter(|&size| size <= sdlbc::limits::INSTRUCTIONS) {
            others.push(inputs::function(shape.name, size)?);
        }
    }
    groups.extend(others.into_iter().map(|files| Group { name: files.name.clone(), cases: vec![case(files)] }));
    Ok(groups)
}

fn case(files: Files) -> Case {
    match files.form {
        Form::Agal => Case::of_programs(&files.name, files.contents),
        Form::Module => Case::of_module(&files.name, files.contents.concat(), files.length),
    }
}

struct Row {
    stage: &'static Stage,
    group: &'static Group,
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.stage.name, self.group.name)
    }
}

fn rows() -> Vec<Row> {
    let of = |stage: &'static Stage| {
        let groups = GROUPS.iter().filter(|group| group.cases.iter().all(|case| case.has(stage.of)));
        groups.map(move |group| Row { stage, group })
    };
    STAGES.iter().flat_map(of).collect()
}

/// Measures a stage. The reported items are tokens or instructions.
#[divan::bench(args = rows(), max_time = 0.5)]
fn stage(bencher: divan::Bencher<'_, '_>, row: &Row) {
    let cases = &row.group.cases;
    let length = cases.iter().map(|case| case.length).sum::<usize>();
    bencher.counter(ItemsCount::new(length)).bench(|| cases.iter().for_each(|case| (row.stage.run)(case)));
}

fn main() {
    divan::main();
}
