//! Draws one picture on Vulkan: uploads the resources, draws, and reads back the targets, with a single wait.
//!
//! Rule: one buffer contains all data of a draw, and another receives all results. Both buffers are kept for the next draw.

use std::time::{Duration, Instant};

use sdlbc_interp::{Draw, Image, Resources};

use super::interface::{ALIGNMENT, Interface, TwoRows, add_uniforms, bytes, clear, floats, scalars, vertex_words};
use super::vulkan::{Ready, Vulkan};
use super::vulkan_targets::{Targets, row};
use crate::Failure;

/// The inputs and targets of a draw on the device.
struct Inputs {
    buffer: wgpu::Buffer,
    /// The byte offset of the vertices in `buffer`.
    vertices: usize,
    groups: Vec<wgpu::BindGroup>,
    targets: Targets,
}

impl Inputs {
    /// Encodes a pass that clears the targets and draws.
    fn draw(&self, encoder: &mut wgpu::CommandEncoder, draw: &Draw, ready: &Ready) {
        let colours: Vec<_> = self
            .targets
            .colours
            .iter()
            .enumerate()
            .map(|(target, (_, view))| {
                let [r, g, b, a] = clear(draw, target);
                let load = wgpu::LoadOp::Clear(wgpu::Color { r, g, b, a });
                let ops = wgpu::Operations { load, store: wgpu::StoreOp::Store };
                Some(wgpu::RenderPassColorAttachment { view, depth_slice: None, resolve_target: None, ops })
            })
            .collect();
        let has_depth = draw.depth.is_some() || ready.interface.depth;
        let depth = has_depth.then_some(wgpu::RenderPassDepthStencilAttachment {
            view: &self.targets.depth.1,
            depth_ops: Some(wgpu::Operations { load: wgpu::LoadOp::Clear(1.0), store: wgpu::StoreOp::Store }),
            stencil_ops: None,
        });
        let descriptor = wgpu::RenderPassDescriptor {
            color_attachments: &colours,
            depth_stencil_attachment: depth,
            ..Default::default()
        };
        let mut pass = encoder.begin_render_pass(&descriptor);
        if !draw.indices.is_empty() {
            pass.set_pipeline(&ready.pipeline);
            for (number, group) in (0..).zip(&self.groups) {
                pass.set_bind_group(number, group, &[]);
            }
            let indices = draw.indices.len() * 4;
            if !ready.interface.attributes.is_empty() {
                pass.set_vertex_buffer(0, self.buffer.slice(self.vertices as u64..));
            }
            pass.set_index_buffer(self.buffer.slice(..indices as u64), wgpu::IndexFormat::Uint32);
            pass.draw_indexed(0..draw.indices.len() as u32, 0, 0..draw.instances);
        }
    }
}

/// The maximum number of target sizes for which render targets are kept.
const SIZES: usize = 16;

impl Vulkan {
    /// Draws a picture with a prepared module.
    pub(super) fn picture(&mut self, draw: &Draw, ready: &Ready) -> Result<Image, Failure> {
        let inputs = self.upload_inputs(draw, ready)?;
        let mut encoder = self.device.create_command_encoder(&Default::default());
        inputs.draw(&mut encoder, draw, ready);
        self.read_back(encoder, draw, &inputs.targets)
    }

    /// Measures the time of `times` consecutive draws, without preparation and without reading results back.
    pub(super) fn repeat(&mut self, draw: &Draw, ready: &Ready, times: u32) -> Result<Duration, Failure> {
        let inputs = self.upload_inputs(draw, ready)?;
        let wait = |vulkan: &Vulkan| {
            let waited = vulkan.device.poll(wgpu::PollType::wait_indefinitely());
            waited.map_err(|error| Failure::Broken(format!("{}: {error}", vulkan.adapter())))
        };
        self.queue.submit([]);
        wait(self)?;
        let start = Instant::now();
        let mut encoder = self.device.create_command_encoder(&Default::default());
        (0..times).for_each(|_| inputs.draw(&mut encoder, draw, ready));
        self.queue.submit([encoder.finish()]);
        wait(self)?;
        Ok(start.elapsed())
    }

    /// Uploads the inputs of a draw and creates its targets.
    fn upload_inputs(&mut self, draw: &Draw, ready: &Ready) -> Result<Inputs, Failure> {
        let (data, uniforms, vertices) = data(draw, ready);
        let buffer = self.upload(&data);
        let groups = self.groups(&ready.interface, &ready.groups, &draw.resources, &buffer, &uniforms, (&[], &[]))?;
        let scalars = scalars(draw);
        let key = (draw.width, draw.height, scalars.clone());
        if self.targets.len() >= SIZES && !self.targets.contains_key(&key) {
            self.targets.clear();
        }
        let device = &self.device;
        let make = || Targets::new(device, draw.width, draw.height, &scalars);
        let targets = self.targets.entry(key).or_insert_with(make).clone();
        Ok(Inputs { buffer, vertices, groups, targets })
    }

