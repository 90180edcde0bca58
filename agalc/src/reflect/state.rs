//! The part of a draw call's state that the player checks against the programs: plain data, which serde reads from TOML or
//! JSON.
//!
//! Names and values are those of Stage3D. Properties that are left out are not checked.

use agal_front::Profile;
use serde::{Deserialize, Deserializer};

/// The state of `Context3D` in a draw call.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct DrawState {
    /// The profile of the context: `baselineConstrained`, `standard` and so on.
    #[serde(deserialize_with = "profile")]
    pub profile: Option<Profile>,
    /// The number of vertices that the draw needs: the highest index plus 1.
    pub vertices: Option<u32>,
    /// The number of instances of an instanced draw.
    pub instances: Option<u32>,
    /// Whether the back buffer has a depth and stencil buffer.
    pub depth_and_stencil: Option<bool>,
    /// The vertex streams that are set (`setVertexBufferAt`).
    pub streams: Vec<Stream>,
    /// The textures that are set (`setTextureAt`).
    pub textures: Vec<BoundTexture>,
    /// The textures that are rendered to (`setRenderToTexture`); empty for the back buffer.
    pub targets: Vec<RenderTarget>,
}

/// A vertex stream.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stream {
    /// Its index, which is the number of the attribute: 1 for `va1`.
    pub index: u32,
    /// Its format.
    pub format: StreamFormat,
    /// The offset in the buffer, in 32-bit words.
    #[serde(default)]
    pub offset: u32,
    /// The number of 32-bit words of a vertex (`data32PerVertex`).
    pub stride: Option<u32>,
    /// The number of vertices in the buffer, or of elements in a buffer for instances.
    pub vertices: Option<u32>,
    /// The number of instances that share an element of a buffer for instances (`createVertexBufferForInstances`).
    pub instances_per_element: Option<u32>,
    /// Whether the buffer was disposed of.
    #[serde(default)]
    pub disposed: bool,
}

/// `Context3DVertexBufferFormat`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StreamFormat {
    /// One float.
    Float1,
    /// Two floats.
    Float2,
    /// Three floats.
    Float3,
    /// Four floats.
    Float4,
    /// Four bytes, which are read as 0 to 1.
    Bytes4,
}

impl StreamFormat {
    /// Its size in 32-bit words.
    pub const fn words(self) -> u32 {
        match self {
            StreamFormat::Float1 | StreamFormat::Bytes4 => 1,
            StreamFormat::Float2 => 2,
            StreamFormat::Float3 => 3,
            StreamFormat::Float4 => 4,
        }
    }
}

/// A texture that is set for a sampler.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoundTexture {
    /// The sampler's number: 0 for `fs0`.
    pub sampler: u32,
    /// The texture.
    pub texture: Surface,
    /// The number of mip levels that were uploaded.
    pub levels: Option<u32>,
    /// The state that the application sets (`setSamplerStateAt`), for samplers with `ignoresampler`.
    pub state: Option<TextureState>,
    /// Whether the texture was disposed of.
    #[serde(default)]
    pub disposed: bool,
}

/// A texture.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Surface {
    /// Its name. Textures with the same name are the same texture.
    pub name: String,
    /// Its kind.
    #[serde(default)]
    pub kind: TextureKind,
    /// Its format.
    #[serde(default)]
    pub format: TextureFormat,
    /// Its width in texels.
    pub width: Option<u32>,
    /// Its height in texels.
    pub height: Option<u32>,
}

/// The kind of a texture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TextureKind {
    /// `Texture`.
    #[default]
    #[serde(rename = "2d")]
    D2,
    /// `CubeTexture`.
    Cube,
    /// `RectangleTexture`.
    Rectangle,
    /// `VideoTexture`.
    Video,
}

/// `Context3DTextureFormat`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum TextureFormat {
    /// 32 bits.
    #[default]
    Bgra,
    /// 16 bits with alpha.
    BgraPacked4444,
    /// 16 bits.
    BgrPacked565,
    /// Compressed.
    Compressed,
    /// Compressed with alpha.
    CompressedAlpha,
    /// Four halves.
    RgbaHalfFloat,
}

impl TextureFormat {
    /// The number of bits of a texel; `None` for a compressed format.
    pub const fn bits(self) -> Option<u32> {
        match self {
            TextureFormat::Bgra => Some(32),
            TextureFormat::BgraPacked4444 | TextureFormat::BgrPacked565 => Some(16),
            TextureFormat::RgbaHalfFloat => Some(64),
            TextureFormat::Compressed | TextureFormat::CompressedAlpha => None,
        }
    }
}

/// A sampler state that the application sets.
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

/// `Context3DWrapMode`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Wrap {
    Clamp,
    Repeat,
    ClampURepeatV,
    RepeatUClampV,
}

/// `Context3DTextureFilter`.
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

/// `Context3DMipFilter`.
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
    /// Converts the state that an AGAL program declares.
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

/// A texture that the draw renders to.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RenderTarget {
    /// Its slot (`colorOutputIndex`).
    pub slot: u32,
    /// The texture.
    pub texture: Surface,
    /// The face of a cube texture (`surfaceSelector`), otherwise 0.
    #[serde(default)]
    pub surface: u32,
    /// Whether it has a depth and stencil buffer (`enableDepthAndStencil`).
    #[serde(default)]
    pub depth_and_stencil: bool,
    /// The quality of antialiasing (`antiAlias`).
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
