//! Draws a lit square with Vulkan 1.0, without a window, and writes the picture to `lit.ppm`. docs/vulkan.md describes this
//! example.
//!
//! The program reads `lit.spv` in the working folder. The sets, bindings, locations and sizes in this file are copied from
//! `lit.json`.

use ash::vk;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

const SIDE: u32 = 256;
const COLOUR: vk::Format = vk::Format::R8G8B8A8_UNORM;

/// The position, texture coordinate and normal of each corner.
const VERTICES: [[f32; 8]; 4] = [
    [-1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, -1.0],
    [1.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0, -1.0],
    [1.0, -1.0, 0.0, 1.0, 1.0, 0.0, 0.0, -1.0],
    [-1.0, -1.0, 0.0, 0.0, 1.0, 0.0, 0.0, -1.0],
];
const INDICES: [u16; 6] = [0, 1, 2, 0, 2, 3];
const TEXELS: [[u8; 4]; 4] = [[200, 120, 60, 255], [240, 230, 210, 255], [240, 230, 210, 255], [200, 120, 60, 255]];

/// The vertex constants. The registers vc0 to vc3 contain the rows of the matrix that transforms positions to clip space, and vc4
/// contains the eye's position.
const VC: [[f32; 4]; 5] =
    [[0.8, 0.0, 0.0, 0.0], [0.0, 0.8, 0.0, 0.0], [0.0, 0.0, 0.0, 0.5], [0.0, 0.0, 0.0, 1.0], [0.0, 0.0, -3.0, 1.0]];
/// The fragment constants. The register fc0 contains the direction to the light. fc1 contains the ambient light and the
/// highlight's exponent and strength. fc2 contains the light's colour.
const FC: [[f32; 4]; 3] = [[0.48, 0.64, -0.6, 0.0], [0.2, 40.0, 0.5, 0.0], [0.9, 0.85, 0.75, 1.0]];

/// A device with a queue and a command buffer. The program destroys no objects, because it ends after one picture.
struct Vulkan {
    // The Vulkan library must stay loaded, because it contains the functions that the device calls.
    _entry: ash::Entry,
    instance: ash::Instance,
    physical: vk::PhysicalDevice,
    device: ash::Device,
    queue: vk::Queue,
    commands: vk::CommandBuffer,
}

impl Vulkan {
    unsafe fn new() -> Result<Vulkan> {
        // SAFETY: the library is Vulkan's loader, and all created objects live until the program ends.
        unsafe {
            let entry = ash::Entry::load()?;
            let application = vk::ApplicationInfo::default().api_version(vk::API_VERSION_1_0);
            let instance =
                entry.create_instance(&vk::InstanceCreateInfo::default().application_info(&application), None)?;
            let physical = *instance.enumerate_physical_devices()?.first().ok_or("there is no device")?;
            let families = instance.get_physical_device_queue_family_properties(physical);
            let draws = |family: &vk::QueueFamilyProperties| family.queue_flags.contains(vk::QueueFlags::GRAPHICS);
            let family = families.iter().position(draws).ok_or("the device cannot draw")? as u32;
            let queues = [vk::DeviceQueueCreateInfo::default().queue_family_index(family).queue_priorities(&[1.0])];
            let info = vk::DeviceCreateInfo::default().queue_create_infos(&queues);
            let device = instance.create_device(physical, &info, None)?;
            let queue = device.get_device_queue(family, 0);
            let info = vk::CommandPoolCreateInfo::default().queue_family_index(family);
            let pool = device.create_command_pool(&info, None)?;
            let info = vk::CommandBufferAllocateInfo::default().command_pool(pool).command_buffer_count(1);
            let commands = device.allocate_command_buffers(&info)?[0];
            device.begin_command_buffer(commands, &vk::CommandBufferBeginInfo::default())?;
            Ok(Vulkan { _entry: entry, instance, physical, device, queue, commands })
        }
    }

    unsafe fn memory(
        &self,
        needs: vk::MemoryRequirements,
        wanted: vk::MemoryPropertyFlags,
    ) -> Result<vk::DeviceMemory> {
        // SAFETY: the device is alive.
        unsafe {
            let memory = self.instance.get_physical_device_memory_properties(self.physical);
            let fits = |&number: &usize| {
                let flags = memory.memory_types[number].property_flags;
                needs.memory_type_bits & 1 << number != 0 && flags.contains(wanted)
            };
            let number = (0..memory.memory_type_count as usize).find(fits).ok_or("there is no such memory")?;
            let info = vk::MemoryAllocateInfo::default().allocation_size(needs.size).memory_type_index(number as u32);
            Ok(self.device.allocate_memory(&info, None)?)
        }
    }

