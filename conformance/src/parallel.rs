//! Distributes work over as many threads as there are processors, each with its own witnesses.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::table::Table;
use crate::{Witness, witness};

/// How many failures are shown in full, unless the environment variable `SHOWN` says otherwise.
const SHOWN: usize = 6;

/// Compares every item on the witnesses, on all processors, and tabulates the results. `machine` is the column of the machine that
/// runs the programs ([`suite`](crate::suite)).
///
/// # Panics
/// A witness cannot be created, or one disagrees. The message contains the first failures.
pub fn tabulate<T: Sync>(
    items: &[T],
    machine: &str,
    compare: impl Fn(&T, &mut [Box<dyn Witness>], &mut Table) -> Result<(), String> + Sync,
) -> Table {
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(items.len().max(1));
    let mut table = Table::default();
    std::thread::scope(|scope| {
        let work = || {
            let mut devices = witness::all().unwrap_or_else(|error| panic!("{error}"));
            devices.extend(witness::others().unwrap_or_else(|error| panic!("{error}")));
            let mut table = Table::new(&columns(machine, &devices));
            while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                if let Err(failure) = compare(item, &mut devices, &mut table)
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
    let count = testing::number("SHOWN").map_or(SHOWN, |count| count as usize);
    let shown: Vec<&str> = failures.iter().take(count).map(String::as_str).collect();
    assert!(failures.is_empty(), "{} of {} disagree\n{}", failures.len(), items.len(), shown.join("\n"));
    table
}

/// The columns of a table: first what runs in this process, then the devices.
fn columns(machine: &str, devices: &[Box<dyn Witness>]) -> Vec<String> {
    let here = [machine, crate::suite::PASSES].map(String::from);
    here.into_iter().chain(devices.iter().map(|device| device.name())).collect()
}
