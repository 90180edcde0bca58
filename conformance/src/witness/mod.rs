//! Who draws, each by ways that the others do not share.

pub mod browser;
