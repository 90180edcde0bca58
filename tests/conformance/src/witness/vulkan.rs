//! Vulkan, which draws with our SPIR-V, with our WGSL, or with the SPIR-V that Microsoft's compiler generates from our HLSL.
//!
//! Rule: wgpu passes SPIR-V to the driver without parsing it. wgpu draws with a viewport of negative height, so the SPIR-V does
//! not negate y (docs/output.md, "Clip space"). wgpu numbers the bindings of each group without gaps, so the bindings in the
//! SPIR-V are renumbered in the same way, and all other words are unchanged. Objects that several draws can use are kept between
//! draws.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use backends::{Layout, ShaderModel};
use sdlbc::{Dimension, Format, FunctionKind, Module, Sampler, Scalar, Texel};
use sdlbc_interp::{Cull, DepthTest, Draw, Image, Texture, Topology};

use super::bindings::number_bindings;
use super::hlsl::Dxc;
use super::interface::{ATTRIBUTE, Interface, Places, StorageImage, check};
use super::mesa::{ADAPTER, switch};
use super::named::named;
use super::textures::{self, black, check_texture};
use super::vulkan_targets::{Targets, format};
use crate::{Failure, Witness};

/// The language in which a [`Vulkan`] device gets its shaders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// SPIR-V, which wgpu passes to the driver without parsing it.
    Spirv,
    /// WGSL, which wgpu parses and translates for the driver.
    Wgsl,
    /// HLSL for compute functions, which Microsoft's compiler translates to SPIR-V.
    Hlsl,
}

/// A witness that draws with Vulkan through wgpu.
pub struct Vulkan {
    code: Code,
    dxc: Option<Mutex<Dxc>>,
    pub(super) places: Places,
    adapter: String,
    pub(super) device: wgpu::Device,
    pub(super) queue: wgpu::Queue,
    pub(super) halves: bool,
    clip_distances: bool,
    layouts: HashMap<Vec<Bound>, (Vec<wgpu::BindGroupLayout>, wgpu::PipelineLayout)>,
    samplers: HashMap<[u8; 4], wgpu::Sampler>,
    textures: Vec<(Texture, Texel, wgpu::TextureView)>,
    pub(super) targets: HashMap<(u32, u32, Vec<Scalar>), Targets>,
    pub(super) data: Option<wgpu::Buffer>,
    /// The errors that wgpu and the driver have reported.
    reports: Arc<Mutex<Vec<String>>>,
    /// The last pipeline, kept because consecutive draws often use the same functions.
    last: Option<(Key, Ready)>,
}

/// Everything that determines a pipeline.
#[derive(Clone, PartialEq)]
struct Key {
    module: Module,
    topology: Topology,
    cull: Cull,
    depth: Option<DepthTest>,
    targets: usize,
}

/// A compiled pipeline and the data needed to draw with it.
#[derive(Clone)]
pub(super) struct Ready {
    pub(super) interface: Interface,
    pub(super) pipeline: wgpu::RenderPipeline,
    pub(super) groups: Vec<wgpu::BindGroupLayout>,
    /// The shaders' source text, which error messages quote; empty for SPIR-V.
    pub(super) source: String,
}

/// A resource in a pipeline layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Bound {
    stage: FunctionKind,
    group: u32,
    binding: u32,
    what: What,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum What {
    /// A uniform buffer.
    Uniform,
    /// A texture and its sampler.
    Texture(Dimension, Texel),
    /// A storage buffer.
    Buffer { written: bool },
    /// A read-only storage texture that is bound as a sampled texture.
    Texels(Dimension, Scalar),
    /// A storage texture that is bound as a storage texture.
    Image { dimension: Dimension, format: Format, written: bool },
}

/// The maximum number of uploaded textures that a device keeps.
const TEXTURES: usize = 64;

impl Vulkan {
    /// Creates a device that uses the layout `stage3d`.
    ///
    /// # Errors
    /// Returns an error if the machine has no suitable Vulkan device.
    pub fn new(code: Code) -> Result<Vulkan, String> {
        Vulkan::at(code, Places::Stage3d)
    }

    /// Creates a device that uses the layout `wgpu` and adds names and members to each module.
    ///
    /// # Errors
    /// Returns an error if the machine has no suitable Vulkan device.
    pub fn named(code: Code) -> Result<Vulkan, String> {
        Vulkan::at(code, Places::Wgpu)
    }

