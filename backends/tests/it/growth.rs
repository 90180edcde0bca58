//! Writing a module takes time in proportion to its length.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use sdlbc::{Module, parse};
use sdlbc_naga::{Layout, Target, write};

/// Adds instructions to a text, from the next free id and the last value; returns the same after them.
type Add = fn(&mut String, u32, u32) -> (u32, u32);

fn in_a_row(text: &mut String, id: u32, last: u32) -> (u32, u32) {
    let [a, b] = [id, id + 1];
    write!(text, "%{a} = multiply %{last}, %2\n%{b} = add %{a}, %1\n").expect("a text");
    (id + 2, b)
}

fn conditional(text: &mut String, id: u32, last: u32) -> (u32, u32) {
    let [x, less, square, dot, sine, yes, no, phi] = std::array::from_fn(|at| id + at as u32);
    write!(
        text,
        "%{x} = swizzle %{last}, x\n%{less} = lessthan %{x}, %2\nif %{less} {{\n%{square} = multiply %{last}, %{last}\n\
         %{dot} = dot %{square}, %1\n%{sine} = sin %{dot}\n%{yes} = multiply %{square}, %{sine}\n}} else {{\n\
         %{no} = subtract %{last}, %1\n}}\n%{phi} = phi %{yes}, %{no}\n"
    )
    .expect("a text");
    (id + 8, phi)
}

fn repetition(text: &mut String, id: u32, last: u32) -> (u32, u32) {
    let [phi, half, x, less, sum] = std::array::from_fn(|at| id + at as u32);
    write!(
        text,
        "loop {{\n%{phi} = phi %{last}, %{half}\n%{half} = multiply %{phi}, %2\n%{x} = swizzle %{half}, x\n\
         %{less} = lessthan %{x}, %2\nif %{less} {{\nbreak\n}}\n}}\n%{sum} = add %{last}, %2\n"
    )
    .expect("a text");
    (id + 5, sum)
}

/// The highest factor by which 16 times the length may take longer.
const MOST: f64 = 32.0;

fn function(add: Add, times: u32) -> Module {
    let mut text = "fragment function \"main\" {\ninput %1 v: float4 = varying 0\noutput 0 oc: float4 = colour 0\n\
                    %2 = literalfloat 0.5\n"
        .to_string();
    let (mut next, mut last) = (3, 1);
    for _ in 0..times {
        (next, last) = add(&mut text, next, last);
    }
    write!(text, "poke %{last}, 0\n}}\n").expect("a text");
    parse(&text).unwrap_or_else(|errors| panic!("{errors:?}"))
}

/// The shortest of several times, since others use the machine too.
fn time(module: &Module, target: Target) -> Duration {
    let once = || {
        let begin = Instant::now();
        write(module, target, None, &Layout::default()).unwrap_or_else(|error| panic!("{error}"));
        begin.elapsed()
    };
    (0..3).map(|_| once()).min().unwrap_or_default()
}

#[test]
fn a_function_that_is_longer_by_a_factor_takes_that_much_longer() {
    for (shape, add, times) in
        [("in a row", in_a_row as Add, 1500), ("conditionals", conditional, 400), ("loops", repetition, 450)]
    {
        let (short, long) = (function(add, times), function(add, 16 * times));
        for target in [Target::Spirv, Target::Wgsl] {
            // Copying what is known at each conditional makes it a factor of 40. Others use the machine too, so that a high
            // factor is measured again.
            let mut measured = Vec::new();
            while measured.len() < 3 && measured.last().is_none_or(|factor| *factor >= MOST) {
                measured.push(time(&long, target).as_secs_f64() / time(&short, target).as_secs_f64());
            }
            assert!(
                measured.last().is_some_and(|factor| *factor < MOST),
                "{shape}, {target}: {measured:.1?} for 16 times the length"
            );
        }
    }
}
