//! Draws once with SDL: uploads resources, runs the render pass, and reads back the targets through a transfer buffer.

use sdl3_sys::everything::*;
use sdlbc::{FunctionKind, Sampler};
use sdlbc_interp::Draw;

use super::pipeline::pipeline;
use super::{Commands, Held, Sdl, made};
use crate::scenes::Targets;
use crate::shader::{STAGES, Translated, repeats};

const COLOUR: SDL_GPUTextureFormat = SDL_GPU_TEXTUREFORMAT_R8G8B8A8_UNORM;
const DEPTH: SDL_GPUTextureFormat = SDL_GPU_TEXTUREFORMAT_D32_FLOAT;

struct Bound {
    pipeline: *mut SDL_GPUGraphicsPipeline,
    vertices: SDL_GPUBufferBinding,
    indices: SDL_GPUBufferBinding,
    /// The textures of each stage, in the order of their bindings.
    textures: [Vec<SDL_GPUTextureSamplerBinding>; 2],
}

impl Sdl {
    /// Draws a translated pair and returns its targets.
    ///
    /// # Errors
    /// Returns an error if the shader needs a feature that the SDL client lacks, or if SDL fails.
    pub fn draw(&self, shader: &Translated<'_>) -> Result<Targets, String> {
        draw(&mut Held::new(self.device), shader)
    }
}

fn draw(held: &mut Held, shader: &Translated<'_>) -> Result<Targets, String> {
    let draw = shader.draw;
    let commands = Commands::new(held.device)?;
    let bound = upload(held, shader, &commands)?;
    let size = [draw.width, draw.height, 1];
    let target = |held: &mut Held| held.texture(size, COLOUR, SDL_GPU_TEXTUREUSAGE_COLOR_TARGET);
    let colours: Vec<_> = (0..draw.targets).map(|_| target(held)).collect::<Result<_, _>>()?;
    let depth = held.texture(size, DEPTH, SDL_GPU_TEXTUREUSAGE_DEPTH_STENCIL_TARGET)?;
    push_constants(&commands, shader)?;
    pass(&commands, draw, &bound, &colours, depth)?;
    read_back(held, draw, &colours, commands)
}

fn upload(held: &mut Held, shader: &Translated<'_>, commands: &Commands) -> Result<Bound, String> {
    let vertices = shader.vertices()?;
    let pipeline = pipeline(held, shader, &vertices, [COLOUR, DEPTH])?;
    // SAFETY: the copy pass ends before anything else is recorded.
    let copy = made(unsafe { SDL_BeginGPUCopyPass(commands.0) }, "a copy pass")?;
    let uploaded = (|| {
        let buffer = |buffer| SDL_GPUBufferBinding { buffer, offset: 0 };
        let mut textures = [Vec::new(), Vec::new()];
        for (stage, bound) in STAGES.into_iter().zip(&mut textures) {
            let mut of_stage = shader.textures(stage)?;
            // The bindings of a stage's samplers are numbered from 0 without gaps, and SDL expects them in this order.
            of_stage.sort_by_key(|sampled| sampled.resource.binding);
            for sampled in of_stage {
                let texture = held.uploaded(copy, sampled.texture)?;
                bound.push(SDL_GPUTextureSamplerBinding { texture, sampler: sampler(held, sampled.sampler)? });
            }
        }
        Ok(Bound {
            pipeline,
            vertices: buffer(held.buffer(copy, SDL_GPU_BUFFERUSAGE_VERTEX, &vertices.bytes)?),
            indices: buffer(held.buffer(copy, SDL_GPU_BUFFERUSAGE_INDEX, &shader.indices())?),
            textures,
        })
    })();
    // SAFETY: the copy pass was begun above and has not ended.
    unsafe { SDL_EndGPUCopyPass(copy) };
    uploaded
}

/// Creates a sampler with the state that the AGAL program specifies.
fn sampler(held: &mut Held, state: Sampler) -> Result<*mut SDL_GPUSampler, String> {
    let filter = if state.filter > 0 { SDL_GPU_FILTER_LINEAR } else { SDL_GPU_FILTER_NEAREST };
    let wrap = |repeats| match repeats {
        true => SDL_GPU_SAMPLERADDRESSMODE_REPEAT,
        false => SDL_GPU_SAMPLERADDRESSMODE_CLAMP_TO_EDGE,
    };
    let [address_mode_u, address_mode_v] = repeats(state).map(wrap);
    let info = SDL_GPUSamplerCreateInfo {
        min_filter: filter,
        mag_filter: filter,
        mipmap_mode: match state.mip {
            2 => SDL_GPU_SAMPLERMIPMAPMODE_LINEAR,
            _ => SDL_GPU_SAMPLERMIPMAPMODE_NEAREST,
        },
        address_mode_u,
        address_mode_v,
        max_lod: if state.mip == 0 { 0.0 } else { 1000.0 },
        ..Default::default()
    };
    // SAFETY: the device is alive.
    let sampler = made(unsafe { SDL_CreateGPUSampler(held.device, &info) }, "a sampler")?;
    held.samplers.push(sampler);
    Ok(sampler)
}

