//! The witnesses that are devices: they draw pictures with the code that this workspace generates.
//!
//! Rule: a witness gets only the generated code, and nothing about how it was generated. Differences between the
//! devices' conventions (the order of rows, front faces, the provoking vertex) are undone here, so that all pictures
//! are alike.

mod bindings;
pub mod browser;
mod cross;
mod gl;
mod gl_context;
mod gl_dispatch;
mod gl_draw;
mod gl_plain;
mod hlsl;
mod interface;
mod named;
mod texels;
mod vulkan;
mod vulkan_dispatch;
mod vulkan_draw;

use std::sync::Once;

use backends::Glsl;
use sdlbc::Dimension;
use sdlbc_interp::Texture;
use testing::DXC;

use crate::dispatch::Dispatcher;
use crate::{Failure, Witness};

pub use browser::Browser;
pub use gl::{OpenGl, Text};
pub use vulkan::{Code, Vulkan};

/// The environment variable that selects the device by a part of its name. By default a software device draws, if there is one, since
/// its results are the same on any machine.
pub const ADAPTER: &str = "CONFORMANCE_ADAPTER";

/// The number of witnesses that [`all`] returns.
pub const COUNT: usize = 6;

/// Every device witness that draws with the default layout, in the order of the tables.
///
/// # Errors
/// A library or a device is missing; the message names the package to install.
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

/// The device witnesses with other layouts than the default, with names, and with members of the constants. They run a part of the
/// programs.
///
/// # Errors
/// A library or a device is missing; the message names the package to install.
pub fn others() -> Result<Vec<Box<dyn Witness>>, String> {
    Ok(vec![Box::new(Vulkan::named(Code::Spirv)?), Box::new(Vulkan::named(Code::Wgsl)?), Box::new(OpenGl::plain()?)])
}

/// Every device that runs compute functions, in the order of the table; the device with Microsoft's compiler, if present, is the
/// last. Chromium uses its own device, which [`ADAPTER`] does not select.
///
/// # Errors
/// A library or a device is missing; the message names the package to install.
pub fn dispatchers() -> Result<Vec<Box<dyn Dispatcher>>, String> {
    let mut dispatchers: Vec<Box<dyn Dispatcher>> = vec![
        Box::new(Vulkan::new(Code::Spirv)?),
        Box::new(Vulkan::new(Code::Wgsl)?),
        Box::new(OpenGl::new(Text::Cross)?),
        Box::new(OpenGl::new(Text::Own(Glsl::Core450))?),
    ];
    if std::env::var_os(ADAPTER).is_none() {
        dispatchers.push(Box::new(Browser::start()?));
    }
    if DXC.is_there() {
        dispatchers.push(Box::new(Vulkan::new(Code::Hlsl)?));
    }
    Ok(dispatchers)
}

/// Switches of Mesa's software drivers. They are set before the first driver is loaded, unless they are already set.
const SWITCHES: [(&str, &str); 4] = [
    // A window system's library complains if this is not set, although no window is opened.
    ("XDG_RUNTIME_DIR", "/tmp"),
    // A cache in the user's folder would only grow. `./test` has one in the target folder.
    ("MESA_SHADER_CACHE_DISABLE", "true"),
    // The pictures are small, so the calling thread draws them.
    ("LP_NUM_THREADS", "0"),
    // Each fragment gets its own level of detail, and filter weights have 32 bits instead of 8; and little time is spent on
    // optimising code that runs once. Inaccuracies remain (Mesa 22.3): an implicit level is computed with a piecewise linear
    // logarithm, at most 0.043 too small, and its fraction is a multiple of 1/256.
    ("GALLIVM_PERF", "no_quad_lod,no_aos_sampling,nopt"),
];

/// Sets the switches, once. Every witness does so before anything else, even the browser, which has no use for them,
/// because its threads must not exist yet.
pub fn switch() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let software = std::env::var_os(ADAPTER).is_none().then_some(("LIBGL_ALWAYS_SOFTWARE", "true"));
        for (name, value) in SWITCHES.into_iter().chain(software) {
            if std::env::var_os(name).is_none() {
                // SAFETY: no witness does anything before this returns, so neither a driver nor a thread of ours reads
                // the environment meanwhile, except through the standard library, which locks it.
                unsafe { std::env::set_var(name, value) };
            }
        }
    });
}

/// Texture of an unbound slot.
fn black(dimension: Dimension) -> Texture {
    let depth = dimension.faces();
    let level = sdlbc_interp::Level { width: 1, height: 1, depth, texels: vec![[0; 4]; depth as usize] };
    Texture { dimension, levels: vec![level] }
}

/// The depths of a level as two bytes each.
fn depths(level: &sdlbc_interp::Level) -> Vec<[u8; 2]> {
    // One of 255 steps equals 257 of 65535.
    level.texels.iter().map(|texel| [texel[0]; 2]).collect()
}

/// Checks that a texture can be uploaded: it has as many texels as its size says, and each level is half the previous
/// one.
fn check_texture(texture: &Texture) -> Result<(), Failure> {
    let Some(first) = texture.levels.first() else { return Err(Failure::Broken("a texture without levels".into())) };
    for (number, level) in texture.levels.iter().enumerate() {
        let halved = |size: u32| (size >> number).max(1);
        let depth = if texture.dimension == Dimension::D3 { halved(first.depth) } else { first.depth };
        let expected = (halved(first.width), halved(first.height), depth);
        let texels = level.width as usize * level.height as usize * level.depth as usize;
        if (level.width, level.height, level.depth) != expected || level.texels.len() != texels {
            return Err(Failure::Broken(format!(
                "level {number} of a texture is not half the size of the previous one"
            )));
        }
    }
    Ok(())
}

/// Converts the error of the code generator.
fn untranslated(error: &backends::Error) -> Failure {
    match error {
        backends::Error::Unsupported { .. } => Failure::Unsupported(error.to_string()),
        _ => Failure::Broken(error.to_string()),
    }
}
