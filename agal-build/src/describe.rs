//! Describes a pair of shaders for the code generator: constants, attributes, textures and entry points with their Rust names.
//!
//! Rule: no fact is computed twice. Names, offsets and bindings come from the interface of the generated WGSL, and sampler states
//! come from the reflection of the module.

use std::collections::BTreeMap;

use agal_front::Stage;
use agal_front::register::File;
use backends::{Field, Interface, Passed, ResourceKind};
use sdlbc::{Dimension, FunctionKind, Id, Module, OutputKind, Scalar, Texel, Type};

use crate::naming::{PRELUDE, Scope, camel, snake, upper};
use agalc::names::VertexFormat;
use agalc::reflect::{Reflection, Sampler, WebGpuSampler};

/// The values that the source assigns to the components of constant registers, keyed by stage and register number.
pub(crate) type Values = BTreeMap<(Stage, u32), [Option<f32>; 4]>;

/// Returns the stage of a vertex or fragment function. The function must not be a compute function.
fn stage_of(kind: FunctionKind) -> Stage {
    if kind == FunctionKind::Vertex { Stage::Vertex } else { Stage::Fragment }
}

#[derive(Debug)]
pub(crate) struct Described {
    /// The pair's name, spelt as a Rust module name.
    pub(crate) name: String,
    pub(crate) blocks: Vec<Block>,
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) textures: Vec<Texture>,
    pub(crate) groups: Vec<Group>,
    pub(crate) entries: Vec<(Stage, String)>,
    /// The number of render targets; `None` if the pair has no fragment program.
    pub(crate) targets: Option<u32>,
    /// The size in bytes of the constants that are passed as immediates.
    pub(crate) immediates: u32,
}

/// A block of constants, for which a Rust structure is generated.
#[derive(Debug)]
pub(crate) struct Block {
    pub(crate) stage: Stage,
    pub(crate) ty: String,
    /// The block's name in the shader.
    pub(crate) name: String,
    pub(crate) size: u32,
    /// The block's byte offset in the immediate data; `None` if the block is a uniform buffer.
    pub(crate) offset: Option<u32>,
    pub(crate) members: Vec<Member>,
}

#[derive(Debug)]
pub(crate) struct Member {
    pub(crate) name: String,
    pub(crate) about: String,
    pub(crate) offset: u32,
    pub(crate) shape: Shape,
    /// The initial values of the member's 32-bit words. An unknown value is stored as zero.
    pub(crate) values: Vec<f32>,
}

/// The shape of a member in WGSL's memory layout: one or several columns of components.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    pub(crate) scalar: Scalar,
    /// The number of components in a column or array element, including padding.
    pub(crate) components: u32,
    /// The number of matrix columns or array elements; `None` for a vector or a scalar.
    pub(crate) columns: Option<u32>,
}

impl Shape {
    /// Returns the shape of a value of type `ty`. Matrix columns of three components are padded to four, and array elements
    /// always have four components.
    fn of(ty: Type) -> Shape {
        match ty {
            Type::Vector(scalar, width) => Shape { scalar, components: u32::from(width), columns: None },
            Type::Matrix { columns, rows } => Shape {
                scalar: Scalar::Float,
                components: if rows == 2 { 2 } else { 4 },
                columns: Some(u32::from(columns)),
            },
            Type::Array(scalar, _, length) => Shape { scalar, components: 4, columns: Some(length) },
            Type::Texture(..) | Type::Buffer(..) | Type::Image(..) => {
                Shape { scalar: Scalar::Float, components: 0, columns: None }
            }
        }
    }

    /// Returns the size of a value of this shape, in bytes.
    pub(crate) fn size(self) -> u32 {
        let bytes = if self.scalar == Scalar::Half { 2 } else { 4 };
        (bytes * self.components).saturating_mul(self.columns.unwrap_or(1))
    }

    /// Returns the Rust type of a component. Halves are stored as `u16` bit patterns, because Rust has no stable type for them.
    pub(crate) fn component(self) -> &'static str {
        match self.scalar {
            Scalar::Float => "f32",
            Scalar::Int => "i32",
            Scalar::Uint | Scalar::Bool => "u32",
            Scalar::Half => "u16",
        }
    }
}

