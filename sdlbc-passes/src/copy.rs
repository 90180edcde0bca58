//! Copy propagation: replaces reads of copied values, or of copied components, with reads of the original values.
//!
//! The pass has no prerequisites, preserves types and control flow, and leaves unused copies to `dce`.

use sdlbc::module::swizvals;
use sdlbc::{Few, Id, Inst, Op, OpSet};

use crate::analyses::Memory;
use crate::body::New;
use crate::known::Known;
use crate::{Analyses, Body, Changed};

pub(crate) fn run(body: &mut Body, analyses: &mut Analyses) -> Changed {
    if !body.has(OpSet::of(&[Op::Swizzle, Op::Vector])) {
        return Changed::No;
    }
    let (known, Memory { by, .. }) = analyses.known(body);
    by.clear();
    let mut changed = false;
    for at in 0..body.insts().len() {
        body.substitute_at(at, by);
        let Some(inst) = body.insts().get(at) else { break };
        let new = match inst.op {
            Op::Swizzle => swizzle(body, inst, known),
            Op::Vector => vector(body, inst, known),
            _ => continue,
        };
        match new {
            Some(New::Value(id)) => by.replace(inst.output, id),
            Some(New::Inst(new)) => body.set(at, new),
            None => continue,
        }
        changed = true;
    }
    body.substitute(by);
    changed.into()
}

/// Returns the SWIZZLE or VECTOR that defines a value.
fn definition<'a>(body: &'a Body, known: &Known, id: Id) -> Option<&'a Inst> {
    let (_, inst) = known.definition(body, id)?;
    matches!(inst.op, Op::Swizzle | Op::Vector).then_some(inst)
}

fn swizzle(body: &Body, inst: &Inst, known: &Known) -> Option<New> {
    let &of = inst.inputs.first()?;
    if inst.lanes().eq(0..body.width(of)) {
        return Some(New::Value(of));
    }
    let source = definition(body, known, of)?;
    if source.op == Op::Swizzle {
        let from: Few<u8> = source.lanes().collect();
        let picked: Few<u8> = inst.lanes().map(|lane| from.get(usize::from(lane)).copied().unwrap_or(0)).collect();
        return Some(New::Inst(Inst::new(Op::Swizzle, inst.output, &source.inputs, &[swizvals(&picked)])));
    }
    // The source of each component of the VECTOR: an operand, and a component of the operand.
    let parts: Vec<(Id, u8)> =
        source.inputs.iter().flat_map(|&id| (0..body.width(id)).map(move |lane| (id, lane))).collect();
    let picked: Vec<(Id, u8)> =
        inst.lanes().map(|lane| parts.get(usize::from(lane)).copied()).collect::<Option<_>>()?;
    let (part, _) = *picked.first()?;
    if picked.iter().all(|(id, _)| *id == part) {
        let lanes: Few<u8> = picked.iter().map(|(_, lane)| *lane).collect();
        return Some(New::Inst(Inst::new(Op::Swizzle, inst.output, &[part], &[swizvals(&lanes)])));
    }
    // A VECTOR replaces the SWIZZLE if the selected components form complete operands, in any order.
    let mut whole: Few<Id> = Few::new();
    let mut rest = picked.as_slice();
    while let Some(&(id, 0)) = rest.first() {
        let width = body.width(id);
        let (of_part, after) = rest.split_at_checked(usize::from(width))?;
        if !of_part.iter().copied().eq((0..width).map(|lane| (id, lane))) {
            return None;
        }
        whole.push(id);
        rest = after;
    }
    rest.is_empty().then(|| New::Inst(Inst::new(Op::Vector, inst.output, &whole, &[])))
}

fn vector(body: &Body, inst: &Inst, known: &Known) -> Option<New> {
    if let [part] = inst.inputs[..] {
        return Some(New::Value(part));
    }
    // The source of a part is the operand of the SWIZZLE that defines the part, or the part itself if no SWIZZLE defines it.
    let of_part = |part: Id| match definition(body, known, part) {
        Some(source) if source.op == Op::Swizzle => (source.inputs.first().copied().unwrap_or(part), Some(source)),
        _ => (part, None),
    };
    let is_vector = |&part: &Id| definition(body, known, part).is_some_and(|source| source.op == Op::Vector);
    let (from, _) = of_part(*inst.inputs.first()?);
    if inst.inputs.iter().all(|&part| of_part(part).0 == from) {
        let mut picked: Few<u8> = Few::new();
        for &part in &inst.inputs {
            match of_part(part) {
                (_, Some(source)) => picked.extend(source.lanes()),
                (part, None) => picked.extend(0..body.width(part)),
            }
        }
        return Some(New::Inst(Inst::new(Op::Swizzle, inst.output, &[from], &[swizvals(&picked)])));
    }
    if !inst.inputs.iter().any(is_vector) {
        return None;
    }
    let mut flat: Few<Id> = Few::new();
    for part in &inst.inputs {
        match definition(body, known, *part).filter(|source| source.op == Op::Vector) {
            Some(source) => flat.extend_from_slice(&source.inputs),
            None => flat.push(*part),
        }
    }
    Some(New::Inst(Inst::new(Op::Vector, inst.output, &flat, &[])))
}
