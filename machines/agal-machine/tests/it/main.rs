//! Tests the AGAL machine: opcodes, textures, and agreement with the translator on programs and levels of detail.

mod levels;
mod machine;
mod textures;

use agal_front::Program;
use agal_front::assemble::{AssembleOptions, assemble};

/// Assembles a program, and panics if the program has errors.
fn program(text: &str) -> Program {
    let assembly = assemble(text, &AssembleOptions::default());
    assembly.unwrap_or_else(|findings| panic!("{findings:#?}\n{text}")).program
}
