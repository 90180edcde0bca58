//! Decorates the outputs of a vertex shader, so that transform feedback writes them to a buffer.

use rspirv::binary::Assemble;
use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{Capability, Decoration, ExecutionMode, Op, StorageClass, Word};

use super::interface::{Leaf, Parsed, id_at};

/// An output in the buffer: the leaf, and its byte offset in the record of a vertex.
pub type Captured = (Leaf, u32);

struct Decorated {
    insts: Vec<Instruction>,
    outputs: Vec<Captured>,
    next: u32,
}

impl Decorated {
    fn decorate(&mut self, id: Word, member: Option<u32>, decoration: Decoration, number: u32) {
        let mut operands = vec![Operand::IdRef(id)];
        operands.extend(member.map(Operand::LiteralBit32));
        operands.extend([Operand::Decoration(decoration), Operand::LiteralBit32(number)]);
        let op = if member.is_some() { Op::MemberDecorate } else { Op::Decorate };
        self.insts.push(Instruction::new(op, None, None, operands));
    }

    /// Places the leaves of a variable or member, which are contiguous.
    fn place(&mut self, id: Word, member: Option<u32>, leaves: &[Leaf]) {
        if leaves.is_empty() {
            return;
        }
        self.decorate(id, member, Decoration::Offset, self.next);
        for &leaf in leaves {
            self.outputs.push((leaf, self.next));
            self.next += 4 * leaf.width;
        }
    }
}

/// Returns the words of a vertex shader whose outputs are captured, with the outputs and the bytes of a vertex.
///
/// # Errors
/// Returns the output that cannot be captured.
pub fn captured(parsed: Parsed) -> Result<(Vec<u32>, Vec<Captured>, u32), String> {
    let mut of = Decorated { insts: Vec::new(), outputs: Vec::new(), next: 0 };
    let mut variables = Vec::new();
    let entry = parsed.module.entry_points.first().cloned().ok_or("no entry point")?;
    for inst in parsed.module.types_global_values.iter().filter(|inst| inst.class.opcode == Op::Variable) {
        let id = inst.result_id.unwrap_or_default();
        let is_output = inst.operands.first() == Some(&Operand::StorageClass(StorageClass::Output));
        if !is_output || !entry.operands.contains(&Operand::IdRef(id)) {
            continue;
        }
        let ty = parsed.pointee(inst)?;
        let structure = parsed.declared(ty)?.clone();
        let before = of.next;
        // Mesa captures the members of blocks only.
        let is_plain =
            structure.class.opcode == Op::TypeStruct && parsed.decoration(ty, None, Decoration::Block).is_none();
        let is_array = structure.class.opcode == Op::TypeArray
            && parsed.declared(id_at(&structure, 0))?.class.opcode == Op::TypeStruct;
        if is_plain || is_array {
            return Err("an output that is a structure without a block".into());
        }
        if structure.class.opcode == Op::TypeStruct {
            let mut leaves = parsed.variable(id, ty)?.into_iter();
            for (member, of_member) in (0..).zip(&structure.operands) {
                let of_member = of_member.id_ref_any().unwrap_or_default();
                let count = match parsed.decoration(ty, Some(member), Decoration::BuiltIn) {
                    Some(_) => parsed.built_in_member(id, ty, (member, of_member))?.len(),
                    None => parsed.variable(u32::MAX, of_member)?.len(),
                };
                let own: Vec<Leaf> = leaves.by_ref().take(count).collect();
                of.place(ty, Some(member), &own);
            }
        } else {
            let leaves = parsed.variable(id, ty)?;
            of.place(id, None, &leaves);
        }
        if of.next > before {
            variables.push(id);
        }
    }
    let stride = of.next.max(4);
    for id in variables {
        of.decorate(id, None, Decoration::XfbBuffer, 0);
        of.decorate(id, None, Decoration::XfbStride, stride);
    }
    let mut module = parsed.module;
    module.annotations.append(&mut of.insts);
    let capability = vec![Operand::Capability(Capability::TransformFeedback)];
    module.capabilities.push(Instruction::new(Op::Capability, None, None, capability));
    let function = entry.operands.get(1).cloned().ok_or("an entry point without a function")?;
    let mode = vec![function, Operand::ExecutionMode(ExecutionMode::Xfb)];
    module.execution_modes.push(Instruction::new(Op::ExecutionMode, None, None, mode));
    Ok((module.assemble(), of.outputs, stride))
}
