//! Runs the programs that compile: for GLSL, `glslangValidator`, or else `glslc`; for HLSL, `dxc`, or else `glslc`.

use sdlbc::FunctionKind;
use sdlbc::front::GlslVersion;

use crate::failure::{Failure, Rules};
use crate::source::Language;

#[cfg(target_family = "wasm")]
pub(crate) fn compile(_: &str, _: FunctionKind, _: Language<'_>, _: Rules) -> Result<Vec<u8>, Failure> {
    Err(Failure::Missing)
}

#[cfg(target_family = "wasm")]
pub(crate) fn preprocess(_: &str, _: FunctionKind, _: Option<GlslVersion>) -> Result<Option<String>, Failure> {
    Err(Failure::Missing)
}

#[cfg(target_family = "wasm")]
pub(crate) fn version(_: Language<'_>) -> Option<String> {
    None
}

#[cfg(target_family = "wasm")]
pub(crate) fn has_glslc() -> bool {
    false
}

#[cfg(not(target_family = "wasm"))]
pub(crate) use native::{compile, has_glslc, preprocess, version};

#[cfg(all(test, feature = "glsl"))]
thread_local! {
    /// Whether the tests of this thread pretend that the PATH has no programs.
    pub(crate) static HAS_NO_PROGRAMS: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

#[cfg(not(target_family = "wasm"))]
mod native {
    use std::io::{ErrorKind, Read, Write};
    use std::path::PathBuf;
    use std::process::{Child, Command, Stdio};
    use std::time::{Duration, Instant};

    use super::{Failure, FunctionKind, GlslVersion, Language, Rules};

    /// The name of the source file in the temporary folder. Only `dxc` needs the file, because it does not read its standard input.
    const INPUT: &str = "source";
    const OUTPUT: &str = "module.spv";
    /// The time in which a compiler must finish.
    const LONGEST: Duration = Duration::from_secs(60);

    /// Compiles a source. The version of GLSL, if there is one, replaces the version that the source states.
    pub(crate) fn compile(
        text: &str,
        stage: FunctionKind,
        language: Language<'_>,
        rules: Rules,
    ) -> Result<Vec<u8>, Failure> {
        let broken = |error| Failure::Broken(format!("cannot use a temporary folder: {error}"));
        let folder = tempfile::Builder::new().prefix("agalc-").tempdir().map_err(broken)?;
        let commands = match language {
            Language::Glsl { version } => {
                let version = version.map(|version| version.to_string());
                [validator(stage, version.as_deref(), rules), glslc_of_glsl(stage, version.as_deref(), rules.numbers)]
            }
            Language::Hlsl { entry } => {
                std::fs::write(folder.path().join(INPUT), text).map_err(broken)?;
                [dxc(stage, entry), glslc_of_hlsl(stage, entry)]
            }
        };
        for mut command in commands.into_iter().flatten() {
            let Some(printed) = run(command.current_dir(folder.path()), text)? else { continue };
            let printed = String::from_utf8_lossy(&printed.concat()).into_owned();
            // Without errors, the program has written the module.
            return std::fs::read(folder.path().join(OUTPUT)).map_err(|_| Failure::Errors(printed));
        }
        Err(Failure::Missing)
    }

    /// Preprocesses a GLSL source as `version`, or as the version that the source states. Returns `None` if there is no `glslangValidator`.
    pub(crate) fn preprocess(
        text: &str,
        stage: FunctionKind,
        version: Option<GlslVersion>,
    ) -> Result<Option<String>, Failure> {
        let Some(mut command) = program("glslangValidator") else { return Ok(None) };
        command.args(["-E", "--stdin", "-S", name(stage)]);
        if let Some(version) = version {
            command.args(["--glsl-version", &version.to_string()]);
        }
        let Some([printed, errors]) = run(command.current_dir(std::env::temp_dir()), text)? else { return Ok(None) };
        let errors = String::from_utf8_lossy(&errors).into_owned();
        if errors.contains("ERROR:") {
            return Err(Failure::Errors(errors));
        }
        Ok(Some(String::from_utf8_lossy(&printed).into_owned()))
    }

    /// Reports whether the PATH has `glslc`.
    pub(crate) fn has_glslc() -> bool {
        program("glslc").is_some()
    }

    /// Returns what the program for a language prints about its version, or `None` if there is no program.
    pub(crate) fn version(language: Language<'_>) -> Option<String> {
        let programs = match language {
            Language::Glsl { .. } => ["glslangValidator", "glslc"],
            Language::Hlsl { .. } => ["dxc", "glslc"],
        };
        let printed = programs.into_iter().find_map(|name| run(program(name)?.arg("--version"), "").ok()?)?;
        Some(String::from_utf8_lossy(&printed.concat()).into_owned())
    }

    /// Returns a command that runs a program of the PATH, if it is there. A relative folder of the PATH is in the current folder.
    fn program(name: &str) -> Option<Command> {
        #[cfg(all(test, feature = "glsl"))]
        if super::HAS_NO_PROGRAMS.get() {
            return None;
        }
        let path = std::env::var_os("PATH")?;
        let here = std::env::current_dir().ok()?;
        let name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
        let mut files = std::env::split_paths(&path).map(|folder| here.join(folder).join(&name));
        files.find(|file: &PathBuf| file.is_file()).map(Command::new)
    }

    /// Returns the name of a stage in glslang's options.
    fn name(stage: FunctionKind) -> &'static str {
        match stage {
            FunctionKind::Vertex => "vert",
            FunctionKind::Compute => "comp",
            _ => "frag",
        }
    }

    fn validator(stage: FunctionKind, version: Option<&str>, rules: Rules) -> Option<Command> {
        let mut command = program("glslangValidator")?;
        command.args(["--stdin", "-S", name(stage), "-V", "--amb", "-g", "--quiet", "-o", OUTPUT]);
        if rules.is_relaxed {
            command.arg("-R");
        }
        if rules.numbers {
            command.arg("--aml");
        }
        if let Some(version) = version {
            command.args(["--glsl-version", version]);
        }
        Some(command)
    }

    fn glslc(stage: FunctionKind, numbers: bool) -> Option<Command> {
        let mut command = program("glslc")?;
        command.arg(format!("-fshader-stage={}", name(stage)));
        command.args(["-fauto-bind-uniforms", "-g", "-w", "-o", OUTPUT]);
        if numbers {
            command.arg("-fauto-map-locations");
        }
        Some(command)
    }

    fn glslc_of_glsl(stage: FunctionKind, version: Option<&str>, numbers: bool) -> Option<Command> {
        let mut command = glslc(stage, numbers)?;
        if let Some(version) = version {
            command.arg(format!("-std={version}"));
        }
        command.arg("-");
        Some(command)
    }

    fn glslc_of_hlsl(stage: FunctionKind, entry: &str) -> Option<Command> {
        let mut command = glslc(stage, true)?;
        command.args(["-fhlsl-functionality1", "-x", "hlsl"]).arg(format!("-fentry-point={entry}")).arg("-");
        Some(command)
    }

    fn dxc(stage: FunctionKind, entry: &str) -> Option<Command> {
        let mut command = program("dxc")?;
        let profile = match stage {
            FunctionKind::Vertex => "vs_6_0",
            FunctionKind::Compute => "cs_6_0",
            _ => "ps_6_0",
        };
        let options = ["-spirv", "-fspv-debug=line", "-fspv-reflect"];
        command.args(options).args(["-T", profile, "-E", entry, "-Fo", OUTPUT, INPUT]);
        Some(command)
    }

    /// Runs a program on a source. Returns its standard output and its errors, or `None` if the program cannot be executed.
    fn run(command: &mut Command, text: &str) -> Result<Option<[Vec<u8>; 2]>, Failure> {
        let name = command.get_program().to_string_lossy().into_owned();
        let broken = |error: std::io::Error| Failure::Broken(format!("cannot run `{name}`: {error}"));
        let started = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let mut child = match started {
            Ok(child) => child,
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::PermissionDenied) => return Ok(None),
            Err(error) => return Err(broken(error)),
        };
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        std::thread::scope(|scope| {
            // The program may print before it has read all of its input, or end without reading it.
            scope.spawn(|| stdin.map(|mut stdin| stdin.write_all(text.as_bytes())));
            let outputs = [scope.spawn(|| read(stdout)), scope.spawn(|| read(stderr))];
            let is_done = wait(&mut child).map_err(broken)?;
            let outputs = outputs.map(|output| output.join().unwrap_or_default());
            if !is_done {
                return Err(Failure::Broken(format!("`{name}` did not finish within {} s", LONGEST.as_secs())));
            }
            Ok(Some(outputs))
        })
    }

    fn read(from: Option<impl Read>) -> Vec<u8> {
        let mut bytes = Vec::new();
        // What was read before an error is kept.
        _ = from.map(|mut from| from.read_to_end(&mut bytes));
        bytes
    }

    /// Waits for the end of a program, and ends it after [`LONGEST`]. Returns whether it ended by itself.
    fn wait(child: &mut Child) -> std::io::Result<bool> {
        let begun = Instant::now();
        let mut pause = Duration::from_millis(1);
        while child.try_wait()?.is_none() {
            if begun.elapsed() > LONGEST {
                child.kill()?;
                child.wait()?;
                return Ok(false);
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(10));
        }
        Ok(true)
    }
}
