//! The words of a module as a list of instructions, and the data of each id.
//!
//! Instructions keep their index: a removed instruction becomes [`Op::Nop`]. New instructions are appended, and `write.rs` moves
//! them to their positions. [`Code::parse`] checks once that all ids are below the bound of the module, so that tables can be
//! indexed by id.

use std::ops::Range;

use rspirv::spirv::{Decoration, Op, StorageClass};

use crate::assembly::HEADER;

use super::shape::{Effect, Shape, shape, shapes};

/// The index that marks an absent entry in tables of instructions and blocks.
pub(super) const NONE: u32 = u32::MAX;

/// The decorations that mark memory in `Uniform` as writable, or any memory as volatile. The pass leaves a module with such a
/// decoration unchanged.
const CHANGES: [u32; 2] = [Decoration::BufferBlock as u32, Decoration::Volatile as u32];

/// The mask of a [`Shape`] whose words are all ids.
const ALL: u32 = u32::MAX;

/// Marks a pointer to memory that a shader only reads. The mark is stored in the field for a vector's width.
const READ_ONLY: u8 = 0x80;

/// The storage classes of memory that a shader only reads. [`Code::parse`] rejects modules in which the shader writes to a block
/// in `Uniform`.
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
    /// The position of the first operand, after the type and the result.
    pub(super) first: u8,
    len: u16,
    at: u32,
    /// The mask of the instruction's [`Shape`], limited to the instruction's words.
    ids: u32,
    /// The id of the result, or 0 if the instruction has no result.
    pub(super) result: u32,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Id {
    /// The index of the instruction that defines the id, or [`NONE`].
    def: u32,
    /// The id that replaces this id, or the id itself. During writing, this field contains the id's new number.
    replacement: u32,
    /// The number of the id's uses. Names, decorations, and the labels of an OpPhi do not count as uses.
    uses: u32,
    /// The number of components of a vector or a vector type. For a pointer or a pointer type, the field is [`READ_ONLY`] or 0.
    width: u8,
    /// Whether the instruction that defines the id still exists.
    pub(super) is_defined: bool,
    is_decorated: bool,
    /// Whether the id has a name or a decoration.
    is_described: bool,
}

#[derive(Debug)]
pub(super) struct Code {
    pub(super) words: Vec<u32>,
    pub(super) insts: Vec<Inst>,
    pub(super) ids: Vec<Id>,
    /// The range of words with names and decorations, for which `insts` has no entries. `described` is the index of the first
    /// instruction after that range.
    pub(super) descriptions: Range<usize>,
    pub(super) described: usize,
    /// The index of the first function's first instruction.
    pub(super) functions: usize,
    /// The index after the last parsed instruction, where the added instructions begin.
    pub(super) end: usize,
    /// The indices of the instructions that begin or end a function's blocks.
    pub(super) flow: Vec<usize>,
    /// The indices of the OpVariables in functions.
    pub(super) locals: Vec<usize>,
}

