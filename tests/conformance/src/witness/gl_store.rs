//! OpenGL objects that are kept between draws.

use std::collections::HashMap;

use glow::{HasContext, PixelUnpackData};
use sdlbc::{Dimension, Sampler, Scalar, Texel};
use sdlbc_interp::{Draw, Texture};

use super::interface::scalars;
use super::textures::{self, check_texture};
use crate::Failure;

pub(super) struct Store {
    pub(super) es: bool,
    pub(super) data: glow::Buffer,
    targets: HashMap<(u32, u32, Vec<Scalar>), Targets>,
    samplers: HashMap<[u8; 4], glow::Sampler>,
    pub(super) textures: Vec<(Texture, Texel, glow::Texture)>,
    /// The locations of the vertex attributes that the last draw enabled.
    pub(super) enabled: Vec<u32>,
}

struct Targets {
    frame: glow::Framebuffer,
    buffers: Vec<glow::Renderbuffer>,
}

/// The maximum number of target sizes for which render targets are kept.
const SIZES: usize = 16;
pub(super) const TEXTURES: usize = 64;

impl Store {
    /// Creates the store, and sets the OpenGL state that no draw changes.
    ///
    /// # Safety
    /// The context must be current.
    pub(super) unsafe fn new(gl: &glow::Context, es: bool) -> Result<Store, String> {
        // SAFETY: the caller guarantees that the context is current.
        unsafe {
            let array = gl.create_vertex_array()?;
            let data = gl.create_buffer()?;
            gl.bind_vertex_array(Some(array));
            gl.bind_buffer(glow::ARRAY_BUFFER, Some(data));
            gl.bind_buffer(glow::ELEMENT_ARRAY_BUFFER, Some(data));
            gl.disable(glow::DITHER);
            gl.disable(glow::BLEND);
            gl.front_face(glow::CCW);
            gl.pixel_store_i32(glow::PACK_ALIGNMENT, 4);
            gl.pixel_store_i32(glow::UNPACK_ALIGNMENT, 4);
            if !es {
                gl.enable(glow::TEXTURE_CUBE_MAP_SEAMLESS);
            }
            let (targets, samplers) = (HashMap::new(), HashMap::new());
            Ok(Store { es, data, targets, samplers, textures: Vec::new(), enabled: Vec::new() })
        }
    }

    /// Binds render targets of the draw's size, creating them if necessary.
    pub(super) unsafe fn bind_targets(&mut self, gl: &glow::Context, draw: &Draw) -> Result<(), String> {
        let key = (draw.width, draw.height, scalars(draw));
        // SAFETY: the caller guarantees that the context is current.
        unsafe {
            if let Some(targets) = self.targets.get(&key) {
                gl.bind_framebuffer(glow::FRAMEBUFFER, Some(targets.frame));
                return Ok(());
            }
            if self.targets.len() >= SIZES {
                for (_, targets) in self.targets.drain() {
                    gl.delete_framebuffer(targets.frame);
                    targets.buffers.into_iter().for_each(|buffer| gl.delete_renderbuffer(buffer));
                }
            }
            let frame = gl.create_framebuffer()?;
            gl.bind_framebuffer(glow::FRAMEBUFFER, Some(frame));
            let mut buffers = Vec::new();
            let colours: Vec<u32> = (0..draw.targets as u32).map(|target| glow::COLOR_ATTACHMENT0 + target).collect();
            let formats = key.2.iter().map(|scalar| match scalar {
                Scalar::Int => glow::RGBA32I,
                Scalar::Uint => glow::RGBA32UI,
                _ => glow::RGBA32F,
            });
            let colour = colours.iter().copied().zip(formats);
            for (place, format) in colour.chain([(glow::DEPTH_ATTACHMENT, glow::DEPTH_COMPONENT32F)]) {
                let buffer = gl.create_renderbuffer()?;
                gl.bind_renderbuffer(glow::RENDERBUFFER, Some(buffer));
                gl.renderbuffer_storage(glow::RENDERBUFFER, format, draw.width as i32, draw.height as i32);
                gl.framebuffer_renderbuffer(glow::FRAMEBUFFER, place, glow::RENDERBUFFER, Some(buffer));
                buffers.push(buffer);
            }
            gl.draw_buffers(&colours);
            let status = gl.check_framebuffer_status(glow::FRAMEBUFFER);
            if status != glow::FRAMEBUFFER_COMPLETE {
                return Err(format!("the targets are not complete (0x{status:x})"));
            }
            self.targets.insert(key, Targets { frame, buffers });
        }
        Ok(())
    }

