//! Writes the Metal Shading Language, with an entry point for each stage of the module.
//!
//! `mend/msl.rs` and `mend/msl_memory.rs` turn naga's output into code that looks hand-written.

use naga::back::msl as msl_out;
use naga::proc::BoundsCheckPolicies;
use naga::{AddressSpace, ShaderStage, TypeInner};

use crate::emit::is_read;
use crate::error::Error;
use crate::features::{Entry, Features, Resources};
use crate::interface::Resource;
use crate::language::Language;
use crate::lower::{Lowered, describe};
use crate::mend::baked::for_text;
use crate::mend::msl::mended;
use crate::mend::names::Given;
use crate::versions::{MslVersion, Target};

pub(super) const FEATURES: Features = Features {
    points: true,
    // MSL does not allow `main` as the name of an entry point; other compilers write `main0` instead.
    entry: Entry::NotMain,
    compute: true,
    // A buffer is a pointer in MSL, so its length is unknown.
    buffer_lengths: false,
    resources: Resources::Indices,
    ..Features::of(Language::Msl)
};

/// Writes the module as MSL, and returns the tables of buffer sizes that the application must pass.
pub(super) fn msl(lowered: &Lowered, version: MslVersion) -> Result<(String, Given, Vec<Resource>), Error> {
    mended(&by_naga(lowered, version)?, lowered, version)
}

fn by_naga(lowered: &Lowered, version: MslVersion) -> Result<String, Error> {
    let module = for_text(lowered);
    let mut per_entry_point_map = msl_out::EntryPointResourceMap::default();
    for entry in &module.entry_points {
        let sizes = lowered.sizes.iter().find(|sizes| sizes.stage == entry.stage);
        let sizes = sizes.map_or(Ok(0), |sizes| in_range("buffer", sizes.index, 30, version))?;
        let mut of_entry = msl_out::EntryPointResources {
            // naga requires a buffer of sizes if an entry point reads a storage buffer.
            sizes_buffer: Some(sizes),
            ..Default::default()
        };
        for bound in lowered.bindings.iter().filter(|bound| bound.stage == entry.stage) {
            let variable = module.global_variables.iter().find(|(handle, variable)| {
                variable.binding == Some(bound.binding) && is_read(lowered, *handle, bound.stage)
            });
            let Some((_, variable)) = variable else { continue };
            let number = |kind, highest| in_range(kind, bound.place.1, highest, version);
            let mut target = msl_out::BindTarget::default();
            match (variable.space, &module.types[variable.ty].inner) {
                (AddressSpace::Uniform | AddressSpace::Storage { .. }, _) => {
                    target.buffer = Some(number("buffer", 30)?)
                }
                (_, TypeInner::Sampler { .. }) => {
                    target.sampler = Some(msl_out::BindSamplerTarget::Resource(number("sampler", 15)?));
                }
                _ => target.texture = Some(number("texture", 127)?),
            }
            of_entry.resources.insert(bound.binding, target);
        }
        per_entry_point_map.insert(entry.name.clone(), of_entry);
        let arguments = entry.function.arguments.iter().flat_map(|argument| match &module.types[argument.ty].inner {
            TypeInner::Struct { members, .. } => members.iter().map(|member| &member.binding).collect(),
            _ => vec![&argument.binding],
        });
        for binding in arguments.filter(|_| entry.stage == ShaderStage::Vertex) {
            if let Some(naga::Binding::Location { location, .. }) = binding {
                in_range("vertex attribute", *location, 30, version)?;
            }
        }
    }
    let options = msl_out::Options {
        lang_version: version.parts(),
        per_entry_point_map,
        fake_missing_bindings: false,
        // The module already clamps indices, so naga needs no bounds checks.
        bounds_check_policies: BoundsCheckPolicies::default(),
        zero_initialize_workgroup_memory: false,
        force_loop_bounding: false,
        ..msl_out::Options::default()
    };
    let pipeline =
        msl_out::PipelineOptions { allow_and_force_point_size: has_point_size(&module), ..Default::default() };
    let unsupported = |what: String| Error::Unsupported { what, target: Target::Msl(version) };
    let (text, reflection) =
        msl_out::write_string(&module, &lowered.info, &options, &pipeline).map_err(|error| match error {
            msl_out::Error::UnsupportedAttribute(what) => unsupported(format!("the attribute `{what}`")),
            msl_out::Error::UnsupportedFunction(what) => unsupported(format!("the function `{what}`")),
            msl_out::Error::UnsupportedBuiltIn(what) => unsupported(format!("the builtin {what:?}")),
            error => Error::Internal(describe(&error)),
        })?;
    match reflection.entry_point_names.into_iter().find_map(Result::err) {
        Some(error) => Err(Error::Internal(describe(&error))),
        None => Ok(text),
    }
}

/// Checks that the number of a resource or attribute does not exceed Metal's maximum for its kind (Metal Feature Set Tables, "GPU
/// implementation limits by family").
fn in_range(kind: &str, number: u32, highest: u8, version: MslVersion) -> Result<u8, Error> {
    let in_range = u8::try_from(number).ok().filter(|number| *number <= highest);
    in_range.ok_or_else(|| Error::Unsupported {
        what: format!("{kind} {number} (the highest number is {highest})"),
        target: Target::Msl(version),
    })
}

/// Reports whether the vertex stage writes a point size. If the stage writes no point size, naga must not add one.
fn has_point_size(module: &naga::Module) -> bool {
    let is_size =
        |binding: &Option<naga::Binding>| matches!(binding, Some(naga::Binding::BuiltIn(naga::BuiltIn::PointSize)));
    let vertex = module.entry_points.iter().find(|entry| entry.stage == ShaderStage::Vertex);
    let result = vertex.and_then(|entry| entry.function.result.as_ref());
    result.is_some_and(|result| match &module.types[result.ty].inner {
        naga::TypeInner::Struct { members, .. } => members.iter().any(|member| is_size(&member.binding)),
        _ => is_size(&result.binding),
    })
}
