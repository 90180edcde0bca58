//! Vulkan draws with constants in uniform buffers and in push constants, with and without names.

use backends::{Constants, Layout, Passed, Target};
use clients::scenes::{SCENES, SMALL, hold};
use clients::vulkan::Vulkan;

use crate::translate;

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
