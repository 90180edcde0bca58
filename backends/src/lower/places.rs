//! Lowers resources: the global variables of uniforms and textures, with their bindings.
//!
//! All bindings are in group 0. The vertex stage's constants are at 0, the fragment stage's at 1. The texture in slot n of
//! the fragment stage is at 2 + 2n and its sampler is next to it; the vertex stage's textures begin at 130 + 2n.

use std::collections::{BTreeSet, HashMap};

use naga::{
    AddressSpace, GlobalVariable, Handle, ImageClass, ImageDimension, ResourceBinding, ScalarKind, ShaderStage, Span,
    TypeInner,
};
use sdlbc::{Dimension, Function, FunctionKind, Id, Input, InputKind, Module, Type};

use super::{LoweredInput, Lowering, Resource, is_resource};
use crate::Error;
use crate::names::Scope;

/// The first texture of the fragment stage. Each texture uses two bindings, and a stage has at most [`sdlbc::limits::PLACES`].
const FRAGMENT_TEXTURES: u32 = 2;
/// The first texture of the vertex stage.
const VERTEX_TEXTURES: u32 = FRAGMENT_TEXTURES + 2 * sdlbc::limits::PLACES;
/// Uniforms after the first of a stage follow all textures.
const FURTHER_UNIFORMS: u32 = VERTEX_TEXTURES + 2 * sdlbc::limits::PLACES;

/// The texture units in GLSL that are reserved for the fragment stage; AGAL has this many.
const FRAGMENT_UNITS: u32 = 16;
/// The number of texture units for both stages in every GL 4.5; glslang rejects higher ones.
const UNITS: u32 = 80;

impl Lowering<'_> {
    /// Returns the variables of a function's uniforms and textures.
    pub(super) fn resources(
        &mut self,
        function: &Function,
        stage: ShaderStage,
    ) -> Result<HashMap<Id, LoweredInput>, Error> {
        let resources = function.inputs.iter().filter(|input| is_resource(input));
        resources.map(|input| Ok((input.id, self.resource(input, stage)?))).collect()
    }

    /// Returns the variable of a uniform or texture, which all functions of a stage share.
    fn resource(&mut self, input: &Input, stage: ShaderStage) -> Result<LoweredInput, Error> {
        let key = match input.kind {
            InputKind::Texture { slot, .. } => Some(Resource::Texture(stage, slot)),
            // A uniform without a name is local to its function.
            _ if input.name.is_empty() => None,
            _ => Some(Resource::Uniform(stage, input.name.clone())),
        };
        if let Some(&place) = key.as_ref().and_then(|key| self.shared.get(key)) {
            return Ok(place);
        }
        let place = self.new_resource(input, stage)?;
        if let Some(key) = key {
            self.shared.insert(key, place);
        }
        Ok(place)
    }

    fn new_resource(&mut self, input: &Input, stage: ShaderStage) -> Result<LoweredInput, Error> {
        let vertex = stage == ShaderStage::Vertex;
        match (input.kind, input.ty) {
            (InputKind::Uniform, ty) => {
                // The first uniform holds the stage's constants. Further ones follow the textures, the vertex stage's at even
                // indices and the fragment stage's at odd ones, so that stages translated separately fit together.
                let index = self.uniforms.entry(stage).or_insert(0);
                let place = 2 * *index + u32::from(!vertex);
                let binding = if *index == 0 { place } else { FURTHER_UNIFORMS + place - 2 };
                *index += 1;
                let ty = self.uniform_ty(ty, vertex)?;
                let variable = self.global(&input.name, AddressSpace::Uniform, binding, ty, stage);
                if let Ok(place) = u8::try_from(place) {
                    self.bindings.push((ResourceBinding { group: 0, binding }, place));
                }
                Ok(LoweredInput::Uniform(variable))
            }
            (InputKind::Texture { slot, .. }, Type::Texture(dimension)) => {
                let binding = if vertex { VERTEX_TEXTURES } else { FRAGMENT_TEXTURES } + 2 * slot;
                let dim = match dimension {
                    Dimension::D2 => ImageDimension::D2,
                    Dimension::D3 => ImageDimension::D3,
                    Dimension::Cube => ImageDimension::Cube,
                };
                let class = ImageClass::Sampled { kind: ScalarKind::Float, multi: false };
                let image = self.insert(TypeInner::Image { dim, arrayed: false, class });
                let sampler = self.insert(TypeInner::Sampler { comparison: false });
                let image = self.global(&input.name, AddressSpace::Handle, binding, image, stage);
                let name = format!("{}_sampler", input.name);
                let sampler = self.global(&name, AddressSpace::Handle, binding + 1, sampler, stage);
                let unit = if vertex { self.units.get(&slot).copied() } else { u8::try_from(slot).ok() };
                if let Some(unit) = unit {
                    self.bindings.push((ResourceBinding { group: 0, binding }, unit));
                }
                Ok(LoweredInput::Texture(image, sampler))
            }
            _ => self.unsupported(format!("the input `{}`", input.name)),
        }
    }

    fn global(
        &mut self,
        name: &str,
        space: AddressSpace,
        binding: u32,
        ty: Handle<naga::Type>,
        stage: ShaderStage,
    ) -> Handle<GlobalVariable> {
        let name = self.names.label(Scope::Module, name);
        let suffix = if stage == ShaderStage::Vertex { "vs" } else { "fs" };
        self.names.variable(stage, format_args!("_group_0_binding_{binding}_{suffix}"), &name);
        let variable = GlobalVariable {
            name: Some(name),
            space,
            binding: Some(ResourceBinding { group: 0, binding }),
            ty,
            init: None,
            memory_decorations: naga::MemoryDecorations::empty(),
        };
        self.module.global_variables.append(variable, Span::UNDEFINED)
    }
}

/// Assigns texture units to the vertex stage's slots in GLSL, where both stages share one set of units. In the fragment stage,
/// slots are units. A slot of the vertex stage is 16 units higher, after the 16 of AGAL's fragment stage, or gets the lowest
/// free unit if that one is taken. Slots beyond the number of units get none.
pub(super) fn vertex_units(module: &Module) -> HashMap<u32, u8> {
    let mut taken = slots(module, FunctionKind::Fragment);
    let is_free = |slot: &u32| slot + FRAGMENT_UNITS < UNITS && !taken.contains(&(slot + FRAGMENT_UNITS));
    let (own, others): (Vec<u32>, Vec<u32>) = slots(module, FunctionKind::Vertex).into_iter().partition(is_free);
    taken.extend(own.iter().map(|slot| slot + FRAGMENT_UNITS));
    let free = (0..UNITS).filter(|unit| !taken.contains(unit));
    let units = own.iter().map(|&slot| (slot, slot + FRAGMENT_UNITS)).chain(others.into_iter().zip(free));
    units.filter_map(|(slot, unit)| Some((slot, u8::try_from(unit).ok()?))).collect()
}

/// Returns the texture slots that a stage reads, in its entry point and the functions that it calls.
fn slots(module: &Module, stage: FunctionKind) -> BTreeSet<u32> {
    let entry = module.functions.iter().position(|function| function.kind == stage);
    let called = entry.map_or(Vec::new(), |entry| sdlbc::call_order(module, entry));
    let reached = entry.into_iter().chain(called).filter_map(|index| module.functions.get(index));
    let slots = reached.flat_map(|function| &function.inputs).filter_map(|input| match input.kind {
        InputKind::Texture { slot, .. } => Some(slot),
        _ => None,
    });
    slots.collect()
}
