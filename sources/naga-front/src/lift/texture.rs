//! Samples and fetches of textures. SDLSHADERBC combines a texture and its sampler into one input.

use naga::{Arena, Expression, GlobalVariable, Handle, ImageClass, ImageQuery, Literal, SampleLevel, TypeInner};
use sdlbc::lifting::Value;
use sdlbc::module::{swizvals, texel_offset_word};
use sdlbc::{Dimension, Few, Id, InputKind, Op, Sampler, Scalar, SourceBinding, Texel, Type};

use super::types;
use super::{Lifter, Shared};
use crate::parse::Parsed;
use sdlbc::front::{Assumption, RefusalKind};

/// AGAL's sampler flag `ignoresampler`, which means that the application sets the sampler state.
const STATE_IS_SET: u8 = 4;

/// A texture and its sampler. The sampler is `None` if the shader only fetches from the texture.
type Pair = (Handle<GlobalVariable>, Option<Handle<GlobalVariable>>);

/// Returns the pairs of texture and sampler that the entry points use, in the order of groups and bindings. A pair's index is its
/// slot.
pub(super) fn slots(parsed: &Parsed, entries: &[(usize, &naga::EntryPoint)]) -> Vec<Pair> {
    let module = &parsed.module;
    let mut pairs = Vec::<Pair>::new();
    for &(number, _) in entries {
        let info = parsed.info.get_entry_point(number);
        pairs.extend(info.sampling_set.iter().map(|key| (key.image, Some(key.sampler))));
        for (handle, variable) in module.global_variables.iter() {
            if !info[handle].is_empty() && types::texture(&module.types[variable.ty].inner).is_some() {
                pairs.push((handle, None));
            }
        }
    }
    let place = |handle: Handle<GlobalVariable>| (types::binding(module, handle), handle);
    pairs.sort_by_key(|&(image, sampler)| (place(image), sampler.is_none(), sampler.map(place)));
    pairs.dedup();
    // A texture that is both sampled and fetched from needs no slot for the fetches. The sorted list has the pair without a
    // sampler after the texture's other pairs, so deduplication removes that pair.
    pairs.dedup_by(|pair, before| pair.1.is_none() && pair.0 == before.0);
    pairs
}

/// Returns the ints that a constant consists of, or `None` if the constant contains anything else.
fn ints(module: &naga::Module, expressions: &Arena<Expression>, handle: Handle<Expression>) -> Option<Vec<i32>> {
    Some(match expressions[handle] {
        Expression::Literal(Literal::I32(number)) => vec![number],
        Expression::Constant(constant) => ints(module, &module.global_expressions, module.constants[constant].init)?,
        Expression::ZeroValue(ty) => match module.types[ty].inner {
            TypeInner::Scalar(_) => vec![0],
            TypeInner::Vector { size, .. } => vec![0; size as usize],
            _ => return None,
        },
        Expression::Compose { ref components, .. } => {
            let parts = components.iter().map(|&component| ints(module, expressions, component));
            parts.collect::<Option<Vec<_>>>()?.concat()
        }
        Expression::Splat { size, value } => ints(module, expressions, value)?.repeat(size as usize),
        _ => return None,
    })
}

impl Shared<'_> {
    /// Returns the name of a texture. If the texture is used with several samplers, the sampler's name is appended.
    pub(super) fn texture_name(&self, slot: usize) -> String {
        let Some(&(image, sampler)) = self.textures.get(slot) else { return String::new() };
        let name = |handle: Handle<GlobalVariable>| self.module.global_variables[handle].name.clone();
        let own = name(image).unwrap_or_else(|| format!("texture{slot}"));
        match sampler.and_then(name) {
            Some(sampler) if self.textures.iter().filter(|(other, _)| *other == image).count() > 1 => {
                format!("{own}_{sampler}")
            }
            _ => own,
        }
    }
}

