//! Measures the memory of a process, states the memory limits of an extraction, and runs work on two threads. The smallest
//! machine that runs the tests has two cores.

/// An extraction may use this number of bytes of memory for each byte of the unpacked input (docs/extract.md). Even for a small
/// input, it may use [`MEMORY_ALWAYS`] bytes.
pub const MEMORY_TIMES: usize = 10;
/// The number of bytes of memory that an extraction may use even if its input is small.
pub const MEMORY_ALWAYS: usize = 64 << 20;

/// Returns a size in bytes from the status of a process, or `None` if the operating system does not provide that size. `process`
/// is a process id or `self`. `line` is `VmHWM:` for the peak memory or `VmRSS:` for the current memory.
pub fn memory_of(process: &str, line: &str) -> Option<usize> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|found| found.strip_prefix(line))?;
    Some(line.split_whitespace().next()?.parse::<usize>().ok()? * 1024)
}

/// Runs `work` on each item, using two threads, and returns the results in the order of the items.
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
