//! Decides which uniforms of a stage share a variable, and where each of them lies in it.
//!
//! Rule: nothing here depends on the target but the padding, which follows the language's own layout of structures: WGSL and
//! std140 agree on all types of uniforms except matrices with columns of two components.

use std::collections::BTreeMap;

use sdlbc::{FunctionKind, Id, Input, InputKind, Scalar, Type};

use super::{Lowering, registers};
use crate::{Layout, Length};

/// A register's size in bytes.
const REGISTER: u32 = 16;

/// Identifies a uniform of a stage.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Key {
    /// All functions that a stage reaches share a uniform with a name.
    Named(String),
    /// A uniform without a name, and a member of another one, are their function's own.
    Own(usize, Id),
}

/// The constants of a stage that one variable holds.
#[derive(Clone, Debug)]
pub(super) struct Block {
    /// The name that the variable should have.
    pub(super) name: String,
    /// The name that its structure should have; `None` if it holds one value without a structure.
    pub(super) structure: Option<String>,
    /// The id of its first input, if that is the entry function's.
    pub(super) input: Id,
    /// What it holds, in the order of the offsets.
    pub(super) parts: Vec<Part>,
    /// The offset of its first byte in the push constant range.
    pub(super) offset: u32,
    /// The number of bytes from there to its end.
    pub(super) size: u32,
}

/// A value in a block.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// The uniform that it is, or the first part of.
    pub(super) key: Option<Key>,
    pub(super) name: String,
    pub(super) ty: Type,
    /// Its offset in the block, from the block's own offset.
    pub(super) offset: u32,
    /// The id of the uniform that it is a part of, if that is the entry function's.
    pub(super) uniform: Id,
    /// Its offset in that uniform.
    pub(super) within: u32,
}

/// A uniform, or all members of one.
struct Group {
    name: String,
    input: Id,
    parts: Vec<Part>,
    /// Whether the parts are members.
    split: bool,
    size: u32,
}

/// Returns the blocks of the stage whose entry function is at `entry`. The order of blocks is the order in which the functions
/// list their inputs, the entry function's first.
pub(super) fn blocks(lowering: &Lowering<'_>, entry: usize, push: bool) -> Vec<Block> {
    let Lowering { source: module, layout, .. } = *lowering;
    let kind = module.functions.get(entry).map(|function| function.kind).unwrap_or_default();
    let groups = groups(lowering, entry, whole_file(layout, kind));
    let together = groups.len() > 1 && (layout.one_block || push);
    if !together {
        return groups.into_iter().map(alone).collect();
    }
    let (name, structure) = match kind {
        FunctionKind::Vertex => ("vertex_constants", "VertexConstants"),
        _ => ("fragment_constants", "FragmentConstants"),
    };
    let mut block = Block {
        name: name.to_string(),
        structure: Some(structure.to_string()),
        input: groups.first().map_or(Id::NONE, |group| group.input),
        parts: Vec::new(),
        offset: 0,
        size: 0,
    };
    for group in groups {
        let alignment = group.parts.iter().map(|part| alignment(part.ty)).max().unwrap_or(1);
        let alignment = if group.split { REGISTER } else { alignment };
        let start = block.size.next_multiple_of(alignment);
        block.size = start.saturating_add(group.size);
        block.parts.extend(group.parts.into_iter().map(|part| Part { offset: start + part.offset, ..part }));
    }
    block.size = block.size.next_multiple_of(REGISTER);
    vec![block]
}

/// Returns the block of a single group.
fn alone(group: Group) -> Block {
    let Group { name, input, parts, split, size } = group;
    let structure = split.then(|| pascal(&name));
    Block { name, structure, input, parts, offset: 0, size }
}

