//! The words of a module as a list of instructions, and the data of each id.
//!
//! Instructions keep their index: a removed instruction becomes [`Op::Nop`], and new instructions are appended, and moved to
//! their positions when the words are written (`write.rs`). The ids of the words that were read are below the bound of
//! the module (checked once, by [`Code::parse`]), so that tables by id can be indexed.

use std::ops::Range;

use rspirv::spirv::{Decoration, Op, StorageClass};

use crate::assembly::HEADER;

use super::shape::{Effect, Shape, shape, shapes};

/// The index that stands for none, in tables of instructions and blocks.
pub(super) const NONE: u32 = u32::MAX;

/// Decorations of memory in `Uniform`, or of inputs, that may change. A module with such a decoration stays unchanged.
const CHANGES: [u32; 2] = [Decoration::BufferBlock as u32, Decoration::Volatile as u32];

/// The mask of [`Shape`] if all words are ids.
const ALL: u32 = u32::MAX;

/// The mark of a pointer to memory that a shader only reads, stored in place of a number of components.
const READ_ONLY: u8 = 0x80;

/// The storage classes of memory that a shader only reads. [`Code::parse`] rejects modules with a block in `Uniform` that is
/// written.
const READ_ONLY_CLASSES: [StorageClass; 4] =
    [StorageClass::UniformConstant, StorageClass::Uniform, StorageClass::Input, StorageClass::PushConstant];

const NAME: u32 = Op::Name as u32;
const MEMBER_NAME: u32 = Op::MemberName as u32;
const DECORATE: u32 = Op::Decorate as u32;
const MEMBER_DECORATE: u32 = Op::MemberDecorate as u32;

/// An instruction: the range of its words, and the mask of the words that are ids.
#[derive(Clone, Copy, Debug)]
pub(super) struct Inst {
    pub(super) op: Op,
    pub(super) effect: Effect,
    /// The first operand: after the type and the result.
    pub(super) first: u8,
    len: u16,
    at: u32,
    /// The mask of [`Shape`], without bits beyond the last word.
    ids: u32,
    /// The id of the result; 0 if there is none.
    pub(super) result: u32,
}

/// The data of an id.
#[derive(Clone, Copy, Debug)]
pub(super) struct Id {
    /// The instruction that defines it, or [`NONE`].
    def: u32,
    /// The id that replaces it; itself if none does. While words are written, its new number.
    replacement: u32,
    /// The number of its uses. Names, decorations and labels in an OpPhi do not count as uses.
    uses: u32,
    /// For a vector or its type, the number of components; for a pointer or its type, [`READ_ONLY`] or 0.
    width: u8,
    /// Whether the instruction that defines it still exists.
    pub(super) is_defined: bool,
    is_decorated: bool,
    /// Whether it has a name or a decoration.
    is_described: bool,
}

#[derive(Debug)]
pub(super) struct Code {
    pub(super) words: Vec<u32>,
    pub(super) insts: Vec<Inst>,
    pub(super) ids: Vec<Id>,
    /// The words of names and decorations, which are not among the instructions, and the instruction that follows them.
    pub(super) descriptions: Range<usize>,
    pub(super) described: usize,
    /// The first instruction of the first function.
    pub(super) functions: usize,
    /// The end of the instructions that were read.
    pub(super) end: usize,
    /// The instructions of functions that begin and end blocks.
    pub(super) flow: Vec<usize>,
    /// The variables of functions.
    pub(super) locals: Vec<usize>,
}

