//! Translates AGAL, the shader bytecode of Stage3D in Flash and AIR, in a program or a build script. Any input becomes a
//! checked module, which is written as SPIR-V, WGSL, GLSL, HLSL or MSL.
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
//! | write programs for a target | [`Shader::write`], [`Shader::wgsl`], [`Shader::spirv`], [`Shader::glsl`], [`Shader::hlsl`], [`Shader::msl`] |
//! | choose the bindings of the application's resources | [`Layout`] |
//! | write a stage as AGAL, or make a program shorter | [`write_agal()`], [`optimise_agal()`] |
//! | upload a pair as an application would, and get naga modules for a renderer | `upload`, with the feature `naga` |
//! | check programs as the player does | [`validate()`] |
//! | detect the form of a file | [`detect_file()`], or [`detect()`] by its content only |
//! | find the shaders in a list of files by their names, and group pairs | [`found`] |
//! | read inputs step by step, for tools | [`Source::open`], [`Source::read`], [`load()`] |
//!
//! The types of all fields and arguments are exported here, so a program needs no other crate of this workspace:
//!
//! ```
//! use agalc::{Error, Glsl, Input, InputErrorKind, Layout, Options, Shader, Stage};
//!
//! fn translate(inputs: &[Input]) -> Result<String, Error> {
//!     let shader = Shader::new(inputs, &Options::default())?;
//!     println!("{}", shader.wgsl(&Layout::WGPU)?);
//!     shader.glsl(Stage::Fragment, Glsl::Es300, &Layout::WEBGL2).map_err(Error::from)
//! }
//!
//! let input = |name: &str, text: &str| Input { name: name.into(), bytes: text.into() };
//! assert!(translate(&[input("a.vert", "m44 op, va0, vc0"), input("a.frag", "mov oc, fc0")]).is_ok());
//! let Err(Error::Refused(refused)) = translate(&[input("a.metal", "using namespace metal;")]) else { panic!() };
//! let error = refused.errors().next().unwrap();
//! assert!(matches!(error.kind, InputErrorKind::Foreign(_)));
//! assert_eq!(error.to_string(), "`a.metal` is MSL (Metal Shading Language), which agalc writes but does not read");
//! ```
//!
//! The library opens no files, prints nothing, keeps no global state, and does not panic on any input. For GLSL and HLSL, it runs
//! their compilers in a temporary folder. An [`Input`] consists of a name and bytes, and errors are values with positions. [`Error`] unites the errors of all steps.
#![cfg_attr(not(test), warn(clippy::indexing_slicing, clippy::cast_possible_truncation))]
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::unreachable))]

mod agal;
mod error;
mod finding;
pub mod found;
mod input;
mod language;
pub mod names;
mod options;
mod paste;
pub mod reflect;
#[cfg(feature = "render")]
pub mod render;
#[doc(hidden)]
pub mod script;
mod shader;
#[cfg(feature = "naga")]
mod upload;

pub use agal::{LONGEST, Refusal, RefusalKind, Size, WrittenAgal, optimise_agal, write_agal};
pub use error::{BytePosition, InputError, InputErrorKind, PairError, Warning, WarningKind};
pub use finding::{Finding, InstructionSet};
pub use found::names_beside;
#[cfg(feature = "sources")]
pub use input::compiler;
pub use input::{
    Code as ProgramCode, Encoding, Expanded, Foreign, Form, Input, Loaded, ModuleInput, Program, Refused, Source, Text,
    check, combine, detect, detect_file, lift, load, load_all, show, validate, varyings,
};
#[cfg(feature = "es2")]
pub use language::Es2;
pub use language::{Agal, Varying};
pub use options::{DebugLevel, Options};
pub use paste::{PasteForm, Pasting};
pub use reflect::{DrawError, DrawState, Reflection, check_draw, reflect};
pub use shader::{Error, Shader, Written, files, optimise};
#[cfg(feature = "naga")]
pub use upload::{Program3d, SamplerUse, Stage3d, upload};

/// The naga crate, whose types [`Stage3d`] exposes.
#[cfg(feature = "naga")]
pub use backends::naga;
pub use backends::{
    Code, Constants, Depth, EntryPoint, Error as TargetError, Field, Glsl, Interface, Layout, Length, Modules,
    MslVersion, Numbering, Output, Passed, Place, Places, Precision, Renamed, Resource, ResourceKind, Samplers,
    ShaderModel, Target, Variable,
};
pub use sdlbc::{
    AttachError, Comments, DecodeError, Dimension, Format as TexelFormat, FunctionKind, Interpolation, LeftOut, Module,
    ParseError, Sampler as SamplerState, Texel, Type, Verified, Violation, limits::Counted,
};
/// The optimisation passes, for callers that choose individual passes or inspect the effects of a pass.
#[cfg(feature = "passes")]
pub use sdlbc_passes as passes;
/// Options for optimising a module. This is the type of [`Options::passes`].
pub use sdlbc_passes::Options as Optimising;

pub use agal_front::assemble::{Alias, Extent, Language, NamedBy, RegistersError, SourceName};
/// Choices in the interpretation of AGAL programs. This is the type of [`Options::meaning`].
pub use agal_front::lift::Options as Meaning;
pub use agal_front::player::{PlayerError, Uploaded};
pub use agal_front::{
    Compat, Help, Profile, Program as AgalProgram, Remedy, Rules, Severity, Stage, Wording, first_swf_version,
};
/// A program of the unified-shader instruction set.
#[cfg(feature = "es2")]
pub use es2_front::Program as UnifiedProgram;
/// The reason why WGSL, GLSL, HLSL or SPIR-V code is refused.
#[cfg(feature = "sources")]
pub use naga_front::Refusal as SourceRefusal;
pub use sdlbc::front::{
    Assumption, Convention, Dropped, FindingPlace, GlslVersion, Guarantee, KindRow, Lost, Mask, ParseGlslVersionError,
    SourceMap, Span,
};

/// Runs the README's examples as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
