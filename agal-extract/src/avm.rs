//! The code of a SWF: the definitions in its ABC blocks, and the instructions of its methods.

pub(crate) mod abc;
pub(crate) mod code;
pub(crate) mod ids;
pub(crate) mod names;
pub(crate) mod types;
pub(crate) mod unit;
pub(crate) mod world;
