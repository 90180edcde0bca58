//! SPIR-V image operations whose operands naga's reader drops or misreads, or that make the reader panic.
//!
//! Upstream fault `dropped_operands`: `parse_image_sample` and `parse_image_load` in `front/spv/image.rs` log unknown image
//! operands and continue without them. The dropped operands are non-constant offsets, groups of four offsets, minimum levels of
//! detail, and all offsets of a fetch. No upstream issue is known.
//!
//! Upstream fault `layer_coordinates`: `extract_image_coordinates` in `front/spv/image.rs` expects the module to have the type of
//! a coordinate without its layer, and panics if the module lacks that type. No upstream issue is known.
//!
//! Upstream fault `number_of_layers`: `parse_image_query_size` in `front/spv/image.rs` has a TODO for array textures. In SPIR-V,
//! but not in naga, the last component of an array texture's size is the number of layers.

use std::collections::BTreeMap;

use naga::{Expression, FunctionArgument, ImageQuery, Module, TypeInner};

use crate::error::{Refusal, RefusalKind};
use crate::mend::instructions::instructions;
use crate::operands::of_expression;

/// Returns a description of the first image operation with an operand that naga's reader drops. Without the dropped operand, the
/// operation would read other texels.
pub(crate) fn dropped(bytes: &[u8]) -> Option<&'static str> {
    const CONST_OFFSET: u32 = 8;
    const OFFSET: u32 = 0x10;
    const CONST_OFFSETS: u32 = 0x20;
    const MIN_LOD: u32 = 0x80;
    for (op, operands) in instructions(bytes) {
        // The index of the word that is the mask of optional operands.
        let at = match op {
            87 | 88 | 91 | 92 | 95 => 4,
            89 | 90 | 93 | 94 | 96 | 97 => 5,
            _ => continue,
        };
        let bits = operands.get(at).map_or(0, |&word| u32::from_le_bytes(word));
        if op == 95 && bits & (CONST_OFFSET | OFFSET) != 0 {
            return Some("a fetch with an offset");
        }
        if bits & OFFSET != 0 {
            return Some("a sample with an offset that is not constant");
        }
        if bits & CONST_OFFSETS != 0 {
            return Some("a gather with four offsets");
        }
        if bits & MIN_LOD != 0 {
            return Some("a sample with a minimal level of detail");
        }
    }
    None
}

/// Prepares the image operations of a SPIR-V module for naga's reader. Returns `None` if the module needs no change, or is
/// not SPIR-V.
///
/// - naga's reader panics unless the module defines the vector type that a coordinate has without its layer. Each 32-bit
///   integer type therefore gets a vector type of two components.
/// - If a component is extracted from a bit cast of a texture's sizes, the extraction moves before the bit cast, so that
///   [`with_layers`] finds the component.
pub(crate) fn for_images(bytes: &[u8]) -> Option<Vec<u8>> {
    const TYPE_INT: u32 = 21;
    const TYPE_VECTOR: u32 = 23;
    const COMPOSITE_EXTRACT: u32 = 81;
    const BITCAST: u32 = 124;
    /// The opcodes of OpImageFetch, OpImageRead and OpImageWrite.
    const ACCESSES: [u32; 3] = [95, 98, 99];
    /// The opcodes of OpImageQuerySizeLod and OpImageQuerySize.
    const QUERIES: [u32; 2] = [103, 104];
    let (words, []) = bytes.as_chunks() else { return None };
    let words: Vec<u32> = words.iter().copied().map(u32::from_le_bytes).collect();
    let (&[magic, version, generator, mut bound, schema], mut rest) = words.split_first_chunk()?;
    let mut with = vec![magic, version, generator, bound, schema];
    let mut is_needed = false;
    // `components` maps a vector type to its component type, and `sizes` maps a size query to the component type of its result.
    // `changed` maps each bit cast of a size query's result to the result.
    let (mut components, mut sizes, mut changed) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
    while let Some(&first) = rest.first() {
        let (inst, after) = rest.split_at_checked((first >> 16) as usize).filter(|(inst, _)| !inst.is_empty())?;
        rest = after;
        match (first & 0xffff, inst) {
            (TYPE_INT, &[_, id, 32, _]) => {
                with.extend(inst);
                with.extend([4 << 16 | TYPE_VECTOR, bound, id, 2]);
                bound = bound.checked_add(1)?;
                continue;
            }
            (TYPE_VECTOR, &[_, id, component, _]) => drop(components.insert(id, component)),
            (op, &[_, ty, id, _, ..]) if QUERIES.contains(&op) => {
                sizes.extend(components.get(&ty).map(|&component| (id, component)));
            }
            (BITCAST, &[_, _, id, of]) => changed.extend(sizes.get(&of).map(|&component| (id, (component, of)))),
            (COMPOSITE_EXTRACT, &[_, ty, id, of, index]) => {
                if let Some(&(component, sizes)) = changed.get(&of) {
                    with.extend([5 << 16 | COMPOSITE_EXTRACT, component, bound, sizes, index]);
                    with.extend([4 << 16 | BITCAST, ty, id, bound]);
                    bound = bound.checked_add(1)?;
                    is_needed = true;
                    continue;
                }
            }
            (op, _) => is_needed |= ACCESSES.contains(&op),
        }
        with.extend(inst);
    }
    *with.get_mut(3)? = bound;
    is_needed.then(|| with.iter().flat_map(|word| word.to_le_bytes()).collect())
}

