//! Compares the module of each source in `testdata/sources/lifted` with its golden file. `UPDATE_EXPECT=1` updates the golden
//! files.

use naga_front::{Options, read};
use sdlbc::front::{Assumption, Stage};
use testing::{expect, files, testdata};

#[test]
fn sources_are_lifted_as_expected() {
    let folder = testdata("sources/lifted");
    let mut wrong = Vec::new();
    for path in files(&folder, ".wgsl") {
        let text = std::fs::read_to_string(&path).expect("a text");
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let lifted = read(&text, &Options::default()).unwrap_or_else(|refusals| panic!("{name}: {}", refusals[0]));
        let stem = name.split('.').next().unwrap_or_default();
        wrong.extend(expect(&format!("testdata/sources/lifted/{stem}.sdlasm"), &sdlbc::print(&lifted.module)).err());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn an_external_texture_is_assumed_to_be_a_2d_texture() {
    let path = testdata("sources/lifted/external_texture.wgsl");
    let text = std::fs::read_to_string(path).expect("a text");
    let lifted = read(&text, &Options::default()).expect("it is lifted");
    assert_eq!(lifted.assumptions.into_iter().collect::<Vec<_>>(), [Assumption::ExternalTexture]);
}

#[test]
fn entry_points_are_chosen_by_name_and_stage() {
    let text = "
        @vertex fn a() -> @builtin(position) vec4<f32> { return vec4(0.0); }
        @fragment fn b() -> @location(0) vec4<f32> { return vec4(0.0); }
        @fragment fn c() -> @location(0) vec4<f32> { return vec4(1.0); }";
    let names = |entries: &[&str], stage| {
        let entries = entries.iter().map(ToString::to_string).collect();
        let lifted = read(text, &Options::default().entries(entries).stage(stage));
        let functions = lifted.map(|lifted| lifted.module.functions.into_iter().map(|function| function.name));
        functions.map(|names| names.collect::<Vec<_>>().join(" ")).map_err(|refusals| refusals[0].to_string())
    };
    assert_eq!(names(&["a", "c"], None), Ok("a c".to_string()));
    assert_eq!(names(&[], Some(Stage::Vertex)), Ok("a".to_string()));
    assert_eq!(names(&["b"], None), Ok("b".to_string()));
    assert_eq!(names(&[], None), Err("there are 2 entry points of one stage; choose one of `b`, `c`".to_string()));
    assert_eq!(names(&["d"], None), Err("there is no vertex, fragment or compute entry point `d`".to_string()));
}

#[test]
fn a_text_that_no_file_can_contain_is_left_out_of_the_debug_table() {
    let text = "// \0\n@fragment fn f() -> @location(0) vec4<f32> { return vec4(1.0); }";
    let options = Options::default().file("f.wgsl".to_string());
    let lifted = read(text, &options).expect("it is lifted");
    assert_eq!(lifted.module.debug.sources[0].text, "");
    assert_eq!(lifted.left_out.len(), 1);
    assert_eq!(
        lifted.left_out[0].to_string(),
        "the text of source 0 has a nul at byte 3, which would end the string in a file"
    );
}

#[test]
fn two_hundred_skips_in_a_row_are_lifted() {
    let many = |line: &str| (0..200).map(|at| line.replace('#', &at.to_string())).collect::<String>();
    for text in [
        format!(
            "@fragment fn f(@location(0) v: f32) -> @location(0) vec4<f32> {{
                var sum = 0.0;
                for (var i = 0; i < 9; i++) {{ {} }}
                return vec4(sum);
            }}",
            many("let a# = v * #.5; if (a# + sum > 3.0) { continue; } sum += a# * 0.1;")
        ),
        format!(
            "fn g(v: f32, at: ptr<function, f32>) -> f32 {{ {} return 9.0; }}
            @fragment fn f(@location(0) v: f32) -> @location(0) vec4<f32> {{ var at = v; return vec4(g(v, &at), at, 0.0, 1.0); }}",
            many("if (*at > #.0) { *at += #.5; return v * #.0; }")
        ),
    ] {
        let lifted = read(&text, &Options::default());
        assert!(lifted.is_ok(), "{}", lifted.unwrap_err()[0]);
    }
}

#[test]
fn overrides_become_constants() {
    let text = "override scale: f32 = 2.0; @id(7) override steps: u32; override both = scale * f32(steps);
        override spare: i32;
        @fragment fn f(@location(0) v: f32) -> @location(0) vec4<f32> { return vec4(v * scale, f32(steps), both, 1.0); }";
    let lift = |overrides: &[(&str, f64)]| {
        let overrides = overrides.iter().map(|(name, value)| ((*name).to_string(), *value)).collect();
        read(text, &Options::default().overrides(overrides))
    };
    let refused = |overrides: &[(&str, f64)]| {
        let refusals = lift(overrides).expect_err("it is refused");
        (refusals[0].to_string(), refusals[0].position(text))
    };
    let missing = "the override `steps` has no default, and is given no value";
    assert_eq!(refused(&[]), (missing.to_string(), Some((1, 35))));
    let wrong = "the override `steps` is of type u32, which has no value -1";
    assert_eq!(refused(&[("7", -1.0)]), (wrong.to_string(), Some((1, 35))));
    let lifted = lift(&[("steps", 3.0), ("scale", 0.5), ("gone", 1.0)]).expect("it is lifted");
    assert_eq!(lifted.overrides, ["steps", "scale"]);
    let by_number = lift(&[("7", 9.0), ("7", 3.0), ("scale", 0.5)]).expect("it is lifted");
    assert_eq!(by_number.module, lifted.module);
    let printed = sdlbc::print(&lifted.module);
    assert!(printed.contains("1.5") && printed.contains("0.5"), "{printed}");
}

#[test]
fn lines_of_the_source_are_in_the_debug_table() {
    let text = "@fragment\nfn f(@location(0) v: f32) -> @location(0) vec4<f32> {\n    let a = sin(v);\n\n    return vec4(a);\n}\n";
    let options = Options::default().file("f.wgsl".to_string());
    let module = read(text, &options).expect("it is lifted").module;
    let lines = module.debug.functions[0].lines.as_ref().expect("lines");
    assert_eq!(lines.numbers, [3, 5, 5]);
    assert_eq!((module.debug.sources[0].file.as_str(), module.debug.sources[0].text.as_str()), ("f.wgsl", text));
}
