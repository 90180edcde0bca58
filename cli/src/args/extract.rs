//! The options of `extract`.

use std::path::PathBuf;

/// The variants of a program to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Variants {
    /// Of variants that differ only in sampler options, the plainest
    Plain,
    /// All
    All,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Extract {
    /// SWF, SWC and ABC files, sources (.as, .hx, .mxml), and folders, which are searched with all folders in them
    #[arg(num_args = 1.., value_name = "IN", required_unless_present = "traces")]
    pub(crate) inputs: Vec<PathBuf>,
    /// The folder to write to, which is created if it does not exist. The files of an earlier run are replaced
    #[arg(short, long = "output", value_name = "DIR")]
    pub(crate) output: PathBuf,
    /// The text for a hole, in all programs that have it; after `PROGRAM:`, in the programs whose file names begin with
    /// PROGRAM; may be repeated. `\n` in the value is a line break
    #[arg(long = "fill", value_name = "[PROGRAM:]HOLE=VALUE")]
    pub(crate) fills: Vec<String>,
    /// A TOML file of values for holes: holes as keys, and tables `programs.NAME` for single programs; may be repeated
    #[arg(long = "fills", value_name = "FILE")]
    pub(crate) fill_files: Vec<PathBuf>,
    /// Programs that a hook recorded while the application ran: a log with hexadecimal digits or base64, a file of bytes, or a
    /// folder of these (docs/extract.md); may be repeated
    #[arg(long = "from-trace", value_name = "FILE")]
    pub(crate) traces: Vec<PathBuf>,
    /// The variants to write of programs that differ only in sampler options: `plain`, the plainest, with a table of the options
    /// in the manifest, or `all`
    #[arg(long, value_name = "WHICH", default_value = "plain")]
    pub(crate) variants: Variants,
    /// Write two separate files for each pair, so that a program that belongs to several pairs is written several times
    #[arg(long)]
    pub(crate) each_pair: bool,
    /// Run a tenth of the usual instructions: faster, but code far from the calls that take programs may be missed
    #[arg(long)]
    pub(crate) quick: bool,
    /// Assume that the inputs are a whole application, as a SWF is: no other code sets the fields of the sources or of a SWC,
    /// or uses their classes, so a field that nothing sets keeps its first value
    #[arg(long)]
    pub(crate) whole_application: bool,
    /// Overwrite files that were changed since an earlier run, or that were not written by one
    #[arg(long)]
    pub(crate) force: bool,
}
