//! Checks that naga's own output still has each fault that `src/mend` works around. If a row fails, a newer version of naga has
//! made the mend unnecessary: remove the mend, its row in this file, and its callers.

use std::collections::BTreeSet;
use std::path::Path;

use naga::ShaderStage::{self, Compute, Fragment, Vertex};
use naga::Statement;
use naga::back::{glsl, hlsl, msl, spv, wgsl};
use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};

#[derive(Clone, Copy)]
enum Writer {
    Wgsl,
    /// The GLSL writer, with a GLSL version and the stage to write.
    Glsl(glsl::Version, ShaderStage),
    Hlsl,
    Msl,
    /// The MSL writer, for a module without `Emit` statements, as `baked` produces it.
    InlinedMsl,
    /// The SPIR-V writer, whose output is disassembled.
    Spirv,
}

const CORE: glsl::Version = glsl::Version::Desktop(450);
const ES: glsl::Version = glsl::Version::Embedded { version: 300, is_webgl: true };

struct Fault {
    name: &'static str,
    writer: Writer,
    module: &'static str,
    /// The parts of naga's output that show the fault, in order.
    written: &'static [&'static str],
}

const fn fault(name: &'static str, writer: Writer, module: &'static str, written: &'static [&'static str]) -> Fault {
    Fault { name, writer, module, written }
}

use Writer::{Glsl, Hlsl, InlinedMsl, Msl, Spirv, Wgsl};

const CONSTANTS: &str = "
    @group(0) @binding(0) var<uniform> c: array<vec4<f32>, 4>;
    @fragment fn main(@location(0) v: vec4<f32>) -> @location(0) vec4<f32> { return v * c[0] + c[1]; }";
const TEXTURE: &str = "
    @group(0) @binding(0) var t: texture_2d<f32>;
    @group(0) @binding(1) var s: sampler;
    @fragment fn main(@location(0) v: vec2<f32>) -> @location(0) vec4<f32> { return textureSample(t, s, v); }";
const VERTEX: &str = "
    struct Out { @builtin(position) p: vec4<f32>, @location(0) v: vec4<f32> }
    @vertex fn main(@location(0) a: vec4<f32>) -> Out { return Out(a, a + a); }";
const BUFFERS: &str = "
    @group(0) @binding(0) var<storage, read_write> a: array<u32>;
    @group(0) @binding(1) var<storage> b: array<u32>;
    fn first() -> u32 { return b[0]; }
    @compute @workgroup_size(64) fn main(@builtin(local_invocation_index) i: u32) {
        a[i] = first() + u32(i32(arrayLength(&a)));
    }";
const EXCHANGES: &str = "
    var<workgroup> w: atomic<u32>;
    @group(0) @binding(0) var<storage, read_write> a: array<u32>;
    @compute @workgroup_size(64) fn main(@builtin(local_invocation_index) i: u32) {
        a[i] = atomicCompareExchangeWeak(&w, 0u, i).old_value;
    }";
const SHARED: &str = "
    var<workgroup> w: array<f32, 64>;
    @group(0) @binding(0) var<storage, read_write> a: array<f32>;
    @compute @workgroup_size(64) fn main(@builtin(local_invocation_index) i: u32) {
        w[i] = a[i];
        storageBarrier();
        workgroupBarrier();
        a[i] = w[63u - i];
    }";
const IMAGES: &str = "
    @group(0) @binding(0) var a: texture_storage_2d_array<rgba8unorm, write>;
    @group(0) @binding(1) var b: texture_storage_2d_array<rg32float, write>;
    @group(0) @binding(2) var c: texture_storage_2d_array<rgba32float, write>;
    @compute @workgroup_size(1) fn main() {
        textureStore(a, vec2(0), 0, vec4(f32(textureNumLayers(a))));
        textureStore(b, vec2(0), 0, vec4(f32(textureNumLayers(b))));
        textureStore(c, vec2(0), 0, vec4(f32(textureDimensions(c).x + textureDimensions(a).y)));
    }";
const INTS: &str = "
    @group(0) @binding(0) var<uniform> c: array<vec4<f32>, 64>;
    @fragment fn main(@location(0) v: f32, @location(1) @interpolate(flat) n: vec2<i32>) -> @location(0) vec4<f32> {
        let index = i32(v);
        return c[index + 3] * f32(n.x / n.y);
    }";