    fn at(code: Code, places: Places) -> Result<Vulkan, String> {
        switch();
        let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
        descriptor.backends = wgpu::Backends::VULKAN;
        descriptor.flags = wgpu::InstanceFlags::empty();
        let adapters = pollster::block_on(wgpu::Instance::new(descriptor).enumerate_adapters(wgpu::Backends::VULKAN));
        let adapter = choose(adapters)?;
        let (features, info) = (adapter.features(), adapter.get_info());
        let needed = wgpu::Features::PASSTHROUGH_SHADERS;
        if code != Code::Wgsl && !features.contains(needed) {
            return Err(format!("wgpu cannot pass SPIR-V through to {}", info.name));
        }
        // With this feature, shaders can read from storage textures of every format.
        let formats = wgpu::Features::TEXTURE_ADAPTER_SPECIFIC_FORMAT_FEATURES;
        let shaders = wgpu::Features::SHADER_F16 | wgpu::Features::CLIP_DISTANCES;
        let wanted = needed | shaders | wgpu::Features::FLOAT32_BLENDABLE | formats;
        let required_features = features & wanted;
        let descriptor = wgpu::DeviceDescriptor {
            required_features,
            required_limits: adapter.limits(),
            // SAFETY: the only experimental feature in use is SPIR-V passthrough, and our SPIR-V is valid.
            experimental_features: unsafe { wgpu::ExperimentalFeatures::enabled() },
            ..Default::default()
        };
        let (device, queue) = pollster::block_on(adapter.request_device(&descriptor))
            .map_err(|error| format!("{} has no device: {error}", info.name))?;
        let reports = Arc::new(Mutex::new(Vec::new()));
        let sink = Arc::clone(&reports);
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            sink.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(error.to_string());
        }));
        Ok(Vulkan {
            code,
            dxc: if code == Code::Hlsl { Some(Mutex::new(Dxc::start()?)) } else { None },
            places,
            adapter: format!("{} ({})", info.name, info.driver_info),
            device,
            queue,
            halves: required_features.contains(wgpu::Features::SHADER_F16),
            clip_distances: required_features.contains(wgpu::Features::CLIP_DISTANCES),
            layouts: HashMap::new(),
            samplers: HashMap::new(),
            textures: Vec::new(),
            targets: HashMap::new(),
            data: None,
            reports,
            last: None,
        })
    }

    pub(super) fn code(&self) -> Code {
        self.code
    }

    /// Returns the names of the device and its driver.
    pub fn adapter(&self) -> &str {
        &self.adapter
    }

    fn options(&self) -> Layout {
        let layout = match self.places {
            Places::Stage3d => Layout::default(),
            Places::Wgpu => Layout::named("wgpu").unwrap_or_default(),
        };
        match self.code {
            Code::Spirv => Layout { flip_y: Some(false), ..layout },
            Code::Wgsl | Code::Hlsl => layout,
        }
    }

    /// Returns the module to translate, with names and members if the layout is not the default.
    fn translated<'a>(&self, module: &'a Module, topology: Topology) -> Cow<'a, Module> {
        match self.places {
            Places::Stage3d => Cow::Borrowed(module),
            Places::Wgpu => Cow::Owned(named(module, topology)),
        }
    }

    /// Translates the module, and returns wgpu's shader module and the source text that it was created from.
    pub(super) fn shader(
        &self,
        translated: &Module,
        interface: &Interface,
    ) -> Result<(wgpu::ShaderModule, String), Failure> {
        match self.code {
            Code::Spirv => {
                if interface.halves_between {
                    return Err(Failure::Unsupported("halves between stages (storageInputOutput16)".into()));
                }
                let mut words = backends::spirv(translated, &self.options()).map_err(Failure::from)?;
                number_bindings(&mut words, interface, self.places)?;
                let names = [&interface.vertex, &interface.fragment, &interface.compute];
                Ok((self.passed_through(&words, &names.map(String::as_str), interface), String::new()))
            }
            Code::Hlsl => {
                let output = backends::hlsl(translated, ShaderModel::V6_2, &self.options());
                let text = output.map_err(Failure::from)?;
                let Some(dxc) = &self.dxc else { return Err(Failure::Broken("HLSL has no compiler".into())) };
                let mut dxc = dxc.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                let (mut words, entry) = dxc.compute(&text, interface)?;
                number_bindings(&mut words, interface, self.places)?;
                Ok((self.passed_through(&words, &[&entry], interface), text))
            }
            Code::Wgsl => {
                let text = backends::wgsl(translated, &self.options()).map_err(Failure::from)?;
                let source = wgpu::ShaderSource::Wgsl(Cow::from(&text));
                let module = self.device.create_shader_module(wgpu::ShaderModuleDescriptor { label: None, source });
                Ok((module, text))
            }
        }
    }

    /// Creates a shader module from SPIR-V words, which wgpu passes to the driver without parsing them.
    fn passed_through(&self, words: &[u32], names: &[&str], interface: &Interface) -> wgpu::ShaderModule {
        let (x, y, z) = interface.workgroup.into();
        let names = names.iter().filter(|name| !name.is_empty());
        let entry_points: Vec<_> = names
            .map(|name| wgpu::PassthroughShaderEntryPoint { name: Cow::from(*name), workgroup_size: (x, y, z) })
            .collect();
        let descriptor = wgpu::ShaderModuleDescriptorPassthrough {
            entry_points: Cow::from(&entry_points[..]),
            spirv: Some(Cow::from(words)),
            ..Default::default()
        };
        // SAFETY: the words are SPIR-V that agalc generated, and the suite tests their validity. Invalid words may crash the
        // process.
        unsafe { self.device.create_shader_module_passthrough(descriptor) }
    }

    /// Reports whether read-only storage textures are bound as sampled textures.
    pub(super) fn reads_textures(&self) -> bool {
        self.code == Code::Hlsl
    }

    /// Returns the bind group layouts and the pipeline layout for a module's resources.
    pub(super) fn layout(&mut self, interface: &Interface) -> (Vec<wgpu::BindGroupLayout>, wgpu::PipelineLayout) {
        let places = self.places;
        let bound = |stage, (group, binding), what| Bound { stage, group, binding, what };
        let uniforms = interface.uniforms.iter();
        let uniforms = uniforms.map(|uniform| bound(uniform.stage, places.of_uniform(uniform), What::Uniform));
        let textures = interface.textures.iter().map(|texture| {
            let place = places.of_texture(texture, &interface.textures);
            bound(texture.stage, place, What::Texture(texture.dimension, texture.texel))
        });
        let buffers = interface.buffers.iter().map(|buffer| {
            bound(FunctionKind::Compute, (0, buffer.binding()), What::Buffer { written: buffer.written })
        });
        let images = interface.images.iter().map(|image| {
            let StorageImage { dimension, format, written, .. } = *image;
            let what = match self.reads_textures() && !written {
                true => What::Texels(dimension, format.scalar()),
                false => What::Image { dimension, format, written },
            };
            bound(FunctionKind::Compute, (0, image.binding()), what)
        });
        let bounds: Vec<Bound> = uniforms.chain(textures).chain(buffers).chain(images).collect();
        let device = &self.device;
        let make = |bounds: &[Bound]| {
            let group = |group| {
                let bounds = bounds.iter().filter(|bound| bound.group == group);
                let entries: Vec<_> = bounds.flat_map(layout_entries).collect();
                device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: None, entries: &entries })
            };
            let groups: Vec<_> = (0..places.groups()).map(group).collect();
            let of_pipeline: Vec<_> = groups.iter().map(Some).collect();
            let descriptor =
                wgpu::PipelineLayoutDescriptor { label: None, bind_group_layouts: &of_pipeline, immediate_size: 0 };
            let pipeline = device.create_pipeline_layout(&descriptor);
            (groups, pipeline)
        };
        self.layouts.entry(bounds).or_insert_with_key(|bounds| make(bounds)).clone()
    }

    /// Measures the time of `times` identical draws, without one-time work and without reading the pictures back.
    ///
    /// # Errors
    /// See [`Failure`].
    pub fn repeat_draw(&mut self, draw: &Draw, times: u32) -> Result<Duration, Failure> {
        let ready = self.ready(draw)?;
        let time = self.repeat(draw, &ready, times);
        self.complaints(&self.translated(&draw.module, draw.topology), &ready.source)?;
        time
    }

    /// Returns the pipeline of a draw, and keeps the pipeline for the next draw.
    fn ready(&mut self, draw: &Draw) -> Result<Ready, Failure> {
        check(draw)?;
        let (topology, cull, depth, targets) = (draw.topology, draw.cull, draw.depth, draw.targets);
        let same = |key: &Key| {
            (key.topology, key.cull, key.depth, key.targets) == (topology, cull, depth, targets)
                && key.module == draw.module
        };
        let ready = match self.last.take().filter(|(key, _)| same(key)) {
            Some((_, ready)) => ready,
            None => self.prepare(draw)?,
        };
        let key = Key { module: draw.module.clone(), topology, cull, depth, targets };
        self.last = Some((key, ready.clone()));
        Ok(ready)
    }

    fn prepare(&mut self, draw: &Draw) -> Result<Ready, Failure> {
        let interface = Interface::new(&draw.module)?;
        if interface.halves && !self.halves {
            return Err(Failure::Unsupported("halves".into()));
        }
        if interface.clip_distances > 0 && !self.clip_distances {
            return Err(Failure::Unsupported("clip distances".into()));
        }
        let attributes = self.device.limits().max_vertex_attributes;
        if interface.attributes.iter().any(|attribute| attribute.location >= attributes) {
            return Err(Failure::Unsupported(format!("more attributes than {} has", self.adapter)));
        }
        let varyings = draw.module.functions.iter().flat_map(|function| &function.outputs);
        let most = self.device.limits().max_inter_stage_shader_variables;
        if varyings
            .map(|output| output.kind)
            .any(|kind| matches!(kind, sdlbc::OutputKind::Varying { location, .. } if location + 1 >= most))
        {
            return Err(Failure::Unsupported(format!("more varyings than {} has", self.adapter)));
        }
        let (groups, layout) = self.layout(&interface);
        let (module, source) = self.shader(&self.translated(&draw.module, draw.topology), &interface)?;
        let attributes: Vec<_> = interface
            .attributes
            .iter()
            .zip(0..)
            .map(|(attribute, place)| wgpu::VertexAttribute {
                format: match attribute.scalar {
                    Scalar::Int => wgpu::VertexFormat::Sint32x4,
                    Scalar::Uint | Scalar::Bool => wgpu::VertexFormat::Uint32x4,
                    Scalar::Float | Scalar::Half => wgpu::VertexFormat::Float32x4,
                },
                offset: place * ATTRIBUTE as u64,
                shader_location: attribute.location,
            })
            .collect();
        let buffer = wgpu::VertexBufferLayout {
            array_stride: (attributes.len() * ATTRIBUTE) as u64,
            step_mode: wgpu::VertexStepMode::Vertex,
            attributes: &attributes,
        };
        let buffers = [Some(buffer)];
        let targets: Vec<_> = (0..draw.targets as u32)
            .map(|target| {
                let written = interface.written.contains(&target);
                let write_mask = if written { wgpu::ColorWrites::ALL } else { wgpu::ColorWrites::empty() };
                let format = format(draw.scalar(target as usize));
                Some(wgpu::ColorTargetState { format, blend: None, write_mask })
            })
            .collect();
        // The translation to WGSL may rename an entry point, so wgpu selects the stage's only entry point.
        let named = matches!(self.code, Code::Spirv);
        let descriptor = wgpu::RenderPipelineDescriptor {
            label: None,
            layout: Some(&layout),
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: named.then_some(interface.vertex.as_str()),
                compilation_options: Default::default(),
                buffers: if attributes.is_empty() { &[] } else { &buffers },
            },
            primitive: wgpu::PrimitiveState {
                topology: match draw.topology {
                    Topology::Triangles => wgpu::PrimitiveTopology::TriangleList,
                    Topology::Points => wgpu::PrimitiveTopology::PointList,
                },
                front_face: wgpu::FrontFace::Cw,
                cull_mode: match draw.cull {
                    Cull::None => None,
                    Cull::Back => Some(wgpu::Face::Back),
                    Cull::Front => Some(wgpu::Face::Front),
                },
                ..Default::default()
            },
            depth_stencil: depth_state(draw, &interface),
            multisample: Default::default(),
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: named.then_some(interface.fragment.as_str()),
                compilation_options: Default::default(),
                targets: &targets,
            }),
            multiview_mask: None,
            cache: None,
        };
        let pipeline = self.device.create_render_pipeline(&descriptor);
        self.complaints(&self.translated(&draw.module, draw.topology), &source)?;
        Ok(Ready { interface, pipeline, groups, source })
    }

    /// If wgpu or the driver has reported errors since the last call, returns an error that quotes the translated code.
    pub(super) fn complaints(&self, translated: &Module, source: &str) -> Result<(), Failure> {
        let reports = std::mem::take(&mut *self.reports.lock().unwrap_or_else(|poisoned| poisoned.into_inner()));
        if reports.is_empty() {
            return Ok(());
        }
        let text = match self.code {
            Code::Spirv => {
                let words = backends::spirv(translated, &self.options());
                words.and_then(|words| backends::spirv_assembly(&words)).unwrap_or_default()
            }
            Code::Wgsl | Code::Hlsl => source.to_string(),
        };
        Err(Failure::Broken(format!("{}: {}\n{text}", self.adapter, reports.join("\n"))))
    }

    pub(super) fn sampler(&mut self, state: Sampler, texel: Texel) -> wgpu::Sampler {
        // Integer textures are not filtered.
        let linear = state.filter != 0 && !matches!(texel, Texel::Int | Texel::Uint);
        let compares = texel == Texel::Depth;
        let wrap = |wrap| if wrap == 0 { wgpu::AddressMode::ClampToEdge } else { wgpu::AddressMode::Repeat };
        let filter = if linear { wgpu::FilterMode::Linear } else { wgpu::FilterMode::Nearest };
        let device = &self.device;
        let make = || {
            device.create_sampler(&wgpu::SamplerDescriptor {
                address_mode_u: wrap(state.wrap_u),
                address_mode_v: wrap(state.wrap_v),
                address_mode_w: wrap(state.wrap_u),
                mag_filter: filter,
                min_filter: filter,
                mipmap_filter: match state.mip {
                    2 if !matches!(texel, Texel::Int | Texel::Uint) => wgpu::MipmapFilterMode::Linear,
                    _ => wgpu::MipmapFilterMode::Nearest,
                },
                lod_max_clamp: if state.mip == 0 { 0.0 } else { 32.0 },
                compare: compares.then_some(wgpu::CompareFunction::LessEqual),
                ..Default::default()
            })
        };
        let key = [u8::from(linear) | (texel as u8 * 2), state.mip, state.wrap_u, state.wrap_v];
        self.samplers.entry(key).or_insert_with(make).clone()
    }

    pub(super) fn texture(
        &mut self,
        texture: Option<&Texture>,
        (dimension, texel): (Dimension, Texel),
    ) -> Result<wgpu::TextureView, Failure> {
        let nothing;
        let texture = match texture {
            Some(texture) => texture,
            None => {
                nothing = black(dimension);
                &nothing
            }
        };
        if let Some((_, _, view)) = self.textures.iter().find(|(kept, of, _)| kept == texture && *of == texel) {
            return Ok(view.clone());
        }
        check_texture(texture)?;
        let first = &texture.levels[0];
        let descriptor = wgpu::TextureDescriptor {
            label: None,
            size: extent(first),
            mip_level_count: texture.levels.len() as u32,
            sample_count: 1,
            dimension: match texture.dimension {
                Dimension::D3 => wgpu::TextureDimension::D3,
                Dimension::D2 | Dimension::Cube | Dimension::D2Array | Dimension::CubeArray => {
                    wgpu::TextureDimension::D2
                }
            },
            format: match texel {
                Texel::Float => wgpu::TextureFormat::Rgba8Unorm,
                Texel::Int => wgpu::TextureFormat::Rgba8Sint,
                Texel::Uint => wgpu::TextureFormat::Rgba8Uint,
                Texel::Depth => wgpu::TextureFormat::Depth16Unorm,
            },
            usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
            view_formats: &[],
        };
        let made = self.device.create_texture(&descriptor);
        for (level, mip_level) in texture.levels.iter().zip(0..) {
            let to = wgpu::TexelCopyTextureInfo { mip_level, ..made.as_image_copy() };
            let layout = wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(level.width * if texel == Texel::Depth { 2 } else { 4 }),
                rows_per_image: Some(level.height),
            };
            let depths;
            let bytes = match texel {
                Texel::Depth => {
                    depths = textures::depths(level);
                    depths.as_flattened()
                }
                _ => level.texels.as_flattened(),
            };
            self.queue.write_texture(to, bytes, layout, extent(level));
        }
        let dimension = Some(view_dimension(texture.dimension));
        let view = made.create_view(&wgpu::TextureViewDescriptor { dimension, ..Default::default() });
        if self.textures.len() == TEXTURES {
            self.textures.clear();
        }
        self.textures.push((texture.clone(), texel, view.clone()));
        Ok(view)
    }
}

