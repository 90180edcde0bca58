//! Restriction on the contents of hostile modules.

/// Restriction on the contents of a module, since not every use can handle everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mood {
    /// Anything.
    Wild,
    /// The module terminates soon, and contains no numbers for which the format leaves the result open.
    Calm,
}
