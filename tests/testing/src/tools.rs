//! Runs external validators, compilers and provers.

use std::ffi::OsStr;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// Prints a line that is visible even if the test passes.
pub fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// An external tool, which is a program on the PATH.
#[derive(Clone, Copy, Debug)]
pub struct Tool {
    /// The name of the tool's executable.
    pub name: &'static str,
    /// Whether a run under CI fails if the tool is missing.
    pub required: bool,
}

/// The Khronos validator for SPIR-V.
pub const SPIRV_VAL: Tool = Tool { name: "spirv-val", required: true };
/// The Khronos assembler for SPIR-V text.
pub const SPIRV_AS: Tool = Tool { name: "spirv-as", required: true };
/// The Khronos reference compiler for GLSL.
pub const GLSLANG: Tool = Tool { name: "glslangValidator", required: true };
/// The command-line compiler of shaderc, which compiles many GLSL or HLSL files in one run.
pub const GLSLC: Tool = Tool { name: "glslc", required: true };
/// Microsoft's HLSL compiler, which `tests/tools/dxc` calls.
pub const DXC: Tool = Tool { name: "dxc", required: true };
/// A C++ compiler, which compiles MSL with our header in `tests/tools/msl`.
pub const CLANG: Tool = Tool { name: "clang", required: true };
/// The Khronos translator from SPIR-V to other languages.
pub const SPIRV_CROSS: Tool = Tool { name: "spirv-cross", required: true };
/// An SMT solver.
pub const Z3: Tool = Tool { name: "z3", required: true };
/// GNU's implementation of POSIX make, a build system.
pub const MAKE: Tool = Tool { name: "make", required: true };
/// A build system that reads depfiles.
pub const NINJA: Tool = Tool { name: "ninja", required: true };
/// A generator of build files for `make` and `ninja`.
pub const CMAKE: Tool = Tool { name: "cmake", required: true };
/// A validator for SARIF and other JSON files, which `tests/tools/sarif` calls.
pub const SARIF: Tool = Tool { name: "sarif", required: true };
/// Python, which runs `tests/tools/sdl_reader.py`.
pub const PYTHON: Tool = Tool { name: "python3", required: true };
/// Chromium's WGSL compiler.
pub const TINT: Tool = Tool { name: "tint", required: false };

impl Tool {
    /// Reports whether the tool is on the PATH, and prints a note if it is not. Under CI, a test fails if a required tool is
    /// missing.
    pub fn is_there(self) -> bool {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let found = std::env::split_paths(&path).any(|folder| folder.join(self.name).is_file());
        if !found {
            assert!(!(self.required && under_ci()), "{} is not on the PATH, and CI requires it", self.name);
            say(&format!("SKIPPED: {} is not on the PATH; nothing is validated with it", self.name));
        }
        found
    }

    /// Runs the tool with the given arguments.
    ///
    /// # Errors
    /// Returns the tool's output if the tool exits with a failure.
    pub fn run(self, arguments: &[&OsStr]) -> Result<(), String> {
        self.output(arguments).map(|_| ())
    }

    /// Runs the tool with the given working folder and arguments.
    ///
    /// # Errors
    /// Returns the tool's output if the tool exits with a failure.
    pub fn run_in(self, folder: &Path, arguments: &[&OsStr]) -> Result<(), String> {
        self.output_of(arguments, Command::new(self.name).current_dir(folder)).map(|_| ())
    }

    /// Runs the tool and returns its standard output.
    ///
    /// # Errors
    /// Returns the tool's output if the tool exits with a failure.
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

/// Reports whether the tests run under CI, where a missing required tool is a failure.
pub fn under_ci() -> bool {
    std::env::var_os("CI").is_some_and(|value| value == "true")
}
