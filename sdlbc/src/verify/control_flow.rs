//! The control flow of a function: the outputs that are written, the instructions that are reachable, the exits of open LOOPs and
//! SWITCHes, and the positions at which PHIs are allowed.
//!
//! Rule: reachability is defined as in [`flow`](crate::flow). An output counts as written at a point if every path to the point
//! writes the output. The written outputs are recorded in a bit set with enough bits for a function that obeys V22 and V24, and
//! outputs beyond the last bit are not checked here.

use super::interface::Interface;
use crate::{Function, Inst, OutputKind, Type};

#[derive(Clone, Copy, Debug)]
pub(super) struct State {
    /// A bit set of the outputs that every path to the current point writes; all bits are set at an unreachable point.
    written: u128,
    pub(super) reached: bool,
}

impl State {
    pub(super) const START: State = State { written: 0, reached: true };
    /// The state at an unreachable point, or at a point that is not checked.
    pub(super) const UNKNOWN: State = State { written: u128::MAX, reached: false };

    /// Returns the state at the beginning of a nested block. Whether the end of a block is reachable depends only on the block
    /// itself.
    pub(super) fn into_block(self) -> State {
        State { reached: true, ..self }
    }

    /// Returns the state after an instruction with blocks. `self` is the state at the end of the blocks, and `before` is the
    /// state before the instruction.
    pub(super) fn following(self, before: State) -> State {
        State { reached: self.reached && before.reached, ..self }
    }

    /// Returns the state at the point where two paths join.
    pub(super) fn or(self, other: State) -> State {
        State { written: self.written & other.written, reached: self.reached | other.reached }
    }

    /// Returns the state after the output `index` is written.
    pub(super) fn writing(self, index: Option<u32>) -> State {
        let bit = index.and_then(|index| 1u128.checked_shl(index)).unwrap_or(0);
        State { written: self.written | bit, ..self }
    }
}

/// The PHIs that are allowed at a position in the code.
#[derive(Clone, Copy)]
pub(super) enum PhiPosition {
    Elsewhere,
    /// PHIs that join the blocks of the preceding IF.
    AfterIf(Join),
    /// PHIs at the head of a LOOP whose block begins at the instruction with this index.
    Head(u32),
    /// PHIs after an IF with invalid blocks, which are not checked.
    Unknown,
}

#[derive(Clone, Copy)]
pub(super) struct Join {
    /// The scope of each block of the IF, and whether the end of the block is reached.
    pub(super) arms: [(u32, bool); 2],
    /// The index of the first instruction after the IF.
    pub(super) at: u32,
}

/// A PHI at the head of a LOOP, whose second value has not been checked yet.
#[derive(Clone, Copy, Debug)]
pub(super) struct HeadPhi<'a> {
    pub(super) inst: &'a Inst,
    pub(super) at: usize,
    pub(super) ty: Option<Type>,
}

#[derive(Debug, Default)]
pub(super) struct OpenLoopOrSwitch<'a> {
    /// The nesting depth of a LOOP's body, or `None` for a SWITCH.
    body: Option<usize>,
    /// The joined state of the BREAKs that leave the LOOP or SWITCH.
    pub(super) broken: Option<State>,
    /// Whether the body contains an exit from the function, or a BREAK that leaves the LOOP or SWITCH.
    pub(super) has_exit: bool,
    /// The number of function exits that precede the LOOP or SWITCH.
    exits: usize,
    /// The index of the body's first instruction that is, or contains, a CONTINUE of the LOOP.
    pub(super) first_continue: Option<usize>,
    pub(super) phis: Vec<HeadPhi<'a>>,
}

pub(super) struct ControlFlow<'a> {
    open: Vec<OpenLoopOrSwitch<'a>>,
    /// The index of the current instruction at each nesting depth.
    path: Vec<usize>,
    exits: usize,
    /// The outputs that must be written and have not yet been reported as missing, as a bit set.
    unwritten: u128,
}

impl<'a> ControlFlow<'a> {
    /// Creates the state at the beginning of a function. The function must write all its valid outputs except a returned output.
    pub(super) fn new(function: &Function, interface: &Interface) -> ControlFlow<'a> {
        let outputs = (0..u128::BITS).zip(function.outputs.iter().zip(&interface.outputs));
        let poked = outputs.filter(|(_, (output, sound))| **sound && output.kind != OutputKind::Returned);
        let unwritten = poked.fold(0, |unwritten, (bit, _)| unwritten | 1 << bit);
        ControlFlow { open: Vec::new(), path: Vec::new(), exits: 0, unwritten }
    }

    pub(super) fn set_current(&mut self, depth: usize, at: usize) {
        self.path.truncate(depth);
        self.path.push(at);
    }

    /// Opens a LOOP whose body has the nesting depth `body`, or a SWITCH if `body` is `None`.
    pub(super) fn open(&mut self, body: Option<usize>) {
        self.open.push(OpenLoopOrSwitch { body, exits: self.exits, ..OpenLoopOrSwitch::default() });
    }

    pub(super) fn close(&mut self) -> Option<OpenLoopOrSwitch<'a>> {
        let mut closed = self.open.pop()?;
        closed.has_exit = closed.broken.is_some() || closed.exits != self.exits;
        Some(closed)
    }

    pub(super) fn innermost(&mut self) -> Option<&mut OpenLoopOrSwitch<'a>> {
        self.open.last_mut()
    }

    /// Records a BREAK, and reports whether the BREAK is inside a LOOP or SWITCH.
    pub(super) fn breaks(&mut self, state: State) -> bool {
        let Some(innermost) = self.open.last_mut() else { return false };
        let state = state.into_block();
        innermost.broken = Some(innermost.broken.map_or(state, |broken| broken.or(state)));
        true
    }

    /// Records a CONTINUE, and reports whether the CONTINUE is inside a LOOP.
    pub(super) fn continues(&mut self) -> bool {
        let Some(target) = self.open.iter_mut().rev().find(|target| target.body.is_some()) else { return false };
        if target.first_continue.is_none() {
            target.first_continue = target.body.and_then(|depth| self.path.get(depth)).copied();
        }
        true
    }

    /// Records a RETURN, a DISCARD, or unchecked instructions that may contain a RETURN or DISCARD.
    pub(super) fn exits(&mut self) {
        self.exits += 1;
    }

    /// Returns the indices of the outputs that are not written at an exit of the function. Each index is returned at most once
    /// for a function.
    pub(super) fn missing(&mut self, state: State) -> impl Iterator<Item = usize> + use<> {
        let mut missing = self.unwritten & !state.written;
        self.unwritten &= state.written;
        std::iter::from_fn(move || {
            let lowest = missing.trailing_zeros();
            missing &= missing.wrapping_sub(1);
            usize::try_from(lowest).ok().filter(|_| lowest < u128::BITS)
        })
    }
}
