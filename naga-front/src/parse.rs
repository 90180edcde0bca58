//! Reads a source with naga, and validates what naga read.
//!
//! Whatever naga says becomes a [`Refusal`]. naga's readers are written not to panic; if one does, that is a refusal as well.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::panic::{AssertUnwindSafe, catch_unwind};

use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};
use naga::{
    AddressSpace, BinaryOperator, Expression, FunctionArgument, ImageQuery, Module, Span, StorageAccess, TypeInner,
};
use sdlbc::FunctionKind;

use crate::Source;
use crate::error::{Refusal, RefusalKind};
use crate::operands::of_expression;
use crate::spirv::instructions;
use crate::summary::Summaries;

/// A module of naga's that is valid.
pub(crate) struct Parsed {
    pub(crate) module: Module,
    pub(crate) info: ModuleInfo,
}

/// See the file.
pub(crate) fn parse(source: &Source<'_>) -> Result<Parsed, Vec<Refusal>> {
    if let Some(place) = source.text().and_then(crate::glsl::too_deep) {
        let what = "this nests deeper, or has more operators in a row, than is read".to_string();
        return Err(vec![Refusal::new(RefusalKind::Limit { what }, Some(place))]);
    }
    let read = catch_unwind(AssertUnwindSafe(|| {
        let module = match *source {
            Source::Wgsl(text) => wgsl(text),
            Source::Glsl { text, stage } => glsl(text, stage).map(with_readable_buffers),
            Source::Spirv(bytes) => spirv(bytes).map(with_readable_buffers),
        }?;
        let mut validator = Validator::new(ValidationFlags::all(), Capabilities::all());
        match validator.validate(&module) {
            Ok(info) => Ok(Parsed { module, info }),
            Err(error) => {
                let bytes = error.spans().find_map(|(span, _)| span.to_range());
                Err(vec![Refusal::new(RefusalKind::Invalid { message: chain(error.as_inner()) }, bytes)])
            }
        }
    }));
    read.unwrap_or_else(|_| {
        let message = "naga's reader failed on this source".to_string();
        Err(vec![Refusal::new(RefusalKind::Unreadable { message }, None)])
    })
}

fn wgsl(text: &str) -> Result<Module, Vec<Refusal>> {
    naga::front::wgsl::parse_str(text).map_err(|error| {
        let bytes = error.labels().find_map(|(span, _)| span.to_range());
        let notes = error.notes().map(|note| format!("; {note}"));
        let message = std::iter::once(error.message().to_string()).chain(notes).collect();
        vec![Refusal::new(RefusalKind::Unreadable { message }, bytes)]
    })
}

