//! The result of a pass, which states whether the pass changed the body.

/// Whether a pass changed the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Changed {
    /// The pass changed the body.
    Yes,
    /// The pass did not change the body.
    No,
}

impl From<bool> for Changed {
    fn from(changed: bool) -> Changed {
        if changed { Changed::Yes } else { Changed::No }
    }
}
