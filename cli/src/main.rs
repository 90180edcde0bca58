//! `agalc`: AGAL to SPIR-V, WGSL and GLSL by way of SDLSHADERBC, and what belongs to looking at both.
//!
//! Exit codes: 0 when all is well, 1 when an input is wrong or a file cannot be read or written, 2 when the command line
//! is wrong.

mod args;
mod commands;
mod input;
mod output;
mod report;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    let args = args::Args::parse();
    match commands::run(args.command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            report::error(&error);
            ExitCode::from(if error.is::<output::UsageError>() { 2 } else { 1 })
        }
    }
}

/// Whether whoever read our output has left, which is theirs to decide and no fault.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause.downcast_ref::<std::io::Error>().is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
    })
}
