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
mod arguments;
mod batch;
mod closed;
mod commands;
mod depfile;
mod files;
mod input;
mod key;
mod messages;
mod output;
mod report;

use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

use agalc::render::shown;
use anyhow::{Context, Result};
use clap::Parser;

fn main() -> ExitCode {
    let done = match arguments::all().map(|arguments| (args::Args::try_parse_from(&arguments), arguments)) {
        Ok((Ok(args), _)) => commands::run(args.command),
        Ok((Err(error), arguments)) if error.use_stderr() => {
            wrong_arguments(&error, &arguments);
            return ExitCode::from(2);
        }
        Ok((Err(help), _)) => print(&help),
        Err(error) => Err(error.into()),
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

/// What decides, besides the inputs and the options, what this program writes.
fn version() -> String {
    format!("{}, SDLSHADERBC {}", env!("CARGO_PKG_VERSION"), sdlbc::VERSION)
}

/// Prints the help or the version.
fn print(help: &clap::Error) -> Result<()> {
    let print = || closed::check_stdout().and_then(|()| help.print()).and_then(|()| std::io::stdout().flush());
    print().context("cannot write standard output")
}

/// Reports an error in the command line. If standard error is closed, the message is lost.
fn wrong_arguments(error: &clap::Error, arguments: &[OsString]) {
    let is_plain = arguments.iter().all(|argument| !argument.to_string_lossy().contains(shown::is_hidden));
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
