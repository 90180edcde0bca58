//! Tests single changes of `optimise`, each in a program to which no other change applies. The crate `laws` tests that the
//! results are equal.

use agal_back::optimise;
use agal_front::assemble::{AssembleOptions, assemble};
use agal_front::disassemble::disassemble;
use agal_front::{Program, Stage};

fn program(stage: Stage, text: &str) -> Program {
    assemble(text, &AssembleOptions::default().stage(Some(stage))).expect("a program").program
}

fn becomes(stage: Stage, before: &str, after: &str) {
    let found = optimise(&program(stage, before));
    assert_eq!(disassemble(&found), disassemble(&program(stage, after)), "{before}");
}

/// If one component of a copy is overwritten, the copied components and the new component are each written directly to the
/// output.
#[test]
fn parts_of_an_output_are_written_where_they_are_computed() {
    becomes(
        Stage::Vertex,
        "mov vt0, va1\nmul vt0.w, vt0.w, vc5.w\nm44 op, va0, vc0\nmov v0, vt0",
        "mov v0.xyz, va1.xyz\nmul v0.w, va1.w, vc5.w\nm44 op, va0, vc0",
    );
    becomes(
        Stage::Vertex,
        "mov vt0, va1\nneg vt0.y, vt0.y\nmov v0, vt0\nm44 op, va0, vc0",
        "mov v0.xzw, va1.xxzw\nneg v0.y, va1.y\nm44 op, va0, vc0",
    );
}
