//! Adjusts positions and DDY to a target's clip space and window, which may differ from the IR's conventions.
//!
//! In the IR, a position has y up and z in 0..w, and DDY is the change from a fragment to the fragment below. WebGPU, Direct3D
//! and Metal follow the IR's conventions. Vulkan's clip space has y down, but its window matches the IR's window. OpenGL's clip
//! space has z in -w..w, and its window has y up. The rows of an upright OpenGL image run from the bottom up, so DDY is negated.
//! DDY keeps its sign if an OpenGL image is drawn with y flipped, for instance into a texture.

use crate::features::Features;
use crate::layout::{Depth, Layout};

/// The adjustments to positions and DDY that a target requires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Clip {
    pub(crate) depth: Depth,
    pub(crate) flip_y: bool,
    pub(crate) negate_ddy: bool,
}

impl Clip {
    pub(crate) fn new(features: &Features, layout: &Layout) -> Clip {
        let flip_y = layout.flip_y.unwrap_or(features.y_down);
        let is_turned = flip_y != features.y_down && !features.flips_by_viewport;
        let negate_ddy = features.window_y_up != is_turned;
        Clip { depth: layout.depth.unwrap_or(features.depth), flip_y, negate_ddy }
    }

    /// Reports whether the only change to a position is that y is negated.
    pub(crate) fn is_turned(self) -> bool {
        self.depth == Depth::ZeroToOne && self.flip_y
    }

    /// Reports whether the target writes the position unchanged.
    pub(crate) fn is_identity(self) -> bool {
        self.depth == Depth::ZeroToOne && !self.flip_y
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::versions::{Glsl, Target};

    #[test]
    fn each_target_is_upright_by_default_and_ddy_follows_the_rows_of_the_window() {
        let clip = |target: Target, flip_y| Clip::new(&target.features(), &Layout { flip_y, ..Layout::default() });
        let gl = Target::Glsl(Glsl::Core330);
        for target in [Target::Wgsl, Target::Hlsl(crate::ShaderModel::V5_1), Target::Msl(crate::MslVersion::V2_0)] {
            assert!(clip(target, None).is_identity() && !clip(target, None).negate_ddy);
        }
        assert!(clip(Target::Spirv, None).flip_y && !clip(Target::Spirv, None).negate_ddy);
        assert_eq!(clip(gl, None).depth, Depth::NegativeOneToOne);
        assert!(!clip(gl, None).flip_y && clip(gl, None).negate_ddy);
        assert!(!clip(gl, Some(true)).negate_ddy);
        assert!(clip(Target::Wgsl, Some(true)).negate_ddy);
    }
}
