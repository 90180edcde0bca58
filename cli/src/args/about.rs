//! The options of `explain`, `lsp`, `completions` and `man`, and agalc's version.

use std::path::PathBuf;

#[derive(Debug, clap::Args)]
pub(crate) struct Explain {
    /// The number of an AGAL finding (3647 or AGAL3647), of a unified-shader finding (ES2126), or of an SDLSHADERBC rule (V12);
    /// without a number, all findings and rules are listed
    #[arg(value_name = "NUMBER")]
    pub(crate) numbers: Vec<String>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Lsp {
    /// Use standard input and output, which is the default; some editors pass this option
    #[arg(long)]
    pub(crate) stdio: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Completions {
    /// The shell for which to write completions
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
    /// The file to write; `-` is standard output
    #[arg(short, long = "output", value_name = "OUT", default_value = "-")]
    pub(crate) output: PathBuf,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Man {
    /// The command whose page is written to standard output; by default the page of agalc itself
    #[arg(value_name = "COMMAND", conflicts_with = "output")]
    pub(crate) command: Option<String>,
    /// The folder to write all pages to: agalc.1, agalc-compile.1 and so on
    #[arg(short, long = "output", value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,
}

/// The version of agalc, followed by the commit if the commit is known.
pub(crate) const VERSION: &str = match COMMIT.is_empty() {
    true => env!("CARGO_PKG_VERSION"),
    false => concat!(env!("CARGO_PKG_VERSION"), "+", env!("AGALC_COMMIT")),
};

/// The versions of agalc and of the SDLSHADERBC format, and the commit if the commit is known.
pub(crate) const LONG_VERSION: &str = match COMMIT.is_empty() {
    true => concat!(env!("CARGO_PKG_VERSION"), " (SDLSHADERBC version 1)"),
    false => concat!(env!("CARGO_PKG_VERSION"), " (commit ", env!("AGALC_COMMIT"), ", SDLSHADERBC version 1)"),
};

/// The first 12 digits of the commit, or an empty string if the commit is unknown.
const COMMIT: &str = env!("AGALC_COMMIT");

const _: () = assert!(sdlbc::codec::VERSION == 1, "the text above names version 1");
