//! The tests of `interp` from outside, one program: `cargo test -p interp --test it NAME`.

mod control;
mod drawn;
mod operations;
mod shader;
mod speed;
mod texels;