impl Witness for Vulkan {
    fn name(&self) -> String {
        let name = match self.code {
            Code::Spirv => "Vulkan, SPIR-V",
            Code::Wgsl => "Vulkan, WGSL",
            Code::Hlsl => "Vulkan, HLSL by DXC",
        };
        match self.places {
            Places::Stage3d => name.into(),
            Places::Wgpu => format!("{name}, layout wgpu, named"),
        }
    }

    fn draw(&mut self, draw: &Draw) -> Result<Image, Failure> {
        let ready = self.ready(draw)?;
        let image = self.picture(draw, &ready);
        self.complaints(&self.translated(&draw.module, draw.topology), &ready.source)?;
        image
    }
}

/// Selects the device that [`ADAPTER`] names. If the variable is not set, this function prefers a software device and falls back
/// to the first device.
fn choose(mut adapters: Vec<wgpu::Adapter>) -> Result<wgpu::Adapter, String> {
    let names: Vec<_> = adapters.iter().map(|adapter| adapter.get_info().name).collect();
    let place = match std::env::var(ADAPTER) {
        Ok(part) => {
            let part = part.to_lowercase();
            let found = names.iter().position(|name| name.to_lowercase().contains(&part));
            found.ok_or_else(|| format!("no Vulkan device has `{part}` in its name; there are {names:?}"))?
        }
        Err(_) => {
            let software = |adapter: &wgpu::Adapter| adapter.get_info().device_type == wgpu::DeviceType::Cpu;
            adapters.iter().position(software).unwrap_or(0)
        }
    };
    if adapters.is_empty() {
        return Err("no Vulkan device: install the package mesa-vulkan-drivers (and libvulkan1)".into());
    }
    Ok(adapters.swap_remove(place))
}