    /// Creates a buffer that the host can read and write, and maps its bytes.
    unsafe fn buffer(&self, usage: vk::BufferUsageFlags, size: usize) -> Result<(vk::Buffer, &'static mut [u8])> {
        // SAFETY: the memory is mapped once, is as large as the buffer, and stays mapped.
        unsafe {
            let buffer =
                self.device.create_buffer(&vk::BufferCreateInfo::default().size(size as u64).usage(usage), None)?;
            let visible = vk::MemoryPropertyFlags::HOST_VISIBLE | vk::MemoryPropertyFlags::HOST_COHERENT;
            let memory = self.memory(self.device.get_buffer_memory_requirements(buffer), visible)?;
            self.device.bind_buffer_memory(buffer, memory, 0)?;
            let start = self.device.map_memory(memory, 0, size as u64, vk::MemoryMapFlags::empty())?;
            Ok((buffer, std::slice::from_raw_parts_mut(start.cast(), size)))
        }
    }

    unsafe fn filled<T, const N: usize>(&self, usage: vk::BufferUsageFlags, numbers: &[T; N]) -> Result<vk::Buffer> {
        // SAFETY: numbers and arrays of numbers have no padding.
        unsafe {
            let bytes = std::slice::from_raw_parts(numbers.as_ptr().cast::<u8>(), size_of_val(numbers));
            let (buffer, memory) = self.buffer(usage, bytes.len())?;
            memory.copy_from_slice(bytes);
            Ok(buffer)
        }
    }

    /// Creates an image with one mip level, and a view of the image.
    unsafe fn image(&self, side: u32, usage: vk::ImageUsageFlags) -> Result<(vk::Image, vk::ImageView)> {
        let info = vk::ImageCreateInfo::default()
            .image_type(vk::ImageType::TYPE_2D)
            .format(COLOUR)
            .extent(extent(side))
            .mip_levels(1)
            .array_layers(1)
            .samples(vk::SampleCountFlags::TYPE_1)
            .usage(usage);
        // SAFETY: the device is alive.
        unsafe {
            let image = self.device.create_image(&info, None)?;
            let needs = self.device.get_image_memory_requirements(image);
            let memory = self.memory(needs, vk::MemoryPropertyFlags::DEVICE_LOCAL)?;
            self.device.bind_image_memory(image, memory, 0)?;
            let info = vk::ImageViewCreateInfo::default().image(image).view_type(vk::ImageViewType::TYPE_2D);
            Ok((image, self.device.create_image_view(&info.format(COLOUR).subresource_range(WHOLE), None)?))
        }
    }

    /// Creates the texture, and records its upload in the command buffer.
    unsafe fn texture(&self) -> Result<vk::ImageView> {
        // SAFETY: the image and the buffer live until the commands have run.
        unsafe {
            let (image, view) = self.image(2, vk::ImageUsageFlags::SAMPLED | vk::ImageUsageFlags::TRANSFER_DST)?;
            let texels = self.filled(vk::BufferUsageFlags::TRANSFER_SRC, &TEXELS)?;
            let (undefined, written) = (vk::ImageLayout::UNDEFINED, vk::ImageLayout::TRANSFER_DST_OPTIMAL);
            let change = vk::ImageMemoryBarrier::default().image(image).subresource_range(WHOLE);
            let (top, transfer, fragment) = (
                vk::PipelineStageFlags::TOP_OF_PIPE,
                vk::PipelineStageFlags::TRANSFER,
                vk::PipelineStageFlags::FRAGMENT_SHADER,
            );
            let none = vk::DependencyFlags::empty();
            let before =
                change.old_layout(undefined).new_layout(written).dst_access_mask(vk::AccessFlags::TRANSFER_WRITE);
            self.device.cmd_pipeline_barrier(self.commands, top, transfer, none, &[], &[], &[before]);
            self.device.cmd_copy_buffer_to_image(self.commands, texels, image, written, &[copy(2)]);
            let after = change
                .old_layout(written)
                .new_layout(vk::ImageLayout::SHADER_READ_ONLY_OPTIMAL)
                .src_access_mask(vk::AccessFlags::TRANSFER_WRITE)
                .dst_access_mask(vk::AccessFlags::SHADER_READ);
            self.device.cmd_pipeline_barrier(self.commands, transfer, fragment, none, &[], &[], &[after]);
            Ok(view)
        }
    }

