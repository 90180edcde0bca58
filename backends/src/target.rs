//! The targets. Each target has its own file, which contains the target's row of features and its writer.
//!
//! Rule: targets are named only in this file, in their own files and in messages, so that a new target needs only a row and a
//! file.

mod glsl;
mod hlsl;
mod msl;
mod spirv;
mod wgsl;

use sdlbc::FunctionKind;

use crate::assembly::spirv_assembly;
use crate::emit::name;
use crate::error::Error;
use crate::features::Features;
use crate::interface::Interface;
use crate::layout::Layout;
use crate::lower::Lowered;
use crate::mend::names::Given;
use crate::origins::{Lines, lines_of_assembly, take_marks};
use crate::output::{Code, Output};
use crate::versions::Target;

pub(crate) use hlsl::linked_by_order;

impl Target {
    /// Reports whether each file of the target contains a single stage, in which case a module with both stages is written to two
    /// files.
    pub fn holds_one_stage(self) -> bool {
        self.features().one_stage
    }

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

/// Writes a lowered module and describes its interface with the names that the code uses. `stage` selects the stage in a language
/// whose files contain a single stage. If values are traced, the second result lists the values that each line computes.
pub(crate) fn write(
    mut lowered: Lowered,
    target: Target,
    stage: Option<FunctionKind>,
    layout: &Layout,
) -> Result<(Output, Lines), Error> {
    let mut tables = Vec::new();
    let is_traced = lowered.names.origins.is_some();
    let (code, mut given) = match target {
        Target::Spirv => {
            let mut given = name(&mut lowered);
            let (module, info) = (std::mem::take(&mut lowered.module), std::mem::take(&mut lowered.info));
            let mut words = spirv::spirv(module, info, &lowered.bindings, layout, lowered.names.origins.as_ref())?;
            if is_traced {
                let marks = take_marks(&mut words);
                given.lines = lines_of_assembly(&spirv_assembly(&words)?, &marks);
            }
            (Code::Words(words), given)
        }
        Target::Wgsl => text(wgsl::wgsl(&lowered)?),
        Target::Glsl(version) => text(glsl::glsl(&lowered, stage.unwrap_or_default(), version, layout)?),
        Target::Hlsl(model) => text(hlsl::hlsl(&lowered, model)?),
        Target::Msl(version) => {
            let (code, given, sizes) = msl::msl(&lowered, version)?;
            tables = sizes;
            text((code, given))
        }
    };
    let Lowered { mut entries, entry_names, mut resources, .. } = lowered;
    for (entry, name) in entries.iter_mut().zip(entry_names) {
        entry.name = name.into_name(&given);
    }
    resources.append(&mut tables);
    resources.retain(|resource| stage.is_none_or(|stage| resource.stage == stage));
    let interface = Interface::resolved(entries, resources, |label| given.rename(label));
    Ok((Output { code, interface, renamed: Vec::new() }, std::mem::take(&mut given.lines)))
}

fn text((text, given): (String, Given)) -> (Code, Given) {
    (Code::Text(text), given)
}
