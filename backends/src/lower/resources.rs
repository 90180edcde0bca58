//! Lowers resources: declares the global variables of uniforms and textures, with their bindings. `storage.rs` declares storage
//! buffers and storage textures.
//!
//! The layout determines the binding of each resource. naga requires distinct bindings within an entry point, so a resource whose
//! binding is taken, for instance by an omitted sampler, gets a spare binding in naga's module. The SPIR-V writer maps spare
//! bindings back to the bindings of the layout. OpenGL numbers blocks and texture units separately, regardless of the layout.

mod storage;

use std::collections::{BTreeMap, BTreeSet};

use naga::{
    AddressSpace, ArraySize, GlobalVariable, Handle, ImageClass, ResourceBinding, ScalarKind, ShaderStage, Span,
    StorageAccess, StructMember, TypeInner,
};
use sdlbc::{
    Access, Dimension, Function, FunctionKind, Id, IdMap, ImageAccess, Input, InputKind, Module, Scalar, SourceBinding,
    Texel, Type, Types,
};

use self::storage::{by_slot, measured};
use super::blocks::{self, Block, Blocks, Uniforms};
use super::entries::functions_of;
use super::lowering::{
    Bindings, Bound, Declared, LoweredInput, Lowering, OutputPlace, Represented, ResourceClass, Sizes, StageResources,
    is_resource,
};
use super::types::{image_dimension, kind_of, stage_of};
use crate::error::Error;
use crate::features::{Combined, Resources};
use crate::interface::{Field, Passed, Resource, ResourceKind};
use crate::layout::{Constants, Numbering, Samplers};
use crate::mend::names::Scope;

/// The number of texture units that GLSL output reserves for the fragment stage, equal to AGAL's number of fragment samplers.
const FRAGMENT_UNITS: u32 = 16;
/// The number of texture units that every OpenGL 4.5 implementation has for all stages together. glslang rejects higher units.
const UNITS: u32 = 80;
/// The size of naga's push constant range in bytes. No WebGPU implementation and few Vulkan drivers have a longer range.
const PUSH_RANGE: u32 = 256;
/// The first spare binding in naga's module, for resources whose own bindings are taken.
const SPARE: u32 = 1 << 20;
/// The first binding in naga's module for the samplers that SPIR-V omits because the source combines them with their textures.
pub(crate) const OMITTED: u32 = 1 << 30;

impl StageResources<'_> {
    /// Returns the number of constant buffers, including gaps in the numbering of buffers that have slots.
    fn constants(&self) -> u32 {
        self.blocks.list.iter().map(|block| block.number.saturating_add(1)).max().unwrap_or(0)
    }
}

/// Finds the resources of the stage whose entry point is the function at `entry`.
fn stage_resources<'m>(lowering: &Lowering<'m>, entry: usize) -> Result<StageResources<'m>, Error> {
    let module = lowering.source;
    let kind = module.functions.get(entry).map(|function| function.kind).unwrap_or_default();
    let is_opengl = lowering.features.resources.is_opengl();
    let pushes = lowering.layout.constants == Constants::Push && lowering.features.push_constants;
    let Lowering { layout, members, ref registers, .. } = *lowering;
    let uniforms = Uniforms { module, layout, members, registers };
    let mut blocks = Blocks::of(uniforms, entry, pushes);
    if pushes {
        if kind == FunctionKind::Fragment
            && let Some(vertex) = module.functions.iter().position(|function| function.kind == FunctionKind::Vertex)
        {
            let of_vertex = Blocks::of(uniforms, vertex, pushes);
            let pushed = of_vertex.list.iter().filter(|block| block.slot.is_none());
            let start = pushed.map(|block| block.size).sum::<u32>().next_multiple_of(16);
            blocks.list.iter_mut().filter(|block| block.slot.is_none()).for_each(|block| block.offset = start);
        }
        let mut pushed = blocks.list.iter().filter(|block| block.slot.is_none());
        if let Some(block) = pushed.find(|block| block.offset.saturating_add(block.size) > PUSH_RANGE) {
            let end = block.offset.saturating_add(block.size);
            return lowering.unsupported(format!("{end} bytes of push constants (the limit is {PUSH_RANGE})"));
        }
    }
    let slots = slots(module, kind);
    let units = match kind {
        _ if !is_opengl => BTreeMap::new(),
        FunctionKind::Vertex => vertex_units(module),
        _ => slots.iter().filter_map(|&slot| Some((slot, u8::try_from(slot).ok()?))).collect(),
    };
    let declared = blocks.list.iter().map(|_| None).collect();
    let slots = slots.into_iter().map(|slot| (slot, None)).collect();
    let buffers = by_slot(module, entry, |kind| match kind {
        InputKind::Buffer { slot, access } => Some((slot, access == Access::ReadWrite)),
        _ => None,
    });
    let images = by_slot(module, entry, |kind| match kind {
        InputKind::Image { slot, access } => Some((slot, access == ImageAccess::Write)),
        _ => None,
    });
    Ok(StageResources { blocks, declared, slots, units, buffers, images, has_sizes: false })
}

