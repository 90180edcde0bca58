//! The summary of an extraction, as text for people and as JSON.

use std::collections::BTreeMap;

use agal_extract::{Counts, Extraction, LeftOut, Output, Site};
use agalc::render::shown;
use anyhow::Result;
use serde::Serialize;

use super::folder::{Changes, Folder};
use crate::args::Extract;
use crate::phrases::{counted, first_few, quoted};

/// The maximum number of items in a list of the summary.
const LISTED: usize = 5;

/// Formats the first items of a list, and the number of the remaining items.
fn first_of(list: &[String]) -> String {
    first_few(list, LISTED)
}

/// The noun phrases that describe a folder without suitable files: `NONE` for inputs, and `NO_FILE` for traces.
pub(super) const NONE: &str = "no SWF, SWC or ABC file and no source";
pub(super) const NO_FILE: &str = "no file";

/// Returns the message for an extraction without programs.
pub(super) fn nothing(extraction: &Extraction, args: &Extract) -> String {
    let unknown: usize = extraction.inputs.iter().map(|input| input.unknown.len()).sum();
    let looked = match &extraction.inputs[..] {
        [] => {
            let folders = args.inputs.iter().chain(&args.traces).map(|path| quoted(path));
            let none = if args.inputs.is_empty() { NO_FILE } else { NONE };
            format!("there is {none} in {}", first_of(&folders.collect::<Vec<_>>()))
        }
        [input] => format!("no AGAL was found in `{}` ({})", input.name, input.kind),
        inputs => format!("no AGAL was found in {} files", inputs.len()),
    };
    if unknown == 0 {
        return looked;
    }
    let calls = counted(unknown, "call uploads", "calls upload");
    format!(
        "{looked}; {calls} code that is built at run time; log the uploads, and add the log with --from-trace (docs/extract.md)"
    )
}

pub(super) fn text(
    extraction: &Extraction,
    output: &Output<'_>,
    folder: &Folder,
    changes: &Changes,
    skipped: usize,
) -> String {
    let mut text = String::new();
    for (input, programs) in extraction.inputs.iter().zip(&output.programs) {
        text += &format!("{}: {}", input.name, input.kind);
        let parts = [
            (input.classes, "class", "classes"),
            (input.methods, "method", "methods"),
            (input.data, "item of data", "items of data"),
        ];
        for (count, one, several) in parts.into_iter().filter(|(count, ..)| *count > 0) {
            text += &format!(", {}", counted(count, one, several));
        }
        text += &format!("; {}\n", counted(*programs, "program", "programs"));
        if !input.unknown.is_empty() {
            let places: Vec<String> = input.unknown.iter().map(|place| method_of(&place.site)).collect();
            let calls = counted(places.len(), "call uploads", "calls upload");
            text += &format!("  {calls} code that is built only from run-time data: {}\n", first_of(&places));
        }
    }
    if skipped > 0 {
        text += &format!("{} skipped\n", counted(skipped, "other file", "other files"));
    }
    text + &totals(output, folder, changes)
}

/// Describes the numbers of programs, the changes to the output folder, and the folder's path.
fn totals(output: &Output<'_>, folder: &Folder, changes: &Changes) -> String {
    let counts = output.manifest.counts;
    let mut text = programs(counts);
    for (count, what) in [(counts.filled, "completed by fills"), (counts.traced, "in a trace")] {
        if count > 0 {
            text += &format!("  {count} {what}\n");
        }
    }
    text += &wrong(output);
    text += &open(output);
    if counts.pieces > 0 && counts.programs > 0 {
        text += &format!("  also {}\n", pieces(counts));
    }
    let left_out = output.manifest.left_out;
    if !left_out.is_nothing() {
        let what =
            if left_out.has_files() { "left out, because the output is limited" } else { "not listed in the manifest" };
        text += &format!("  {what}: {left_out}\n");
    }
    if !changes.removed.is_empty() {
        text += &format!("  {} of an earlier run removed\n", counted(changes.removed.len(), "file", "files"));
    }
    if !changes.overwritten.is_empty() {
        text += &format!("  overwritten, because of --force: {}\n", first_of(&changes.overwritten));
    }
    if !changes.kept.is_empty() {
        let kept = first_of(&changes.kept);
        text += &format!("  kept, because they were changed since an earlier run wrote them: {kept}\n");
    }
    text + &format!("written to {}; {} describes them\n", shown::path(&folder.path), shown::path(&folder.manifest()))
}

