//! Runs one dispatch on Vulkan: uploads the resources, runs the pass, and reads back the storage buffers and storage textures,
//! with a single wait.

use sdlbc::Dimension;
use sdlbc_interp::StorageTexture;

use super::interface::{ALIGNMENT, Interface, StorageImage, TwoRows, add_uniforms, bytes};
use super::texels;
use super::vulkan::{Code, Vulkan, storage_format, view_dimension};
use crate::Failure;
use crate::dispatch::{Dispatch, Dispatcher, Memory, given};

impl Dispatcher for Vulkan {
    fn name(&self) -> String {
        crate::Witness::name(self)
    }

    fn dispatch(&mut self, dispatch: &Dispatch) -> Result<Memory, Failure> {
        let interface = Interface::of_compute(&dispatch.module)?;
        if interface.halves && !self.halves {
            return Err(Failure::Unsupported("halves".into()));
        }
        let (layouts, layout) = self.layout(&interface);
        let (module, source) = self.shader(&dispatch.module, &interface)?;
        let named = matches!(self.code(), Code::Spirv);
        let pipeline = self.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: None,
            layout: Some(&layout),
            module: &module,
            // The translation to WGSL or HLSL may rename an entry point, so wgpu selects the module's only entry point.
            entry_point: named.then_some(interface.compute.as_str()),
            compilation_options: Default::default(),
            cache: None,
        });
        self.complaints(&dispatch.module, &source)?;

        let mut data = Vec::new();
        let uniforms = add_uniforms(&mut data, &interface, &dispatch.resources, TwoRows::Tight);
        let uniform_data = self.upload(&data);
        let contents: Vec<Vec<u8>> =
            interface.buffers.iter().map(|buffer| bytes(&given(&dispatch.resources, buffer.slot))).collect();
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST;
        let storage: Vec<wgpu::Buffer> = contents.iter().map(|content| self.filled(content, usage)).collect();
        let given: Vec<&StorageTexture> =
            interface.images.iter().map(|image| image.given(&dispatch.resources)).collect::<Result<_, Failure>>()?;
        let images: Vec<wgpu::Texture> =
            interface.images.iter().zip(&given).map(|(image, given)| self.image(*image, given)).collect();
        let views: Vec<wgpu::TextureView> = images
            .iter()
            .zip(&interface.images)
            .map(|(texture, image)| {
                let dimension = Some(view_dimension(image.dimension));
                texture.create_view(&wgpu::TextureViewDescriptor { dimension, ..Default::default() })
            })
            .collect();
        let stored = (&storage[..], &views[..]);
        let groups = self.groups(&interface, &layouts, &dispatch.resources, &uniform_data, &uniforms, stored)?;
        let bytes_of_images = given.iter().map(|given| rows(given).0 * rows(given).1).sum::<usize>();
        let back = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: (contents.iter().map(Vec::len).sum::<usize>().next_multiple_of(ALIGNMENT) + bytes_of_images).max(4)
                as u64,
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });

        let mut encoder = self.device.create_command_encoder(&Default::default());
        let mut pass = encoder.begin_compute_pass(&Default::default());
        pass.set_pipeline(&pipeline);
        for (number, group) in (0..).zip(&groups) {
            pass.set_bind_group(number, group, &[]);
        }
        let [x, y, z] = dispatch.workgroups;
        pass.dispatch_workgroups(x, y, z);
        drop(pass);
        let mut offset = 0;
        for (buffer, content) in storage.iter().zip(&contents) {
            encoder.copy_buffer_to_buffer(buffer, 0, &back, offset, content.len() as u64);
            offset += content.len() as u64;
        }
        offset = offset.next_multiple_of(ALIGNMENT as u64);
        let first_image = offset as usize;
        for (texture, given) in images.iter().zip(&given) {
            let (row, count) = rows(given);
            let layout = wgpu::TexelCopyBufferLayout {
                offset,
                bytes_per_row: Some(row as u32),
                rows_per_image: Some(given.size()[1]),
            };
            let to = wgpu::TexelCopyBufferInfo { buffer: &back, layout };
            encoder.copy_texture_to_buffer(texture.as_image_copy(), to, texture.size());
            offset += (row * count) as u64;
        }
        self.queue.submit([encoder.finish()]);
        back.map_async(wgpu::MapMode::Read, .., |_| {});
        let broken = |error: &dyn std::fmt::Display| Failure::Broken(format!("{}: {error}", self.adapter()));
        self.device.poll(wgpu::PollType::wait_indefinitely()).map_err(|error| broken(&error))?;
        self.complaints(&dispatch.module, &source)?;
        let view = back.get_mapped_range(..).map_err(|error| broken(&error))?;
        let mut words = view.as_chunks().0.iter().map(|&word| u32::from_ne_bytes(word));
        let mut memory = Memory::default();
        for (buffer, content) in interface.buffers.iter().zip(&contents) {
            memory.buffers.insert(buffer.slot, words.by_ref().take(content.len() / 4).collect());
        }
        let mut rest = view.get(first_image..).unwrap_or_default();
        for (image, given) in interface.images.iter().zip(&given) {
            let (row, count) = rows(given);
            let (rows, after) = rest.split_at_checked(row * count).unwrap_or_default();
            rest = after;
            let texels = given.size()[0] as usize * texels::size(image.format);
            let bytes: Vec<u8> = rows.chunks(row).flat_map(|row| &row[..texels]).copied().collect();
            memory.images.extend(texels::unpacked(given, &bytes).map(|texture| (image.slot, texture)));
        }
        Ok(memory)
    }
}

/// Returns the padded row length in bytes, and the number of rows in all slices, for copying a storage texture to a buffer.
fn rows(image: &StorageTexture) -> (usize, usize) {
    let [width, height, depth] = image.size().map(|size| size as usize);
    ((width * texels::size(image.format())).next_multiple_of(ALIGNMENT), height * depth)
}

impl Vulkan {
    /// Creates a storage texture with the given texels on the device.
    fn image(&self, image: StorageImage, given: &StorageTexture) -> wgpu::Texture {
        let [width, height, depth_or_array_layers] = given.size();
        let size = wgpu::Extent3d { width, height, depth_or_array_layers };
        let bound = match self.reads_textures() && !image.written {
            true => wgpu::TextureUsages::TEXTURE_BINDING,
            false => wgpu::TextureUsages::STORAGE_BINDING,
        };
        let usage = bound | wgpu::TextureUsages::COPY_SRC | wgpu::TextureUsages::COPY_DST;
        let texture = self.device.create_texture(&wgpu::TextureDescriptor {
            label: None,
            size,
            mip_level_count: 1,
            sample_count: 1,
            dimension: match image.dimension {
                Dimension::D3 => wgpu::TextureDimension::D3,
                _ => wgpu::TextureDimension::D2,
            },
            format: storage_format(image.format),
            usage,
            view_formats: &[],
        });
        let layout = wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(width * texels::size(image.format) as u32),
            rows_per_image: Some(height),
        };
        self.queue.write_texture(texture.as_image_copy(), &texels::packed(given), layout, size);
        texture
    }

    fn filled(&self, content: &[u8], usage: wgpu::BufferUsages) -> wgpu::Buffer {
        let size = content.len() as u64;
        let descriptor = wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false };
        let buffer = self.device.create_buffer(&descriptor);
        self.queue.write_buffer(&buffer, 0, content);
        buffer
    }
}
