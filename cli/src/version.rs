//! What `--version` says.

/// The version, with the commit if it is known.
pub(crate) const SHORT: &str = match COMMIT.is_empty() {
    true => env!("CARGO_PKG_VERSION"),
    false => concat!(env!("CARGO_PKG_VERSION"), "+", env!("AGALC_COMMIT")),
};

/// The version, the commit, and the version of the file format.
pub(crate) const LONG: &str = match COMMIT.is_empty() {
    true => concat!(env!("CARGO_PKG_VERSION"), " (SDLSHADERBC version 1)"),
    false => concat!(env!("CARGO_PKG_VERSION"), " (commit ", env!("AGALC_COMMIT"), ", SDLSHADERBC version 1)"),
};

/// The first digits of the commit, or nothing.
const COMMIT: &str = env!("AGALC_COMMIT");

const _: () = assert!(sdlbc::codec::VERSION == 1, "the text above names version 1");