#[derive(Debug)]
pub(crate) struct Attribute {
    pub(crate) name: String,
    pub(crate) location: u32,
    pub(crate) format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// A format that the shader reads as floats.
    Floats(VertexFormat),
    /// One to four 32-bit integers.
    Integers { signed: bool, width: u8 },
}

impl Format {
    /// Returns the default format of an attribute: one 32-bit number for each component. Half-precision attributes default to
    /// 32-bit floats.
    fn of(ty: Type) -> Format {
        match ty {
            Type::Vector(scalar @ (Scalar::Int | Scalar::Uint), width) => {
                Format::Integers { signed: scalar == Scalar::Int, width }
            }
            ty => Format::Floats(VertexFormat::floats(ty.width().unwrap_or(4))),
        }
    }

    /// Returns the format's name in `wgpu::VertexFormat`.
    pub(crate) fn name(self) -> String {
        match self {
            Format::Floats(format) => format.name().to_string(),
            Format::Integers { signed, width } => {
                let word = if signed { "Sint32" } else { "Uint32" };
                if width == 1 { word.to_string() } else { format!("{word}x{width}") }
            }
        }
    }

    pub(crate) fn components(self) -> u8 {
        match self {
            Format::Floats(format) => format.components(),
            Format::Integers { width, .. } => width,
        }
    }

    pub(crate) fn bytes(self) -> u32 {
        match self {
            Format::Floats(format) => format.bytes(),
            Format::Integers { width, .. } => 4 * u32::from(width),
        }
    }
}

#[derive(Debug)]
pub(crate) struct Texture {
    pub(crate) stage: Stage,
    pub(crate) slot: u32,
    /// The name of the Rust constant that contains the sampler's descriptor.
    pub(crate) constant: String,
    pub(crate) state: WebGpuSampler,
    /// Whether the application sets the sampler state at run time, which makes `state` only a default.
    pub(crate) ignored: bool,
}

#[derive(Debug)]
pub(crate) struct Group {
    pub(crate) index: u32,
    pub(crate) ty: String,
    pub(crate) bindings: Vec<Binding>,
}

#[derive(Debug)]
pub(crate) struct Binding {
    pub(crate) name: String,
    pub(crate) stage: Stage,
    pub(crate) binding: u32,
    pub(crate) kind: BindingKind,
    pub(crate) about: String,
}

#[derive(Debug)]
pub(crate) enum BindingKind {
    Buffer { size: u32 },
    Texture { dimension: Dimension, texel: Texel },
    Sampler { texel: Texel },
}

