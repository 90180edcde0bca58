//! Runs the programs `stages` and `allocations` on inputs, and converts their output to records.
//!
//! Rule: a count depends only on the input and the programs. The programs run with an empty environment, because the size of the
//! environment shifts the addresses of the stack. The C library is set to use fixed memory-copying functions, because its default
//! choice depends on the processor.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::callgrind::read;
use crate::case::manifest;
use crate::inputs::{self, Input};
use crate::records::Record;

/// The paths of the two programs that run the stages.
#[derive(Clone, Debug)]
pub struct Programs {
    /// The path of the program that runs the stages for callgrind.
    pub stages: PathBuf,
    /// The path of the program that runs the stages with a counting allocator.
    pub allocations: PathBuf,
}

const MEASURED: &str = "stages::measured";

/// Settings that keep the C library from choosing functions according to the processor.
const TUNABLES: &str =
    "glibc.cpu.hwcaps=-AVX512F,-AVX512VL,-AVX2,-ERMS,-FSRM,-AVX_Fast_Unaligned_Load,-Prefer_No_VZEROUPPER";

impl Programs {
    /// Returns the paths of the measuring programs in a folder.
    pub fn of(folder: &Path) -> Programs {
        Programs { stages: folder.join("stages"), allocations: folder.join("allocations") }
    }

