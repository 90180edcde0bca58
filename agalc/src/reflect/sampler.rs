//! Textures and their sampler states, as AGAL and the graphics APIs describe them.
//!
//! The sampler descriptors leave out the level-of-detail bias, because the shader code applies the bias. A sampler without mip
//! levels reads only level 0. Anisotropy implies linear filters, as WebGPU requires.

use sdlbc::{Dimension, Texel};
use serde::Serialize;

use super::types::{dimension_text, has_floats, texel_text};

/// A texture that a stage declares, with the state of its sampler.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Sampler {
    /// The sampler register, such as `fs0`, `vs0` in the vertex stage, or `t0` in a unified-shader program.
    pub register: String,
    /// The number of the sampler register.
    pub slot: u32,
    /// The texture's name in the module.
    pub name: String,
    /// The texture's dimension, which is 2D, 3D, cube, 2D array or cube array.
    #[serde(serialize_with = "dimension_text")]
    pub dimension: Dimension,
    /// The scalar type of the texels; JSON omits this field for floats.
    #[serde(serialize_with = "texel_text", skip_serializing_if = "has_floats")]
    pub texels: Texel,
    /// The texel components that the code reads; empty if the texture is not sampled.
    pub components: String,
    /// The sampler state in the numeric form that SDLSHADERBC stores.
    #[serde(skip)]
    pub numbers: sdlbc::Sampler,
    /// The sampler state as AGAL's option names.
    pub agal: AgalSampler,
    /// The sampler state as WebGPU's `GPUSamplerDescriptor`.
    pub webgpu: WebGpuSampler,
    /// The sampler state as SDL's `SDL_GPUSamplerCreateInfo`.
    pub sdl: SdlSampler,
    /// The sampler state as parameters of `glSamplerParameteri` and `glSamplerParameterf`.
    pub gl: GlSampler,
}

/// A sampler's state as AGAL's option names.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct AgalSampler {
    /// The filter within a mip level, which is `nearest`, `linear`, `anisotropic2x`, `anisotropic4x`, `anisotropic8x` or
    /// `anisotropic16x`.
    pub filter: &'static str,
    /// The filter between mip levels, which is `nomip`, `mipnearest` or `miplinear`.
    pub mip: &'static str,
    /// The wrap mode, which is `clamp`, `repeat`, `clamp_u_repeat_v` or `repeat_u_clamp_v`.
    pub wrap: &'static str,
    /// The texture format that the program declares, which is `rgba`, `dxt1`, `dxt5` or `video`.
    pub format: &'static str,
    /// The level-of-detail bias, in mip levels. The shader code applies the bias.
    pub bias: f32,
    /// Whether the texture is sampled at the centroid.
    pub centroid: bool,
    /// Whether a single component of the texel is read and copied to all components of the result.
    pub single: bool,
    /// Whether the program's filter, mip and wrap options are ignored, because the application calls
    /// `Context3D.setSamplerStateAt`.
    pub ignoresampler: bool,
    /// The sampler state as the options of a `tex` statement, such as `2d,linear,miplinear,repeat`.
    pub text: String,
}

/// The fields of WebGPU's `GPUSamplerDescriptor`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
#[allow(missing_docs)]
pub struct WebGpuSampler {
    pub address_mode_u: &'static str,
    pub address_mode_v: &'static str,
    pub address_mode_w: &'static str,
    pub mag_filter: &'static str,
    pub min_filter: &'static str,
    pub mipmap_filter: &'static str,
    pub lod_min_clamp: f32,
    pub lod_max_clamp: f32,
    pub max_anisotropy: u8,
}

/// The fields of `SDL_GPUSamplerCreateInfo` in SDL 3.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
#[allow(missing_docs)]
pub struct SdlSampler {
    pub min_filter: &'static str,
    pub mag_filter: &'static str,
    pub mipmap_mode: &'static str,
    pub address_mode_u: &'static str,
    pub address_mode_v: &'static str,
    pub address_mode_w: &'static str,
    pub mip_lod_bias: f32,
    pub max_anisotropy: f32,
    pub enable_anisotropy: bool,
    pub enable_compare: bool,
    pub min_lod: f32,
    pub max_lod: f32,
}

/// The values of OpenGL's sampler parameters, for `glSamplerParameteri` and `glSamplerParameterf`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[non_exhaustive]
#[allow(missing_docs)]
pub struct GlSampler {
    pub gl_texture_min_filter: &'static str,
    pub gl_texture_mag_filter: &'static str,
    pub gl_texture_wrap_s: &'static str,
    pub gl_texture_wrap_t: &'static str,
    pub gl_texture_wrap_r: &'static str,
    /// The anisotropy for the extension `EXT_texture_filter_anisotropic`; 1 unless the filter is anisotropic.
    pub gl_texture_max_anisotropy: u8,
}

/// The maximum level of detail for a sampler without a limit, as in WebGPU's default and SDL's samples.
const EVERY_LEVEL: f32 = 32.0;

