//! Writes SPIR-V.

use naga::back::spv;
use naga::valid::ModuleInfo;
use rspirv::spirv::{Op, StorageClass};

use crate::emit::combined::combined;
use crate::emit::lean::lean;
use crate::features::{Combined, Features, Returns};
use crate::lower::{Bound, describe};
use crate::words::Language;
use crate::{Error, Layout, Samplers};

/// What SPIR-V for Vulkan has.
pub(super) const FEATURES: Features = Features {
    endless_loops: true,
    discard_ends: true,
    unreached_returns: Returns::Never,
    points: true,
    push_constants: true,
    combined_samplers: Combined::ByLayout,
    offsets: true,
    matrix_members: true,
    y_down: true,
    flips_by_viewport: true,
    ..Features::of(Language::Spirv)
};

/// Writes a module, whose labels have been replaced by names, as SPIR-V words for Vulkan.
pub(super) fn spirv(
    module: naga::Module,
    info: ModuleInfo,
    bindings: &[Bound],
    layout: &Layout,
) -> Result<Vec<u32>, Error> {
    let place = |(descriptor_set, binding)| spv::BindingInfo { descriptor_set, binding, binding_array_size: None };
    let options = spv::Options {
        lang_version: layout.spirv,
        // The position is adjusted and the depth clamped in the module.
        flags: spv::WriterFlags::DEBUG | spv::WriterFlags::LABEL_VARYINGS,
        // A binding that is not in the map is its own place.
        fake_missing_bindings: true,
        binding_map: {
            let moved = bindings.iter().filter(|bound| (bound.binding.group, bound.binding.binding) != bound.place);
            moved.map(|bound| (bound.binding, place(bound.place))).collect()
        },
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
    let words = spv::write_vec(&module, &info, &options, None);
    // The module takes more memory than anything else, and the words are all that is needed from here on.
    drop((module, info));
    let words = words.map_err(|error| Error::Internal(describe(&error)))?;
    let mut words = if layout.samplers == Samplers::Combined { combined(&words)? } else { words };
    order_variables(&mut words);
    Ok(lean(words))
}

/// Puts the variables of each function in the order of their ids, which is that of the lowered module. naga writes them in the order of a
/// hash table, which is another on a machine of 32 bits.
fn order_variables(words: &mut [u32]) {
    /// The words before the first instruction.
    const HEADER: usize = 5;
    const VARIABLE: u32 = Op::Variable as u32;
    let is_local = |inst: &[u32]| inst[0] & 0xffff == VARIABLE && inst.get(3) == Some(&(StorageClass::Function as u32));
    let length = |words: &[u32], at: usize| words.get(at).map_or(1, |head| (head >> 16) as usize).max(1);
    let mut at = HEADER;
    while at < words.len() {
        let start = at;
        let mut found: Vec<&[u32]> = Vec::new();
        while let Some(inst) = words.get(at..at + length(words, at)).filter(|inst| is_local(inst)) {
            found.push(inst);
            at += inst.len();
        }
        match found.len() {
            0 => at += length(words, at),
            1 => {}
            _ => {
                found.sort_by_key(|inst| inst[2]);
                let ordered = found.concat();
                words[start..at].copy_from_slice(&ordered);
            }
        }
    }
}
