//! The rules about inputs and outputs: the kinds that a function may have, and the types that each kind may have.
//!
//! Rule: attributes and varyings are 32-bit numbers, and ints are not interpolated. A uniform may have any type that has a memory
//! layout, but bools have none (docs/format.md, "Inputs" and "Outputs").

use std::collections::HashSet;
use std::mem::discriminant;

use smallvec::SmallVec;

use super::distinct::{Distinct, hint};
use super::report::{At, Report};
use super::shared::Conflicts;
use super::{Detail, Rule};
use crate::Interpolation;
use crate::codec::kinds::Kinds;
use crate::compute::components;
use crate::{
    Builtin, Dimension, Function, FunctionKind, FunctionOutput, Input, InputKind, OutputKind, Sampler, Scalar, Texel,
    Type, limits,
};

/// Whether each input has a valid type, and each output a valid kind and type. Uses of invalid inputs and outputs are not
/// checked.
pub(super) struct Interface {
    pub(super) inputs: SmallVec<[bool; 16]>,
    pub(super) outputs: SmallVec<[bool; 16]>,
}

/// The total component counts of the local slots and of the shared arrays that have been checked so far.
#[derive(Default)]
pub(super) struct Components {
    slots: usize,
    shared: usize,
}

/// Checks a function's inputs and outputs, and adds the components of its local slots and shared arrays to `sums`. `is_drawn` is
/// true for vertex and fragment functions, and for the functions that they call directly or indirectly.
pub(super) fn check(
    function: &Function,
    conflicts: &Conflicts,
    sums: &mut Components,
    is_drawn: bool,
    report: &mut Report<'_>,
) -> Interface {
    if let Some(size) = workgroup(function) {
        report.add(Rule::Workgroup, Detail::Workgroup(size));
    }
    Interface { inputs: inputs(function, conflicts, sums, is_drawn, report), outputs: outputs(function, report) }
}

/// Returns a function's workgroup size if it is invalid. `Some(None)` means that a compute function lacks a workgroup size.
fn workgroup(function: &Function) -> Option<Option<[u32; 3]>> {
    let fits = match function.workgroup {
        None => function.kind != FunctionKind::Compute,
        Some(size) => {
            let all = size.iter().try_fold(1u32, |all, &count| all.checked_mul(count));
            function.kind == FunctionKind::Compute
                && size.iter().zip(limits::WORKGROUP).all(|(&count, most)| (1..=most).contains(&count))
                && all.is_some_and(|all| all <= limits::INVOCATIONS)
        }
    };
    (!fits).then_some(function.workgroup)
}

fn inputs(
    function: &Function,
    conflicts: &Conflicts,
    sums: &mut Components,
    is_drawn: bool,
    report: &mut Report<'_>,
) -> SmallVec<[bool; 16]> {
    let mut sound = SmallVec::with_capacity(function.inputs.len());
    let mut places = Distinct::default();
    let mut names = Distinct::default();
    let function_index = report.function.unwrap_or_default();
    let differs = |set: &HashSet<(usize, usize)>, index| !set.is_empty() && set.contains(&(function_index, index));
    for (index, input) in function.inputs.iter().enumerate() {
        // Uniforms must have distinct names, whether or not they have an offset in a buffer.
        let kind = discriminant(if input.kind.is_uniform() { &InputKind::Uniform } else { &input.kind });
        let mut check = |keeps: bool, rule: Rule| {
            if !keeps {
                report.put(None, rule, input_detail(function.kind, index, input), At::Input(index));
            }
            keeps
        };
        check(input.id.is_some(), Rule::InputId);
        check(input_kind(function.kind, input.kind), Rule::InputKind);
        let fits = check(well_formed(input.ty), Rule::TypeWords) && check(input_type(input), Rule::InputType);
        sound.push(fits);
        check(short_enough(input.ty), Rule::ArrayLength);
        let counted = match input.kind {
            InputKind::Local => Some((&mut sums.slots, limits::SLOTS, Rule::SlotComponents)),
            InputKind::Shared => Some((&mut sums.shared, limits::SHARED, Rule::SharedComponents)),
            _ => None,
        };
        if let Some((sum, most, rule)) = counted.filter(|_| short_enough(input.ty)) {
            let within = *sum <= most;
            *sum = sum.saturating_add(components(input.ty));
            // Only the first array that exceeds the limit is reported.
            check(!within || *sum <= most, rule);
        }
        let is_written = input.kind.is_seen_by_others() && input.kind != InputKind::Shared;
        check(!(is_drawn && is_written), Rule::WrittenMemory);
        if let InputKind::Texture { sampler, .. } = input.kind {
            check(has_known_fields(sampler), Rule::SamplerFields);
        }
        // The location, slot or builtin, which must be unique among the inputs of the same kind.
        let place = match input.kind {
            InputKind::Attribute { location } | InputKind::Varying { location, .. } => Some(location),
            InputKind::Texture { slot, .. } | InputKind::Buffer { slot, .. } | InputKind::Image { slot, .. } => {
                Some(slot)
            }
            InputKind::Builtin(builtin) => Some(builtin as u32),
            InputKind::Uniform
            | InputKind::Placed { .. }
            | InputKind::Parameter
            | InputKind::Local
            | InputKind::Shared => None,
        };
        let number = if let InputKind::Placed { slot, .. } = input.kind { Some(slot) } else { place };
        check(number.is_none_or(|number| number < limits::PLACES), Rule::PlaceNumbers);
        check(place.is_none_or(|place| places.insert((kind, place), place)), Rule::Places);
        check(input.name.is_empty() || names.insert((kind, &input.name), hint(&input.name)), Rule::Names);
        check(!differs(&conflicts.resources, index), Rule::Resources);
        check(!differs(&conflicts.varyings, index), Rule::Varyings);
        check(!differs(&conflicts.overlaps, index), Rule::UniformOverlap);
        if let InputKind::Placed { offset, .. } = input.kind {
            check(!fits || is_valid_offset(input, offset), Rule::UniformPlace);
        }
        check(!limits::has_nul(&input.name), Rule::NulInName);
    }
    sound
}

