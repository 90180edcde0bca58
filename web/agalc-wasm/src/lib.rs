//! agalc for JavaScript. What each function takes and returns is in web/npm/index.d.ts; the package's own code makes lists of inputs of what
//! users write, and errors of what is thrown here.
//!
//! Nothing is kept between calls but a language server. Nothing here panics: what cannot be done is thrown as `{ message, diagnostics }`.

#![cfg_attr(
    not(test),
    warn(
        clippy::indexing_slicing,
        clippy::cast_possible_truncation,
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic
    )
)]

mod programs;
mod translating;

use agalc_wasm_bridge::{Refused, Returned, inputs, options, returned};
use wasm_bindgen::prelude::*;

/// `translate`: writes a program or a pair in a format.
#[wasm_bindgen]
pub fn translate(given: JsValue, format: &str, how: JsValue) -> Returned {
    let result = inputs(given).and_then(|inputs| translating::translate(&inputs, format, &options(&how)?));
    returned(result)
}

/// `validate`: checks programs.
#[wasm_bindgen]
pub fn validate(given: JsValue, how: JsValue) -> Returned {
    returned(inputs(given).and_then(|inputs| programs::validate(&inputs, &options(&how)?)))
}

/// `assemble`: text to bytecode.
#[wasm_bindgen]
pub fn assemble(given: JsValue, how: JsValue) -> Result<Vec<u8>, JsValue> {
    let result = inputs(given).and_then(|inputs| programs::assemble(&inputs, &options(&how)?));
    Ok(result?)
}

/// `disassemble`: bytecode to text.
#[wasm_bindgen]
pub fn disassemble(given: JsValue, how: JsValue) -> Returned {
    returned(inputs(given).and_then(|inputs| programs::disassemble(&inputs, &options(&how)?)))
}

/// `inspect`: what programs read and write.
#[wasm_bindgen]
pub fn inspect(given: JsValue, how: JsValue) -> Returned {
    returned(inputs(given).and_then(|inputs| programs::inspect(&inputs, &options(&how)?)))
}

/// `dump`: every word of a module.
#[wasm_bindgen]
pub fn dump(given: JsValue, how: JsValue) -> Returned {
    returned(inputs(given).and_then(|inputs| translating::dump(&inputs, &options(&how)?)))
}

/// `detect`: what a file is.
#[wasm_bindgen]
pub fn detect(bytes: &[u8]) -> String {
    agalc::detect(bytes).to_string()
}

/// `version`.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_string()
}

/// `LanguageServer`: messages in, messages out.
#[wasm_bindgen]
#[derive(Debug, Default)]
pub struct LanguageServer {
    server: agalc_lsp::Server,
}

#[wasm_bindgen]
impl LanguageServer {
    /// A server without documents.
    #[wasm_bindgen(constructor)]
    pub fn new() -> LanguageServer {
        LanguageServer::default()
    }

    /// Handles a message as JSON, and returns a list of messages as JSON.
    pub fn send(&mut self, message: &str) -> Result<String, JsValue> {
        let message = serde_json::from_str(message);
        let answers = match message {
            Ok(message) => self.server.handle(message),
            Err(error) => return Err(Refused::plain(format!("not a message: {error}")).into()),
        };
        // A message of the server consists of JSON values.
        Ok(serde_json::to_string(&answers).unwrap_or_default())
    }
}
