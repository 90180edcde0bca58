//! The integration tests of `agalc`, in one binary: `cargo test -p agalc --test it NAME`.

mod detect;
mod reflect;