fn outputs(function: &Function, report: &mut Report<'_>) -> SmallVec<[bool; 16]> {
    let mut sound = SmallVec::with_capacity(function.outputs.len());
    let mut places = Distinct::default();
    let mut names = Distinct::default();
    for (index, output) in function.outputs.iter().enumerate() {
        let kind = discriminant(&output.kind);
        let mut check = |keeps: bool, rule: Rule| {
            if !keeps {
                report.put(None, rule, output_detail(function.kind, index, output), At::Output(index));
            }
            keeps
        };
        let allowed = check(output_kind(function.kind, output.kind), Rule::OutputKind);
        let fits = check(well_formed(output.ty), Rule::TypeWords) && check(output_type(output), Rule::OutputType);
        sound.push(allowed && fits);
        check(short_enough(output.ty), Rule::ArrayLength);
        // A function has at most one position, one depth, one point size and one returned output.
        let (place, limit) = match output.kind {
            OutputKind::Colour { target } => (Some(target), limits::TARGETS),
            OutputKind::Varying { location, .. } => (Some(location), limits::PLACES),
            OutputKind::ClipDistance { index } => (Some(index), limits::CLIP_DISTANCES),
            OutputKind::Position | OutputKind::Depth | OutputKind::PointSize | OutputKind::Returned => (None, 0),
        };
        let within = place.is_none_or(|place| place < limit);
        check(within, Rule::PlaceNumbers);
        let first = check(places.insert((kind, place), place.unwrap_or(u32::MAX)), Rule::Places);
        check(!within || !first || !follows_gap(function, output.kind), Rule::ClipDistances);
        check(output.name.is_empty() || names.insert((kind, &output.name), hint(&output.name)), Rule::Names);
        check(!limits::has_nul(&output.name), Rule::NulInName);
    }
    let position = function.outputs.iter().any(|output| output.kind == OutputKind::Position);
    if function.kind == FunctionKind::Vertex && !position {
        report.add(Rule::Position, Detail::None);
    }
    sound
}

/// Reports whether an output is a clip distance and the function lacks the clip distance with the preceding index.
fn follows_gap(function: &Function, kind: OutputKind) -> bool {
    let OutputKind::ClipDistance { index } = kind else { return false };
    let Some(before) = index.checked_sub(1) else { return false };
    !function.outputs.iter().any(|output| output.kind == OutputKind::ClipDistance { index: before })
}

fn input_detail(function: FunctionKind, index: usize, input: &Input) -> Detail {
    Detail::Input { index, name: input.name.clone(), kind: input.kind.row_name(), ty: input.ty, function }
}

pub(super) fn output_detail(function: FunctionKind, index: usize, output: &FunctionOutput) -> Detail {
    Detail::Output { index, name: output.name.clone(), kind: output.kind.row_name(), ty: output.ty, function }
}

const fn input_kind(function: FunctionKind, kind: InputKind) -> bool {
    match kind {
        InputKind::Attribute { .. } => matches!(function, FunctionKind::Vertex),
        InputKind::Varying { .. } => matches!(function, FunctionKind::Fragment),
        InputKind::Uniform | InputKind::Placed { .. } | InputKind::Texture { .. } => true,
        InputKind::Builtin(Builtin::VertexIndex | Builtin::InstanceIndex) => matches!(function, FunctionKind::Vertex),
        InputKind::Builtin(Builtin::FragmentCoordinate | Builtin::FrontFacing | Builtin::PointCoordinate) => {
            matches!(function, FunctionKind::Fragment)
        }
        InputKind::Builtin(
            Builtin::GlobalInvocationId
            | Builtin::LocalInvocationId
            | Builtin::LocalInvocationIndex
            | Builtin::WorkgroupId
            | Builtin::NumWorkgroups,
        )
        | InputKind::Shared => matches!(function, FunctionKind::Compute),
        InputKind::Parameter => matches!(function, FunctionKind::Generic),
        InputKind::Local | InputKind::Buffer { .. } | InputKind::Image { .. } => true,
    }
}

