//! `agalc-bindgen MODULE FOLDER NAME`: wasm-bindgen at the version of Cargo.lock, as a library. Its command is the same library, but a command
//! that is installed has a version of its own, and must have that of the code.

use anyhow::{Result, bail};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [module, folder, name] = &arguments[..] else { bail!("usage: agalc-bindgen MODULE FOLDER NAME") };
    let mut bindgen = Bindgen::new();
    bindgen.input_path(module).out_name(name).web(true)?.typescript(false).omit_default_module_path(true);
    bindgen.generate(folder)
}
