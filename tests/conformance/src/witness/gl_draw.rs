//! One picture on OpenGL: upload, draw, read back.
//!
//! Rule: the state that a draw needs is set each time; state that never changes is set once, when the context is
//! created.

use std::collections::HashMap;

use glow::{HasContext, PixelPackData, PixelUnpackData};
use sdlbc::{Dimension, Sampler, Scalar, Texel, limits};
use sdlbc_interp::{Cull, DepthTest, Draw, Image, Resources, Texture, Topology};

use super::gl::{OpenGl, Ready};
use super::interface::{ALIGNMENT, ATTRIBUTE, Interface, add_uniforms, bytes, floats, uniform_words, vertex_words};
use super::{black, check_texture};
use crate::Failure;

/// Objects that are kept between draws.
pub(super) struct Store {
    es: bool,
    data: glow::Buffer,
    targets: HashMap<(u32, u32, usize), Targets>,
    samplers: HashMap<[u8; 4], glow::Sampler>,
    textures: Vec<(Texture, Texel, glow::Texture)>,
    /// The attributes that the last draw enabled.
    enabled: Vec<u32>,
}

/// Render targets of one size.
struct Targets {
    frame: glow::Framebuffer,
    buffers: Vec<glow::Renderbuffer>,
}

/// Number of sizes of targets, and number of textures, that are kept.
const SIZES: usize = 16;
const TEXTURES: usize = 64;

