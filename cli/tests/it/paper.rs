//! Tests the scenes of docs/internals/paper.md. The scenes must cause no findings and have the stated number of faces, and their
//! AGAL versions must draw the same pictures. `UPDATE_EXPECT=1` updates the tables on the page.

use std::fmt::Write;
use std::path::PathBuf;

use agalc::{DebugLevel, Input, Layout, Options, Shader};
use agalc_scene::{Limits, Picture, Scene, compare};
use sdlbc_interp::{Float, Pair};
use testing::{Effort, PAPER_SCENES, expect, repository, testdata, with_table};

/// The numbers of faces, vertex instructions and fragment instructions of each scene, as the paper states them. For the first
/// three scenes, the paper states no numbers and shows only pictures.
const SAID: [Option<(usize, usize, usize)>; 8] = [
    None,
    None,
    None,
    Some((960, 15, 25)),
    Some((32, 12, 5)),
    Some((32, 12, 5)),
    Some((32, 12, 7)),
    Some((32, 14, 33)),
];

/// Returns the paths of the vertex program and the fragment program in a folder. `language` is their extension, `es2` or `agal`.
fn programs(folder: &str, language: &str) -> [PathBuf; 2] {
    let path = testdata("scenes").join(folder);
    ["vert", "frag"].map(|stage| {
        let mut files = testing::files(&path, &format!(".{stage}.{language}"));
        assert_eq!(files.len(), 1, "{folder} has one {stage} program in {language}");
        files.remove(0)
    })
}

/// Compiles the pair in a folder, and omits debug information.
fn shader(folder: &str, language: &str) -> Shader {
    let input = |path: &PathBuf| {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        Input { name, bytes: std::fs::read(path).expect("the program") }
    };
    let options = Options::default().debug(DebugLevel::None);
    Shader::new(&programs(folder, language).each_ref().map(input), &options).expect("a pair")
}

