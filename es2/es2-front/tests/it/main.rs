//! The integration tests of `es2-front`, which form one binary. `cargo test -p es2-front --test it NAME` runs one test.

mod files;
mod findings;
mod macros;
mod page;
