//! Loads scenes from TOML files, reads and writes PNG files, and compares pictures. A scene is a pair of programs
//! with a mesh, textures and constants.
//!
//! [`Scene::load`] reads a scene from a file, and [`Scene::load_in`] reads a scene from [`Memory`]. The format of
//! scenes is in `docs/scenes.md`. A loaded scene contains an [`sdlbc_interp::Draw`], and the AGAL programs from
//! which the draw's module was lifted. The same file results in the same draw, bit for bit, on every machine.
//!
//! ```
//! use agalc_scene::{Picture, Scene};
//!
//! # let scene = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/scenes/lighting/scene.toml");
//! let scene = Scene::load(scene).expect("a scene");
//! assert_eq!(scene.draw.module.functions.len(), 2);
//! # let mut scene = scene;
//! # (scene.draw.width, scene.draw.height) = (8, 8);
//! let pair = sdlbc_interp::Pair::new(&scene.draw.module, scene.draw.resources.clone()).expect("a pair");
//! let image = sdlbc_interp::draw(&scene.draw, &pair);
//! let png = Picture::of(&image, 0).expect("the first render target").to_png().expect("a PNG file");
//! assert!(png.starts_with(b"\x89PNG"));
//! ```

#![cfg_attr(not(test), warn(clippy::indexing_slicing, clippy::cast_possible_truncation))]
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::unreachable))]

mod assumed;
mod compare;
mod constants;
mod description;
mod error;
mod matrix;
mod mesh;
mod number;
mod picture;
mod programs;
mod reader;
mod scene;
mod shape;
mod store;
mod texture;
mod textures;

pub use assumed::{Assumed, Holds, unread_attributes, unread_constants};
pub use compare::{Above, Difference, Limits, Sizes, compare, edges};
pub use constants::{Registers, Set};
pub use description::{Description, Files, Loading, Reading};
pub use error::{Error, ErrorKind, ObjError, TextPosition};
pub use mesh::{Attribute, Mesh, Shape, Vertex};
pub use picture::{LARGEST, Picture};
pub use reader::{LARGEST_DESCRIPTION, LARGEST_FILE};
pub use scene::{LARGEST_TARGETS, Scene, is_unread_texture, registers, sampled_registers};
pub use shape::Body;
pub use store::Memory;
pub use texture::{Colour, Grade, Image, Made, Origin, Pattern};
