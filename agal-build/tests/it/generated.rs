//! Tests the code that is generated for every pair of testdata. The code is formatted and documented, causes no warnings, and
//! compiles for `no_std`.

use std::path::Path;
use std::process::Command;

use agal_build::agalc::Options;
use agal_build::{Config, Generated, Layout, Target};
use agal_front::Rules;
use testing::{Effort, repository};

fn pairs(configure: impl Fn(&mut Config)) -> Generated {
    let mut config = Config::new();
    // One pair of testdata uses `ted`, which an option must allow.
    let options = Options::with_rules(Rules::default().allow_ted(true));
    config.folder(repository().join("testdata/pairs")).options(options);
    configure(&mut config);
    generated(&config)
}

fn generated(config: &Config) -> Generated {
    config.generate().unwrap_or_else(|error| {
        let texts: Vec<String> = error.problems.into_iter().map(|problem| problem.text).collect();
        panic!("{}", texts.join("\n"));
    })
}

fn write(folder: &Path, generated: &Generated) {
    for (name, contents) in &generated.files {
        std::fs::write(folder.join(name), contents).expect("a file");
    }
}

fn run(command: &mut Command) {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{command:?}\n{stdout}\n{stderr}");
}

/// Compiles a Rust file as a library.
fn compile(path: &Path) {
    let rustc = std::env::var_os("RUSTC").unwrap_or("rustc".into());
    run(Command::new(rustc)
        .args(["--edition", "2024", "--crate-type", "lib", "--emit", "metadata"])
        .arg(path)
        .current_dir(path.parent().expect("a folder")));
}

#[test]
fn the_code_of_every_pair_is_as_rustfmt_formats_it() {
    let mut generated = pairs(|_| ());
    generated.files.extend(named_pairs().files);
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), &generated);
    let mut files: Vec<&String> = generated.files.keys().filter(|name| name.ends_with(".rs")).collect();
    files.sort();
    assert!(files.len() > 40, "{} pairs", files.len());
    run(Command::new("rustfmt").args(["--edition", "2024", "--check"]).args(files).current_dir(folder.path()));
    // Only a module that rustfmt would change gets `#[rustfmt::skip]`.
    let code = |name: &str| std::str::from_utf8(&generated.files[name]).expect("text");
    assert!(code("long.rs").contains("\n#[rustfmt::skip]\npub mod long {\n"), "{}", code("long.rs"));
    for name in ["phong.rs", "short.rs", "alpha_test.rs"] {
        assert!(!code(name).contains("rustfmt::skip"), "{}", code(name));
    }
    let short = "pub const DEFAULT: Fc = Fc { c: [0.0; 4] };\n";
    assert!(code("short.rs").contains(short), "{}", code("short.rs"));
}

/// Generates pairs with names: the pairs of testdata, a pair with a short name, and a pair with a name longer than rustfmt's
/// lines.
fn named_pairs() -> Generated {
    let names = repository().join("testdata/names");
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("a file");
    file("a.vert.agal", "m44 op, va0, vc0\nmov v0, va1\n");
    file("a.frag.agal", "tex ft0, v0, fs0 <2d>\nmul oc, ft0, fc0\n");
    let [vertex, fragment] = ["a.vert.agal", "a.frag.agal"].map(|name| folder.path().join(name));
    let mut config = Config::new();
    config.pair("phong", names.join("phong.vert.agal"), names.join("phong.frag.agal"));
    config.pair("short", &vertex, &fragment).name("short", "fc0", "c");
    config.pair("long", &vertex, &fragment);
    let long = "a_name_that_says_everything_there_is_to_say_about_the_surface_of_a_thing";
    config.name("long", "vc0..3", &format!("{long}: mat4")).name("long", "fc0", long).name("long", "fs0", long);
    config.name("long", "va0", long);
    generated(&config)
}

#[test]
fn without_wgpu_and_bytemuck_the_code_of_every_pair_is_documented_and_needs_no_std() {
    let targets = [Target::Wgsl, Target::Spirv, Target::Glsl450, Target::Glsl330, Target::GlslEs300];
    let generated = pairs(|config| _ = config.wgpu(false).bytemuck(false).targets(targets));
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), &generated);
    let mut source = "//! Every pair.\n#![no_std]\n#![deny(missing_docs, warnings)]\n".to_string();
    let names: Vec<&String> = generated.files.keys().filter(|name| name.ends_with(".rs")).collect();
    for name in Effort::part_of("PAIRS", &names) {
        source += &format!("include!({name:?});\n");
    }
    let path = folder.path().join("every.rs");
    std::fs::write(&path, source).expect("a file");
    compile(&path);
}

