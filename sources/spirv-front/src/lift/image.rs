//! Textures and samplers. A texture and the sampler with which it is used are one input of the format.

use std::collections::BTreeMap;

use rspirv::spirv::{Dim, Op};
use sdlbc::builder::Finished;
use sdlbc::lifting::Value;
use sdlbc::module::{swizvals, texel_offset_word};
use sdlbc::{Dimension, Few, Id, InputKind, Op as Operation, Sampler, Scalar, SourceBinding, Texel, Type};

use super::pointer::{Reference, Resource};
use super::{Lifter, Shared};
use crate::module::{Image, Ty};
use crate::words::{Inst, name};
use sdlbc::front::RefusalKind;

/// AGAL's sampler flag for state that the application sets.
const STATE_IS_SET: u8 = 4;

/// The name of an image operand that only gathers may have.
const CONST_OFFSETS: &str = "ConstOffsets";

/// A texture, and the sampler with which it is used; fetches need none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Texture {
    image: Resource,
    sampler: Option<Resource>,
    ty: Type,
    /// Whether only its size is read.
    is_size: bool,
}

/// What is read from a texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    /// Texels, filtered or not.
    Texels,
    /// The result of comparing depths with a reference.
    Comparison,
    /// The size.
    Size,
}

/// The image operands of an instruction (the specification, "Image Operands").
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Operands {
    pub(super) bias: Option<u32>,
    pub(super) lod: Option<u32>,
    grad: Option<[u32; 2]>,
    offset: Option<u32>,
    /// The constant array of the offsets of a gather's four texels.
    offsets: Option<u32>,
    /// The name of an operand that the format does not have.
    pub(super) lacks: Option<&'static str>,
}

impl Operands {
    /// Reads the operands after a mask.
    pub(super) fn read(args: &[u32]) -> Operands {
        let mut operands = Operands::default();
        let [mask, rest @ ..] = args else { return operands };
        let mut rest = rest.iter().copied();
        let mut next = || rest.next().unwrap_or(0);
        for bit in (0..32).filter(|bit| mask >> bit & 1 != 0) {
            match bit {
                0 => operands.bias = Some(next()),
                1 => operands.lod = Some(next()),
                2 => operands.grad = Some([next(), next()]),
                3 | 4 => operands.offset = Some(next()),
                5 => {
                    operands.offsets = Some(next());
                    operands.lacks = Some(CONST_OFFSETS);
                }
                6 => operands.lacks = Some("Sample"),
                7 => operands.lacks = Some("MinLod"),
                // These need no code: texels become visible at the end of a dispatch, and integer texels are signed if their type is.
                10..=14 => {}
                _ => operands.lacks = Some("its image operands"),
            }
        }
        operands
    }
}

impl Image {
    /// Returns the dimension, if the format has it.
    pub(super) fn dimension(&self) -> Option<Dimension> {
        Some(match (self.dim?, self.arrayed) {
            _ if self.multisampled => return None,
            (Dim::Dim2D, false) => Dimension::D2,
            (Dim::Dim2D, true) => Dimension::D2Array,
            (Dim::Dim3D, false) => Dimension::D3,
            (Dim::DimCube, false) => Dimension::Cube,
            (Dim::DimCube, true) => Dimension::CubeArray,
            _ => return None,
        })
    }

    /// Returns a description, for messages.
    pub(super) fn describe(&self) -> String {
        let dim = match self.dim {
            Some(Dim::DimSubpassData) => "subpass inputs".to_string(),
            Some(Dim::DimBuffer) => "texel buffers".to_string(),
            Some(dim) => format!("{dim:?} textures").trim_start_matches("Dim").to_string(),
            None => "this texture".to_string(),
        };
        let samples = if self.multisampled { " with several samples" } else { "" };
        let layers = if self.arrayed { " with layers" } else { "" };
        format!("{dim}{layers}{samples}")
    }
}

