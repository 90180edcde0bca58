//! Mends naga's output: code that a person would not write, code that a compiler rejects, and needless SPIR-V instructions.
//! [`names`] assigns all names, [`baked`] decides which values naga names, [`tidy`] has the steps that several languages
//! share, and [`glsl`], [`hlsl`] and [`msl`] have the steps of one language, in the order in which they run. [`combined`],
//! [`sizes`] and [`optimise`] change SPIR-V.
//!
//! Rule: every mend of naga's output is in this folder and names the fault of naga that it works around, in a paragraph
//! that begins with "Upstream fault" and a name. `tests/it/upstream.rs` has a row for each name, which runs naga alone
//! and fails where a newer naga no longer has the fault: then the mend is removed. naga's version is pinned in the
//! workspace's manifest. No mend depends on what the module computes.

pub(crate) mod arithmetic;
pub(crate) mod baked;
pub(crate) mod combined;
pub(crate) mod glsl;
pub(crate) mod hlsl;
mod hlsl_memory;
pub(crate) mod items;
pub(crate) mod label;
pub(crate) mod msl;
mod msl_memory;
pub(crate) mod names;
pub(crate) mod optimise;
mod shared;
pub(crate) mod sizes;
mod text;
pub(crate) mod tidy;
