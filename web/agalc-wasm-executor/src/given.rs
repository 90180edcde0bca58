//! Converts arguments from JavaScript: files, settings and constants.

use std::collections::BTreeMap;

use agalc::render::shown;
use agalc_scene::{Memory, Registers};
use agalc_wasm_bridge::Refused;
use js_sys::{Array, Object};
use sdlbc::FunctionKind;
use serde::Deserialize;
use wasm_bindgen::{JsCast, JsValue};

fn entries(given: &JsValue, what: &str) -> Result<Vec<(String, JsValue)>, Refused> {
    let wrong = || Refused::plain(format!("{what} must be an object"));
    let object = given.dyn_ref::<Object>().filter(|_| !Array::is_array(given)).ok_or_else(wrong)?;
    let entry = |entry: JsValue| {
        let entry: Array = entry.dyn_into().ok()?;
        Some((entry.get(0).as_string()?, entry.get(1)))
    };
    Ok(Object::entries(object).iter().filter_map(entry).collect())
}

/// Converts a list of files, which has the same form as a list of inputs.
pub(crate) fn files(given: JsValue) -> Result<Memory, Refused> {
    Ok(agalc_wasm_bridge::inputs(given)?.into_iter().map(|file| (file.name, file.bytes)).collect())
}

/// Converts an object that maps the names of program inputs to their values.
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

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum StageName {
    Vertex,
    Fragment,
}

#[derive(Debug, Deserialize)]
struct Constant {
    stage: StageName,
    register: u32,
    values: [f32; 4],
}

/// Converts a list of constant registers with their values. If a register occurs several times, its last value is used.
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

/// Puts a name from the user in backticks, for use in a message.
pub(crate) fn quoted(name: &str) -> String {
    format!("`{}`", shown::name(name))
}
