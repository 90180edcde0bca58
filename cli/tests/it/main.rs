//! The integration tests of `cli`, which form one binary. `cargo test -p agalc-cli --test it NAME` runs the tests whose names
//! contain `NAME`.

// If the feature `es2` is disabled, the helpers of its tests are unused.
#![cfg_attr(not(feature = "es2"), allow(dead_code, unused_imports))]

mod agreement;
mod arrows;
mod batch;
mod building;
mod circles;
mod command;
mod complaints;
mod completions;
mod depfiles;
mod diagnostics;
mod draw;
#[cfg(feature = "es2")]
mod es2;
mod explain;
mod extract;
mod files;
mod formatting;
mod help;
mod key;
mod layouts;
mod lsp;
mod modules;
mod mutants;
mod names;
mod optimising;
mod pages;
mod pairs;
#[cfg(feature = "es2")]
mod paper;
mod pasted;
mod readme;
mod real_files;
mod reflection;
mod render;
mod run;
mod signals;
mod sources;
mod support;
mod validate;
