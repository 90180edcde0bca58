//! Pictures to draw: a pair of programs with its mesh, textures and constants, from a TOML file; and what comes of drawing them:
//! PNG files, and how much two of them differ.
//!
//! [`Scene::load`] reads a file (`docs/scenes.md` says what it may hold) and gives an [`interp::Draw`], which any witness can
//! draw, beside the AGAL programs that its module was lifted from. The same file gives the same draw, bit by bit, on any
//! machine.

#![cfg_attr(not(test), warn(clippy::indexing_slicing, clippy::cast_possible_truncation))]

mod compare;
mod constants;
mod description;
mod error;
mod hash;
mod matrix;
mod mesh;
mod number;
mod picture;
mod programs;
mod reader;
mod scene;
mod shape;
mod texture;
mod textures;

pub use compare::{Above, Difference, Limits, Sizes, compare, edges};
pub use constants::Registers;
pub use description::{Body, Description, Files, Loading, Reading};
pub use error::{Error, ErrorKind, ObjError, Place};
pub use mesh::{Attribute, Mesh, Shape, Vertex};
pub use picture::{LARGEST, Picture};
pub use programs::Warned;
pub use reader::{LARGEST_DESCRIPTION, LARGEST_FILE};
pub use scene::{LARGEST_TARGETS, Scene};
pub use texture::{Colour, Grade, Image, Made, Origin, Pattern};
