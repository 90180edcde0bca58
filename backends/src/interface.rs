//! The interface of a written shader: the names and numbers by which an application finds the shader's inputs, outputs and
//! resources.
//!
//! An [`Interface`] describes the output for one target and layout, with the final names. The module itself lists the program's
//! inputs and outputs, which are the same for all targets.

use sdlbc::{Access, Dimension, Format, Function, FunctionKind, Id, ImageAccess, Input, Module, Texel, Type};

/// The inputs, outputs and resources of a written shader, with their names and numbers in the output.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Interface {
    /// The entry points, in the order of the module's functions.
    pub entries: Vec<EntryPoint>,
    /// The resources, beginning with the resources of the vertex stage. Within a stage, the constants come first, followed by
    /// textures, the buffer with the sizes of storage buffers, the storage buffers, and storage textures. Resources of one kind
    /// are in the order of their slots.
    pub resources: Vec<Resource>,
}

/// An entry point of a written shader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryPoint {
    /// The stage of the entry point.
    pub stage: FunctionKind,
    /// The entry point's name in the output.
    pub name: String,
    /// The size of a compute function's workgroup in x, y and z, in invocations, or `None` for other stages.
    pub workgroup: Option<[u32; 3]>,
    /// The attributes or varyings, and the builtins, that the entry point reads.
    pub inputs: Vec<Variable>,
    /// The outputs that the entry point writes: varyings or colours, and builtins such as the position and the depth.
    pub outputs: Vec<Variable>,
}

/// An input or output of an entry point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// The variable's index in the function's `inputs` or `outputs`.
    pub index: usize,
    /// The variable's name in the output, which is empty for a variable without a name, such as a single colour in WGSL.
    pub name: String,
    /// The variable's location, or `None` for a builtin.
    pub location: Option<u32>,
    /// The type of the variable.
    pub ty: Type,
}

/// A resource that a stage uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resource {
    /// The stage that uses the resource.
    pub stage: FunctionKind,
    /// The entry function's id for the resource's input, or for the first uniform in the resource's block. [`Id::NONE`] means
    /// that only called functions have the input.
    pub input: Id,
    /// The resource's name in the output. A block without an instance name takes the name of its only member.
    pub name: String,
    /// The group and binding of the resource, or `None` for push constants, for plain uniforms, and in GLSL ES, which has no
    /// layout qualifiers.
    pub binding: Option<(u32, u32)>,
    /// The kind of the resource, with data such as its size or slot.
    pub kind: ResourceKind,
}

/// The kind of a resource, with data such as sizes and slots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResourceKind {
    /// Constants: a uniform buffer, push constants or plain uniforms.
    Constants {
        /// The way in which the application passes the constants to the shader.
        passed: Passed,
        /// The name of the GLSL block (for `glGetUniformBlockIndex`) or of the structure, or `None` if the output has
        /// neither.
        block: Option<String>,
        /// The size of the constants in bytes, counted from `offset`.
        size: u32,
        /// The offset of the constants in the push constant range, in bytes.
        offset: u32,
        /// The members of the block; an array is a single member without a name.
        members: Vec<Field>,
    },
    /// A sampled texture.
    Texture {
        /// The texture's dimension, such as 2D or cube.
        dimension: Dimension,
        /// The kind of the texture's texels: floats, ints, uints or depths.
        texel: Texel,
        /// The texture's slot, which is the number of the sampler register.
        slot: u32,
        /// Whether the texture is combined with its sampler.
        combined: bool,
        /// The texture unit in GLSL, or `None` if the texture has no unit.
        unit: Option<u32>,
    },
    /// A sampler that is separate from its texture.
    Sampler {
        /// The sampler's slot, which is the number of the sampler register.
        slot: u32,
        /// The kind of texels in the sampler's texture. A sampler for depths compares texels with a reference value.
        texel: Texel,
    },
    /// A storage buffer.
    Buffer {
        /// The buffer's slot in the module.
        slot: u32,
        /// Whether the program only reads the storage buffer, or also writes it.
        access: Access,
        /// The type of the buffer's elements, which follow each other without gaps.
        element: Type,
    },
    /// A storage texture.
    Image {
        /// The texture's slot in the module.
        slot: u32,
        /// The access to the storage texture: only reads or only writes.
        access: ImageAccess,
        /// The dimension of the storage texture, which is 2D, 3D or 2D array.
        dimension: Dimension,
        /// The format of the storage texture's texels.
        format: Format,
    },
    /// A buffer in which the application passes the sizes of storage buffers in MSL. A stage has this resource if a `buffersize`
    /// or the clamp of an index needs the length of a storage buffer.
    BufferSizes {
        /// The name of the structure that contains the sizes.
        block: String,
        /// The size of the structure in bytes.
        size: u32,
        /// The members of the structure, each a uint with the size of a storage buffer in bytes.
        members: Vec<SizeField>,
    },
}

/// A member of the structure that contains the sizes of storage buffers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SizeField {
    /// The member's name in the output.
    pub name: String,
    /// The name of the storage buffer in the output.
    pub buffer: String,
    /// The storage buffer's slot in the module.
    pub slot: u32,
    /// The member's offset in the structure, in bytes.
    pub offset: u32,
}

/// The way in which an application passes constants to a shader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Passed {
    /// The constants are in a uniform buffer.
    Buffer,
    /// The constants are in the push constant range.
    Push,
    /// The constants are plain uniforms of OpenGL.
    Plain,
}

/// A member of a block of constants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The member's name in the output, which is empty if the block is an array.
    pub name: String,
    /// The name by which `glGetUniformLocation` finds a plain uniform, such as `vc.mvp`, `vc[0]` or `vc`.
    pub path: String,
    /// The member's offset in the block, in bytes.
    pub offset: u32,
    /// The type of the member.
    pub ty: Type,
    /// The entry function's id for the uniform that the member contains in whole or in part. [`Id::NONE`] means that only called
    /// functions read the uniform.
    pub uniform: Id,
    /// The member's offset in its uniform, in bytes.
    pub within: u32,
}

impl Interface {
    /// Builds the interface from entry points and resources. The entry points already have their final names. All other names are
    /// still labels, which `name` replaces.
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
                // If a block has an instance name, OpenGL qualifies the names of its members with the block's name.
                let of = block.as_ref().filter(|_| *passed == Passed::Buffer).unwrap_or(&resource.name);
                let is_whole = field.name.is_empty();
                field.path = if is_whole { resource.name.clone() } else { [of.as_str(), ".", &field.name].concat() };
            }
        }
        resources.sort_by_key(Resource::order);
        Interface { entries, resources }
    }

    /// Replaces the interface's indices and ids, which refer to the module `from`, with the corresponding indices and ids of the
    /// module `to`. Every input and output of `from` also exists in `to`.
    pub(crate) fn refer_to(&mut self, from: &Module, to: &Module) {
        self.entries.iter_mut().for_each(|entry| entry.refer_to(from, to));
        for resource in &mut self.resources {
            let Some((from, to)) = functions(resource.stage, from, to) else { continue };
            // Uniforms are identified by name, and other inputs by kind.
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

fn functions<'m>(stage: FunctionKind, from: &'m Module, to: &'m Module) -> Option<(&'m Function, &'m Function)> {
    let function = |module: &'m Module| module.functions.iter().find(|function| function.kind == stage);
    function(from).zip(function(to))
}

impl EntryPoint {
    /// Replaces the indices of the inputs and outputs, which refer to the module `from`, with the corresponding indices
    /// in the module `to`.
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
    /// Returns a sort key that orders resources by stage, kind and slot, and puts each texture before its sampler.
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
