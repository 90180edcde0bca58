//! What is known of values: where each is defined, its constant if it has one, and facts. Facts are found when a row of the table
//! asks for the first one, which few do.

use sdlbc::facts::Facts;
use sdlbc::{Id, Inst, Op};

use crate::Body;
use crate::analyses::{narrow, wide};
use crate::body::index;
use crate::kinds;

/// What is known of values.
#[derive(Debug, Default)]
pub(crate) struct Known {
    /// By id: one more than the place of the instruction; 0 for an input.
    places: Vec<u32>,
    /// By id.
    constants: Vec<Constant>,
    /// The bits of the components of constants.
    words: Vec<u32>,
    /// By id, as far as they are found: the facts of instructions.
    facts: Vec<Option<Facts>>,
    /// How many instructions, and how many that were added, have facts.
    found: (usize, usize),
}

/// A constant: where its components are among the words, and how many; none for a value that is not constant.
#[derive(Clone, Copy, Debug, Default)]
struct Constant {
    start: u32,
    width: u8,
    /// Whether all components have the same bits.
    is_splat: bool,
}

impl Known {
    /// Finds what there is to know about a body, except for facts.
    pub(crate) fn find(&mut self, body: &Body) {
        self.places.clear();
        self.places.resize(body.ids(), 0);
        self.constants.clear();
        self.words.clear();
        let has_constants = body.has(kinds::LITERALS);
        if has_constants {
            self.constants.resize(body.ids(), Constant::default());
        }
        for (at, inst) in body.insts().iter().enumerate().filter(|(_, inst)| inst.output.is_some()) {
            if let Some(place) = self.places.get_mut(index(inst.output)) {
                *place = narrow(at + 1);
            }
            if has_constants {
                self.note_constant(inst);
            }
        }
        self.facts.clear();
        self.found = (0, 0);
    }

    /// Notes an instruction that is new or has changed.
    pub(crate) fn note(&mut self, at: usize, inst: &Inst) {
        let id = index(inst.output);
        if id >= self.places.len() {
            self.places.resize(id.saturating_add(1), 0);
        }
        if id >= self.constants.len() {
            self.constants.resize(self.places.len(), Constant::default());
        }
        if let Some(place) = self.places.get_mut(id) {
            *place = narrow(at + 1);
        }
        self.note_constant(inst);
    }

    /// Notes the constant that an instruction is: a literal, or components of constants.
    fn note_constant(&mut self, inst: &Inst) {
        let start = self.words.len();
        let is_constant = match inst.op {
            Op::Vector => inst.inputs.iter().all(|&id| self.copy(id, None)),
            Op::Swizzle => inst.inputs.first().is_some_and(|&id| self.copy(id, Some(inst))),
            op if kinds::of(op).is_literal => {
                self.words.extend_from_slice(&inst.immediates);
                true
            }
            _ => false,
        };
        if !is_constant {
            self.words.truncate(start);
        }
        let words = self.words.get(start..).unwrap_or_default();
        let is_splat = words.iter().all(|word| Some(word) == words.first());
        let constant = Constant { start: narrow(start), width: u8::try_from(words.len()).unwrap_or(0), is_splat };
        if let Some(place) = self.constants.get_mut(index(inst.output)) {
            *place = constant;
        }
    }

    /// Adds the components of a constant, or those of them that a swizzle selects, to the words; returns whether it is one.
    fn copy(&mut self, id: Id, swizzle: Option<&Inst>) -> bool {
        let Some(&Constant { start, width: width @ 1.., .. }) = self.constants.get(index(id)) else { return false };
        let start = wide(start);
        let Some(inst) = swizzle else {
            self.words.extend_from_within(start..start + usize::from(width));
            return true;
        };
        inst.lanes().all(|lane| {
            let word = self.words.get(start + usize::from(lane)).copied().filter(|_| lane < width);
            self.words.extend(word);
            word.is_some()
        })
    }

    /// The place of the instruction that defines a value.
    pub(crate) fn place(&self, id: Id) -> Option<usize> {
        wide(*self.places.get(index(id))?).checked_sub(1)
    }

    /// The instruction that defines a value, and its place.
    pub(crate) fn definition<'a>(&self, body: &'a Body, id: Id) -> Option<(usize, &'a Inst)> {
        let at = self.place(id)?;
        Some((at, body.insts().get(at)?))
    }

    /// Whether a value is a constant.
    pub(crate) fn is_constant(&self, id: Id) -> bool {
        self.constants.get(index(id)).is_some_and(|constant| constant.width > 0)
    }

    /// The bits of a constant's components.
    pub(crate) fn constant(&self, id: Id) -> Option<&[u32]> {
        let constant = self.constants.get(index(id)).filter(|constant| constant.width > 0)?;
        let start = wide(constant.start);
        self.words.get(start..start + usize::from(constant.width))
    }

    /// The bits of each component of a constant whose components are equal.
    pub(crate) fn splat(&self, id: Id) -> Option<u32> {
        let constant = self.constants.get(index(id)).filter(|constant| constant.width > 0 && constant.is_splat)?;
        self.words.get(wide(constant.start)).copied()
    }

    /// Finds the facts of the instructions before a place, and of those that were added before them. A PHI at the head of a LOOP
    /// has none, as its second value is not known there.
    pub(crate) fn find_facts(&mut self, before: usize, body: &Body, added: &[(usize, Inst)]) {
        self.facts.resize(self.facts.len().max(body.ids()), None);
        let (mut own, mut other) = self.found;
        while own <= before {
            while let Some((_, inst)) = added.get(other).filter(|(at, _)| *at <= own) {
                self.find_fact(inst, body);
                other += 1;
            }
            if own == before {
                break;
            }
            if let Some(inst) = body.insts().get(own) {
                self.find_fact(inst, body);
            }
            own += 1;
        }
        self.found = (own, other);
    }

    fn find_fact(&mut self, inst: &Inst, body: &Body) {
        let Some(ty) = body.ty(inst.output) else { return };
        let of = |id: Id| self.facts.get(index(id)).copied().flatten();
        let is_open = inst.op == Op::Phi && inst.inputs.iter().any(|&id| of(id).is_none());
        let facts = if is_open {
            Facts::default()
        } else {
            let known = inst.inputs.iter().filter(|id| id.is_some()).map(|&id| of(id).unwrap_or_default());
            Facts::of(inst, ty, &known.collect::<sdlbc::Few<Facts>>())
        };
        if let Some(place) = self.facts.get_mut(index(inst.output)) {
            *place = Some(facts);
        }
    }

    /// The facts of a value, as far as they are found.
    pub(crate) fn facts(&self, id: Id) -> Facts {
        self.facts.get(index(id)).copied().flatten().unwrap_or_default()
    }
}
