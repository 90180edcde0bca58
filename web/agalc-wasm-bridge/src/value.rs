//! Values for JavaScript.

use serde::Serialize;
use wasm_bindgen::JsValue;

/// What a function returns, or throws.
pub type Returned = Result<JsValue, JsValue>;

/// A value for JavaScript: objects and not maps, null and not undefined.
///
/// # Errors
/// It cannot be written.
pub fn value(of: &impl Serialize) -> Returned {
    let serializer = serde_wasm_bindgen::Serializer::json_compatible().serialize_bytes_as_arrays(false);
    Ok(of.serialize(&serializer)?)
}