    pub(super) unsafe fn bind_sampler(
        &mut self,
        gl: &glow::Context,
        unit: u32,
        mut state: Sampler,
        texel: Texel,
    ) -> Result<(), String> {
        if matches!(texel, Texel::Int | Texel::Uint) {
            // OpenGL does not filter integer textures.
            state.filter = 0;
            state.mip = state.mip.min(1);
        }
        let linear = state.filter != 0;
        let key = [u8::from(linear) | (texel as u8 * 2), state.mip, state.wrap_u, state.wrap_v];
        // SAFETY: the caller guarantees that the context is current.
        unsafe {
            if let Some(&sampler) = self.samplers.get(&key) {
                gl.bind_sampler(unit, Some(sampler));
                return Ok(());
            }
            let sampler = gl.create_sampler()?;
            let wrap = |wrap| if wrap == 0 { glow::CLAMP_TO_EDGE } else { glow::REPEAT };
            let least = match (linear, state.mip) {
                (false, 0) => glow::NEAREST,
                (true, 0) => glow::LINEAR,
                (false, 1) => glow::NEAREST_MIPMAP_NEAREST,
                (true, 1) => glow::LINEAR_MIPMAP_NEAREST,
                (false, _) => glow::NEAREST_MIPMAP_LINEAR,
                (true, _) => glow::LINEAR_MIPMAP_LINEAR,
            };
            let parameters = [
                (glow::TEXTURE_WRAP_S, wrap(state.wrap_u)),
                (glow::TEXTURE_WRAP_T, wrap(state.wrap_v)),
                (glow::TEXTURE_WRAP_R, wrap(state.wrap_u)),
                (glow::TEXTURE_MIN_FILTER, least),
                (glow::TEXTURE_MAG_FILTER, if linear { glow::LINEAR } else { glow::NEAREST }),
            ];
            for (name, value) in parameters {
                gl.sampler_parameter_i32(sampler, name, value as i32);
            }
            if texel == Texel::Depth {
                let compares = glow::COMPARE_REF_TO_TEXTURE as i32;
                gl.sampler_parameter_i32(sampler, glow::TEXTURE_COMPARE_MODE, compares);
                gl.sampler_parameter_i32(sampler, glow::TEXTURE_COMPARE_FUNC, glow::LEQUAL as i32);
            }
            gl.bind_sampler(unit, Some(sampler));
            self.samplers.insert(key, sampler);
        }
        Ok(())
    }

    pub(super) unsafe fn bind_texture(
        &mut self,
        gl: &glow::Context,
        unit: u32,
        texture: &Texture,
        texel: Texel,
    ) -> Result<(), Failure> {
        let target = match texture.dimension {
            Dimension::D2 => glow::TEXTURE_2D,
            Dimension::D3 => glow::TEXTURE_3D,
            Dimension::Cube => glow::TEXTURE_CUBE_MAP,
            Dimension::D2Array => glow::TEXTURE_2D_ARRAY,
            Dimension::CubeArray => glow::TEXTURE_CUBE_MAP_ARRAY,
        };
        // SAFETY: the caller guarantees that the context is current.
        unsafe {
            gl.active_texture(glow::TEXTURE0 + unit);
            if let Some(&(_, _, made)) = self.textures.iter().find(|(kept, of, _)| kept == texture && *of == texel) {
                gl.bind_texture(target, Some(made));
                return Ok(());
            }
            check_texture(texture)?;
            let made = gl.create_texture().map_err(Failure::Broken)?;
            gl.bind_texture(target, Some(made));
            gl.tex_parameter_i32(target, glow::TEXTURE_MAX_LEVEL, texture.levels.len() as i32 - 1);
            for (number, level) in texture.levels.iter().enumerate() {
                let (width, height, depth) = (level.width as i32, level.height as i32, level.depth as i32);
                let (inner, format, ty) = match texel {
                    Texel::Float => (glow::RGBA8, glow::RGBA, glow::UNSIGNED_BYTE),
                    Texel::Int => (glow::RGBA8I, glow::RGBA_INTEGER, glow::BYTE),
                    Texel::Uint => (glow::RGBA8UI, glow::RGBA_INTEGER, glow::UNSIGNED_BYTE),
                    Texel::Depth => (glow::DEPTH_COMPONENT16, glow::DEPTH_COMPONENT, glow::UNSIGNED_SHORT),
                };
                let (number, inner) = (number as i32, inner as i32);
                let depths;
                let texels = match texel {
                    Texel::Depth => {
                        depths = textures::depths(level);
                        depths.as_flattened()
                    }
                    _ => level.texels.as_flattened(),
                };
                let data = |texels| PixelUnpackData::Slice(Some(texels));
                match texture.dimension {
                    Dimension::D2 => {
                        gl.tex_image_2d(target, number, inner, width, height, 0, format, ty, data(texels));
                    }
                    Dimension::D3 | Dimension::D2Array | Dimension::CubeArray => {
                        gl.tex_image_3d(target, number, inner, width, height, depth, 0, format, ty, data(texels));
                    }
                    Dimension::Cube => {
                        for (face, texels) in texels.chunks(texels.len() / 6).enumerate() {
                            let face = glow::TEXTURE_CUBE_MAP_POSITIVE_X + face as u32;
                            gl.tex_image_2d(face, number, inner, width, height, 0, format, ty, data(texels));
                        }
                    }
                }
            }
            self.textures.push((texture.clone(), texel, made));
        }
        Ok(())
    }
}
