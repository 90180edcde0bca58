//! Measures the time of a batch: 2,000 shaders in one run with one thread, in one run with several threads, and in a separate
//! process for each shader.
//!
//! Rules: a batch's time is the shortest of several runs, because other processes also use the machine. Runs of different kinds
//! alternate. Each run writes to its own folder, and all folders are removed at the end, because ext4 takes a long time to
//! reuse the inode of a file that was just removed. All kinds of runs must write the same files.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use testing::{files, files_below, testdata};

use crate::measure::output;

const SHADERS: usize = 2000;
/// The number of runs of each batch.
const RUNS: usize = 5;
/// The name of the testdata pair that agalc rejects unless an option is set. Batches omit this pair.
const REFUSED: &str = "chosen_level";

/// Measures a batch with one thread, with several threads, and with a separate process for each shader. All runs write
/// WGSL.
///
/// # Errors
/// Returns an error if a run fails, or if the kinds of runs write different files.
pub fn table(agalc: &Path, folder: &Path) -> Result<String, String> {
    remove(folder)?;
    let shaders = shaders(&folder.join("shaders"))?;
    let threads = [1, 2, std::thread::available_parallelism().map_or(2, Into::into)];
    let threads = if threads[2] > 2 { &threads[..] } else { &threads[..2] };
    let mut times = vec![Duration::MAX; threads.len()];
    let mut written = Vec::new();
    for run in 0..RUNS {
        for (&threads, time) in threads.iter().zip(&mut times) {
            let out = folder.join(format!("batch-{threads}-{run}"));
            let mut batch = Command::new(agalc);
            batch.arg("compile").arg(folder.join("shaders")).arg("-o").arg(&out).args(["--to", "wgsl", "-j"]);
            let begin = Instant::now();
            output(batch.arg(threads.to_string()))?;
            *time = begin.elapsed().min(*time);
        }
    }
    for threads in threads {
        written.push(contents(&folder.join(format!("batch-{threads}-0")))?);
    }
    let out = folder.join("processes");
    let begin = Instant::now();
    for (place, pair) in &shaders {
        let mut one = Command::new(agalc);
        one.arg("compile").args(pair).arg("-o").arg(out.join(place).with_extension("wgsl"));
        let status = one.stdout(Stdio::null()).stderr(Stdio::null()).status().map_err(|error| error.to_string())?;
        if !status.success() {
            return Err(format!("{pair:?} is refused"));
        }
    }
    let apart = begin.elapsed();
    written.push(contents(&out)?);
    if written.iter().any(|of| *of != written[0]) || written[0].len() != SHADERS {
        return Err("a batch and processes write different files".to_string());
    }
    remove(folder)?;
    let mut text =
        "| run | seconds | milliseconds a shader | speed-up over one thread | speed-up over one process per shader |\n\
                    |---|---:|---:|---:|---:|\n"
            .to_string();
    let mut row = |name: String, time: Duration| {
        let (one, each) = (times[0].as_secs_f64(), time.as_secs_f64() / SHADERS as f64 * 1e3);
        let (to_one, to_apart) = (one / time.as_secs_f64(), apart.as_secs_f64() / time.as_secs_f64());
        let seconds = time.as_secs_f64();
        writeln!(text, "| {name} | {seconds:.2} | {each:.3} | {to_one:.2} | {to_apart:.1} |").expect("memory");
    };
    for (threads, &time) in threads.iter().zip(&times) {
        let plural = if *threads == 1 { "thread" } else { "threads" };
        row(format!("a batch, {threads} {plural}"), time);
    }
    row("a process for each shader".to_string(), apart);
    Ok(text)
}

/// Writes the shaders: the pairs of testdata, repeated with a different comment each time. Returns the output path of each
/// shader, without an extension, and the paths of the shader's two programs.
fn shaders(folder: &Path) -> Result<Vec<(PathBuf, [PathBuf; 2])>, String> {
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    let vertex = files(&testdata("pairs"), ".vert.agal");
    let names: Vec<String> = vertex
        .iter()
        .filter_map(|path| path.file_name()?.to_str()?.strip_suffix(".vert.agal").map(str::to_string))
        .filter(|name| name != REFUSED)
        .collect();
    let mut shaders = Vec::new();
    for (index, name) in names.iter().cycle().take(SHADERS).enumerate() {
        let place = PathBuf::from(format!("{:02}/{index:04}_{name}", index / 100));
        let mut pair = [PathBuf::new(), PathBuf::new()];
        for (stage, path) in ["vert", "frag"].into_iter().zip(&mut pair) {
            let text =
                std::fs::read_to_string(testdata("pairs").join(format!("{name}.{stage}.agal"))).map_err(failed)?;
            *path = folder.join(format!("{}.{stage}.agal", place.display()));
            std::fs::create_dir_all(path.parent().unwrap_or(folder)).map_err(failed)?;
            std::fs::write(&*path, format!("{text}\n// {index}\n")).map_err(failed)?;
        }
        shaders.push((place, pair));
    }
    Ok(shaders)
}

fn remove(folder: &Path) -> Result<(), String> {
    match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(format!("{}: {error}", folder.display())),
        _ => Ok(()),
    }
}

/// Returns the WGSL files in a folder and its subfolders, keyed by their paths relative to the folder.
fn contents(folder: &Path) -> Result<BTreeMap<PathBuf, Vec<u8>>, String> {
    let mut contents = BTreeMap::new();
    for path in files_below(folder, ".wgsl") {
        let bytes = std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        contents.insert(path.strip_prefix(folder).unwrap_or(&path).to_path_buf(), bytes);
    }
    Ok(contents)
}
