//! External validators and provers.

use std::ffi::OsStr;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// Prints a line that is visible even if the test passes.
pub fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// A validator: a program on the PATH.
#[derive(Clone, Copy, Debug)]
pub struct Tool {
    /// The program's name.
    pub name: &'static str,
    /// Whether a run under CI fails without it.
    pub required: bool,
}

/// Khronos' validator of SPIR-V.
pub const SPIRV_VAL: Tool = Tool { name: "spirv-val", required: true };
/// Khronos' assembler of SPIR-V text.
pub const SPIRV_AS: Tool = Tool { name: "spirv-as", required: true };
/// Khronos' reference compiler of GLSL.
pub const GLSLANG: Tool = Tool { name: "glslangValidator", required: true };
/// Khronos' reference compiler in the form of shaderc's command: many files in one run, of GLSL or HLSL.
pub const GLSLC: Tool = Tool { name: "glslc", required: true };
/// Microsoft's compiler of HLSL, called by `tests/tools/dxc`.
pub const DXC: Tool = Tool { name: "dxc", required: true };
/// A compiler of C++, which reads MSL with a header of ours (`tests/tools/msl`).
pub const CLANG: Tool = Tool { name: "clang", required: true };
/// Khronos' translator of SPIR-V to other languages.
pub const SPIRV_CROSS: Tool = Tool { name: "spirv-cross", required: true };
/// An SMT solver.
pub const Z3: Tool = Tool { name: "z3", required: true };
/// GNU's implementation of POSIX make, a build system.
pub const MAKE: Tool = Tool { name: "make", required: true };
/// A build system that reads depfiles.
pub const NINJA: Tool = Tool { name: "ninja", required: true };
/// A generator of files for `make` and `ninja`.
pub const CMAKE: Tool = Tool { name: "cmake", required: true };
/// A validator of SARIF and other JSON, called by `tests/tools/sarif`.
pub const SARIF: Tool = Tool { name: "sarif", required: true };
/// Python, which runs `tests/tools/sdl_reader.py`.
pub const PYTHON: Tool = Tool { name: "python3", required: true };
/// Chromium's compiler of WGSL.
pub const TINT: Tool = Tool { name: "tint", required: false };

impl Tool {
    /// Whether the tool is on the PATH. Prints a note if it is not; under CI, a required tool that is missing fails the test.
    pub fn is_there(self) -> bool {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let found = std::env::split_paths(&path).any(|folder| folder.join(self.name).is_file());
        if !found {
            assert!(!(self.required && under_ci()), "{} is not on the PATH, and CI requires it", self.name);
            say(&format!("SKIPPED: {} is not on the PATH; nothing is validated with it", self.name));
        }
        found
    }

    /// Runs the tool.
    ///
    /// # Errors
    /// The tool exits with a failure; the error is its output.
    pub fn run(self, arguments: &[&OsStr]) -> Result<(), String> {
        self.output(arguments).map(|_| ())
    }

    /// Runs the tool in a folder.
    ///
    /// # Errors
    /// The tool exits with a failure; the error is its output.
    pub fn run_in(self, folder: &Path, arguments: &[&OsStr]) -> Result<(), String> {
        self.output_of(arguments, Command::new(self.name).current_dir(folder)).map(|_| ())
    }

    /// Runs the tool and returns its output.
    ///
    /// # Errors
    /// The tool exits with a failure; the error is its output.
    pub fn output(self, arguments: &[&OsStr]) -> Result<String, String> {
        self.output_of(arguments, &mut Command::new(self.name))
    }

    fn output_of(self, arguments: &[&OsStr], command: &mut Command) -> Result<String, String> {
        let output = command.args(arguments).stdin(Stdio::null()).output();
        let output = output.unwrap_or_else(|error| panic!("{}: {error}", self.name));
        if output.status.success() {
            return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
        }
        let [out, err] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        Err(format!("{} {arguments:?}:\n{out}{err}", self.name))
    }
}

/// Whether the tests run under CI, where a missing tool is a failure.
pub fn under_ci() -> bool {
    std::env::var_os("CI").is_some_and(|value| value == "true")
}
