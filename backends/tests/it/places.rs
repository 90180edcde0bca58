//! Tests the groups, bindings and registers of layouts. Resources that collide in a pipeline are rejected, and the interface
//! reports the same numbers as the code.

use sdlbc::{FunctionKind, Module};
use sdlbc_naga::{Code, Error, Layout, Length, Modules, Output, ResourceKind, ShaderModel, Target};

use crate::write;

/// A pair in which each stage has constants and a texture.
const PAIR: &str = r#"
vertex function "vs_main" {
  input %1 va0: float4 = attribute 0
  input %2 vc: float4[1] = uniform
  input %3 vs0: texture2d = texture 0 { filter 1, mip 2, wrap 1 1, format 0, special 0, bias 0 }
  output 0 op: float4 = position
  output 1 v0: float4 = varying 0
  %4 = peek %2, 0
  %5 = swizzle %1, xy
  %6 = literalfloat 0
  %7 = samplelod %3, %5, %6
  poke %4, 0
  poke %7, 1
}

fragment function "fs_main" {
  input %1 v0: float4 = varying 0
  input %2 fc: float4[1] = uniform
  input %3 fs1: texture2d = texture 1 { filter 1, mip 2, wrap 1 1, format 0, special 0, bias 0 }
  output 0 oc: float4 = colour 0
  %4 = swizzle %1, xy
  %5 = sample %3, %4
  %6 = peek %2, 0
  %7 = multiply %5, %6
  poke %7, 0
}
"#;

fn pair() -> Module {
    sdlbc::parse(PAIR).unwrap_or_else(|errors| panic!("{errors:?}"))
}

fn text(output: Output) -> String {
    match output.code {
        Code::Text(text) => text,
        Code::Words(_) => panic!("a text"),
    }
}

/// Returns a layout that gives the vertex constants and the fragment textures the same binding.
fn shared() -> Layout {
    let mut layout = Layout { name: "shared", ..Layout::STAGE3D };
    layout.fragment.textures.binding = layout.vertex.constants.binding;
    layout.fragment.textures.step = 0;
    layout
}

#[test]
fn a_place_that_both_stages_have_is_refused_where_a_pipeline_shares_them() {
    for target in [Target::Spirv, Target::Wgsl] {
        for (layout, stages) in [
            (shared(), &[None][..]),
            // Shaders in separate files may still be used in one pipeline.
            (
                Layout { modules: Modules::Apart, ..shared() },
                &[Some(FunctionKind::Vertex), Some(FunctionKind::Fragment)][..],
            ),
        ] {
            for &stage in stages {
                let refused = write(&pair(), target, stage, &layout).expect_err("a collision");
                let is_both = matches!(
                    refused,
                    Error::SameBinding { stages: [FunctionKind::Vertex, FunctionKind::Fragment], group: 0, binding: 0 }
                );
                assert!(is_both, "{target}, {stage:?}: {refused}");
                assert!(refused.to_string().contains("a resource of the vertex stage and one of the fragment stage"));
            }
        }
    }
}

#[test]
fn each_stage_has_registers_of_its_own_in_hlsl_and_msl() {
    for target in [Target::Hlsl(ShaderModel::V6_0), Target::Msl(sdlbc_naga::MslVersion::default())] {
        let output = write(&pair(), target, None, &shared());
        assert!(output.is_ok(), "{target}: {output:?}");
    }
}

#[test]
fn registers_of_textures_in_hlsl_are_what_the_interface_says() {
    // The texture and the constants of a stage have the same number, but different types of registers.
    let mut layout = Layout::STAGE3D;
    layout.vertex.textures = layout.vertex.constants;
    layout.fragment.textures = layout.fragment.constants;
    let output = write(&pair(), Target::Hlsl(ShaderModel::V6_0), None, &layout).expect("HLSL");
    let textures = output.interface.resources.iter().filter_map(|resource| match resource.kind {
        ResourceKind::Texture { .. } => Some((resource.name.clone(), resource.binding.expect("a place").1)),
        _ => None,
    });
    let textures: Vec<(String, u32)> = textures.collect();
    assert_eq!(textures, [("vs0".to_string(), 0), ("fs1".to_string(), 2)]);
    let text = text(output);
    for (name, register) in textures {
        assert!(text.contains(&format!("{name} : register(t{register})")), "{text}");
    }
}

#[test]
fn arrays_of_constants_that_are_longer_than_a_module_may_have_are_refused() {
    for vertex in [4097, 1 << 28, u32::MAX] {
        let layout = Layout { length: Length::File { vertex, fragment: 1 }, ..Layout::STAGE3D };
        for target in [Target::Spirv, Target::Wgsl, Target::Hlsl(ShaderModel::V6_0)] {
            let refused = write(&pair(), target, None, &layout);
            assert!(matches!(refused, Err(Error::ConstantLength { length, .. }) if length == vertex), "{refused:?}");
        }
    }
    let layout = Layout { length: Length::File { vertex: 4096, fragment: 1 }, ..Layout::STAGE3D };
    let output = write(&pair(), Target::Wgsl, None, &layout).expect("WGSL");
    assert!(text(output).contains("array<vec4<f32>, 4096>"));
}

