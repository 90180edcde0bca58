//! Render targets on Vulkan, and the buffer through which their pixels are read back.

use sdlbc::Scalar;

#[derive(Clone)]
pub(super) struct Targets {
    pub(super) colours: Vec<(wgpu::Texture, wgpu::TextureView)>,
    pub(super) depth: (wgpu::Texture, wgpu::TextureView),
    /// The buffer to which all targets are copied one after another, with the depth last.
    pub(super) back: wgpu::Buffer,
}

impl Targets {
    pub(super) fn new(device: &wgpu::Device, width: u32, height: u32, scalars: &[Scalar]) -> Targets {
        let texture = |format| {
            let texture = device.create_texture(&wgpu::TextureDescriptor {
                label: None,
                size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
                view_formats: &[],
            });
            let view = texture.create_view(&Default::default());
            (texture, view)
        };
        let size = row(width, 16) * height * scalars.len() as u32 + row(width, 4) * height;
        let back = device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: size.into(),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        let colours = scalars.iter().map(|&scalar| texture(format(scalar))).collect();
        Targets { colours, depth: texture(wgpu::TextureFormat::Depth32Float), back }
    }
}

/// Returns the format of a target with the given component type.
pub(super) fn format(scalar: Scalar) -> wgpu::TextureFormat {
    match scalar {
        Scalar::Int => wgpu::TextureFormat::Rgba32Sint,
        Scalar::Uint => wgpu::TextureFormat::Rgba32Uint,
        _ => wgpu::TextureFormat::Rgba32Float,
    }
}

/// Returns the padded length in bytes of a row that is copied from a target to a buffer.
pub(super) fn row(width: u32, pixel: u32) -> u32 {
    (width * pixel).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT)
}
