//! A translated pair and the data of one draw, in the form that graphics APIs require.
//!
//! Rule: every name, number and offset comes from the module or from the interface that the translator returned with the code. A
//! client implements the rules of its graphics API and contains nothing specific to a shader.

use agalc::names::{self, Names};
use backends::{EntryPoint, Field, Interface, Layout, Output, Passed, Resource, ResourceKind, Target};
use sdlbc::{Function, FunctionKind, InputKind, Module, Sampler, Type, Verified};
use sdlbc_interp::{Draw, Texture};

/// The two stages, in the order in which clients process them.
pub const STAGES: [FunctionKind; 2] = [FunctionKind::Vertex, FunctionKind::Fragment];

/// A draw together with its translated shaders.
#[derive(Debug)]
pub struct Translated<'a> {
    /// The draw, which supplies the mesh, the constants and the textures.
    pub draw: &'a Draw,
    /// The translated module: the draw's module, or a copy whose registers have names.
    pub module: Module,
    /// The translator's outputs: one file for both stages, or one file for each stage.
    pub outputs: Vec<Output>,
}

/// A vertex attribute that the vertex stage reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attribute {
    /// The attribute's name in the vertex shader.
    pub name: String,
    /// The attribute's location in the vertex stage's interface.
    pub location: u32,
    /// The number of floats in the attribute, 1 to 4.
    pub width: u32,
    /// The attribute's offset from the start of a vertex, in bytes.
    pub offset: u32,
}

/// The vertices of a draw, interleaved in one buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vertices {
    /// The attributes of a vertex, in the order of their offsets.
    pub attributes: Vec<Attribute>,
    /// The distance between the starts of neighbouring vertices, in bytes.
    pub stride: u32,
    /// The bytes of the vertex buffer.
    pub bytes: Vec<u8>,
}

/// The constants of a stage that are passed to the shader in one block.
#[derive(Clone, Debug)]
pub struct Block<'a> {
    /// The resource in the shader's interface that describes the constants.
    pub resource: &'a Resource,
    /// The way in which the constants are passed, such as a uniform buffer or push constants.
    pub passed: Passed,
    /// The name of the block in GLSL, or `None` if the output has no named block.
    pub name: Option<&'a str>,
    /// The offset of the block in the push constant range, in bytes.
    pub offset: u32,
    /// The members of the block, with their names, types and offsets.
    pub members: &'a [Field],
    /// The values of the constants, in the memory layout of the block.
    pub bytes: Vec<u8>,
}

/// A texture of a stage with its sampler state.
#[derive(Clone, Debug)]
pub struct Sampled<'a> {
    /// The resource in the shader's interface that describes the texture.
    pub resource: &'a Resource,
    /// The texture's dimension and the texels of its mip levels.
    pub texture: &'a Texture,
    /// The sampler state that the AGAL program specifies.
    pub sampler: Sampler,
}

impl<'a> Translated<'a> {
    /// Translates the shaders of a draw.
    ///
    /// # Errors
    /// Returns an error if the target or the layout cannot express the shaders.
    pub fn new(draw: &'a Draw, target: Target, layout: &Layout) -> Result<Translated<'a>, String> {
        Translated::of(draw, draw.module.clone(), target, layout)
    }

    /// Names the registers of a draw's shaders, then translates the shaders.
    ///
    /// # Errors
    /// Returns an error if a name does not fit, or if the target or the layout cannot express the shaders.
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

    /// Returns a stage's function in the draw's own module. The names of the function's inputs are the keys of the draw's uniform
    /// values.
    fn function(&self, stage: FunctionKind) -> Result<&'a Function, String> {
        let found = self.draw.module.functions.iter().find(|function| function.kind == stage);
        found.ok_or_else(|| format!("there is no {} function", stage.name()))
    }

    /// Returns the output file that contains a stage, and the stage's entry point.
    ///
    /// # Errors
    /// Returns an error if no file contains the stage.
    pub fn entry(&self, stage: FunctionKind) -> Result<(&Output, &EntryPoint), String> {
        let entry = |output: &'_ Output| output.interface.entries.iter().position(|entry| entry.stage == stage);
        let found = self.outputs.iter().find_map(|output| Some((output, entry(output)?)));
        let (output, at) = found.ok_or_else(|| format!("no file has a {} stage", stage.name()))?;
        Ok((output, &output.interface.entries[at]))
    }

    /// Returns the resources that a stage declares.
    pub fn resources(&self, stage: FunctionKind) -> impl Iterator<Item = &Resource> {
        let interfaces = self.outputs.iter().map(|output| &output.interface);
        interfaces.flat_map(|Interface { resources, .. }| resources).filter(move |resource| resource.stage == stage)
    }

    /// Returns the blocks of constants of a stage, with their values.
    ///
    /// # Errors
    /// Returns an error if the interface names an input that the module does not have.
    pub fn blocks(&self, stage: FunctionKind) -> Result<Vec<Block<'_>>, String> {
        let function = self.function(stage)?;
        let mut blocks = Vec::new();
        for resource in self.resources(stage) {
            let ResourceKind::Constants { passed, block, size, offset, members } = &resource.kind else { continue };
            let input = function.inputs.iter().find(|input| input.id == resource.input);
            let name = input.map(|input| input.name.clone());
            let name = name.ok_or_else(|| format!("`{}` is not an input of the module", resource.name))?;
            // Naming the members of a block does not move the registers: register `n` always starts at byte `16 * n`.
            let words = self.draw.resources.uniforms.get(&(stage, name));
            let mut bytes: Vec<u8> = words.into_iter().flatten().flat_map(|word| word.to_ne_bytes()).collect();
            bytes.resize(*size as usize, 0);
            let (passed, offset, name) = (*passed, *offset, block.as_deref());
            blocks.push(Block { resource, passed, name, offset, members, bytes });
        }
        Ok(blocks)
    }

    /// Returns the textures of a stage, in the order of the stage's resources.
    ///
    /// # Errors
    /// Returns an error if the scene has no texture for one of the stage's slots.
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

    /// Returns the vertices, tightly packed. Each vertex has the attributes that the vertex stage reads, in the order of the
    /// stage's inputs.
    ///
    /// # Errors
    /// Returns an error if the vertex stage reads an attribute that does not consist of floats.
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

    /// Returns the contents of the index buffer, which has 32-bit indices in the machine's byte order.
    pub fn indices(&self) -> Vec<u8> {
        self.draw.indices.iter().flat_map(|index| index.to_ne_bytes()).collect()
    }
}

/// Reports whether the sampler repeats the texture in u and in v.
pub fn repeats(sampler: Sampler) -> [bool; 2] {
    [sampler.wrap_u == 1, sampler.wrap_v == 1]
}
