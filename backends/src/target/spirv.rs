//! The SPIR-V target: its features, and its writer, which calls naga's writer and optimises the words.

use naga::back::spv;
use naga::proc::BoundsCheckPolicies;
use naga::valid::ModuleInfo;

use crate::error::Error;
use crate::features::{Combined, Features, Returns};
use crate::language::Language;
use crate::layout::{Layout, Numbering, Samplers};
use crate::lower::{Bound, OMITTED, describe};
use crate::mend::combined::combined;
use crate::mend::optimise::optimise;
use crate::mend::sizes::without_levels;
use crate::origins::Origins;

pub(super) const FEATURES: Features = Features {
    endless_loops: true,
    discard_ends: true,
    unreached_returns: Returns::Never,
    points: true,
    compute: true,
    push_constants: true,
    combined_samplers: Combined::ByLayout,
    aliases: true,
    offsets: true,
    matrix_members: true,
    y_down: true,
    flips_by_viewport: true,
    ..Features::of(Language::Spirv)
};

/// Writes a module as SPIR-V words for Vulkan. The module's labels must have been replaced by names. If values are traced, the
/// words contain debug names that mark the values.
pub(super) fn spirv(
    module: naga::Module,
    info: ModuleInfo,
    bindings: &[Bound],
    layout: &Layout,
    origins: Option<&Origins>,
) -> Result<Vec<u32>, Error> {
    let place = |(descriptor_set, binding)| spv::BindingInfo { descriptor_set, binding, binding_array_size: None };
    let source = origins.map(Origins::source);
    let options = spv::Options {
        lang_version: layout.spirv,
        // naga need not adjust the position or clamp the depth, because the lowered module already contains the necessary code.
        flags: spv::WriterFlags::DEBUG | spv::WriterFlags::LABEL_VARYINGS,
        // A binding that is missing from the map is written unchanged.
        fake_missing_bindings: true,
        binding_map: {
            let moved = bindings.iter().filter(|bound| (bound.binding.group, bound.binding.binding) != bound.place);
            moved.map(|bound| (bound.binding, place(bound.place))).collect()
        },
        // The module already clamps indices, so naga needs no bounds checks.
        bounds_check_policies: BoundsCheckPolicies::default(),
        // An endless loop is kept as the programmer wrote it, and integer divisions are checked, as the IR requires.
        force_loop_bounding: false,
        emit_int_div_checks: true,
        debug_info: source.as_deref().map(|source_code| spv::DebugInfo {
            source_code,
            file_name: "",
            language: spv::SourceLanguage::Unknown,
        }),
        ..spv::Options::default()
    };
    let words = spv::write_vec(&module, &info, &options, None);
    let is_storage =
        |ty: &naga::Type| matches!(ty.inner, naga::TypeInner::Image { class: naga::ImageClass::Storage { .. }, .. });
    let has_storage = module.types.iter().any(|(_, ty)| is_storage(ty));
    // The module is dropped early, because it takes more memory than all other data and later steps need only the words.
    drop((module, info));
    let mut words = words.map_err(|error| Error::Internal(describe(&error)))?;
    if let Some(origins) = origins {
        origins.mark(&mut words);
    }
    let words = if has_storage { without_levels(words) } else { words };
    let words = match layout.samplers {
        _ if layout.numbering == Numbering::Source => {
            // A module without bindings of the source has no omitted samplers.
            let has_omitted = bindings.iter().any(|bound| bound.place.1 >= OMITTED);
            if has_omitted { combined(&words, |binding| binding >= OMITTED)? } else { words }
        }
        Samplers::Combined => combined(&words, |_| true)?,
        Samplers::Separate => words,
    };
    Ok(optimise(words))
}
