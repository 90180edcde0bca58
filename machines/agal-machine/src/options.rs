//! The options of the machine: its float format, and its behaviour where AGAL's published descriptions are unclear.

use crate::Float;

agal_front::options! {
    /// Options for behaviour that AGAL's published descriptions leave open.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct Options {
        /// Whether `ifg` tests for `>` instead of `>=`.
        pub strict_ifg: bool,
        /// Whether a computed index is truncated toward zero instead of rounded to the nearest integer.
        pub truncate_index: bool,
        /// Whether the offset of an indirect read is a signed byte.
        pub signed_offset: bool,
        /// The floating-point format in which the machine computes and to which inputs are rounded. Texture filtering does not
        /// depend on the format.
        pub float: Float,
    }
}
