//! Makes code shorter and keeps every result to the bit.
//!
//! Each change is tried on a copy, and kept if no rule is broken, no token is added, and every web still finds a place. So the
//! changes need not foresee what they do to the registers. Rule: no change computes anything in another way or in another order,
//! other than swapping the operands of an addition or a multiplication, which changes no bit but those of NaN.

use crate::code::Code;
use crate::equal::share_equals;
use crate::live::remove_unused;
use crate::merge::{merge_components, merge_rows};
use crate::place::places;
use crate::rewrite::{coalesce, copies, fold, forward_outputs};

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

/// Makes code shorter that fits into this many temporaries.
pub(crate) fn improve(code: Code, limit: u32, style: Style) -> Code {
    let tokens = u32::try_from(code.insts.len()).unwrap_or(u32::MAX).max(1);
    let budget = (WORK / tokens.saturating_mul(tokens)).clamp(FEWEST_TRIES, MOST_TRIES);
    let mut improver = Improver { code, limit, style, budget };
    let before = improver.code.clone();
    if !remove_unused(&mut improver.code) {
        improver.code = before;
    }
    loop {
        let before = improver.code.insts.len();
        fold(&mut improver);
        copies(&mut improver);
        coalesce(&mut improver);
        share_equals(&mut improver);
        forward_outputs(&mut improver);
        merge_rows(&mut improver);
        merge_components(&mut improver);
        if improver.code.insts.len() >= before || improver.budget == 0 {
            return improver.code;
        }
    }
}

impl Improver {
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
