//! The options for batches and for build systems: depfiles, and the key of the outputs.

use std::path::PathBuf;

/// The options for build systems (docs/build-systems.md).
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Build systems")]
pub(crate) struct Building {
    /// Also write a depfile, a rule for make and ninja that lists the files that were read; the same as -MD. The depfile has the
    /// name of the first output, followed by `.d`
    #[arg(long)]
    pub(crate) write_depfile: bool,
    /// Write the depfile to FILE; the same as -MF
    #[arg(long, value_name = "FILE")]
    pub(crate) depfile: Option<PathBuf>,
    /// The target of the depfile's rule; by default every output. May be repeated; the same as -MT
    #[arg(long, value_name = "TARGET")]
    pub(crate) depfile_target: Vec<PathBuf>,
    /// Add a rule without prerequisites for each file that was read, so that make continues if a file was deleted; the same as
    /// -MP
    #[arg(long)]
    pub(crate) depfile_phony: bool,
    /// Instead of writing outputs, print their key: a hash of the inputs, of the relevant options and of agalc's version. Outputs
    /// with the same key are equal
    #[arg(long)]
    pub(crate) print_key: bool,
}

impl Building {
    pub(crate) fn has_depfile(&self) -> bool {
        self.write_depfile || self.depfile.is_some()
    }
}

/// The options of batches (docs/batches.md).
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Batches")]
pub(crate) struct BatchOptions {
    /// Treat the inputs as a batch of shaders: pairs are found by their names, and -o is a folder. Folders, patterns such as
    /// 'shaders/**/*.agal' and long lists are batches without this option
    #[arg(long)]
    pub(crate) batch: bool,
    /// The number of shaders in a batch that are processed at the same time; by default the number of processors
    #[arg(short, long, value_name = "N", value_parser = super::layout::whole(1..=1024))]
    pub(crate) jobs: Option<u32>,
    /// Stop at the first refused shader of a batch, and write nothing; by default, all other shaders are still written
    #[arg(long, overrides_with = "keep_going")]
    pub(crate) fail_fast: bool,
    /// Continue after errors, which is the default
    #[arg(long, hide = true, overrides_with = "fail_fast")]
    pub(crate) keep_going: bool,
}
