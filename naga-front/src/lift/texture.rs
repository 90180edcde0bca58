//! Samples and fetches of textures. A texture and the sampler that it is used with are one input of the format.

use naga::{Expression, GlobalVariable, Handle, ImageQuery, SampleLevel};
use sdlbc::{Few, Id, InputKind, Op, Sampler, Scalar, Type};

use super::types;
use super::value::Value;
use super::{Lifter, Shared};
use crate::error::RefusalKind;
use crate::parse::Parsed;

/// The application sets the state of samplers (a flag of AGAL).
const STATE_IS_SET: u8 = 4;

/// A texture and the sampler that it is used with; fetches need none.
type Pair = (Handle<GlobalVariable>, Option<Handle<GlobalVariable>>);

/// The textures of some entry points with their samplers, by slot: in the order of their groups and bindings.
pub(super) fn slots(parsed: &Parsed, entries: &[&naga::EntryPoint]) -> Vec<Pair> {
    let module = &parsed.module;
    let mut pairs = Vec::<Pair>::new();
    for (number, entry) in module.entry_points.iter().enumerate() {
        if !entries.iter().any(|other| std::ptr::eq(*other, entry)) {
            continue;
        }
        let info = parsed.info.get_entry_point(number);
        pairs.extend(info.sampling_set.iter().map(|key| (key.image, Some(key.sampler))));
        for (handle, variable) in module.global_variables.iter() {
            if !info[handle].is_empty() && types::texture(&module.types[variable.ty].inner).is_some() {
                pairs.push((handle, None));
            }
        }
    }
    let place = |handle: Handle<GlobalVariable>| {
        let binding = module.global_variables[handle].binding.map(|binding| (binding.group, binding.binding));
        (binding, handle)
    };
    pairs.sort_by_key(|&(image, sampler)| (place(image), sampler.is_none(), sampler.map(place)));
    pairs.dedup();
    // A texture that is sampled needs no slot of its own for fetches.
    let mut kept = Vec::<Pair>::new();
    for (image, sampler) in pairs {
        if sampler.is_some() || !kept.iter().any(|&(other, _)| other == image) {
            kept.push((image, sampler));
        }
    }
    kept
}

/// The operands of a sample that are not its texture.
pub(super) struct Sample {
    pub(super) gather: Option<naga::SwizzleComponent>,
    pub(super) coordinate: Handle<Expression>,
    pub(super) array_index: Option<Handle<Expression>>,
    pub(super) offset: Option<Handle<Expression>>,
    pub(super) level: SampleLevel,
    pub(super) depth_ref: Option<Handle<Expression>>,
    pub(super) clamp_to_edge: bool,
}

