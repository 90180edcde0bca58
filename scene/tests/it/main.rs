//! The tests of `scene` from outside, one program: `cargo test -p scene --test it NAME`.

mod format;
mod gallery;
mod made;
mod mesh;
mod picture;
mod programs;
mod scenes;
