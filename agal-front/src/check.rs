//! All checks of one program or of a pair, with and without translation.

pub use crate::examine::examine;
use crate::finding::Finding;
use crate::lift::{Options, translate};
use crate::program::Program;
use crate::rules::Rules;

/// The findings of one program, or of a vertex and a fragment program as a pair: one list for each program, in the order given. The
/// rules set the severity of each finding, and at most one finding is marked as the one at which the player refuses.
///
/// The findings equal those of [`translate`], because some of them only appear in translation.
pub fn check(programs: &[&Program], rules: &Rules) -> Vec<Vec<Finding>> {
    let options = Options::default().rules(rules.clone());
    translate(programs, &options).map_or_else(|findings| findings, |lifted| lifted.findings)
}
