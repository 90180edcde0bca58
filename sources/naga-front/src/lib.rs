//! Translates WGSL to SDLSHADERBC: naga reads and validates the source, and [`read`] lifts naga's module to an
//! SDLSHADERBC module.
//!
//! ```
//! use naga_front::{Options, read};
//!
//! let wgsl = "
//!     @group(0) @binding(0) var<uniform> tint: vec4<f32>;
//!     @fragment fn main(@location(0) v: vec2<f32>) -> @location(0) vec4<f32> {
//!         var sum = 0.0;
//!         for (var i = 0; i < 4; i++) { sum += v.x * f32(i); }
//!         return tint * sum;
//!     }";
//! let lifted = read(wgsl, &Options::default())?;
//! assert_eq!(lifted.module.functions.len(), 1);
//! sdlbc::verify(&lifted.module).unwrap();
//!
//! let refusals = read("fn f() {}", &Options::default());
//! assert_eq!(refusals.unwrap_err()[0].to_string(), "there is no vertex, fragment or compute entry point");
//! # Ok::<(), Vec<naga_front::Refusal>>(())
//! ```
//!
//! A construct that SDLSHADERBC cannot express is never approximated: it is refused by name, with its source location.
//!
//! # Panics of naga
//!
//! naga's reader and validator may panic on some sources, which are then refused. The first call of [`read`] installs a panic hook
//! for the process. The hook is silent about these panics, and passes all others to the hook that was installed before. A hook that
//! the application sets later replaces it. A build with `panic = "abort"` cannot catch panics. In such a build, [`read`] installs no
//! hook. Sources that are known to make naga panic or overflow the stack are refused in every build, before naga reads them.
//!
//! # How constructs are lifted
//!
//! | source | module |
//! |---|---|
//! | a vertex and a fragment entry point | the two entry functions |
//! | a function whose parameters and result are scalars, vectors and matrices of floats, and that does not use private variables | a generic function, and CALLs |
//! | any other function | is inlined at each call |
//! | a local or private variable | values: each scalar, vector and column of a matrix is a register of [`sdlbc::ssa`] |
//! | an array that is indexed by computed values | a local slot for each part of its elements |
//! | a uniform structure that contains only floats | an array of float4 with the same layout in memory, and a member for each field |
//! | any other uniform structure | a uniform for each field |
//! | a texture and the sampler that it is used with | one texture with its sampler; slots are numbered by group and binding |
//!
//! After a `discard` in WGSL, the invocation continues as a helper invocation. If derivatives may follow the `discard`, the DISCARD
//! is emitted at the end of the entry function. Otherwise, the DISCARD directly replaces the `discard`.

// No input may cause a panic or truncate a number; tests are allowed to panic.
#![cfg_attr(not(test), warn(clippy::indexing_slicing, clippy::cast_possible_truncation))]
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::unreachable))]

mod lift;
mod mend;
mod operands;
mod overrides;
mod parse;
mod silent;
mod summary;

use std::collections::BTreeSet;

pub use sdlbc::front::{Lifted, Refusal, RefusalKind, SourceOptions as Options};

/// Reads a source and lifts its entry points into a verified module.
///
/// # Errors
/// Returns the constructs that naga cannot read or that SDLSHADERBC cannot express, in the order of the source.
pub fn read(text: &str, options: &Options) -> Result<Lifted, Vec<Refusal>> {
    let mut parsed = parse::parse(text)?;
    let declared = declared(&parsed.module);
    let is_override = |name: &&String| parsed.module.overrides.iter().any(|(_, over)| overrides::is_named(over, name));
    let overrides: Vec<String> = options.overrides.iter().map(|(name, _)| name).filter(is_override).cloned().collect();
    if !parsed.module.overrides.is_empty() {
        lift::keep_chosen(&mut parsed.module, options)?;
        parsed = overrides::apply(parsed, &options.overrides)?;
    }
    let lifted = lift::lift(&parsed, text, options)?;
    Ok(Lifted { overrides, declared, ..lifted })
}

/// Returns the names of the declared inputs: resources that are not structures, and arguments of entry points. For an argument
/// that is a structure, the structure's members count as inputs.
fn declared(module: &naga::Module) -> BTreeSet<String> {
    let members = |ty| match module.types.get_handle(ty).map(|ty| &ty.inner) {
        Ok(naga::TypeInner::Struct { members, .. }) => Some(members),
        _ => None,
    };
    let variables = module.global_variables.iter().filter(|(_, variable)| members(variable.ty).is_none());
    let mut names: BTreeSet<String> = variables.filter_map(|(_, variable)| variable.name.clone()).collect();
    for argument in module.entry_points.iter().flat_map(|entry| &entry.function.arguments) {
        match members(argument.ty) {
            Some(members) => names.extend(members.iter().filter_map(|member| member.name.clone())),
            None => names.extend(argument.name.clone()),
        }
    }
    names
}