impl<'m> Lowering<'m> {
    pub(super) fn find_resources(&mut self, entry: usize, stage: ShaderStage) -> Result<(), Error> {
        let mut resources = stage_resources(self, entry)?;
        if !self.features.buffer_lengths && !resources.buffers.is_empty() {
            let slots = measured(self.source, entry, self.layout.trust_indices);
            resources.has_sizes = !slots.is_empty();
            if resources.has_sizes {
                self.sizes.push(Sizes { stage, index: resources.constants(), slots });
            }
        }
        *self.resources_of(stage) = resources;
        Ok(())
    }

    fn resources_of(&mut self, stage: ShaderStage) -> &mut StageResources<'m> {
        let [vertex, fragment, compute] = &mut self.resources;
        match stage {
            ShaderStage::Vertex => vertex,
            ShaderStage::Compute => compute,
            _ => fragment,
        }
    }

    /// Rejects bindings that collide between the module's stages, even if the output has only one stage, because the stages share
    /// bindings in a pipeline.
    pub(super) fn refuse_collisions(mut self) -> Result<(), Error> {
        for (entry, function) in self.source.functions.iter().enumerate() {
            if function.kind == FunctionKind::Generic {
                continue;
            }
            let stage = stage_of(function.kind);
            // Any other error in a stage is reported when the stage is written.
            let found = self.find_resources(entry, stage).and_then(|()| {
                functions_of(self.source, entry)
                    .try_for_each(|(index, function)| self.resources(index, function, stage).map(drop))
            });
            if let Err(error @ Error::SameBinding { .. }) = found {
                return Err(error);
            }
        }
        Ok(())
    }

    /// Declares a function's resources and returns their variables, which all functions of a stage share.
    pub(super) fn resources(
        &mut self,
        index: usize,
        function: &Function,
        stage: ShaderStage,
    ) -> Result<IdMap<LoweredInput>, Error> {
        // The stage's resources are moved out of `self`, because declaring a variable also changes the module.
        let mut resources = std::mem::take(self.resources_of(stage));
        let mut inputs = self.types.get(index).map(Types::table).unwrap_or_default();
        let mut declare = || {
            for input in function.inputs.iter().filter(|input| is_resource(input)) {
                let stated =
                    if input.kind == InputKind::Shared { None } else { self.stated.of(index, input, self.members)? };
                let place = match (input.kind, input.ty) {
                    (InputKind::Texture { slot, .. }, Type::Texture(dimension, texel)) => {
                        self.texture(&mut resources, (input, stated), slot, (dimension, texel), stage)?
                    }
                    (InputKind::Uniform | InputKind::Placed { .. }, _) => {
                        self.uniform(&mut resources, index, (input, stated), stage)?
                    }
                    (InputKind::Shared, _) => self.shared(index, input)?,
                    (InputKind::Buffer { slot, access }, Type::Buffer(scalar, width)) => {
                        let kind = ResourceKind::Buffer { slot, access, element: Type::Vector(scalar, width) };
                        self.storage(&mut resources, (input, stated), slot, kind, (index, stage))?
                    }
                    (InputKind::Image { slot, access }, Type::Image(dimension, format)) => {
                        let kind = ResourceKind::Image { slot, access, dimension, format };
                        self.storage(&mut resources, (input, stated), slot, kind, (index, stage))?
                    }
                    _ => return self.unsupported(format!("the input `{}`", input.name)),
                };
                inputs.insert(input.id, place);
            }
            Ok(())
        };
        let declared = declare();
        *self.resources_of(stage) = resources;
        declared.map(|()| inputs)
    }

    fn uniform(
        &mut self,
        resources: &mut StageResources<'m>,
        function: usize,
        (input, stated): (&Input, Option<SourceBinding>),
        stage: ShaderStage,
    ) -> Result<LoweredInput, Error> {
        let (at, part) = resources
            .blocks
            .place_of(function, input.id)
            .ok_or_else(|| Error::Internal(format!("the uniform `{}` was not found", input.name)))?;
        let (Some(block), Some(declared)) = (resources.blocks.list.get(at), resources.declared.get_mut(at)) else {
            return Err(Error::Internal("a block does not exist".into()));
        };
        let (variable, members) = match declared {
            Some(declared) => declared,
            None => declared.insert(self.block(block, stated, stage)?),
        };
        Ok(LoweredInput::Uniform(*variable, members.get(part).copied().flatten()))
    }

    fn block(
        &mut self,
        block: &Block<'m>,
        stated: Option<SourceBinding>,
        stage: ShaderStage,
    ) -> Result<Declared, Error> {
        let places = self.layout.places(kind_of(stage));
        let resources_are = self.features.resources;
        let passed = match self.layout.constants {
            _ if stated == Some(SourceBinding::Push) && self.features.push_constants => Passed::Push,
            // A block with a slot is a uniform buffer in every layout.
            _ if block.slot.is_some() => Passed::Buffer,
            Constants::Push | Constants::Plain if resources_are.is_opengl() => Passed::Plain,
            Constants::Push if self.features.push_constants => Passed::Push,
            _ => Passed::Buffer,
        };
        let index = block.number;
        let place = match index.checked_sub(1) {
            _ if resources_are.are_counted() => (0, index),
            _ if stated.is_some() => self.kept_place(stated),
            None => places.constants.at(0),
            Some(further) => places.further.at(further),
        };
        // In GLSL, the vertex stage uses even binding points, and the fragment stage uses odd binding points. A compute shader
        // uses all binding points, because it has no other stages.
        let point = match stage {
            ShaderStage::Compute => Some(index),
            stage => index.checked_mul(2).map(|point| point + u32::from(stage != ShaderStage::Vertex)),
        };
        let point = self.stated.has_binding_points().then_some(place.1).or(point);
        let gl = point.and_then(|point| u8::try_from(point).ok());
        let (ty, name, members, fields) = self.block_ty(block, stage, passed)?;
        let space = if passed == Passed::Push { AddressSpace::Immediate } else { AddressSpace::Uniform };
        let place = if passed == Passed::Push { None } else { Some((place, gl)) };
        let (variable, label) = self.global(&block.name, space, place, ty, stage)?;
        if let Some(name) = &name {
            self.names.block(name);
        }
        let binding = match (passed, resources_are) {
            (Passed::Buffer, Resources::OpenGl { stated }) => gl.filter(|_| stated).map(|point| (0, u32::from(point))),
            (Passed::Buffer, _) => place.map(|(place, _)| place),
            _ => None,
        };
        self.described.push(Resource {
            stage: kind_of(stage),
            input: block.input,
            name: label,
            binding,
            kind: ResourceKind::Constants {
                passed,
                block: name.filter(|_| block.structure.is_some() || passed == Passed::Buffer),
                size: match &block.parts[..] {
                    [part] if block.structure.is_none() && matches!(part.ty, Type::Matrix { .. }) => {
                        self.end_of(part.ty)
                    }
                    _ => block.size,
                },
                offset: block.offset,
                members: fields,
            },
        });
        Ok((variable, members))
    }

    /// Returns a block's type and label, and the member index and description of each part.
    #[allow(clippy::type_complexity)]
    fn block_ty(
        &mut self,
        block: &Block<'m>,
        stage: ShaderStage,
        passed: Passed,
    ) -> Result<(Handle<naga::Type>, Option<String>, Vec<Option<u32>>, Vec<Field>), Error> {
        let is_opengl = self.features.resources.is_opengl();
        if let (None, 0, [part]) = (&block.structure, block.offset, &block.parts[..]) {
            // The type's name appears only in GLSL output, as the name of the block.
            let name = constants_of(stage);
            let name = is_opengl.then(|| self.names.label(Scope::Module, name));
            let inner = self.uniform_inner(part.ty)?;
            let ty = self.module.types.insert(naga::Type { name: name.clone(), inner }, Span::UNDEFINED);
            let (uniform, within) = (part.uniform, part.within);
            let field = Field { name: String::new(), path: String::new(), offset: 0, ty: part.ty, uniform, within };
            return Ok((ty, name, Vec::new(), vec![field]));
        }
        let structure = block.structure.as_deref().unwrap_or(constants_of(stage));
        let name = self.names.label(Scope::Module, structure);
        let scope = self.names.members();
        let count = block.parts.len();
        let (mut members, mut at, mut fields) =
            (Vec::with_capacity(count), Vec::with_capacity(count), Vec::with_capacity(count));
        // Plain uniforms have no offsets and need no padding. A buffer with a slot is padded even in SPIR-V, to help tools that
        // translate SPIR-V to a language without offsets.
        let pads = (!self.features.offsets || block.slot.is_some()) && passed != Passed::Plain;
        let mut end = 0;
        let whole = (block.offset.saturating_add(block.size), None);
        let parts = block.parts.iter().map(|part| (block.offset.saturating_add(part.offset), Some(part)));
        for (offset, part) in parts.chain([whole]) {
            let alignment = part.map_or(16, |part| part.ty.uniform_alignment());
            let padding = if pads { blocks::padding(end, offset, alignment) } else { Vec::new() };
            for (offset, ty) in padding {
                let inner = self.uniform_inner(ty)?;
                let ty = self.insert(inner);
                let name = Some(self.names.label(scope, "padding"));
                members.push(StructMember { name, ty, binding: None, offset });
            }
            let Some(part) = part else { break };
            let inner = self.uniform_inner(part.ty)?;
            let ty = self.insert(inner);
            let label = self.names.label(scope, &part.name);
            fields.push(Field {
                name: label.clone(),
                path: String::new(),
                offset: part.offset,
                ty: part.ty,
                uniform: part.uniform,
                within: part.within,
            });
            at.push(u32::try_from(members.len()).ok());
            members.push(StructMember { name: Some(label), ty, binding: None, offset });
            end = offset + self.end_of(part.ty);
        }
        let inner = TypeInner::Struct { members, span: block.offset.saturating_add(block.size).next_multiple_of(16) };
        let ty = self.module.types.insert(naga::Type { name: Some(name.clone()), inner }, Span::UNDEFINED);
        Ok((ty, Some(name), at, fields))
    }

    /// Returns the size of a member in the target language, without trailing padding.
    fn end_of(&self, ty: Type) -> u32 {
        match ty {
            Type::Matrix { columns, rows: 2 } if !self.features.wide_columns => 8 * u32::from(columns),
            ty => ty.uniform_bytes(),
        }
    }

    /// Returns the naga type of a uniform. Each element of an array has four components and a stride of 16 bytes.
    fn uniform_inner(&mut self, ty: Type) -> Result<TypeInner, Error> {
        match ty {
            Type::Array(scalar @ (Scalar::Float | Scalar::Int | Scalar::Uint), _, length) => {
                let base = self.ty(Type::Vector(scalar, 4))?;
                let size = std::num::NonZeroU32::new(length).map_or(ArraySize::Dynamic, ArraySize::Constant);
                Ok(TypeInner::Array { base, size, stride: 16 })
            }
            Type::Array(..) => self.unsupported(format!("a uniform of type {ty}")),
            ty => {
                let ty = self.ty(ty)?;
                Ok(self.module.types[ty].inner.clone())
            }
        }
    }

    fn texture(
        &mut self,
        resources: &mut StageResources<'m>,
        (input, stated): (&Input, Option<SourceBinding>),
        slot: u32,
        (dimension, texel): (Dimension, Texel),
        stage: ShaderStage,
    ) -> Result<LoweredInput, Error> {
        let Some((dense, known)) = (0..).zip(&mut resources.slots).find(|(_, of)| of.0 == slot) else {
            return Err(Error::Internal(format!("the texture `{}` was not found", input.name)));
        };
        if let Some(texture) = known.1 {
            return Ok(texture);
        }
        let index = if self.layout.numbering == Numbering::Dense { dense } else { slot };
        let places = self.layout.places(kind_of(stage));
        let dim = image_dimension(dimension);
        if dimension == Dimension::CubeArray && !self.features.cube_arrays {
            return self.unsupported("a texture that is an array of cubes");
        }
        let class = match texel {
            Texel::Float => ImageClass::Sampled { kind: ScalarKind::Float, multi: false },
            Texel::Int => ImageClass::Sampled { kind: ScalarKind::Sint, multi: false },
            Texel::Uint => ImageClass::Sampled { kind: ScalarKind::Uint, multi: false },
            Texel::Depth => ImageClass::Depth { multi: false },
        };
        let image = self.insert(TypeInner::Image { dim, arrayed: dimension.has_layers(), class });
        let sampler = self.insert(TypeInner::Sampler { comparison: texel == Texel::Depth });
        let kept = stated.map(|stated| self.kept_place(Some(stated)));
        let unit = resources.units.get(&slot).copied();
        let unit = match kept.filter(|_| self.stated.has_binding_points()) {
            Some((_, binding)) => u8::try_from(binding).ok().filter(|&unit| u32::from(unit) < UNITS),
            None => unit,
        };
        let resources_are = self.features.resources;
        let counted = resources_are.are_counted().then_some((0, dense));
        let place = counted.or(kept).unwrap_or(places.textures.at(index));
        let (image, name) = self.global(&input.name, AddressSpace::Handle, Some((place, unit)), image, stage)?;
        let combined = match self.features.combined_samplers {
            Combined::Always => true,
            Combined::ByLayout => match stated {
                Some(SourceBinding::Bound { sampler, .. }) => sampler.is_none(),
                _ => self.layout.samplers == Samplers::Combined,
            },
            Combined::Never => false,
        };
        let binding = match resources_are {
            Resources::OpenGl { stated } => unit.filter(|_| stated).map(|unit| (0, u32::from(unit))),
            _ => Some(place),
        };
        let kind = ResourceKind::Texture { dimension, texel, slot, combined, unit: unit.map(u32::from) };
        let of_entry = self.of_entry(stage, input.kind);
        self.described.push(Resource { stage: kind_of(stage), input: of_entry, name, binding, kind });
        let name = [input.name.as_str(), "_sampler"].concat();
        // Samplers and textures have separate registers. If the layout combines samplers with textures, a sampler gets its
        // texture's register number.
        let of_texture = resources_are.are_registers() && self.layout.samplers == Samplers::Combined;
        let place = match stated {
            _ if of_texture => place,
            Some(SourceBinding::Bound { place, sampler }) if counted.is_none() => {
                let moves = self.layout.moves;
                match sampler {
                    // The writer of SPIR-V recognises the samplers that the output omits by their bindings.
                    None if combined => (place[0], OMITTED.saturating_add(slot)),
                    None => moves.apply(self.stated.sampler_of(place)),
                    Some(sampler) => moves.apply(sampler),
                }
            }
            _ => counted.unwrap_or(places.samplers.at(index)),
        };
        let (sampler, name) = match combined {
            true => self.omitted(&name, place, sampler, stage),
            false => self.global(&name, AddressSpace::Handle, Some((place, None)), sampler, stage)?,
        };
        if !combined {
            let kind = ResourceKind::Sampler { slot, texel };
            self.described.push(Resource { stage: kind_of(stage), input: of_entry, name, binding: Some(place), kind });
        }
        let texture = LoweredInput::Texture(image, sampler);
        known.1 = Some(texture);
        Ok(texture)
    }

    /// Returns the place of a resource whose source states one.
    pub(super) fn kept_place(&self, stated: Option<SourceBinding>) -> (u32, u32) {
        let place = match stated {
            Some(SourceBinding::Bound { place, .. }) => place,
            _ => self.stated.instead_of_push(),
        };
        self.layout.moves.apply(place)
    }

    /// Returns the id of the entry function's input with the slot and resource type of `kind`.
    fn of_entry(&self, stage: ShaderStage, kind: InputKind) -> Id {
        let entry = self.source.functions.iter().find(|function| function.kind == kind_of(stage));
        let mut inputs = entry.into_iter().flat_map(|entry| &entry.inputs);
        let is_same = |input: &&Input| match (input.kind, kind) {
            (InputKind::Texture { slot: a, .. }, InputKind::Texture { slot: b, .. })
            | (InputKind::Buffer { slot: a, .. }, InputKind::Buffer { slot: b, .. })
            | (InputKind::Image { slot: a, .. }, InputKind::Image { slot: b, .. }) => a == b,
            _ => false,
        };
        inputs.find(is_same).map_or(Id::NONE, |input| input.id)
    }

    /// Declares a sampler that the output omits because the sampler is combined with its texture.
    fn omitted(
        &mut self,
        name: &str,
        place: (u32, u32),
        ty: Handle<naga::Type>,
        stage: ShaderStage,
    ) -> (Handle<GlobalVariable>, String) {
        let binding = self.assigned.binding(stage, place);
        // naga's SPIR-V writer requires a binding for every sampler.
        let place = (binding.group, binding.binding);
        self.bindings.push(Bound { stage, binding, place, gl: None });
        self.declare_global(name, AddressSpace::Handle, Some(binding), ty, stage)
    }

    /// Declares a global variable. `place` contains the layout's group and binding, and the OpenGL binding point or texture unit.
    fn global(
        &mut self,
        name: &str,
        space: AddressSpace,
        place: Option<((u32, u32), Option<u8>)>,
        ty: Handle<naga::Type>,
        stage: ShaderStage,
    ) -> Result<(Handle<GlobalVariable>, String), Error> {
        let Some((place, gl)) = place else { return Ok(self.declare_global(name, space, None, ty, stage)) };
        let has_registers = self.features.resources.are_registers();
        let has_indices = self.features.resources == Resources::Indices;
        let kind = match (space, &self.module.types[ty].inner) {
            _ if !has_registers => None,
            (AddressSpace::Uniform, _) => Some(ResourceClass::Constants),
            (AddressSpace::Storage { .. }, _) if has_indices => Some(ResourceClass::Constants),
            (_, TypeInner::Sampler { .. }) => Some(ResourceClass::Samplers),
            _ if has_indices => None,
            (AddressSpace::Storage { access }, _)
            | (_, &TypeInner::Image { class: ImageClass::Storage { access, .. }, .. })
                if access.contains(StorageAccess::STORE) =>
            {
                Some(ResourceClass::Unordered)
            }
            _ => None,
        };
        let of = has_registers.then_some(stage);
        let is_kept = self.layout.numbering == Numbering::Source && !has_indices;
        if let Some(known) = self.kept.get(&(stage, place, ty)).filter(|_| is_kept) {
            return Ok(known.clone());
        }
        // A collision in the layout does not matter in OpenGL, which numbers resources regardless of the layout.
        if let Some(other) = self.assigned.give((of, kind, place), stage)
            && !self.features.resources.is_opengl()
            && !(is_kept && (other != stage || self.features.aliases))
        {
            let stages = [kind_of(other), kind_of(stage)];
            return Err(Error::SameBinding { stages, group: place.0, binding: place.1 });
        }
        let binding = self.assigned.binding(stage, place);
        self.bindings.push(Bound { stage, binding, place, gl });
        let declared = self.declare_global(name, space, Some(binding), ty, stage);
        if is_kept && space == AddressSpace::Handle && !self.features.resources.is_opengl() {
            self.kept.insert((stage, place, ty), declared.clone());
        }
        Ok(declared)
    }

    pub(super) fn declare_global(
        &mut self,
        name: &str,
        space: AddressSpace,
        binding: Option<ResourceBinding>,
        ty: Handle<naga::Type>,
        stage: ShaderStage,
    ) -> (Handle<GlobalVariable>, String) {
        let name = self.names.label(Scope::Module, name);
        let suffix = match stage {
            ShaderStage::Vertex => "vs",
            ShaderStage::Compute => "cs",
            _ => "fs",
        };
        if let Some(ResourceBinding { group, binding }) = binding {
            self.names.variable(stage, format_args!("_group_{group}_binding_{binding}_{suffix}"), &name);
        }
        let variable = GlobalVariable {
            name: Some(name.clone()),
            space,
            binding,
            ty,
            init: None,
            memory_decorations: naga::MemoryDecorations::empty(),
        };
        (self.module.global_variables.append(variable, Span::UNDEFINED), name)
    }
}