fn push_constants(commands: &Commands, shader: &Translated<'_>) -> Result<(), String> {
    for stage in STAGES {
        for block in shader.blocks(stage)? {
            let (_, slot) = block.resource.binding.ok_or("the constants have no binding")?;
            let (data, length) = (block.bytes.as_ptr().cast(), block.bytes.len() as u32);
            // SAFETY: SDL copies the constants' bytes before the call returns.
            unsafe {
                match stage {
                    FunctionKind::Vertex => SDL_PushGPUVertexUniformData(commands.0, slot, data, length),
                    _ => SDL_PushGPUFragmentUniformData(commands.0, slot, data, length),
                }
            }
        }
    }
    Ok(())
}

fn pass(
    commands: &Commands,
    draw: &Draw,
    bound: &Bound,
    colours: &[*mut SDL_GPUTexture],
    depth: *mut SDL_GPUTexture,
) -> Result<(), String> {
    let [r, g, b, a] = draw.clear;
    let target = |&texture: &_| SDL_GPUColorTargetInfo {
        texture,
        clear_color: SDL_FColor { r, g, b, a },
        load_op: SDL_GPU_LOADOP_CLEAR,
        store_op: SDL_GPU_STOREOP_STORE,
        ..Default::default()
    };
    let targets: Vec<_> = colours.iter().map(target).collect();
    let depth = SDL_GPUDepthStencilTargetInfo {
        texture: depth,
        clear_depth: 1.0,
        load_op: SDL_GPU_LOADOP_CLEAR,
        store_op: SDL_GPU_STOREOP_DONT_CARE,
        ..Default::default()
    };
    let [vertex, fragment] = &bound.textures;
    // SAFETY: the draw waits for its commands before it ends, and all bound resources live until then.
    unsafe {
        let pass = SDL_BeginGPURenderPass(commands.0, targets.as_ptr(), targets.len() as u32, &depth);
        let pass = made(pass, "a render pass")?;
        SDL_BindGPUGraphicsPipeline(pass, bound.pipeline);
        SDL_BindGPUVertexBuffers(pass, 0, &bound.vertices, 1);
        SDL_BindGPUIndexBuffer(pass, &bound.indices, SDL_GPU_INDEXELEMENTSIZE_32BIT);
        SDL_BindGPUVertexSamplers(pass, 0, vertex.as_ptr(), vertex.len() as u32);
        SDL_BindGPUFragmentSamplers(pass, 0, fragment.as_ptr(), fragment.len() as u32);
        SDL_DrawGPUIndexedPrimitives(pass, draw.indices.len() as u32, draw.instances, 0, 0, 0);
        SDL_EndGPURenderPass(pass);
    }
    Ok(())
}

/// Copies the targets to a transfer buffer, waits for the GPU, and reads the transfer buffer.
fn read_back(
    held: &mut Held,
    draw: &Draw,
    colours: &[*mut SDL_GPUTexture],
    commands: Commands,
) -> Result<Targets, String> {
    let bytes = draw.width as usize * draw.height as usize * 4;
    let size = bytes * colours.len();
    let transfer_buffer = held.transfer(SDL_GPU_TRANSFERBUFFERUSAGE_DOWNLOAD, size, &[])?;
    // SAFETY: the copy pass ends before the commands are submitted, and the transfer buffer is read after the GPU has run the
    // commands.
    unsafe {
        let copy = made(SDL_BeginGPUCopyPass(commands.0), "a copy pass")?;
        for (&texture, number) in colours.iter().zip(0..) {
            let (w, h) = (draw.width, draw.height);
            let from = SDL_GPUTextureRegion { texture, w, h, d: 1, ..Default::default() };
            let offset = bytes as u32 * number;
            let to = SDL_GPUTextureTransferInfo { transfer_buffer, offset, ..Default::default() };
            SDL_DownloadFromGPUTexture(copy, &from, &to);
        }
        SDL_EndGPUCopyPass(copy);
        commands.wait(held.device)?;
        let memory = made(SDL_MapGPUTransferBuffer(held.device, transfer_buffer, false), "mapping")?;
        let pixels: &[u8] = std::slice::from_raw_parts(memory.cast_const().cast(), size);
        let targets = pixels.chunks(bytes).map(<[u8]>::to_vec).collect();
        SDL_UnmapGPUTransferBuffer(held.device, transfer_buffer);
        Ok(Targets(targets))
    }
}