/// A structure with the name of a prelude type would shadow that type in the module.
#[test]
fn constants_with_the_name_of_a_type_of_the_prelude_compile() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("a file");
    file("lit.vert.agal", "m44 op, va0, vc0\nmov v0, vc4\n");
    file("lit.frag.agal", "mul oc, v0, fc0\n");
    let mut source = "#![no_std]\n#![deny(warnings)]\n".to_string();
    for (index, [vertex, fragment]) in
        [["Default", "Option"], ["Option", "Some"], ["Vec", "Clone"], ["u32", "Self"]].iter().enumerate()
    {
        let generate = |wgpu: bool| {
            let mut config = Config::new();
            config.folder(folder.path()).name("lit", "vc", vertex).name("lit", "fc", fragment);
            generated(config.wgpu(wgpu).bytemuck(false))
        };
        // In a module with code for wgpu, no structure may have the name of a prelude type.
        let code = String::from_utf8(generate(true).files["lit.rs"].clone()).expect("text");
        for name in ["Default", "Option", "Some", "Vec", "Clone"] {
            assert!(!code.contains(&format!("pub struct {name} {{")), "{code}");
        }
        let of = folder.path().join(format!("of{index}"));
        std::fs::create_dir(&of).expect("a folder");
        write(&of, &generate(false));
        source += &format!("pub mod of{index} {{ include!(\"of{index}/lit.rs\"); }}\n");
    }
    let path = folder.path().join("every.rs");
    std::fs::write(&path, source).expect("a file");
    compile(&path);
}

#[test]
fn every_file_that_was_read_is_listed_and_the_folder() {
    let generated = pairs(|_| ());
    let folder = repository().join("testdata/pairs");
    for name in ["", "alpha_test.vert.agal", "alpha_test.frag.agal"] {
        let path = if name.is_empty() { folder.clone() } else { folder.join(name) };
        assert!(generated.read.contains(&path), "{} is not listed", path.display());
    }
}

/// As in the command-line tool, a names file belongs to the shaders with the same file name, whatever the name of the pair.
#[test]
fn a_file_of_names_belongs_to_the_shaders_that_it_lies_beside() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("a file");
    file("lit.vert.agal", "m44 op, va0, vc0\nmov v0, va1\n");
    file("lit.frag.agal", "mov oc, v0\n");
    file("other.frag.agal", "mov oc, v0\n");
    file("lit.names.toml", "va1 = \"colour\"\n");
    file("glow.names.toml", "va1 = \"nothing\"\n");
    let path = |name: &str| folder.path().join(name);
    let of = |fragment: &str| generated(Config::new().pair("glow", path("lit.vert.agal"), path(fragment)));
    let code = |generated: &Generated| String::from_utf8(generated.files["glow.rs"].clone()).expect("text");
    let together = of("lit.frag.agal");
    assert!(code(&together).contains("pub colour: [f32; 4],") && together.warnings.is_empty(), "{}", code(&together));
    assert!(together.read.contains(&path("lit.names.toml")) && !together.read.contains(&path("glow.names.toml")));
    let apart = of("other.frag.agal");
    assert!(code(&apart).contains("pub va1: [f32; 4],"), "{}", code(&apart));
    let [warning] = apart.warnings.as_slice() else { panic!("{:#?}", apart.warnings) };
    assert!(
        warning.contains("lit.names.toml` is not read, because the shaders of `glow` differ in folder or base name")
    );
    // Cargo watches the folder, so it notices a names file that is added later.
    std::fs::remove_file(path("lit.names.toml")).expect("removed");
    assert!(of("lit.frag.agal").read.contains(&folder.path().to_path_buf()));
}

