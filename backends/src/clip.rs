//! Differences between a target's clip space and window and those of the IR.
//!
//! In the IR, a position has y up and z in 0..w, and DDY is the difference to the fragment below. WebGPU, Direct3D and
//! Metal have the same conventions. In Vulkan, clip space has y down, and the window is as in the IR. In OpenGL, clip
//! space has z in -w..w, and the window has y up: an upright picture has its rows in the opposite order, so DDY is
//! negated. A picture that is drawn with y flipped (for instance into a texture that is sampled like the others) keeps
//! the sign of DDY.

use crate::features::Features;
use crate::layout::{Depth, Layout};

/// The adjustments to the position and to DDY.
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

    /// Whether only the sign of the position's y changes.
    pub(crate) fn is_turned(self) -> bool {
        self.depth == Depth::ZeroToOne && self.flip_y
    }

    /// Whether the position is written unchanged.
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
