//! `extract`: finds the AGAL in the files of applications, and writes it to a folder.

mod folder;
mod inputs;
mod summary;

use std::path::{Path, PathBuf};
use std::time::Duration;

use agal_extract::{Extraction, Fills, Limits, OutputOptions, Warning};
use agalc::Input;
use anyhow::{Context, Result, anyhow};
use indicatif::{ProgressBar, ProgressStyle};

use crate::args::{Detail, Extract, Variants};
use crate::batch::{Listed, Takes, list};
use crate::files::Files;
use crate::output::UsageError;
use crate::{report, shown};
use folder::Folder;

/// The number of warnings about the inputs that are shown; further ones are counted. The manifest has all of them.
const SHOWN: usize = 20;

pub(super) fn run(files: &Files, args: &Extract) -> Result<()> {
    if args.output.as_os_str() == "-" {
        let message = "`extract` writes a folder of files, which standard output (`-`) cannot take; name a folder, such as -o shaders";
        return Err(UsageError(message.into()).into());
    }
    let all_variants = args.variants == Variants::All;
    let options = OutputOptions { fills: fills(files, args)?, each_pair: args.each_pair, all_variants };
    let searched = listed(&args.inputs, Takes::Applications)?;
    let traces = listed(&args.traces, Takes::Everything)?;
    let folder = Folder::open(files, &args.output)?;
    let (extraction, skipped) = found(files, &searched, &traces, args)?;
    warn(&extraction);
    if !extraction.inputs.is_empty() {
        for (folders, none) in [(&searched.empty, summary::NONE), (&traces.empty, summary::NO_FILE)] {
            let warn = |folder: &PathBuf| report::line_of_warning(&format!("there is {none} in {}", quoted(folder)));
            folders.iter().for_each(warn);
        }
    }
    if extraction.programs.is_empty() {
        return Err(anyhow!("{}; nothing was written", summary::nothing(&extraction, args)));
    }
    let mut output = extraction.output(&options);
    let unused = &output.manifest.unused_fills;
    unused.iter().for_each(|fill| {
        report::warning(
            &format!("the fill `{fill}` is not used, because no program has such a hole"),
            &help_for_fill(&output),
        )
    });
    if output.manifest.left_out.has_files() {
        let left_out = output.manifest.left_out;
        report::line_of_warning(&format!(
            "the output would be too large, so the least certain results are left out: {left_out}"
        ));
    }
    let changes = folder.write(files, &mut output, args.force)?;
    let summary = match report::is_json() {
        true => summary::json(&extraction, &output, &folder, &changes, skipped)?,
        false if report::detail() == Detail::Quiet => return Ok(()),
        false => summary::text(&extraction, &output, &folder, &changes, skipped),
    };
    super::write_text(files, crate::output::Sink::Stdout, "summary", summary)
}

/// The files that inputs stand for.
fn listed(inputs: &[PathBuf], takes: Takes) -> Result<Listed> {
    let listed = list(inputs, takes)?;
    match listed.problems.split_last() {
        None => Ok(listed),
        Some((last, others)) => {
            others.iter().for_each(report::error);
            Err(anyhow!("{last:#}; nothing was written"))
        }
    }
}

/// The values that the options give to holes.
fn fills(files: &Files, args: &Extract) -> Result<Fills> {
    let mut fills = Fills::default();
    for path in &args.fill_files {
        let input = files.read(path)?;
        let text = std::str::from_utf8(&input.bytes).with_context(|| format!("`{}` is not UTF-8", input.name))?;
        fills.push_toml(text).map_err(|error| anyhow!("`{}` is not a file of fills: {error}", input.name))?;
    }
    for fill in &args.fills {
        fills.push(fill).map_err(|error| UsageError(error.to_string()))?;
    }
    Ok(fills)
}

fn help_for_fill(output: &agal_extract::Output<'_>) -> String {
    let mut names: Vec<&str> = output.manifest.open().flat_map(|(_, holes)| holes).collect();
    names.sort_unstable();
    names.dedup();
    match names.split_at_checked(8) {
        _ if names.is_empty() => "no holes are open".to_string(),
        Some((first, [_, ..])) => format!("open holes are `{}` and {} more", first.join("`, `"), names.len() - 8),
        _ => format!("open holes are `{}`", names.join("`, `")),
    }
}

/// Reads the inputs and finds their programs. Also returns the number of files in folders that were skipped.
fn found(files: &Files, listed: &Listed, traces: &Listed, args: &Extract) -> Result<(Extraction, usize)> {
    let inputs = read(files, listed)?;
    let traced = read(files, traces)?;
    let bar = bar(inputs.len() + traced.len());
    let limits = if args.quick { Limits::quick() } else { Limits::default() };
    let progress = |done: usize, all: usize| {
        if let Some(bar) = &bar {
            bar.set_length(all as u64);
            bar.set_position(done as u64);
        }
    };
    let options = agal_extract::Options {
        limits,
        reader: Some(inputs::reader(listed)),
        whole_application: args.whole_application,
    };
    let mut extraction = agal_extract::extract_and_tell(&inputs, &options, &progress);
    extraction.add_traces(&traced);
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    Ok((extraction, listed.passed.others))
}

/// Reads files, and names them by their paths below the folder that all of them are in, so that the output does not
/// depend on the place of that folder.
fn read(files: &Files, listed: &Listed) -> Result<Vec<Input>> {
    let paths: Vec<PathBuf> = listed.entries.iter().map(|entry| entry.path.clone()).collect();
    let names = inputs::names(&paths);
    let named = paths.iter().zip(names);
    let inputs = super::all(named.map(|(path, name)| Ok(Input { name, ..files.read(path)? })).collect());
    inputs.map_err(report::nothing_written)
}

/// Shows a progress bar on a terminal.
fn bar(inputs: usize) -> Option<ProgressBar> {
    let is_watched = report::shows_progress();
    is_watched.then(|| {
        let files = if inputs == 1 { "1 file".to_string() } else { format!("{inputs} files") };
        let bar = ProgressBar::new(0).with_message(format!("extracting from {files}"));
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} {bar:40} {pos} of {len} methods") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(200));
        bar
    })
}

/// Reports inputs that could not be read.
fn warn(extraction: &Extraction) {
    for warning in extraction.warnings.iter().take(SHOWN) {
        report::line_of_warning(&describe(extraction, warning));
    }
    if extraction.warnings.len() > SHOWN {
        let more = report::not_shown(extraction.warnings.len() - SHOWN, "warning");
        report::note(&format!("{more}; the manifest has all of them"));
    }
}

fn describe(extraction: &Extraction, Warning { input, path, message, .. }: &Warning) -> String {
    let name = extraction.inputs.get(*input).map_or("", |input| input.name.as_str());
    let place: Vec<&str> = [name].into_iter().chain(path.iter().map(String::as_str)).collect();
    format!("{}: {message}", place.join(", "))
}

/// The name of a path in messages.
fn quoted(path: &Path) -> String {
    format!("`{}`", shown::path(path))
}
