//! The interfaces of functions: inputs, outputs, and the resources and varyings that functions share.
//!
//! Rule: in all functions of a module, uniforms of the same name are one uniform, and textures in the same slot are one texture,
//! so that any function may call any other. Only a vertex function without calls may have resources of its own. The varying at a
//! location is the same in both stages.

use std::collections::HashSet;

use sdlbc::{
    Body, Builtin, Dimension, Function, FunctionKind, FunctionOutput, Id, Input, InputKind, Interpolation, OutputKind,
    Sampler, Scalar, Texel, Type,
};

use super::dice::Dice;
use super::features::Features;
use super::names;

/// The type of the uniform array in plain modules. The array has more elements than the bound of any loop counter, so that each
/// counter is a valid index.
pub(super) const TABLE: Type = Type::Array(Scalar::Float, 4, 8);

/// The resources and varyings that the functions of a module share.
pub(super) struct Shared {
    uniforms: Vec<(String, Type)>,
    textures: Vec<(u32, Type, Sampler, String)>,
    varyings: Vec<(u32, Type, Interpolation)>,
}

impl Shared {
    pub(super) fn new(dice: &mut Dice<'_, '_>, features: &Features) -> Shared {
        if features.plain {
            return Shared::plain(dice, features);
        }
        let mut taken = HashSet::new();
        let uniforms = (0..dice.below(5))
            .map(|_| (names::free_word(dice, features.odd_names, &mut taken), uniform_type(dice, features)))
            .collect();
        let mut taken = HashSet::new();
        let textures = places(dice, 4, 8)
            .into_iter()
            .map(|slot| {
                let name = names::free(dice, features.odd_names, &mut taken);
                let (ty, sampler) = texture(dice, slot);
                (slot, ty, sampler, name)
            })
            .collect();
        let varyings = places(dice, 5, 8)
            .into_iter()
            .map(|location| {
                let scalar = dice.pick(&[Scalar::Float, Scalar::Float, Scalar::Float, Scalar::Int, Scalar::Uint]);
                let interpolation = match scalar {
                    // Linear interpolation is rare, because GLSL ES lacks it.
                    Scalar::Float if dice.one_in(10) => Interpolation::Linear,
                    Scalar::Float => dice.pick(&[Interpolation::Perspective, Interpolation::Flat]),
                    _ => Interpolation::Flat,
                };
                (location, Type::Vector(scalar, 1 + dice.small(4)), interpolation)
            })
            .collect();
        Shared { uniforms, textures, varyings }
    }

    /// Returns the shared float uniforms and varyings of a plain module, which has no textures.
    fn plain(dice: &mut Dice<'_, '_>, features: &Features) -> Shared {
        let mut taken = HashSet::new();
        let mut uniforms: Vec<(String, Type)> = (0..1 + dice.below(2))
            .map(|_| (names::free_word(dice, false, &mut taken), value_type(dice, features)))
            .collect();
        uniforms.push((names::free_word(dice, false, &mut taken), TABLE));
        let varyings = (0..1 + dice.small(3))
            .map(|location| (location.into(), Type::floats(1 + dice.small(4)), Interpolation::Perspective));
        Shared { uniforms, textures: Vec::new(), varyings: varyings.collect() }
    }

    /// Returns resources with the same names and slots, but with different types.
    pub(super) fn with_other_resources(&self, dice: &mut Dice<'_, '_>, features: &Features) -> Shared {
        let uniforms = self.uniforms.iter().map(|(name, _)| (name.clone(), uniform_type(dice, features))).collect();
        let textures = self.textures.iter();
        let textures = textures.map(|(slot, _, _, name)| {
            let (ty, sampler) = texture(dice, *slot);
            (*slot, ty, sampler, name.clone())
        });
        Shared { uniforms, textures: textures.collect(), varyings: self.varyings.clone() }
    }
}

/// Returns the type and the sampler of the texture in a slot. Seven slots in eight have a type from the format's first revision,
/// so that the modules of most seeds stay unchanged.
fn texture(dice: &mut Dice<'_, '_>, slot: u32) -> (Type, Sampler) {
    let dimension = dice.pick(&[Dimension::D2, Dimension::D3, Dimension::Cube]);
    let sampler = sampler(dice);
    if slot % 8 != 7 {
        return (Type::Texture(dimension, Texel::Float), sampler);
    }
    let others = &Type::TEXTURES[Type::FIRST_TEXTURES..];
    let Sampler { filter, mip, wrap_u, wrap_v, bias, .. } = sampler;
    let parts = [dimension as u8, filter, mip, wrap_u, wrap_v, bias.cast_unsigned()];
    let mixed = parts.iter().fold(0usize, |mixed, &part| mixed * 7 + usize::from(part));
    (others[mixed % others.len()], sampler)
}

