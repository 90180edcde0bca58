//! SDLSHADERBC: shaders in SSA form, in a file of 32-bit words.
//!
//! A [`Module`] is what a file holds: functions with their inputs, outputs and structured code. [`Builder`] makes one,
//! [`verify()`] says what is wrong with one, [`encode()`] and [`decode()`] carry it to bytes and back, [`print()`] and
//! [`dump()`] show it. Every operation is a row of one table ([`Op`]). This crate knows neither AGAL nor naga.

pub mod builder;
pub mod codec;
mod dce;
pub mod dump;
pub mod facts;
pub mod infer;
pub mod limits;
pub mod module;
pub mod ops;
pub mod print;
pub mod ssa;
pub mod types;
pub mod verify;

pub use builder::Builder;
pub use codec::{DecodeError, DecodeErrorKind, decode, encode};
pub use dump::{Dump, dump};
pub use infer::infer;
pub use module::{
    Block, Builtin, Function, FunctionKind, Id, Input, InputKind, Inst, Interpolation, Module, Names, Output,
    OutputKind, Sampler,
};
pub use ops::{Arity, Domain, Op, Shape, Stages, TypeRule};
pub use print::print;
pub use types::{Dimension, Scalar, Type};
pub use verify::{Detail, Rule, Types, Violation, types as infer_types, verify};