    /// Copies the targets to a buffer, waits for the device, and reads the picture from the buffer.
    fn read_back(&self, mut encoder: wgpu::CommandEncoder, draw: &Draw, targets: &Targets) -> Result<Image, Failure> {
        let mut offset = 0;
        let mut copy = |texture: &wgpu::Texture, pixel| {
            let layout = wgpu::TexelCopyBufferLayout {
                offset,
                bytes_per_row: Some(row(draw.width, pixel)),
                rows_per_image: Some(draw.height),
            };
            let to = wgpu::TexelCopyBufferInfo { buffer: &targets.back, layout };
            encoder.copy_texture_to_buffer(texture.as_image_copy(), to, texture.size());
            offset += u64::from(row(draw.width, pixel) * draw.height);
        };
        targets.colours.iter().for_each(|(texture, _)| copy(texture, 16));
        if draw.depth.is_some() {
            copy(&targets.depth.0, 4);
        }
        self.queue.submit([encoder.finish()]);
        targets.back.map_async(wgpu::MapMode::Read, ..offset, |_| {});
        self.device
            .poll(wgpu::PollType::wait_indefinitely())
            .map_err(|error| Failure::Broken(format!("{}: {error}", self.adapter())))?;
        let view = targets
            .back
            .get_mapped_range(..offset)
            .map_err(|error| Failure::Broken(format!("{}: {error}", self.adapter())))?;
        let mut rest: &[u8] = &view;
        let mut take = |pixel: u32| {
            let (rows, after) = rest.split_at((row(draw.width, pixel) * draw.height) as usize);
            rest = after;
            let bytes = (draw.width * pixel) as usize;
            let rows = rows.chunks(row(draw.width, pixel) as usize);
            rows.flat_map(|row| floats(&row[..bytes])).collect::<Vec<f32>>()
        };
        let colours = targets.colours.iter().map(|_| take(16).as_chunks().0.to_vec()).collect();
        let depth = draw.depth.is_some().then(|| take(4));
        drop(view);
        targets.back.unmap();
        Ok(Image { width: draw.width, height: draw.height, targets: colours, depth })
    }

    /// Uploads data to the buffer of the previous draw, or to a new buffer if that buffer is too small.
    pub(super) fn upload(&mut self, data: &[u8]) -> wgpu::Buffer {
        let kept = self.data.take().filter(|buffer| buffer.size() >= data.len() as u64);
        let buffer = kept.unwrap_or_else(|| {
            let usage = wgpu::BufferUsages::INDEX | wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::UNIFORM;
            self.device.create_buffer(&wgpu::BufferDescriptor {
                label: None,
                size: data.len().next_power_of_two().max(1 << 16) as u64,
                usage: usage | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })
        });
        self.queue.write_buffer(&buffer, 0, data);
        self.data = Some(buffer.clone());
        buffer
    }

    /// Creates the bind groups for a module's uniforms, textures, storage buffers and storage textures. `uniforms` contains the
    /// position and length of each uniform in `buffer`.
    pub(super) fn groups(
        &mut self,
        interface: &Interface,
        layouts: &[wgpu::BindGroupLayout],
        resources: &Resources,
        buffer: &wgpu::Buffer,
        uniforms: &[(usize, usize)],
        (storage, images): (&[wgpu::Buffer], &[wgpu::TextureView]),
    ) -> Result<Vec<wgpu::BindGroup>, Failure> {
        let places = self.places;
        let mut sampled = Vec::new();
        for texture in &interface.textures {
            let given = resources.textures.get(&(texture.stage, texture.slot));
            let given = given.filter(|given| given.dimension == texture.dimension);
            let view = self.texture(given, (texture.dimension, texture.texel))?;
            let place = places.of_texture(texture, &interface.textures);
            sampled.push((place, view, self.sampler(texture.sampler, texture.texel)));
        }
        let mut entries = Vec::new();
        for (uniform, &(offset, size)) in interface.uniforms.iter().zip(uniforms) {
            let size = std::num::NonZeroU64::new(size as u64);
            let resource = wgpu::BindingResource::Buffer(wgpu::BufferBinding { buffer, offset: offset as u64, size });
            entries.push((places.of_uniform(uniform), resource));
        }
        for ((group, binding), view, sampler) in &sampled {
            entries.push(((*group, *binding), wgpu::BindingResource::TextureView(view)));
            entries.push(((*group, binding + 1), wgpu::BindingResource::Sampler(sampler)));
        }
        for (of, buffer) in interface.buffers.iter().zip(storage) {
            entries.push(((0, of.binding()), buffer.as_entire_binding()));
        }
        for (of, view) in interface.images.iter().zip(images) {
            entries.push(((0, of.binding()), wgpu::BindingResource::TextureView(view)));
        }
        let groups = (0..).zip(layouts).map(|(number, layout)| {
            let of_group = entries.iter().filter(|((group, _), _)| *group == number);
            let entries: Vec<_> = of_group
                .map(|((_, binding), resource)| wgpu::BindGroupEntry { binding: *binding, resource: resource.clone() })
                .collect();
            let descriptor = wgpu::BindGroupDescriptor { label: None, layout, entries: &entries };
            self.device.create_bind_group(&descriptor)
        });
        Ok(groups.collect())
    }
}

/// Returns the bytes of a draw's indices, uniforms and vertices, the position and length of each uniform, and the position of the
/// vertices.
fn data(draw: &Draw, ready: &Ready) -> (Vec<u8>, Vec<(usize, usize)>, usize) {
    let mut data = bytes(&draw.indices);
    let uniforms = add_uniforms(&mut data, &ready.interface, &draw.resources, TwoRows::Tight);
    data.resize(data.len().next_multiple_of(ALIGNMENT), 0);
    let vertices = data.len();
    data.extend(bytes(&vertex_words(draw, &ready.interface).0));
    (data, uniforms, vertices)
}
