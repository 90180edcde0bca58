//! Translates the shaders and generates the modules that `lib.rs` includes.

use agal_build::{Config, Error};

fn main() -> Result<(), Error> {
    Config::new()
        .folder("shaders")
        .name("skinned", "vc5..", "bones: vec4[]")
        .attribute("skinned", "va0", "position: Float32x3")
        .attribute("skinned", "va1", "normal: Float32x3")
        .attribute("skinned", "va2", "uv: Float32x2")
        .attribute("skinned", "va3", "bones: Float32x2")
        .attribute("skinned", "va4", "weights: Unorm16x2")
        .attribute("targets", "va0", "position: Float32x3")
        .attribute("targets", "va1", "normal: Float32x3")
        .attribute("targets", "va2", "uv: Unorm8x2")
        .compile()
}
