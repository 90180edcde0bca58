//! The memory that the invocations of a dispatch share.

use std::collections::BTreeMap;

use sdlbc::FunctionKind;

use crate::StorageTexture;
use crate::step::Place;

/// The storage buffers and storage textures of a dispatch, and the shared arrays of the current workgroup.
#[derive(Debug)]
pub(crate) struct Memory {
    pub(super) buffers: BTreeMap<(FunctionKind, u32), Vec<u32>>,
    pub(super) images: BTreeMap<(FunctionKind, u32), StorageTexture>,
    pub(super) shared: Vec<u32>,
}

impl Memory {
    /// Returns the words of a buffer or of a shared array, and the number of elements. Each element has `width` components.
    pub(super) fn words(&mut self, place: Place, width: usize) -> (&mut [u32], usize) {
        match place {
            Place::Buffer(slot) => {
                let key = (FunctionKind::Compute, slot);
                let words = self.buffers.get_mut(&key).map(Vec::as_mut_slice).unwrap_or_default();
                let length = words.len() / width.max(1);
                (words, length)
            }
            Place::Shared { first, length } => {
                let end = (first + length * width).min(self.shared.len());
                (&mut self.shared[first.min(end)..end], length)
            }
        }
    }
}