    /// Creates the descriptor sets for the constants and the texture, and the layouts of these sets.
    unsafe fn sets(&self) -> Result<(Vec<vk::DescriptorSetLayout>, Vec<vk::DescriptorSet>)> {
        let (uniform, combined) = (vk::DescriptorType::UNIFORM_BUFFER, vk::DescriptorType::COMBINED_IMAGE_SAMPLER);
        let binding = |binding, kind, stage| {
            let described = vk::DescriptorSetLayoutBinding::default().binding(binding).descriptor_type(kind);
            described.descriptor_count(1).stage_flags(stage)
        };
        let (vertex, fragment) = (vk::ShaderStageFlags::VERTEX, vk::ShaderStageFlags::FRAGMENT);
        // Set 0 contains the constants vc and fc, and set 1 contains the texture fs0.
        let bindings =
            [vec![binding(0, uniform, vertex), binding(1, uniform, fragment)], vec![binding(0, combined, fragment)]];
        // The sampler has the settings of the instruction `tex` in the AGAL program: <2d,linear,miplinear,repeat>.
        let sampler = vk::SamplerCreateInfo::default()
            .mag_filter(vk::Filter::LINEAR)
            .min_filter(vk::Filter::LINEAR)
            .mipmap_mode(vk::SamplerMipmapMode::LINEAR)
            .max_lod(vk::LOD_CLAMP_NONE);
        // SAFETY: all objects to which the sets refer live until the commands have run.
        unsafe {
            let layouts = bindings.iter().map(|bindings| {
                let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(bindings);
                self.device.create_descriptor_set_layout(&info, None)
            });
            let layouts = layouts.collect::<std::result::Result<Vec<_>, _>>()?;
            let sizes = [uniform, combined].map(|ty| vk::DescriptorPoolSize { ty, descriptor_count: 2 });
            let info = vk::DescriptorPoolCreateInfo::default().max_sets(2).pool_sizes(&sizes);
            let pool = self.device.create_descriptor_pool(&info, None)?;
            let info = vk::DescriptorSetAllocateInfo::default().descriptor_pool(pool).set_layouts(&layouts);
            let sets = self.device.allocate_descriptor_sets(&info)?;
            let vc = self.filled(vk::BufferUsageFlags::UNIFORM_BUFFER, &VC)?;
            let fc = self.filled(vk::BufferUsageFlags::UNIFORM_BUFFER, &FC)?;
            let buffers =
                [vc, fc].map(|buffer| [vk::DescriptorBufferInfo { buffer, offset: 0, range: vk::WHOLE_SIZE }]);
            let image = [vk::DescriptorImageInfo {
                sampler: self.device.create_sampler(&sampler, None)?,
                image_view: self.texture()?,
                image_layout: vk::ImageLayout::SHADER_READ_ONLY_OPTIMAL,
            }];
            let write = |set: usize, binding, kind| {
                vk::WriteDescriptorSet::default().dst_set(sets[set]).dst_binding(binding).descriptor_type(kind)
            };
            let writes = [
                write(0, 0, uniform).buffer_info(&buffers[0]),
                write(0, 1, uniform).buffer_info(&buffers[1]),
                write(1, 0, combined).image_info(&image),
            ];
            self.device.update_descriptor_sets(&writes, &[]);
            Ok((layouts, sets))
        }
    }

