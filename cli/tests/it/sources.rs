//! Tests inputs in WGSL, GLSL, HLSL and SPIR-V: translation to every target and to AGAL, every command, pairs, and errors.

use testing::{DXC, testdata};

use crate::support::sandbox::Sandbox;
use crate::support::{SPIRV_VAL, naga_accepts};

const PAIR: &str = "
struct Scene { view: mat4x4<f32>, tint: vec4<f32> }
@group(0) @binding(0) var<uniform> scene: Scene;
@group(0) @binding(1) var skin: texture_2d<f32>;
@group(0) @binding(2) var skin_sampler: sampler;
struct Varyings { @builtin(position) position: vec4<f32>, @location(0) uv: vec2<f32> }
@vertex fn vertex(@location(0) position: vec3<f32>, @location(1) uv: vec2<f32>) -> Varyings {
    return Varyings(scene.view * vec4(position, 1.0), uv);
}
@fragment fn fragment(in: Varyings) -> @location(0) vec4<f32> {
    return textureSample(skin, skin_sampler, in.uv) * scene.tint;
}
";

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("pair.wgsl", PAIR);
    for name in ["grass.vert", "grass.frag"] {
        sandbox.write(name, std::fs::read(testdata(&format!("sources/glsl/{name}"))).expect("the shader"));
    }
    sandbox
}

#[test]
fn wgsl_is_compiled_to_every_target_and_comes_back_from_spirv() {
    let sandbox = sandbox();
    for (target, file) in
        [("spirv", "a.spv"), ("wgsl", "a.wgsl"), ("hlsl", "a.hlsl"), ("msl", "a.metal"), ("sdlbc", "a.sdlbc")]
    {
        sandbox.run(&["compile", "pair.wgsl", "--to", target, "-o", file]).success();
    }
    naga_accepts(&sandbox.text("a.wgsl")).expect("valid");
    if SPIRV_VAL.is_there() {
        SPIRV_VAL.run(&[sandbox.path("a.spv").as_ref()]).expect("valid");
    }
    sandbox.run(&["compile", "a.spv", "--to", "wgsl", "-o", "b.wgsl"]).success();
    let text = sandbox.text("b.wgsl");
    assert!(text.contains("fn vertex(") && text.contains("tint"), "{text}");
}

#[test]
fn a_pair_of_glsl_files_is_linked_and_its_entry_points_get_names_of_their_own() {
    let sandbox = sandbox();
    sandbox.run(&["compile", "grass.vert", "grass.frag", "--to", "wgsl", "-o", "grass.wgsl"]).success();
    let text = sandbox.text("grass.wgsl");
    naga_accepts(&text).expect("valid");
    assert!(text.contains("fn vs_main(") && text.contains("fn fs_main("), "{text}");
}

#[test]
fn every_command_for_shaders_takes_wgsl() {
    let sandbox = sandbox();
    for arguments in [
        &["dump", "pair.wgsl"][..],
        &["inspect", "pair.wgsl"],
        &["compile", "pair.wgsl", "--to", "sdlasm", "-o", "-"],
        &["run", "pair.wgsl", "--stage", "vertex", "--set", "position=1,2,3"],
        &["dump", "--graph", "pair.wgsl"],
    ] {
        let ran = sandbox.run(arguments).success();
        assert!(!ran.text().is_empty(), "{arguments:?}");
    }
}

#[test]
fn an_entry_point_is_chosen_by_its_name() {
    let sandbox = sandbox();
    let two = format!("{PAIR}\n@fragment fn plain() -> @location(0) vec4<f32> {{ return scene.tint; }}");
    sandbox.write("two.wgsl", two);
    let refused = sandbox.run(&["compile", "two.wgsl", "--to", "wgsl", "-o", "o.wgsl"]).failure(1);
    assert!(refused.err.contains("choose one of `fragment`, `plain`"), "{}", refused.err);
    assert!(refused.err.contains("help: pass `--entry-point NAME`"), "{}", refused.err);
    assert!(!sandbox.files().contains(&"o.wgsl".to_string()));
    let chosen = ["compile", "two.wgsl", "--to", "wgsl", "-o", "o.wgsl", "--entry-point", "plain"];
    sandbox.run(&chosen).success();
    assert!(!sandbox.text("o.wgsl").contains("fn fragment("));
}

