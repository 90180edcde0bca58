//! The tests of `naga-front`, in one binary: golden files of lifted modules, and refused sources.

mod buffers;
mod layers;
mod lifted;
mod limits;
mod readers;
mod refused;
mod upstream;

/// Builds a SPIR-V module from the opcode and the operands of each instruction. All ids must be below 60.
fn spirv<'a>(instructions: impl IntoIterator<Item = &'a (u32, &'a [u32])>) -> Vec<u8> {
    let mut words = vec![0x0723_0203, 0x0001_0000, 0, 60, 0];
    for (op, operands) in instructions {
        words.push((operands.len() as u32 + 1) << 16 | op);
        words.extend(*operands);
    }
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}
