//! What is wrong with a scene, and what else was found in it, as data.

use agalc::Severity;
use agalc::render::{Level, Problem, Source, of_error, shown, warning};
use agalc_wasm_bridge::Refused;

/// Why a scene cannot be read.
pub(crate) fn refused(error: &agalc_scene::Error) -> Refused {
    Refused::of(of_scene_error(error))
}

fn of_scene_error(error: &agalc_scene::Error) -> Vec<Problem> {
    if let agalc_scene::ErrorKind::Program(error) = &*error.kind {
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
pub(crate) fn of_scene(scene: &agalc_scene::Scene) -> Vec<Problem> {
    let findings = scene.warned.iter().flat_map(|warned| {
        let name = shown::name(&warned.file);
        let source = Source::new(&name, warned.text.as_deref(), None);
        let problem = |finding| Problem::finding(&source, finding, &source.finding(finding));
        warned.findings.iter().map(problem).collect::<Vec<_>>()
    });
    findings.chain(scene.warnings.iter().map(|found| warning(found, Severity::Warning).problem())).collect()
}
