//! Runs a shader on the device: dispatches a compute shader, draws points with a vertex shader, or triangles with a fragment
//! shader, and returns what it wrote.

use std::collections::BTreeMap;
use std::ffi::CString;

use ash::vk;
use rspirv::spirv::{Dim, ExecutionModel};
use sdlbc::{Interpolation, Module, Type};

use super::captured::{Captured, captured};
use super::content::{self, EXTENT, Encoding};
use super::device::{Device, Result, named};
use super::interface::{Image, Interface, Kind, Leaf, Parsed, Scalar, Slot};
use super::passing;

/// The number of vertices of a draw with a vertex shader.
pub(super) const VERTICES: u32 = 24;
/// The number of instances of a draw with a vertex shader.
pub(super) const INSTANCES: u32 = 2;
/// The width and height of the targets.
pub(super) const SIZE: u32 = 16;
/// The number of workgroups in each axis.
pub(super) const GROUPS: u32 = 2;
/// The components of targets before a draw.
pub(super) const CLEAR: u8 = 7;
/// The positions of the corners of a strip of two triangles, which cover the targets.
pub(super) const CORNERS: [[f32; 4]; 4] =
    [[-1.0, -1.0, 0.25, 1.0], [1.25, -1.25, 0.5, 1.25], [-1.5, 1.5, 0.75, 1.5], [2.0, 2.0, 0.5, 2.0]];

/// Returns the key of the contents of an element of a resource.
pub(super) const fn key((set, binding): (u32, u32), element: u32) -> u32 {
    64 * set + binding + 65_537 * element
}

/// Returns the name of an element of a resource in results.
pub(super) fn place_name((set, binding): (u32, u32), element: u32) -> String {
    format!("set {set} binding {binding} element {element}")
}

/// Returns the name of a component of an output in results, by which a vector equals its parts.
pub(super) fn slot_name(slot: Slot, lane: u32) -> String {
    match slot {
        Slot::Location(location, first) => format!("location {location} component {}", first + lane),
        slot => format!("{slot:?} component {lane}"),
    }
}

/// The words that a shader wrote to one place, with the encoding of each word or part of a word.
#[derive(Clone, Debug, PartialEq)]
pub struct Written {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// How the bytes are compared.
    pub encoding: Encoding,
    /// The byte offsets of the floats, where the other words are ints; `None` if all are of the encoding.
    pub floats: Option<Vec<u32>>,
}

/// What a shader wrote, by the name of the place.
pub type Results = BTreeMap<String, Written>;

/// The handles of a run, which are destroyed at its end.
struct Run<'d> {
    device: &'d Device,
    memories: Vec<vk::DeviceMemory>,
    buffers: Vec<vk::Buffer>,
    images: Vec<vk::Image>,
    views: Vec<vk::ImageView>,
    samplers: Vec<vk::Sampler>,
    sets: Vec<vk::DescriptorSetLayout>,
    pools: Vec<vk::DescriptorPool>,
    layouts: Vec<vk::PipelineLayout>,
    modules: Vec<vk::ShaderModule>,
    pipelines: Vec<vk::Pipeline>,
    commands: vk::CommandBuffer,
}

impl Drop for Run<'_> {
    fn drop(&mut self) {
        let device = &self.device.device;
        // SAFETY: the queue is idle, and nothing else uses the handles of this run.
        unsafe {
            let _ = device.device_wait_idle();
            self.pipelines.iter().for_each(|&of| device.destroy_pipeline(of, None));
            self.modules.iter().for_each(|&of| device.destroy_shader_module(of, None));
            self.layouts.iter().for_each(|&of| device.destroy_pipeline_layout(of, None));
            self.pools.iter().for_each(|&of| device.destroy_descriptor_pool(of, None));
            self.sets.iter().for_each(|&of| device.destroy_descriptor_set_layout(of, None));
            self.samplers.iter().for_each(|&of| device.destroy_sampler(of, None));
            self.views.iter().for_each(|&of| device.destroy_image_view(of, None));
            self.images.iter().for_each(|&of| device.destroy_image(of, None));
            self.buffers.iter().for_each(|&of| device.destroy_buffer(of, None));
            self.memories.iter().for_each(|&of| device.free_memory(of, None));
            device.free_command_buffers(self.device.pool, &[self.commands]);
        }
    }
}

/// A buffer that the host reads and writes.
#[derive(Clone, Copy)]
struct Buffer {
    buffer: vk::Buffer,
    memory: vk::DeviceMemory,
    size: u64,
}

/// An image with its view.
#[derive(Clone, Copy)]
struct Bound {
    image: vk::Image,
    view: vk::ImageView,
    layers: u32,
    extent: vk::Extent3D,
    aspect: vk::ImageAspectFlags,
}

fn format_of(scalar: Scalar) -> vk::Format {
    match scalar {
        Scalar::Float => vk::Format::R32G32B32A32_SFLOAT,
        Scalar::Int => vk::Format::R32G32B32A32_SINT,
        Scalar::Uint => vk::Format::R32G32B32A32_UINT,
    }
}

