//! AGAL from modules, and AGAL programs made shorter.
#![warn(
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic
)]

mod code;
mod constants;
mod equal;
mod improve;
mod live;
mod merge;
mod optimise;
mod place;
mod read;
mod refusal;
mod rewrite;
mod schedule;
mod select;
mod translate;
mod write;

pub use constants::{ConstantRegister, ConstantSource, uploads};
pub use optimise::{Size, optimise};
pub use refusal::{Refusal, RefusalKind};
pub use translate::{Options, Translated, translate};
