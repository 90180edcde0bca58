//! Disassembles SPIR-V words into text that `spirv-as` accepts. rspirv prints the text, except for three constructs that this
//! file corrects: rspirv prints the literals of a switch as unsigned numbers, interprets the bits of a 16-bit float as a
//! 32-bit float, and escapes strings as Rust does.

use std::collections::HashSet;

use rspirv::binary::Disassemble;
use rspirv::dr::{Instruction, Module, Operand};
use rspirv::spirv::Op;

use crate::error::Error;

/// The number of words in a SPIR-V module before the first instruction.
pub(crate) const HEADER: usize = 5;

/// Calls `each` with the opcode and all words of each instruction.
pub(crate) fn each_inst<'w>(words: &'w [u32], mut each: impl FnMut(Op, &'w [u32])) {
    let mut rest = words.get(HEADER..).unwrap_or_default();
    while let Some(&head) = rest.first() {
        let (inst, after) = rest.split_at(((head >> 16) as usize).clamp(1, rest.len()));
        each(Op::from_u32(head & 0xffff).unwrap_or(Op::Nop), inst);
        rest = after;
    }
}

/// Disassembles SPIR-V words into text that `spirv-as` accepts.
///
/// # Errors
/// Returns [`Error::Internal`] if the words are not valid SPIR-V.
pub fn spirv_assembly(words: &[u32]) -> Result<String, Error> {
    let mut loader = rspirv::dr::Loader::new();
    rspirv::binary::parse_words(words, &mut loader).map_err(|error| Error::Internal(error.to_string()))?;
    let mut module = loader.module();
    widen_halves(&mut module);
    let text = module.disassemble();
    // Each instruction after the header is one line, because rspirv escapes line breaks in strings.
    let code = code(&module);
    let lines: Vec<&str> = text.split('\n').collect();
    let (header, lines) = lines.split_at(lines.len().saturating_sub(code.len()));
    let signed = signed(&module);
    let mut text: String = header.iter().flat_map(|line| [*line, "\n"]).collect();
    for (line, inst) in lines.iter().zip(code) {
        text += own_line(inst, &signed).as_deref().unwrap_or(line);
        text.push('\n');
    }
    Ok(text)
}

/// Replaces the bits of each 16-bit float constant with the bits of a 32-bit float that has the same value.
fn widen_halves(module: &mut Module) {
    let is_half = |inst: &&Instruction| {
        inst.class.opcode == Op::TypeFloat && inst.operands.first() == Some(&Operand::LiteralBit32(16))
    };
    let Some(half) = module.types_global_values.iter().find(is_half).and_then(|inst| inst.result_id) else { return };
    let constants = module.types_global_values.iter_mut().filter(|inst| inst.class.opcode == Op::Constant);
    for constant in constants.filter(|inst| inst.result_type == Some(half)) {
        if let Some(Operand::LiteralBit32(bits)) = constant.operands.first_mut() {
            *bits = float_of_half(*bits).to_bits();
        }
    }
}

/// Returns the value of the 16-bit float (IEEE 754 binary16) in the low 16 bits of `bits`.
fn float_of_half(bits: u32) -> f32 {
    let sign = if bits & 0x8000 == 0 { 1.0 } else { -1.0 };
    let (exponent, fraction) = (bits >> 10 & 31, bits & 1023);
    sign * match exponent {
        0 => fraction as f32 * 2f32.powi(-24),
        31 if fraction == 0 => f32::INFINITY,
        31 => f32::NAN,
        _ => f32::from_bits((exponent + 112) << 23 | fraction << 13),
    }
}

/// Returns the instructions in the order in which rspirv prints them.
fn code(module: &Module) -> Vec<&Instruction> {
    let mut code: Vec<&Instruction> = module.global_inst_iter().collect();
    for function in &module.functions {
        code.extend(&function.def);
        code.extend(&function.parameters);
        for block in &function.blocks {
            code.extend(&block.label);
            code.extend(&block.instructions);
        }
        code.extend(&function.end);
    }
    code
}

fn signed(module: &Module) -> HashSet<u32> {
    let is_signed = |inst: &&Instruction| {
        inst.class.opcode == Op::TypeInt && inst.operands.get(1) == Some(&Operand::LiteralBit32(1))
    };
    let types: HashSet<_> = module.types_global_values.iter().filter(is_signed).map(|inst| inst.result_id).collect();
    let values = module.all_inst_iter().filter(|inst| inst.result_type.is_some() && types.contains(&inst.result_type));
    values.filter_map(|inst| inst.result_id).collect()
}

/// Prints an instruction that rspirv prints incorrectly: a switch on a signed integer, or an instruction with a string.
fn own_line(inst: &Instruction, signed: &HashSet<u32>) -> Option<String> {
    let is_signed = inst.class.opcode == Op::Switch
        && matches!(inst.operands.first(), Some(Operand::IdRef(selector)) if signed.contains(selector));
    let is_odd =
        |operand: &Operand| matches!(operand, Operand::LiteralString(text) if format!("{text:?}") != quoted(text));
    if !is_signed && !inst.operands.iter().any(is_odd) {
        return None;
    }
    let mut line = inst.result_id.map_or(String::new(), |id| format!("%{id} = "));
    line += &format!("Op{}", inst.class.opname);
    for operand in &inst.operands {
        line.push(' ');
        line += &match operand {
            Operand::LiteralBit32(value) if is_signed => value.cast_signed().to_string(),
            Operand::LiteralString(text) => quoted(text),
            operand => operand.disassemble(),
        };
    }
    Some(line)
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use rspirv::binary::Assemble;

    use super::{float_of_half, spirv_assembly};

    #[test]
    fn a_half_is_written_as_the_number_that_it_is() {
        let mut builder = rspirv::dr::Builder::new();
        let half = builder.type_float(16, None);
        for bits in [0x3e00, 0xc900] {
            builder.constant_bit32(half, bits);
        }
        let text = spirv_assembly(&builder.module().assemble()).expect("text");
        assert!(text.contains("OpConstant  %1  1.5\n") && text.contains("OpConstant  %1  -10\n"), "{text}");
    }

    #[test]
    fn a_half_is_the_float_of_its_value() {
        let cases =
            [(0, 0.0), (1, 5.960_464_5e-8), (0x3c00, 1.0), (0xc000, -2.0), (0x7bff, 65504.0), (0x7c00, f32::INFINITY)];
        cases.iter().for_each(|(bits, value)| assert_eq!(float_of_half(*bits), *value, "{bits:#x}"));
        assert!(float_of_half(0x7e00).is_nan());
    }
}
