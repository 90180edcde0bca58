//! The interface of a written shader: the names and numbers by which an application finds the shader's inputs, outputs
//! and resources.
//!
//! An [`Interface`] describes the output for one target and layout, after every name in it has been chosen. The inputs and
//! outputs of the program, which are the same for all targets, are in the module.

use sdlbc::{Access, Dimension, Format, Function, FunctionKind, Id, ImageAccess, Input, Module, Texel, Type};

/// The inputs, outputs and resources of a written shader, by the names and numbers in its text or words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Interface {
    /// The entry points, in the order of the module's functions.
    pub entries: Vec<EntryPoint>,
    /// The resources: the vertex stage's first, constants before textures, textures by slot, the sizes of
    /// storage buffers, storage buffers by slot, storage textures by slot.
    pub resources: Vec<Resource>,
}

/// An entry point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryPoint {
    /// Its stage.
    pub stage: FunctionKind,
    /// Its name in the output.
    pub name: String,
    /// The numbers of invocations of a workgroup in x, y and z, of a compute function.
    pub workgroup: Option<[u32; 3]>,
    /// Its attributes or varyings, and builtins.
    pub inputs: Vec<Variable>,
    /// Its varyings or colours, the position and the depth.
    pub outputs: Vec<Variable>,
}

/// An input or output of an entry point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its index in the function's `inputs` or `outputs`.
    pub index: usize,
    /// Its name in the output; empty if the output has none for it (a single colour in WGSL).
    pub name: String,
    /// Its location; `None` for a builtin.
    pub location: Option<u32>,
    /// Its type.
    pub ty: Type,
}

/// A resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resource {
    /// Its stage.
    pub stage: FunctionKind,
    /// The id of the input that it contains, in the stage's entry function; if one block contains all uniforms, the id of the
    /// first. [`Id::NONE`] if only functions that the entry function calls have the input.
    pub input: Id,
    /// Its name in the output. For a block without an instance name, the name of its only member.
    pub name: String,
    /// Its group and binding; `None` for push constants and plain uniforms, and for GLSL ES, which has no layout qualifiers.
    pub binding: Option<(u32, u32)>,
    /// Its kind.
    pub kind: ResourceKind,
}

/// The kind of a resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResourceKind {
    /// Constants.
    Constants {
        /// How the constants are passed in this output.
        passed: Passed,
        /// The name of the block in GLSL (for `glGetUniformBlockIndex`), or of the structure; `None` if it has none.
        block: Option<String>,
        /// The size in bytes, and for push constants the offset in the range.
        size: u32,
        /// The offset in the push constant range.
        offset: u32,
        /// Its members; a single member without a name if it is an array.
        members: Vec<Field>,
    },
    /// A texture.
    Texture {
        /// Its dimension.
        dimension: Dimension,
        /// The kind of its texels.
        texel: Texel,
        /// The slot: the number of the sampler register.
        slot: u32,
        /// Whether the texture is combined with its sampler.
        combined: bool,
        /// The texture unit in GLSL.
        unit: Option<u32>,
    },
    /// A sampler.
    Sampler {
        /// The slot: the number of the sampler register.
        slot: u32,
        /// The kind of its texture's texels: a sampler for depths compares.
        texel: Texel,
    },
    /// A storage buffer.
    Buffer {
        /// The slot.
        slot: u32,
        /// The program's accesses to it.
        access: Access,
        /// The type of its elements, which follow each other without gaps.
        element: Type,
    },
    /// A storage texture.
    Image {
        /// The slot.
        slot: u32,
        /// The program's accesses to it.
        access: ImageAccess,
        /// Its dimension: 2D, 3D or 2D array.
        dimension: Dimension,
        /// The format of its texels.
        format: Format,
    },
    /// A buffer in which the application passes the sizes of storage buffers, in MSL. A stage has this resource if a
    /// `buffersize` or the clamp of an index needs a number of elements.
    BufferSizes {
        /// The name of the structure.
        block: String,
        /// The size in bytes.
        size: u32,
        /// Its members, each a uint: the size of a storage buffer in bytes.
        members: Vec<SizeField>,
    },
}

/// A member of a table of sizes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SizeField {
    /// Its name in the output.
    pub name: String,
    /// The name of the storage buffer in the output.
    pub buffer: String,
    /// The slot of the storage buffer.
    pub slot: u32,
    /// Its offset in the table in bytes.
    pub offset: u32,
}

/// How constants are passed to the shader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Passed {
    /// In a uniform buffer.
    Buffer,
    /// In the push constant range.
    Push,
    /// As plain uniforms.
    Plain,
}