/// Reports whether a uniform may be placed at a byte offset of its buffer.
fn is_valid_offset(input: &Input, offset: u32) -> bool {
    let end = offset.checked_add(input.ty.uniform_bytes());
    !input.name.is_empty()
        && offset.is_multiple_of(input.ty.uniform_alignment())
        && end.is_some_and(|end| end <= limits::BUFFER)
}

const fn output_kind(function: FunctionKind, kind: OutputKind) -> bool {
    match kind {
        OutputKind::Position | OutputKind::PointSize | OutputKind::Varying { .. } | OutputKind::ClipDistance { .. } => {
            matches!(function, FunctionKind::Vertex)
        }
        OutputKind::Colour { .. } | OutputKind::Depth => matches!(function, FunctionKind::Fragment),
        OutputKind::Returned => matches!(function, FunctionKind::Generic),
    }
}

fn input_type(input: &Input) -> bool {
    match input.kind {
        InputKind::Attribute { .. } => can_cross_stages(input.ty, Interpolation::Flat),
        InputKind::Varying { interpolation, .. } => can_cross_stages(input.ty, interpolation),
        InputKind::Uniform | InputKind::Placed { .. } => match input.ty {
            Type::Vector(scalar, _) | Type::Array(scalar, _, _) => scalar != Scalar::Bool,
            // Target languages disagree on the layout of columns with two components.
            Type::Matrix { rows, .. } => rows > 2 || input.kind == InputKind::Uniform,
            Type::Texture(..) | Type::Buffer(..) | Type::Image(..) => false,
        },
        InputKind::Texture { .. } => matches!(input.ty, Type::Texture(..)),
        InputKind::Builtin(Builtin::VertexIndex | Builtin::InstanceIndex | Builtin::LocalInvocationIndex) => {
            input.ty == Type::UINT
        }
        InputKind::Builtin(
            Builtin::GlobalInvocationId | Builtin::LocalInvocationId | Builtin::WorkgroupId | Builtin::NumWorkgroups,
        ) => input.ty == Type::Vector(Scalar::Uint, 3),
        InputKind::Builtin(Builtin::FragmentCoordinate) => input.ty == Type::FLOAT4,
        InputKind::Builtin(Builtin::FrontFacing) => input.ty == Type::BOOL,
        InputKind::Builtin(Builtin::PointCoordinate) => input.ty == Type::floats(2),
        InputKind::Parameter => matches!(input.ty, Type::Vector(..) | Type::Matrix { .. }),
        InputKind::Local => matches!(input.ty, Type::Array(..)),
        // Target languages disagree on the memory layout of bools and halves.
        InputKind::Shared => matches!(input.ty, Type::Array(scalar, ..) if scalar.has_32_bits()),
        // In some target languages, but not in all, an array of three-component vectors has a stride of four components.
        InputKind::Buffer { .. } => matches!(input.ty, Type::Buffer(scalar, 1 | 2 | 4) if scalar.has_32_bits()),
        InputKind::Image { .. } => matches!(input.ty, Type::Image(..)),
    }
}

fn output_type(output: &FunctionOutput) -> bool {
    match output.kind {
        OutputKind::Position => output.ty == Type::FLOAT4,
        OutputKind::Colour { .. } => {
            matches!(output.ty, Type::Vector(Scalar::Float | Scalar::Int | Scalar::Uint, 4))
        }
        OutputKind::Varying { interpolation, .. } => can_cross_stages(output.ty, interpolation),
        OutputKind::Depth | OutputKind::PointSize | OutputKind::ClipDistance { .. } => output.ty == Type::FLOAT,
        OutputKind::Returned => matches!(output.ty, Type::Vector(..) | Type::Matrix { .. }),
    }
}

/// Reports whether an attribute or a varying with this interpolation may have the type.
const fn can_cross_stages(ty: Type, interpolation: Interpolation) -> bool {
    match ty {
        Type::Vector(Scalar::Float, _) => true,
        Type::Vector(Scalar::Int | Scalar::Uint, _) => matches!(interpolation, Interpolation::Flat),
        _ => false,
    }
}

/// Reports whether the words of a file can represent a type. A module built in code may contain, for example, a vector of seven
/// components.
const fn well_formed(ty: Type) -> bool {
    match ty {
        Type::Vector(_, width) => matches!(width, 1..=4),
        Type::Matrix { columns, rows } => matches!((columns, rows), (2..=4, 2..=4)),
        Type::Texture(dimension, texel) => !matches!((dimension, texel), (Dimension::D3, Texel::Depth)),
        Type::Array(_, width, length) => matches!(width, 1..=4) && length > 0,
        Type::Buffer(_, width) => matches!(width, 1..=4),
        Type::Image(dimension, _) => matches!(dimension, Dimension::D2 | Dimension::D3 | Dimension::D2Array),
    }
}

const fn short_enough(ty: Type) -> bool {
    !matches!(ty, Type::Array(_, _, length) if length > limits::ARRAY_LENGTH)
}

const fn has_known_fields(sampler: Sampler) -> bool {
    let Sampler { filter, mip, wrap_u, wrap_v, format, special, bias: _ } = sampler;
    filter <= 5 && mip <= 2 && wrap_u <= 1 && wrap_v <= 1 && format <= 3 && special <= 7
}
