//! Nothing: the tests are in `tests/it`. They are a crate of their own, so that the example's manifest is that of a program.
