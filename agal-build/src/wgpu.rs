//! Writes the wgpu code of a module: the vertex layout, samplers, bind groups, the pipeline layout, and the states of the stages.

use agal_front::Stage;
use sdlbc::{Dimension, Texel};

use crate::code::{Code, Included, places};
use crate::describe::{Attribute, Binding, BindingKind, Described, Group, Texture};
use crate::naming::camel;

pub(crate) fn write(code: &mut Code, described: &Described, included: &[Included]) {
    let name = &described.name;
    if !described.attributes.is_empty() {
        vertex_layout(code, &described.attributes);
    }
    described.textures.iter().for_each(|texture| sampler(code, texture));
    described.groups.iter().for_each(|group| bind_group(code, name, group));
    pipeline_layout(code, described);
    for file in included {
        let function = match file.constant.as_str() {
            "WGSL" => "shader_module",
            "WGSL_VERTEX" => "vertex_shader_module",
            "WGSL_FRAGMENT" => "fragment_shader_module",
            _ => continue,
        };
        shader_module(code, name, function, &file.constant);
    }
    for (stage, _) in &described.entries {
        match stage {
            Stage::Vertex => vertex_state(code, !described.attributes.is_empty()),
            Stage::Fragment => fragment_state(code),
        }
    }
}

/// Writes a list of structures. Like rustfmt, the function joins the brackets of a list to the braces of its only structure.
fn structures(code: &mut Code, head: &str, tail: &str, ty: &str, all: &[Vec<String>]) {
    let fields = |code: &mut Code, fields: &[String]| fields.iter().for_each(|field| code.line(field));
    match all {
        [single] => code.block(&format!("{head}[{ty} {{"), &format!("}}]{tail}"), |code| fields(code, single)),
        all => code.block(&format!("{head}["), &format!("]{tail}"), |code| {
            for one in all {
                code.block(&format!("{ty} {{"), "},", |code| fields(code, one));
            }
        }),
    }
}

fn vertex_layout(code: &mut Code, attributes: &[Attribute]) {
    let (places, size) = places(attributes);
    code.line("");
    code.block("impl Vertex {", "}", |code| {
        code.doc("The attributes in a vertex buffer.");
        let head = format!("pub const ATTRIBUTES: [wgpu::VertexAttribute; {}] = ", attributes.len());
        let fields = |(attribute, (offset, _)): (&Attribute, &(u32, u32))| {
            vec![
                format!("format: wgpu::VertexFormat::{},", attribute.format.name()),
                format!("offset: {offset},"),
                format!("shader_location: {},", attribute.location),
            ]
        };
        let all: Vec<Vec<String>> = attributes.iter().zip(&places).map(fields).collect();
        structures(code, &head, ";", "wgpu::VertexAttribute", &all);
        code.line("");
        code.doc("The layout of a vertex buffer that contains an array of [`Vertex`].");
        let open = "pub const LAYOUT: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {";
        code.block(open, "};", |code| {
            code.line(&format!("array_stride: {size},"));
            code.line("step_mode: wgpu::VertexStepMode::Vertex,");
            code.line("attributes: &Self::ATTRIBUTES,");
        });
    });
}

/// Writes the descriptor of a sampler with the state that the reflection reports.
fn sampler(code: &mut Code, texture: &Texture) {
    let Texture { constant, state, ignored, stage, slot } = texture;
    code.line("");
    code.doc(&format!("The sampler of texture {slot} of the {stage} shader."));
    if *ignored {
        code.doc(
            "\nThe shader asks for the state that the application sets (`ignoresampler`), so this descriptor is only a default.",
        );
    }
    let open = format!("pub const {constant}: wgpu::SamplerDescriptor<'static> = wgpu::SamplerDescriptor {{");
    code.block(&open, "};", |code| {
        code.line(&format!("label: Some({:?}),", constant.to_lowercase()));
        let modes = [("u", state.address_mode_u), ("v", state.address_mode_v), ("w", state.address_mode_w)];
        for (axis, mode) in modes {
            code.line(&format!("address_mode_{axis}: wgpu::AddressMode::{},", camel(mode)));
        }
        code.line(&format!("mag_filter: wgpu::FilterMode::{},", camel(state.mag_filter)));
        code.line(&format!("min_filter: wgpu::FilterMode::{},", camel(state.min_filter)));
        code.line(&format!("mipmap_filter: wgpu::MipmapFilterMode::{},", camel(state.mipmap_filter)));
        code.line(&format!("lod_min_clamp: {:?},", state.lod_min_clamp));
        code.line(&format!("lod_max_clamp: {:?},", state.lod_max_clamp));
        code.line("compare: None,");
        code.line(&format!("anisotropy_clamp: {},", state.max_anisotropy));
        code.line("border_color: None,");
    });
}