pub(crate) fn describe(
    name: &str,
    module: &Module,
    interface: &Interface,
    formats: &BTreeMap<u32, VertexFormat>,
    values: &Values,
) -> Described {
    let mut types = Scope::with(&["Vertex", "Constants", "Textures", "VertexTextures", "Resources"]);
    PRELUDE.split(' ').for_each(|name| _ = types.take(name.to_string()));
    let (mut blocks, mut textures) = (Vec::new(), Vec::new());
    let reflection = agalc::reflect(module, &[]);
    let mut groups: BTreeMap<u32, (Scope, Vec<Binding>)> = BTreeMap::new();
    let mut constants = Scope::default();
    for resource in &interface.resources {
        let stage = stage_of(resource.stage);
        let (about, kind) = match &resource.kind {
            ResourceKind::Constants { block, size, members, passed, offset } => {
                let ty = types.take(camel(block.as_deref().unwrap_or(&resource.name)));
                let values = registers(module, resource.stage, resource.input).then_some(values);
                let members = fields(stage, members, &resource.name, values);
                let about = format!("The constants of the {stage} shader, [`{ty}`].");
                let (name, size) = (resource.name.clone(), size.next_multiple_of(16));
                let offset = (*passed == Passed::Push).then_some(*offset);
                blocks.push(Block { stage, ty, name, size, offset, members });
                (about, BindingKind::Buffer { size })
            }
            // Modules with storage buffers or storage textures have already been refused.
            ResourceKind::Buffer { .. } | ResourceKind::BufferSizes { .. } | ResourceKind::Image { .. } => continue,
            &ResourceKind::Texture { slot, dimension, texel, .. } => {
                let constant = constants.take(format!("{}_SAMPLER", upper(&resource.name)));
                if let Some(sampler) = sampler(&reflection, resource.stage, slot) {
                    let (state, ignored) = (sampler.webgpu.clone(), sampler.agal.ignoresampler);
                    textures.push(Texture { stage, slot, constant, state, ignored });
                }
                let about = format!("The texture `{}` of the {stage} shader.", resource.name);
                (about, BindingKind::Texture { dimension, texel })
            }
            &ResourceKind::Sampler { slot, texel } => {
                let of = textures.iter().find(|texture| (texture.stage, texture.slot) == (stage, slot));
                let constant = of.map_or("", |texture| texture.constant.as_str());
                (format!("A sampler with the state [`{constant}`]."), BindingKind::Sampler { texel })
            }
        };
        if let Some((group, binding)) = resource.binding {
            let (scope, bindings) = groups.entry(group).or_default();
            let name = scope.take(snake(&resource.name));
            bindings.push(Binding { name, stage, binding, kind, about });
        }
    }
    let mut types = Scope::default();
    let group = |(index, (_, mut bindings)): (u32, (Scope, Vec<Binding>))| {
        bindings.sort_by_key(|binding| binding.binding);
        Group { index, ty: types.take(group_name(&bindings).to_string()), bindings }
    };
    let entries = interface.entries.iter();
    Described {
        name: snake(name),
        blocks,
        attributes: attributes(interface, formats),
        textures,
        groups: groups.into_iter().map(group).collect(),
        entries: entries.map(|entry| (stage_of(entry.stage), entry.name.clone())).collect(),
        targets: targets(module),
        immediates: immediates(interface),
    }
}

/// Reports whether a uniform is the constant register file of its stage, which is the stage's first uniform and an array of
/// float4. Only constant registers have known values.
fn registers(module: &Module, stage: FunctionKind, id: Id) -> bool {
    let function = module.functions.iter().find(|function| function.kind == stage);
    let mut inputs = function.into_iter().flat_map(|function| &function.inputs);
    let first = inputs.find(|input| input.kind.is_uniform());
    first.is_some_and(|first| first.id == id && matches!(first.ty, Type::Array(Scalar::Float, 4, _)))
}

/// Returns the members of a block. An unnamed array becomes a single member called `registers`.
fn fields(stage: Stage, fields: &[Field], block: &str, values: Option<&Values>) -> Vec<Member> {
    let mut scope = Scope::default();
    let known = |word: u32| {
        let values = values?.get(&(stage, word / 4))?;
        values.get((word % 4) as usize).copied().flatten()
    };
    let member = |field: &Field| {
        let shape = Shape::of(field.ty);
        let name = if field.name.is_empty() { "registers" } else { &field.name };
        let path = if field.name.is_empty() { block.to_string() } else { format!("{block}.{}", field.name) };
        let (first, end) = (field.offset / 4, field.offset.saturating_add(shape.size()) / 4);
        let place = match values {
            Some(_) => place(stage, first, end),
            None => format!("offset {}", field.offset),
        };
        Member {
            name: scope.take(snake(name)),
            about: format!("`{path}`: {}, {place}.", described(field.ty)),
            offset: field.offset,
            shape,
            values: (first..end).map(|word| known(word).unwrap_or(0.0)).collect(),
        }
    };
    let mut fields: Vec<&Field> = fields.iter().collect();
    fields.sort_by_key(|field| field.offset);
    fields.into_iter().map(member).collect()
}

/// Returns a phrase for the registers that the words from `first` up to `end` cover, such as `registers vc0 to vc3` or `register
/// vc7.xy`.
fn place(stage: Stage, first: u32, end: u32) -> String {
    let file = File::Constant.name(stage);
    let (from, last) = (first / 4, end.saturating_sub(1) / 4);
    if from < last {
        return format!("registers {file}{from} to {file}{last}");
    }
    let letters: String = (first..end).filter_map(|word| "xyzw".chars().nth((word % 4) as usize)).collect();
    match letters.as_str() {
        "xyzw" => format!("register {file}{from}"),
        letters => format!("register {file}{from}.{letters}"),
    }
}

