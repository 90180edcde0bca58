//! Draws once with Vulkan: creates targets and descriptor sets, records commands, and reads back the pixels.

use ash::vk;
use backends::Passed;
use sdlbc::{Dimension, Sampler};
use sdlbc_interp::{Draw, Texture};

use super::pipeline::{Pipeline, descriptor, flag, pipeline};
use super::{COLOUR, DEPTH, Image, Made, Vulkan, failed, whole};
use crate::scenes::Targets;
use crate::shader::{STAGES, Translated, repeats};

impl Vulkan {
    /// Draws a translated pair and returns its targets.
    ///
    /// # Errors
    /// Returns an error if the shader needs a feature that the client or the device lacks, or if Vulkan fails.
    pub fn draw(&self, shader: &Translated<'_>) -> Result<Targets, String> {
        draw(&mut Made { vulkan: self, last_first: Vec::new() }, shader)
    }
}

fn draw(made: &mut Made<'_>, shader: &Translated<'_>) -> Result<Targets, String> {
    let draw = shader.draw;
    let pass = render_pass(made, draw)?;
    let (colours, frame) = frame(made, draw, pass)?;
    let vertices = shader.vertices()?;
    let ready = pipeline(made, shader, &vertices, pass)?;
    let vertex_buffer = made.filled(&vertices.bytes, vk::BufferUsageFlags::VERTEX_BUFFER)?;
    let index_buffer = made.filled(&shader.indices(), vk::BufferUsageFlags::INDEX_BUFFER)?;
    let commands = commands(made)?;
    let sets = descriptor_sets(made, shader, &ready, commands)?;
    let device = made.device();
    let size = vk::Extent2D { width: draw.width, height: draw.height };
    let mut clear = vec![vk::ClearValue { color: vk::ClearColorValue { float32: draw.clear } }; draw.targets];
    clear.push(vk::ClearValue { depth_stencil: vk::ClearDepthStencilValue { depth: 1.0, stencil: 0 } });
    let area = vk::Rect2D { offset: vk::Offset2D::default(), extent: size };
    let begin = vk::RenderPassBeginInfo::default().render_pass(pass).framebuffer(frame).render_area(area);
    // SAFETY: the draw waits for the queue before it ends, and all recorded objects live until then.
    unsafe {
        device.cmd_begin_render_pass(commands, &begin.clear_values(&clear), vk::SubpassContents::INLINE);
        device.cmd_bind_pipeline(commands, vk::PipelineBindPoint::GRAPHICS, ready.pipeline);
        if !sets.is_empty() {
            let point = vk::PipelineBindPoint::GRAPHICS;
            device.cmd_bind_descriptor_sets(commands, point, ready.layout, 0, &sets, &[]);
        }
        for stage in STAGES {
            for block in shader.blocks(stage)?.iter().filter(|block| block.passed == Passed::Push) {
                device.cmd_push_constants(commands, ready.layout, flag(stage), block.offset, &block.bytes);
            }
        }
        device.cmd_bind_vertex_buffers(commands, 0, &[vertex_buffer], &[0]);
        device.cmd_bind_index_buffer(commands, index_buffer, 0, vk::IndexType::UINT32);
        device.cmd_draw_indexed(commands, draw.indices.len() as u32, draw.instances, 0, 0, 0);
        device.cmd_end_render_pass(commands);
    }
    read_back(made, draw, &colours, commands)
}

