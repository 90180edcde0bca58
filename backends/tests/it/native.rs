//! Tests HLSL and MSL: registers and indices of each layout, members of constants, and features that the languages lack.

use sdlbc::{FunctionDebug, FunctionKind, Id, Member, Module, Type};
use sdlbc_naga::{Error, Layout, MslVersion, ResourceKind, ShaderModel, Target, hlsl, msl};

use crate::{has, module, write};

const PAIR: &str = r#"
vertex function "vs_main" {
  input %1 va0: float4 = attribute 0
  input %2 vc: float4[5] = uniform
  input %3 vs2: texture2d = texture 2 { filter 1, mip 2, wrap 1 1, format 0, special 0, bias 0 }
  output 0 op: float4 = position
  output 1 v0: float4 = varying 0
  output 2 v1: float4 = varying 1
  %4 = peek %2, 0
  %5 = peek %2, 1
  %6 = peek %2, 2
  %7 = peek %2, 3
  %8 = matrix %4, %5, %6, %7
  %9 = multiply %1, %8
  %10 = peek %2, 4
  %11 = swizzle %1, xy
  %12 = literalfloat 0
  %13 = samplelod %3, %11, %12
  poke %9, 0
  %14 = multiply %10, %10
  poke %14, 1
  poke %13, 2
}

fragment function "fs_main" {
  input %1 v1: float4 = varying 1
  input %2 fc: float4[1] = uniform
  input %3 fs1: texture2d = texture 1 { filter 1, mip 2, wrap 1 1, format 0, special 0, bias 0 }
  input %4 fs4: texture2d = texture 4 { filter 1, mip 2, wrap 1 1, format 0, special 0, bias 0 }
  output 0 oc: float4 = colour 0
  %5 = swizzle %1, xy
  %6 = sample %3, %5
  %7 = sample %4, %5
  %8 = peek %2, 0
  %9 = multiply %6, %7
  %10 = multiply %9, %8
  poke %10, 0
}
"#;

fn text(module: &Module, target: Target, stage: FunctionKind, layout: &Layout) -> String {
    match write(module, target, Some(stage), layout).expect("an output").code {
        sdlbc_naga::Code::Text(text) => text,
        sdlbc_naga::Code::Words(_) => panic!("a text"),
    }
}

#[test]
fn sdl_gpu_has_textures_and_samplers_with_one_number_and_the_spaces_of_each_stage() {
    let layout = Layout::named("sdl-gpu").expect("the layout");
    let of = |stage| text(&module(PAIR), Target::Hlsl(ShaderModel::V6_0), stage, &layout);
    let vertex = [": register(b0, space1)", "vs2 : register(t0);", "vs2_sampler : register(s0);", " main("];
    has(&of(FunctionKind::Vertex), &vertex);
    let fragment = [
        ": register(b0, space3)",
        "fs1 : register(t0, space2);",
        "fs1_sampler : register(s0, space2);",
        "fs4 : register(t1, space2);",
        "fs4_sampler : register(s1, space2);",
    ];
    has(&of(FunctionKind::Fragment), &fragment);
}

#[test]
fn each_stage_counts_from_0_in_direct3d_11_and_in_metal_and_the_interface_says_so() {
    let module = module(PAIR);
    let text = hlsl(&module, ShaderModel::V5_0, &Layout::default()).expect("HLSL");
    has(&text, &["VertexConstants : register(b0)", "FragmentConstants : register(b0)", "vs2 : register(t0);"]);
    has(&text, &["fs1 : register(t0);", "fs4 : register(t1);", "fs4_sampler : register(s1);"]);
    let text = msl(&module, MslVersion::default(), &Layout::default()).expect("MSL");
    has(&text, &["vc [[buffer(0)]]", "fc [[buffer(0)]]", "vs2 [[texture(0)]]", "fs4 [[texture(1)]]"]);
    for target in [Target::Hlsl(ShaderModel::V5_0), Target::Msl(MslVersion::default())] {
        let output = write(&module, target, Some(FunctionKind::Fragment), &Layout::default()).expect("an output");
        let found = output.interface.resources.iter().map(|resource| {
            let kind = match resource.kind {
                ResourceKind::Constants { .. } => 'b',
                ResourceKind::Texture { .. } => 't',
                ResourceKind::Sampler { .. } => 's',
                _ => panic!("{resource:?}"),
            };
            (kind, resource.name.as_str(), resource.binding.expect("a binding").1)
        });
        let expected =
            [('b', "fc", 0), ('t', "fs1", 0), ('s', "fs1_sampler", 0), ('t', "fs4", 1), ('s', "fs4_sampler", 1)];
        assert_eq!(found.collect::<Vec<_>>(), expected, "{target}");
    }
}

