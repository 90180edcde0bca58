//! The data from which a pair's code is generated: its constants, attributes, textures and entry points, with their
//! names in Rust.
//!
//! Rule: every number comes from the interface of the written WGSL, the states of samplers from the reflection, and
//! everything else from the module; nothing is computed twice. Members lie at the offsets of their registers.

use std::collections::BTreeMap;

use backends::{Field, Interface, Passed, ResourceKind};
use sdlbc::{Dimension, FunctionKind, Id, Module, OutputKind, Scalar, Texel, Type};

use crate::naming::{PRELUDE, Scope, camel, snake, upper};
use agalc::names::VertexFormat;
use agalc::reflect::{Reflection, Sampler, WebGpuSampler};

/// A register file's values that are known, by stage and number of the register.
pub(crate) type Values = BTreeMap<(Stage, u32), [Option<f32>; 4]>;

/// A stage, as a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Stage {
    Vertex,
    Fragment,
}

impl Stage {
    fn of(kind: FunctionKind) -> Stage {
        if kind == FunctionKind::Vertex { Stage::Vertex } else { Stage::Fragment }
    }

    pub(crate) fn word(self) -> &'static str {
        match self {
            Stage::Vertex => "vertex",
            Stage::Fragment => "fragment",
        }
    }

    /// The constant of `wgpu::ShaderStages`.
    pub(crate) fn flag(self) -> &'static str {
        match self {
            Stage::Vertex => "VERTEX",
            Stage::Fragment => "FRAGMENT",
        }
    }

    /// The registers of its constants.
    fn constants(self) -> &'static str {
        match self {
            Stage::Vertex => "vc",
            Stage::Fragment => "fc",
        }
    }
}

/// A description of a pair, from which its code is generated.
#[derive(Debug)]
pub(crate) struct Described {
    /// The pair's name as a module.
    pub(crate) name: String,
    pub(crate) blocks: Vec<Block>,
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) textures: Vec<Texture>,
    pub(crate) groups: Vec<Group>,
    /// The names of the entry points in the shader.
    pub(crate) entries: Vec<(Stage, String)>,
    /// The number of render targets, if it has a fragment program.
    pub(crate) targets: Option<u32>,
    /// The bytes of constants that are passed as immediates.
    pub(crate) immediates: u32,
}

/// A block of constants, which becomes a structure.
#[derive(Debug)]
pub(crate) struct Block {
    pub(crate) stage: Stage,
    pub(crate) ty: String,
    /// Its name in the shader.
    pub(crate) name: String,
    pub(crate) size: u32,
    /// Its offset in the range of immediates, if it is passed as immediates.
    pub(crate) offset: Option<u32>,
    pub(crate) members: Vec<Member>,
}

/// A member of a block.
#[derive(Debug)]
pub(crate) struct Member {
    pub(crate) name: String,
    pub(crate) about: String,
    pub(crate) offset: u32,
    pub(crate) shape: Shape,
    /// Its words' values, as far as they are known; the others are zero. Only floats have values.
    pub(crate) values: Vec<f32>,
}

/// The shape of a member: one or several columns of components, as WGSL lays them out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    pub(crate) scalar: Scalar,
    /// The components of a column in Rust, including padding.
    pub(crate) components: u32,
    /// The columns of a matrix or the elements of an array; `None` for a scalar or a vector.
    pub(crate) columns: Option<u32>,
}

impl Shape {
    /// The shape of a value. A column of three components takes the space of four, one of two takes no more than its own; an
    /// element of an array is a register.
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

    /// Its size in bytes.
    pub(crate) fn size(self) -> u32 {
        let bytes = if self.scalar == Scalar::Half { 2 } else { 4 };
        (bytes * self.components).saturating_mul(self.columns.unwrap_or(1))
    }

    /// The Rust type of a component. Halves are held as their bits, since Rust has no stable type for them.
    pub(crate) fn component(self) -> &'static str {
        match self.scalar {
            Scalar::Float => "f32",
            Scalar::Int => "i32",
            Scalar::Uint | Scalar::Bool => "u32",
            Scalar::Half => "u16",
        }
    }
}

/// A vertex attribute.
#[derive(Debug)]
pub(crate) struct Attribute {
    pub(crate) name: String,
    pub(crate) location: u32,
    pub(crate) format: Format,
}

/// The format of an attribute in a vertex buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// A format that the shader reads as floats.
    Floats(VertexFormat),
    /// 32-bit integers, 1 to 4 of them.
    Integers { signed: bool, width: u8 },
}

