//! The words of a module as a list of instructions, and what is known by id.
//!
//! Instructions keep their place: one that goes becomes [`Op::Nop`], and new ones stand behind the last and are put in their
//! place when the words are written (`write.rs`). The ids of the words that were read are below the bound of the module
//! (checked once, by [`Code::parse`]), so that tables by id can be indexed.

use rspirv::spirv::Op;

use super::shape::{Effect, Ids, Ranges, Shape, shape, shapes};

/// In tables of places: none.
pub(super) const NONE: u32 = u32::MAX;

/// The words before the first instruction.
pub(super) const HEADER: usize = 5;

/// An instruction: its place among the words, and which of them are ids.
#[derive(Clone, Copy, Debug)]
pub(super) struct Inst {
    pub(super) op: Op,
    at: u32,
    len: u16,
    /// The first operand: behind the type and the result.
    first: u8,
    ids: Ranges,
    pub(super) effect: Effect,
}

#[derive(Debug)]
pub(super) struct Code {
    words: Vec<u32>,
    pub(super) insts: Vec<Inst>,
    /// The first instruction of the first function.
    pub(super) functions: usize,
    /// The end of the instructions that were read.
    pub(super) end: usize,
    /// By id: the instruction that defines it.
    defs: Vec<u32>,
    /// By id: what is used instead.
    instead: Vec<u32>,
    /// Whether instructions that were visited may have ids that are no longer used.
    pub(super) is_stale: bool,
    /// By id: whether it has a decoration.
    decorated: Vec<bool>,
    /// By id: whether it has a name, a decoration, or a part in the interface.
    pub(super) kept: Vec<bool>,
}

impl Code {
    /// Returns the instructions of a module, or `None` if there is one that the pass does not know.
    pub(super) fn parse(words: &[u32]) -> Option<Code> {
        let bound = *words.get(3)? as usize;
        // Every id but 0 is the result of an instruction of two words or more.
        if bound > words.len() {
            return None;
        }
        let mut code = Code {
            words: words.to_vec(),
            insts: Vec::with_capacity(words.len() / 4),
            functions: 0,
            end: 0,
            defs: vec![NONE; bound],
            instead: (0u32..).take(bound).collect(),
            is_stale: false,
            decorated: vec![false; bound],
            kept: vec![false; bound],
        };
        let (shapes, mut at) = (shapes(), HEADER);
        while let Some(&head) = words.get(at) {
            let inst = Inst::read(words.get(at..at + (head >> 16) as usize)?, at, shapes)?;
            code.record(inst)?;
            at += usize::from(inst.len);
        }
        code.end = code.insts.len();
        if code.functions == 0 {
            code.functions = code.end;
        }
        Some(code)
    }

    /// Adds an instruction that was read. Returns `None` if it has an id that is not below the bound.
    fn record(&mut self, inst: Inst) -> Option<()> {
        let index = self.insts.len();
        self.insts.push(inst);
        let (at, first) = (inst.at as usize, usize::from(inst.first));
        let words = self.words.get(at..at + usize::from(inst.len))?;
        let mut highest = 0;
        inst.each_id(|place| highest = words.get(place - at).copied().unwrap_or(u32::MAX).max(highest));
        if highest as usize >= self.defs.len() {
            return None;
        }
        if first > 1 {
            *self.defs.get_mut(*words.get(first - 1)? as usize)? = index as u32;
        }
        match inst.op {
            Op::Decorate | Op::MemberDecorate => {
                let about = *words.get(1)? as usize;
                (self.decorated[about], self.kept[about]) = (true, true);
            }
            Op::Name | Op::MemberName | Op::ExecutionMode => self.kept[*words.get(1)? as usize] = true,
            Op::EntryPoint => inst.each_id(|place| self.kept[self.words[place] as usize] = true),
            Op::Function if self.functions == 0 => self.functions = index,
            _ => {}
        }
        Some(())
    }

    /// The number of ids.
    pub(super) fn bound(&self) -> usize {
        self.defs.len()
    }

    pub(super) fn header(&self) -> &[u32] {
        &self.words[..HEADER]
    }

    /// All words of an instruction.
    pub(super) fn words(&self, index: usize) -> &[u32] {
        let inst = self.insts[index];
        &self.words[inst.at as usize..][..usize::from(inst.len)]
    }

    pub(super) fn operands(&self, index: usize) -> &[u32] {
        self.words(index).get(usize::from(self.insts[index].first)..).unwrap_or_default()
    }

    /// Returns an operand, or 0, which is no id.
    pub(super) fn operand(&self, index: usize, at: usize) -> u32 {
        self.operands(index).get(at).copied().unwrap_or(0)
    }

    pub(super) fn ty(&self, index: usize) -> u32 {
        let inst = self.insts[index];
        if inst.first == 3 { self.words[inst.at as usize + 1] } else { 0 }
    }

    pub(super) fn result(&self, index: usize) -> Option<u32> {
        self.result_place(index).map(|place| self.words[place])
    }

    /// The ids of an instruction's operands and its type, not its result.
    pub(super) fn each_id(&self, index: usize, mut visit: impl FnMut(u32)) {
        self.insts[index].each_id(|place| visit(self.words[place]));
    }

    /// Replaces an operand.
    pub(super) fn set_operand(&mut self, index: usize, at: usize, word: u32) {
        let inst = self.insts[index];
        self.words[inst.at as usize + usize::from(inst.first) + at] = word;
    }

    /// The place of the result.
    fn result_place(&self, index: usize) -> Option<usize> {
        let inst = self.insts[index];
        (inst.first > 1).then(|| inst.at as usize + usize::from(inst.first) - 1)
    }

