//! The tests of `laws` from outside, one program: `cargo test -p laws --test it NAME`.

mod built;
mod damaged_programs;
mod endings;
mod generator;
mod hostile;
mod laws;
mod meaning;
mod names;
mod operations;
mod overloads;
mod programs;
mod seeds;
mod targets;
mod wide;
