//! `agalc`: AGAL to SPIR-V, WGSL and GLSL by way of SDLSHADERBC, and what belongs to looking at both.
//!
//! Exit codes: 0 when all is well, 1 when an input is wrong or a file cannot be read or written, 2 when the command line
//! is wrong.

#![cfg_attr(not(test), warn(clippy::indexing_slicing, clippy::cast_possible_truncation))]

mod args;
mod closed;
mod commands;
mod files;
mod input;
mod output;
mod report;
mod shown;

use std::io::Write;
use std::process::ExitCode;

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

/// Help, or the version.
fn print(help: &clap::Error) -> Result<()> {
    let print = || closed::check_stdout().and_then(|()| help.print()).and_then(|()| std::io::stdout().flush());
    print().context("cannot write standard output")
}

/// What is wrong with the command line; nobody is left to tell when standard error is closed.
fn wrong_arguments(error: &clap::Error) {
    let is_plain = std::env::args_os().all(|argument| !argument.to_string_lossy().contains(shown::is_hidden));
    let _ = match is_plain {
        true => error.print(),
        // The message repeats arguments, and a terminal would act on what is in them.
        false => write!(std::io::stderr(), "{}", shown::text(&error.render().to_string())),
    };
}

/// Whether whoever read our output has left, which is theirs to decide and no fault.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause.downcast_ref::<std::io::Error>().is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
    })
}