/// Direct3D links the stages by the order of their varyings, so an unread varying would shift all later varyings.
#[test]
fn hlsl_passes_only_the_varyings_that_the_fragment_stage_reads() {
    let module = module(PAIR);
    let output = write(&module, Target::Hlsl(ShaderModel::default()), None, &Layout::default()).expect("HLSL");
    let sdlbc_naga::Code::Text(text) = &output.code else { panic!("a text") };
    has(text, &["struct Varyings {\n    float4 v1 : TEXCOORD1;\n    float4 op : SV_Position;\n};"]);
    assert!(!text.contains("v0") && !text.contains("vc[4]"), "{text}");
    let outputs: Vec<usize> = output.interface.entries[0].outputs.iter().map(|output| output.index).collect();
    assert_eq!(outputs, [0, 2], "the indices are those of the module");
    let inputs: Vec<Id> = output.interface.resources.iter().map(|resource| resource.input).collect();
    assert_eq!(inputs, [2, 3, 3, 2, 3, 3, 4, 4].map(Id), "the ids are those of the module");
    has(&msl(&module, MslVersion::default(), &Layout::default()).expect("MSL"), &["float4 v0 [[user(loc0)]]"]);
}

#[test]
fn a_block_of_constants_is_a_structure_with_members_of_their_own_types() {
    let module = module(
        r#"
vertex function "vs_main" {
  input %1 va0: float4 = attribute 0
  input %2 clip: float4x4 = uniform
  input %3 tint: float3 = uniform
  input %4 opacity: float = uniform
  input %5 bones: float4[3] = uniform
  output 0 op: float4 = position
  output 1 v0: float4 = varying 0
  %6 = multiply %1, %2
  %7 = vector %3, %4
  %8 = peek %5, 2
  %9 = multiply %7, %8
  poke %6, 0
  poke %9, 1
}
"#,
    );
    let layout = Layout::named("sdl-gpu").expect("the layout");
    let text = hlsl(&module, ShaderModel::default(), &layout).expect("HLSL");
    let members = "    float3 tint;\n    float opacity;\n    float4 bones[3];\n};";
    has(&text, &["row_major float4x4 clip_1;\n", members, "mul(vertex_constants.clip_1, va0)"]);
    has(&text, &["cbuffer VertexBlock : register(b0, space1) { VertexConstants vertex_constants; }"]);
    let text = msl(&module, MslVersion::default(), &layout).expect("MSL");
    has(&text, &["    float4x4 clip;\n    packed_float3 tint;\n    float opacity;\n    float4 bones[3];\n};"]);
    has(&text, &["constant VertexConstants& vertex_constants [[buffer(0)]]", "vertex_constants.bones[2]", " main0("]);
}

#[test]
fn members_of_constants_are_members_of_one_structure() {
    let mut module = module(PAIR.split_once("fragment function").expect("two functions").0);
    let member = |name: &str, first, component, ty| Member { name: name.into(), first, component, ty };
    let members = vec![
        member("world", 0, 0, Type::Matrix { columns: 4, rows: 4 }),
        member("tint", 4, 0, Type::floats(3)),
        member("opacity", 4, 3, Type::FLOAT),
    ];
    let (members, ids) = ([(Id(2), members)].into(), [(Id(9), "op".to_string())].into());
    module.debug.functions.push(FunctionDebug { members, ids, ..FunctionDebug::default() });
    let text = hlsl(&module, ShaderModel::default(), &Layout::default()).expect("HLSL");
    has(&text, &["struct Vc {\n    row_major float4x4 world;\n    float3 tint;\n    float opacity;\n};"]);
    has(&text, &["cbuffer VertexBlock : register(b0) { Vc vc; }", "mul(vc.world, va0)", "vc.tint"]);
    let text = msl(&module, MslVersion::default(), &Layout::default()).expect("MSL");
    has(&text, &["struct Vc {\n    float4x4 world;\n    packed_float3 tint;\n    float opacity;\n};"]);
    has(&text, &["constant Vc& vc [[buffer(0)]]", "input.va0 * vc.world", "vc.opacity"]);
}

