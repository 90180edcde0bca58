//! Code that every wgpu program without a window needs: it opens a device, creates buffers and textures, draws, and reads pictures
//! back from the GPU.

use anyhow::{Context, Result};
use wgpu::util::DeviceExt;

use crate::shapes::Texture;

/// A wgpu device with its queue.
#[derive(Debug)]
pub struct Gpu {
    /// The device that creates all buffers, textures and pipelines.
    pub device: wgpu::Device,
    /// The queue to which all commands are submitted.
    pub queue: wgpu::Queue,
}

/// A square picture that has been read back from the GPU.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// The width and height of the picture in pixels.
    pub side: u32,
    /// The pixels row by row, each with red, green, blue and alpha.
    pub pixels: Vec<[u8; 4]>,
}

/// A draw call with its pipeline, bind groups, vertices and indices.
pub struct Pass<'a> {
    /// The pipeline that draws the triangles.
    pub pipeline: &'a wgpu::RenderPipeline,
    /// The bind groups, each with its index in the pipeline layout.
    pub groups: &'a [(u32, wgpu::BindGroup)],
    /// The vertex buffer of the draw call.
    pub vertices: wgpu::Buffer,
    /// The indices of the vertices, three for each triangle.
    pub indices: &'a [u32],
    /// The number of colour targets, each of which becomes a picture.
    pub targets: usize,
}

/// The pixel format of all colour targets and pictures.
pub const COLOUR: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;
const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;
/// The width and height of all pictures in pixels. The length of a row is a multiple of 256 bytes, which wgpu requires for
/// copies.
pub const SIDE: u32 = 512;
const SIZE: wgpu::Extent3d = wgpu::Extent3d { width: SIDE, height: SIDE, depth_or_array_layers: 1 };
/// The colour to which all colour targets are cleared.
pub const CLEAR: [f64; 4] = [0.1, 0.12, 0.14, 1.0];

