//! Tests names from options, from the names file in the inputs' folder, and from AGAL text (docs/names.md).

use testing::expect;

use crate::support::sandbox::Sandbox;
use crate::support::testdata;

const VERTEX: &str = "m44 op, va0, vc0\nmul v0, va1, vc4.x\n";
const FRAGMENT: &str = "tex ft0, v0, fs0 <2d>\nmov oc, ft0\n";
const NAMES: &str = "\"vc0..3\" = \"clip: mat4\"\nva1 = \"uv: float2\"\nfs0 = \"albedo\"\n";

fn pair() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("lit.vert.agal", VERTEX);
    sandbox.write("lit.frag.agal", FRAGMENT);
    sandbox
}

const BOTH: [&str; 2] = ["lit.vert.agal", "lit.frag.agal"];

fn is_register(word: &str) -> bool {
    let base = word.split('_').next().unwrap_or_default();
    let letters = base.trim_end_matches(|c: char| c.is_ascii_digit());
    let has_number = letters.len() < base.len();
    match letters {
        "va" | "vt" | "v" | "ft" | "fs" | "vs" => has_number,
        "vc" | "fc" | "op" | "oc" | "od" | "iid" => true,
        _ => false,
    }
}

#[test]
fn no_register_is_left_in_a_pair_that_has_names_for_all() {
    let sandbox = Sandbox::new();
    for file in ["phong.vert.agal", "phong.frag.agal", "phong.names.toml"] {
        sandbox.write(file, std::fs::read(testdata("names").join(file)).expect("the file"));
    }
    let words = |text: &str| {
        let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').map(str::to_string);
        words.filter(|word| is_register(word)).collect::<Vec<String>>()
    };
    for to in ["wgsl", "sdlasm"] {
        let ran = sandbox.run(&["compile", "phong.vert.agal", "phong.frag.agal", "--to", to]).success();
        assert_eq!((words(ran.text()), &*ran.err), (Vec::new(), ""), "{}", ran.text());
        let unnamed = ["compile", "phong.vert.agal", "phong.frag.agal", "--to", to, "--names", "empty.toml"];
        sandbox.write("empty.toml", "");
        assert!(!words(sandbox.run(&unnamed).success().text()).is_empty(), "{to}");
    }
    let text = sandbox.run(&["print", "phong.vert.agal", "phong.frag.agal"]).success().into_text();
    for name in ["position: float3", "transform: float4[8]", " highlight = ", "surface: texture2d"] {
        assert!(text.contains(name), "{name}\n{text}");
    }
}