/// Corrects reads of the number of layers from the size of a texture. SPIR-V returns the number of layers as the last component
/// of the size, but naga's size lacks that component. A read of only the last component becomes naga's query of the number of
/// layers. Any other use of a size with a number of layers is refused.
pub(crate) fn with_layers(module: &mut Module) -> Result<(), Refusal> {
    let Module { functions, entry_points, global_variables, types, .. } = module;
    let has_layers = |image: &Expression, arguments: &[FunctionArgument]| {
        let ty = match *image {
            Expression::GlobalVariable(variable) => Some(global_variables[variable].ty),
            Expression::FunctionArgument(at) => arguments.get(at as usize).map(|argument| argument.ty),
            _ => None,
        };
        ty.is_some_and(|ty| matches!(types[ty].inner, TypeInner::Image { arrayed: true, .. }))
    };
    let functions = functions.iter_mut().map(|(_, function)| function);
    let mut all = functions.chain(entry_points.iter_mut().map(|entry| &mut entry.function));
    all.try_for_each(|function| in_function(function, has_layers))
}

fn in_function(
    function: &mut naga::Function,
    has_layers: impl Fn(&Expression, &[FunctionArgument]) -> bool,
) -> Result<(), Refusal> {
    // Maps each size that lacks the number of layers as its last component to its image, or to `None` if the size was converted.
    let mut short = BTreeMap::new();
    let mut layers = Vec::new();
    for (handle, expression) in function.expressions.iter() {
        let mut is_short = false;
        match *expression {
            Expression::ImageQuery { image, query: ImageQuery::Size { .. } }
                if has_layers(&function.expressions[image], &function.arguments) =>
            {
                short.insert(handle, Some(image));
            }
            Expression::As { expr, .. } if short.contains_key(&expr) => {
                short.insert(handle, None);
            }
            Expression::AccessIndex { base, index: 2 } => match short.get(&base) {
                Some(&Some(image)) => layers.push((handle, image)),
                converted => is_short = converted.is_some(),
            },
            // A selection of the missing component needs no refusal here, because naga's validator refuses the selection.
            Expression::AccessIndex { .. } | Expression::Swizzle { .. } => {}
            ref other => of_expression(other, &mut |operand| is_short |= short.contains_key(&operand)),
        }
        if is_short {
            let name = "a texture's size that is used together with its number of layers, which naga omits; extract the number of layers separately";
            let bytes = function.expressions.get_span(handle).to_range();
            return Err(Refusal::new(RefusalKind::Operation { name: name.to_string() }, bytes));
        }
    }
    for (handle, image) in layers {
        function.expressions[handle] = Expression::ImageQuery { image, query: ImageQuery::NumLayers };
    }
    Ok(())
}
