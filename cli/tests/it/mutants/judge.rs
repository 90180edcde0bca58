//! Checks the exit code, messages and output files of a run of the command.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use agal_front::Program;
use agal_front::assemble::{AssembleOptions, assemble};
use tempfile::TempDir;

use super::good::Case;
use crate::support::{GLSLANG, Random, SPIRV_VAL, Tool, naga_accepts};

/// The time limit for a run of a debug build on a busy machine.
const LONGEST: Duration = Duration::from_secs(40);
/// The limit on a run's address space, in KiB.
const MEMORY: u32 = 4 << 20;

pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) took: Duration,
    pub(crate) out: Vec<u8>,
    pub(crate) err: String,
}

/// The installed validators, which check a sample of the outputs.
pub(crate) struct Tools {
    pub(crate) spirv_val: bool,
    pub(crate) glslang: bool,
}

fn run(folder: &Path, arguments: &[OsString]) -> Result<Ran, String> {
    let said = tempfile::tempdir().map_err(|error| error.to_string())?;
    let file = |name: &str| std::fs::File::create(said.path().join(name)).map_err(|error| error.to_string());
    let program = env!("CARGO_BIN_EXE_agalc");
    let mut command = if cfg!(unix) {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("ulimit -v {MEMORY}; exec \"$@\""), "sh", program]);
        shell
    } else {
        Command::new(program)
    };
    command.args(arguments).current_dir(folder).env_remove("RUST_BACKTRACE");
    let start = Instant::now();
    let mut child =
        command.stdin(Stdio::null()).stdout(file("out")?).stderr(file("err")?).spawn().map_err(|e| e.to_string())?;
    let status = loop {
        if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
            break status;
        }
        if start.elapsed() > LONGEST {
            let _ = child.kill();
            let _ = child.wait();
            return Err(format!("it takes longer than {LONGEST:?}"));
        }
        std::thread::sleep(Duration::from_millis(1));
    };
    let read = |name: &str| std::fs::read(said.path().join(name)).unwrap_or_default();
    let err = String::from_utf8_lossy(&read("err")).into_owned();
    Ok(Ran { code: status.code(), took: start.elapsed(), out: read("out"), err })
}

fn files(folder: &Path) -> BTreeMap<OsString, Vec<u8>> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| (entry.file_name(), std::fs::read(entry.path()).unwrap_or_default())).collect()
}

/// Runs a case in a temporary folder and checks the outcome.
pub(crate) fn judge(case: &Case, tools: &Tools, random: &mut Random) -> Result<Ran, String> {
    let folder: TempDir = tempfile::tempdir().map_err(|error| error.to_string())?;
    for (name, bytes) in &case.files {
        std::fs::write(folder.path().join(name), bytes).map_err(|error| format!("cannot set up {name:?}: {error}"))?;
    }
    let before = files(folder.path());
    let ran = run(folder.path(), &case.arguments)?;
    let fail = |what: &str| Err(format!("{what}; exit code {:?}, {:?}: {}", ran.code, ran.took, shortened(&ran.err)));
    if !matches!(ran.code, Some(0..=2)) {
        return fail("unexpected exit code");
    }
    for word in ["panicked", "internal error", "RUST_BACKTRACE", "overflow"] {
        if ran.err.contains(word) && !case.files.iter().any(|(_, bytes)| String::from_utf8_lossy(bytes).contains(word))
        {
            return fail(word);
        }
    }
    let is_document = case.arguments.iter().any(|argument| argument == "--format=sarif" || argument == "--format=json");
    if is_document
        && !ran.err.is_empty()
        && let Err(error) = serde_json::from_str::<serde_json::Value>(&ran.err)
    {
        return fail(&format!("its messages are not JSON: {error}"));
    }
    let command = case.arguments.first().and_then(|argument| argument.to_str()).unwrap_or_default();
    if ran.code != Some(0) && ran.err.trim().is_empty() && ran.out.is_empty() {
        return fail("it fails without a message");
    }
    if ran.code == Some(2) && !ran.out.is_empty() {
        return fail("an invalid command line writes to standard output");
    }
    let after = files(folder.path());
    for (name, bytes) in &before {
        match after.get(name) {
            None => return fail(&format!("the input {name:?} is gone")),
            Some(found) if found != bytes => return fail(&format!("the input {name:?} has changed")),
            Some(_) => {}
        }
    }
    let written: Vec<(&OsString, &Vec<u8>)> = after.iter().filter(|(name, _)| !before.contains_key(*name)).collect();
    for (name, _) in &written {
        if !name.to_string_lossy().starts_with('o') {
            return fail(&format!("unexpected file {name:?}"));
        }
    }
    // `compare` and `dump` write their output even if they exit with 1.
    if ran.code != Some(0) && !written.is_empty() && !matches!(command, "compare" | "dump") {
        return fail(&format!("it fails and writes {:?}", written[0].0));
    }
    for (name, bytes) in written {
        read_back(folder.path(), command, name, bytes, tools, random).map_err(|what| format!("{name:?}: {what}"))?;
    }
    let is_json = case.arguments.iter().any(|argument| argument == "--json" || argument == "--format=json");
    if is_json
        && ran.code != Some(2)
        && !ran.out.is_empty()
        && let Err(error) = serde_json::from_slice::<serde_json::Value>(&ran.out)
    {
        return fail(&format!("its output is not JSON: {error}"));
    }
    Ok(ran)
}