/// Returns the uniforms that a stage reaches, in order, each once.
fn groups(lowering: &Lowering<'_>, entry: usize, file: u32) -> Vec<Group> {
    let Lowering { source: module, members, .. } = *lowering;
    let mut groups: Vec<Group> = Vec::new();
    let mut known: BTreeMap<Key, usize> = BTreeMap::new();
    let is_vertex = module.functions.get(entry).is_some_and(|function| function.kind == FunctionKind::Vertex);
    let called = sdlbc::call_order(module, entry);
    for index in [entry].into_iter().chain(called) {
        let inputs = module.functions.get(index).map(|function| &function.inputs[..]).unwrap_or_default();
        for input in inputs.iter().filter(|input| input.kind == InputKind::Uniform) {
            let member = members.get(index, input.id);
            // All members of an array are one group.
            let group = match member {
                Some(member) => Key::Own(index, member.array),
                None if input.name.is_empty() => Key::Own(index, input.id),
                None => Key::Named(input.name.clone()),
            };
            let key = if member.is_some() { Key::Own(index, input.id) } else { group.clone() };
            let at = *known.entry(group).or_insert(groups.len());
            if at == groups.len() {
                let name = member.map_or(&input.name, |member| &member.name);
                let size = match (member, input.ty) {
                    (Some(member), _) => REGISTER.saturating_mul(member.length.max(file)),
                    (None, Type::Array(Scalar::Float, _, length)) => REGISTER.saturating_mul(length.max(file)),
                    _ => size(input.ty),
                };
                let own = if index == entry { member.map_or(input.id, |member| member.array) } else { Id::NONE };
                groups.push(Group { name: name.clone(), input: own, parts: Vec::new(), split: member.is_some(), size });
                if let Some(parts) = lowering.registers.get(index).and_then(|registers| registers.parts(input.id))
                    && let Some(group) = groups.last_mut()
                {
                    group.split = true;
                    group.parts = registers_of(input, key, parts, is_vertex);
                    continue;
                }
            } else if member.is_none() {
                continue;
            }
            if let Some(group) = groups.get_mut(at) {
                let ty = match input.ty {
                    Type::Array(Scalar::Float, width, length) if member.is_none() => {
                        Type::Array(Scalar::Float, width, length.max(file))
                    }
                    ty => ty,
                };
                let offset = member.map_or(0, |member| member.offset);
                let (name, uniform) = (input.name.clone(), group.input);
                group.parts.push(Part { key: Some(key), name, ty, offset, uniform, within: offset });
            }
        }
    }
    groups
}

/// The parts of an array that becomes a structure, named as registers are.
fn registers_of(array: &Input, key: Key, parts: &[registers::Part], vertex: bool) -> Vec<Part> {
    let file = if vertex { "vc" } else { "fc" };
    let mut key = Some(key);
    let part = |part: &registers::Part| {
        let (name, offset) = (format!("{file}{}", part.first), REGISTER.saturating_mul(part.first));
        Part { key: key.take(), name, ty: part.ty, offset, uniform: array.id, within: offset }
    };
    parts.iter().map(part).collect()
}

/// Returns the number of registers that an array of constants has at least.
fn whole_file(layout: &Layout, stage: FunctionKind) -> u32 {
    match (layout.length, stage) {
        (Length::Read { .. }, _) => 0,
        (Length::File { vertex, .. }, FunctionKind::Vertex) => vertex,
        (Length::File { fragment, .. }, _) => fragment,
    }
}

/// Returns the size of a uniform in bytes, without padding after it.
pub(super) fn size(ty: Type) -> u32 {
    match ty {
        Type::Vector(scalar, width) => bytes(scalar) * u32::from(width),
        // std140 has a register for each column.
        Type::Matrix { columns, .. } => REGISTER * u32::from(columns),
        Type::Array(_, _, length) => REGISTER.saturating_mul(length),
        Type::Texture(_) => 0,
    }
}

/// Returns the alignment of a uniform in bytes.
pub(super) fn alignment(ty: Type) -> u32 {
    match ty {
        Type::Vector(scalar, 1) => bytes(scalar),
        Type::Vector(scalar, 2) => 2 * bytes(scalar),
        Type::Vector(scalar, _) => 4 * bytes(scalar),
        _ => REGISTER,
    }
}

fn bytes(scalar: Scalar) -> u32 {
    if scalar == Scalar::Half { 2 } else { 4 }
}

/// Returns the padding before `offset`, for a structure whose previous member ends at `end`: the offset and type of each
/// member that fills the gap. `alignment` is that of the member that follows.
pub(super) fn padding(mut end: u32, offset: u32, alignment: u32) -> Vec<(u32, Type)> {
    let mut padding = Vec::new();
    while end.next_multiple_of(alignment) < offset {
        let registers = (offset - end) / REGISTER;
        let ty = match end % REGISTER {
            0 if registers > 1 => Type::Array(Scalar::Float, 4, registers),
            0 if registers == 1 => Type::FLOAT4,
            _ => Type::FLOAT,
        };
        end = end.next_multiple_of(4);
        padding.push((end, ty));
        end += size(ty);
    }
    padding
}

/// Returns a name as that of a structure: `skin_data` becomes `SkinData`.
fn pascal(name: &str) -> String {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric());
    let word = |word: &str| {
        let mut letters = word.chars();
        letters.next().map_or(String::new(), |first| first.to_ascii_uppercase().to_string() + letters.as_str())
    };
    words.map(word).collect()
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
    }

    #[test]
    fn a_structure_is_named_after_its_variable() {
        assert_eq!(["vc", "skin_data", "lightDir", ""].map(pascal), ["Vc", "SkinData", "LightDir", ""]);
    }
}
