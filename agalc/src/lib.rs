//! Translates AGAL, the shader bytecode of Flash's and AIR's Stage3D, in a program or a build script: any input to a checked
//! module, and from there to SPIR-V, WGSL, GLSL, HLSL or MSL.
//!
//! ```
//! use agalc::{Layout, Shader};
//!
//! let shader = Shader::pair("m44 op, va0, vc0\nmov v0, va1", "tex oc, v0, fs0 <2d,linear,repeat>")?;
//! println!("{}", shader.wgsl(&Layout::default())?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | task | use |
//! |---|---|
//! | read a program or a pair | [`Shader::pair`], [`Shader::single`], [`Shader::new`] with [`Options`] |
//! | write it for a target | [`Shader::write`], [`Shader::wgsl`], [`Shader::spirv`], [`Shader::glsl`] |
//! | say where the application puts its resources | [`Layout`] |
//! | know what a file is | [`detect()`] |
//! | read inputs one by one, for tools | [`items()`], [`read()`], [`combine()`], [`module()`] |
//!
//! Nothing here opens files, prints, or keeps global state, and nothing panics on any input: an [`Input`] is a name and bytes,
//! and what is wrong with it is a value with a position. Inputs that cannot be used are refused with all their errors:
//!
//! ```
//! use agalc::{ErrorKind, Foreign, Input, Options, Shader};
//!
//! let input = Input { name: "a.wgsl".to_string(), bytes: b"@vertex fn main() {}".to_vec() };
//! let refused = Shader::new(&[input], &Options::default()).unwrap_err();
//! let error = refused.errors().next().unwrap();
//! assert_eq!(error.kind, ErrorKind::Foreign(Foreign::Wgsl));
//! assert_eq!(error.to_string(), "`a.wgsl` is WGSL, which agalc writes but does not read");
//! ```
#![cfg_attr(not(test), warn(clippy::indexing_slicing, clippy::cast_possible_truncation))]

mod detect;
mod error;
mod foreign;
mod inline;
mod module;
pub mod names;
mod options;
mod pair;
mod read;
pub mod reflect;
#[cfg(feature = "render")]
pub mod render;
mod shader;
mod text;

pub use detect::{Form, Input, detect};
pub use error::{BytePosition, Error, ErrorKind, PairError, Warning, WarningKind};
pub use foreign::Foreign;
pub use module::{Loaded, Refused, combine, lift, module, share_version};
pub use options::{DebugLevel, Options};
pub use read::{Agal, Content, Ir, Item, expand, items, read};
pub use reflect::{DrawError, DrawState, Reflection, check_draw, reflect};
pub use shader::{Shader, Written, files};
pub use text::Text;

pub use backends::{Code, Depth, Glsl, Interface, Layout, Output, Target};
pub use sdlbc::{FunctionKind, Module};

/// The examples of the README are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
