//! The part of a draw call's state that the player checks against the programs. The state is plain data that serde reads from
//! TOML or JSON.
//!
//! The properties have Stage3D's names and values. A check is skipped if the state leaves out a property that the check needs.

use agal_front::Profile;
use serde::{Deserialize, Deserializer};

/// The state of Stage3D's `Context3D` in a draw call.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct DrawState {
    /// The profile of the context, such as `baselineConstrained` or `standard`.
    #[serde(deserialize_with = "profile")]
    pub profile: Option<Profile>,
    /// The number of vertices that the draw call needs: the highest index plus 1.
    pub vertices: Option<u32>,
    /// The number of instances that an instanced draw call draws.
    pub instances: Option<u32>,
    /// Whether the back buffer has a depth and stencil buffer.
    pub depth_and_stencil: Option<bool>,
    /// The vertex streams that are set with `setVertexBufferAt`.
    pub streams: Vec<Stream>,
    /// The textures that are set with `setTextureAt`.
    pub textures: Vec<BoundTexture>,
    /// The render targets that are set with `setRenderToTexture`; empty if the draw call renders to the back buffer.
    pub targets: Vec<RenderTarget>,
}

/// A vertex buffer that is set for an attribute.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stream {
    /// The stream's index, which is the number of the attribute register, such as 1 for `va1`.
    pub index: u32,
    /// The format in which the attribute is stored in the vertex buffer.
    pub format: StreamFormat,
    /// The attribute's offset in the vertex, in 32-bit words.
    #[serde(default)]
    pub offset: u32,
    /// The size of a vertex in 32-bit words (`data32PerVertex`).
    pub stride: Option<u32>,
    /// The number of vertices in the buffer, or of elements in a buffer for instances.
    pub vertices: Option<u32>,
    /// The number of instances that share an element of a buffer from `createVertexBufferForInstances`, or `None` for a buffer
    /// of vertices.
    pub instances_per_element: Option<u32>,
    /// Whether the application disposed of the buffer.
    #[serde(default)]
    pub disposed: bool,
}

/// The format of a vertex stream, a value of Stage3D's `Context3DVertexBufferFormat`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StreamFormat {
    /// One 32-bit float.
    Float1,
    /// Two 32-bit floats.
    Float2,
    /// Three 32-bit floats.
    Float3,
    /// Four 32-bit floats.
    Float4,
    /// Four bytes, which the vertex program reads as numbers from 0 to 1.
    Bytes4,
}

impl StreamFormat {
    /// Returns the size of an attribute in 32-bit words, 1 to 4.
    pub const fn words(self) -> u32 {
        match self {
            StreamFormat::Float1 | StreamFormat::Bytes4 => 1,
            StreamFormat::Float2 => 2,
            StreamFormat::Float3 => 3,
            StreamFormat::Float4 => 4,
        }
    }
}

/// A texture that is set for a sampler, with the levels that were uploaded and the sampler state.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoundTexture {
    /// The number of the sampler register, such as 0 for `fs0`.
    pub sampler: u32,
    /// The texture that is set for the sampler.
    pub texture: Surface,
    /// The number of mip levels that the application uploaded.
    pub levels: Option<u32>,
    /// The sampler state that the application sets with `setSamplerStateAt`, for samplers with `ignoresampler`.
    pub state: Option<TextureState>,
    /// Whether the application disposed of the texture.
    #[serde(default)]
    pub disposed: bool,
}

/// A texture that is sampled or rendered to.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Surface {
    /// The texture's name, which identifies the texture: equal names mean the same texture.
    pub name: String,
    /// The texture's class in Stage3D.
    #[serde(default)]
    pub kind: TextureKind,
    /// The texture's format, which determines the size of a texel.
    #[serde(default)]
    pub format: TextureFormat,
    /// The texture's width in texels.
    pub width: Option<u32>,
    /// The texture's height in texels.
    pub height: Option<u32>,
}

/// The class of a texture in Stage3D.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TextureKind {
    /// A 2D texture, Stage3D's `Texture`.
    #[default]
    #[serde(rename = "2d")]
    D2,
    /// A cube texture, Stage3D's `CubeTexture`.
    Cube,
    /// A rectangle texture, Stage3D's `RectangleTexture`.
    Rectangle,
    /// A video texture, Stage3D's `VideoTexture`.
    Video,
}

