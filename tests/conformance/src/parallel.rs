//! Distributes work over one thread for each processor. Each thread has its own witnesses.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::dispatch::Dispatcher;
use crate::passes::PASSES;
use crate::suite::IN_24_BITS;
use crate::table::Table;
use crate::{Witness, witness};

/// The number of failures that are shown in full, unless the environment variable `SHOWN` sets another number.
const SHOWN: usize = 6;

/// Compares every item on the witnesses, using all processors, and tabulates the results. `machine` is the name of the
/// table column for the machine that runs the programs; see [`suite`](crate::suite).
///
/// # Panics
/// Panics if a witness cannot be created or disagrees. The message contains the first few failures.
pub fn tabulate<T: Sync>(
    items: &[T],
    machine: &str,
    compare: impl Fn(&T, &mut [Box<dyn Witness>], &mut Table) -> Result<(), String> + Sync,
) -> Table {
    let open = || {
        let mut devices = witness::all()?;
        devices.extend(witness::others()?);
        let mut columns = vec![machine.to_string(), format!("{machine}{IN_24_BITS}"), PASSES.to_string()];
        columns.extend(devices.iter().map(|device| device.name()));
        Ok((devices, Table::new(&columns)))
    };
    on_all_processors(items, open, compare)
}

/// Compares every item on the devices that run compute functions, and tabulates the results.
///
/// # Panics
/// Panics if a device cannot be opened or disagrees. The message contains the first few failures.
pub fn tabulate_dispatches<T: Sync>(
    items: &[T],
    compare: impl Fn(&T, &mut [Box<dyn Dispatcher>], &mut Table) -> Result<(), String> + Sync,
) -> Table {
    let open = || {
        let devices = witness::dispatchers()?;
        let mut columns = vec![PASSES.to_string()];
        columns.extend(devices.iter().map(|device| device.name()));
        Ok((devices, Table::new(&columns)))
    };
    on_all_processors(items, open, compare)
}

/// Compares the items on all processors. `open` creates a thread's devices and its empty table.
fn on_all_processors<T: Sync, D: ?Sized>(
    items: &[T],
    open: impl Fn() -> Result<(Vec<Box<D>>, Table), String> + Sync,
    compare: impl Fn(&T, &mut [Box<D>], &mut Table) -> Result<(), String> + Sync,
) -> Table {
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(items.len().max(1));
    let mut table = Table::default();
    std::thread::scope(|scope| {
        let work = || {
            let (mut devices, mut table) = open().unwrap_or_else(|error| panic!("{error}"));
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