/// Returns the format of a storage image.
fn storage_format(image: Image) -> Option<vk::Format> {
    use rspirv::spirv::ImageFormat as F;
    use vk::Format as V;
    Some(match image.format {
        F::Rgba32f => V::R32G32B32A32_SFLOAT,
        F::Rg32f => V::R32G32_SFLOAT,
        F::R32f => V::R32_SFLOAT,
        F::Rgba16f => V::R16G16B16A16_SFLOAT,
        F::Rg16f => V::R16G16_SFLOAT,
        F::R16f => V::R16_SFLOAT,
        F::Rgba8 => V::R8G8B8A8_UNORM,
        F::Rgba8Snorm => V::R8G8B8A8_SNORM,
        F::Rg8 => V::R8G8_UNORM,
        F::Rg8Snorm => V::R8G8_SNORM,
        F::R8 => V::R8_UNORM,
        F::R8Snorm => V::R8_SNORM,
        F::Rgba32i => V::R32G32B32A32_SINT,
        F::Rgba32ui => V::R32G32B32A32_UINT,
        F::Rg32i => V::R32G32_SINT,
        F::Rg32ui => V::R32G32_UINT,
        F::R32i => V::R32_SINT,
        F::R32ui => V::R32_UINT,
        F::Rgba16i => V::R16G16B16A16_SINT,
        F::Rgba16ui => V::R16G16B16A16_UINT,
        F::Rgba8i => V::R8G8B8A8_SINT,
        F::Rgba8ui => V::R8G8B8A8_UINT,
        _ => return None,
    })
}

