//! `extract`: finds AGAL in the files of applications, and writes the programs to a folder.

mod folder;
mod inputs;
mod summary;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use agal_extract::{Extraction, Fills, Limits, OutputOptions, Warning};
use agalc::Input;
use anyhow::{Context, Result, anyhow};
use indicatif::{ProgressBar, ProgressStyle};

use super::loading::all;
use crate::args::{Detail, Extract, Variants};
use crate::batch::{FileFilter, Listed, list};
use crate::files::Files;
use crate::output::{Sink, UsageError, usage};
use crate::phrases::{counted, listed, quoted};
use crate::report;
use folder::Folder;

/// The maximum number of warnings that are printed. The manifest contains all warnings.
const SHOWN: usize = 20;

pub(super) fn run(files: &Files, args: &Extract) -> Result<()> {
    if args.output.as_os_str() == "-" {
        return usage(
            "`extract` writes a folder of files, which standard output (`-`) cannot take; name a folder, such as -o shaders",
        );
    }
    let all_variants = args.variants == Variants::All;
    let options =
        OutputOptions::default().fills(fills(files, args)?).each_pair(args.each_pair).all_variants(all_variants);
    let searched = files_of(&args.inputs, FileFilter::Applications)?;
    let traces = files_of(&args.traces, FileFilter::Everything)?;
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
    files.write_text(Sink::Stdout, "summary", summary)
}

/// Lists the files of the inputs. Fails if a file or a folder cannot be read.
fn files_of(inputs: &[PathBuf], filter: FileFilter) -> Result<Listed> {
    let listed = list(inputs, filter)?;
    match listed.problems.split_last() {
        None => Ok(listed),
        Some((last, others)) => {
            others.iter().for_each(report::error);
            Err(anyhow!("{last:#}; nothing was written"))
        }
    }
}

/// Reads the values of holes from the options.
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
    let names: BTreeSet<&str> = output.manifest.open().flat_map(|(_, holes)| holes).collect();
    let names: Vec<String> = names.into_iter().map(str::to_string).collect();
    match names.is_empty() {
        true => "no holes are open".to_string(),
        false => format!("open holes are {}", listed(&names)),
    }
}

/// Reads the inputs, and finds their programs. Returns the extraction and the number of skipped files.
fn found(files: &Files, searched: &Listed, traces: &Listed, args: &Extract) -> Result<(Extraction, usize)> {
    let inputs = read(files, searched)?;
    let traced = read(files, traces)?;
    let bar = bar(inputs.len() + traced.len());
    let limits = if args.quick { Limits::quick() } else { Limits::default() };
    let progress = |done: usize, all: usize| {
        if let Some(bar) = &bar {
            bar.set_length(all as u64);
            bar.set_position(done as u64);
        }
    };
    let options = agal_extract::Options::default()
        .limits(limits)
        .reader(Some(inputs::reader(searched)))
        .whole_application(args.whole_application);
    let mut extraction = agal_extract::extract_and_tell(&inputs, &options, &progress);
    extraction.add_traces(&traced);
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    Ok((extraction, searched.skipped.others))
}

/// Reads files, and names each file by its path relative to the files' common folder, so that the output does not depend on where
/// that folder is.
fn read(files: &Files, listed: &Listed) -> Result<Vec<Input>> {
    let paths: Vec<PathBuf> = listed.entries.iter().map(|entry| entry.path.clone()).collect();
    let names = inputs::names(&paths);
    let named = paths.iter().zip(names);
    let inputs = all(named.map(|(path, name)| Ok(Input { name, ..files.read(path)? })).collect());
    inputs.map_err(report::nothing_written)
}

/// Creates a progress bar if standard error is a terminal.
fn bar(inputs: usize) -> Option<ProgressBar> {
    let is_watched = report::shows_progress();
    is_watched.then(|| {
        let files = counted(inputs, "file", "files");
        let bar = ProgressBar::new(0).with_message(format!("extracting from {files}"));
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} {bar:40} {pos} of {len} methods") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(200));
        bar
    })
}

/// Prints the first `SHOWN` warnings of the extraction.
fn warn(extraction: &Extraction) {
    for warning in extraction.warnings.iter().take(SHOWN) {
        report::line_of_warning(&describe(extraction, warning));
    }
    if extraction.warnings.len() > SHOWN {
        let more = report::not_shown(extraction.warnings.len() - SHOWN, "warning");
        report::note(&format!("{more}; the manifest lists all of them"));
    }
}

fn describe(extraction: &Extraction, Warning { input, path, message, .. }: &Warning) -> String {
    let name = extraction.inputs.get(*input).map_or("", |input| input.name.as_str());
    let place: Vec<&str> = [name].into_iter().chain(path.iter().map(String::as_str)).collect();
    format!("{}: {message}", place.join(", "))
}
