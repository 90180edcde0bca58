//! WebGL 2 draws with constants in plain uniforms and in blocks, with and without names.

use backends::{Constants, Glsl, Layout, Passed, Target};
use clients::scenes::{SCENES, SMALL, hold};
use clients::webgl::WebGl;

use crate::translate;

/// One browser draws everything, since starting it takes longer than drawing.
#[test]
fn webgl_draws_with_plain_uniforms_and_with_blocks() {
    let mut browser = WebGl::start().unwrap_or_else(|error| panic!("{error}"));
    println!("WebGL 2: {}", browser.name());
    for (client, constants, passed, scenes, named) in [
        ("webgl2", Constants::Plain, Passed::Plain, &SCENES[..], false),
        ("webgl2, named", Constants::Plain, Passed::Plain, &SMALL, true),
        ("webgl2, blocks", Constants::Block, Passed::Buffer, &SCENES, false),
        ("webgl2, blocks, named", Constants::Block, Passed::Buffer, &SMALL, true),
    ] {
        let layout = Layout { constants, ..Layout::named("webgl2").expect("the layout") };
        let target = Target::Glsl(Glsl::Es300);
        hold(client, scenes, |folder, draw| browser.draw(&translate(folder, draw, target, &layout, passed, named)?));
    }
}
