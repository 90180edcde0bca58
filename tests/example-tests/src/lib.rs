//! This crate contains only tests, in `tests/it`, so that the manifest of the wgpu example needs no test dependencies.