const LITERALS: &str = "
    @fragment fn main(@location(0) v: f32) -> @location(0) vec4<f32> {
        var a: array<f32, 3>;
        a[u32(v)] = 1.0;
        return vec4(max(v, 1e-37)) * a[0] + vec4(0.1) + vec4(f32(i32(v) << 8u), vec3<f32>());
    }";
const FLOW: &str = "
    @fragment fn main(@location(0) v: f32) -> @location(0) vec4<f32> {
        var sum = 0.0;
        loop {
            if (v > 9.0) { sum = 1.0; } else { if (v > 3.0) { sum = 2.0; } }
            if (sum > v) { break; }
            switch i32(sum) { case 1: { sum += 1.0; } default: { sum += 0.5; } }
        }
        return vec4(sum);
    }";
const POSITION: &str = "
    struct In { @builtin(position) p: vec4<f32>, @location(0) v: vec4<f32> }
    @fragment fn main(in: In) -> @location(0) vec4<f32> { return in.v * in.p.w; }";
const CALL: &str = "
    fn half(ft0: f32) -> f32 { return ft0 * 0.5; }
    @fragment fn main(@location(0) ft0: f32) -> @location(0) vec4<f32> {
        let named = half(ft0);
        return vec4(named, named, 0.0, 1.0);
    }";
const CLIP: &str = "enable clip_distances;
    struct Out { @builtin(position) p: vec4<f32>, @builtin(clip_distances) d: array<f32, 2> }
    @vertex fn main(@location(0) a: vec4<f32>) -> Out { return Out(a, array(a.x, a.y)); }";
const UNEQUAL: &str = "
    @fragment fn main(@location(0) v: f32) -> @location(0) vec4<f32> { return vec4(select(1.0, v, v != 2.0)); }";
const GAPS: &str = "
    struct Block { a: vec3<f32>, @align(16) b: f32, c: vec4<f32>, d: vec3<f32> }
    @group(0) @binding(0) var<uniform> u: Block;
    @fragment fn main() -> @location(0) vec4<f32> { return u.c * u.b + vec4(u.a.y, u.d); }";

/// A structure that only the other stage uses.
const OTHER: &str = "
    struct Other { @location(0) a: vec4<f32>, @location(1) b: vec4<f32> }
    @fragment fn other(given: Other) -> @location(0) vec4<f32> { return given.a + given.b; }
    @vertex fn main(@location(0) a: vec4<f32>) -> @builtin(position) vec4<f32> { return a; }";
const INSTANCE: &str = "
    @vertex fn main(@builtin(instance_index) i: u32) -> @builtin(position) vec4<f32> { return vec4(f32(i)); }";
const OFFSET: &str = "
    @group(0) @binding(0) var t: texture_3d<f32>;
    @group(0) @binding(1) var s: sampler;
    @fragment fn main(@location(0) v: vec3<f32>) -> @location(0) vec4<f32> {
        return textureSample(t, s, v, vec3(1, 2, 3));
    }";
const GRADIENTS: &str = "
    @group(0) @binding(0) var t: texture_cube<f32>;
    @group(0) @binding(1) var s: sampler;
    @fragment fn main(@location(0) v: vec3<f32>) -> @location(0) vec4<f32> { return textureSampleGrad(t, s, v, v, v); }";
const TWICE: &str = "
    @group(0) @binding(0) var<uniform> c: array<vec4<f32>, 4>;
    @fragment fn main() -> @location(0) vec4<f32> { return c[1] + c[1]; }";
/// A structure without padding after its three-component vector.
const PACKED: &str = "
    struct Block { a: vec3<f32>, b: f32 }
    @group(0) @binding(0) var<uniform> u: Block;
    @fragment fn main() -> @location(0) vec4<f32> {
        let a = u.a;
        return vec4(a.y * a, u.b);
    }";
const SPARE: &str = "
    struct Spare { a: mat2x2<f32> }
    @fragment fn main(@location(0) v: vec4<f32>) -> @location(0) vec4<f32> { return v; }";
const UNUSED: &str = "
    @fragment fn main(@location(0) v: vec4<f32>) -> @location(0) vec4<f32> { let unused = v * 3.0; return v + 1.0; }";

