//! SDL 3's GPU API: a device without a window, its buffers and its textures.
//!
//! Rule: created objects are recorded, and released when their draw ends. SDL keeps objects that its commands still use.

mod draw;
mod pipeline;

use std::ffi::CStr;
use std::ptr::null_mut;

use sdl3_sys::everything::*;
use sdlbc::Dimension;
use sdlbc_interp::Texture;

/// A device.
pub struct Sdl {
    device: *mut SDL_GPUDevice,
}

/// SDL's description of the last error, preceded by the name of the failed operation.
fn failed(what: &str) -> String {
    // SAFETY: SDL returns a string of the calling thread.
    let error = unsafe { CStr::from_ptr(SDL_GetError()) };
    format!("{what}: {}", error.to_string_lossy())
}

/// The pointer that SDL returned, or an error if it is null.
fn made<T>(pointer: *mut T, what: &str) -> Result<*mut T, String> {
    if pointer.is_null() { Err(failed(what)) } else { Ok(pointer) }
}

impl Sdl {
    /// Initialises SDL without a window, and opens a device that accepts SPIR-V.
    ///
    /// # Errors
    /// SDL has no such device.
    pub fn new() -> Result<Sdl, String> {
        conformance::witness::switch();
        // SAFETY: SDL is initialised once, and shut down when this value is dropped.
        unsafe {
            SDL_SetHint(SDL_HINT_VIDEO_DRIVER, c"offscreen".as_ptr());
            if !SDL_Init(SDL_INIT_VIDEO) {
                return Err(failed("SDL cannot be started"));
            }
            let device = SDL_CreateGPUDevice(SDL_GPU_SHADERFORMAT_SPIRV, true, c"vulkan".as_ptr());
            Ok(Sdl { device: made(device, "a device")? })
        }
    }

    /// The name of the device and of its driver.
    pub fn name(&self) -> String {
        // SAFETY: the strings live as long as the device.
        unsafe {
            let properties = SDL_GetGPUDeviceProperties(self.device);
            let name = SDL_GetStringProperty(properties, SDL_PROP_GPU_DEVICE_NAME_STRING, c"".as_ptr());
            let driver = SDL_GetGPUDeviceDriver(self.device);
            let [name, driver] = [name, driver].map(|name| CStr::from_ptr(name).to_string_lossy());
            format!("{name}, {driver}")
        }
    }
}

impl Drop for Sdl {
    fn drop(&mut self) {
        // SAFETY: every draw has ended.
        unsafe {
            SDL_DestroyGPUDevice(self.device);
            SDL_Quit();
        }
    }
}

/// Objects that a draw has created.
struct Held {
    device: *mut SDL_GPUDevice,
    buffers: Vec<*mut SDL_GPUBuffer>,
    transfers: Vec<*mut SDL_GPUTransferBuffer>,
    textures: Vec<*mut SDL_GPUTexture>,
    samplers: Vec<*mut SDL_GPUSampler>,
    pipelines: Vec<*mut SDL_GPUGraphicsPipeline>,
}

impl Held {
    fn new(device: *mut SDL_GPUDevice) -> Held {
        let (buffers, transfers, textures) = (Vec::new(), Vec::new(), Vec::new());
        Held { device, buffers, transfers, textures, samplers: Vec::new(), pipelines: Vec::new() }
    }

    /// A transfer buffer, filled if it is for uploading.
    fn transfer(
        &mut self,
        usage: SDL_GPUTransferBufferUsage,
        size: usize,
        bytes: &[u8],
    ) -> Result<*mut SDL_GPUTransferBuffer, String> {
        let info = SDL_GPUTransferBufferCreateInfo { usage, size: size as u32, ..Default::default() };
        // SAFETY: the mapped memory is as large as the buffer.
        unsafe {
            let transfer = made(SDL_CreateGPUTransferBuffer(self.device, &info), "a transfer buffer")?;
            self.transfers.push(transfer);
            if !bytes.is_empty() {
                let memory = made(SDL_MapGPUTransferBuffer(self.device, transfer, false), "mapping")?;
                std::slice::from_raw_parts_mut(memory.cast(), size)[..bytes.len()].copy_from_slice(bytes);
                SDL_UnmapGPUTransferBuffer(self.device, transfer);
            }
            Ok(transfer)
        }
    }

