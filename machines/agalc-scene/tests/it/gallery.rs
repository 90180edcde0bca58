//! Checks that docs/gallery.md shows every scene with its description and an existing picture, and that no picture is unused.

use std::collections::BTreeSet;

use agalc_scene::{Picture, Scene};
use testing::{Effort, repository};

fn names(folder: &str) -> BTreeSet<String> {
    let folder = repository().join(folder);
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect()
}

/// Returns the pictures in docs/pictures, except those in subfolders, which belong to other pages.
fn pictures() -> BTreeSet<String> {
    let folder = repository().join("docs/pictures");
    names("docs/pictures").into_iter().filter(|name| folder.join(name).is_file()).collect()
}

fn page() -> String {
    std::fs::read_to_string(repository().join("docs/gallery.md")).expect("the page")
}

#[test]
fn the_gallery_shows_every_picture_once() {
    let page = page();
    let named =
        page.split("](pictures/").skip(1).filter_map(|rest| rest.split_once(')')).map(|(name, _)| name.to_string());
    let named: Vec<String> = named.collect();
    let once: BTreeSet<String> = named.iter().cloned().collect();
    assert_eq!(named.len(), once.len(), "a picture is shown twice");
    assert_eq!(once, pictures());
    let scenes: BTreeSet<String> = names("testdata/scenes").iter().map(|name| format!("{name}.png")).collect();
    assert_eq!(once, scenes);
}

#[cfg(feature = "es2")]
#[test]
fn the_gallery_repeats_each_scenes_description() {
    let page = page();
    for name in Effort::part_of("SCENES", &Vec::from_iter(names("testdata/scenes"))) {
        let scene = Scene::load(repository().join("testdata/scenes").join(name).join("scene.toml"));
        let about = scene.unwrap_or_else(|error| panic!("{error}")).about;
        let row =
            format!("| ![{name}](pictures/{name}.png) | [{name}](../testdata/scenes/{name}/scene.toml): {about} |\n");
        assert!(page.contains(&row), "docs/gallery.md has no row\n{row}");
    }
}

#[test]
fn the_gallerys_pictures_are_small_and_not_blank() {
    let mut bytes = 0;
    for name in pictures() {
        let file = std::fs::read(repository().join("docs/pictures").join(&name)).expect("a file");
        bytes += file.len();
        let picture = Picture::from_png(&file).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(picture.width <= 512 && picture.height <= 512, "{name}: {}x{}", picture.width, picture.height);
        let colours: BTreeSet<[u8; 4]> = picture.pixels.iter().copied().collect();
        assert!(colours.len() > 8, "{name} has {} colours", colours.len());
    }
    assert!(bytes < 2 << 20, "{bytes} bytes");
}
