//! Tests of reflection: needed components, the use of constants, and the descriptions of samplers and vertex formats.

use agalc::names::{Names, VertexFormat};
use agalc::reflect::{Reflection, reflect, shadercross};
use agalc::{Input, Options};
use sdlbc::FunctionKind;

/// Returns the reflection of AGAL or module text. Two texts are the programs of a pair.
fn reflected(texts: &[&str]) -> Reflection {
    let inputs =
        texts.iter().enumerate().map(|(at, text)| Input { name: format!("{at}"), bytes: text.as_bytes().to_vec() });
    let inputs: Vec<Input> = inputs.collect();
    let loaded = agalc::load_all(&inputs, &Options::default()).unwrap_or_else(|refused| panic!("{refused}"));
    reflect(&loaded.module, &[]).with_programs(&loaded.programs)
}

/// Lists the components that the first stage reads from each attribute, varying, constant register and texture, for example
/// `va0.xy vc3.x fs0.xyz`.
fn reads(of: &Reflection) -> String {
    let stage = &of.stages[0];
    let mut reads = Vec::new();
    match stage.stage {
        FunctionKind::Vertex => {
            reads.extend(stage.attributes.iter().map(|one| format!("{}.{}", one.register, one.components)));
        }
        _ => reads.extend(stage.varyings.iter().map(|one| format!("{}.{}", one.register, one.components))),
    }
    for constants in &stage.constants {
        let name = constants.file.unwrap_or(&constants.name);
        reads.extend(constants.registers.iter().map(|one| format!("{name}{}.{}", one.register, one.components)));
        reads.extend(constants.indexed.iter().map(|one| format!("{name}[{:?}].{}", one.bases, one.components)));
    }
    reads.extend(stage.samplers.iter().map(|one| format!("{}.{}", one.register, one.components)));
    reads.join(" ")
}

#[test]
fn the_components_that_agal_reads_are_exact() {
    for (text, expected) in [
        ("mov oc, v0.xyxy", "v0.xy"),
        ("mov ft0, v0\nmov ft0.xyz, fc0.zzz\nmov oc, ft0", "v0.w fc0.z"),
        ("tex ft0, v0, fs0 <2d>\nmov oc, ft0.xxyy", "v0.xy fs0.xy"),
        ("tex ft0, v0, fs0 <cube,clamp,miplinear>\nmov oc, ft0", "v0.xyz fs0.xyzw"),
        ("dp3 ft0.x, v0, fc1\nmul ft0.y, v1.w, fc2.y\nmov oc, ft0.xyxy", "v0.xyz v1.w fc1.xyz fc2.y"),
        ("crs ft0.xyz, v0, fc0\nmov ft0.w, ft0.x\nmov oc, ft0.wwww", "v0.yz fc0.yz"),
        ("sub ft0.x, v0.w, fc0.z\nkil ft0.x\nmov oc, fc1", "v0.w fc0.z fc1.xyzw"),
        ("mul ft0, v1, fc3\nmov oc, v0", "v0.xyzw"),
    ] {
        assert_eq!(reads(&reflected(&[text])), expected, "{text}");
    }
}

