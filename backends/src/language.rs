//! Defines the output languages and their reserved words.
//!
//! The word list for WGSL is naga's own. The word list for GLSL contains the keywords, reserved words and built-in functions of
//! GLSL 4.60 (sections 3.6 and 8) and of GLSL ES 1.00 to 3.20. The reserved prefixes `gl_` and `webgl_` need no entries, because
//! `names.rs` removes them. The word list for HLSL contains the keywords, reserved words and intrinsic functions of shader models
//! 5 and 6. The word list for MSL contains the keywords of C++14, the keywords of the Metal Shading Language, and the names in
//! its namespace `metal`, which the output uses.

use std::collections::HashSet;
use std::sync::LazyLock;

/// An output language, which determines the words that names in the output must avoid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Language {
    /// SPIR-V reserves no words, because its names are only debug information.
    #[default]
    Spirv,
    Wgsl,
    Glsl,
    Hlsl,
    Msl,
}

impl Language {
    /// Reports whether a word has a predefined meaning in the language.
    pub(crate) fn reserves(self, word: &str) -> bool {
        use naga::keywords::wgsl;
        match self {
            Language::Spirv => false,
            Language::Wgsl => wgsl::RESERVED_SET.contains(word) || wgsl::BUILTIN_IDENTIFIER_SET.contains(word),
            Language::Glsl => GLSL.contains(word),
            Language::Hlsl => {
                HLSL.contains(word)
                    || is_numeric_type(word)
                    || ANY_CASE.iter().any(|any| any.eq_ignore_ascii_case(word))
            }
            Language::Msl => MSL.contains(word) || is_numeric_type(word),
        }
    }
}

/// Reports whether a word is a scalar, vector or matrix type of HLSL or MSL, such as `float`, `uint3`, `packed_half4` or
/// `float4x3`.
fn is_numeric_type(word: &str) -> bool {
    let word = word.strip_prefix("packed_").unwrap_or(word);
    let name = word.trim_end_matches(|c: char| c.is_ascii_digit());
    let name = name.strip_suffix('x').filter(|_| name.len() < word.len()).unwrap_or(name);
    let scalar = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let size = word.strip_prefix(scalar).unwrap_or_default();
    let is_size = |size: &str| ["1", "2", "3", "4"].contains(&size);
    let fits = match size.split_once('x') {
        Some((columns, rows)) => is_size(columns) && is_size(rows),
        None => size.is_empty() || is_size(size),
    };
    fits && SCALARS.contains(&scalar)
}

const SCALARS: [&str; 16] = [
    "bool", "char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "half", "bfloat", "float", "double",
    "dword", "llong", "ullong",
];

/// The words that HLSL reserves regardless of case.
const ANY_CASE: [&str; 8] = ["asm", "decl", "pass", "technique", "texture1d", "texture2d", "texture3d", "texturecube"];

static GLSL: LazyLock<HashSet<&str>> = LazyLock::new(|| GLSL_WORDS.split_ascii_whitespace().collect());

