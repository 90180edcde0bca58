//! The violations found so far.
//!
//! Rule: the number of violations is limited, because a hostile module may break rules in every word. The offset of a violation
//! is computed from its position once all violations are known.

use super::{Detail, Rule, Violation};
use crate::codec::offsets::Offsets;
use crate::{Id, limits};

/// The part of the module with a violation.
#[derive(Clone, Copy, Debug)]
pub(super) enum At {
    /// The instruction, or the function if there is none.
    Code,
    /// An input.
    Input(usize),
    /// An output.
    Output(usize),
    /// The debug table.
    Debug,
    /// A source in the debug table.
    Source(usize),
    /// The entry of a function in the debug table.
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
            // An empty entry has no record.
            At::DebugFunction(index) => offsets.debug_functions.get(index).copied(),
        }
    }
}

/// The violations found so far, and their positions.
pub(super) type Found = Vec<(Violation, At)>;

/// Collects the violations of one function, or of the module as a whole.
pub(super) struct Report<'a> {
    pub(super) function: Option<usize>,
    pub(super) found: &'a mut Found,
}

impl Report<'_> {
    /// Records a violation of the function or module as a whole.
    pub(super) fn add(&mut self, rule: Rule, detail: Detail) {
        self.put(None, rule, detail, At::Code);
    }

    /// Records a violation at an instruction.
    pub(super) fn add_at(&mut self, instruction: usize, rule: Rule, detail: Detail) {
        self.put(Some(instruction), rule, detail, At::Code);
    }

    /// Records a violation, up to the limit: a hostile module may break rules in every word, and the output must stay small.
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
