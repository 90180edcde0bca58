//! Runs the same programs on witnesses, which are independent implementations, and compares the results.
//!
//! A [`Witness`] draws an [`sdlbc_interp::Draw`]. All functions except compute functions are compared by drawing. Single
//! operations are drawn as points, with one pixel for each invocation, and scenes are drawn as triangles.

pub mod agal;
pub mod dispatch;
pub mod es2;
mod machines;
pub mod opcodes;
pub mod operations;
pub mod originals;
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
    /// The target cannot express the module, or the device lacks a feature that the module needs. The suite reports and counts
    /// such failures.
    Unsupported(String),
    /// An error that must not happen, such as a driver that rejects our code or a process that dies.
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

/// An independent implementation that draws pictures.
pub trait Witness {
    /// The witness's name in tables, such as `Vulkan, SPIR-V`.
    fn name(&self) -> String;
    /// Draws a picture into targets of 32-bit floats, or of 32-bit ints for integer colours.
    ///
    /// # Errors
    /// Returns a [`Failure`] if the witness does not support the module, or if the driver fails.
    fn draw(&mut self, draw: &Draw) -> Result<Image, Failure>;
    /// Returns the number of fractional bits to which the witness snaps the corners of triangles, or `None` for eight bits. The
    /// specifications require at least four bits.
    fn subpixel_bits(&self) -> Option<u32> {
        None
    }
}