impl<'d> Run<'d> {
    fn new(device: &'d Device) -> Result<Run<'d>> {
        let create = vk::CommandBufferAllocateInfo::default().command_pool(device.pool).command_buffer_count(1);
        // SAFETY: the pool belongs to the device.
        let commands = unsafe {
            let commands = named("vkAllocateCommandBuffers", device.device.allocate_command_buffers(&create))?[0];
            named(
                "vkBeginCommandBuffer",
                device.device.begin_command_buffer(commands, &vk::CommandBufferBeginInfo::default()),
            )?;
            commands
        };
        Ok(Run {
            device,
            memories: Vec::new(),
            buffers: Vec::new(),
            images: Vec::new(),
            views: Vec::new(),
            samplers: Vec::new(),
            sets: Vec::new(),
            pools: Vec::new(),
            layouts: Vec::new(),
            modules: Vec::new(),
            pipelines: Vec::new(),
            commands,
        })
    }

    fn buffer(&mut self, bytes: &[u8]) -> Result<Buffer> {
        let size = bytes.len().max(16) as u64;
        let usage = vk::BufferUsageFlags::from_raw(0x1ff) | vk::BufferUsageFlags::TRANSFORM_FEEDBACK_BUFFER_EXT;
        let create = vk::BufferCreateInfo::default().size(size).usage(usage);
        let device = &self.device.device;
        // SAFETY: the memory is as large as the buffer, and the host writes it before the queue reads it.
        unsafe {
            let buffer = named("vkCreateBuffer", device.create_buffer(&create, None))?;
            self.buffers.push(buffer);
            let memory = self.device.allocate(device.get_buffer_memory_requirements(buffer))?;
            self.memories.push(memory);
            named("vkBindBufferMemory", device.bind_buffer_memory(buffer, memory, 0))?;
            let buffer = Buffer { buffer, memory, size };
            let mapped = named("vkMapMemory", device.map_memory(memory, 0, size, vk::MemoryMapFlags::empty()))?;
            std::ptr::write_bytes(mapped.cast::<u8>(), 0, bytes.len().max(16));
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), mapped.cast(), bytes.len());
            device.unmap_memory(memory);
            Ok(buffer)
        }
    }

    fn read(&self, buffer: Buffer) -> Result<Vec<u8>> {
        let device = &self.device.device;
        let mut bytes = vec![0; buffer.size as usize];
        // SAFETY: the queue is idle, and the memory is as large as the buffer.
        unsafe {
            let flags = vk::MemoryMapFlags::empty();
            let mapped = named("vkMapMemory", device.map_memory(buffer.memory, 0, buffer.size, flags))?;
            std::ptr::copy_nonoverlapping(mapped.cast(), bytes.as_mut_ptr(), bytes.len());
            device.unmap_memory(buffer.memory);
        }
        Ok(bytes)
    }

    /// Creates an image in the general layout.
    fn image(&mut self, image: Image, format: vk::Format, levels: u32) -> Result<Bound> {
        let ([width, height, depth], layers) = content::extent(image);
        let (ty, view) = match (image.dim, image.arrayed) {
            (Dim::Dim1D, false) => (vk::ImageType::TYPE_1D, vk::ImageViewType::TYPE_1D),
            (Dim::Dim1D, true) => (vk::ImageType::TYPE_1D, vk::ImageViewType::TYPE_1D_ARRAY),
            (Dim::Dim3D, _) => (vk::ImageType::TYPE_3D, vk::ImageViewType::TYPE_3D),
            (Dim::DimCube, false) => (vk::ImageType::TYPE_2D, vk::ImageViewType::CUBE),
            (Dim::DimCube, true) => (vk::ImageType::TYPE_2D, vk::ImageViewType::CUBE_ARRAY),
            (_, false) => (vk::ImageType::TYPE_2D, vk::ImageViewType::TYPE_2D),
            (_, true) => (vk::ImageType::TYPE_2D, vk::ImageViewType::TYPE_2D_ARRAY),
        };
        let is_depth = format == vk::Format::D32_SFLOAT;
        let aspect = if is_depth { vk::ImageAspectFlags::DEPTH } else { vk::ImageAspectFlags::COLOR };
        let target = if is_depth {
            vk::ImageUsageFlags::DEPTH_STENCIL_ATTACHMENT
        } else {
            vk::ImageUsageFlags::COLOR_ATTACHMENT
        };
        let both = vk::ImageUsageFlags::TRANSFER_SRC | vk::ImageUsageFlags::TRANSFER_DST;
        let storage = if is_depth { vk::ImageUsageFlags::empty() } else { vk::ImageUsageFlags::STORAGE };
        let extent = vk::Extent3D { width, height, depth };
        let flags = if image.dim == Dim::DimCube {
            vk::ImageCreateFlags::CUBE_COMPATIBLE
        } else {
            vk::ImageCreateFlags::empty()
        };
        let create = vk::ImageCreateInfo::default()
            .flags(flags)
            .image_type(ty)
            .format(format)
            .extent(extent)
            .mip_levels(levels)
            .array_layers(layers)
            .samples(vk::SampleCountFlags::TYPE_1)
            .usage(
                both | vk::ImageUsageFlags::SAMPLED
                    | storage
                    | if ty == vk::ImageType::TYPE_2D { target } else { storage },
            );
        let device = &self.device.device;
        let range = vk::ImageSubresourceRange {
            aspect_mask: aspect,
            base_mip_level: 0,
            level_count: levels,
            base_array_layer: 0,
            layer_count: layers,
        };
        // SAFETY: the memory is what the image needs, and the barrier is recorded before anything reads the image.
        unsafe {
            let handle = named("vkCreateImage", device.create_image(&create, None))?;
            self.images.push(handle);
            let memory = self.device.allocate(device.get_image_memory_requirements(handle))?;
            self.memories.push(memory);
            named("vkBindImageMemory", device.bind_image_memory(handle, memory, 0))?;
            let create = vk::ImageViewCreateInfo::default()
                .image(handle)
                .view_type(view)
                .format(format)
                .subresource_range(range);
            let view = named("vkCreateImageView", device.create_image_view(&create, None))?;
            self.views.push(view);
            let barrier = vk::ImageMemoryBarrier::default()
                .image(handle)
                .old_layout(vk::ImageLayout::UNDEFINED)
                .new_layout(vk::ImageLayout::GENERAL)
                .subresource_range(range);
            let all = vk::PipelineStageFlags::ALL_COMMANDS;
            device.cmd_pipeline_barrier(self.commands, all, all, vk::DependencyFlags::empty(), &[], &[], &[barrier]);
            Ok(Bound { image: handle, view, layers, extent, aspect })
        }
    }

    /// Makes what earlier commands wrote visible to later commands.
    fn wait(&self) {
        let all = vk::AccessFlags::MEMORY_READ | vk::AccessFlags::MEMORY_WRITE;
        let barrier = vk::MemoryBarrier::default().src_access_mask(all).dst_access_mask(all);
        let stage = vk::PipelineStageFlags::ALL_COMMANDS;
        let none = vk::DependencyFlags::empty();
        // SAFETY: the command buffer is being recorded.
        unsafe { self.device.device.cmd_pipeline_barrier(self.commands, stage, stage, none, &[barrier], &[], &[]) }
    }

    /// Copies between a level of an image and a buffer.
    fn copy(&self, of: Bound, level: u32, buffer: Buffer, is_upload: bool) {
        let copy = vk::BufferImageCopy::default()
            .image_subresource(vk::ImageSubresourceLayers {
                aspect_mask: of.aspect,
                mip_level: level,
                base_array_layer: 0,
                layer_count: of.layers,
            })
            .image_extent(vk::Extent3D {
                width: (of.extent.width >> level).max(1),
                height: (of.extent.height >> level).max(1),
                depth: (of.extent.depth >> level).max(1),
            });
        let device = &self.device.device;
        // SAFETY: the buffer is as large as the level.
        unsafe {
            match is_upload {
                true => device.cmd_copy_buffer_to_image(
                    self.commands,
                    buffer.buffer,
                    of.image,
                    vk::ImageLayout::GENERAL,
                    &[copy],
                ),
                false => device.cmd_copy_image_to_buffer(
                    self.commands,
                    of.image,
                    vk::ImageLayout::GENERAL,
                    buffer.buffer,
                    &[copy],
                ),
            }
        }
    }

    /// Creates a storage image with contents.
    fn filled(
        &mut self,
        image: Image,
        format: vk::Format,
        (encoding, width): (Encoding, u32),
        key: (u32, u32),
    ) -> Result<Bound> {
        let of = self.image(image, format, 1)?;
        let texels = of.extent.width * of.extent.height * of.extent.depth * of.layers;
        let bytes = content::texels(encoding, texels * width, key.0, key.1);
        let buffer = self.buffer(&bytes)?;
        self.copy(of, 0, buffer, true);
        Ok(of)
    }

    fn sampler(&mut self, scalar: Scalar, compares: bool) -> Result<vk::Sampler> {
        let (filter, mip) = match scalar {
            Scalar::Float => (vk::Filter::LINEAR, vk::SamplerMipmapMode::LINEAR),
            _ => (vk::Filter::NEAREST, vk::SamplerMipmapMode::NEAREST),
        };
        let wrap = vk::SamplerAddressMode::REPEAT;
        let create = vk::SamplerCreateInfo::default()
            .mag_filter(filter)
            .min_filter(filter)
            .mipmap_mode(mip)
            .address_mode_u(wrap)
            .address_mode_v(vk::SamplerAddressMode::CLAMP_TO_EDGE)
            .address_mode_w(wrap)
            .max_lod(vk::LOD_CLAMP_NONE)
            .compare_enable(compares)
            .compare_op(vk::CompareOp::LESS_OR_EQUAL);
        // SAFETY: the sampler is destroyed at the end of the run.
        let sampler = unsafe { named("vkCreateSampler", self.device.device.create_sampler(&create, None))? };
        self.samplers.push(sampler);
        Ok(sampler)
    }

    fn texture(&mut self, image: Image, compared: bool, key: (u32, u32)) -> Result<Bound> {
        let levels = content::levels(image);
        let format = if compared { vk::Format::D32_SFLOAT } else { format_of(image.scalar) };
        let of = self.image(image, format, levels)?;
        for level in 0..levels {
            let side = |length: u32| (length >> level).max(1);
            let count = side(of.extent.width) * side(of.extent.height) * side(of.extent.depth) * of.layers;
            let texels = content::texture(image.scalar, count, key, level);
            let word = |byte: u8| match image.scalar {
                Scalar::Float => (f32::from(byte) / 255.0).to_bits(),
                _ => byte.into(),
            };
            let parts = texels.iter().flat_map(|texel| &texel[..if compared { 1 } else { 4 }]);
            let bytes: Vec<u8> = parts.flat_map(|&byte| word(byte).to_le_bytes()).collect();
            let buffer = self.buffer(&bytes)?;
            self.copy(of, level, buffer, true);
        }
        Ok(of)
    }

    fn module(&mut self, words: &[u32]) -> Result<vk::ShaderModule> {
        let create = vk::ShaderModuleCreateInfo::default().code(words);
        // SAFETY: the words are a valid module.
        let module = unsafe { named("vkCreateShaderModule", self.device.device.create_shader_module(&create, None))? };
        self.modules.push(module);
        Ok(module)
    }

    fn finish(&self) -> Result<()> {
        let device = &self.device.device;
        let commands = [self.commands];
        let submit = [vk::SubmitInfo::default().command_buffers(&commands)];
        // SAFETY: the command buffer is recorded, and all its handles live until the queue is idle.
        unsafe {
            named("vkEndCommandBuffer", device.end_command_buffer(self.commands))?;
            named("vkQueueSubmit", device.queue_submit(self.device.queue, &submit, vk::Fence::null()))?;
            named("vkQueueWaitIdle", device.queue_wait_idle(self.device.queue))
        }
    }
}

