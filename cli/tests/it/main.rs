//! The integration tests of `cli`, in one binary: `cargo test -p agalc-cli --test it NAME`.

mod agreement;
mod arrows;
mod command;
mod complaints;
mod direct3d;
mod draw;
mod es2;
mod files;
mod layouts;
mod meaning;
mod metal;
mod modules;
mod mutants;
mod mutations;
mod names;
mod optimising;
mod output;
mod pages;
mod pairs;
mod readme;
mod reflection;
mod render;
mod run;
mod signals;
mod support;
mod validate;
