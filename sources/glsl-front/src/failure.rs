//! The rules by which a source is compiled, and the reasons why it was not compiled.

/// The rules by which a source is compiled.
#[derive(Clone, Copy)]
pub(crate) struct Rules {
    /// Whether inputs and outputs without locations are numbered.
    pub(crate) numbers: bool,
    /// Whether GLSL may contain what only GLSL for OpenGL has, such as uniforms outside blocks.
    pub(crate) is_relaxed: bool,
}

/// The reason why a source was not compiled.
pub(crate) enum Failure {
    /// No compiler was found.
    Missing,
    /// No program could be run, for the reason in this text.
    Broken(String),
    /// The program rejected the source, and printed this text.
    Errors(String),
}
