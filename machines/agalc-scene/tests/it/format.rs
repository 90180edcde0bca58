//! Tests of the scene format: the errors in invalid scenes (testdata/scene/mistakes.txt), and the contents of valid scenes.

use std::path::PathBuf;

use agalc_scene::{
    Description, ErrorKind, LARGEST_DESCRIPTION, LARGEST_FILE, LARGEST_TARGETS, Loading, Picture, Scene,
};
use sdlbc::{Dimension, FunctionKind};
use sdlbc_interp::{Cull, DepthTest, Topology};
use tempfile::TempDir;
use testing::testdata;

const VERTEX: &str = "m44 op, va0, vc0\nmov v0, va1\n";
const FRAGMENT: &str = "tex ft0, v0, fs0 <2d,linear,miplinear>\nmul oc, ft0, fc0\n";

fn inputs() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).expect("a file");
    write("v.agal", VERTEX.as_bytes());
    write("f.agal", FRAGMENT.as_bytes());
    let pixels = vec![[255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255], [9, 9, 9, 9]];
    write("x.png", &Picture { width: 2, height: 2, pixels }.to_png().expect("a picture"));
    folder
}

fn load(folder: &TempDir, text: &str) -> Result<Scene, agalc_scene::Error> {
    let path = folder.path().join("scene.toml");
    std::fs::write(&path, text).expect("a file");
    Scene::load(path)
}

/// Loads a scene that consists of the test's programs, a texture and the lines in `more`.
fn with(more: &str) -> Scene {
    let text = format!("vertex = \"v.agal\"\nfragment = \"f.agal\"\ntextures = {{ fs0 = \"x.png\" }}\n{more}");
    load(&inputs(), &text).unwrap_or_else(|error| panic!("{error}"))
}

fn constants(scene: &Scene, stage: FunctionKind, name: &str) -> Vec<f32> {
    let words = &scene.draw.resources.uniforms[&(stage, name.to_string())];
    words.iter().map(|&word| f32::from_bits(word)).collect()
}

