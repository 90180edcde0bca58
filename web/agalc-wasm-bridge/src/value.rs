//! Values for JavaScript.

use serde::Serialize;
use wasm_bindgen::JsValue;

/// The return value of a function, or the value that it throws.
pub type Returned = Result<JsValue, JsValue>;

/// Converts a value to JavaScript, with objects instead of maps and null instead of undefined.
///
/// # Errors
/// The value cannot be converted.
pub fn value(of: &impl Serialize) -> Returned {
    let serializer = serde_wasm_bindgen::Serializer::json_compatible().serialize_bytes_as_arrays(false);
    Ok(of.serialize(&serializer)?)
}
