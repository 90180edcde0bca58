//! The rules about PHIs.
//!
//! Rule: the first value of a PHI after an IF must be visible at the end of the IF's first block, so the value is defined before
//! the IF or directly in that block. Likewise, the second value must be visible at the end of the second block. If the end of a
//! block is not reached, the PHI's value for that block may be absent. A value that is present must be visible even if the end of
//! its block is not reached, so that no reader of the module needs to analyse control flow.
//!
//! At the head of a LOOP, the first value of a PHI must be visible before the LOOP, and determines the PHI's type. The second
//! value is checked at the end of the LOOP's block, where it must be visible and have the PHI's type. If a second value is
//! defined directly in the LOOP's block, its definition must precede the block's first instruction that is, or contains, a
//! CONTINUE of the LOOP. The second value may be absent if the LOOP has no back edge.

use super::code::CodeChecker;
use super::control_flow::{HeadPhi, Join, PhiPosition, State};
use super::values::{Value, is_visible};
use super::{Detail, Rule};
use crate::{Few, Inst, Op, Type, infer, kinds};

impl<'a> CodeChecker<'a, '_> {
    /// Checks the operands of a PHI at its position, and returns the PHI's type.
    pub(super) fn phi(&mut self, inst: &'a Inst, at: usize, shaped: bool, position: PhiPosition) -> Option<Type> {
        let types = match position {
            PhiPosition::AfterIf(join) => self.joined(inst, at, join),
            PhiPosition::Head(head) => {
                let first = inst.inputs.first().map(|&id| self.operand(id, at, Rule::PhiValues, before(head)));
                first.flatten().map(|ty| Few::from_slice(&[ty]))
            }
            PhiPosition::Unknown => None,
            PhiPosition::Elsewhere => {
                self.report.id(at, Rule::PhiPosition, inst.output);
                None
            }
        };
        let ty = types.filter(|_| shaped).and_then(|types| self.infer(inst, kinds::of(Op::Phi), at, &types));
        if matches!(position, PhiPosition::Head(_))
            && shaped
            && let Some(innermost) = self.control_flow.innermost()
        {
            innermost.phis.push(HeadPhi { inst, at, ty });
        }
        ty
    }

    /// Checks the operands of a PHI after an IF, and returns their types if all of them are known.
    fn joined(&mut self, inst: &Inst, at: usize, join: Join) -> Option<Few<Type>> {
        let mut types = Few::new();
        let mut all = true;
        for (&id, (scope, reached)) in inst.inputs.iter().zip(join.arms) {
            if id.is_some() || reached {
                let before = before(join.at);
                let visible = |open: &[bool], value: &Value| value.scope == scope || before(open, value);
                match self.operand(id, at, Rule::PhiValues, visible) {
                    Some(ty) => types.push(ty),
                    None => all = false,
                }
            }
        }
        all.then_some(types)
    }

    /// Checks the second values of the PHIs at the head of the innermost LOOP, whose block has just been checked.
    pub(super) fn second_values(&mut self, scope: u32, end: State) {
        let Some(innermost) = self.control_flow.innermost() else { return };
        let (phis, first_continue) = (std::mem::take(&mut innermost.phis), innermost.first_continue);
        for HeadPhi { inst, at, ty } in phis {
            let Some(&id) = inst.inputs.get(1) else { continue };
            if !id.is_some() && !end.reached && first_continue.is_none() {
                continue;
            }
            let second = self.operand(id, at, Rule::PhiValues, is_visible);
            if let (Some(value), Some(first)) = (self.values.value(id), first_continue)
                && value.scope == scope
                && value.visible_from as usize > first
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

/// Returns a predicate that accepts a visible value if it was defined before the instruction at index `at`.
fn before(at: u32) -> impl Fn(&[bool], &Value) -> bool {
    move |open, value| is_visible(open, value) && value.visible_from <= at
}
