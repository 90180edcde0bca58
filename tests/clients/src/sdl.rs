//! SDL 3's GPU API: a device without a window, its buffers and its textures.
//!
//! Rule: the client records the objects that a draw creates, and releases them when the draw ends. SDL frees a released object
//! only after the GPU has finished using the object.

mod draw;
mod pipeline;

use std::ffi::CStr;
use std::ptr::null_mut;

use sdl3_sys::everything::*;
use sdlbc::Dimension;
use sdlbc_interp::Texture;

/// An SDL GPU device that accepts SPIR-V and has no window.
pub struct Sdl {
    device: *mut SDL_GPUDevice,
}

/// Returns SDL's description of the last error, preceded by the name of the failed operation.
fn failed(what: &str) -> String {
    // SAFETY: SDL returns a string that belongs to the calling thread.
    let error = unsafe { CStr::from_ptr(SDL_GetError()) };
    format!("{what}: {}", error.to_string_lossy())
}

fn made<T>(pointer: *mut T, what: &str) -> Result<*mut T, String> {
    if pointer.is_null() { Err(failed(what)) } else { Ok(pointer) }
}

impl Sdl {
    /// Initialises SDL without a window, and opens a device that accepts SPIR-V.
    ///
    /// # Errors
    /// Returns SDL's error if SDL cannot be initialised, or if no device accepts SPIR-V.
    pub fn new() -> Result<Sdl, String> {
        conformance::witness::switch();
        // SAFETY: SDL is initialised once, and shut down when the `Sdl` value is dropped.
        unsafe {
            SDL_SetHint(SDL_HINT_VIDEO_DRIVER, c"offscreen".as_ptr());
            if !SDL_Init(SDL_INIT_VIDEO) {
                return Err(failed("SDL cannot be started"));
            }
            let device = SDL_CreateGPUDevice(SDL_GPU_SHADERFORMAT_SPIRV, true, c"vulkan".as_ptr());
            Ok(Sdl { device: made(device, "a device")? })
        }
    }

    /// Returns the names of the device and its driver.
    pub fn name(&self) -> String {
        // SAFETY: the device's name and driver strings live as long as the device.
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
        // SAFETY: every draw has ended, so nothing uses the device any more.
        unsafe {
            SDL_DestroyGPUDevice(self.device);
            SDL_Quit();
        }
    }
}

/// The objects that a draw creates, which are released when the draw ends.
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

    fn buffer(
        &mut self,
        copy: *mut SDL_GPUCopyPass,
        usage: SDL_GPUBufferUsageFlags,
        bytes: &[u8],
    ) -> Result<*mut SDL_GPUBuffer, String> {
        let size = bytes.len() as u32;
        let info = SDL_GPUBufferCreateInfo { usage, size, ..Default::default() };
        let transfer_buffer = self.transfer(SDL_GPU_TRANSFERBUFFERUSAGE_UPLOAD, bytes.len(), bytes)?;
        // SAFETY: the buffer and the transfer buffer are alive and have the size that the copy uses.
        unsafe {
            let buffer = made(SDL_CreateGPUBuffer(self.device, &info), "a buffer")?;
            self.buffers.push(buffer);
            let from = SDL_GPUTransferBufferLocation { transfer_buffer, offset: 0 };
            SDL_UploadToGPUBuffer(copy, &from, &SDL_GPUBufferRegion { buffer, offset: 0, size }, false);
            Ok(buffer)
        }
    }

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

    /// Creates a texture and uploads all its mip levels.
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
            // SAFETY: the transfer buffer contains the mip level's texels, and the texture has the mip level.
            unsafe { SDL_UploadToGPUTexture(copy, &from, &to, false) };
        }
        Ok(made)
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        // SAFETY: SDL frees a released object only after the GPU has finished using the object.
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
            // SAFETY: the command buffer was not submitted.
            unsafe { SDL_CancelGPUCommandBuffer(self.0) };
        }
    }
}
