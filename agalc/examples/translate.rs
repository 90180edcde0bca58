//! Translates a vertex and a fragment program, or a file with both programs, to WGSL for wgpu. The
//! command `cargo run --example translate a.vert.agal a.frag.agal` runs the example.

use std::error::Error;

use agalc::{Input, Layout, Options, Shader};

fn main() -> Result<(), Box<dyn Error>> {
    let mut inputs = Vec::new();
    for name in std::env::args().skip(1) {
        let bytes = std::fs::read(&name)?;
        inputs.push(Input { name, bytes });
    }
    let shader = Shader::new(&inputs, &Options::default())?;
    println!("{}", shader.wgsl(&Layout::WGPU)?);
    Ok(())
}
