//! AGAL from modules, and AGAL programs made shorter.
#![warn(
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic
)]

mod code;
mod equal;
mod improve;
mod live;
mod merge;
mod optimise;
mod place;
mod read;
mod rewrite;
mod write;

pub use optimise::{Size, optimise};
