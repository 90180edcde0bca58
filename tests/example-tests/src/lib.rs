//! This crate only has tests, in `tests/it`. They are a separate crate, so that the example's manifest is that of an ordinary
//! program.
