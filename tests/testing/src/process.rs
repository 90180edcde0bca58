//! The memory of a process, the limits on the memory of an extraction, and work on two threads, because the smallest machine that
//! runs the tests has two cores.

/// Bytes of memory that an extraction may use for each byte of the unpacked input; [`MEMORY_ALWAYS`] bytes are allowed in any case
/// (docs/extract.md).
pub const MEMORY_TIMES: usize = 10;
/// Bytes of memory that an extraction may use in any case.
pub const MEMORY_ALWAYS: usize = 64 << 20;

/// A line of a process's status, converted to bytes: `VmHWM:` is its peak memory, `VmRSS:` its current memory. The process is a
/// number, or `self`. `None` if the system does not provide the value.
pub fn memory_of(process: &str, line: &str) -> Option<usize> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|found| found.strip_prefix(line))?;
    Some(line.split_whitespace().next()?.parse::<usize>().ok()? * 1024)
}

/// Runs `work` on each item on two threads and returns the results in the items' order.
pub fn on_two_threads<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
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
