//! Tests that a scene's programs are detected and paired like the inputs of the `agalc` command, regardless of their file names.

use std::path::Path;

use agalc::{DebugLevel, Input, Options};
use agalc_scene::{ErrorKind, Scene};
use sdlbc::{FunctionKind, Module};
use tempfile::TempDir;

const VERTEX: &str = "m44 op, va0, vc0\nmov v0, va1\n";
const FRAGMENT: &str = "mul oc, v0, fc0\n";

/// A vertex module with a generic function that has the same name as a generic function of the fragment module.
const WITH_CALL: &str = "generic function \"twice\" {
  input %1 a: float4 = parameter
  output 0 r: float4 = returned
  %2 twice_a = add %1, %1
  return %2
}
vertex function \"vs_main\" {
  input %1 va0: float4 = attribute 0
  output 0 op: float4 = position
  output 1 v0: float4 = varying 0
  %2 doubled = call 0, %1
  poke %2, 0
  poke %1, 1
}
";
const FRAGMENT_WITH_CALL: &str = "fragment function \"fs_main\" {
  input %1 v0: float4 = varying 0
  output 0 oc: float4 = colour 0
  %2 colour = call 1, %1
  poke %2, 0
}
generic function \"twice\" {
  input %1 a: float4 = parameter
  output 0 r: float4 = returned
  %2 thrice = add %1, %1
  %3 = add %1, %2
  return %3
}
";

/// Translates AGAL source text to a module with source lines.
fn translated(name: &str, text: &str) -> Module {
    let input = Input { name: name.to_string(), bytes: text.as_bytes().to_vec() };
    let options = Options::default().debug(DebugLevel::Full);
    agalc::load_all(&[input], &options).unwrap_or_else(|refused| panic!("{refused}")).module.into_module()
}

fn parsed(text: &str) -> Module {
    sdlbc::parse(text).unwrap_or_else(|errors| panic!("{errors:?}"))
}

fn load(files: &[(&str, Vec<u8>)], scene: &str) -> Result<Scene, agalc_scene::Error> {
    let folder: TempDir = tempfile::tempdir().expect("a folder");
    for (name, bytes) in files {
        std::fs::write(folder.path().join(name), bytes).expect("a file");
    }
    let path = folder.path().join("scene.toml");
    std::fs::write(&path, format!("{scene}\nsize = 8\n")).expect("a file");
    Scene::load(&path)
}

fn two(vertex: (&str, Vec<u8>), fragment: (&str, Vec<u8>)) -> Result<Scene, agalc_scene::Error> {
    let scene = format!("vertex = \"{}\"\nfragment = \"{}\"", vertex.0, fragment.0);
    load(&[vertex, fragment], &scene)
}

fn drawn(vertex: (&str, Vec<u8>), fragment: (&str, Vec<u8>)) -> Scene {
    let names = format!("{} and {}", vertex.0, fragment.0);
    two(vertex, fragment).unwrap_or_else(|error| panic!("{names}: {error}"))
}

fn kinds(module: &Module) -> Vec<&'static str> {
    module.functions.iter().map(|function| function.kind.name()).collect()
}

