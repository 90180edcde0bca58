//! agalc for JavaScript. The file web/npm/src/index.d.ts describes the arguments and results of each function. The JavaScript
//! code of the npm package converts the user's arguments to lists of inputs, and thrown values to errors.
//!
//! Only a language server keeps state between calls. No function panics: errors are thrown as `{ message, diagnostics }`.

#![cfg_attr(not(test), warn(clippy::indexing_slicing, clippy::cast_possible_truncation))]
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod programs;
mod translating;

use agalc_wasm_bridge::{Refused, Returned, inputs, options, returned};
use wasm_bindgen::prelude::*;

/// Translates a program or a pair of programs to the target format `format`.
#[wasm_bindgen]
pub fn translate(given: JsValue, format: &str, how: JsValue) -> Returned {
    returned(inputs(given).and_then(|inputs| translating::translate(&inputs, format, &options(&how)?)))
}

/// Checks programs and returns their findings.
#[wasm_bindgen]
pub fn validate(given: JsValue, how: JsValue) -> Returned {
    returned(inputs(given).and_then(|inputs| programs::validate(&inputs, &options(&how)?)))
}

/// Assembles AGAL source text to bytecode.
#[wasm_bindgen]
pub fn assemble(given: JsValue, how: JsValue) -> Result<Vec<u8>, JsValue> {
    Ok(inputs(given).and_then(|inputs| programs::assemble(&inputs, &options(&how)?))?)
}

/// Disassembles AGAL bytecode to source text.
#[wasm_bindgen]
pub fn disassemble(given: JsValue, how: JsValue) -> Returned {
    returned(inputs(given).and_then(|inputs| programs::disassemble(&inputs, &options(&how)?)))
}

/// Describes the inputs and outputs of programs.
#[wasm_bindgen]
pub fn inspect(given: JsValue, how: JsValue) -> Returned {
    returned(inputs(given).and_then(|inputs| programs::inspect(&inputs, &options(&how)?)))
}

/// Lists every word of a module.
#[wasm_bindgen]
pub fn dump(given: JsValue, how: JsValue) -> Returned {
    returned(inputs(given).and_then(|inputs| translating::dump(&inputs, &options(&how)?)))
}

/// Detects the type of a file from its contents.
#[wasm_bindgen]
pub fn detect(bytes: &[u8]) -> String {
    agalc::detect(bytes).to_string()
}

/// Returns the version of agalc.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_string()
}

/// A language server for AGAL, which receives messages from a client and returns messages to the client.
#[wasm_bindgen]
#[derive(Debug, Default)]
pub struct LanguageServer {
    server: agalc_lsp::Server,
}

#[wasm_bindgen]
impl LanguageServer {
    /// Creates a language server without documents.
    #[wasm_bindgen(constructor)]
    pub fn new() -> LanguageServer {
        LanguageServer::default()
    }

    /// Processes a message from the client, and returns the server's messages. Both are in JSON.
    pub fn send(&mut self, message: &str) -> Result<String, JsValue> {
        let message =
            serde_json::from_str(message).map_err(|error| Refused::plain(format!("not a message: {error}")))?;
        // Serialisation cannot fail, because messages consist of JSON values.
        Ok(serde_json::to_string(&self.server.handle(message)).unwrap_or_default())
    }
}
