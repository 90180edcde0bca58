//! Values for JavaScript.

use js_sys::{Object, Reflect};
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