impl Format {
    /// The format of an attribute without a stated one: as many numbers as the type has components. Halves are read
    /// from floats.
    fn of(ty: Type) -> Format {
        match ty {
            Type::Vector(scalar @ (Scalar::Int | Scalar::Uint), width) => {
                Format::Integers { signed: scalar == Scalar::Int, width }
            }
            ty => Format::Floats(VertexFormat::floats(ty.width().unwrap_or(4))),
        }
    }

    /// Its name in `wgpu::VertexFormat`.
    pub(crate) fn name(self) -> String {
        match self {
            Format::Floats(format) => format.name().to_string(),
            Format::Integers { signed, width } => {
                let word = if signed { "Sint32" } else { "Uint32" };
                if width == 1 { word.to_string() } else { format!("{word}x{width}") }
            }
        }
    }

    /// The number of its components.
    pub(crate) fn components(self) -> u8 {
        match self {
            Format::Floats(format) => format.components(),
            Format::Integers { width, .. } => width,
        }
    }

    /// Its size in bytes.
    pub(crate) fn bytes(self) -> u32 {
        match self {
            Format::Floats(format) => format.bytes(),
            Format::Integers { width, .. } => 4 * u32::from(width),
        }
    }
}

/// A texture with the state of its sampler.
#[derive(Debug)]
pub(crate) struct Texture {
    pub(crate) stage: Stage,
    pub(crate) slot: u32,
    /// The name of its sampler's descriptor.
    pub(crate) constant: String,
    pub(crate) state: WebGpuSampler,
    /// Whether the application sets the state, so that this state is only its default.
    pub(crate) ignored: bool,
}

/// A bind group.
#[derive(Debug)]
pub(crate) struct Group {
    pub(crate) index: u32,
    pub(crate) ty: String,
    pub(crate) bindings: Vec<Binding>,
}

/// A resource of a bind group.
#[derive(Debug)]
pub(crate) struct Binding {
    pub(crate) name: String,
    pub(crate) stage: Stage,
    pub(crate) binding: u32,
    pub(crate) kind: BindingKind,
    pub(crate) about: String,
}

/// The kind of resource that is bound.
#[derive(Debug)]
pub(crate) enum BindingKind {
    Buffer { size: u32 },
    Texture { dimension: Dimension, texel: Texel },
    Sampler { texel: Texel },
}

/// Describes a pair by the interface of its WGSL.
pub(crate) fn describe(
    name: &str,
    module: &Module,
    interface: &Interface,
    formats: &BTreeMap<u32, VertexFormat>,
    values: &Values,
) -> Described {
    let mut types = Scope::with(&["Vertex", "Constants", "Textures", "VertexTextures", "Resources"]);
    PRELUDE.iter().for_each(|name| _ = types.take(name.to_string()));
    let (mut blocks, mut textures) = (Vec::new(), Vec::new());
    let reflection = agalc::reflect(module, &[]);
    let mut of_resource: BTreeMap<usize, (String, String)> = BTreeMap::new();
    let mut constants = Scope::default();
    for (index, resource) in interface.resources.iter().enumerate() {
        let stage = Stage::of(resource.stage);
        match &resource.kind {
            ResourceKind::Constants { block, size, members, passed, offset } => {
                let ty = types.take(camel(block.as_deref().unwrap_or(&resource.name)));
                let values = registers(module, resource.stage, resource.input).then_some(values);
                let members = fields(stage, members, &resource.name, values);
                let about = format!("The constants of the {} shader, [`{ty}`].", stage.word());
                of_resource.insert(index, (snake(&resource.name), about));
                let (name, size) = (resource.name.clone(), size.next_multiple_of(16));
                let offset = (*passed == Passed::Push).then_some(*offset);
                blocks.push(Block { stage, ty, name, size, offset, members });
            }
            // Modules with such resources have been refused.
            ResourceKind::Buffer { .. } | ResourceKind::BufferSizes { .. } | ResourceKind::Image { .. } => {}
            ResourceKind::Texture { slot, .. } => {
                let about = format!("The texture `{}` of the {} shader.", resource.name, stage.word());
                of_resource.insert(index, (snake(&resource.name), about));
                let constant = constants.take(format!("{}_SAMPLER", upper(&resource.name)));
                let Some(sampler) = sampler(&reflection, resource.stage, *slot) else { continue };
                let (state, ignored) = (sampler.webgpu.clone(), sampler.agal.ignoresampler);
                textures.push(Texture { stage, slot: *slot, constant, state, ignored });
            }
            ResourceKind::Sampler { slot, .. } => {
                let of = textures.iter().find(|texture| (texture.stage, texture.slot) == (stage, *slot));
                let constant = of.map_or("", |texture| texture.constant.as_str());
                let about = format!("A sampler with the state [`{constant}`].");
                of_resource.insert(index, (snake(&resource.name), about));
            }
        }
    }
    let entries = interface.entries.iter();
    Described {
        name: snake(name),
        blocks,
        attributes: attributes(interface, formats),
        textures,
        groups: groups(interface, &of_resource),
        entries: entries.map(|entry| (Stage::of(entry.stage), entry.name.clone())).collect(),
        targets: targets(module),
        immediates: immediates(interface),
    }
}

