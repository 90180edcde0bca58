//! Tests valid modules that were not translated from AGAL. A target either writes a module, or rejects it and names the feature
//! that the target lacks.

use sdlbc::builder::Lane;
use sdlbc::{
    Builder, Debug, FunctionDebug, FunctionKind, FunctionOutput, Id, InputKind, Interpolation, Module, Op, OutputKind,
    Scalar, Type, limits,
};
use sdlbc_naga::{Error, Glsl, Layout, glsl, spirv, wgsl};

fn attribute(builder: &mut Builder, name: &str, location: u32) -> Id {
    builder.input(name, Type::FLOAT4, InputKind::Attribute { location })
}

fn varying(location: u32) -> OutputKind {
    OutputKind::Varying { location, interpolation: Interpolation::Perspective }
}

fn write_output(builder: &mut Builder, name: &str, kind: OutputKind, value: Id) {
    let index = builder.output(FunctionOutput { ty: Type::FLOAT4, name: name.into(), kind });
    builder.poke(index, value);
}

fn module(builder: Builder) -> Module {
    let (function, ids) = builder.finish().expect("the operations fit");
    let functions = if ids.is_empty() { vec![] } else { vec![FunctionDebug { ids, ..FunctionDebug::default() }] };
    let debug = Debug { functions, ..Debug::default() };
    let module = Module { functions: vec![function], debug };
    sdlbc::verify(&module).unwrap_or_else(|violations| panic!("{violations:?}"));
    module
}

/// Writes a module in every language and returns the GLSL.
fn write_all(module: &Module) -> String {
    let options = Layout::default();
    spirv(module, &options).unwrap_or_else(|error| panic!("SPIR-V: {error}"));
    wgsl(module, &options).unwrap_or_else(|error| panic!("WGSL: {error}"));
    glsl(module, FunctionKind::Vertex, Glsl::Core450, &options).unwrap_or_else(|error| panic!("GLSL: {error}"))
}

#[test]
fn names_that_no_language_accepts_are_not_written() {
    let hostile = ["x; } void evil() { int q", "float", "main", "gl_1", "v0", "v0", "ünïcode", "", "while"];
    let mut builder = Builder::new(FunctionKind::Vertex, "vs_main");
    let inputs: Vec<Id> = (0..).zip(hostile).take(4).map(|(at, name)| attribute(&mut builder, name, at)).collect();
    let sum = inputs.iter().copied().reduce(|a, b| builder.emit(Op::Add, &[a, b], &[])).expect("inputs");
    builder.name(sum, "void");
    let twice = builder.emit(Op::Multiply, &[sum, sum], &[]);
    write_output(&mut builder, "v0", OutputKind::Position, twice);
    for (at, name) in (0..).zip(["v0", "color", "while", "x; } void evil() { int q"]) {
        write_output(&mut builder, name, varying(at), sum);
    }
    let text = write_all(&module(builder));
    assert!(!text.contains("evil()"), "{text}");
    for word in ["float", "while", "gl_1", "main"] {
        assert!(!text.contains(&format!("vec4 {word};")), "{text}");
    }
}

#[test]
fn an_attribute_and_a_varying_with_one_name_are_two_variables() {
    let mut builder = Builder::new(FunctionKind::Vertex, "vs_main");
    let color = attribute(&mut builder, "v3", 0);
    write_output(&mut builder, "op", OutputKind::Position, color);
    write_output(&mut builder, "v3", varying(3), color);
    let text = write_all(&module(builder));
    let declared = text.lines().filter(|line| line.ends_with("vec4 v3;")).count();
    assert!(declared <= 1, "{text}");
}

#[test]
fn a_chain_of_swizzles_is_one_swizzle() {
    let mut builder = Builder::new(FunctionKind::Vertex, "vs_main");
    let mut value = attribute(&mut builder, "va0", 0);
    for at in 0..20_000u32 {
        let lanes: Vec<Lane> = (0..4).map(|lane| Lane { value, lane: (lane + 1 + at as u8 % 2) % 4 }).collect();
        value = builder.gather(&lanes);
    }
    write_output(&mut builder, "op", OutputKind::Position, value);
    let text = write_all(&module(builder));
    assert!(text.len() < 1000, "{text}");
}

