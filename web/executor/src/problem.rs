//! What is wrong with a scene, and what else was found in it, as data.

use agalc::render::{Source, shown};

pub(crate) use crate::interim::{Level, Problem, problems};
use crate::interim::{of_error, of_findings, of_warnings};

/// Why a scene cannot be read.
pub(crate) fn of_scene_error(error: &scene::Error) -> Vec<Problem> {
    if let scene::ErrorKind::Program(error) = &*error.kind {
        return of_error(error);
    }
    let name = &*shown::name(&error.file);
    let problem = Problem::new(Level::Error, error.kind.to_string());
    let problem = if name.is_empty() { problem } else { problem.about(name) };
    let source = Source::new(name, error.text.as_deref(), None);
    vec![match &error.place {
        Some(place) => problem.at(&source, place.span.clone()),
        None => problem,
    }]
}

/// What was found in the programs of a scene that can be drawn.
pub(crate) fn of_scene(scene: &scene::Scene) -> Vec<Problem> {
    let findings = scene.warned.iter().flat_map(|warned| {
        of_findings(&Source::new(&shown::name(&warned.file), warned.text.as_deref(), None), &warned.findings)
    });
    findings.chain(of_warnings(&scene.warnings)).collect()
}