const FAULTS: &[Fault] = &[
    fault("baked", Wgsl, CONSTANTS, &["let _e"]),
    fault("numbered_names", Wgsl, CALL, &["fn half(ft0_1: f32)", "fn main(@location(0) ft0_: f32)"]),
    fault("call_results", Wgsl, CALL, &["let _e1 = half(", "vec4<f32>(_e1, _e1"]),
    fault("interface_names", Glsl(CORE, Vertex), VERTEX, &["_p2vs_location0", "_vs2fs_location0"]),
    fault("attribute_lines", Wgsl, CONSTANTS, &["@group(0) @binding(0) \nvar<uniform>", "@fragment \nfn"]),
    fault("float_literals", Wgsl, LITERALS, &["0.0000000000000000000000000000000000001f"]),
    fault("else_ifs", Wgsl, FLOW, &["} else {\n            if "]),
    fault("parentheses", Wgsl, CONSTANTS, &["return ((", "* ", ") + "]),
    fault("last_return", Glsl(CORE, Fragment), CONSTANTS, &["    return;\n}"]),
    fault("keywords_without_space", Hlsl, FLOW, &["while(true) {", "switch("]),
    fault("copies_of_inputs", Glsl(CORE, Fragment), CONSTANTS, &["vec4 v = _vs2fs_location0;"]),
    fault(
        "results_by_structure",
        Glsl(CORE, Vertex),
        VERTEX,
        &["Out _tmp_return = Out(", "gl_Position = _tmp_return.p;"],
    ),
    fault("unused_structures", Glsl(CORE, Vertex), OTHER, &["struct Other {"]),
    fault("coordinate_constructors", Glsl(CORE, Fragment), TEXTURE, &["texture(", ", vec2(v))"]),
    fault("own_functions", Hlsl, INTS, &["naga_div("]),
    fault("rounded_limits", Hlsl, INTS, &["clamp(value, -2147483600.0, 2147483500.0)"]),
    fault("offset_conversions", Hlsl, INTS, &["asint(asuint(index) + asuint(int(3)))"]),
    fault("image_size_level", Glsl(CORE, Compute), IMAGES, &["imageSize(", ", 0)"]),
    fault(
        "blocks_of_one_member",
        Glsl(CORE, Fragment),
        CONSTANTS,
        &["uniform type_1_block_0Fragment { vec4 _group_0_binding_0_fs[4]; };"],
    ),
    fault("extensions", Glsl(CORE, Compute), BUFFERS, &["#extension GL_ARB_compute_shader : require"]),
    fault("clip_extension", Glsl(ES, Vertex), CLIP, &["#extension GL_EXT_clip_cull_distance : require"]),
    fault("length_conversions", Glsl(CORE, Compute), BUFFERS, &["int(uint(", ".length()))"]),
    fault("first_instance", Glsl(CORE, Vertex), INSTANCE, &["uniform uint naga_vs_first_instance;"]),
    fault("clip_arrays", Hlsl, CLIP, &["float d[2] : SV_ClipDistance"]),
    fault(
        "sampler_heap",
        Hlsl,
        TEXTURE,
        &["SamplerState nagaSamplerHeap[2048]", "nagaSamplerHeap[nagaGroup0SamplerIndexArray["],
    ),
    fault("buffer_names", Hlsl, CONSTANTS, &["cbuffer c : register(b0) { float4 c[4]; }"]),
    fault("register_padding", Hlsl, GAPS, &["int _pad1_0;"]),
    fault("input_structures", Hlsl, POSITION, &["struct FragmentInput_main {", "fragmentinput_main."]),
    fault("reciprocal_w", Hlsl, POSITION, &["* in_.p.w"]),
    fault(
        "result_constructors",
        Hlsl,
        VERTEX,
        &["Out ConstructOut(", "const Out out_ = ConstructOut(", "const VertexOutput_main"],
    ),
    fault("location_semantics", Hlsl, VERTEX, &[": LOC0"]),
    fault("zero_functions", Hlsl, LITERALS, &["float3 ZeroValuefloat3()"]),
    fault("splats", Hlsl, LITERALS, &["(0.1).xxxx"]),
    fault("cast_initialisers", Hlsl, LITERALS, &["= (float[3])0;"]),
    fault("converted_integers", Hlsl, INTS, &["int(3)"]),
    fault("texel_offsets", Hlsl, OFFSET, &["int2(int3("]),
    fault("texel_types", Hlsl, IMAGES, &["RWTexture2DArray<float4> b"]),
    fault("size_functions", Hlsl, IMAGES, &["uint NagaRWNumLayers2DArray(RWTexture2DArray<"]),
    fault(
        "two_barriers",
        Hlsl,
        SHARED,
        &["DeviceMemoryBarrierWithGroupSync();\n    GroupMemoryBarrierWithGroupSync();"],
    ),
    fault(
        "exchange_results",
        Hlsl,
        EXCHANGES,
        &["_atomic_compare_exchange_result", "InterlockedCompareExchange(w, 0u, "],
    ),
    fault("byte_addresses", Hlsl, BUFFERS, &["asuint(b.Load(0))"]),
    fault("query_names", Hlsl, BUFFERS, &["NagaBufferLengthRW("]),
    fault(
        "workgroup_zeroes",
        Hlsl,
        SHARED,
        &["if (i == 0) {", "w = (float[64])0;", "GroupMemoryBarrierWithGroupSync();"],
    ),
    fault("metal_prefix", Msl, TEXTURE, &["metal::float4", "metal::texture2d<"]),
    fault("default_qualifiers", Msl, TEXTURE, &["center_perspective]]", "metal::access::sample>"]),
    fault("array_wrappers", Msl, CONSTANTS, &["struct type_1 {\n    metal::float4 inner[4];\n};", "c.inner[0]"]),
    fault("gradients", Msl, GRADIENTS, &["metal::texturecube<", "metal::gradient2d("]),
    fault("packed_components", InlinedMsl, PACKED, &["metal::packed_float3 a;", "u.a.y * u.a"]),
    fault("end_padding", Msl, GAPS, &["char _pad"]),
    fault("empty_initialisers", Msl, LITERALS, &["= {};"]),
    fault("input_copies", Msl, CONSTANTS, &["const auto v = varyings.v;"]),
    fault("result_copies", Msl, VERTEX, &["const auto _tmp = Out {", "return main_Output { _tmp.p, _tmp.v };"]),
    fault("static_casts", Msl, INTS, &["static_cast<float>("]),
    fault("small_literals", Msl, LITERALS, &["0.0000000000000000000000000000000000001"]),
    fault("buffer_references", Msl, BUFFERS, &["typedef uint type_1[1];", "device type_1& a"]),
    fault("size_table", Msl, BUFFERS, &["struct _mslBufferSizes {\n    uint size0;\n    uint size1;\n}"]),
    fault("passed_table", Msl, BUFFERS, &["uint first(", "constant _mslBufferSizes& _buffer_sizes\n) {"]),
    fault(
        "two_barriers_of_msl",
        Msl,
        SHARED,
        &["mem_flags::mem_device);\n    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);"],
    ),
    fault("weak_exchanges", Msl, EXCHANGES, &["bool swapped = metal::atomic_compare_exchange_weak_explicit("]),
    fault("shared_arguments", Msl, SHARED, &["threadgroup type_1& w"]),
    fault("ordered_inequality", Spirv, UNEQUAL, &["OpFOrdNotEqual"]),
    fault("separate_samplers", Spirv, TEXTURE, &["OpTypeSampler", "OpSampledImage"]),
    fault("storage_size_level", Spirv, IMAGES, &["OpImageQuerySizeLod"]),
    fault("joined_blocks", Spirv, CONSTANTS, &["OpLabel", "OpBranch", "OpLabel", "OpReturn"]),
    fault("repeated_chains", Spirv, TWICE, &["OpAccessChain", "OpLoad", "OpAccessChain", "OpLoad"]),
    fault("local_variables", Spirv, FLOW, &["OpTypePointer Function", "OpVariable", "OpStore", "OpLoad"]),
    fault(
        "rebuilt_composites",
        Spirv,
        VERTEX,
        &["OpCompositeConstruct", "OpCompositeExtract", "OpStore", "OpCompositeExtract", "OpStore"],
    ),
    fault("unused_declarations", Spirv, SPARE, &["OpTypeMatrix", "OpTypeStruct"]),
    fault("unused_results", Spirv, UNUSED, &["OpVectorTimesScalar", "OpFAdd"]),
];