impl Shared<'_> {
    /// Reports whether a variable is a storage texture.
    pub(super) fn is_image(&self, variable: u32) -> bool {
        let ty = self.module.globals.get(&variable).and_then(|global| self.module.types.get(&global.ty));
        matches!(ty, Some(Ty::Image(image)) if image.is_storage)
    }

    /// Refuses storage textures that are both read and written.
    pub(super) fn settle_images(&mut self) {
        for variable in self.images.keys().copied().collect::<Vec<_>>() {
            if self.read.contains(&variable) && self.written.contains(&variable) {
                let what = "storage textures that are both read and written".to_string();
                let at = self.module.globals.get(&variable).map_or(0, |global| global.at);
                self.refuse(RefusalKind::Variable { name: self.module.name(variable).to_string(), what }, at);
            }
        }
    }

    /// Numbers the textures by their descriptor sets and bindings, and gives them their names. A fetch of a texture that is also sampled
    /// reads the input of the sampled texture.
    pub(super) fn settle_textures(&mut self, finished: &mut [Finished]) {
        let place = |resource: Resource| (self.binding(resource.variable), resource);
        let mut order: Vec<usize> = (0..self.textures.len()).collect();
        order.sort_by_key(|&number| {
            self.textures
                .get(number)
                .map(|texture| (place(texture.image), texture.sampler.is_none(), texture.sampler.map(place)))
        });
        let mut slots: BTreeMap<usize, u32> = BTreeMap::new();
        // By slot: the texture and its name.
        let mut placed: Vec<(Texture, String)> = Vec::new();
        for number in order {
            let Some(&texture) = self.textures.get(number) else { continue };
            // A fetch needs a texture with the same kind of texels; a size query may use any.
            let shares = |(other, _): &(Texture, String)| {
                texture.sampler.is_none() && other.image == texture.image && (other.ty == texture.ty || texture.is_size)
            };
            let slot = match placed.iter().position(shares) {
                Some(slot) => slot,
                None => {
                    let name = self.texture_name(&texture, placed.len());
                    let name = self.unique(&name);
                    placed.push((texture, name));
                    placed.len() - 1
                }
            };
            slots.insert(number, u32::try_from(slot).unwrap_or(u32::MAX));
        }
        for Finished { function, bindings, .. } in finished {
            let mut firsts: BTreeMap<u32, Id> = BTreeMap::new();
            let mut others: BTreeMap<Id, Id> = BTreeMap::new();
            for input in &mut function.inputs {
                if let InputKind::Texture { slot, .. } = &mut input.kind {
                    *slot = slots.get(&(*slot as usize)).copied().unwrap_or(0);
                    if let Some((texture, name)) = placed.get(*slot as usize) {
                        input.name.clone_from(name);
                        input.ty = texture.ty;
                    }
                    let first = *firsts.entry(*slot).or_insert(input.id);
                    if first != input.id {
                        others.insert(input.id, first);
                        // The texture that is sampled states the sampler, and a fetch states none.
                        let own = bindings.remove(&input.id);
                        if let (Some(own @ SourceBinding::Bound { sampler: Some(_), .. }), Some(of)) =
                            (own, bindings.get_mut(&first))
                        {
                            *of = own;
                        }
                    }
                }
            }
            if !others.is_empty() {
                function.inputs.retain(|input| !others.contains_key(&input.id));
                for id in function.body.insts_mut().iter_mut().flat_map(|inst| inst.inputs.iter_mut()) {
                    *id = others.get(id).copied().unwrap_or(*id);
                }
            }
        }
    }

    /// Returns a texture's name, with the sampler's name appended if the texture is used with several samplers.
    fn texture_name(&self, texture: &Texture, slot: usize) -> String {
        let name = |resource: Resource| {
            let own = self.module.name(resource.variable);
            match self.module.globals.get(&resource.variable).and_then(|global| self.module.types.get(&global.ty)) {
                Some(Ty::Array { .. }) if !own.is_empty() => format!("{own}_{}", resource.element),
                _ => own.to_string(),
            }
        };
        let own = Some(name(texture.image)).filter(|own| !own.is_empty()).unwrap_or_else(|| format!("texture{slot}"));
        let samplers = self.textures.iter().filter(|other| other.image == texture.image && other.sampler.is_some());
        match texture.sampler.map(name) {
            Some(sampler) if samplers.count() > 1 && !sampler.is_empty() => format!("{own}_{sampler}"),
            _ => own,
        }
    }
}

