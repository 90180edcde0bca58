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
//! | write it for a target | [`Shader::write`], [`Shader::wgsl`], [`Shader::spirv`], [`Shader::glsl`], [`Shader::hlsl`], [`Shader::msl`] |
//! | say where the application puts its resources | [`Layout`] |
//! | write a stage as AGAL, or make a program shorter | [`write_agal()`], [`optimise_agal()`] |
//! | take a pair as a Flash player does, with naga modules for a renderer | [`upload()`] |
//! | check it as the player does | [`validate()`] |
//! | know what a file is | [`detect_file()`], or [`detect()`] by its content alone |
//! | know which files of a folder are shaders, and which are a pair | [`found`] |
//! | read inputs one by one, for tools | [`items()`], [`read()`], [`combine()`], [`module()`] |
//!
//! The types of all fields and arguments are exported here, so a program needs no other crate of this workspace:
//!
//! ```
//! use agalc::{Constants, Language, Layout, Modules, Options, Rules, Shader, Stage};
//!
//! let mut layout = Layout::named("vulkan").ok_or("a layout")?;
//! layout.constants = Constants::Push;
//! layout.modules = Modules::Apart;
//! let mut options = Options::with_rules(Rules { allow_ted: true, ..Rules::default() });
//! options.language = Language::Mini;
//! let input = agalc::Input { name: "a.vert.agal".to_string(), bytes: b"m44 op, va0, vc0".to_vec() };
//! let shader = Shader::new(&[input], &options)?;
//! assert_eq!(shader.programs()[0].program.stage, Stage::Vertex);
//! assert!(shader.wgsl(&layout)?.contains("var<immediate>"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Nothing here opens files, prints, or keeps global state, and nothing panics on any input: an [`Input`] is a name and bytes,
//! and what is wrong with it is a value with a position. Inputs that cannot be used are refused with all their errors:
//!
//! ```
//! use agalc::{ErrorKind, Foreign, Input, Options, Shader};
//!
//! let input = Input { name: "a.hlsl".to_string(), bytes: b"cbuffer Constants { float4 a; }".to_vec() };
//! let refused = Shader::new(&[input], &Options::default()).unwrap_err();
//! let error = refused.errors().next().unwrap();
//! assert_eq!(error.kind, ErrorKind::Foreign(Foreign::Hlsl));
//! assert_eq!(error.to_string(), "`a.hlsl` is HLSL, which agalc writes but does not read");
//! ```
#![cfg_attr(
    not(test),
    warn(
        clippy::indexing_slicing,
        clippy::cast_possible_truncation,
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::unreachable
    )
)]

mod agal;
mod detect;
mod error;
mod es2;
mod foreign;
pub mod found;
mod inline;
mod lines;
mod module;
pub mod names;
mod options;
mod pair;
mod paste;
mod read;
pub mod reflect;
#[cfg(feature = "render")]
pub mod render;
#[doc(hidden)]
pub mod script;
mod shader;
#[cfg(feature = "sources")]
mod sources;
mod text;
mod upload;
mod validate;

pub use agal::{LONGEST, Refusal, RefusalKind, Size, WrittenAgal, optimise_agal, write_agal};
pub use detect::{Form, Input, detect, detect_file};
pub use error::{BytePosition, Error, ErrorKind, PairError, Warning, WarningKind};
pub use es2::{Es2, check_es2};
pub use foreign::Foreign;
pub use found::names_beside;
pub use module::{Loaded, Refused, combine, lift, module, share_version};
pub use options::{DebugLevel, Options};
pub use paste::{PasteForm, Pasting};
pub use read::{Agal, Content, Ir, Item, expand, items, read, read_agal};
pub use reflect::{DrawError, DrawState, Reflection, check_draw, reflect};
pub use shader::{Shader, Written, files, optimised};
pub use text::{Encoding, Text};
pub use upload::{Program3d, SamplerUse, Stage3d, UploadError, upload};
pub use validate::{Validated, first_stop, said_once, validate};

/// The crate of naga's modules, whose types [`Stage3d`] has.
pub use backends::naga;
pub use backends::{
    Code, Constants, Depth, EntryPoint, Field, Glsl, Interface, Layout, Length, Modules, MslVersion, Numbering, Output,
    Passed, Place, Places, Precision, Renamed, Resource, ResourceKind, Samplers, ShaderModel, Target, Variable,
};
pub use sdlbc::{FunctionKind, Module};
pub use sdlbc_passes as passes;

/// How AGAL programs are interpreted where there is a choice: the type of [`Options::meaning`].
pub use agal_front::lift::Options as Meaning;
/// The language of AGAL text, the rules that programs are checked against, and what the checks find.
pub use agal_front::{
    Compat, Finding, Kind, Profile, Program, Rules, Severity, Stage, assemble::Language, first_swf_version,
};

/// The examples of the README are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
