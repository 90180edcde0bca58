//! Runs programs of the unified-shader instruction set instruction by instruction on registers.
//!
//! This is a second implementation of the instruction set, independent of the translator in `es2-front`: a witness with which
//! the translator's results are compared. Rule: it uses only the decoded words of a program (instructions and their fields)
//! from `es2-front`, and does not depend on modules. The operands and results of instructions are restated here from
//! docs/isa.md, as plainly as possible. A test of the workspace, `cli/tests/it/arrows.rs`, enforces the rule.
//!
//! Four invocations run in lockstep, arranged as a quad of fragments: 0 is the upper left one, 1 the upper right, 2 the lower
//! left, 3 the lower right. The set has no control flow, so they differ only in their inputs. Registers that were not written
//! read as zero.
//!
//! ```
//! use es2_front::assemble::assemble;
//! use es2_machine::{Float, Inputs, Quad, run};
//!
//! let program = assemble("!!ES2fp1.0\nMUL fragcolor, v0, u0.x;\nEND\n", None).expect("a program").program;
//! let mut inputs = [Quad::default(); 16];
//! inputs[0] = [[0.5, 1.0, 1.5, 2.0]; 4]; // v0 of the four fragments of a quad
//! let outputs = run(&program, &Inputs { inputs, uniforms: &[[2.0; 4]], texels: &|_, _| Quad::default(), float: Float::F32 });
//! assert_eq!(outputs.get(15).expect("fragcolor")[0], [1.0, 2.0, 3.0, 4.0]);
//! ```

// No input may cause a panic: see ARCHITECTURE.md. clippy.toml exempts tests.
#![warn(
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic
)]

mod float;
mod run;

pub use float::Float;
pub use run::run;

/// A register's value: its components x, y, z, w.
pub type Vector = [f32; 4];

/// A register in each of the four invocations.
pub type Quad = [Vector; 4];

/// The inputs of four invocations.
#[derive(Clone, Copy)]
pub struct Inputs<'a> {
    /// The inputs by index: attributes of a vertex program; in a fragment program varyings, and at 13 to 15 whether the
    /// fragment belongs to a front face, the point coordinate and the fragment coordinate.
    pub inputs: [Quad; 16],
    /// The uniforms by number; those after the last are zero.
    pub uniforms: &'a [Vector],
    /// The texels of a sampler (0 to 7) at the coordinate of each invocation. The coordinate is the whole operand; the
    /// sampler's dimension determines how many of its components are used.
    pub texels: &'a dyn Fn(u8, Quad) -> Quad,
    /// The floating-point format. Inputs are rounded to it.
    pub float: Float,
}

/// The outputs of four invocations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outputs {
    /// The outputs by index; components that were not written are zero.
    pub outputs: [Quad; 16],
    /// Whether each output was written, at least in part.
    pub written: [bool; 16],
}

impl Outputs {
    /// The output at an index, 0 to 15, if the program writes a component of it.
    pub fn get(&self, index: u8) -> Option<&Quad> {
        let index = usize::from(index);
        self.outputs.get(index).filter(|_| self.written.get(index) == Some(&true))
    }
}
