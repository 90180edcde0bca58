//! Code that agalc's WebAssembly modules share. The code converts inputs and options from JavaScript, and results and errors to
//! JavaScript. A thrown value has the form `{ message, diagnostics }`, which the npm package converts to an error.

#![cfg_attr(not(test), warn(clippy::indexing_slicing, clippy::cast_possible_truncation))]
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

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

/// Converts the result of a call to a JavaScript value.
///
/// # Errors
/// Returns the error of the call as the value to throw.
pub fn returned<T: Serialize>(result: Result<T, Refused>) -> Returned {
    value(&result?)
}

#[derive(Deserialize)]
struct Given {
    name: String,
    data: ByteBuf,
}

/// Converts the inputs of a call, which are a list of `{ name, data }` objects with the data as bytes.
///
/// # Errors
/// Fails if the value has a different form.
pub fn inputs(given: JsValue) -> Result<Vec<Input>, Refused> {
    let given: Vec<Given> = serde_wasm_bindgen::from_value(given)
        .map_err(|error| Refused::plain(format!("an input is not valid: {error}")))?;
    Ok(given.into_iter().map(|Given { name, data }| Input { name, bytes: data.into_vec() }).collect())
}
