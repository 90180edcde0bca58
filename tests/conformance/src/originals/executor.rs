//! Runs what agalc makes of a SPIR-V module on interp, with the resources that the device gets, and returns what it wrote.

use std::collections::{BTreeMap, BTreeSet};

use rspirv::spirv::{ExecutionModel, ImageFormat};
use sdlbc::{Builtin, Dimension, FunctionDebug, FunctionKind, InputKind, Module, OutputKind, SourceBinding, Type};
use sdlbc_interp::{Column, DepthTest, Draw, LANES, Level, Pair, Program, Resources, StorageTexture, Texture, draw};

use super::content::{self, EXTENT, Encoding};
use super::interface::{Block, Image, Interface, Kind, Leaf, Scalar, Slot};
use super::passing;
use super::run::{CLEAR, CORNERS, GROUPS, INSTANCES, Results, SIZE, VERTICES, Written, key, place_name, slot_name};

/// The components of an output, by the name of the component: a word for each invocation.
type Words = BTreeMap<String, Vec<u32>>;

/// Runs the only entry function of a module with the resources of an interface.
///
/// # Errors
/// Returns the reason why the module cannot be run.
pub fn execute(module: &Module, interface: &Interface, seed: u32) -> Result<Results, String> {
    let mut module = module.clone();
    let at = module.functions.iter().position(|function| function.kind != FunctionKind::Generic);
    let at = at.ok_or("no entry function")?;
    let kind = module.functions[at].kind;
    set_samplers(&mut module);
    let bound = Bound { interface, seed, debug: module.debug.functions.iter().find(|of| of.function as usize == at) };
    let (mut resources, places) = bound.resources(&module, at)?;
    let mut words = Words::new();
    match interface.model {
        Some(ExecutionModel::GLCompute) => {
            let program = Program::new(&module, at).map_err(|error| error.to_string())?;
            program.dispatch(&mut resources, [GROUPS, GROUPS, 1], None).map_err(|error| error.to_string())?;
        }
        Some(ExecutionModel::Vertex) => vertex(&module, at, interface, &resources, seed, &mut words)?,
        _ => fragment(module, at, interface, &resources, seed, &mut words)?,
    }
    let mut results = Results::new();
    let lanes = |leaf: &Leaf| (0..leaf.width).map(|lane| slot_name(leaf.slot, lane)).collect::<Vec<_>>();
    let ints = interface.outputs.iter().filter(|leaf| leaf.scalar != Scalar::Float).flat_map(lanes);
    let ints: BTreeSet<String> = ints.collect();
    for (name, words) in words {
        let encoding = if ints.contains(&name) { Encoding::Int(32) } else { Encoding::Float };
        let bytes = words.into_iter().flat_map(u32::to_le_bytes).collect();
        results.insert(name, Written { bytes, encoding, floats: None });
    }
    for (&place, of) in &interface.resources {
        for element in 0..interface.count(place) {
            let own = places.get(&(place, element)).map(|&slot| (kind, slot));
            let (bytes, encoding, floats) = match of {
                Kind::Storage(block) => {
                    let written = own.and_then(|own| resources.buffers.get(&own));
                    let given = || content::block(block, seed, key(place, element));
                    let bytes = written.map(|words| words.iter().flat_map(|word| word.to_le_bytes()).collect());
                    (bytes.unwrap_or_else(given), Encoding::Int(32), Some(block.floats()))
                }
                &Kind::Storable(image) => {
                    let (encoding, width) = content::encoding(image).ok_or("a storage image of another format")?;
                    let written = own.and_then(|own| resources.images.get(&own));
                    let ([x, y, z], layers) = content::extent(image);
                    let given = || content::texels(encoding, x * y * z * layers * width, seed, key(place, element));
                    (written.map_or_else(given, |texture| encoded(texture, image, (encoding, width))), encoding, None)
                }
                _ => continue,
            };
            results.insert(place_name(place, element), Written { bytes, encoding, floats });
        }
    }
    Ok(results)
}

/// Gives textures the samplers that the device has.
fn set_samplers(module: &mut Module) {
    for input in module.functions.iter_mut().flat_map(|function| &mut function.inputs) {
        if let (InputKind::Texture { sampler, .. }, Type::Texture(_, texel)) = (&mut input.kind, input.ty) {
            let is_int = matches!(texel, sdlbc::Texel::Int | sdlbc::Texel::Uint);
            sampler.filter = u8::from(!is_int);
            sampler.mip = if is_int { 1 } else { 2 };
            (sampler.wrap_u, sampler.wrap_v, sampler.special) = (1, 0, 0);
        }
    }
}

/// A place in the source: a descriptor set and binding, or `None` for push constants, and the number of an element.
type Place = (Option<(u32, u32)>, u32);