fn glsl(text: &str, stage: FunctionKind) -> Result<Module, Vec<Refusal>> {
    let stage = match stage {
        FunctionKind::Vertex => naga::ShaderStage::Vertex,
        FunctionKind::Fragment => naga::ShaderStage::Fragment,
        FunctionKind::Compute => naga::ShaderStage::Compute,
        FunctionKind::Generic => {
            return Err(vec![Refusal::new(RefusalKind::NoEntry { name: String::new() }, None)]);
        }
    };
    if let Some(place) = crate::glsl::continue_in_do(text) {
        let name = "a `continue` in a `do` loop as naga reads it, without the loop's condition; write a `while` loop"
            .to_string();
        return Err(vec![Refusal::new(RefusalKind::Operation { name }, Some(place))]);
    }
    if let Some(place) = crate::glsl::word(text, "texelFetchOffset") {
        let name = "`texelFetchOffset` as naga reads it, without the offset; add it to the coordinate".to_string();
        return Err(vec![Refusal::new(RefusalKind::Operation { name }, Some(place))]);
    }
    if let Some(place) = crate::glsl::word(text, "gl_ClipDistance") {
        let name = "`gl_ClipDistance` as naga reads it, as varyings; WGSL and SPIR-V have clip distances".to_string();
        return Err(vec![Refusal::new(RefusalKind::Operation { name }, Some(place))]);
    }
    let mut module = naga::front::glsl::Frontend::default().parse(&stage.into(), text).map_err(|errors| {
        use naga::front::glsl::ErrorKind::{InvalidProfile, InvalidVersion};
        // What follows is read as another version.
        let is_other = |error: &&naga::front::glsl::Error| matches!(error.kind, InvalidVersion(_) | InvalidProfile(_));
        if let Some(error) = errors.errors.iter().find(is_other) {
            let message = match &error.kind {
                InvalidVersion(version) => format!("GLSL {version} is not read"),
                _ => "this profile of GLSL is not read".to_string(),
            };
            let message = format!("{message}: write it for Vulkan, as `#version 450` (440, 450 and 460 are read)");
            return vec![Refusal::new(RefusalKind::Unreadable { message }, Span::to_range(error.meta))];
        }
        let refusal = |error: &naga::front::glsl::Error| {
            let message = error.kind.to_string();
            Refusal::new(RefusalKind::Unreadable { message }, Span::to_range(error.meta))
        };
        errors.errors.iter().map(refusal).collect::<Vec<_>>()
    })?;
    crate::whole::load_members(&mut module);
    if let Some(place) = crate::aliases::passed_twice(&module) {
        let name =
            "one variable passed twice as `inout` or `out`, as naga reads it, not copied; pass a copy".to_string();
        return Err(vec![Refusal::new(RefusalKind::Operation { name }, Some(place))]);
    }
    let effects = effects(&module);
    let of_operand = crate::glsl::effect_of_operand(text, &effects);
    let name = match (&of_operand, crate::glsl::effect_of_target(text, &effects)) {
        (Some(_), _) => "an effect on the right of `&&` or `||` as naga reads it, always; write an `if`",
        (None, Some(_)) => {
            "an effect in the target of a compound assignment as naga reads it, twice; write the index before"
        }
        (None, None) => return Ok(module),
    };
    let place = of_operand.or_else(|| crate::glsl::effect_of_target(text, &effects));
    Err(vec![Refusal::new(RefusalKind::Operation { name: name.to_string() }, place)])
}

/// The module with buffers that may be read where they may only be written, which naga's validator refuses.
fn with_readable_buffers(mut module: Module) -> Module {
    for (_, variable) in module.global_variables.iter_mut() {
        if let AddressSpace::Storage { access } = &mut variable.space {
            *access |= StorageAccess::LOAD;
        }
    }
    module
}

/// The names of the functions of which a call does more than to return a value.
fn effects(module: &Module) -> BTreeSet<&str> {
    let summaries = Summaries::new(module, false);
    let functions = module.functions.iter().filter(|(handle, _)| summaries.of(*handle).effects);
    functions.filter_map(|(_, function)| function.name.as_deref()).collect()
}

fn spirv(bytes: &[u8]) -> Result<Module, Vec<Refusal>> {
    let swapped: Vec<u8>;
    let bytes = if bytes.starts_with(&[0x07, 0x23, 0x02, 0x03]) {
        swapped = bytes.chunks(4).flat_map(|word| word.iter().rev()).copied().collect();
        &swapped
    } else {
        bytes
    };
    // What naga reads without knowing its capability is validated all the same.
    // The position is turned where the entry point ends.
    let options =
        naga::front::spv::Options { strict_capabilities: false, adjust_coordinate_space: false, ..Default::default() };
    if let Some(what) = dropped(bytes) {
        let name = format!("{what} as naga reads it, without that operand");
        return Err(vec![Refusal::new(RefusalKind::Operation { name }, None)]);
    }
    if let Some(what) = crate::switches::misread(bytes) {
        return Err(vec![Refusal::new(RefusalKind::Operation { name: what.to_string() }, None)]);
    }
    let changed = for_images(bytes);
    let bytes = changed.as_deref().unwrap_or(bytes);
    let mut module = naga::front::spv::parse_u8_slice(bytes, &options)
        .map_err(|error| vec![Refusal::new(RefusalKind::Unreadable { message: chain(&error) }, None)])?;
    let Module { functions, entry_points, global_variables, types, .. } = &mut module;
    let has_layers = |image: &Expression, arguments: &[FunctionArgument]| {
        let ty = match *image {
            Expression::GlobalVariable(variable) => Some(global_variables[variable].ty),
            Expression::FunctionArgument(at) => arguments.get(at as usize).map(|argument| argument.ty),
            _ => None,
        };
        ty.is_some_and(|ty| matches!(types[ty].inner, TypeInner::Image { arrayed: true, .. }))
    };
    let functions = functions.iter_mut().map(|(_, function)| function);
    for function in functions.chain(entry_points.iter_mut().map(|entry| &mut entry.function)) {
        without_logical(function);
        with_layers(function, has_layers).map_err(|refusal| vec![refusal])?;
    }
    Ok(module)
}

