//! Tests storage buffers, storage textures, shared arrays and compute functions in HLSL.

use sdlbc_naga::{Error, Layout, ResourceKind, ShaderModel, Target, hlsl};

use crate::{EACH, has, module, write};

fn text(source: &str) -> String {
    hlsl(&module(source), ShaderModel::default(), &Layout::default()).expect("HLSL")
}

/// `SDL_CreateGPUComputePipeline` expects read-only resources in space 0, written resources in space 1 and uniforms in space 2.
/// Within a space, textures come first, then storage textures, then storage buffers.
#[test]
fn sdl_gpu_has_the_registers_that_sdl_asks_of_a_compute_pipeline() {
    let layout = Layout::named("sdl-gpu").expect("the layout");
    let text = hlsl(&module(EACH), ShaderModel::V6_0, &layout).expect("HLSL");
    let registers = [
        "Texture2D<float4> map : register(t0);",
        "SamplerState map_sampler : register(s0);",
        "Texture2D<float4> source : register(t1);",
        "ByteAddressBuffer given : register(t2);",
        "RWTexture2D<unorm float4> target : register(u0, space1);",
        "RWByteAddressBuffer sums : register(u1, space1);",
        "RWByteAddressBuffer found : register(u2, space1);",
        "cbuffer ComputeConstants : register(b0, space2)",
        "[numthreads(8, 8, 1)]\nvoid main(uint3 place : SV_DispatchThreadID) {\n",
    ];
    has(&text, &registers);
}

#[test]
fn registers_are_counted_by_what_is_read_and_what_is_written_in_direct3d_11_and_the_interface_says_so() {
    let layout = Layout::default();
    let text = hlsl(&module(EACH), ShaderModel::V5_0, &layout).expect("HLSL");
    let registers = [
        " map : register(t0);",
        " map_sampler : register(s0);",
        " source : register(t1);",
        " given : register(t2);",
        " target : register(u0);",
        " sums : register(u1);",
        " found : register(u2);",
        "ComputeConstants : register(b0)",
    ];
    has(&text, &registers);
    let output = write(&module(EACH), Target::Hlsl(ShaderModel::V5_0), None, &layout).expect("HLSL");
    let found = output.interface.resources.iter().filter_map(|resource| match resource.kind {
        ResourceKind::Buffer { .. } | ResourceKind::Image { .. } => Some((&resource.name[..], resource.binding?.1)),
        _ => None,
    });
    let mut found: Vec<(&str, u32)> = found.collect();
    found.sort_unstable();
    assert_eq!(found, [("found", 2), ("given", 2), ("source", 1), ("sums", 1), ("target", 0)]);
}

#[test]
fn elements_are_read_and_written_by_their_bytes_and_uints_without_conversion() {
    let text = text(EACH);
    has(
        &text,
        &["asfloat(given.Load4(", "bytes_of(given) / 16 - 1u) * 16)", "sums.Store4(", "found.Store(0, place.y);"],
    );
    has(&text, &["uint bytes_of(ByteAddressBuffer buffer) {", "uint bytes_of_rw(RWByteAddressBuffer buffer) {"]);
}

#[test]
fn a_storage_texture_has_the_components_of_its_format() {
    let whole = text(include_str!("../../../testdata/conformance/compute/whole_formats.sdlasm"));
    has(&whole, &["RWTexture2D<int> whole", "RWTexture3D<int2> signed_1", "RWTexture2D<snorm float4> slopes"]);
    let text = text(include_str!("../../../testdata/conformance/compute/formats.sdlasm"));
    let types = ["RWTexture2D<float> one", "RWTexture2D<float2> two", "RWTexture2DArray<uint2> pairs"];
    has(&text, &types);
    has(
        &text,
        &["one[value.xy] = value_1.x;", "two[value.xy] = value_1.wz;", "= uint2(place.y, place.x);", "size_of(two)"],
    );
    has(&text, &["Texture2D<int4> given : register(t", "uint layers_of(RWTexture2DArray<uint2> image) {"]);
    assert!(!text.contains("Naga"), "{text}");
}

