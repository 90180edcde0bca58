//! SDLSHADERBC: shaders in SSA form, in a file of 32-bit words.
//!
//! This crate implements the SDLSHADERBC format: modules, and functions that read, write, verify and display modules. The
//! crate does not depend on a front end or a target. `docs/format.md` describes the files word by word, and
//! `docs/instructions.md` describes each operation.
//!
//! A [`Module`] is the content of a file: functions with their inputs, outputs and structured code, and a debug table.
//!
//! | task | use |
//! |---|---|
//! | build a function | [`Builder`], which has a method for each operation, numbers values, infers types and reuses common subexpressions |
//! | verify a module | [`verify()`], which returns every violation of the numbered [`Rule`]s |
//! | write and read a file | [`encode()`] and [`decode()`]; [`encode_in()`] for the header's [`Dialect`], [`encode_readable()`] for a module that was not verified |
//! | convert to and from text | [`print()`], and [`parse()`], which reports every error with line and column |
//! | remove varyings that the other stage does not use | [`prune()`], and [`pack()`] to renumber the remaining varyings without gaps |
//! | inspect | [`dump()`] shows a file word by word, even a damaged one; [`graph()`] draws a module's structure |
//! | keep the debug table in a separate file | [`split()`] and [`attach()`]; [`fit()`] removes names and texts that a file cannot contain |
//! | fold constants | [`compute()`]; [`compute::kernel`] for many lanes at a time |
//! | look up an operation | [`Op`], which has a number, a name, words, a typing rule, a stage and a description |
//!
//! # A tour
//!
//! This fragment function halves a colour, except its alpha:
//!
//! ```
//! use sdlbc::builder::Lane;
//! use sdlbc::{Builder, FunctionKind, FunctionOutput, InputKind, Interpolation, Module, OutputKind, Type};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut builder = Builder::new(FunctionKind::Fragment, "fs_main");
//! let varying = InputKind::Varying { location: 0, interpolation: Interpolation::Perspective };
//! let colour = builder.input("v0", Type::FLOAT4, varying);
//! let kind = OutputKind::Colour { target: 0 };
//! let target = builder.output(FunctionOutput { ty: Type::FLOAT4, name: "oc".to_string(), kind });
//!
//! let half = builder.float(0.5);
//! let dark = builder.multiply(colour, half);
//! let lane = |value, lane| Lane { value, lane };
//! let result = builder.gather(&[lane(dark, 0), lane(dark, 1), lane(dark, 2), lane(colour, 3)]);
//! builder.poke(target, result);
//!
//! let (function, _names) = builder.finish()?;
//! let module = Module { functions: vec![function], ..Module::default() };
//! assert_eq!(sdlbc::verify(&module), Ok(()));
//!
//! let text = sdlbc::print(&module);
//! assert!(text.contains("multiply %1, "), "{text}");
//! assert_eq!(sdlbc::parse(&text), Ok(module));
//! # Ok(())
//! # }
//! ```
//!
//! Decoding an encoded module returns the same module. The error for a damaged file contains the byte offset of the damage:
//!
//! ```
//! # use sdlbc::{Function, FunctionKind, Module, decode, encode};
//! # let function = Function { kind: FunctionKind::Fragment, name: "fs_main".to_string(), ..Function::default() };
//! # let module = Module { functions: vec![function], ..Module::default() };
//! let mut file = encode(&module);
//! assert_eq!(decode(&file)?, module);
//!
//! file[16] ^= 1;
//! let error = decode(&file).unwrap_err();
//! assert_eq!(error.offset, 16);
//! assert!(error.to_string().starts_with("the checksum in the header is "));
//! assert!(sdlbc::dump(&file).text.contains("checksum, BAD"));
//! # Ok::<(), sdlbc::DecodeError>(())
//! ```
//!
//! The verifier reports all violations at once, with the rule and the instruction of each violation:
//!
//! ```
//! use sdlbc::{Function, Id, Inst, Module, Op, Rule, code, verify};
//!
//! let body = code![Inst::new(Op::Add, Id(1), &[Id(2), Id(3)], &[])];
//! let module = Module { functions: vec![Function { body, ..Function::default() }], ..Module::default() };
//! let violations = verify(&module).unwrap_err();
//! assert_eq!(violations.iter().map(|violation| violation.rule).collect::<Vec<_>>(), [Rule::Defined, Rule::Defined]);
//! assert_eq!((violations[0].instruction, violations[0].offset), (Some(0), Some(52)));
//! ```
//!
//! # Guarantees
//!
//! Decoding any sequence of bytes returns a module or an error, never panics, and needs time and memory proportional to the
//! file's size ([`limits`]). A valid module is unchanged by encoding and decoding, and encodes to the same bytes again. A dump
//! shows every byte of a file exactly once.

// Outside tests, no input may cause a panic or silently truncate a number.
#![cfg_attr(not(test), warn(clippy::indexing_slicing, clippy::cast_possible_truncation))]
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::unreachable))]

pub mod body;
pub mod builder;
mod calls;
pub mod codec;
pub mod compute;
mod dce;
pub mod debug;
pub mod dump;
pub mod facts;
pub mod flow;
pub mod front;
pub mod graph;
mod ids;
pub mod infer;
mod inst;
mod kinds;
pub mod lifting;
pub mod limits;
pub mod link;
pub mod members;
mod messages;
pub mod module;
pub mod name;
mod named;
pub mod nearest;
pub mod number;
pub mod ops;
pub mod ssa;
pub mod text;
pub mod types;
mod value_names;
mod values;
pub mod verify;
pub mod words;

pub use body::{Block, Body, InstRef, Insts, Nested};
pub use builder::Builder;
pub use calls::call_order;
pub use codec::{
    Addition, Additions, DecodeError, DecodeErrorKind, Dialect, Unreadable, additions, checksum, decode, decode_known,
    dialect, encode, encode_in, encode_readable, stripped,
};
pub use compute::compute;
pub use dce::renumber;
pub use debug::{AttachError, LeftOut, Unfit, attach, fit, split};
pub use dump::{Dump, InstBytes, dump};
pub use graph::graph;
pub use ids::IdMap;
pub use infer::{Context, infer};
pub use inst::{Few, Id, Inst};
pub use link::{LinkError, Pruned, pack, prune};
pub use members::{MemberFault, check_members};
pub use module::{
    Access, Builtin, Debug, Function, FunctionDebug, FunctionKind, FunctionOutput, ImageAccess, Input, InputKind,
    Interpolation, Lines, Member, Module, OutputKind, Sampler, Signature, Source, SourceBinding, Unit,
};
pub use ops::{Arity, Blocks, Domain, Op, OpSet, Shape, Stages, TypeRule};
pub use smol_str::SmolStr;
pub use text::{
    Comments, InstLine, ParseError, ParseErrorKind, parse, parse_with_comments, print, print_lines, print_with,
};
pub use types::{Dimension, Format, Scalar, Texel, Type};
pub use value_names::ValueNames;
pub use verify::{Detail, Rule, Types, Verified, Violation, types as infer_types, verify};

/// Runs the examples of the README as documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