#[test]
fn overrides_have_their_defaults_or_the_values_that_are_given() {
    let sandbox = sandbox();
    sandbox.write(
        "gain.wgsl",
        "override gain: f32 = 0.5; @id(3) override lit: bool; override steps: i32 = 2; override far = gain * 4.0;
         override unused: f32;
         @fragment fn f(@location(0) v: f32) -> @location(0) vec4<f32> {
             var sum = far;
             for (var i = 0; i < steps; i++) { sum += gain; }
             return select(vec4(0.0), vec4(v * gain, sum, f32(steps), 1.0), lit);
         }
         @fragment fn other() -> @location(0) vec4<f32> { return vec4(unused); }",
    );
    let run = |options: &[&str]| {
        sandbox.run(&[&["run", "gain.wgsl", "--entry-point", "f", "--set", "v=8"][..], options].concat())
    };
    let refused = run(&[]).failure(1).err;
    assert!(refused.contains("the override `lit` has no default, and is given no value"), "{refused}");
    assert!(refused.contains("gain.wgsl:1:"), "{refused}");
    let shown = |options: &[&str]| run(options).success().text().to_string();
    assert!(shown(&["--override", "lit=true"]).contains("4, 3, 2, 1"), "{}", shown(&["--override", "lit=true"]));
    // `--override` accepts the number of an override in place of its name, and the last of several values applies.
    let given = ["--override", "3=0", "--override", "3=1", "--override", "gain=0.25", "--override", "steps=4"];
    assert!(shown(&given).contains("2, 2, 4, 1"), "{}", shown(&given));
    for (given, said) in [
        ("steps=1.5", "the override `steps` is of type i32, which has no value 1.5"),
        ("gain=1e300", "the override `gain` is of type f32, which has no value 1"),
    ] {
        let refused = run(&["--override", "lit=1", "--override", given]).failure(1).err;
        assert!(refused.contains(said), "{refused}");
    }
    for (given, said) in [("gain", "such as scale=1.5"), ("gain=many", "`many` is not a number"), ("=2", "missing")] {
        let refused = run(&["--override", given]).failure(2).err;
        assert!(refused.contains(said), "{refused}");
    }
    let compiled = ["compile", "gain.wgsl", "--entry-point", "f", "--override", "3=1", "--override", "gone=2", "--to"];
    let compiled = sandbox.run(&[&compiled[..], &["wgsl", "-o", "o.wgsl"]].concat()).success();
    assert!(compiled.err.contains("there is no override `gone` in `gain.wgsl`"), "{}", compiled.err);
}

#[test]
fn what_the_format_lacks_is_shown_with_its_line_and_nothing_is_written() {
    let sandbox = sandbox();
    let fine = PAIR.replace("* scene.tint", "* dpdxFine(in.uv.x)");
    sandbox.write("fine.wgsl", fine);
    let refused = sandbox.run(&["compile", "fine.wgsl", "--to", "spirv", "-o", "o.spv"]).failure(1);
    let text = refused.err;
    assert!(text.contains("error: SDLSHADERBC has no operation for fine or coarse derivatives"), "{text}");
    assert!(text.contains("fine.wgsl:11:55"), "{text}");
    assert!(!sandbox.files().contains(&"o.spv".to_string()));
}

#[test]
fn a_filter_becomes_agal_that_the_player_accepts_without_a_warning() {
    let sandbox = sandbox();
    let path = testdata("sources/filters/sepia.wgsl");
    sandbox.write("sepia.wgsl", std::fs::read(path).expect("the filter"));
    sandbox.run(&["compile", "sepia.wgsl", "--to", "agal", "-o", "sepia.agal"]).success();
    sandbox.run(&["validate", "sepia.agal", "--compat", "player", "--allow", "9025", "-W", "error"]).success();
}

