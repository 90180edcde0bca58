//! Counts SPIR-V instructions by opcode.
//!
//! Rule: only instructions from OpFunction to OpFunctionEnd inclusive are counted, excluding labels and line information. Names
//! and types are declared outside functions, so they are not counted. The instructions in the corpus's `peer.tsv` are counted
//! in the same way.

use std::collections::BTreeMap;

use rspirv::spirv::Op;

/// The number of words before a module's first instruction.
const HEADER: usize = 5;
/// The first word of a SPIR-V module.
const MAGIC: u32 = 0x0723_0203;

/// Maps each opcode to the number of its instructions inside functions.
pub type Opcodes = BTreeMap<String, u64>;

/// Counts the instructions inside the functions of a module.
///
/// # Errors
/// Fails if the words are not a SPIR-V module.
pub fn count(words: &[u32]) -> Result<Opcodes, String> {
    if words.first() != Some(&MAGIC) {
        return Err("no SPIR-V module".to_string());
    }
    let mut rest = words.get(HEADER..).ok_or("a header that ends early")?;
    let mut opcodes = Opcodes::new();
    let mut inside = false;
    while let Some(&first) = rest.first() {
        let number = first & 0xffff;
        let opcode = Op::from_u32(number).ok_or_else(|| format!("an unknown opcode, {number}"))?;
        inside |= opcode == Op::Function;
        if inside && !matches!(opcode, Op::Label | Op::Line | Op::NoLine) {
            *opcodes.entry(format!("{opcode:?}")).or_default() += 1;
        }
        inside &= opcode != Op::FunctionEnd;
        let length = usize::try_from(first >> 16).map_err(|error| error.to_string())?;
        rest = rest.get(length.max(1)..).ok_or_else(|| format!("an Op{opcode:?} that ends early"))?;
    }
    Ok(opcodes)
}

/// Returns the total number of instructions.
pub fn sum(opcodes: &Opcodes) -> u64 {
    opcodes.values().sum()
}

/// Converts the bytes of a file to little-endian words.
pub fn words(bytes: &[u8]) -> Vec<u32> {
    let (words, _) = bytes.as_chunks::<4>();
    words.iter().map(|word| u32::from_le_bytes(*word)).collect()
}

#[cfg(test)]
mod tests {
    use super::{count, sum};
    use crate::stages::spirv;

    fn module(code: &str) -> Vec<u32> {
        let text = format!(
            "fragment function \"main\" {{\ninput %1 v: float4 = varying 0\noutput 0 oc: float4 = colour 0\n{code}}}\n"
        );
        spirv(&sdlbc::Verified::new(sdlbc::parse(&text).expect("a module")).expect("it verifies"))
    }

    #[test]
    fn instructions_in_functions_count_but_for_labels() {
        let words = module("%2 = add %1, %1\npoke %2, 0\n");
        let opcodes = count(&words).expect("a module");
        for (opcode, times) in [("Function", 1), ("FunctionEnd", 1), ("FAdd", 1), ("Return", 1)] {
            assert_eq!(opcodes.get(opcode), Some(&times), "{opcode} in {opcodes:?}");
        }
        for outside in ["Label", "Name", "TypeFloat", "Decorate", "EntryPoint", "Line"] {
            assert_eq!(opcodes.get(outside), None, "{outside}");
        }
        let more = count(&module("%2 = add %1, %1\n%3 = add %2, %1\npoke %3, 0\n")).expect("a module");
        assert_eq!(sum(&more), sum(&opcodes) + 1);
    }

    #[test]
    fn what_is_no_module_is_refused() {
        let words = module("poke %1, 0\n");
        assert!(count(&words[1..]).is_err());
        let mut endless = words.clone();
        endless.truncate(5);
        endless.push(19); // OpTypeVoid with a length of 0 words
        assert!(count(&endless).is_ok(), "a length of 0 does not loop for ever");
        endless.push(0xffff);
        assert_eq!(count(&endless).expect_err("an opcode"), "an unknown opcode, 65535");
        let mut cut = words;
        cut.push(4 << 16 | 54);
        assert_eq!(count(&cut).expect_err("a cut"), "an OpFunction that ends early");
    }
}