impl Code {
    /// Parses the instructions of a module without storing the words. Returns `None` if the pass does not know an instruction.
    pub(super) fn parse(all: &[u32]) -> Option<Code> {
        let bound = *all.get(3)?;
        // Every id except 0 is the result of an instruction of at least two words.
        if bound as usize > all.len() || all.len() < HEADER || u32::try_from(all.len()).is_err() {
            return None;
        }
        let mut insts: Vec<Inst> = Vec::with_capacity(all.len() / 4);
        // The table has extra capacity for the ids that the pass adds.
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
                // Names and decorations must be contiguous, and precede all functions.
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
                        // OpEntryPoint's interface ids follow the name, which may be long, so the ids become a separate entry.
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
                    // Labels in an OpPhi are not counted as uses.
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

    /// Sorts the variables of each function by id, which is their order in the lowered module. naga writes variables in
    /// hash-table order, which differs on 32-bit machines.
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

    pub(super) fn bound(&self) -> usize {
        self.ids.len()
    }

    #[inline]
    pub(super) fn operands(&self, index: usize) -> &[u32] {
        let inst = self.insts[index];
        self.words.get(inst.operands()).unwrap_or_default()
    }

    #[inline]
    pub(super) fn operand(&self, index: usize, at: usize) -> u32 {
        self.operands(index).get(at).copied().unwrap_or(0)
    }

    #[inline]
    pub(super) fn ty(&self, index: usize) -> u32 {
        let inst = self.insts[index];
        if inst.first == 3 { self.words[inst.at as usize + 1] } else { 0 }
    }

    #[inline]
    pub(super) fn result(&self, index: usize) -> u32 {
        self.insts[index].result
    }

    pub(super) fn set_operand(&mut self, index: usize, at: usize, word: u32) {
        let inst = self.insts[index];
        self.words[inst.at as usize + usize::from(inst.first) + at] = word;
    }

    #[inline]
    pub(super) fn def(&self, id: u32) -> Option<usize> {
        self.ids.get(id as usize).map(|id| id.def as usize).filter(|&def| def < self.insts.len())
    }

    /// Returns the opcode and the operands of the instruction that defines an id.
    #[inline]
    pub(super) fn defined(&self, id: u32) -> Option<(Op, &[u32])> {
        let inst = self.insts.get(self.ids.get(id as usize)?.def as usize)?;
        Some((inst.op, self.words.get(inst.operands())?))
    }

    /// Returns the index of the instruction that defines an id, if its opcode is `op`.
    #[inline]
    pub(super) fn def_as(&self, id: u32, op: Op) -> Option<usize> {
        self.def(id).filter(|&def| self.insts[def].op == op)
    }

    #[inline]
    pub(super) fn type_of(&self, id: u32) -> u32 {
        self.def(id).map_or(0, |def| self.ty(def))
    }

    /// Returns the number of components of a vector or a vector type, and 0 for any other id.
    #[inline]
    pub(super) fn width(&self, id: u32) -> u32 {
        self.ids.get(id as usize).map_or(0, |id| (id.width & !READ_ONLY).into())
    }

    #[inline]
    pub(super) fn is_read_only(&self, address: u32) -> bool {
        self.ids.get(address as usize).is_some_and(|id| id.width == READ_ONLY)
    }

    #[inline]
    pub(super) fn uses(&self, id: u32) -> u32 {
        self.ids.get(id as usize).map_or(0, |id| id.uses)
    }

    /// Reports whether an id has a decoration. A decorated value keeps its instruction.
    #[inline]
    pub(super) fn is_decorated(&self, id: u32) -> bool {
        self.ids.get(id as usize).is_none_or(|id| id.is_decorated)
    }

    #[inline]
    pub(super) fn is_described(&self, id: u32) -> bool {
        self.ids.get(id as usize).is_none_or(|id| id.is_described)
    }

    /// Returns the replacement of an id, or the id itself if it has no replacement.
    #[inline]
    pub(super) fn resolve(&self, id: u32) -> u32 {
        resolved(&self.ids, id)
    }

    /// Replaces each id in an instruction with the id's replacement.
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

    /// Replaces every use of an instruction's result with the id `by`, and removes the instruction.
    #[inline]
    pub(super) fn replace(&mut self, index: usize, by: u32) {
        self.uncount(index);
        self.redirect(index, by);
    }

    /// Replaces every use of an instruction's result with the id `by`, and removes the instruction. The instruction's operands
    /// must not have been counted as uses.
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

    #[inline]
    pub(super) fn clear(&mut self, index: usize) {
        let inst = &mut self.insts[index];
        (inst.op, inst.effect) = (Op::Nop, Effect::Stays);
        if inst.first > 1 {
            self.ids[inst.result as usize].is_defined = false;
        }
    }

    /// Replaces an instruction with another instruction that has the same result.
    pub(super) fn rewrite(&mut self, index: usize, op: Op, ty: u32, operands: &[u32]) {
        let Some(shape) = shape(op) else { return };
        let (at, result) = (self.words.len(), self.result(index));
        self.uncount(index);
        self.words.extend_from_slice(&[(operands.len() as u32 + 3) << 16 | op as u32, ty, result]);
        self.words.extend_from_slice(operands);
        self.insts[index] = Inst::new(&shape, operands.len() + 3, at, result);
        self.count(index);
    }

    /// Merges the access chain at `index` with the access chain at `before`, whose result is the base of the chain at `index`.
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

    /// Appends an instruction without counting its operands as uses, and returns its index and its result. The caller decides the
    /// position of the new instruction.
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

/// Records a contiguous run of names and decorations, and returns the end of the run. Returns `None` if a decoration is in
/// [`CHANGES`], or if an id is not below the bound.
#[inline(never)]
fn describe(ids: &mut [Id], words: &[u32], mut at: usize) -> Option<usize> {
    while let Some(&[head, about, ref rest @ ..]) = words.get(at..) {
        // The decoration is the word after the id. In OpMemberDecorate, the decoration follows the member's number.
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

/// Returns the start of OpEntryPoint's interface, which follows the stage, the function and the name. The last word of the name
/// contains a zero byte.
#[inline(never)]
fn interface(words: &[u32]) -> Option<usize> {
    let ends = words.get(3..)?.iter().position(|word| word.to_le_bytes().contains(&0))?;
    Some(ends + 4)
}

/// Counts a use for each id in `mask`, and records the instruction's definition. Returns the id of the result, or `None` if an id
/// is not below the bound.
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

/// Returns [`READ_ONLY`] for a storage class that a shader only reads, and 0 for any other storage class.
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

    /// Numbers the ids that are still defined, and overwrites each id's replacement with its number. Returns the first free
    /// number.
    pub(super) fn number(ids: &mut [Id]) -> u32 {
        let mut bound = 1;
        for id in ids {
            id.replacement = if id.is_defined { bound } else { 0 };
            bound += u32::from(id.is_defined);
        }
        bound
    }

    /// Returns the new number of the id, or 0 if the id is no longer defined.
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

    fn operands(self) -> Range<usize> {
        self.at as usize + usize::from(self.first)..self.at as usize + usize::from(self.len)
    }

    #[inline]
    pub(super) fn range(self) -> Range<usize> {
        self.at as usize..self.at as usize + usize::from(self.len)
    }

    /// Returns the instruction with its type added to the mask of ids.
    fn with_type(self) -> Inst {
        Inst { ids: self.ids | u32::from(self.first == 3) << 1, ..self }
    }

    /// Returns the instruction with its type and its result added to the mask of ids.
    pub(super) fn with_result(self) -> Inst {
        Inst { ids: self.ids | ((1 << self.first) - 2), ..self }
    }

    #[inline(always)]
    pub(super) fn each_id(self, visit: impl FnMut(usize)) {
        each_place(self.ids, self.len.into(), visit);
    }
}

/// Calls `visit` with the position of each id in an instruction of `len` words. Beyond the 32 words of the mask, the mask's last
/// two bits repeat.
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

fn within(len: usize) -> u32 {
    ((1u64 << len.min(32)) - 1) as u32
}
