//! Decides which uniforms of a stage share a variable, and the offset of each uniform in its variable.
//!
//! Rule: only the padding depends on the target, because languages lay out structures differently. WGSL and std140 agree on the
//! layout of all uniform types except matrices with two-component columns.

use std::borrow::Cow;
use std::collections::BTreeMap;

use sdlbc::{FunctionKind, Id, Input, InputKind, Module, Scalar, Type};

use super::entries::functions_of;
use super::registers::{self, Registers};
use crate::layout::{Layout, Length};
use crate::members::Members;

/// The size of a register in bytes.
const REGISTER: u32 = 16;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Key<'m> {
    /// A named uniform, which all functions of a stage share.
    Named(&'m str),
    /// An unnamed uniform or a split array, which belongs to one function.
    Own(usize, Id),
}

/// A module's uniforms, with the data that decides their layout.
#[derive(Clone, Copy)]
pub(super) struct Uniforms<'a, 'm> {
    pub(super) module: &'m Module,
    pub(super) layout: &'m Layout,
    pub(super) members: &'m Members,
    /// The uniform arrays that become structures, listed for each function.
    pub(super) registers: &'a [Registers],
}

#[derive(Debug, Default)]
pub(super) struct Blocks<'m> {
    pub(super) list: Vec<Block<'m>>,
    /// The block and part of each uniform, sorted by function and id.
    uses: Uses,
}

/// Maps a function's index and a uniform's id to the indices of the uniform's block and part.
type Uses = Vec<((usize, Id), (usize, usize))>;

/// The constants of a stage that one variable contains.
#[derive(Debug)]
pub(super) struct Block<'m> {
    /// The preferred name of the variable.
    pub(super) name: Cow<'m, str>,
    /// The preferred name of the structure, or `None` if the variable is a single value.
    pub(super) structure: Option<Cow<'m, str>>,
    /// The id of the block's first input, or [`Id::NONE`] if the entry function lacks this input.
    pub(super) input: Id,
    /// The parts of the block, in the order of their offsets.
    pub(super) parts: Vec<Part<'m>>,
    /// The slot of the block, or `None` if the module assigns no slots to its uniforms.
    pub(super) slot: Option<u32>,
    /// The block's number among the stage's buffers: the slot, or a number above all slots for a block without a slot.
    pub(super) number: u32,
    /// The offset of the block's first byte in the push constant range.
    pub(super) offset: u32,
    /// The size of the block in bytes, from `offset` to the end.
    pub(super) size: u32,
}

/// A value in a block: a uniform, or a part of a uniform.
#[derive(Debug)]
pub(super) struct Part<'m> {
    pub(super) name: Cow<'m, str>,
    pub(super) ty: Type,
    /// The part's offset in bytes, relative to the offset of the block.
    pub(super) offset: u32,
    /// The id of the uniform to which the part belongs, or [`Id::NONE`] if the entry function lacks this uniform.
    pub(super) uniform: Id,
    /// The part's offset in its uniform, in bytes.
    pub(super) within: u32,
}

/// A uniform, or all members of a uniform array.
struct Group<'m> {
    key: Key<'m>,
    name: &'m str,
    input: Id,
    parts: Vec<Part<'m>>,
    /// Whether the parts are members of a structure.
    split: bool,
    size: u32,
}