/// Returns an English description of a type for the doc comments of the generated code.
fn described(ty: Type) -> String {
    let word = |scalar: Scalar| match scalar {
        Scalar::Float => "float",
        Scalar::Int => "int",
        Scalar::Uint | Scalar::Bool => "unsigned int",
        Scalar::Half => "half",
    };
    match ty {
        Type::Vector(Scalar::Int, 1) => "an int".to_string(),
        Type::Vector(Scalar::Uint | Scalar::Bool, 1) => "an unsigned int".to_string(),
        Type::Vector(scalar, 1) => format!("a {}", word(scalar)),
        Type::Vector(scalar, width) => format!("a vector of {width} {}s", word(scalar)).replace("halfs", "halves"),
        Type::Matrix { columns, rows: 4 } => format!("a matrix of {columns} columns"),
        Type::Matrix { columns, rows: 2 } => format!("a matrix of {columns} columns, each with 2 floats"),
        Type::Matrix { columns, rows } => {
            format!("a matrix of {columns} columns, each with {rows} floats and then padding")
        }
        Type::Array(scalar, _, length) => {
            let plural = if length == 1 { "" } else { "s" };
            match scalar {
                Scalar::Float => format!("an array of {length} register{plural}"),
                scalar => format!("an array of {length} vector{plural} of 4 {}s", word(scalar)),
            }
        }
        Type::Texture(..) | Type::Buffer(..) | Type::Image(..) => ty.to_string(),
    }
}

fn attributes(interface: &Interface, formats: &BTreeMap<u32, VertexFormat>) -> Vec<Attribute> {
    let entry = interface.entries.iter().find(|entry| entry.stage == FunctionKind::Vertex);
    let inputs = entry.into_iter().flat_map(|entry| &entry.inputs);
    let mut inputs: Vec<_> = inputs.filter_map(|input| Some((input.location?, input))).collect();
    inputs.sort_by_key(|(location, _)| *location);
    let mut scope = Scope::default();
    let attribute = |(location, input): (u32, &backends::Variable)| {
        let stated = formats.get(&location).copied().map(Format::Floats);
        let format = stated.unwrap_or_else(|| Format::of(input.ty));
        Attribute { name: scope.take(snake(&input.name)), location, format }
    };
    inputs.into_iter().map(attribute).collect()
}

fn sampler(reflection: &Reflection, stage: FunctionKind, slot: u32) -> Option<&Sampler> {
    reflection.stage(stage)?.samplers.iter().find(|sampler| sampler.slot == slot)
}

/// Returns the number of render targets, up to the last target that the fragment program writes.
fn targets(module: &Module) -> Option<u32> {
    let fragment = module.functions.iter().find(|function| function.kind == FunctionKind::Fragment)?;
    let targets = fragment.outputs.iter().filter_map(|output| match output.kind {
        OutputKind::Colour { target } => Some(target.saturating_add(1)),
        _ => None,
    });
    Some(targets.max().unwrap_or(0))
}

/// Returns the size of the range that contains all immediates, in bytes.
fn immediates(interface: &Interface) -> u32 {
    let ends = interface.resources.iter().filter_map(|resource| match &resource.kind {
        ResourceKind::Constants { passed: Passed::Push, size, offset, .. } => Some(offset.saturating_add(*size)),
        _ => None,
    });
    ends.max().unwrap_or(0)
}

/// Returns the type name of a bind group, such as `Constants` or `Textures`. The name depends on the kinds of resources in the
/// group.
fn group_name(bindings: &[Binding]) -> &'static str {
    let is_constants = |binding: &Binding| matches!(binding.kind, BindingKind::Buffer { .. });
    let is_vertex = |binding: &Binding| binding.stage == Stage::Vertex;
    if bindings.iter().all(is_constants) {
        "Constants"
    } else if bindings.iter().any(is_constants) {
        "Resources"
    } else if bindings.iter().all(is_vertex) {
        "VertexTextures"
    } else {
        "Textures"
    }
}
