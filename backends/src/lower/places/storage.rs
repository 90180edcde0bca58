//! Declares storage buffers, storage textures and the arrays that a workgroup shares.

use std::collections::{BTreeMap, BTreeSet};

use naga::{
    AddressSpace, ArraySize, ImageClass, ScalarKind, ShaderStage, Span, StorageAccess, StorageFormat, TypeInner,
};
use sdlbc::{Access, Dimension, Format, Id, ImageAccess, Input, InputKind, Module, Op, Scalar, Type};

use crate::error::Error;
use crate::features::Resources;
use crate::interface::{Resource, ResourceKind};
use crate::layout::Numbering;
use crate::lower::lowering::{LoweredInput, Lowering, StageResources};
use crate::lower::types::{image_dimension, kind_of};
use crate::mend::names::Scope;

impl StageResources<'_> {
    /// The index of a storage texture or a storage buffer with this slot, in targets where buffers and textures have
    /// indices. Resources that are only read come before those that are written; textures come after those that have
    /// samplers, buffers after the buffers of constants.
    #[cold]
    fn index(&self, is_written: bool, (slot, is_buffer): (u32, bool)) -> (u32, u32) {
        let before = match is_buffer {
            true => {
                let key = |access: Access, slot: u32| (access == Access::ReadWrite, slot);
                let before = self.buffers.iter().filter(|of| key(of.1, of.0) < (is_written, slot)).count();
                self.constants() as usize + usize::from(self.has_sizes) + before
            }
            false => {
                let key = |access: ImageAccess, slot: u32| (access == ImageAccess::Write, slot);
                self.slots.len() + self.images.iter().filter(|of| key(of.1, of.0) < (is_written, slot)).count()
            }
        };
        (0, u32::try_from(before).unwrap_or(u32::MAX))
    }

    /// The register of a storage texture or a storage buffer with this slot, in targets that count registers from 0:
    /// textures, then storage textures, then storage buffers. Resources that are written are counted separately.
    #[cold]
    fn counted(&self, is_written: bool, (slot, is_buffer): (u32, bool)) -> (u32, u32) {
        let textures = if is_written { 0 } else { self.slots.len() };
        let images = self.images.iter().filter(|of| (of.1 == ImageAccess::Write) == is_written);
        let buffers = self.buffers.iter().filter(|of| (of.1 == Access::ReadWrite) == is_written);
        let before = match is_buffer {
            true => images.count() + buffers.take_while(|of| of.0 < slot).count(),
            false => images.take_while(|of| of.0 < slot).count(),
        };
        (0, u32::try_from(textures + before).unwrap_or(u32::MAX))
    }
}

/// The slots of the storage buffers whose number of elements a stage reads: for the program, or to clamp an index.
pub(super) fn measured(module: &Module, entry: usize) -> BTreeSet<u32> {
    let mut slots = BTreeSet::new();
    for index in [entry].into_iter().chain(sdlbc::call_order(module, entry)) {
        let Some(function) = module.functions.get(index) else { continue };
        let buffers = function.inputs.iter().filter_map(|input| match input.kind {
            InputKind::Buffer { slot, .. } => Some((input.id, slot)),
            _ => None,
        });
        let buffers: BTreeMap<Id, u32> = buffers.collect();
        for inst in function.body.insts().iter().filter(|_| !buffers.is_empty()) {
            // The first element always exists, so its index needs no clamp.
            let is_first =
                |index: Id| !index.is_some() && inst.immediates.first().is_none_or(|&offset| offset.cast_signed() <= 0);
            let of = match (inst.op, &inst.inputs[..]) {
                (Op::BufferSize, &[of]) => of,
                (Op::Peek, &[of, index]) | (Op::Poke, &[_, of, index]) if !is_first(index) => of,
                _ => continue,
            };
            slots.extend(buffers.get(&of));
        }
    }
    slots
}

impl<'m> Lowering<'m> {
    /// The place of a storage texture or a storage buffer that does not depend on the layout, in targets that have such places.
    #[cold]
    fn counted(&self, resources: &StageResources<'m>, is_written: bool, of: (u32, bool)) -> Option<(u32, u32)> {
        match self.features.resources {
            Resources::Indices => Some(resources.index(is_written, of)),
            Resources::Registers { counted: true } => Some(resources.counted(is_written, of)),
            _ => None,
        }
    }

