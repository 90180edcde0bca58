//! The integration tests of `es2-front`, in one binary: `cargo test -p es2-front --test it NAME`.

mod files;
mod findings;
mod macros;
mod page;
