//! A module's interface as a device sees it: resource bindings, uniform layout, and outputs.
//!
//! Rule: the bindings are computed from the documentation (docs/output.md, "Bindings" and "Modules written by hand";
//! docs/layouts.md) and not by the generator's code, so that a wrong binding in the generated code leads to a wrong picture.

use std::collections::{BTreeMap, BTreeSet};

use sdlbc::module::Access;
use sdlbc::{
    Dimension, Format, Function, FunctionKind, ImageAccess, Input, InputKind, Interpolation, Module, OutputKind,
    Sampler, Scalar, Texel, Type,
};
use sdlbc_interp::{Draw, Resources, StorageTexture, Topology};

use crate::Failure;

/// The size of a vertex attribute in bytes: always four 32-bit components.
pub(super) const ATTRIBUTE: usize = 16;

/// The layout that determines bind groups and bindings in WGSL and SPIR-V.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Places {
    Stage3d,
    Wgpu,
}

impl Places {
    pub(super) fn groups(self) -> u32 {
        match self {
            Places::Stage3d => 1,
            Places::Wgpu => 3,
        }
    }

    pub(super) fn of_uniform(self, uniform: &Uniform) -> (u32, u32) {
        let odd = u32::from(uniform.stage == FunctionKind::Fragment);
        match self {
            Places::Stage3d => (0, uniform.binding()),
            // Vertex uniforms have even bindings, and fragment uniforms have odd bindings.
            Places::Wgpu => (0, 2 * uniform.index + odd),
        }
    }