impl Gpu {
    /// Finds a graphics adapter and opens its device.
    ///
    /// # Errors
    /// Returns an error if the machine has no suitable device.
    pub fn new() -> Result<Gpu> {
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
        let adapter = pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions::default()))
            .context("there is no graphics device that wgpu can use")?;
        let (device, queue) = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor::default()))?;
        Ok(Gpu { device, queue })
    }

    /// Creates a buffer with the given contents.
    pub fn buffer(&self, contents: &[u8], usage: wgpu::BufferUsages) -> wgpu::Buffer {
        self.device.create_buffer_init(&wgpu::util::BufferInitDescriptor { label: None, contents, usage })
    }

    /// Creates a uniform buffer that contains the constants.
    pub fn constants(&self, constants: &impl bytemuck::Pod) -> wgpu::Buffer {
        self.buffer(bytemuck::bytes_of(constants), wgpu::BufferUsages::UNIFORM)
    }

    /// Creates a texture, uploads all its mip levels, and returns a view of it.
    pub fn texture(&self, texture: &Texture) -> wgpu::TextureView {
        let descriptor = wgpu::TextureDescriptor {
            label: None,
            size: wgpu::Extent3d { width: texture.side, height: texture.side, depth_or_array_layers: 1 },
            mip_level_count: texture.levels.len() as u32,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: wgpu::TextureFormat::Rgba8Unorm,
            usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
            view_formats: &[],
        };
        let data: Vec<u8> = texture.levels.iter().flatten().flatten().copied().collect();
        let order = wgpu::util::TextureDataOrder::LayerMajor;
        let made = self.device.create_texture_with_data(&self.queue, &descriptor, order, &data);
        made.create_view(&wgpu::TextureViewDescriptor::default())
    }

    /// Creates a render pipeline from a vertex and a fragment stage, with a depth test.
    pub fn pipeline(
        &self,
        layout: &wgpu::PipelineLayout,
        vertex: wgpu::VertexState<'_>,
        fragment: wgpu::FragmentState<'_>,
    ) -> wgpu::RenderPipeline {
        self.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: None,
            layout: Some(layout),
            vertex,
            primitive: wgpu::PrimitiveState::default(),
            depth_stencil: Some(wgpu::DepthStencilState {
                format: DEPTH,
                depth_write_enabled: Some(true),
                depth_compare: Some(wgpu::CompareFunction::Less),
                stencil: wgpu::StencilState::default(),
                bias: wgpu::DepthBiasState::default(),
            }),
            multisample: wgpu::MultisampleState::default(),
            fragment: Some(fragment),
            multiview_mask: None,
            cache: None,
        })
    }

    /// Executes a draw call and reads back the picture of each colour target.
    ///
    /// # Errors
    /// Returns an error if the device is lost.
    pub fn draw(&self, pass: &Pass<'_>) -> Result<Vec<Picture>> {
        let colours: Vec<wgpu::Texture> = (0..pass.targets).map(|_| self.target(COLOUR)).collect();
        let views: Vec<_> = colours.iter().map(|colour| colour.create_view(&Default::default())).collect();
        let depth = self.target(DEPTH).create_view(&Default::default());
        let [r, g, b, a] = CLEAR;
        let load = wgpu::LoadOp::Clear(wgpu::Color { r, g, b, a });
        let attachment = |view| {
            let ops = wgpu::Operations { load, store: wgpu::StoreOp::Store };
            Some(wgpu::RenderPassColorAttachment { view, depth_slice: None, resolve_target: None, ops })
        };
        let attachments: Vec<_> = views.iter().map(attachment).collect();
        let mut encoder = self.device.create_command_encoder(&Default::default());
        let indices = self.buffer(bytemuck::cast_slice(pass.indices), wgpu::BufferUsages::INDEX);
        {
            let mut drawn = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                color_attachments: &attachments,
                depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                    view: &depth,
                    depth_ops: Some(wgpu::Operations { load: wgpu::LoadOp::Clear(1.0), store: wgpu::StoreOp::Store }),
                    stencil_ops: None,
                }),
                ..Default::default()
            });
            drawn.set_pipeline(pass.pipeline);
            for (number, group) in pass.groups {
                drawn.set_bind_group(*number, group, &[]);
            }
            drawn.set_vertex_buffer(0, pass.vertices.slice(..));
            drawn.set_index_buffer(indices.slice(..), wgpu::IndexFormat::Uint32);
            drawn.draw_indexed(0..pass.indices.len() as u32, 0, 0..1);
        }
        let backs: Vec<_> = colours.iter().map(|colour| self.copied(&mut encoder, colour)).collect();
        self.queue.submit([encoder.finish()]);
        backs.iter().for_each(|back| back.map_async(wgpu::MapMode::Read, .., |_| {}));
        self.device.poll(wgpu::PollType::wait_indefinitely())?;
        backs
            .iter()
            .map(|back| Ok(Picture { side: SIDE, pixels: bytemuck::cast_slice(&back.get_mapped_range(..)?).to_vec() }))
            .collect()
    }

    fn target(&self, format: wgpu::TextureFormat) -> wgpu::Texture {
        self.device.create_texture(&wgpu::TextureDescriptor {
            label: None,
            size: SIZE,
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[],
        })
    }

    /// Records a copy of a colour target to a new buffer, which the host can read.
    fn copied(&self, encoder: &mut wgpu::CommandEncoder, target: &wgpu::Texture) -> wgpu::Buffer {
        let back = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: u64::from(4 * SIDE * SIDE),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        let layout =
            wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(4 * SIDE), rows_per_image: Some(SIDE) };
        let to = wgpu::TexelCopyBufferInfo { buffer: &back, layout };
        encoder.copy_texture_to_buffer(target.as_image_copy(), to, SIZE);
        back
    }
}

/// Returns the state of a colour target without blending.
pub fn target() -> Option<wgpu::ColorTargetState> {
    Some(wgpu::ColorTargetState { format: COLOUR, blend: None, write_mask: wgpu::ColorWrites::ALL })
}
