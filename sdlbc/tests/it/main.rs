//! The integration tests of `sdlbc`, in one binary. `cargo test -p sdlbc --test it NAME` runs the tests whose names
//! contain `NAME`.

mod additions;
mod bindings;
mod builder;
mod common;
mod compute;
mod debug;
mod deep;
mod dump;
mod example;
mod golden;
mod graph;
mod hostile;
mod laws;
mod layout;
mod limits;
mod link;
mod members;
mod paths;
mod text;
mod verify;
mod wrong;
