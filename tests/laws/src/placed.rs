//! Gives uniforms of a random module places in buffers.
//!
//! Rule: for any functions, uniforms that share a name and a type have one place, and nothing overlaps. So a module that keeps the
//! rules still keeps them.

use std::collections::HashMap;

use sdlbc::{Function, InputKind, Type, limits};

/// The buffers that are used: the first ones, and the last.
const SLOTS: [u32; 4] = [0, 1, 3, limits::PLACES - 1];

/// Gives most uniforms of the functions a place, in the order in which they are declared.
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
            // Some uniforms directly follow the one before, some leave a gap.
            let gap = if number.is_multiple_of(3) { 20 } else { 0 };
            let offset = (*end + gap).next_multiple_of(input.ty.uniform_alignment());
            let after = offset.saturating_add(input.ty.uniform_bytes());
            let fits = after <= limits::BUFFER && !matches!(input.ty, Type::Matrix { rows: 2, .. });
            fits.then(|| {
                *end = after;
                InputKind::Placed { slot, offset }
            })
        });
        // A name may have another type in the other stage, but then it has another place.
        if let Some(kind) = kind {
            input.kind = kind;
        }
    }
}