/// The format of a texture, a value of Stage3D's `Context3DTextureFormat`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum TextureFormat {
    /// 32-bit texels with eight bits for each of blue, green, red and alpha.
    #[default]
    Bgra,
    /// 16-bit texels with four bits for each of blue, green, red and alpha.
    BgraPacked4444,
    /// 16-bit texels with five bits for blue, six for green and five for red.
    BgrPacked565,
    /// Compressed texels without alpha, which a program declares as `dxt1`.
    Compressed,
    /// Compressed texels with alpha, which a program declares as `dxt5`.
    CompressedAlpha,
    /// 64-bit texels with a 16-bit float for each of red, green, blue and alpha.
    RgbaHalfFloat,
}

impl TextureFormat {
    /// Returns the number of bits of a texel, or `None` for a compressed format.
    pub const fn bits(self) -> Option<u32> {
        match self {
            TextureFormat::Bgra => Some(32),
            TextureFormat::BgraPacked4444 | TextureFormat::BgrPacked565 => Some(16),
            TextureFormat::RgbaHalfFloat => Some(64),
            TextureFormat::Compressed | TextureFormat::CompressedAlpha => None,
        }
    }
}

/// A sampler state that the application sets with `setSamplerStateAt`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TextureState {
    /// The wrap mode for coordinates outside the texture.
    pub wrap: Wrap,
    /// The filter within a mip level.
    pub filter: Filter,
    /// The filter between mip levels.
    pub mip: Mip,
}

/// The wrap mode of a sampler, a value of Stage3D's `Context3DWrapMode`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Wrap {
    Clamp,
    Repeat,
    ClampURepeatV,
    RepeatUClampV,
}

/// A sampler's filter within a mip level, a value of Stage3D's `Context3DTextureFilter`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum Filter {
    Nearest,
    Linear,
    Anisotropic2x,
    Anisotropic4x,
    Anisotropic8x,
    Anisotropic16x,
}

/// A sampler's filter between mip levels, a value of Stage3D's `Context3DMipFilter`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum Mip {
    #[serde(alias = "nomip")]
    MipNone,
    MipNearest,
    MipLinear,
}

impl TextureState {
    /// Converts the sampler state that an AGAL program declares to Stage3D's values.
    pub(super) const fn declared(state: sdlbc::Sampler) -> TextureState {
        TextureState {
            wrap: match (state.wrap_u, state.wrap_v) {
                (0, 0) => Wrap::Clamp,
                (0, _) => Wrap::ClampURepeatV,
                (_, 0) => Wrap::RepeatUClampV,
                _ => Wrap::Repeat,
            },
            filter: match state.filter {
                0 => Filter::Nearest,
                1 => Filter::Linear,
                2 => Filter::Anisotropic2x,
                3 => Filter::Anisotropic4x,
                4 => Filter::Anisotropic8x,
                _ => Filter::Anisotropic16x,
            },
            mip: match state.mip {
                0 => Mip::MipNone,
                1 => Mip::MipNearest,
                _ => Mip::MipLinear,
            },
        }
    }
}

/// A texture that the draw call renders to.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RenderTarget {
    /// The render target's slot (`colorOutputIndex`); the player has slots 0 to 3.
    pub slot: u32,
    /// The texture that is rendered to.
    pub texture: Surface,
    /// The face of a cube texture (`surfaceSelector`); 0 for other textures.
    #[serde(default)]
    pub surface: u32,
    /// Whether the render target has a depth and stencil buffer (`enableDepthAndStencil`).
    #[serde(default)]
    pub depth_and_stencil: bool,
    /// The render target's antialiasing quality (`antiAlias`).
    #[serde(default)]
    pub antialias: u32,
}

fn profile<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Profile>, D::Error> {
    let Some(name) = Option::<String>::deserialize(from)? else { return Ok(None) };
    let known = || Profile::ALL.map(Profile::name).join(", ");
    let profile = Profile::ALL.into_iter().find(|profile| profile.name() == name);
    let unknown = || serde::de::Error::custom(format!("unknown profile `{name}`: use one of {}", known()));
    profile.map(Some).ok_or_else(unknown)
}
