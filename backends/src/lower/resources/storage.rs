//! Declares storage buffers, storage textures and workgroup-shared arrays.

use std::collections::{BTreeMap, BTreeSet};

use naga::{AddressSpace, ArraySize, ImageClass, ShaderStage, Span, StorageAccess, StorageFormat, TypeInner};
use sdlbc::{Access, Format, Id, ImageAccess, Input, InputKind, Module, Op, SourceBinding};

use crate::error::Error;
use crate::features::Resources;
use crate::interface::{Resource, ResourceKind};
use crate::layout::Numbering;
use crate::lower::entries::functions_of;
use crate::lower::indices::accessed;
use crate::lower::lowering::{LoweredInput, Lowering, StageResources, Storage};
use crate::lower::types::{image_dimension, kind_of};
use crate::mend::names::Scope;

impl StageResources<'_> {
    /// Returns the index of a storage texture or storage buffer, for targets that bind resources by index. Read-only resources
    /// come before written resources. Storage textures follow the sampled textures, and storage buffers follow the constant
    /// buffers.
    #[cold]
    fn index(&self, is_buffer: bool, is_written: bool, slot: u32) -> usize {
        let before = |list: &[Storage]| list.iter().filter(|of| (of.is_written, of.slot) < (is_written, slot)).count();
        match is_buffer {
            true => self.constants() as usize + usize::from(self.has_sizes) + before(&self.buffers),
            false => self.slots.len() + before(&self.images),
        }
    }

    /// Returns the register of a storage texture or storage buffer, for targets that number registers from 0. Sampled textures
    /// come first, then storage textures, then storage buffers. Written resources are counted separately from read-only
    /// resources.
    #[cold]
    fn register(&self, is_buffer: bool, is_written: bool, slot: u32) -> usize {
        let textures = if is_written { 0 } else { self.slots.len() };
        let images = self.images.iter().filter(|of| of.is_written == is_written);
        let buffers = self.buffers.iter().filter(|of| of.is_written == is_written);
        textures
            + match is_buffer {
                true => images.count() + buffers.take_while(|of| of.slot < slot).count(),
                false => images.take_while(|of| of.slot < slot).count(),
            }
    }
}

/// Returns the slots of the storage buffers whose length a stage needs, either for a BUFFERSIZE or to clamp an index. Trusted indices
/// are not clamped.
pub(super) fn measured(module: &Module, entry: usize, trusts_indices: bool) -> BTreeSet<u32> {
    let mut slots = BTreeSet::new();
    for (_, function) in functions_of(module, entry) {
        let buffers = function.inputs.iter().filter_map(|input| match input.kind {
            InputKind::Buffer { slot, .. } => Some((input.id, slot)),
            _ => None,
        });
        let buffers: BTreeMap<Id, u32> = buffers.collect();
        for inst in function.body.insts().iter().filter(|_| !buffers.is_empty()) {
            // The first element always exists, so index 0 needs no clamp.
            let is_first =
                |index: Id| !index.is_some() && inst.immediates.first().is_none_or(|&offset| offset.cast_signed() <= 0);
            let of = match (inst.op, accessed(inst.op, &inst.inputs)) {
                (Op::BufferSize, _) => inst.inputs.first().copied().unwrap_or_default(),
                (_, Some((of, index))) if !trusts_indices && !is_first(index) => of,
                _ => continue,
            };
            slots.extend(buffers.get(&of));
        }
    }
    slots
}

impl<'m> Lowering<'m> {
    #[cold]
    fn storage_place(
        &self,
        resources: &StageResources<'m>,
        is_buffer: bool,
        (slot, is_written): (u32, bool),
        stated: Option<SourceBinding>,
        stage: ShaderStage,
    ) -> (u32, u32) {
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        match self.features.resources {
            Resources::Indices => return (0, number(resources.index(is_buffer, is_written, slot))),
            Resources::Registers { counted: true } => {
                return (0, number(resources.register(is_buffer, is_written, slot)));
            }
            _ => {}
        }
        if stated.is_some() {
            return self.kept_place(stated);
        }
        let places = self.layout.places(kind_of(stage));
        let written = places.written.filter(|_| is_written);
        // Written resources are counted separately if the layout has a separate range of bindings for them.
        let is_alike = |of: &&Storage| places.written.is_none() || of.is_written == is_written;
        let list = if is_buffer { &resources.buffers } else { &resources.images };
        let index = match self.layout.numbering {
            Numbering::Slot | Numbering::Source => slot,
            Numbering::Dense => number(list.iter().filter(is_alike).take_while(|of| of.slot < slot).count()),
        };
        let place = written.unwrap_or(if is_buffer { places.buffers } else { places.images });
        let (group, binding) = place.at(index);
        if !self.layout.buffers_follow_textures {
            return (group, binding);
        }
        // Sampled textures come first, then storage textures, then storage buffers.
        let textures = if written.is_none() { resources.slots.len() } else { 0 };
        let images = if is_buffer { resources.images.iter().filter(is_alike).count() } else { 0 };
        (group, binding.saturating_add(number(textures + images)))
    }

