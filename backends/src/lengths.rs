//! Shortens arrays of constants to the length that the layout allows.
//!
//! Rule: only an array that is read at a computed index is shortened. Every element that is read at a constant index is kept, and
//! if a matrix member contains the element, all columns of the matrix are kept. A computed index beyond the end reads the last
//! element of the shorter array.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use sdlbc::{Function, Id, Input, InputKind, Member, Module, Op, Type};

use crate::layout::{Layout, Length};

/// The reads of an array in all functions that share it.
#[derive(Clone, Debug, Default)]
struct Reads {
    computed: bool,
    /// The constant indices at which the array is read.
    elements: HashSet<u32>,
}

impl Reads {
    /// Returns the minimum length that contains every element read at a constant index.
    fn end(&self, members: &[Member]) -> u32 {
        let last = self.elements.iter().max().map_or(0, |last| last.saturating_add(1));
        let read = members.iter().filter_map(|member| {
            let end = member.first.saturating_add(member.elements());
            let is_read = self.elements.iter().any(|element| (member.first..end).contains(element));
            (is_read && matches!(member.ty, Type::Matrix { .. })).then_some(end)
        });
        read.chain([last]).max().unwrap_or(0)
    }
}

/// Shortens the module's uniform arrays. Returns true if an array may have changed.
pub(crate) fn shorten(module: &mut Cow<'_, Module>, layout: &Layout) -> bool {
    let Length::Read { indexed: limit } = layout.length else { return false };
    let too_long = |input: &Input| input.kind == InputKind::Uniform && length(input.ty) > limit;
    if !module.functions.iter().flat_map(|function| &function.inputs).any(too_long) {
        return false;
    }
    // Functions share a uniform if they give it the same name.
    let key = |at: usize, input: &Input| match input.name.is_empty() {
        true => (Some((at, input.id)), String::new()),
        false => (None, input.name.clone()),
    };
    let mut found: HashMap<_, (Reads, Vec<Member>)> = HashMap::new();
    for (at, function) in module.functions.iter().enumerate() {
        let mut reads = reads(function);
        let named = module.debug_of(at);
        for input in function.inputs.iter().filter(|input| too_long(input)) {
            let of = reads.remove(&input.id).unwrap_or_default();
            let (all, members) = found.entry(key(at, input)).or_default();
            all.computed |= of.computed;
            all.elements.extend(of.elements);
            members.extend(named.and_then(|named| named.members.get(&input.id)).into_iter().flatten().cloned());
        }
    }
    for (at, function) in module.to_mut().functions.iter_mut().enumerate() {
        for input in function.inputs.iter_mut().filter(|input| too_long(input)) {
            let found = found.get(&key(at, input));
            if let Type::Array(_, _, length) = &mut input.ty
                && let Some((reads, members)) = found
                && reads.computed
            {
                *length = (*length).min(limit.max(reads.end(members))).max(1);
            }
        }
    }
    true
}

fn length(ty: Type) -> u32 {
    if let Type::Array(_, _, length) = ty { length } else { 0 }
}

/// Returns the reads of each uniform array of a function.
fn reads(function: &Function) -> HashMap<Id, Reads> {
    let uniforms = function.inputs.iter().filter(|input| input.kind == InputKind::Uniform);
    let lengths: HashMap<Id, u32> = uniforms.map(|input| (input.id, length(input.ty))).collect();
    let mut found: HashMap<Id, Reads> = HashMap::new();
    for inst in function.body.insts() {
        if let (Op::Peek, [of, index]) = (inst.op, &inst.inputs[..])
            && let Some(length) = lengths.get(of)
        {
            let reads = found.entry(*of).or_default();
            let offset = inst.immediates.first().map_or(0, |offset| offset.cast_signed());
            match index.is_some() {
                true => reads.computed = true,
                false => {
                    let element = u32::try_from(offset).unwrap_or(0).min(length.saturating_sub(1));
                    reads.elements.insert(element);
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_of_which_a_column_is_read_stays_whole() {
        let text = r#"
vertex function "vs_main" {
  input %1 va0: float4 = attribute 0
  input %2 vc: float4[250] = uniform
  output 0 op: float4 = position
  member %2[126] m: float4x4
  member %2[140] unread: float4x4
  %3 = swizzle %1, x
  %4 = convert %3, int
  %5 = peek %2, %4, 4
  %6 = peek %2, 126
  %7 = add %5, %6
  poke %7, 0
}
"#;
        let mut module = Cow::Owned(sdlbc::parse(text).unwrap_or_else(|errors| panic!("{errors:?}")));
        let layout = Layout { length: Length::Read { indexed: 128 }, ..Layout::STAGE3D };
        shorten(&mut module, &layout);
        assert_eq!(length(module.functions[0].inputs[1].ty), 130);
    }
}
