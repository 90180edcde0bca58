//! Draws a lit square with SDL 3's GPU API, without a window, and writes the picture to `lit.ppm`. docs/sdl.md describes this
//! example.
//!
//! The program reads `lit.vert.spv` and `lit.frag.spv` in the working folder. The bindings, locations and sizes in this file are
//! copied from `lit.json`.

use std::ffi::CStr;
use std::ptr::{copy_nonoverlapping, null};

use sdl3_sys::everything::*;

const SIDE: u32 = 256;
const COLOUR: SDL_GPUTextureFormat = SDL_GPU_TEXTUREFORMAT_R8G8B8A8_UNORM;

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

/// Returns SDL's description of the last error, preceded by the action that failed.
fn failed(what: &str) -> String {
    // SAFETY: SDL returns a string that belongs to the calling thread.
    format!("{what}: {}", unsafe { CStr::from_ptr(SDL_GetError()) }.to_string_lossy())
}

/// Checks a pointer from SDL, and returns SDL's error if the pointer is null.
fn made<T>(pointer: *mut T, what: &str) -> Result<*mut T, String> {
    if pointer.is_null() { Err(failed(what)) } else { Ok(pointer) }
}

unsafe fn transfer(device: *mut SDL_GPUDevice, bytes: &[u8]) -> Result<*mut SDL_GPUTransferBuffer, String> {
    let info = SDL_GPUTransferBufferCreateInfo {
        usage: SDL_GPU_TRANSFERBUFFERUSAGE_UPLOAD,
        size: bytes.len() as u32,
        ..Default::default()
    };
    // SAFETY: the mapped memory is as large as the transfer buffer.
    unsafe {
        let buffer = made(SDL_CreateGPUTransferBuffer(device, &info), "a transfer buffer")?;
        let memory = made(SDL_MapGPUTransferBuffer(device, buffer, false), "mapping")?;
        copy_nonoverlapping(bytes.as_ptr(), memory.cast(), bytes.len());
        SDL_UnmapGPUTransferBuffer(device, buffer);
        Ok(buffer)
    }
}

/// Creates a vertex or index buffer that contains the bytes.
unsafe fn buffer(
    device: *mut SDL_GPUDevice,
    copy: *mut SDL_GPUCopyPass,
    usage: SDL_GPUBufferUsageFlags,
    bytes: &[u8],
) -> Result<*mut SDL_GPUBuffer, String> {
    let size = bytes.len() as u32;
    let info = SDL_GPUBufferCreateInfo { usage, size, ..Default::default() };
    // SAFETY: the transfer buffer and the GPU buffer have the size of `bytes`.
    unsafe {
        let buffer = made(SDL_CreateGPUBuffer(device, &info), "a buffer")?;
        let from = SDL_GPUTransferBufferLocation { transfer_buffer: transfer(device, bytes)?, offset: 0 };
        SDL_UploadToGPUBuffer(copy, &from, &SDL_GPUBufferRegion { buffer, offset: 0, size }, false);
        Ok(buffer)
    }
}

/// Creates a square texture with one mip level.
unsafe fn texture(
    device: *mut SDL_GPUDevice,
    side: u32,
    usage: SDL_GPUTextureUsageFlags,
) -> Result<*mut SDL_GPUTexture, String> {
    let info = SDL_GPUTextureCreateInfo {
        r#type: SDL_GPU_TEXTURETYPE_2D,
        format: COLOUR,
        usage,
        width: side,
        height: side,
        layer_count_or_depth: 1,
        num_levels: 1,
        ..Default::default()
    };
    // SAFETY: the device is alive.
    made(unsafe { SDL_CreateGPUTexture(device, &info) }, "a texture")
}

/// Creates the shader of a stage. SDL must be told how many resources of each kind the shader uses.
unsafe fn shader(
    device: *mut SDL_GPUDevice,
    code: &[u8],
    stage: SDL_GPUShaderStage,
    num_samplers: u32,
) -> Result<*mut SDL_GPUShader, String> {
    let info = SDL_GPUShaderCreateInfo {
        code: code.as_ptr(),
        code_size: code.len(),
        entrypoint: c"main".as_ptr(),
        format: SDL_GPU_SHADERFORMAT_SPIRV,
        stage,
        num_samplers,
        num_uniform_buffers: 1,
        ..Default::default()
    };
    // SAFETY: the shader code outlives the call.
    made(unsafe { SDL_CreateGPUShader(device, &info) }, "a shader")
}

