//! Writes the instructions that are left, with ids from 1 without a gap.

use rspirv::spirv::Op;

use super::code::{Code, HEADER};

/// Returns the words of a module. `added` are declarations, and `phis` are the blocks' OpPhis, in the order of the blocks.
pub(super) fn write(code: &Code, added: &[usize], phis: &[(usize, usize)]) -> Vec<u32> {
    let ids = Ids::new(code);
    let mut out = code.header().to_vec();
    out.reserve(code.end * 4);
    for index in (0..code.functions).chain(added.iter().copied()) {
        ids.write(code, index, &mut out);
    }
    let mut phis = phis.iter().peekable();
    let mut block = 0;
    for index in code.functions..code.end {
        ids.write(code, index, &mut out);
        if code.insts[index].op == Op::Label {
            while let Some(&(_, phi)) = phis.next_if(|phi| phi.0 == block) {
                ids.write(code, phi, &mut out);
            }
            block += 1;
        }
    }
    if let Some(bound) = out[..HEADER].get_mut(3) {
        *bound = ids.bound;
    }
    out
}

/// The new ids.
struct Ids {
    /// By id; 0 if it is no longer defined.
    new: Vec<u32>,
    bound: u32,
}

impl Ids {
    fn new(code: &Code) -> Ids {
        let mut new = vec![0; code.bound()];
        let mut bound = 1;
        for (id, new) in (0u32..).zip(&mut new) {
            if code.def(id).is_some_and(|def| code.insts[def].op != Op::Nop) {
                *new = bound;
                bound += 1;
            }
        }
        Ids { new, bound }
    }

    fn of(&self, id: u32) -> u32 {
        self.new.get(id as usize).copied().unwrap_or(0)
    }

    /// Writes an instruction, unless it is about something that is gone.
    fn write(&self, code: &Code, index: usize, out: &mut Vec<u32>) {
        let is_about_nothing = match code.insts[index].op {
            Op::Nop => return,
            Op::Name | Op::MemberName | Op::Decorate | Op::MemberDecorate => self.of(code.operand(index, 0)) == 0,
            _ => false,
        };
        if is_about_nothing {
            return;
        }
        code.copy(index, out, &self.new);
    }
}
