//! Loads scenes. A scene is a draw together with its shader programs and the paths of the files to which the scene refers.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use agal_front::Program;
use agal_front::lift::Options;
use sdlbc::{Dimension, FunctionKind, Input, InputKind, Module, OutputKind, Scalar, Type};
use sdlbc_interp::{Draw, Resources, Texture};

use crate::constants::Registers;
use crate::description::{Description, Loading};
use crate::error::{BYTES_OF_PIXEL, Error, ErrorKind};
use crate::mesh::{Attribute, Mesh, read_obj};
use crate::number::single;
use crate::programs;
use crate::reader::{LARGEST_DESCRIPTION, LARGEST_FILE, Text};
use crate::shape::Body;
use crate::store::{Memory, Store};
use crate::texture::Image;

/// A picture to draw, with its shader programs and the paths of the files to which it refers.
#[derive(Clone, Debug)]
pub struct Scene {
    /// A one-line description of the scene.
    pub about: String,
    /// The draw: a module, a mesh, the render state and the resources.
    pub draw: Draw,
    /// The AGAL vertex and fragment programs, if the module was translated from AGAL.
    pub agal: Option<[Program; 2]>,
    /// The options with which the AGAL programs are read.
    pub options: Options,
    /// The programs whose translation produced warnings.
    pub warned: Vec<agalc::Program>,
    /// The paths of all files to which the scene refers, and of the scene file itself if the scene was read from a file.
    pub files: Vec<PathBuf>,
    /// Warnings about the program files, such as an unexpected text encoding.
    pub warnings: Vec<agalc::Warning>,
}

impl Scene {
    /// Reads a scene file and the files to which it refers. All these files must be in or below the scene's folder;
    /// [`Scene::load_with`] lifts this restriction.
    ///
    /// # Errors
    /// Returns the first error found in the scene file or in a file to which it refers.
    pub fn load(path: impl AsRef<Path>) -> Result<Scene, Error> {
        Scene::load_with(path, &Loading::default())
    }

    /// Reads a scene like [`Scene::load`], with options that replace the picture's size or allow files outside the
    /// scene's folder.
    ///
    /// # Errors
    /// Returns the first error found in the scene file or in a file to which it refers.
    pub fn load_with(path: impl AsRef<Path>, loading: &Loading) -> Result<Scene, Error> {
        Scene::read(Store::Disk, path.as_ref(), loading)
    }

    /// Reads a scene at `path` from files in memory. No file on disk is read.
    ///
    /// # Errors
    /// Returns the first error found in the scene file or in a file to which it refers.
    pub fn load_in(files: &Memory, path: impl AsRef<Path>, loading: &Loading) -> Result<Scene, Error> {
        Scene::read(Store::Memory(files), path.as_ref(), loading)
    }

    fn read(store: Store<'_>, path: &Path, loading: &Loading) -> Result<Scene, Error> {
        let text = Text::read(store, path, LARGEST_DESCRIPTION)?;
        let (description, files, reading) = Description::read(&text, store, path, loading)?;
        let named = std::iter::once(path).chain(files.paths()).chain(description.files());
        let named = named.map(Path::to_path_buf).collect();
        let loaded = programs::load(store, &files, &reading)?;
        let draw = draw(&loaded.module, &description, store).map_err(|error| match error.file.is_empty() {
            true => Error { file: text.name.clone(), ..error },
            false => error,
        })?;
        let about = description.about;
        Ok(Scene {
            about,
            draw,
            agal: loaded.agal,
            options: reading.options,
            warned: loaded.warned,
            warnings: loaded.warnings,
            files: named,
        })
    }

    /// Creates a scene from a module and a description. The description must have every texture that the module
    /// samples; [`Description::fill`] adds missing textures.
    ///
    /// # Errors
    /// Returns the first error in a file of the description, or the first mismatch between the description and the
    /// module.
    pub fn from_parts(
        module: &Module,
        agal: Option<[Program; 2]>,
        options: Options,
        description: &Description,
    ) -> Result<Scene, Error> {
        programs::is_pair(module).map_err(|kind| Error::of("", kind))?;
        let draw = draw(module, description, Store::Disk)?;
        let files = description.files().map(Path::to_path_buf).collect();
        let about = description.about.clone();
        Ok(Scene { about, draw, agal, options, warned: Vec::new(), warnings: Vec::new(), files })
    }

    /// Sets constant registers, like [`Description::constants`]. Registers that `constants` does not contain keep their values.
    pub fn set_constants(&mut self, constants: &Registers) {
        set_constants(&mut self.draw.resources.uniforms, &self.draw.module, constants);
    }
}

