//! Values for JavaScript.

use js_sys::{Object, Reflect};
use serde::Serialize;
use wasm_bindgen::JsValue;

/// An object with these fields.
pub(crate) fn object<'a>(fields: impl IntoIterator<Item = (&'a str, JsValue)>) -> JsValue {
    let object = Object::new();
    for (name, value) in fields {
        // Setting a field of a plain object does not fail.
        let _ = Reflect::set(&object, &name.into(), &value);
    }
    object.into()
}

/// A value as JavaScript has it: objects and not maps, null and not undefined.
pub(crate) fn serialized(of: &impl Serialize) -> Result<JsValue, JsValue> {
    Ok(of.serialize(&serde_wasm_bindgen::Serializer::json_compatible())?)
}