fn layout_entries(bound: &Bound) -> Vec<wgpu::BindGroupLayoutEntry> {
    let visibility = match bound.stage {
        FunctionKind::Vertex => wgpu::ShaderStages::VERTEX,
        FunctionKind::Compute => wgpu::ShaderStages::COMPUTE,
        _ => wgpu::ShaderStages::FRAGMENT,
    };
    let entry = |binding, ty| wgpu::BindGroupLayoutEntry { binding, visibility, ty, count: None };
    let buffer = |ty| {
        let ty = wgpu::BindingType::Buffer { ty, has_dynamic_offset: false, min_binding_size: None };
        vec![entry(bound.binding, ty)]
    };
    let texture = |sample_type, dimension| {
        let view_dimension = view_dimension(dimension);
        entry(bound.binding, wgpu::BindingType::Texture { sample_type, view_dimension, multisampled: false })
    };
    let (dimension, texel) = match bound.what {
        What::Uniform => return buffer(wgpu::BufferBindingType::Uniform),
        What::Buffer { written } => return buffer(wgpu::BufferBindingType::Storage { read_only: !written }),
        What::Image { dimension, format, written } => {
            let access =
                if written { wgpu::StorageTextureAccess::WriteOnly } else { wgpu::StorageTextureAccess::ReadOnly };
            let (format, view_dimension) = (storage_format(format), view_dimension(dimension));
            return vec![entry(bound.binding, wgpu::BindingType::StorageTexture { access, format, view_dimension })];
        }
        What::Texels(dimension, scalar) => {
            let sample_type = match scalar {
                Scalar::Int => wgpu::TextureSampleType::Sint,
                Scalar::Uint => wgpu::TextureSampleType::Uint,
                _ => wgpu::TextureSampleType::Float { filterable: false },
            };
            return vec![texture(sample_type, dimension)];
        }
        What::Texture(dimension, texel) => (dimension, texel),
    };
    let sample_type = match texel {
        Texel::Float => wgpu::TextureSampleType::Float { filterable: true },
        Texel::Int => wgpu::TextureSampleType::Sint,
        Texel::Uint => wgpu::TextureSampleType::Uint,
        Texel::Depth => wgpu::TextureSampleType::Depth,
    };
    let sampler = wgpu::BindingType::Sampler(match texel {
        Texel::Float => wgpu::SamplerBindingType::Filtering,
        Texel::Int | Texel::Uint => wgpu::SamplerBindingType::NonFiltering,
        Texel::Depth => wgpu::SamplerBindingType::Comparison,
    });
    vec![texture(sample_type, dimension), entry(bound.binding + 1, sampler)]
}

