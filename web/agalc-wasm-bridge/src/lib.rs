//! What agalc's WebAssembly modules share: how JavaScript's inputs and options become those of the library, and how results and errors go
//! back. What is thrown is `{ message, diagnostics }`, of which the package makes an error.

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

/// What a call returns, or what it throws.
///
/// # Errors
/// Those of the call.
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
/// It is something else.
pub fn inputs(given: JsValue) -> Result<Vec<Input>, Refused> {
    let given: Vec<Given> = serde_wasm_bindgen::from_value(given)
        .map_err(|error| Refused::plain(format!("an input is not valid: {error}")))?;
    Ok(given.into_iter().map(|Given { name, data }| Input { name, bytes: data.into_vec() }).collect())
}