impl<'m> Blocks<'m> {
    /// Returns the blocks of the stage whose entry function is at `entry`. The blocks are in the order of the functions' inputs,
    /// starting with the inputs of the entry function.
    pub(super) fn of(uniforms: Uniforms<'_, 'm>, entry: usize, push: bool) -> Blocks<'m> {
        let Uniforms { module, layout, .. } = uniforms;
        let kind = module.functions.get(entry).map(|function| function.kind).unwrap_or_default();
        let mut uses = Uses::new();
        let groups = groups(uniforms, entry, whole_file(layout, kind), &mut uses);
        let mut blocks = Blocks::of_groups(groups, kind, layout.one_block || push, uses);
        blocks.add_slots(module, entry, kind);
        blocks.uses.sort_unstable_by_key(|of| of.0);
        blocks
    }

    fn of_groups(groups: Vec<Group<'m>>, kind: FunctionKind, one_block: bool, mut uses: Uses) -> Blocks<'m> {
        if groups.len() < 2 || !one_block {
            return Blocks { list: (0..).zip(groups).map(|(number, group)| alone(group, number)).collect(), uses };
        }
        let (name, structure) = match kind {
            FunctionKind::Vertex => ("vertex_constants", "VertexConstants"),
            FunctionKind::Compute => ("compute_constants", "ComputeConstants"),
            _ => ("fragment_constants", "FragmentConstants"),
        };
        let input = groups.first().map_or(Id::NONE, |group| group.input);
        let mut block = Block::of(name.into(), Some(structure.into()), input);
        // The index of each group's first part in the block.
        let mut firsts = Vec::with_capacity(groups.len());
        for group in groups {
            let alignment = group.parts.iter().map(|part| part.ty.uniform_alignment()).max().unwrap_or(1);
            let alignment = if group.split { REGISTER } else { alignment };
            let start = block.size.next_multiple_of(alignment);
            block.size = start.saturating_add(group.size);
            firsts.push(block.parts.len());
            block.parts.extend(group.parts.into_iter().map(|part| Part { offset: start + part.offset, ..part }));
        }
        for (_, (group, part)) in &mut uses {
            *part += firsts.get(*group).copied().unwrap_or(0);
            *group = 0;
        }
        block.size = block.size.next_multiple_of(REGISTER);
        Blocks { list: vec![block], uses }
    }

    /// Adds a block for each slot that the stage uses.
    fn add_slots(&mut self, module: &'m Module, entry: usize, kind: FunctionKind) {
        // The name and type of the uniform at each slot and offset, and the uniform's id in the entry function.
        let mut slots: BTreeMap<u32, BTreeMap<u32, (&'m str, Type, Id)>> = BTreeMap::new();
        let mut placed = Vec::new();
        for (index, function) in functions_of(module, entry) {
            for input in &function.inputs {
                let InputKind::Placed { slot, offset } = input.kind else { continue };
                let id = if index == entry { input.id } else { Id::NONE };
                slots.entry(slot).or_default().entry(offset).or_insert((&input.name, input.ty, id));
                placed.push(((index, input.id), (slot, offset)));
            }
        }
        let (Some(&last), first) = (slots.keys().next_back(), self.list.len()) else { return };
        self.list.iter_mut().for_each(|block| block.number = block.number.saturating_add(last).saturating_add(1));
        for (of, (slot, offset)) in placed {
            let part = slots.get(&slot).map_or(0, |places| places.range(..offset).count());
            self.uses.push((of, (first + slots.range(..slot).count(), part)));
        }
        let (name, structure) = match kind {
            FunctionKind::Vertex => ("vertex_uniforms", "VertexUniforms"),
            FunctionKind::Compute => ("compute_uniforms", "ComputeUniforms"),
            _ => ("fragment_uniforms", "FragmentUniforms"),
        };
        for (&slot, places) in &slots {
            let mut block = Block::of(numbered(name, slot).into(), Some(numbered(structure, slot).into()), Id::NONE);
            (block.slot, block.number) = (Some(slot), slot);
            for (&offset, &(name, ty, uniform)) in places {
                block.size = block.size.max(offset.saturating_add(ty.uniform_bytes()));
                block.parts.push(Part { name: name.into(), ty, offset, uniform, within: 0 });
            }
            block.size = block.size.next_multiple_of(REGISTER);
            self.list.push(block);
        }
    }

    /// Returns the indices of the uniform's block and part. For a uniform with several parts, returns the index of the first.
    pub(super) fn place_of(&self, function: usize, uniform: Id) -> Option<(usize, usize)> {
        let at = self.uses.binary_search_by_key(&(function, uniform), |of| of.0).ok()?;
        self.uses.get(at).map(|of| of.1)
    }
}

impl<'m> Block<'m> {
    fn of(name: Cow<'m, str>, structure: Option<Cow<'m, str>>, input: Id) -> Block<'m> {
        Block { name, structure, input, parts: Vec::new(), slot: None, number: 0, offset: 0, size: 0 }
    }
}

