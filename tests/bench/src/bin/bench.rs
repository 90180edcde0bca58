//! Runs the measurements of docs/internals/performance.md for the script `./bench`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use bench::inputs::{self, Input, PAIRS};
use bench::measure::Programs;
use bench::records::{self, Record};
use bench::{batch, counts, sizes, tables, wall, web};
use testing::{repository, testdata};

/// The input for which the run time of the whole process is measured.
const TIMED: &str = "raytrace_fragment";
/// The inputs whose stages are shown in tables.
const SHOWN: [&str; 3] = [PAIRS, TIMED, inputs::LONG];
/// The module sizes, in instructions, for which the growth of time and memory is shown, up to the limit for a module.
const SIZES: [usize; 5] = [2000, 16_000, 64_000, 250_000, 1_000_000];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = Tool::new().and_then(|tool| match arguments.as_slice() {
        ["counts"] => tool.counts(false),
        ["counts", "--renew"] => tool.counts(true),
        ["sizes"] => tool.sizes(),
        ["growth"] => tool.growth(),
        ["growth", "--renew"] => tool.growth().and_then(|table| put(&[("growth", &table)]).map(|()| table)),
        ["wall", agalc] => tool.wall(Path::new(agalc)),
        ["batch", agalc] => tool.batch(Path::new(agalc)),
        ["batch", agalc, "--renew"] => {
            tool.batch(Path::new(agalc)).and_then(|table| put(&[("batches", &table)]).map(|()| table))
        }
        ["table", agalc] => tool.table(Path::new(agalc), false),
        ["table", agalc, "--renew"] => tool.table(Path::new(agalc), true),
        ["web"] => web::against_native(),
        ["web", "--renew"] => web::against_native().and_then(|table| put(&[("web", &table)]).map(|()| table)),
        ["baseline", folder] => tool.baseline(Path::new(folder)),
        _ => Err("run ./bench --help".to_string()),
    });
    match done {
        Ok(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("bench: {}", error.trim_end());
            ExitCode::FAILURE
        }
    }
}

struct Tool {
    /// The two measuring programs, which are built together with `bench`.
    programs: Programs,
    /// The folder for inputs and outputs.
    folder: PathBuf,
}

impl Tool {
    fn new() -> Result<Tool, String> {
        let program = std::env::current_exe().map_err(|error| error.to_string())?;
        let beside = program.parent().ok_or("this program is in no folder")?;
        Ok(Tool { programs: Programs::of(beside), folder: beside.join("bench-work") })
    }

    fn counts(&self, renew: bool) -> Result<String, String> {
        let (tools, records) = (counts::tools()?, self.programs.measure(&inputs::held()?, &self.folder)?);
        let path = repository().join(counts::FILE);
        if renew {
            write(&path, &counts::text(&tools, &records))?;
            return Ok(format!("{} has {} counts\n", counts::FILE, records.len()));
        }
        counts::check(&read(&path)?, &tools, &records, testing::under_ci())
    }

    fn sizes(&self) -> Result<String, String> {
        let sizes = sizes::sizes(&self.programs, &programs()?, &self.folder)?;
        Ok(format!("{}\n{}", sizes::table(&sizes, &peer()?), sizes::opcodes(&sizes)))
    }

    fn growth(&self) -> Result<String, String> {
        let sizes: Vec<usize> = SIZES.into_iter().filter(|&size| size <= sdlbc::limits::INSTRUCTIONS).collect();
        wall::growth(&self.programs, &sizes, &self.folder)
    }

    fn wall(&self, agalc: &Path) -> Result<String, String> {
        let Some(version) = wall::naga() else {
            return Ok("SKIPPED: the command naga is not installed (`cargo install naga-cli`)\n".to_string());
        };
        let others = inputs::others()?;
        let Some(input) = others.iter().find(|input| input.name == TIMED) else {
            return Ok(format!("SKIPPED: there is no {TIMED}\n"));
        };
        let table = wall::against_naga(agalc, &self.programs, input, &self.folder)?;
        Ok(format!("The naga command is version {version}.\n\n{table}"))
    }

    fn batch(&self, agalc: &Path) -> Result<String, String> {
        batch::table(agalc, &self.folder.join("batch"))
    }

    /// Returns all tables, and also writes them into docs/internals/performance.md if `renew` is true.
    fn table(&self, agalc: &Path, renew: bool) -> Result<String, String> {
        let inputs = programs()?;
        let records = self.programs.measure(&inputs, &self.folder)?;
        let baseline = records::parse(&read(&testdata("bench/baseline.txt"))?)?;
        let sizes = sizes::sizes(&self.programs, &inputs, &self.folder)?;
        let names: Vec<&str> = SHOWN.to_vec();
        let all = [
            ("whole", tables::whole(&baseline, &records)),
            ("own", tables::stages(&baseline, &records, &names, |of| of.own)),
            ("naga", tables::stages(&baseline, &records, &names, |of| of.naga)),
            ("allocations", tables::stages(&baseline, &records, &names, |of| of.allocations)),
            ("sizes", sizes::table(&sizes, &peer()?)),
            ("opcodes", sizes::opcodes(&sizes)),
            ("wall", self.wall(agalc)?),
            ("batches", self.batch(agalc)?),
            ("growth", self.growth()?),
        ];
        if renew {
            if inputs::others()?.is_empty() {
                return Err("the tables are of the corpus too, and ../shared/corpus is not there".to_string());
            }
            put(&all.each_ref().map(|(name, table)| (*name, table.as_str())))?;
        }
        Ok(all.map(|(name, table)| format!("{name}\n\n{table}\n")).concat())
    }

    /// Measures the baseline, an earlier version of the translator, with the same methods as the current version
    /// (testdata/bench/baseline/README.md).
    fn baseline(&self, folder: &Path) -> Result<String, String> {
        let programs = Programs::of(folder);
        let inputs: Vec<Input> = self::programs()?;
        let records: Vec<Record> = programs.measure(&inputs, &self.folder)?;
        let tools = counts::tools()?;
        let explained =
            "The baseline: testdata/bench/baseline/README.md says what it is and how it was measured.".to_string();
        let head: Vec<String> = std::iter::once(explained).chain(tools).collect();
        write(&testdata("bench/baseline.txt"), &records::format(&head, &records))?;
        let sizes = sizes::sizes(&programs, &inputs, &self.folder)?;
        write(&testdata("bench/baseline_sizes.txt"), &sizes::format(&sizes))?;
        Ok(format!("{} counts and {} sizes\n", records.len(), sizes.len()))
    }
}

/// Returns the AGAL inputs: all pairs, third-party programs and a long program.
fn programs() -> Result<Vec<Input>, String> {
    let mut inputs = inputs::held()?;
    inputs.retain(|input| input.cases.iter().all(|case| case.form == bench::case::Form::Agal));
    inputs.extend(inputs::others()?);
    Ok(inputs)
}

/// Reads the sizes of the peer's SPIR-V from the corpus. The peer is the best of the other translators. Returns no sizes if the
/// corpus is missing.
fn peer() -> Result<sizes::Peer, String> {
    let path = testing::corpus_folder().join("peer.tsv");
    if path.exists() { sizes::peer(&read(&path)?) } else { Ok(sizes::Peer::new()) }
}

fn put(tables: &[(&str, &str)]) -> Result<(), String> {
    let path = repository().join("docs/internals/performance.md");
    let page = tables.iter().try_fold(read(&path)?, |page, (name, table)| tables::put(&page, name, table))?;
    write(&path, &page)
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}
