//! Mends naga's output: replaces code that nobody would write by hand or that a compiler rejects, and removes needless SPIR-V
//! instructions. [`names`] assigns all names, [`baked`] decides which values naga names, and [`tidy`] has the steps that several
//! languages share, as has [`exchanges`]. [`glsl`], [`hlsl`] and [`msl`] have the steps for one language, in the order in which they
//! run. [`combined`],
//! [`sizes`] and [`optimise`] change SPIR-V.
//!
//! Rule: every mend is in this folder and documents the fault of naga that it works around, in a paragraph that begins with
//! "Upstream fault" and a name. `tests/it/upstream.rs` has a row for each fault. The row's test runs naga alone. The test fails
//! once a newer version of naga no longer has the fault, which means that the mend can be removed. The workspace's manifest pins
//! naga's version. No mend depends on what the module computes.

pub(crate) mod arithmetic;
pub(crate) mod baked;
pub(crate) mod combined;
mod exchanges;
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