impl Bindings {
    /// Assigns a binding to a stage, or returns the stage to which the binding is already assigned.
    fn give(&mut self, place: OutputPlace, stage: ShaderStage) -> Option<ShaderStage> {
        match self.given.binary_search_by_key(&place, |given| given.0) {
            Ok(at) => self.given.get(at).map(|given| given.1),
            Err(at) => {
                self.given.insert(at, (place, stage));
                None
            }
        }
    }

    /// Returns a binding for naga's module: the layout's own binding, or a spare binding if another resource of the stage already
    /// uses the layout's binding. A binding that both stages use represents the same output binding in both stages.
    fn binding(&mut self, stage: ShaderStage, place: (u32, u32)) -> ResourceBinding {
        let (group, binding) = place;
        let by = usize::from(stage != ShaderStage::Vertex);
        for binding in [binding].into_iter().chain(SPARE..) {
            let binding = ResourceBinding { group, binding };
            match self.represented.binary_search_by_key(&binding, |known| known.0) {
                Ok(at) => {
                    if let Some((_, known)) = self.represented.get_mut(at)
                        && known.place == place
                        && !std::mem::replace(&mut known.by[by], true)
                    {
                        return binding;
                    }
                }
                Err(at) => {
                    let mut known = Represented { place, by: [false; 2] };
                    known.by[by] = true;
                    self.represented.insert(at, (binding, known));
                    return binding;
                }
            }
        }
        ResourceBinding { group, binding }
    }
}

