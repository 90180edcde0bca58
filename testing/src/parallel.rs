//! Parallel work, on two threads because the smallest machine that runs the tests has two cores.

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
