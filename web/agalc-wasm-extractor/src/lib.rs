//! agalc's shader extraction for JavaScript, in a separate WebAssembly module. The file web/npm/src/extract.d.ts describes the
//! arguments and results.

use agal_extract::OutputOptions;
use agalc::Input;
use agalc::render::{Level, Problem};
use agalc_wasm_bridge::{Returned, inputs, returned};
use serde::Serialize;
use serde_bytes::ByteBuf;
use wasm_bindgen::prelude::*;

#[derive(Serialize)]
struct Extracted {
    files: Vec<File>,
    /// The manifest as JSON, which the npm package parses.
    manifest: String,
    diagnostics: Vec<Problem>,
}

#[derive(Serialize)]
struct File {
    path: String,
    data: ByteBuf,
}

/// Finds the shaders in the files of an application.
#[wasm_bindgen]
pub fn extract(given: JsValue) -> Returned {
    returned(inputs(given).map(|inputs| extracted(&inputs)))
}

fn extracted(inputs: &[Input]) -> Extracted {
    let extraction = agal_extract::extract(inputs, &agal_extract::Options::default());
    let output = extraction.output(&OutputOptions::default());
    let diagnostics = extraction.warnings.iter().map(|warning| {
        let problem = Problem::new(Level::Warning, warning.message.clone());
        let file = inputs.get(warning.input).map(|input| &input.name).into_iter().chain(&warning.path);
        problem.about(&file.map(String::as_str).collect::<Vec<_>>().join(": "))
    });
    let left_out = output.manifest.left_out;
    let bounded = left_out.has_files().then(|| {
        let message = format!("the output would be too large, so the least certain results are left out: {left_out}");
        Problem::new(Level::Warning, message)
    });
    let diagnostics = diagnostics.chain(bounded).collect();
    let manifest = output.manifest.to_json();
    let files =
        output.files.into_iter().map(|file| File { path: file.name, data: ByteBuf::from(file.bytes) }).collect();
    Extracted { files, manifest, diagnostics }
}
