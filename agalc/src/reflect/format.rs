//! Vertex formats, with the name of each format in each graphics API.
//!
//! Rule: an attribute has the vertex format that its name declares, or the format of its type if no name declares a format.

use std::collections::BTreeMap;

use sdlbc::{FunctionKind, Scalar, Type};
use serde::Serialize;

use super::types::Reflection;
use crate::names::VertexFormat;

/// The format in which the vertex buffer stores an attribute, with the format's name in each graphics API.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct VertexFormats {
    /// WebGPU's `GPUVertexFormat`, such as `float32x3`.
    pub webgpu: String,
    /// Vulkan's `VkFormat`, such as `VK_FORMAT_R32G32B32_SFLOAT`.
    pub vulkan: String,
    /// Direct3D's `DXGI_FORMAT`, such as `DXGI_FORMAT_R32G32B32_FLOAT`.
    pub dxgi: String,
    /// Metal's `MTLVertexFormat`, such as `MTLVertexFormatFloat3`.
    pub metal: String,
    /// SDL's `SDL_GPUVertexElementFormat`, such as `SDL_GPU_VERTEXELEMENTFORMAT_FLOAT3`.
    pub sdl: String,
    /// The arguments for OpenGL's `glVertexAttribPointer` or `glVertexAttribIPointer`.
    pub gl: GlVertexFormat,
    /// Stage3D's `Context3DVertexBufferFormat`, such as `float3` or `bytes4`, or `None` if Stage3D lacks the format.
    pub stage3d: Option<String>,
}

/// The arguments with which OpenGL describes a vertex attribute.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct GlVertexFormat {
    /// The number of the attribute's components, 1 to 4.
    pub size: u8,
    /// The OpenGL type of each component, such as `GL_FLOAT` or `GL_UNSIGNED_BYTE`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// Whether integers are normalised, so that the shader reads the component type's highest value (255, 127, 65535 or 32767) as
    /// 1.
    pub normalized: bool,
    /// Whether the attribute must be set with `glVertexAttribIPointer` instead of `glVertexAttribPointer`.
    pub integer: bool,
}

/// A component type's size in bits, and its names in WebGPU, Vulkan, DXGI, Metal, SDL and OpenGL.
type Component = (u8, [&'static str; 6]);

const FLOAT32: Component = (32, ["float32", "SFLOAT", "FLOAT", "Float", "FLOAT", "GL_FLOAT"]);
const COMPONENTS: [Component; 8] = [
    FLOAT32,
    (16, ["float16", "SFLOAT", "FLOAT", "Half", "HALF", "GL_HALF_FLOAT"]),
    (32, ["sint32", "SINT", "SINT", "Int", "INT", "GL_INT"]),
    (32, ["uint32", "UINT", "UINT", "UInt", "UINT", "GL_UNSIGNED_INT"]),
    (8, ["unorm8", "UNORM", "UNORM", "UChar", "UBYTE", "GL_UNSIGNED_BYTE"]),
    (8, ["snorm8", "SNORM", "SNORM", "Char", "BYTE", "GL_BYTE"]),
    (16, ["unorm16", "UNORM", "UNORM", "UShort", "USHORT", "GL_UNSIGNED_SHORT"]),
    (16, ["snorm16", "SNORM", "SNORM", "Short", "SHORT", "GL_SHORT"]),
];

impl VertexFormats {
    /// Returns the vertex format of an attribute's type, which consists of 32-bit floats, ints or uints.
    pub(super) fn of(ty: Type) -> VertexFormats {
        match ty {
            Type::Vector(Scalar::Int, width) => VertexFormats::new("sint32", width, None),
            Type::Vector(Scalar::Uint, width) => VertexFormats::new("uint32", width, None),
            Type::Vector(_, width) => VertexFormats::declared(VertexFormat::floats(width)),
            _ => VertexFormats::declared(VertexFormat::Float32x4),
        }
    }

    fn declared(format: VertexFormat) -> VertexFormats {
        VertexFormats::new(&format.name().to_lowercase(), format.components(), format.stage3d_name())
    }

    /// Returns the format that has `width` components of a component type. `name` begins with the component type's name in
    /// WebGPU.
    fn new(name: &str, width: u8, stage3d: Option<&str>) -> VertexFormats {
        let component = COMPONENTS.iter().find(|(_, [webgpu, ..])| name.starts_with(webgpu));
        let &(bits, [webgpu, vulkan, dxgi, metal, sdl, gl]) = component.unwrap_or(&FLOAT32);
        let count = if width > 1 { width.to_string() } else { String::new() };
        let by = if width > 1 { "x" } else { "" };
        let channels: String =
            "RGBA".chars().take(usize::from(width)).map(|channel| format!("{channel}{bits}")).collect();
        let normalized = vulkan.ends_with("NORM");
        let [metal_end, sdl_end] = if normalized { ["Normalized", "_NORM"] } else { [""; 2] };
        VertexFormats {
            webgpu: format!("{webgpu}{by}{count}"),
            vulkan: format!("VK_FORMAT_{channels}_{vulkan}"),
            dxgi: format!("DXGI_FORMAT_{channels}_{dxgi}"),
            metal: format!("MTLVertexFormat{metal}{count}{metal_end}"),
            sdl: format!("SDL_GPU_VERTEXELEMENTFORMAT_{sdl}{count}{sdl_end}"),
            gl: GlVertexFormat { size: width, kind: gl, normalized, integer: matches!(vulkan, "SINT" | "UINT") },
            stage3d: stage3d.map(str::to_string),
        }
    }
}

impl Reflection {
    /// Sets the vertex formats of attributes to the formats that names declare ([`Loaded::formats`](crate::Loaded::formats)). An
    /// attribute without a declared format keeps the format of its type. An SDLSHADERBC file does not store vertex formats.
    #[must_use]
    pub fn with_formats(mut self, formats: &BTreeMap<u32, VertexFormat>) -> Reflection {
        let vertex = self.stages.iter_mut().filter(|stage| stage.stage == FunctionKind::Vertex);
        for attribute in vertex.flat_map(|stage| &mut stage.attributes) {
            if let Some(&format) = formats.get(&attribute.location) {
                attribute.formats = VertexFormats::declared(format);
            }
        }
        self
    }
}
