//! The known properties of values: definitions, constants and facts. The facts of a value are computed when a row of the rewrite
//! table first needs them. Few values need facts.

use sdlbc::facts::Facts;
use sdlbc::{Few, Id, Inst, Op, Type};

use crate::Body;
use crate::body::{index, narrow, wide};
use crate::properties;
use crate::table::{self, root};

/// The kinds of facts that the analysis can establish about a value.
pub(crate) const FACTS: table::Facts =
    table::Facts { number: false, unsigned: false, non_negative: true, unit: true, whole: true };

#[derive(Debug, Default)]
pub(crate) struct Known {
    /// For each value id, one more than the index of the defining instruction; 0 for an input.
    places: Vec<u32>,
    /// For each value id, the properties that the matcher tests first.
    constants: Vec<Constant>,
    /// The component bits of all constants, one constant after another.
    words: Vec<u32>,
    facts: Vec<Option<Facts>>,
    /// The stack of values whose facts are being computed.
    waiting: Vec<Id>,
    /// Whether the body has a foldable operation whose first operand is a constant.
    may_fold: bool,
}

/// The properties of a value that the matcher tests first. A constant's components begin at index `start` of `words`.
#[derive(Clone, Copy, Debug, Default)]
struct Constant {
    start: u32,
    /// The value's mask bits, which [`root`] computes.
    root: u32,
    /// The number of components, or 0 if the value is not a constant.
    width: u8,
    is_splat: bool,
}

impl Known {
    /// Computes the properties of all values in a body, except their facts.
    pub(crate) fn find(&mut self, body: &Body) {
        self.places.clear();
        self.places.resize(body.ids(), 0);
        self.constants.clear();
        self.constants.resize(body.ids(), Constant::default());
        self.words.clear();
        self.may_fold = false;
        for (at, inst) in body.insts().iter().enumerate().filter(|(_, inst)| inst.output.is_some()) {
            if let Some(place) = self.places.get_mut(index(inst.output)) {
                *place = narrow(at + 1);
            }
            let kind = properties::of(inst.op);
            if kind.is_literal || kind.selects_components {
                self.note_constant(inst);
            } else if let Some(of) = self.constants.get_mut(index(inst.output)) {
                of.root = root(None, Some(inst.op));
            }
            self.may_fold |= kind.is_folded && inst.inputs.first().is_some_and(|&id| self.is_constant(id));
        }
        self.facts.clear();
    }

    pub(crate) fn note(&mut self, at: usize, inst: &Inst) {
        let id = index(inst.output);
        if id >= self.places.len() {
            self.places.resize(id.saturating_add(1), 0);
            self.constants.resize(self.places.len(), Constant::default());
        }
        if let Some(place) = self.places.get_mut(id) {
            *place = narrow(at + 1);
        }
        self.note_constant(inst);
    }