    /// Creates a render pass that clears the colour target and leaves it in the layout from which pixels can be copied.
    unsafe fn pass(&self) -> Result<vk::RenderPass> {
        let attachments = [vk::AttachmentDescription::default()
            .format(COLOUR)
            .samples(vk::SampleCountFlags::TYPE_1)
            .load_op(vk::AttachmentLoadOp::CLEAR)
            .store_op(vk::AttachmentStoreOp::STORE)
            .final_layout(vk::ImageLayout::TRANSFER_SRC_OPTIMAL)];
        let colours = [vk::AttachmentReference { attachment: 0, layout: vk::ImageLayout::COLOR_ATTACHMENT_OPTIMAL }];
        let passes = [vk::SubpassDescription::default().color_attachments(&colours)];
        let copied = [vk::SubpassDependency::default()
            .dst_subpass(vk::SUBPASS_EXTERNAL)
            .src_stage_mask(vk::PipelineStageFlags::COLOR_ATTACHMENT_OUTPUT)
            .src_access_mask(vk::AccessFlags::COLOR_ATTACHMENT_WRITE)
            .dst_stage_mask(vk::PipelineStageFlags::TRANSFER)
            .dst_access_mask(vk::AccessFlags::TRANSFER_READ)];
        let info = vk::RenderPassCreateInfo::default().attachments(&attachments).subpasses(&passes);
        // SAFETY: all data to which the description refers outlive the call.
        Ok(unsafe { self.device.create_render_pass(&info.dependencies(&copied), None) }?)
    }

    unsafe fn pipeline(&self, code: &[u8], layout: vk::PipelineLayout, pass: vk::RenderPass) -> Result<vk::Pipeline> {
        let words = ash::util::read_spv(&mut std::io::Cursor::new(code))?;
        let attribute =
            |location, format, offset| vk::VertexInputAttributeDescription { location, binding: 0, format, offset };
        let buffers = [vk::VertexInputBindingDescription::default().stride(32)];
        let attributes = [
            attribute(0, vk::Format::R32G32B32_SFLOAT, 0),  // va0
            attribute(1, vk::Format::R32G32_SFLOAT, 12),    // va1
            attribute(2, vk::Format::R32G32B32_SFLOAT, 20), // va2
        ];
        let input = vk::PipelineVertexInputStateCreateInfo::default()
            .vertex_binding_descriptions(&buffers)
            .vertex_attribute_descriptions(&attributes);
        let assembly =
            vk::PipelineInputAssemblyStateCreateInfo::default().topology(vk::PrimitiveTopology::TRIANGLE_LIST);
        // The shader negates y, so the viewport is not flipped.
        let viewports = [vk::Viewport::default().width(SIDE as f32).height(SIDE as f32).max_depth(1.0)];
        let scissors = [AREA];
        let viewport = vk::PipelineViewportStateCreateInfo::default().viewports(&viewports).scissors(&scissors);
        let raster = vk::PipelineRasterizationStateCreateInfo::default()
            .cull_mode(vk::CullModeFlags::BACK)
            .front_face(vk::FrontFace::CLOCKWISE) // as in Stage3D
            .line_width(1.0);
        let samples =
            vk::PipelineMultisampleStateCreateInfo::default().rasterization_samples(vk::SampleCountFlags::TYPE_1);
        let written =
            [vk::PipelineColorBlendAttachmentState::default().color_write_mask(vk::ColorComponentFlags::RGBA)];
        let blend = vk::PipelineColorBlendStateCreateInfo::default().attachments(&written);
        // SAFETY: the words are a valid module, and all data to which the description refers outlive the call.
        unsafe {
            // One SPIR-V module contains an entry point for each stage.
            let module = self.device.create_shader_module(&vk::ShaderModuleCreateInfo::default().code(&words), None)?;
            let stage =
                |stage, name| vk::PipelineShaderStageCreateInfo::default().stage(stage).module(module).name(name);
            let stages =
                [stage(vk::ShaderStageFlags::VERTEX, c"vs_main"), stage(vk::ShaderStageFlags::FRAGMENT, c"fs_main")];
            let info = vk::GraphicsPipelineCreateInfo::default()
                .stages(&stages)
                .vertex_input_state(&input)
                .input_assembly_state(&assembly)
                .viewport_state(&viewport)
                .rasterization_state(&raster)
                .multisample_state(&samples)
                .color_blend_state(&blend)
                .layout(layout)
                .render_pass(pass);
            let made = self.device.create_graphics_pipelines(vk::PipelineCache::null(), &[info], None);
            Ok(made.map_err(|(_, error)| error)?[0])
        }
    }