/// Creates a render pass that clears the targets before drawing and leaves them in the layout for copying.
fn render_pass(made: &mut Made<'_>, draw: &Draw) -> Result<vk::RenderPass, String> {
    let attachment = |format, layout| {
        vk::AttachmentDescription::default()
            .format(format)
            .samples(vk::SampleCountFlags::TYPE_1)
            .load_op(vk::AttachmentLoadOp::CLEAR)
            .store_op(vk::AttachmentStoreOp::STORE)
            .final_layout(layout)
    };
    let mut attachments = vec![attachment(COLOUR, vk::ImageLayout::TRANSFER_SRC_OPTIMAL); draw.targets];
    attachments.push(attachment(DEPTH, vk::ImageLayout::DEPTH_STENCIL_ATTACHMENT_OPTIMAL));
    let at = |number: usize, layout| vk::AttachmentReference { attachment: number as u32, layout };
    let colours: Vec<_> =
        (0..draw.targets).map(|number| at(number, vk::ImageLayout::COLOR_ATTACHMENT_OPTIMAL)).collect();
    let depth = at(draw.targets, vk::ImageLayout::DEPTH_STENCIL_ATTACHMENT_OPTIMAL);
    let passes = [vk::SubpassDescription::default().color_attachments(&colours).depth_stencil_attachment(&depth)];
    let copied = [vk::SubpassDependency::default()
        .dst_subpass(vk::SUBPASS_EXTERNAL)
        .src_stage_mask(vk::PipelineStageFlags::COLOR_ATTACHMENT_OUTPUT)
        .src_access_mask(vk::AccessFlags::COLOR_ATTACHMENT_WRITE)
        .dst_stage_mask(vk::PipelineStageFlags::TRANSFER)
        .dst_access_mask(vk::AccessFlags::TRANSFER_READ)];
    let info = vk::RenderPassCreateInfo::default().attachments(&attachments).subpasses(&passes).dependencies(&copied);
    // SAFETY: the render pass is destroyed with the draw's other objects.
    let pass = unsafe { made.device().create_render_pass(&info, None) }.map_err(failed("a render pass"))?;
    made.keep(move |device| unsafe { device.destroy_render_pass(pass, None) });
    Ok(pass)
}

fn frame(made: &mut Made<'_>, draw: &Draw, pass: vk::RenderPass) -> Result<(Vec<Image>, vk::Framebuffer), String> {
    let size = [draw.width, draw.height, 1];
    let usage = vk::ImageUsageFlags::COLOR_ATTACHMENT | vk::ImageUsageFlags::TRANSFER_SRC;
    let colours: Vec<Image> = (0..draw.targets).map(|_| made.image(size, COLOUR, usage)).collect::<Result<_, _>>()?;
    let depth = made.image(size, DEPTH, vk::ImageUsageFlags::DEPTH_STENCIL_ATTACHMENT)?;
    let views: Vec<_> = colours.iter().chain([&depth]).map(|image| image.view).collect();
    let info = vk::FramebufferCreateInfo::default().render_pass(pass).attachments(&views);
    let info = info.width(draw.width).height(draw.height).layers(1);
    // SAFETY: the framebuffer is destroyed with the draw's other objects.
    let frame = unsafe { made.device().create_framebuffer(&info, None) }.map_err(failed("a framebuffer"))?;
    made.keep(move |device| unsafe { device.destroy_framebuffer(frame, None) });
    Ok((colours, frame))
}

fn commands(made: &mut Made<'_>) -> Result<vk::CommandBuffer, String> {
    let pool = made.vulkan.pool;
    let info = vk::CommandBufferAllocateInfo::default().command_pool(pool).command_buffer_count(1);
    // SAFETY: the command buffer is freed at the end of the draw, when the queue is idle.
    unsafe {
        let commands = made.device().allocate_command_buffers(&info).map_err(failed("a command buffer"))?[0];
        made.keep(move |device| device.free_command_buffers(pool, &[commands]));
        let begin = vk::CommandBufferBeginInfo::default().flags(vk::CommandBufferUsageFlags::ONE_TIME_SUBMIT);
        made.device().begin_command_buffer(commands, &begin).map_err(failed("recording"))?;
        Ok(commands)
    }
}

