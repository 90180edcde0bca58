//! The options of batches.

/// How the shaders of a batch are handled (docs/agalc.md).
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Batches")]
pub(crate) struct BatchOptions {
    /// Take the inputs as a batch of shaders: pairs are found by their names, and -o is a folder. Folders, patterns such as
    /// 'shaders/**/*.agal' and long lists are batches without this option
    #[arg(long)]
    pub(crate) batch: bool,
    /// How many shaders of a batch are handled at the same time; by default as many as the machine has processors
    #[arg(short, long, value_name = "N", value_parser = super::layout::whole(1..=1024))]
    pub(crate) jobs: Option<u32>,
    /// Stop at the first shader of a batch that is refused, and write nothing; by default the others are handled and written
    #[arg(long, overrides_with = "keep_going")]
    pub(crate) fail_fast: bool,
    /// The default, which scripts may state
    #[arg(long, hide = true, overrides_with = "fail_fast")]
    pub(crate) keep_going: bool,
}
