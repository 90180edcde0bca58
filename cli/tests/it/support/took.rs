//! Measures the processor time and memory of a run of the command.

use std::path::Path;
use std::process::{Command, Stdio};

use testing::memory_of;

pub(crate) struct Took {
    pub(crate) code: i32,
    pub(crate) err: String,
    /// The user time in seconds; 0 if the system does not report the time.
    pub(crate) seconds: f64,
    pub(crate) memory: usize,
}

/// Runs the command and polls its processor time and memory until the command ends.
pub(crate) fn watched(mut command: Command, err: &Path) -> Took {
    let file = std::fs::File::create(err).expect("a file");
    let mut child = command.stdout(Stdio::null()).stderr(file).spawn().expect("the command");
    let process = child.id().to_string();
    let (mut seconds, mut memory) = (0.0, 0);
    let status = loop {
        memory = memory_of(&process, "VmHWM:").unwrap_or(memory);
        // In `/proc/PID/stat`, the user time is the 12th field after the parenthesised name, in hundredths of a second.
        if let Ok(stat) = std::fs::read_to_string(format!("/proc/{process}/stat"))
            && let Some((_, fields)) = stat.rsplit_once(") ")
        {
            seconds = fields.split(' ').nth(11).and_then(|ticks| ticks.parse::<f64>().ok()).unwrap_or(0.0) / 100.0;
        }
        if let Some(status) = child.try_wait().expect("the command") {
            break status;
        }
        std::thread::sleep(std::time::Duration::from_millis(2));
    };
    let err = std::fs::read_to_string(err).expect("text");
    assert!(!err.contains("panicked"), "{err}");
    Took { code: status.code().unwrap_or(-1), err, seconds, memory }
}
