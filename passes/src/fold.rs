//! Constant folding: an operation on constants becomes the constant that the operation table computes.
//!
//! Requires nothing. Keeps types and control flow. Breaks nothing: operands that are not read any more are left to `dce`.
//! Results that are infinite or NaN, which targets have no literals for, stay operations; so do halves, which have no literals.

use sdlbc::compute::{Value, compute};
use sdlbc::{Few, Id, Inst, Op, Scalar, Type};

use crate::body::{literal as literal_of, splat};
use crate::known::Known;
use crate::{Analyses, Body, Changed, Pass};

/// See the file.
pub(crate) struct Fold;

impl Pass for Fold {
    fn name(&self) -> &'static str {
        "fold"
    }

    fn run(&self, body: &mut Body, _: &mut Analyses) -> Changed {
        let mut known = Known::new(body);
        let mut added = Vec::new();
        let mut changed = false;
        for at in 0..body.insts().len() {
            let Some(inst) = body.insts().get(at) else { break };
            let Some(ty) = body.ty(inst.output) else { continue };
            if let Some(words) = folded(inst, ty, &known, body) {
                let before = added.len();
                let inst = literal(&words, ty, inst.output, at, body, &mut added);
                for (at, literal) in added.get(before..).unwrap_or_default() {
                    let ty = body.ty(literal.output).unwrap_or(ty);
                    known.note(*at, literal, ty);
                }
                if let Some(place) = body.insts_mut().get_mut(at) {
                    *place = inst;
                }
                changed = true;
            }
            if let Some(inst) = body.insts().get(at) {
                known.note(at, inst, ty);
            }
        }
        body.insert_all(added);
        changed.into()
    }
}

/// The constant that an operation on constants computes.
fn folded(inst: &Inst, ty: Type, known: &Known, body: &Body) -> Option<Few<u32>> {
    let Type::Vector(scalar, _) = ty else { return None };
    let of_scalar = inst.inputs.first().is_some_and(|&of| body.width(of) == 1);
    // What a constant is made of: literals, a component repeated, and components put together.
    let is_constant = inst.inputs.is_empty() || inst.op == Op::Vector || inst.op == Op::Swizzle && of_scalar;
    if is_constant || matches!(inst.op, Op::Phi | Op::Peek | Op::Call) || scalar == Scalar::Half {
        return None;
    }
    let mut operands = Vec::with_capacity(inst.inputs.len());
    for &id in &inst.inputs {
        operands.push(Value { ty: body.ty(id)?, words: known.constant(id)?.to_vec() });
    }
    let words = compute(inst.op, &operands, &inst.immediates)?.words;
    let finite = scalar != Scalar::Float || words.iter().all(|&word| f32::from_bits(word).is_finite());
    finite.then(|| words.into())
}

/// The instruction that is a constant: a literal, or components of literals that are added before it.
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
