//! The words of a SPIR-V module, and its instructions.
//!
//! Instructions are laid out as in the SPIR-V specification, section 2.3, "Physical Layout of a SPIR-V Module and Instruction".

use std::sync::LazyLock;

use rspirv::grammar::{INSTRUCTION_TABLE, OperandKind};
use rspirv::spirv::{MAGIC_NUMBER, Op};

use sdlbc::front::{BinaryPlace, Refusal, RefusalKind};

/// Returns the refusal of the construct at a word.
pub(crate) fn refusal(kind: RefusalKind, at: Option<usize>) -> Refusal {
    let mut refusal = Refusal::new(kind, None);
    refusal.place = at.map(|at| Box::new(BinaryPlace::Byte(at * 4)));
    refusal
}

/// Returns the reason to refuse a module that is not valid SPIR-V.
pub(crate) fn malformed(what: impl std::fmt::Display) -> RefusalKind {
    RefusalKind::Invalid { message: format!("invalid SPIR-V: {what}") }
}

/// The number of words of the header.
const HEADER: usize = 5;

/// An instruction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Inst<'m> {
    /// The offset of its first word in the module.
    pub(crate) at: usize,
    pub(crate) op: Op,
    /// The id of the type of its result; 0 if it has none.
    pub(crate) ty: u32,
    /// The id of its result; 0 if it has none.
    pub(crate) id: u32,
    /// The operands after the result.
    pub(crate) args: &'m [u32],
}

impl Inst<'_> {
    /// Returns an operand, or 0 if the instruction has fewer operands. No id is 0.
    pub(crate) fn arg(&self, at: usize) -> u32 {
        self.args.get(at).copied().unwrap_or(0)
    }

    /// Returns the refusal of a malformed instruction.
    pub(crate) fn malformed(&self) -> Refusal {
        let what = format!("{} does not have the operands of its opcode", name(self.op));
        refusal(malformed(what), Some(self.at))
    }
}

/// Returns the name of an instruction in the specification, such as `OpFAdd`.
pub(crate) fn name(op: Op) -> String {
    format!("Op{op:?}")
}

/// Returns the words of a module in this machine's byte order.
pub(crate) fn words(bytes: &[u8]) -> Result<Vec<u32>, Refusal> {
    let refuse = |what: &str, at| Err(refusal(malformed(what), at));
    let (chunks, rest) = bytes.as_chunks::<4>();
    let words = match chunks.first().copied() {
        Some(first) if u32::from_le_bytes(first) == MAGIC_NUMBER => {
            chunks.iter().map(|&word| u32::from_le_bytes(word)).collect::<Vec<_>>()
        }
        Some(first) if u32::from_be_bytes(first) == MAGIC_NUMBER => {
            chunks.iter().map(|&word| u32::from_be_bytes(word)).collect()
        }
        _ => return refuse("the file does not begin with SPIR-V's magic number 0x07230203", Some(0)),
    };
    if !rest.is_empty() {
        return refuse("the length of the file is not a multiple of four bytes", Some(words.len()));
    }
    if words.len() < HEADER {
        return refuse("the file ends inside the header", Some(words.len()));
    }
    Ok(words)
}

/// By opcode: whether its instructions have a result type, and whether they have a result; `None` for an unknown opcode.
static SHAPES: LazyLock<Vec<Option<(bool, bool)>>> = LazyLock::new(|| {
    let mut shapes = Vec::new();
    for row in INSTRUCTION_TABLE.iter() {
        let at = row.opcode as usize;
        if shapes.len() <= at {
            shapes.resize(at + 1, None);
        }
        let has = |kind| row.operands.iter().take(2).any(|operand| operand.kind == kind);
        if let Some(shape) = shapes.get_mut(at) {
            *shape = Some((has(OperandKind::IdResultType), has(OperandKind::IdResult)));
        }
    }
    shapes
});

/// Returns the instructions after the header.
pub(crate) fn instructions(words: &[u32]) -> Result<Vec<Inst<'_>>, Refusal> {
    let mut insts = Vec::new();
    let mut at = HEADER;
    while let Some(&first) = words.get(at) {
        let fault = |what: String| refusal(malformed(what), Some(at));
        let (length, opcode) = ((first >> 16) as usize, first & 0xffff);
        let Some(operands) = words.get(at + 1..at + length).filter(|_| length > 0) else {
            return Err(fault("an instruction does not end within the file".to_string()));
        };
        let shape = SHAPES.get(opcode as usize).copied().flatten();
        let (Some((has_type, has_result)), Some(op)) = (shape, Op::from_u32(opcode)) else {
            return Err(fault(format!("there is no instruction with the opcode {opcode}")));
        };
        let own = usize::from(has_type) + usize::from(has_result);
        let Some((results, args)) = operands.split_at_checked(own) else {
            return Err(fault(format!("{} lacks its result", name(op))));
        };
        let ty = results.first().copied().filter(|_| has_type).unwrap_or(0);
        let id = results.last().copied().filter(|_| has_result).unwrap_or(0);
        insts.push(Inst { at, op, ty, id, args });
        at += length;
    }
    Ok(insts)
}

/// Returns the text of a literal string, and the number of its words. Bytes that are not UTF-8 are replaced.
pub(crate) fn text(words: &[u32]) -> (String, usize) {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).take_while(|&byte| byte != 0).collect();
    (String::from_utf8_lossy(&bytes).into_owned(), (bytes.len() / 4 + 1).min(words.len()))
}
