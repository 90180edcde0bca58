//! The assumptions about floats that `--assume` allows rewrites to make.
//!
//! Rule: no assumption is implicit, and each row lists the assumptions that it needs.

use std::fmt;
use std::str::FromStr;

/// A set of assumptions about floats that rewrites may make.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Assume(u8);

const NAMES: [(&str, Assume, &str); 3] = [
    ("finite", Assume::FINITE, "no operand and no result of an operation on floats is infinite or NaN"),
    ("no-signed-zero", Assume::NO_SIGNED_ZERO, "0.0 and -0.0 are interchangeable"),
    ("fuse", Assume::FUSE, "a product need not be rounded before an addition"),
];

impl Assume {
    /// No assumption, so rewrites keep every bit of a result.
    pub const NOTHING: Assume = Assume(0);
    /// No operand or result of a float operation is infinite or NaN.
    pub const FINITE: Assume = Assume(1);
    /// The values 0.0 and -0.0 are interchangeable.
    pub const NO_SIGNED_ZERO: Assume = Assume(2);
    /// A product may be added to another number without first being rounded.
    pub const FUSE: Assume = Assume(4);
    /// All assumptions; `--fast-math` without `--assume` allows all of them.
    pub const ALL: Assume = Assume(7);

    /// Returns the union of this set and the set `other`.
    pub const fn and(self, other: Assume) -> Assume {
        Assume(self.0 | other.0)
    }

    /// Reports whether this set contains all assumptions of the set `other`.
    pub const fn has(self, other: Assume) -> bool {
        self.0 & other.0 == other.0
    }

    /// Returns the names and meanings of the assumptions in the set.
    pub fn names(self) -> impl Iterator<Item = (&'static str, &'static str)> {
        NAMES.into_iter().filter(move |(_, assume, _)| self.has(*assume)).map(|(name, _, meaning)| (name, meaning))
    }
}

/// Writes the names separated by commas, like `finite,fuse`, or nothing for the empty set.
impl fmt::Display for Assume {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.names().enumerate();
        names.into_iter().try_for_each(|(at, (name, _))| write!(f, "{}{name}", if at == 0 { "" } else { "," }))
    }
}

/// The error for a word that is not the name of an assumption.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownAssumption(pub String);

impl fmt::Display for UnknownAssumption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no assumption `{}`; the assumptions are {}", self.0, Assume::ALL)
    }
}

impl std::error::Error for UnknownAssumption {}

/// Parses names of assumptions separated by commas.
impl FromStr for Assume {
    type Err = UnknownAssumption;

    fn from_str(text: &str) -> Result<Assume, UnknownAssumption> {
        let words = text.split(',').map(str::trim).filter(|word| !word.is_empty());
        words.into_iter().try_fold(Assume::NOTHING, |all, word| {
            let found = NAMES.into_iter().find(|(name, ..)| *name == word);
            found.map(|(_, one, _)| all.and(one)).ok_or_else(|| UnknownAssumption(word.to_string()))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assumptions_are_read_as_they_are_printed() {
        for bits in 0..=Assume::ALL.0 {
            assert_eq!(Assume(bits).to_string().parse(), Ok(Assume(bits)));
        }
        assert_eq!("finite, fast".parse::<Assume>(), Err(UnknownAssumption("fast".to_string())));
    }

    #[test]
    fn a_set_has_its_parts_and_no_others() {
        let both = Assume::FINITE.and(Assume::FUSE);
        assert!(both.has(Assume::FUSE) && both.has(Assume::NOTHING) && !both.has(Assume::NO_SIGNED_ZERO));
        assert!(!Assume::FUSE.has(both));
    }
}
