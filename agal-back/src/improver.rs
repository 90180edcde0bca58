//! Code that is made shorter one change at a time.
//!
//! Each change is tried on a copy, and kept if no rule is broken, no token is added, and every web can still be placed. The
//! effect of a change on register allocation therefore need not be predicted.

use crate::code::Code;
use crate::live::remove_unused;
use crate::place::places;

/// Code that is made shorter.
pub(crate) struct Improver {
    pub(crate) code: Code,
    /// The number of temporaries that the code may use.
    limit: u32,
    pub(crate) style: Style,
    /// The number of changes that may still be tried.
    budget: u32,
}

/// The limit on the work for one program: the number of changes tried, times the square of the number of tokens.
const WORK: u32 = 4_000_000_000;
const FEWEST_TRIES: u32 = 60;
const MOST_TRIES: u32 = 3_000;

/// Choices of which none is best for every program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Style {
    /// Whether computed rows may become a matrix. The player requires all components of such rows to be written.
    pub(crate) rows: bool,
    /// Whether instructions are merged from the last to the first.
    pub(crate) backward: bool,
}

impl Improver {
    /// Code that must fit into this many temporaries, before any change.
    pub(crate) fn new(code: Code, limit: u32, style: Style) -> Improver {
        let tokens = u32::try_from(code.insts.len()).unwrap_or(u32::MAX).max(1);
        let budget = (WORK / tokens.saturating_mul(tokens)).clamp(FEWEST_TRIES, MOST_TRIES);
        Improver { code, limit, style, budget }
    }

    /// Whether no more changes may be tried.
    pub(crate) fn is_done(&self) -> bool {
        self.budget == 0
    }

    /// Tries a change: `change` applies it to a copy, and returns `None` if there is nothing to change. Returns whether the
    /// change was kept.
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
