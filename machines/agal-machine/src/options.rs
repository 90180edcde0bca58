//! The options of the machine.

use crate::Float;

agal_front::options! {
    /// Choices that the published descriptions leave open.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct Options {
        /// `ifg` compares for greater instead of greater or equal.
        pub strict_ifg: bool,
        /// A computed index is truncated toward zero instead of rounded to the nearest integer.
        pub truncate_index: bool,
        /// The offset of an indirect read is a signed byte.
        pub signed_offset: bool,
        /// The floating-point format. Inputs are rounded to it; the filtering of textures is not affected.
        pub float: Float,
    }
}
