//! The validators that are not ours, and work on two threads; for the tests of every crate that has outputs to judge.

#![allow(dead_code)]

use std::io::Write;
use std::process::{Command, Stdio};

/// Says something where it is seen even when the test passes.
pub(crate) fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// Whether naga's own front end takes the text.
pub(crate) fn naga_takes_wgsl(text: &str) -> Result<(), String> {
    let module = naga::front::wgsl::parse_str(text).map_err(|error| error.emit_to_string(text))?;
    let (flags, halves) = (naga::valid::ValidationFlags::all(), naga::valid::Capabilities::SHADER_FLOAT16);
    let checked = naga::valid::Validator::new(flags, halves).validate(&module);
    checked.map(drop).map_err(|error| error.emit_to_string(text))
}

/// A validator that is a program of its own.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tool {
    pub(crate) name: &'static str,
    /// Whether it must be there under CI.
    pub(crate) required: bool,
}

pub(crate) const SPIRV_VAL: Tool = Tool { name: "spirv-val", required: true };
pub(crate) const SPIRV_AS: Tool = Tool { name: "spirv-as", required: true };
pub(crate) const GLSLANG: Tool = Tool { name: "glslangValidator", required: true };
pub(crate) const TINT: Tool = Tool { name: "tint", required: false };

impl Tool {
    /// Whether it can be used; where it is missing that is said, and is a failure under CI if it is required.
    pub(crate) fn is_there(self) -> bool {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let found = std::env::split_paths(&path).any(|folder| folder.join(self.name).is_file());
        if !found {
            assert!(!(self.required && under_ci()), "{} is not on the PATH, and CI needs it", self.name);
            say(&format!("SKIPPED: {} is not on the PATH; nothing is validated with it", self.name));
        }
        found
    }

    /// Runs it; `Err` holds what it said.
    pub(crate) fn run(self, arguments: &[&std::ffi::OsStr]) -> Result<(), String> {
        let output = Command::new(self.name).args(arguments).stdin(Stdio::null()).output();
        let output = output.unwrap_or_else(|error| panic!("{}: {error}", self.name));
        if output.status.success() {
            return Ok(());
        }
        let [out, err] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        Err(format!("{} {arguments:?}:\n{out}{err}", self.name))
    }
}

pub(crate) fn under_ci() -> bool {
    std::env::var_os("CI").is_some_and(|value| value == "true")
}

/// Runs `work` on each item on two threads and gives the results in order.
pub(crate) fn on_two_threads<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = std::sync::atomic::AtomicUsize::new(0);
    let run = || {
        let mut done = Vec::new();
        loop {
            let at = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            let Some(item) = items.get(at) else { return done };
            done.push((at, work(item)));
        }
    };
    let mut results = std::thread::scope(|scope| {
        let other = scope.spawn(run);
        let mut results = run();
        results.extend(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        results
    });
    results.sort_by_key(|&(at, _)| at);
    results.into_iter().map(|(_, result)| result).collect()
}
