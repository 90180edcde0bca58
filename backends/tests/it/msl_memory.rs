//! Tests storage buffers, storage textures, shared arrays and compute functions in MSL.

use sdlbc::FunctionKind;
use sdlbc_naga::{Layout, MslVersion, ResourceKind, Target, msl};

use crate::{EACH, has, module, write};

fn text(source: &str, version: MslVersion) -> String {
    msl(&module(source), version, &Layout::default()).expect("MSL")
}

/// `SDL_CreateGPUComputePipeline` expects uniform buffers first, then read-only storage buffers, then written storage buffers.
/// Textures with samplers come first, then read-only storage textures, then written storage textures. The table of sizes takes
/// the next uniform buffer index.
#[test]
fn resources_have_the_indices_that_sdl_asks_of_a_compute_pipeline_in_each_layout() {
    for layout in Layout::ALL {
        let text = msl(&module(EACH), MslVersion::default(), &layout).expect("MSL");
        let arguments = [
            "constant float4& ",
            "device const float4* given [[buffer(2)]]",
            "device float4* sums [[buffer(3)]]",
            "device uint* found [[buffer(4)]]",
            "constant BufferSizes& sizes [[buffer(1)]]",
            "texture2d<float> map [[texture(0)]]",
            "sampler map_sampler [[sampler(0)]]",
            "texture2d<float, access::read> source [[texture(1)]]",
            "texture2d<float, access::write> target [[texture(2)]]",
        ];
        let arguments = &arguments[usize::from(layout.one_block)..];
        has(&text, arguments);
        let entry = if layout.entry.is_some() { "main0" } else { "cs_main" };
        has(&text, &[&format!("kernel void {entry}(\n    uint3 place [[thread_position_in_grid]],\n")]);
    }
}

#[test]
fn the_interface_has_the_table_of_sizes_with_the_buffers_whose_length_is_read() {
    let output = write(&module(EACH), Target::Msl(MslVersion::default()), None, &Layout::default()).expect("MSL");
    let mut found = Vec::new();
    for resource in &output.interface.resources {
        let (_, index) = resource.binding.expect("an index");
        match &resource.kind {
            ResourceKind::BufferSizes { block, size, members } => {
                assert_eq!((&resource.name[..], &block[..], *size, index), ("sizes", "BufferSizes", 8, 1));
                let members =
                    members.iter().map(|field| (&field.name[..], &field.buffer[..], field.slot, field.offset));
                // The code uses only the first element of `found`, so the table omits the length of `found`.
                let expected = [("sums_size", "sums", 1, 0), ("given_size", "given", 4, 4)];
                assert_eq!(members.collect::<Vec<_>>(), expected);
                found.push(("sizes", index));
            }
            ResourceKind::Buffer { .. } | ResourceKind::Image { .. } => found.push((&resource.name, index)),
            _ => {}
        }
    }
    // The table of sizes comes before the buffers, which are in the order of their slots.
    assert_eq!(found, [("sizes", 1), ("sums", 3), ("found", 4), ("given", 2), ("target", 2), ("source", 1)]);
    let text = text(EACH, MslVersion::default());
    has(&text, &["struct BufferSizes {\n    uint sums_size;\n    uint given_size;\n};\n"]);
    has(&text, &["given[min(uint(max(value.x, 0)), sizes.given_size / 16u - 1u)]", "found[0u] = place.y;"]);
}

#[test]
fn there_is_no_table_of_sizes_if_no_length_is_read() {
    let source = r#"
generic function "" called "first" {
  input %1 list: float4[] = buffer 0 readwrite
  output 0 result: float4 = returned
  %2 = peek %1, 0
  return %2
}

compute function "cs_main" {
  input %1 list: float4[] = buffer 0 readwrite
  workgroup 1 1 1
  %2 = call 0
  %3 = add %2, %2
  poke %3, %1, 0
}
"#;
    let text = text(source, MslVersion::default());
    has(&text, &["first(device", "list) {\n", "first(list)", "device float4* list [[buffer(0)]]"]);
    assert!(!text.contains("izes"), "{text}");
}

#[test]
fn each_stage_that_reads_a_length_has_a_table() {
    let source = r#"
generic function "" called "element" {
  input %1 many: float4[] = buffer 3 read
  input %2 at: int = parameter
  output 0 result: float4 = returned
  %3 = peek %1, %2, 0
  return %3
}

vertex function "vs_main" {
  input %1 many: float4[] = buffer 3 read
  input %2 at: uint = builtin vertexindex
  output 0 op: float4 = position
  %3 = convert %2, int
  %4 = call 0, %3
  poke %4, 0
}

fragment function "fs_main" {
  input %1 few: float[] = buffer 0 read
  input %2 many: float4[] = buffer 3 read
  input %3 scale: float4 = uniform slot 2 offset 0
  output 0 oc: float4 = colour 0
  %4 = buffersize %1
  %5 = call 0, %4
  %6 = multiply %5, %3
  poke %6, 0
}
"#;
    let text = text(source, MslVersion::default());
    let structures = "struct VertexBufferSizes {\n    uint many_size;\n};\n\nstruct FragmentBufferSizes {\n    uint few_size;\n    uint many_size;\n};\n";
    has(&text, &[structures, "constant VertexBufferSizes& sizes [[buffer(0)]]", "* many [[buffer(1)]]"]);
    // The slot of a uniform determines its index, so the indices of lower slots stay unused.
    has(&text, &["constant FragmentBufferSizes& sizes [[buffer(3)]]", "* few [[buffer(4)]]", "* many_1 [[buffer(5)]]"]);
    has(
        &text,
        &["constant VertexBufferSizes& sizes)", "constant FragmentBufferSizes& sizes)", "int(sizes.few_size / 4u)"],
    );
}