#[test]
fn the_name_of_a_file_decides_where_its_content_leaves_a_choice() {
    let sandbox = Sandbox::new();
    let fragment = "layout(location = 0) out vec4 c;\nstruct tex { vec4 a; };\ntex t;\nvoid main() {\n  t.a = vec4(1.0);\n  c = t.a;\n}\n";
    let declarations = "struct A {\n  p: vec3<f32>,\n}\nalias Size = u32;\n";
    for (name, text, what) in [
        ("a.wgsl", "// nothing yet\n", "WGSL"),
        ("a.agal", "// nothing yet\n", "AGAL text"),
        ("a.txt", "// nothing yet\n", "AGAL text"),
        ("b.wgsl", declarations, "WGSL"),
        ("b.txt", declarations, "WGSL"),
        ("c.wgsl", "const count: u32 = 4u;\n", "WGSL"),
        ("d.glsl", fragment, "GLSL"),
        // If the content fits only one language, the file name does not affect the detection.
        ("e.txt", &format!("#version 450\n{fragment}"), "GLSL"),
        ("f.frag", "mov oc, v0, v1\n", "AGAL text"),
        ("g.sdlasm", "source 0x0 \"a\" lines\ngeneric function \"f\" {\n}\n", "module text"),
    ] {
        sandbox.write(name, text);
        let ran = sandbox.run(&["compile", name, "--stage", "fragment", "--to", "wgsl", "--verbose"]);
        assert!(ran.err.contains(&format!("note: read `{name}` ({what}, ")), "{}", ran.err);
    }
    // A file with a GLSL extension may contain AGAL.
    sandbox.write("h.frag", "> mov oc, v0\n");
    sandbox.run(&["compile", "h.frag", "--to", "wgsl"]).success();
    sandbox.write("i.glsl", "mvo oc, v0\n");
    let said = "`mvo` is not an AGAL mnemonic";
    let ran = sandbox.run(&["compile", "i.glsl", "--to", "wgsl"]).failure(1);
    assert!(!ran.err.contains(said), "{}", ran.err);
    let ran = sandbox.run(&["compile", "i.glsl", "--language", "mini", "--to", "wgsl"]).failure(1);
    assert!(ran.err.contains(said), "{}", ran.err);
    let ran = sandbox.run(&["compile", "a.wgsl", "--to", "msl"]).failure(1);
    assert!(ran.err.contains("there is no vertex, fragment or compute entry point"), "{}", ran.err);
}

#[test]
fn glsl_of_open_gl_and_hlsl_are_read_and_linked_by_name() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "a.vert",
        "attribute vec4 place;\nattribute vec2 at;\nuniform mat4 camera;\nvarying vec4 tint;\nvarying vec2 uv;\n\
         void main() { tint = place; uv = at; gl_Position = camera * place; }\n",
    );
    // The varyings are declared in a different order, and one is left out.
    sandbox.write(
        "a.frag",
        "#version 100\nprecision mediump float;\nvarying vec2 uv;\nuniform sampler2D texture;\n\
         void main() { gl_FragColor = texture2D(texture, uv); }\n",
    );
    let shown = sandbox.run(&["print", "a.vert", "a.frag"]).success();
    let shown = shown.text();
    assert!(shown.contains("output 1 uv: float2 = varying 1") && shown.contains("uv: float2 = varying 1"), "{shown}");
    sandbox.run(&["compile", "a.vert", "a.frag", "-o", "a.wgsl"]).success();
    sandbox.write("b.frag", "#version 330\nin vec2 uv;\nout vec4 o;\nvoid main() { o = vec4(uv, gl_FragCoord.xy); }\n");
    let refused = sandbox.run(&["compile", "b.frag", "-o", "b.wgsl"]).failure(1).err;
    assert!(refused.contains("FragCoord whose y begins at the lower edge, as in OpenGL"), "{refused}");
    sandbox.run(&["compile", "b.frag", "--source-convention", "sdl-gpu", "-o", "b.wgsl"]).success();
    sandbox.run(&["compile", "a.frag", "--glsl-version", "120", "-o", "c.wgsl"]).success();
    sandbox.write("d.hlsl", "float4 main(float2 uv : TEXCOORD0) : SV_Target { return float4(uv, 0, 1); }\n");
    let text = sandbox.run(&["compile", "d.hlsl", "--to", "wgsl"]).success();
    assert!(text.text().contains("@location(0)"), "{}", text.text());
}

