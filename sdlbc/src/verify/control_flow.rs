//! Control flow of a function: the outputs that are written, the reachability of instructions, the exits of open LOOPs and
//! SWITCHes, and the PHIs that are allowed at a point.
//!
//! Rule: reachability is defined as in [`flow`](crate::flow). An output is written at a point if it is written on every path to
//! the point. The set of written outputs is a bit set. A function that keeps V22 and V24 has no more outputs than the set has
//! bits; further outputs are not checked here.

use super::interface::Interface;
use crate::{Function, Inst, OutputKind, Type};

/// The state of control flow at a point of the code.
#[derive(Clone, Copy, Debug)]
pub(super) struct State {
    /// The outputs written on every path, by bit; all of them at an unreachable point.
    written: u128,
    pub(super) reached: bool,
}

impl State {
    /// The state at the beginning of a function.
    pub(super) const START: State = State { written: 0, reached: true };
    /// The state at an unreachable point, or at a point that is not checked.
    pub(super) const UNKNOWN: State = State { written: u128::MAX, reached: false };

    /// The state at the beginning of a nested block. Whether the end of a block is reached depends on that block alone.
    pub(super) fn into_block(self) -> State {
        State { reached: true, ..self }
    }

    /// The state after an instruction; `self` is the state at the end of its blocks and `before` the state before it.
    pub(super) fn following(self, before: State) -> State {
        State { reached: self.reached && before.reached, ..self }
    }

    /// The state where two paths join.
    pub(super) fn or(self, other: State) -> State {
        State { written: self.written & other.written, reached: self.reached | other.reached }
    }

    /// The state after an output is written.
    pub(super) fn writing(self, index: Option<u32>) -> State {
        let bit = index.and_then(|index| 1u128.checked_shl(index)).unwrap_or(0);
        State { written: self.written | bit, ..self }
    }
}

/// The PHIs that are allowed at the current position.
#[derive(Clone, Copy)]
pub(super) enum PhiPosition {
    /// No PHIs.
    Elsewhere,
    /// The PHIs of an IF.
    AfterIf(Join),
    /// The PHIs at the head of a LOOP whose block begins at the instruction with this number.
    Head(u32),
    /// The PHIs of an IF with invalid blocks, which are not checked.
    Unknown,
}

/// The position directly after an IF.
#[derive(Clone, Copy)]
pub(super) struct Join {
    /// The scopes of its two blocks, and whether the end of each is reached.
    pub(super) arms: [(u32, bool); 2],
    /// The number of the first instruction after it.
    pub(super) at: u32,
}

/// A PHI whose second value is not checked yet.
#[derive(Clone, Copy, Debug)]
pub(super) struct HeadPhi<'a> {
    pub(super) inst: &'a Inst,
    pub(super) at: usize,
    pub(super) ty: Option<Type>,
}

/// An open LOOP or SWITCH.
#[derive(Debug, Default)]
pub(super) struct OpenLoopOrSwitch<'a> {
    /// The depth of a LOOP's body; `None` for a SWITCH.
    body: Option<usize>,
    /// The joined state at the BREAKs that leave the LOOP or SWITCH.
    pub(super) broken: Option<State>,
    /// Whether the body contains a BREAK that leaves it, or an exit from the function.
    pub(super) has_exit: bool,
    /// The number of exits from the function before the LOOP or SWITCH.
    exits: usize,
    /// The instruction of the body that is or contains the first CONTINUE.
    pub(super) first_continue: Option<usize>,
    /// The PHIs at the head of the LOOP.
    pub(super) phis: Vec<HeadPhi<'a>>,
}

pub(super) struct ControlFlow<'a> {
    open: Vec<OpenLoopOrSwitch<'a>>,
    /// The current instruction at each depth.
    path: Vec<usize>,
    /// The number of RETURNs and DISCARDs so far.
    exits: usize,
    /// The outputs that must be written and are not yet reported as missing.
    unwritten: u128,
}

impl<'a> ControlFlow<'a> {
    /// The state before the code of a function. All its valid outputs must be written, except a returned output.
    pub(super) fn new(function: &Function, interface: &Interface) -> ControlFlow<'a> {
        let outputs = (0..u128::BITS).zip(function.outputs.iter().zip(&interface.outputs));
        let poked = outputs.filter(|(_, (output, sound))| **sound && output.kind != OutputKind::Returned);
        let unwritten = poked.fold(0, |unwritten, (bit, _)| unwritten | 1 << bit);
        ControlFlow { open: Vec::new(), path: Vec::new(), exits: 0, unwritten }
    }

    /// Sets the current instruction at a depth.
    pub(super) fn set_current(&mut self, depth: usize, at: usize) {
        self.path.truncate(depth);
        self.path.push(at);
    }

    /// Opens a LOOP whose body is at the depth `body`, or a SWITCH.
    pub(super) fn open(&mut self, body: Option<usize>) {
        self.open.push(OpenLoopOrSwitch { body, exits: self.exits, ..OpenLoopOrSwitch::default() });
    }

    pub(super) fn close(&mut self) -> Option<OpenLoopOrSwitch<'a>> {
        let mut closed = self.open.pop()?;
        closed.has_exit = closed.broken.is_some() || closed.exits != self.exits;
        Some(closed)
    }

    /// The innermost LOOP or SWITCH.
    pub(super) fn innermost(&mut self) -> Option<&mut OpenLoopOrSwitch<'a>> {
        self.open.last_mut()
    }

    /// Handles a BREAK. Returns whether there is a LOOP or SWITCH that it leaves.
    pub(super) fn breaks(&mut self, state: State) -> bool {
        let Some(innermost) = self.open.last_mut() else { return false };
        let state = state.into_block();
        innermost.broken = Some(innermost.broken.map_or(state, |broken| broken.or(state)));
        true
    }

    /// Handles a CONTINUE. Returns whether there is a LOOP for it.
    pub(super) fn continues(&mut self) -> bool {
        let Some(target) = self.open.iter_mut().rev().find(|target| target.body.is_some()) else { return false };
        if target.first_continue.is_none() {
            target.first_continue = target.body.and_then(|depth| self.path.get(depth)).copied();
        }
        true
    }

    /// Handles a RETURN or DISCARD, or unchecked instructions, which may contain one.
    pub(super) fn exits(&mut self) {
        self.exits += 1;
    }

    /// The outputs that are not written at the end of the function; each is returned only once.
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
