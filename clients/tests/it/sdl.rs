//! SDL 3's GPU API draws.

use backends::{Layout, Target};
use clients::scenes::{SCENES, hold};
use clients::sdl::Sdl;
use clients::shader::Translated;

#[test]
fn sdl_draws() {
    let layout = Layout::named("sdl-gpu").expect("the layout");
    let sdl = Sdl::new().expect("SDL");
    println!("SDL: {}", sdl.name());
    hold("sdl", &SCENES, |draw| sdl.draw(&Translated::new(draw, Target::Spirv, &layout)?));
}