#[test]
fn two_modules_are_a_pair_in_any_format_and_by_any_name() {
    let (vertex, fragment) = (translated("v.agal", VERTEX), translated("f.agal", FRAGMENT));
    let whole = drawn(("v.agal", VERTEX.into()), ("f.agal", FRAGMENT.into()));
    let [text_v, text_f] = [&vertex, &fragment].map(|module| sdlbc::print(module).into_bytes());
    let [file_v, file_f] = [&vertex, &fragment].map(sdlbc::encode);
    for (v, f) in [
        (("v1.sdlbc", file_v.clone()), ("f1.sdlbc", file_f.clone())),
        (("v1.sdlasm", text_v.clone()), ("f1.sdlasm", text_f.clone())),
        (("v1.txt", text_v.clone()), ("f1.txt", text_f.clone())),
        (("v1.bin", file_v.clone()), ("f1", text_f.clone())),
        // The file extension does not decide whether a file is AGAL or a module.
        (("v1.sdlasm", VERTEX.into()), ("f1.sdlasm", FRAGMENT.into())),
        (("v1.agal", text_v.clone()), ("f1.agal", file_f.clone())),
        // A pair can consist of an AGAL program and a module.
        (("v1.agal", VERTEX.into()), ("f1.sdlbc", file_f.clone())),
        (("v1.sdlasm", text_v.clone()), ("f1.agal", FRAGMENT.into())),
        // The modules may be in either order, because each module states its stage.
        (("f1.sdlbc", file_f), ("v1.sdlbc", file_v)),
    ] {
        let name = format!("{} and {}", v.0, f.0);
        let scene = drawn(v, f);
        let module = &scene.draw.module;
        assert_eq!(kinds(module), ["vertex", "fragment"], "{name}");
        assert_eq!(module.functions, whole.draw.module.functions, "{name}");
        assert_eq!(sdlbc::verify(module), Ok(()), "{name}");
        assert_eq!(scene.draw.resources, whole.draw.resources, "{name}");
    }
}

#[test]
fn the_debug_tables_of_two_modules_are_merged() {
    let (vertex, fragment) = (translated("v.agal", VERTEX), translated("f.agal", FRAGMENT));
    let scene = drawn(("v.sdlbc", sdlbc::encode(&vertex)), ("f.sdlbc", sdlbc::encode(&fragment)));
    let debug = &scene.draw.module.debug;
    assert_eq!(debug.sources.iter().map(|source| source.file.as_str()).collect::<Vec<_>>(), ["v.agal", "f.agal"]);
    let lines = debug.functions.iter().map(|debug| (debug.function, debug.lines.as_ref().map(|lines| lines.source)));
    assert_eq!(lines.collect::<Vec<_>>(), [(0, Some(0)), (1, Some(1))]);
    // The fragment function moves after the vertex function, together with its debug information.
    let scene = drawn(("f.sdlbc", sdlbc::encode(&fragment)), ("v.sdlbc", sdlbc::encode(&vertex)));
    let debug = &scene.draw.module.debug;
    let lines = debug.functions.iter().map(|debug| (debug.function, debug.lines.as_ref().map(|lines| lines.source)));
    assert_eq!(lines.collect::<Vec<_>>(), [(0, Some(1)), (1, Some(0))]);
}

#[test]
fn each_module_of_a_pair_calls_its_own_functions() {
    let (vertex, fragment) = (parsed(WITH_CALL), parsed(FRAGMENT_WITH_CALL));
    for (v, f) in [(&vertex, &fragment), (&fragment, &vertex)] {
        let scene = drawn(("v.sdlbc", sdlbc::encode(v)), ("f.txt", sdlbc::print(f).into_bytes()));
        let module = &scene.draw.module;
        assert_eq!(sdlbc::verify(module), Ok(()));
        let of = |kind| module.functions.iter().find(|function| function.kind == kind).expect("it is there");
        for (kind, instructions) in [(FunctionKind::Vertex, 2), (FunctionKind::Fragment, 3)] {
            let call = of(kind).body.insts().iter().find(|inst| inst.op == sdlbc::Op::Call).expect("a call");
            let callee = &module.functions[call.immediates[0] as usize];
            assert_eq!(
                (callee.kind, callee.body.insts().len()),
                (FunctionKind::Generic, instructions),
                "{}",
                kind.name()
            );
        }
        // The debug information of each function refers to the function's new position.
        for debug in &module.debug.functions {
            let function = &module.functions[debug.function as usize];
            let name = match function.kind {
                FunctionKind::Vertex => "doubled",
                FunctionKind::Fragment => "colour",
                FunctionKind::Generic if function.body.insts().len() == 2 => "twice_a",
                FunctionKind::Generic => "thrice",
                FunctionKind::Compute => panic!("a pair has no compute function"),
            };
            assert_eq!(debug.ids.values().collect::<Vec<_>>(), [name]);
        }
        assert_eq!(module.debug.functions.len(), 4);
        let names: Vec<&str> = module.functions.iter().map(|function| function.name.as_str()).collect();
        assert!(names.contains(&"twice") && names.contains(&"twice_2"), "{names:?}");
    }
}

