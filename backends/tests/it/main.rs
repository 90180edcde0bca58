//! The integration tests of `backends`, in one binary: `cargo test -p sdlbc-naga --test it NAME`.

mod any_module;
mod entries;
mod growth;
mod hlsl_memory;
mod msl_memory;
mod native;
mod pairs;
mod places;

use sdlbc::{FunctionKind, Module, Verified};
use sdlbc_naga::{Error, Layout, Output, Target};

/// Verifies a module and writes it.
fn write(module: &Module, target: Target, stage: Option<FunctionKind>, layout: &Layout) -> Result<Output, Error> {
    sdlbc_naga::write(&verified(module), target, stage, layout)
}

fn verified(module: &Module) -> Verified {
    Verified::new(module.clone()).unwrap_or_else(|violations| panic!("{violations:?}"))
}