impl Store {
    /// Sets the state that never changes.
    ///
    /// # Safety
    /// The context is current.
    pub(super) unsafe fn new(gl: &glow::Context, es: bool) -> Result<Store, String> {
        // SAFETY: guaranteed by the caller.
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

    /// Binds targets of the draw's size, creating them if necessary.
    unsafe fn bind_targets(&mut self, gl: &glow::Context, draw: &Draw) -> Result<(), String> {
        let key = (draw.width, draw.height, draw.targets);
        // SAFETY: the context is current.
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
            let colour = colours.iter().map(|&place| (place, glow::RGBA32F));
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

    /// Binds a sampler with that state.
    unsafe fn bind_sampler(
        &mut self,
        gl: &glow::Context,
        unit: u32,
        mut state: Sampler,
        texel: Texel,
    ) -> Result<(), String> {
        if matches!(texel, Texel::Int | Texel::Uint) {
            // Ints are not filtered.
            state.filter = 0;
            state.mip = state.mip.min(1);
        }
        let linear = state.filter != 0;
        let key = [u8::from(linear) | (texel as u8 * 2), state.mip, state.wrap_u, state.wrap_v];
        // SAFETY: the context is current.
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

    /// Binds a texture to a unit.
    unsafe fn bind_texture(
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
        // SAFETY: the context is current.
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
                        depths = super::depths(level);
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

impl OpenGl {
    /// Draws with a prepared module.
    pub(super) fn picture(&mut self, draw: &Draw, ready: &Ready) -> Result<Image, Failure> {
        // SAFETY: the context is current, and the bound buffers are as long as the draw reads.
        unsafe {
            let gl = &self.context.gl;
            gl.use_program(Some(ready.program));
            self.store.bind_targets(gl, draw).map_err(Failure::Broken)?;
            gl.viewport(0, 0, draw.width as i32, draw.height as i32);
            gl.depth_mask(true);
            for target in 0..draw.targets as u32 {
                gl.clear_buffer_f32_slice(glow::COLOR, target, &draw.clear);
            }
            gl.clear_buffer_f32_slice(glow::DEPTH, 0, &[1.0]);
            // A target that the function does not write is undefined, so it is masked.
            let all = (0..draw.targets as u32).all(|target| ready.interface.written.contains(&target));
            if !all {
                self.enable_targets(draw, Some(ready));
            }
            if !draw.indices.is_empty() && draw.instances > 0 {
                self.bind_resources(draw, ready)?;
                self.set_state(draw, ready);
                let mode = if draw.topology == Topology::Points { glow::POINTS } else { glow::TRIANGLES };
                let (count, instances) = (draw.indices.len() as i32, draw.instances as i32);
                self.context.gl.draw_elements_instanced(mode, count, glow::UNSIGNED_INT, 0, instances);
            }
            if !all {
                self.enable_targets(draw, None);
            }
            let image = self.read_back(draw);
            match self.context.gl.get_error() {
                glow::NO_ERROR => Ok(image),
                error => Err(Failure::Broken(format!("{}: OpenGL's error 0x{error:x}", self.context.renderer))),
            }
        }
    }

    /// Enables the targets that the functions write, or all of them.
    unsafe fn enable_targets(&self, draw: &Draw, ready: Option<&Ready>) {
        let open = |target| ready.is_none_or(|ready| ready.interface.written.contains(&target));
        let place = |target| if open(target) { glow::COLOR_ATTACHMENT0 + target } else { glow::NONE };
        let places: Vec<u32> = (0..draw.targets as u32).map(place).collect();
        // SAFETY: the context is current.
        unsafe { self.context.gl.draw_buffers(&places) };
    }

    /// Uploads and binds the functions' resources.
    unsafe fn bind_resources(&mut self, draw: &Draw, ready: &Ready) -> Result<(), Failure> {
        let (data, uniforms, vertices) = data(draw, ready);
        // SAFETY: the context is current.
        unsafe { self.bind_read(&ready.interface, &draw.resources, &data, &uniforms)? };
        let (gl, store) = (&self.context.gl, &mut self.store);
        // SAFETY: the same.
        unsafe {
            for plain in &ready.plain {
                let Some(uniform) = ready.interface.uniforms.get(plain.uniform) else { continue };
                plain.set(gl, &uniform_words(uniform, &draw.resources, ready.two_rows));
            }
            let locations: Vec<u32> = ready.interface.attributes.iter().map(|attribute| attribute.location).collect();
            store
                .enabled
                .iter()
                .filter(|old| !locations.contains(old))
                .for_each(|&old| gl.disable_vertex_attrib_array(old));
            let stride = (locations.len() * ATTRIBUTE) as i32;
            for (place, attribute) in ready.interface.attributes.iter().enumerate() {
                let (location, offset) = (attribute.location, (vertices + place * ATTRIBUTE) as i32);
                gl.enable_vertex_attrib_array(location);
                match attribute.scalar {
                    Scalar::Int => gl.vertex_attrib_pointer_i32(location, 4, glow::INT, stride, offset),
                    Scalar::Uint | Scalar::Bool => {
                        gl.vertex_attrib_pointer_i32(location, 4, glow::UNSIGNED_INT, stride, offset);
                    }
                    Scalar::Float | Scalar::Half => {
                        gl.vertex_attrib_pointer_f32(location, 4, glow::FLOAT, false, stride, offset);
                    }
                }
            }
            store.enabled = locations;
        }
        Ok(())
    }

    /// Uploads some data, and binds the uniforms, which are at these places of it, and the textures.
    ///
    /// # Safety
    /// The context is current.
    pub(super) unsafe fn bind_read(
        &mut self,
        interface: &Interface,
        resources: &Resources,
        data: &[u8],
        uniforms: &[(usize, usize)],
    ) -> Result<(), Failure> {
        let (gl, store) = (&self.context.gl, &mut self.store);
        // SAFETY: guaranteed by the caller.
        unsafe {
            gl.buffer_data_u8_slice(glow::ARRAY_BUFFER, data, glow::STREAM_DRAW);
            for (place, &(offset, size)) in uniforms.iter().enumerate() {
                let buffer = Some(store.data);
                gl.bind_buffer_range(glow::UNIFORM_BUFFER, place as u32, buffer, offset as i32, size as i32);
            }
            // Not cleared between two textures of one draw: the first is already bound.
            if store.textures.len() + interface.textures.len() > TEXTURES {
                store.textures.drain(..).for_each(|(_, _, texture)| gl.delete_texture(texture));
            }
            for (unit, texture) in interface.textures.iter().enumerate() {
                let given = resources.textures.get(&(texture.stage, texture.slot));
                let given = given.filter(|given| given.dimension == texture.dimension);
                match given {
                    Some(given) => store.bind_texture(gl, unit as u32, given, texture.texel)?,
                    None => store.bind_texture(gl, unit as u32, &black(texture.dimension), texture.texel)?,
                }
                store.bind_sampler(gl, unit as u32, texture.sampler, texture.texel).map_err(Failure::Broken)?;
            }
        }
        Ok(())
    }

    /// Culling, depth and points.
    unsafe fn set_state(&self, draw: &Draw, ready: &Ready) {
        let gl = &self.context.gl;
        // SAFETY: the context is current.
        unsafe {
            match draw.cull {
                Cull::None => gl.disable(glow::CULL_FACE),
                Cull::Back | Cull::Front => {
                    gl.enable(glow::CULL_FACE);
                    gl.cull_face(if draw.cull == Cull::Back { glow::BACK } else { glow::FRONT });
                }
            }
            match draw.depth {
                None => gl.disable(glow::DEPTH_TEST),
                Some(test) => {
                    gl.enable(glow::DEPTH_TEST);
                    gl.depth_func(match test {
                        DepthTest::Always => glow::ALWAYS,
                        DepthTest::Less => glow::LESS,
                        DepthTest::LessEqual => glow::LEQUAL,
                    });
                }
            }
            for index in (0..limits::CLIP_DISTANCES).filter(|_| self.limits.clip_distances) {
                if index < ready.interface.clip_distances {
                    gl.enable(glow::CLIP_DISTANCE0 + index);
                } else {
                    gl.disable(glow::CLIP_DISTANCE0 + index);
                }
            }
            // OpenGL ES always uses the vertex function's point size; if it writes none, Mesa draws one pixel.
            if !self.store.es {
                if ready.interface.point_size {
                    gl.enable(glow::PROGRAM_POINT_SIZE);
                } else {
                    gl.disable(glow::PROGRAM_POINT_SIZE);
                }
            }
        }
    }

    /// Reads the targets, the first row of which is the top one.
    unsafe fn read_back(&self, draw: &Draw) -> Image {
        let gl = &self.context.gl;
        let (width, height) = (draw.width as i32, draw.height as i32);
        let read = |format, components: usize| {
            let mut bytes = vec![0; (draw.width * draw.height) as usize * components * 4];
            // SAFETY: the context is current, and there is room for all pixels.
            unsafe {
                gl.read_pixels(0, 0, width, height, format, glow::FLOAT, PixelPackData::Slice(Some(&mut bytes)));
            }
            floats(&bytes).collect::<Vec<f32>>()
        };
        let mut targets = Vec::new();
        for target in 0..draw.targets as u32 {
            // SAFETY: as above.
            unsafe { gl.read_buffer(glow::COLOR_ATTACHMENT0 + target) };
            targets.push(read(glow::RGBA, 4).as_chunks().0.to_vec());
        }
        // OpenGL ES cannot read back depth.
        let depth = (draw.depth.is_some() && !self.store.es).then(|| read(glow::DEPTH_COMPONENT, 1));
        Image { width: draw.width, height: draw.height, targets, depth }
    }
}

/// The data of a draw: indices, uniforms, vertices; the position and length of each uniform, and the position of the vertices.
fn data(draw: &Draw, ready: &Ready) -> (Vec<u8>, Vec<(usize, usize)>, usize) {
    let mut data = bytes(&indices(draw, ready));
    let uniforms = add_uniforms(&mut data, &ready.interface, &draw.resources, ready.two_rows);
    data.resize(data.len().next_multiple_of(ALIGNMENT), 0);
    let vertices = data.len();
    data.extend(bytes(&vertex_words(draw, &ready.interface).0));
    (data, uniforms, vertices)
}

/// The indices. The provoking vertex of flat varyings is the last one in OpenGL and the first one elsewhere, so the
/// first one is moved to the end.
fn indices(draw: &Draw, ready: &Ready) -> Vec<u32> {
    let mut indices = draw.indices.clone();
    if ready.interface.flat && draw.topology == Topology::Triangles {
        indices.as_chunks_mut::<3>().0.iter_mut().for_each(|triangle| triangle.rotate_left(1));
    }
    indices
}
