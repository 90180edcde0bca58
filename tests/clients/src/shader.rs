//! A translated pair and the data of one draw, in the form that graphics APIs require.
//!
//! Rule: every name, number and offset comes from the interface that was written with the code, or from the module. A client knows
//! the rules of its graphics API and nothing about the shader.

use agalc::names::{self, Names};
use backends::{EntryPoint, Field, Interface, Layout, Output, Passed, Resource, ResourceKind, Target};
use sdlbc::{Function, FunctionKind, InputKind, Module, Sampler, Type, Verified};
use sdlbc_interp::{Draw, Texture};

/// The two stages, in the order in which clients use them.
pub const STAGES: [FunctionKind; 2] = [FunctionKind::Vertex, FunctionKind::Fragment];

/// A draw with its shaders translated.
#[derive(Debug)]
pub struct Translated<'a> {
    /// The draw.
    pub draw: &'a Draw,
    /// The translated module: the draw's module, or a copy with names.
    pub module: Module,
    /// The written files: one for both stages, or one for each.
    pub outputs: Vec<Output>,
}

/// A vertex attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attribute {
    /// Its name in the output.
    pub name: String,
    /// Its location.
    pub location: u32,
    /// The number of floats.
    pub width: u32,
    /// The offset of the attribute in a vertex, in bytes.
    pub offset: u32,
}

/// The vertices of a draw in one buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vertices {
    /// The attributes of a vertex.
    pub attributes: Vec<Attribute>,
    /// The distance between vertices, in bytes.
    pub stride: u32,
    /// The content of the buffer.
    pub bytes: Vec<u8>,
}

/// Constants that are passed in one block.
#[derive(Clone, Debug)]
pub struct Block<'a> {
    /// The resource at which the constants are bound.
    pub resource: &'a Resource,
    /// How the constants are passed.
    pub passed: Passed,
    /// The name of the block in GLSL.
    pub name: Option<&'a str>,
    /// The offset of the block in the push constant range.
    pub offset: u32,
    /// Their members.
    pub members: &'a [Field],
    /// The values of the block, in its memory layout.
    pub bytes: Vec<u8>,
}

/// A texture with its sampler.
#[derive(Clone, Debug)]
pub struct Sampled<'a> {
    /// The resource at which the texture is bound.
    pub resource: &'a Resource,
    /// Its levels.
    pub texture: &'a Texture,
    /// The sampler state.
    pub sampler: Sampler,
}

