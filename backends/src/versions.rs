//! The target languages and their versions.

use std::fmt;

/// The language to which a module is translated.
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

/// Defines an enum of versions, each with its number, in ascending order.
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

            /// Returns the version with this number.
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
        /// Direct3D 11. It has no register spaces: each stage numbers its registers from 0.
        V5_0 "5.0",
        /// Direct3D 12, for the older compiler, fxc. The newer compiler, dxc, accepts it too.
        #[default]
        V5_1 "5.1",
        /// Direct3D 12, for the newer compiler, dxc.
        V6_0 "6.0",
        /// As 6.0, with view instancing and barycentrics.
        V6_1 "6.1",
        /// As 6.1, with 16-bit types. Half floats need dxc's option `-enable-16bit-types`.
        V6_2 "6.2",
        /// As 6.2, with ray tracing.
        V6_3 "6.3",
        /// As 6.3, with packed dot products.
        V6_4 "6.4",
        /// As 6.4, with mesh shaders.
        V6_5 "6.5",
        /// As 6.5, with 64-bit atomics and dynamic resources.
        V6_6 "6.6",
        /// As 6.6, with `QuadAny` and `QuadAll`.
        V6_7 "6.7",
        /// As 6.7, with work graphs.
        V6_8 "6.8",
        /// As 6.8, with long vectors.
        V6_9 "6.9",
    }
}

versions! {
    /// A version of the Metal Shading Language.
    MslVersion {
        /// iOS 8.
        V1_0 "1.0",
        /// iOS 9, OS X 10.11.
        V1_1 "1.1",
        /// iOS 10, macOS 10.12.
        V1_2 "1.2",
        /// iOS 11, macOS 10.13.
        #[default]
        V2_0 "2.0",
        /// iOS 12, macOS 10.14.
        V2_1 "2.1",
        /// iOS 13, macOS 10.15.
        V2_2 "2.2",
        /// iOS 14, macOS 11.
        V2_3 "2.3",
        /// iOS 15, macOS 12.
        V2_4 "2.4",
        /// iOS 16, macOS 13.
        V3_0 "3.0",
        /// iOS 17, macOS 14.
        V3_1 "3.1",
        /// iOS 18, macOS 15.
        V3_2 "3.2",
        /// iOS 26, macOS 26.
        V4_0 "4.0",
    }
}

impl MslVersion {
    /// Returns the major and the minor number.
    pub(crate) fn parts(self) -> (u8, u8) {
        let (major, minor) = self.number().split_once('.').unwrap_or_default();
        (major.parse().unwrap_or(0), minor.parse().unwrap_or(0))
    }
}