/// Returns up to `count` different slots or locations, most of them below `usual`.
fn places(dice: &mut Dice<'_, '_>, count: usize, usual: usize) -> Vec<u32> {
    let mut places = Vec::new();
    for _ in 0..dice.below(count + 1) {
        let bound = if dice.one_in(24) { 64 } else { usual };
        let place = u32::try_from(dice.below(bound)).unwrap_or(0);
        if !places.contains(&place) {
            places.push(place);
        }
    }
    places
}

fn uniform_type(dice: &mut Dice<'_, '_>, features: &Features) -> Type {
    let mut scalar = dice.pick(&[Scalar::Float, Scalar::Float, Scalar::Float, Scalar::Int, Scalar::Uint]);
    if features.halves && dice.one_in(3) {
        scalar = Scalar::Half;
    }
    let width = 4 - dice.small(4);
    match dice.below(8) {
        0..=3 => Type::Vector(scalar, width),
        4 | 5 => Type::Array(scalar, width, array_length(dice)),
        _ => Type::Matrix { columns: 4 - dice.small(3), rows: 4 - dice.small(3) },
    }
}

fn array_length(dice: &mut Dice<'_, '_>) -> u32 {
    let bound = if dice.one_in(20) { 128 } else { 9 };
    u32::try_from(1 + dice.below(bound)).unwrap_or(1)
}

fn sampler(dice: &mut Dice<'_, '_>) -> Sampler {
    if !dice.one_in(3) {
        return Sampler { filter: 1, mip: 2, wrap_u: 1, wrap_v: 1, ..Sampler::default() };
    }
    Sampler {
        filter: dice.small(6),
        mip: dice.small(3),
        wrap_u: dice.small(2),
        wrap_v: dice.small(2),
        format: dice.small(4),
        special: dice.small(8),
        bias: dice.word().to_le_bytes()[0].cast_signed(),
    }
}

/// Returns a function with inputs and outputs and an empty body.
pub(super) fn function(
    dice: &mut Dice<'_, '_>,
    features: &Features,
    shared: &Shared,
    kind: FunctionKind,
    name: String,
) -> Function {
    let inputs = inputs(dice, features, shared, kind);
    let outputs = outputs(dice, features, shared, kind);
    Function { kind, name, inputs, outputs, workgroup: None, body: Body::default() }
}

fn inputs(dice: &mut Dice<'_, '_>, features: &Features, shared: &Shared, kind: FunctionKind) -> Vec<Input> {
    let mut found: Vec<(Type, InputKind, Option<String>)> = Vec::new();
    match kind {
        FunctionKind::Vertex => {
            for location in places(dice, 4, 8).into_iter().filter(|&location| !features.plain || location < 8) {
                let scalar = match features.plain {
                    true => Scalar::Float,
                    false => dice.pick(&[Scalar::Float, Scalar::Float, Scalar::Int, Scalar::Uint]),
                };
                let ty = Type::Vector(scalar, 4 - dice.small(4));
                found.push((ty, InputKind::Attribute { location }, None));
            }
        }
        FunctionKind::Fragment => {
            for &(location, ty, interpolation) in &shared.varyings {
                if !dice.one_in(5) {
                    found.push((ty, InputKind::Varying { location, interpolation }, None));
                }
            }
        }
        // Compute functions are derived from vertex functions (`compute.rs`).
        FunctionKind::Compute => {}
        FunctionKind::Generic => {
            for _ in 0..dice.below(4) {
                found.push((value_type(dice, features), InputKind::Parameter, None));
            }
        }
    }
    for builtin in Builtin::ALL.into_iter().filter(|builtin| !builtin.is_of_compute()) {
        let (stage, ty) = match builtin {
            Builtin::VertexIndex | Builtin::InstanceIndex => (FunctionKind::Vertex, Type::UINT),
            Builtin::FragmentCoordinate => (FunctionKind::Fragment, Type::FLOAT4),
            Builtin::FrontFacing => (FunctionKind::Fragment, Type::BOOL),
            _ => (FunctionKind::Fragment, Type::floats(2)),
        };
        let wanted = !features.plain && (builtin != Builtin::PointCoordinate || features.points);
        if kind == stage && wanted && dice.one_in(3) {
            found.push((ty, InputKind::Builtin(builtin), None));
        }
    }
    for (name, ty) in &shared.uniforms {
        if dice.percent(70) {
            found.push((*ty, InputKind::Uniform, Some(name.clone())));
        }
    }
    if !features.plain && dice.one_in(8) {
        found.push((uniform_type(dice, features), InputKind::Uniform, Some(String::new())));
    }
    for &(slot, ty, sampler, ref name) in &shared.textures {
        if dice.percent(70) {
            found.push((ty, InputKind::Texture { slot, sampler }, Some(name.clone())));
        }
    }
    for _ in 0..dice.below(4) {
        if features.plain {
            found.push((Type::Array(Scalar::Float, 4, 1), InputKind::Local, None));
            break;
        }
        let scalar = scalar(dice, features);
        let length = if dice.one_in(2) { 1 } else { array_length(dice) };
        found.push((Type::Array(scalar, 1 + dice.small(4), length), InputKind::Local, None));
    }
    if dice.one_in(3) {
        dice.shuffle(&mut found);
    }
    let mut taken = std::collections::HashMap::<std::mem::Discriminant<InputKind>, HashSet<String>>::new();
    let mut number = 0;
    found
        .into_iter()
        .map(|(ty, kind, name)| {
            let taken = taken.entry(std::mem::discriminant(&kind)).or_default();
            number += 1;
            let name = name.unwrap_or_else(|| names::free(dice, features.odd_names, taken));
            Input { id: Id(number), ty, name, kind }
        })
        .collect()
}