#[test]
fn the_components_that_a_module_reads_are_exact() {
    let head = "fragment function \"fs_main\" {\n  input %1 v0: float4 = varying 0\n  input %2 m: float4x4 = uniform\n  \
                input %3 fc: float4[8] = uniform\n  input %4 slot: float2[2] = local\n  output 0 oc: float4 = colour 0\n\n";
    for (body, expected) in [
        ("%5 = peek %2, 1\n poke %5, 0", "v0. m1.xyzw"),
        ("%5 = multiply %2, %1\n %6 = swizzle %5, yyyy\n poke %6, 0", "v0.xyzw m0.y m1.y m2.y m3.y"),
        ("%5 = multiply %1, %2\n %6 = swizzle %5, zzzz\n poke %6, 0", "v0.xyzw m2.xyzw"),
        ("%5 = transpose %2\n %6 = peek %5, 3\n poke %6, 0", "v0. m0.w m1.w m2.w m3.w"),
        // A component that is written to a local slot is needed only if the slot is read.
        ("%5 = swizzle %1, xy\n poke %5, %4, 0\n %6 = peek %4, 0\n %7 = swizzle %6, yyyy\n poke %7, 0", "v0.y"),
        // A phi needs both of its values and the condition of its branch.
        (
            "%5 = literalfloat 0.0\n %6 = swizzle %1, w\n %7 = lessthan %6, %5\n %8 = peek %3, 1\n %9 = peek %3, 2\n if %7 {\n } else {\n }\n \
             %10 = phi %8, %9\n %11 = swizzle %10, xxyy\n poke %11, 0",
            "v0.w fc1.xy fc2.xy",
        ),
        // A literal index counts as constant, and an index beyond the end of the array is clamped.
        ("%5 = literalint 3\n %6 = peek %3, %5, 1\n poke %6, 0", "v0. fc4.xyzw"),
        ("%5 = peek %3, 99\n poke %5, 0", "v0. fc7.xyzw"),
        ("%5 = swizzle %1, x\n %6 = convert %5, int\n %7 = peek %3, %6, 2\n poke %7, 0", "v0.x fc[[2]].xyzw"),
        // Code after a jump is unreachable.
        (
            "loop {\n %9 = literalbool true\n if %9 {\n break\n } else {\n break\n }\n %5 = peek %3, 3\n poke %5, 0\n }\n %6 = peek %3, 0\n poke %6, 0",
            "v0. fc0.xyzw",
        ),
    ] {
        assert_eq!(reads(&reflected(&[&format!("{head}{body}\n}}\n")])), expected, "{body}");
    }
}

/// A call needs only the argument components that contribute to the needed components of its result.
#[test]
fn needs_pass_through_calls() {
    let text = "fragment function \"fs_main\" {\n  input %1 v0: float4 = varying 0\n  output 0 oc: float4 = colour 0\n\n  \
                %2 = call 1, %1\n  %3 = swizzle %2, yyyy\n  poke %3, 0\n}\n\n\
                generic function \"half\" {\n  input %1 a: float4 = parameter\n  input %2 fc: float4[2] = uniform\n  \
                output 0 result: float4 = returned\n\n  %3 = peek %2, 1\n  %4 = multiply %1, %3\n  return %4\n}\n";
    assert_eq!(reads(&reflected(&[text])), "v0.y fc1.y");
}

#[test]
fn registers_that_are_used_as_matrices_are_named_by_their_shape() {
    let text = "m44 op, va0, vc0\nm34 vt0.xyz, va1, vc4\nm33 vt1.xyz, va1, vc8\nm44 vt2, va0, vc[va2.x+12]\n\
                add vt0.xyz, vt0.xyz, vt1.xyz\nmov vt0.w, vt2.x\nadd vt0, vt0, vt2\nmov v0, vt0";
    let of = reflected(&[text]);
    let constants = &of.stages[0].constants[0];
    let matrices = constants.matrices.iter().map(|one| (one.first, one.opcode, one.indexed));
    let expected = [(0, Some("m44"), false), (4, Some("m34"), false), (8, Some("m33"), false), (12, Some("m44"), true)];
    assert_eq!(matrices.collect::<Vec<_>>(), expected);
    assert_eq!(constants.indexed.as_ref().map(|indexed| indexed.bases.clone()), Some(vec![12, 13, 14, 15]));
    let ranges: Vec<_> = constants.ranges.iter().map(|range| (range.first, range.count)).collect();
    assert_eq!(ranges, [(0, 7), (8, 3), (12, 116)]);
}

#[test]
fn formats_and_samplers_are_said_in_the_words_of_each_interface() {
    let of = reflected(&[
        "mov op, va0\nmov v0, va1",
        "tex ft0, v0, fs2 <2d,linear,mipnearest,repeat_u_clamp_v,-1>\nmov oc, ft0",
    ]);
    let formats = &of.stages[0].attributes[0].formats;
    assert_eq!(formats.vulkan, "VK_FORMAT_R32G32B32A32_SFLOAT");
    assert_eq!((formats.webgpu.as_str(), formats.stage3d.as_deref()), ("float32x4", Some("float4")));
    assert_eq!(formats.sdl, "SDL_GPU_VERTEXELEMENTFORMAT_FLOAT4");
    let sampler = &of.stages[1].samplers[0];
    assert_eq!((sampler.register.as_str(), sampler.slot), ("fs2", 2));
    assert_eq!(sampler.agal.text, "2d,linear,mipnearest,repeat_u_clamp_v,-1");
    assert_eq!((sampler.webgpu.address_mode_u, sampler.webgpu.address_mode_v), ("repeat", "clamp-to-edge"));
    assert_eq!((sampler.webgpu.mipmap_filter, sampler.webgpu.lod_max_clamp), ("nearest", 32.0));
    assert_eq!(sampler.sdl.mipmap_mode, "SDL_GPU_SAMPLERMIPMAPMODE_NEAREST");
    assert_eq!(
        (sampler.gl.gl_texture_min_filter, sampler.gl.gl_texture_wrap_t),
        ("GL_LINEAR_MIPMAP_NEAREST", "GL_CLAMP_TO_EDGE")
    );
    // The shader code applies the bias, so no sampler descriptor includes the bias.
    assert_eq!((sampler.agal.bias, sampler.sdl.mip_lod_bias), (-1.0, 0.0));
}

