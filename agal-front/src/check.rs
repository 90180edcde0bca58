//! Runs all checks of a program or of a pair, including the checks that the translation performs.

pub use crate::examine::examine;
use crate::finding::Finding;
use crate::lift::{Options, translate};
use crate::program::Program;
use crate::rules::Rules;

/// Returns the findings for one program, or for a vertex and a fragment program as a pair: one list for each program, in the
/// order given.
///
/// The rules set the severity of each finding. At most one finding is marked as the point at which the player refuses the
/// programs. [`translate`] reports the same findings.
pub fn check(programs: &[&Program], rules: &Rules) -> Vec<Vec<Finding>> {
    let options = Options::default().rules(rules.clone());
    translate(programs, &options).map_or_else(|findings| findings, |lifted| lifted.findings)
}
