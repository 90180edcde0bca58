//! The target languages and their versions.

use std::fmt;

/// The language to which a module is translated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// SPIR-V for Vulkan.
    Spirv,
    /// WGSL for WebGPU.
    Wgsl,
    /// GLSL for OpenGL, OpenGL ES and WebGL 2.
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
    /// Desktop OpenGL 4.5, `#version 450 core`.
    #[default]
    Core450,
    /// Desktop OpenGL 3.3, `#version 330 core`.
    Core330,
    /// OpenGL ES 3.0 and WebGL 2, `#version 300 es`.
    Es300,
}

sdlbc::words!(Glsl {
    Core450 "450" "Desktop, core profile",
    Core330 "330" "Desktop, core profile",
    Es300 "300es" "OpenGL ES 3 and WebGL 2",
});

/// Defines an enum of versions in ascending order, with the number of each version.
macro_rules! versions {
    ($(#[$about:meta])* $name:ident { $($(#[$of_version:meta])* $version:ident $number:literal,)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            $($(#[$of_version])* $version,)*
        }

        impl $name {
            /// Every version, in ascending order.
            pub const ALL: [$name; [$($number),*].len()] = [$($name::$version),*];

            /// Returns the number of the version, such as `5.1`.
            pub const fn number(self) -> &'static str {
                match self {
                    $($name::$version => $number,)*
                }
            }

            /// Returns the version with the number `number`, or `None` if no version has that number.
            pub fn numbered(number: &str) -> Option<$name> {
                $name::ALL.into_iter().find(|version| version.number() == number)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.number())
            }
        }
    };
}

versions! {
    /// A shader model of HLSL.
    ShaderModel {
        /// Shader model 5.0, for Direct3D 11. There are no register spaces, so each stage numbers its registers from 0.
        V5_0 "5.0",
        /// Shader model 5.1, for Direct3D 12 with the older compiler, fxc. The newer compiler, dxc, also accepts shader model
        /// 5.1.
        #[default]
        V5_1 "5.1",
        /// Shader model 6.0, for Direct3D 12 with the newer compiler, dxc.
        V6_0 "6.0",
        /// Shader model 6.1, which adds view instancing and barycentrics.
        V6_1 "6.1",
        /// Shader model 6.2, which adds 16-bit types. Half floats need dxc's option `-enable-16bit-types`.
        V6_2 "6.2",
        /// Shader model 6.3, which adds ray tracing.
        V6_3 "6.3",
        /// Shader model 6.4, which adds packed dot products.
        V6_4 "6.4",
        /// Shader model 6.5, which adds mesh shaders.
        V6_5 "6.5",
        /// Shader model 6.6, which adds 64-bit atomics and dynamic resources.
        V6_6 "6.6",
        /// Shader model 6.7, which adds `QuadAny` and `QuadAll`.
        V6_7 "6.7",
        /// Shader model 6.8, which adds work graphs.
        V6_8 "6.8",
        /// Shader model 6.9, which adds long vectors.
        V6_9 "6.9",
    }
}

versions! {
    /// A version of the Metal Shading Language.
    MslVersion {
        /// MSL 1.0, for iOS 8 and later.
        V1_0 "1.0",
        /// MSL 1.1, for iOS 9, OS X 10.11 and later.
        V1_1 "1.1",
        /// MSL 1.2, for iOS 10, macOS 10.12 and later.
        V1_2 "1.2",
        /// MSL 2.0, for iOS 11, macOS 10.13 and later.
        #[default]
        V2_0 "2.0",
        /// MSL 2.1, for iOS 12, macOS 10.14 and later.
        V2_1 "2.1",
        /// MSL 2.2, for iOS 13, macOS 10.15 and later.
        V2_2 "2.2",
        /// MSL 2.3, for iOS 14, macOS 11 and later.
        V2_3 "2.3",
        /// MSL 2.4, for iOS 15, macOS 12 and later.
        V2_4 "2.4",
        /// MSL 3.0, for iOS 16, macOS 13 and later.
        V3_0 "3.0",
        /// MSL 3.1, for iOS 17, macOS 14 and later.
        V3_1 "3.1",
        /// MSL 3.2, for iOS 18, macOS 15 and later.
        V3_2 "3.2",
        /// MSL 4.0, for iOS 26, macOS 26 and later.
        V4_0 "4.0",
    }
}

impl MslVersion {
    /// Returns the major and minor version numbers.
    pub(crate) fn parts(self) -> (u8, u8) {
        let (major, minor) = self.number().split_once('.').unwrap_or_default();
        (major.parse().unwrap_or(0), minor.parse().unwrap_or(0))
    }
}