    /// A buffer with the given bytes.
    fn buffer(
        &mut self,
        copy: *mut SDL_GPUCopyPass,
        usage: SDL_GPUBufferUsageFlags,
        bytes: &[u8],
    ) -> Result<*mut SDL_GPUBuffer, String> {
        let size = bytes.len() as u32;
        let info = SDL_GPUBufferCreateInfo { usage, size, ..Default::default() };
        let transfer_buffer = self.transfer(SDL_GPU_TRANSFERBUFFERUSAGE_UPLOAD, bytes.len(), bytes)?;
        // SAFETY: both buffers are alive and of that size.
        unsafe {
            let buffer = made(SDL_CreateGPUBuffer(self.device, &info), "a buffer")?;
            self.buffers.push(buffer);
            let from = SDL_GPUTransferBufferLocation { transfer_buffer, offset: 0 };
            SDL_UploadToGPUBuffer(copy, &from, &SDL_GPUBufferRegion { buffer, offset: 0, size }, false);
            Ok(buffer)
        }
    }

    /// A 2D texture without contents.
    fn texture(
        &mut self,
        [width, height, num_levels]: [u32; 3],
        format: SDL_GPUTextureFormat,
        usage: SDL_GPUTextureUsageFlags,
    ) -> Result<*mut SDL_GPUTexture, String> {
        let info = SDL_GPUTextureCreateInfo {
            r#type: SDL_GPU_TEXTURETYPE_2D,
            format,
            usage,
            width,
            height,
            layer_count_or_depth: 1,
            num_levels,
            ..Default::default()
        };
        // SAFETY: the device is alive.
        let texture = made(unsafe { SDL_CreateGPUTexture(self.device, &info) }, "a texture")?;
        self.textures.push(texture);
        Ok(texture)
    }

    /// A texture with all its levels.
    fn uploaded(&mut self, copy: *mut SDL_GPUCopyPass, texture: &Texture) -> Result<*mut SDL_GPUTexture, String> {
        let (Dimension::D2, Some(first)) = (texture.dimension, texture.levels.first()) else {
            return Err("this client has 2D textures only".to_string());
        };
        let size = [first.width, first.height, texture.levels.len() as u32];
        let made = self.texture(size, SDL_GPU_TEXTUREFORMAT_R8G8B8A8_UNORM, SDL_GPU_TEXTUREUSAGE_SAMPLER)?;
        for (level, mip_level) in texture.levels.iter().zip(0..) {
            let texels = level.texels.as_flattened();
            let transfer_buffer = self.transfer(SDL_GPU_TRANSFERBUFFERUSAGE_UPLOAD, texels.len(), texels)?;
            let from = SDL_GPUTextureTransferInfo { transfer_buffer, ..Default::default() };
            let (w, h) = (level.width, level.height);
            let to = SDL_GPUTextureRegion { texture: made, mip_level, w, h, d: 1, ..Default::default() };
            // SAFETY: the buffer has the level's texels, and the texture has the level.
            unsafe { SDL_UploadToGPUTexture(copy, &from, &to, false) };
        }
        Ok(made)
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        // SAFETY: SDL does not free objects that its commands still use.
        unsafe {
            self.buffers.iter().for_each(|&buffer| SDL_ReleaseGPUBuffer(self.device, buffer));
            self.transfers.iter().for_each(|&buffer| SDL_ReleaseGPUTransferBuffer(self.device, buffer));
            self.textures.iter().for_each(|&texture| SDL_ReleaseGPUTexture(self.device, texture));
            self.samplers.iter().for_each(|&sampler| SDL_ReleaseGPUSampler(self.device, sampler));
            self.pipelines.iter().for_each(|&pipeline| SDL_ReleaseGPUGraphicsPipeline(self.device, pipeline));
        }
    }
}

/// A command buffer that is cancelled unless it is submitted.
struct Commands(*mut SDL_GPUCommandBuffer);

impl Commands {
    fn new(device: *mut SDL_GPUDevice) -> Result<Commands, String> {
        // SAFETY: the device is alive.
        made(unsafe { SDL_AcquireGPUCommandBuffer(device) }, "a command buffer").map(Commands)
    }

    /// Submits the commands and waits for them.
    fn wait(mut self, device: *mut SDL_GPUDevice) -> Result<(), String> {
        let commands = std::mem::replace(&mut self.0, null_mut());
        // SAFETY: the commands are complete.
        unsafe {
            let fence = made(SDL_SubmitGPUCommandBufferAndAcquireFence(commands), "submitting")?;
            let waited = SDL_WaitForGPUFences(device, true, &fence, 1);
            SDL_ReleaseGPUFence(device, fence);
            if waited { Ok(()) } else { Err(failed("waiting")) }
        }
    }
}

impl Drop for Commands {
    fn drop(&mut self) {
        if !self.0.is_null() {
            // SAFETY: it was not submitted.
            unsafe { SDL_CancelGPUCommandBuffer(self.0) };
        }
    }
}
