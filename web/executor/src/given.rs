//! What JavaScript passes: inputs, files, settings and constants.

use std::collections::BTreeMap;

use agalc::Input;
use js_sys::{Array, Object, Reflect, Uint8Array};
use scene::{Memory, Registers};
use sdlbc::FunctionKind;
use serde::Deserialize;
use wasm_bindgen::{JsCast, JsValue};

use crate::options::StageName;
use crate::quoted;
use crate::refused::Refused;

/// What an input without a name is called, and one of several with its number.
const UNNAMED: &str = "input";

/// The bytes of a text or of a file.
fn bytes(given: &JsValue) -> Option<Vec<u8>> {
    match given.as_string() {
        Some(text) => Some(text.into_bytes()),
        None => given.dyn_ref::<Uint8Array>().map(Uint8Array::to_vec),
    }
}

/// One input, or a list of them.
pub(crate) fn inputs(given: &JsValue) -> Result<Vec<Input>, Refused> {
    match given.dyn_ref::<Array>() {
        None => Ok(vec![input(given, UNNAMED.to_string())?]),
        Some(list) => {
            list.iter().zip(1..).map(|(given, number): (_, u32)| input(&given, format!("{UNNAMED} {number}"))).collect()
        }
    }
}

fn input(given: &JsValue, name: String) -> Result<Input, Refused> {
    if let Some(bytes) = bytes(given) {
        return Ok(Input { name, bytes });
    }
    let field = |name: &str| Reflect::get(given, &name.into()).unwrap_or_default();
    match (field("name").as_string(), bytes(&field("data"))) {
        (Some(name), Some(bytes)) => Ok(Input { name, bytes }),
        _ => Err(Refused::plain("an input is a string, a Uint8Array, or an object with `name` and `data`")),
    }
}

/// The fields of a plain object.
fn entries(given: &JsValue, what: &str) -> Result<Vec<(String, JsValue)>, Refused> {
    let wrong = || Refused::plain(format!("{what} must be an object"));
    let object = given.dyn_ref::<Object>().filter(|_| !Array::is_array(given)).ok_or_else(wrong)?;
    let entry = |entry: JsValue| {
        let entry: Array = entry.dyn_into().ok()?;
        Some((entry.get(0).as_string()?, entry.get(1)))
    };
    Ok(Object::entries(object).iter().filter_map(entry).collect())
}

/// Files by their paths.
pub(crate) fn files(given: &JsValue) -> Result<Memory, Refused> {
    let file = |(path, data): (String, JsValue)| match bytes(&data) {
        Some(bytes) => Ok((path, bytes)),
        None => Err(Refused::plain(format!("the file {} must be a string or a Uint8Array", quoted(&path)))),
    };
    entries(given, "files")?.into_iter().map(file).collect()
}

/// The values of inputs by their names.
pub(crate) fn settings(given: &JsValue) -> Result<BTreeMap<String, Vec<f64>>, Refused> {
    if given.is_undefined() || given.is_null() {
        return Ok(BTreeMap::new());
    }
    let setting = |(name, values): (String, JsValue)| match serde_wasm_bindgen::from_value(values) {
        Ok(values) => Ok((name, values)),
        Err(_) => Err(Refused::plain(format!("{} must be a list of numbers", quoted(&name)))),
    };
    entries(given, "the settings")?.into_iter().map(setting).collect()
}

/// The value of a constant register.
#[derive(Debug, Deserialize)]
struct Constant {
    stage: StageName,
    register: u32,
    values: [f32; 4],
}

/// Values of constant registers; of two for one register, the later is kept.
pub(crate) fn constants(given: JsValue) -> Result<Registers, Refused> {
    let given: Vec<Constant> = serde_wasm_bindgen::from_value(given).map_err(|error| {
        Refused::plain(format!("a constant is not valid: {}", error.to_string().trim_start_matches("Error: ")))
    })?;
    let constant = |Constant { stage, register, values }| {
        let kind = match stage {
            StageName::Vertex => FunctionKind::Vertex,
            StageName::Fragment => FunctionKind::Fragment,
        };
        ((kind, register), values)
    };
    Ok(given.into_iter().map(constant).collect())
}
