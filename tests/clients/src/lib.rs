//! Clients of graphics APIs that draw scenes with translated shaders: Vulkan, SDL 3's GPU API, and WebGL 2 in a browser.
//!
//! Each client is written like an application: it gets the code and its [`backends::Interface`], and draws.
//!
//! The programs of `docs/vulkan.md`, `docs/sdl.md` and `docs/webgl.md` are in `examples`; `tests/it/examples.rs` runs them.

pub mod scenes;
pub mod sdl;
pub mod shader;
pub mod vulkan;
pub mod webgl;