/// Returns the fields of a bind group layout entry as lines of code.
fn entry(binding: &Binding) -> Vec<String> {
    let mut lines = vec![
        format!("binding: {},", binding.binding),
        format!("visibility: wgpu::ShaderStages::{},", binding.stage.name().to_uppercase()),
    ];
    let ty = match binding.kind {
        BindingKind::Buffer { size } => vec![
            "ty: wgpu::BindingType::Buffer {".to_string(),
            "    ty: wgpu::BufferBindingType::Uniform,".to_string(),
            "    has_dynamic_offset: false,".to_string(),
            format!("    min_binding_size: core::num::NonZeroU64::new({size}),"),
            "},".to_string(),
        ],
        BindingKind::Texture { dimension, texel } => vec![
            "ty: wgpu::BindingType::Texture {".to_string(),
            format!("    sample_type: wgpu::TextureSampleType::{},", sample_type(texel)),
            format!("    view_dimension: wgpu::TextureViewDimension::{},", view(dimension)),
            "    multisampled: false,".to_string(),
            "},".to_string(),
        ],
        BindingKind::Sampler { texel } => {
            let ty = match texel {
                Texel::Float => "Filtering",
                Texel::Int | Texel::Uint => "NonFiltering",
                Texel::Depth => "Comparison",
            };
            vec![format!("ty: wgpu::BindingType::Sampler(wgpu::SamplerBindingType::{ty}),")]
        }
    };
    lines.extend(ty);
    lines.push("count: None,".to_string());
    lines
}

fn sample_type(texel: Texel) -> &'static str {
    match texel {
        Texel::Float => "Float { filterable: true }",
        Texel::Int => "Sint",
        Texel::Uint => "Uint",
        Texel::Depth => "Depth",
    }
}

fn view(dimension: Dimension) -> &'static str {
    match dimension {
        Dimension::D2 => "D2",
        Dimension::D3 => "D3",
        Dimension::Cube => "Cube",
        Dimension::D2Array => "D2Array",
        Dimension::CubeArray => "CubeArray",
    }
}

/// Writes the structure that contains a bind group's resources, and the functions that create the group and its layout.
fn bind_group(code: &mut Code, module: &str, group: &Group) {
    let Group { index, ty, bindings } = group;
    code.line("");
    code.doc(&format!("The resources of bind group {index}."));
    code.line("#[derive(Clone, Debug)]");
    code.block(&format!("pub struct {ty}<'a> {{"), "}", |code| {
        for Binding { name, kind, about, .. } in bindings {
            code.doc(about);
            code.line(&match kind {
                BindingKind::Buffer { .. } => format!("pub {name}: wgpu::BufferBinding<'a>,"),
                BindingKind::Texture { .. } => format!("pub {name}: &'a wgpu::TextureView,"),
                BindingKind::Sampler { .. } => format!("pub {name}: &'a wgpu::Sampler,"),
            });
        }
    });
    code.line("");
    code.block(&format!("impl {ty}<'_> {{"), "}", |code| {
        code.doc("The number of the group, for `set_bind_group`.");
        code.line(&format!("pub const GROUP: u32 = {index};"));
        code.doc("The entries of the group's layout.");
        let head = format!("pub const ENTRIES: [wgpu::BindGroupLayoutEntry; {}] = ", bindings.len());
        let all: Vec<Vec<String>> = bindings.iter().map(entry).collect();
        structures(code, &head, ";", "wgpu::BindGroupLayoutEntry", &all);
        code.line("");
        code.doc("Creates the group's layout.");
        code.block("pub fn layout(device: &wgpu::Device) -> wgpu::BindGroupLayout {", "}", |code| {
            let open = "device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {";
            code.block(open, "})", |code| {
                code.line(&format!("label: Some({:?}),", format!("{module}, group {index}")));
                code.line("entries: &Self::ENTRIES,");
            });
        });
        code.line("");
        code.doc("Creates the group. Its layout is compatible with that of [`pipeline_layout`].");
        code.block("pub fn bind_group(&self, device: &wgpu::Device) -> wgpu::BindGroup {", "}", |code| {
            code.block("device.create_bind_group(&wgpu::BindGroupDescriptor {", "})", |code| {
                code.line(&format!("label: Some({:?}),", format!("{module}, group {index}")));
                code.line("layout: &Self::layout(device),");
                let resource = |binding: &Binding| {
                    let name = &binding.name;
                    let resource = match binding.kind {
                        BindingKind::Buffer { .. } => format!("Buffer(self.{name}.clone())"),
                        BindingKind::Texture { .. } => format!("TextureView(self.{name})"),
                        BindingKind::Sampler { .. } => format!("Sampler(self.{name})"),
                    };
                    vec![
                        format!("binding: {},", binding.binding),
                        format!("resource: wgpu::BindingResource::{resource},"),
                    ]
                };
                let all: Vec<Vec<String>> = bindings.iter().map(resource).collect();
                structures(code, "entries: &", ",", "wgpu::BindGroupEntry", &all);
            });
        });
    });
}

