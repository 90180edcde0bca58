//! Clients that draw scenes with translated shaders. Each client uses one graphics API, which is Vulkan, SDL 3's GPU
//! API, or WebGL 2 in a browser.
//!
//! Each client is written like an application, which receives only the shader code and its [`backends::Interface`].
//!
//! The folder `examples` contains the programs of `docs/vulkan.md`, `docs/sdl.md` and `docs/webgl.md`, which
//! `tests/it/examples.rs` runs.

pub mod scenes;
pub mod sdl;
pub mod shader;
pub mod vulkan;
pub mod webgl;
