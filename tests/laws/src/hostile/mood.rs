//! Restrictions on the contents of hostile modules.

/// A restriction on the contents of a module, since not every test can handle arbitrary modules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mood {
    /// Anything.
    Wild,
    /// The module terminates soon, and contains no numbers for which the format leaves the result undefined.
    Calm,
}
