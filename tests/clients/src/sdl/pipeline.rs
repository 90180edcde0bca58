//! The SDL pipeline of a translated pair. The shaders' interface supplies the vertex attributes and the number of resources in
//! each shader.

use std::ffi::CString;

use backends::{Code, ResourceKind};
use sdl3_sys::everything::*;
use sdlbc::FunctionKind;
use sdlbc_interp::{Cull, DepthTest, Topology};

use super::{Held, made};
use crate::shader::{STAGES, Translated, Vertices};

/// A shader object, which must live until its pipeline has been created.
struct Stage {
    device: *mut SDL_GPUDevice,
    shader: *mut SDL_GPUShader,
}

impl Stage {
    fn new(device: *mut SDL_GPUDevice, shader: &Translated<'_>, stage: FunctionKind) -> Result<Stage, String> {
        let (output, entry) = shader.entry(stage)?;
        let Code::Words(words) = &output.code else { return Err("the shader is not SPIR-V".to_string()) };
        let name = CString::new(entry.name.as_str()).map_err(|error| error.to_string())?;
        let count = |is: fn(&ResourceKind) -> bool| {
            shader.resources(stage).filter(|resource| is(&resource.kind)).count() as u32
        };
        let info = SDL_GPUShaderCreateInfo {
            code: words.as_ptr().cast(),
            code_size: words.len() * 4,
            entrypoint: name.as_ptr(),
            format: SDL_GPU_SHADERFORMAT_SPIRV,
            stage: match stage {
                FunctionKind::Vertex => SDL_GPU_SHADERSTAGE_VERTEX,
                _ => SDL_GPU_SHADERSTAGE_FRAGMENT,
            },
            num_samplers: count(|kind| matches!(kind, ResourceKind::Texture { .. })),
            num_uniform_buffers: count(|kind| matches!(kind, ResourceKind::Constants { .. })),
            ..Default::default()
        };
        // SAFETY: the SPIR-V words and the entry point's name outlive the call.
        Ok(Stage { device, shader: made(unsafe { SDL_CreateGPUShader(device, &info) }, "a shader")? })
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        // SAFETY: a pipeline keeps what it needs of its shaders, so the shader may be released.
        unsafe { SDL_ReleaseGPUShader(self.device, self.shader) };
    }
}

fn format(width: u32) -> SDL_GPUVertexElementFormat {
    match width {
        1 => SDL_GPU_VERTEXELEMENTFORMAT_FLOAT,
        2 => SDL_GPU_VERTEXELEMENTFORMAT_FLOAT2,
        3 => SDL_GPU_VERTEXELEMENTFORMAT_FLOAT3,
        _ => SDL_GPU_VERTEXELEMENTFORMAT_FLOAT4,
    }
}

pub(super) fn pipeline(
    held: &mut Held,
    shader: &Translated<'_>,
    vertices: &Vertices,
    [colour, depth]: [SDL_GPUTextureFormat; 2],
) -> Result<*mut SDL_GPUGraphicsPipeline, String> {
    let draw = shader.draw;
    let [vertex, fragment] = STAGES.map(|stage| Stage::new(held.device, shader, stage));
    let (vertex, fragment) = (vertex?, fragment?);
    let buffer = SDL_GPUVertexBufferDescription { pitch: vertices.stride, ..Default::default() };
    let attributes: Vec<_> = (vertices.attributes.iter())
        .map(|attribute| SDL_GPUVertexAttribute {
            location: attribute.location,
            buffer_slot: 0,
            format: format(attribute.width),
            offset: attribute.offset,
        })
        .collect();
    let targets = vec![SDL_GPUColorTargetDescription { format: colour, ..Default::default() }; draw.targets];
    let info = SDL_GPUGraphicsPipelineCreateInfo {
        vertex_shader: vertex.shader,
        fragment_shader: fragment.shader,
        vertex_input_state: SDL_GPUVertexInputState {
            vertex_buffer_descriptions: &buffer,
            num_vertex_buffers: 1,
            vertex_attributes: attributes.as_ptr(),
            num_vertex_attributes: attributes.len() as u32,
        },
        primitive_type: match draw.topology {
            Topology::Triangles => SDL_GPU_PRIMITIVETYPE_TRIANGLELIST,
            Topology::Points => SDL_GPU_PRIMITIVETYPE_POINTLIST,
        },
        rasterizer_state: SDL_GPURasterizerState {
            cull_mode: match draw.cull {
                Cull::None => SDL_GPU_CULLMODE_NONE,
                Cull::Back => SDL_GPU_CULLMODE_BACK,
                Cull::Front => SDL_GPU_CULLMODE_FRONT,
            },
            front_face: SDL_GPU_FRONTFACE_CLOCKWISE,
            enable_depth_clip: true,
            ..Default::default()
        },
        depth_stencil_state: SDL_GPUDepthStencilState {
            compare_op: match draw.depth {
                Some(DepthTest::Less) => SDL_GPU_COMPAREOP_LESS,
                Some(DepthTest::LessEqual) => SDL_GPU_COMPAREOP_LESS_OR_EQUAL,
                Some(DepthTest::Always) | None => SDL_GPU_COMPAREOP_ALWAYS,
            },
            enable_depth_test: draw.depth.is_some(),
            enable_depth_write: draw.depth.is_some(),
            ..Default::default()
        },
        target_info: SDL_GPUGraphicsPipelineTargetInfo {
            color_target_descriptions: targets.as_ptr(),
            num_color_targets: targets.len() as u32,
            depth_stencil_format: depth,
            has_depth_stencil_target: true,
            ..Default::default()
        },
        ..Default::default()
    };
    // SAFETY: everything that the pipeline's description refers to outlives the call.
    let pipeline = made(unsafe { SDL_CreateGPUGraphicsPipeline(held.device, &info) }, "a pipeline")?;
    held.pipelines.push(pipeline);
    Ok(pipeline)
}
