//! The integration tests of `load`, in one binary: `cargo test -p load --test it NAME`.

mod detect;
