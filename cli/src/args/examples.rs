//! The examples and exit codes in the help of each command. A test runs every example (`cli/tests/it/help.rs`).

use crate::explain::sections;

/// The meanings of the exit codes.
const EXIT_CODES: &str = "Exit codes:
  0  success; there may be warnings
  1  an input is wrong or cannot be read, an output cannot be written, or pictures differ
  2  the command line is wrong";

/// The examples of each command, as its help prints them, after a line `# COMMAND`.
const EXAMPLES: &str = include_str!("examples.txt");

/// The end of each command's long help: its examples and the exit codes. `agalc` is the command without a subcommand.
pub(super) fn help() -> impl Iterator<Item = (&'static str, String)> {
    sections(EXAMPLES)
        .map(|(command, examples)| (command, format!("Examples:\n{}\n\n{EXIT_CODES}", examples.trim_end())))
}
