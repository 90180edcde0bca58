//! Runs glslang's programs: `glslangValidator`, and `glslc` if there is no `glslangValidator` on the PATH.

use sdlbc::FunctionKind;
use sdlbc::front::GlslVersion;

/// The reasons why a program did not compile a source.
pub(crate) enum Failure {
    /// No program was found.
    Missing,
    /// A program could not be run.
    Broken(String),
    /// The program refused the source: the text that it printed.
    Errors(String),
}

#[cfg(target_family = "wasm")]
pub(crate) const MISSING: &str =
    "GLSL is not read in WebAssembly; translate it to SPIR-V, for example with `glslangValidator -V`";

#[cfg(target_family = "wasm")]
pub(crate) fn compile(_: &str, _: FunctionKind, _: Option<GlslVersion>) -> Result<Vec<u8>, Failure> {
    Err(Failure::Missing)
}

#[cfg(not(target_family = "wasm"))]
pub(crate) use native::{MISSING, compile};

#[cfg(not(target_family = "wasm"))]
mod native {
    use std::io::Write;
    use std::path::Path;
    use std::process::{Command, Stdio};

    use super::{Failure, FunctionKind, GlslVersion};

    pub(crate) const MISSING: &str = "GLSL is read by glslang, and neither `glslangValidator` nor `glslc` is on the PATH; \
        install one (Debian's packages glslang-tools and glslc, or the Vulkan SDK), or give the shader as SPIR-V";

    /// Compiles a source. `version` replaces the version that the source states.
    pub(crate) fn compile(text: &str, stage: FunctionKind, version: Option<GlslVersion>) -> Result<Vec<u8>, Failure> {
        let folder = tempfile::Builder::new().prefix("agalc-").tempdir();
        let folder = folder.map_err(|error| Failure::Broken(format!("cannot make a temporary folder: {error}")))?;
        let stage = match stage {
            FunctionKind::Vertex => "vert",
            FunctionKind::Compute => "comp",
            _ => "frag",
        };
        let output = folder.path().join("module.spv");
        for mut command in [validator(stage, version, &output), glslc(stage, version, &output)] {
            let Some(printed) = run(command.current_dir(folder.path()), text)? else { continue };
            // Without errors, the program has written the module.
            return std::fs::read(&output).map_err(|_| Failure::Errors(printed));
        }
        Err(Failure::Missing)
    }

    fn validator(stage: &str, version: Option<GlslVersion>, output: &Path) -> Command {
        let mut command = Command::new("glslangValidator");
        command.args(["--stdin", "-S", stage, "-V", "-R", "--aml", "--amb", "-g", "--quiet", "-o"]).arg(output);
        if let Some(version) = version {
            command.args(["--glsl-version", &version.to_string()]);
        }
        command
    }

    fn glslc(stage: &str, version: Option<GlslVersion>, output: &Path) -> Command {
        let mut command = Command::new("glslc");
        command.arg(format!("-fshader-stage={stage}"));
        command.args(["-fauto-map-locations", "-fauto-bind-uniforms", "-g", "-w", "-", "-o"]).arg(output);
        if let Some(version) = version {
            command.arg(format!("-std={version}"));
        }
        command
    }

    /// Runs a program on a source. Returns what it printed, or `None` if there is no such program.
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
            // The program may print before it has read all of its input.
            scope.spawn(|| stdin.map(|mut stdin| stdin.write_all(text.as_bytes())));
            child.wait_with_output()
        });
        let output = output.map_err(broken)?;
        let printed = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        Ok(Some(printed.concat()))
    }
}
