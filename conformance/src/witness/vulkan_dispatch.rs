//! One dispatch on Vulkan: upload, pass, read the storage buffers back, with one wait.

use std::collections::BTreeMap;

use super::interface::{Interface, TwoRows, add_uniforms, bytes};
use super::vulkan::{Code, Vulkan};
use crate::Failure;
use crate::dispatch::{Buffers, Dispatch, Dispatcher, given};

impl Dispatcher for Vulkan {
    fn name(&self) -> String {
        crate::Witness::name(self)
    }

    fn dispatch(&mut self, dispatch: &Dispatch) -> Result<Buffers, Failure> {
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
            // A name that WGSL reserves is changed in its text, where there is a single function.
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
        let groups = self.groups(&interface, &layouts, &dispatch.resources, &uniform_data, &uniforms, &storage)?;
        let back = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: contents.iter().map(Vec::len).sum::<usize>().max(4) as u64,
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
        self.queue.submit([encoder.finish()]);
        back.map_async(wgpu::MapMode::Read, .., |_| {});
        let broken = |error: &dyn std::fmt::Display| Failure::Broken(format!("{}: {error}", self.adapter()));
        self.device.poll(wgpu::PollType::wait_indefinitely()).map_err(|error| broken(&error))?;
        self.complaints(&dispatch.module, &source)?;
        let view = back.get_mapped_range(..).map_err(|error| broken(&error))?;
        let mut words = view.as_chunks().0.iter().map(|&word| u32::from_ne_bytes(word));
        let mut buffers = BTreeMap::new();
        for (buffer, content) in interface.buffers.iter().zip(&contents) {
            buffers.insert(buffer.slot, words.by_ref().take(content.len() / 4).collect());
        }
        Ok(buffers)
    }
}

impl Vulkan {
    /// A buffer with this content.
    fn filled(&self, content: &[u8], usage: wgpu::BufferUsages) -> wgpu::Buffer {
        let size = content.len() as u64;
        let descriptor = wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false };
        let buffer = self.device.create_buffer(&descriptor);
        self.queue.write_buffer(&buffer, 0, content);
        buffer
    }
}
