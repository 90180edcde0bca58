//! The languages that a module is translated to, and their versions.

use std::fmt;

/// The language that a module is translated to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// SPIR-V for Vulkan.
    Spirv,
    /// WGSL for WebGPU.
    Wgsl,
    /// GLSL for OpenGL.
    Glsl(Glsl),
    /// HLSL for Direct3D.
    Hlsl(ShaderModel),
    /// The Metal Shading Language.
    Msl(MslVersion),
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Target::Spirv => "SPIR-V",
            Target::Wgsl => "WGSL",
            Target::Glsl(Glsl::Core450) => "GLSL 450",
            Target::Glsl(Glsl::Core330) => "GLSL 330",
            Target::Glsl(Glsl::Es300) => "GLSL ES 300",
            Target::Hlsl(model) => return write!(f, "HLSL {model}"),
            Target::Msl(version) => return write!(f, "MSL {version}"),
        })
    }
}

/// A version of GLSL.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Glsl {
    /// Desktop, `#version 450 core`.
    #[default]
    Core450,
    /// Desktop, `#version 330 core`.
    Core330,
    /// OpenGL ES and WebGL 2, `#version 300 es`.
    Es300,
}

sdlbc::words!(Glsl {
    Core450 "450" "Desktop, core profile",
    Core330 "330" "Desktop, core profile",
    Es300 "300es" "OpenGL ES 3 and WebGL 2",
});

/// A shader model of HLSL.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ShaderModel {
    /// Direct3D 11. It has no register spaces: each stage numbers its registers from 0.
    V5_0,
    /// Direct3D 12, for the older compiler, fxc; the newer one, dxc, accepts it too.
    #[default]
    V5_1,
    /// Direct3D 12, for the newer compiler, dxc.
    V6_0,
    /// As 6.0, with view instancing and barycentrics.
    V6_1,
    /// As 6.1, with 16-bit types. Half floats need dxc's option `-enable-16bit-types`.
    V6_2,
    /// As 6.2, with ray tracing.
    V6_3,
    /// As 6.3, with packed dot products.
    V6_4,
    /// As 6.4, with mesh shaders.
    V6_5,
    /// As 6.5, with 64-bit atomics and dynamic resources.
    V6_6,
    /// As 6.6, with `QuadAny` and `QuadAll`.
    V6_7,
    /// As 6.7, with work graphs.
    V6_8,
    /// As 6.8, with long vectors.
    V6_9,
}

impl ShaderModel {
    /// Every shader model, in ascending order.
    pub const ALL: [ShaderModel; 12] = [
        ShaderModel::V5_0,
        ShaderModel::V5_1,
        ShaderModel::V6_0,
        ShaderModel::V6_1,
        ShaderModel::V6_2,
        ShaderModel::V6_3,
        ShaderModel::V6_4,
        ShaderModel::V6_5,
        ShaderModel::V6_6,
        ShaderModel::V6_7,
        ShaderModel::V6_8,
        ShaderModel::V6_9,
    ];

    /// Returns its number: `5.1`.
    pub const fn number(self) -> &'static str {
        match self {
            ShaderModel::V5_0 => "5.0",
            ShaderModel::V5_1 => "5.1",
            ShaderModel::V6_0 => "6.0",
            ShaderModel::V6_1 => "6.1",
            ShaderModel::V6_2 => "6.2",
            ShaderModel::V6_3 => "6.3",
            ShaderModel::V6_4 => "6.4",
            ShaderModel::V6_5 => "6.5",
            ShaderModel::V6_6 => "6.6",
            ShaderModel::V6_7 => "6.7",
            ShaderModel::V6_8 => "6.8",
            ShaderModel::V6_9 => "6.9",
        }
    }

    /// Returns the shader model with this number.
    pub fn numbered(number: &str) -> Option<ShaderModel> {
        ShaderModel::ALL.into_iter().find(|model| model.number() == number)
    }
}

impl fmt::Display for ShaderModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.number())
    }
}

/// A version of the Metal Shading Language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MslVersion {
    /// iOS 8.
    V1_0,
    /// iOS 9, OS X 10.11.
    V1_1,
    /// iOS 10, macOS 10.12.
    V1_2,
    /// iOS 11, macOS 10.13.
    #[default]
    V2_0,
    /// iOS 12, macOS 10.14.
    V2_1,
    /// iOS 13, macOS 10.15.
    V2_2,
    /// iOS 14, macOS 11.
    V2_3,
    /// iOS 15, macOS 12.
    V2_4,
    /// iOS 16, macOS 13.
    V3_0,
    /// iOS 17, macOS 14.
    V3_1,
    /// iOS 18, macOS 15.
    V3_2,
    /// iOS 26, macOS 26.
    V4_0,
}

impl MslVersion {
    /// Every version, in ascending order.
    pub const ALL: [MslVersion; 12] = [
        MslVersion::V1_0,
        MslVersion::V1_1,
        MslVersion::V1_2,
        MslVersion::V2_0,
        MslVersion::V2_1,
        MslVersion::V2_2,
        MslVersion::V2_3,
        MslVersion::V2_4,
        MslVersion::V3_0,
        MslVersion::V3_1,
        MslVersion::V3_2,
        MslVersion::V4_0,
    ];

    /// Returns its number: `2.0`.
    pub const fn number(self) -> &'static str {
        match self {
            MslVersion::V1_0 => "1.0",
            MslVersion::V1_1 => "1.1",
            MslVersion::V1_2 => "1.2",
            MslVersion::V2_0 => "2.0",
            MslVersion::V2_1 => "2.1",
            MslVersion::V2_2 => "2.2",
            MslVersion::V2_3 => "2.3",
            MslVersion::V2_4 => "2.4",
            MslVersion::V3_0 => "3.0",
            MslVersion::V3_1 => "3.1",
            MslVersion::V3_2 => "3.2",
            MslVersion::V4_0 => "4.0",
        }
    }

    /// Returns the version with this number.
    pub fn numbered(number: &str) -> Option<MslVersion> {
        MslVersion::ALL.into_iter().find(|version| version.number() == number)
    }

    /// Returns its major and minor number.
    pub(crate) fn parts(self) -> (u8, u8) {
        let mut parts = self.number().split('.').map(|part| part.parse().unwrap_or(0));
        (parts.next().unwrap_or(0), parts.next().unwrap_or(0))
    }
}

impl fmt::Display for MslVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.number())
    }
}