const GLSL_WORDS: &str = "
EmitStreamVertex EmitVertex EndPrimitive EndStreamPrimitive abs acos acosh active all allInvocations allInvocationsEqual
any anyInvocation asin asinh asm atan atanh atomicAdd atomicAnd atomicCompSwap atomicCounter atomicCounterAdd
atomicCounterAnd atomicCounterCompSwap atomicCounterDecrement atomicCounterExchange atomicCounterIncrement
atomicCounterMax atomicCounterMin atomicCounterOr atomicCounterSubtract atomicCounterXor atomicExchange atomicMax
atomicMin atomicOr atomicXor atomic_uint attribute barrier bitCount bitfieldExtract bitfieldInsert bitfieldReverse bool
break buffer bvec2 bvec3 bvec4 case cast ceil centroid clamp class coherent common const continue cos cosh cross dFdx
dFdxCoarse dFdxFine dFdy dFdyCoarse dFdyFine default defined degrees determinant discard distance dmat2 dmat2x2 dmat2x3
dmat2x4 dmat3 dmat3x2 dmat3x3 dmat3x4 dmat4 dmat4x2 dmat4x3 dmat4x4 do dot double dvec2 dvec3 dvec4 else enum equal exp
exp2 extern external faceforward false filter findLSB findMSB fixed flat float floatBitsToInt floatBitsToUint floor fma
for fract frexp ftransform fvec2 fvec3 fvec4 fwidth fwidthCoarse fwidthFine goto greaterThan greaterThanEqual
groupMemoryBarrier half highp hvec2 hvec3 hvec4 if iimage1D iimage1DArray iimage2D iimage2DArray iimage2DMS
iimage2DMSArray iimage2DRect iimage3D iimageBuffer iimageCube iimageCubeArray image1D image1DArray image1DArrayShadow
image1DShadow image2D image2DArray image2DArrayShadow image2DMS image2DMSArray image2DRect image2DShadow image3D
imageAtomicAdd imageAtomicAnd imageAtomicCompSwap imageAtomicExchange imageAtomicMax imageAtomicMin imageAtomicOr
imageAtomicXor imageBuffer imageCube imageCubeArray imageLoad imageSamples imageSize imageStore imulExtended in inline
inout input int intBitsToFloat interface interpolateAtCentroid interpolateAtOffset interpolateAtSample invariant inverse
inversesqrt isampler1D isampler1DArray isampler2D isampler2DArray isampler2DMS isampler2DMSArray isampler2DRect
isampler3D isamplerBuffer isamplerCube isamplerCubeArray isinf isnan isubpassInput isubpassInputMS itexture1D
itexture1DArray itexture2D itexture2DArray itexture2DMS itexture2DMSArray itexture2DRect itexture3D itextureBuffer
itextureCube itextureCubeArray ivec2 ivec3 ivec4 layout ldexp length lessThan lessThanEqual log log2 long lowp main mat2
mat2x2 mat2x3 mat2x4 mat3 mat3x2 mat3x3 mat3x4 mat4 mat4x2 mat4x3 mat4x4 matrixCompMult max mediump memoryBarrier
memoryBarrierAtomicCounter memoryBarrierBuffer memoryBarrierImage memoryBarrierShared min mix mod modf namespace
noinline noise1 noise2 noise3 noise4 noperspective normalize not notEqual out outerProduct output packDouble2x32
packHalf2x16 packSnorm2x16 packSnorm4x8 packUnorm2x16 packUnorm4x8 packed partition patch pow precise precision public
radians readonly reflect refract resource restrict return round roundEven row_major sample sampler sampler1D
sampler1DArray sampler1DArrayShadow sampler1DShadow sampler2D sampler2DArray sampler2DArrayShadow sampler2DMS
sampler2DMSArray sampler2DRect sampler2DRectShadow sampler2DShadow sampler3D sampler3DRect samplerBuffer samplerCube
samplerCubeArray samplerCubeArrayShadow samplerCubeShadow samplerShadow shadow1D shadow1DLod shadow1DProj
shadow1DProjLod shadow2D shadow2DLod shadow2DProj shadow2DProjLod shared short sign sin sinh sizeof smooth smoothstep
sqrt static step struct subpassInput subpassInputMS subpassLoad subroutine superp switch tan tanh template texelFetch
texelFetchOffset texture texture1D texture1DArray texture1DLod texture1DProj texture1DProjLod texture2D texture2DArray
texture2DLod texture2DMS texture2DMSArray texture2DProj texture2DProjLod texture2DRect texture3D texture3DLod
texture3DProj texture3DProjLod textureBuffer textureCube textureCubeArray textureCubeLod textureGather
textureGatherOffset textureGatherOffsets textureGrad textureGradOffset textureLod textureLodOffset textureOffset
textureProj textureProjGrad textureProjGradOffset textureProjLod textureProjLodOffset textureProjOffset
textureQueryLevels textureQueryLod textureSamples textureSize this transpose true trunc typedef uaddCarry uimage1D
uimage1DArray uimage2D uimage2DArray uimage2DMS uimage2DMSArray uimage2DRect uimage3D uimageBuffer uimageCube
uimageCubeArray uint uintBitsToFloat umulExtended uniform union unpackDouble2x32 unpackHalf2x16 unpackSnorm2x16
unpackSnorm4x8 unpackUnorm2x16 unpackUnorm4x8 unsigned usampler1D usampler1DArray usampler2D usampler2DArray
usampler2DMS usampler2DMSArray usampler2DRect usampler3D usamplerBuffer usamplerCube usamplerCubeArray using usubBorrow
usubpassInput usubpassInputMS utexture1D utexture1DArray utexture2D utexture2DArray utexture2DMS utexture2DMSArray
utexture2DRect utexture3D utextureBuffer utextureCube utextureCubeArray uvec2 uvec3 uvec4 varying vec2 vec3 vec4 void
volatile while writeonly
";