fn alone(group: Group<'_>, number: u32) -> Block<'_> {
    let Group { name, input, parts, split, size, .. } = group;
    let structure = split.then(|| pascal(name).into());
    Block { parts, size, number, ..Block::of(name.into(), structure, input) }
}

/// Returns the distinct uniforms of all functions of a stage, in the order of the functions' inputs. Records the group and the
/// part of each uniform in `uses`.
fn groups<'m>(uniforms: Uniforms<'_, 'm>, entry: usize, file: u32, uses: &mut Uses) -> Vec<Group<'m>> {
    let Uniforms { module, members, registers, .. } = uniforms;
    let mut groups: Vec<Group<'_>> = Vec::new();
    let mut known: BTreeMap<Key<'_>, usize> = BTreeMap::new();
    let is_vertex = module.functions.get(entry).is_some_and(|function| function.kind == FunctionKind::Vertex);
    let called = sdlbc::call_order(module, entry);
    for &index in [entry].iter().chain(&called) {
        let inputs = module.functions.get(index).map(|function| &function.inputs[..]).unwrap_or_default();
        for input in inputs.iter().filter(|input| input.kind == InputKind::Uniform) {
            let member = members.get(&(index, input.id));
            // All members of an array are consecutive and form one group.
            let key = match member {
                Some(member) => Key::Own(index, member.array),
                None if input.name.is_empty() => Key::Own(index, input.id),
                None => Key::Named(&input.name),
            };
            let last = groups.len().checked_sub(1).filter(|&last| groups.get(last).is_some_and(|last| last.key == key));
            let at = last.or_else(|| known.get(&key).copied()).unwrap_or(groups.len());
            // The uniforms of one function have distinct names, so `known` is needed only if the entry function calls other
            // functions.
            if !called.is_empty() {
                known.insert(key, at);
            }
            let is_new = at == groups.len();
            if is_new {
                groups.push(new_group(members, (index, index == entry), input, key, file));
            }
            let Some(group) = groups.get_mut(at) else { continue };
            uses.push(((index, input.id), (at, if member.is_some() { group.parts.len() } else { 0 })));
            let parts = registers.get(index).and_then(|registers| registers.parts(input.id));
            match parts.filter(|_| is_new) {
                Some(parts) => {
                    group.split = true;
                    group.parts = registers_of(input, parts, is_vertex);
                }
                None if is_new || member.is_some() => {
                    let ty = match input.ty {
                        Type::Array(Scalar::Float, width, length) if member.is_none() => {
                            Type::Array(Scalar::Float, width, length.max(file))
                        }
                        ty => ty,
                    };
                    let offset = member.map_or(0, |member| member.offset);
                    let (name, uniform) = (Cow::Borrowed(input.name.as_str()), group.input);
                    group.parts.push(Part { name, ty, offset, uniform, within: offset });
                }
                None => {}
            }
        }
    }
    groups
}

fn new_group<'m>(
    members: &'m Members,
    (index, is_entry): (usize, bool),
    input: &'m Input,
    key: Key<'m>,
    file: u32,
) -> Group<'m> {
    let member = members.get(&(index, input.id));
    let size = match (member, input.ty) {
        (Some(member), _) => REGISTER.saturating_mul(member.length.max(file)),
        (None, Type::Array(Scalar::Float, _, length)) => REGISTER.saturating_mul(length.max(file)),
        _ => input.ty.uniform_bytes(),
    };
    let own = if is_entry { member.map_or(input.id, |member| member.array) } else { Id::NONE };
    let name = member.map_or(&input.name, |member| &member.name);
    Group { key, name, input: own, parts: Vec::new(), split: member.is_some(), size }
}

