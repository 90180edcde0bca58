//! Runs the checks that do not need translation on a program or a pair: validation, linkage, profile limits and lints.
//!
//! Rule: findings are listed in the order of the player's checks. The player checks the vertex program, then the fragment
//! program, and then links the pair. The first finding for which the player refuses the programs is marked.

use sdlbc::Few;

use crate::finding::{Finding, Level};
use crate::kept::Findings;
use crate::link::link;
use crate::lint::{lint, lint_pair};
use crate::native::native_limits;
use crate::program::Program;
use crate::register::Stage;
use crate::rules::Rules;
use crate::validate::validate;

/// Returns the findings of the checks that do not need translation, with their default severities.
/// [`translate`](crate::lift::translate) begins with these checks.
pub fn examine(programs: &[&Program], rules: &Rules) -> Vec<Vec<Finding>> {
    let mut validated: Vec<_> = programs.iter().map(|program| validate(program, rules)).collect();
    let linkage = link(programs, &validated);
    let mut all: Vec<(usize, Finding)> = Vec::new();
    for stage in [Stage::Vertex, Stage::Fragment] {
        for (index, (_, validated)) in
            programs.iter().zip(&mut validated).enumerate().filter(|(_, (program, _))| program.stage == stage)
        {
            all.extend(std::mem::take(&mut validated.findings).into_iter().map(|found| (index, found)));
        }
    }
    all.extend(linkage);
    let refuses = |found: &Finding| found.kind.is_flash() && found.kind.level() != Level::Warning;
    if let Some((_, first)) = all.iter_mut().find(|(_, found)| refuses(found)) {
        first.stops_player = true;
    }
    let of = |index: usize| all.iter().filter(move |(of, _)| *of == index).map(|(_, found)| found);
    let sound: Few<bool> = (0..programs.len()).map(|index| is_sound(of(index))).collect();
    for (index, (program, &sound)) in programs.iter().zip(&sound).enumerate() {
        if let Some(profile) = rules.profile {
            all.extend(native_limits(program, profile).into_iter().map(|found| (index, found)));
        }
        // Lints are skipped if the program has an error that the caller cannot allow.
        if rules.lints && sound {
            all.extend(lint(program).into_iter().map(|found| (index, found)));
        }
    }
    if let [a, b] = programs[..]
        && rules.lints
        && a.stage != b.stage
        && sound.iter().all(|&sound| sound)
    {
        let (of_vertex, vertex, fragment) = if a.stage == Stage::Vertex { (0, a, b) } else { (1, b, a) };
        all.extend(lint_pair(vertex, fragment).into_iter().map(|found| (of_vertex, found)));
    }
    let mut findings: Vec<Findings> = programs.iter().map(|_| Findings::default()).collect();
    for ((index, found), order) in all.into_iter().zip(1..) {
        if let Some(findings) = findings.get_mut(index) {
            findings.push(Finding { order, ..found });
        }
    }
    findings.into_iter().map(Findings::into_list).collect()
}

/// Returns false if any finding is an error that the caller cannot allow.
pub(crate) fn is_sound<'f>(findings: impl IntoIterator<Item = &'f Finding>) -> bool {
    findings.into_iter().all(|finding| finding.kind.level() != Level::Error)
}
