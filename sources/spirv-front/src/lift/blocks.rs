//! Arrays of uniform blocks and of storage buffers.
//!
//! In the format, each block of such an array is a uniform or a storage buffer of its own. Code that reads or writes a block at a computed
//! index becomes a SWITCH on the index, with a case for each block.

use sdlbc::lifting::{Step, Value};

use super::layout::{Buffer, MOST_FIELDS, MatrixLayout, Uniform};
use super::memory::Memory;
use super::pointer::Resource;
use super::{Lifter, Shared};
use crate::module::Ty;

/// The maximum number of blocks of an array.
const MOST_BLOCKS: u32 = 64;

/// A block of an array.
#[derive(Clone, Debug)]
pub(super) enum Block {
    Uniform(Uniform),
    Buffer(Buffer),
}

impl Shared<'_> {
    /// Returns the number of blocks or textures of a variable, which is 1 unless it is an array, and the type of one of them. An array without
    /// a length counts as one.
    pub(super) fn elements_of(&self, variable: u32) -> (u32, u32) {
        self.elements(self.module.globals.get(&variable).map_or(0, |global| global.ty))
    }

    /// Returns the number of elements in a value of a type, which is 1 unless the type is an array, and the type of an element.
    pub(super) fn elements(&self, mut ty: u32) -> (u32, u32) {
        let mut count = 1u32;
        for _ in 0..64 {
            let Some(&Ty::Array { element, length, .. }) = self.module.types.get(&ty) else { break };
            count = count.saturating_mul(self.module.length(length).unwrap_or(1));
            ty = element;
        }
        (count, ty)
    }

    /// Lays out the blocks of an array.
    pub(super) fn lay_out_blocks(&mut self, variable: u32) {
        let (count, ty) = self.elements_of(variable);
        if count > MOST_BLOCKS || !matches!(self.module.types.get(&ty), Some(Ty::Struct(_))) {
            return;
        }
        let is_buffer = self.is_buffer(variable);
        // Each field of each block may become a uniform.
        let leaves = self.module.shape(ty).map_or(1, |shape| shape.leaves());
        if leaves.saturating_mul(count.into()) > MOST_FIELDS {
            return;
        }
        for element in 0..count {
            let block = if is_buffer {
                self.lay_out_buffer(variable, ty, Some(element)).map(Block::Buffer)
            } else if self.is_uniform(variable) {
                self.lay_out_uniform(variable, ty, Some(element)).map(Block::Uniform)
            } else {
                None
            };
            block.into_iter().for_each(|block| {
                self.blocks.insert((variable, element), block);
            });
        }
    }
}

impl Lifter<'_, '_> {
    /// Reports whether a variable is an array of blocks.
    pub(super) fn is_array_of_blocks(&self, variable: u32) -> bool {
        let ty = self.module().globals.get(&variable).map_or(0, |global| global.ty);
        matches!(self.module().types.get(&ty), Some(Ty::Array { .. }))
    }

    /// Reads a part, of a type, of a block in an array.
    pub(super) fn load_from_blocks(&mut self, variable: u32, steps: &[Step], ty: u32) -> Value {
        let (place, inside) = self.split(variable, steps);
        let Some(block) = self.resource(variable, place) else { return self.zero(ty) };
        let value = self.for_each_block(block, ty, &mut |lifter, block| match lifter.block(block)? {
            Block::Uniform(uniform) => Some(lifter.load_from_uniform(block, &uniform, inside)),
            Block::Buffer(buffer) => {
                let memory = lifter.memory_of(block, &buffer);
                Some(lifter.read(memory, buffer.ty(), MatrixLayout::default(), inside))
            }
        });
        value.unwrap_or_else(|| self.zero(ty))
    }

    /// Writes a part of a storage buffer in an array.
    pub(super) fn store_to_blocks(&mut self, variable: u32, steps: &[Step], value: &Value) {
        self.shared.written.insert(variable);
        let (place, inside) = self.split(variable, steps);
        let Some(block) = self.resource(variable, place) else { return };
        self.for_each_block(block, 0, &mut |lifter, block| {
            if let Some(Block::Buffer(buffer)) = lifter.block(block) {
                let memory = lifter.memory_of(block, &buffer);
                lifter.write(memory, buffer.ty(), inside, value);
            }
            None
        });
    }

    /// Returns the memory of a storage buffer at a constant index in an array, and the type of its contents.
    pub(super) fn block_memory(&mut self, variable: u32, steps: &[Step]) -> Option<(Memory, u32)> {
        let block = self.resource(variable, steps).filter(|block| block.index.is_none())?;
        match self.block(block)? {
            Block::Buffer(buffer) => Some((self.memory_of(block, &buffer), buffer.ty())),
            Block::Uniform(_) => None,
        }
    }

    /// Splits the steps to a part of a block in an array into those to the block and those inside the block.
    fn split<'s>(&self, variable: u32, steps: &'s [Step]) -> (&'s [Step], &'s [Step]) {
        let mut ty = self.module().globals.get(&variable).map_or(0, |global| global.ty);
        let mut depth = 0;
        while let Some(&Ty::Array { element, .. }) = self.module().types.get(&ty).filter(|_| depth < steps.len()) {
            ty = element;
            depth += 1;
        }
        steps.split_at_checked(depth).unwrap_or((steps, &[]))
    }

    /// Returns a block; refuses the array and returns `None` if the format cannot express it.
    fn block(&mut self, block: Resource) -> Option<Block> {
        let found = self.shared.blocks.get(&(block.variable, block.element)).cloned();
        match (&found, self.shared.is_buffer(block.variable)) {
            (Some(_), _) => {}
            (None, true) => self.shared.refuse_buffer(block.variable),
            (None, false) => self.shared.refuse_uniform(block.variable),
        }
        found
    }

    /// Runs `work` for the block at a place. If the index is computed, `work` runs for each block, in a case of a SWITCH, and returns a value
    /// of the type `ty`.
    fn for_each_block(
        &mut self,
        block: Resource,
        ty: u32,
        work: &mut dyn FnMut(&mut Self, Resource) -> Option<Value>,
    ) -> Option<Value> {
        let Some(index) = block.index else { return work(self, block) };
        let (count, _) = self.shared.elements_of(block.variable);
        self.cases(ty, (index, count), &mut |lifter, number| {
            let element = block.element.wrapping_add(number).min(count.saturating_sub(1));
            work(lifter, Resource { element, index: None, ..block })
        })
    }
}