/// The descriptors of a run, and where their contents are read from.
struct Descriptors {
    layout: vk::PipelineLayout,
    sets: Vec<vk::DescriptorSet>,
    buffers: Vec<(String, Buffer, Vec<u32>)>,
    images: Vec<(String, Bound, (Encoding, u32))>,
}

fn descriptor(kind: &Kind) -> vk::DescriptorType {
    match kind {
        Kind::Uniform(_) => vk::DescriptorType::UNIFORM_BUFFER,
        Kind::Storage(_) => vk::DescriptorType::STORAGE_BUFFER,
        Kind::Combined(..) => vk::DescriptorType::COMBINED_IMAGE_SAMPLER,
        Kind::Texture(..) => vk::DescriptorType::SAMPLED_IMAGE,
        Kind::Sampler(_) => vk::DescriptorType::SAMPLER,
        Kind::Storable(_) => vk::DescriptorType::STORAGE_IMAGE,
    }
}

/// Creates the descriptor sets of an interface.
fn descriptors(run: &mut Run<'_>, interface: &Interface, seed: u32) -> Result<Descriptors> {
    let count = interface.resources.keys().map(|place| place.0 + 1).max().unwrap_or(0);
    let device = &run.device.device;
    for set in 0..count {
        let bindings: Vec<_> = interface
            .resources
            .iter()
            .filter(|(place, _)| place.0 == set)
            .map(|(place, kind)| {
                vk::DescriptorSetLayoutBinding::default()
                    .binding(place.1)
                    .descriptor_type(descriptor(kind))
                    .descriptor_count(interface.count(*place))
                    .stage_flags(vk::ShaderStageFlags::ALL)
            })
            .collect();
        let create = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
        // SAFETY: the layouts are destroyed at the end of the run.
        run.sets
            .push(unsafe { named("vkCreateDescriptorSetLayout", device.create_descriptor_set_layout(&create, None))? });
    }
    let range = vk::PushConstantRange { stage_flags: vk::ShaderStageFlags::ALL, offset: 0, size: interface.push.size };
    let ranges = if interface.push.size > 0 { vec![range] } else { Vec::new() };
    let create = vk::PipelineLayoutCreateInfo::default().set_layouts(&run.sets).push_constant_ranges(&ranges);
    // SAFETY: the set layouts exist.
    let layout = unsafe { named("vkCreatePipelineLayout", device.create_pipeline_layout(&create, None))? };
    run.layouts.push(layout);
    let types: Vec<_> = interface
        .resources
        .iter()
        .map(|(&place, kind)| vk::DescriptorPoolSize { ty: descriptor(kind), descriptor_count: interface.count(place) })
        .collect();
    let mut sets = Vec::new();
    if !types.is_empty() {
        let create = vk::DescriptorPoolCreateInfo::default().max_sets(count).pool_sizes(&types);
        // SAFETY: the pool has room for the sets.
        unsafe {
            let pool = named("vkCreateDescriptorPool", device.create_descriptor_pool(&create, None))?;
            run.pools.push(pool);
            let create = vk::DescriptorSetAllocateInfo::default().descriptor_pool(pool).set_layouts(&run.sets);
            sets = named("vkAllocateDescriptorSets", device.allocate_descriptor_sets(&create))?;
        }
    }
    let mut of = Descriptors { layout, sets, buffers: Vec::new(), images: Vec::new() };
    let elements = interface
        .resources
        .iter()
        .flat_map(|(&place, kind)| (0..interface.count(place)).map(move |element| (place, kind, element)));
    for (at, kind, element) in elements {
        let (set, binding) = at;
        let key = (seed, key(at, element));
        let place = place_name(at, element);
        let (mut buffers, mut images) = (Vec::new(), Vec::new());
        let general = vk::ImageLayout::GENERAL;
        let of_image = |sampler, view| vk::DescriptorImageInfo { sampler, image_view: view, image_layout: general };
        match kind {
            Kind::Uniform(block) | Kind::Storage(block) => {
                let buffer = run.buffer(&content::block(block, key.0, key.1))?;
                if matches!(kind, Kind::Storage(_)) {
                    of.buffers.push((place, buffer, block.floats()));
                }
                buffers.push(vk::DescriptorBufferInfo { buffer: buffer.buffer, offset: 0, range: buffer.size });
            }
            &Kind::Combined(image, compared) => {
                let texture = run.texture(image, compared, key)?;
                let sampler = run.sampler(image.scalar, compared)?;
                images.push(of_image(sampler, texture.view));
            }
            &Kind::Texture(image, compared) => {
                let texture = run.texture(image, compared, key)?;
                images.push(of_image(vk::Sampler::null(), texture.view));
            }
            &Kind::Sampler(compares) => {
                // A sampler may be used with a texture of ints, which must not be filtered.
                let is_int = |kind: &Kind| matches!(kind, Kind::Texture(image, _) if image.scalar != Scalar::Float);
                let scalar = if interface.resources.values().any(is_int) { Scalar::Int } else { Scalar::Float };
                let sampler = run.sampler(scalar, compares)?;
                images.push(of_image(sampler, vk::ImageView::null()));
            }
            &Kind::Storable(image) => {
                let format = storage_format(image).ok_or_else(|| format!("a storage image of {:?}", image.format))?;
                let encoding =
                    content::encoding(image).ok_or_else(|| format!("a storage image of {:?}", image.format))?;
                let bound = run.filled(image, format, encoding, key)?;
                of.images.push((place, bound, encoding));
                images.push(of_image(vk::Sampler::null(), bound.view));
            }
        }
        let write = vk::WriteDescriptorSet::default()
            .dst_set(of.sets[set as usize])
            .dst_binding(binding)
            .dst_array_element(element)
            .descriptor_type(descriptor(kind));
        let write = if buffers.is_empty() { write.image_info(&images) } else { write.buffer_info(&buffers) };
        // SAFETY: the set and the resources exist.
        unsafe { run.device.device.update_descriptor_sets(&[write], &[]) };
    }
    Ok(of)
}

