//! AGAL shaders in a Rust program: a build script translates the shaders, and the program includes the generated code.
//!
//! ```no_run
//! // build.rs
//! # #[cfg(feature = "build")]
//! use agal_build::{Config, Error, Target};
//!
//! # #[cfg(feature = "build")]
//! fn main() -> Result<(), Error> {
//!     Config::new()
//!         .pair("lit", "shaders/lit.vert.agal", "shaders/lit.frag.agal") // or .folder("shaders")
//!         .name("lit", "vc0..3", "clip: mat4x4")
//!         .attribute("lit", "va2", "uv: Float32x2")
//!         .targets([Target::Wgsl, Target::GlslEs300])
//!         .compile()
//! }
//! # #[cfg(not(feature = "build"))]
//! # fn main() {}
//! ```
//!
//! ```ignore
//! // src/main.rs
//! agal_build::include!("lit");
//! ```
//!
//! The macro includes a documented module `lit`, which contains these items:
//!
//! | item | contents |
//! |---|---|
//! | `lit::WGSL`, `lit::GLSL_ES_300_VERTEX`, ... | the shaders, translated to each target |
//! | `lit::VS_MAIN`, `lit::FS_MAIN` | the names of the entry points |
//! | `lit::Vc`, `lit::Fc` | the constants as structures, with members at the offsets of their registers. `Default` uses the values that the shaders' source states. For immediates, `OFFSET` is the byte offset of the structure |
//! | `lit::Vertex` | a vertex; `Vertex::LAYOUT` is its `wgpu::VertexBufferLayout` |
//! | `lit::FS0_SAMPLER` | a `wgpu::SamplerDescriptor` with the state that the shader declares |
//! | `lit::Constants`, `lit::Textures` | the resources of a bind group by name, with `layout`, `bind_group` and the number `GROUP` |
//! | `lit::pipeline_layout`, `lit::shader_module`, `lit::vertex_state`, `lit::fragment_state` | the parts of a pipeline |
//!
//! # Dependencies of a program
//!
//! ```toml
//! [dependencies]
//! agal-build = { version = "0.1", default-features = false }
//! bytemuck = { version = "1.25", features = ["derive", "min_const_generics"] }
//! wgpu = "30"
//!
//! [build-dependencies]
//! agal-build = "0.1"
//! ```
//!
//! The crate is listed twice, because Cargo builds it with different features for build scripts and for programs. Without
//! its default feature `build`, the crate consists of the macro and has no dependencies, so the translator is not compiled
//! into the program. A single crate for both uses avoids a second name and a second version that must match. Without
//! `default-features = false`, the build still works but is slower.
//!
//! Except for the code for wgpu ([`Config::wgpu`]), the generated code needs neither `std` nor allocation. The generated
//! code uses no other crates if [`Config::wgpu`] and [`Config::bytemuck`] are off.

#![cfg_attr(not(test), warn(clippy::indexing_slicing, clippy::cast_possible_truncation))]
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::unreachable))]

#[cfg(feature = "build")]
mod cargo;
#[cfg(feature = "build")]
mod code;
#[cfg(feature = "build")]
mod config;
#[cfg(feature = "build")]
mod describe;
#[cfg(feature = "build")]
mod error;
#[cfg(feature = "build")]
mod find;
#[cfg(feature = "build")]
mod generate;
#[cfg(feature = "build")]
mod naming;
#[cfg(feature = "build")]
mod pair;
#[cfg(feature = "build")]
mod rust;
#[cfg(feature = "build")]
mod stale;
#[cfg(feature = "build")]
mod wgpu;

#[cfg(all(test, feature = "build"))]
mod tests;

/// The translator crate, which defines the types of all options, such as `agal_build::agalc::Constants`.
#[cfg(feature = "build")]
pub use agalc;
#[cfg(feature = "build")]
pub use backends::Layout;
#[cfg(feature = "build")]
pub use config::{Config, Generated, Target};
#[cfg(feature = "build")]
pub use error::{Error, Problem, ProblemKind};

/// Includes the module that a build script generated for a pair: `agal_build::include!("lit");` defines `mod lit`.
#[macro_export]
macro_rules! include {
    ($name:literal) => {
        ::core::include!(::core::concat!(::core::env!("OUT_DIR"), "/", $name, ".rs"));
    };
}
