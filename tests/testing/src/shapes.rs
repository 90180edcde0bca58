//! Generates fragment functions of any length as module text, for tests that measure how cost grows with length. The shapes are
//! straight-line code, conditionals, PHIs and loops.
//!
//! Rule: a function consists of repetitions of one part. Each part uses the result of the previous part, so that no part is dead
//! and no two parts are common subexpressions.

use std::fmt::Write as _;

/// Appends a part to a module's text. The parameters are the next free id and the id of the last value. The function returns the
/// next free id and the id of the last value after the part.
type Add = fn(&mut String, u32, u32) -> (u32, u32);

/// The shape of a generated function, which consists of repetitions of one part.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// The name of the shape, such as `loops`.
    pub name: &'static str,
    /// The number of instructions in one part.
    pub part: usize,
    add: Add,
}

/// All shapes of generated functions.
pub const SHAPES: [Shape; 4] = [
    Shape { name: "straight", part: 2, add: straight },
    Shape { name: "conditionals", part: 9, add: conditional },
    Shape { name: "PHIs", part: 16, add: phis },
    Shape { name: "loops", part: 8, add: repetition },
];

impl Shape {
    /// Returns the text of a module whose only function repeats the shape's part `parts` times.
    pub fn module(&self, parts: usize) -> String {
        let mut text = "fragment function \"main\" {\ninput %1 v: float4 = varying 0\noutput 0 oc: float4 = colour 0\n\
                        %2 = literalfloat 0.5\n"
            .to_string();
        let (mut next, mut last) = (3, 1);
        for _ in 0..parts {
            (next, last) = (self.add)(&mut text, next, last);
        }
        push(&mut text, format_args!("poke %{last}, 0\n}}\n"));
        text
    }

    /// Returns the text of the longest module that has at most `instructions` instructions. A module consists of its parts, a
    /// literal and a POKE.
    pub fn of_length(&self, instructions: usize) -> String {
        self.module(instructions.saturating_sub(2) / self.part)
    }
}

fn push(text: &mut String, part: std::fmt::Arguments<'_>) {
    text.write_fmt(part).expect("memory");
}

fn straight(text: &mut String, id: u32, last: u32) -> (u32, u32) {
    let [a, b] = [id, id + 1];
    push(text, format_args!("%{a} = multiply %{last}, %2\n%{b} = add %{a}, %1\n"));
    (id + 2, b)
}

/// Appends an IF whose first arm is too long for if-conversion, which would compute the arm unconditionally.
fn conditional(text: &mut String, id: u32, last: u32) -> (u32, u32) {
    let [x, less, square, dot, sine, yes, no, phi] = [0, 1, 2, 3, 4, 5, 6, 7].map(|at| id + at);
    push(
        text,
        format_args!(
            "%{x} = swizzle %{last}, x\n%{less} = lessthan %{x}, %2\nif %{less} {{\n%{square} = multiply %{last}, %{last}\n\
             %{dot} = dot %{square}, %1\n%{sine} = sin %{dot}\n%{yes} = multiply %{square}, %{sine}\n}} else {{\n\
             %{no} = subtract %{last}, %1\n}}\n%{phi} = phi %{yes}, %{no}\n"
        ),
    );
    (id + 8, phi)
}

/// Appends an IF with a PHI for each of four values. The next part depends on all four values.
fn phis(text: &mut String, id: u32, last: u32) -> (u32, u32) {
    let [x, less, a, b, c, d] = [0, 1, 2, 3, 4, 5].map(|at| id + at);
    let [e, f, g, h, ab, cd, sum] = [6, 7, 8, 9, 10, 11, 12].map(|at| id + at);
    let [first, second] = [id + 13, id + 14];
    push(
        text,
        format_args!(
            "%{x} = swizzle %{last}, x\n%{less} = lessthan %{x}, %2\nif %{less} {{\n%{a} = sin %{last}\n%{b} = cos %{last}\n\
             %{c} = multiply %{last}, %{a}\n}} else {{\n%{d} = cos %{last}\n%{e} = sin %{last}\n%{f} = multiply %{last}, %{d}\n\
             }}\n%{g} = phi %{a}, %{d}\n%{h} = phi %{b}, %{e}\n%{ab} = phi %{c}, %{f}\n%{cd} = phi %{last}, %{e}\n\
             %{sum} = add %{g}, %{h}\n%{first} = multiply %{ab}, %{cd}\n%{second} = subtract %{sum}, %{first}\n"
        ),
    );
    (id + 15, second)
}

fn repetition(text: &mut String, id: u32, last: u32) -> (u32, u32) {
    let [phi, half, x, less, sum] = [0, 1, 2, 3, 4].map(|at| id + at);
    push(
        text,
        format_args!(
            "loop {{\n%{phi} = phi %{last}, %{half}\n%{half} = multiply %{phi}, %2\n%{x} = swizzle %{half}, x\n\
             %{less} = lessthan %{x}, %2\nif %{less} {{\nbreak\n}}\n}}\n%{sum} = add %{last}, %2\n"
        ),
    );
    (id + 5, sum)
}
