//! SPIR-V to SDLSHADERBC: reads modules of SPIR-V 1.0 to 1.6 for Vulkan.
//!
//! A construct that SDLSHADERBC cannot express is never approximated: the refusal names the construct and its place.

// No input may cause a panic or truncate a number; tests are allowed to panic.
#![cfg_attr(not(test), warn(clippy::indexing_slicing, clippy::cast_possible_truncation))]
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::unreachable))]

mod accepted;
mod lift;
mod module;
mod structure;
mod words;

pub use accepted::accepted;
pub use sdlbc::front::{Lifted, Refusal, RefusalKind, SourceOptions as Options};

/// Reads the bytes of a SPIR-V module, in either byte order, and lifts its entry points. The result is verified.
///
/// # Errors
/// Returns the faults of the module, or the constructs that SDLSHADERBC cannot express, in the order of the module.
pub fn read(bytes: &[u8], options: &Options) -> Result<Lifted, Vec<Refusal>> {
    let one = |refusal| vec![refusal];
    let words = words::words(bytes).map_err(one)?;
    let insts = words::instructions(&words).map_err(one)?;
    let mut module = module::Module::new(&insts).map_err(one)?;
    let overrides = module.specialise(&options.overrides).map_err(one)?;
    Ok(Lifted { overrides, ..lift::lift(&module, options)? })
}
