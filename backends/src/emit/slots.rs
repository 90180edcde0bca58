//! Numbers of resources where each stage counts its own from 0, constants, textures and samplers apart: MSL, and HLSL for
//! Direct3D 11. Textures are in the order of their slots, and a sampler has the number of its texture.

use naga::{AddressSpace, GlobalVariable, Handle, ShaderStage, TypeInner};

use crate::lower::Lowered;

/// What a resource is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Constants,
    Texture,
    Sampler,
}

/// A resource that the code reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Slot {
    pub(super) variable: Handle<GlobalVariable>,
    pub(super) stage: ShaderStage,
    pub(super) kind: Kind,
    /// Its number among those of its stage and kind.
    pub(super) number: u32,
    /// The texture that a sampler belongs to; any other resource is its own.
    pub(super) of: Handle<GlobalVariable>,
}

/// Returns the resources that the code reads.
pub(super) fn slots(lowered: &Lowered) -> Vec<Slot> {
    let variables = &lowered.module.global_variables;
    let of_kind = |kind: Kind| {
        let of_kind = variables.iter().filter(move |(_, variable)| kind_of(lowered, variable) == Some(kind));
        of_kind.map(|(handle, _)| handle)
    };
    // A texture's sampler follows it, so the samplers are in the order of the textures.
    let pairs: Vec<_> = of_kind(Kind::Sampler).zip(of_kind(Kind::Texture)).collect();
    let texture_of = |sampler| pairs.iter().find(|(of, _)| *of == sampler).map_or(sampler, |(_, texture)| *texture);
    let mut slots = Vec::new();
    for kind in [Kind::Constants, Kind::Texture, Kind::Sampler] {
        for variable in of_kind(kind) {
            let Some(stage) = stage_of(lowered, variable) else { continue };
            let of = texture_of(variable);
            let place = |handle: Handle<GlobalVariable>| variables[handle].binding.map(|at| (at.group, at.binding));
            let counted = if kind == Kind::Sampler { Kind::Texture } else { kind };
            let before = of_kind(counted).filter(|&other| {
                // A texture that is only read through its sampler counts, and so does one that is only fetched from.
                stage_of(lowered, other) == Some(stage) && place(other) < place(of)
            });
            let number = u32::try_from(before.count()).unwrap_or(u32::MAX);
            slots.push(Slot { variable, stage, kind, number, of });
        }
    }
    slots
}

/// Returns what a variable is; `None` if it is no resource.
fn kind_of(lowered: &Lowered, variable: &GlobalVariable) -> Option<Kind> {
    match (variable.space, &lowered.module.types[variable.ty].inner) {
        (AddressSpace::Uniform | AddressSpace::Immediate, _) => Some(Kind::Constants),
        (AddressSpace::Handle, TypeInner::Image { .. }) => Some(Kind::Texture),
        (AddressSpace::Handle, TypeInner::Sampler { .. }) => Some(Kind::Sampler),
        _ => None,
    }
}

/// Returns the stage whose entry point uses a variable, directly or through calls.
fn stage_of(lowered: &Lowered, variable: Handle<GlobalVariable>) -> Option<ShaderStage> {
    let mut entries = lowered.module.entry_points.iter().enumerate();
    let user = entries.find(|(index, _)| !lowered.info.get_entry_point(*index)[variable].is_empty());
    user.map(|(_, entry)| entry.stage)
}