#[test]
fn inputs_that_are_not_a_pair_are_rejected() {
    let (vertex, fragment) = (translated("v.agal", VERTEX), translated("f.agal", FRAGMENT));
    let both = [vertex.functions.clone(), fragment.functions.clone()].concat();
    let both = Module { functions: both, ..Module::default() };
    for (v, f, found) in [(&vertex, &vertex, 2), (&both, &vertex, 3), (&fragment, &both, 3)] {
        let error = two(("v", sdlbc::encode(v)), ("f", sdlbc::encode(f))).expect_err("it is not a pair");
        assert_eq!(*error.kind, ErrorKind::NoPair { found });
    }
    let error = load(&[("v", sdlbc::encode(&vertex))], "program = \"v\"").expect_err("it is only one program");
    assert!(error.to_string().ends_with("v: there is one program; a picture needs a pair"), "{error}");
    let scene = load(&[("p", sdlbc::encode(&both))], "program = \"p\"").unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(kinds(&scene.draw.module), ["vertex", "fragment"]);
}

#[test]
fn storage_buffers_and_storage_textures_are_refused_by_name() {
    let with = |input: &str| {
        let text = FRAGMENT_WITH_CALL.replacen("  output 0 oc", &format!("  input %9 {input}\n  output 0 oc"), 1);
        let fragment = sdlbc::encode(&parsed(&text));
        let vertex = sdlbc::encode(&parsed(WITH_CALL));
        two(("v", vertex), ("f", fragment)).expect_err("it is refused").kind
    };
    let name = "many".to_string();
    assert_eq!(*with("many: float[] = buffer 0 read"), ErrorKind::Buffer { name: name.clone() });
    assert_eq!(*with("many: r32floattexture2d = image 0 read"), ErrorKind::StorageTexture { name });
}

#[test]
fn entry_points_of_one_name_get_names_of_their_own() {
    let rename = |text: &str| parsed(&text.replace("vs_main", "main").replace("fs_main", "main"));
    let (vertex, fragment) = (rename(WITH_CALL), rename(FRAGMENT_WITH_CALL));
    let scene = two(("v", sdlbc::encode(&vertex)), ("f", sdlbc::encode(&fragment))).expect("a pair");
    let entries = scene.draw.module.functions.iter().filter(|function| function.kind != FunctionKind::Generic);
    assert_eq!(entries.map(|entry| entry.name.as_str()).collect::<Vec<_>>(), ["vs_main", "fs_main"]);
}

#[test]
fn the_format_of_a_foreign_file_is_named() {
    let error =
        two(("v.metal", b"#include <metal_stdlib>\nusing namespace metal;".to_vec()), ("f.agal", FRAGMENT.into()))
            .expect_err("it is MSL");
    let said = "v.metal: is MSL (Metal Shading Language), which agalc writes but does not read";
    assert!(error.to_string().ends_with(said), "{error}");
}

#[test]
fn comments_that_are_not_in_utf8_are_read_and_reported_once() {
    let text = [b"// caf\xe9\n", VERTEX.as_bytes()].concat();
    let scene = drawn(("v.agal", text), ("f.agal", FRAGMENT.into()));
    assert_eq!(scene.warnings.len(), 1);
    assert!(Path::new(&scene.warnings[0].name).ends_with("v.agal"));
    let pair = "// \u{e9}\npart v vertex 1\nmov op, va0\nendpart\npart f fragment 1\nmov oc, fc0\nendpart\n";
    let pair: Vec<u8> = pair.chars().map(|c| c as u8).collect();
    let inputs = [Input { name: "p".to_string(), bytes: pair }];
    assert_eq!(agalc::load_all(&inputs, &Options::default()).expect("a pair").warnings.len(), 1);
}
