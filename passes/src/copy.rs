//! Copies: a value that is another one, or components of another one, is read from there directly.
//!
//! Requires nothing. Keeps types and control flow. Breaks nothing: copies that are not read any more are left to `dce`.

use sdlbc::module::swizvals;
use sdlbc::{Few, Id, Inst, Op};

use crate::body::{Substitution, index};
use crate::{Analyses, Body, Changed, Pass};

/// See the file.
pub(crate) struct Copies;

impl Pass for Copies {
    fn name(&self) -> &'static str {
        "copy"
    }

    fn run(&self, body: &mut Body, _: &mut Analyses) -> Changed {
        let mut by = Substitution::default();
        // By id: one more than the place of a swizzle or vector.
        let mut places = vec![0usize; body.ids()];
        let mut changed = false;
        for at in 0..body.insts().len() {
            let Some(inst) = body.insts_mut().get_mut(at) else { break };
            inst.inputs.iter_mut().for_each(|id| *id = by.of(*id));
            let new = match inst.op {
                Op::Swizzle => swizzle(body, at, &places),
                Op::Vector => vector(body, at, &places),
                _ => continue,
            };
            match new {
                Some(New::Value(id)) => {
                    if let Some(inst) = body.insts().get(at) {
                        by.replace(inst.output, id);
                    }
                    changed = true;
                    continue;
                }
                Some(New::Inst(new)) => {
                    if let Some(inst) = body.insts_mut().get_mut(at) {
                        *inst = new;
                    }
                    changed = true;
                }
                None => {}
            }
            if let Some(place) = body.insts().get(at).and_then(|inst| places.get_mut(index(inst.output))) {
                *place = at + 1;
            }
        }
        body.substitute(&by);
        changed.into()
    }
}

/// What an instruction becomes.
enum New {
    /// Another value.
    Value(Id),
    /// Another instruction.
    Inst(Inst),
}

/// The swizzle or vector that defines a value.
fn definition<'a>(body: &'a Body, places: &[usize], id: Id) -> Option<&'a Inst> {
    body.insts().get(places.get(index(id))?.checked_sub(1)?)
}

fn swizzle(body: &Body, at: usize, places: &[usize]) -> Option<New> {
    let inst = body.insts().get(at)?;
    let &of = inst.inputs.first()?;
    if inst.lanes().eq(0..body.width(of)) {
        return Some(New::Value(of));
    }
    let source = definition(body, places, of)?;
    if source.op == Op::Swizzle {
        let from: Few<u8> = source.lanes().collect();
        let picked: Few<u8> = inst.lanes().map(|lane| from.get(usize::from(lane)).copied().unwrap_or(0)).collect();
        return Some(New::Inst(Inst::new(Op::Swizzle, inst.output, &source.inputs, &[swizvals(&picked)])));
    }
    // Components of a vector: (the part, the component of it).
    let parts: Vec<(Id, u8)> =
        source.inputs.iter().flat_map(|&id| (0..body.width(id)).map(move |lane| (id, lane))).collect();
    let picked: Vec<(Id, u8)> =
        inst.lanes().map(|lane| parts.get(usize::from(lane)).copied()).collect::<Option<_>>()?;
    let (part, _) = *picked.first()?;
    if picked.iter().all(|(id, _)| *id == part) {
        let lanes: Few<u8> = picked.iter().map(|(_, lane)| *lane).collect();
        return Some(New::Inst(Inst::new(Op::Swizzle, inst.output, &[part], &[swizvals(&lanes)])));
    }
    // Whole parts, in any order.
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

fn vector(body: &Body, at: usize, places: &[usize]) -> Option<New> {
    let inst = body.insts().get(at)?;
    if let [part] = inst.inputs[..] {
        return Some(New::Value(part));
    }
    // Each part as components of what it selects from.
    let mut flat: Few<Id> = Few::new();
    let mut from: Option<Id> = None;
    let mut picked: Few<u8> = Few::new();
    let mut same = true;
    for &part in &inst.inputs {
        let source = definition(body, places, part);
        match source {
            Some(source) if source.op == Op::Vector => flat.extend_from_slice(&source.inputs),
            _ => flat.push(part),
        }
        let (of, lanes): (Id, Few<u8>) = match source {
            Some(source) if source.op == Op::Swizzle => (source.inputs.first().copied()?, source.lanes().collect()),
            _ => (part, (0..body.width(part)).collect()),
        };
        same &= *from.get_or_insert(of) == of;
        picked.extend_from_slice(&lanes);
    }
    if let Some(of) = from.filter(|_| same) {
        return Some(New::Inst(Inst::new(Op::Swizzle, inst.output, &[of], &[swizvals(&picked)])));
    }
    (flat.len() != inst.inputs.len()).then(|| New::Inst(Inst::new(Op::Vector, inst.output, &flat, &[])))
}
