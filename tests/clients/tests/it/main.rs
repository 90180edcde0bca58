//! Tests that each client draws the scenes of [`clients::scenes`] correctly.

mod draws;
mod examples;

use backends::{Layout, Passed, Target};
use clients::scenes;
use clients::shader::{STAGES, Translated};
use sdlbc_interp::Draw;

/// Translates the shaders of a scene, with or without names. This function also checks how the constants are passed, because
/// no picture shows that.
fn translate<'a>(
    folder: &str,
    draw: &'a Draw,
    target: Target,
    layout: &Layout,
    passed: Passed,
    named: bool,
) -> Result<Translated<'a>, String> {
    let translated = match named {
        true => Translated::named(draw, &scenes::names(folder)?, target, layout)?,
        false => Translated::new(draw, target, layout)?,
    };
    for stage in STAGES {
        let blocks = translated.blocks(stage)?;
        let members: Vec<&str> =
            blocks.iter().flat_map(|block| block.members).map(|member| member.name.as_str()).collect();
        assert_eq!(members.contains(&"clip") || members.contains(&"light"), named, "{folder}: {members:?}");
        assert!(!blocks.is_empty() && blocks.iter().all(|block| block.passed == passed), "{folder}: {blocks:?}");
    }
    let attributes = translated.vertices()?.attributes;
    let matches = attributes.iter().any(|attribute| attribute.name == "normal" && attribute.width == 3);
    assert_eq!(matches, named, "{folder}: {attributes:?}");
    Ok(translated)
}
