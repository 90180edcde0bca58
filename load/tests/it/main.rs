//! The tests of `load` from outside, one program: `cargo test -p load --test it NAME`.

mod detect;