static HLSL: LazyLock<HashSet<&str>> =
    LazyLock::new(|| [CPP_WORDS, HLSL_WORDS].iter().flat_map(|words| words.split_ascii_whitespace()).collect());

static MSL: LazyLock<HashSet<&str>> =
    LazyLock::new(|| [CPP_WORDS, MSL_WORDS].iter().flat_map(|words| words.split_ascii_whitespace()).collect());

const CPP_WORDS: &str = "
alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t class compl const const_cast
constexpr continue decltype default delete do double dynamic_cast else enum explicit export extern false float for friend
goto if inline int int16_t int32_t int64_t int8_t long mutable namespace new noexcept not not_eq nullptr operator or
or_eq private protected ptrdiff_t public register reinterpret_cast restrict return short signed size_t sizeof static
static_assert static_cast struct switch template this thread_local throw true try typedef typeid typename uint16_t
uint32_t uint64_t uint8_t union unsigned using virtual void volatile wchar_t while xor xor_eq
";

const HLSL_WORDS: &str = "
InterlockedCompareExchangeFloatBitwise InterlockedCompareStoreFloatBitwise RWTexture2DMS RWTexture2DMSArray RWTextureCube
RWTextureCubeArray RasterizerOrderedBuffer RasterizerOrderedByteAddressBuffer RasterizerOrderedStructuredBuffer
RasterizerOrderedTexture1D RasterizerOrderedTexture1DArray RasterizerOrderedTexture2D RasterizerOrderedTexture2DArray
RasterizerOrderedTexture3D WaveMultiPrefixBitAnd WaveMultiPrefixBitOr WaveMultiPrefixBitXor WaveMultiPrefixCountBits
WaveMultiPrefixProduct WaveMultiPrefixSum float16_t float32_t float64_t int8_t4_packed pack_clamp_s8 pack_clamp_u8 pack_s8
pack_u8 uint8_t4_packed unpack_s8s16 unpack_s8s32 unpack_u8u16 unpack_u8u32
AcceptHitAndEndSearch AddUint64 AllMemoryBarrier AllMemoryBarrierWithGroupSync AllocateRayQuery AppendStructuredBuffer
BlendState Buffer ByteAddressBuffer CallShader CheckAccessFullyMapped CompileShader ComputeShader ConstantBuffer
ConsumeStructuredBuffer CreateResourceFromHeap D3DCOLORtoUBYTE4 DepthStencilState DepthStencilView DeviceMemoryBarrier
DeviceMemoryBarrierWithGroupSync DispatchMesh DispatchRaysDimensions DispatchRaysIndex DomainShader
EvaluateAttributeAtSample EvaluateAttributeCentroid EvaluateAttributeSnapped FeedbackTexture2D FeedbackTexture2DArray
GeometryIndex GeometryShader GetAttributeAtVertex GetRenderTargetSampleCount GetRenderTargetSamplePosition
GroupMemoryBarrier GroupMemoryBarrierWithGroupSync HitKind Hullshader IgnoreHit InputPatch InstanceID InstanceIndex
InterlockedAdd InterlockedAnd InterlockedCompareExchange InterlockedCompareStore InterlockedExchange InterlockedMax
InterlockedMin InterlockedOr InterlockedXor IsHelperLane LineStream NULL NonUniformResourceIndex ObjectRayDirection
ObjectRayOrigin ObjectToWorld ObjectToWorld3x4 ObjectToWorld4x3 OutputPatch PixelShader PointStream PrimitiveIndex
Process2DQuadTessFactorsAvg Process2DQuadTessFactorsMax Process2DQuadTessFactorsMin ProcessIsolineTessFactors
ProcessQuadTessFactorsAvg ProcessQuadTessFactorsMax ProcessQuadTessFactorsMin ProcessTriTessFactorsAvg
ProcessTriTessFactorsMax ProcessTriTessFactorsMin QuadAll QuadAny QuadReadAcrossDiagonal QuadReadAcrossX QuadReadAcrossY
QuadReadLaneAt RWBuffer RWByteAddressBuffer RWStructuredBuffer RWTexture1D RWTexture1DArray RWTexture2D RWTexture2DArray
RWTexture3D RasterizerState RayDesc RayFlags RayQuery RayTCurrent RayTMin RaytracingAccelerationStructure RenderTargetView
ReportHit SamplerComparisonState SamplerState SetMeshOutputCounts StructuredBuffer Texture1DArray Texture2DArray Texture2DMS
Texture2DMSArray TextureBuffer TextureCubeArray TraceRay TriangleStream VertexShader WaveActiveAllEqual WaveActiveAllTrue
WaveActiveAnyTrue WaveActiveBallot WaveActiveBitAnd WaveActiveBitOr WaveActiveBitXor WaveActiveCountBits WaveActiveMax
WaveActiveMin WaveActiveProduct WaveActiveSum WaveGetLaneCount WaveGetLaneIndex WaveIsFirstLane WaveMatch
WavePrefixCountBits WavePrefixProduct WavePrefixSum WaveReadLaneAt WaveReadLaneFirst WorldRayDirection WorldRayOrigin
WorldToObject WorldToObject3x4 WorldToObject4x3 abort abs acos all any asdouble asfloat asfloat16 asin asint asint16 asuint
asuint16 asm_fragment atan atan2 cbuffer ceil center centroid clamp clip column_major compile compile_fragment cos cosh
countbits cross ddx ddx_coarse ddx_fine ddy ddy_coarse ddy_fine degrees determinant discard distance dot dot2add
dot4add_i8packed dot4add_u8packed dst errorf exp exp2 f16tof32 f32tof16 faceforward firstbithigh firstbitlow floor fma
fmod frac frexp fwidth fxgroup globallycoherent groupshared in indices inout interface isfinite isinf isnan ldexp length
lerp line lineadj linear lit log log10 log2 mad matrix max min min10float min12int min16float min16int min16uint modf
msad4 mul nointerpolation noise noperspective normalize out packoffset payload pixelfragment point pow precise primitives
printf radians rcp reflect refract reversebits round row_major rsqrt sample sampler sampler_state saturate select shared
sign sin sincos sinh smoothstep snorm source_mark sqrt stateblock stateblock_state step string tan tanh tbuffer technique10
technique11 tex1D tex1Dbias tex1Dgrad tex1Dlod tex1Dproj tex2D tex2Dbias tex2Dgrad tex2Dlod tex2Dproj tex3D tex3Dbias
tex3Dgrad tex3Dlod tex3Dproj texCUBE texCUBEbias texCUBEgrad texCUBElod texCUBEproj texture transpose triangle triangleadj
trunc typeof uniform unorm vector vertexfragment vertices
";