fn load(folder: &str, file: &str) -> Scene {
    Scene::load(testdata("scenes").join(folder).join(file)).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn the_programs_have_no_findings_in_either_language() {
    for (_, folder) in PAPER_SCENES {
        let shader = shader(folder, "es2");
        assert_eq!(shader.programs().len(), 2, "{folder}");
        for program in shader.programs() {
            assert_eq!(program.findings, [], "{folder}: {}", program.name);
        }
        assert_eq!(load(folder, "agal.toml").warned.iter().flat_map(|warned| &warned.findings).count(), 0, "{folder}");
    }
}

#[test]
fn the_meshes_have_as_many_faces_as_in_the_paper() {
    for ((_, folder), said) in PAPER_SCENES.into_iter().zip(SAID) {
        let draw = load(folder, "scene.toml").draw;
        assert_eq!([draw.width, draw.height], [320, 240], "{folder}");
        if let Some((faces, ..)) = said {
            assert_eq!(draw.indices.len(), 3 * faces, "{folder}");
        }
    }
}

/// Draws a scene with the module interpreter.
fn drawn(scene: &Scene, float: Float) -> Picture {
    let pair = Pair::with_float(&scene.draw.module, scene.draw.resources.clone(), float).expect("a pair");
    Picture::of(&sdlbc_interp::draw(&scene.draw, &pair), 0).expect("a target")
}

/// The highlight's exponent is 0, so LIT computes 0 to the power of 0 outside the highlight. In 24-bit floats, the logarithm of 0
/// is the lowest float, because the product of an infinity and the exponent 0 would be NaN.
#[test]
fn gloss_without_an_exponent_differs_in_24_bits_by_its_rounding_alone() {
    let mut scene = load("paper_gloss", "scene.toml");
    let uniforms = &mut scene.draw.resources.uniforms;
    let words = uniforms.get_mut(&(sdlbc::FunctionKind::Fragment, "u".to_string())).expect("the uniforms");
    words[60..64].copy_from_slice(&[0.0f32, 0.0, 1.0, 0.0].map(f32::to_bits));
    let [wide, narrow] = [Float::F32, Float::F24].map(|float| drawn(&scene, float));
    let difference = compare(&wide, &narrow, Limits { threshold: 1, ..Limits::default() }).expect("one size");
    assert!(
        difference.differing <= 4,
        "{} pixels, by up to {}: {:?}",
        difference.differing,
        difference.greatest,
        difference.above
    );
}

#[test]
fn the_same_programs_in_agal_draw_the_same_pictures() {
    for (_, folder) in Effort::part_of("SCENES", &PAPER_SCENES) {
        let [own, twin] = ["scene.toml", "agal.toml"].map(|file| load(folder, file));
        assert!(own.agal.is_none() && twin.agal.is_some(), "{folder}");
        assert_eq!(own.draw.indices, twin.draw.indices, "{folder}");
        let [own, twin] = [own, twin].map(|scene| drawn(&scene, Float::F32));
        let difference = compare(&own, &twin, Limits::default()).expect("one size");
        assert!(difference.greatest <= 1, "{folder}: {} at {:?}", difference.greatest, difference.at);
    }
}

#[test]
fn the_page_shows_each_picture_once_and_they_are_what_interp_draws() {
    let page = std::fs::read_to_string(repository().join("docs/internals/paper.md")).expect("the page");
    let shown = page.split("](pictures/paper/").skip(1).filter_map(|rest| rest.split_once(')'));
    let mut shown: Vec<&str> = shown.map(|(name, _)| name).collect();
    shown.sort_unstable();
    let pictures = repository().join("docs/internals/pictures/paper");
    let there = testing::files(&pictures, "");
    let there: Vec<_> = there.iter().filter_map(|path| path.file_name()?.to_str()).collect();
    assert_eq!(shown, there);
    let read = |name: &str| {
        let bytes =
            std::fs::read(pictures.join(format!("{name}.png"))).unwrap_or_else(|error| panic!("{name}: {error}"));
        Picture::from_png(&bytes).expect("a picture")
    };
    for (_, folder) in PAPER_SCENES {
        let name = folder.trim_start_matches("paper_");
        let scene = load(folder, "scene.toml");
        let [wide, narrow] = [Float::F32, Float::F24].map(|float| drawn(&scene, float));
        let difference = compare(&wide, &narrow, Limits { threshold: 0, ..Limits::default() }).expect("one size");
        let found = [(wide, ""), (narrow, "_24"), (difference.picture, "_24_difference")];
        for (found, ending) in found {
            assert!(
                read(&format!("{name}{ending}")) == found,
                "tests/conformance/examples/paper.rs renews {name}{ending}.png"
            );
        }
    }
}

/// Returns the instruction table and the size table of docs/internals/paper.md.
fn tables() -> [String; 2] {
    let mut instructions = String::from(
        "| scene | faces | vertex: paper | ours | in AGAL | fragment: paper | ours | in AGAL |\n|---|---|---|---|---|---|---|---|\n",
    );
    let mut sizes = String::from(
        "| scene | unified set | AGAL | SDLSHADERBC | SPIR-V | instructions of SPIR-V |\n|---|---|---|---|---|---|\n",
    );
    for ((title, folder), said) in PAPER_SCENES.into_iter().zip(SAID) {
        let [vertex, fragment] = said.map_or(["–".to_string(), "–".to_string()], |(_, vertex, fragment)| {
            [vertex, fragment].map(|count| count.to_string())
        });
        let [own, twin] = ["es2", "agal"].map(|language| shader(folder, language));
        let ours: Vec<usize> = own.programs().iter().filter_map(agalc::Program::instructions).collect();
        let tokens: Vec<usize> = twin.programs().iter().filter_map(agalc::Program::instructions).collect();
        let faces = load(folder, "scene.toml").draw.indices.len() / 3;
        let spirv = own.spirv(&Layout::default()).expect("SPIR-V");
        // Writing to a string cannot fail.
        let _ = writeln!(
            instructions,
            "| {title} | {faces} | {vertex} | {} | {} | {fragment} | {} | {} |",
            ours[0], tokens[0], ours[1], tokens[1]
        );
        let _ = writeln!(
            sizes,
            "| {title} | {} | {} | {} | {} | {} |",
            own.programs().iter().filter_map(agalc::Program::encode).map(|bytes| bytes.len()).sum::<usize>(),
            twin.programs().iter().filter_map(agalc::Program::encode).map(|bytes| bytes.len()).sum::<usize>(),
            own.sdlbc().len(),
            spirv.len() * 4,
            spirv_instructions(&spirv),
        );
    }
    [instructions, sizes]
}

/// Counts the instructions of a SPIR-V module. The upper 16 bits of an instruction's first word are the instruction's length in
/// words.
fn spirv_instructions(words: &[u32]) -> usize {
    let (mut at, mut count) = (5, 0);
    while let Some(word) = words.get(at) {
        at += (word >> 16).max(1) as usize;
        count += 1;
    }
    count
}

#[test]
fn the_page_has_the_counts_and_sizes_of_the_programs() {
    let [instructions, sizes] = tables();
    let page = std::fs::read_to_string(repository().join("docs/internals/paper.md")).expect("the page");
    let page = with_table(&page, "<!-- table: instructions", &instructions);
    let page = with_table(&page, "<!-- table: sizes", &sizes);
    expect("docs/internals/paper.md", &page).unwrap_or_else(|difference| panic!("{difference}"));
}