/// WebGPU refuses anisotropy with a filter that is not linear.
#[test]
fn anisotropy_implies_linear_filters() {
    for mip in ["nomip", "mipnearest", "miplinear"] {
        let of = reflected(&[&format!("tex ft0, v0, fs0 <2d,anisotropic8x,{mip}>\nmov oc, ft0")]);
        let webgpu = &of.stages[0].samplers[0].webgpu;
        assert_eq!([webgpu.min_filter, webgpu.mag_filter, webgpu.mipmap_filter], ["linear"; 3]);
        assert_eq!((webgpu.max_anisotropy, webgpu.lod_max_clamp), (8, if mip == "nomip" { 0.0 } else { 32.0 }));
    }
}

#[test]
fn a_pair_says_of_each_varying_what_is_written_and_what_is_read() {
    let of = reflected(&["mov op, va0\nmov v0, va0\nmov v1, va0", "mov oc, v1.zzzz"]);
    let links: Vec<_> = of.varyings.iter().map(|link| (link.location, &*link.written, &*link.read)).collect();
    assert_eq!(links, [(0, "xyzw", ""), (1, "xyzw", "z")]);
}

#[test]
fn discards_derivatives_depth_and_builtins_are_found() {
    let of = reflected(&["// agal 2 fragment\nmov oc, v0\nmov od.x, v0.z"]);
    let stage = &of.stages[0];
    assert_eq!((stage.discards, stage.derivatives), (false, false));
    assert_eq!(stage.outputs.iter().map(|output| output.kind).collect::<Vec<_>>(), ["colour", "depth"]);
    let of = reflected(&["// agal 2 fragment\nddx ft0, v0\nkil ft0.x\nmov oc, ft0"]);
    assert_eq!((of.stages[0].discards, of.stages[0].derivatives), (true, true));
    let of = reflected(&["// agal 3 vertex\nmov op, va0\nmov v0, iid"]);
    assert_eq!((of.stages[0].builtins[0].kind, of.stages[0].builtins[0].register), ("instanceindex", Some("iid")));
}

#[test]
fn the_macro_language_says_what_to_upload() {
    let of = reflected(&["alias fc0, CONST(0.5, 2)\nft0 = v0 * fc0.x\noc = ft0"]);
    let aliases = &of.stages[0].agal.as_ref().expect("AGAL").aliases;
    let uploads: Vec<_> = aliases.iter().filter_map(|alias| alias.upload.as_ref()).collect();
    assert_eq!(
        (&*uploads[0].register, &*uploads[0].components, &uploads[0].values[..]),
        ("fc0", "xyzw", &[0.5, 2.0, 0.0, 0.0][..])
    );
}

#[test]
fn shadercross_has_its_fields_without_a_file_too() {
    let of = reflected(&["m44 op, va0, vc0\nmov v0, va1", "tex ft0, v0, fs3 <2d>\nmul oc, ft0, fc0"]);
    let fragment = shadercross(&of, FunctionKind::Fragment).expect("the stage");
    assert_eq!((fragment.samplers, fragment.uniform_buffers), (1, 1));
    assert_eq!((fragment.sampler_slots[0].binding, fragment.sampler_slots[0].register.as_str()), (0, "fs3"));
    assert_eq!(fragment.uniform_slots[0].size, 16);
    let vertex = shadercross(&of, FunctionKind::Vertex).expect("the stage");
    assert_eq!(vertex.inputs.iter().map(|input| input.location).collect::<Vec<_>>(), [0, 1]);
    assert_eq!((vertex.outputs[0].name.as_str(), vertex.outputs[0].ty.as_str()), ("v0", "float4"));
}

