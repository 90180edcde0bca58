//! The commands `validate` and `link`, which check programs of one instruction set and report the findings as text or JSON.

use std::path::PathBuf;

use agal_front::finding::KEPT;
use agal_front::token::Mask;
use agalc::render::shown;
use agalc::render::{CheckedProgram, SourceFile};
use agalc::{Finding, Input, InstructionSet, PairError, Program, Rules, Source, Stage, Varying, first_swf_version};
use anyhow::{Result, ensure};
use serde_json::{Value, json};

use super::loading::{all, read_all};
use crate::args::{Endian, Format, Link, Reporting, Validate};
use crate::batch::{Batch, FileFilter, Success, is_batch};
use crate::files::Files;
use crate::output::{Sink, usage};
use crate::phrases::wording;
use crate::report;

pub(super) fn validate(files: &Files, args: &Validate) -> Result<()> {
    if !is_batch(&args.batch, &args.inputs, 2) {
        return one(files, &args.inputs, &args.how);
    }
    let batch = Batch::new(&args.inputs, FileFilter::Pairs, Success::Accepted, &args.batch)?;
    batch.run(files, |shader, files| one(files, &shader.inputs, &args.how))
}

/// Reports every finding about one program or one vertex and fragment pair.
fn one(files: &Files, paths: &[PathBuf], how: &Reporting) -> Result<()> {
    let rules = how.judging.rules().lints(true);
    let checked = checked("validate", &read_all(files, paths)?, how, rules)?;
    if report::is_json() {
        reported(&checked.0, None)?;
    }
    report_all(checked)
}

fn reported(checked: &[Program], varyings: Option<Value>) -> Result<()> {
    report::reported(checked.iter().map(|program| CheckedProgram::new(program, wording)), varyings)
}

