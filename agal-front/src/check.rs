//! Everything that there is to say about one program or about a pair: validation, linkage, limits of a profile, lints.
//!
//! Rule: findings stand in the player's order, program by program as it uploads them (vertex program first), then what
//! it asks when it links them. The first for which it refuses is marked.

use crate::finding::{Finding, Level};
use crate::lift::{Options, translate};
use crate::link::link;
use crate::lint::{lint, lint_pair};
use crate::native::native_limits;
use crate::program::Program;
use crate::register::Stage;
use crate::rules::Rules;
use crate::validate::validate;

/// The findings of one program, or of a vertex and a fragment program as a pair: a list for each, in the order given.
/// Each is judged by the rules, and at most one is marked as the one for which the player refuses.
///
/// They are the same as [`translate`]'s, since some of them show in translation alone.
pub fn check(programs: &[&Program], rules: &Rules) -> Vec<Vec<Finding>> {
    let options = Options { rules: rules.clone(), ..Options::default() };
    translate(programs, &options).map_or_else(|findings| findings, |lifted| lifted.findings)
}

/// The findings that do not need translation, not judged yet.
pub(crate) fn examine(programs: &[&Program], rules: &Rules) -> Vec<Vec<Finding>> {
    let mut validated: Vec<_> = programs.iter().map(|program| validate(program, rules)).collect();
    let linkage = link(programs, &validated);
    let mut upload: Vec<usize> = (0..programs.len()).collect();
    upload.sort_by_key(|&index| programs[index].stage);
    let mut stopped = upload.into_iter().any(|index| mark_stop(&mut validated[index].findings));
    let mut findings: Vec<Vec<Finding>> = validated.into_iter().map(|validated| validated.findings).collect();
    for (index, mut finding) in linkage {
        stopped = stopped || mark_stop(std::slice::from_mut(&mut finding));
        findings[index].push(finding);
    }
    for (program, findings) in programs.iter().zip(&mut findings) {
        let sound = is_sound(findings);
        if let Some(profile) = rules.profile {
            findings.extend(native_limits(program, profile));
        }
        // A lint of a program that means nothing means nothing either.
        if rules.lints && sound {
            findings.extend(lint(program));
        }
    }
    if let [a, b] = programs[..]
        && rules.lints
        && a.stage != b.stage
        && findings.iter().all(|findings| is_sound(findings))
    {
        let (vertex, of_vertex) = if a.stage == Stage::Vertex { (a, 0) } else { (b, 1) };
        let fragment = if of_vertex == 0 { b } else { a };
        findings[of_vertex].extend(lint_pair(vertex, fragment));
    }
    findings
}

/// Whether a program with these findings means something.
pub(crate) fn is_sound(findings: &[Finding]) -> bool {
    findings.iter().all(|finding| finding.kind.level() != Level::Error)
}

/// Marks the first finding for which the player refuses; whether there is one.
pub(crate) fn mark_stop(findings: &mut [Finding]) -> bool {
    let refuses = |finding: &&mut Finding| finding.kind.is_flash() && finding.kind.level() != Level::Warning;
    let first = findings.iter_mut().find(refuses);
    first.map(|finding| finding.stops_player = true).is_some()
}
