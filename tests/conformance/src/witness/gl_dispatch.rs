//! Runs one dispatch on OpenGL: uploads the resources, runs the program, and reads back the storage buffers and storage textures.

use glow::{HasContext, PixelPackData, PixelUnpackData};
use sdlbc::{Dimension, Format, FunctionKind};
use sdlbc_interp::StorageTexture;

use super::gl::{OpenGl, Text};
use super::interface::{Interface, StorageImage, add_uniforms, bytes};
use super::texels;
use crate::Failure;
use crate::dispatch::{Dispatch, Dispatcher, Memory, given};

impl Dispatcher for OpenGl {
    fn name(&self) -> String {
        crate::Witness::name(self)
    }

    fn dispatch(&mut self, dispatch: &Dispatch) -> Result<Memory, Failure> {
        self.context.make_current().map_err(Failure::Broken)?;
        let interface = Interface::of_compute(&dispatch.module)?;
        // In our own GLSL, a resource's binding number is its slot; in the GLSL of spirv-cross, the binding number is the
        // resource's position in the interface.
        let points = |slots: Vec<u32>| match self.text() {
            Text::Cross => (0..slots.len() as u32).collect(),
            _ => slots,
        };
        let buffers = points(interface.buffers.iter().map(|buffer| buffer.slot).collect());
        let units = points(interface.images.iter().map(|image| image.slot).collect());
        // SAFETY: the context is current.
        let [most, blocks, most_units] = [
            glow::MAX_SHADER_STORAGE_BUFFER_BINDINGS,
            glow::MAX_COMPUTE_SHADER_STORAGE_BLOCKS,
            glow::MAX_COMPUTE_IMAGE_UNIFORMS,
        ]
        .map(|limit| unsafe { self.context.gl.get_parameter_i32(limit) } as u32);
        if buffers.iter().any(|point| *point >= most) || buffers.len() > blocks as usize {
            return Err(Failure::Unsupported(format!("more storage buffers than {} has", self.adapter())));
        }
        if units.iter().any(|unit| *unit >= most_units) {
            return Err(Failure::Unsupported(format!("more storage textures than {} has", self.adapter())));
        }
        let (program, _) = self.linked(&dispatch.module, &interface, &[FunctionKind::Compute])?;
        let mut data = Vec::new();
        let uniforms = add_uniforms(&mut data, &interface, &dispatch.resources, self.two_rows());
        let contents: Vec<Vec<u8>> =
            interface.buffers.iter().map(|buffer| bytes(&given(&dispatch.resources, buffer.slot))).collect();
        let images: Vec<&StorageTexture> =
            interface.images.iter().map(|image| image.given(&dispatch.resources)).collect::<Result<_, Failure>>()?;
        let mut memory = Memory::default();
        // SAFETY: the context is current, and the buffers are as long as the ranges that are read.
        unsafe {
            self.bind_read(&interface, &dispatch.resources, &data, &uniforms)?;
            let gl = &self.context.gl;
            let mut made = Vec::new();
            for (&point, content) in buffers.iter().zip(&contents) {
                let buffer = gl.create_buffer().map_err(Failure::Broken)?;
                gl.bind_buffer(glow::SHADER_STORAGE_BUFFER, Some(buffer));
                gl.buffer_data_u8_slice(glow::SHADER_STORAGE_BUFFER, content, glow::STREAM_COPY);
                gl.bind_buffer_base(glow::SHADER_STORAGE_BUFFER, point, Some(buffer));
                made.push(buffer);
            }
            let mut textures = Vec::new();
            for ((&unit, image), given) in units.iter().zip(&interface.images).zip(&images) {
                textures.push(upload(gl, unit, *image, given).map_err(Failure::Broken)?);
            }
            let [x, y, z] = dispatch.workgroups;
            gl.dispatch_compute(x, y, z);
            gl.memory_barrier(glow::BUFFER_UPDATE_BARRIER_BIT | glow::TEXTURE_UPDATE_BARRIER_BIT);
            for ((storage, buffer), mut content) in interface.buffers.iter().zip(&made).zip(contents) {
                gl.bind_buffer(glow::SHADER_STORAGE_BUFFER, Some(*buffer));
                gl.get_buffer_sub_data(glow::SHADER_STORAGE_BUFFER, 0, &mut content);
                let words = content.as_chunks().0.iter().map(|&word| u32::from_ne_bytes(word)).collect();
                memory.buffers.insert(storage.slot, words);
            }
            for ((image, given), texture) in interface.images.iter().zip(images).zip(textures) {
                let mut content = texels::packed(given);
                let (target, (format, ty)) = (target(image.dimension), layout(image.format));
                gl.bind_texture(target, Some(texture));
                gl.get_tex_image(target, 0, format, ty, PixelPackData::Slice(Some(&mut content)));
                memory.images.extend(texels::unpacked(given, &content).map(|texture| (image.slot, texture)));
                gl.delete_texture(texture);
            }
            made.into_iter().for_each(|buffer| gl.delete_buffer(buffer));
            gl.delete_program(program);
            match gl.get_error() {
                glow::NO_ERROR => Ok(memory),
                error => Err(Failure::Broken(format!("{}: OpenGL's error 0x{error:x}", self.adapter()))),
            }
        }
    }
}