#[test]
fn ifs_at_the_nesting_limit_fit_a_small_stack() {
    let small = std::thread::Builder::new().stack_size(2 << 20).spawn(|| {
        let mut builder = Builder::new(FunctionKind::Vertex, "vs_main");
        let input = attribute(&mut builder, "va0", 0);
        let value = nested(&mut builder, input, limits::NESTING);
        write_output(&mut builder, "op", OutputKind::Position, value);
        write_all(&module(builder));
    });
    small.expect("a thread").join().expect("no overflow");
}

/// Builds a chain of IFs, each inside the second arm of the previous IF.
fn nested(builder: &mut Builder, value: Id, depth: usize) -> Id {
    if depth == 0 {
        return builder.emit(Op::Sin, &[value], &[]);
    }
    let x = builder.gather(&[Lane { value, lane: 0 }]);
    let bound = builder.float(depth as f32);
    let condition = builder.emit(Op::LessThan, &[x, bound], &[]);
    builder.open();
    let yes = builder.emit(Op::Cos, &[value], &[]);
    let accept = builder.close();
    builder.open();
    let doubled = builder.emit(Op::Add, &[value, value], &[]);
    let no = nested(builder, doubled, depth - 1);
    let reject = builder.close();
    builder.branch(condition, accept, reject);
    builder.emit(Op::Phi, &[yes, no], &[])
}

#[test]
fn a_phi_of_matrices_is_written() {
    let mut builder = Builder::new(FunctionKind::Vertex, "vs_main");
    let a = attribute(&mut builder, "va0", 0);
    let b = attribute(&mut builder, "va1", 1);
    let [first, second] = [[a, b], [b, a]].map(|columns| builder.emit(Op::Matrix, &columns, &[]));
    let [x, y] = [a, b].map(|value| builder.gather(&[Lane { value, lane: 0 }]));
    let condition = builder.emit(Op::LessThan, &[x, y], &[]);
    builder.branch(condition, Default::default(), Default::default());
    let chosen = builder.emit(Op::Phi, &[first, second], &[]);
    let product = builder.emit(Op::Multiply, &[a, chosen], &[]);
    let value = builder.gather(&[0, 1, 0, 1].map(|lane| Lane { value: product, lane }));
    write_output(&mut builder, "op", OutputKind::Position, value);
    write_all(&module(builder));
}

#[test]
fn an_unsigned_number_cannot_be_negated() {
    let mut builder = Builder::new(FunctionKind::Vertex, "vs_main");
    let uint = Type::Vector(Scalar::Uint, 1);
    let index = builder.input("index", uint, InputKind::Builtin(sdlbc::Builtin::VertexIndex));
    builder.emit(Op::Negate, &[index], &[]);
    assert!(builder.finish().is_err());
}