/// Returns naga's output for a WGSL module, without any mends.
fn written(writer: Writer, source: &str) -> String {
    let mut module =
        naga::front::wgsl::parse_str(source).unwrap_or_else(|error| panic!("{}", error.emit_to_string(source)));
    let info = Validator::new(ValidationFlags::all(), Capabilities::all()).validate(&module);
    let info = info.unwrap_or_else(|error| panic!("{}", error.emit_to_string(source)));
    match writer {
        Wgsl => wgsl::write_string(&module, &info, wgsl::WriterFlags::empty()).expect("WGSL"),
        Glsl(version, shader_stage) => glsl_of(&module, &info, version, shader_stage),
        Hlsl => {
            let mut text = String::new();
            let (options, pipeline) = (hlsl::Options::default(), hlsl::PipelineOptions::default());
            hlsl::Writer::new(&mut text, &options, &pipeline).write(&module, &info, None).expect("HLSL");
            text
        }
        Msl | InlinedMsl => {
            if matches!(writer, InlinedMsl) {
                let body = &mut module.entry_points[0].function.body;
                let kept = body.iter().filter(|statement| !matches!(statement, Statement::Emit(_))).cloned();
                *body = kept.collect::<Vec<_>>().into();
            }
            let (options, pipeline) = (msl::Options::default(), msl::PipelineOptions::default());
            msl::write_string(&module, &info, &options, &pipeline).expect("MSL").0
        }
        Spirv => {
            let words = spv::write_vec(&module, &info, &spv::Options::default(), None).expect("SPIR-V");
            sdlbc_naga::spirv_assembly(&words).expect("words")
        }
    }
}

