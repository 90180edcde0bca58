//! How often each id is used, and what goes because nothing uses it.

use rspirv::spirv::Op;

use super::code::Code;
use super::numbers::Numbers;
use super::shape::Effect;
use super::variables::UNDEFINED;

/// The numbers of uses, and the declarations that were added.
#[derive(Debug)]
pub(super) struct Uses {
    /// By id. Names and decorations are no uses.
    counts: Vec<u32>,
    /// The declarations, by what they declare, once one has been looked for.
    declared: Option<Numbers>,
    /// The declarations that were added.
    pub(super) added: Vec<usize>,
}

impl Uses {
    /// Counts the uses. Of the OpPhis in `phis`, those that are needed only by each other are removed.
    pub(super) fn new(code: &mut Code, phis: &mut Vec<(usize, usize)>) -> Uses {
        let mut uses = Uses { counts: vec![0; code.bound()], declared: None, added: Vec::new() };
        for index in 0..code.end {
            if matches!(code.insts[index].op, Op::Nop | Op::Name | Op::MemberName | Op::Decorate | Op::MemberDecorate) {
                continue;
            }
            if code.is_stale && index >= code.functions {
                code.resolve_ids(index);
            }
            code.each_id(index, |id| uses.counts[id as usize] += 1);
        }
        phis.retain(|&(_, phi)| code.insts[phi].op != Op::Nop);
        uses.count_phis(code, phis);
        phis.retain(|&(_, phi)| code.insts[phi].op != Op::Nop);
        uses
    }

    /// Counts the uses by OpPhis, of those that are used themselves, and removes the others.
    fn count_phis(&mut self, code: &mut Code, phis: &[(usize, usize)]) {
        let mut waiting: Vec<usize> = phis.iter().map(|phi| phi.1).collect();
        let mut is_needed = vec![false; code.insts.len()];
        while let Some(phi) = waiting.pop() {
            if is_needed[phi] || self.of(code, phi) == 0 {
                continue;
            }
            is_needed[phi] = true;
            self.define_all(code, phi);
            code.resolve_ids(phi);
            self.count(code, phi);
            waiting.extend(
                code.operands(phi).iter().filter_map(|&id| code.def_as(id, Op::Phi)).filter(|&of| of >= code.end),
            );
        }
        for &(_, phi) in phis.iter().filter(|phi| !is_needed[phi.1]) {
            code.remove(phi);
        }
    }

    /// Gives an OpPhi a value where it has none.
    fn define_all(&mut self, code: &mut Code, phi: usize) {
        for at in 0..code.operands(phi).len() {
            if code.operand(phi, at) == UNDEFINED {
                let undefined = self.declare(code, Op::Undef, code.ty(phi), &[]);
                code.set_operand(phi, at, undefined);
            }
        }
    }

    /// How often an instruction's result is used.
    pub(super) fn of(&self, code: &Code, index: usize) -> u32 {
        code.result(index).map_or(0, |id| self.of_id(id))
    }

    pub(super) fn of_id(&self, id: u32) -> u32 {
        self.counts.get(id as usize).copied().unwrap_or(0)
    }

    fn count(&mut self, code: &Code, index: usize) {
        self.counts.resize(code.bound(), 0);
        code.each_id(index, |id| self.counts[id as usize] += 1);
    }

    fn uncount(&mut self, code: &Code, index: usize) {
        code.each_id(index, |id| {
            let count = &mut self.counts[id as usize];
            *count = count.saturating_sub(1);
        });
    }

    /// Makes an instruction another one with the same result.
    pub(super) fn rewrite(&mut self, code: &mut Code, index: usize, op: Op, ty: u32, operands: &[u32]) {
        self.uncount(code, index);
        code.rewrite(index, op, ty, operands);
        self.count(code, index);
    }

    /// Removes an instruction that nothing uses.
    pub(super) fn remove(&mut self, code: &mut Code, index: usize) {
        self.uncount(code, index);
        code.remove(index);
    }

    /// Whether an instruction of a function can go.
    pub(super) fn is_dead(&self, code: &Code, index: usize) -> bool {
        code.insts[index].effect != Effect::Stays && code.insts[index].op != Op::Nop && self.of(code, index) == 0
    }

    /// Returns a type or a constant, which is declared if it is not.
    pub(super) fn declare(&mut self, code: &mut Code, op: Op, ty: u32, operands: &[u32]) -> u32 {
        let declared = self.declared.get_or_insert_with(|| declarations(code));
        let (index, id) = code.add(op, ty, operands);
        if let Some(same) = declared.find(code, index).and_then(|same| code.result(same)) {
            code.remove(index);
            return same;
        }
        self.count(code, index);
        self.added.push(index);
        id
    }

    /// Removes the types and constants that nothing uses, names or decorates.
    pub(super) fn remove_declarations(&mut self, code: &mut Code) {
        let added = self.added.clone();
        for index in (0..code.functions).chain(added).rev() {
            let is_value = (Op::TypeVoid as u32..=Op::TypeFunction as u32).contains(&(code.insts[index].op as u32))
                || (Op::ConstantTrue as u32..=Op::ConstantNull as u32).contains(&(code.insts[index].op as u32));
            let is_kept = code.result(index).is_none_or(|id| code.kept[id as usize]);
            if is_value && !is_kept && self.of(code, index) == 0 {
                self.remove(code, index);
            }
        }
    }
}

/// The types and constants of a module.
fn declarations(code: &Code) -> Numbers {
    let mut declared = Numbers::new(code.functions);
    for index in 0..code.functions {
        let can_be_added = matches!(
            code.insts[index].op,
            Op::TypeInt | Op::TypeVector | Op::TypePointer | Op::Constant | Op::ConstantComposite
        );
        if can_be_added && !code.is_decorated(index) {
            declared.find(code, index);
        }
    }
    declared
}