/// Whether a uniform is the register file of its stage, whose values may be known: the first array.
fn registers(module: &Module, stage: FunctionKind, id: Id) -> bool {
    let function = module.functions.iter().find(|function| function.kind == stage);
    let mut inputs = function.into_iter().flat_map(|function| &function.inputs);
    let first = inputs.find(|input| input.kind.is_uniform());
    first.is_some_and(|first| first.id == id && matches!(first.ty, Type::Array(Scalar::Float, 4, _)))
}

/// The members of a block. An array without a name is one member, `registers`.
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

/// The registers of words: `registers vc0 to vc3`, `register vc7.xy`.
fn place(stage: Stage, first: u32, end: u32) -> String {
    let file = stage.constants();
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

/// A type in the words of documentation.
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
            let of = match scalar {
                Scalar::Float => "register".to_string(),
                scalar => format!("vector of 4 {}s", word(scalar)),
            };
            match length {
                1 => format!("an array of 1 {of}"),
                _ => format!(
                    "an array of {length} {}",
                    of.replacen("register", "registers", 1).replacen("vector", "vectors", 1)
                ),
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

/// The sampler of a slot.
fn sampler(reflection: &Reflection, stage: FunctionKind, slot: u32) -> Option<&Sampler> {
    let stage = reflection.stages.iter().find(|of| of.stage == stage)?;
    stage.samplers.iter().find(|sampler| sampler.slot == slot)
}

/// The number of targets up to the last that is written.
fn targets(module: &Module) -> Option<u32> {
    let fragment = module.functions.iter().find(|function| function.kind == FunctionKind::Fragment)?;
    let targets = fragment.outputs.iter().filter_map(|output| match output.kind {
        OutputKind::Colour { target } => Some(target.saturating_add(1)),
        _ => None,
    });
    Some(targets.max().unwrap_or(0))
}

/// The end of the range of constants that are not in a buffer.
fn immediates(interface: &Interface) -> u32 {
    let ends = interface.resources.iter().filter_map(|resource| match &resource.kind {
        ResourceKind::Constants { passed: Passed::Push, size, offset, .. } => Some(offset.saturating_add(*size)),
        _ => None,
    });
    ends.max().unwrap_or(0)
}

/// The bind groups in the order of their numbers.
fn groups(interface: &Interface, of_resource: &BTreeMap<usize, (String, String)>) -> Vec<Group> {
    let mut groups: BTreeMap<u32, (Scope, Vec<Binding>)> = BTreeMap::new();
    for (index, resource) in interface.resources.iter().enumerate() {
        let (Some((group, binding)), Some((name, about))) = (resource.binding, of_resource.get(&index)) else {
            continue;
        };
        let kind = match resource.kind {
            ResourceKind::Constants { size, .. } => BindingKind::Buffer { size: size.next_multiple_of(16) },
            ResourceKind::Texture { dimension, texel, .. } => BindingKind::Texture { dimension, texel },
            ResourceKind::Sampler { texel, .. } => BindingKind::Sampler { texel },
            // Modules with such resources have been refused.
            ResourceKind::Buffer { .. } | ResourceKind::BufferSizes { .. } | ResourceKind::Image { .. } => continue,
        };
        let (scope, bindings) = groups.entry(group).or_default();
        let (name, stage) = (scope.take(name.clone()), Stage::of(resource.stage));
        bindings.push(Binding { name, stage, binding, kind, about: about.clone() });
    }
    let mut types = Scope::default();
    let group = |(index, (_, mut bindings)): (u32, (Scope, Vec<Binding>))| {
        bindings.sort_by_key(|binding| binding.binding);
        Group { index, ty: types.take(content(&bindings).to_string()), bindings }
    };
    groups.into_iter().map(group).collect()
}

/// The name of a group, by its contents.
fn content(bindings: &[Binding]) -> &'static str {
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