/// DXC gives the last column of a 3x3 matrix 12 bytes. A three-component vector after the matrix therefore begins at the next
/// register without padding, but a single float would not. DXC's disassembly shows `light` at byte 48, `gain` at 112 and `tail`
/// at 128.
#[test]
fn padding_in_hlsl_is_only_where_the_next_member_would_move() {
    let text = |second: Type| {
        let mut module = module(
            r#"
vertex function "vs_main" {
  input %1 va0: float4 = attribute 0
  input %2 vc: float4[9] = uniform
  output 0 op: float4 = position
  %3 = peek %2, 3
  %4 = peek %2, 7
  %5 = peek %2, 8
  %6 = swizzle %3, xyz
  %7 = swizzle %4, x
  %8 = multiply %6, %7
  %9 = vector %8, %7
  %10 = multiply %9, %5
  poke %10, 0
}
"#,
        );
        let member = |name: &str, first, ty| Member { name: name.into(), first, component: 0, ty };
        let matrix = Type::Matrix { columns: 3, rows: 3 };
        let members = vec![
            member("world", 0, matrix),
            member("light", 3, Type::floats(3)),
            member("normal", 4, matrix),
            member("gain", 7, second),
            member("tail", 8, Type::FLOAT4),
        ];
        let members = [(Id(2), members)].into();
        module.debug.functions.push(FunctionDebug { members, ..FunctionDebug::default() });
        hlsl(&module, ShaderModel::default(), &Layout::default()).expect("HLSL")
    };
    let vectors = "    row_major float3x3 world;\n    float3 light;\n    row_major float3x3 normal;\n";
    has(&text(Type::floats(3)), &[&format!("{vectors}    float3 gain;\n    float4 tail;\n}};")]);
    has(&text(Type::FLOAT), &[&format!("{vectors}    int padding;\n    float gain;\n    float4 tail;\n}};")]);
}

#[test]
fn what_the_languages_cannot_express_is_refused_by_name() {
    let size = module(
        r#"vertex function "vs_main" {
  input %1 va0: float4 = attribute 0
  output 0 op: float4 = position
  output 1 size: float = pointsize
  %2 = swizzle %1, x
  poke %1, 0
  poke %2, 1
}"#,
    );
    let refused = |result: Result<String, Error>| match result {
        Err(Error::Unsupported { what, target }) => format!("{target}: {what}"),
        other => panic!("{other:?}"),
    };
    let layout = Layout::default();
    assert_eq!(refused(hlsl(&size, ShaderModel::default(), &layout)), "HLSL 5.1: a point size");
    has(&msl(&size, MslVersion::default(), &layout).expect("MSL"), &["float size [[point_size]];"]);
    let endless = module(include_str!("../../../testdata/fuzz/backends/loop_whose_exit_is_not_reached.sdlasm"));
    assert_eq!(refused(hlsl(&endless, ShaderModel::default(), &layout)), "HLSL 5.1: a loop without an exit");
    assert_eq!(refused(msl(&endless, MslVersion::default(), &layout)), "MSL 2.0: a loop without an exit");
    let mut far = layout.clone();
    far.fragment.constants.group = 256;
    let what = refused(hlsl(&module(PAIR), ShaderModel::V6_0, &far));
    assert_eq!(what, "HLSL 6.0: the group 256: register spaces end at 255");
    let instance = module(
        r#"vertex function "vs_main" {
  input %1 iid: uint = builtin instanceindex
  output 0 op: float4 = position
  %2 = convert %1, float
  %3 = vector %2, %2, %2, %2
  poke %3, 0
}"#,
    );
    let what = refused(msl(&instance, MslVersion::V1_1, &layout));
    assert_eq!(what, "MSL 1.1: the attribute `instance_id`");
}