    /// Returns the bind group and binding of a texture. The texture's sampler has the next binding in that group.
    pub(super) fn of_texture(self, texture: &Sampled, all: &[Sampled]) -> (u32, u32) {
        match self {
            Places::Stage3d => (0, texture.binding()),
            Places::Wgpu => {
                let before = all.iter().filter(|one| one.stage == texture.stage && one.slot < texture.slot);
                (if texture.stage == FunctionKind::Vertex { 2 } else { 1 }, 2 * before.count() as u32)
            }
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Uniform {
    pub(super) stage: FunctionKind,
    pub(super) name: String,
    pub(super) ty: Type,
    /// The uniform's index within its stage.
    pub(super) index: u32,
    /// The names and types of a slot's uniforms, keyed by byte offset, if this uniform is the slot's buffer.
    pub(super) held: BTreeMap<u32, (String, Type)>,
}

impl Uniform {
    /// Returns the uniform's binding in WGSL and SPIR-V with the layout `stage3d`.
    pub(super) fn binding(&self) -> u32 {
        let odd = u32::from(self.stage == FunctionKind::Fragment);
        // A compute module has no second stage, so its bindings are consecutive.
        let step = if self.stage == FunctionKind::Compute { 1 } else { 2 };
        if self.index == 0 { odd } else { 258 + step * (self.index - 1) + odd }
    }

    /// Returns the uniform's binding in GLSL 450.
    pub(super) fn place(&self) -> u32 {
        match self.stage {
            FunctionKind::Compute => self.index,
            stage => 2 * self.index + u32::from(stage == FunctionKind::Fragment),
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Sampled {
    pub(super) stage: FunctionKind,
    pub(super) slot: u32,
    pub(super) dimension: Dimension,
    pub(super) texel: Texel,
    pub(super) sampler: Sampler,
}

impl Sampled {
    /// Returns the texture's binding in WGSL and SPIR-V. The sampler has the next binding.
    pub(super) fn binding(&self) -> u32 {
        (if self.stage == FunctionKind::Vertex { 130 } else { 2 }) + 2 * self.slot
    }

    /// Returns the texture's unit in GLSL 450. The unit of a fragment texture is its slot. The unit of a vertex texture is its
    /// slot plus 16; if that unit is taken or exceeds 79, it is a free unit.
    pub(super) fn unit(&self, all: &[Sampled]) -> Option<u32> {
        let of = |stage| {
            let mut slots: Vec<u32> = all.iter().filter(|one| one.stage == stage).map(|one| one.slot).collect();
            slots.sort_unstable();
            slots
        };
        let (mut taken, vertex) = (of(FunctionKind::Fragment), of(FunctionKind::Vertex));
        if self.stage != FunctionKind::Vertex {
            return Some(self.slot);
        }
        let is_far = |slot: &u32| slot + 16 >= 80 || taken.contains(&(slot + 16));
        let (moved, kept): (Vec<u32>, Vec<u32>) = vertex.into_iter().partition(is_far);
        taken.extend(kept.iter().map(|slot| slot + 16));
        let Some(place) = moved.iter().position(|slot| *slot == self.slot) else { return Some(self.slot + 16) };
        (0..80).filter(|unit| !taken.contains(unit)).nth(place)
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Storage {
    pub(super) slot: u32,
    /// Whether the compute function has write access to the buffer.
    pub(super) written: bool,
}

impl Storage {
    /// Returns the buffer's binding in WGSL and SPIR-V. The buffer's binding in GLSL is its slot.
    pub(super) fn binding(self) -> u32 {
        512 + self.slot
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct StorageImage {
    pub(super) slot: u32,
    pub(super) dimension: Dimension,
    pub(super) format: Format,
    /// Whether the compute function writes to the texture and never reads from it.
    pub(super) written: bool,
}

impl StorageImage {
    /// Returns the storage texture's binding in WGSL and SPIR-V. The storage texture's binding in GLSL is its slot.
    pub(super) fn binding(self) -> u32 {
        768 + self.slot
    }

    /// Returns the storage texture's contents before the dispatch.
    pub(super) fn given(self, resources: &Resources) -> Result<&StorageTexture, Failure> {
        let given = resources.images.get(&(FunctionKind::Compute, self.slot));
        given.ok_or_else(|| Failure::Broken(format!("no storage texture is given in slot {}", self.slot)))
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Attribute {
    pub(super) location: u32,
    pub(super) scalar: Scalar,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Interface {
    pub(super) vertex: String,
    pub(super) fragment: String,
    /// The name of the compute function, or an empty string if there is none.
    pub(super) compute: String,
    pub(super) workgroup: [u32; 3],
    pub(super) buffers: Vec<Storage>,
    pub(super) images: Vec<StorageImage>,
    pub(super) uniforms: Vec<Uniform>,
    pub(super) textures: Vec<Sampled>,
    pub(super) attributes: Vec<Attribute>,
    /// The indices of the render targets that the fragment function writes.
    pub(super) written: BTreeSet<u32>,
    /// Whether the fragment function writes a depth.
    pub(super) depth: bool,
    /// Whether the vertex function writes a point size.
    pub(super) point_size: bool,
    /// The number of clip distances that the vertex function writes.
    pub(super) clip_distances: u32,
    /// Whether at least one varying is not interpolated.
    pub(super) flat: bool,
    /// Whether at least one varying or vertex attribute has half-precision components.
    pub(super) halves_between: bool,
    /// Whether the module uses half-precision numbers anywhere.
    pub(super) halves: bool,
}

impl Interface {
    /// Returns the interface of a module with a vertex and a fragment function.
    pub(super) fn new(module: &Module) -> Result<Interface, Failure> {
        let interface = Interface::of(module);
        if interface.vertex.is_empty() || interface.fragment.is_empty() {
            return Err(Failure::Broken("a picture needs a vertex and a fragment function, each with a name".into()));
        }
        Ok(interface)
    }

    /// Returns the interface of a module with a compute function.
    pub(super) fn of_compute(module: &Module) -> Result<Interface, Failure> {
        let interface = Interface::of(module);
        if interface.compute.is_empty() {
            return Err(Failure::Broken("a dispatch needs a compute function".into()));
        }
        Ok(interface)
    }

    fn of(module: &Module) -> Interface {
        let mut interface = Interface { halves: has_halves(module), ..Interface::default() };
        let entries = module.functions.iter().enumerate();
        for (index, function) in entries.filter(|(_, function)| function.kind != FunctionKind::Generic) {
            let name = match function.kind {
                FunctionKind::Vertex => &mut interface.vertex,
                FunctionKind::Compute => &mut interface.compute,
                _ => &mut interface.fragment,
            };
            name.clone_from(&function.name);
            interface.workgroup = function.workgroup.unwrap_or_default();
            interface.entry(function);
            let called = sdlbc::call_order(module, index);
            let reached = || std::iter::once(function).chain(called.iter().map(|&callee| &module.functions[callee]));
            interface.slots(reached(), function.kind);
            reached().for_each(|reached| interface.resources(reached, function.kind));
        }
        interface
    }

    fn entry(&mut self, function: &Function) {
        for input in &function.inputs {
            match input.kind {
                InputKind::Attribute { location } => {
                    let scalar = scalar(input.ty);
                    self.halves_between |= scalar == Scalar::Half;
                    self.attributes.push(Attribute { location, scalar });
                }
                InputKind::Varying { interpolation, .. } => {
                    self.flat |= interpolation == Interpolation::Flat;
                    self.halves_between |= scalar(input.ty) == Scalar::Half;
                }
                _ => {}
            }
        }
        for output in &function.outputs {
            match output.kind {
                OutputKind::Colour { target } => _ = self.written.insert(target),
                OutputKind::Depth => self.depth = true,
                OutputKind::PointSize => self.point_size = true,
                OutputKind::ClipDistance { .. } => self.clip_distances += 1,
                OutputKind::Varying { .. } => self.halves_between |= scalar(output.ty) == Scalar::Half,
                OutputKind::Position | OutputKind::Returned => {}
            }
        }
    }

    /// Adds a uniform buffer for each slot that the functions of a stage use.
    fn slots<'m>(&mut self, functions: impl Iterator<Item = &'m Function>, stage: FunctionKind) {
        let slot = |input: &Input| if let InputKind::Placed { slot, .. } = input.kind { Some(slot) } else { None };
        let slots: BTreeSet<u32> = functions.flat_map(|function| function.inputs.iter().filter_map(slot)).collect();
        for index in slots {
            let (name, held) = (String::new(), BTreeMap::new());
            self.uniforms.push(Uniform { stage, name, ty: Type::FLOAT, index, held });
        }
    }

    fn resources(&mut self, function: &Function, stage: FunctionKind) {
        for Input { ty, name, kind, .. } in &function.inputs {
            match (*kind, *ty) {
                (InputKind::Placed { slot, offset }, ty) => {
                    let is = |uniform: &&mut Uniform| (uniform.stage, uniform.index) == (stage, slot);
                    if let Some(buffer) = self.uniforms.iter_mut().find(is) {
                        buffer.held.insert(offset, (name.clone(), ty));
                    }
                }
                (InputKind::Uniform, ty) => {
                    let mut of_stage = self.uniforms.iter().filter(|uniform| uniform.stage == stage);
                    let known = of_stage.clone().any(|uniform| !name.is_empty() && uniform.name == *name);
                    if !known {
                        // The stage's uniforms are in ascending order of their indices, because the buffers of slots are added
                        // first.
                        let index = of_stage.next_back().map_or(0, |last| last.index + 1);
                        let held = BTreeMap::new();
                        self.uniforms.push(Uniform { stage, name: name.clone(), ty, index, held });
                    }
                }
                (InputKind::Buffer { slot, access }, _) if !self.buffers.iter().any(|known| known.slot == slot) => {
                    self.buffers.push(Storage { slot, written: access == Access::ReadWrite });
                }
                (InputKind::Image { slot, access }, Type::Image(dimension, format))
                    if !self.images.iter().any(|known| known.slot == slot) =>
                {
                    self.images.push(StorageImage { slot, dimension, format, written: access == ImageAccess::Write });
                }
                (InputKind::Texture { slot, sampler }, Type::Texture(dimension, texel))
                    if !self.textures.iter().any(|known| (known.stage, known.slot) == (stage, slot)) =>
                {
                    self.textures.push(Sampled { stage, slot, dimension, texel, sampler });
                }
                _ => {}
            }
        }
    }
}

fn has_halves(module: &Module) -> bool {
    let half = Type::Vector(Scalar::Half, 1).word();
    let to_half = |inst: &sdlbc::Inst| inst.op == sdlbc::Op::Convert && inst.immediates.first() == Some(&half);
    module.functions.iter().any(|function| {
        let inputs = function.inputs.iter().map(|input| input.ty);
        let mut types = inputs.chain(function.outputs.iter().map(|output| output.ty));
        types.any(|ty| scalar(ty) == Scalar::Half) || function.body.insts().iter().any(to_half)
    })
}

fn scalar(ty: Type) -> Scalar {
    match ty {
        Type::Vector(scalar, _) | Type::Array(scalar, ..) => scalar,
        _ => Scalar::Float,
    }
}

/// The distance, in words, between the columns of a two-row matrix. For all other matrices, the targets agree on that distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TwoRows {
    /// The distance in WGSL and SPIR-V.
    Tight = 2,
    /// The distance in GLSL's std140 layout.
    Padded = 4,
}

/// Returns the contents of a uniform's buffer, in words.
pub(super) fn uniform_words(uniform: &Uniform, resources: &Resources, two_rows: TwoRows) -> Vec<u32> {
    let none = Vec::new();
    if !uniform.held.is_empty() {
        let mut bytes = Vec::new();
        for (offset, (name, ty)) in &uniform.held {
            let tight = resources.uniforms.get(&(uniform.stage, name.clone())).unwrap_or(&none);
            bytes.resize(*offset as usize, 0);
            let all = lay_out(*ty, tight, two_rows).into_iter().flat_map(u32::to_le_bytes);
            bytes.extend(all.take(ty.uniform_bytes() as usize));
        }
        bytes.resize(bytes.len().next_multiple_of(16), 0);
        return bytes.as_chunks().0.iter().map(|&word| u32::from_le_bytes(word)).collect();
    }
    let tight = resources.uniforms.get(&(uniform.stage, uniform.name.clone())).unwrap_or(&none);
    let mut words = lay_out(uniform.ty, tight, two_rows);
    words.resize(words.len().max(4).next_multiple_of(4), 0);
    words
}

/// The alignment, in bytes, that every device accepts for uniforms in a buffer.
pub(super) const ALIGNMENT: usize = 256;

/// Appends the buffer of each uniform to `data`, and returns the position and length of each buffer in bytes.
pub(super) fn add_uniforms(
    data: &mut Vec<u8>,
    interface: &Interface,
    resources: &Resources,
    two_rows: TwoRows,
) -> Vec<(usize, usize)> {
    let mut uniforms = Vec::new();
    for uniform in &interface.uniforms {
        data.resize(data.len().next_multiple_of(ALIGNMENT), 0);
        let words = uniform_words(uniform, resources, two_rows);
        uniforms.push((data.len(), words.len() * 4));
        data.extend(bytes(&words));
    }
    uniforms
}

/// Lays out tightly packed components as a uniform of type `ty` requires.
fn lay_out(ty: Type, tight: &[u32], two_rows: TwoRows) -> Vec<u32> {
    let spread = |count: usize, width: usize, stride: usize| {
        let mut words = vec![0; count * stride];
        for (to, from) in words.chunks_mut(stride).zip(tight.chunks(width)) {
            to.iter_mut().zip(from).for_each(|(to, &from)| *to = from);
        }
        words
    };
    match ty {
        Type::Vector(Scalar::Half, width) => {
            let half = |i: usize| u32::from(half(f32::from_bits(tight.get(i).copied().unwrap_or(0))));
            (0..usize::from(width).div_ceil(2)).map(|i| half(2 * i) | half(2 * i + 1) << 16).collect()
        }
        Type::Vector(_, width) => spread(1, usize::from(width), 4),
        Type::Matrix { columns, rows: 2 } => spread(usize::from(columns), 2, two_rows as usize),
        Type::Matrix { columns, rows } => spread(usize::from(columns), usize::from(rows), 4),
        Type::Array(_, width, length) => spread(length as usize, usize::from(width), 4),
        Type::Texture(..) | Type::Buffer(..) | Type::Image(..) => Vec::new(),
    }
}

/// Returns the bits of the half-precision number nearest to `number`, with ties to even.
pub(super) fn half(number: f32) -> u16 {
    let bits = number.to_bits();
    let sign = (bits >> 16 & 0x8000) as u16;
    let magnitude = f64::from(number.abs());
    if number.is_nan() {
        return sign | 0x7e00;
    }
    if magnitude >= 65520.0 {
        return sign | 0x7c00;
    }
    // The magnitude is expressed in units of the half's last place. For magnitudes below 2^-14, the unit is 2^-24.
    let exponent = ((bits >> 23 & 0xff) as i32 - 127).max(-14);
    let units = (magnitude / f64::from(exponent - 10).exp2()).round_ties_even() as u32;
    // A carry out of the fraction correctly increments the exponent.
    sign | (((exponent + 14) as u32 * 0x400) + units) as u16
}

/// Returns the attributes of all vertices, one vertex after another, and the number of vertices.
pub(super) fn vertex_words(draw: &Draw, interface: &Interface) -> (Vec<u32>, usize) {
    let count = draw.indices.iter().max().map_or(0, |&last| last as usize + 1);
    let mut words = Vec::with_capacity(count * interface.attributes.len() * 4);
    let columns: Vec<_> =
        interface.attributes.iter().map(|attribute| draw.attributes.get(&attribute.location)).collect();
    for vertex in 0..count {
        for column in &columns {
            words.extend(column.and_then(|column| column.get(vertex)).copied().unwrap_or_default());
        }
    }
    (words, count)
}

/// Checks that a draw has 1 to 8 targets, at least one pixel, and no incomplete triangle.
pub(super) fn check(draw: &Draw) -> Result<(), Failure> {
    let whole = draw.topology == Topology::Points || draw.indices.len().is_multiple_of(3);
    if !(1..=sdlbc::limits::TARGETS as usize).contains(&draw.targets) || draw.width == 0 || draw.height == 0 || !whole {
        return Err(Failure::Broken("a picture has 1 to 8 targets, pixels, and whole triangles".into()));
    }
    Ok(())
}

/// Returns the component types of a draw's targets.
pub(super) fn scalars(draw: &Draw) -> Vec<Scalar> {
    (0..draw.targets).map(|target| draw.scalar(target)).collect()
}

/// Returns the numbers to which a target is cleared, which are whole numbers for a target of ints.
pub(super) fn clear(draw: &Draw, target: usize) -> [f64; 4] {
    let pixel = draw.cleared(target);
    match draw.scalar(target) {
        Scalar::Int => pixel.map(|part| part.to_bits().cast_signed().into()),
        Scalar::Uint => pixel.map(|part| part.to_bits().into()),
        _ => pixel.map(f64::from),
    }
}

pub(super) fn floats(bytes: &[u8]) -> impl Iterator<Item = f32> {
    bytes.as_chunks().0.iter().map(|&word| f32::from_ne_bytes(word))
}

pub(super) fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_ne_bytes()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resources_are_where_the_layout_wgpu_has_them() {
        let uniform =
            |stage, index| Uniform { stage, name: String::new(), ty: Type::FLOAT4, index, held: BTreeMap::new() };
        let texture = |stage, slot| Sampled {
            stage,
            slot,
            dimension: Dimension::D2,
            texel: Texel::Float,
            sampler: Sampler::default(),
        };
        let (vertex, fragment) = (FunctionKind::Vertex, FunctionKind::Fragment);
        let places = [(vertex, 0), (fragment, 0), (vertex, 1), (fragment, 2)];
        let places = places.map(|(stage, index)| Places::Wgpu.of_uniform(&uniform(stage, index)));
        assert_eq!(places, [(0, 0), (0, 1), (0, 2), (0, 5)]);
        let all = [texture(fragment, 6), texture(vertex, 1), texture(fragment, 3)];
        let places = all.each_ref().map(|texture| Places::Wgpu.of_texture(texture, &all));
        assert_eq!(places, [(1, 2), (2, 0), (1, 0)]);
    }

    #[test]
    fn components_are_laid_out_as_each_target_expects() {
        let tight: Vec<u32> = (1..=12).collect();
        let lay = |ty, two_rows| lay_out(ty, &tight, two_rows);
        let floats = |width, length| Type::Array(Scalar::Float, width, length);
        assert_eq!(lay(floats(3, 2), TwoRows::Tight), [1, 2, 3, 0, 4, 5, 6, 0]);
        assert_eq!(lay(floats(1, 2), TwoRows::Tight), [1, 0, 0, 0, 2, 0, 0, 0]);
        assert_eq!(lay(Type::Matrix { columns: 2, rows: 2 }, TwoRows::Tight), [1, 2, 3, 4]);
        assert_eq!(lay(Type::Matrix { columns: 2, rows: 2 }, TwoRows::Padded), [1, 2, 0, 0, 3, 4, 0, 0]);
        assert_eq!(lay(Type::Matrix { columns: 2, rows: 3 }, TwoRows::Tight), [1, 2, 3, 0, 4, 5, 6, 0]);
        assert_eq!(lay(Type::FLOAT, TwoRows::Tight), [1, 0, 0, 0]);
    }

    #[test]
    fn floats_are_rounded_to_the_nearest_half() {
        let cases =
            [(0.0, 0), (1.0, 0x3c00), (-2.0, 0xc000), (65504.0, 0x7bff), (65520.0, 0x7c00), (2f32.powi(-24), 1)];
        for (number, bits) in cases {
            assert_eq!(half(number), bits, "{number}");
        }
        assert_eq!([half(2f32.powi(-14)), half(1.0 + 2f32.powi(-11)), half(2047.9999)], [0x400, 0x3c00, 0x6800]);
        assert_eq!(half(f32::NAN) & 0x7c00, 0x7c00);
    }
}