impl Descriptors {
    /// Binds the descriptors and the push constants, after all contents are copied.
    fn bind(&self, run: &Run<'_>, interface: &Interface, point: vk::PipelineBindPoint, seed: u32) {
        run.wait();
        let device = &run.device.device;
        // SAFETY: the sets and the layout belong together.
        unsafe {
            if !self.sets.is_empty() {
                device.cmd_bind_descriptor_sets(run.commands, point, self.layout, 0, &self.sets, &[]);
            }
            if interface.push.size > 0 {
                let bytes = content::block(&interface.push, seed, 9999);
                device.cmd_push_constants(run.commands, self.layout, vk::ShaderStageFlags::ALL, 0, &bytes);
            }
        }
    }

    /// Adds the contents of the storage buffers and storage images after the run.
    fn results(&self, run: &Run<'_>, images: &[Buffer], results: &mut Results) -> Result<()> {
        for (place, buffer, floats) in &self.buffers {
            let floats = Some(floats.clone());
            results.insert(place.clone(), Written { bytes: run.read(*buffer)?, encoding: Encoding::Int(32), floats });
        }
        for ((place, _, (encoding, _)), buffer) in self.images.iter().zip(images) {
            results.insert(place.clone(), Written { bytes: run.read(*buffer)?, encoding: *encoding, floats: None });
        }
        Ok(())
    }

    /// Records the copies of the storage images to buffers.
    fn read_back(&self, run: &mut Run<'_>) -> Result<Vec<Buffer>> {
        run.wait();
        let mut buffers = Vec::new();
        for (_, bound, (encoding, width)) in &self.images {
            let texels = bound.extent.width * bound.extent.height * bound.extent.depth * bound.layers;
            let buffer = run.buffer(&vec![0; (texels * width) as usize * encoding.bytes()])?;
            run.copy(*bound, 0, buffer, false);
            buffers.push(buffer);
        }
        run.wait();
        Ok(buffers)
    }
}

fn stage<'a>(
    module: vk::ShaderModule,
    stage: vk::ShaderStageFlags,
    name: &'a CString,
) -> vk::PipelineShaderStageCreateInfo<'a> {
    vk::PipelineShaderStageCreateInfo::default().stage(stage).module(module).name(name)
}

