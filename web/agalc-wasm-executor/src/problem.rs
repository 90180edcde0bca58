//! Converts the errors and findings of scenes to structured data.

use agalc::render::{Level, Problem, SourceFile, of_error, remarks, shown};
use agalc_wasm_bridge::{Refused, wording};

/// Returns the error for a scene that cannot be read.
pub(crate) fn refused(error: &agalc_scene::Error) -> Refused {
    Refused::of(of_scene_error(error))
}

fn of_scene_error(error: &agalc_scene::Error) -> Vec<Problem> {
    if let agalc_scene::ErrorKind::Program(error) = &*error.kind {
        return of_error(error, wording);
    }
    let name = &*shown::name(&error.file);
    let problem = Problem::new(Level::Error, error.kind.to_string());
    let problem = if name.is_empty() { problem } else { problem.about(name) };
    let source = SourceFile::new(name, error.text.as_deref());
    vec![match &error.place {
        Some(place) => problem.at(&source, place.span.clone()),
        None => problem,
    }]
}

/// Returns the findings about the programs of a scene that can be drawn.
pub(crate) fn of_scene(scene: &agalc_scene::Scene) -> Vec<Problem> {
    remarks(&scene.warned, &scene.warnings, wording)
}
