//! The programs of docs/sdl.md, docs/vulkan.md and docs/webgl.md draw the same picture of a square as `agalc render`.
//!
//! The tests in this file translate the shaders with the library. `cli/tests/it/pages.rs` checks that the commands on the three
//! pages write the same shaders.

use std::path::Path;
use std::process::Command;

use agalc::{Code, Shader};
use backends::{Glsl, Layout, Target};
use clients::scenes::{SQUARE, Targets, hold};
use clients::webgl::draw_example;
use testing::repository;

/// Returns the names and contents of the files that `agalc compile` would write for the pair in examples/lit.
fn files(target: Target, layout: &str, ending: &str) -> Vec<(String, Vec<u8>)> {
    let read = |name| std::fs::read(repository().join("examples/lit").join(name)).expect("a program");
    let shader = Shader::pair(read("vertex.agal"), read("fragment.agal")).expect("a pair");
    let written = shader.write(target, &Layout::named(layout).expect("the layout")).expect("the files");
    let file = written.into_iter().map(|written| {
        let stage = match written.stage {
            Some(sdlbc::FunctionKind::Vertex) => ".vert",
            Some(_) => ".frag",
            None => "",
        };
        let bytes = match written.output.code {
            Code::Text(text) => text.into_bytes(),
            Code::Words(words) => words.into_iter().flat_map(u32::to_le_bytes).collect(),
        };
        (format!("lit{stage}.{ending}"), bytes)
    });
    file.collect()
}

/// Runs an example in a folder that contains its shaders, and returns the picture that the example writes.
fn run(example: &str, layout: &str) -> Result<Targets, String> {
    conformance::witness::switch();
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    for (name, bytes) in files(Target::Spirv, layout, "spv") {
        std::fs::write(folder.path().join(name), bytes).map_err(|error| error.to_string())?;
    }
    // Cargo builds the examples along with the tests, into a folder next to the tests' folder.
    let test = std::env::current_exe().map_err(|error| error.to_string())?;
    let program = test.ancestors().nth(2).unwrap_or(Path::new("")).join("examples").join(example);
    let mut command = Command::new(&program);
    let ran = command.current_dir(folder.path()).env("SDL_VIDEO_DRIVER", "offscreen").output();
    let ran = ran.map_err(|error| format!("{}: {error}", program.display()))?;
    if !ran.status.success() {
        return Err(String::from_utf8_lossy(&ran.stderr).into_owned());
    }
    let picture = std::fs::read(folder.path().join("lit.ppm")).map_err(|error| error.to_string())?;
    let pixels = picture.strip_prefix(b"P6 256 256 255\n").ok_or("no picture")?;
    Ok(Targets(vec![pixels.as_chunks().0.iter().flat_map(|&[r, g, b]| [r, g, b, 255]).collect()]))
}

#[test]
fn the_sdl_program_draws_the_square() {
    hold("the SDL program", &[SQUARE], |_, _| run("sdl", "sdl-gpu"));
}

#[test]
fn the_vulkan_program_draws_the_square() {
    hold("the Vulkan program", &[SQUARE], |_, _| run("vulkan", "vulkan"));
}

#[test]
fn the_page_draws_the_square() {
    let text = |name: &str| {
        let files = files(Target::Glsl(Glsl::Es300), "webgl2", "glsl");
        let (_, bytes) = files.into_iter().find(|(of, _)| of == name).expect("a file");
        String::from_utf8(bytes).expect("text")
    };
    hold("the page", &[SQUARE], |_, draw| {
        draw_example(text("lit.vert.glsl"), text("lit.frag.glsl"), draw.width as usize)
    });
}