impl Lifter<'_, '_> {
    fn texture(
        &mut self,
        handle: Handle<Expression>,
        image: Handle<Expression>,
        sampler: Option<Handle<Expression>>,
    ) -> Option<Id> {
        let found = self.resource(image);
        let used = sampler.map(|sampler| self.resource(sampler));
        let (Some(image), None | Some(Some(_))) = (found, used) else {
            self.refuse(RefusalKind::Unknown { what: "the texture or sampler used here".to_string() }, handle);
            return None;
        };
        let sampler = used.flatten();
        let variable = &self.shared.module.global_variables[image];
        let Some(ty) = types::texture(self.inner(variable.ty)) else {
            self.refuse(types::refusal(self.shared.module, variable.ty), handle);
            return None;
        };
        let is = |&(other, used): &Pair| other == image && (sampler.is_none() || used == sampler);
        let Some(slot) = self.shared.textures.iter().position(is) else {
            self.refuse(RefusalKind::Unknown { what: "the sampler used here".to_string() }, handle);
            return None;
        };
        let name = self.shared.texture_names.get(slot).cloned().unwrap_or_default();
        let used = self.shared.textures.get(slot).and_then(|&(_, used)| used);
        let slot = u32::try_from(slot).unwrap_or(u32::MAX);
        let state = Sampler { filter: 1, special: STATE_IS_SET, ..Sampler::default() };
        let input = self.resource_input(image, &name, ty, InputKind::Texture { slot, sampler: state });
        let place = |variable| types::binding(self.shared.module, variable).map(|(group, number)| [group, number]);
        if let (Some(place), Some(of)) = (place(image), used.and_then(place)) {
            self.lifting.builder.bind(input, SourceBinding::Bound { place, sampler: Some(of) });
        }
        if matches!(self.inner(variable.ty), TypeInner::Image { class: ImageClass::External, .. }) {
            self.shared.assumptions.insert(Assumption::ExternalTexture);
        }
        Some(input)
    }

    pub(super) fn sample(&mut self, handle: Handle<Expression>, expression: &Expression) -> Value {
        let &Expression::ImageSample {
            image,
            sampler,
            gather,
            coordinate,
            array_index,
            offset,
            level,
            depth_ref,
            clamp_to_edge,
        } = expression
        else {
            return self.refuse_operation("this expression", handle);
        };
        let has_depths = matches!(self.texture_type(image), Some((_, Texel::Depth)));
        let offset = match offset {
            Some(offset) => self.texel_offset(image, offset),
            None => Some(0),
        };
        let lacks = match offset {
            _ if has_depths && depth_ref.is_none() => Some("samples of depth textures without a comparison"),
            None => Some("samples with an offset outside -8 to 7, or with any offset in a cube texture"),
            Some(_) => None,
        };
        if let Some(lacks) = lacks {
            return self.refuse_operation(lacks, handle);
        }
        let Some(texture) = self.texture(handle, image, Some(sampler)) else {
            let ty = if depth_ref.is_some() && gather.is_none() { Type::FLOAT } else { self.four_of(image) };
            return Value::One(self.lifting.zero(ty));
        };
        let mut coordinate = self.one(coordinate);
        if clamp_to_edge {
            coordinate = self.half_a_texel_inside(texture, coordinate);
        }
        let texture = match offset.filter(|&offset| offset != 0) {
            Some(offset) => self.lifting.builder.emit(Op::TextureOffset, &[texture], &[offset]),
            None => texture,
        };
        let mut operands: Few<Id> = Few::from_slice(&[texture, coordinate]);
        if let Some(layer) = array_index {
            let layer = self.one(layer);
            operands.push(self.layer(layer));
        }
        if let Some(reference) = depth_ref {
            operands.push(self.one(reference));
            let op = match (gather, level) {
                (Some(_), _) => Op::GatherCompare,
                (None, SampleLevel::Auto) => Op::SampleCompare,
                (None, _) => Op::SampleCompareZero,
            };
            return Value::One(self.lifting.emit(op, &operands));
        }
        if let Some(component) = gather {
            return Value::One(self.lifting.builder.emit(Op::Gather, &operands, &[component as u32]));
        }
        let op = match level {
            SampleLevel::Auto => Op::Sample,
            SampleLevel::Zero => {
                let zero = self.lifting.builder.float(0.0);
                operands.push(zero);
                Op::SampleLod
            }
            SampleLevel::Exact(level) => {
                operands.push(self.one(level));
                Op::SampleLod
            }
            SampleLevel::Bias(bias) => {
                operands.push(self.one(bias));
                Op::SampleBias
            }
            SampleLevel::Gradient { x, y } => {
                operands.push(self.one(x));
                operands.push(self.one(y));
                Op::SampleGrad
            }
        };
        Value::One(self.lifting.emit(op, &operands))
    }

    /// Clamps a 2D texture's coordinates so that they are at least half a texel of mip level 0 away from the edges, as
    /// `textureSampleBaseClampToEdge` does.
    fn half_a_texel_inside(&mut self, texture: Id, coordinate: Id) -> Id {
        let level = self.lifting.builder.int(0);
        let size = self.lifting.builder.texture_size(texture, level);
        let size = self.lifting.builder.swizzle(size, swizvals(&[0, 1]));
        let size = self.lifting.convert(size, Scalar::Float);
        let half = self.lifting.builder.float(0.5);
        let one = self.lifting.builder.float(1.0);
        let least = self.lifting.emit(Op::Divide, &[half, size]);
        let most = self.lifting.emit(Op::Subtract, &[one, least]);
        self.lifting.emit(Op::Clamp, &[coordinate, least, most])
    }