fn glsl_of(module: &naga::Module, info: &ModuleInfo, version: glsl::Version, shader_stage: ShaderStage) -> String {
    let options = glsl::Options { version, writer_flags: glsl::WriterFlags::empty(), ..glsl::Options::default() };
    let pipeline = glsl::PipelineOptions { shader_stage, entry_point: "main".to_string(), multiview: None };
    let mut text = String::new();
    glsl::Writer::new(&mut text, module, info, &options, &pipeline, Default::default())
        .and_then(|mut writer| writer.write())
        .expect("GLSL");
    text
}

#[test]
fn naga_alone_has_each_fault_that_is_mended() {
    let mut gone = Vec::new();
    for Fault { name, writer, module, written: parts } in FAULTS {
        let text = written(*writer, module);
        let mut rest = &text[..];
        for part in *parts {
            match rest.split_once(part) {
                Some((_, after)) => rest = after,
                None => {
                    gone.push(format!(
                        "naga no longer writes `{part}`: remove the mend of `{name}` if it has no use now.\n{text}"
                    ));
                    break;
                }
            }
        }
    }
    assert!(gone.is_empty(), "{}", gone.join("\n"));
}

/// Returns the fault names that the source files in a folder mention.
fn mentioned(folder: &Path) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for path in testing::files_below(folder, ".rs") {
        let text = std::fs::read_to_string(&path).expect("a source");
        let found = text.split("Upstream fault `").skip(1).filter_map(|rest| rest.split('`').next());
        names.extend(found.map(str::to_string));
    }
    names
}

#[test]
fn each_mend_names_its_fault_and_each_fault_has_a_row() {
    let names = mentioned(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/mend"));
    let rows: BTreeSet<String> = FAULTS.iter().map(|fault| fault.name.to_string()).collect();
    assert_eq!(rows.len(), FAULTS.len(), "two rows have one name");
    assert_eq!(names, rows);
}

/// Each file in `src/mend`, except the shared files, names a fault of naga. The shared files of `optimise` belong to the fault
/// that `optimise.rs` names.
#[test]
fn no_file_of_the_folder_is_without_a_fault() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/mend");
    let shared = ["blocks", "code", "shape", "tests", "walk", "write"].map(|name| format!("optimise/{name}.rs"));
    for path in testing::files_below(&folder, ".rs") {
        let name = path.strip_prefix(&folder).expect("below it").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).expect("a source");
        let is_shared = ["items.rs", "label.rs", "text.rs"].contains(&&*name) || shared.contains(&name);
        assert!(text.contains("Upstream fault `") != is_shared, "{name}");
    }
}