/// An attribute has the vertex format that its name declares. A module file does not store vertex formats, so an attribute of a
/// module file consists of 32-bit floats.
#[test]
fn a_declared_vertex_format_is_in_the_reflection() {
    let words = |format: &str| {
        let mut options = Options::default();
        options.names.push(Names::parse_entry(&format!("va1=weights:{format}")).expect("a name"));
        let text = Input { name: "a.vert.agal".to_string(), bytes: b"mov op, va0\nmov v0, va1".to_vec() };
        let loaded = agalc::load_all(&[text], &options).unwrap_or_else(|refused| panic!("{refused}"));
        let of = reflect(&loaded.module, &[]).with_programs(&loaded.programs).with_formats(&loaded.formats);
        let untyped = &of.stages[0].attributes[0].formats;
        assert_eq!((untyped.webgpu.as_str(), untyped.gl.normalized), ("float32x4", false));
        let binary = Input { name: "a.sdlbc".to_string(), bytes: sdlbc::encode(&loaded.module) };
        let loaded = agalc::load_all(&[binary], &Options::default()).unwrap_or_else(|refused| panic!("{refused}"));
        let read = reflect(&loaded.module, &[]).with_formats(&loaded.formats);
        let read = &read.stages[0].attributes[1].formats.webgpu;
        assert!(read.starts_with("float32"), "{read}");
        let f = &of.stages[0].attributes[1].formats;
        let gl = format!("{} {}{}", f.gl.size, f.gl.kind, if f.gl.normalized { " normalized" } else { "" });
        assert!(!f.gl.integer);
        [&f.webgpu, &f.vulkan, &f.dxgi, &f.metal, &f.sdl, &gl, f.stage3d.as_deref().unwrap_or("-")].join(" ")
    };
    for (format, expected) in [
        (
            "float1",
            "float32 VK_FORMAT_R32_SFLOAT DXGI_FORMAT_R32_FLOAT MTLVertexFormatFloat SDL_GPU_VERTEXELEMENTFORMAT_FLOAT \
             1 GL_FLOAT float1",
        ),
        (
            "vec3",
            "float32x3 VK_FORMAT_R32G32B32_SFLOAT DXGI_FORMAT_R32G32B32_FLOAT MTLVertexFormatFloat3 \
             SDL_GPU_VERTEXELEMENTFORMAT_FLOAT3 3 GL_FLOAT float3",
        ),
        (
            "bytes4",
            "unorm8x4 VK_FORMAT_R8G8B8A8_UNORM DXGI_FORMAT_R8G8B8A8_UNORM MTLVertexFormatUChar4Normalized \
             SDL_GPU_VERTEXELEMENTFORMAT_UBYTE4_NORM 4 GL_UNSIGNED_BYTE normalized bytes4",
        ),
        (
            "Snorm8x2",
            "snorm8x2 VK_FORMAT_R8G8_SNORM DXGI_FORMAT_R8G8_SNORM MTLVertexFormatChar2Normalized \
             SDL_GPU_VERTEXELEMENTFORMAT_BYTE2_NORM 2 GL_BYTE normalized -",
        ),
        (
            "Unorm16x2",
            "unorm16x2 VK_FORMAT_R16G16_UNORM DXGI_FORMAT_R16G16_UNORM MTLVertexFormatUShort2Normalized \
             SDL_GPU_VERTEXELEMENTFORMAT_USHORT2_NORM 2 GL_UNSIGNED_SHORT normalized -",
        ),
        (
            "Snorm16x4",
            "snorm16x4 VK_FORMAT_R16G16B16A16_SNORM DXGI_FORMAT_R16G16B16A16_SNORM MTLVertexFormatShort4Normalized \
             SDL_GPU_VERTEXELEMENTFORMAT_SHORT4_NORM 4 GL_SHORT normalized -",
        ),
        (
            "Float16x2",
            "float16x2 VK_FORMAT_R16G16_SFLOAT DXGI_FORMAT_R16G16_FLOAT MTLVertexFormatHalf2 \
             SDL_GPU_VERTEXELEMENTFORMAT_HALF2 2 GL_HALF_FLOAT -",
        ),
    ] {
        assert_eq!(words(format), expected, "{format}");
    }
    // In JavaScript, WebGPU's vertex format names are the Rust names in lower case.
    for format in VertexFormat::ALL {
        let words = words(format.name());
        assert!(words.starts_with(&format!("{} ", format.name().to_lowercase())), "{words}");
    }
}
