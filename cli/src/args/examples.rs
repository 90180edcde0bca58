//! The examples and exit codes in the help of each command. A test runs every example (`cli/tests/it/help.rs`).

use crate::explain::sections;

const EXIT_CODES: &str = "Exit codes:
  0  success; there may be warnings
  1  an input is wrong or cannot be read, an output cannot be written, or pictures differ
  2  the command line is wrong";

/// The examples for the help of each command. A line `# COMMAND` begins the examples of a command.
const EXAMPLES: &str = include_str!("examples.txt");

/// Returns the examples and exit codes that end each command's long help. The entry with the name `agalc` belongs to the help of
/// agalc itself, without a subcommand.
pub(super) fn help() -> impl Iterator<Item = (&'static str, String)> {
    sections(EXAMPLES)
        .map(|(command, examples)| (command, format!("Examples:\n{}\n\n{EXIT_CODES}", examples.trim_end())))
}
