//! Liveness: which components of each token's result are read later, walking backward.
//!
//! Requires: balanced conditionals. What is not live is not computed, so widths come out exact.

use crate::flow::{Components, DISCARD_FLAG, destination, outputs, reads, register_index, written};
use crate::opcode::Meaning;
use crate::program::Program;
use crate::register::File;
use crate::token::Mask;

/// What is live where.
pub(crate) struct Liveness {
    /// Per token, the components of its result that are read later; for a conditional's tokens, [`Mask::ALL`] if the
    /// conditional does anything.
    pub(crate) results: Vec<Mask>,
    /// Per `eif`, the components that are live behind it.
    pub(crate) behind: Vec<Option<Box<Components>>>,
}

impl Liveness {
    /// Notes what of a token's result is read later.
    fn needs(&mut self, index: usize, components: Mask) {
        if let Some(result) = self.results.get_mut(index) {
            *result = components;
        }
    }
}

struct Frame {
    behind: Components,
    /// What is live at the start of the second arm.
    reject: Option<Components>,
    eif: usize,
    els: Option<usize>,
    matters: bool,
}

/// The liveness of a program whose outputs are all wanted.
pub(crate) fn liveness(program: &Program) -> Liveness {
    liveness_with(program, |_, _| {})
}

/// The same; `behind` is told what is live behind each operation, on some path, from the last token to the first.
pub(crate) fn liveness_with(program: &Program, mut behind: impl FnMut(usize, &Components)) -> Liveness {
    let mut live = Components::none();
    outputs(program.stage).for_each(|register| live.add(register, Mask::ALL));
    let mut result =
        Liveness { results: vec![Mask(0); program.tokens.len()], behind: vec![None; program.tokens.len()] };
    let mut frames: Vec<Frame> = Vec::new();
    for (index, token) in program.tokens.iter().enumerate().rev() {
        let Some(op) = token.op() else { continue };
        let mut needed = Mask(0);
        let mut matters = false;
        if !matches!(op.row().meaning, Meaning::If(_)) {
            behind(index, &live);
        }
        match op.row().meaning {
            Meaning::EndIf => {
                if let Some(behind) = result.behind.get_mut(index) {
                    *behind = Some(Box::new(live.clone()));
                }
                frames.push(Frame { behind: live.clone(), reject: None, eif: index, els: None, matters: false });
                continue;
            }
            Meaning::Else => {
                if let Some(frame) = frames.last_mut() {
                    frame.reject = Some(std::mem::replace(&mut live, frame.behind.clone()));
                    frame.els = Some(index);
                }
                continue;
            }
            Meaning::If(_) => {
                let Some(frame) = frames.pop() else { continue };
                live.unite(frame.reject.as_ref().unwrap_or(&frame.behind));
                behind(index, &live);
                if frame.matters {
                    result.needs(frame.eif, Mask::ALL);
                    if let Some(els) = frame.els {
                        result.needs(els, Mask::ALL);
                    }
                    (needed, matters) = (Mask::ALL, true);
                }
            }
            Meaning::Kill => (needed, matters) = (Mask::ALL, true),
            _ => {
                if let Some(register) = destination(token) {
                    needed = Mask(written(token).0 & live.of(register).0);
                    matters = !needed.is_empty();
                    live.remove(register, written(token));
                }
            }
        }
        if matters && let Some(frame) = frames.last_mut() {
            frame.matters = true;
        }
        result.needs(index, needed);
        for slot in 0..2 {
            if !needed.is_empty() {
                reads(token, slot, needed, |register, mask| live.add(register, mask));
            }
        }
    }
    result
}

/// Whether a slot of the SSA registers is wanted behind an `eif`: the discard flag always is.
pub(crate) fn wanted(behind: Option<&Components>, slot: usize) -> bool {
    slot / 4 == DISCARD_FLAG || behind.is_none_or(|live| live.has(slot))
}

/// The SSA slot of a register's component.
pub(crate) fn slot(file: File, number: u32, component: u8) -> Option<usize> {
    register_index((file, number)).map(|index| index * 4 + usize::from(component))
}
