//! The command-line options of `agalc extract`.

use std::path::PathBuf;

/// The variants of a program that `extract` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Variants {
    /// The plainest of the variants that differ only in sampler options
    Plain,
    /// All variants
    All,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Extract {
    /// SWF, SWC and ABC files, sources (.as, .hx, .mxml), and folders, which are searched with all their subfolders
    #[arg(num_args = 1.., value_name = "IN", required_unless_present = "traces")]
    pub(crate) inputs: Vec<PathBuf>,
    /// The folder to write to, which is created if it does not exist. The files of an earlier run are replaced
    #[arg(short, long = "output", value_name = "DIR")]
    pub(crate) output: PathBuf,
    /// The text for a hole in all programs, or, with `PROGRAM:`, in programs whose file names begin with PROGRAM; may be
    /// repeated. `\n` in the text is a line break
    #[arg(long = "fill", value_name = "[PROGRAM:]HOLE=VALUE")]
    pub(crate) fills: Vec<String>,
    /// A TOML file of values for holes: each key is a hole, and a table `programs.NAME` fills the holes of one program; may be
    /// repeated
    #[arg(long = "fills", value_name = "FILE")]
    pub(crate) fill_files: Vec<PathBuf>,
    /// Programs that a hook recorded while the application ran: a log with hexadecimal digits or base64, a file of bytes, or a
    /// folder of logs and files (docs/extract.md); may be repeated
    #[arg(long = "from-trace", value_name = "FILE")]
    pub(crate) traces: Vec<PathBuf>,
    /// Which variants to write if programs differ only in sampler options: `plain` writes the plainest variant, with a table of
    /// the options in the manifest, and `all` writes every variant
    #[arg(long, value_name = "WHICH", default_value = "plain")]
    pub(crate) variants: Variants,
    /// Write two separate files for each pair; a program that belongs to several pairs is then written several times
    #[arg(long)]
    pub(crate) each_pair: bool,
    /// Interpret only a tenth of the usual number of instructions, which is faster but may miss code far from the calls that take
    /// programs
    #[arg(long)]
    pub(crate) quick: bool,
    /// Treat sources and SWC files as a whole application, as a SWF is treated: no other code sets their fields or uses their
    /// classes, so a field that no code sets keeps its initial value
    #[arg(long)]
    pub(crate) whole_application: bool,
    /// Overwrite files that were changed since an earlier run, or that no earlier run wrote
    #[arg(long)]
    pub(crate) force: bool,
}
