//! The instructions of SPIR-V, for the mends that inspect a module before naga's reader reads it.

/// The opcode and operands of each instruction of SPIR-V, up to the first incomplete instruction.
pub(crate) fn instructions(bytes: &[u8]) -> impl Iterator<Item = (u32, &[[u8; 4]])> {
    let (words, _) = bytes.as_chunks();
    let mut rest = words.get(5..).unwrap_or_default();
    std::iter::from_fn(move || {
        let first = u32::from_le_bytes(*rest.first()?);
        let (inst, after) = rest.split_at_checked((first >> 16) as usize)?;
        rest = after;
        Some((first & 0xffff, inst.get(1..)?))
    })
}
