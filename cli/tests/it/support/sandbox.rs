//! Runs the command in a temporary folder.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use tempfile::TempDir;

#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: Vec<u8>,
    pub(crate) err: String,
}

impl Ran {
    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.out).expect("text")
    }

    pub(crate) fn into_text(self) -> String {
        String::from_utf8(self.out).expect("text")
    }

    #[track_caller]
    pub(crate) fn failure(self, code: i32) -> Ran {
        assert_eq!(self.code, code, "{}", self.err);
        self
    }

    #[track_caller]
    pub(crate) fn success(self) -> Ran {
        assert_eq!(self.code, 0, "{}", self.err);
        self
    }
}

pub(crate) struct Sandbox {
    pub(crate) folder: TempDir,
}

impl Sandbox {
    pub(crate) fn new() -> Sandbox {
        Sandbox { folder: tempfile::tempdir().expect("a folder") }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), bytes).expect("the file");
    }

    /// Rewrites a file until its time stamp increases, so that build systems notice the change. File systems advance time stamps
    /// in steps of a few milliseconds.
    pub(crate) fn change(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let write = || {
            self.write(name, &bytes);
            std::fs::metadata(self.path(name)).and_then(|data| data.modified()).expect("a time")
        };
        let before = write();
        while write() <= before {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub(crate) fn text(&self, name: &str) -> String {
        String::from_utf8(self.read(name)).expect("text")
    }

    /// Returns the names of all files in the folder, including hidden files.
    pub(crate) fn files(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.folder.path()).expect("the folder");
        let mut names: Vec<String> =
            entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        self.run_with(arguments, b"")
    }

    pub(crate) fn run_with(&self, arguments: &[&str], input: &[u8]) -> Ran {
        let command = &mut self.command(arguments);
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = piped.spawn().expect("the command");
        // The write fails if the command exits without reading its input.
        let _ = child.stdin.take().expect("its input").write_all(input);
        let output = child.wait_with_output().expect("the command");
        let err = String::from_utf8(output.stderr).expect("text");
        assert!(!err.contains("panicked"), "{arguments:?}: {err}");
        assert!(!err.contains('\u{1b}') && !output.stdout.starts_with(b"\x1b"), "colours without a terminal: {err}");
        Ran { code: output.status.code().unwrap_or(-1), out: output.stdout, err }
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_agalc"));
        command.args(arguments).current_dir(self.folder.path()).env_remove("RUST_BACKTRACE");
        command
    }
}

pub(crate) const VERTEX: &str = "m44 op, va0, vc0\nmov v0, va1\n";
pub(crate) const FRAGMENT: &str = "tex ft0, v0, fs0 <2d,linear,miplinear>\nmul oc, ft0, fc0\n";

/// Returns a sandbox with a vertex and a fragment program as AGAL text.
pub(crate) fn pair() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("a.vert.agal", VERTEX);
    sandbox.write("a.frag.agal", FRAGMENT);
    sandbox
}

pub(crate) fn assembled(text: &str) -> Vec<u8> {
    let options = agal_front::assemble::AssembleOptions::default();
    agal_front::assemble::assemble(text, &options).expect("a program").program.encode()
}
