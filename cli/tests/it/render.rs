//! `render` and `compare`: what they write, what they say, and how they end. Small pictures of every scene are held against
//! testdata/scene/rendered (`UPDATE_EXPECT=1` renews them; look at them before they are committed).

use crate::support;

use scene::{Limits, Picture, compare};
use serde_json::Value;
use support::place::{Place, VERTEX, pair};
use support::{testdata, updates};

fn picture(place: &Place, name: &str) -> Picture {
    Picture::from_png(&place.read(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// A vertex program that takes clip space as it is, and a fragment program of one colour.
fn plain() -> Place {
    let place = pair();
    place.write("v.agal", "mov op, va0\nmov v0, va1\n");
    place.write("f.agal", "mov oc, fc0\n");
    place.write("uv.agal", "mov oc, v0\n");
    place
}

#[test]
fn every_scene_gives_the_picture_that_it_gave() {
    let place = Place::new();
    let folder = testdata("scenes");
    let mut names: Vec<String> = std::fs::read_dir(&folder)
        .expect("the scenes")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert!(names.len() >= 24);
    let mut differ = Vec::new();
    for name in names {
        let scene = folder.join(&name).join("scene.toml");
        let output = format!("{name}.png");
        place.run(&["render", &scene.display().to_string(), "--size", "48", "-o", &output]).well();
        let found = picture(&place, &output);
        let path = testdata(&format!("scene/rendered/{output}"));
        if updates() {
            std::fs::write(&path, place.read(&output)).expect("the file");
        }
        let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let expected = Picture::from_png(&bytes).expect("a picture");
        // Everything is computed in the same way everywhere, so not one pixel may differ.
        let difference = compare(&expected, &found, Limits { threshold: 0, contrast: 16 }).expect("one size");
        if difference.differing > 0 {
            differ.push(format!("{name}: {} pixels, by {} at most", difference.differing, difference.greatest));
        }
        // A picture of one colour would show nothing.
        assert!(found.pixels.iter().any(|pixel| *pixel != found.pixels[0]), "{name} is empty");
    }
    assert!(differ.is_empty(), "UPDATE_EXPECT=1 renews them\n{}", differ.join("\n"));
}

#[test]
fn a_pair_is_drawn_with_a_mesh_textures_and_constants() {
    let place = plain();
    place.write("c.toml", "[constants]\nfc0 = [1, 0.5, 0, 1]\n");
    let arguments = ["render", "v.agal", "f.agal", "--mesh", "rectangle", "--constants", "c.toml", "--size", "4x3"];
    let ran = place.run(&[&arguments[..], &["-o", "x.png"]].concat()).well();
    assert_eq!(ran.err, format!("wrote x.png (PNG, 4x3, {} bytes)\n", place.read("x.png").len()));
    assert!(ran.out.is_empty());
    let drawn = picture(&place, "x.png");
    assert_eq!((drawn.width, drawn.height), (4, 3));
    assert!(drawn.pixels.iter().all(|&pixel| pixel == [255, 128, 0, 255]));

    let piped = place.run(&[&arguments[..], &["-o", "-"]].concat()).well();
    assert_eq!(piped.out, place.read("x.png"));

    place.run(&["render", "v.agal", "uv.agal", "--mesh", "rectangle", "--size", "2", "-o", "uv.png"]).well();
    let quarter = [64, 191];
    let expected =
        [[quarter[0], quarter[0]], [quarter[1], quarter[0]], [quarter[0], quarter[1]], [quarter[1], quarter[1]]];
    let found: Vec<[u8; 2]> = picture(&place, "uv.png").pixels.iter().map(|pixel| [pixel[0], pixel[1]]).collect();
    assert_eq!(found, expected, "u to the right, v down");
}

#[test]
fn a_texture_that_is_read_comes_from_where_the_command_line_says() {
    let place = plain();
    place.write("t.agal", "tex oc, v0, fs0 <2d,nearest>\n");
    let arguments = ["render", "v.agal", "t.agal", "--mesh", "rectangle", "--size", "2"];
    place.run(&["render", "v.agal", "uv.agal", "--mesh", "rectangle", "--size", "2", "-o", "uv.png"]).well();
    let ran = place.run(&[&arguments[..], &["--texture", "fs0=uv.png", "-o", "x.png"]].concat()).well();
    assert!(!ran.err.contains("note:"), "{}", ran.err);
    assert_eq!(picture(&place, "x.png"), picture(&place, "uv.png"));

    let black = "fs0={ kind = \"checker\", cells = 2, size = 2 }";
    place.run(&[&arguments[..], &["--texture", black, "-o", "x.png"]].concat()).well();
    let reds: Vec<u8> = picture(&place, "x.png").pixels.iter().map(|pixel| pixel[0]).collect();
    assert_eq!(reds, [0, 255, 255, 0]);

    let ran = place.run(&[&arguments[..], &["-o", "x.png"]].concat()).well();
    assert!(ran.err.starts_with("note: no texture is given for fs0; a built-in one is used\n"), "{}", ran.err);
}

#[test]
fn without_constants_a_usual_vertex_program_shows_the_mesh() {
    let place = pair();
    place.write("n.agal", "mov oc, v0\n");
    place.write("a.vert.agal", VERTEX.replace("va1", "va4"));
    place.run(&["render", "a.vert.agal", "n.agal", "--size", "64", "-o", "x.png"]).well();
    let drawn = picture(&place, "x.png");
    let at = |x: usize, y: usize| drawn.pixels[y * 64 + x];
    assert_eq!(at(1, 1), [0, 0, 0, 255]);
    assert!(at(32, 32)[2] > 250, "a sphere's front: {:?}", at(32, 32));
    assert!(at(32, 14)[1] > 200 && at(32, 50)[1] < 60, "the right way up");
    assert!(at(50, 32)[0] > 200 && at(14, 32)[0] < 60, "the right way round");
}

#[test]
fn each_render_target_has_its_file() {
    let place = plain();
    place.write("two.agal", "// agal 2 fragment\nmov fo0, fc0\nmov fo1, fc1\n");
    place.write("c.toml", "[constants]\nfc0 = [[1, 0, 0, 1], [0, 1, 0, 1]]\n");
    let arguments = ["render", "v.agal", "two.agal", "--mesh", "triangle", "--constants", "c.toml", "--size", "2"];
    place.run(&[&arguments[..], &["-o", "x.y.png"]].concat()).well();
    assert_eq!(picture(&place, "x.y.png").pixels, [[255, 0, 0, 255]; 4]);
    assert_eq!(picture(&place, "x.y.1.png").pixels, [[0, 255, 0, 255]; 4]);
    let ran = place.run(&[&arguments[..], &["-o", "-"]].concat()).badly(2);
    assert!(ran.err.contains("several render targets"), "{}", ran.err);
}

#[test]
fn what_is_wrong_with_a_scene_is_shown_in_its_line() {
    let place = plain();
    place.write("s.toml", "vertex = \"v.agal\"\nfragment = \"f.agal\"\nmesh = \"tours\"\n");
    let ran = place.run(&["render", "s.toml", "-o", "x.png"]).badly(1);
    assert!(ran.err.contains("error: unknown shape `tours`; did you mean `torus`?"), "{}", ran.err);
    assert!(ran.err.contains("s.toml:3:8"), "{}", ran.err);
    assert!(ran.err.contains("`s.toml` has 1 error; nothing was written"), "{}", ran.err);

    place.write("f.agal", "mov oc, ft0\n");
    place.write("s.toml", "vertex = \"v.agal\"\nfragment = \"f.agal\"\n");
    let ran = place.run(&["render", "s.toml", "-o", "x.png"]).badly(1);
    assert!(ran.err.contains("f.agal:1:9") && ran.err.contains("AGAL3647"), "{}", ran.err);

    place.write("m.obj", "v 0 0 0\nf 1 2 3\n");
    let ran = place.run(&["render", "v.agal", "uv.agal", "--mesh", "m.obj", "-o", "x.png"]).badly(1);
    assert!(ran.err.contains("index 2 is out of range; positions so far: 1"), "{}", ran.err);
    assert!(ran.err.contains("m.obj:2:1"), "{}", ran.err);
    assert!(!place.path("x.png").exists());
}

#[test]
fn a_command_line_that_cannot_be_meant_is_refused() {
    let place = plain();
    place.write("s.toml", "vertex = \"v.agal\"\nfragment = \"f.agal\"\n");
    for (arguments, said) in [
        (&["s.toml", "--mesh", "cube", "-o", "x.png"][..], "--mesh is for a pair"),
        (&["s.toml", "--ifg", "strict", "-o", "x.png"], "under `options`"),
        (&["v.agal", "uv.agal", "--size", "0x4", "-o", "x.png"], "a size is one or two numbers, such as 640x480"),
        (&["v.agal", "uv.agal", "--texture", "fs0", "-o", "x.png"], "write a texture as fs0=file.png"),
        (&["v.agal", "uv.agal", "-o", "v.agal"], "would be overwritten"),
    ] {
        let ran = place.run(&[&["render"], arguments].concat()).badly(2);
        assert!(ran.err.contains(said), "{}", ran.err);
    }
    let ran = place.run(&["render", "v.agal", "-o", "x.png"]).badly(1);
    assert!(ran.err.contains("there is one program; a picture needs a pair"), "{}", ran.err);
}

/// Two pictures that differ in two pixels, one of them by little.
fn two_pictures() -> Place {
    let place = Place::new();
    let mut picture = Picture { width: 10, height: 10, pixels: vec![[100, 100, 100, 255]; 100] };
    place.write("a.png", picture.to_png().expect("a picture"));
    picture.pixels[23] = [101, 100, 100, 255];
    picture.pixels[45] = [110, 100, 100, 255];
    place.write("b.png", picture.to_png().expect("a picture"));
    place
}

#[test]
fn compare_says_in_figures_and_by_its_exit_code_whether_pictures_differ() {
    let place = two_pictures();
    let ran = place.run(&["compare", "a.png", "a.png"]).well();
    assert!(ran.text().contains("differing    0 (0.0000 %) by more than 2"), "{}", ran.text());
    assert!(ran.text().contains("none, they are the same"), "{}", ran.text());

    let ran = place.run(&["compare", "a.png", "b.png", "-o", "d.png"]).badly(1);
    let expected = "pixels       100 (10x10), 0 of them at edges (0.00 %)\n\
                    differing    1 (1.0000 %) by more than 2, 0 of them at edges\n\
                    greatest     10, first at 5, 4; 10 away from edges\n\
                    mean         0.0275\n\
                    psnr         54.11 dB\n\
                    pixels by    2 above 0, 1 above 1, 1 above 2, 1 above 4, 1 above 8\n";
    assert_eq!(ran.text(), expected);
    assert!(ran.err.contains("error: 1.0000 % of the pixels differ by more than 2; 0 % are allowed"), "{}", ran.err);
    let white: Vec<usize> =
        picture(&place, "d.png").pixels.iter().enumerate().filter(|(_, p)| **p == [255; 4]).map(|(at, _)| at).collect();
    assert_eq!(white, [45]);

    place.run(&["compare", "a.png", "b.png", "--allow", "1"]).well();
    place.run(&["compare", "a.png", "b.png", "--allow", "0.99%"]).badly(1);
    place.run(&["compare", "a.png", "b.png", "--threshold", "10"]).well();
    place.run(&["compare", "a.png", "b.png", "--threshold", "0", "--allow", "1.5"]).badly(1);
}

#[test]
fn compare_gives_its_figures_in_json_and_its_picture_to_a_pipe() {
    let place = two_pictures();
    let ran = place.run(&["compare", "a.png", "b.png", "--contrast", "5", "--json"]).badly(1);
    let figures: Value = serde_json::from_str(ran.text()).expect("JSON");
    assert_eq!((&figures["width"], &figures["threshold"], &figures["is_good"]), (&10.into(), &2.into(), &false.into()));
    assert_eq!(
        (&figures["differing"], &figures["differing_at_edges"], &figures["edges"]),
        (&1.into(), &1.into(), &9.into())
    );
    assert_eq!((&figures["greatest"], &figures["greatest_away_from_edges"]), (&10.into(), &1.into()));
    assert_eq!(figures["greatest_at"], serde_json::json!([5, 4]));
    assert_eq!(figures["above"][0], serde_json::json!({ "threshold": 0, "pixels": 2 }));
    let same = place.run(&["compare", "a.png", "a.png", "--format", "json"]).well();
    let figures: Value = serde_json::from_str(same.text()).expect("JSON");
    assert_eq!((&figures["psnr"], &figures["is_good"]), (&Value::Null, &true.into()));

    let ran = place.run(&["compare", "a.png", "b.png", "-o", "-"]).badly(1);
    assert!(Picture::from_png(&ran.out).is_ok(), "nothing but the picture");
}

#[test]
fn compare_refuses_what_cannot_be_compared() {
    let place = two_pictures();
    place.write("c.png", Picture { width: 2, height: 1, pixels: vec![[0; 4]; 2] }.to_png().expect("a picture"));
    place.write("n.png", "no picture");
    let ran = place.run(&["compare", "a.png", "c.png"]).badly(1);
    assert!(ran.err.contains("the pictures have 10x10 and 2x1 pixels"), "{}", ran.err);
    let ran = place.run(&["compare", "a.png", "n.png"]).badly(1);
    assert!(ran.err.contains("`n.png` is not a readable PNG file"), "{}", ran.err);
    let ran = place.run(&["compare", "a.png", "m.png"]).badly(1);
    assert!(ran.err.contains("cannot read `m.png`"), "{}", ran.err);
    let ran = place.run(&["compare", "a.png", "b.png", "--allow", "101"]).badly(2);
    assert!(ran.err.contains("a number from 0 to 100"), "{}", ran.err);
    let ran = place.run(&["compare", "a.png", "b.png", "-o", "b.png"]).badly(2);
    assert!(ran.err.contains("would be overwritten"), "{}", ran.err);
}
