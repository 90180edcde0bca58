//! Each client draws the scenes with and without names for the registers.
//!
//! The SDL client pushes constants as uniform data. The Vulkan client uses uniform buffers or push constants, and the WebGL
//! client uses plain uniforms or uniform blocks.

use backends::{Constants, Glsl, Layout, Passed, Target};
use clients::scenes::{SCENES, SMALL, hold};
use clients::sdl::Sdl;
use clients::vulkan::Vulkan;
use clients::webgl::WebGl;

use crate::translate;

#[test]
fn sdl_draws() {
    let layout = Layout::named("sdl-gpu").expect("the layout");
    let sdl = Sdl::new().expect("SDL");
    println!("SDL: {}", sdl.name());
    for (client, scenes, named) in [("sdl", &SCENES[..], false), ("sdl, named", &SMALL, true)] {
        hold(client, scenes, |folder, draw| {
            sdl.draw(&translate(folder, draw, Target::Spirv, &layout, Passed::Buffer, named)?)
        });
    }
}

fn draws(client: &str, constants: Constants, scenes: &[&str], named: bool) {
    let layout = Layout { constants, ..Layout::named("vulkan").expect("the layout") };
    let passed = if constants == Constants::Push { Passed::Push } else { Passed::Buffer };
    let vulkan = Vulkan::new().expect("Vulkan");
    println!("{client}: {}", vulkan.name());
    hold(client, scenes, |folder, draw| vulkan.draw(&translate(folder, draw, Target::Spirv, &layout, passed, named)?));
}

#[test]
fn vulkan_draws_with_descriptor_sets() {
    draws("vulkan", Constants::Block, &SCENES, false);
    draws("vulkan, named", Constants::Block, &SMALL, true);
}

#[test]
fn vulkan_draws_with_push_constants() {
    draws("vulkan, push constants", Constants::Push, &SMALL, false);
    draws("vulkan, push constants, named", Constants::Push, &SMALL, true);
}

/// A single test draws with plain uniforms and with blocks, because starting a browser takes longer than drawing.
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