struct Sampled {
    dimension: Dimension,
    mips: bool,
}

impl Description {
    /// Adds a built-in texture for each texture that the module samples and the description lacks: a checker, a sky, or a colour
    /// table. Returns the names of the added textures' registers.
    pub fn fill(&mut self, module: &Module) -> Vec<String> {
        let mut filled = Vec::new();
        for (slot, sampled) in sampled(module).into_iter().flatten() {
            self.textures.entry(slot).or_insert_with(|| {
                filled.push(register(slot));
                crate::textures::substitute(sampled.dimension)
            });
        }
        filled
    }
}

/// Returns the names of the texture registers that the module samples, such as `fs0`.
pub fn sampled_registers(module: &Module) -> Vec<String> {
    sampled(module).into_iter().flatten().map(|(slot, _)| register(slot)).collect()
}

/// Reports whether a texture register such as `fs0` is never sampled by the module. The register `t0` stands for slot 0 in both
/// stages.
pub fn is_unread_texture(module: &Module, texture: &str) -> bool {
    let (Some((stages, slot)), Ok(sampled)) = (crate::reader::registers(texture, ["vs", "fs", "t"]), sampled(module))
    else {
        return false;
    };
    !stages.iter().any(|stage| sampled.contains_key(&(*stage, slot)))
}

fn register((stage, slot): (FunctionKind, u32)) -> String {
    format!("{}{slot}", if stage == FunctionKind::Vertex { "vs" } else { "fs" })
}

fn inputs(module: &Module) -> impl Iterator<Item = (FunctionKind, &Input)> {
    let entries = module.functions.iter().filter(|function| function.kind != FunctionKind::Generic);
    entries.flat_map(|function| function.inputs.iter().map(|input| (function.kind, input)))
}

fn sampled(module: &Module) -> Result<BTreeMap<(FunctionKind, u32), Sampled>, Error> {
    let mut found: BTreeMap<(FunctionKind, u32), Sampled> = BTreeMap::new();
    for (stage, input) in inputs(module) {
        let (InputKind::Texture { slot, sampler }, Type::Texture(dimension, _)) = (input.kind, input.ty) else {
            continue;
        };
        let mips = sampler.mip != 0;
        let sampled = found.entry((stage, slot)).or_insert(Sampled { dimension, mips });
        if sampled.dimension != dimension {
            return Err(Error::of("", ErrorKind::TwoDimensions { register: register((stage, slot)) }));
        }
        sampled.mips |= mips;
    }
    Ok(found)
}

/// The maximum total size of a picture's render targets in bytes. Each pixel of a render target takes 16 bytes.
pub const LARGEST_TARGETS: u64 = 1 << 30;

fn draw(module: &Module, description: &Description, store: Store<'_>) -> Result<Draw, Error> {
    let [width, height] = description.size;
    let targets = description.targets.unwrap_or_else(|| targets(module));
    if u64::from(width) * u64::from(height) * targets as u64 * BYTES_OF_PIXEL > LARGEST_TARGETS {
        let kind = ErrorKind::TooManyPixels { targets, size: description.size, most: LARGEST_TARGETS };
        return Err(Error::of("", kind));
    }
    let mesh = match &description.body {
        Body::Shape(shape) => shape.mesh(),
        Body::File(path) => read_obj(&Text::read(store, path, LARGEST_FILE)?)?,
    };
    if mesh.indices.is_empty() {
        return Err(Error::of("", ErrorKind::EmptyMesh));
    }
    Ok(Draw {
        module: module.clone(),
        attributes: attributes(module, description, &mesh),
        indices: mesh.indices,
        topology: description.topology,
        instances: description.instances,
        cull: description.cull,
        depth: description.depth,
        resources: Resources {
            uniforms: uniforms(module, description)?,
            textures: textures(module, description, store)?,
            // A scene cannot have storage buffers or storage textures.
            ..Resources::default()
        },
        width,
        height,
        targets,
        clear: description.clear,
    })
}

fn attributes(module: &Module, description: &Description, mesh: &Mesh) -> BTreeMap<u32, Vec<[u32; 4]>> {
    let mut attributes = BTreeMap::new();
    for (stage, input) in inputs(module) {
        let (FunctionKind::Vertex, InputKind::Attribute { location }) = (stage, input.kind) else { continue };
        let own = description.attributes.get(&location);
        let Some(&attribute) = own.or(Attribute::USUAL.get(location as usize)) else { continue };
        let scalar = scalar(input.ty);
        let column = |(number, vertex)| attribute.of(vertex, number).map(|part| bits(scalar, f64::from(part)));
        attributes.insert(location, mesh.vertices.iter().enumerate().map(column).collect());
    }
    attributes
}