/// docs/names.md links to the folder testdata/names, which contains the expected output.
#[test]
fn the_named_pair_has_structures_in_the_layout_wgpu_and_no_register_is_left() {
    let sandbox = Sandbox::new();
    for file in ["phong.vert.agal", "phong.frag.agal", "phong.names.toml"] {
        sandbox.write(file, std::fs::read(testdata("names").join(file)).expect("the file"));
    }
    let arguments = ["compile", "phong.vert.agal", "phong.frag.agal", "--layout", "wgpu", "--to", "wgsl"];
    let ran = sandbox.run(&arguments).success();
    expect("testdata/names/phong.wgsl", ran.text()).unwrap_or_else(|difference| panic!("{difference}"));
    let words = ran.text().split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let left: Vec<&str> = words.filter(|word| is_register(word)).collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn the_file_beside_the_inputs_is_read_and_options_override_it() {
    let sandbox = pair();
    let compile = |more: &[&str]| sandbox.run(&[&["compile"], &BOTH[..], &["--to", "wgsl"], more].concat()).success();
    let before = compile(&[]);
    sandbox.write("lit.names.toml", NAMES);
    let with_file = compile(&[]);
    for name in ["albedo", "uv: vec2<f32>"] {
        assert!(with_file.text().contains(name) && !before.text().contains(name), "{}", with_file.text());
    }
    let other = compile(&["--name", "fs0=picture"]);
    assert!(other.text().contains("picture") && !other.text().contains("albedo"), "{}", other.text());
    sandbox.write("other.toml", "fs0 = \"elsewhere\"\n");
    let other = compile(&["--names", "other.toml"]);
    assert!(other.text().contains("elsewhere") && !other.text().contains("uv"), "{}", other.text());
    // `--name` warns about a register of an absent stage, whereas a names file may name such a register.
    let alone = sandbox.run(&["compile", "lit.frag.agal", "--to", "wgsl", "--name", "va0=a"]).success();
    assert!(alone.err.starts_with("warning: `va0` belongs to a vertex program, but none is given"), "{}", alone.err);
    assert_eq!(alone.err.matches("warning").count(), 1);
    // The names file is read only if both inputs of a pair have the same base name.
    sandbox.write("other.frag.agal", FRAGMENT);
    let mixed = sandbox.run(&["compile", "lit.vert.agal", "other.frag.agal", "--to", "wgsl"]).success();
    assert!(mixed.err.contains("`lit.names.toml` is not read") && !mixed.text().contains("uv"), "{}", mixed.err);
    // The names file is an input, so no output may overwrite it.
    let ran = sandbox.run(&["compile", BOTH[0], BOTH[1], "--to", "wgsl", "-o", "lit.names.toml"]).failure(2);
    assert!(ran.err.contains("is read and would be overwritten"), "{}", ran.err);
    assert_eq!(sandbox.text("lit.names.toml"), NAMES);
}

#[test]
fn mistakes_in_names_are_shown_where_they_are() {
    let sandbox = pair();
    let ran = sandbox.run(&["compile", BOTH[0], "--to", "wgsl", "--name", "vc0..3:mat4"]).failure(2);
    assert!(ran.err.contains("column 7: expected `=` and a name after the registers"), "{}", ran.err);
    let ran = sandbox.run(&["compile", BOTH[0], "--to", "wgsl", "--name", "vc0..2=m:mat3"]).failure(1);
    assert_eq!(ran.err, "error: `vc0..2` cannot be a mat3x3, because the program also reads vc0.w\n\n");
    sandbox.write("lit.names.toml", "va0 = 3\n\"vc0..3\" = \"clip: mat5\"\n");
    let ran = sandbox.run(&["verify", BOTH[0]]).failure(1);
    for part in ["lit.names.toml:1:7", "expected a string", "lit.names.toml:2:19", "expected a type", "has 2 errors"] {
        assert!(ran.err.contains(part), "{part}: {}", ran.err);
    }
    sandbox.write("lit.names.toml", "va0 = \"a\"\n\"vc0..2\" = \"clip: mat3\"\n");
    let ran = sandbox.run(&["verify", BOTH[0]]).failure(1);
    for part in ["lit.names.toml:2:12", "the program also reads vc0.w", "\"clip: mat3\"", "nothing was written"] {
        assert!(ran.err.contains(part), "{part}: {}", ran.err);
    }
    sandbox.write("lit.names.toml", b"va0 = \"\xff\"");
    let ran = sandbox.run(&["verify", BOTH[0]]).failure(1);
    assert!(ran.err.contains("is not text in UTF-8"), "{}", ran.err);
    sandbox.write("lit.names.toml", "va7 = \"a\"\n");
    let ran = sandbox.run(&["verify", BOTH[0]]).success();
    assert!(ran.err.starts_with("warning: `va7` is not used by the program"), "{}", ran.err);
    assert_eq!(ran.err.matches("lit.names.toml:1:7").count(), 1, "its place is shown once: {}", ran.err);
    assert_eq!(sandbox.run(&["verify", BOTH[0], "-W", "allow"]).success().err, "");
}

#[test]
fn warnings_about_names_and_files_are_errors_if_warnings_are() {
    let sandbox = pair();
    for more in [&["--name", "va7=a"][..], &["--name", "va7=a", "--name", "va6=b"], &["--inline-constants"]] {
        for (command, more) in [("compile", [more, &["--to", "wgsl"]].concat()), ("inspect", more.to_vec())] {
            let run = |level: &str| sandbox.run(&[&[command, BOTH[0], "-W", level], &more[..]].concat());
            let ran = run("error").failure(1);
            assert!(ran.out.is_empty() && ran.err.starts_with("error: `"), "{more:?}: {}", ran.err);
            assert!(ran.err.contains("(`-W error`); nothing was written"), "{more:?}: {}", ran.err);
            assert!(run("warn").success().err.starts_with("warning: `"));
            assert_eq!(run("allow").success().err, "");
        }
    }
    sandbox.run(&["compile", BOTH[0], "-o", "v.sdlbc"]).success();
    sandbox.run(&["run", "v.sdlbc", "--set", "va0=1", "--name", "va7=a"]).success();
    let ran = sandbox.run(&["run", "v.sdlbc", "--name", "va7=a", "-W", "error"]).failure(1);
    assert!(ran.err.starts_with("error: `va7` is not used"), "{}", ran.err);
    // Programs in different folders share no names file.
    std::fs::create_dir(sandbox.path("b")).expect("a folder");
    sandbox.write("b/lit.frag.agal", FRAGMENT);
    sandbox.write("lit.names.toml", NAMES);
    let run = |level: &str| sandbox.run(&["verify", BOTH[0], "b/lit.frag.agal", "-W", level]);
    let message = "`lit.names.toml` is not read, because the inputs differ in folder or base name";
    assert!(run("warn").success().err.starts_with(&format!("warning: {message}")));
    assert!(run("error").failure(1).err.starts_with(&format!("error: {message}")));
    assert_eq!(run("allow").success().err, "");
}

#[test]
fn comments_and_aliases_are_names_unless_they_are_ignored() {
    let sandbox = Sandbox::new();
    sandbox.write("a.vert.agal", format!("// va1 = uv: vec2\n{VERTEX}"));
    let named = sandbox.run(&["compile", "a.vert.agal", "--to", "wgsl"]).success().into_text();
    assert!(named.contains("uv: vec2<f32>"), "{named}");
    let plain = sandbox.run(&["compile", "a.vert.agal", "--to", "wgsl", "--no-source-names"]).success();
    sandbox.write("b.vert.agal", VERTEX);
    assert_eq!(plain.out, sandbox.run(&["compile", "b.vert.agal", "--to", "wgsl"]).success().out);
}

#[test]
fn agal_text_keeps_names_as_comments() {
    let sandbox = pair();
    sandbox.run(&["assemble", BOTH[0], "-o", "lit.agalbc"]).success();
    sandbox.write("n.toml", NAMES);
    let names = ["--names", "n.toml", "--name", "vc4.x=scale"];
    let text = sandbox.run(&[&["disassemble", "lit.agalbc"][..], &names].concat()).success().into_text();
    let comments = "// agal 1 vertex\n// vc4.x = scale\n// vc0..3 = clip: mat4x4\n// va1 = uv: Float32x2\n";
    assert!(text.starts_with(comments) && text.contains("m44"), "{text}");
    sandbox.write("text.agal", &text);
    let compiled = |input: &str, more: &[&str]| {
        sandbox.run(&[&["compile", input, "--to", "wgsl", "--debug", "none"], more].concat()).success().into_text()
    };
    let compile = |input: &str, more: &[&str]| {
        sandbox.run(&[&["compile", input, "--to", "wgsl"], more].concat()).success().into_text()
    };
    assert_eq!(compile("text.agal", &[]), compile("lit.agalbc", &names));
    assert_ne!(compile("text.agal", &[]), compile("lit.agalbc", &[]));
    // With `--debug none`, only names from options are used.
    assert_eq!(compiled("text.agal", &[]), compiled("lit.agalbc", &[]));
    assert!(compiled("text.agal", &names).contains("uv: vec2<f32>"));
    let expanded = "alias va0, position\nop = position\nv0 = position\n";
    sandbox.write("macro.agal", expanded);
    let text = sandbox.run(&["assemble", "macro.agal", "--expand"]).success().into_text();
    assert_eq!(text, "// va0 = position\nmov op, va0\nmov v0, va0\n");
}

#[test]
fn constants_with_values_may_be_inlined() {
    let sandbox = Sandbox::new();
    sandbox.write("a.agal", "alias vc4, CONST(0.5, 2)\nop = va0 * 0.5\nv0 = va0 * 2\n");
    let uploaded = sandbox.run(&["compile", "a.agal", "--to", "wgsl"]).success();
    assert_eq!(uploaded.err, "note: upload vc4 = 0.5, 2, 0, 0\n");
    let inlined = sandbox.run(&["compile", "a.agal", "--to", "wgsl", "--inline-constants"]).success();
    assert_eq!(inlined.err, "");
    assert!(inlined.text().contains("0.5") && !inlined.text().contains("var<uniform>"), "{}", inlined.text());
    sandbox.write("b.agal", VERTEX);
    let ran = sandbox.run(&["verify", "b.agal", "--inline-constants"]).success();
    assert!(ran.err.starts_with("warning: `b.agal` gives no constant a value"), "{}", ran.err);
    // `run` prints the same result whether or not constants are inlined.
    let run =
        |more: &[&str]| sandbox.run(&[&["run", "a.agal", "--set", "va0=1,2,3,4"], more].concat()).success().into_text();
    assert_eq!(run(&["--inline-constants"]), run(&[]));
}

#[test]
fn the_inputs_of_a_module_are_set_by_the_names_that_they_get() {
    let sandbox = pair();
    sandbox.run(&["compile", BOTH[0], "-o", "v.sdlbc"]).success();
    let run = |more: &[&str]| sandbox.run(&[&["run", "v.sdlbc"], more].concat());
    let names = ["--name", "va1=uv:vec2", "--name", "vc4.x=scale"];
    let ran = run(&[&names[..], &["--set", "uv=3,4", "--set", "vc[4]=2"]].concat()).success();
    assert!(ran.text().contains("6, 8, 0, 2"), "{}", ran.text());
    let ran = run(&["--name", "vc0=a:vec3", "--name", "va0=b:mat4"]).failure(1);
    assert_eq!(ran.err.matches("error: ").count(), 2, "{}", ran.err);
}

#[test]
fn a_module_with_names_is_drawn_with_the_same_constants() {
    let sandbox = Sandbox::new();
    sandbox.write("a.vert.agal", "mul op, va0, vc0\nmov v0, va1\n");
    sandbox.write("a.frag.agal", "mov oc, fc0\n");
    let pair = ["a.vert.agal", "a.frag.agal"];
    let names = ["--name", "vc=place", "--name", "fc=look", "--name", "fc0=colour"];
    sandbox.run(&[&["compile", "-o", "named.sdlbc"], &pair[..], &names].concat()).success();
    let draw = |inputs: &[&str]| {
        let constants = ["--constants", "c.toml", "--size", "8", "-o", "-"];
        sandbox.run(&[&["render"], inputs, &constants].concat()).success().out
    };
    sandbox.write("c.toml", "[constants]\nvc0 = [1, 1, 1, 1]\nfc0 = [1, 0.5, 0, 1]\n");
    let plain = draw(&pair);
    assert_eq!(draw(&["named.sdlbc"]), plain);
    sandbox.write("c.toml", "[constants]\nvc0 = [1, 1, 1, 1]\nfc0 = [0, 0.5, 0, 1]\n");
    assert_ne!(draw(&["named.sdlbc"]), plain);
}