    /// Draws the square, and returns the picture's pixels from top to bottom. Each pixel has four bytes.
    unsafe fn draw(&self, code: &[u8]) -> Result<Vec<u8>> {
        // SAFETY: all objects in the recorded commands live until the queue is idle.
        unsafe {
            let (layouts, sets) = self.sets()?;
            let layout = vk::PipelineLayoutCreateInfo::default().set_layouts(&layouts);
            let layout = self.device.create_pipeline_layout(&layout, None)?;
            let pass = self.pass()?;
            let pipeline = self.pipeline(code, layout, pass)?;
            let usage = vk::ImageUsageFlags::COLOR_ATTACHMENT | vk::ImageUsageFlags::TRANSFER_SRC;
            let (target, view) = self.image(SIDE, usage)?;
            let views = [view];
            let frame = vk::FramebufferCreateInfo::default().render_pass(pass).attachments(&views);
            let frame = self.device.create_framebuffer(&frame.width(SIDE).height(SIDE).layers(1), None)?;
            let vertices = self.filled(vk::BufferUsageFlags::VERTEX_BUFFER, &VERTICES)?;
            let indices = self.filled(vk::BufferUsageFlags::INDEX_BUFFER, &INDICES)?;
            let (pixels, memory) = self.buffer(vk::BufferUsageFlags::TRANSFER_DST, (4 * SIDE * SIDE) as usize)?;

            let float32 = [28.0 / 255.0, 34.0 / 255.0, 43.0 / 255.0, 1.0];
            let clear = [vk::ClearValue { color: vk::ClearColorValue { float32 } }];
            let begin = vk::RenderPassBeginInfo::default().render_pass(pass).framebuffer(frame).render_area(AREA);
            let (device, commands) = (&self.device, self.commands);
            device.cmd_begin_render_pass(commands, &begin.clear_values(&clear), vk::SubpassContents::INLINE);
            device.cmd_bind_pipeline(commands, vk::PipelineBindPoint::GRAPHICS, pipeline);
            device.cmd_bind_descriptor_sets(commands, vk::PipelineBindPoint::GRAPHICS, layout, 0, &sets, &[]);
            device.cmd_bind_vertex_buffers(commands, 0, &[vertices], &[0]);
            device.cmd_bind_index_buffer(commands, indices, 0, vk::IndexType::UINT16);
            device.cmd_draw_indexed(commands, INDICES.len() as u32, 1, 0, 0, 0);
            device.cmd_end_render_pass(commands);
            let source = vk::ImageLayout::TRANSFER_SRC_OPTIMAL;
            device.cmd_copy_image_to_buffer(commands, target, source, pixels, &[copy(SIDE)]);
            device.end_command_buffer(commands)?;
            let recorded = [commands];
            let submit = vk::SubmitInfo::default().command_buffers(&recorded);
            device.queue_submit(self.queue, &[submit], vk::Fence::null())?;
            device.queue_wait_idle(self.queue)?;
            Ok(memory.to_vec())
        }
    }
}

const AREA: vk::Rect2D =
    vk::Rect2D { offset: vk::Offset2D { x: 0, y: 0 }, extent: vk::Extent2D { width: SIDE, height: SIDE } };
const WHOLE: vk::ImageSubresourceRange = vk::ImageSubresourceRange {
    aspect_mask: vk::ImageAspectFlags::COLOR,
    base_mip_level: 0,
    level_count: 1,
    base_array_layer: 0,
    layer_count: 1,
};

fn extent(side: u32) -> vk::Extent3D {
    vk::Extent3D { width: side, height: side, depth: 1 }
}

/// Describes a copy of all pixels between an image and a buffer.
fn copy(side: u32) -> vk::BufferImageCopy {
    let layers = vk::ImageSubresourceLayers::default().aspect_mask(vk::ImageAspectFlags::COLOR).layer_count(1);
    vk::BufferImageCopy::default().image_subresource(layers).image_extent(extent(side))
}

fn main() -> Result<()> {
    let code = std::fs::read("lit.spv").map_err(|error| format!("lit.spv: {error}"))?;
    // SAFETY: the program destroys no object before it ends.
    let pixels = unsafe { Vulkan::new()?.draw(&code)? };
    let mut file = format!("P6 {SIDE} {SIDE} 255\n").into_bytes();
    file.extend(pixels.chunks(4).flat_map(|pixel| &pixel[..3]));
    Ok(std::fs::write("lit.ppm", file)?)
}
