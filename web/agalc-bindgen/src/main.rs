//! `agalc-bindgen MODULE FOLDER NAME` runs wasm-bindgen as a library, at the version in Cargo.lock. An installed `wasm-bindgen`
//! command would need exactly the same version.

use std::error::Error;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [module, folder, name] = &arguments[..] else { return Err("usage: agalc-bindgen MODULE FOLDER NAME".into()) };
    let mut bindgen = Bindgen::new();
    bindgen.input_path(module).out_name(name).web(true)?.typescript(false).omit_default_module_path(true);
    Ok(bindgen.generate(folder)?)
}