impl Code {
    /// Returns the instructions of a module without its words, or `None` if the pass does not know an instruction.
    pub(super) fn parse(all: &[u32]) -> Option<Code> {
        let bound = *all.get(3)?;
        // Every id but 0 is the result of an instruction of two words or more.
        if bound as usize > all.len() || all.len() < HEADER || u32::try_from(all.len()).is_err() {
            return None;
        }
        let mut insts: Vec<Inst> = Vec::with_capacity(all.len() / 4);
        // There is room for ids that are added.
        let mut ids: Vec<Id> = Vec::with_capacity(bound as usize + 16);
        ids.extend((0..bound).map(Id::unknown));
        let (mut flow, mut locals) = (Vec::with_capacity(all.len() / 32), Vec::new());
        let (mut descriptions, mut described, mut functions) = (0..0, 0, 0);
        let (shapes, known) = (shapes(), ids.as_mut_slice());
        let mut at = HEADER;
        while let Some(&head) = all.get(at) {
            let shape = shapes.get((head & 0xffff) as usize)?.as_ref()?;
            let mut words = all.get(at..at + (head >> 16) as usize)?;
            if words.len() < usize::from(shape.first) {
                return None;
            }
            let (index, mut mask) = (insts.len(), shape.ids & within(words.len()));
            match shape.effect {
                // Names and decorations are contiguous, before all functions.
                Effect::Describes if descriptions.is_empty() && functions == 0 => {
                    descriptions = at..describe(known, all, at)?;
                    described = index;
                    at = descriptions.end;
                    continue;
                }
                Effect::Describes => return None,
                Effect::Flow if functions != 0 => flow.push(index),
                Effect::Stays => match shape.op {
                    Op::EntryPoint => {
                        // The ids of its interface follow the name, which may be long: they are an entry of their own.
                        let (own, interface) = words.split_at_checked(interface(words)?)?;
                        record(known, shape, mask, index, own)?;
                        insts.push(Inst::new(shape, own.len(), at, 0));
                        at += own.len();
                        (words, mask) = (interface, ALL & within(interface.len()));
                    }
                    Op::Function if functions == 0 => functions = index,
                    Op::Variable if words.get(3) == Some(&(StorageClass::Function as u32)) => locals.push(index),
                    _ => {}
                },
                Effect::Reads if shape.op == Op::Phi => {
                    // Its labels are not counted.
                    for &label in words.iter().skip(4).step_by(2) {
                        let id = known.get_mut(label as usize)?;
                        id.uses = id.uses.wrapping_sub(1);
                    }
                }
                _ => {}
            }
            let result = record(known, shape, mask, index, words)?;
            let (len, place) = (words.len() as u16, at as u32);
            let Shape { op, effect, first, .. } = *shape;
            insts.push(Inst { op, effect, first, len, at: place, ids: mask, result });
            at += words.len();
        }
        let end = insts.len();
        let functions = if functions == 0 { end } else { functions };
        Some(Code { words: Vec::new(), insts, ids, descriptions, described, functions, end, flow, locals })
    }

    /// Puts the variables of each function in the order of their ids, which is that of the lowered module. naga writes
    /// them in the order of a hash table, which differs on machines with 32 bits.
    pub(super) fn order_locals(&mut self, words: &mut [u32]) {
        for run in self.locals.chunk_by(|before, after| before + 1 == *after) {
            let &[first, _, ..] = run else { continue };
            let mut insts = self.insts[first..first + run.len()].to_vec();
            let mut at = insts[0].at;
            insts.sort_unstable_by_key(|inst| inst.result);
            let mut ordered = Vec::with_capacity(4 * run.len());
            insts.iter().for_each(|inst| ordered.extend_from_slice(&words[inst.range()]));
            words[at as usize..at as usize + ordered.len()].copy_from_slice(&ordered);
            for (index, mut inst) in (first..).zip(insts) {
                inst.at = at;
                at += u32::from(inst.len);
                self.ids[inst.result as usize].def = index as u32;
                self.insts[index] = inst;
            }
        }
    }

    /// The number of ids.
    pub(super) fn bound(&self) -> usize {
        self.ids.len()
    }

    #[inline]
    pub(super) fn operands(&self, index: usize) -> &[u32] {
        let inst = self.insts[index];
        self.words.get(inst.operands()).unwrap_or_default()
    }

    /// Returns an operand, or 0, which is no id.
    #[inline]
    pub(super) fn operand(&self, index: usize, at: usize) -> u32 {
        self.operands(index).get(at).copied().unwrap_or(0)
    }

    #[inline]
    pub(super) fn ty(&self, index: usize) -> u32 {
        let inst = self.insts[index];
        if inst.first == 3 { self.words[inst.at as usize + 1] } else { 0 }
    }

    /// Returns the id of the result; 0 if there is none.
    #[inline]
    pub(super) fn result(&self, index: usize) -> u32 {
        self.insts[index].result
    }