/// What the first operation on an image has that naga's reader drops: operands that change which texels are read.
fn dropped(bytes: &[u8]) -> Option<&'static str> {
    const CONST_OFFSET: u32 = 8;
    const OFFSET: u32 = 0x10;
    const CONST_OFFSETS: u32 = 0x20;
    const MIN_LOD: u32 = 0x80;
    for (op, operands) in instructions(bytes) {
        // The place of the bits that say which operands there are.
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

/// The source with what naga's reader needs for images; `None` for one that needs nothing, or is not one of SPIR-V.
///
/// - An access of layers needs the types of its coordinates without the layer: without them the reader panics. Each type of ints of 32
///   bits gets a vector of two.
/// - A component of a texture's sizes whose signs were changed is taken before the change, so that [`with_layers`] finds it.
fn for_images(bytes: &[u8]) -> Option<Vec<u8>> {
    const TYPE_INT: u32 = 21;
    const TYPE_VECTOR: u32 = 23;
    const COMPOSITE_EXTRACT: u32 = 81;
    const BITCAST: u32 = 124;
    /// OpImageFetch, OpImageRead and OpImageWrite.
    const ACCESSES: [u32; 3] = [95, 98, 99];
    /// OpImageQuerySizeLod and OpImageQuerySize.
    const QUERIES: [u32; 2] = [103, 104];
    let (words, []) = bytes.as_chunks() else { return None };
    let words: Vec<u32> = words.iter().copied().map(u32::from_le_bytes).collect();
    let (&[magic, version, generator, mut bound, schema], mut rest) = words.split_first_chunk()?;
    let mut with = vec![magic, version, generator, bound, schema];
    let mut is_needed = false;
    // By vector type: the type of its components. By sizes: the same. By sizes with other signs: the sizes.
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

/// Where SPIR-V has the number of layers as the last of the sizes of a texture, naga's reader takes it from naga's sizes, which
/// do not have it: such an access becomes naga's question for the number. Whatever else would compute with the last size would
/// compute without it, and is refused.
fn with_layers(
    function: &mut naga::Function,
    has_layers: impl Fn(&Expression, &[FunctionArgument]) -> bool,
) -> Result<(), Refusal> {
    // What should have the number as its last component, and does not.
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
            // The validator refuses a component that is not there.
            Expression::AccessIndex { .. } | Expression::Swizzle { .. } => {}
            ref other => of_expression(other, &mut |operand| is_short |= short.contains_key(&operand)),
        }
        if is_short {
            let name = "the number of layers among the sizes of a texture, as naga reads it; take it by itself";
            let bytes = function.expressions.get_span(handle).to_range();
            return Err(Refusal::new(RefusalKind::Operation { name: name.to_string() }, bytes));
        }
    }
    for (handle, image) in layers {
        function.expressions[handle] = Expression::ImageQuery { image, query: ImageQuery::NumLayers };
    }
    Ok(())
}

/// Replaces operations on bools that naga's reader makes of SPIR-V's, but which naga has for scalars alone.
fn without_logical(function: &mut naga::Function) {
    for (_, expression) in function.expressions.iter_mut() {
        if let Expression::Binary { op, .. } = expression {
            match op {
                BinaryOperator::LogicalAnd => *op = BinaryOperator::And,
                BinaryOperator::LogicalOr => *op = BinaryOperator::InclusiveOr,
                _ => {}
            }
        }
    }
}

/// What an error says, and what its causes say.
pub(crate) fn chain(error: &dyn Error) -> String {
    let mut message = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        message.push_str(": ");
        message.push_str(&error.to_string());
        cause = error.source();
    }
    message
}
