//! Writes SPIR-V.

use naga::back::spv;

use super::name;
use crate::Error;
use crate::lower::{Lowered, describe};

/// Writes a module as SPIR-V words for Vulkan 1.1.
pub(crate) fn spirv(mut lowered: Lowered) -> Result<Vec<u32>, Error> {
    name(&mut lowered);
    let options = spv::Options {
        lang_version: (1, 3),
        // The position is adjusted and the depth clamped in the module.
        flags: spv::WriterFlags::DEBUG | spv::WriterFlags::LABEL_VARYINGS,
        fake_missing_bindings: false,
        binding_map: lowered
            .module
            .global_variables
            .iter()
            .filter_map(|(_, variable)| variable.binding)
            .map(|at| {
                (at, spv::BindingInfo { descriptor_set: at.group, binding: at.binding, binding_array_size: None })
            })
            .collect(),
        bounds_check_policies: naga::proc::BoundsCheckPolicies {
            index: naga::proc::BoundsCheckPolicy::Unchecked, // indices are clamped in the module
            buffer: naga::proc::BoundsCheckPolicy::Unchecked,
            image_load: naga::proc::BoundsCheckPolicy::Unchecked,
            binding_array: naga::proc::BoundsCheckPolicy::Unchecked,
        },
        // An endless loop is the program's own; integer division follows the IR.
        force_loop_bounding: false,
        emit_int_div_checks: true,
        ..spv::Options::default()
    };
    spv::write_vec(&lowered.module, &lowered.info, &options, None).map_err(|error| Error::Internal(describe(&error)))
}
