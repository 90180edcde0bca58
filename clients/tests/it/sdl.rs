//! SDL 3's GPU API draws, with and without names.

use backends::{Layout, Passed, Target};
use clients::scenes::{SCENES, SMALL, hold};
use clients::sdl::Sdl;

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
