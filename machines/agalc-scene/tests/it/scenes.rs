//! Tests that each scene of testdata/scenes can be read, produces the same draw each time, and has no finding that the player
//! would report as an error.

use std::path::PathBuf;
use std::sync::LazyLock;

use agal_front::Compat;
use agalc_scene::Scene;
use sdlbc::{FunctionKind, InputKind};
use testing::{Effort, testdata};

fn scenes() -> Vec<(String, PathBuf)> {
    let folder = testdata("scenes");
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut scenes: Vec<(String, PathBuf)> = entries
        .map(|entry| entry.expect("an entry"))
        .map(|entry| (entry.file_name().to_string_lossy().into_owned(), entry.path().join("scene.toml")))
        .collect();
    scenes.sort();
    assert!(!scenes.is_empty());
    scenes
}

/// The loaded scenes: all scenes, or only some of the scenes in a quick run.
static LOADED: LazyLock<Vec<(String, Scene)>> = LazyLock::new(|| {
    let load = |path: &PathBuf| Scene::load(path).unwrap_or_else(|error| panic!("{error}"));
    Effort::part_of("SCENES", &scenes()).into_iter().map(|(name, path)| (name.clone(), load(path))).collect()
});

#[cfg(feature = "es2")]
#[test]
fn every_scene_loads_and_is_deterministic() {
    for (name, scene) in LOADED.iter() {
        assert!(!scene.about.is_empty(), "{name} has no description");
        assert_eq!(sdlbc::verify(&scene.draw.module), Ok(()), "{name}");
        let vertices = scene.draw.attributes.values().map(Vec::len).min().unwrap_or(usize::MAX);
        assert!(scene.draw.indices.iter().all(|&index| (index as usize) < vertices), "{name}");
    }
    for (name, path) in Effort::part_of("SCENES", &scenes()) {
        let first = &LOADED.iter().find(|(loaded, _)| loaded == name).expect("it is loaded").1;
        let second = Scene::load(path).unwrap_or_else(|error| panic!("{error}"));
        assert!(first.draw == second.draw, "{name}");
    }
}

#[cfg(feature = "es2")]
#[test]
fn the_player_accepts_every_scene() {
    let mut refused = Vec::new();
    for (name, scene) in LOADED.iter() {
        let Some([vertex, fragment]) = &scene.agal else { continue };
        let rules = scene.options.rules.clone().compat(Compat::Player);
        for finding in agal_front::check::check(&[vertex, fragment], &rules).into_iter().flatten() {
            refused.push(format!("{name}: {:?}: {}", finding.place.instruction, finding.kind));
        }
        refused.extend(
            scene.warned.iter().flat_map(|warned| &warned.findings).map(|found| format!("{name}: {}", found.message)),
        );
    }
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}

#[cfg(feature = "es2")]
#[test]
fn every_constant_that_a_scene_reads_is_set() {
    for (name, scene) in LOADED.iter() {
        for function in &scene.draw.module.functions {
            let has = |input: &&sdlbc::Input| input.kind == InputKind::Uniform;
            for input in function.inputs.iter().filter(has) {
                let key = (function.kind, input.name.clone());
                assert!(scene.draw.resources.uniforms.contains_key(&key), "{name}: {key:?}");
            }
        }
        assert!(scene.draw.module.functions.iter().any(|function| function.kind == FunctionKind::Vertex));
    }
}
