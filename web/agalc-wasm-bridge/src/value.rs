//! Conversion of values to JavaScript.

use serde::Serialize;
use wasm_bindgen::JsValue;

/// The value that a function returns or throws.
pub type Returned = Result<JsValue, JsValue>;

/// Converts a value to JavaScript. Maps become objects, and missing values become null.
///
/// # Errors
/// Fails if the value cannot be converted.
pub fn value(of: &impl Serialize) -> Returned {
    let serializer = serde_wasm_bindgen::Serializer::json_compatible().serialize_bytes_as_arrays(false);
    Ok(of.serialize(&serializer)?)
}
