//! Mends: what is done before and after naga's readers, because they mistake a source without saying so, refuse it, or panic at it.
//!
//! Rule: whatever mends naga's input stands in this folder, and each mend names the fault of naga that it is for, in a paragraph that
//! begins with "Upstream fault" and a name. `tests/it/upstream.rs` has a row for each name, which runs naga alone and fails where a
//! newer naga no longer has the fault: then the mend goes. naga's version is pinned in the workspace's manifest.

pub(crate) mod aliases;
pub(crate) mod buffers;
pub(crate) mod glsl;
pub(crate) mod images;
mod instructions;
pub(crate) mod logical;
pub(crate) mod switches;
pub(crate) mod whole;