impl Shared<'_> {
    /// The name of a texture: its own, with that of the sampler if it is used with several.
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
    /// The input of a texture with its sampler.
    fn texture(
        &mut self,
        handle: Handle<Expression>,
        image: Handle<Expression>,
        sampler: Option<Handle<Expression>>,
    ) -> Option<Id> {
        let found = self.resource(image);
        let used = sampler.map(|sampler| self.resource(sampler));
        let (Some(image), None | Some(Some(_))) = (found, used) else {
            self.refuse(RefusalKind::Unknown { what: "which texture or sampler this is".to_string() }, handle);
            return None;
        };
        let sampler = used.flatten();
        let variable = &self.shared.module.global_variables[image];
        let Some(ty) = types::texture(self.inner(variable.ty)) else {
            let name = types::name(self.shared.module, variable.ty);
            self.refuse(RefusalKind::Type { name }, handle);
            return None;
        };
        let is = |&(other, used): &Pair| other == image && (sampler.is_none() || used == sampler);
        let Some(slot) = self.shared.textures.iter().position(is) else {
            self.refuse(RefusalKind::Unknown { what: "which sampler is used here".to_string() }, handle);
            return None;
        };
        let name = self.shared.texture_names.get(slot).cloned().unwrap_or_default();
        let slot = u32::try_from(slot).unwrap_or(u32::MAX);
        let sampler = Sampler { filter: 1, special: STATE_IS_SET, ..Sampler::default() };
        Some(self.builder.input(name, ty, InputKind::Texture { slot, sampler }))
    }

    pub(super) fn sample(
        &mut self,
        handle: Handle<Expression>,
        image: Handle<Expression>,
        sampler: Handle<Expression>,
        sample: &Sample,
    ) -> Value {
        let lacks = match sample {
            Sample { depth_ref: Some(_), .. } => Some("comparisons of depth textures"),
            Sample { gather: Some(_), .. } => Some("gathers of texels"),
            Sample { array_index: Some(_), .. } => Some("samples of array textures"),
            Sample { offset: Some(_), .. } => Some("samples with an offset"),
            Sample { clamp_to_edge: true, .. } => Some("`textureSampleBaseClampToEdge`"),
            _ => None,
        };
        if let Some(lacks) = lacks {
            return self.refuse_operation(lacks, handle);
        }
        let Some(texture) = self.texture(handle, image, Some(sampler)) else {
            return Value::One(self.zero(Type::FLOAT4));
        };
        let coordinate = self.value(sample.coordinate).one();
        let mut operands: Few<Id> = Few::from_slice(&[texture, coordinate]);
        let op = match sample.level {
            SampleLevel::Auto => Op::Sample,
            SampleLevel::Zero => {
                let zero = self.float(0.0);
                operands.push(zero);
                Op::SampleLod
            }
            SampleLevel::Exact(level) => {
                operands.push(self.value(level).one());
                Op::SampleLod
            }
            SampleLevel::Bias(bias) => {
                operands.push(self.value(bias).one());
                Op::SampleBias
            }
            SampleLevel::Gradient { x, y } => {
                operands.push(self.value(x).one());
                operands.push(self.value(y).one());
                Op::SampleGrad
            }
        };
        Value::One(self.emit(op, &operands))
    }

    /// A fetch of a texel.
    pub(super) fn fetch(
        &mut self,
        handle: Handle<Expression>,
        image: Handle<Expression>,
        coordinate: Handle<Expression>,
        level: Option<Handle<Expression>>,
        is_plain: bool,
    ) -> Value {
        let is_cube =
            matches!(self.naga_type(image).and_then(types::texture), Some(Type::Texture(sdlbc::Dimension::Cube, _)));
        if !is_plain || is_cube {
            return self.refuse_operation("fetches from such a texture", handle);
        }
        let Some(texture) = self.texture(handle, image, None) else {
            return Value::One(self.zero(Type::FLOAT4));
        };
        let coordinate = self.value(coordinate).one();
        let coordinate = self.index(coordinate);
        let level = match level {
            Some(level) => self.value(level).one(),
            None => self.int(0),
        };
        let level = self.index(level);
        Value::One(self.emit(Op::Fetch, &[texture, coordinate, level]))
    }

    pub(super) fn query(&mut self, handle: Handle<Expression>, image: Handle<Expression>, query: ImageQuery) -> Value {
        let name = match query {
            ImageQuery::Size { level } => {
                let Some(texture) = self.texture(handle, image, None) else {
                    return Value::One(self.zero(Type::Vector(Scalar::Uint, 2)));
                };
                let level = match level {
                    Some(level) => self.value(level).one(),
                    None => self.int(0),
                };
                let level = self.index(level);
                let sizes = self.emit(Op::TextureSize, &[texture, level]);
                // naga's are uints.
                return Value::One(self.convert(sizes, Scalar::Uint));
            }
            ImageQuery::NumLevels => "the number of levels of a texture",
            ImageQuery::NumLayers => "the number of layers of a texture",
            ImageQuery::NumSamples => "the number of samples of a texture",
        };
        self.refuse_operation(name, handle)
    }
}
