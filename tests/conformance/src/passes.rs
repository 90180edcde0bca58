//! Transformations that must not change the results of a module.

use sdlbc::{Module, Verified};

/// The name of the table column for interp's runs of the module after passes, encoding and printing.
pub const PASSES: &str = "interp, after passes and files";

/// A transformation that must not change the results of a module.
pub type Pass = fn(&Module) -> Result<Module, String>;

/// The transformations that apply to every module, each with a description for messages.
pub const PASSED: [(&str, Pass); 4] = [
    ("after the passes", optimised),
    ("encoded and decoded", |module| sdlbc::decode(&sdlbc::encode(module)).map_err(|error| error.to_string())),
    ("encoded in the header's dialect and decoded", |module| {
        let file = sdlbc::encode_in(module, sdlbc::Dialect::Header);
        sdlbc::decode(&file).map_err(|error| error.to_string())
    }),
    ("printed and parsed", |module| sdlbc::parse(&sdlbc::print(module)).map_err(|errors| format!("{errors:?}"))),
];

/// The transformations that may change the interface of a linked pair, each with a description for messages.
pub const PRUNED: [(&str, Pass); 2] = [
    ("after `prune`", |module| {
        let mut module = module.clone();
        sdlbc::prune(&mut module).map(|_| module).map_err(|error| error.to_string())
    }),
    ("after `prune` and `pack`", |module| {
        let mut module = module.clone();
        sdlbc::prune(&mut module).map_err(|error| error.to_string())?;
        sdlbc::pack(&mut module).map(|_| module).map_err(|error| error.to_string())
    }),
];

/// Returns the module after the optimisation passes, as agalc translates it for devices.
///
/// # Errors
/// Returns the violations if the module is invalid.
pub fn optimised(module: &Module) -> Result<Module, String> {
    let verified = Verified::new(module.clone()).map_err(|violations| format!("{violations:?}"))?;
    Ok(sdlbc_passes::optimise(verified, &sdlbc_passes::Options::default(), &mut |_, _| {}).into_module())
}