    /// Measures the stages of several inputs, two inputs at a time.
    ///
    /// # Errors
    /// Returns an error if a measuring program fails or its output is malformed.
    pub fn measure(&self, inputs: &[Input], folder: &Path) -> Result<Vec<Record>, String> {
        let next = std::sync::atomic::AtomicUsize::new(0);
        let work = || {
            let mut done = Vec::new();
            while let at = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed)
                && let Some(input) = inputs.get(at)
            {
                done.push((at, self.input(input, folder)));
            }
            done
        };
        let mut all: Vec<_> = std::thread::scope(|scope| {
            let other = scope.spawn(work);
            let mine = work();
            mine.into_iter().chain(other.join().expect("a thread that does not panic")).collect()
        });
        all.sort_by_key(|(at, _)| *at);
        let records: Result<Vec<Vec<Record>>, String> = all.into_iter().map(|(_, records)| records).collect();
        Ok(records?.concat())
    }

    fn input(&self, input: &Input, folder: &Path) -> Result<Vec<Record>, String> {
        let folder = folder.join(&input.name);
        let manifest = prepared(input, &folder)?;
        let mut records = self.instructions(input, &folder, &manifest)?;
        let text = output(Command::new(&self.allocations).env_clear().arg(&manifest))?;
        for line in text.lines() {
            let fields: Vec<&str> = line.split('\t').collect();
            let [_, stage, numbers @ ..] = fields.as_slice() else { return Err(format!("{line}: not a stage")) };
            let numbers: Result<Vec<u64>, _> = numbers.iter().map(|number| number.parse()).collect();
            let Ok(&[allocations, _, peak]) = numbers.as_deref() else { return Err(format!("{line}: not numbers")) };
            let record = records.iter_mut().find(|record| record.stage == *stage);
            let record = record.ok_or_else(|| format!("{stage} was not counted"))?;
            record.allocations += allocations;
            record.peak = record.peak.max(peak);
        }
        Ok(records)
    }

    /// Counts the instructions of each stage. Callgrind writes a dump before each call of [`MEASURED`], with the cost of the
    /// previous call, and a final dump with the cost of the last call. The first dump is empty.
    fn instructions(&self, input: &Input, folder: &Path, manifest: &Path) -> Result<Vec<Record>, String> {
        let out = folder.join("callgrind");
        let mut valgrind = Command::new("valgrind");
        let path = std::env::var_os("PATH").unwrap_or_default();
        valgrind.env_clear().env("PATH", path).env("GLIBC_TUNABLES", TUNABLES);
        valgrind.args(["--tool=callgrind", "--quiet", "--dump-line=no"]);
        valgrind.arg(format!("--callgrind-out-file={}", out.display()));
        valgrind.arg(format!("--toggle-collect={MEASURED}")).arg(format!("--dump-before={MEASURED}"));
        let text = output(valgrind.arg(&self.stages).arg("count").arg(manifest))?;
        let stages: Vec<&str> = text.lines().collect();
        let mut records = Vec::new();
        for (line, at) in stages.iter().zip(1..) {
            let (stage, length) = line.split_once('\t').ok_or_else(|| format!("{line}: not a stage"))?;
            let name = if at == stages.len() { "callgrind".to_string() } else { format!("callgrind.{}", at + 1) };
            let file = folder.join(name);
            let text = std::fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
            let dump = read(&text).map_err(|error| format!("{}: {error}", file.display()))?;
            if dump.instructions == 0 {
                return Err(format!("{}, {stage}: callgrind counted nothing", input.name));
            }
            let naga = dump.naga();
            records.push(Record {
                input: input.name.clone(),
                stage: stage.to_string(),
                length: length.parse().map_err(|_| format!("{line}: not a length"))?,
                own: dump.instructions - naga,
                naga,
                ..Record::default()
            });
        }
        Ok(records)
    }

    /// Measures the time of some stages in nanoseconds, and the maximum heap size in bytes of the stage `heap`.
    ///
    /// # Errors
    /// Returns an error if a measuring program fails.
    pub fn times(
        &self,
        input: &Input,
        stages: &[&str],
        heap: &str,
        folder: &Path,
    ) -> Result<(Vec<(String, u64)>, u64), String> {
        let manifest = prepared(input, &folder.join(&input.name))?;
        let times = output(Command::new(&self.stages).arg("time").arg(&manifest).args(stages))?;
        let time = |line: &str| {
            let (stage, time) = line.split_once('\t')?;
            Some((stage.to_string(), time.parse().ok()?))
        };
        let times = times.lines().map(|line| time(line).ok_or_else(|| format!("{line}: not a time")));
        let peaks = output(Command::new(&self.allocations).arg(&manifest).arg(heap))?;
        let peak = |line: &str| line.rsplit('\t').next().and_then(|peak| peak.parse().ok()).unwrap_or(0);
        Ok((times.collect::<Result<_, String>>()?, peaks.lines().map(peak).max().unwrap_or(0)))
    }

    /// Writes the SPIR-V and WGSL of each case of an input to a folder, and returns the names of the cases.
    ///
    /// # Errors
    /// Fails if the program `stages` fails.
    pub fn write(&self, input: &Input, folder: &Path) -> Result<Vec<String>, String> {
        let folder = folder.join(&input.name);
        let manifest = prepared(input, &folder)?;
        output(Command::new(&self.stages).arg("write").arg(manifest).arg(&folder))?;
        Ok(input.cases.iter().map(|case| case.name.clone()).collect())
    }
}

/// Writes the files of an input to an empty folder, and returns the path of the manifest.
fn prepared(input: &Input, folder: &Path) -> Result<PathBuf, String> {
    let fail = |error: std::io::Error| format!("{}: {error}", folder.display());
    if folder.exists() {
        std::fs::remove_dir_all(folder).map_err(fail)?;
    }
    std::fs::create_dir_all(folder).map_err(fail)?;
    let path = folder.join("manifest");
    std::fs::write(&path, manifest(&inputs::write(input, folder)?)).map_err(fail)?;
    Ok(path)
}

/// Runs a program and returns its standard output.
///
/// # Errors
/// Fails if the program cannot be run or does not succeed.
pub fn output(command: &mut Command) -> Result<String, String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let Output { status, stdout, stderr } = command.output().map_err(|error| format!("{program}: {error}"))?;
    if !status.success() {
        return Err(format!("{program}: {status}\n{}", String::from_utf8_lossy(&stderr)));
    }
    Ok(String::from_utf8_lossy(&stdout).into_owned())
}
