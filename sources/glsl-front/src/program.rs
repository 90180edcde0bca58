//! Runs the compilers: for GLSL, `glslangValidator`, or else `glslc`; for HLSL, `dxc`, or else `glslc`.

use sdlbc::FunctionKind;

use crate::source::Language;

/// The reason why a source was not compiled.
pub(crate) enum Failure {
    /// No program was found.
    Missing,
    /// No program could be run, for the reason in this text.
    Broken(String),
    /// The program rejected the source, and printed this text.
    Errors(String),
}

/// Returns the message for a source whose compiler is missing.
pub(crate) fn missing(language: Language<'_>) -> &'static str {
    match (language, cfg!(target_family = "wasm")) {
        (Language::Glsl { .. }, true) => {
            "GLSL is not read in WebAssembly; translate it to SPIR-V, for example with `glslangValidator -V`"
        }
        (Language::Hlsl { .. }, true) => {
            "HLSL is not read in WebAssembly; translate it to SPIR-V, for example with `dxc -spirv`"
        }
        (Language::Glsl { .. }, false) => {
            "GLSL is read by glslang, and neither `glslangValidator` nor `glslc` is on the PATH; install one (Debian's packages \
             glslang-tools and glslc, or the Vulkan SDK), or give the shader as SPIR-V"
        }
        (Language::Hlsl { .. }, false) => {
            "HLSL is read by Microsoft's compiler, and neither `dxc` nor `glslc` is on the PATH; install one (the Vulkan SDK, or \
             Debian's package glslc), or give the shader as SPIR-V"
        }
    }
}

#[cfg(target_family = "wasm")]
pub(crate) fn compile(_: &str, _: FunctionKind, _: Language<'_>) -> Result<Vec<u8>, Failure> {
    Err(Failure::Missing)
}

#[cfg(target_family = "wasm")]
pub(crate) fn version(_: Language<'_>) -> Option<String> {
    None
}

#[cfg(not(target_family = "wasm"))]
pub(crate) use native::{compile, version};

#[cfg(not(target_family = "wasm"))]
mod native {
    use std::io::Write;
    use std::process::{Command, Stdio};

    use super::{Failure, FunctionKind, Language};

    /// The name of the source file in the temporary folder. Only `dxc` needs the file, because it does not read its standard input.
    const INPUT: &str = "source";
    const OUTPUT: &str = "module.spv";

    /// Compiles a source. A GLSL version, if given, replaces the version that the source states.
    pub(crate) fn compile(text: &str, stage: FunctionKind, language: Language<'_>) -> Result<Vec<u8>, Failure> {
        let broken = |error| Failure::Broken(format!("cannot use a temporary folder: {error}"));
        let folder = tempfile::Builder::new().prefix("agalc-").tempdir().map_err(broken)?;
        let commands = match language {
            Language::Glsl { version } => {
                let version = version.map(|version| version.to_string());
                [validator(stage, version.as_deref()), glslc_of_glsl(stage, version.as_deref())]
            }
            Language::Hlsl { entry } => {
                std::fs::write(folder.path().join(INPUT), text).map_err(broken)?;
                [dxc(stage, entry), glslc_of_hlsl(stage, entry)]
            }
        };
        for mut command in commands {
            let Some(printed) = run(command.current_dir(folder.path()), text)? else { continue };
            // If the program found no errors, it has written the module.
            return std::fs::read(folder.path().join(OUTPUT)).map_err(|_| Failure::Errors(printed));
        }
        Err(Failure::Missing)
    }

    /// Returns what the compiler of a language prints about its version, or `None` if no compiler is found.
    pub(crate) fn version(language: Language<'_>) -> Option<String> {
        let programs = match language {
            Language::Glsl { .. } => ["glslangValidator", "glslc"],
            Language::Hlsl { .. } => ["dxc", "glslc"],
        };
        programs.into_iter().find_map(|program| run(Command::new(program).arg("--version"), "").ok()?)
    }

    /// Returns the name of a stage in glslang's options.
    fn name(stage: FunctionKind) -> &'static str {
        match stage {
            FunctionKind::Vertex => "vert",
            FunctionKind::Compute => "comp",
            _ => "frag",
        }
    }

    fn validator(stage: FunctionKind, version: Option<&str>) -> Command {
        let mut command = Command::new("glslangValidator");
        command.args(["--stdin", "-S", name(stage), "-V", "-R", "--aml", "--amb", "-g", "--quiet", "-o", OUTPUT]);
        if let Some(version) = version {
            command.args(["--glsl-version", version]);
        }
        command
    }

    fn glslc(stage: FunctionKind) -> Command {
        let mut command = Command::new("glslc");
        command.arg(format!("-fshader-stage={}", name(stage)));
        command.args(["-fauto-map-locations", "-fauto-bind-uniforms", "-g", "-w", "-o", OUTPUT]);
        command
    }

    fn glslc_of_glsl(stage: FunctionKind, version: Option<&str>) -> Command {
        let mut command = glslc(stage);
        if let Some(version) = version {
            command.arg(format!("-std={version}"));
        }
        command.arg("-");
        command
    }

    fn glslc_of_hlsl(stage: FunctionKind, entry: &str) -> Command {
        let mut command = glslc(stage);
        command.args(["-x", "hlsl"]).arg(format!("-fentry-point={entry}")).arg("-");
        command
    }

    fn dxc(stage: FunctionKind, entry: &str) -> Command {
        let mut command = Command::new("dxc");
        let profile = match stage {
            FunctionKind::Vertex => "vs_6_0",
            FunctionKind::Compute => "cs_6_0",
            _ => "ps_6_0",
        };
        command.args(["-spirv", "-fspv-debug=line", "-T", profile, "-E", entry, "-Fo", OUTPUT, INPUT]);
        command
    }

    /// Runs a program on a source. Returns the program's output, or `None` if the program does not exist.
    fn run(command: &mut Command, text: &str) -> Result<Option<String>, Failure> {
        let name = command.get_program().to_string_lossy().into_owned();
        let broken = |error: std::io::Error| Failure::Broken(format!("cannot run `{name}`: {error}"));
        let started = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let mut child = match started {
            Ok(child) => child,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(broken(error)),
        };
        let stdin = child.stdin.take();
        let output = std::thread::scope(|scope| {
            // A thread writes the input, because the program may print before it has read all of its input, or end without reading it.
            scope.spawn(|| stdin.map(|mut stdin| stdin.write_all(text.as_bytes())));
            child.wait_with_output()
        });
        let output = output.map_err(broken)?;
        let printed = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        Ok(Some(printed.concat()))
    }
}