/// The immediates of both stages share one range of bytes.
#[test]
fn constants_that_are_passed_as_immediates_state_where_they_begin() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("a file");
    file("lit.vert.agal", "m44 op, va0, vc0\nmov v0, vc4\n");
    file("lit.frag.agal", "mul oc, v0, fc0\n");
    let code = |layout: Layout| {
        let generated = generated(Config::new().folder(folder.path()).layout(layout));
        String::from_utf8(generated.files["lit.rs"].clone()).expect("text")
    };
    let mut layout = Layout::named("wgpu").expect("a layout");
    assert!(!code(layout.clone()).contains("OFFSET"));
    layout.constants = agal_build::agalc::Constants::Push;
    let code = code(layout);
    for (ty, offset) in [("Vc", 0), ("Fc", 80)] {
        let start = code.find(&format!("impl {ty} {{")).expect("the structure");
        assert!(code[start..].lines().take(4).any(|line| line.trim() == format!("pub const OFFSET: u32 = {offset};")));
    }
    assert!(code.contains("immediate_size: 96,"), "{code}");
}

/// The test covers named registers as members, the width of an attribute, initial values from the source, and the warning about a
/// name for an unread register.
#[test]
fn names_become_members_and_a_name_that_is_not_used_is_a_warning() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("a file");
    file("lit.vert.agal", "m44 op, va0, vc0\nmul v0, va1, vc4.x\n");
    file("lit.frag.agal", "alias v0, colour\nalias fc1, CONST(0.5, 2)\noc = colour * 0.5\n");
    file("lit.names.toml", "\"vc0..3\" = \"clip: mat4x4\"\nvc9 = \"fog\"\n");
    let mut config = Config::new();
    config.folder(folder.path()).name("lit", "vc4.x", "opacity").attribute("lit", "va1", "colour: bytes4");
    let generated = generated(&config);
    let code = String::from_utf8(generated.files["lit.rs"].clone()).expect("text");
    for expected in [
        "pub clip: [[f32; 4]; 4],",
        "pub opacity: f32,",
        "pub colour: [u8; 4],",
        "format: wgpu::VertexFormat::Unorm8x4,",
        "array_stride: 20,",
        "const_: 0.5,",
    ] {
        assert!(code.contains(expected), "no {expected} in\n{code}");
    }
    let [warning] = generated.warnings.as_slice() else { panic!("{:#?}", generated.warnings) };
    assert!(warning.contains("vc9") && warning.contains("lit.names.toml:2:7"), "{warning}");
    assert!(generated.read.contains(&folder.path().join("lit.names.toml")));
}

#[test]
fn a_layout_with_a_file_for_each_stage_has_a_constant_for_each() {
    let pair = ["vert", "frag"].map(|stage| repository().join(format!("testdata/pairs/alpha_test.{stage}.agal")));
    let mut config = Config::new();
    config.pair("alpha_test", &pair[0], &pair[1]).layout(Layout::named("ruffle").expect("a layout"));
    let generated = generated(&config);
    let code = String::from_utf8(generated.files["alpha_test.rs"].clone()).expect("text");
    for expected in [
        "pub const WGSL_VERTEX: &str = include_str!(\"alpha_test.vert.wgsl\");",
        "pub fn fragment_shader_module(",
        "pub const VS_MAIN: &str = \"main\";",
    ] {
        assert!(code.contains(expected), "no {expected} in\n{code}");
    }
}

#[test]
fn a_sampler_has_the_state_that_reflection_reports() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("a file");
    file("sky.vert.agal", "mov op, va0\nmov v0, va0\n");
    file(
        "sky.frag.agal",
        "tex ft0, v0, fs0 <2d,anisotropic16x,mipnearest,repeat>\ntex ft1, v0, fs1 <cube,linear,nomip,repeat>\n\
         tex ft2, v0, fs2 <2d,nearest,miplinear,repeat_u_clamp_v>\nadd ft0, ft0, ft1\nadd oc, ft0, ft2\n",
    );
    let generated = generated(Config::new().folder(folder.path()));
    let code = String::from_utf8(generated.files["sky.rs"].clone()).expect("text");
    let states = [
        // Anisotropy requires linear filters.
        ("FS0_SAMPLER", ["Repeat", "Repeat", "Repeat"], ["Linear", "Linear", "Linear"], "32.0", 16),
        // Cube maps do not wrap.
        ("FS1_SAMPLER", ["ClampToEdge"; 3], ["Linear", "Linear", "Nearest"], "0.0", 1),
        ("FS2_SAMPLER", ["Repeat", "ClampToEdge", "Repeat"], ["Nearest", "Nearest", "Linear"], "32.0", 1),
    ];
    for (constant, [u, v, w], [mag, min, mip], last, anisotropy) in states {
        let label = constant.to_lowercase();
        let expected = format!(
            "pub const {constant}: wgpu::SamplerDescriptor<'static> = wgpu::SamplerDescriptor {{
        label: Some(\"{label}\"),
        address_mode_u: wgpu::AddressMode::{u},
        address_mode_v: wgpu::AddressMode::{v},
        address_mode_w: wgpu::AddressMode::{w},
        mag_filter: wgpu::FilterMode::{mag},
        min_filter: wgpu::FilterMode::{min},
        mipmap_filter: wgpu::MipmapFilterMode::{mip},
        lod_min_clamp: 0.0,
        lod_max_clamp: {last},
        compare: None,
        anisotropy_clamp: {anisotropy},
"
        );
        assert!(code.contains(&expected), "no {expected} in\n{code}");
    }
}

