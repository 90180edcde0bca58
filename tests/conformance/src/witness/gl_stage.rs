//! A stage in GLSL, in the form in which OpenGL compiles and links it.

/// The text of a stage, and the names of its resources: uniform blocks by [`super::interface::Uniform::binding`],
/// samplers by [`super::interface::Sampled::binding`].
#[derive(Debug, Default)]
pub(super) struct Stage {
    pub(super) text: String,
    pub(super) blocks: Vec<(u32, String)>,
    pub(super) samplers: Vec<(u32, String)>,
}