fn pick(names: &[&'static str], at: u8) -> &'static str {
    names.get(usize::from(at)).copied().unwrap_or_default()
}

impl Sampler {
    pub(super) fn new(
        register: String,
        slot: u32,
        name: String,
        (dimension, texels): (Dimension, Texel),
        state: sdlbc::Sampler,
        components: String,
    ) -> Sampler {
        let linear = state.filter > 0;
        let anisotropy = [1u8, 1, 2, 4, 8, 16].get(usize::from(state.filter)).copied().unwrap_or(1);
        let between = state.mip == 2 || anisotropy > 1;
        // In WebGPU and SDL, the third axis wraps like the first, because AGAL has no wrap mode for a third axis. The faces of a
        // cube texture do not wrap.
        let wraps = [state.wrap_u, state.wrap_v, state.wrap_u].map(|wrap| wrap == 1 && !dimension.is_cube());
        Sampler {
            register,
            slot,
            name,
            dimension,
            texels,
            components,
            numbers: state,
            agal: AgalSampler::new(dimension.view_name(), state),
            webgpu: WebGpuSampler::new(linear, between, wraps, state.mip > 0, anisotropy),
            sdl: SdlSampler::new(linear, between, wraps, state.mip > 0, anisotropy),
            gl: GlSampler::new(linear, between, wraps, state.mip > 0, anisotropy),
        }
    }
}

impl AgalSampler {
    pub(super) fn new(dimension: &str, state: sdlbc::Sampler) -> AgalSampler {
        let filter = pick(
            &["nearest", "linear", "anisotropic2x", "anisotropic4x", "anisotropic8x", "anisotropic16x"],
            state.filter,
        );
        let mip = pick(&["nomip", "mipnearest", "miplinear"], state.mip);
        let wrap = match (state.wrap_u, state.wrap_v) {
            (0, 0) => "clamp",
            (0, _) => "clamp_u_repeat_v",
            (_, 0) => "repeat_u_clamp_v",
            _ => "repeat",
        };
        let format = pick(&["rgba", "dxt1", "dxt5", "video"], state.format);
        let [centroid, single, ignoresampler] = [1, 2, 4].map(|flag| state.special & flag != 0);
        let bias = f32::from(state.bias) / 8.0;
        let mut text = format!("{dimension},{filter},{mip},{wrap}");
        let flags = [(centroid, "centroid"), (single, "single"), (ignoresampler, "ignoresampler")];
        let format_word = Some(format).filter(|format| *format != "rgba").map(str::to_string);
        let bias_word = (bias != 0.0).then(|| bias.to_string());
        let flags = flags.into_iter().filter(|(set, _)| *set).map(|(_, word)| word.to_string());
        format_word.into_iter().chain(bias_word).chain(flags).for_each(|word| text = format!("{text},{word}"));
        AgalSampler { filter, mip, wrap, format, bias, centroid, single, ignoresampler, text }
    }
}

impl WebGpuSampler {
    fn new(linear: bool, between: bool, wraps: [bool; 3], mips: bool, anisotropy: u8) -> WebGpuSampler {
        let filter = |linear: bool| if linear { "linear" } else { "nearest" };
        let [u, v, w] = wraps.map(|repeat| if repeat { "repeat" } else { "clamp-to-edge" });
        WebGpuSampler {
            address_mode_u: u,
            address_mode_v: v,
            address_mode_w: w,
            mag_filter: filter(linear),
            min_filter: filter(linear),
            mipmap_filter: filter(between),
            lod_min_clamp: 0.0,
            lod_max_clamp: if mips { EVERY_LEVEL } else { 0.0 },
            max_anisotropy: anisotropy,
        }
    }
}

impl SdlSampler {
    fn new(linear: bool, between: bool, wraps: [bool; 3], mips: bool, anisotropy: u8) -> SdlSampler {
        let filter = if linear { "SDL_GPU_FILTER_LINEAR" } else { "SDL_GPU_FILTER_NEAREST" };
        let [u, v, w] = wraps.map(|repeat| match repeat {
            true => "SDL_GPU_SAMPLERADDRESSMODE_REPEAT",
            false => "SDL_GPU_SAMPLERADDRESSMODE_CLAMP_TO_EDGE",
        });
        SdlSampler {
            min_filter: filter,
            mag_filter: filter,
            mipmap_mode: match between {
                true => "SDL_GPU_SAMPLERMIPMAPMODE_LINEAR",
                false => "SDL_GPU_SAMPLERMIPMAPMODE_NEAREST",
            },
            address_mode_u: u,
            address_mode_v: v,
            address_mode_w: w,
            mip_lod_bias: 0.0,
            max_anisotropy: f32::from(anisotropy),
            enable_anisotropy: anisotropy > 1,
            enable_compare: false,
            min_lod: 0.0,
            max_lod: if mips { EVERY_LEVEL } else { 0.0 },
        }
    }
}

impl GlSampler {
    fn new(linear: bool, between: bool, wraps: [bool; 3], mips: bool, anisotropy: u8) -> GlSampler {
        let [s, t, r] = wraps.map(|repeat| if repeat { "GL_REPEAT" } else { "GL_CLAMP_TO_EDGE" });
        let within = if linear { "GL_LINEAR" } else { "GL_NEAREST" };
        GlSampler {
            gl_texture_min_filter: match (mips, linear, between) {
                (false, ..) => within,
                (true, false, false) => "GL_NEAREST_MIPMAP_NEAREST",
                (true, false, true) => "GL_NEAREST_MIPMAP_LINEAR",
                (true, true, false) => "GL_LINEAR_MIPMAP_NEAREST",
                (true, true, true) => "GL_LINEAR_MIPMAP_LINEAR",
            },
            gl_texture_mag_filter: within,
            gl_texture_wrap_s: s,
            gl_texture_wrap_t: t,
            gl_texture_wrap_r: r,
            gl_texture_max_anisotropy: anisotropy,
        }
    }
}
