//! `explain`, `lsp`, `completions` and `man`: information about agalc itself, and the language server.

use anyhow::{Context, Result, anyhow};

use crate::args::{Completions, Explain, Man, command};
use crate::explain::Number;
use crate::files::Files;
use crate::output::{PendingOutput, Sink, UsageError};
use crate::{explain, report};

fn print(files: &Files, what: &str, text: String) -> Result<()> {
    files.write_text(Sink::Stdout, what, text)
}

/// `explain`: writes the cause of a finding, an example, and the corrected example.
pub(super) fn explain(files: &Files, args: &Explain) -> Result<()> {
    if args.numbers.is_empty() {
        return print(
            files,
            "list",
            if report::is_json() { explain::as_json(&Number::all()) } else { explain::list() },
        );
    }
    let read = |text: &String| Number::read(text).map_err(|message| UsageError(message).into());
    let numbers = args.numbers.iter().map(read).collect::<Result<Vec<Vec<Number>>>>()?.concat();
    let text = match report::is_json() {
        true => explain::as_json(&numbers),
        false => numbers.iter().map(explain::text).collect::<Vec<String>>().join("\n"),
    };
    print(files, "explanation", text)
}

/// `lsp`: serves an editor until the editor closes the connection.
pub(super) fn lsp() -> Result<()> {
    agalc_lsp::serve_stdio().map_err(|error| anyhow!("the editor breaks the language server protocol: {error}"))
}

/// `completions`: writes the completion script for a shell.
pub(super) fn completions(files: &Files, args: &Completions) -> Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command(), "agalc", &mut script);
    let sink = Sink::new(&args.output);
    files.write(vec![PendingOutput::text(sink, format!("completions for {}", args.shell), script)])
}

/// `man`: writes the manual page of a command, or all pages.
pub(super) fn man(files: &Files, args: &Man) -> Result<()> {
    let mut all = command();
    all.build();
    let pages = std::iter::once(&all).chain(all.get_subcommands().filter(|of| of.get_name() != "help"));
    if let Some(folder) = &args.output {
        let written = pages.map(|of| {
            let name = format!("{}.1", page_name(of));
            Ok(PendingOutput::text(Sink::File(folder.join(name)), "manual page", page(of)?))
        });
        return files.write(written.collect::<Result<_>>()?);
    }
    let of = match args.command.as_deref() {
        None => &all,
        Some(name) => all.get_subcommands().find(|of| of.get_name() == name).ok_or_else(|| {
            let names: Vec<&str> = all.get_subcommands().map(clap::Command::get_name).collect();
            UsageError(format!("there is no command `{name}`; the commands are {}", names.join(", ")))
        })?,
    };
    print(files, "manual page", page(of)?)
}

/// Returns the name of a command's manual page, such as `agalc-compile`.
fn page_name(of: &clap::Command) -> String {
    of.get_display_name().unwrap_or_else(|| of.get_name()).to_string()
}

fn page(of: &clap::Command) -> Result<String> {
    let mut page = Vec::new();
    let man = clap_mangen::Man::new(of.clone()).title(page_name(of)).section("1").manual("agalc");
    let mut render = || {
        man.render_title(&mut page)?;
        man.render_name_section(&mut page)?;
        page.extend(synopsis(of).into_bytes());
        man.render_description_section(&mut page)?;
        if of.get_arguments().any(|argument| !argument.is_hide_set()) {
            man.render_options_section(&mut page)?;
        }
        if of.has_subcommands() {
            man.render_subcommands_section(&mut page)?;
        }
        man.render_extra_section(&mut page)?;
        if of.get_version().or(of.get_long_version()).is_some() {
            man.render_version_section(&mut page)?;
        }
        Ok::<(), std::io::Error>(())
    };
    render().context("cannot make the manual page")?;
    // clap_mangen begins each section with `DEFINITIONS`, but a page needs these definitions only once.
    let page = String::from_utf8(page).context("cannot make the manual page")?;
    Ok(format!("{DEFINITIONS}{}", page.replace(DEFINITIONS, "")))
}

/// The roff definitions of an apostrophe, which clap_mangen writes in each section.
const DEFINITIONS: &str = ".ie \\n(.g .ds Aq \\(aq\n.el .ds Aq '\n";

/// Returns the synopsis of a manual page: the usage line of the help, which distinguishes repeatable inputs from optional inputs.
fn synopsis(of: &clap::Command) -> String {
    let usage = of.clone().render_usage().to_string();
    let lines = usage.trim_start_matches("Usage:").lines().map(str::trim).filter(|line| !line.is_empty());
    let name = of.get_bin_name().unwrap_or_else(|| of.get_name());
    let lines: Vec<String> = lines
        .map(|line| {
            let rest = line.strip_prefix(name).unwrap_or(line).replace('\\', "\\\\").replace('-', "\\-");
            format!("\\fB{name}\\fR{rest}\n")
        })
        .collect();
    format!(".SH SYNOPSIS\n{}", lines.join(".br\n"))
}
