//! Draws one picture on OpenGL: uploads the resources, draws, and reads back the targets.
//!
//! Rule: each draw sets the OpenGL state that it needs. The state that never changes is set once, when the context is created.

use glow::{HasContext, PixelPackData};
use sdlbc::{Scalar, limits};
use sdlbc_interp::{Cull, DepthTest, Draw, Image, Resources, Topology};

use super::gl::{OpenGl, Ready};
use super::gl_store::TEXTURES;
use super::interface::{ALIGNMENT, ATTRIBUTE, Interface, add_uniforms, bytes, floats, uniform_words, vertex_words};
use super::textures::black;
use crate::Failure;

impl OpenGl {
    pub(super) fn picture(&mut self, draw: &Draw, ready: &Ready) -> Result<Image, Failure> {
        // SAFETY: the context is current, and the bound buffers are as long as the ranges that the draw reads.
        unsafe {
            let gl = &self.context.gl;
            gl.use_program(Some(ready.program));
            self.store.bind_targets(gl, draw).map_err(Failure::Broken)?;
            gl.viewport(0, 0, draw.width as i32, draw.height as i32);
            gl.depth_mask(true);
            for target in 0..draw.targets as u32 {
                let pixel = draw.cleared(target as usize);
                match draw.scalar(target as usize) {
                    Scalar::Int => {
                        let ints = pixel.map(|part| part.to_bits().cast_signed());
                        gl.clear_buffer_i32_slice(glow::COLOR, target, &ints);
                    }
                    Scalar::Uint => gl.clear_buffer_u32_slice(glow::COLOR, target, &pixel.map(f32::to_bits)),
                    _ => gl.clear_buffer_f32_slice(glow::COLOR, target, &pixel),
                }
            }
            gl.clear_buffer_f32_slice(glow::DEPTH, 0, &[1.0]);
            // The contents of a target that the function does not write would become undefined, so writes to that target are
            // disabled.
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

    /// Enables the targets that the functions write, or all targets if `ready` is `None`.
    unsafe fn enable_targets(&self, draw: &Draw, ready: Option<&Ready>) {
        let open = |target| ready.is_none_or(|ready| ready.interface.written.contains(&target));
        let place = |target| if open(target) { glow::COLOR_ATTACHMENT0 + target } else { glow::NONE };
        let places: Vec<u32> = (0..draw.targets as u32).map(place).collect();
        // SAFETY: the context is current.
        unsafe { self.context.gl.draw_buffers(&places) };
    }

    unsafe fn bind_resources(&mut self, draw: &Draw, ready: &Ready) -> Result<(), Failure> {
        let (data, uniforms, vertices) = data(draw, ready);
        // SAFETY: the context is current.
        unsafe { self.bind_read(&ready.interface, &draw.resources, &data, &uniforms)? };
        let (gl, store) = (&self.context.gl, &mut self.store);
        // SAFETY: the context is current.
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

    /// Uploads the data, and binds the textures and uniforms. `uniforms` contains the position and length of each uniform in
    /// the data.
    ///
    /// # Safety
    /// The context must be current.
    pub(super) unsafe fn bind_read(
        &mut self,
        interface: &Interface,
        resources: &Resources,
        data: &[u8],
        uniforms: &[(usize, usize)],
    ) -> Result<(), Failure> {
        let (gl, store) = (&self.context.gl, &mut self.store);
        // SAFETY: the caller guarantees that the context is current.
        unsafe {
            gl.buffer_data_u8_slice(glow::ARRAY_BUFFER, data, glow::STREAM_DRAW);
            for (place, &(offset, size)) in uniforms.iter().enumerate() {
                let buffer = Some(store.data);
                gl.bind_buffer_range(glow::UNIFORM_BUFFER, place as u32, buffer, offset as i32, size as i32);
            }
            // The store is emptied only before the first texture of a draw, since later textures must not delete textures that
            // are already bound.
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
            // OpenGL ES always uses the vertex function's point size; if the function writes none, Mesa draws points of one
            // pixel.
            if !self.store.es {
                if ready.interface.point_size {
                    gl.enable(glow::PROGRAM_POINT_SIZE);
                } else {
                    gl.disable(glow::PROGRAM_POINT_SIZE);
                }
            }
        }
    }

    /// Reads back the targets. The first row is the top row.
    unsafe fn read_back(&self, draw: &Draw) -> Image {
        let gl = &self.context.gl;
        let (width, height) = (draw.width as i32, draw.height as i32);
        let read = |format, components: usize, ty| {
            let mut bytes = vec![0; (draw.width * draw.height) as usize * components * 4];
            // SAFETY: the context is current, and the buffer has room for all pixels.
            unsafe {
                gl.read_pixels(0, 0, width, height, format, ty, PixelPackData::Slice(Some(&mut bytes)));
            }
            floats(&bytes).collect::<Vec<f32>>()
        };
        let mut targets = Vec::new();
        for target in 0..draw.targets as u32 {
            // SAFETY: the context is current.
            unsafe { gl.read_buffer(glow::COLOR_ATTACHMENT0 + target) };
            let (format, ty) = match draw.scalar(target as usize) {
                Scalar::Int => (glow::RGBA_INTEGER, glow::INT),
                Scalar::Uint => (glow::RGBA_INTEGER, glow::UNSIGNED_INT),
                _ => (glow::RGBA, glow::FLOAT),
            };
            targets.push(read(format, 4, ty).as_chunks().0.to_vec());
        }
        // OpenGL ES cannot read back a depth buffer.
        let depth = (draw.depth.is_some() && !self.store.es).then(|| read(glow::DEPTH_COMPONENT, 1, glow::FLOAT));
        Image { width: draw.width, height: draw.height, targets, depth }
    }
}

/// Returns the indices, uniforms and vertices of a draw in one buffer. Also returns the position and length of each uniform, and
/// the position of the vertices.
fn data(draw: &Draw, ready: &Ready) -> (Vec<u8>, Vec<(usize, usize)>, usize) {
    let mut data = bytes(&indices(draw, ready));
    let uniforms = add_uniforms(&mut data, &ready.interface, &draw.resources, ready.two_rows);
    data.resize(data.len().next_multiple_of(ALIGNMENT), 0);
    let vertices = data.len();
    data.extend(bytes(&vertex_words(draw, &ready.interface).0));
    (data, uniforms, vertices)
}

/// Returns a draw's indices in OpenGL's order. The provoking vertex of flat varyings is the last vertex in OpenGL and the first
/// vertex elsewhere, so the first vertex of each triangle is moved to the end.
fn indices(draw: &Draw, ready: &Ready) -> Vec<u32> {
    let mut indices = draw.indices.clone();
    if ready.interface.flat && draw.topology == Topology::Triangles {
        indices.as_chunks_mut::<3>().0.iter_mut().for_each(|triangle| triangle.rotate_left(1));
    }
    indices
}
