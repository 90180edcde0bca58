//! The GLSL of one stage, which OpenGL compiles and links.

/// A stage's GLSL. Each uniform block is listed with its [`super::interface::Uniform::binding`], and each sampler with its
/// [`super::interface::Sampled::binding`].
#[derive(Debug, Default)]
pub(super) struct Stage {
    pub(super) text: String,
    pub(super) blocks: Vec<(u32, String)>,
    pub(super) samplers: Vec<(u32, String)>,
}