/// A compute function with a texture, storage buffers that are read or written, and two uniforms.
const COMPUTE: &str = r#"
compute function "cs_main" {
  input %1 place: uint3 = builtin globalinvocationid
  input %2 image: texture2d = texture 2 { filter 1, mip 2, wrap 1 1, format 0, special 0, bias 0 }
  input %3 a: float4[] = buffer 3 read
  input %4 b: float4[] = buffer 0 readwrite
  input %5 c: float4[] = buffer 5 read
  input %6 d: float4[] = buffer 9 readwrite
  input %7 scale: float4 = uniform
  input %8 move: float4 = uniform
  input %20 e: rgba8unormtexture2d = image 4 read
  input %21 f: rgba8unormtexture2d = image 2 write
  input %22 g: r32floattexture2darray = image 6 read
  workgroup 8 8 1
  %9 = swizzle %1, x
  %10 = convert %9, int
  %11 = literalint 0
  %12 = swizzle %1, xy
  %13 = convert %12, int
  %14 = fetch %2, %13, %11
  %15 = peek %3, %10, 0
  %16 = peek %5, %10, 0
  %17 = mad %14, %7, %8
  %23 = imageload %20, %13
  %24 = imageload %22, %13, %11
  %25 = add %23, %24
  imagestore %21, %13, %25
  %18 = mad %15, %16, %17
  poke %18, %4, %10, 0
  poke %17, %6, %10, 0
}
"#;

#[test]
fn a_compute_function_has_places_of_its_own() {
    let module = sdlbc::parse(COMPUTE).unwrap_or_else(|errors| panic!("{errors:?}"));
    let places = |name: &str| {
        let layout = Layout::named(name).expect("a layout");
        let output = write(&module, Target::Spirv, None, &layout).expect("SPIR-V");
        let [entry] = &output.interface.entries[..] else { panic!("{:?}", output.interface.entries) };
        assert_eq!((entry.stage, entry.workgroup), (FunctionKind::Compute, Some([8, 8, 1])));
        let of = |resource: &sdlbc_naga::Resource| {
            let (group, binding) = resource.binding.expect("a place");
            format!("{} {group}.{binding}", resource.name)
        };
        output.interface.resources.iter().map(of).collect::<Vec<String>>()
    };
    let all = |texts: &[&str]| texts.join(", ");
    // Set 0 contains textures, then read-only storage textures and storage buffers. Set 1 contains written storage textures and
    // storage buffers. Set 2 contains uniforms.
    let buffers = "b 1.1, a 0.3, c 0.4, d 1.2";
    assert_eq!(
        places("sdl-gpu").join(", "),
        all(&["compute_constants 2.0", "image 0.0", buffers, "f 1.0", "e 0.1", "g 0.2"])
    );
    let textures = "scale 0.0, move 0.1, image 1.0, image_sampler 1.1";
    let buffers = "b 2.0, a 2.1, c 2.2, d 2.3";
    assert_eq!(places("wgpu").join(", "), all(&[textures, buffers, "f 3.0", "e 3.1", "g 3.2"]));
    let textures = "scale 0.0, move 0.258, image 0.6, image_sampler 0.7";
    let buffers = "b 0.512, a 0.515, c 0.517, d 0.521";
    assert_eq!(places("stage3d").join(", "), all(&[textures, buffers, "f 0.770", "e 0.772", "g 0.774"]));
}

#[test]
fn targets_without_compute_functions_storage_buffers_and_storage_textures_refuse_them_by_name() {
    let module = sdlbc::parse(COMPUTE).unwrap_or_else(|errors| panic!("{errors:?}"));
    let reading = PAIR.replacen("  output 0 op", "  input %9 many: float4[] = buffer 0 read\n  output 0 op", 1);
    let reading = sdlbc::parse(&reading).unwrap_or_else(|errors| panic!("{errors:?}"));
    let loading =
        PAIR.replacen("  output 0 op", "  input %9 map: rgba8unormtexture2d = image 0 read\n  output 0 op", 1);
    let loading = sdlbc::parse(&loading).unwrap_or_else(|errors| panic!("{errors:?}"));
    let refused = |module: &Module, target, stage| match write(module, target, Some(stage), &Layout::default()) {
        Err(Error::Unsupported { what, .. }) => what,
        other => panic!("{other:?}"),
    };
    let texts = [sdlbc_naga::Glsl::Core330, sdlbc_naga::Glsl::Es300].map(Target::Glsl);
    for target in texts {
        assert_eq!(refused(&module, target, FunctionKind::Compute), "the compute function `cs_main`");
        assert_eq!(refused(&reading, target, FunctionKind::Vertex), "the storage buffer `many`");
        assert_eq!(refused(&loading, target, FunctionKind::Vertex), "the storage texture `map`");
    }
    let written = write(&reading, Target::Wgsl, None, &Layout::default()).expect("WGSL");
    assert!(matches!(written.code, Code::Text(text) if text.contains("@binding(512) var<storage> many")));
    let written = write(&loading, Target::Wgsl, None, &Layout::default()).expect("WGSL");
    let declared = "@binding(768) var map: texture_storage_2d<rgba8unorm,read>";
    assert!(matches!(written.code, Code::Text(text) if text.contains(declared)));
}

