//! The numbers of classes and methods in all blocks together.

/// A class: its number in [`World::classes`](crate::avm::world::World::classes).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ClassId(pub(crate) u32);

/// A method: the number of its block, and its number in the block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct MethodId {
    pub(crate) unit: u32,
    pub(crate) method: u32,
}

impl Default for MethodId {
    /// The identifier of no method.
    fn default() -> MethodId {
        MethodId { unit: u32::MAX, method: u32::MAX }
    }
}
