//! Code that is made shorter, change by change.
//!
//! Each change is tried on a copy, and kept if no rule is broken, no token is added, and every web still finds a place. So the
//! changes need not foresee what they do to the registers.

use crate::code::Code;
use crate::live::remove_unused;
use crate::place::places;

/// Code that is made shorter.
pub(crate) struct Improver {
    pub(crate) code: Code,
    /// How many temporaries it may use.
    limit: u32,
    pub(crate) style: Style,
    /// How many more changes may be tried.
    budget: u32,
}

/// How much work is spent on a program: the number of changes that are tried, times the number of tokens squared.
const WORK: u32 = 4_000_000_000;
const FEWEST_TRIES: u32 = 60;
const MOST_TRIES: u32 = 3_000;

/// Choices of which none is best for every program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Style {
    /// Whether rows that are computed may become a matrix: the player wants all their components to be written.
    pub(crate) rows: bool,
    /// Whether instructions are merged from the last to the first.
    pub(crate) backward: bool,
}

impl Improver {
    /// Code that fits into this many temporaries, of which nothing has been tried.
    pub(crate) fn new(code: Code, limit: u32, style: Style) -> Improver {
        let tokens = u32::try_from(code.insts.len()).unwrap_or(u32::MAX).max(1);
        let budget = (WORK / tokens.saturating_mul(tokens)).clamp(FEWEST_TRIES, MOST_TRIES);
        Improver { code, limit, style, budget }
    }

    /// Whether no more changes may be tried.
    pub(crate) fn is_done(&self) -> bool {
        self.budget == 0
    }

    /// Tries a change: `change` makes it on a copy, and says whether there is anything to change. Returns whether it was kept.
    pub(crate) fn attempt(&mut self, change: impl FnOnce(&mut Code) -> Option<()>) -> bool {
        let Some(budget) = self.budget.checked_sub(1) else { return false };
        let mut next = self.code.clone();
        if change(&mut next).is_none() {
            return false;
        }
        self.budget = budget;
        let legal = remove_unused(&mut next)
            && next.insts.len() <= self.code.insts.len()
            && next.insts.iter().all(|inst| inst.is_legal(next.stage))
            && places(&next, self.limit).is_some();
        if legal {
            self.code = next;
        }
        legal
    }
}