    /// Returns the immediate operand of a TEXTUREOFFSET instruction for a constant offset. `None` means that the instruction
    /// cannot express the offset.
    fn texel_offset(&self, image: Handle<Expression>, offset: Handle<Expression>) -> Option<u32> {
        let (dimension, _) = self.texture_type(image).filter(|(dimension, _)| !dimension.is_cube())?;
        let numbers = ints(self.shared.module, &self.function()?.expressions, offset)?;
        let fits = numbers.len() == usize::from(dimension.coordinates());
        let mut texels = [0; 3];
        texels.iter_mut().zip(numbers).for_each(|(texel, number)| *texel = number);
        texel_offset_word(texels).filter(|_| fits && texels.iter().all(|texel| (-8..=7).contains(texel)))
    }

    /// Fetches a texel. `is_plain` is false for a multisampled texture.
    pub(super) fn fetch(
        &mut self,
        handle: Handle<Expression>,
        image: Handle<Expression>,
        coordinate: Handle<Expression>,
        layer: Option<Handle<Expression>>,
        level: Option<Handle<Expression>>,
        is_plain: bool,
    ) -> Value {
        let fetches = |(dimension, texel): (Dimension, Texel)| !dimension.is_cube() && texel != Texel::Depth;
        if !is_plain || !self.texture_type(image).is_none_or(fetches) {
            return self.refuse_operation("fetches from this kind of texture", handle);
        }
        let Some(texture) = self.texture(handle, image, None) else {
            let ty = self.four_of(image);
            return Value::One(self.lifting.zero(ty));
        };
        let coordinate = self.index(coordinate);
        let layer = layer.map(|layer| self.index(layer));
        let level = self.level(level);
        Value::One(self.lifting.builder.fetch(texture, coordinate, layer, level))
    }

    /// Returns the mip level of a fetch or query, or 0 if `level` is `None`.
    fn level(&mut self, level: Option<Handle<Expression>>) -> Id {
        match level {
            Some(level) => self.index(level),
            None => self.lifting.builder.int(0),
        }
    }

    fn texture_type(&self, image: Handle<Expression>) -> Option<(Dimension, Texel)> {
        match self.naga_type(image).and_then(types::texture) {
            Some(Type::Texture(dimension, texel)) => Some((dimension, texel)),
            _ => None,
        }
    }

    /// Returns the type of a texel, a vector of four components.
    fn four_of(&self, image: Handle<Expression>) -> Type {
        let scalar = self.texture_type(image).and_then(|(_, texel)| texel.scalar());
        Type::Vector(scalar.unwrap_or(Scalar::Float), 4)
    }

    /// Returns the sampled layer as an int. A uint above the range of ints must select the last layer, not the first.
    fn layer(&mut self, layer: Id) -> Id {
        match self.lifting.ty(layer) {
            Type::UINT => {
                let highest = self.lifting.builder.uint(i32::MAX.cast_unsigned());
                let layer = self.lifting.builder.min(layer, highest);
                self.lifting.convert(layer, Scalar::Int)
            }
            _ => layer,
        }
    }

    /// Returns the size or the layer count of a texture, in uints.
    pub(super) fn query(&mut self, handle: Handle<Expression>, image: Handle<Expression>, query: ImageQuery) -> Value {
        let dimension = self.texture_type(image).map(|(dimension, _)| dimension);
        let (level, lanes): (_, &[u8]) = match query {
            ImageQuery::Size { level } if dimension == Some(Dimension::D3) => (level, &[0, 1, 2]),
            ImageQuery::Size { level } => (level, &[0, 1]),
            ImageQuery::NumLayers => (None, &[2]),
            ImageQuery::NumLevels => return self.refuse_operation("the number of levels of a texture", handle),
            ImageQuery::NumSamples => return self.refuse_operation("the number of samples of a texture", handle),
        };
        let Some(texture) = self.texture(handle, image, None) else {
            let width = u8::try_from(lanes.len()).unwrap_or(1);
            return Value::One(self.lifting.zero(Type::Vector(Scalar::Uint, width)));
        };
        let level = self.level(level);
        let sizes = self.lifting.builder.texture_size(texture, level);
        let sizes = self.lifting.builder.swizzle(sizes, swizvals(lanes));
        Value::One(self.lifting.convert(sizes, Scalar::Uint))
    }
}
