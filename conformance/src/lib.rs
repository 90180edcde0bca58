//! The same programs run by witnesses that share no code, compared.
//!
//! A [`Witness`] draws an [`interp::Draw`]. Everything that the suite compares goes through it: single operations are drawn as
//! points, one pixel an invocation, and pictures as triangles.

pub mod agal;
mod mover;
pub mod opcodes;
pub mod operations;
pub mod parallel;
pub mod pictures;
pub mod precision;
pub mod probe;
pub mod runs;
pub mod suite;
pub mod table;
pub mod values;
pub mod verdict;
pub mod witness;

use interp::{Draw, Image};

/// Why a witness gives no picture.
#[derive(Debug)]
pub enum Failure {
    /// The target cannot express the module, or the device lacks what it needs: said, and counted.
    Unsupported(String),
    /// Something that must not happen: a driver refuses our code, a process ends.
    Broken(String),
}

/// Something that draws.
pub trait Witness {
    /// Its name in tables, like `Vulkan, SPIR-V`.
    fn name(&self) -> String;
    /// Draws into targets of 32-bit floats.
    ///
    /// # Errors
    /// See [`Failure`].
    fn draw(&mut self, draw: &Draw) -> Result<Image, Failure>;
    /// To how many bits behind the point it snaps corners of triangles, if not to eight. The rules ask for four at least.
    fn coarse_bits(&self) -> Option<u32> {
        None
    }
}
