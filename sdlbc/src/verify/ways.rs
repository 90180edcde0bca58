//! The ways that control takes through a function: what is written on each, whether it is reached, and what the open
//! LOOPs and SWITCHes are left by.
//!
//! Rule: whether a place is reached is told as [`flow`](crate::flow) tells it. What is written at a place is what is
//! written on every way to it. Outputs are one set of bits: no function that keeps V22 and V24 has as many as there
//! are bits, so what is above is not asked here.

use super::interface::Interface;
use super::phi::HeadPhi;
use crate::{Function, OutputKind};

/// How control comes to a place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    /// Outputs, by bit; all of them where control never comes.
    written: u128,
    pub(super) reached: bool,
}

impl Way {
    /// At a function's begin.
    pub(super) const START: Way = Way { written: 0, reached: true };
    /// Where control does not come, or nothing is asked.
    pub(super) const UNKNOWN: Way = Way { written: u128::MAX, reached: false };

    /// At the begin of a block inside. Whether its end is reached is asked of the block alone.
    pub(super) fn into_block(self) -> Way {
        Way { reached: true, ..self }
    }

    /// Behind an instruction out of whose blocks control comes so.
    pub(super) fn after(self, before: Way) -> Way {
        Way { reached: self.reached && before.reached, ..self }
    }

    /// By this way or the other.
    pub(super) fn or(self, other: Way) -> Way {
        Way { written: self.written & other.written, reached: self.reached | other.reached }
    }

    /// The same with an output written.
    pub(super) fn writing(self, index: Option<u32>) -> Way {
        let bit = index.and_then(|index| 1u128.checked_shl(index)).unwrap_or(0);
        Way { written: self.written | bit, ..self }
    }
}

/// A LOOP or SWITCH that is open.
#[derive(Debug, Default)]
pub(super) struct Frame<'a> {
    /// The depth of a LOOP's body; a SWITCH has none.
    body: Option<usize>,
    /// How control comes to the BREAKs that leave it.
    pub(super) broken: Option<Way>,
    /// Whether it is left by a BREAK, or the function from somewhere in it.
    pub(super) has_exit: bool,
    /// The exits that were met before it.
    exits: usize,
    /// Of the body's own instructions the one that is or holds the first CONTINUE.
    pub(super) first_continue: Option<usize>,
    /// The PHIs at its head.
    pub(super) phis: Vec<HeadPhi<'a>>,
}

impl Frame<'_> {
    /// A LOOP whose body is so deep.
    pub(super) fn repeat(body: usize) -> Self {
        Frame { body: Some(body), ..Frame::default() }
    }

    pub(super) fn switch() -> Self {
        Frame::default()
    }
}

pub(super) struct Ways<'a> {
    frames: Vec<Frame<'a>>,
    /// The instruction that is walked now, by depth.
    path: Vec<usize>,
    /// How many RETURNs and DISCARDs were met.
    exits: usize,
    /// The outputs that must be written and are not yet known to be missing somewhere.
    wanted: u128,
}

impl<'a> Ways<'a> {
    /// A function's sound outputs are to be written, except for what RETURN gives.
    pub(super) fn new(function: &Function, interface: &Interface) -> Ways<'a> {
        let outputs = (0..u128::BITS).zip(function.outputs.iter().zip(&interface.outputs));
        let poked = outputs.filter(|(_, (output, sound))| **sound && output.kind != OutputKind::Returned);
        let wanted = poked.fold(0, |wanted, (bit, _)| wanted | 1 << bit);
        Ways { frames: Vec::new(), path: Vec::new(), exits: 0, wanted }
    }

    /// Is told which instruction is walked at a depth.
    pub(super) fn walking(&mut self, depth: usize, at: usize) {
        self.path.truncate(depth);
        self.path.push(at);
    }

    pub(super) fn open(&mut self, frame: Frame<'a>) {
        self.frames.push(Frame { exits: self.exits, ..frame });
    }

    pub(super) fn close(&mut self) -> Option<Frame<'a>> {
        let mut frame = self.frames.pop()?;
        frame.has_exit = frame.broken.is_some() || frame.exits != self.exits;
        Some(frame)
    }

    /// The innermost LOOP or SWITCH.
    pub(super) fn innermost(&mut self) -> Option<&mut Frame<'a>> {
        self.frames.last_mut()
    }

    pub(super) fn remember(&mut self, phi: HeadPhi<'a>) {
        if let Some(frame) = self.frames.last_mut() {
            frame.phis.push(phi);
        }
    }

    /// A BREAK; whether there is something that it leaves.
    pub(super) fn breaks(&mut self, way: Way) -> bool {
        let Some(frame) = self.frames.last_mut() else { return false };
        let way = way.into_block();
        frame.broken = Some(frame.broken.map_or(way, |broken| broken.or(way)));
        true
    }

    /// A CONTINUE; whether there is a LOOP for it.
    pub(super) fn continues(&mut self) -> bool {
        let Some(frame) = self.frames.iter_mut().rev().find(|frame| frame.body.is_some()) else { return false };
        if frame.first_continue.is_none() {
            frame.first_continue = frame.body.and_then(|depth| self.path.get(depth)).copied();
        }
        true
    }

    /// A RETURN or DISCARD.
    pub(super) fn exits(&mut self) {
        self.exits += 1;
    }

    /// Instructions that nothing is known of.
    pub(super) fn anything(&mut self) {
        self.exits += 1;
    }

    /// The outputs that are not written on a way out of the function; each is given once.
    pub(super) fn missing(&mut self, way: Way) -> impl Iterator<Item = usize> + use<> {
        let missing = self.wanted & !way.written;
        self.wanted &= way.written;
        (0..).zip(0..u128::BITS).filter(move |(_, bit)| missing >> bit & 1 == 1).map(|(index, _)| index)
    }
}
