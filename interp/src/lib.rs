//! Runs SDLSHADERBC modules, and draws with them.
//!
//! A [`Draw`] is a picture to be: a module's vertex and fragment function, a mesh and what the functions read. [`Image`] is what
//! comes of it. Invocations run [`LANES`] at a time, each component of a value a [`Column`]. What an operation computes
//! stands in the table of `sdlbc`; this crate knows no front end and no target.

mod cells;
mod draw;
mod pair;
mod plan;
mod program;
mod quads;
mod raster;
mod run;
mod sample;
mod shader;
mod step;
mod texture;

pub use draw::{Cull, DepthTest, Draw, Image, Resources, Topology};
pub use pair::Pair;
pub use program::{Error, Inputs, Program, Ran};
pub use raster::{DrawError, LARGEST, draw, draw_snapped, draw_with};
pub use run::{Observer, STEPS};
pub use sample::{LevelOf, sample};
pub use shader::{Column, Fragments, LANES, Mask, Shaded, Shader, Transformed, Varying, Vertices};
pub use step::Site;
pub use texture::{LARGEST_TEXTURE, Level, Texture, TextureError};