fn programs(counts: Counts) -> String {
    if counts.programs == 0 {
        return format!("no whole program, but {}\n", pieces(counts));
    }
    let parts = [
        (counts.complete - counts.bytecode, "complete"),
        (counts.with_holes, "with holes"),
        (counts.bytecode, "as bytecode"),
    ];
    let parts: Vec<String> =
        parts.into_iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
    let all = match counts.variants > counts.programs {
        true => format!(" ({} if each set of sampler options is counted)", counts.variants),
        false => String::new(),
    };
    let programs = format!("{}{all}: {}", counted(counts.programs, "program", "programs"), parts.join(", "));
    let complete = (counts.complete_pairs < counts.pairs).then(|| format!("{} complete", counts.complete_pairs));
    let probable = (counts.probable_pairs > 0).then(|| format!("{} probable", counts.probable_pairs));
    let parts: Vec<String> = complete.into_iter().chain(probable).collect();
    let of_them = if parts.is_empty() { String::new() } else { format!(" ({})", parts.join(", ")) };
    format!("{programs}; {}{of_them}\n", counted(counts.pairs, "pair", "pairs"))
}

fn pieces(counts: Counts) -> String {
    let pieces = counted(counts.pieces, "piece of a program", "pieces of programs");
    format!("{pieces}, in the folder pieces: AGAL text that no interpreted call receives unchanged")
}

/// Describes the programs and pairs that have errors.
fn wrong(output: &Output<'_>) -> String {
    let named = |names: Vec<String>, one: &str, several: &str| match names.len() {
        0 => String::new(),
        count => format!("  {}: {}\n", counted(count, one, several), first_of(&names)),
    };
    let programs = output.manifest.wrong().map(str::to_string).collect();
    let pairs = output.manifest.wrong_pairs().map(|[vertex, fragment]| format!("{vertex} with {fragment}")).collect();
    let mut text = named(programs, "complete program has errors", "complete programs have errors");
    text += &named(pairs, "pair does not fit together", "pairs do not fit together");
    if !text.is_empty() {
        text += "  the manifest lists the errors\n";
    }
    text
}

/// Describes the open holes, ordered by the number of programs that contain each hole.
fn open(output: &Output<'_>) -> String {
    let mut holes: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, names) in output.manifest.open() {
        names.into_iter().for_each(|name| *holes.entry(name).or_default() += 1);
    }
    let mut holes: Vec<(&str, usize)> = holes.into_iter().collect();
    holes.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let Some((first, _)) = holes.first() else { return String::new() };
    let listed: Vec<String> =
        holes.iter().map(|(name, count)| format!("{{{name}}} in {}", counted(*count, "program", "programs"))).collect();
    format!(
        "  open holes, in the folder templates: {}\n  fill them with --fill '{first}=...' or --fills FILE\n",
        first_of(&listed)
    )
}

/// Returns the name of the method that contains a call, such as `Blur.render`, or the location in data or in a trace.
fn method_of(site: &Site) -> String {
    match site {
        Site::Method { class, method, .. } => {
            let class = class.rsplit([':', '.']).next().unwrap_or_default();
            let parts = [class, method].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>();
            if parts.is_empty() { "a script".to_string() } else { parts.join(".") }
        }
        Site::Data { symbol, offset } => symbol.clone().unwrap_or_else(|| format!("byte {offset}")),
        Site::Trace { line } => format!("line {line}"),
    }
}

#[derive(Serialize)]
struct JsonSummary<'a> {
    folder: String,
    manifest: String,
    counts: Counts,
    left_out: LeftOut,
    inputs: Vec<JsonInput<'a>>,
    open: Vec<JsonOpen<'a>>,
    unused_fills: &'a [String],
    warnings: usize,
    skipped: usize,
    wrong: Vec<&'a str>,
    wrong_pairs: Vec<[&'a str; 2]>,
    removed: &'a [String],
    kept: &'a [String],
    overwritten: &'a [String],
}

#[derive(Serialize)]
struct JsonInput<'a> {
    name: &'a str,
    kind: &'a str,
    programs: usize,
    unknown: usize,
}

#[derive(Serialize)]
struct JsonOpen<'a> {
    file: &'a str,
    holes: Vec<&'a str>,
}

pub(super) fn json<'e>(
    extraction: &'e Extraction,
    output: &'e Output<'_>,
    folder: &Folder,
    changes: &Changes,
    skipped: usize,
) -> Result<String> {
    let input = |(input, programs): (&'e agal_extract::Summary, &usize)| JsonInput {
        name: &input.name,
        kind: &input.kind,
        programs: *programs,
        unknown: input.unknown.len(),
    };
    let inputs = extraction.inputs.iter().zip(&output.programs).map(input);
    let summary = JsonSummary {
        folder: shown::path(&folder.path),
        manifest: shown::path(&folder.manifest()),
        counts: output.manifest.counts,
        left_out: output.manifest.left_out,
        inputs: inputs.collect(),
        open: output.manifest.open().map(|(file, holes)| JsonOpen { file, holes }).collect(),
        unused_fills: &output.manifest.unused_fills,
        warnings: extraction.warnings.len(),
        skipped,
        wrong: output.manifest.wrong().collect(),
        wrong_pairs: output.manifest.wrong_pairs().collect(),
        removed: &changes.removed,
        kept: &changes.kept,
        overwritten: &changes.overwritten,
    };
    Ok(serde_json::to_string_pretty(&summary)? + "\n")
}