const fn constants_of(stage: ShaderStage) -> &'static str {
    match stage {
        ShaderStage::Vertex => "VertexConstants",
        ShaderStage::Compute => "ComputeConstants",
        _ => "FragmentConstants",
    }
}

/// Assigns GLSL texture units to the vertex stage's slots. Both stages share the units, and each fragment slot uses the unit with
/// the slot's number. The first 16 units are left to AGAL's fragment stage, so the vertex slot `n` gets the unit `n + 16` or, if
/// that unit is taken or does not exist, the lowest free unit. A slot gets no unit if no unit is free.
fn vertex_units(module: &Module) -> BTreeMap<u32, u8> {
    let mut taken: BTreeSet<u32> = slots(module, FunctionKind::Fragment).into_iter().collect();
    let is_free = |slot: &u32| slot + FRAGMENT_UNITS < UNITS && !taken.contains(&(slot + FRAGMENT_UNITS));
    let (own, others): (Vec<u32>, Vec<u32>) = slots(module, FunctionKind::Vertex).into_iter().partition(is_free);
    taken.extend(own.iter().map(|slot| slot + FRAGMENT_UNITS));
    let free = (0..UNITS).filter(|unit| !taken.contains(unit));
    let units = own.iter().map(|&slot| (slot, slot + FRAGMENT_UNITS)).chain(others.into_iter().zip(free));
    units.filter_map(|(slot, unit)| Some((slot, u8::try_from(unit).ok()?))).collect()
}

/// Returns the texture slots that a stage's entry point and called functions read, in ascending order.
fn slots(module: &Module, stage: FunctionKind) -> Vec<u32> {
    let entry = module.functions.iter().position(|function| function.kind == stage);
    let functions = entry.into_iter().flat_map(|entry| functions_of(module, entry));
    let slots = functions.flat_map(|(_, function)| &function.inputs).filter_map(|input| match input.kind {
        InputKind::Texture { slot, .. } => Some(slot),
        _ => None,
    });
    let mut slots: Vec<u32> = slots.collect();
    slots.sort_unstable();
    slots.dedup();
    slots
}