const fn target(dimension: Dimension) -> u32 {
    match dimension {
        Dimension::D3 => glow::TEXTURE_3D,
        Dimension::D2Array => glow::TEXTURE_2D_ARRAY,
        _ => glow::TEXTURE_2D,
    }
}

/// Creates a storage texture with the given texels, and binds the texture to an image unit.
///
/// # Safety
/// The context must be current.
unsafe fn upload(
    gl: &glow::Context,
    unit: u32,
    image: StorageImage,
    given: &StorageTexture,
) -> Result<glow::Texture, String> {
    let (target, (format, ty)) = (target(image.dimension), layout(image.format));
    let (inner, [width, height, depth]) = (inner(image.format), given.size().map(u32::cast_signed));
    let content = texels::packed(given);
    let data = PixelUnpackData::Slice(Some(&content[..]));
    // SAFETY: the caller guarantees that the context is current.
    unsafe {
        let texture = gl.create_texture()?;
        gl.bind_texture(target, Some(texture));
        if image.dimension == Dimension::D2 {
            gl.tex_storage_2d(target, 1, inner, width, height);
            gl.tex_sub_image_2d(target, 0, 0, 0, width, height, format, ty, data);
        } else {
            gl.tex_storage_3d(target, 1, inner, width, height, depth);
            gl.tex_sub_image_3d(target, 0, 0, 0, 0, width, height, depth, format, ty, data);
        }
        let access = if image.written { glow::WRITE_ONLY } else { glow::READ_ONLY };
        gl.bind_image_texture(unit, Some(texture), 0, image.dimension != Dimension::D2, 0, access, inner);
        Ok(texture)
    }
}

const fn inner(format: Format) -> u32 {
    match format {
        Format::Rgba8Unorm => glow::RGBA8,
        Format::Rgba8Snorm => glow::RGBA8_SNORM,
        Format::Rgba8Uint => glow::RGBA8UI,
        Format::Rgba8Sint => glow::RGBA8I,
        Format::Rgba16Uint => glow::RGBA16UI,
        Format::Rgba16Sint => glow::RGBA16I,
        Format::Rgba16Float => glow::RGBA16F,
        Format::R32Uint => glow::R32UI,
        Format::R32Sint => glow::R32I,
        Format::R32Float => glow::R32F,
        Format::Rg32Uint => glow::RG32UI,
        Format::Rg32Sint => glow::RG32I,
        Format::Rg32Float => glow::RG32F,
        Format::Rgba32Uint => glow::RGBA32UI,
        Format::Rgba32Sint => glow::RGBA32I,
        Format::Rgba32Float => glow::RGBA32F,
    }
}

/// Returns OpenGL's constants for the memory layout of a texel, which are the pixel format and the component type.
const fn layout(format: Format) -> (u32, u32) {
    let is_whole = !matches!(format.scalar(), sdlbc::Scalar::Float);
    let components = match (format.components(), is_whole) {
        (1, false) => glow::RED,
        (1, true) => glow::RED_INTEGER,
        (2, false) => glow::RG,
        (2, true) => glow::RG_INTEGER,
        (_, false) => glow::RGBA,
        (_, true) => glow::RGBA_INTEGER,
    };
    let ty = match format {
        Format::Rgba8Unorm | Format::Rgba8Uint => glow::UNSIGNED_BYTE,
        Format::Rgba8Snorm | Format::Rgba8Sint => glow::BYTE,
        Format::Rgba16Uint => glow::UNSIGNED_SHORT,
        Format::Rgba16Sint => glow::SHORT,
        Format::Rgba16Float => glow::HALF_FLOAT,
        Format::R32Uint | Format::Rg32Uint | Format::Rgba32Uint => glow::UNSIGNED_INT,
        Format::R32Sint | Format::Rg32Sint | Format::Rgba32Sint => glow::INT,
        Format::R32Float | Format::Rg32Float | Format::Rgba32Float => glow::FLOAT,
    };
    (components, ty)
}
