//! Mends size queries of storage textures. To get the number of layers, naga's writer uses OpImageQuerySizeLod. SPIR-V forbids
//! that instruction for storage textures, which have no mip levels. This file replaces OpImageQuerySizeLod with OpImageQuerySize.
//!
//! Upstream fault `storage_size_level`: `ImageQuery::NumLayers` in `BlockContext::write_image_query` of `back/spv/image.rs`
//! writes OpImageQuerySizeLod for every image, which spirv-val rejects for a storage texture. No upstream issue is known.

use std::collections::HashSet;

use rspirv::spirv::Op;

use crate::assembly::{HEADER, each_inst};

/// The value of OpTypeImage's operand `Sampled` for a storage texture.
const STORAGE: u32 = 2;

/// Replaces each OpImageQuerySizeLod of a storage texture with OpImageQuerySize.
pub(crate) fn without_levels(words: Vec<u32>) -> Vec<u32> {
    let mut storage = HashSet::new();
    let mut of_level = false;
    each_inst(&words, |op, inst| match (op, inst) {
        (Op::TypeImage, &[_, id, _, _, _, _, _, STORAGE, ..]) => _ = storage.insert(id),
        (Op::Load, &[_, ty, id, ..]) if storage.contains(&ty) => _ = storage.insert(id),
        (Op::ImageQuerySizeLod, &[_, _, _, image, _]) => of_level |= storage.contains(&image),
        _ => {}
    });
    if !of_level {
        return words;
    }
    let mut without = words.get(..HEADER).unwrap_or_default().to_vec();
    each_inst(&words, |op, inst| match (op, inst) {
        (Op::ImageQuerySizeLod, &[_, ty, id, image, _]) if storage.contains(&image) => {
            without.extend([4 << 16 | Op::ImageQuerySize as u32, ty, id, image]);
        }
        _ => without.extend(inst),
    });
    without
}