#[test]
fn the_feature_that_a_target_lacks_is_named() {
    let mut builder = Builder::new(FunctionKind::Vertex, "vs_main");
    let input = attribute(&mut builder, "va0", 0);
    write_output(&mut builder, "op", OutputKind::Position, input);
    let size = builder.gather(&[Lane { value: input, lane: 0 }]);
    let index = builder.output(FunctionOutput { ty: Type::FLOAT, name: "size".into(), kind: OutputKind::PointSize });
    builder.poke(index, size);
    let module = module(builder);
    assert!(spirv(&module, &Layout::default()).is_ok());
    match wgsl(&module, &Layout::default()) {
        Err(Error::Unsupported { what, .. }) => assert_eq!(what, "a point size"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_sample_that_only_a_conditional_uses_stays_before_it() {
    let mut builder = Builder::new(FunctionKind::Fragment, "fs_main");
    let kind = InputKind::Varying { location: 0, interpolation: Interpolation::Perspective };
    let coordinate = builder.input("v0", Type::FLOAT4, kind);
    let kind = InputKind::Texture { slot: 0, sampler: sdlbc::Sampler::default() };
    let texture = builder.input("fs0", Type::Texture(sdlbc::Dimension::D2, sdlbc::Texel::Float), kind);
    let lanes = [0, 1].map(|lane| Lane { value: coordinate, lane });
    let at = builder.gather(&lanes);
    let texel = builder.emit(Op::Sample, &[texture, at], &[]);
    let x = builder.gather(&lanes[..1]);
    let y = builder.gather(&lanes[1..]);
    let condition = builder.emit(Op::LessThan, &[x, y], &[]);
    let index =
        builder.output(FunctionOutput { ty: Type::FLOAT4, name: "oc".into(), kind: OutputKind::Colour { target: 0 } });
    builder.open();
    builder.poke(index, texel);
    let accept = builder.close();
    builder.open();
    builder.poke(index, coordinate);
    let reject = builder.close();
    builder.branch(condition, accept, reject);
    let text = wgsl(&module(builder), &Layout::default()).expect("WGSL");
    let (sample, branch) = (text.find("textureSample"), text.find("if "));
    assert!(sample.is_some() && sample < branch, "{text}");
}

/// OpenGL links both stages into one program, in which no two uniform blocks and no two textures may share a binding.
#[test]
fn no_two_blocks_and_no_two_textures_of_a_pair_share_a_binding_in_glsl_450() {
    let stage = |kind: &str, result: &str| {
        format!(
            "{kind} function \"{kind}\" {{
  input %1 a: float4[2] = uniform
  input %2 b: float4 = uniform
  input %3 t: texture2d = texture 0 {{ filter 1, mip 2, wrap 1 1, format 0, special 0, bias 0 }}
  input %4 u: texture2d = texture 3 {{ filter 1, mip 2, wrap 1 1, format 0, special 0, bias 0 }}
  output 0 out: float4 = {result}
  %5 = literalfloat 0.5
  %6 = vector %5, %5
  %7 = samplelod %3, %6, %5
  %8 = samplelod %4, %6, %5
  %9 = peek %1, 0
  %10 = add %7, %8
  %11 = add %9, %2
  %12 = add %10, %11
  poke %12, 0
}}
"
        )
    };
    let text = stage("vertex", "position") + &stage("fragment", "colour 0");
    let module = sdlbc::parse(&text).unwrap_or_else(|errors| panic!("{errors:?}"));
    let texts = [FunctionKind::Vertex, FunctionKind::Fragment]
        .map(|kind| sdlbc_naga::glsl(&module, kind, Glsl::Core450, &Layout::default()).expect("GLSL"));
    for kind in ["layout(std140, binding = ", "layout(binding = "] {
        let bindings = texts.iter().flat_map(|text| text.lines()).filter_map(|line| line.strip_prefix(kind));
        let bindings: Vec<&str> = bindings.filter_map(|rest| rest.split(')').next()).collect();
        let different: std::collections::BTreeSet<&&str> = bindings.iter().collect();
        assert_eq!((bindings.len(), different.len()), (4, 4), "{bindings:?}\n{}\n{}", texts[0], texts[1]);
    }
}

/// Tint rejects a loop without a reachable exit; naga's front end does not.
#[test]
fn a_loop_whose_exit_is_unreachable_is_refused_only_for_wgsl() {
    let text = include_str!("../../../testdata/fuzz/backends/loop_whose_exit_is_not_reached.sdlasm");
    let module = sdlbc::parse(text).unwrap_or_else(|errors| panic!("{errors:?}"));
    let Err(Error::Unsupported { what, .. }) = wgsl(&module, &Layout::default()) else { panic!("it must be refused") };
    assert_eq!(what, "a loop without an exit");
    assert!(spirv(&module, &Layout::default()).is_ok());
    assert!(glsl(&module, FunctionKind::Fragment, Glsl::Es300, &Layout::default()).is_ok());
}

#[test]
fn a_target_has_so_many_render_targets_as_its_language_promises() {
    let with = |target| {
        let mut builder = Builder::new(FunctionKind::Fragment, "fs_main");
        let colour = builder.emit(Op::LiteralFloat4, &[], &[0.25f32, 0.5, 0.75, 1.0].map(f32::to_bits));
        write_output(&mut builder, "oc", OutputKind::Colour { target }, colour);
        module(builder)
    };
    let written = |target| glsl(&with(target), FunctionKind::Fragment, Glsl::Es300, &Layout::default());
    assert!(written(3).is_ok());
    match written(4) {
        Err(Error::Unsupported { what, .. }) => assert_eq!(what, "colour target 4"),
        other => panic!("{other:?}"),
    }
    let last = sdlbc::limits::TARGETS - 1;
    assert!(glsl(&with(last), FunctionKind::Fragment, Glsl::Core450, &Layout::default()).is_ok());
    assert!(spirv(&with(last), &Layout::default()).is_ok());
    assert!(wgsl(&with(last), &Layout::default()).is_ok_and(|text| text.contains("@location(7)")));
}