#[test]
fn a_storage_texture_without_a_format_is_given_one_by_an_option() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "a.comp",
        "#version 450\nlayout(local_size_x = 8) in;\nlayout(binding = 0) writeonly uniform image2D shown;\n\
         void main() { imageStore(shown, ivec2(gl_GlobalInvocationID.xy), vec4(1.0)); }\n",
    );
    let run = |options: &[&str]| sandbox.run(&[&["print", "a.comp"], options].concat());
    let shown = run(&["--texel-format", "shown=r32float"]).success();
    assert!(shown.text().contains("r32float"), "{}", shown.text());
    for (options, said) in [
        (
            &[][..],
            "the storage texture `shown` has no format, and is given none; give it one of float texels, such as rgba8unorm",
        ),
        (&["--texel-format", "shown=r32uint"], "has float texels, but is given the format r32uint"),
    ] {
        let refused = run(options).failure(1).err;
        assert!(refused.contains(said) && refused.contains("a.comp:4"), "{refused}");
    }
    for (given, said) in [("shown", "such as out=rgba8unorm"), ("shown=rgba8", "`rgba8` is not a texel format")] {
        let refused = run(&["--texel-format", given]).failure(2).err;
        assert!(refused.contains(said), "{refused}");
    }
}

#[test]
fn a_vertex_shader_without_a_position_is_read_with_a_warning() {
    let sandbox = Sandbox::new();
    sandbox.write("a.vert", "#version 450\nlayout(location = 0) out float a;\nvoid main() { a = 1.0; }\n");
    let ran = sandbox.run(&["compile", "a.vert", "-o", "a.wgsl"]).success();
    assert!(ran.err.contains("the vertex shader writes no position"), "{}", ran.err);
    assert!(sandbox.text("a.wgsl").contains("@builtin(position)"));
}

#[test]
fn a_refused_builtin_has_the_line_on_which_it_is_used() {
    let sandbox = Sandbox::new();
    sandbox
        .write("a.frag", "#version 450\nlayout(location = 0) out vec4 o;\nvoid main() {\no = vec4(gl_SampleID);\n}\n");
    let refused = sandbox.run(&["compile", "a.frag", "-o", "a.wgsl"]).failure(1).err;
    assert!(refused.contains("a.frag:4"), "{refused}");
}

#[test]
fn glsl_for_opengl_may_replace_built_in_functions_and_use_what_the_core_profile_removed() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "a.frag",
        "#version 330 core\nuniform sampler2D image;\nin vec2 uv;\nout vec4 o;\nfloat round(float x) { return floor(x); }\n\
         void main() { o = texture2D(image, uv) * round(1.5); }\n",
    );
    let text = sandbox.run(&["compile", "a.frag", "--to", "wgsl"]).success();
    naga_accepts(text.text()).expect("valid");
    sandbox.write("b.vert", "#version 120\nvoid main() { gl_Position = gl_TextureMatrix[1] * gl_Vertex; }\n");
    let shown = sandbox.run(&["print", "b.vert"]).success();
    assert!(shown.text().contains("legacy_TextureMatrix"), "{}", shown.text());
}

#[test]
fn the_first_vertex_of_a_draw_is_read_as_0_with_a_warning() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "a.vert",
        "#version 460\nvoid main() { gl_Position = vec4(float(gl_VertexIndex - gl_BaseVertex), 0.0, 0.0, 1.0); }\n",
    );
    let ran = sandbox.run(&["compile", "a.vert", "-o", "a.wgsl"]).success();
    assert!(ran.err.contains("`a.vert`: each draw is assumed to begin at vertex 0"), "{}", ran.err);
}

#[test]
fn elements_of_an_array_keep_their_numbers_in_sources_that_number_elements() {
    let sandbox = Sandbox::new();
    let source = |version: &str, lone: u32| {
        format!(
            "#version {version}\nlayout(location = 0) in vec2 uv;\nlayout(location = 0) out vec4 o;\n\
             layout(binding = 2) uniform sampler2D maps[3];\nlayout(binding = {lone}) uniform sampler2D lone;\n\
             layout(binding = 20) uniform Light {{ vec4 tint; }} lights[2];\n\
             void main() {{ o = texture(maps[0], uv) + texture(maps[2], uv) * lights[1].tint + texture(lone, uv); }}\n"
        )
    };
    let compile = |file: &str| sandbox.run(&["compile", file, "--layout", "source", "-o", "a.wgsl", "-o", "a.hlsl"]);
    // In OpenGL, an array takes consecutive numbers.
    sandbox.write("a.frag", source("430", 7));
    compile("a.frag").success();
    let wgsl = sandbox.text("a.wgsl").split_whitespace().collect::<Vec<_>>().join(" ");
    for place in ["(21) var<uniform> lights_1", "(2) var maps_0", "(4) var maps_2", "(7) var lone"] {
        assert!(wgsl.contains(place), "{place}\n{wgsl}");
    }
    sandbox.write("b.frag", source("430", 4));
    let refused = compile("b.frag").failure(1);
    assert!(refused.err.contains("the source states no binding for `maps_"), "{}", refused.err);
    assert!(refused.err.contains("such as `vulkan` or `wgpu`"), "{}", refused.err);
    // In Vulkan, an array has a single number.
    sandbox.write("c.frag", source("450", 7));
    let refused = compile("c.frag").failure(1);
    assert!(refused.err.contains("an array of resources has one binding"), "{}", refused.err);
    sandbox.run(&["compile", "c.frag", "--layout", "vulkan", "-o", "c.spv"]).success();
}

