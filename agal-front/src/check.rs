//! All checks of one program or of a pair: those that do not need translation, and what only translation finds.

pub use crate::examine::examine;
use crate::finding::Finding;
use crate::lift::{Options, translate};
use crate::program::Program;
use crate::rules::Rules;

/// The findings of one program, or of a vertex and a fragment program as a pair: a list for each, in the order given. Each
/// finding is judged by the rules, and at most one is marked as the one for which the player refuses.
///
/// They are the same as those of [`translate`], because some of them only appear in translation.
pub fn check(programs: &[&Program], rules: &Rules) -> Vec<Vec<Finding>> {
    let options = Options { rules: rules.clone(), ..Options::default() };
    translate(programs, &options).map_or_else(|findings| findings, |lifted| lifted.findings)
}