    /// Declares a storage buffer.
    #[cold]
    pub(super) fn buffer(
        &mut self,
        resources: &mut StageResources<'m>,
        input: &Input,
        (slot, access): (u32, Access),
        (scalar, width): (Scalar, u8),
        stage: ShaderStage,
    ) -> Result<LoweredInput, Error> {
        let places = self.layout.places(kind_of(stage));
        let written = places.written.filter(|_| access == Access::ReadWrite);
        // Buffers that are written are counted separately if the layout has a place for them.
        let is_before =
            |&&(other, of, _): &&(u32, Access, _)| other < slot && (places.written.is_none() || of == access);
        let dense = u32::try_from(resources.buffers.iter().filter(is_before).count()).unwrap_or(u32::MAX);
        let counted = self.counted(resources, access == Access::ReadWrite, (slot, true));
        let Some(known) = resources.buffers.iter_mut().find(|of| of.0 == slot) else {
            return Err(Error::Internal(format!("the storage buffer `{}` was not found", input.name)));
        };
        if let Some(buffer) = known.2 {
            return Ok(buffer);
        }
        let index = if self.layout.numbering == Numbering::Slot { slot } else { dense };
        let mut place = written.unwrap_or(places.buffers).at(index);
        if self.layout.buffers_follow_textures {
            // Textures, then storage textures, then storage buffers; resources that are written are counted separately.
            let is_before = |of: &&(u32, ImageAccess, _)| {
                places.written.is_none() || (of.1 == ImageAccess::Write) == written.is_some()
            };
            let images = resources.images.iter().filter(is_before).count();
            let before = images + if written.is_none() { resources.slots.len() } else { 0 };
            place.1 = place.1.saturating_add(u32::try_from(before).unwrap_or(u32::MAX));
        }
        let place = counted.unwrap_or(place);
        let base = self.ty(Type::Vector(scalar, width))?;
        let inner = TypeInner::Array { base, size: ArraySize::Dynamic, stride: 4 * u32::from(width) };
        // Only GLSL shows this name, as the name of the block.
        let name = self.features.resources.is_opengl().then(|| {
            let name = self.names.label(Scope::Module, &block_of(&input.name));
            self.names.block(&name);
            name
        });
        let ty = self.module.types.insert(naga::Type { name, inner }, Span::UNDEFINED);
        let mut allowed = StorageAccess::LOAD;
        allowed.set(StorageAccess::STORE, access == Access::ReadWrite);
        let space = AddressSpace::Storage { access: allowed };
        // OpenGL counts the binding points of storage buffers separately from all others.
        let gl = u8::try_from(slot).ok();
        let (variable, name) = self.global(&input.name, space, Some((place, gl)), ty, stage)?;
        let binding = match self.features.resources {
            Resources::OpenGl { stated } => gl.filter(|_| stated).map(|point| (0, u32::from(point))),
            _ => Some(place),
        };
        let kind = ResourceKind::Buffer { slot, access, element: Type::Vector(scalar, width) };
        let of_entry = self
            .of_entry(kind_of(stage), |kind| matches!(kind, InputKind::Buffer { slot: other, .. } if other == slot));
        self.found.push(Resource { stage: kind_of(stage), input: of_entry, name, binding, kind });
        let buffer = LoweredInput::Memory(variable);
        known.2 = Some(buffer);
        Ok(buffer)
    }

