//! Abstract interpretation of AVM2 code over strings.

mod access;
mod arithmetic;
mod arrays;
mod bytes;
mod call;
mod changes;
mod construct;
pub(crate) mod event;
pub(crate) mod explore;
pub(crate) mod expr;
mod facts;
mod heap;
pub(crate) mod index;
mod iterate;
pub(crate) mod machine;
mod natives;
mod number;
mod pattern;
mod range;
mod repeat;
pub(crate) mod setup;
mod sinks;
mod step;
pub(crate) mod text;
mod texts;
pub(crate) mod value;