fn compute(device: &Device, words: &[u32], entry: &str, interface: &Interface, seed: u32) -> Result<Results> {
    let mut run = Run::new(device)?;
    let of = descriptors(&mut run, interface, seed)?;
    let module = run.module(words)?;
    let name = CString::new(entry).map_err(|error| error.to_string())?;
    let create = vk::ComputePipelineCreateInfo::default().layout(of.layout).stage(stage(
        module,
        vk::ShaderStageFlags::COMPUTE,
        &name,
    ));
    // SAFETY: the module and the layout exist.
    let pipeline = unsafe { device.device.create_compute_pipelines(vk::PipelineCache::null(), &[create], None) };
    let pipeline = pipeline.map_err(|error| format!("vkCreateComputePipelines: {:?}", error.1))?[0];
    run.pipelines.push(pipeline);
    let point = vk::PipelineBindPoint::COMPUTE;
    of.bind(&run, interface, point, seed);
    // SAFETY: the pipeline and its resources are bound.
    unsafe {
        device.device.cmd_bind_pipeline(run.commands, point, pipeline);
        device.device.cmd_dispatch(run.commands, GROUPS, GROUPS, 1);
    }
    let images = of.read_back(&mut run)?;
    run.finish()?;
    let mut results = Results::new();
    of.results(&run, &images, &mut results)?;
    Ok(results)
}

/// The parts of a draw that vertex and fragment shaders share.
struct Draw<'a> {
    stages: Vec<vk::PipelineShaderStageCreateInfo<'a>>,
    layout: vk::PipelineLayout,
    /// The location and the type of each attribute.
    attributes: Vec<(u32, Scalar)>,
    topology: vk::PrimitiveTopology,
    discards: bool,
    targets: Vec<vk::Format>,
    depth: bool,
}

fn pipeline(run: &mut Run<'_>, draw: &Draw<'_>) -> Result<vk::Pipeline> {
    let bindings: Vec<_> = draw
        .attributes
        .iter()
        .zip(0..)
        .map(|(_, binding)| vk::VertexInputBindingDescription {
            binding,
            stride: 16,
            input_rate: vk::VertexInputRate::VERTEX,
        })
        .collect();
    let attributes: Vec<_> = draw
        .attributes
        .iter()
        .zip(0..)
        .map(|(&(location, scalar), binding)| vk::VertexInputAttributeDescription {
            location,
            binding,
            format: format_of(scalar),
            offset: 0,
        })
        .collect();
    let input = vk::PipelineVertexInputStateCreateInfo::default()
        .vertex_binding_descriptions(&bindings)
        .vertex_attribute_descriptions(&attributes);
    let assembly = vk::PipelineInputAssemblyStateCreateInfo::default().topology(draw.topology);
    let viewports =
        [vk::Viewport { x: 0.0, y: 0.0, width: SIZE as f32, height: SIZE as f32, min_depth: 0.0, max_depth: 1.0 }];
    let scissors = [vk::Rect2D { offset: vk::Offset2D::default(), extent: vk::Extent2D { width: SIZE, height: SIZE } }];
    let viewport = vk::PipelineViewportStateCreateInfo::default().viewports(&viewports).scissors(&scissors);
    let raster = vk::PipelineRasterizationStateCreateInfo::default()
        .front_face(vk::FrontFace::CLOCKWISE)
        .rasterizer_discard_enable(draw.discards)
        .line_width(1.0);
    let samples = vk::PipelineMultisampleStateCreateInfo::default().rasterization_samples(vk::SampleCountFlags::TYPE_1);
    let depth = vk::PipelineDepthStencilStateCreateInfo::default()
        .depth_test_enable(draw.depth)
        .depth_write_enable(draw.depth)
        .depth_compare_op(vk::CompareOp::ALWAYS);
    let blends: Vec<_> = draw
        .targets
        .iter()
        .map(|_| vk::PipelineColorBlendAttachmentState::default().color_write_mask(vk::ColorComponentFlags::RGBA))
        .collect();
    let blend = vk::PipelineColorBlendStateCreateInfo::default().attachments(&blends);
    let mut rendering = vk::PipelineRenderingCreateInfo::default().color_attachment_formats(&draw.targets);
    if draw.depth {
        rendering = rendering.depth_attachment_format(vk::Format::D32_SFLOAT);
    }
    let create = vk::GraphicsPipelineCreateInfo::default()
        .stages(&draw.stages)
        .vertex_input_state(&input)
        .input_assembly_state(&assembly)
        .viewport_state(&viewport)
        .rasterization_state(&raster)
        .multisample_state(&samples)
        .depth_stencil_state(&depth)
        .color_blend_state(&blend)
        .layout(draw.layout)
        .push_next(&mut rendering);
    // SAFETY: the modules and the layout exist.
    let made = unsafe { run.device.device.create_graphics_pipelines(vk::PipelineCache::null(), &[create], None) };
    let made = made.map_err(|error| format!("vkCreateGraphicsPipelines: {:?}", error.1))?[0];
    run.pipelines.push(made);
    Ok(made)
}

/// Returns the locations of inputs, with the type of each.
pub(super) fn locations(inputs: &[Leaf]) -> BTreeMap<u32, Scalar> {
    inputs
        .iter()
        .filter_map(|leaf| match leaf.slot {
            Slot::Location(location, _) => Some((location, leaf.scalar)),
            _ => None,
        })
        .collect()
}

/// Binds a buffer with four components a vertex for each attribute.
fn attributes(run: &mut Run<'_>, attributes: &[(u32, Scalar)], vertices: u32, seed: u32) -> Result<()> {
    for (number, &(location, scalar)) in attributes.iter().enumerate() {
        let words = (0..4 * vertices).map(|at| content::attribute(scalar, seed, 7000 + location, at));
        let bytes: Vec<u8> = words.flat_map(u32::to_le_bytes).collect();
        let buffer = run.buffer(&bytes)?;
        // SAFETY: the buffer has a record for each vertex.
        unsafe { run.device.device.cmd_bind_vertex_buffers(run.commands, number as u32, &[buffer.buffer], &[0]) };
    }
    Ok(())
}

