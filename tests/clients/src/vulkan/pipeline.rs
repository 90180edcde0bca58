//! The Vulkan pipeline of a translated pair. The shaders' interface supplies the descriptor set layouts, the push constant ranges
//! and the vertex attributes.

use std::collections::BTreeMap;
use std::ffi::CString;

use ash::vk;
use backends::{Code, Passed, ResourceKind};
use sdlbc::FunctionKind;
use sdlbc_interp::{Cull, DepthTest, Topology};

use super::{Made, failed};
use crate::shader::{STAGES, Translated, Vertices};

pub(super) struct Pipeline {
    pub(super) pipeline: vk::Pipeline,
    pub(super) layout: vk::PipelineLayout,
    /// The descriptor set layouts, in the order of the set numbers.
    pub(super) sets: Vec<vk::DescriptorSetLayout>,
}

pub(super) fn flag(stage: FunctionKind) -> vk::ShaderStageFlags {
    if stage == FunctionKind::Vertex { vk::ShaderStageFlags::VERTEX } else { vk::ShaderStageFlags::FRAGMENT }
}

pub(super) fn descriptor(kind: &ResourceKind) -> vk::DescriptorType {
    match kind {
        ResourceKind::Constants { .. } | ResourceKind::BufferSizes { .. } => vk::DescriptorType::UNIFORM_BUFFER,
        ResourceKind::Texture { combined: true, .. } => vk::DescriptorType::COMBINED_IMAGE_SAMPLER,
        ResourceKind::Texture { .. } => vk::DescriptorType::SAMPLED_IMAGE,
        ResourceKind::Sampler { .. } => vk::DescriptorType::SAMPLER,
        ResourceKind::Buffer { .. } => vk::DescriptorType::STORAGE_BUFFER,
        ResourceKind::Image { .. } => vk::DescriptorType::STORAGE_IMAGE,
    }
}

/// Creates the layouts of all descriptor sets. If the shader skips a set number, that set gets an empty layout.
fn sets(made: &mut Made<'_>, shader: &Translated<'_>) -> Result<Vec<vk::DescriptorSetLayout>, String> {
    let mut sets: BTreeMap<u32, Vec<vk::DescriptorSetLayoutBinding<'_>>> = BTreeMap::new();
    for stage in STAGES {
        for resource in shader.resources(stage) {
            let Some((set, binding)) = resource.binding else { continue };
            let described = vk::DescriptorSetLayoutBinding::default()
                .binding(binding)
                .descriptor_type(descriptor(&resource.kind))
                .descriptor_count(1)
                .stage_flags(flag(stage));
            sets.entry(set).or_default().push(described);
        }
    }
    let count = sets.keys().next_back().map_or(0, |last| last + 1);
    let layout = |set| {
        let info = vk::DescriptorSetLayoutCreateInfo::default();
        let info = info.bindings(sets.get(&set).map_or(&[], Vec::as_slice));
        // SAFETY: the descriptor set layout is destroyed with the draw's other objects.
        let layout = unsafe { made.device().create_descriptor_set_layout(&info, None) };
        let layout = layout.map_err(failed("a descriptor set layout"))?;
        made.keep(move |device| unsafe { device.destroy_descriptor_set_layout(layout, None) });
        Ok(layout)
    };
    (0..count).map(layout).collect()
}

fn layout(
    made: &mut Made<'_>,
    shader: &Translated<'_>,
    sets: &[vk::DescriptorSetLayout],
) -> Result<vk::PipelineLayout, String> {
    let mut ranges = Vec::new();
    for stage in STAGES {
        for block in shader.blocks(stage)?.iter().filter(|block| block.passed == Passed::Push) {
            let range = vk::PushConstantRange::default().stage_flags(flag(stage)).offset(block.offset);
            ranges.push(range.size(block.bytes.len() as u32));
        }
    }
    let last = ranges.iter().map(|range| range.offset + range.size).max().unwrap_or(0);
    if last > made.vulkan.push_constants() {
        return Err(format!("{last} bytes of push constants, and the device has {}", made.vulkan.push_constants()));
    }
    let info = vk::PipelineLayoutCreateInfo::default().set_layouts(sets).push_constant_ranges(&ranges);
    // SAFETY: the pipeline layout is destroyed with the draw's other objects.
    let layout = unsafe { made.device().create_pipeline_layout(&info, None) }.map_err(failed("a pipeline layout"))?;
    made.keep(move |device| unsafe { device.destroy_pipeline_layout(layout, None) });
    Ok(layout)
}