    /// Records the constant that an instruction defines, either as a literal or as components of other constants.
    fn note_constant(&mut self, inst: &Inst) {
        let start = self.words.len();
        let is_constant = match inst.op {
            Op::Vector => inst.inputs.iter().all(|&id| self.copy(id, None)),
            Op::Swizzle => inst.inputs.first().is_some_and(|&id| self.copy(id, Some(inst))),
            op if properties::of(op).is_literal => {
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
        let width = u8::try_from(words.len()).unwrap_or(0);
        let root = root(words.first().copied().filter(|_| is_splat), Some(inst.op));
        let constant = Constant { start: narrow(start), root, width, is_splat };
        if let Some(place) = self.constants.get_mut(index(inst.output)) {
            *place = constant;
        }
    }

    /// Appends to `words` a constant's components, or only the components that the swizzle selects. Returns false if the value
    /// is not a constant.
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

    pub(crate) fn place(&self, id: Id) -> Option<usize> {
        wide(*self.places.get(index(id))?).checked_sub(1)
    }

    pub(crate) fn definition<'a>(&self, body: &'a Body, id: Id) -> Option<(usize, &'a Inst)> {
        let at = self.place(id)?;
        Some((at, body.insts().get(at)?))
    }

    pub(crate) fn root(&self, id: Id) -> u32 {
        self.constants.get(index(id)).map_or(0, |constant| constant.root)
    }

    /// Reports whether the body passed to the last [`Known::find`] may contain an operation whose operands are all constants.
    pub(crate) fn may_fold(&self) -> bool {
        self.may_fold
    }

    pub(crate) fn is_constant(&self, id: Id) -> bool {
        self.constants.get(index(id)).is_some_and(|constant| constant.width > 0)
    }

    pub(crate) fn constant(&self, id: Id) -> Option<&[u32]> {
        let constant = self.constants.get(index(id)).filter(|constant| constant.width > 0)?;
        let start = wide(constant.start);
        self.words.get(start..start + usize::from(constant.width))
    }

    /// Returns the bits that all components of a constant share, or `None` if the components differ.
    pub(crate) fn splat(&self, id: Id) -> Option<u32> {
        let constant = self.constants.get(index(id)).filter(|constant| constant.width > 0 && constant.is_splat)?;
        self.words.get(wide(constant.start)).copied()
    }

    /// Computes the facts of a value. The instructions in `added` are numbered after the body's own instructions.
    pub(crate) fn find_facts(&mut self, id: Id, body: &Body, added: &[(usize, Inst)]) {
        self.facts.resize(self.facts.len().max(body.ids()), None);
        self.waiting.push(id);
        while let Some(&id) = self.waiting.last() {
            let known = self.place(id).and_then(|at| Some((at, defined(body, added, at)?, body.ty(id)?)));
            let facts = match known.filter(|_| self.facts.get(index(id)) == Some(&None)) {
                Some((at, inst, ty)) => match self.facts_of(at, inst, ty, body.insts().len()) {
                    Some(facts) => facts,
                    // The operands whose facts must be computed first are now on top of the stack.
                    None => continue,
                },
                None => self.facts(id),
            };
            if let Some(place) = self.facts.get_mut(index(id)) {
                *place = Some(facts);
            }
            self.waiting.pop();
        }
    }

    /// Computes the facts of the instruction at index `at`, where indices from `end` on belong to added instructions. Returns
    /// `None` if the facts of an operand must be computed first. A PHI has no known facts if it reads an input or, at the head of
    /// a LOOP, a value defined later.
    fn facts_of(&mut self, at: usize, inst: &Inst, ty: Type, end: usize) -> Option<Facts> {
        let is_before = |id: Id| self.place(id).is_some_and(|place| place < at || place >= end);
        if inst.op == Op::Phi && !inst.inputs.iter().all(|&id| is_before(id)) {
            return Some(Facts::default());
        }
        let mut known: Few<Facts> = Few::new();
        let waiting = self.waiting.len();
        for &id in inst.inputs.iter().filter(|id| id.is_some()) {
            match self.facts.get(index(id)).copied().flatten() {
                _ if !properties::of(inst.op).passes_facts => known.push(Facts::default()),
                Some(facts) => known.push(facts),
                None => self.waiting.push(id),
            }
        }
        (self.waiting.len() == waiting).then(|| Facts::of(inst, ty, &known))
    }

    pub(crate) fn has_facts(&self, id: Id) -> bool {
        self.facts.get(index(id)).is_some_and(Option::is_some)
    }

    /// Returns the facts of a value. All facts are false if they have not been computed.
    pub(crate) fn facts(&self, id: Id) -> Facts {
        self.facts.get(index(id)).copied().flatten().unwrap_or_default()
    }
}

/// Returns the instruction at index `at`. The instructions in `added` are numbered after the body's own instructions.
pub(crate) fn defined<'a>(body: &'a Body, added: &'a [(usize, Inst)], at: usize) -> Option<&'a Inst> {
    let insts = body.insts();
    match insts.get(at) {
        Some(inst) => Some(inst),
        None => added.get(at.checked_sub(insts.len())?).map(|(_, inst)| inst),
    }
}
