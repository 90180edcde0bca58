//! Assigns places in uniform buffers to the uniforms of a random module.
//!
//! Rule: uniforms with the same name and type get the same place, and no two places overlap, so that a valid module stays valid.

use std::collections::HashMap;

use sdlbc::{Function, InputKind, Type, limits};

/// The slots of the uniform buffers. The list includes the lowest and the highest possible slot.
const SLOTS: [u32; 4] = [0, 1, 3, limits::PLACES - 1];

/// Assigns a place to most uniforms, in the order of their declarations.
pub(crate) fn place_uniforms(functions: &mut [Function]) {
    let mut known: HashMap<(String, Type), Option<InputKind>> = HashMap::new();
    let mut ends = [0u32; SLOTS.len()];
    for input in functions.iter_mut().flat_map(|function| &mut function.inputs) {
        if input.kind != InputKind::Uniform || input.name.is_empty() {
            continue;
        }
        let number = known.len();
        let kind = *known.entry((input.name.clone(), input.ty)).or_insert_with(|| {
            let at = number % (SLOTS.len() + 1);
            let (slot, end) = (*SLOTS.get(at)?, ends.get_mut(at)?);
            // Some uniforms directly follow the previous uniform, and others follow a gap.
            let gap = if number.is_multiple_of(3) { 20 } else { 0 };
            let offset = (*end + gap).next_multiple_of(input.ty.uniform_alignment());
            let after = offset.saturating_add(input.ty.uniform_bytes());
            let fits = after <= limits::BUFFER && !matches!(input.ty, Type::Matrix { rows: 2, .. });
            fits.then(|| {
                *end = after;
                InputKind::Placed { slot, offset }
            })
        });
        // Two stages may declare a uniform of the same name with different types, which then have different places.
        if let Some(kind) = kind {
            input.kind = kind;
        }
    }
}