pub(super) fn storage_format(format: Format) -> wgpu::TextureFormat {
    match format {
        Format::Rgba8Unorm => wgpu::TextureFormat::Rgba8Unorm,
        Format::Rgba8Snorm => wgpu::TextureFormat::Rgba8Snorm,
        Format::Rgba8Uint => wgpu::TextureFormat::Rgba8Uint,
        Format::Rgba8Sint => wgpu::TextureFormat::Rgba8Sint,
        Format::Rgba16Uint => wgpu::TextureFormat::Rgba16Uint,
        Format::Rgba16Sint => wgpu::TextureFormat::Rgba16Sint,
        Format::Rgba16Float => wgpu::TextureFormat::Rgba16Float,
        Format::R32Uint => wgpu::TextureFormat::R32Uint,
        Format::R32Sint => wgpu::TextureFormat::R32Sint,
        Format::R32Float => wgpu::TextureFormat::R32Float,
        Format::Rg32Uint => wgpu::TextureFormat::Rg32Uint,
        Format::Rg32Sint => wgpu::TextureFormat::Rg32Sint,
        Format::Rg32Float => wgpu::TextureFormat::Rg32Float,
        Format::Rgba32Uint => wgpu::TextureFormat::Rgba32Uint,
        Format::Rgba32Sint => wgpu::TextureFormat::Rgba32Sint,
        Format::Rgba32Float => wgpu::TextureFormat::Rgba32Float,
    }
}