unsafe fn pipeline(
    device: *mut SDL_GPUDevice,
    vertex: &[u8],
    fragment: &[u8],
) -> Result<*mut SDL_GPUGraphicsPipeline, String> {
    let attribute = |location, format, offset| SDL_GPUVertexAttribute { location, buffer_slot: 0, format, offset };
    let attributes = [
        attribute(0, SDL_GPU_VERTEXELEMENTFORMAT_FLOAT3, 0),  // va0
        attribute(1, SDL_GPU_VERTEXELEMENTFORMAT_FLOAT2, 12), // va1
        attribute(2, SDL_GPU_VERTEXELEMENTFORMAT_FLOAT3, 20), // va2
    ];
    let buffer = SDL_GPUVertexBufferDescription { pitch: 32, ..Default::default() };
    let target = SDL_GPUColorTargetDescription { format: COLOUR, ..Default::default() };
    // SAFETY: all data to which the description refers outlive the call.
    unsafe {
        let info = SDL_GPUGraphicsPipelineCreateInfo {
            vertex_shader: shader(device, vertex, SDL_GPU_SHADERSTAGE_VERTEX, 0)?,
            fragment_shader: shader(device, fragment, SDL_GPU_SHADERSTAGE_FRAGMENT, 1)?,
            vertex_input_state: SDL_GPUVertexInputState {
                vertex_buffer_descriptions: &buffer,
                num_vertex_buffers: 1,
                vertex_attributes: attributes.as_ptr(),
                num_vertex_attributes: attributes.len() as u32,
            },
            primitive_type: SDL_GPU_PRIMITIVETYPE_TRIANGLELIST,
            rasterizer_state: SDL_GPURasterizerState {
                cull_mode: SDL_GPU_CULLMODE_BACK,
                front_face: SDL_GPU_FRONTFACE_CLOCKWISE, // as in Stage3D
                enable_depth_clip: true,
                ..Default::default()
            },
            target_info: SDL_GPUGraphicsPipelineTargetInfo {
                color_target_descriptions: &target,
                num_color_targets: 1,
                ..Default::default()
            },
            ..Default::default()
        };
        made(SDL_CreateGPUGraphicsPipeline(device, &info), "a pipeline")
    }
}