    /// Declares a storage texture.
    #[cold]
    pub(super) fn image(
        &mut self,
        resources: &mut StageResources<'m>,
        input: &Input,
        (slot, access): (u32, ImageAccess),
        (dimension, format): (Dimension, Format),
        stage: ShaderStage,
    ) -> Result<LoweredInput, Error> {
        let places = self.layout.places(kind_of(stage));
        let written = places.written.filter(|_| access == ImageAccess::Write);
        let is_before =
            |&&(other, of, _): &&(u32, ImageAccess, _)| other < slot && (places.written.is_none() || of == access);
        let dense = u32::try_from(resources.images.iter().filter(is_before).count()).unwrap_or(u32::MAX);
        let counted = self.counted(resources, access == ImageAccess::Write, (slot, false));
        let Some(known) = resources.images.iter_mut().find(|of| of.0 == slot) else {
            return Err(Error::Internal(format!("the storage texture `{}` was not found", input.name)));
        };
        if let Some(image) = known.2 {
            return Ok(image);
        }
        let index = if self.layout.numbering == Numbering::Slot { slot } else { dense };
        let mut place = written.unwrap_or(places.images).at(index);
        if self.layout.buffers_follow_textures && written.is_none() {
            place.1 = place.1.saturating_add(u32::try_from(resources.slots.len()).unwrap_or(u32::MAX));
        }
        let place = counted.unwrap_or(place);
        let class = match access {
            ImageAccess::Read if self.features.read_images_are_textures => {
                let kind = match format.scalar() {
                    Scalar::Int => ScalarKind::Sint,
                    Scalar::Uint => ScalarKind::Uint,
                    _ => ScalarKind::Float,
                };
                ImageClass::Sampled { kind, multi: false }
            }
            ImageAccess::Read => ImageClass::Storage { format: storage_format(format), access: StorageAccess::LOAD },
            ImageAccess::Write => ImageClass::Storage { format: storage_format(format), access: StorageAccess::STORE },
        };
        let ty = TypeInner::Image { dim: image_dimension(dimension), arrayed: dimension.has_layers(), class };
        let ty = self.insert(ty);
        // OpenGL counts the units of storage textures separately from all others.
        let gl = u8::try_from(slot).ok();
        let (variable, name) = self.global(&input.name, AddressSpace::Handle, Some((place, gl)), ty, stage)?;
        let binding = match self.features.resources {
            Resources::OpenGl { stated } => gl.filter(|_| stated).map(|unit| (0, u32::from(unit))),
            _ => Some(place),
        };
        let kind = ResourceKind::Image { slot, access, dimension, format };
        let of_entry =
            self.of_entry(kind_of(stage), |kind| matches!(kind, InputKind::Image { slot: other, .. } if other == slot));
        self.found.push(Resource { stage: kind_of(stage), input: of_entry, name, binding, kind });
        let image = LoweredInput::Image(variable);
        known.2 = Some(image);
        Ok(image)
    }

    /// Declares an array that the invocations of a workgroup share.
    #[cold]
    pub(super) fn shared(&mut self, input: &Input) -> Result<LoweredInput, Error> {
        let ty = self.local_ty(input.ty)?;
        let name = if input.name.is_empty() { "shared" } else { &input.name };
        let (variable, _) = self.declare_global(name, AddressSpace::WorkGroup, None, ty, ShaderStage::Compute);
        Ok(LoweredInput::Memory(variable))
    }
}

/// The name of the block around a storage buffer.
fn block_of(name: &str) -> String {
    let mut letters = name.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).chain("Buffer".chars()).collect()
}

/// Returns the slots of the storage buffers or storage textures that a stage reads or writes, in its entry point and
/// the functions that it calls, in ascending order, with the stage's access to each. None of them is declared yet.
pub(super) fn by_slot<A>(
    module: &Module,
    entry: usize,
    of: impl Fn(InputKind) -> Option<(u32, A)>,
) -> Vec<(u32, A, Option<LoweredInput>)> {
    let mut found = BTreeMap::new();
    // Most modules have none, and this test is faster than collecting the called functions.
    if !module.functions.iter().flat_map(|function| &function.inputs).any(|input| of(input.kind).is_some()) {
        return Vec::new();
    }
    for index in [entry].into_iter().chain(sdlbc::call_order(module, entry)) {
        let inputs = module.functions.get(index).map(|function| &function.inputs[..]).unwrap_or_default();
        for (slot, access) in inputs.iter().filter_map(|input| of(input.kind)) {
            found.entry(slot).or_insert(access);
        }
    }
    found.into_iter().map(|(slot, access)| (slot, access, None)).collect()
}

/// The format in naga.
const fn storage_format(format: Format) -> StorageFormat {
    match format {
        Format::Rgba8Unorm => StorageFormat::Rgba8Unorm,
        Format::Rgba8Snorm => StorageFormat::Rgba8Snorm,
        Format::Rgba8Uint => StorageFormat::Rgba8Uint,
        Format::Rgba8Sint => StorageFormat::Rgba8Sint,
        Format::Rgba16Uint => StorageFormat::Rgba16Uint,
        Format::Rgba16Sint => StorageFormat::Rgba16Sint,
        Format::Rgba16Float => StorageFormat::Rgba16Float,
        Format::R32Uint => StorageFormat::R32Uint,
        Format::R32Sint => StorageFormat::R32Sint,
        Format::R32Float => StorageFormat::R32Float,
        Format::Rg32Uint => StorageFormat::Rg32Uint,
        Format::Rg32Sint => StorageFormat::Rg32Sint,
        Format::Rg32Float => StorageFormat::Rg32Float,
        Format::Rgba32Uint => StorageFormat::Rgba32Uint,
        Format::Rgba32Sint => StorageFormat::Rgba32Sint,
        Format::Rgba32Float => StorageFormat::Rgba32Float,
    }
}
