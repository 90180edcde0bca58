//! The violations found so far.
//!
//! Rule: the number of violations is limited, because a hostile module may break a rule in every word. The file offsets of
//! violations are computed after all violations are known.

use super::{Detail, Rule, Violation};
use crate::codec::offsets::Offsets;
use crate::{Id, limits};

#[derive(Clone, Copy, Debug)]
pub(super) enum At {
    /// The violation's instruction, or its function if the violation concerns no instruction.
    Code,
    Input(usize),
    Output(usize),
    Debug,
    Source(usize),
    /// The index of a function's entry in the debug table.
    DebugFunction(usize),
}

impl At {
    pub(super) fn offset(self, violation: &Violation, offsets: &Offsets) -> Option<usize> {
        let function = violation.function.and_then(|index| offsets.functions.get(index));
        match self {
            At::Code => match violation.instruction {
                Some(instruction) => function?.instructions.get(instruction).copied(),
                None => Some(function?.at),
            },
            At::Input(index) => function?.inputs.get(index).copied(),
            At::Output(index) => function?.outputs.get(index).copied(),
            At::Debug => offsets.debug,
            At::Source(index) => offsets.sources.get(index).copied(),
            // An entry without records has the offset at which its first record would begin.
            At::DebugFunction(index) => offsets.debug_functions.get(index).copied(),
        }
    }
}

pub(super) type Found = Vec<(Violation, At)>;

/// Collects the violations of one function, or of the whole module if `function` is `None`.
pub(super) struct Report<'a> {
    pub(super) function: Option<usize>,
    pub(super) found: &'a mut Found,
}

impl Report<'_> {
    /// Records a violation that concerns no particular instruction.
    pub(super) fn add(&mut self, rule: Rule, detail: Detail) {
        self.put(None, rule, detail, At::Code);
    }

    pub(super) fn add_at(&mut self, instruction: usize, rule: Rule, detail: Detail) {
        self.put(Some(instruction), rule, detail, At::Code);
    }

    /// Records a violation, unless [`limits::VIOLATIONS`] have already been recorded.
    #[cold]
    pub(super) fn put(&mut self, instruction: Option<usize>, rule: Rule, detail: Detail, at: At) {
        if self.found.len() < limits::VIOLATIONS {
            let violation = Violation { rule, function: self.function, instruction, offset: None, detail };
            self.found.push((violation, at));
        }
    }

    pub(super) fn id(&mut self, instruction: usize, rule: Rule, id: Id) {
        self.add_at(instruction, rule, Detail::Id(id));
    }
}