    #[cold]
    pub(super) fn storage(
        &mut self,
        resources: &mut StageResources<'m>,
        (input, stated): (&Input, Option<SourceBinding>),
        slot: u32,
        kind: ResourceKind,
        (function, stage): (usize, ShaderStage),
    ) -> Result<LoweredInput, Error> {
        let is_buffer = matches!(kind, ResourceKind::Buffer { .. });
        let list = if is_buffer { &resources.buffers } else { &resources.images };
        let Some(at) = list.iter().position(|of| of.slot == slot) else {
            let what = if is_buffer { "buffer" } else { "texture" };
            return Err(Error::Internal(format!("the storage {what} `{}` was not found", input.name)));
        };
        if let Some(declared) = list[at].declared {
            return Ok(declared);
        }
        let is_written = matches!(
            kind,
            ResourceKind::Buffer { access: Access::ReadWrite, .. }
                | ResourceKind::Image { access: ImageAccess::Write, .. }
        );
        let place = self.storage_place(resources, is_buffer, (slot, is_written), stated, stage);
        let (space, ty) = match kind {
            ResourceKind::Image { dimension, format, .. } => {
                let class = match is_written {
                    true => ImageClass::Storage { format: storage_format(format), access: StorageAccess::STORE },
                    false if self.features.read_images_are_textures => {
                        ImageClass::Sampled { kind: self.scalar(format.scalar())?.kind, multi: false }
                    }
                    false => ImageClass::Storage { format: storage_format(format), access: StorageAccess::LOAD },
                };
                let ty = TypeInner::Image { dim: image_dimension(dimension), arrayed: dimension.has_layers(), class };
                (AddressSpace::Handle, self.insert(ty))
            }
            ResourceKind::Buffer { element, .. } => {
                let base = self.element_ty(element, self.atomics.has(function, input))?;
                let stride = 4 * u32::from(element.width().unwrap_or(1));
                let inner = TypeInner::Array { base, size: ArraySize::Dynamic, stride };
                // The type's name appears only in GLSL output, as the name of the block.
                let name = self.features.resources.is_opengl().then(|| {
                    let name = self.names.label(Scope::Module, &block_of(&input.name));
                    self.names.block(&name);
                    name
                });
                let mut access = StorageAccess::LOAD;
                access.set(StorageAccess::STORE, is_written);
                let ty = self.module.types.insert(naga::Type { name, inner }, Span::UNDEFINED);
                (AddressSpace::Storage { access }, ty)
            }
            _ => return self.unsupported(format!("the input `{}`", input.name)),
        };
        // OpenGL numbers the binding points of storage buffers and the units of storage textures separately from all other
        // resources.
        let gl = u8::try_from(if self.stated.has_binding_points() { place.1 } else { slot }).ok();
        let (variable, name) = self.global(&input.name, space, Some((place, gl)), ty, stage)?;
        let binding = match self.features.resources {
            Resources::OpenGl { stated } => gl.filter(|_| stated).map(|point| (0, u32::from(point))),
            _ => Some(place),
        };
        let of_entry = self.of_entry(stage, input.kind);
        self.described.push(Resource { stage: kind_of(stage), input: of_entry, name, binding, kind });
        let (list, declared) = match is_buffer {
            true => (&mut resources.buffers, LoweredInput::Memory(variable)),
            false => (&mut resources.images, LoweredInput::Image(variable)),
        };
        list[at].declared = Some(declared);
        Ok(declared)
    }

    #[cold]
    pub(super) fn shared(&mut self, function: usize, input: &Input) -> Result<LoweredInput, Error> {
        let ty = self.array_ty(input.ty, self.atomics.has(function, input))?;
        let name = if input.name.is_empty() { "shared" } else { &input.name };
        let (variable, _) = self.declare_global(name, AddressSpace::WorkGroup, None, ty, ShaderStage::Compute);
        Ok(LoweredInput::Memory(variable))
    }
}

/// Returns the name of a storage buffer's GLSL block, such as `ParticlesBuffer` for `particles`.
fn block_of(name: &str) -> String {
    let mut letters = name.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).chain("Buffer".chars()).collect()
}

/// Returns the storage buffers or storage textures that a stage's entry point and called functions use, in ascending order of
/// slot. `of` returns an input's slot and whether the stage writes to it, or `None` for an input of another kind.
pub(super) fn by_slot(module: &Module, entry: usize, of: impl Fn(InputKind) -> Option<(u32, bool)>) -> Vec<Storage> {
    let mut found = BTreeMap::new();
    // Most modules have no storage resources, and checking for them is faster than collecting the called functions.
    if !module.functions.iter().flat_map(|function| &function.inputs).any(|input| of(input.kind).is_some()) {
        return Vec::new();
    }
    for input in functions_of(module, entry).flat_map(|(_, function)| &function.inputs) {
        if let Some((slot, is_written)) = of(input.kind) {
            found.entry(slot).or_insert(is_written);
        }
    }
    found.into_iter().map(|(slot, is_written)| Storage { slot, is_written, declared: None }).collect()
}

const fn storage_format(format: Format) -> StorageFormat {
    same_name!(
        format,
        Format => StorageFormat:
        Rgba8Unorm, Rgba8Snorm, Rgba8Uint, Rgba8Sint, Rgba16Uint, Rgba16Sint, Rgba16Float, R32Uint, R32Sint, R32Float,
        Rg32Uint, Rg32Sint, Rg32Float, Rgba32Uint, Rgba32Sint, Rgba32Float
    )
}
