//! Work on as many threads as there are processors, each with witnesses of its own.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::table::Table;
use crate::{Witness, witness};

/// Failures that are shown in full, unless the environment's `SHOWN` says how many.
const SHOWN: usize = 6;

/// Makes a table of many items: the witnesses are asked of each, on every processor.
///
/// # Panics
/// A witness cannot be made, or one disagrees: with what the first of them said.
pub fn tabulate<T: Sync>(
    items: &[T],
    ask: impl Fn(&T, &mut [Box<dyn Witness>], &mut Table) -> Result<(), String> + Sync,
) -> Table {
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(items.len().max(1));
    let mut table = Table::default();
    std::thread::scope(|scope| {
        let work = || {
            let mut devices = witness::all().unwrap_or_else(|error| panic!("{error}"));
            let mut table = Table::new(&columns(&devices));
            while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                if let Err(failure) = ask(item, &mut devices, &mut table)
                    && let Ok(mut failures) = failures.lock()
                {
                    failures.push(failure);
                }
            }
            table
        };
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        for worker in workers {
            match worker.join() {
                Ok(part) => {
                    if table.is_empty() {
                        table = part;
                    } else {
                        table.merge(part);
                    }
                }
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
    });
    let mut failures = failures.into_inner().unwrap_or_default();
    failures.sort();
    let count = variable("SHOWN").map_or(SHOWN, |count| count as usize);
    let shown: Vec<&str> = failures.iter().take(count).map(String::as_str).collect();
    assert!(failures.is_empty(), "{} of {} disagree\n{}", failures.len(), items.len(), shown.join("\n"));
    table
}

/// The columns of a table: what runs here, then the devices.
fn columns(devices: &[Box<dyn Witness>]) -> Vec<String> {
    let here = [crate::suite::MACHINE, crate::suite::PASSES].map(String::from);
    here.into_iter().chain(devices.iter().map(|device| device.name())).collect()
}

/// A number from the environment, for longer runs.
pub fn variable(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|text| text.parse().ok())
}