struct Bound<'a> {
    interface: &'a Interface,
    seed: u32,
    debug: Option<&'a FunctionDebug>,
}

impl Bound<'_> {
    /// Returns the place in the source of an input. Elements of arrays have no place of their own, and are known by name.
    fn place(&self, input: &sdlbc::Input) -> Result<Place, String> {
        match self.debug.and_then(|debug| debug.bindings.get(&input.id)) {
            Some(SourceBinding::Push) => return Ok((None, 0)),
            Some(&SourceBinding::Bound { place: [set, binding], .. }) => return Ok((Some((set, binding)), 0)),
            None => {}
        }
        let element = |name: &str| -> Option<u32> {
            let rest = input.name.strip_prefix(name)?.strip_prefix('_')?;
            rest.split('_').next()?.parse().ok()
        };
        let arrays = self.interface.names.iter().filter_map(|(&place, name)| Some((place, element(name)?)));
        let own = self.interface.names.iter().find(|(_, name)| **name == input.name).map(|(&place, _)| (place, 0));
        let found = arrays.min_by_key(|&(place, _)| std::cmp::Reverse(self.interface.names[&place].len())).or(own);
        let (place, element) = found.ok_or_else(|| format!("no place of {} in the source", input.name))?;
        Ok((Some(place), element))
    }

    /// Returns the resources of the function, and the slot of each buffer and storage texture.
    #[expect(clippy::type_complexity, reason = "the places are used once")]
    fn resources(&self, module: &Module, at: usize) -> Result<(Resources, BTreeMap<((u32, u32), u32), u32>), String> {
        let function = &module.functions[at];
        let (mut resources, mut places) = (Resources::default(), BTreeMap::new());
        for input in &function.inputs {
            let is_resource = input.kind.is_uniform()
                || matches!(input.kind, InputKind::Texture { .. } | InputKind::Buffer { .. } | InputKind::Image { .. });
            if !is_resource {
                continue;
            }
            let (place, element) = self.place(input)?;
            let push = || (Kind::Uniform(self.interface.push.clone()), 9999);
            let bound = |place: (u32, u32)| {
                self.interface.resources.get(&place).map(|kind| (kind.clone(), key(place, element)))
            };
            let (kind, key) = place.map_or_else(|| Some(push()), bound).ok_or("a resource that is not bound")?;
            match (kind, input.kind) {
                (Kind::Uniform(block), InputKind::Uniform) => {
                    let words = uniform(&content::block(&block, self.seed, key), 0, input.ty)?;
                    resources.uniforms.insert((function.kind, input.name.clone()), words);
                }
                (Kind::Uniform(block), InputKind::Placed { offset, .. }) => {
                    let words = uniform(&content::block(&block, self.seed, key), offset as usize, input.ty)?;
                    resources.uniforms.insert((function.kind, input.name.clone()), words);
                }
                (Kind::Storage(block), InputKind::Buffer { slot, .. }) => {
                    resources.buffers.insert((function.kind, slot), self.buffer(&block, key));
                    places.extend(place.map(|place| ((place, element), slot)));
                }
                (Kind::Storable(image), InputKind::Image { slot, .. }) => {
                    resources.images.insert((function.kind, slot), self.image(image, key)?);
                    places.extend(place.map(|place| ((place, element), slot)));
                }
                (Kind::Combined(image, _) | Kind::Texture(image, _), InputKind::Texture { slot, .. }) => {
                    let Type::Texture(dimension, _) = input.ty else { return Err("a texture of another type".into()) };
                    resources.textures.insert((function.kind, slot), self.texture(image, dimension, key)?);
                }
                (kind, own) => return Err(format!("{kind:?} became {own:?}")),
            }
        }
        Ok((resources, places))
    }

    fn buffer(&self, block: &Block, key: u32) -> Vec<u32> {
        let bytes = content::block(block, self.seed, key);
        bytes.as_chunks::<4>().0.iter().map(|&word| u32::from_le_bytes(word)).collect()
    }

    fn texture(&self, image: Image, dimension: Dimension, key: u32) -> Result<Texture, String> {
        let ([width, height, depth], layers) = content::extent(image);
        let levels = (0..content::levels(image)).map(|level| {
            let side = |length: u32| (length >> level).max(1);
            let (width, height, depth) = (side(width), side(height), side(depth) * layers);
            let texels = content::texture(image.scalar, width * height * depth, (self.seed, key), level);
            Level { width, height, depth, texels }
        });
        Texture::new(dimension, levels.collect()).map_err(|error| error.to_string())
    }

    fn image(&self, image: Image, key: u32) -> Result<StorageTexture, String> {
        let ([width, height, depth], layers) = content::extent(image);
        let format = format_of(image.format).ok_or("a storage image of another format")?;
        let (encoding, components) = content::encoding(image).ok_or("a storage image of another format")?;
        let mut texture = StorageTexture::new(format, [width, height, depth * layers]).ok_or("a large image")?;
        let count = width * height * depth * layers;
        let bytes = content::texels(encoding, count * components, self.seed, key);
        let size = encoding.bytes();
        for at in 0..count {
            let mut texel = [0; 4];
            for (component, to) in (0..components).zip(&mut texel) {
                let from = (at * components + component) as usize * size;
                *to = decoded(&bytes[from..from + size], encoding, image.format);
            }
            texture.set([at % width, at / width % height, at / width / height].map(u32::cast_signed), texel);
        }
        Ok(texture)
    }
}

