//! The clients draw the scenes of [`clients::scenes`].

mod sdl;
mod vulkan;
mod webgl;
