//! Runs SDLSHADERBC modules and draws with them.
//!
//! A [`Draw`] describes a picture: a module with a vertex and a fragment function, a mesh, and the resources that the
//! functions read. Drawing returns an [`Image`]. Invocations run in groups of [`LANES`], with a [`Column`] for each
//! component of a value. The computations come from the operation table in `sdlbc`. This crate depends on no front end
//! and on no target.
//!
//! The following example draws a single-colour triangle that covers the picture:
//!
//! ```
//! use sdlbc_interp::{Draw, Pair, draw};
//!
//! let module = sdlbc::parse(
//!     r#"
//! vertex function "vs_main" {
//!   input %1 corner: float4 = attribute 0
//!   output 0 position: float4 = position
//!   poke %1, 0
//! }
//! fragment function "fs_main" {
//!   output 0 colour: float4 = colour 0
//!   %1 = literalfloat4 1.0, 0.5, 0.0, 1.0
//!   poke %1, 0
//! }
//! "#,
//! )
//! .expect("a module");
//! let corner = |x: f32, y: f32| [x, y, 0.0, 1.0].map(f32::to_bits);
//! let mut triangle = Draw::new(module, 4, 4);
//! triangle.attributes.insert(0, vec![corner(-1.0, 3.0), corner(3.0, -1.0), corner(-1.0, -1.0)]);
//! triangle.indices = vec![0, 1, 2];
//! let pair = Pair::new(&triangle.module, triangle.resources.clone()).expect("it can be run");
//! let image = draw(&triangle, &pair);
//! assert_eq!(image.targets[0][0], [1.0, 0.5, 0.0, 1.0]);
//! ```

#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::unreachable))]

mod cells;
mod draw;
mod error;
mod float24;
mod input_name;
mod pair;
mod plan;
mod program;
mod quads;
mod raster;
mod run;
mod sample;
mod shader;
mod simd;
mod step;
mod storage;
mod texture;

pub use draw::{Cull, DepthTest, Draw, Image, Resources, Topology};
pub use error::Error;
pub use float24::Float;
pub use input_name::{can_be_set, find_input, no_such_input};
pub use pair::Pair;
pub use program::{Inputs, Program, Ran};
pub use raster::{DrawError, LARGEST, draw, draw_into, draw_snapped, draw_with};
pub use run::{Observer, STEPS};
pub use sample::{Gathered, LevelOf, gather_layers, sample, sample_layers};
pub use shader::{Column, Fragments, LANES, Mask, Shaded, Shader, Transformed, Varying, Vertices};
pub use step::Site;
pub use storage::StorageTexture;
pub use texture::{LARGEST_TEXTURE, Level, MOST_TEXELS, Texture, TextureError};
