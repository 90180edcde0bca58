//! Runs naga's validator and formats its errors.

use crate::error::Error;

/// Validates the module with naga. The check for derivatives in non-uniform control flow is off, because the IR allows such
/// derivatives and leaves their results undefined.
pub(super) fn validate(module: &naga::Module) -> Result<naga::valid::ModuleInfo, Error> {
    use naga::valid::{Capabilities, ValidationFlags, Validator};
    let flags = ValidationFlags::all() - ValidationFlags::CONTROL_FLOW_UNIFORMITY;
    let capabilities = Capabilities::SHADER_FLOAT16
        | Capabilities::IMMEDIATES
        | Capabilities::CUBE_ARRAY_TEXTURES
        | Capabilities::CLIP_DISTANCES;
    let result = Validator::new(flags, capabilities).validate(module);
    result.map_err(|error| Error::Internal(describe(error.as_inner())))
}

/// Returns the messages of an error and its causes on one line.
pub(crate) fn describe(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    causes.map(|error| error.to_string()).collect::<Vec<_>>().join(": ")
}
