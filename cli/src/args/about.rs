//! The options of `explain`, `lsp`, `completions` and `man`, and the version.

use std::path::PathBuf;

#[derive(Debug, clap::Args)]
pub(crate) struct Explain {
    /// The number of a finding about AGAL (3647, AGAL3647), of one about a program of the unified-shader instruction set (ES2126),
    /// or of a rule of SDLSHADERBC (V12); without one, all are listed
    #[arg(value_name = "NUMBER")]
    pub(crate) numbers: Vec<String>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Lsp {
    /// Use standard input and output, as always; some editors pass this option
    #[arg(long)]
    pub(crate) stdio: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Completions {
    /// The shell
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

/// The version, with the commit if it is known.
pub(crate) const VERSION: &str = match COMMIT.is_empty() {
    true => env!("CARGO_PKG_VERSION"),
    false => concat!(env!("CARGO_PKG_VERSION"), "+", env!("AGALC_COMMIT")),
};

/// The version, the commit, and the version of the file format.
pub(crate) const LONG_VERSION: &str = match COMMIT.is_empty() {
    true => concat!(env!("CARGO_PKG_VERSION"), " (SDLSHADERBC version 1)"),
    false => concat!(env!("CARGO_PKG_VERSION"), " (commit ", env!("AGALC_COMMIT"), ", SDLSHADERBC version 1)"),
};

/// The first digits of the commit, or nothing.
const COMMIT: &str = env!("AGALC_COMMIT");

const _: () = assert!(sdlbc::codec::VERSION == 1, "the text above names version 1");
