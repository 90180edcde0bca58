//! Runs the same programs on witnesses, which are independent implementations, and compares the results.
//!
//! A [`Witness`] draws an [`sdlbc_interp::Draw`]. Everything except compute functions is compared by drawing: single operations as
//! points, one pixel for each invocation, and scenes as triangles.

pub mod agal;
pub mod dispatch;
pub mod es2;
mod machines;
pub mod opcodes;
pub mod operations;
pub mod parallel;
pub mod passes;
mod perturb;
pub mod pictures;
pub mod precision;
pub mod probe;
pub mod runs;
pub mod suite;
pub mod table;
pub mod values;
pub mod verdict;
pub mod witness;

use sdlbc_interp::{Draw, Image};

/// The reason why a witness draws no picture.
#[derive(Debug)]
pub enum Failure {
    /// The target cannot express the module, or the device lacks a feature that it needs. Such cases are reported and counted.
    Unsupported(String),
    /// A failure that must not happen: a driver rejects our code, or a process dies.
    Broken(String),
}

impl From<backends::Error> for Failure {
    fn from(error: backends::Error) -> Failure {
        match error {
            backends::Error::Unsupported { .. } => Failure::Unsupported(error.to_string()),
            _ => Failure::Broken(error.to_string()),
        }
    }
}

/// An implementation that draws.
pub trait Witness {
    /// Its name in tables, such as `Vulkan, SPIR-V`.
    fn name(&self) -> String;
    /// Draws into targets of 32-bit floats.
    ///
    /// # Errors
    /// See [`Failure`].
    fn draw(&mut self, draw: &Draw) -> Result<Image, Failure>;
    /// The number of fractional bits to which the witness snaps the corners of triangles, if it is not eight. The specifications
    /// require at least four.
    fn subpixel_bits(&self) -> Option<u32> {
        None
    }
}
