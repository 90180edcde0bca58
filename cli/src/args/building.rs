//! The options for build systems: what an output depends on, and the key of its contents.

use std::path::PathBuf;

/// What is written for build systems (docs/build-systems.md).
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Build systems")]
pub(crate) struct Building {
    /// Also write which files were read, as a rule for make and ninja, to the first output's name with `.d`; the same as -MD
    #[arg(long)]
    pub(crate) write_depfile: bool,
    /// Write this rule to a file; the same as -MF
    #[arg(long, value_name = "FILE")]
    pub(crate) depfile: Option<PathBuf>,
    /// The target of this rule; by default every output. May be repeated; the same as -MT
    #[arg(long, value_name = "TARGET")]
    pub(crate) depfile_target: Vec<PathBuf>,
    /// Add a rule without prerequisites for each file that was read, so that make goes on when one is deleted; the same as -MP
    #[arg(long)]
    pub(crate) depfile_phony: bool,
    /// Print the key of the outputs and write nothing: a hash of the inputs, of the options that matter and of agalc's version.
    /// Outputs with the same key are equal
    #[arg(long)]
    pub(crate) print_key: bool,
}

impl Building {
    /// Whether a rule is written.
    pub(crate) fn has_depfile(&self) -> bool {
        self.write_depfile || self.depfile.is_some()
    }
}
