//! The rules of PHIs.
//!
//! Rule: behind an IF, a PHI's first value must be visible at the end of the IF's first block: defined before the IF,
//! or directly in that block; the second likewise for the second block. A block whose end is not reached takes no
//! part: its value may be absent, and else is asked the same, so that no reader needs to know where control goes.
//!
//! At the head of a LOOP, a PHI's first value must be visible in front of the LOOP, and says the PHI's type. The
//! second is looked at when the LOOP's end is walked: it must be visible there, of that type, and where it is defined
//! directly in the LOOP's block, before the first of that block's instructions that is or holds a CONTINUE of the
//! LOOP. It may be absent when nothing goes back to the head.

use super::code::{Walk, add, wide};
use super::values::Value;
use super::ways::Way;
use super::{Detail, Rule};
use crate::{Inst, Type, infer};

/// What PHIs may stand at a place.
#[derive(Clone, Copy)]
pub(super) enum Place {
    /// None.
    Elsewhere,
    /// Those of an IF.
    Behind(Join),
    /// Those of a LOOP whose block's first instruction this is.
    Head(u32),
    /// Those of an IF that has a fault.
    Unknown,
}

/// The place directly behind an IF.
#[derive(Clone, Copy)]
pub(super) struct Join {
    /// The scopes of its blocks, and whether their ends are reached.
    pub(super) arms: [(u32, bool); 2],
    /// The first instruction behind it.
    pub(super) at: u32,
}

/// A PHI whose second value is still to be looked at.
#[derive(Clone, Copy, Debug)]
pub(super) struct HeadPhi<'a> {
    inst: &'a Inst,
    at: usize,
    ty: Option<Type>,
}

impl<'a> Walk<'a, '_> {
    /// The type of a PHI, whose operands are asked as its place has it.
    pub(super) fn phi(&mut self, inst: &'a Inst, at: usize, shaped: bool, place: Place) -> Option<Type> {
        let types = match place {
            Place::Behind(join) => self.joined(inst, at, join),
            Place::Head(head) => {
                let first = inst.inputs.first().map(|&id| self.operand(id, at, Rule::PhiValues, before(head)));
                first.flatten().map(|ty| vec![ty])
            }
            Place::Unknown => None,
            Place::Elsewhere => {
                self.report.id(at, Rule::PhiPlace, inst.output);
                None
            }
        };
        let ty = types.filter(|_| shaped).and_then(|types| self.infer(inst, at, &types));
        if matches!(place, Place::Head(_)) && shaped {
            self.remember(HeadPhi { inst, at, ty });
        }
        ty
    }

    /// The types of a PHI's operands behind an IF.
    fn joined(&mut self, inst: &Inst, at: usize, join: Join) -> Option<Vec<Type>> {
        let mut types = Some(Vec::with_capacity(2));
        for (&id, (scope, reached)) in inst.inputs.iter().zip(join.arms) {
            if id.is_some() || reached {
                let before = before(join.at);
                let visible = |open: &[bool], value: Value| value.scope == scope || before(open, value);
                let ty = self.operand(id, at, Rule::PhiValues, visible);
                add(&mut types, ty);
            }
        }
        types
    }

    /// Looks at the second values of the PHIs at the head of the LOOP whose block's end is walked.
    pub(super) fn second_values(&mut self, scope: u32, end: Way) {
        let Some(frame) = self.ways.innermost() else { return };
        let (phis, first_continue) = (std::mem::take(&mut frame.phis), frame.first_continue);
        for HeadPhi { inst, at, ty } in phis {
            let Some(&id) = inst.inputs.get(1) else { continue };
            if !id.is_some() && !end.reached && first_continue.is_none() {
                continue;
            }
            let open = |open: &[bool], value: Value| open.get(wide(value.scope)) == Some(&true);
            let second = self.operand(id, at, Rule::PhiValues, open);
            if let (Some(value), Some(first)) = (self.values.value(id), first_continue)
                && value.scope == scope
                && wide(value.behind) > first
            {
                self.report.add_at(at, Rule::ContinueValues, Detail::Id(id));
            }
            if let (Some(first), Some(second)) = (ty, second)
                && let Err(error) = infer(inst, &[first, second], &Default::default())
            {
                self.report.add_at(at, Rule::Types, Detail::Types(error));
            }
        }
    }
}

/// Whether a value is visible, and was in front of an instruction.
fn before(at: u32) -> impl Fn(&[bool], Value) -> bool {
    move |open, value| open.get(wide(value.scope)) == Some(&true) && value.behind <= at
}