fn begin(run: &Run<'_>, targets: &[(Bound, Scalar)], depth: Option<Bound>) {
    let clear = |scalar| vk::ClearValue {
        color: match scalar {
            Scalar::Float => vk::ClearColorValue { float32: [CLEAR.into(); 4] },
            _ => vk::ClearColorValue { uint32: [CLEAR.into(); 4] },
        },
    };
    let attachment = |of: &Bound, clear| {
        vk::RenderingAttachmentInfo::default()
            .image_view(of.view)
            .image_layout(vk::ImageLayout::GENERAL)
            .load_op(vk::AttachmentLoadOp::CLEAR)
            .store_op(vk::AttachmentStoreOp::STORE)
            .clear_value(clear)
    };
    let colours: Vec<_> = targets.iter().map(|(of, scalar)| attachment(of, clear(*scalar))).collect();
    let far = vk::ClearValue { depth_stencil: vk::ClearDepthStencilValue { depth: 1.0, stencil: 0 } };
    let depth = depth.map(|of| attachment(&of, far));
    let area = vk::Rect2D { offset: vk::Offset2D::default(), extent: vk::Extent2D { width: SIZE, height: SIZE } };
    let mut info = vk::RenderingInfo::default().render_area(area).layer_count(1).color_attachments(&colours);
    if let Some(depth) = &depth {
        info = info.depth_attachment(depth);
    }
    // SAFETY: the attachments are in the general layout.
    unsafe { run.device.device.cmd_begin_rendering(run.commands, &info) };
}

fn vertex(device: &Device, words: &[u32], entry: &str, interface: &Interface, seed: u32) -> Result<Results> {
    let (words, outputs, stride) = captured(Parsed::new(words)?)?;
    let mut run = Run::new(device)?;
    let of = descriptors(&mut run, interface, seed)?;
    let module = run.module(&words)?;
    let name = CString::new(entry).map_err(|error| error.to_string())?;
    let list: Vec<(u32, Scalar)> = locations(&interface.inputs).into_iter().collect();
    let draw = Draw {
        stages: vec![stage(module, vk::ShaderStageFlags::VERTEX, &name)],
        layout: of.layout,
        attributes: list.clone(),
        topology: vk::PrimitiveTopology::POINT_LIST,
        discards: true,
        targets: Vec::new(),
        depth: false,
    };
    let pipeline = pipeline(&mut run, &draw)?;
    attributes(&mut run, &list, VERTICES, seed)?;
    let buffer = run.buffer(&vec![0; (stride * VERTICES * INSTANCES) as usize])?;
    of.bind(&run, interface, vk::PipelineBindPoint::GRAPHICS, seed);
    begin(&run, &[], None);
    // SAFETY: the buffer has a record for each vertex of each instance.
    unsafe {
        device.device.cmd_bind_pipeline(run.commands, vk::PipelineBindPoint::GRAPHICS, pipeline);
        let feedback = device.feedback.fp();
        (feedback.cmd_bind_transform_feedback_buffers_ext)(run.commands, 0, 1, &buffer.buffer, &0, std::ptr::null());
        (feedback.cmd_begin_transform_feedback_ext)(run.commands, 0, 0, std::ptr::null(), std::ptr::null());
        device.device.cmd_draw(run.commands, VERTICES, INSTANCES, 0, 0);
        (feedback.cmd_end_transform_feedback_ext)(run.commands, 0, 0, std::ptr::null(), std::ptr::null());
        device.device.cmd_end_rendering(run.commands);
    }
    let images = of.read_back(&mut run)?;
    run.finish()?;
    let bytes = run.read(buffer)?;
    let mut results = Results::new();
    for (leaf, at) in outputs {
        components(&bytes, (leaf, at), stride, &mut results);
    }
    of.results(&run, &images, &mut results)?;
    Ok(results)
}

/// Adds each component of an output, so that a vector equals its parts.
fn components(bytes: &[u8], (leaf, at): Captured, stride: u32, results: &mut Results) {
    for lane in 0..leaf.width {
        let record = (0..VERTICES * INSTANCES).map(|vertex| (vertex * stride + at + 4 * lane) as usize);
        let bytes = record.filter_map(|at| bytes.get(at..at + 4)).flatten().copied().collect();
        let encoding = if leaf.scalar == Scalar::Float { Encoding::Float } else { Encoding::Int(32) };
        results.insert(slot_name(leaf.slot, lane), Written { bytes, encoding, floats: None });
    }
}

/// Returns a vertex shader that passes an attribute to each location that a fragment shader reads.
fn passing_shader(inputs: &BTreeMap<u32, (Scalar, u32)>) -> Result<Vec<u32>> {
    let varying = |(&location, &(scalar, width)): (&u32, &(Scalar, u32))| {
        let (component, interpolation) = match scalar {
            Scalar::Float => (sdlbc::Scalar::Float, Interpolation::Perspective),
            Scalar::Int => (sdlbc::Scalar::Int, Interpolation::Flat),
            Scalar::Uint => (sdlbc::Scalar::Uint, Interpolation::Flat),
        };
        (location, Type::Vector(component, u8::try_from(width).unwrap_or(4)), interpolation)
    };
    let function = passing::passing("main", (1..).zip(inputs.iter().map(varying)))?;
    let module = Module { functions: vec![function], ..Module::default() };
    let layout = backends::Layout { flip_y: Some(false), ..backends::Layout::default() };
    backends::spirv(&module, &layout).map_err(|error| error.to_string())
}

