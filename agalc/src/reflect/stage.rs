//! Builds the reflection of an entry function from the analysis of the components that the function reads.

use std::collections::{BTreeMap, BTreeSet};

use sdlbc::{FunctionKind, InputKind, Module, Op, OutputKind, Type, flow};

use super::constants::constants;
use super::format::VertexFormats;
use super::sampler::Sampler;
use super::types::{Attribute, Builtin, Link, Stage, StageOutput, StorageBuffer, StorageTexture, Varying};
use super::uses::{Needed, Uses, all_of, is_written, letters};

pub(super) fn sampler_register(stage: FunctionKind, slot: u32) -> String {
    let file = if stage == FunctionKind::Vertex { "vs" } else { "fs" };
    format!("{file}{slot}")
}

impl Stage {
    pub(super) fn of(module: &Module, entry: usize) -> Option<Stage> {
        let function = module.functions.get(entry)?;
        let uses = Uses::of(module, entry);
        let used = || uses.functions.iter().flat_map(|reached| reached.used());
        let mut stage = Stage {
            stage: function.kind,
            function: entry,
            name: function.name.clone(),
            instructions: function.body.insts().len(),
            calls: flow::calls(function.body.block()).into_iter().collect(),
            agal: None,
            attributes: Vec::new(),
            varyings: Vec::new(),
            constants: constants(module, &uses, function.kind),
            samplers: samplers(&uses, function.kind),
            buffers: buffers(&uses),
            images: images(&uses),
            workgroup: function.workgroup,
            builtins: Vec::new(),
            outputs: Vec::new(),
            discards: used().any(|inst| inst.op == Op::Discard),
            derivatives: used()
                .any(|inst| matches!(inst.op, Op::Ddx | Op::Ddy | Op::Sample | Op::SampleBias | Op::SampleCompare)),
        };
        stage.inputs(&uses);
        stage.outputs(&uses);
        stage.attributes.sort_by_key(|attribute| attribute.location);
        stage.varyings.sort_by_key(|varying| varying.location);
        Some(stage)
    }

    /// Adds the attributes, varyings and builtins. Only the entry function has attributes and varyings, whereas builtins may also
    /// be read in called functions.
    fn inputs(&mut self, uses: &Uses<'_>) {
        let mut builtins: BTreeMap<u32, Builtin> = BTreeMap::new();
        let mut needs: BTreeMap<u32, Needed> = BTreeMap::new();
        for reached in &uses.functions {
            for input in &reached.function.inputs {
                let (name, ty, needed) = (input.name.clone(), input.ty, reached.needed(input.id));
                let components = letters(needed);
                match input.kind {
                    InputKind::Attribute { location } => self.attributes.push(Attribute {
                        register: format!("va{location}"),
                        location,
                        name,
                        ty,
                        components,
                        formats: VertexFormats::of(ty),
                    }),
                    InputKind::Varying { location, interpolation } => self.varyings.push(Varying {
                        register: format!("v{location}"),
                        location,
                        name,
                        ty,
                        interpolation,
                        components,
                    }),
                    InputKind::Builtin(builtin) => {
                        let all = needs.entry(builtin as u32).or_default();
                        *all |= needed;
                        let is_instance = builtin == sdlbc::Builtin::InstanceIndex;
                        let register = is_instance.then_some("iid");
                        let found = Builtin { kind: builtin.name(), register, name, ty, components };
                        builtins.entry(builtin as u32).or_insert(found).components = letters(*all);
                    }
                    _ => {}
                }
            }
        }
        self.builtins = builtins.into_values().collect();
    }

