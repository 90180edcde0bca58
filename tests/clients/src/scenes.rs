//! The scenes that every client draws, and the comparison of each client's pictures with the pictures of `agalc render`.

use std::path::PathBuf;

use agalc::names::Names;
use agalc_scene::Scene;
use conformance::pictures::{self, Worst};
use sdlbc_interp::{Draw, Image};
use testing::repository;

/// The folders of three scenes: a textured, lit mesh; a skinned mesh whose shader indexes its bones dynamically; and a mesh drawn
/// to two targets.
pub const SCENES: [&str; 3] = ["examples/lit", "testdata/scenes/skinning", "tests/clients/scenes/two_targets"];

/// The scenes whose constants fit in a push constant range of 128 bytes, the size that every device supports.
pub const SMALL: [&str; 2] = [SCENES[0], SCENES[2]];

/// The path of the scene that the programs in `examples` draw.
pub const SQUARE: &str = "examples/lit/square.toml";

/// Reads a scene from a file, or from the `scene.toml` of a folder.
///
/// # Errors
/// Returns the first error in one of the scene's files.
pub fn load(path: &str) -> Result<Scene, String> {
    let path = repository().join(path);
    let path = if path.is_dir() { path.join("scene.toml") } else { path };
    Scene::load(path).map_err(|error| error.to_string())
}

/// Reads the names of a scene's registers from `names.toml` in the scene's folder. Every scene in [`SMALL`] has a `names.toml`.
///
/// # Errors
/// Returns an error if the file cannot be read or is not valid.
pub fn names(folder: &str) -> Result<Names, String> {
    let path = repository().join(folder).join("names.toml");
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    Names::from_toml(&text, &path.display().to_string()).map_err(|errors| format!("{errors:?}"))
}

/// A client's picture: for each target, the pixels row by row from the top, with four bytes per pixel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Targets(pub Vec<Vec<u8>>);

impl Targets {
    fn image(&self, width: u32, height: u32) -> Image {
        let pixel = |pixel: &[u8; 4]| pixel.map(|part| f32::from(part) / 255.0);
        let target = |bytes: &Vec<u8>| bytes.as_chunks().0.iter().map(pixel).collect();
        Image { width, height, targets: self.0.iter().map(target).collect(), depth: None }
    }
}

/// Draws the scenes with a client and compares each picture with interp's picture, which `agalc render` also outputs. Prints a
/// line for each scene, and stores the pictures in `target/clients`.
///
/// # Panics
/// Panics if a picture cannot be drawn or differs too much from interp's picture.
pub fn hold(client: &str, folders: &[&str], mut draw: impl FnMut(&str, &Draw) -> Result<Targets, String>) {
    let mut failures = Vec::new();
    for folder in folders {
        match compare(client, folder, &mut draw) {
            Ok(worst) => {
                println!("{client}: {folder}: {worst} (away from edges, of 255; share of the picture that differs)");
                if !worst.agrees() {
                    failures.push(format!("{folder}: the picture differs by {worst}"));
                }
            }
            Err(error) => failures.push(format!("{folder}: {error}")),
        }
    }
    assert!(failures.is_empty(), "{client}:\n{}", failures.join("\n"));
}

fn compare(
    client: &str,
    folder: &str,
    draw: &mut impl FnMut(&str, &Draw) -> Result<Targets, String>,
) -> Result<Worst, String> {
    let scene = load(folder)?;
    let drawn = draw(folder, &scene.draw)?.image(scene.draw.width, scene.draw.height);
    if drawn.targets.len() != scene.draw.targets {
        return Err(format!("{} targets instead of {}", drawn.targets.len(), scene.draw.targets));
    }
    let own = conformance::runs::exact(&scene.draw)?;
    let (own_seen, seen) = (pictures::seen(&own, &own), pictures::seen(&drawn, &own));
    for (other, name) in own_seen.iter().map(|seen| (seen, "interp")).chain(seen.iter().map(|seen| (seen, client))) {
        keep(folder, &format!("{name}{}", other.name), &other.picture)?;
    }
    let mut all = Worst::default();
    for (worst, _) in pictures::compare(&own_seen, &seen)? {
        all = all.with(worst);
    }
    Ok(all)
}

fn keep(folder: &str, name: &str, picture: &agalc_scene::Picture) -> Result<(), String> {
    let scene = PathBuf::from(folder);
    let scene = scene.file_name().unwrap_or_default();
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../target/clients").join(scene);
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let bytes = picture.to_png().map_err(|error| error.to_string())?;
    let file = folder.join(format!("{}.png", name.replace([' ', ','], "-")));
    std::fs::write(&file, bytes).map_err(|error| format!("{}: {error}", file.display()))
}
