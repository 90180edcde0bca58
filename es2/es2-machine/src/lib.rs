//! Interprets programs of the unified-shader instruction set, one instruction at a time.
//!
//! The interpreter is a second implementation of the instruction set; tests compare its results with those of the translator in
//! `es2-front`. Rule: the interpreter takes only decoded instructions from `es2-front`, and does not depend on modules. The
//! interpreter restates the operands and results of instructions from docs/isa.md as plainly as possible. The workspace test
//! `cli/tests/it/arrows.rs` enforces the interpreter's independence.
//!
//! Four invocations run in lockstep as a quad of fragments. Invocation 0 is the upper left fragment, 1 the upper right,
//! 2 the lower left and 3 the lower right. The instruction set has no control flow, so the invocations differ only in
//! their inputs. Registers that were never written read as zero.
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

// These lints warn about code that may panic, because no input may cause a panic (see ARCHITECTURE.md). clippy.toml exempts tests
// from the lints.
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

/// The value of a register: its components x, y, z and w.
pub type Vector = [f32; 4];

/// The values of one register in the four invocations.
pub type Quad = [Vector; 4];

/// The data that four invocations of a program read.
#[derive(Clone, Copy)]
pub struct Inputs<'a> {
    /// The input registers by index: attributes in a vertex program, varyings in a fragment program. Inputs 13 to 15 of a
    /// fragment program are the front-facing flag, the point coordinate and the fragment coordinate.
    pub inputs: [Quad; 16],
    /// The uniforms by number; uniforms beyond the end of the slice are zero.
    pub uniforms: &'a [Vector],
    /// Returns the texels of a sampler (0 to 7) at the coordinate of each invocation. A coordinate consists of all four
    /// components of the operand, and the sampler's dimension determines how many of the components are used.
    pub texels: &'a dyn Fn(u8, Quad) -> Quad,
    /// The floating-point format of the computation. Inputs, uniforms and texels are rounded to this format.
    pub float: Float,
}

/// The outputs that four invocations of a program wrote.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outputs {
    /// The output registers by index; components that were not written are zero.
    pub outputs: [Quad; 16],
    /// For each output, by index, whether the program wrote at least one component.
    pub written: [bool; 16],
}

impl Outputs {
    /// Returns the output at `index`, 0 to 15, or `None` if the program writes no component of the output.
    pub fn get(&self, index: u8) -> Option<&Quad> {
        let index = usize::from(index);
        self.outputs.get(index).filter(|_| self.written.get(index) == Some(&true))
    }
}
