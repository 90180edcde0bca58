//! The integration tests of `agalc-scene`, in one binary: `cargo test -p agalc-scene --test it NAME`.

// The helpers of the tests for the unified-shader instruction set are unused if the feature `es2` is off.
#![cfg_attr(not(feature = "es2"), allow(dead_code, unused_imports))]

mod format;
mod gallery;
mod made;
mod memory;
mod mesh;
mod picture;
mod programs;
mod scenes;
