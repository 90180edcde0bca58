//! Computes liveness in a backward pass: the components of each token's result that are read later.
//!
//! Conditionals must be balanced. The lifter does not compute components that are not live, so its vectors are as narrow as
//! possible.

use crate::flow::{Components, DISCARD_FLAG, outputs, reads_of, register_index};
use crate::opcode::{Meaning, Operand};
use crate::program::Program;
use crate::register::File;
use crate::token::Mask;

pub(crate) struct Liveness {
    /// For each token, the components of its result that are read later. A conditional's tokens have [`Mask::ALL`] if the
    /// conditional has any effect.
    pub(crate) results: Vec<Mask>,
    /// The components that are live after each `eif`, with the index of the `eif`, in descending order of index.
    after_eif: Vec<(usize, Components)>,
}

impl Liveness {
    pub(crate) fn after_eif(&self, index: usize) -> Option<&Components> {
        let place = self.after_eif.binary_search_by(|(at, _)| index.cmp(at)).ok()?;
        self.after_eif.get(place).map(|(_, live)| live)
    }

    fn needs(&mut self, index: usize, components: Mask) {
        if let Some(result) = self.results.get_mut(index) {
            *result = components;
        }
    }
}

struct OpenConditional {
    after: Components,
    /// The components that are live at the start of the branch that `els` opens, or `None` if the conditional has no `els`.
    reject: Option<Components>,
    eif: usize,
    els: Option<usize>,
    matters: bool,
}

/// Computes the liveness of a program. All outputs are live at the end of the program.
pub(crate) fn liveness(program: &Program) -> Liveness {
    liveness_with(program, |_, _| {})
}

/// Computes liveness as [`liveness`] does. Also calls `after` for each token, in reverse order, with the components that are
/// live after the token on some path.
pub(crate) fn liveness_with(program: &Program, mut after: impl FnMut(usize, &Components)) -> Liveness {
    let mut live = Components::none();
    outputs(program.stage).for_each(|register| live.add(register_index(register), Mask::ALL));
    let mut result = Liveness { results: vec![Mask(0); program.tokens.len()], after_eif: Vec::new() };
    let mut open: Vec<OpenConditional> = Vec::new();
    for (index, token) in program.tokens.iter().enumerate().rev() {
        let Some(row) = token.row() else { continue };
        let mut needed = Mask(0);
        let mut matters = false;
        if !matches!(row.meaning, Meaning::If(_)) {
            after(index, &live);
        }
        match row.meaning {
            Meaning::EndIf => {
                result.after_eif.push((index, live.clone()));
                open.push(OpenConditional { after: live.clone(), reject: None, eif: index, els: None, matters: false });
                continue;
            }
            Meaning::Else => {
                if let Some(conditional) = open.last_mut() {
                    conditional.reject = Some(std::mem::replace(&mut live, conditional.after.clone()));
                    conditional.els = Some(index);
                }
                continue;
            }
            Meaning::If(_) => {
                let Some(conditional) = open.pop() else { continue };
                live.unite(conditional.reject.as_ref().unwrap_or(&conditional.after));
                after(index, &live);
                if conditional.matters {
                    result.needs(conditional.eif, Mask::ALL);
                    if let Some(els) = conditional.els {
                        result.needs(els, Mask::ALL);
                    }
                    (needed, matters) = (Mask::ALL, true);
                }
            }
            Meaning::Kill => (needed, matters) = (Mask::ALL, true),
            _ => {
                let dst = token.dst();
                if let Some(file) = dst.register_file().filter(|_| row.destination) {
                    needed = live.take(register_index((file, u32::from(dst.number))), Mask(dst.mask.0 & row.yields.0));
                    matters = !needed.is_empty();
                }
            }
        }
        if matters && let Some(conditional) = open.last_mut() {
            conditional.matters = true;
        }
        if !needed.is_empty() {
            result.needs(index, needed);
            reads_of(token, row, 0, needed, |register, mask| live.add(register_index(register), mask));
            if row.sources[1] != Operand::None {
                reads_of(token, row, 1, needed, |register, mask| live.add(register_index(register), mask));
            }
        }
    }
    result
}

/// Reports whether an SSA slot is live after an `eif`. The discard flag is always live.
pub(crate) fn wanted(after: Option<&Components>, slot: usize) -> bool {
    slot / 4 == DISCARD_FLAG || after.is_none_or(|live| live.has(slot))
}

pub(crate) fn slot(file: File, number: u32, component: u8) -> Option<usize> {
    register_index((file, number)).map(|index| index * 4 + usize::from(component))
}
