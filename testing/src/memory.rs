//! How much memory a process takes, and how much an extraction may take.

/// Bytes of memory that an extraction may take for each byte of the unpacked input, and what it may take in any case, as docs/extract.md says.
pub const MEMORY_TIMES: usize = 10;
/// See [`MEMORY_TIMES`].
pub const MEMORY_ALWAYS: usize = 64 << 20;

/// A line of the status of a process, in bytes: of `VmHWM:`, the peak of its memory, or of `VmRSS:`, the memory that it takes. The process
/// is a number, or `self`. None where the system does not tell.
pub fn memory_of(process: &str, line: &str) -> Option<usize> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|found| found.strip_prefix(line))?;
    Some(line.split_whitespace().next()?.parse::<usize>().ok()? * 1024)
}