fn fragment(device: &Device, words: &[u32], entry: &str, interface: &Interface, seed: u32) -> Result<Results> {
    let mut inputs: BTreeMap<u32, (Scalar, u32)> = BTreeMap::new();
    for leaf in &interface.inputs {
        let Slot::Location(location, first) = leaf.slot else { continue };
        let of = inputs.entry(location).or_insert((leaf.scalar, 0));
        of.1 = of.1.max(first + leaf.width);
    }
    let mut run = Run::new(device)?;
    let of = descriptors(&mut run, interface, seed)?;
    let (before, module) = (run.module(&passing_shader(&inputs)?)?, run.module(words)?);
    let (name, main) = (CString::new(entry).map_err(|error| error.to_string())?, CString::from(c"main"));
    let list: Vec<(u32, Scalar)> = std::iter::once(Scalar::Float)
        .chain(inputs.values().map(|of| of.0))
        .zip(0..)
        .map(|(scalar, at)| (at, scalar))
        .collect();
    let colours = locations(&interface.outputs);
    let last = colours.keys().max().map_or(0, |last| last + 1);
    let scalars: Vec<Scalar> = (0..last).map(|at| colours.get(&at).copied().unwrap_or(Scalar::Float)).collect();
    let targets: Vec<vk::Format> = scalars.iter().copied().map(format_of).collect();
    let has_depth = interface.outputs.iter().any(|leaf| leaf.slot == Slot::Depth);
    let draw = Draw {
        stages: vec![
            stage(before, vk::ShaderStageFlags::VERTEX, &main),
            stage(module, vk::ShaderStageFlags::FRAGMENT, &name),
        ],
        layout: of.layout,
        attributes: list.clone(),
        topology: vk::PrimitiveTopology::TRIANGLE_STRIP,
        discards: false,
        targets: targets.clone(),
        depth: has_depth,
    };
    let pipeline = pipeline(&mut run, &draw)?;
    attributes(&mut run, &list, 4, seed)?;
    let corners: Vec<u8> = CORNERS.as_flattened().iter().flat_map(|number| number.to_le_bytes()).collect();
    let corners = run.buffer(&corners)?;
    let flat = |scalar| Image { dim: Dim::Dim2D, arrayed: false, scalar, format: rspirv::spirv::ImageFormat::Unknown };
    assert_eq!(SIZE, EXTENT, "a target has the extent of an image");
    let images: Vec<Bound> =
        targets.iter().map(|&format| run.image(flat(Scalar::Float), format, 1)).collect::<Result<_>>()?;
    let depth = has_depth.then(|| run.image(flat(Scalar::Float), vk::Format::D32_SFLOAT, 1)).transpose()?;
    of.bind(&run, interface, vk::PipelineBindPoint::GRAPHICS, seed);
    let cleared: Vec<_> = images.iter().copied().zip(scalars).collect();
    begin(&run, &cleared, depth);
    // SAFETY: the attributes have a record for each of four vertices.
    unsafe {
        device.device.cmd_bind_vertex_buffers(run.commands, 0, &[corners.buffer], &[0]);
        device.device.cmd_bind_pipeline(run.commands, vk::PipelineBindPoint::GRAPHICS, pipeline);
        device.device.cmd_draw(run.commands, 4, 1, 0, 0);
        device.device.cmd_end_rendering(run.commands);
    }
    run.wait();
    let mut read = Vec::new();
    for &of in images.iter().chain(&depth) {
        let buffer = run.buffer(&vec![0; (SIZE * SIZE * 16) as usize])?;
        run.copy(of, 0, buffer, false);
        read.push(buffer);
    }
    let stored = of.read_back(&mut run)?;
    run.finish()?;
    let mut results = Results::new();
    // A target has four components, of which a shader may leave some undefined.
    for leaf in &interface.outputs {
        let (number, first) = match leaf.slot {
            Slot::Location(location, first) => (location as usize, first),
            Slot::Depth => (images.len(), 0),
            _ => continue,
        };
        let step = if leaf.slot == Slot::Depth { 4 } else { 16 };
        let bytes = run.read(read[number])?;
        for lane in first..first + leaf.width {
            let part = (0..SIZE * SIZE).filter_map(|at| bytes.get((at * step + 4 * lane) as usize..)?.get(..4));
            let encoding = if leaf.scalar == Scalar::Float { Encoding::Float } else { Encoding::Int(32) };
            let written = Written { bytes: part.flatten().copied().collect(), encoding, floats: None };
            results.insert(slot_name(leaf.slot, lane - first), written);
        }
    }
    of.results(&run, &stored, &mut results)?;
    Ok(results)
}

/// Runs a shader with the resources of `interface`, which may be those of the original.
///
/// # Errors
/// Returns the call of Vulkan that failed, or the part of the shader that is not bound.
pub fn run(device: &Device, words: &[u32], entry: &str, interface: &Interface, seed: u32) -> Result<Results> {
    match interface.model {
        Some(ExecutionModel::Vertex) => vertex(device, words, entry, interface, seed),
        Some(ExecutionModel::Fragment) => fragment(device, words, entry, interface, seed),
        Some(ExecutionModel::GLCompute) => compute(device, words, entry, interface, seed),
        model => Err(format!("a shader of the stage {model:?}")),
    }
}
