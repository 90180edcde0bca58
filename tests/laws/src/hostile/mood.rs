//! Restrictions on the contents of hostile modules.

/// A restriction on a hostile module's contents, for tests that cannot handle arbitrary modules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mood {
    /// The module may contain anything that the format allows.
    Wild,
    /// The module terminates soon, and none of its numbers leads to a result that the format leaves undefined.
    Calm,
}
