//! WebGL 2 draws with constants in plain uniforms and in blocks.

use backends::{Constants, Glsl, Layout, Target};
use clients::scenes::{SCENES, hold};
use clients::shader::Translated;
use clients::webgl::WebGl;

/// One browser draws both, since starting it takes longer than drawing.
#[test]
fn webgl_draws_with_plain_uniforms_and_with_blocks() {
    let plain = Layout::named("webgl2").expect("the layout");
    let blocks = Layout { constants: Constants::Block, ..plain.clone() };
    let mut browser = WebGl::start().unwrap_or_else(|error| panic!("{error}"));
    println!("WebGL 2: {}", browser.name());
    for (client, layout) in [("webgl2", plain), ("webgl2, blocks", blocks)] {
        hold(client, &SCENES, |draw| browser.draw(&Translated::new(draw, Target::Glsl(Glsl::Es300), &layout)?));
    }
}