fn descriptor_sets(
    made: &mut Made<'_>,
    shader: &Translated<'_>,
    ready: &Pipeline,
    commands: vk::CommandBuffer,
) -> Result<Vec<vk::DescriptorSet>, String> {
    if ready.sets.is_empty() {
        return Ok(Vec::new());
    }
    let kinds = [vk::DescriptorType::UNIFORM_BUFFER, vk::DescriptorType::COMBINED_IMAGE_SAMPLER];
    let sizes = kinds.map(|ty| vk::DescriptorPoolSize { ty, descriptor_count: 64 });
    let info = vk::DescriptorPoolCreateInfo::default().max_sets(ready.sets.len() as u32).pool_sizes(&sizes);
    // SAFETY: the descriptor pool is destroyed with the draw's other objects, and destroying the pool frees its sets.
    let sets = unsafe {
        let pool = made.device().create_descriptor_pool(&info, None).map_err(failed("a descriptor pool"))?;
        made.keep(move |device| device.destroy_descriptor_pool(pool, None));
        let info = vk::DescriptorSetAllocateInfo::default().descriptor_pool(pool).set_layouts(&ready.sets);
        made.device().allocate_descriptor_sets(&info).map_err(failed("descriptor sets"))?
    };
    for stage in STAGES {
        for block in shader.blocks(stage)? {
            let Some((set, binding)) = block.resource.binding else { continue };
            let buffer = made.filled(&block.bytes, vk::BufferUsageFlags::UNIFORM_BUFFER)?;
            let buffers = [vk::DescriptorBufferInfo { buffer, offset: 0, range: vk::WHOLE_SIZE }];
            let write = vk::WriteDescriptorSet::default().dst_set(sets[set as usize]).dst_binding(binding);
            let write = write.descriptor_type(descriptor(&block.resource.kind)).buffer_info(&buffers);
            // SAFETY: the descriptor set and the buffer are alive.
            unsafe { made.device().update_descriptor_sets(&[write], &[]) };
        }
        for sampled in shader.textures(stage)? {
            let Some((set, binding)) = sampled.resource.binding else { continue };
            let view = upload(made, sampled.texture, commands)?.view;
            let sampler = sampler(made, sampled.sampler)?;
            let layout = vk::ImageLayout::SHADER_READ_ONLY_OPTIMAL;
            let images = [vk::DescriptorImageInfo { sampler, image_view: view, image_layout: layout }];
            let write = vk::WriteDescriptorSet::default().dst_set(sets[set as usize]).dst_binding(binding);
            let write = write.descriptor_type(descriptor(&sampled.resource.kind)).image_info(&images);
            // SAFETY: the descriptor set, the view and the sampler are alive.
            unsafe { made.device().update_descriptor_sets(&[write], &[]) };
        }
    }
    Ok(sets)
}

/// Creates a sampler with the state that the AGAL program specifies.
fn sampler(made: &mut Made<'_>, state: Sampler) -> Result<vk::Sampler, String> {
    let filter = if state.filter > 0 { vk::Filter::LINEAR } else { vk::Filter::NEAREST };
    let wrap = |repeats| if repeats { vk::SamplerAddressMode::REPEAT } else { vk::SamplerAddressMode::CLAMP_TO_EDGE };
    let [u, v] = repeats(state).map(wrap);
    let mip = if state.mip == 2 { vk::SamplerMipmapMode::LINEAR } else { vk::SamplerMipmapMode::NEAREST };
    let info = vk::SamplerCreateInfo::default()
        .mag_filter(filter)
        .min_filter(filter)
        .mipmap_mode(mip)
        .address_mode_u(u)
        .address_mode_v(v)
        .max_lod(if state.mip == 0 { 0.0 } else { vk::LOD_CLAMP_NONE });
    // SAFETY: the sampler is destroyed with the draw's other objects.
    let sampler = unsafe { made.device().create_sampler(&info, None) }.map_err(failed("a sampler"))?;
    made.keep(move |device| unsafe { device.destroy_sampler(sampler, None) });
    Ok(sampler)
}

fn change(
    device: &ash::Device,
    commands: vk::CommandBuffer,
    image: vk::Image,
    levels: u32,
    [from, to]: [(vk::ImageLayout, vk::AccessFlags, vk::PipelineStageFlags); 2],
) {
    let barrier = vk::ImageMemoryBarrier::default()
        .image(image)
        .subresource_range(whole(COLOUR, levels))
        .old_layout(from.0)
        .new_layout(to.0)
        .src_access_mask(from.1)
        .dst_access_mask(to.1);
    // SAFETY: the image lives until the draw ends.
    unsafe { device.cmd_pipeline_barrier(commands, from.2, to.2, vk::DependencyFlags::empty(), &[], &[], &[barrier]) };
}

