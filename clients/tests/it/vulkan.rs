//! Vulkan draws with constants in uniform buffers and in push constants.

use backends::{Constants, Layout, Target};
use clients::scenes::{SCENES, SMALL, hold};
use clients::shader::Translated;
use clients::vulkan::Vulkan;

fn layout() -> Layout {
    Layout::named("vulkan").expect("the layout")
}

fn draws(client: &str, layout: &Layout, scenes: &[&str]) {
    let vulkan = Vulkan::new().expect("Vulkan");
    println!("{client}: {}", vulkan.name());
    hold(client, scenes, |draw| vulkan.draw(&Translated::new(draw, Target::Spirv, layout)?));
}

#[test]
fn vulkan_draws_with_descriptor_sets() {
    draws("vulkan", &layout(), &SCENES);
}

#[test]
fn vulkan_draws_with_push_constants() {
    draws("vulkan, push constants", &Layout { constants: Constants::Push, ..layout() }, &SMALL);
}
