//! Identifiers for classes and methods, unique across all ABC blocks.

/// The index of a class in [`World::classes`](crate::avm::world::World::classes).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ClassId(pub(crate) u32);

/// A method, identified by the index of its block and its index in the block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct MethodId {
    pub(crate) unit: u32,
    pub(crate) method: u32,
}

impl Default for MethodId {
    /// Returns an identifier that belongs to no method.
    fn default() -> MethodId {
        MethodId { unit: u32::MAX, method: u32::MAX }
    }
}