/// Writes a compute function that has a workgroup of 8 invocations and stores to a shared array of type `ty`.
fn with_shared(ty: &str, value: &str, version: MslVersion) -> String {
    let index = if ty.ends_with("[1]") { "" } else { " %4," };
    let source = format!(
        "compute function \"cs_main\" {{\n  input %1 place: uint3 = builtin globalinvocationid\n  input %2 tile: {ty} = shared\n  \
         workgroup 4 2 1\n\n  %3 = swizzle %1, x\n  %4 = convert %3, int\n  %5 = {value}\n  poke %5, %2,{index} 0\n  \
         barrier 3\n}}\n"
    );
    text(&source, version)
}

/// A shared array is a variable of the entry point, because the application would have to reserve memory for an argument.
#[test]
fn a_shared_array_is_a_variable_of_the_entry_point_and_begins_as_zeroes() {
    let begins = |(ty, value): (&str, &str), zeroes: &str| {
        let head = "kernel void cs_main(uint3 place [[thread_position_in_grid]], uint lane [[thread_index_in_threadgroup]]) {\n";
        let rest = "    threadgroup_barrier(mem_flags::mem_threadgroup);\n";
        has(&with_shared(ty, value, MslVersion::default()), &[&format!("{head}{zeroes}{rest}")]);
    };
    begins(("float[8]", "literalfloat 1"), "    threadgroup float tile[8];\n    tile[lane] = 0.0;\n");
    let fewer = "    threadgroup int2 tile[6];\n    if (lane < 6u) {\n        tile[lane] = int2(0);\n    }\n";
    begins(("int2[6]", "vector %4, %4"), fewer);
    let more = "    threadgroup uint tile[20];\n    for (uint element = lane; element < 20u; element += 8u) {\n        tile[element] = 0u;\n    }\n";
    begins(("uint[20]", "literaluint 1"), more);
    let one = "    threadgroup int tile;\n    if (lane == 0u) {\n        tile = 0;\n    }\n";
    begins(("int[1]", "literalint 1"), one);
}

#[test]
fn a_barrier_for_all_memory_is_one_line_from_version_1_2_on() {
    let new = with_shared("float[8]", "literalfloat 1", MslVersion::V1_2);
    has(&new, &["    threadgroup_barrier(mem_flags::mem_device | mem_flags::mem_threadgroup);\n}\n"]);
    let old = with_shared("float[8]", "literalfloat 1", MslVersion::V1_1);
    let two =
        "    threadgroup_barrier(mem_flags::mem_device);\n    threadgroup_barrier(mem_flags::mem_threadgroup);\n}\n";
    has(&old, &[two]);
}

#[test]
fn the_largest_workgroup_is_stated_from_version_2_1_on() {
    let stated = "[[max_total_threads_per_threadgroup(64)]]\nkernel void cs_main(\n";
    has(&text(EACH, MslVersion::V2_1), &[stated]);
    assert!(!text(EACH, MslVersion::V2_0).contains("max_total"));
}

#[test]
fn builtins_of_a_compute_function_are_arguments() {
    let source = include_str!("../../../testdata/conformance/compute/builtins.sdlasm");
    let arguments = [
        "uint3 global [[thread_position_in_grid]]",
        "uint3 local [[thread_position_in_threadgroup]]",
        "uint index [[thread_index_in_threadgroup]]",
        "uint3 group [[threadgroup_position_in_grid]]",
        "uint3 groups [[threadgroups_per_grid]]",
    ];
    has(&text(source, MslVersion::V1_0), &arguments);
}

#[test]
fn storage_textures_are_read_and_written_without_a_sampler() {
    let formats = text(include_str!("../../../testdata/conformance/compute/formats.sdlasm"), MslVersion::default());
    let parts = [
        "texture2d_array<uint, access::write> pairs [[texture(3)]]",
        "texture2d<int, access::read> given [[texture(0)]]",
        "two.write(value_1.wzyx, uint2(value.xy));",
        "given.read(uint2(value.xy))",
        "pairs.get_array_size()",
    ];
    has(&formats, &parts);
    let whole = text(include_str!("../../../testdata/conformance/compute/whole_formats.sdlasm"), MslVersion::V1_0);
    has(&whole, &["texture3d<int, access::write> signed_1 [[texture(1)]]", "uint3(value));"]);
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
    let target = Target::Msl(MslVersion::V1_0);
    let layout = Layout::named("sdl-gpu").expect("the layout");
    let output = write(&module(source), target, Some(FunctionKind::Fragment), &layout).expect("MSL");
    let sdlbc_naga::Code::Text(text) = output.code else { panic!("a text") };
    has(&text, &["map [[texture(0)]]", "texture2d_array<uint, access::read> source [[texture(1)]]"]);
    has(&text, &["constant FragmentBufferSizes& sizes [[buffer(0)]]", "device const float4* given [[buffer(1)]]"]);
}

#[test]
fn nothing_is_called_as_naga_calls_it() {
    for folder in ["ir/compute", "conformance/compute"] {
        for path in testing::files(&testing::testdata(folder), ".sdlasm") {
            let text = text(&std::fs::read_to_string(&path).expect("the module"), MslVersion::default());
            for name in ["_msl", "_buffer_sizes", "inner", "typedef", "type_", "_pad", "naga", "metal::", "__"] {
                assert!(!text.contains(name), "{}: `{name}` in\n{text}", path.display());
            }
        }
    }
}