fn shortened(text: &str) -> String {
    text.chars().take(600).collect()
}

/// Checks that agalc or another tool can read an output in the output's format.
fn read_back(
    folder: &Path,
    command: &str,
    name: &OsStr,
    bytes: &[u8],
    tools: &Tools,
    random: &mut Random,
) -> Result<(), String> {
    let extension = Path::new(name).extension().and_then(OsStr::to_str).unwrap_or_default();
    let text = || std::str::from_utf8(bytes).map_err(|error| format!("it is not text: {error}"));
    let path = folder.join(name);
    let tool = |tool: Tool, options: &[&str]| {
        let options = options.iter().map(OsStr::new).chain([path.as_os_str()]);
        tool.run(&options.collect::<Vec<_>>())
    };
    match (command, extension) {
        ("compile" | "print" | "strip", "sdlbc") if bytes.starts_with(b"SDLSHADERBC") => {
            let module = sdlbc::decode(bytes).map_err(|error| format!("it cannot be read back: {error}"))?;
            if command == "strip" {
                // `strip` does not verify the module, so the stripped module may be invalid.
                return Ok(());
            }
            sdlbc::verify(&module).map_err(|violations| format!("it does not verify: {}", violations[0]))
        }
        ("compile", "sdlasm") | ("print", _) => {
            let module = sdlbc::parse(text()?).map_err(|errors| format!("it cannot be read back: {}", errors[0]))?;
            sdlbc::verify(&module).map_err(|violations| format!("it does not verify: {}", violations[0]))
        }
        ("compile", "wgsl") => match random.below(4) {
            0 => naga_accepts(text()?),
            _ => text().map(drop),
        },
        ("compile", "spv") => match random.below(8) {
            0 if tools.spirv_val => tool(SPIRV_VAL, &["--target-env", "vulkan1.1"]),
            _ if bytes.starts_with(&0x0723_0203u32.to_le_bytes()) => Ok(()),
            _ => Err("it is not SPIR-V".into()),
        },
        ("compile", "glsl") => {
            let name = name.to_string_lossy();
            let stage = ["vert", "frag"].into_iter().find(|stage| name.ends_with(&format!(".{stage}.glsl")));
            match stage {
                Some(stage) if tools.glslang && random.below(8) == 0 => tool(GLSLANG, &["-S", stage]),
                _ if text()?.starts_with("#version ") => Ok(()),
                _ => Err("it does not begin with a version".into()),
            }
        }
        ("compile", "spvasm") => text().map(drop),
        ("assemble", _) if bytes.first() == Some(&0xa0) => match Program::decode(bytes) {
            Ok((program, _)) if program.encode() == bytes => Ok(()),
            Ok(_) => Err("it reads back as another program".into()),
            Err(findings) => Err(format!("it cannot be read back: {findings:?}")),
        },
        ("assemble" | "disassemble", "agal") => {
            let assembled = assemble(text()?, &AssembleOptions::default().version(None));
            match assembled {
                Ok(_) => Ok(()),
                // Findings with a position are accepted here, because this check omits options of the run such as `--allow` and
                // `--stage`.
                Err(findings) if findings.iter().all(|finding| finding.place.span.is_some()) => Ok(()),
                Err(findings) => Err(format!("it cannot be read back: {findings:?}")),
            }
        }
        ("render" | "compare", _) => {
            let whole = bytes.starts_with(b"\x89PNG\r\n\x1a\n") && bytes.ends_with(b"IEND\xae\x42\x60\x82");
            if whole { Ok(()) } else { Err("it is not a complete picture".into()) }
        }
        _ => Ok(()),
    }
}