fn upload(made: &mut Made<'_>, texture: &Texture, commands: vk::CommandBuffer) -> Result<Image, String> {
    let (Dimension::D2, Some(first)) = (texture.dimension, texture.levels.first()) else {
        return Err("this client has 2D textures only".to_string());
    };
    let levels = texture.levels.len() as u32;
    let usage = vk::ImageUsageFlags::SAMPLED | vk::ImageUsageFlags::TRANSFER_DST;
    let image = made.image([first.width, first.height, levels], COLOUR, usage)?;
    let bytes: Vec<u8> = texture.levels.iter().flat_map(|level| level.texels.as_flattened()).copied().collect();
    let buffer = made.filled(&bytes, vk::BufferUsageFlags::TRANSFER_SRC)?;
    let mut offset = 0;
    let copies: Vec<_> = (texture.levels.iter().zip(0..))
        .map(|(level, mip_level)| {
            let layers = vk::ImageSubresourceLayers::default().aspect_mask(vk::ImageAspectFlags::COLOR);
            let copy = vk::BufferImageCopy::default()
                .buffer_offset(offset)
                .image_subresource(layers.mip_level(mip_level).layer_count(1))
                .image_extent(vk::Extent3D { width: level.width, height: level.height, depth: 1 });
            offset += level.texels.len() as u64 * 4;
            copy
        })
        .collect();
    let none = (vk::ImageLayout::UNDEFINED, vk::AccessFlags::empty(), vk::PipelineStageFlags::TOP_OF_PIPE);
    let written = vk::ImageLayout::TRANSFER_DST_OPTIMAL;
    let copied = (written, vk::AccessFlags::TRANSFER_WRITE, vk::PipelineStageFlags::TRANSFER);
    let stages = vk::PipelineStageFlags::VERTEX_SHADER | vk::PipelineStageFlags::FRAGMENT_SHADER;
    let read = (vk::ImageLayout::SHADER_READ_ONLY_OPTIMAL, vk::AccessFlags::SHADER_READ, stages);
    change(made.device(), commands, image.image, levels, [none, copied]);
    // SAFETY: the image and the buffer live until the draw ends.
    unsafe { made.device().cmd_copy_buffer_to_image(commands, buffer, image.image, written, &copies) };
    change(made.device(), commands, image.image, levels, [copied, read]);
    Ok(image)
}

/// Copies the targets to a buffer, submits the commands, waits for the GPU, and reads the buffer.
fn read_back(
    made: &mut Made<'_>,
    draw: &Draw,
    colours: &[Image],
    commands: vk::CommandBuffer,
) -> Result<Targets, String> {
    let bytes = draw.width as usize * draw.height as usize * 4;
    let buffer = made.buffer(bytes * colours.len(), vk::BufferUsageFlags::TRANSFER_DST)?;
    let device = made.device();
    for (number, colour) in colours.iter().enumerate() {
        let layers = vk::ImageSubresourceLayers::default().aspect_mask(vk::ImageAspectFlags::COLOR).layer_count(1);
        let copy = vk::BufferImageCopy::default()
            .buffer_offset((bytes * number) as u64)
            .image_subresource(layers)
            .image_extent(vk::Extent3D { width: draw.width, height: draw.height, depth: 1 });
        let layout = vk::ImageLayout::TRANSFER_SRC_OPTIMAL;
        // SAFETY: the image and the buffer live until the draw ends.
        unsafe { device.cmd_copy_image_to_buffer(commands, colour.image, layout, buffer.buffer, &[copy]) };
    }
    let recorded = [commands];
    let submits = [vk::SubmitInfo::default().command_buffers(&recorded)];
    // SAFETY: the commands are complete, and the objects that they use are destroyed only when the queue is idle.
    unsafe {
        device.end_command_buffer(commands).map_err(failed("recording"))?;
        device.queue_submit(made.vulkan.queue, &submits, vk::Fence::null()).map_err(failed("submitting"))?;
        device.queue_wait_idle(made.vulkan.queue).map_err(failed("waiting"))?;
    }
    made.mapped(&buffer, |pixels| Targets(pixels.chunks(bytes).map(<[u8]>::to_vec).collect()))
}
