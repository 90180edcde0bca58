//! Adds the types and constants that rewrites need, and removes unused types and constants.
//!
//! Upstream fault `unused_declarations`: `Writer::write_logical_layout` in `back/spv/writer.rs` declares types and constants that
//! no instruction uses.

use rspirv::spirv::Op;

use super::code::Code;
use super::shape::Effect;
use super::value_numbers::ValueNumbers;

#[derive(Debug, Default)]
pub(super) struct Declarations {
    /// The declared types and constants, numbered by value, or `None` until the first look-up.
    known: Option<ValueNumbers>,
    pub(super) added: Vec<usize>,
}

impl Declarations {
    /// Returns the id of a type or a constant, and adds a declaration if the module has none.
    pub(super) fn declare(&mut self, code: &mut Code, op: Op, ty: u32, operands: &[u32]) -> u32 {
        let known = self.known.get_or_insert_with(|| declarations(code));
        let Some((index, id)) = code.add(op, ty, operands) else { return 0 };
        if let Some(same) = known.find(code, index) {
            code.clear(index);
            return code.result(same);
        }
        code.count(index);
        self.added.push(index);
        id
    }

    /// Removes the types and constants that have no use, name or decoration.
    pub(super) fn remove_unused(&self, code: &mut Code) {
        for index in (0..code.functions).chain(self.added.iter().copied()).rev() {
            if code.insts[index].effect == Effect::Declares {
                let id = code.result(index);
                if code.uses(id) == 0 && !code.is_described(id) {
                    code.remove(index);
                }
            }
        }
    }
}

/// Numbers the types and constants of a module by value.
fn declarations(code: &Code) -> ValueNumbers {
    let mut declared = ValueNumbers::new(code.functions);
    for index in 0..code.functions {
        let can_be_added = matches!(
            code.insts[index].op,
            Op::TypeInt | Op::TypeVector | Op::TypePointer | Op::Constant | Op::ConstantComposite
        );
        if can_be_added && !code.is_decorated(code.result(index)) {
            declared.find(code, index);
        }
    }
    declared
}
