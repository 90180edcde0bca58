//! The device witnesses, which draw pictures with the code that this workspace generates.
//!
//! Rule: a witness receives only the generated code, and no information on how the code was generated. The witnesses compensate
//! for differences between the devices' conventions, such as the order of rows, front faces and the provoking vertex. All
//! pictures therefore follow the same conventions.

mod bindings;
pub mod browser;
mod cross;
mod gl;
mod gl_context;
mod gl_dispatch;
mod gl_draw;
mod gl_plain;
mod gl_stage;
mod gl_store;
mod hlsl;
mod interface;
mod mesa;
mod named;
mod texels;
mod textures;
mod vulkan;
mod vulkan_dispatch;
mod vulkan_draw;
mod vulkan_targets;

use backends::Glsl;
use testing::DXC;

use crate::Witness;
use crate::dispatch::Dispatcher;

pub use browser::Browser;
pub use gl::{OpenGl, Text};
pub use mesa::{ADAPTER, switch};
pub use vulkan::{Code, Vulkan};

/// The number of witnesses that [`all`] returns.
pub const COUNT: usize = 6;

/// Opens every device witness that draws with the default layout, in the order of the tables.
///
/// # Errors
/// Returns an error if a library or a device is missing. The message names the package to install.
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

/// Opens the device witnesses that use non-default layouts and add names and constant members to each module. These witnesses run
/// only some of the programs.
///
/// # Errors
/// Returns an error if a library or a device is missing. The message names the package to install.
pub fn others() -> Result<Vec<Box<dyn Witness>>, String> {
    Ok(vec![Box::new(Vulkan::named(Code::Spirv)?), Box::new(Vulkan::named(Code::Wgsl)?), Box::new(OpenGl::plain()?)])
}

/// Opens every device that runs compute functions, in the order of the columns in tables. The device with Microsoft's compiler
/// comes last, if that compiler is installed. Chromium uses its own device, which [`ADAPTER`] does not select.
///
/// # Errors
/// Returns an error if a library or a device is missing. The message names the package to install.
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
