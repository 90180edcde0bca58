//! `agalc`: translates AGAL to SPIR-V, WGSL, GLSL, HLSL and MSL by way of SDLSHADERBC, and inspects, runs and draws AGAL
//! programs and modules.
//!
//! ```sh
//! agalc compile lit.vert.agal lit.frag.agal --layout wgpu -o lit.wgsl
//! agalc validate lit.vert.agal lit.frag.agal
//! agalc inspect lit.vert.agal lit.frag.agal --json
//! ```
//!
//! Exit codes: 0 for success, 1 for a wrong input or a file that cannot be read or written, 2 for a wrong command line.

#![cfg_attr(not(test), warn(clippy::indexing_slicing, clippy::cast_possible_truncation))]

mod args;
mod closed;
mod commands;
mod files;
mod input;
mod output;
mod report;

use std::io::Write;
use std::process::ExitCode;

use agalc::render::shown;
use anyhow::{Context, Result};
use clap::Parser;

fn main() -> ExitCode {
    let done = match args::Args::try_parse() {
        Ok(args) => commands::run(args.command),
        Err(error) if error.use_stderr() => {
            wrong_arguments(&error);
            return ExitCode::from(2);
        }
        Err(help) => print(&help),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            report::error(&error);
            ExitCode::from(if error.is::<output::UsageError>() { 2 } else { 1 })
        }
    }
}

/// Prints the help or the version.
fn print(help: &clap::Error) -> Result<()> {
    let print = || closed::check_stdout().and_then(|()| help.print()).and_then(|()| std::io::stdout().flush());
    print().context("cannot write standard output")
}

/// Reports an error in the command line. If standard error is closed, the message is lost.
fn wrong_arguments(error: &clap::Error) {
    let is_plain = std::env::args_os().all(|argument| !argument.to_string_lossy().contains(shown::is_hidden));
    let _ = match is_plain {
        true => error.print(),
        // The message quotes arguments, which may contain control characters.
        false => write!(std::io::stderr(), "{}", shown::text(&error.render().to_string())),
    };
}

/// Whether the reader of our output has closed it, which is not an error.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause.downcast_ref::<std::io::Error>().is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
    })
}
