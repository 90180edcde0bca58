//! What is known of the values before an instruction, while a pass goes through the code in reading order: where each is defined,
//! its constant if it has one, and facts.

use sdlbc::facts::Facts;
use sdlbc::{Few, Id, InputKind, Inst, Op, Type};

use crate::Body;
use crate::body::index;

/// What is known of the values that have been defined so far.
pub(crate) struct Known {
    /// By id: one more than the place of the instruction; 0 for an input and for what is not defined yet.
    places: Vec<u32>,
    /// By id: the bits of the components.
    constants: Vec<Option<Few<u32>>>,
    facts: Vec<Facts>,
    /// Facts of operands, while those of a result are found.
    operands: Vec<Facts>,
}

impl Known {
    /// What is known of the inputs.
    pub(crate) fn new(body: &Body) -> Known {
        let mut facts = vec![Facts::default(); body.ids()];
        for input in body.inputs().iter().filter(|input| input.kind == InputKind::Uniform) {
            if let Some(facts) = facts.get_mut(index(input.id)) {
                facts.uniform = true;
            }
        }
        Known { places: vec![0; body.ids()], constants: vec![None; body.ids()], facts, operands: Vec::new() }
    }

    /// Notes an instruction at a place whose result has a type.
    pub(crate) fn note(&mut self, at: usize, inst: &Inst, ty: Type) {
        let id = index(inst.output);
        if id >= self.places.len() {
            let ids = id.saturating_add(1);
            self.places.resize(ids, 0);
            self.constants.resize(ids, None);
            self.facts.resize(ids, Facts::default());
        }
        let constant = self.constant_of(inst);
        self.operands.clear();
        for id in inst.inputs.iter().filter(|id| id.is_some()) {
            self.operands.push(self.facts.get(index(*id)).copied().unwrap_or_default());
        }
        // A PHI at the head of a loop has an operand that is not known yet; one after an IF may lack one.
        let is_open = inst.op == Op::Phi && inst.inputs.iter().any(|id| !id.is_some() || !self.is_defined(*id));
        let facts = if is_open { Facts::default() } else { Facts::of(inst, ty, &self.operands) };
        if let (Some(place), Some(known), Some(of)) =
            (self.places.get_mut(id), self.constants.get_mut(id), self.facts.get_mut(id))
        {
            *place = u32::try_from(at + 1).unwrap_or(u32::MAX);
            *known = constant;
            *of = facts;
        }
    }

    fn is_defined(&self, id: Id) -> bool {
        self.places.get(index(id)).is_some_and(|&place| place != 0)
    }

    /// The place of the instruction that defines a value.
    pub(crate) fn place(&self, id: Id) -> Option<usize> {
        let place = self.places.get(index(id)).copied().unwrap_or(0);
        usize::try_from(place).ok()?.checked_sub(1)
    }

    /// The bits of a constant's components.
    pub(crate) fn constant(&self, id: Id) -> Option<&[u32]> {
        self.constants.get(index(id))?.as_deref()
    }

    /// The bits of each component of a constant whose components are equal.
    pub(crate) fn splat(&self, id: Id) -> Option<u32> {
        let (first, rest) = self.constant(id)?.split_first()?;
        rest.iter().all(|word| word == first).then_some(*first)
    }

    /// The facts of a value.
    pub(crate) fn facts(&self, id: Id) -> Facts {
        self.facts.get(index(id)).copied().unwrap_or_default()
    }

    /// The constant that an instruction is: a literal, or components of constants.
    fn constant_of(&self, inst: &Inst) -> Option<Few<u32>> {
        match inst.op {
            Op::LiteralFloat
            | Op::LiteralInt
            | Op::LiteralUint
            | Op::LiteralBool
            | Op::LiteralFloat4
            | Op::LiteralInt4 => Some(inst.immediates.clone()),
            Op::Vector => {
                let mut words = Few::new();
                for &id in &inst.inputs {
                    words.extend_from_slice(self.constant(id)?);
                }
                Some(words)
            }
            Op::Swizzle => {
                let of = self.constant(*inst.inputs.first()?)?;
                inst.lanes().map(|lane| of.get(usize::from(lane)).copied()).collect()
            }
            _ => None,
        }
    }
}