    fn outputs(&mut self, uses: &Uses<'_>) {
        let Some(reached) = uses.functions.first() else { return };
        for (index, output) in reached.function.outputs.iter().enumerate() {
            let written = is_written(reached, index);
            let mut distance = None;
            let (kind, register, target) = match output.kind {
                OutputKind::Position => ("position", Some("op".to_string()), None),
                OutputKind::Colour { target: 0 } => ("colour", Some("oc".to_string()), Some(0)),
                OutputKind::Colour { target } => ("colour", Some(format!("oc{target}")), Some(target)),
                OutputKind::Depth => ("depth", Some("od".to_string()), None),
                OutputKind::PointSize => ("pointsize", None, None),
                OutputKind::ClipDistance { index } => {
                    distance = Some(index);
                    ("clipdistance", None, None)
                }
                OutputKind::Varying { location, interpolation } => {
                    let all = output.ty.width().map_or(0, all_of);
                    self.varyings.push(Varying {
                        register: format!("v{location}"),
                        location,
                        name: output.name.clone(),
                        ty: output.ty,
                        interpolation,
                        components: if written { letters(all) } else { String::new() },
                    });
                    continue;
                }
                OutputKind::Returned => continue,
            };
            self.outputs.push(StageOutput {
                kind,
                register,
                target,
                distance,
                name: output.name.clone(),
                ty: output.ty,
            });
        }
    }
}

/// Returns a stage's textures in the order of their sampler registers.
fn samplers(uses: &Uses<'_>, stage: FunctionKind) -> Vec<Sampler> {
    let mut samplers = BTreeMap::new();
    for reached in &uses.functions {
        for input in &reached.function.inputs {
            if let (InputKind::Texture { slot, sampler }, Type::Texture(dimension, texels)) = (input.kind, input.ty) {
                let first = || (input.name.clone(), (dimension, texels), sampler, 0);
                let (.., needed) = samplers.entry(slot).or_insert_with(first);
                *needed |= reached.needed(input.id);
            }
        }
    }
    let sampler = |(slot, (name, ty, sampler, needed))| {
        Sampler::new(sampler_register(stage, slot), slot, name, ty, sampler, letters(needed))
    };
    samplers.into_iter().map(sampler).collect()
}

fn buffers(uses: &Uses<'_>) -> Vec<StorageBuffer> {
    let mut buffers = BTreeMap::new();
    for input in uses.functions.iter().flat_map(|reached| &reached.function.inputs) {
        if let (InputKind::Buffer { slot, access }, Type::Buffer(scalar, width)) = (input.kind, input.ty) {
            let element = Type::Vector(scalar, width);
            let (name, access, stride) = (input.name.clone(), access.name(), element.uniform_bytes());
            buffers.entry(slot).or_insert(StorageBuffer { slot, name, access, element, stride });
        }
    }
    buffers.into_values().collect()
}

fn images(uses: &Uses<'_>) -> Vec<StorageTexture> {
    let mut images = BTreeMap::new();
    for input in uses.functions.iter().flat_map(|reached| &reached.function.inputs) {
        if let (InputKind::Image { slot, access }, Type::Image(dimension, format)) = (input.kind, input.ty) {
            let (name, access, format) = (input.name.clone(), access.name(), format.name());
            images.entry(slot).or_insert(StorageTexture { slot, name, access, dimension, format });
        }
    }
    images.into_values().collect()
}

/// Returns the varyings of a pair in the order of their locations, or no varyings if one stage is missing.
pub(super) fn links(stages: &[Stage]) -> Vec<Link> {
    let of = |kind| stages.iter().find(|stage| stage.stage == kind);
    let (Some(vertex), Some(fragment)) = (of(FunctionKind::Vertex), of(FunctionKind::Fragment)) else {
        return Vec::new();
    };
    let both = || vertex.varyings.iter().chain(&fragment.varyings);
    let locations: BTreeSet<u32> = both().map(|varying| varying.location).collect();
    let link = |location: u32| {
        let at = |stage: &Stage| {
            let found = stage.varyings.iter().find(|varying| varying.location == location);
            found.map(|varying| varying.components.clone()).unwrap_or_default()
        };
        let varying = both().find(|varying| varying.location == location)?;
        Some(Link {
            register: varying.register.clone(),
            location,
            ty: varying.ty,
            interpolation: varying.interpolation,
            written: at(vertex),
            read: at(fragment),
        })
    };
    locations.into_iter().filter_map(link).collect()
}
