//! The witnesses that are devices: what draws a picture with the code that this workspace writes.
//!
//! Rule: a witness gets the code as it is written, and nothing of how it came to be. What differs between the devices'
//! conventions (rows upward, front faces, the first vertex of a triangle) is undone here, so that all pictures are alike.

mod browser;
mod cross;
mod gl;
mod gl_context;
mod gl_draw;
mod interface;
mod vulkan;
mod vulkan_draw;

use std::sync::Once;

use backends::Glsl;
use interp::Texture;
use sdlbc::Dimension;

use crate::{Failure, Witness};

pub use browser::Browser;
pub use gl::{OpenGl, Text};
pub use vulkan::{Code, Vulkan};

/// The environment variable that names the device to use, by a part of its name. Without it a software device draws, if
/// there is one, since that is the same on any machine.
pub const ADAPTER: &str = "CONFORMANCE_ADAPTER";

/// Every device witness, in the order of the tables.
///
/// # Errors
/// A library or a device is missing; the message names the package that brings it.
pub fn all() -> Result<Vec<Box<dyn Witness>>, String> {
    let own = |version| OpenGl::new(Text::Own(version));
    Ok(vec![
        Box::new(Vulkan::new(Code::Spirv)?),
        Box::new(Vulkan::new(Code::Wgsl)?),
        Box::new(OpenGl::new(Text::Cross)?),
        Box::new(own(Glsl::Core330)?),
        Box::new(own(Glsl::Core450)?),
        Box::new(own(Glsl::Es300)?),
    ])
}

/// Switches of Mesa's software drivers, set before the first of them is loaded unless they are set already.
const SWITCHES: [(&str, &str); 4] = [
    // A window system's library complains where it is not set, though no window is opened.
    ("XDG_RUNTIME_DIR", "/tmp"),
    // Each program is drawn once: a cache on disk would only grow.
    ("MESA_SHADER_CACHE_DISABLE", "true"),
    // The pictures are small: the thread that asks for one draws it.
    ("LP_NUM_THREADS", "0"),
    // Each fragment has its level of detail, and its own weights to 32 bits, not to 8; and little time goes into making
    // code fast that runs once. What is left (Mesa 22.3): where the level is not given it comes from a logarithm of straight
    // lines, at most 0.043 too small, and its fraction is a multiple of 1/256.
    ("GALLIVM_PERF", "no_quad_lod,no_aos_sampling,nopt"),
];

/// Sets the switches, once. Every witness does so before it does anything else, the browser too, which has no use for them:
/// its threads are not to be there yet.
fn switch() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let software = std::env::var_os(ADAPTER).is_none().then_some(("LIBGL_ALWAYS_SOFTWARE", "true"));
        for (name, value) in SWITCHES.into_iter().chain(software) {
            if std::env::var_os(name).is_none() {
                // SAFETY: no witness does anything before this returns, so that neither a driver nor a thread of ours reads the
                // environment meanwhile, but through the standard library, which waits.
                unsafe { std::env::set_var(name, value) };
            }
        }
    });
}

/// What a slot without a texture reads.
fn black(dimension: Dimension) -> Texture {
    let depth = if dimension == Dimension::Cube { 6 } else { 1 };
    let level = interp::Level { width: 1, height: 1, depth, texels: vec![[0; 4]; depth as usize] };
    Texture { dimension, levels: vec![level] }
}

/// A texture that a device can be given: as many texels as it says, levels that halve.
fn check_texture(texture: &Texture) -> Result<(), Failure> {
    let Some(first) = texture.levels.first() else { return Err(Failure::Broken("a texture without levels".into())) };
    for (number, level) in texture.levels.iter().enumerate() {
        let halved = |size: u32| (size >> number).max(1);
        let depth = if texture.dimension == Dimension::D3 { halved(first.depth) } else { first.depth };
        let expected = (halved(first.width), halved(first.height), depth);
        let texels = level.width as usize * level.height as usize * level.depth as usize;
        if (level.width, level.height, level.depth) != expected || level.texels.len() != texels {
            return Err(Failure::Broken(format!("level {number} of a texture is not half of the one before")));
        }
    }
    Ok(())
}

/// Why the code is not there.
fn refused(error: &backends::Error) -> Failure {
    match error {
        backends::Error::Unsupported { .. } => Failure::Unsupported(error.to_string()),
        _ => Failure::Broken(error.to_string()),
    }
}
