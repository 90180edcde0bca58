//! Vectorisation: scalar operations whose results form a vector are replaced with one vector operation. A masked write to several
//! components of a register becomes one instruction again, as in the source language.
//!
//! The pass has no prerequisites and preserves control flow. Scalar operations that become unused are left to `dce`. The vector
//! operation is placed directly before the VECTOR that reads the scalars, in the same block as the scalar operations.

use sdlbc::module::swizvals;
use sdlbc::{Few, Id, Inst, Op, OpSet, Type};

use crate::analyses::Scope;
use crate::body::index;
use crate::known::Known;
use crate::properties;
use crate::{Analyses, Body, Changed};

pub(crate) fn run(body: &mut Body, analyses: &mut Analyses) -> Changed {
    if !body.has(OpSet::of(&[Op::Vector])) {
        return Changed::No;
    }
    let (known, _) = analyses.known(body);
    let mut may_form = body.insts().iter().filter(|inst| inst.op == Op::Vector);
    if !may_form.any(|inst| has_equal_parts(inst, body, known)) {
        return Changed::No;
    }
    let (known, scopes, uses, memory) = analyses.all(body);
    let mut former = Former { known, scopes, uses, added: &mut memory.added };
    let mut changed = false;
    for at in 0..body.insts().len() {
        if body.insts().get(at).is_some_and(|inst| inst.op == Op::Vector && has_equal_parts(inst, body, known)) {
            changed |= former.vector(body, at);
        }
    }
    body.insert_all(former.added);
    changed.into()
}

/// Reports whether two consecutive operands of a VECTOR are results of the same operation.
fn has_equal_parts(inst: &Inst, body: &Body, known: &Known) -> bool {
    let op = |&id: &Id| known.definition(body, id).map(|(_, inst)| inst.op).filter(|&op| properties::of(op).is_widened);
    let mut before = None;
    inst.inputs.iter().any(|id| {
        let op = op(id);
        let last = std::mem::replace(&mut before, op);
        op.is_some() && last == op
    })
}

struct Former<'a> {
    known: &'a Known,
    scopes: &'a [Scope],
    uses: &'a [u32],
    added: &'a mut Vec<(usize, Inst)>,
}

/// A value's id and the index of one of its components; the index is 0 for a scalar.
type Component = (Id, u8);

impl Former<'_> {
    /// Finds the longest runs of VECTOR operands that are results of the same operation, and replaces each run with one vector
    /// operation. Returns whether any run was replaced.
    fn vector(&mut self, body: &mut Body, at: usize) -> bool {
        let Some(inst) = body.insts().get(at).cloned() else { return false };
        let mut parts: Few<Id> = Few::new();
        let mut rest = &inst.inputs[..];
        let mut changed = false;
        while let Some((&first, after)) = rest.split_first() {
            let run = (2..=rest.len()).rev().find_map(|count| {
                let run = rest.get(..count)?;
                Some((count, self.formed(body, at, run)?))
            });
            match run {
                Some((count, id)) => {
                    parts.push(id);
                    rest = rest.get(count..).unwrap_or_default();
                    changed = true;
                }
                None => {
                    parts.push(first);
                    rest = after;
                }
            }
        }
        if changed {
            // A vector with a single part is a copy, which copy propagation removes later.
            let new = match parts[..] {
                [whole] => {
                    let lanes: Few<u8> = (0..body.width(whole)).collect();
                    Inst::new(Op::Swizzle, inst.output, &[whole], &[swizvals(&lanes)])
                }
                _ => Inst::new(inst.op, inst.output, &parts, &[]),
            };
            body.set(at, new);
        }
        changed
    }

    /// Returns a vector operation that computes a run of scalars, provided that the vector operation saves instructions.
    fn formed(&mut self, body: &mut Body, at: usize, run: &[Id]) -> Option<Id> {
        let (_, first) = self.known.definition(body, *run.first()?)?;
        let (op, immediates, count) = (first.op, first.immediates.clone(), first.inputs.len());
        if !properties::of(op).is_widened {
            return None;
        }
        let Type::Vector(scalar, 1) = body.ty(*run.first()?)? else { return None };
        let mut slots: Vec<Few<Component>> = vec![Few::new(); count];
        for &part in run {
            let (place, inst) = self.known.definition(body, part)?;
            let once = self.uses.get(index(part)) == Some(&1);
            let block = |at: usize| self.scopes.get(at).map(|scope| scope.number);
            let here = block(place) == block(at);
            let same = inst.op == op && inst.immediates == immediates && inst.inputs.len() == count;
            if !(once && here && same && body.ty(part) == Some(Type::Vector(scalar, 1))) {
                return None;
            }
            for (slot, &id) in slots.iter_mut().zip(&inst.inputs) {
                slot.push(self.component(body, id)?);
            }
        }
        let inputs: Vec<Vectored> = slots.iter().map(|slot| vectored(body, slot)).collect::<Option<_>>()?;
        let added = inputs.iter().filter(|input| matches!(input, Vectored::Swizzle(..))).count();
        if inputs.iter().all(|input| matches!(input, Vectored::Scalar(_))) || added + 1 > run.len() {
            return None;
        }
        let width = u8::try_from(run.len()).ok()?;
        let mut operands: Few<Id> = Few::new();
        for input in inputs {
            operands.push(match input {
                Vectored::Scalar(id) | Vectored::Whole(id) => id,
                Vectored::Swizzle(of, lanes) => {
                    let Some(Type::Vector(scalar, _)) = body.ty(of) else { return None };
                    let id = body.fresh(Type::Vector(scalar, width));
                    self.added.push((at, Inst::new(Op::Swizzle, id, &[of], &[swizvals(&lanes)])));
                    id
                }
            });
        }
        let id = body.fresh(Type::Vector(scalar, width));
        self.added.push((at, Inst::new(op, id, &operands, &immediates)));
        Some(id)
    }

    /// Returns the vector component from which a scalar is taken, or the scalar itself.
    fn component(&self, body: &Body, id: Id) -> Option<Component> {
        let Some(Type::Vector(_, 1)) = body.ty(id) else { return None };
        Some(match self.known.definition(body, id) {
            Some((_, inst)) if inst.op == Op::Swizzle => (*inst.inputs.first()?, inst.lanes().next()?),
            _ => (id, 0),
        })
    }
}

enum Vectored {
    /// A scalar operand that every lane reads.
    Scalar(Id),
    /// A vector whose components are all read in order.
    Whole(Id),
    /// Components that a swizzle selects from a vector.
    Swizzle(Id, Few<u8>),
}

fn vectored(body: &Body, components: &[Component]) -> Option<Vectored> {
    let &(of, lane) = components.first()?;
    if components.iter().any(|(id, _)| *id != of) {
        return None;
    }
    if body.width(of) == 1 {
        return Some(Vectored::Scalar(of));
    }
    if components.iter().all(|(_, other)| *other == lane) {
        // No vector operation is formed from lanes that all read the same component of a vector.
        return None;
    }
    let lanes: Few<u8> = components.iter().map(|(_, lane)| *lane).collect();
    Some(match lanes.iter().copied().eq(0..body.width(of)) {
        true => Vectored::Whole(of),
        false => Vectored::Swizzle(of, lanes),
    })
}