/// A pair whose source states groups and bindings: both stages read one buffer, one texture has two samplers, and one texture is
/// combined with its sampler.
const STATED: &str = r#"
vertex function "vs_main" {
  input %1 at: float4 = attribute 0
  input %2 view: float4x4 = uniform
  output 0 op: float4 = position
  binding %2 1 1
  %3 = multiply %2, %1
  poke %3, 0
}

fragment function "fs_main" {
  input %1 view: float4x4 = uniform
  input %2 pushed: float4 = uniform
  input %3 smooth: texture2d = texture 0 { filter 1, mip 0, wrap 0 0, format 0, special 4, bias 0 }
  input %4 sharp: texture2d = texture 1 { filter 1, mip 0, wrap 0 0, format 0, special 4, bias 0 }
  input %5 both: texture2d = texture 2 { filter 1, mip 0, wrap 0 0, format 0, special 4, bias 0 }
  input %6 data: float4[] = buffer 0 read
  output 0 oc: float4 = colour 0
  binding %1 1 1
  binding %2 push
  binding %3 2 0 sampler 2 5
  binding %4 2 0 sampler 2 6
  binding %5 2 3
  binding %6 0 9
  %7 = swizzle %2, xy
  %8 = sample %3, %7
  %9 = sample %4, %7
  %10 = sample %5, %7
  %11 = peek %6, 0
  %12 = multiply %1, %8
  %13 = add %12, %9
  %14 = add %13, %10
  %15 = add %14, %11
  poke %15, 0
}
"#;

/// Returns the places of a text's resources, in order: the numbers in the part of each line that `mark` begins.
fn places(text: &str, mark: &str) -> Vec<String> {
    let lines = text.lines().filter(|line| line.contains(mark));
    let numbers = |line: &str| {
        line.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty()).take(2).collect::<Vec<_>>().join(".")
    };
    lines.filter_map(|line| Some(numbers(line.split_once(mark)?.1))).collect()
}

#[test]
fn the_layout_source_keeps_the_places_that_the_source_states() {
    let module = sdlbc::parse(STATED).unwrap_or_else(|errors| panic!("{errors:?}"));
    let written =
        |target| write(&module, target, None, &Layout::SOURCE).unwrap_or_else(|error| panic!("{target}: {error}"));
    let wgsl = text(written(Target::Wgsl));
    // The sampler of the combined texture follows the bindings of the source in its group.
    assert_eq!(places(&wgsl, "@group("), ["1.1", "1.1", "2.0", "2.5", "2.6", "2.3", "2.7", "0.9"], "{wgsl}");
    assert!(wgsl.contains("var<immediate> pushed"), "{wgsl}");
    let hlsl = text(written(Target::Hlsl(ShaderModel::V6_0)));
    // Push constants have the first group that the source does not use.
    let registers = ["register(b1, space1)", "register(b0, space3)", "register(t0, space2)", "register(s6, space2)"];
    assert!(registers.into_iter().all(|register| hlsl.contains(register)), "{hlsl}");
    let Code::Words(words) = written(Target::Spirv).code else { panic!("words") };
    let assembly = sdlbc_naga::spirv_assembly(&words).expect("an assembly");
    assert_eq!(assembly.matches("OpTypeSampledImage").count(), 1, "{assembly}");
    assert_eq!(places(&assembly, " Binding "), ["1", "1", "0", "5", "6", "3", "9"], "{assembly}");
    assert!(assembly.contains("OpVariable %_ptr_PushConstant") || assembly.contains(" PushConstant"), "{assembly}");
}

#[test]
fn a_resource_without_a_place_in_the_source_is_refused_by_its_name() {
    let module = sdlbc::parse(&STATED.replace("  binding %6 0 9\n", "")).expect("a module");
    let refused = write(&module, Target::Wgsl, None, &Layout::SOURCE).expect_err("an error");
    assert!(matches!(&refused, Error::NoBinding { name } if name == "data"), "{refused}");
    // Without any statement, the places are those of the default layout.
    let (source, stage3d) =
        [Layout::SOURCE, Layout::STAGE3D].map(|layout| write(&pair(), Target::Wgsl, None, &layout)).into();
    assert_eq!(text(source.expect("WGSL")), text(stage3d.expect("WGSL")));
}

#[test]
fn groups_and_bindings_of_the_source_can_be_moved() {
    let module = sdlbc::parse(STATED).expect("a module");
    let layout = Layout::SOURCE.moved(Some(4), 10);
    let wgsl = text(write(&module, Target::Wgsl, None, &layout).expect("WGSL"));
    assert_eq!(places(&wgsl, "@group("), ["4.11", "4.11", "4.10", "4.15", "4.16", "4.13", "4.17", "4.19"], "{wgsl}");
}