#[test]
fn each_mistake_is_reported_at_its_location() {
    let text = std::fs::read_to_string(testdata("scene/mistakes.txt")).expect("the cases");
    let folder = inputs();
    let mut failures = Vec::new();
    let mut cases = 0;
    for case in text.split("\n### ").skip(1) {
        cases += 1;
        let (name, body) = case.split_once('\n').expect("a name");
        let names_programs =
            body.lines().any(|line| ["vertex = ", "fragment = ", "program = "].iter().any(|key| line.starts_with(key)));
        let head = if names_programs { "" } else { "vertex = \"v.agal\"\nfragment = \"f.agal\"\n" };
        let scene = format!("{head}{}\n", body.trim_end());
        let marked = scene.lines().enumerate().find_map(|(at, line)| Some((at + 1, line.split_once("#~ ")?)));
        let (line, (before, said)) = marked.unwrap_or_else(|| panic!("{name} expects nothing"));
        let expected = match before.trim().is_empty() {
            true => format!("scene.toml: {said}"),
            false => {
                let (column, said) = said.split_once(' ').expect("a column");
                format!("scene.toml:{line}:{column}: {said}")
            }
        };
        let found = match load(&folder, &scene) {
            Ok(_) => "nothing is wrong".to_string(),
            Err(error) => error.to_string().replace(&format!("{}/", folder.path().display()), ""),
        };
        if found != expected {
            failures.push(format!("{name}:\n  expected {expected}\n  found    {found}"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(cases > 40);
}

#[test]
fn all_errors_in_a_program_are_reported_with_its_text() {
    let folder = inputs();
    std::fs::write(folder.path().join("f.agal"), "mul oc, ft0\ndp5 ft1, v0, v0\n").expect("a file");
    let error = load(&folder, "vertex = \"v.agal\"\nfragment = \"f.agal\"\n").expect_err("it is wrong");
    assert!(error.file.ends_with("f.agal"));
    let ErrorKind::Program(agalc::InputError { kind, .. }) = &*error.kind else { panic!("{error}") };
    let agalc::InputErrorKind::Program(program) = kind else { panic!("{error}") };
    assert!(program.text().is_some_and(|text| text.starts_with("mul oc")));
    let findings = &program.findings;
    assert!(findings.len() >= 2 && findings.iter().all(|finding| finding.place.span.is_some()), "{findings:?}");
    assert!(error.to_string().contains("line 1: "), "{error}");
}

#[test]
fn a_missing_file_is_named() {
    let folder = inputs();
    let error = load(&folder, "vertex = \"w.agal\"\nfragment = \"f.agal\"\n").expect_err("it is not there");
    assert!(error.file.ends_with("w.agal"), "{error}");
    assert!(matches!(*error.kind, ErrorKind::Unreadable { .. }));
    let error = load(&folder, "vertex = \"v.agal\"\nfragment = \"f.agal\"\nmesh = \"y.obj\"\n").expect_err("nor this");
    assert!(error.file.ends_with("y.obj"), "{error}");
}

#[test]
fn defaults_are_as_documented() {
    let scene = with("[constants]\nvc0 = \"clip\"\nfc0 = [1, 1, 1, 1]\n");
    let draw = &scene.draw;
    assert_eq!((draw.width, draw.height, draw.targets, draw.instances), (512, 512, 1, 1));
    assert_eq!((draw.cull, draw.depth, draw.topology), (Cull::None, Some(DepthTest::Less), Topology::Triangles));
    assert_eq!(draw.clear, [0.0, 0.0, 0.0, 1.0]);
    assert!(scene.agal.is_some());
    assert_eq!(draw.attributes.keys().copied().collect::<Vec<_>>(), [0, 1]);
}

#[test]
fn all_draw_settings_are_applied() {
    let scene = with(
        "size = [40, 30]\nclear = \"#ff000080\"\ncull = \"front\"\ndepth = \"less-equal\"\ntargets = 3\ninstances = 7\n\
         topology = \"points\"\nmesh = { shape = \"quad\", segments = [3, 2] }\n[attributes]\nva1 = [1, 2, 3, 4]\n",
    );
    let draw = &scene.draw;
    assert_eq!((draw.width, draw.height, draw.targets, draw.instances), (40, 30, 3, 7));
    assert_eq!((draw.cull, draw.depth, draw.topology), (Cull::Front, Some(DepthTest::LessEqual), Topology::Points));
    assert_eq!(draw.clear, [1.0, 0.0, 0.0, 128.0 / 255.0]);
    assert_eq!((draw.attributes[&0].len(), draw.indices.len()), (12, 36));
    assert!(draw.attributes[&1].iter().all(|column| column.map(f32::from_bits) == [1.0, 2.0, 3.0, 4.0]));
}

#[test]
fn constants_go_to_their_registers_and_the_rest_is_zero() {
    let scene = with("[constants]\nvc1 = [[1, 2], [3, 4, 5, 6]]\nfc0 = \"#fff\"\n");
    let vertex = constants(&scene, FunctionKind::Vertex, "vc");
    let expected: Vec<f32> =
        [0.0; 4].into_iter().chain([1.0, 2.0, 0.0, 0.0, 3.0, 4.0, 5.0, 6.0]).chain([0.0; 4]).collect();
    assert_eq!(vertex, expected);
    assert_eq!(constants(&scene, FunctionKind::Fragment, "fc"), [1.0; 4]);
}

fn through(rows: &[f32], point: [f32; 4]) -> [f32; 4] {
    std::array::from_fn(|row| (0..4).map(|i| rows[row * 4 + i] * point[i]).sum())
}

#[test]
fn a_camera_sees_what_is_in_front_of_it_without_mirroring() {
    let scene = with(
        "camera = { eye = [3, 2, -5], at = [3, 2, 0], fov = 90, near = 1, far = 9 }\n[constants]\nvc0 = \"clip\"\n",
    );
    let rows = constants(&scene, FunctionKind::Vertex, "vc");
    let seen = |point: [f32; 3]| {
        let [x, y, z, w] = through(&rows, [point[0], point[1], point[2], 1.0]);
        [x / w, y / w, z / w]
    };
    let near = |a: [f32; 3], b: [f32; 3]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-6);
    assert!(near(seen([3.0, 2.0, -4.0]), [0.0, 0.0, 0.0]), "on the near plane");
    assert!(near(seen([3.0, 2.0, 4.0]), [0.0, 0.0, 1.0]), "on the far plane");
    // With a field of view of 90 degrees, half of the visible height equals the distance from the camera.
    assert!(near(seen([8.0, 2.0, 0.0]), [1.0, 0.0, seen([3.0, 2.0, 0.0])[2]]), "right");
    assert!(near(seen([3.0, 7.0, 0.0]), [0.0, 1.0, seen([3.0, 2.0, 0.0])[2]]), "up");
}

#[test]
fn a_camera_without_perspective_sees_its_height() {
    let scene = with(
        "size = [200, 100]\n[constants]\nvc0 = { camera = { eye = [0, 0, -4], height = 3, near = 1, far = 5 } }\n",
    );
    let rows = constants(&scene, FunctionKind::Vertex, "vc");
    assert_eq!(through(&rows, [3.0, 1.5, 1.0, 1.0]), [1.0, 1.0, 1.0, 1.0]);
    assert_eq!(through(&rows, [-3.0, -1.5, -3.0, 1.0]), [-1.0, -1.0, 0.0, 1.0]);
}

#[test]
fn placements_scale_then_turn_then_move_and_lists_fill_further_registers() {
    let point = |more: &str| {
        let scene = with(&format!("model = {more}\n[constants]\nvc0 = \"model\"\n"));
        through(&constants(&scene, FunctionKind::Vertex, "vc"), [1.0, 2.0, 3.0, 1.0])
    };
    assert_eq!(point("{ scale = 2, move = [10, 0, 0] }"), [12.0, 4.0, 6.0, 1.0]);
    // Rotation about z turns the x axis into the y axis, and rotation about x turns the y axis into the z axis.
    assert_eq!(point("{ rotate = [0, 0, 90] }"), [-2.0, 1.0, 3.0, 1.0]);
    assert_eq!(point("{ rotate = [90, 0, 90] }"), [3.0, 1.0, 2.0, 1.0]);
    assert_eq!(point("[{ move = [1, 0, 0] }, { scale = [3, 1, 1] }]"), [6.0, 2.0, 3.0, 1.0]);
}

#[test]
fn normals_stay_perpendicular_to_stretched_surfaces() {
    let scene = with("model = { scale = [2, 1, 1], rotate = [0, 0, 90] }\n[constants]\nvc0 = \"normal\"\n");
    let rows = constants(&scene, FunctionKind::Vertex, "vc");
    // After scaling and rotation, the transformed normal of the plane x + y = 0 must be perpendicular to the transformed plane.
    let [x, y, ..] = through(&rows, [1.0, 1.0, 0.0, 0.0]);
    let along = [1.0, 2.0];
    assert!((x * along[0] + y * along[1]).abs() < 1e-6, "{x} {y}");
    assert_eq!(rows[12..16], [0.0; 4]);
}

#[test]
fn a_bone_turns_about_its_lower_end_and_moves_the_bones_above_it() {
    let folder = inputs();
    std::fs::write(
        folder.path().join("v.agal"),
        "m34 vt0.xyz, va0, vc[va2.x]\nmov vt0.w, va0.w\nmov op, vt0\nmov v0, va1\n",
    )
    .expect("a file");
    let text = "vertex = \"v.agal\"\nfragment = \"f.agal\"\ntextures = { fs0 = \"x.png\" }\n\
                [constants]\nvc0 = { bones = 4, length = 4, bend = [0, 0, 90] }\n";
    let scene = load(&folder, text).unwrap_or_else(|error| panic!("{error}"));
    let rows = constants(&scene, FunctionKind::Vertex, "vc");
    let bone = |bone: usize, point: [f32; 4]| {
        let [x, y, z, _] = through(&[&rows[bone * 12..bone * 12 + 12], &[0.0; 4]].concat(), point);
        [x, y, z]
    };
    assert_eq!(bone(0, [0.5, -1.5, 0.0, 1.0]), [0.5, -1.5, 0.0]);
    // The joint between the first two bones is at y = -1 and does not move.
    assert_eq!(bone(1, [0.0, -1.0, 0.0, 1.0]), [0.0, -1.0, 0.0]);
    assert_eq!(bone(1, [0.0, 0.0, 0.0, 1.0]), [-1.0, -1.0, 0.0]);
    assert_eq!(bone(2, [0.0, 0.0, 0.0, 1.0]), [-1.0, -1.0, 0.0]);
    assert_eq!(bone(2, [0.0, 1.0, 0.0, 1.0]), [-1.0, -2.0, 0.0]);
    assert_eq!(rows.len(), 128 * 4, "an indirect read may read any register");
}

#[test]
fn textures_get_mip_levels_if_the_sampler_or_the_scene_asks_for_them() {
    let texture = |options: &str, of: &str| {
        let folder = inputs();
        std::fs::write(folder.path().join("f.agal"), format!("tex oc, v0, fs0 <2d{options}>")).expect("a file");
        let text = format!("vertex = \"v.agal\"\nfragment = \"f.agal\"\ntextures = {{ fs0 = {of} }}\n");
        let scene = load(&folder, &text).unwrap_or_else(|error| panic!("{error}"));
        scene.draw.resources.textures[&(FunctionKind::Fragment, 0)].clone()
    };
    let levels = |options: &str, of: &str| texture(options, of).levels.len();
    assert_eq!(levels("", "\"x.png\""), 1);
    assert_eq!(levels(",mipnearest", "\"x.png\""), 2);
    assert_eq!(levels(",mipnearest", "{ file = \"x.png\", mips = false }"), 1);
    assert_eq!(levels("", "{ kind = \"checker\", size = [32, 8], mips = true }"), 6);
    let smallest = texture(",miplinear", "\"x.png\"").levels.pop().expect("a level");
    assert_eq!((smallest.width, smallest.height, smallest.depth), (1, 1, 1));
    // The red components of the four texels add up to 264, as do the green and the blue, and the alpha components to 774.
    assert_eq!(smallest.texels, [[66, 66, 66, 194]]);
}

#[test]
fn a_pair_in_one_text_and_a_module_make_scenes_too() {
    let folder = inputs();
    let both = format!("part lit vertex 1\n{VERTEX}endpart\npart lit fragment 1\n{FRAGMENT}endpart\n");
    std::fs::write(folder.path().join("both.agal"), both).expect("a file");
    let of_parts = load(&folder, "program = \"both.agal\"\ntextures = { fs0 = \"x.png\" }\n").expect("a scene");
    assert!(of_parts.agal.is_some() && of_parts.warned.is_empty());

    std::fs::write(folder.path().join("m.sdlbc"), sdlbc::encode(&of_parts.draw.module)).expect("a file");
    let of_module = load(&folder, "program = \"m.sdlbc\"\ntextures = { fs0 = \"x.png\" }\n").expect("a scene");
    assert!(of_module.agal.is_none());
    assert_eq!(of_module.draw, of_parts.draw);

    std::fs::write(folder.path().join("m.sdlasm"), sdlbc::print(&of_parts.draw.module)).expect("a file");
    let of_text = load(&folder, "program = \"m.sdlasm\"\ntextures = { fs0 = \"x.png\" }\n").expect("a scene");
    assert_eq!(of_text.draw, of_parts.draw);
}

#[test]
fn uniforms_of_modules_have_the_bits_of_their_types() {
    let module = r#"
vertex function "vs_main" {
  input %1 at: float4 = attribute 0
  input %2 count: int2 = uniform
  input %3 half: float = uniform
  output 0 op: float4 = position
  %4 = convert %2, float
  %5 = multiply %4, %3
  %6 = swizzle %5, xyxy
  %7 = add %1, %6
  poke %7, 0
}
fragment function "fs_main" {
  input %1 tint: float4 = uniform
  output 0 oc: float4 = colour 0
  poke %1, 0
}
"#;
    let folder = inputs();
    std::fs::write(folder.path().join("m.sdlasm"), module).expect("a file");
    let text = "program = \"m.sdlasm\"\n[uniforms.vertex]\ncount = [-1, 2]\nhalf = [0.5]\n[uniforms.fragment]\ntint = [1, 0, 0, 1]\n";
    let scene = load(&folder, text).unwrap_or_else(|error| panic!("{error}"));
    let words = |name: &str| scene.draw.resources.uniforms[&(FunctionKind::Vertex, name.to_string())].clone();
    assert_eq!(words("count"), [u32::MAX, 2]);
    assert_eq!(words("half"), [0.5f32.to_bits()]);
}

#[test]
fn missing_parts_of_a_description_can_be_filled_in() {
    let scene = with("");
    let mut description = Description::plain([8, 8]);
    assert_eq!(description.fill(&scene.draw.module), ["fs0"]);
    assert_eq!(description.fill(&scene.draw.module), [""; 0]);
    let filled = Scene::from_parts(&scene.draw.module, None, Default::default(), &description).expect("a scene");
    assert_eq!(filled.draw.resources.textures[&(FunctionKind::Fragment, 0)].dimension, Dimension::D2);
    let rows = constants(&filled, FunctionKind::Vertex, "vc");
    let [x, y, z, w] = through(&rows, [0.0, 0.0, 0.0, 1.0]);
    assert!(x == 0.0 && y == 0.0 && 0.0 < z && z < w, "the origin is in view");
}

#[test]
fn meshes_and_textures_on_the_command_line_are_read_like_those_in_a_scene() {
    let mut description = Description::plain([8, 8]);
    description.set_mesh("{ shape = \"torus\", tube = 0.25 }").expect("a mesh");
    description.set_texture("fs1", "a \"quoted\" name.png").expect("a texture");
    description.set_texture("vs0", "noise").expect("a texture");
    assert_eq!(description.textures.len(), 2);
    let said = |error: Result<(), agalc_scene::Error>| error.expect_err("it is wrong").to_string();
    assert_eq!(said(description.set_mesh("tours")), "`mesh = tours`: unknown shape `tours`; did you mean `torus`?");
    assert_eq!(
        said(description.set_texture("fs0", "{ kind = \"sky\", sise = 3 }")),
        "`fs0 = { kind = \"sky\", sise = 3 }`: unknown key `sise` in a texture; did you mean `size`?"
    );
    assert_eq!(
        said(description.set_texture("fc0", "sky")),
        "`fc0 = sky`: `fc0` is not a sampler register such as fs0, vs0 or t0"
    );
}

fn inner(folder: &TempDir, text: &str, loading: &Loading) -> Option<ErrorKind> {
    let path = folder.path().join("inner/scene.toml");
    std::fs::write(&path, text).expect("a file");
    Scene::load_with(path, loading).err().map(|error| *error.kind)
}

#[test]
fn a_scene_may_name_only_files_below_its_folder_by_default() {
    let folder = inputs();
    let inside = folder.path().join("inner");
    std::fs::create_dir_all(inside.join("sub")).expect("a folder");
    for name in ["v.agal", "f.agal", "x.png"] {
        std::fs::copy(folder.path().join(name), inside.join(name)).expect("a file");
    }
    std::fs::write(folder.path().join("m.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").expect("a file");
    let root = folder.path().display().to_string();
    let scene = |vertex: &str, mesh: &str, texture: &str| {
        format!("vertex = \"{vertex}\"\nfragment = \"f.agal\"\nmesh = {mesh}\ntextures = {{ fs0 = {texture} }}\n")
    };
    let strict = Loading::default();
    let any = Loading { allow_outside: true, ..strict.clone() };
    let good = |name: &str| {
        [
            scene(name, "\"cube\"", "\"x.png\""),
            scene("v.agal", "\"cube\"", &format!("\"{}\"", name.replace("v.agal", "x.png"))),
        ]
    };
    for text in
        good("sub/../v.agal").iter().chain(&good("../inner/v.agal")).chain(&good(&format!("{root}/inner/v.agal")))
    {
        assert_eq!(inner(&folder, text, &strict), None, "{text}");
    }
    let mut outside = vec![
        scene("../v.agal", "\"cube\"", "\"x.png\""),
        scene(&format!("{root}/v.agal"), "\"cube\"", "\"x.png\""),
        scene("v.agal", "\"../m.obj\"", "\"x.png\""),
        scene("v.agal", "{ file = \"sub/../../m.obj\" }", "\"x.png\""),
        scene("v.agal", "\"cube\"", "\"../x.png\""),
        scene("v.agal", "\"cube\"", "{ file = \"../x.png\", mips = false }"),
    ];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("../v.agal", inside.join("link.agal")).expect("a link");
        std::os::unix::fs::symlink("..", inside.join("up")).expect("a link");
        outside.push(scene("link.agal", "\"cube\"", "\"x.png\""));
        outside.push(scene("v.agal", "\"up/m.obj\"", "\"x.png\""));
    }
    for text in &outside {
        assert!(matches!(inner(&folder, text, &strict), Some(ErrorKind::Outside { .. })), "{text}");
        assert_eq!(inner(&folder, text, &any), None, "{text}");
    }
    // The error must not reveal whether the file exists.
    let text = scene("../nothing.agal", "\"cube\"", "\"x.png\"");
    assert!(matches!(inner(&folder, &text, &strict), Some(ErrorKind::Outside { .. })));
    let six = "[\"x.png\", \"x.png\", \"x.png\", \"x.png\", \"x.png\", \"../x.png\"]";
    let text = scene("v.agal", "\"cube\"", &format!("{{ file = {six} }}"));
    assert!(matches!(inner(&folder, &text, &strict), Some(ErrorKind::Outside { .. })));
}

#[test]
fn a_scene_lists_the_files_it_names() {
    let folder = inputs();
    std::fs::write(folder.path().join("m.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").expect("a file");
    let text = "vertex = \"v.agal\"\nfragment = \"f.agal\"\nmesh = \"m.obj\"\ntextures = { fs0 = \"x.png\", fs7 = \"y.png\" }\n";
    let scene = load(&folder, text).unwrap_or_else(|error| panic!("{error}"));
    let names: Vec<_> =
        scene.files.iter().map(|path| path.strip_prefix(folder.path()).expect("below").to_path_buf()).collect();
    assert_eq!(names, ["scene.toml", "v.agal", "f.agal", "m.obj", "x.png", "y.png"].map(PathBuf::from));
}

#[test]
fn scenes_that_need_too_much_memory_are_rejected_before_loading() {
    let folder = inputs();
    let rest = "vertex = \"v.agal\"\nfragment = \"f.agal\"\ntextures = { fs0 = \"x.png\" }\nmesh = \"triangle\"\n";
    let room = LARGEST_DESCRIPTION as usize - rest.len() - 2;
    assert!(load(&folder, &format!("{rest}#{}\n", "x".repeat(room))).is_ok());
    let error = load(&folder, &format!("{rest}#{}\n", "x".repeat(room + 1))).expect_err("too large");
    assert!(
        error.to_string().ends_with("scene.toml: the file is larger than 1048576 bytes, the maximum for its kind"),
        "{error}"
    );

    let vast = std::fs::File::create(folder.path().join("vast.agal")).expect("a file");
    vast.set_len(LARGEST_FILE + 1).expect("a sparse file");
    let error = load(&folder, &rest.replace("v.agal", "vast.agal")).expect_err("too large");
    assert!(
        error.to_string().ends_with("vast.agal: the file is larger than 536870912 bytes, the maximum for its kind"),
        "{error}"
    );

    let sized = |targets: usize, side: u32| load(&folder, &format!("{rest}targets = {targets}\nsize = {side}\n"));
    assert_eq!(LARGEST_TARGETS, 8192 * 8192 * 16);
    for (targets, side) in [(1, 8192), (4, 4096)] {
        assert!(sized(targets, side).is_ok(), "{targets} of {side}");
    }
    for (targets, side) in [(2, 8192), (4, 8192), (4, 4097)] {
        let error = sized(targets, side).expect_err("too large");
        let said = format!(
            "{targets} render targets of {side}x{side} pixels need {} bytes, but the limit is 1073741824",
            u64::from(side).pow(2) * 16 * targets as u64
        );
        assert!(error.to_string().ends_with(&said), "{error}");
    }
}
