//! agalc's executor for JavaScript, which runs programs and draws scenes without a GPU. The file web/npm/src/executor.d.ts
//! describes the arguments and results. The JavaScript code of the npm package converts thrown values to errors.
//!
//! Only scenes keep state between calls. No function panics: errors are thrown as `{ message, diagnostics }`.

#![cfg_attr(not(test), warn(clippy::indexing_slicing, clippy::cast_possible_truncation))]
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod drawing;
mod given;
mod options;
mod problem;
mod running;

use agalc_wasm_bridge::{Returned, value};
use js_sys::{Array, Uint8Array};
use wasm_bindgen::prelude::*;

use drawing::{float, object, pictures, resources};

/// A scene, which consists of a pair of programs, a mesh, textures and constants.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Scene {
    scene: agalc_scene::Scene,
}

#[wasm_bindgen]
impl Scene {
    /// Reads a scene file and the files to which it refers.
    ///
    /// # Errors
    /// Returns the first error as an object to throw.
    #[wasm_bindgen(constructor)]
    pub fn new(path: &str, files: JsValue, options: JsValue) -> Result<Scene, JsValue> {
        let loading = options::loading(&options)?;
        let scene = agalc_scene::Scene::load_in(&given::files(files)?, path, &loading);
        Ok(Scene { scene: scene.map_err(|error| problem::refused(&error))? })
    }

    /// Returns the scene's description, which is one line.
    #[wasm_bindgen(getter)]
    pub fn about(&self) -> String {
        self.scene.about.clone()
    }

    /// Encodes the scene's pair of programs as an SDLSHADERBC file.
    #[wasm_bindgen(getter)]
    pub fn module(&self) -> Vec<u8> {
        sdlbc::encode(&self.scene.draw.module)
    }

    /// Returns the warnings about the scene's programs.
    ///
    /// # Errors
    /// Warnings can always be converted to JavaScript, so this function does not fail.
    #[wasm_bindgen(getter)]
    pub fn diagnostics(&self) -> Returned {
        value(&problem::of_scene(&self.scene))
    }

    /// Sets constant registers. Registers that the program does not read are ignored.
    ///
    /// # Errors
    /// Fails if the value is not a list of constants.
    #[wasm_bindgen(js_name = setConstants)]
    pub fn set_constants(&mut self, constants: JsValue) -> Result<(), JsValue> {
        self.scene.set_constants(&given::constants(constants)?);
        Ok(())
    }

    /// Draws the scene, and returns one picture for each render target.
    ///
    /// # Errors
    /// Fails if the floating-point format does not exist, or if a program does not terminate.
    pub fn render(&self, float: Option<String>) -> Returned {
        let pictures = self::float(float.as_deref()).and_then(|float| pictures(&self.scene.draw, float))?;
        let picture = |picture: &agalc_scene::Picture| {
            object([
                ("width", picture.width.into()),
                ("height", picture.height.into()),
                ("rgba", Uint8Array::from(picture.pixels.as_flattened()).into()),
            ])
        };
        Ok(pictures.iter().map(picture).collect::<Array>().into())
    }

    /// Returns the data that an application uploads to draw the scene on a GPU.
    pub fn draw(&self) -> JsValue {
        resources(&self.scene.draw)
    }
}

/// Runs one invocation of a program.
///
/// # Errors
/// Returns all errors in the inputs and settings, or fails if the program does not terminate.
#[wasm_bindgen]
pub fn run(inputs: JsValue, settings: JsValue, options: JsValue) -> Returned {
    let options = agalc_wasm_bridge::options(&options)?;
    let ran = running::run(&agalc_wasm_bridge::inputs(inputs)?, &given::settings(&settings)?, &options)?;
    let outputs = ran.outputs.iter().map(|(name, numbers)| {
        let numbers = numbers.iter().map(|&number| JsValue::from(number)).collect::<Array>();
        (name.as_str(), numbers.into())
    });
    Ok(object([
        ("stage", ran.stage.name().into()),
        ("discarded", ran.is_discarded.into()),
        ("outputs", object(outputs)),
    ]))
}