    /// Returns the instruction that defines an id.
    pub(super) fn def(&self, id: u32) -> Option<usize> {
        self.defs.get(id as usize).copied().filter(|&def| def != NONE).map(|def| def as usize)
    }

    /// Returns the instruction that defines an id, if it is an `op`.
    pub(super) fn def_as(&self, id: u32, op: Op) -> Option<usize> {
        self.def(id).filter(|&def| self.insts[def].op == op)
    }

    pub(super) fn type_of(&self, id: u32) -> u32 {
        self.def(id).map_or(0, |def| self.ty(def))
    }

    /// Returns the number of components of a vector type.
    pub(super) fn vector(&self, ty: u32) -> Option<u32> {
        self.def_as(ty, Op::TypeVector).map(|def| self.operand(def, 1))
    }

    /// Whether a value has a decoration. Such a value is not computed in another way.
    pub(super) fn is_decorated(&self, index: usize) -> bool {
        self.result(index).is_none_or(|id| self.decorated.get(id as usize).copied().unwrap_or(false))
    }

    /// Returns what is used instead of an id.
    pub(super) fn resolve(&self, id: u32) -> u32 {
        resolved(&self.instead, id)
    }

    /// Replaces the ids of an instruction that are no longer used.
    pub(super) fn resolve_ids(&mut self, index: usize) {
        let (inst, words, instead) = (self.insts[index], &mut self.words, &self.instead);
        inst.each_id(|place| words[place] = resolved(instead, words[place]));
    }

    /// Uses another id instead of the instruction's result, and removes the instruction.
    pub(super) fn replace(&mut self, index: usize, by: u32) {
        if let Some(result) = self.result(index) {
            self.instead[result as usize] = self.resolve(by);
        }
        self.remove(index);
    }

    pub(super) fn remove(&mut self, index: usize) {
        self.insts[index].op = Op::Nop;
    }

    /// Appends an instruction's words to others, with other ids.
    pub(super) fn copy(&self, index: usize, out: &mut Vec<u32>, new: &[u32]) {
        let (inst, from) = (self.insts[index], out.len());
        out.extend_from_slice(self.words(index));
        let (begin, words) = (inst.at as usize, &mut out[from..]);
        let mut change = |place: usize| {
            let word = &mut words[place];
            *word = new[*word as usize];
        };
        inst.each_id(|place| change(place - begin));
        if inst.first > 1 {
            change(usize::from(inst.first) - 1);
        }
    }

    /// Makes an instruction another one, with the same result.
    pub(super) fn rewrite(&mut self, index: usize, op: Op, ty: u32, operands: &[u32]) {
        let Some((result, shape)) = self.result(index).zip(shape(op)) else { return };
        let (at, len) = (self.words.len(), operands.len() + 3);
        self.words.extend([(len as u32) << 16 | op as u32, ty, result]);
        self.words.extend_from_slice(operands);
        let effect = shape.effect;
        let ids = Ranges::new(shape.ids, operands.len() as u16);
        self.insts[index] = Inst { op, at: at as u32, len: len as u16, first: 3, ids, effect };
    }

    /// Adds an instruction behind all others, whose place is decided elsewhere. Returns it and its result.
    pub(super) fn add(&mut self, op: Op, ty: u32, operands: &[u32]) -> (usize, u32) {
        let (index, id) = (self.insts.len(), self.defs.len() as u32);
        let typed = usize::from(ty != 0);
        let (at, len) = (self.words.len(), operands.len() + 2 + typed);
        self.words.push((len as u32) << 16 | op as u32);
        self.words.extend((ty != 0).then_some(ty));
        self.words.push(id);
        self.words.extend_from_slice(operands);
        let (ids, effect) = shape(op).map_or((Ids::None, Effect::Stays), |shape| (shape.ids, shape.effect));
        let ids = Ranges::new(ids, operands.len() as u16);
        self.insts.push(Inst { op, at: at as u32, len: len as u16, first: 2 + typed as u8, ids, effect });
        self.defs.push(index as u32);
        self.instead.push(id);
        self.decorated.push(false);
        self.kept.push(false);
        (index, id)
    }
}

fn resolved(instead: &[u32], mut id: u32) -> u32 {
    while instead[id as usize] != id {
        id = instead[id as usize];
    }
    id
}

impl Inst {
    /// The places of the type and of the operands that are ids.
    #[inline(always)]
    fn each_id(self, mut visit: impl FnMut(usize)) {
        let (at, first) = (self.at as usize, usize::from(self.first));
        if self.first == 3 {
            visit(at + 1);
        }
        self.ids.each(|operand| visit(at + first + operand));
    }

    #[inline(always)]
    fn read(words: &[u32], at: usize, shapes: &[Option<(Op, Shape)>]) -> Option<Inst> {
        let (&head, operands) = words.split_first()?;
        let (op, shape) = shapes.get((head & 0xffff) as usize).copied().flatten()?;
        let first = 1 + u8::from(shape.has_type) + u8::from(shape.has_result);
        if words.len() < usize::from(first) {
            return None;
        }
        let mut ids = shape.ids;
        if op == Op::EntryPoint {
            // The stage; the function; the name, which ends with the first word that has a byte of 0; the interface.
            let name = operands.get(2..)?;
            let ends = name.iter().position(|word| word.to_le_bytes().contains(&0))?;
            ids = Ids::Entry(u16::try_from(ends + 3).ok()?);
        }
        let len = u16::try_from(words.len()).ok()?;
        let ids = Ranges::new(ids, len - u16::from(first));
        Some(Inst { op, at: u32::try_from(at).ok()?, len, first, ids, effect: shape.effect })
    }
}