/// Returns the components of a uniform in a buffer, by the rules of std140.
fn uniform(bytes: &[u8], offset: usize, ty: Type) -> Result<Vec<u32>, String> {
    let word =
        |at: usize| bytes.get(at..at + 4).map_or(0, |word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]));
    let vector = |at: usize, width: u8| (0..usize::from(width)).map(move |lane| at + 4 * lane);
    let places: Vec<usize> = match ty {
        Type::Vector(_, width) => vector(offset, width).collect(),
        Type::Matrix { columns, rows } => {
            (0..usize::from(columns)).flat_map(|column| vector(offset + 16 * column, rows)).collect()
        }
        Type::Array(_, width, length) => {
            (0..length as usize).flat_map(|element| vector(offset + 16 * element, width)).collect()
        }
        ty => return Err(format!("a uniform of the type {ty}")),
    };
    Ok(places.into_iter().map(word).collect())
}

fn format_of(format: ImageFormat) -> Option<sdlbc::Format> {
    use sdlbc::Format as F;
    Some(match format {
        ImageFormat::Rgba8 => F::Rgba8Unorm,
        ImageFormat::Rgba8Snorm => F::Rgba8Snorm,
        ImageFormat::Rgba8ui => F::Rgba8Uint,
        ImageFormat::Rgba8i => F::Rgba8Sint,
        ImageFormat::Rgba16ui => F::Rgba16Uint,
        ImageFormat::Rgba16i => F::Rgba16Sint,
        ImageFormat::Rgba16f => F::Rgba16Float,
        ImageFormat::R32ui => F::R32Uint,
        ImageFormat::R32i => F::R32Sint,
        ImageFormat::R32f => F::R32Float,
        ImageFormat::Rg32ui => F::Rg32Uint,
        ImageFormat::Rg32i => F::Rg32Sint,
        ImageFormat::Rg32f => F::Rg32Float,
        ImageFormat::Rgba32ui => F::Rgba32Uint,
        ImageFormat::Rgba32i => F::Rgba32Sint,
        ImageFormat::Rgba32f => F::Rgba32Float,
        _ => return None,
    })
}

/// Returns the bits of a component of a texel.
fn decoded(bytes: &[u8], encoding: Encoding, format: ImageFormat) -> u32 {
    let mut word = [0; 4];
    word[..bytes.len()].copy_from_slice(bytes);
    let word = u32::from_le_bytes(word);
    match encoding {
        Encoding::Float | Encoding::Int(32) => word,
        Encoding::Half => (content::half(word) as f32).to_bits(),
        Encoding::Norm(_) if format == ImageFormat::Rgba8Snorm => (f32::from(bytes[0].cast_signed()) / 127.0).to_bits(),
        Encoding::Norm(_) => (f32::from(bytes[0]) / 255.0).to_bits(),
        // The contents of images are positive.
        Encoding::Int(_) => word,
    }
}

/// Returns the bytes of a storage texture's texels, in the encoding of the device.
fn encoded(texture: &StorageTexture, image: Image, (encoding, components): (Encoding, u32)) -> Vec<u8> {
    let one = |bits: u32| {
        let float = f32::from_bits(bits);
        let word = match encoding {
            Encoding::Float | Encoding::Int(_) => bits,
            Encoding::Half => content::half_bits(float),
            Encoding::Norm(_) if image.format == ImageFormat::Rgba8Snorm => {
                ((float * 127.0).round() as i32).cast_unsigned()
            }
            Encoding::Norm(_) => (float * 255.0).round() as u32,
        };
        word.to_le_bytes().into_iter().take(encoding.bytes())
    };
    texture.texels().iter().flat_map(|texel| &texel[..components as usize]).flat_map(|&bits| one(bits)).collect()
}

