//! Runs AGAL programs token by token on registers.
//!
//! The machine is a second implementation of AGAL, independent of the translator in `agal-front`. Tests compare the
//! translator's results with the machine's results. Rule: the machine uses only the decoded words of a program
//! (header, tokens and their fields, the sizes of the register files) from `agal-front`, and uses no SDLSHADERBC
//! modules. A test of the workspace, `cli/tests/it/arrows.rs`, enforces the rule. The machine restates the operands
//! and results of opcodes from the published descriptions, as plainly as possible.
//!
//! Four invocations run in lockstep as a quad of fragments. Invocation 0 is the upper left fragment, 1 the upper
//! right, 2 the lower left and 3 the lower right. Each invocation takes its own path through conditionals. A discarded invocation
//! keeps running as a helper invocation for the derivatives of its neighbours. Registers that were not written read
//! as zero.
//!
//! ```
//! use std::collections::BTreeMap;
//!
//! use agal_front::assemble::assemble;
//! use agal_front::register::File;
//! use agal_machine::{Inputs, Machine, Options, Texture};
//!
//! let program = assemble("mul oc, v0, fc0.x", &Default::default()).expect("a program").program;
//! let machine = Machine::new(&program, Options::default()).expect("it can be run");
//! let colour = [[0.5, 1.0, 1.5, 2.0]; 4]; // of the four fragments of a quad
//! let textures = BTreeMap::<u32, Texture>::new();
//! let inputs = Inputs { registers: &[colour], constants: &[[2.0; 4]], instance: [0; 4], environment: &textures };
//! let outputs = machine.run(&inputs);
//! assert_eq!(outputs.get(File::Output, 0).expect("oc").values[0], [1.0, 2.0, 3.0, 4.0]);
//! ```

// No input may cause a panic (see ARCHITECTURE.md). clippy.toml exempts tests from the lints against panics.
#![warn(
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic
)]

mod compute;
mod decode;
mod environment;
mod error;
mod float;
mod level;
mod machine;
mod options;
mod outputs;
mod run;
mod texture;

pub use environment::{Environment, Inputs, Lanes, LevelOfDetail, Lookup, Quad};
pub use error::{Error, ErrorKind, NESTING};
pub use float::Float;
pub use machine::Machine;
pub use options::Options;
pub use outputs::{Effect, OutputRegister, Outputs, Trace};
pub use texture::{Dimension, Level, Texture};
