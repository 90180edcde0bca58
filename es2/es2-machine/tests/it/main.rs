//! The machine of the unified-shader instruction set: instructions, operands, registers, textures and macros, against values that
//! were computed by hand. `cargo test -p es2-machine --test it NAME`.

mod machine;
mod macros;

use es2_front::Program;
use es2_front::assemble::assemble;
use es2_machine::{Float, Inputs, Quad, Vector, run};

/// Assembles the body of a fragment program, which must have no errors.
fn fragment(body: &str) -> Program {
    let text = format!("!!ES2fp1.0\n{body}\nEND\n");
    assemble(&text, None).unwrap_or_else(|findings| panic!("{findings:?}\n{text}")).program
}

/// The colour of a program whose four invocations all read the same varyings.
fn one(program: &Program, varyings: &[Vector], uniforms: &[Vector]) -> Vector {
    let mut inputs = [Quad::default(); 16];
    for (input, varying) in inputs.iter_mut().zip(varyings) {
        *input = [*varying; 4];
    }
    let outputs = run(program, &Inputs { inputs, uniforms, texels: &|_, _| Quad::default(), float: Float::F32 });
    outputs.get(15).expect("fragcolor is written")[2]
}
