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

#![cfg_attr(
    not(test),
    warn(
        clippy::indexing_slicing,
        clippy::cast_possible_truncation,
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::unreachable
    )
)]

mod args;
mod arguments;
mod batch;
mod closed;
mod commands;
mod depfile;
mod explain;
mod files;
mod input;
mod key;
mod output;
mod report;

use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use agalc::render::shown;
use anyhow::{Context, Result};

use args::{Format, Manners};
use files::Files;
use output::Sink;

fn main() -> ExitCode {
    let (arguments, files) = match arguments::all() {
        Ok(all) => all,
        Err(error) => return ExitCode::from(code_of(Err(error.into()))),
    };
    let guessed = Manners::before_parsing(&arguments);
    match args::Args::read(&arguments, &guessed) {
        Ok(args) => run(args, &files),
        Err(error) if error.use_stderr() => {
            report::settle(&guessed);
            wrong_arguments(&error, &arguments);
            ExitCode::from(2)
        }
        Err(help) => {
            report::settle(&guessed);
            ExitCode::from(code_of(print(&help)))
        }
    }
}

/// Runs a command, and writes its messages if they are a document. `read` are the files that contained arguments.
fn run(args: args::Args, read: &[PathBuf]) -> ExitCode {
    let args::Args { manners, command } = args;
    report::settle(&manners);
    let (name, reports_findings, reports_programs) =
        (command.name(), command.reports_findings(), command.reports_programs());
    let files = Files::new(manners.stdin_name.clone());
    read.iter().for_each(|path| files.mark_read(path));
    let code = code_of(check_document(&files, &manners).and_then(|()| commands::run(&files, command)));
    let document = report::document(name, code);
    // The report of the command, if it goes to standard output.
    let report = match manners.format() {
        Format::Sarif if reports_findings && code != 2 => Some(document.sarif()),
        Format::Json if reports_programs && code != 2 => Some(document.json()),
        _ => None,
    };
    let mut written = Ok(());
    // If the report already contains all messages, they are not written to standard output again.
    let is_elsewhere = |path: &&PathBuf| report.is_none() || path.as_os_str() != "-";
    if let Some(path) = manners.diagnostics.as_ref().filter(is_elsewhere) {
        let is_sarif = path.to_string_lossy().to_ascii_lowercase().contains(".sarif");
        let text = if is_sarif { document.sarif() } else { document.json() };
        written = files.write_messages(path, text);
    }
    let shown = match (report, manners.format()) {
        (Some(report), _) => files.write_text(Sink::Stdout, "report", report),
        (None, Format::Text) => Ok(()),
        _ if document.is_empty() => Ok(()),
        (None, Format::Json) => show(&document.json()),
        (None, Format::Sarif) => show(&document.sarif()),
    };
    match written.and(shown) {
        Ok(()) => ExitCode::from(code),
        Err(error) if is_closed_pipe(&error) => ExitCode::from(code),
        Err(error) => {
            // The document could not be written, so the error is reported as text.
            let _ = writeln!(std::io::stderr(), "error: {}", shown::text(&format!("{error:#}")));
            ExitCode::from(if error.is::<output::UsageError>() { 2 } else { code.max(1) })
        }
    }
}

/// Refuses a file of messages that cannot be written, before anything else is.
fn check_document(files: &Files, manners: &Manners) -> Result<()> {
    manners.diagnostics.as_ref().map_or(Ok(()), |path| files.reserve(path))
}

/// Writes a document to standard error. If that is closed, it is lost.
fn show(document: &str) -> Result<()> {
    let _ = std::io::stderr().write_all(document.as_bytes());
    Ok(())
}

/// The exit code of a run, whose error is reported.
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

/// Prints the help or the version.
fn print(help: &clap::Error) -> Result<()> {
    let print = || closed::check_stdout().and_then(|()| help.print()).and_then(|()| std::io::stdout().flush());
    print().context("cannot write standard output")
}

/// Reports an error in the command line. If standard error is closed, the message is lost.
fn wrong_arguments(error: &clap::Error, arguments: &[OsString]) {
    if report::format() != Format::Text {
        let message = error.render().to_string();
        report::error(&output::UsageError(message.trim_start_matches("error: ").trim_end().to_string()).into());
        let document = report::document(&args::command_in(arguments), 2);
        let text = if report::is_json() { document.json() } else { document.sarif() };
        let _ = show(&text);
        return;
    }
    let is_plain = arguments.iter().all(|argument| !argument.to_string_lossy().contains(shown::is_hidden));
    let _ = match is_plain {
        true => error.print(),
        // The message quotes arguments, which may contain control characters.
        false => write!(std::io::stderr(), "{}", shown::text(&error.render().to_string())),
    };
}

/// Whether the reader of the output has closed it, which is not an error.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause.downcast_ref::<std::io::Error>().is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
    })
}
