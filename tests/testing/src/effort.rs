//! Scales the number of random cases in all tests by one factor for the whole run.
//!
//! `EFFORT` is `quick`, `full`, or a multiple of a full run, such as `10`. A quick run, the default, tries a twentieth of the
//! cases, and `./test` sets `full`. A variable such as `PROGRAMS=50000` sets the number of cases for a single test, and `SEED=`
//! runs a single case.

use std::ops::Range;

use crate::say;

/// The fraction of a full run's cases that a quick run tries.
const QUICK: f64 = 1.0 / 20.0;

fn factor() -> f64 {
    match std::env::var("EFFORT").as_deref() {
        Err(_) | Ok("" | "quick") => QUICK,
        Ok("full") => 1.0,
        Ok(text) => match text.parse() {
            Ok(factor) if factor > 0.0 && f64::is_finite(factor) => factor,
            _ => panic!("EFFORT={text}: expected `quick`, `full`, or a factor such as 10"),
        },
    }
}

/// Returns the number in an environment variable, or `None` if the variable is empty or missing. The number is decimal, or
/// hexadecimal after `0x`. Any other value makes the test fail.
pub fn number(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok().filter(|text| !text.is_empty())?;
    let number = match text.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16),
        None => text.parse(),
    };
    Some(number.unwrap_or_else(|_| panic!("{name}={text}: expected a number, such as 100 or 0x1f")))
}

/// The number of random cases that a test tries.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effort {
    /// The number of cases in this run.
    pub cases: u64,
    /// The number of cases in a full run.
    full: u64,
    /// The seed of the single case that `SEED=` selects, or `None` if the variable is not set.
    pub only: Option<u64>,
}

impl Effort {
    /// Returns the effort of a test that tries `full` cases in a full run, unless the environment variable `name` sets the number
    /// of cases.
    pub fn of(name: &str, full: u64) -> Effort {
        let share = (full as f64 * factor()).ceil() as u64;
        Effort { cases: number(name).unwrap_or(share).max(1), full, only: number("SEED") }
    }

    /// Returns the seeds to try: either one seed for each case, starting at 0, or only the seed that `SEED=` selects.
    pub fn seeds(&self) -> Range<u64> {
        self.only.map_or(0..self.cases, |seed| seed..seed + 1)
    }

    /// Returns the seeds for the cases of one kind. The seeds begin at `kind << 32`. If `SEED=` is set, the range contains only
    /// that seed, or is empty if the seed belongs to another kind.
    pub fn seeds_of(&self, kind: u64) -> Range<u64> {
        let first = kind << 32;
        match self.only {
            Some(seed) if seed >> 32 == kind => seed..seed + 1,
            Some(seed) => {
                say(&format!("SKIPPED: SEED={seed:#x} is not of kind {kind}"));
                first..first
            }
            None => first..first + self.cases,
        }
    }

    /// Scales a minimum for a full run in proportion to the number of cases in this run. If this run has fewer cases than a full
    /// run, the scaled minimum is halved, because small samples vary more. With `SEED=`, the minimum is 0.
    pub fn at_least(&self, full: u64) -> u64 {
        let share = full as f64 * self.cases as f64 / self.full as f64;
        match self.only {
            Some(_) => 0,
            None if self.cases < self.full => (share / 2.0) as u64,
            None => share as u64,
        }
    }

    /// Returns the elements of a list that this run tries, spread evenly over the list. A full run tries all elements.
    pub fn part_of<'a, T>(name: &str, list: &'a [T]) -> Vec<&'a T> {
        let full = list.len() as u64;
        let cases = Effort::of(name, full).cases.min(full);
        (0..cases).map(|at| &list[(at * full / cases) as usize]).collect()
    }

    /// Returns the variants in which this run tests the list item with the given number. A full run tests all variants, and any
    /// other run tests one variant that depends on the number.
    pub fn ways_of<'a, T>(name: &str, list: &'a [T], number: usize) -> &'a [T] {
        match Effort::of(name, list.len() as u64).is_full() || list.is_empty() {
            true => list,
            false => &list[number % list.len()..][..1],
        }
    }

    /// Reports whether this run has at least as many cases as a full run, in which every possible feature must occur.
    pub fn is_full(&self) -> bool {
        self.only.is_none() && self.cases >= self.full
    }
}

#[cfg(test)]
mod tests {
    use super::Effort;

    #[test]
    fn minimum_counts_are_in_proportion_to_the_cases() {
        let effort = Effort { cases: 50, full: 1000, only: None };
        assert_eq!((effort.at_least(400), effort.seeds(), effort.is_full()), (10, 0..50, false));
        let effort = Effort { cases: 2000, full: 1000, only: None };
        assert_eq!((effort.at_least(300), effort.is_full()), (600, true));
    }

    #[test]
    fn one_case_alone_has_no_minimum_counts() {
        let effort = Effort { cases: 1000, full: 1000, only: Some(7) };
        assert_eq!((effort.seeds(), effort.at_least(300), effort.is_full()), (7..8, 0, false));
    }
}