fn pipeline_layout(code: &mut Code, described: &Described) {
    let Described { name, groups, immediates, .. } = described;
    if !groups.is_empty() {
        let layouts: Vec<String> = groups.iter().map(|group| format!("{}::layout(device)", group.ty)).collect();
        code.line("");
        match layouts.as_slice() {
            [layout] => {
                code.doc("Creates the layout of the only bind group.");
                let open = "pub fn bind_group_layout(device: &wgpu::Device) -> wgpu::BindGroupLayout {";
                code.block(open, "}", |code| code.line(layout));
            }
            layouts => {
                code.doc("Creates the layouts of the bind groups, in the order of their numbers.");
                let count = layouts.len();
                let open =
                    format!("pub fn bind_group_layouts(device: &wgpu::Device) -> [wgpu::BindGroupLayout; {count}] {{");
                code.block(&open, "}", |code| code.list("", layouts, ""));
            }
        }
    }
    code.line("");
    code.doc("Creates the layout of a pipeline of these shaders.");
    code.block("pub fn pipeline_layout(device: &wgpu::Device) -> wgpu::PipelineLayout {", "}", |code| {
        let open = "device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {";
        code.block(open, "})", |code| {
            code.line(&format!("label: Some({name:?}),"));
            let last = groups.last().map_or(0, |group| group.index + 1);
            let layout = |index: u32| match groups.iter().find(|group| group.index == index) {
                Some(group) => format!("Some(&{}::layout(device))", group.ty),
                None => "None".to_string(),
            };
            code.list("bind_group_layouts: &", &(0..last).map(layout).collect::<Vec<_>>(), ",");
            code.line(&format!("immediate_size: {immediates},"));
        });
    });
}

fn shader_module(code: &mut Code, name: &str, function: &str, constant: &str) {
    code.line("");
    code.doc(&format!("Creates the module of [`{constant}`]."));
    code.block(&format!("pub fn {function}(device: &wgpu::Device) -> wgpu::ShaderModule {{"), "}", |code| {
        code.block("device.create_shader_module(wgpu::ShaderModuleDescriptor {", "})", |code| {
            code.line(&format!("label: Some({name:?}),"));
            code.line(&format!("source: wgpu::ShaderSource::Wgsl({constant}.into()),"));
        });
    });
}

fn vertex_state(code: &mut Code, has_vertices: bool) {
    code.line("");
    code.doc(match has_vertices {
        true => "The vertex stage of a pipeline whose vertex buffer 0 holds an array of [`Vertex`].",
        false => "The vertex stage of a pipeline without vertex buffers.",
    });
    let open = "pub fn vertex_state(module: &wgpu::ShaderModule) -> wgpu::VertexState<'_> {";
    code.block(open, "}", |code| {
        code.block("wgpu::VertexState {", "}", |code| {
            code.line("module,");
            code.line("entry_point: Some(VS_MAIN),");
            code.line("compilation_options: wgpu::PipelineCompilationOptions::default(),");
            code.line(if has_vertices { "buffers: &[Some(Vertex::LAYOUT)]," } else { "buffers: &[]," });
        });
    });
}

fn fragment_state(code: &mut Code) {
    code.line("");
    code.doc("The fragment stage of a pipeline with these render targets.");
    code.line("pub fn fragment_state<'a>(");
    code.line("    module: &'a wgpu::ShaderModule,");
    code.line("    targets: &'a [Option<wgpu::ColorTargetState>; COLOUR_TARGETS],");
    code.block(") -> wgpu::FragmentState<'a> {", "}", |code| {
        code.block("wgpu::FragmentState {", "}", |code| {
            code.line("module,");
            code.line("entry_point: Some(FS_MAIN),");
            code.line("compilation_options: wgpu::PipelineCompilationOptions::default(),");
            code.line("targets,");
        });
    });
}