/// Rejects a module, and two programs in different instruction sets.
fn are_alike(command: &str, sources: &[Source<'_>]) -> Result<()> {
    for source in sources {
        let name = &source.input().name;
        ensure!(!source.is_module(), "`{name}` is an SDLSHADERBC module; `agalc verify` checks it");
    }
    let of = |set| sources.iter().find(|source| source.instruction_set() == Some(set)).map(|of| &of.input().name);
    match (of(InstructionSet::Agal), of(InstructionSet::UnifiedShader)) {
        (Some(agal), Some(unified)) => usage(format!(
            "`{agal}` is AGAL and `{unified}` is a program of the unified-shader instruction set, but `{command}` accepts only programs of \
             one language: run `agalc validate` for each, and `agalc compile` to check them as a pair"
        )),
        _ => Ok(()),
    }
}

pub(super) fn link(files: &Files, args: &Link) -> Result<()> {
    let how = &args.how;
    let (checked, refused) = checked("link", &read_all(files, &args.inputs)?, how, how.judging.rules())?;
    if checked.len() != 2 {
        // If the stage of a text is unknown and the text has errors, these errors are reported instead of the error that a pair
        // is missing.
        let is_refused = checked.iter().any(|of| of.stage().is_none() && report::errors(&of.findings) > 0);
        return match is_refused {
            true => report_all((checked, refused)),
            false => usage("`link` needs a pair: a vertex and a fragment program"),
        };
    }
    let varyings = agalc::varyings(&checked);
    match (report::format(), &varyings) {
        (Format::Json, _) => reported(&checked, Some(as_json(varyings.as_deref().unwrap_or_default())))?,
        (Format::Text, Some(varyings)) => files.write_text(Sink::Stdout, "varyings", table(varyings))?,
        (Format::Text | Format::Sarif, _) => {}
    }
    report_all((checked, refused))
}

fn as_json(varyings: &[Varying]) -> Value {
    let varying =
        |of: &Varying| json!({ "number": of.number, "written": of.written.to_string(), "read": of.read.to_string() });
    varyings.iter().map(varying).collect()
}

fn table(varyings: &[Varying]) -> String {
    let letters = |mask: Mask| if mask.is_empty() { "-".to_string() } else { mask.to_string() };
    let mut table = String::from("varying  written  read\n");
    for &Varying { number, written, read } in varyings {
        let note = match (written, read) {
            (Mask(0), _) => "never written",
            (_, Mask(0)) => "never read",
            (Mask::ALL, _) => "",
            _ => "partly written",
        };
        let line = format!("{:<9}{:<9}{:<6}{note}", format!("v{number}"), letters(written), letters(read));
        table += line.trim_end();
        table.push('\n');
    }
    table
}

/// The checked programs, and an error for each file whose warnings `-W error` turns into errors.
type Checked = (Vec<Program>, Vec<anyhow::Error>);

fn checked(command: &str, inputs: &[Input], how: &Reporting, rules: Rules) -> Result<Checked> {
    let options = how.text.options(rules).big_endian(how.endian == Endian::Big);
    let sources = Source::all(inputs, &options);
    are_alike(command, &sources)?;
    if sources.len() > 1 && sources.iter().any(Source::is_pair) {
        return usage(
            "a file with a vertex and a fragment program is a pair, which cannot be combined with another input",
        );
    }
    let mut checked = agalc::validate(&sources, &options).map_err(|error| report::load_error(&error))?;
    let refused = checked.iter().filter_map(|checked| report::file_warnings(&checked.warnings, &how.judging).err());
    let mut refused: Vec<anyhow::Error> = refused.collect();
    if let Some(swf) = how.swf_version {
        refused.extend(checked.iter().filter_map(|checked| of_swf_version(checked, swf, how).err()));
    }
    let unified = checked.iter().filter(|of| of.instruction_set() == Some(InstructionSet::UnifiedShader));
    refused.extend(are_a_pair(unified.filter_map(Program::stage)).err());
    checked.iter_mut().for_each(|checked| report::drop_silenced(&how.judging, &mut checked.findings));
    Ok((checked, refused))
}

/// Checks that two unified-shader programs have different stages. AGAL programs need no such check, because a finding reports
/// equal stages.
fn are_a_pair(stages: impl Iterator<Item = Stage>) -> Result<()> {
    let stages: Vec<Stage> = stages.collect();
    let count = |stage| stages.iter().filter(|of| **of == stage).count();
    match (count(Stage::Vertex), count(Stage::Fragment)) {
        (vertex @ 2.., fragment) | (vertex, fragment @ 2..) => Err(PairError::NotAPair { vertex, fragment }.into()),
        _ => Ok(()),
    }
}

/// Warns if the player does not accept the program's AGAL version in a SWF file of version `swf`.
fn of_swf_version(checked: &Program, swf: u32, how: &Reporting) -> Result<()> {
    let Some(version) = checked.version() else { return Ok(()) };
    match first_swf_version(version).filter(|first| *first > swf) {
        None => Ok(()),
        Some(first) => report::run_warning(
            &format!(
                "`{}` is in AGAL {version}, which the player accepts in SWF version {first} and later",
                checked.name
            ),
            &format!(
                "compile the application for SWF version {first}, or write the program in a lower version of AGAL"
            ),
            &how.judging,
        ),
    }
}

/// Reports the findings in the order in which the player would detect them, and returns an error if any finding is an error.
fn report_all((checked, refused): Checked) -> Result<()> {
    let mut all: Vec<(usize, &Finding)> = Vec::new();
    for (index, checked) in checked.iter().enumerate() {
        all.extend(checked.findings.iter().map(|found| (index, found)));
    }
    all.sort_by_key(|(_, found)| found.order);
    let names: Vec<_> = checked.iter().map(|of| shown::name(&of.name)).collect();
    let texts = checked.iter().map(|of| of.text.as_ref());
    let sources: Vec<SourceFile<'_>> =
        names.iter().zip(texts).map(|(name, text)| SourceFile::decoded(name, text, wording)).collect();
    let (listed, further) = report::first_of(all, KEPT);
    for (index, found, is_shown) in listed {
        if let Some(source) = sources.get(index) {
            report::finding_in(source, found, is_shown);
        }
    }
    report::note_of_text(further, "finding");
    verdict(&checked, refused)
}

fn verdict(checked: &[Program], refused: Vec<anyhow::Error>) -> Result<()> {
    let misfits = report::misfits(checked.iter().map(|checked| (checked.name.as_str(), &checked.findings[..])));
    let errors = checked.iter().map(|checked| (&checked.name, report::errors(&checked.findings)));
    let errors = errors.filter(|(_, errors)| misfits.is_none() && *errors > 0);
    let errors = errors.map(|(name, errors)| report::has_errors(name, errors));
    let found = errors.chain(misfits.clone()).map(report::Refused::error);
    all(refused.into_iter().chain(found).map(Err).collect()).map(|_: Vec<()>| ())
}