impl<'a> Translated<'a> {
    /// Translates the shaders of a draw.
    ///
    /// # Errors
    /// The target or the layout cannot express them.
    pub fn new(draw: &'a Draw, target: Target, layout: &Layout) -> Result<Translated<'a>, String> {
        Translated::of(draw, draw.module.clone(), target, layout)
    }

    /// Translates the shaders of a draw after naming their registers.
    ///
    /// # Errors
    /// A name does not fit, or the target or the layout cannot express the shaders.
    pub fn named(draw: &'a Draw, names: &Names, target: Target, layout: &Layout) -> Result<Translated<'a>, String> {
        let mut module = draw.module.clone();
        names::apply(&mut module, names).map_err(|errors| format!("{errors:?}"))?;
        Translated::of(draw, module, target, layout)
    }

    fn of(draw: &'a Draw, module: Module, target: Target, layout: &Layout) -> Result<Translated<'a>, String> {
        let module = Verified::new(module).map_err(|violations| violations[0].to_string())?;
        let files = agalc::files(&module, target, layout).into_iter();
        let outputs = files.map(|stage| backends::write(&module, target, stage, layout));
        let outputs = outputs.collect::<Result<_, _>>().map_err(|error| error.to_string())?;
        Ok(Translated { draw, module: module.into_module(), outputs })
    }

    /// The draw's function of a stage. The draw's values are keyed by the names of its inputs.
    fn function(&self, stage: FunctionKind) -> Result<&'a Function, String> {
        let found = self.draw.module.functions.iter().find(|function| function.kind == stage);
        found.ok_or_else(|| format!("there is no {} function", stage.name()))
    }

    /// The file and the entry point of a stage.
    ///
    /// # Errors
    /// No file has that stage.
    pub fn entry(&self, stage: FunctionKind) -> Result<(&Output, &EntryPoint), String> {
        let entry = |output: &'_ Output| output.interface.entries.iter().position(|entry| entry.stage == stage);
        let found = self.outputs.iter().find_map(|output| Some((output, entry(output)?)));
        let (output, at) = found.ok_or_else(|| format!("no file has a {} stage", stage.name()))?;
        Ok((output, &output.interface.entries[at]))
    }

    /// The resources of a stage.
    pub fn resources(&self, stage: FunctionKind) -> impl Iterator<Item = &Resource> {
        let interfaces = self.outputs.iter().map(|output| &output.interface);
        interfaces.flat_map(|Interface { resources, .. }| resources).filter(move |resource| resource.stage == stage)
    }

    /// The constants of a stage, with their values.
    ///
    /// # Errors
    /// The interface names an input that the module does not have.
    pub fn blocks(&self, stage: FunctionKind) -> Result<Vec<Block<'_>>, String> {
        let function = self.function(stage)?;
        let mut blocks = Vec::new();
        for resource in self.resources(stage) {
            let ResourceKind::Constants { passed, block, size, offset, members } = &resource.kind else { continue };
            let input = function.inputs.iter().find(|input| input.id == resource.input);
            let name = input.map(|input| input.name.clone());
            let name = name.ok_or_else(|| format!("`{}` is not an input of the module", resource.name))?;
            // The registers are rows of 16 bytes, whose memory layout does not depend on the names of members.
            let words = self.draw.resources.uniforms.get(&(stage, name));
            let mut bytes: Vec<u8> = words.into_iter().flatten().flat_map(|word| word.to_ne_bytes()).collect();
            bytes.resize(*size as usize, 0);
            let (passed, offset, name) = (*passed, *offset, block.as_deref());
            blocks.push(Block { resource, passed, name, offset, members, bytes });
        }
        Ok(blocks)
    }

    /// The textures of a stage, in the order of their slots.
    ///
    /// # Errors
    /// The scene has no texture for one of the slots.
    pub fn textures(&self, stage: FunctionKind) -> Result<Vec<Sampled<'_>>, String> {
        let function = self.function(stage)?;
        let sampler = |wanted| {
            function.inputs.iter().find_map(|input| match input.kind {
                InputKind::Texture { slot, sampler } if slot == wanted => Some(sampler),
                _ => None,
            })
        };
        let mut textures = Vec::new();
        for resource in self.resources(stage) {
            let ResourceKind::Texture { slot, .. } = resource.kind else { continue };
            let texture = self.draw.resources.textures.get(&(stage, slot));
            let (Some(texture), Some(sampler)) = (texture, sampler(slot)) else {
                return Err(format!("there is no texture for `{}`", resource.name));
            };
            textures.push(Sampled { resource, texture, sampler });
        }
        Ok(textures)
    }

    /// The vertices, with the attributes that the vertex stage reads in consecutive order.
    ///
    /// # Errors
    /// The vertex stage reads attributes other than floats.
    pub fn vertices(&self) -> Result<Vertices, String> {
        let (_, entry) = self.entry(FunctionKind::Vertex)?;
        let mut attributes = Vec::new();
        let mut stride = 0;
        for input in &entry.inputs {
            let Some(location) = input.location else { continue };
            let Type::Vector(sdlbc::Scalar::Float, width) = input.ty else {
                return Err(format!("the attribute `{}` does not consist of floats", input.name));
            };
            let width = u32::from(width);
            attributes.push(Attribute { name: input.name.clone(), location, width, offset: stride });
            stride += 4 * width;
        }
        let count = self.draw.indices.iter().max().map_or(0, |&last| last as usize + 1);
        let mut bytes = Vec::with_capacity(count * stride as usize);
        for vertex in 0..count {
            for attribute in &attributes {
                let column = self.draw.attributes.get(&attribute.location);
                let words = column.and_then(|column| column.get(vertex)).copied().unwrap_or_default();
                bytes.extend(words.iter().take(attribute.width as usize).flat_map(|word| word.to_ne_bytes()));
            }
        }
        Ok(Vertices { attributes, stride, bytes })
    }

    /// The bytes of the indices.
    pub fn indices(&self) -> Vec<u8> {
        self.draw.indices.iter().flat_map(|index| index.to_ne_bytes()).collect()
    }
}

/// Whether the wrap mode of each axis is repetition.
pub fn repeats(sampler: Sampler) -> [bool; 2] {
    [sampler.wrap_u == 1, sampler.wrap_v == 1]
}
