//! The integration tests of the interpreter, which compare results with values computed by hand. `cargo test -p es2-machine
//! --test it NAME` runs one test.

mod machine;
mod macros;

use es2_front::Program;
use es2_front::assemble::assemble;
use es2_machine::{Float, Inputs, Quad, Vector, run};

fn fragment(body: &str) -> Program {
    let text = format!("!!ES2fp1.0\n{body}\nEND\n");
    assemble(&text, None).unwrap_or_else(|findings| panic!("{findings:?}\n{text}")).program
}

/// Returns the colour that a program computes when all four invocations read the same varyings.
fn one(program: &Program, varyings: &[Vector], uniforms: &[Vector]) -> Vector {
    let mut inputs = [Quad::default(); 16];
    for (input, varying) in inputs.iter_mut().zip(varyings) {
        *input = [*varying; 4];
    }
    let outputs = run(program, &Inputs { inputs, uniforms, texels: &|_, _| Quad::default(), float: Float::F32 });
    outputs.get(15).expect("fragcolor is written")[2]
}
