//! Tests that scenes in memory are read in the same way as scenes on disk, with the same checks.

use std::path::Path;

use agalc_scene::{ErrorKind, LARGEST_DESCRIPTION, Loading, Memory, Picture, Scene};
use testing::testdata;

const VERTEX: &str = "m44 op, va0, vc0\nmov v0, va1\n";
const FRAGMENT: &str = "tex ft0, v0, fs0 <2d,linear,miplinear>\nmul oc, ft0, fc0\n";
const MESH: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";

fn folder(path: &Path, below: &str) -> Memory {
    let entries = std::fs::read_dir(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let file = |entry: std::io::Result<std::fs::DirEntry>| {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        (format!("{below}{name}"), std::fs::read(path).expect("a file"))
    };
    entries.map(file).collect()
}

/// Returns a scene in the folder `lit`, the files to which the scene refers, and similar files outside the folder.
fn files(vertex: &str, mesh: &str, texture: &str) -> Memory {
    let scene =
        format!("vertex = \"{vertex}\"\nfragment = \"f.agal\"\nmesh = {mesh}\ntextures = {{ fs0 = {texture} }}\n");
    let png = Picture { width: 2, height: 1, pixels: vec![[255, 0, 0, 255], [0, 9, 0, 255]] }.to_png();
    let png = png.expect("a picture");
    [
        ("lit/scene.toml", scene.into_bytes()),
        ("lit/v.agal", VERTEX.into()),
        ("lit/f.agal", FRAGMENT.into()),
        ("lit/sub/m.obj", MESH.into()),
        ("lit/sub/x.png", png.clone()),
        ("v.agal", VERTEX.into()),
        ("m.obj", MESH.into()),
        ("x.png", png),
    ]
    .into_iter()
    .collect()
}

fn load(files: &Memory) -> Result<Scene, agalc_scene::Error> {
    Scene::load_in(files, "lit/scene.toml", &Loading::default())
}

#[cfg(feature = "es2")]
#[test]
fn a_scene_in_memory_draws_what_the_one_on_disk_does() {
    for name in ["lighting", "obj_file", "macros", "paper_gloss"] {
        let path = testdata("scenes").join(name);
        for below in ["", "a/b/"] {
            let loading = Loading { size: Some([8, 4]), ..Loading::default() };
            let files = folder(&path, below);
            let scene = Scene::load_in(&files, format!("{below}scene.toml"), &loading);
            let scene = scene.unwrap_or_else(|error| panic!("{error}"));
            let on_disk = Scene::load_with(path.join("scene.toml"), &loading).unwrap_or_else(|error| panic!("{error}"));
            assert!(scene.draw == on_disk.draw, "{name}");
            assert_eq!((scene.about, scene.agal), (on_disk.about, on_disk.agal), "{name}");
            let name = |file: &Path| file.strip_prefix(below).expect("below").to_path_buf();
            let names: Vec<_> = scene.files.iter().map(|file| path.join(name(file))).collect();
            assert_eq!(names, on_disk.files);
        }
    }
}

#[test]
fn meshes_and_textures_in_memory_are_those_on_disk() {
    let in_memory = load(&files("v.agal", "\"sub/m.obj\"", "\"sub/x.png\"")).unwrap_or_else(|error| panic!("{error}"));
    let disk = tempfile::tempdir().expect("a folder");
    let png = Picture { width: 2, height: 1, pixels: vec![[255, 0, 0, 255], [0, 9, 0, 255]] }.to_png();
    let scene = "vertex = \"v.agal\"\nfragment = \"f.agal\"\nmesh = \"m.obj\"\ntextures = { fs0 = \"x.png\" }\n";
    for (name, bytes) in [
        ("scene.toml", scene.as_bytes()),
        ("v.agal", VERTEX.as_bytes()),
        ("f.agal", FRAGMENT.as_bytes()),
        ("m.obj", MESH.as_bytes()),
        ("x.png", &png.expect("a picture")),
    ] {
        std::fs::write(disk.path().join(name), bytes).expect("a file");
    }
    let on_disk = Scene::load(disk.path().join("scene.toml")).unwrap_or_else(|error| panic!("{error}"));
    assert!(in_memory.draw == on_disk.draw);
}

#[test]
fn a_scene_in_memory_may_name_only_files_below_its_folder_by_default() {
    for (vertex, mesh, texture) in
        [("sub/../v.agal", "\"cube\"", "\"./sub/x.png\""), ("../lit/v.agal", "\"sub/m.obj\"", "\"../lit/sub/x.png\"")]
    {
        assert_eq!(load(&files(vertex, mesh, texture)).err(), None, "{vertex} {mesh} {texture}");
    }
    for (vertex, mesh, texture, name) in [
        ("../v.agal", "\"cube\"", "\"sub/x.png\"", "../v.agal"),
        ("v.agal", "{ file = \"sub/../../m.obj\" }", "\"sub/x.png\"", "sub/../../m.obj"),
        ("v.agal", "\"cube\"", "{ file = \"../x.png\", mips = false }", "../x.png"),
    ] {
        let files = files(vertex, mesh, texture);
        let error = load(&files).expect_err("it is outside");
        assert_eq!(*error.kind, ErrorKind::Outside { path: name.to_string() });
        assert_eq!((error.file.as_str(), error.place.is_some()), ("lit/scene.toml", true));
        let any = Loading { allow_outside: true, ..Loading::default() };
        assert_eq!(Scene::load_in(&files, "lit/scene.toml", &any).err(), None, "{name}");
    }
    let path = testdata("scenes/lighting/vertex.agal").display().to_string();
    let files = files(&path, "\"cube\"", "\"sub/x.png\"");
    let any = Loading { allow_outside: true, ..Loading::default() };
    assert!(matches!(*load(&files).expect_err("it is outside").kind, ErrorKind::Outside { .. }));
    let error = Scene::load_in(&files, "lit/scene.toml", &any).expect_err("it is not in memory");
    assert!(matches!(*error.kind, ErrorKind::Unreadable { .. }), "{error}");
}

#[test]
fn files_that_are_missing_or_too_large_are_reported_by_their_paths() {
    let said = |error: Option<agalc_scene::Error>| error.map(|error| error.to_string()).unwrap_or_default();
    let missing = |path: &str| format!("{path}: cannot be read: there is no such file");
    for (vertex, mesh, texture, path) in [
        ("sub/../no.agal", "\"cube\"", "\"sub/x.png\"", "lit/no.agal"),
        ("v.agal", "\"no.obj\"", "\"sub/x.png\"", "lit/no.obj"),
        ("v.agal", "\"cube\"", "\"no.png\"", "lit/no.png"),
    ] {
        assert_eq!(said(load(&files(vertex, mesh, texture)).err()), missing(path));
    }
    assert_eq!(said(load(&Memory::default()).err()), missing("lit/scene.toml"));
    let most = usize::try_from(LARGEST_DESCRIPTION).expect("a size");
    let vast: Memory = [("lit/scene.toml", vec![b'#'; most + 1])].into_iter().collect();
    assert_eq!(
        said(load(&vast).err()),
        "lit/scene.toml: the file is larger than 1048576 bytes, the maximum for its kind"
    );
}

#[test]
fn constants_can_be_set_after_a_scene_is_read() {
    use sdlbc::FunctionKind::{Fragment, Vertex};
    let mut scene = load(&files("v.agal", "\"cube\"", "\"sub/x.png\"")).unwrap_or_else(|error| panic!("{error}"));
    // The scene file sets no constants.
    assert_eq!(scene.draw.resources.uniforms.len(), 0);
    let constants = [((Fragment, 0), [1.0, 2.0, 3.0, 4.0]), ((Fragment, 9), [5.0; 4]), ((Vertex, 2), [6.0; 4])];
    scene.set_constants(&constants.into_iter().collect());
    let words = |stage, name: &str| {
        let words = scene.draw.resources.uniforms.get(&(stage, name.to_string())).expect("it is set");
        words.iter().map(|&word| f32::from_bits(word)).collect::<Vec<f32>>()
    };
    assert_eq!(words(Fragment, "fc"), [1.0, 2.0, 3.0, 4.0]);
    assert_eq!(words(Vertex, "vc"), [vec![0.0; 8], vec![6.0; 4], vec![0.0; 4]].concat());
    // Constants that are not set keep their values.
    scene.set_constants(&[((Vertex, 0), [7.0; 4])].into_iter().collect());
    let words = scene.draw.resources.uniforms[&(Vertex, "vc".to_string())].clone();
    assert_eq!(words[8], 6.0_f32.to_bits());
}
