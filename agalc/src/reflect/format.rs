//! Vertex formats: what the type of an attribute is called by each interface that describes vertex buffers.

use sdlbc::{Scalar, Type};
use serde::Serialize;

/// The vertex format of an attribute's type.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct VertexFormats {
    /// `GPUVertexFormat`: `float32x3`.
    pub webgpu: String,
    /// `VkFormat`: `VK_FORMAT_R32G32B32_SFLOAT`.
    pub vulkan: String,
    /// `SDL_GPUVertexElementFormat`: `SDL_GPU_VERTEXELEMENTFORMAT_FLOAT3`.
    pub sdl: String,
    /// The arguments of `glVertexAttribPointer` or `glVertexAttribIPointer`.
    pub gl: GlVertexFormat,
    /// `Context3DVertexBufferFormat`: `float3`; `None` for ints, which Stage3D does not have.
    pub stage3d: Option<String>,
}

/// A vertex format as OpenGL has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct GlVertexFormat {
    /// The number of components.
    pub size: u8,
    /// The type of a component: `GL_FLOAT`, `GL_INT` or `GL_UNSIGNED_INT`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// Whether `glVertexAttribIPointer` is needed.
    pub integer: bool,
}

impl VertexFormats {
    /// The format of an attribute's type. Attributes are floats, ints or uints of 32 bits.
    pub(super) fn of(ty: Type) -> VertexFormats {
        let (scalar, width) = match ty {
            Type::Vector(scalar, width) => (scalar, width),
            _ => (Scalar::Float, 4),
        };
        let (webgpu, vulkan, sdl, gl) = match scalar {
            Scalar::Int => ("sint32", "SINT", "INT", "GL_INT"),
            Scalar::Uint => ("uint32", "UINT", "UINT", "GL_UNSIGNED_INT"),
            _ => ("float32", "SFLOAT", "FLOAT", "GL_FLOAT"),
        };
        let is_float = !matches!(scalar, Scalar::Int | Scalar::Uint);
        let many = |prefix: &str| if width > 1 { format!("{prefix}{width}") } else { String::new() };
        let channels: String = ["R32", "G32", "B32", "A32"].into_iter().take(usize::from(width)).collect();
        VertexFormats {
            webgpu: format!("{webgpu}{}", many("x")),
            vulkan: format!("VK_FORMAT_{channels}_{vulkan}"),
            sdl: format!("SDL_GPU_VERTEXELEMENTFORMAT_{sdl}{}", many("")),
            gl: GlVertexFormat { size: width, kind: gl, integer: !is_float },
            stage3d: is_float.then(|| format!("float{width}")),
        }
    }
}