/// Modules compiled from languages other than AGAL may contain integers and matrices with two rows.
#[test]
fn constants_and_attributes_of_any_type_have_its_type_and_its_size_in_wgsl() {
    let folder = tempfile::tempdir().expect("a folder");
    let repository = repository();
    let ints = folder.path().join("ints.sdlasm");
    std::fs::write(&ints, INTEGERS).expect("a file");
    let mut config = Config::new();
    config.file("ints", &ints).file("loops", repository.join("testdata/ir/three_loops.sdlasm"));
    config.file("tilted", repository.join("testdata/ir/operations/transpose.sdlasm"));
    let generated = generated(&config);
    let without_wgpu = self::generated(config.clone().wgpu(false).bytemuck(false));
    write(folder.path(), &without_wgpu);
    let source = "#![no_std]\n#![deny(warnings)]\ninclude!(\"ints.rs\");\n\
                  const _: () = assert!(size_of::<ints::Counts>() == 48 && size_of::<ints::Dim>() == 16);\n";
    std::fs::write(folder.path().join("every.rs"), source).expect("a file");
    compile(&folder.path().join("every.rs"));
    for (name, expected) in [
        ("ints", "pub bone: [i32; 4],\n"),
        ("ints", "format: wgpu::VertexFormat::Sint32x4,\n"),
        ("ints", "pub joint: u32,\n"),
        ("ints", "format: wgpu::VertexFormat::Uint32,\n"),
        ("ints", "pub registers: [[i32; 4]; 3],\n"),
        ("ints", "registers: [[0; 4]; 3],\n"),
        ("ints", "pub registers: [u16; 3],\n"),
        ("ints", "pub _padding0: [u8; 10],\n"),
        ("ints", "registers: [0; 3],\n"),
        ("ints", "a vector of 3 halves"),
        ("loops", "pub registers: [i32; 4],\n"),
        ("loops", "registers: [0; 4]"),
        ("loops", "a vector of 4 ints"),
        ("tilted", "pub registers: [[f32; 2]; 4],\n"),
        ("tilted", "fragment shader: 32 bytes."),
        ("tilted", "min_binding_size: core::num::NonZeroU64::new(32),"),
    ] {
        let code = std::str::from_utf8(&generated.files[&format!("{name}.rs")]).expect("text");
        assert!(code.contains(expected), "{name}: no {expected} in\n{code}");
    }
}

const INTEGERS: &str = r#"vertex function "vs_main" {
  input %1 place: float4 = attribute 0
  input %2 bone: int4 = attribute 1
  input %3 joint: uint = attribute 2
  input %4 counts: int4[3] = uniform
  output 0 op: float4 = position
  output 1 v0: float4 = varying 0
  poke %1, 0
  %5 = convert %2, float
  %6 = convert %3, float
  %8 = peek %4, 2
  %9 = convert %8, float
  %10 = add %5, %9
  %11 = multiply %10, %6
  poke %11, 1
}
fragment function "fs_main" {
  input %1 v0: float4 = varying 0
  input %2 dim: half3 = uniform
  output 0 oc: float4 = colour 0
  %3 = convert %2, float
  %4 = swizzle %3, xyzz
  %5 = multiply %1, %4
  poke %5, 0
}
"#;
