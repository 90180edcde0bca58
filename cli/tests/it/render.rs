//! Tests the outputs, messages and exit codes of `render` and `compare`. A small picture of every scene must equal the picture in
//! testdata/scene/rendered. `UPDATE_EXPECT=1` updates the expected pictures; inspect the pictures before committing them.

use crate::support::sandbox::{Sandbox, pair};
use crate::support::{testdata, updates};
use agalc_scene::{Limits, Picture, compare};
use serde_json::Value;
use testing::Effort;

fn picture(sandbox: &Sandbox, name: &str) -> Picture {
    Picture::from_png(&sandbox.read(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Returns a sandbox with a vertex program that passes clip-space positions through.
fn plain() -> Sandbox {
    let sandbox = pair();
    sandbox.write("v.agal", "mov op, va0\nmov v0, va1\n");
    sandbox.write("f.agal", "mov oc, fc0\n");
    sandbox.write("uv.agal", "mov oc, v0\n");
    sandbox
}

#[cfg(feature = "es2")]
#[test]
fn every_scene_matches_its_golden_picture() {
    let sandbox = Sandbox::new();
    let folder = testdata("scenes");
    let mut names: Vec<String> = std::fs::read_dir(&folder)
        .expect("the scenes")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert!(names.len() >= 24);
    let mut differ = Vec::new();
    for name in Effort::part_of("SCENES", &names) {
        let scene = folder.join(name).join("scene.toml");
        let output = format!("{name}.png");
        sandbox.run(&["render", &scene.display().to_string(), "--size", "48", "-o", &output]).success();
        let found = picture(&sandbox, &output);
        let path = testdata(&format!("scene/rendered/{output}"));
        if updates() {
            std::fs::write(&path, sandbox.read(&output)).expect("the file");
        }
        let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let expected = Picture::from_png(&bytes).expect("a picture");
        // Rendering returns the same pixels on every machine, so no pixel may differ.
        let difference = compare(&expected, &found, Limits { threshold: 0, contrast: 16 }).expect("one size");
        if difference.differing > 0 {
            differ.push(format!("{name}: {} pixels, by {} at most", difference.differing, difference.greatest));
        }
        // A picture of a single colour would show nothing of the scene.
        assert!(found.pixels.iter().any(|pixel| *pixel != found.pixels[0]), "{name} is empty");
    }
    assert!(differ.is_empty(), "UPDATE_EXPECT=1 renews them\n{}", differ.join("\n"));
}

#[test]
fn integer_colours_are_drawn_as_opaque_bytes() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "m.wgsl",
        "struct Targets { @location(0) lit: vec4<f32>, @location(1) object: vec4<u32>, @location(2) cell: vec2<i32> }
         @vertex fn vs_main(@location(0) at: vec2<f32>) -> @builtin(position) vec4<f32> { return vec4(at, 0.0, 1.0); }
         @fragment fn fs_main(@builtin(position) at: vec4<f32>) -> Targets {
             return Targets(vec4(1.0, 0.5, 0.0, 0.0), vec4(vec2<u32>(at.xy), 300u, 7u), vec2<i32>(at.xy) - 1);
         }",
    );
    let arguments = ["render", "m.wgsl", "--mesh", "rectangle", "--size", "2", "-W", "allow", "-o", "o.png"];
    sandbox.run(&arguments).success();
    assert_eq!(picture(&sandbox, "o.png").pixels, [[255, 128, 0, 0]; 4]);
    let [a, b, c, d] = [[0, 0], [1, 0], [0, 1], [1, 1]].map(|[x, y]| [x, y, 255, 255]);
    assert_eq!(picture(&sandbox, "o.1.png").pixels, [a, b, c, d]);
    assert_eq!(picture(&sandbox, "o.2.png").pixels, [[0, 0, 0, 255]; 4]);
}

#[test]
fn a_pair_is_drawn_with_a_mesh_textures_and_constants() {
    let sandbox = plain();
    sandbox.write("c.toml", "[constants]\nfc0 = [1, 0.5, 0, 1]\n");
    let arguments = ["render", "v.agal", "f.agal", "--mesh", "rectangle", "--constants", "c.toml", "--size", "4x3"];
    // A picture of a single colour causes a warning.
    let ran = sandbox.run(&[&arguments[..], &["-o", "x.png", "-W", "allow"]].concat()).success();
    assert_eq!(ran.err, format!("wrote x.png (PNG, 4x3, {} bytes)\n", sandbox.read("x.png").len()));
    assert!(ran.out.is_empty());
    let drawn = picture(&sandbox, "x.png");
    assert_eq!((drawn.width, drawn.height), (4, 3));
    assert!(drawn.pixels.iter().all(|&pixel| pixel == [255, 128, 0, 255]));

    // `render` refuses the file extension of every known format except PNG.
    for name in ["x.jpg", "x.WebP", "x.wgsl"] {
        let ran = sandbox.run(&[&arguments[..], &["-o", name]].concat()).failure(2);
        assert!(ran.err.contains("the picture is written as PNG") && ran.err.contains("use `x.png`"), "{}", ran.err);
        sandbox.run(&["compare", "x.png", "x.png", "-o", name]).failure(2);
        assert!(!sandbox.path(name).exists());
    }
    let piped = sandbox.run(&[&arguments[..], &["-o", "-"]].concat()).success();
    assert_eq!(piped.out, sandbox.read("x.png"));

    sandbox.run(&["render", "v.agal", "uv.agal", "--mesh", "rectangle", "--size", "2", "-o", "uv.png"]).success();
    let quarter = [64, 191];
    let expected =
        [[quarter[0], quarter[0]], [quarter[1], quarter[0]], [quarter[0], quarter[1]], [quarter[1], quarter[1]]];
    let found: Vec<[u8; 2]> = picture(&sandbox, "uv.png").pixels.iter().map(|pixel| [pixel[0], pixel[1]]).collect();
    assert_eq!(found, expected, "u to the right, v down");
}

#[test]
fn a_texture_comes_from_the_command_line_or_is_built_in() {
    let sandbox = plain();
    sandbox.write("t.agal", "tex oc, v0, fs0 <2d,nearest>\n");
    let arguments = ["render", "v.agal", "t.agal", "--mesh", "rectangle", "--size", "2"];
    sandbox.run(&["render", "v.agal", "uv.agal", "--mesh", "rectangle", "--size", "2", "-o", "uv.png"]).success();
    let ran = sandbox.run(&[&arguments[..], &["--texture", "fs0=uv.png", "-o", "x.png"]].concat()).success();
    assert!(!ran.err.contains("note:"), "{}", ran.err);
    assert_eq!(picture(&sandbox, "x.png"), picture(&sandbox, "uv.png"));

    let black = "fs0={ kind = \"checker\", cells = 2, size = 2 }";
    sandbox.run(&[&arguments[..], &["--texture", black, "-o", "x.png"]].concat()).success();
    let reds: Vec<u8> = picture(&sandbox, "x.png").pixels.iter().map(|pixel| pixel[0]).collect();
    assert_eq!(reds, [0, 255, 255, 0]);

    let ran = sandbox.run(&[&arguments[..], &["-o", "x.png"]].concat()).success();
    assert!(ran.err.starts_with("note: no texture is given for fs0; a built-in one is used\n"), "{}", ran.err);
    sandbox.write("two.agal", "tex ft0, v0, fs0 <2d>\ntex ft1, v0, fs3 <2d>\nadd oc, ft0, ft1\n");
    let ran = sandbox.run(&["render", "v.agal", "two.agal", "--size", "2", "-o", "x.png"]).success();
    assert!(ran.err.starts_with("note: no textures are given for fs0, fs3; built-in ones are used\n"), "{}", ran.err);
}

#[test]
fn without_options_a_torus_is_seen_from_above_or_a_rectangle_that_needs_no_matrix() {
    let sandbox = pair();
    sandbox.write("n.agal", "mov oc, v0\n");
    let camera = "the clip-space matrix of a camera above the mesh in";
    let dots = "dp4 vt0.x, va0, vc4\ndp4 vt0.y, va0, vc5\ndp4 vt0.z, va0, vc6\ndp4 vt0.w, va0, vc7\nmov op, vt0\nmov v0, va2\n";
    let two = "m44 vt0, va0, vc0\nm44 op, vt0, vc4\nmul v0, va2, vc8\n";
    let skinned = "m34 vt0.xyz, va0, vc[va5.x+4]\nmov vt0.w, va0.w\nm44 op, vt0, vc0\nmul vt1, va2, va7\nmov v0, vt1\n";
    let rows: [(&str, &[&str]); 5] = [
        ("m44 op, va0, vc0\nmov v0, va2\n", &[&format!("{camera} `vc0`-`vc3`; set them")]),
        (dots, &[&format!("{camera} `vc4`-`vc7`; set them")]),
        (two, &[&format!("{camera} `vc4`-`vc7`, an identity matrix in `vc0`-`vc3`, 1 in `vc8`; set")]),
        (skinned, &["an identity matrix in `vc4`-`vc126`", "the mesh has no data for va7, which is 1 at each vertex"]),
        ("m34 op.xyz, va0, vc0\nmov op.w, va0.w\nmov v0, va2\n", &[&format!("{camera} `vc0`-`vc2`; set them")]),
    ];
    for (vertex, told) in rows {
        sandbox.write("a.vert.agal", vertex);
        let ran = sandbox.run(&["render", "a.vert.agal", "n.agal", "--size", "64", "-o", "x.png"]).success();
        assert_eq!(ran.err.matches("note: ").count(), 1, "{}", ran.err);
        told.iter().for_each(|told| assert!(ran.err.contains(told), "{vertex}{}", ran.err));
        let drawn = picture(&sandbox, "x.png");
        let at = |x: usize, y: usize| drawn.pixels[y * 64 + x];
        assert_eq!((at(1, 1), at(32, 28)), ([0, 0, 0, 255], [0, 0, 0, 255]), "the hole of the torus: {vertex}");
        assert!(at(32, 46)[1] > 100 && at(32, 46)[3] == 255, "its front: {vertex}{:?}", at(32, 46));
    }
    // The default mesh of a pair without a matrix covers all of clip space.
    sandbox.write("a.vert.agal", "mov op, va0\nmov v0, va1\n");
    let ran = sandbox.run(&["render", "a.vert.agal", "n.agal", "--size", "4", "-o", "x.png"]).success();
    assert!(!ran.err.contains("note"), "{}", ran.err);
    assert_eq!(picture(&sandbox, "x.png").pixels[0][..2], [32, 32]);
}

#[test]
fn vertex_data_is_told_and_given_by_its_word() {
    let sandbox = pair();
    sandbox.write("lit.agal", "m44 op, va0, vc0\nmov v0, va1\nadd v1, va2, va3\n");
    sandbox.write("n.agal", "add ft0, v0, v1\nmov oc, ft0\n");
    let line = ["render", "lit.agal", "n.agal", "--size", "8", "-o", "x.png"];
    let ran = sandbox.run(&line).success();
    let told = "assumed for missing vertex data: `va1` is uv, `va2` is normal, `va3` is tangent; set the data with `--attribute va1=...`";
    assert!(ran.err.contains(told), "{}", ran.err);
    let usual = picture(&sandbox, "x.png");
    let ran = sandbox.run(&[&line[..], &["--attribute", "va1=normal"]].concat()).success();
    assert!(ran.err.contains("missing vertex data: `va2` is normal, `va3` is tangent;"), "{}", ran.err);
    assert_ne!(picture(&sandbox, "x.png"), usual);
    let ran = sandbox.run(&[&line[..], &["--attribute", "va9=colour"]].concat()).success();
    assert!(
        ran.err
            .contains("warning: the vertex data of `va9` has no effect\n = help: the vertex program does not read it"),
        "{}",
        ran.err
    );
    for (wrong, told) in [
        ("va1", "write vertex data as va1=normal"),
        ("va1=light", "light"),
        ("vc1=uv", "an attribute register such as va0"),
    ] {
        let ran = sandbox.run(&[&line[..], &["--attribute", wrong]].concat());
        assert!(ran.code != 0 && ran.err.contains(told), "{wrong}: {}", ran.err);
    }
}

#[test]
fn a_picture_of_one_colour_is_warned_of() {
    let sandbox = plain();
    sandbox.write("away.agal", "mov op, va0.wwww\nmov v0, va1\n");
    sandbox.write("torus.agal", "m44 op, va0, vc0\nmov v0, va1\n");
    sandbox.write("clear.agal", "sub ft0, v0, v0\nmov oc, ft0\n");
    for (vertex, fragment, expected) in [
        ("v.agal", "f.agal", "`x.png` has one colour, #ffffffff: all pixels are equal"),
        ("away.agal", "f.agal", "`x.png` has one colour, #000000ff: the background colour, so the mesh is not visible"),
        ("torus.agal", "clear.agal", "`x.png` has one colour, #000000ff: only the alpha varies"),
    ] {
        let line = ["render", vertex, fragment, "--size", "4", "-o", "x.png"];
        let ran = sandbox.run(&line).success();
        assert!(ran.err.contains(&format!("warning: {expected}\n = help: try other constants")), "{}", ran.err);
        assert!(!sandbox.run(&[&line[..], &["-W", "allow"]].concat()).success().err.contains("one colour"));
        std::fs::remove_file(sandbox.path("x.png")).expect("the picture");
        sandbox.run(&[&line[..], &["-W", "error"]].concat()).failure(1);
        assert!(!sandbox.path("x.png").exists());
    }
}

/// Returns the file of constants that a note suggests: the table heading and the example line.
fn suggested(err: &str) -> String {
    let help = err.lines().find(|line| line.contains("--constants FILE")).unwrap_or_else(|| panic!("{err}"));
    // The advice after `; vertex data` is not about constants.
    let help = help.split("; assumed for missing vertex data").next().unwrap_or_default();
    let quoted: Vec<&str> = help.split('`').skip(1).step_by(2).collect();
    let [.., table, line] = quoted[..] else { panic!("{help}") };
    format!("{table}\n{line}\n")
}

fn suggested_key(file: &str) -> String {
    let line = file.lines().nth(1).expect("a line");
    line.split(" = ").next().expect("a key").trim_matches('"').to_string()
}

#[test]
fn the_constants_that_a_note_suggests_can_be_set_so() {
    let sandbox = plain();
    sandbox.write("lit.agal", "mul ft0, fc0.xyzx, fc0.w\nadd oc, ft0, fc1\n");
    sandbox.write(
        "lit.names.toml",
        "fc = \"material\"\n\"fc0.xyz\" = \"to_light\"\n\"fc0.w\" = \"shininess\"\nfc1 = \"light\"\n",
    );
    let module = "fragment function \"fs_main\" {\n  input %1 \"my tint\": float2 = uniform\n  \
                  output 0 oc: float4 = colour 0\n\n  %2 = swizzle %1, xyyx\n  poke %2, 0\n}\n";
    sandbox.write("tint.sdlasm", module);
    sandbox.write("torus.agal", "m44 op, va0, vc0\nmov v0, va1\n");
    let named = ["render", "v.agal", "lit.agal", "--names", "lit.names.toml", "--size", "2"];
    for (arguments, ones) in [
        (&["render", "v.agal", "lit.agal", "--no-source-names", "--size", "2"][..], "1 in `fc0`-`fc1`; set"),
        (&named, "1 in `fc0` (`to_light`, `shininess`), `fc1` (`light`); set"),
        (&["render", "v.agal", "tint.sdlasm", "--size", "2"], "1 in `my tint`; set"),
        (
            &["render", "torus.agal", "uv.agal", "--size", "2"],
            "the clip-space matrix of a camera above the mesh in `vc0`-`vc3`; set",
        ),
    ] {
        let with = |more: &[&str]| sandbox.run(&[arguments, more, &["-o", "x.png"]].concat()).success().err;
        let err = with(&[]);
        assert!(err.contains(&format!("values assumed for missing constants: {ones}")), "{err}");
        sandbox.write("c.toml", suggested(&err));
        let err = with(&["--constants", "c.toml"]);
        let key = suggested_key(&sandbox.text("c.toml"));
        assert!(!err.contains(&format!("`{key}`")), "{err}");
    }
}

#[test]
fn a_file_of_constants_with_a_key_of_scenes_is_referred_to_them() {
    let sandbox = plain();
    for (text, key, place) in
        [("[attributes]\nva1 = \"colour\"\n", "attributes", "c.toml:1:2"), ("mesh = \"cube\"\n", "mesh", "c.toml:1:1")]
    {
        sandbox.write("c.toml", text);
        let ran = sandbox.run(&["render", "v.agal", "f.agal", "--constants", "c.toml", "-o", "x.png"]).failure(1);
        let says =
            format!("a file of constants has no `{key}`, but a scene does; `agalc render SCENE.toml` draws a scene");
        assert!(ran.err.contains(&says) && ran.err.contains(place), "{}", ran.err);
    }
    sandbox.write("c.toml", "atributes = 1\n");
    let ran = sandbox.run(&["render", "v.agal", "f.agal", "--constants", "c.toml", "-o", "x.png"]).failure(1);
    assert!(ran.err.contains("unknown key `atributes` in a file of constants"), "{}", ran.err);
}

#[test]
fn textures_and_constants_that_have_no_effect_are_warned_of() {
    let sandbox = plain();
    sandbox.write("t.agal", "tex ft0, v0, fs0 <2d,nearest>\nadd oc, ft0, fc1\n");
    sandbox.write("torus.agal", "m34 vt0.xyz, va0, vc0\nmov vt0.w, va0.w\nmov op, vt0\nmov v0, va1\n");
    // The programs read three rows of the clip matrix, and no program reads `fc2`.
    sandbox.write("c.toml", "[constants]\nvc0 = \"clip\"\nfc1 = [0, 0, 0, 0]\nfc2 = [1, 0, 0, 1]\n");
    let line = ["render", "torus.agal", "t.agal", "--size", "4", "-o", "x.png", "--texture", "fs0=checker"];
    let more = ["--texture", "fs9=noise", "--texture", "t1=noise", "--constants", "c.toml"];
    let err = sandbox.run(&[&line[..], &more].concat()).success().err;
    let textures = "warning: the texture of `fs9`, `t1` has no effect\n = help: the programs sample `fs0`\n";
    let constants =
        "warning: the constants of `fc2` have no effect\n = help: the programs do not read these registers\n";
    assert!(err.contains(textures) && err.contains(constants), "{err}");
    assert!(!sandbox.run(&[&line[..], &more, &["-W", "allow"]].concat()).success().err.contains("no effect"));
    sandbox.run(&[&line[..], &more, &["-W", "error"]].concat()).failure(1);
    assert!(!sandbox.run(&line).success().err.contains("no effect"));
}

#[test]
fn each_render_target_is_written_to_its_own_file() {
    let sandbox = plain();
    sandbox.write("two.agal", "// agal 2 fragment\nmov fo0, fc0\nmov fo1, fc1\n");
    sandbox.write("c.toml", "[constants]\nfc0 = [[1, 0, 0, 1], [0, 1, 0, 1]]\n");
    let arguments = ["render", "v.agal", "two.agal", "--mesh", "triangle", "--constants", "c.toml", "--size", "2"];
    sandbox.run(&[&arguments[..], &["-o", "x.y.png"]].concat()).success();
    assert_eq!(picture(&sandbox, "x.y.png").pixels, [[255, 0, 0, 255]; 4]);
    assert_eq!(picture(&sandbox, "x.y.1.png").pixels, [[0, 255, 0, 255]; 4]);
    let ran = sandbox.run(&[&arguments[..], &["-o", "-"]].concat()).failure(2);
    assert!(ran.err.contains("several render targets"), "{}", ran.err);
}

#[test]
fn errors_in_a_scene_are_shown_with_their_line() {
    let sandbox = plain();
    sandbox.write("s.toml", "vertex = \"v.agal\"\nfragment = \"f.agal\"\nmesh = \"tours\"\n");
    let ran = sandbox.run(&["render", "s.toml", "-o", "x.png"]).failure(1);
    assert!(ran.err.contains("error: unknown shape `tours`; did you mean `torus`?"), "{}", ran.err);
    assert!(ran.err.contains("s.toml:3:8"), "{}", ran.err);
    assert!(ran.err.contains("`s.toml` has 1 error; nothing was written"), "{}", ran.err);

    sandbox.write("f.agal", "mov oc, ft0\n");
    sandbox.write("s.toml", "vertex = \"v.agal\"\nfragment = \"f.agal\"\n");
    let ran = sandbox.run(&["render", "s.toml", "-o", "x.png"]).failure(1);
    assert!(ran.err.contains("f.agal:1:9") && ran.err.contains("AGAL3647"), "{}", ran.err);

    sandbox.write("m.obj", "v 0 0 0\nf 1 2 3\n");
    let ran = sandbox.run(&["render", "v.agal", "uv.agal", "--mesh", "m.obj", "-o", "x.png"]).failure(1);
    assert!(ran.err.contains("index 2 is out of range; positions so far: 1"), "{}", ran.err);
    assert!(ran.err.contains("m.obj:2:1"), "{}", ran.err);
    assert!(!sandbox.path("x.png").exists());
}

#[test]
fn contradictory_command_lines_are_rejected() {
    let sandbox = plain();
    sandbox.write("s.toml", "vertex = \"v.agal\"\nfragment = \"f.agal\"\n");
    for (arguments, said) in [
        (&["s.toml", "--mesh", "cube", "-o", "x.png"][..], "--mesh is for a pair"),
        (&["s.toml", "--ifg", "strict", "-o", "x.png"], "under `options`"),
        (&["v.agal", "uv.agal", "--size", "0x4", "-o", "x.png"], "a size is one or two numbers, such as 640x480"),
        (&["v.agal", "uv.agal", "--texture", "fs0", "-o", "x.png"], "write a texture as fs0=file.png"),
        (&["s.toml", "-o", "s.toml"], "would be overwritten"),
    ] {
        let ran = sandbox.run(&[&["render"], arguments].concat()).failure(2);
        assert!(ran.err.contains(said), "{}", ran.err);
    }
    let ran = sandbox.run(&["render", "v.agal", "-o", "x.png"]).failure(1);
    assert!(ran.err.contains("there is one program; a picture needs a pair"), "{}", ran.err);
}

#[test]
fn a_scene_with_24_bit_floats_differs_a_little_in_some_pixels() {
    let sandbox = Sandbox::new();
    let scene = testdata("scenes/sphere_map/scene.toml").display().to_string();
    for (output, float) in [("a.png", &[][..]), ("b.png", &["--float", "32"]), ("c.png", &["--float", "24"])] {
        sandbox.run(&[&["render", &scene, "--size", "96", "-o", output], float].concat()).success();
    }
    assert_eq!(sandbox.read("a.png"), sandbox.read("b.png"), "32 bits are the default");
    let (wide, narrow) = (picture(&sandbox, "a.png"), picture(&sandbox, "c.png"));
    let difference = compare(&wide, &narrow, Limits { threshold: 0, contrast: 16 }).expect("one size");
    assert!((20..500).contains(&difference.differing), "{} pixels", difference.differing);
    assert!(difference.mean < 0.5, "{}", difference.mean);
    // The difference picture is white where the pictures differ, and black elsewhere.
    sandbox.run(&["compare", "a.png", "c.png", "--threshold", "0", "--allow", "100", "-o", "d.png"]).success();
    assert_eq!(picture(&sandbox, "d.png").pixels, difference.picture.pixels);
    let said = sandbox.run(&["render", &scene, "--float", "16", "-o", "e.png"]).failure(2).err;
    assert!(said.contains("'16'") && said.contains("[possible values: 24, 32]"), "{said}");
}

/// Returns a sandbox with two pictures. The pictures differ in two pixels, one of which differs only slightly.
fn two_pictures() -> Sandbox {
    let sandbox = Sandbox::new();
    let mut picture = Picture { width: 10, height: 10, pixels: vec![[100, 100, 100, 255]; 100] };
    sandbox.write("a.png", picture.to_png().expect("a picture"));
    picture.pixels[23] = [101, 100, 100, 255];
    picture.pixels[45] = [110, 100, 100, 255];
    sandbox.write("b.png", picture.to_png().expect("a picture"));
    sandbox
}

#[test]
fn compare_reports_differences_in_figures_and_by_its_exit_code() {
    let sandbox = two_pictures();
    let ran = sandbox.run(&["compare", "a.png", "a.png"]).success();
    assert!(ran.text().contains("differing    0 (0.0000 %) by more than 2"), "{}", ran.text());
    assert!(ran.text().contains("none: the pictures are the same"), "{}", ran.text());

    let ran = sandbox.run(&["compare", "a.png", "b.png", "-o", "d.png"]).failure(1);
    let expected = "pixels       100 (10x10), 0 of them at edges (0.00 %)\n\
                    differing    1 (1.0000 %) by more than 2, 0 of them at edges\n\
                    greatest     10, first at 5, 4; 10 away from edges\n\
                    mean         0.0275\n\
                    psnr         54.11 dB\n\
                    pixels by    2 above 0, 1 above 1, 1 above 2, 1 above 4, 1 above 8\n";
    assert_eq!(ran.text(), expected);
    assert!(ran.err.contains("error: 1.0000 % of the pixels differ by more than 2; 0 % are allowed"), "{}", ran.err);
    let white = || -> Vec<usize> {
        let pixels = picture(&sandbox, "d.png").pixels;
        assert!(pixels.iter().all(|pixel| [[255; 4], [0, 0, 0, 255]].contains(pixel)), "white or black");
        pixels.iter().enumerate().filter(|(_, pixel)| **pixel == [255; 4]).map(|(at, _)| at).collect()
    };
    assert_eq!(white(), [45]);
    sandbox.run(&["compare", "a.png", "b.png", "--threshold", "0", "-o", "d.png"]).failure(1);
    assert_eq!(white(), [23, 45], "without a threshold, each difference is shown");

    sandbox.run(&["compare", "a.png", "b.png", "--allow", "1"]).success();
    sandbox.run(&["compare", "a.png", "b.png", "--allow", "0.99%"]).failure(1);
    sandbox.run(&["compare", "a.png", "b.png", "--threshold", "10"]).success();
    sandbox.run(&["compare", "a.png", "b.png", "--threshold", "0", "--allow", "1.5"]).failure(1);
}

#[test]
fn compare_writes_json_and_can_pipe_its_picture() {
    let sandbox = two_pictures();
    let ran = sandbox.run(&["compare", "a.png", "b.png", "--contrast", "5", "--json"]).failure(1);
    let figures: Value = serde_json::from_str(ran.text()).expect("JSON");
    assert_eq!((&figures["width"], &figures["threshold"], &figures["is_good"]), (&10.into(), &2.into(), &false.into()));
    assert_eq!(
        (&figures["differing"], &figures["differing_at_edges"], &figures["edges"]),
        (&1.into(), &1.into(), &9.into())
    );
    assert_eq!((&figures["greatest"], &figures["greatest_away_from_edges"]), (&10.into(), &1.into()));
    assert_eq!(figures["greatest_at"], serde_json::json!([5, 4]));
    assert_eq!(figures["above"][0], serde_json::json!({ "threshold": 0, "pixels": 2 }));
    let same = sandbox.run(&["compare", "a.png", "a.png", "--format", "json"]).success();
    let figures: Value = serde_json::from_str(same.text()).expect("JSON");
    assert_eq!((&figures["psnr"], &figures["is_good"]), (&Value::Null, &true.into()));

    let ran = sandbox.run(&["compare", "a.png", "b.png", "-o", "-"]).failure(1);
    assert!(Picture::from_png(&ran.out).is_ok(), "nothing but the picture");
}

#[test]
fn compare_rejects_what_cannot_be_compared() {
    let sandbox = two_pictures();
    sandbox.write("c.png", Picture { width: 2, height: 1, pixels: vec![[0; 4]; 2] }.to_png().expect("a picture"));
    sandbox.write("n.png", "no picture");
    let ran = sandbox.run(&["compare", "a.png", "c.png"]).failure(1);
    assert!(ran.err.contains("the pictures differ in size: 10x10 and 2x1 pixels"), "{}", ran.err);
    let ran = sandbox.run(&["compare", "a.png", "n.png"]).failure(1);
    assert!(ran.err.contains("`n.png`: not a readable PNG file"), "{}", ran.err);
    let ran = sandbox.run(&["compare", "a.png", "m.png"]).failure(1);
    assert!(ran.err.contains("cannot read `m.png`"), "{}", ran.err);
    let ran = sandbox.run(&["compare", "a.png", "b.png", "--allow", "101"]).failure(2);
    assert!(ran.err.contains("a number from 0 to 100"), "{}", ran.err);
    let ran = sandbox.run(&["compare", "a.png", "b.png", "-o", "b.png"]).failure(2);
    assert!(ran.err.contains("would be overwritten"), "{}", ran.err);
}
