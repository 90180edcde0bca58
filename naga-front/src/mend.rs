//! Mends: changes and checks before and after naga's readers, for sources that make the readers panic, or that they refuse
//! or misread silently.
//!
//! Rule: every mend of naga's input is in this folder and names the fault of naga that it works around, in a paragraph
//! that begins with "Upstream fault" and a name. `tests/it/upstream.rs` has a row for each name, which runs naga alone
//! and fails where a newer naga no longer has the fault: then the mend is removed. naga's version is pinned in the
//! workspace's manifest.

pub(crate) mod aliases;
pub(crate) mod buffers;
pub(crate) mod glsl;
pub(crate) mod images;
mod instructions;
pub(crate) mod logical;
pub(crate) mod member_loads;
pub(crate) mod switches;
