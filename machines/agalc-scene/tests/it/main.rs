//! The integration tests of `agalc-scene`, in one binary: `cargo test -p agalc-scene --test it NAME`.

mod format;
mod gallery;
mod made;
mod memory;
mod mesh;
mod picture;
mod programs;
mod scenes;