/// Draws the square, and returns the picture's pixels from top to bottom. Each pixel has four bytes.
unsafe fn draw(vertex: &[u8], fragment: &[u8]) -> Result<Vec<u8>, String> {
    // SAFETY: all created objects live until the program ends, and SDL copies all other data.
    unsafe {
        if !SDL_Init(SDL_INIT_VIDEO) {
            return Err(failed("SDL cannot be started"));
        }
        let device = made(SDL_CreateGPUDevice(SDL_GPU_SHADERFORMAT_SPIRV, true, null()), "a device")?;
        let pipeline = pipeline(device, vertex, fragment)?;
        let target = texture(device, SIDE, SDL_GPU_TEXTUREUSAGE_COLOR_TARGET)?;

        // The sampler has the settings of the instruction `tex` in the AGAL program: <2d,linear,miplinear,repeat>.
        let sampler = SDL_GPUSamplerCreateInfo {
            min_filter: SDL_GPU_FILTER_LINEAR,
            mag_filter: SDL_GPU_FILTER_LINEAR,
            mipmap_mode: SDL_GPU_SAMPLERMIPMAPMODE_LINEAR,
            address_mode_u: SDL_GPU_SAMPLERADDRESSMODE_REPEAT,
            address_mode_v: SDL_GPU_SAMPLERADDRESSMODE_REPEAT,
            max_lod: 1000.0,
            ..Default::default()
        };
        let sampler = made(SDL_CreateGPUSampler(device, &sampler), "a sampler")?;

        let commands = made(SDL_AcquireGPUCommandBuffer(device), "a command buffer")?;
        let copy = made(SDL_BeginGPUCopyPass(commands), "a copy pass")?;
        let vertices = buffer(device, copy, SDL_GPU_BUFFERUSAGE_VERTEX, bytes(&VERTICES))?;
        let indices = buffer(device, copy, SDL_GPU_BUFFERUSAGE_INDEX, bytes(&INDICES))?;
        let squares = texture(device, 2, SDL_GPU_TEXTUREUSAGE_SAMPLER)?;
        let from =
            SDL_GPUTextureTransferInfo { transfer_buffer: transfer(device, bytes(&TEXELS))?, ..Default::default() };
        let to = SDL_GPUTextureRegion { texture: squares, w: 2, h: 2, d: 1, ..Default::default() };
        SDL_UploadToGPUTexture(copy, &from, &to, false);
        SDL_EndGPUCopyPass(copy);

        // Slot 0 of each stage contains the constants, which keep their values until new constants are pushed.
        SDL_PushGPUVertexUniformData(commands, 0, VC.as_ptr().cast(), size_of_val(&VC) as u32);
        SDL_PushGPUFragmentUniformData(commands, 0, FC.as_ptr().cast(), size_of_val(&FC) as u32);

        let info = SDL_GPUColorTargetInfo {
            texture: target,
            clear_color: SDL_FColor { r: 28.0 / 255.0, g: 34.0 / 255.0, b: 43.0 / 255.0, a: 1.0 },
            load_op: SDL_GPU_LOADOP_CLEAR,
            store_op: SDL_GPU_STOREOP_STORE,
            ..Default::default()
        };
        let pass = made(SDL_BeginGPURenderPass(commands, &info, 1, null()), "a render pass")?;
        SDL_BindGPUGraphicsPipeline(pass, pipeline);
        SDL_BindGPUVertexBuffers(pass, 0, &SDL_GPUBufferBinding { buffer: vertices, offset: 0 }, 1);
        SDL_BindGPUIndexBuffer(
            pass,
            &SDL_GPUBufferBinding { buffer: indices, offset: 0 },
            SDL_GPU_INDEXELEMENTSIZE_16BIT,
        );
        SDL_BindGPUFragmentSamplers(pass, 0, &SDL_GPUTextureSamplerBinding { texture: squares, sampler }, 1);
        SDL_DrawGPUIndexedPrimitives(pass, INDICES.len() as u32, 1, 0, 0, 0);
        SDL_EndGPURenderPass(pass);

        // A program with a window would present the colour target. This program reads the target's pixels instead.
        let info = SDL_GPUTransferBufferCreateInfo {
            usage: SDL_GPU_TRANSFERBUFFERUSAGE_DOWNLOAD,
            size: 4 * SIDE * SIDE,
            ..Default::default()
        };
        let read = made(SDL_CreateGPUTransferBuffer(device, &info), "a transfer buffer")?;
        let copy = made(SDL_BeginGPUCopyPass(commands), "a copy pass")?;
        let from = SDL_GPUTextureRegion { texture: target, w: SIDE, h: SIDE, d: 1, ..Default::default() };
        let to = SDL_GPUTextureTransferInfo { transfer_buffer: read, ..Default::default() };
        SDL_DownloadFromGPUTexture(copy, &from, &to);
        SDL_EndGPUCopyPass(copy);
        let fence = made(SDL_SubmitGPUCommandBufferAndAcquireFence(commands), "submitting")?;
        if !SDL_WaitForGPUFences(device, true, &fence, 1) {
            return Err(failed("waiting"));
        }
        let memory = made(SDL_MapGPUTransferBuffer(device, read, false), "mapping")?;
        Ok(std::slice::from_raw_parts(memory.cast_const().cast::<u8>(), (4 * SIDE * SIDE) as usize).to_vec())
    }
}

fn bytes<T, const N: usize>(numbers: &[T; N]) -> &[u8] {
    // SAFETY: numbers and arrays of numbers have no padding.
    unsafe { std::slice::from_raw_parts(numbers.as_ptr().cast(), size_of_val(numbers)) }
}

fn main() -> Result<(), String> {
    let read = |name: &str| std::fs::read(name).map_err(|error| format!("{name}: {error}"));
    let (vertex, fragment) = (read("lit.vert.spv")?, read("lit.frag.spv")?);
    // SAFETY: the program starts SDL once, in the main thread.
    let pixels = unsafe { draw(&vertex, &fragment) }?;
    let mut file = format!("P6 {SIDE} {SIDE} 255\n").into_bytes();
    file.extend(pixels.chunks(4).flat_map(|pixel| &pixel[..3]));
    std::fs::write("lit.ppm", file).map_err(|error| format!("lit.ppm: {error}"))
}