const MSL_WORDS: &str = "
CHAR_MAX CHAR_MIN DBL_DECIMAL_DIG DBL_DIG DBL_EPSILON DBL_MANT_DIG DBL_MAX_10_EXP DBL_MAX_EXP DBL_MIN_10_EXP DBL_MIN_EXP
DBL_RADIX FLT_DECIMAL_DIG FLT_MANT_DIG FLT_MAX_10_EXP FLT_MAX_EXP FLT_MIN_10_EXP FLT_MIN_EXP FP_ILOGB0 FP_ILOGBNAN
HALF_DECIMAL_DIG HALF_DIG HALF_EPSILON HALF_MANT_DIG HALF_MAX HALF_MAX_10_EXP HALF_MAX_EXP HALF_MIN HALF_MIN_10_EXP
HALF_MIN_EXP HALF_RADIX LLONG_MAX LLONG_MIN MAXDOUBLE M_1_PI M_1_PI_F M_1_PI_H M_2_PI M_2_PI_F M_2_PI_H M_2_SQRTPI
M_2_SQRTPI_F M_2_SQRTPI_H M_E_H M_LN10 M_LN10_F M_LN10_H M_LN2 M_LN2_F M_LN2_H M_LOG10E M_LOG10E_F M_LOG10E_H M_LOG2E
M_LOG2E_F M_LOG2E_H M_PI_2 M_PI_2_F M_PI_2_H M_PI_4 M_PI_4_F M_PI_4_H M_SQRT1_2 M_SQRT1_2_F M_SQRT1_2_H M_SQRT2 M_SQRT2_F
M_SQRT2_H SCHAR_MAX SCHAR_MIN ULLONG_MAX packed_vec
CHAR_BIT DBL_MAX DBL_MIN FLT_DIG FLT_EPSILON FLT_MAX FLT_MIN FLT_RADIX HUGE_VAL HUGE_VALF HUGE_VALH INFINITY INT_MAX INT_MIN
LONG_MAX LONG_MIN MAXFLOAT MAXHALF M_E M_E_F M_PI M_PI_F M_PI_H NAN SHRT_MAX SHRT_MIN UCHAR_MAX UINT_MAX ULONG_MAX USHRT_MAX
abs absdiff access acos acosh addsat all any array array_ref as_type asin asinh assert atan atan2 atanh atomic atomic_bool
atomic_float atomic_int atomic_uint atomic_ulong bias bitselect buffer ceil clamp clz color command_buffer complex constant
copysign coord cos cosh cospi cross ctz degrees depth2d depth2d_array depth2d_ms depthcube depthcube_array determinant device
dfdx dfdy discard_fragment distance distance_squared divide dot exp exp10 exp2 extract_bits fabs faceforward fast fdim floor
fma fmax fmax3 fmedian3 fmin fmin3 fmod fract fragment frexp fwidth gradient2d gradient3d gradientcube hadd ilogb imaginary
imageblock insert_bits interpolant isfinite isinf isnan isnormal isordered isunordered kernel ldexp length length_squared
level log log10 log2 mad24 main madhi madsat matrix max max3 median3 metal min min3 min_lod_clamp mix modf mul24 mulhi nan
nextafter normalize numeric_limits object_data patch popcount pow powr precise quad radians ray_data reflect refract
reverse_bits rhadd rint rotate round rsqrt sampler saturate select sign signbit simd sin sincos sinh sinpi smoothstep sqrt
stage_in step subsat tan tanh tanpi texture texture1d texture1d_array texture2d texture2d_array texture2d_ms texture3d
texture_buffer texturecube texturecube_array thread threadgroup threadgroup_barrier threadgroup_imageblock transpose trunc
uniform vec vector_size vertex visible_function_table
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_hlsl_and_msl_are_reserved_and_names_of_registers_are_not() {
        for word in [
            "float4",
            "uint",
            "half3x4",
            "Texture2D",
            "TEXTURE2D",
            "Pass",
            "sample",
            "lerp",
            "linear",
            "inout",
            "class",
        ] {
            assert!(Language::Hlsl.reserves(word), "{word}");
        }
        for word in
            ["float4", "packed_float3", "vertex", "fragment", "constant", "metal", "main", "sampler", "mix", "ulong2"]
        {
            assert!(Language::Msl.reserves(word), "{word}");
        }
        for word in ["va0", "vc", "vt0_1", "op", "normal", "float5", "float4x", "x", "int4x5", "floats"] {
            assert!(!Language::Hlsl.reserves(word) && !Language::Msl.reserves(word), "{word}");
        }
    }
}