/// Writes a compute function that has a workgroup of 8 invocations and stores to a shared array of type `ty`.
fn with_shared(ty: &str, value: &str) -> String {
    let index = if ty.ends_with("[1]") { "" } else { " %4," };
    text(&format!(
        "compute function \"cs_main\" {{\n  input %1 place: uint3 = builtin globalinvocationid\n  input %2 tile: {ty} = shared\n  \
         workgroup 4 2 1\n\n  %3 = swizzle %1, x\n  %4 = convert %3, int\n  %5 = {value}\n  poke %5, %2,{index} 0\n  \
         barrier 3\n}}\n"
    ))
}

#[test]
fn the_invocations_of_a_workgroup_write_the_zeroes_that_shared_arrays_begin_with() {
    let rest = "    GroupMemoryBarrierWithGroupSync();\n";
    let head = "void cs_main(uint3 place : SV_DispatchThreadID, uint lane : SV_GroupIndex) {\n";
    let begins = |text: &str, zeroes: &str| has(text, &[&format!("{head}{zeroes}{rest}")]);
    begins(&with_shared("float[8]", "literalfloat 1"), "    tile[lane] = 0.0;\n");
    let fewer = "    if (lane < 6u) {\n        tile[lane] = (int2)0;\n    }\n";
    begins(&with_shared("int2[6]", "vector %4, %4"), fewer);
    let more = "    for (uint element = lane; element < 20u; element += 8u) {\n        tile[element] = 0u;\n    }\n";
    begins(&with_shared("uint[20]", "literaluint 1"), more);
    begins(&with_shared("int[1]", "literalint 1"), "    if (lane == 0u) {\n        tile = 0;\n    }\n");
}

#[test]
fn a_barrier_for_all_memory_is_one_line() {
    let text = with_shared("float[8]", "literalfloat 1");
    has(&text, &["    AllMemoryBarrierWithGroupSync();\n}\n"]);
    assert!(!text.contains("DeviceMemoryBarrier"), "{text}");
}

#[test]
fn a_stage_that_draws_reads_storage_buffers_and_storage_textures() {
    let source = r#"
fragment function "fs_main" {
  input %1 place: float4 = builtin fragmentcoordinate
  input %2 given: float4[] = buffer 0 read
  input %3 source: r32uinttexture2darray = image 0 read
  input %4 map: texture2d = texture 0 { filter 1, mip 2, wrap 1 1, format 0, special 0, bias 0 }
  output 0 oc: float4 = colour 0
  %5 = swizzle %1, xy
  %6 = convert %5, int
  %7 = swizzle %6, x
  %8 = peek %2, %7, 0
  %9 = imageload %3, %6, %7
  %10 = convert %9, float
  %11 = sample %4, %5
  %12 = mad %8, %10, %11
  poke %12, 0
}
"#;
    let layout = Layout::named("sdl-gpu").expect("the layout");
    let text = hlsl(&module(source), ShaderModel::V6_0, &layout).expect("HLSL");
    has(&text, &["map : register(t0, space2)", "source : register(t1, space2)", "given : register(t2, space2)"]);
    has(&text, &["Texture2DArray<uint4> source", "source.Load(int4("]);
}

#[test]
fn the_number_of_workgroups_is_refused_by_name_and_says_what_to_do() {
    let source = include_str!("../../../testdata/conformance/compute/builtins.sdlasm");
    let Err(Error::Unsupported { what, .. }) = hlsl(&module(source), ShaderModel::V6_0, &Layout::default()) else {
        panic!("it is not refused");
    };
    let expected = "the number of workgroups, which `groups` reads: the language has no such built-in value; pass the number as a uniform";
    assert_eq!(what, expected);
}