    /// Replaces an operand.
    pub(super) fn set_operand(&mut self, index: usize, at: usize, word: u32) {
        let inst = self.insts[index];
        self.words[inst.at as usize + usize::from(inst.first) + at] = word;
    }

    /// Returns the instruction that defines an id.
    #[inline]
    pub(super) fn def(&self, id: u32) -> Option<usize> {
        self.ids.get(id as usize).map(|id| id.def as usize).filter(|&def| def < self.insts.len())
    }

    /// Returns the operation that defines an id, and its operands.
    #[inline]
    pub(super) fn defined(&self, id: u32) -> Option<(Op, &[u32])> {
        let inst = self.insts.get(self.ids.get(id as usize)?.def as usize)?;
        Some((inst.op, self.words.get(inst.operands())?))
    }

    /// Returns the instruction that defines an id, if it is an `op`.
    #[inline]
    pub(super) fn def_as(&self, id: u32, op: Op) -> Option<usize> {
        self.def(id).filter(|&def| self.insts[def].op == op)
    }

    #[inline]
    pub(super) fn type_of(&self, id: u32) -> u32 {
        self.def(id).map_or(0, |def| self.ty(def))
    }

    /// Returns the number of components of a vector or a vector type; 0 for anything else.
    #[inline]
    pub(super) fn width(&self, id: u32) -> u32 {
        self.ids.get(id as usize).map_or(0, |id| (id.width & !READ_ONLY).into())
    }

    /// Whether an address points to read-only memory.
    #[inline]
    pub(super) fn is_read_only(&self, address: u32) -> bool {
        self.ids.get(address as usize).is_some_and(|id| id.width == READ_ONLY)
    }

    /// Returns the number of uses of an id.
    #[inline]
    pub(super) fn uses(&self, id: u32) -> u32 {
        self.ids.get(id as usize).map_or(0, |id| id.uses)
    }

    /// Whether an id has a decoration. Such a value keeps its instruction.
    #[inline]
    pub(super) fn is_decorated(&self, id: u32) -> bool {
        self.ids.get(id as usize).is_none_or(|id| id.is_decorated)
    }

    /// Whether an id has a name or a decoration.
    #[inline]
    pub(super) fn is_described(&self, id: u32) -> bool {
        self.ids.get(id as usize).is_none_or(|id| id.is_described)
    }

    /// Returns the id that replaces an id, or the id itself.
    #[inline]
    pub(super) fn resolve(&self, id: u32) -> u32 {
        resolved(&self.ids, id)
    }

    /// Replaces the ids of an instruction that have a replacement.
    #[inline(always)]
    pub(super) fn resolve_ids(&mut self, inst: Inst) {
        let ids = self.ids.as_mut_slice();
        let words = &mut self.words[inst.range()];
        inst.each_id(|place| {
            let id = words[place];
            if ids[id as usize].replacement != id {
                words[place] = resolved(ids, id);
                ids[words[place] as usize].uses += 1;
                ids[id as usize].drop_use();
            }
        });
    }

    /// Counts a use of each id of an instruction.
    pub(super) fn count(&mut self, index: usize) {
        let (inst, ids) = (self.insts[index], &mut self.ids);
        let words = &self.words[inst.range()];
        inst.with_type().each_id(|place| ids[words[place] as usize].uses += 1);
    }

    #[inline(always)]
    fn uncount(&mut self, index: usize) {
        let (inst, ids) = (self.insts[index], &mut self.ids);
        let words = &self.words[inst.range()];
        inst.with_type().each_id(|place| ids[words[place] as usize].drop_use());
    }

    /// Replaces the result of an instruction with another id, and removes the instruction.
    #[inline]
    pub(super) fn replace(&mut self, index: usize, by: u32) {
        self.uncount(index);
        self.redirect(index, by);
    }

    /// Replaces the result of an instruction whose ids were not counted with another id, and removes the instruction.
    #[inline]
    pub(super) fn redirect(&mut self, index: usize, by: u32) {
        let (result, by) = (self.result(index), self.resolve(by));
        self.ids[result as usize].replacement = by;
        self.clear(index);
    }

    #[inline]
    pub(super) fn remove(&mut self, index: usize) {
        self.uncount(index);
        self.clear(index);
    }

