//! Runs SDLSHADERBC modules and draws with them.
//!
//! A [`Draw`] describes a picture: a module with a vertex and a fragment function, a mesh, and the resources that the functions
//! read. The result is an [`Image`]. Invocations run [`LANES`] at a time, with a [`Column`] for each component of a value. The
//! computations are those of the operation table in `sdlbc`; this crate knows no front end and no target.

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