#[test]
fn clip_distances_are_vectors_in_hlsl_and_an_array_in_msl() {
    let clipped = module(include_str!("../../../testdata/ir/clip_distances.sdlasm"));
    let layout = Layout::default();
    let text = hlsl(&clipped, ShaderModel::default(), &layout).expect("HLSL");
    // Clip distances follow the position, so that the position has the same register in both stages.
    let members = "    float4 position : SV_Position;\n    float4 distances : SV_ClipDistance0;\n    float fifth : SV_ClipDistance1;\n};";
    has(&text, &[members, "output.fifth = "]);
    let text = msl(&clipped, MslVersion::default(), &layout).expect("MSL");
    has(&text, &["    float distances [[clip_distance]] [5];\n};"]);
    let returned = text.lines().find(|line| line.trim_start().starts_with("return Varyings")).expect("a return");
    assert_eq!(returned.matches(['{', '}']).count(), 4, "{returned}");
}

/// In Direct3D, w of a fragment's position is the clip coordinate w. In the module, w is the reciprocal of that coordinate.
#[test]
fn w_of_a_fragments_position_is_the_reciprocal_in_hlsl() {
    let position = |lanes: &str| {
        let text = format!(
            r#"fragment function "fs_main" {{
  input %1 place: float4 = builtin fragmentcoordinate
  output 0 oc: float4 = colour 0
  %2 = swizzle %1, {lanes}
  poke %2, 0
}}"#
        );
        hlsl(&module(&text), ShaderModel::default(), &Layout::default()).expect("HLSL")
    };
    has(&position("xyzw"), &["place : SV_Position", "    place.w = 1.0 / place.w;\n"]);
    assert!(!position("xyxy").contains("1.0 / "));
}

/// A float is clamped to the range of the integer type before the conversion. The limits are written with all digits for
/// readability.
#[test]
fn the_limits_of_conversions_to_integers_have_all_their_digits() {
    let text = include_str!("../../../testdata/ir/operations/convert.sdlasm");
    let limits = ["clamp(value, -2147483648.0, 2147483520.0)", "clamp(value, 0.0, 4294967040.0)"];
    has(&hlsl(&module(text), ShaderModel::default(), &Layout::default()).expect("HLSL"), &limits);
    has(&msl(&module(text), MslVersion::default(), &Layout::default()).expect("MSL"), &limits);
}

#[test]
fn a_vector_of_equal_literals_keeps_the_parentheses_that_hlsl_needs() {
    let text = r#"fragment function "fs_main" {
  input %1 v0: float4 = varying 0
  input %2 flags: bool3[2] = local
  output 0 oc: float4 = colour 0
  %3 = literalbool true
  %4 = swizzle %3, xxx
  %5 = literalint 0
  poke %4, %2, %5, 0
  %6 = peek %2, %5, 0
  %7 = all %6
  %8 = literalfloat 0
  %9 = vector %8, %8, %8, %8
  %10 = select %7, %1, %9
  poke %10, 0
}"#;
    let text = hlsl(&module(text), ShaderModel::default(), &Layout::default()).expect("HLSL");
    assert!(text.contains("(true).xxx"), "{text}");
}

#[test]
fn a_power_of_two_is_made_of_its_bits_in_hlsl_since_exp2_is_not_exact() {
    let text = r#"fragment function "fs_main" {
  input %1 v0: float4 = varying 0
  input %2 by: int = varying 1 flat
  output 0 oc: float4 = colour 0
  %3 = ldexp %1, %2
  poke %3, 0
}"#;
    let text = hlsl(&module(text), ShaderModel::default(), &Layout::default()).expect("HLSL");
    assert!(!text.contains("exp") && text.contains("asfloat("), "{text}");
}
