//! Shortens code one change at a time.
//!
//! Each change is tried on a copy of the code. The copy is kept if it breaks no rule of AGAL, adds no token, and still allows
//! every web to be placed. The effect of a change on register allocation therefore need not be predicted.

use crate::code::Code;
use crate::live::remove_unused;
use crate::place::places;

pub(crate) struct Improver {
    pub(crate) code: Code,
    /// The number of temporaries that the code may use.
    limit: u32,
    pub(crate) style: Style,
    budget: u32,
}

/// The maximum work for one program. Work is the number of changes tried, times the square of the number of tokens.
const WORK: u32 = 4_000_000_000;
const FEWEST_TRIES: u32 = 60;
const MOST_TRIES: u32 = 3_000;

/// Settings whose best values depend on the program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Style {
    /// Whether computed rows may become a matrix. The resulting program may break the player's rule that all components of a
    /// matrix's rows must be written.
    pub(crate) rows: bool,
    /// Whether instructions are merged from the last to the first.
    pub(crate) backward: bool,
}

impl Improver {
    pub(crate) fn new(code: Code, limit: u32, style: Style) -> Improver {
        let tokens = u32::try_from(code.insts.len()).unwrap_or(u32::MAX).max(1);
        let budget = (WORK / tokens.saturating_mul(tokens)).clamp(FEWEST_TRIES, MOST_TRIES);
        Improver { code, limit, style, budget }
    }

    pub(crate) fn is_done(&self) -> bool {
        self.budget == 0
    }

    /// Tries a change on a copy of the code, and returns whether the copy was kept. `change` returns `None` if there is nothing
    /// to change.
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