pub(super) fn view_dimension(dimension: Dimension) -> wgpu::TextureViewDimension {
    match dimension {
        Dimension::D2 => wgpu::TextureViewDimension::D2,
        Dimension::D3 => wgpu::TextureViewDimension::D3,
        Dimension::Cube => wgpu::TextureViewDimension::Cube,
        Dimension::D2Array => wgpu::TextureViewDimension::D2Array,
        Dimension::CubeArray => wgpu::TextureViewDimension::CubeArray,
    }
}

fn extent(level: &sdlbc_interp::Level) -> wgpu::Extent3d {
    wgpu::Extent3d { width: level.width, height: level.height, depth_or_array_layers: level.depth }
}

/// Returns the depth state of a pipeline. A fragment function that writes a depth needs a depth buffer even without a depth test.
fn depth_state(draw: &Draw, interface: &Interface) -> Option<wgpu::DepthStencilState> {
    let compare = match draw.depth {
        None if !interface.depth => return None,
        None | Some(DepthTest::Always) => wgpu::CompareFunction::Always,
        Some(DepthTest::Less) => wgpu::CompareFunction::Less,
        Some(DepthTest::LessEqual) => wgpu::CompareFunction::LessEqual,
    };
    Some(wgpu::DepthStencilState {
        format: wgpu::TextureFormat::Depth32Float,
        depth_write_enabled: Some(true),
        depth_compare: Some(compare),
        stencil: Default::default(),
        bias: Default::default(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_wgpu_are_reported_once_with_the_text() {
        let vulkan = Vulkan::new(Code::Wgsl).expect("a device");
        let source = wgpu::ShaderSource::Wgsl(Cow::from("fn broken( {"));
        _ = vulkan.device.create_shader_module(wgpu::ShaderModuleDescriptor { label: None, source });
        let module = Module::default();
        let Err(Failure::Broken(error)) = vulkan.complaints(&module, "fn broken( {") else {
            panic!("nothing is reported");
        };
        assert!(error.ends_with("fn broken( {") && error.contains("expected"), "{error}");
        assert!(vulkan.complaints(&module, "").is_ok());
    }
}