    /// Removes an instruction whose ids were not counted.
    #[inline]
    pub(super) fn clear(&mut self, index: usize) {
        let inst = &mut self.insts[index];
        (inst.op, inst.effect) = (Op::Nop, Effect::Stays);
        if inst.first > 1 {
            self.ids[inst.result as usize].is_defined = false;
        }
    }

    /// Replaces an instruction by another with the same result.
    pub(super) fn rewrite(&mut self, index: usize, op: Op, ty: u32, operands: &[u32]) {
        let Some(shape) = shape(op) else { return };
        let (at, result) = (self.words.len(), self.result(index));
        self.uncount(index);
        self.words.extend_from_slice(&[(operands.len() as u32 + 3) << 16 | op as u32, ty, result]);
        self.words.extend_from_slice(operands);
        self.insts[index] = Inst::new(&shape, operands.len() + 3, at, result);
        self.count(index);
    }

    /// Merges an access chain with the chain `before`, which computes its base.
    pub(super) fn join_chains(&mut self, index: usize, before: usize) {
        let (chain, before) = (self.insts[index], self.insts[before]);
        let (Some(shape), at) = (shape(Op::AccessChain), self.words.len()) else { return };
        let (own, indices) = (chain.range(), before.operands());
        let len = usize::from(chain.len) + indices.len() - 1;
        self.words.extend_from_within(own.start..own.start + 3);
        self.words[at] = (len as u32) << 16 | Op::AccessChain as u32;
        let base = self.words[own.start + 3];
        self.ids[base as usize].drop_use();
        self.words[indices.clone()].iter().for_each(|&id| self.ids[id as usize].uses += 1);
        self.words.extend_from_within(indices);
        self.words.extend_from_within(own.start + 4..own.end);
        self.insts[index] = Inst::new(&shape, len, at, chain.result);
    }

    /// Adds an instruction after all others, without counting its ids as used. The caller decides its position. Returns its index
    /// and its result.
    pub(super) fn add(&mut self, op: Op, ty: u32, operands: &[u32]) -> Option<(usize, u32)> {
        let (shape, index, at) = (shape(op)?, self.insts.len(), self.words.len());
        let (id, len) = (self.ids.len() as u32, usize::from(shape.first) + operands.len());
        self.words.push((len as u32) << 16 | op as u32);
        self.words.extend((shape.first == 3).then_some(ty));
        self.words.push(id);
        self.words.extend_from_slice(operands);
        self.insts.push(Inst::new(&shape, len, at, id));
        let width = match (op, operands) {
            (Op::TypeVector, [_, width]) => *width as u8,
            (Op::TypePointer, [class, _]) => mark(*class),
            _ => self.ids.get(ty as usize).map_or(0, |ty| ty.width),
        };
        self.ids.push(Id { def: index as u32, width, is_defined: true, ..Id::unknown(id) });
        Some((index, id))
    }
}

/// Records a contiguous run of names and decorations, and returns its end; `None` if a decoration is one of [`CHANGES`], or an
/// id is not below the bound.
#[inline(never)]
fn describe(ids: &mut [Id], words: &[u32], mut at: usize) -> Option<usize> {
    while let Some(&[head, about, ref rest @ ..]) = words.get(at..) {
        // The decoration follows the id or the number of a member.
        let decoration = match head & 0xffff {
            NAME | MEMBER_NAME => None,
            DECORATE => Some(rest.first()?),
            MEMBER_DECORATE => Some(rest.get(1)?),
            _ => break,
        };
        let about = ids.get_mut(about as usize)?;
        about.is_described = true;
        if let Some(decoration) = decoration {
            about.is_decorated = true;
            if CHANGES.contains(decoration) {
                return None;
            }
        }
        let len = (head >> 16) as usize;
        if len < 2 || len > rest.len() + 2 {
            return None;
        }
        at += len;
    }
    Some(at)
}

/// Returns the start of OpEntryPoint's interface, which follows the stage, the function, and the name, which ends with
/// the first word that has a byte of 0.
#[inline(never)]
fn interface(words: &[u32]) -> Option<usize> {
    let ends = words.get(3..)?.iter().position(|word| word.to_le_bytes().contains(&0))?;
    Some(ends + 4)
}

