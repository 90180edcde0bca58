//! Checks that the time to write a module is proportional to the module's length.

use std::time::Duration;

use crate::verified;
use rustix::time::{ClockId, clock_gettime};
use sdlbc::{Verified, parse};
use sdlbc_naga::{Layout, Target, write};
use testing::Effort;
use testing::shapes::{SHAPES, Shape};

/// The maximum factor by which the time may grow when the function becomes 16 times as long.
const MOST: f64 = 32.0;

/// The number of instructions in the shorter function of each shape.
const SHORT: usize = 3500;

fn function(shape: &Shape, parts: usize) -> Verified {
    verified(&parse(&shape.module(parts)).unwrap_or_else(|errors| panic!("{errors:?}")))
}

fn used() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap_or_default()
}

/// Returns the shortest of three measured times, since other processes compete for the caches.
fn time(module: &Verified, target: Target) -> Duration {
    let once = || {
        let begin = used();
        write(module, target, None, &Layout::default()).unwrap_or_else(|error| panic!("{error}"));
        used() - begin
    };
    (0..3).map(|_| once()).min().unwrap_or_default()
}

#[test]
fn a_function_that_is_longer_by_a_factor_takes_that_much_longer() {
    for shape in Effort::part_of("SHAPES", &SHAPES) {
        let parts = SHORT / shape.part;
        let (short, long) = (function(shape, parts), function(shape, 16 * parts));
        for target in [Target::Spirv, Target::Wgsl] {
            // If the writer copied its state at each conditional, the ratio would be 40. A high ratio is measured again, because
            // other processes may have slowed the test down.
            let mut measured = Vec::new();
            while measured.len() < 3 && measured.last().is_none_or(|factor| *factor >= MOST) {
                measured.push(time(&long, target).as_secs_f64() / time(&short, target).as_secs_f64());
            }
            assert!(
                measured.last().is_some_and(|factor| *factor < MOST),
                "{}, {target}: {measured:.1?} for 16 times the length",
                shape.name
            );
        }
    }
}
