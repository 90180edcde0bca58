//! Algebraic simplification: rewrites instructions according to the rows of a table (`table/rows.rs`). Each row states the
//! requirements and the guarantee of the rewrite.
//!
//! The pass has no prerequisites, preserves control flow, and leaves unused instructions to `dce`.

use std::cell::Cell;

use sdlbc::{Few, Id, Inst, Op, Scalar, Type};

use crate::analyses::Memory;
use crate::body::{New, literal, splat};
use crate::known::{self, Known, defined};
use crate::table::{self, Candidates, Node, Operand, Replacement, Terms};
use crate::{Analyses, Assume, Body, Changed};

/// The maximum number of rewrites of one instruction in one run of the pass.
const REPEATED: usize = 4;

pub(crate) fn run(body: &mut Body, analyses: &mut Analyses) -> Changed {
    let assume = analyses.assume;
    let (known, Memory { by, added, .. }) = analyses.known(body);
    by.clear();
    let mut changed = false;
    for at in 0..body.insts().len() {
        body.substitute_at(at, by);
        let mut left = REPEATED;
        while left > 0
            && let Some(inst) = body.insts().get(at)
            && let Some(candidates) = candidates(inst, body, known)
            && let Some(ty) = body.ty(inst.output)
            && let Some(replacement) = rewritten(candidates, inst, ty, assume, body, known, added)
        {
            let output = inst.output;
            changed = true;
            match build(&replacement, output, ty, at, body, known, added) {
                New::Value(id) => {
                    by.replace(output, id);
                    break;
                }
                New::Inst(inst) => body.set(at, inst),
            }
            left -= 1;
        }
        if changed && let Some(inst) = body.insts().get(at).filter(|inst| inst.output.is_some()) {
            known.note(at, inst);
        }
    }
    body.substitute(by);
    body.insert_all(added);
    changed.into()
}

/// Returns the table rows that an instruction may match, or `None` if no row can match.
#[inline]
fn candidates(inst: &Inst, body: &Body, known: &Known) -> Option<Candidates> {
    let ty = |id| body.ty(id).unwrap_or(Type::BOOL);
    table::candidates(inst.op, &inst.inputs, |id| known.root(id), ty)
}

/// Returns the replacement of an instruction, after computing the facts that the table rows need.
fn rewritten(
    candidates: Candidates,
    inst: &Inst,
    ty: Type,
    assume: Assume,
    body: &Body,
    known: &mut Known,
    added: &[(usize, Inst)],
) -> Option<Replacement> {
    let Type::Vector(..) = ty else { return None };
    let node = Node { op: inst.op, inputs: &inst.inputs, immediates: &inst.immediates, ty };
    loop {
        let view = View { body, known, added, without_facts: Cell::new(Id::NONE) };
        let replacement = candidates.rewrite(&view, node, assume);
        let id = view.without_facts.get();
        if !id.is_some() {
            return replacement;
        }
        known.find_facts(id, body, added);
    }
}

/// Builds the instructions of a replacement. The last instruction takes the place of the replaced instruction, and all other
/// instructions are inserted before it.
fn build(
    replacement: &Replacement,
    output: Id,
    ty: Type,
    at: usize,
    body: &mut Body,
    known: &mut Known,
    added: &mut Vec<(usize, Inst)>,
) -> New {
    let mut builder = Builder { at, body, known, added, steps: Few::new() };
    let width = ty.width().unwrap_or(1);
    for (number, step) in replacement.steps().iter().enumerate() {
        let mut inputs: Few<Id> = Few::new();
        for (slot, &input) in step.inputs().iter().enumerate() {
            let id = builder.operand(input);
            inputs.push(if step.is_full_width(slot) { builder.widened(id, width) } else { id });
        }
        let immediates: Few<u32> = step.immediate.into_iter().collect();
        let mut inst = Inst::new(step.op, Id::NONE, &inputs, &immediates);
        let of = builder.ty_of(&inst);
        if replacement.result == Operand::Step(number) && of == Some(ty) {
            inst.output = output;
            return New::Inst(inst);
        }
        let id = builder.add(inst, of.unwrap_or(ty));
        builder.steps.push(id);
    }
    let id = builder.operand(replacement.result);
    if builder.body.ty(id) == Some(ty) {
        return New::Value(id);
    }
    New::Inst(splat(output, id, width))
}

struct Builder<'a> {
    at: usize,
    body: &'a mut Body,
    known: &'a mut Known,
    added: &'a mut Vec<(usize, Inst)>,
    steps: Few<Id>,
}

impl Builder<'_> {
    fn operand(&mut self, operand: Operand) -> Id {
        match operand {
            Operand::Value(id) => id,
            Operand::Step(number) => self.steps.get(number).copied().unwrap_or_default(),
            Operand::Constant(scalar, bits) => {
                let ty = if scalar == Scalar::Half { Type::FLOAT } else { Type::Vector(scalar, 1) };
                let literal = self.add(Inst::new(literal(scalar), Id::NONE, &[], &[bits]), ty);
                if scalar != Scalar::Half {
                    return literal;
                }
                let half = Type::Vector(Scalar::Half, 1);
                self.add(Inst::new(Op::Convert, Id::NONE, &[literal], &[half.word()]), half)
            }
        }
    }

    /// Widens a scalar to a vector of equal components.
    fn widened(&mut self, id: Id, width: u8) -> Id {
        match self.body.ty(id) {
            Some(Type::Vector(scalar, 1)) if width > 1 => {
                self.add(splat(Id::NONE, id, width), Type::Vector(scalar, width))
            }
            _ => id,
        }
    }

    fn ty_of(&self, inst: &Inst) -> Option<Type> {
        let types: Few<Type> = inst.inputs.iter().filter_map(|&id| self.body.ty(id)).collect();
        sdlbc::infer(inst, &types, &sdlbc::Context::default()).ok().flatten()
    }

    fn add(&mut self, mut inst: Inst, ty: Type) -> Id {
        let id = self.body.fresh(ty);
        inst.output = id;
        // While the pass runs, added instructions are numbered after all existing instructions.
        self.known.note(self.body.insts().len() + self.added.len(), &inst);
        self.added.push((self.at, inst));
        id
    }
}

struct View<'a> {
    body: &'a Body,
    known: &'a Known,
    added: &'a [(usize, Inst)],
    /// The id of a value whose facts a table row needs but the pass has not computed yet.
    without_facts: Cell<Id>,
}

impl Terms for View<'_> {
    const KNOWN: table::Facts = known::FACTS;

    fn root(&self, id: Id) -> u32 {
        self.known.root(id)
    }

    fn definition(&self, id: Id) -> Option<(Op, &[Id], &[u32])> {
        let place = self.known.place(id)?;
        let inst = defined(self.body, self.added, place)?;
        // PHIs, calls and swizzles need no special treatment here, because no pattern contains these operations.
        Some((inst.op, &inst.inputs, &inst.immediates))
    }

    fn ty(&self, id: Id) -> Type {
        self.body.ty(id).unwrap_or(Type::BOOL)
    }

    fn constant(&self, id: Id) -> Option<u32> {
        self.known.splat(id)
    }

    fn facts(&self, id: Id) -> table::Facts {
        if self.known.has_facts(id) {
            return self.known.facts(id).into();
        }
        self.without_facts.set(id);
        table::Facts::default()
    }
}