fn vertex(
    module: &Module,
    at: usize,
    interface: &Interface,
    resources: &Resources,
    seed: u32,
    words: &mut Words,
) -> Result<(), String> {
    let count = (VERTICES * INSTANCES) as usize;
    assert!(count <= LANES, "the vertices of a draw fit in the lanes");
    let program = Program::new(module, at).map_err(|error| error.to_string())?;
    let inputs = |kind: InputKind| {
        let columns = |word: &dyn Fn(u32, u32) -> u32| -> [Column; 4] {
            [0, 1, 2, 3].map(|lane| std::array::from_fn(|at| word(at as u32, lane)))
        };
        match kind {
            InputKind::Attribute { location } => {
                let of = |slot: Slot| matches!(slot, Slot::Location(own, _) if own == location);
                let scalar = interface.inputs.iter().find(|leaf| of(leaf.slot))?.scalar;
                Some(columns(&|at, lane| content::attribute(scalar, seed, 7000 + location, 4 * (at % VERTICES) + lane)))
            }
            InputKind::Builtin(Builtin::VertexIndex) => Some(columns(&|at, _| at % VERTICES)),
            InputKind::Builtin(Builtin::InstanceIndex) => Some(columns(&|at, _| at / VERTICES)),
            _ => None,
        }
    };
    let live = u64::MAX >> (LANES - count);
    let ran = program.run(resources, live, &inputs, None).map_err(|error| error.to_string())?;
    for (output, columns) in module.functions[at].outputs.iter().zip(ran.outputs) {
        let slot = match output.kind {
            OutputKind::Varying { location, .. } => Slot::Location(location, 0),
            OutputKind::Position => Slot::Position,
            OutputKind::ClipDistance { index } => Slot::ClipDistance(index),
            _ => continue,
        };
        for (lane, column) in (0..).zip(columns) {
            // In a module, the y of positions points up.
            let is_up = slot == Slot::Position && lane == 1;
            let word = |bits: u32| if is_up { (-f32::from_bits(bits)).to_bits() } else { bits };
            words.insert(slot_name(slot, lane), column[..count].iter().map(|&bits| word(bits)).collect());
        }
    }
    Ok(())
}

/// Adds a vertex function that passes an attribute to each varying of a fragment function.
fn add_vertex(module: &mut Module, at: usize, numbers: &BTreeMap<u32, u32>) -> Result<(), String> {
    let varyings = module.functions[at].inputs.iter().filter_map(|input| match input.kind {
        InputKind::Varying { location, interpolation } => Some((location, input.ty, interpolation)),
        _ => None,
    });
    let numbered = varyings.map(|varying| numbers.get(&varying.0).map(|&number| (number, varying)));
    let numbered = numbered.collect::<Option<Vec<_>>>().ok_or("a varying that the original lacks")?;
    let function = passing::passing("passing vertex", numbered)?;
    module.functions.push(function);
    Ok(())
}

fn fragment(
    mut module: Module,
    at: usize,
    interface: &Interface,
    resources: &Resources,
    seed: u32,
    words: &mut Words,
) -> Result<(), String> {
    let locations: BTreeMap<u32, Scalar> = super::run::locations(&interface.inputs);
    let numbers = locations.keys().copied().zip(1..).collect();
    add_vertex(&mut module, at, &numbers)?;
    let mut picture = Draw::new(module, SIZE, SIZE);
    // In a module, the y of positions points up.
    let corner = |[x, y, z, w]: [f32; 4]| [x, -y, z, w].map(f32::to_bits);
    picture.attributes.insert(0, CORNERS.into_iter().map(corner).collect());
    for (scalar, number) in locations.values().zip(1..) {
        let vertex = |at: u32| [0, 1, 2, 3].map(|lane| content::attribute(*scalar, seed, 7000 + number, 4 * at + lane));
        picture.attributes.insert(number, (0..4).map(vertex).collect());
    }
    picture.indices = vec![0, 1, 2, 1, 3, 2];
    let has_depth = interface.outputs.iter().any(|leaf| leaf.slot == Slot::Depth);
    picture.depth = has_depth.then_some(DepthTest::Always);
    picture.clear = [CLEAR as f32; 4];
    let outputs = super::run::locations(&interface.outputs);
    picture.targets = outputs.keys().max().map_or(1, |&last| last as usize + 1);
    assert_eq!(SIZE, EXTENT, "a target has the extent of an image");
    let pair = Pair::new(&picture.module, resources.clone()).map_err(|error| error.to_string())?;
    let image = draw(&picture, &pair);
    if pair.is_stuck() {
        return Err("it does not terminate".into());
    }
    for leaf in &interface.outputs {
        for lane in 0..leaf.width {
            let pixels = match leaf.slot {
                Slot::Location(location, first) => {
                    let target = image.targets.get(location as usize).ok_or("a missing target")?;
                    target.iter().map(|pixel| pixel[(first + lane) as usize].to_bits()).collect()
                }
                Slot::Depth => image.depth.iter().flatten().map(|depth| depth.to_bits()).collect(),
                _ => continue,
            };
            words.insert(slot_name(leaf.slot, lane), pixels);
        }
    }
    Ok(())
}