fn module(
    made: &mut Made<'_>,
    shader: &Translated<'_>,
    stage: FunctionKind,
) -> Result<(vk::ShaderModule, CString), String> {
    let (output, entry) = shader.entry(stage)?;
    let Code::Words(words) = &output.code else { return Err("the shader is not SPIR-V".to_string()) };
    let info = vk::ShaderModuleCreateInfo::default().code(words);
    // SAFETY: the words are a valid SPIR-V module, and the shader module is destroyed with the draw's other objects.
    let module = unsafe { made.device().create_shader_module(&info, None) }.map_err(failed("a shader module"))?;
    made.keep(move |device| unsafe { device.destroy_shader_module(module, None) });
    Ok((module, CString::new(entry.name.as_str()).map_err(|error| error.to_string())?))
}

fn format(width: u32) -> vk::Format {
    match width {
        1 => vk::Format::R32_SFLOAT,
        2 => vk::Format::R32G32_SFLOAT,
        3 => vk::Format::R32G32B32_SFLOAT,
        _ => vk::Format::R32G32B32A32_SFLOAT,
    }
}

pub(super) fn pipeline(
    made: &mut Made<'_>,
    shader: &Translated<'_>,
    vertices: &Vertices,
    pass: vk::RenderPass,
) -> Result<Pipeline, String> {
    let draw = shader.draw;
    let sets = sets(made, shader)?;
    let layout = layout(made, shader, &sets)?;
    let modules: Vec<_> = STAGES.iter().map(|&stage| module(made, shader, stage)).collect::<Result<_, _>>()?;
    let stages: Vec<_> = (modules.iter().zip(STAGES))
        .map(|((module, name), stage)| {
            vk::PipelineShaderStageCreateInfo::default().stage(flag(stage)).module(*module).name(name)
        })
        .collect();
    let buffers = [vk::VertexInputBindingDescription::default().stride(vertices.stride)];
    let attributes: Vec<_> = (vertices.attributes.iter())
        .map(|attribute| {
            let described = vk::VertexInputAttributeDescription::default().location(attribute.location);
            described.format(format(attribute.width)).offset(attribute.offset)
        })
        .collect();
    let input = vk::PipelineVertexInputStateCreateInfo::default()
        .vertex_binding_descriptions(&buffers)
        .vertex_attribute_descriptions(&attributes);
    let topology = match draw.topology {
        Topology::Triangles => vk::PrimitiveTopology::TRIANGLE_LIST,
        Topology::Points => vk::PrimitiveTopology::POINT_LIST,
    };
    let assembly = vk::PipelineInputAssemblyStateCreateInfo::default().topology(topology);
    let size = vk::Extent2D { width: draw.width, height: draw.height };
    let scissors = [vk::Rect2D { offset: vk::Offset2D::default(), extent: size }];
    // The shader negates y, so the viewport needs no negative height.
    let viewports = [vk::Viewport::default().width(draw.width as f32).height(draw.height as f32).max_depth(1.0)];
    let viewport = vk::PipelineViewportStateCreateInfo::default().viewports(&viewports).scissors(&scissors);
    let raster = vk::PipelineRasterizationStateCreateInfo::default()
        .cull_mode(match draw.cull {
            Cull::None => vk::CullModeFlags::NONE,
            Cull::Back => vk::CullModeFlags::BACK,
            Cull::Front => vk::CullModeFlags::FRONT,
        })
        .front_face(vk::FrontFace::CLOCKWISE)
        .line_width(1.0);
    let samples = vk::PipelineMultisampleStateCreateInfo::default().rasterization_samples(vk::SampleCountFlags::TYPE_1);
    let compare = match draw.depth {
        Some(DepthTest::Less) => vk::CompareOp::LESS,
        Some(DepthTest::LessEqual) => vk::CompareOp::LESS_OR_EQUAL,
        Some(DepthTest::Always) | None => vk::CompareOp::ALWAYS,
    };
    let depth = vk::PipelineDepthStencilStateCreateInfo::default()
        .depth_test_enable(draw.depth.is_some())
        .depth_write_enable(draw.depth.is_some())
        .depth_compare_op(compare);
    let colour = vk::PipelineColorBlendAttachmentState::default().color_write_mask(vk::ColorComponentFlags::RGBA);
    let colours = vec![colour; draw.targets];
    let blend = vk::PipelineColorBlendStateCreateInfo::default().attachments(&colours);
    let info = vk::GraphicsPipelineCreateInfo::default()
        .stages(&stages)
        .vertex_input_state(&input)
        .input_assembly_state(&assembly)
        .viewport_state(&viewport)
        .rasterization_state(&raster)
        .multisample_state(&samples)
        .depth_stencil_state(&depth)
        .color_blend_state(&blend)
        .layout(layout)
        .render_pass(pass);
    // SAFETY: everything that the pipeline's description refers to is alive, and the pipeline is destroyed with the draw's other
    // objects.
    let pipelines = unsafe { made.device().create_graphics_pipelines(vk::PipelineCache::null(), &[info], None) };
    let pipeline = pipelines.map_err(|(_, error)| failed("a pipeline")(error))?[0];
    made.keep(move |device| unsafe { device.destroy_pipeline(pipeline, None) });
    Ok(Pipeline { pipeline, layout, sets })
}