/// Returns the parts of an array that becomes a structure. Each part is named after its register.
fn registers_of<'m>(array: &Input, parts: &[registers::Part], vertex: bool) -> Vec<Part<'m>> {
    let file = if vertex { "vc" } else { "fc" };
    let part = |part: &registers::Part| {
        let (name, offset) = (numbered(file, part.first), REGISTER.saturating_mul(part.first));
        Part { name: name.into(), ty: part.ty, offset, uniform: array.id, within: offset }
    };
    parts.iter().map(part).collect()
}

fn numbered(name: &str, number: u32) -> String {
    let mut text = String::with_capacity(name.len() + 10);
    text.push_str(name);
    let digits = number.checked_ilog10().unwrap_or(0);
    let digit = |at: u32| char::from_digit(number / 10u32.pow(at) % 10, 10);
    text.extend((0..=digits).rev().filter_map(digit));
    text
}

/// Returns the minimum length of an array of constants, in registers.
fn whole_file(layout: &Layout, stage: FunctionKind) -> u32 {
    match (layout.length, stage) {
        (Length::Read { .. }, _) => 0,
        (Length::File { vertex, .. }, FunctionKind::Vertex) => vertex,
        (Length::File { fragment, .. }, _) => fragment,
    }
}

/// Returns the offset and type of each member that pads a structure from `end` to `offset`. `alignment` is the alignment of the
/// member at `offset`.
pub(super) fn padding(mut end: u32, offset: u32, alignment: u32) -> Vec<(u32, Type)> {
    let mut padding = Vec::new();
    while end.next_multiple_of(alignment) < offset {
        let registers = (offset - end) / REGISTER;
        let ty = match end % REGISTER {
            0 if registers > 1 => Type::Array(Scalar::Float, 4, registers),
            0 if registers == 1 => Type::FLOAT4,
            _ if end.next_multiple_of(4) + 4 > offset => Type::Vector(Scalar::Half, 1),
            _ => Type::FLOAT,
        };
        end = end.next_multiple_of(ty.uniform_alignment());
        padding.push((end, ty));
        end += ty.uniform_bytes();
    }
    padding
}

/// Converts a variable's name to the name of its structure: `skin_data` becomes `SkinData`.
fn pascal(name: &str) -> String {
    let mut pascal = String::with_capacity(name.len());
    let mut begins = true;
    for c in name.chars() {
        if c.is_ascii_alphanumeric() {
            pascal.push(if begins { c.to_ascii_uppercase() } else { c });
        }
        begins = !c.is_ascii_alphanumeric();
    }
    pascal
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn padding_is_written_only_where_the_language_itself_would_choose_a_lower_offset() {
        assert_eq!(padding(4, 16, 16), []);
        assert_eq!(padding(4, 8, 8), []);
        assert_eq!(padding(4, 12, 4), [(4, Type::FLOAT), (8, Type::FLOAT)]);
        assert_eq!(padding(12, 48, 16), [(12, Type::FLOAT), (16, Type::Array(Scalar::Float, 4, 2))]);
        assert_eq!(padding(0, 20, 4), [(0, Type::FLOAT4), (16, Type::FLOAT)]);
        let half = Type::Vector(Scalar::Half, 1);
        assert_eq!(padding(16, 18, 2), [(16, half)], "a float would overlap the member");
        assert_eq!(padding(2, 6, 2), [(2, half), (4, half)], "likewise");
    }

    #[test]
    fn a_structure_is_named_after_its_variable() {
        assert_eq!(["vc", "skin_data", "lightDir", ""].map(pascal), ["Vc", "SkinData", "LightDir", ""]);
    }
}
