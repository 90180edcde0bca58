//! The number of random cases that tests try, scaled by one factor for the whole run.
//!
//! `EFFORT` is `quick` (a twentieth, the default), `full` (the setting of `./test`), or a factor of the full amount, such as `10`.
//! The amount of a single test can be set by its own variable, such as `PROGRAMS=50000`; `SEED=` runs a single case.

use std::ops::Range;

use crate::say;

/// The share of a full run that a quick run tries.
const QUICK: f64 = 1.0 / 20.0;

/// The factor of this run.
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

/// A number in an environment variable: decimal, or hexadecimal after `0x`. Any other value fails the test.
pub fn number(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok().filter(|text| !text.is_empty())?;
    let number = match text.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16),
        None => text.parse(),
    };
    Some(number.unwrap_or_else(|_| panic!("{name}={text}: expected a number, such as 100 or 0x1f")))
}

/// The random cases that a test tries.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effort {
    /// The number of cases.
    pub cases: u64,
    /// The number in a full run.
    full: u64,
    /// The single case that `SEED=` names.
    pub only: Option<u64>,
}

impl Effort {
    /// The effort of a test whose full run tries `full` cases, and whose amount the variable `name` sets directly.
    pub fn of(name: &str, full: u64) -> Effort {
        let share = (full as f64 * factor()).ceil() as u64;
        Effort { cases: number(name).unwrap_or(share).max(1), full, only: number("SEED") }
    }

    /// The seeds to try: from 0 to the number of cases, or only the seed in `SEED=`.
    pub fn seeds(&self) -> Range<u64> {
        self.only.map_or(0..self.cases, |seed| seed..seed + 1)
    }

    /// The seeds of one of several kinds of cases, which differ in the upper 32 bits of their seeds: `kind << 32` and following, or
    /// the seed in `SEED=` if it is of this kind.
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

    /// Scales a minimum count of a full run to the cases of this run; with `SEED=`, it is 0. Since small samples vary more, the
    /// minimum of a run that is not full is half of its share.
    pub fn at_least(&self, full: u64) -> u64 {
        let share = full as f64 * self.cases as f64 / self.full as f64;
        match self.only {
            Some(_) => 0,
            None if self.cases < self.full => (share / 2.0) as u64,
            None => share as u64,
        }
    }

    /// The part of a list that this run tries, spread evenly over the list; in a full run, the whole list.
    pub fn part_of<'a, T>(name: &str, list: &'a [T]) -> Vec<&'a T> {
        let full = list.len() as u64;
        let cases = Effort::of(name, full).cases.min(full);
        (0..cases).map(|at| &list[(at * full / cases) as usize]).collect()
    }

    /// The variants, out of a list, with which a run tests one of many items: all in a full run, otherwise the one selected by the
    /// item's number.
    pub fn ways_of<'a, T>(name: &str, list: &'a [T], number: usize) -> &'a [T] {
        match Effort::of(name, list.len() as u64).is_full() || list.is_empty() {
            true => list,
            false => &list[number % list.len()..][..1],
        }
    }

    /// Whether this run has at least as many cases as a full run, so that every possible feature must occur.
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
