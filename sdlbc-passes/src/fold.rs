//! Constant folding: replaces an operation on constants with the constant that the operation table computes.
//!
//! The pass has no prerequisites, preserves types and control flow, and leaves unused operands to `dce`. A second run of the
//! pass changes nothing.
//!
//! Infinite and NaN results are not folded, because targets have no literals for them. Halves are not folded, because there are
//! no half literals.

use sdlbc::compute::{Value, compute};
use sdlbc::{Few, Id, Inst, Op, Scalar, Type};

use crate::body::{literal as literal_of, splat};
use crate::known::Known;
use crate::properties;
use crate::{Analyses, Body, Changed};

pub(crate) fn run(body: &mut Body, analyses: &mut Analyses) -> Changed {
    if !body.has(properties::LITERALS) {
        return Changed::No;
    }
    let (known, memory) = analyses.known(body);
    if !known.may_fold() {
        return Changed::No;
    }
    let added = &mut memory.added;
    let mut changed = false;
    for at in 0..body.insts().len() {
        let Some(inst) = body.insts().get(at) else { break };
        if let Some((words, ty)) = folded(inst, known, body) {
            let (before, output) = (added.len(), inst.output);
            let inst = literal(&words, ty, output, at, body, added);
            for (_, literal) in added.get(before..).unwrap_or_default() {
                known.note(at, literal);
            }
            known.note(at, &inst);
            body.set(at, inst);
            changed = true;
        } else if changed && inst.output.is_some() {
            // The result may now be a constant, because an operand may have been folded.
            known.note(at, inst);
        }
    }
    body.insert_all(added);
    changed.into()
}

fn folded(inst: &Inst, known: &Known, body: &Body) -> Option<(Few<u32>, Type)> {
    if !properties::of(inst.op).is_folded || !inst.inputs.iter().all(|&id| known.is_constant(id)) {
        return None;
    }
    let ty @ Type::Vector(scalar, _) = body.ty(inst.output)? else { return None };
    let of_scalar = inst.inputs.first().is_some_and(|&of| body.width(of) == 1);
    // A SWIZZLE of a scalar is not folded, because the pass itself builds constants from such SWIZZLEs.
    if inst.op == Op::Swizzle && of_scalar || scalar == Scalar::Half {
        return None;
    }
    let mut operands = Vec::with_capacity(inst.inputs.len());
    for &id in &inst.inputs {
        operands.push(Value { ty: body.ty(id)?, words: known.constant(id)?.to_vec() });
    }
    let words = compute(inst.op, &operands, &inst.immediates)?.words;
    let finite = scalar != Scalar::Float || words.iter().all(|&word| f32::from_bits(word).is_finite());
    finite.then(|| (words.into(), ty))
}

/// Returns an instruction that defines a constant. The literals that the instruction reads are appended to `added`.
fn literal(words: &[u32], ty: Type, output: Id, at: usize, body: &mut Body, added: &mut Vec<(usize, Inst)>) -> Inst {
    let Type::Vector(scalar, width) = ty else { return Inst::new(Op::Nop, Id::NONE, &[], &[]) };
    let op = literal_of(scalar);
    let mut parts: Few<Id> = Few::new();
    let wide = match (op, width) {
        (_, 1) => return Inst::new(op, output, &[], words),
        (Op::LiteralFloat, 4) => Some(Op::LiteralFloat4),
        (Op::LiteralInt, 4) => Some(Op::LiteralInt4),
        _ => None,
    };
    let is_splat = words.iter().all(|word| Some(word) == words.first());
    if let Some(op) = wide.filter(|_| !is_splat) {
        return Inst::new(op, output, &[], words);
    }
    for &word in if is_splat { words.get(..1).unwrap_or_default() } else { words } {
        let id = body.fresh(Type::Vector(scalar, 1));
        added.push((at, Inst::new(op, id, &[], &[word])));
        parts.push(id);
    }
    match parts[..] {
        [scalar] => splat(output, scalar, width),
        _ => Inst::new(Op::Vector, output, &parts, &[]),
    }
}
