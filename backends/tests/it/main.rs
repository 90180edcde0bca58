//! The tests of `backends` from outside, one program: `cargo test -p backends --test it NAME`.

mod any_module;
mod pairs;