fn scalar(ty: Type) -> Scalar {
    match ty {
        Type::Vector(scalar, _) | Type::Array(scalar, ..) => scalar,
        _ => Scalar::Float,
    }
}

/// Converts a number to a scalar type, and returns the bits of the result.
fn bits(scalar: Scalar, number: f64) -> u32 {
    match scalar {
        Scalar::Bool => u32::from(number != 0.0),
        #[expect(clippy::cast_possible_truncation, reason = "out-of-range numbers saturate")]
        Scalar::Int => (number as i32).cast_unsigned(),
        #[expect(clippy::cast_possible_truncation, reason = "out-of-range numbers saturate")]
        Scalar::Uint => number as u32,
        Scalar::Float | Scalar::Half => single(number).to_bits(),
    }
}

/// Returns the name and length of the uniform array that contains a stage's constant registers: `vc` or `fc`, or the stage's only
/// array of float4. [`Description::constants`] sets this array, and [`Description::uniforms`] sets all other uniforms.
pub fn registers(module: &Module, stage: FunctionKind) -> Option<(&str, u32)> {
    let arrays = || {
        inputs(module).filter_map(move |(of, input)| match (input.kind, input.ty) {
            (InputKind::Uniform, Type::Array(Scalar::Float, 4, count)) if of == stage => Some((&*input.name, count)),
            _ => None,
        })
    };
    let register = if stage == FunctionKind::Vertex { "vc" } else { "fc" };
    let named = arrays().find(|(name, _)| *name == register);
    named.or_else(|| arrays().next().filter(|_| arrays().count() == 1))
}

fn uniforms(module: &Module, description: &Description) -> Result<BTreeMap<(FunctionKind, String), Vec<u32>>, Error> {
    let mut uniforms: BTreeMap<(FunctionKind, String), Vec<u32>> = BTreeMap::new();
    let known = |stage, name: &str| {
        let mut all = inputs(module).filter(move |(of, input)| *of == stage && input.kind.is_uniform());
        all.find(|(_, input)| input.name == name).map(|(_, input)| input.ty)
    };
    set_constants(&mut uniforms, module, &description.constants);
    for ((stage, name), numbers) in &description.uniforms {
        let Some(ty) = known(*stage, name) else {
            return Err(Error::of("", ErrorKind::NoUniform { name: name.clone(), stage: stage.name() }));
        };
        let words = numbers.iter().map(|&number| bits(scalar(ty), number)).collect();
        uniforms.insert((*stage, name.clone()), words);
    }
    Ok(uniforms)
}

/// Sets constant registers. Registers that the program does not read are ignored.
fn set_constants(uniforms: &mut BTreeMap<(FunctionKind, String), Vec<u32>>, module: &Module, constants: &Registers) {
    for (&(stage, number), row) in constants {
        let Some((name, count)) = registers(module, stage) else { continue };
        if number >= count {
            continue;
        }
        let words = uniforms.entry((stage, name.to_string())).or_default();
        words.resize(words.len().max(count as usize * 4), 0);
        for (word, part) in words.iter_mut().skip(number as usize * 4).zip(row) {
            *word = part.to_bits();
        }
    }
}

fn textures(
    module: &Module,
    description: &Description,
    store: Store<'_>,
) -> Result<BTreeMap<(FunctionKind, u32), Texture>, Error> {
    let mut textures = BTreeMap::new();
    for (slot, Sampled { dimension, mips }) in sampled(module)? {
        let given: Option<&Image> = description.textures.get(&slot);
        let given = given.ok_or_else(|| Error::of("", ErrorKind::NoTexture { register: register(slot) }))?;
        let mut texture = given.texture_in(store, mips)?;
        // A texture without layers is used as an array texture with one layer.
        let pair = (dimension, texture.dimension);
        if let (Dimension::D2Array, Dimension::D2) | (Dimension::CubeArray, Dimension::Cube) = pair {
            texture.dimension = dimension;
        }
        if texture.dimension != dimension {
            let (register, given) = (register(slot), texture.dimension);
            return Err(Error::of("", ErrorKind::Dimension { register, sampled: dimension, given }));
        }
        textures.insert(slot, texture);
    }
    Ok(textures)
}

fn targets(module: &Module) -> usize {
    let fragment = module.functions.iter().find(|function| function.kind == FunctionKind::Fragment);
    let targets = fragment.iter().flat_map(|function| &function.outputs).filter_map(|output| match output.kind {
        OutputKind::Colour { target } => Some(target as usize + 1),
        _ => None,
    });
    targets.max().unwrap_or(1).clamp(1, sdlbc::limits::TARGETS as usize)
}
