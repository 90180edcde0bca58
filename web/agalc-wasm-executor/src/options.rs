//! The options for loading scenes.

use agalc_scene::Loading;
use agalc_wasm_bridge::{Refused, options};
use serde::Deserialize;
use wasm_bindgen::JsValue;

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct SceneOptions {
    size: Option<[u32; 2]>,
}

pub(crate) fn loading(given: &JsValue) -> Result<Loading, Refused> {
    sized(options(given)?)
}

fn sized(SceneOptions { size }: SceneOptions) -> Result<Loading, Refused> {
    if size.is_some_and(|sides| sides.iter().any(|side| !(1..=agalc_scene::LARGEST).contains(side))) {
        return Err(Refused::plain(format!("`size` is two numbers, each from 1 to {}", agalc_scene::LARGEST)));
    }
    Ok(Loading { size, ..Loading::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_is_within_the_limits() {
        let size = |json: &str| sized(serde_json::from_str(json).ok()?).map(|loading| loading.size).ok();
        assert_eq!(size("{}"), Some(None));
        assert_eq!(size(r#"{ "size": [8192, 1] }"#), Some(Some([8192, 1])));
        for wrong in
            [r#"{ "size": [8193, 1] }"#, r#"{ "size": [1, 0] }"#, r#"{ "size": [1] }"#, r#"{ "sizes": [1, 1] }"#]
        {
            assert_eq!(size(wrong), None, "{wrong}");
        }
    }
}
