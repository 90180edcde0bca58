//! Code shared by agalc's WebAssembly modules: conversion of JavaScript's inputs and options to those of the library, and of
//! results and errors back. A thrown value is `{ message, diagnostics }`, which the package converts to an error.

#![cfg_attr(
    not(test),
    warn(
        clippy::indexing_slicing,
        clippy::cast_possible_truncation,
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic
    )
)]

mod options;
mod refused;
mod value;

use agalc::Input;
use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;
use wasm_bindgen::JsValue;

pub use options::{Options, options};
pub use refused::{Refused, wording};
pub use value::{Returned, value};

/// The return value of a call, or the value that it throws.
///
/// # Errors
/// The errors of the call.
pub fn returned<T: Serialize>(result: Result<T, Refused>) -> Returned {
    value(&result?)
}

#[derive(Deserialize)]
struct Given {
    name: String,
    data: ByteBuf,
}

/// The inputs of a call: a list of `{ name, data }`, where the data are bytes.
///
/// # Errors
/// The value has another form.
pub fn inputs(given: JsValue) -> Result<Vec<Input>, Refused> {
    let given: Vec<Given> = serde_wasm_bindgen::from_value(given)
        .map_err(|error| Refused::plain(format!("an input is not valid: {error}")))?;
    Ok(given.into_iter().map(|Given { name, data }| Input { name, bytes: data.into_vec() }).collect())
}
