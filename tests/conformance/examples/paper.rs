//! Draws the pictures of docs/internals/paper.md and measures how the pictures differ. interp draws each scene of the paper in
//! 32-bit and in 24-bit floats, and lavapipe draws the scene with agalc's SPIR-V.
//!
//! `cargo run --profile suite -p conformance --example paper` writes interp's pictures in 32 and 24 bits to
//! docs/internals/pictures/paper. The program also writes two difference pictures for each scene, in which each differing pixel
//! is white. One picture compares interp's 24-bit and 32-bit results, and the other picture compares lavapipe with interp.
//!
//! The page docs/internals/paper.md receives a table of how many pixels differ, and by how much. `ONLY=part` draws only the
//! scenes whose names contain `part`, and leaves the page unchanged.

use std::fmt::Write;
use std::path::Path;

use agalc_scene::{Difference, Limits, Picture, Scene};
use conformance::witness::{Code, Vulkan};
use conformance::{Witness, passes, runs};
use sdlbc_interp::{Draw, Float, Pair};
use testing::{PAPER_SCENES, repository, testdata, with_table};

/// The limits for the comparison: every difference counts, and edges have the same definition as in the suite.
const ALL: Limits = Limits { threshold: 0, contrast: 16 };

fn first_target(image: &sdlbc_interp::Image) -> Picture {
    Picture::of(image, 0).expect("a target")
}

fn drawn_by_interp(draw: &Draw, float: Float) -> Picture {
    let pair = Pair::with_float(&draw.module, draw.resources.clone(), float).expect("a pair");
    first_target(&sdlbc_interp::draw(draw, &pair))
}

/// Returns lavapipe's picture, and interp's picture with the corners of triangles snapped as in lavapipe.
fn drawn_by_lavapipe(vulkan: &mut Vulkan, draw: &Draw) -> [Picture; 2] {
    let module = passes::optimised(&draw.module).expect("the module verifies");
    let image = vulkan.draw(&Draw { module, ..draw.clone() }).unwrap_or_else(|failure| panic!("{failure:?}"));
    let own = vulkan.subpixel_bits().map_or_else(|| runs::exact(draw), |bits| runs::snapped(draw, bits));
    [first_target(&image), first_target(&own.unwrap_or_else(|error| panic!("{error}")))]
}

fn difference(first: &Picture, second: &Picture) -> Difference {
    agalc_scene::compare(first, second, ALL).expect("one size")
}

/// Returns four table cells: the share of pixels that differ, the share of differing pixels at edges, the number of pixels that
/// differ by more than one step of 1/255, and the greatest difference in steps.
fn figures(difference: &Difference) -> String {
    let percent = |part: usize, of: usize| 100.0 * part as f64 / of.max(1) as f64;
    let at_edges = match difference.differing {
        0 => "–".to_string(),
        differing => format!("{:.0} %", percent(difference.at_edges, differing)),
    };
    let share = percent(difference.differing, difference.pixels);
    let visible = difference.above.iter().find(|above| above.threshold == 1).map_or(0, |above| above.pixels);
    format!("{share:.2} % | {at_edges} | {visible} | {}", difference.greatest)
}

fn save(folder: &Path, name: &str, picture: &Picture) {
    let bytes = picture.to_png().unwrap_or_else(|error| panic!("{name}: {error:?}"));
    let path = folder.join(format!("{name}.png"));
    if std::fs::read(&path).ok().as_ref() != Some(&bytes) {
        std::fs::write(&path, bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
}

fn main() {
    let mut vulkan = Vulkan::new(Code::Spirv).unwrap_or_else(|error| panic!("{error}"));
    eprintln!("{}", vulkan.adapter());
    let pictures = repository().join("docs/internals/pictures/paper");
    std::fs::create_dir_all(&pictures).unwrap_or_else(|error| panic!("{}: {error}", pictures.display()));
    let only = std::env::var("ONLY").unwrap_or_default();
    let columns = "pixels that differ | of these at edges | pixels by more than 1 | greatest";
    let mut table = format!("| scene | 24 bits: {columns} | lavapipe: {columns} |\n|{}\n", "---|".repeat(9));
    for (title, folder) in PAPER_SCENES.into_iter().filter(|(_, folder)| folder.contains(&only)) {
        let name = folder.trim_start_matches("paper_");
        let path = testdata("scenes").join(folder).join("scene.toml");
        let draw = Scene::load(&path).unwrap_or_else(|error| panic!("{error}")).draw;
        let [wide, narrow] = [Float::F32, Float::F24].map(|float| drawn_by_interp(&draw, float));
        let [theirs, own] = drawn_by_lavapipe(&mut vulkan, &draw);
        let [of_widths, of_devices] = [difference(&wide, &narrow), difference(&own, &theirs)];
        save(&pictures, name, &wide);
        save(&pictures, &format!("{name}_24"), &narrow);
        save(&pictures, &format!("{name}_24_difference"), &of_widths.picture);
        save(&pictures, &format!("{name}_lavapipe_difference"), &of_devices.picture);
        let _ = writeln!(table, "| {title} | {} | {} |", figures(&of_widths), figures(&of_devices));
    }
    println!("{table}");
    if only.is_empty() {
        let path = repository().join("docs/internals/paper.md");
        let page = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        std::fs::write(&path, with_table(&page, "<!-- table: pictures", &table))
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
}