/// Counts the ids that an instruction uses, which are those of `mask`, and notes its definition. Returns its result, or
/// `None` if an id is not below the bound.
#[inline(always)]
fn record(ids: &mut [Id], shape: &Shape, mask: u32, index: usize, words: &[u32]) -> Option<u32> {
    let mut fits = true;
    each_place(mask, words.len(), |place| match ids.get_mut(words[place] as usize) {
        Some(id) => id.uses = id.uses.wrapping_add(1),
        None => fits = false,
    });
    let (result, width) = match (shape.first, words) {
        (3, [_, ty, result, ..]) => {
            let ty = ids.get_mut(*ty as usize)?;
            ty.uses += 1;
            (*result, ty.width)
        }
        (2, [_, result, rest @ ..]) => {
            let width = match (shape.op, rest) {
                (Op::TypeVector, [_, width]) => u8::try_from(*width).ok().filter(|&width| width < READ_ONLY)?,
                (Op::TypePointer, [class, _]) => mark(*class),
                _ => 0,
            };
            (*result, width)
        }
        _ => return fits.then_some(0),
    };
    let id = ids.get_mut(result as usize)?;
    (id.def, id.width, id.is_defined) = (index as u32, width, true);
    fits.then_some(result)
}

/// Returns the mark of a pointer to a storage class, which is stored in place of a number of components.
fn mark(class: u32) -> u8 {
    if READ_ONLY_CLASSES.iter().any(|&read_only| class == read_only as u32) { READ_ONLY } else { 0 }
}

impl Id {
    fn unknown(id: u32) -> Id {
        Id {
            def: NONE,
            replacement: id,
            uses: 0,
            width: 0,
            is_defined: false,
            is_decorated: false,
            is_described: false,
        }
    }

    /// Numbers the ids that are still defined, and stores each number in place of the id's replacement. Returns the first free
    /// number.
    pub(super) fn number(ids: &mut [Id]) -> u32 {
        let mut bound = 1;
        for id in ids {
            id.replacement = if id.is_defined { bound } else { 0 };
            bound += u32::from(id.is_defined);
        }
        bound
    }

    /// The new number of the id; 0 if the id is no longer defined.
    #[inline]
    pub(super) fn new_number(&self) -> u32 {
        self.replacement
    }

    fn drop_use(&mut self) {
        self.uses = self.uses.saturating_sub(1);
    }
}

fn resolved(ids: &[Id], mut id: u32) -> u32 {
    while ids[id as usize].replacement != id {
        id = ids[id as usize].replacement;
    }
    id
}

impl Inst {
    #[inline(always)]
    fn new(shape: &Shape, len: usize, at: usize, result: u32) -> Inst {
        let &Shape { op, effect, first, ids } = shape;
        Inst { op, effect, first, len: len as u16, at: at as u32, ids: ids & within(len), result }
    }

    /// The range of its operands among the words of the module.
    fn operands(self) -> Range<usize> {
        self.at as usize + usize::from(self.first)..self.at as usize + usize::from(self.len)
    }

    #[inline]
    pub(super) fn range(self) -> Range<usize> {
        self.at as usize..self.at as usize + usize::from(self.len)
    }

    /// Returns the instruction with its type counted among its ids.
    fn with_type(self) -> Inst {
        Inst { ids: self.ids | u32::from(self.first == 3) << 1, ..self }
    }

    /// Returns the instruction with its type and its result counted among its ids: all words between the head and the
    /// first operand.
    pub(super) fn with_result(self) -> Inst {
        Inst { ids: self.ids | ((1 << self.first) - 2), ..self }
    }

    /// Calls `visit` with the position of each id among the words of the instruction.
    #[inline(always)]
    pub(super) fn each_id(self, visit: impl FnMut(usize)) {
        each_place(self.ids, self.len.into(), visit);
    }
}

/// Calls `visit` with the position of each id of an instruction of `len` words.
#[inline(always)]
fn each_place(ids: u32, len: usize, mut visit: impl FnMut(usize)) {
    let mut left = ids;
    while left != 0 {
        visit(left.trailing_zeros() as usize);
        left &= left - 1;
    }
    if len > 32 {
        (32..len).filter(|place| ids >> (30 + place % 2) & 1 != 0).for_each(visit);
    }
}

/// Returns the mask of the first `len` words.
fn within(len: usize) -> u32 {
    ((1u64 << len.min(32)) - 1) as u32
}
