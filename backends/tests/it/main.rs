//! The integration tests of `backends`, in one binary: `cargo test -p sdlbc-naga --test it NAME`.

mod any_module;
mod entries;
mod growth;
mod native;
mod pairs;
mod places;
