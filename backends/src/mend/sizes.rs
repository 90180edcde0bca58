//! Size queries of storage textures. To get the number of layers, naga's writer uses OpImageQuerySizeLod. SPIR-V
//! forbids that instruction for a storage texture, which has no levels, so it is replaced by OpImageQuerySize.
//!
//! Upstream fault `storage_size_level`: `ImageQuery::NumLayers` in `BlockContext::write_image_query` of `back/spv/image.rs`
//! writes OpImageQuerySizeLod whatever the image is, which spirv-val refuses for a storage texture. No issue is known.

use std::collections::HashSet;

const TYPE_IMAGE: u32 = 25;
const LOAD: u32 = 61;
const QUERY_SIZE_LOD: u32 = 103;
const QUERY_SIZE: u32 = 104;

/// The words of a header.
const HEADER: usize = 5;

/// Whether a type of images is one of storage textures, by its operand `Sampled`.
const STORAGE: u32 = 2;

/// Replaces the instruction where the image is a storage texture.
pub(crate) fn without_levels(words: Vec<u32>) -> Vec<u32> {
    let mut storage = HashSet::new();
    let mut of_level = false;
    each(&words, |inst| match *inst {
        [first, id, _, _, _, _, _, STORAGE, ..] if first & 0xffff == TYPE_IMAGE => _ = storage.insert(id),
        [first, ty, id, ..] if first & 0xffff == LOAD && storage.contains(&ty) => _ = storage.insert(id),
        [first, _, _, image, _] if first & 0xffff == QUERY_SIZE_LOD => of_level |= storage.contains(&image),
        _ => {}
    });
    if !of_level {
        return words;
    }
    let mut without = words.get(..HEADER).unwrap_or_default().to_vec();
    each(&words, |inst| match *inst {
        [first, ty, id, image, _] if first & 0xffff == QUERY_SIZE_LOD && storage.contains(&image) => {
            without.extend([4 << 16 | QUERY_SIZE, ty, id, image]);
        }
        _ => without.extend(inst),
    });
    without
}

/// Calls a function with the words of each instruction.
fn each(words: &[u32], mut f: impl FnMut(&[u32])) {
    let mut rest = words.get(HEADER..).unwrap_or_default();
    while let Some(&first) = rest.first() {
        let count = ((first >> 16) as usize).clamp(1, rest.len());
        let (inst, after) = rest.split_at(count);
        f(inst);
        rest = after;
    }
}
