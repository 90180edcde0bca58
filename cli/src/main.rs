//! `agalc`: translates AGAL to SPIR-V, WGSL, GLSL, HLSL and MSL by way of SDLSHADERBC, and inspects, runs and draws AGAL
//! programs and modules.
//!
//! ```sh
//! agalc compile lit.vert.agal lit.frag.agal --layout wgpu -o lit.wgsl
//! agalc validate lit.vert.agal lit.frag.agal
//! agalc inspect lit.vert.agal lit.frag.agal --json
//! ```
//!
//! Exit codes: 0 for success, 1 for an invalid input or a file that cannot be read or written, and 2 for an invalid command line.

#![cfg_attr(not(test), warn(clippy::indexing_slicing, clippy::cast_possible_truncation))]
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::unreachable))]

mod args;
mod arguments;
mod batch;
mod closed_stdout;
mod commands;
mod depfile;
mod explain;
mod files;
mod input;
mod key;
mod output;
mod phrases;
mod progress;
mod report;

use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use agalc::render::shown;
use anyhow::{Context, Result};

use args::{Format, MessageOptions};
use files::Files;
use output::Sink;

fn main() -> ExitCode {
    let (arguments, files) = match arguments::all() {
        Ok(all) => all,
        Err(error) => return ExitCode::from(code_of(Err(error.into()))),
    };
    let guessed = MessageOptions::before_parsing(&arguments);
    match args::Args::read(&arguments, &guessed) {
        Ok((name, args)) => run(&name, args, &files),
        Err(error) => {
            report::configure(&guessed);
            ExitCode::from(match error.use_stderr() {
                true => wrong_arguments(&error, &arguments),
                false => code_of(print(&error)),
            })
        }
    }
}

/// Runs a command. Messages that form a JSON or SARIF document are written at the end. `read` lists the files that contained
/// arguments.
fn run(name: &str, args: args::Args, read: &[PathBuf]) -> ExitCode {
    let args::Args { messages: options, command } = args;
    report::configure(&options);
    let format = options.format();
    let is_report = match format {
        Format::Text => false,
        Format::Json => command.reports_programs(),
        Format::Sarif => command.reports_findings(),
    };
    let files = Files::new(options.stdin_name.clone());
    read.iter().for_each(|path| files.mark_read(path));
    // If the file for messages cannot be written, the run fails before it writes anything.
    let reserved = options.diagnostics.as_ref().map_or(Ok(()), |path| files.reserve(path));
    let code = code_of(reserved.and_then(|()| commands::run(&files, command)));
    let document = report::document(name, code);
    // A report is written to standard output, unless the command line was invalid.
    let is_report = is_report && code != 2;
    let mut written = Ok(());
    // If a report on standard output already contains the messages, `--diagnostics -` adds nothing.
    let is_elsewhere = |path: &&PathBuf| !is_report || path.as_os_str() != "-";
    if let Some(path) = options.diagnostics.as_ref().filter(is_elsewhere) {
        let is_sarif = path.to_string_lossy().to_ascii_lowercase().contains(".sarif");
        let format = if is_sarif { Format::Sarif } else { Format::Json };
        written = files.write_messages(path, document.text(format));
    }
    let shown = match format {
        _ if is_report => files.write_text(Sink::Stdout, "report", document.text(format)),
        Format::Json | Format::Sarif if !document.is_empty() => {
            show(&document.text(format));
            Ok(())
        }
        _ => Ok(()),
    };
    match written.and(shown) {
        Ok(()) => ExitCode::from(code),
        Err(error) if is_closed_pipe(&error) => ExitCode::from(code),
        Err(error) => {
            // A document that could not be written cannot contain the error, so the error is reported as text.
            let _ = writeln!(std::io::stderr(), "error: {}", shown::text(&format!("{error:#}")));
            ExitCode::from(if error.is::<output::UsageError>() { 2 } else { code.max(1) })
        }
    }
}

/// Writes a document to standard error. If standard error is closed, the document is lost.
fn show(document: &str) {
    let _ = std::io::stderr().write_all(document.as_bytes());
}

fn code_of(done: Result<()>) -> u8 {
    match done {
        Ok(()) => 0,
        Err(error) if is_closed_pipe(&error) => 0,
        Err(error) => {
            report::error(&error);
            if error.is::<output::UsageError>() { 2 } else { 1 }
        }
    }
}

fn print(help: &clap::Error) -> Result<()> {
    let printed = closed_stdout::check().and_then(|()| help.print()).and_then(|()| std::io::stdout().flush());
    printed.context("cannot write standard output")
}

/// Reports an error in the command line, and returns the exit code. If standard error is closed, the message is lost.
fn wrong_arguments(error: &clap::Error, arguments: &[OsString]) -> u8 {
    const CODE: u8 = 2;
    if report::format() != Format::Text {
        let message = error.render().to_string();
        report::error(&output::UsageError(message.trim_start_matches("error: ").trim_end().to_string()).into());
        show(&report::document(&args::command_in(arguments), CODE).text(report::format()));
        return CODE;
    }
    let is_plain = arguments.iter().all(|argument| !argument.to_string_lossy().contains(shown::is_hidden));
    let _ = match is_plain {
        true => error.print(),
        // The error message quotes arguments, which may contain control characters.
        false => write!(std::io::stderr(), "{}", shown::text(&error.render().to_string())),
    };
    CODE
}

/// Reports whether an error was caused by a reader that closed the output's pipe. Closing the pipe early is not a failure.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause.downcast_ref::<std::io::Error>().is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
    })
}