/// A member of a block of constants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name in the output; empty if the block is an array.
    pub name: String,
    /// The name by which `glGetUniformLocation` finds a plain uniform: `vc.mvp`, `vc[0]`, `vc`.
    pub path: String,
    /// Its offset in the block in bytes.
    pub offset: u32,
    /// Its type.
    pub ty: Type,
    /// The id of the uniform that the member contains in whole or in part, in the stage's entry function; [`Id::NONE`] if only
    /// called functions read it.
    pub uniform: Id,
    /// Its offset in that uniform in bytes.
    pub within: u32,
}

impl Interface {
    /// Builds the interface from entry points, whose own names are known, and resources, with labels in place of all other names.
    /// `name` replaces a label by its name.
    pub(crate) fn resolved(
        mut entries: Vec<EntryPoint>,
        mut resources: Vec<Resource>,
        name: impl Fn(&mut String),
    ) -> Interface {
        for entry in &mut entries {
            let variables = entry.inputs.iter_mut().chain(&mut entry.outputs);
            variables.for_each(|variable| name(&mut variable.name));
        }
        for resource in &mut resources {
            name(&mut resource.name);
            if let ResourceKind::BufferSizes { block, members, .. } = &mut resource.kind {
                name(block);
                members.iter_mut().for_each(|field| [&mut field.name, &mut field.buffer].into_iter().for_each(&name));
            }
            let ResourceKind::Constants { passed, block, members, .. } = &mut resource.kind else { continue };
            block.iter_mut().for_each(&name);
            for field in members {
                name(&mut field.name);
                // OpenGL finds the members of a block with an instance name by the name of the block.
                let of = block.as_ref().filter(|_| *passed == Passed::Buffer).unwrap_or(&resource.name);
                let is_whole = field.name.is_empty();
                field.path = if is_whole { resource.name.clone() } else { [of.as_str(), ".", &field.name].concat() };
            }
        }
        resources.sort_by_key(Resource::order);
        Interface { entries, resources }
    }

    /// Changes indices and ids that refer to `from` into those of `to`, which has all inputs and outputs of `from` and possibly
    /// more.
    pub(crate) fn refer_to(&mut self, from: &Module, to: &Module) {
        self.entries.iter_mut().for_each(|entry| entry.refer_to(from, to));
        for resource in &mut self.resources {
            let Some((from, to)) = functions(resource.stage, from, to) else { continue };
            // Only uniforms can have the same kind, and these have different names.
            let is_same = |of: &Input, other: &Input| of.kind == other.kind && of.name == other.name;
            let change = |id: &mut Id| {
                let found = from.inputs.iter().find(|input| input.id == *id);
                let same = found.and_then(|of| to.inputs.iter().find(|other| is_same(of, other)));
                *id = same.map_or(*id, |same| same.id);
            };
            change(&mut resource.input);
            if let ResourceKind::Constants { members, .. } = &mut resource.kind {
                members.iter_mut().for_each(|field| change(&mut field.uniform));
            }
        }
    }
}

/// Returns the entry functions of a stage in two modules.
fn functions<'m>(stage: FunctionKind, from: &'m Module, to: &'m Module) -> Option<(&'m Function, &'m Function)> {
    let function = |module: &'m Module| module.functions.iter().find(|function| function.kind == stage);
    function(from).zip(function(to))
}

impl EntryPoint {
    /// Changes indices of inputs and outputs of `from` into those of `to`, where they may have other positions.
    pub(crate) fn refer_to(&mut self, from: &Module, to: &Module) {
        let Some((from, to)) = functions(self.stage, from, to) else { return };
        for input in &mut self.inputs {
            let kind = from.inputs.get(input.index).map(|input| input.kind);
            let same = to.inputs.iter().position(|other| Some(other.kind) == kind);
            input.index = same.unwrap_or(input.index);
        }
        for output in &mut self.outputs {
            let kind = from.outputs.get(output.index).map(|output| output.kind);
            let same = to.outputs.iter().position(|other| Some(other.kind) == kind);
            output.index = same.unwrap_or(output.index);
        }
    }
}

impl Resource {
    /// Returns the sort key: resources of the vertex stage come first, constants before textures, textures by slot, and each
    /// texture before its sampler.
    fn order(&self) -> (FunctionKind, u8, u32, u8) {
        match self.kind {
            ResourceKind::Constants { .. } => (self.stage, 0, 0, 0),
            ResourceKind::Texture { slot, .. } => (self.stage, 1, slot, 0),
            ResourceKind::Sampler { slot, .. } => (self.stage, 1, slot, 1),
            ResourceKind::BufferSizes { .. } => (self.stage, 2, 0, 0),
            ResourceKind::Buffer { slot, .. } => (self.stage, 2, slot, 1),
            ResourceKind::Image { slot, .. } => (self.stage, 3, slot, 0),
        }
    }
}