impl<'m> Lifter<'_, 'm> {
    /// Returns the image type of a texture's variable.
    pub(super) fn image_type(&self, resource: Resource) -> Option<Image> {
        let module = self.module();
        let mut ty = module.globals.get(&resource.variable)?.ty;
        for _ in 0..64 {
            match module.types.get(&ty)? {
                Ty::Image(image) => return Some(*image),
                Ty::SampledImage(image) => ty = *image,
                Ty::Array { element, .. } | Ty::RuntimeArray { element, .. } => ty = *element,
                _ => return None,
            }
        }
        None
    }

    /// Returns the input for a texture and its sampler, with its dimension and the kind of its texels.
    fn texture(
        &mut self,
        image: Resource,
        sampler: Option<Resource>,
        purpose: Purpose,
    ) -> Option<(Id, Dimension, Texel)> {
        let Some(of) = self.image_type(image) else {
            self.mismatch();
            return None;
        };
        let texel = match of.texel {
            _ if purpose == Purpose::Comparison => Some(Texel::Depth),
            Some(Scalar::Float) => Some(Texel::Float),
            Some(Scalar::Int) => Some(Texel::Int),
            Some(Scalar::Uint) => Some(Texel::Uint),
            _ => None,
        };
        let ty = of.dimension().zip(texel).map(|(dimension, texel)| Type::Texture(dimension, texel));
        let (Some(ty @ Type::Texture(dimension, texel)), false) =
            (ty.filter(|ty| Type::TEXTURES.contains(ty)), of.is_storage)
        else {
            self.refuse(RefusalKind::Types { what: of.describe() });
            return None;
        };
        let texture = Texture { image, sampler, ty, is_size: purpose == Purpose::Size };
        let number = match self.shared.textures.iter().position(|known| *known == texture) {
            Some(number) => number,
            None => {
                self.shared.textures.push(texture);
                self.shared.textures.len() - 1
            }
        };
        let state = Sampler { filter: 1, special: STATE_IS_SET, ..Sampler::default() };
        // The slot and the name are provisional until all functions are lifted.
        let slot = u32::try_from(number).unwrap_or(u32::MAX);
        let name = format!("\u{1}{number}");
        let input = self.resource_input(image, &name, ty, InputKind::Texture { slot, sampler: state });
        let place = |resource: Resource| match self.shared.source_binding(resource) {
            Some(SourceBinding::Bound { place, .. }) => Some(place),
            _ => None,
        };
        let separate = sampler.filter(|sampler| sampler.variable != image.variable);
        if let (Some(place), Some(sampler)) = (place(image), separate.map(place)) {
            match sampler {
                Some(_) => self.lifting.builder.bind(input, SourceBinding::Bound { place, sampler }),
                None => self.lifting.builder.unbind(input),
            }
        }
        Some((input, dimension, texel))
    }

    /// Returns the texture and the sampler to which an operand refers. Elements at computed indices are those of the current case.
    pub(super) fn sampled(&mut self, id: u32) -> Option<(Resource, Option<Resource>)> {
        let (image, sampler) = self.textures_of(id)?;
        Some((self.chosen_element(image), sampler.map(|sampler| self.chosen_element(sampler))))
    }

    /// Returns the texture and the sampler to which an operand refers, which may be elements at computed indices.
    pub(super) fn textures_of(&mut self, id: u32) -> Option<(Resource, Option<Resource>)> {
        match self.referent(id) {
            Some(Reference::Sampled(image, sampler)) => Some((image, Some(sampler))),
            Some(Reference::Image(image)) => Some((image, None)),
            _ => {
                self.mismatch();
                None
            }
        }
    }

    /// Combines a texture and a sampler.
    pub(super) fn combine(&mut self, inst: &Inst<'m>) -> Value {
        match (self.referent(inst.arg(0)), self.referent(inst.arg(1))) {
            (Some(Reference::Image(image)), Some(Reference::Sampler(sampler))) => {
                self.reference(Reference::Sampled(image, sampler))
            }
            _ => {
                self.mismatch();
                Value::Many(Vec::new())
            }
        }
    }

    /// Returns the texture of a texture-sampler pair.
    pub(super) fn image_of(&mut self, inst: &Inst<'m>) -> Value {
        match self.referent(inst.arg(0)) {
            Some(Reference::Sampled(image, _)) => self.reference(Reference::Image(image)),
            _ => {
                self.mismatch();
                Value::Many(Vec::new())
            }
        }
    }

    /// Splits a coordinate into the position, the layer and the divisor of a projection. The layer is rounded to the nearest integer, as in
    /// Vulkan.
    pub(super) fn coordinate(&mut self, id: u32, dimension: Dimension, projects: bool) -> (Id, Option<Id>, Option<Id>) {
        let coordinate = self.one(id);
        let (count, width) = (dimension.coordinates(), self.lifting.width(coordinate));
        let lanes: Vec<u8> = (0..count.min(width)).collect();
        let mut position = self.lifting.builder.swizzle(coordinate, swizvals(&lanes));
        let mut divisor = None;
        if projects {
            // The divisor follows the components of the position.
            let last = self.lifting.component(coordinate, count);
            position = self.lifting.builder.divide(position, last);
            divisor = Some(last);
        }
        let layer = dimension.has_layers().then(|| {
            let layer = self.lifting.component(coordinate, count);
            if self.lifting.scalar_of(layer) == Scalar::Float {
                let layer = self.lifting.builder.round_even(layer);
                self.lifting.convert(layer, Scalar::Int)
            } else {
                self.lifting.convert(layer, Scalar::Int)
            }
        });
        (position, layer, divisor)
    }

    /// Returns a texture with a texel offset applied, or `None` if the format cannot express the offset.
    fn with_offset(&mut self, texture: Id, dimension: Dimension, offset: Option<u32>) -> Option<Id> {
        let Some(offset) = offset else { return Some(texture) };
        let module = self.module();
        let parts = match module.constants.get(&offset) {
            Some((_, crate::module::Constant::Composite(parts))) => parts.to_vec(),
            Some(_) if module.int(offset, 0) == Some(0) => return Some(texture),
            _ => return None,
        };
        let numbers: Option<Vec<u32>> = parts.iter().map(|&part| module.int(part, 0)).collect();
        let numbers = numbers?;
        let mut texels = [0; 3];
        texels.iter_mut().zip(&numbers).for_each(|(texel, number)| *texel = number.cast_signed());
        let fits = numbers.len() == usize::from(dimension.coordinates()) && !dimension.is_cube();
        let word = texel_offset_word(texels).filter(|_| fits && texels.iter().all(|texel| (-8..=7).contains(texel)))?;
        if word == 0 {
            return Some(texture);
        }
        Some(self.lifting.builder.emit(Operation::TextureOffset, &[texture], &[word]))
    }

    /// Samples, compares or gathers texels.
    pub(super) fn sample(&mut self, inst: &Inst<'m>) -> Value {
        use Op::{
            ImageDrefGather, ImageGather, ImageSampleDrefExplicitLod, ImageSampleDrefImplicitLod,
            ImageSampleProjDrefExplicitLod, ImageSampleProjDrefImplicitLod, ImageSampleProjExplicitLod,
            ImageSampleProjImplicitLod,
        };
        let compares = matches!(
            inst.op,
            ImageSampleDrefImplicitLod
                | ImageSampleDrefExplicitLod
                | ImageSampleProjDrefImplicitLod
                | ImageSampleProjDrefExplicitLod
                | ImageDrefGather
        );
        let projects = matches!(
            inst.op,
            ImageSampleProjImplicitLod
                | ImageSampleProjExplicitLod
                | ImageSampleProjDrefImplicitLod
                | ImageSampleProjDrefExplicitLod
        );
        let gathers = matches!(inst.op, ImageGather | ImageDrefGather);
        let Some((image, sampler)) = self.sampled(inst.arg(0)) else { return self.zero(inst.ty) };
        let operands = Operands::read(inst.args.get(if compares || gathers { 3 } else { 2 }..).unwrap_or_default());
        let lacks = operands.lacks.filter(|&lacks| !gathers || lacks != CONST_OFFSETS);
        if let Some(lacks) = lacks {
            return self.refuse_instruction(format!("{} with {lacks}", name(inst.op)), inst.ty);
        }
        if gathers && (operands.lod.is_some() || operands.bias.is_some()) {
            return self.refuse_instruction(format!("{} at a level", name(inst.op)), inst.ty);
        }
        let purpose = if compares { Purpose::Comparison } else { Purpose::Texels };
        let Some((texture, dimension, texel)) = self.texture(image, sampler, purpose) else {
            return self.zero(inst.ty);
        };
        if let Some(offsets) = operands.offsets {
            return self.gather_at_offsets(inst, (texture, dimension), offsets, compares);
        }
        let Some(texture) = self.with_offset(texture, dimension, operands.offset) else {
            return self.refuse_offset(inst);
        };
        if gathers {
            return self.gather(inst, (texture, dimension), compares);
        }
        if matches!(texel, Texel::Int | Texel::Uint) {
            let name = format!("{} of a texture of integers", name(inst.op));
            return self.refuse_instruction(name, inst.ty);
        }
        let (position, layer, divisor) = self.coordinate(inst.arg(1), dimension, projects);
        let mut all: Few<Id> = Few::from_slice(&[texture, position]);
        all.extend(layer);
        let is_zero = operands.lod.is_some_and(|lod| self.is_zero(lod));
        if compares {
            let mut reference = self.one(inst.arg(2));
            if let Some(divisor) = divisor {
                reference = self.lifting.builder.divide(reference, divisor);
            }
            all.push(reference);
            let op = match operands {
                Operands { bias: None, lod: None, grad: None, .. } => Operation::SampleCompare,
                Operands { bias: None, grad: None, .. } if is_zero => Operation::SampleCompareZero,
                _ => {
                    let name = format!("{} at a level other than 0", name(inst.op));
                    return self.refuse_instruction(name, inst.ty);
                }
            };
            return Value::One(self.lifting.emit(op, &all));
        }
        let op = match operands {
            Operands { grad: Some([x, y]), .. } => {
                all.push(self.one(x));
                all.push(self.one(y));
                Operation::SampleGrad
            }
            Operands { lod: Some(lod), .. } => {
                all.push(self.one(lod));
                Operation::SampleLod
            }
            _ if let Some(gradients) = self.gradients => {
                all.extend(gradients);
                Operation::SampleGrad
            }
            Operands { bias: Some(bias), .. } => {
                all.push(self.one(bias));
                Operation::SampleBias
            }
            _ => Operation::Sample,
        };
        Value::One(self.lifting.emit(op, &all))
    }

    fn refuse_offset(&mut self, inst: &Inst<'m>) -> Value {
        let name = format!(
            "{} with an offset that is not a constant from -8 to 7, or that applies to a cube texture",
            name(inst.op)
        );
        self.refuse_instruction(name, inst.ty)
    }

    /// Gathers a component of four texels, or compares four depths with a reference.
    fn gather(&mut self, inst: &Inst<'m>, (texture, dimension): (Id, Dimension), compares: bool) -> Value {
        let (position, layer, _) = self.coordinate(inst.arg(1), dimension, false);
        let mut all: Few<Id> = Few::from_slice(&[texture, position]);
        all.extend(layer);
        if compares {
            all.push(self.one(inst.arg(2)));
            return Value::One(self.lifting.emit(Operation::GatherCompare, &all));
        }
        let Some(component @ 0..=3) = self.module().int(inst.arg(2), 0) else {
            let what = "the component of OpImageGather".to_string();
            return self.refuse_value(RefusalKind::Unknown { what }, inst.ty);
        };
        Value::One(self.lifting.builder.emit(Operation::Gather, &all, &[component]))
    }

    /// Gathers with an offset for each of the four texels: the last texel of a gather at each offset.
    fn gather_at_offsets(
        &mut self,
        inst: &Inst<'m>,
        (texture, dimension): (Id, Dimension),
        offsets: u32,
        compares: bool,
    ) -> Value {
        let parts = match self.module().constants.get(&offsets) {
            Some((_, crate::module::Constant::Composite(parts))) => parts.to_vec(),
            _ => return self.refuse_offset(inst),
        };
        let mut texels = Few::<Id>::new();
        for offset in parts {
            let Some(texture) = self.with_offset(texture, dimension, Some(offset)) else {
                return self.refuse_offset(inst);
            };
            let four = self.gather(inst, (texture, dimension), compares).one();
            texels.push(self.lifting.component(four, 3));
        }
        Value::One(self.lifting.vector(&texels))
    }

    /// Reports whether an id is a constant with the value 0.
    fn is_zero(&self, id: u32) -> bool {
        self.module().int(id, 0) == Some(0)
    }

    /// Fetches a texel.
    pub(super) fn fetch(&mut self, inst: &Inst<'m>) -> Value {
        let operands = Operands::read(inst.args.get(2..).unwrap_or_default());
        let Some((image, _)) = self.sampled(inst.arg(0)) else { return self.zero(inst.ty) };
        let Some((texture, dimension, _)) = self.texture(image, None, Purpose::Texels) else {
            return self.zero(inst.ty);
        };
        let lacks = match operands.lacks {
            Some(lacks) => Some(lacks),
            None if dimension.is_cube() => Some("a cube texture"),
            None => None,
        };
        let texture = self.with_offset(texture, dimension, operands.offset);
        let (Some(texture), None) = (texture, lacks) else {
            let name =
                format!("{} with {}", name(inst.op), lacks.unwrap_or("an offset that is not a constant from -8 to 7"));
            return self.refuse_instruction(name, inst.ty);
        };
        let (position, layer, _) = self.coordinate(inst.arg(1), dimension, false);
        let position = self.lifting.convert(position, Scalar::Int);
        let level = match operands.lod {
            Some(lod) => self.index(lod),
            None => self.lifting.builder.int(0),
        };
        Value::One(self.lifting.builder.fetch(texture, position, layer, level))
    }

    /// Returns the size of a texture or storage texture.
    pub(super) fn size(&mut self, inst: &Inst<'m>) -> Value {
        let Some((image, _)) = self.sampled(inst.arg(0)) else { return self.zero(inst.ty) };
        let is_storage = self.image_type(image).is_some_and(|image| image.is_storage);
        let sizes = if is_storage {
            let Some((image, _)) = self.storage(image) else { return self.zero(inst.ty) };
            self.lifting.builder.image_size(image)
        } else {
            let Some((texture, ..)) = self.texture(image, None, Purpose::Size) else { return self.zero(inst.ty) };
            let level =
                if inst.op == Op::ImageQuerySizeLod { self.index(inst.arg(1)) } else { self.lifting.builder.int(0) };
            self.lifting.builder.texture_size(texture, level)
        };
        match self.module().value_type(inst.ty) {
            Some(Type::Vector(scalar, width)) => {
                let lanes: Vec<u8> = (0..width.min(self.lifting.width(sizes))).collect();
                let sizes = self.lifting.builder.swizzle(sizes, swizvals(&lanes));
                Value::One(self.lifting.convert(sizes, scalar))
            }
            _ => self.zero(inst.ty),
        }
    }
}
