//! The targets. Each has a file with its row, which says what the target has, and its writer.
//!
//! Rule: a target is named here, in its own file, and in messages. A new one is a row and a file.

mod glsl;
mod hlsl;
mod msl;
mod spirv;
mod wgsl;

use sdlbc::FunctionKind;

use crate::emit::name;
use crate::features::Features;
use crate::interface::Interface;
use crate::lower::Lowered;
use crate::names::Given;
use crate::{Code, Error, Layout, Output, Target};

pub(crate) use hlsl::linked_by_order;

impl Target {
    /// Whether a file of the target holds one stage: then a module with both is written to two.
    pub fn holds_one_stage(self) -> bool {
        self.features().one_stage
    }

    /// The target's row.
    pub(crate) fn features(self) -> Features {
        match self {
            Target::Spirv => spirv::FEATURES,
            Target::Wgsl => wgsl::FEATURES,
            Target::Glsl(version) => glsl::features(version),
            Target::Hlsl(model) => hlsl::features(model),
            Target::Msl(_) => msl::FEATURES,
        }
    }
}

/// Writes a lowered module and describes its interface by the names in the code. `stage` is the one that a text of one stage holds.
pub(crate) fn write(
    mut lowered: Lowered,
    target: Target,
    stage: Option<FunctionKind>,
    layout: &Layout,
) -> Result<Output, Error> {
    let (code, given) = match target {
        Target::Spirv => {
            let given = name(&mut lowered);
            let (module, info) = (std::mem::take(&mut lowered.module), std::mem::take(&mut lowered.info));
            (Code::Words(spirv::spirv(module, info, &lowered.bindings, layout)?), given)
        }
        Target::Wgsl => text(wgsl::wgsl(&lowered)?),
        Target::Glsl(version) => text(glsl::glsl(&lowered, stage.unwrap_or_default(), version, layout)?),
        Target::Hlsl(model) => text(hlsl::hlsl(&lowered, model)?),
        Target::Msl(version) => text(msl::msl(&lowered, version)?),
    };
    let Lowered { mut entries, entry_names, mut resources, .. } = lowered;
    for (entry, name) in entries.iter_mut().zip(entry_names) {
        entry.name = name.into_name(&given);
    }
    resources.retain(|resource| stage.is_none_or(|stage| resource.stage == stage));
    let interface = Interface::resolved(entries, resources, |label| given.rename(label));
    Ok(Output { code, interface, renamed: Vec::new() })
}

fn text((text, given): (String, Given)) -> (Code, Given) {
    (Code::Text(text), given)
}