fn outputs(dice: &mut Dice<'_, '_>, features: &Features, shared: &Shared, kind: FunctionKind) -> Vec<FunctionOutput> {
    let mut found = Vec::new();
    match kind {
        FunctionKind::Vertex => {
            found.push((Type::FLOAT4, OutputKind::Position));
            for &(location, ty, interpolation) in &shared.varyings {
                if !dice.one_in(5) {
                    found.push((ty, OutputKind::Varying { location, interpolation }));
                }
            }
            if features.points {
                found.push((Type::FLOAT, OutputKind::PointSize));
            }
            if features.clips {
                for index in 0..[1, 2, 3, 8][dice.below(4)] {
                    found.push((Type::FLOAT, OutputKind::ClipDistance { index }));
                }
            }
        }
        FunctionKind::Fragment => {
            for target in 0..features.targets {
                if features.plain || (target == 0 && !dice.one_in(10)) || dice.one_in(5) {
                    let scalar = if features.integer_colours { dice.below(3) } else { 0 };
                    let scalar = [Scalar::Float, Scalar::Int, Scalar::Uint][scalar];
                    found.push((Type::Vector(scalar, 4), OutputKind::Colour { target }));
                }
            }
            if !features.plain && dice.one_in(6) {
                found.push((Type::FLOAT, OutputKind::Depth));
            }
        }
        FunctionKind::Compute => {}
        FunctionKind::Generic => {
            if !dice.one_in(4) {
                found.push((value_type(dice, features), OutputKind::Returned));
            }
        }
    }
    if dice.one_in(3) {
        dice.shuffle(&mut found);
    }
    let mut taken = std::collections::HashMap::<std::mem::Discriminant<OutputKind>, HashSet<String>>::new();
    found
        .into_iter()
        .map(|(ty, kind)| {
            let taken = taken.entry(std::mem::discriminant(&kind)).or_default();
            FunctionOutput { ty, name: names::free(dice, features.odd_names, taken), kind }
        })
        .collect()
}

/// Returns a component type, most often float.
pub(super) fn scalar(dice: &mut Dice<'_, '_>, features: &Features) -> Scalar {
    match dice.below(10) {
        _ if features.plain => Scalar::Float,
        0..=4 => Scalar::Float,
        5 | 6 => Scalar::Int,
        7 => Scalar::Uint,
        8 => Scalar::Bool,
        _ if features.halves => Scalar::Half,
        _ => Scalar::Float,
    }
}

/// Returns a type for a value: a scalar, a vector or a matrix.
pub(super) fn value_type(dice: &mut Dice<'_, '_>, features: &Features) -> Type {
    if !features.plain && dice.one_in(10) {
        return Type::Matrix { columns: 4 - dice.small(3), rows: 4 - dice.small(3) };
    }
    Type::Vector(scalar(dice, features), 1 + dice.small(4))
}
