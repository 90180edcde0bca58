//! The clients draw the scenes of [`clients::scenes`].

mod pages;
mod sdl;
mod vulkan;
mod webgl;
