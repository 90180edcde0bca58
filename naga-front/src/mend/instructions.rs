//! The instructions of a SPIR-V module, for the mends that inspect the module before naga reads it.

/// Iterates over a SPIR-V module's instructions, as pairs of opcode and operands. The iteration ends at the first incomplete
/// instruction.
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