#[test]
fn hlsl_keeps_the_registers_of_the_elements_of_an_array() {
    if !DXC.is_there() {
        return;
    }
    let sandbox = Sandbox::new();
    sandbox.write(
        "a.frag.hlsl",
        "Texture2D maps[3] : register(t2);\nTexture2D lone : register(t5);\nSamplerState smooth : register(s9);\n\
         float4 main(float2 uv : UV) : SV_Target {\n\
         return maps[0].Sample(smooth, uv) + maps[2].Sample(smooth, uv) + lone.Sample(smooth, uv); }\n",
    );
    sandbox.run(&["compile", "a.frag.hlsl", "--layout", "source", "-o", "a.hlsl"]).success();
    let hlsl = sandbox.text("a.hlsl");
    for register in ["maps_0 : register(t2)", "maps_2 : register(t4)", "lone : register(t5)", ": register(s9)"] {
        assert!(hlsl.contains(register), "{register}\n{hlsl}");
    }
}

#[test]
fn invariant_and_precise_are_taken_with_one_warning_for_each_entry_point() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "a.vert",
        "#version 450\nlayout(location = 0) in vec4 a;\nlayout(location = 0) out vec4 b;\ninvariant gl_Position;\n\
         void main() {\n  precise vec4 sum = a * a + a;\n  sum = sum * a + sum;\n  b = sum;\n  gl_Position = a * b.x + a;\n}\n",
    );
    let ran = sandbox.run(&["compile", "a.vert", "-o", "a.wgsl"]).success();
    let position = "`a.vert`: line 9: `gl_Position` of `main` is no longer invariant";
    let precise = "`a.vert`: line 6: operations of `main` are no longer precise";
    assert!(ran.err.contains(position) && ran.err.contains(precise), "{}", ran.err);
    assert_eq!(ran.err.matches("no longer").count(), 2, "{}", ran.err);
    sandbox.write(
        "b.wgsl",
        "struct Out {\n  @builtin(position) @invariant place: vec4f,\n}\n\
         @vertex fn draw(@location(0) a: vec4f) -> Out { return Out(a); }\n\
         @fragment fn paint(@builtin(position) @invariant at: vec4f) -> @location(0) vec4f { return at; }\n",
    );
    let ran = sandbox.run(&["compile", "b.wgsl", "-o", "b.spv"]).success();
    assert!(ran.err.contains("`b.wgsl`: line 2: `place` of `draw` is no longer invariant"), "{}", ran.err);
    assert_eq!(ran.err.matches("no longer").count(), 1, "{}", ran.err);
    // Neither qualifier changes what is computed.
    let plain = sandbox.text("a.vert");
    sandbox.write("c.vert", plain.replace("invariant gl_Position;", "").replace("precise ", ""));
    let ran = sandbox.run(&["compile", "c.vert", "-o", "c.wgsl"]).success();
    assert!(!ran.err.contains("no longer"), "{}", ran.err);
    assert_eq!(sandbox.text("a.wgsl"), sandbox.text("c.wgsl"));
}

#[cfg(not(feature = "glsl"))]
#[test]
fn glsl_without_a_compiler_is_refused_with_what_to_install() {
    let sandbox = Sandbox::new();
    sandbox.write("a.frag", "#version 450\nlayout(location = 0) out vec4 o;\nvoid main() { o = vec4(1.0); }\n");
    let ran = sandbox.command(&["compile", "a.frag", "-o", "a.wgsl"]).env("PATH", "").output().expect("it runs");
    let said = String::from_utf8_lossy(&ran.stderr);
    assert!(said.contains("neither `glslangValidator` nor `glslc` is on the PATH"), "{said}");
    assert!(said.contains("glslang-tools") && said.contains("build agalc with the feature `glsl`"), "{said}");
}
