//! `validate` and `link`: report the findings about programs of one language, as text or JSON. This file does it for AGAL, and `es2.rs`
//! for the unified-shader instruction set.

use std::path::PathBuf;

use agal_front::assemble::Alias;
use agal_front::disassemble::instruction;
use agal_front::finding::{KEPT, Part, Severity};
use agal_front::link::varyings;
use agal_front::token::Mask;
use agal_front::{Finding, Program, Rules, Stage};
use agalc::render::Source;
use agalc::{Form, Input, Options, Text, Validated, first_stop, first_swf_version, items, said_once};
use anyhow::{Result, bail};
use serde::Serialize;
use serde_json::{Value, json};

use super::{all, es2, read_all};
use crate::args::{Endian, Format, Link, Reporting, Validate};
use crate::batch::{Batch, Done, Takes, is_batch};
use crate::files::Files;
use crate::output::{PendingOutput, Sink, UsageError};
use crate::report;

/// `validate`: reports every finding.
pub(super) fn validate(files: &Files, args: &Validate) -> Result<()> {
    if !is_batch(&args.batch, &args.inputs, 2) {
        return one(files, &args.inputs, &args.how);
    }
    let batch = Batch::new(&args.inputs, Takes::Pairs, Done::Accepted, &args.batch)?;
    batch.run(files, |shader, files| one(files, &shader.inputs, &args.how))?.1
}

/// Reports every finding about a program or a pair.
fn one(files: &Files, paths: &[PathBuf], how: &Reporting) -> Result<()> {
    let rules = Rules { lints: true, ..how.judging.rules() };
    let inputs = read_all(files, paths)?;
    let options = how.text.options(rules.clone());
    if is_es2("validate", &inputs, &options)? {
        return es2::validate(files, &inputs, how, &options);
    }
    let checked = checked(&inputs, how, &rules)?;
    if report::is_json() {
        report::reported(checked.0.iter().map(JsonProgram::new), None)?;
    }
    report_all(checked)
}

/// Whether inputs are programs of the unified-shader instruction set; all or none of them must be.
fn is_es2(command: &str, inputs: &[Input], options: &Options) -> Result<bool> {
    let (mut of_es2, mut of_agal) = (None, None);
    for input in inputs {
        let name = &input.name;
        match options.form(input) {
            Form::Es2Code | Form::Es2Text => of_es2 = of_es2.or(Some(name)),
            Form::Bytecode | Form::AgalText | Form::AgalPair => of_agal = of_agal.or(Some(name)),
            Form::Sdlbc | Form::ModuleText => bail!("`{name}` is an SDLSHADERBC module; `agalc verify` checks it"),
            // Reading it says what it is.
            _ => {}
        }
    }
    match (of_agal, of_es2) {
        (Some(agal), Some(es2)) => Err(UsageError(format!(
            "`{agal}` is AGAL and `{es2}` is a program of the unified-shader instruction set, and `{command}` is for programs of \
             one language: run `agalc validate` for each, and `agalc compile` to check them as a pair"
        ))
        .into()),
        (_, of_es2) => Ok(of_es2.is_some()),
    }
}

/// What `link` says if its inputs are not two programs.
pub(super) fn needs_a_pair() -> anyhow::Error {
    UsageError("`link` needs a pair: a vertex and a fragment program".into()).into()
}

/// `link`: lists the varyings of a pair, and reports every finding.
pub(super) fn link(files: &Files, args: &Link) -> Result<()> {
    let (inputs, how) = (read_all(files, &args.inputs)?, &args.how);
    let options = how.text.options(how.judging.rules());
    if is_es2("link", &inputs, &options)? {
        return es2::link(files, &inputs, how, &options);
    }
    let (checked, refused) = checked(&inputs, how, &how.judging.rules())?;
    if checked.len() != 2 {
        // A paste with both programs that cannot be read is none.
        let is_refused = checked.iter().any(|checked| checked.agal.is_none() && report::errors(&checked.findings) > 0);
        return if is_refused { report_all((checked, refused)) } else { Err(needs_a_pair()) };
    }
    let pair = |stage: Stage| {
        let programs = checked.iter().filter_map(|checked| Some(&checked.agal.as_ref()?.program));
        programs.into_iter().find(|program| program.stage == stage)
    };
    let pair = pair(Stage::Vertex).zip(pair(Stage::Fragment));
    let varyings = pair.map_or(Vec::new(), |(vertex, fragment)| varyings(vertex, fragment));
    let varyings: Vec<Linked> = varyings.iter().map(|of| (of.number, of.written, of.read)).collect();
    match report::format() {
        Format::Json => {
            report::reported(checked.iter().map(JsonProgram::new), Some(as_json(&varyings)))?;
        }
        Format::Text if pair.is_some() => stdout(files, "varyings", table(&varyings))?,
        Format::Text | Format::Sarif => {}
    }
    report_all((checked, refused))
}

/// A varying of a pair: its number, and the components that are written and read.
pub(super) type Linked = (u32, Mask, Mask);

/// The varyings of a pair as JSON.
pub(super) fn as_json(varyings: &[Linked]) -> Value {
    let varying = |(number, written, read): &Linked| json!({ "number": number, "written": written.to_string(), "read": read.to_string() });
    varyings.iter().map(varying).collect()
}

/// The varyings of a pair as a table.
pub(super) fn table(varyings: &[Linked]) -> String {
    let letters = |mask: Mask| if mask.is_empty() { "-".to_string() } else { mask.to_string() };
    let mut table = String::from("varying  written  read\n");
    for &(number, written, read) in varyings {
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

/// Reads, assembles and checks the inputs. Also returns the error for warnings about each file, if warnings are errors.
fn checked(inputs: &[Input], how: &Reporting, rules: &Rules) -> Result<(Vec<Validated>, Vec<anyhow::Error>)> {
    if items(inputs, how.text.stage()).len() > 2 {
        return Err(UsageError(
            "a text with a vertex and a fragment part is a pair; it cannot be combined with another input".into(),
        )
        .into());
    }
    let options = Options { big_endian: how.endian == Endian::Big, ..how.text.options(rules.clone()) };
    let mut checked =
        agalc::validate(inputs, how.text.stage(), &options).map_err(|error| report::load_error(&error))?;
    let refused = checked.iter().filter_map(|checked| report::file_warnings(&checked.warnings, &how.judging).err());
    let mut refused: Vec<anyhow::Error> = refused.collect();
    if let Some(swf) = how.swf_version {
        refused.extend(checked.iter().filter_map(|checked| of_swf_version(checked, swf, how).err()));
    }
    checked.iter_mut().for_each(|checked| report::drop_silenced(&how.judging, &mut checked.findings));
    first_stop(&mut checked);
    Ok((checked, refused))
}

/// Warns of a program of a version of AGAL that the player of an SWF of this version does not take.
fn of_swf_version(checked: &Validated, swf: u32, how: &Reporting) -> Result<()> {
    let Some(agal) = &checked.agal else { return Ok(()) };
    let version = agal.program.version;
    match first_swf_version(version).filter(|first| *first > swf) {
        None => Ok(()),
        Some(first) => report::run_warning(
            &format!("`{}` is of AGAL {version}, which the player takes from SWF version {first} on", checked.name),
            &format!(
                "compile the application for SWF version {first}, or write the program in a lower version of AGAL"
            ),
            &how.judging,
        ),
    }
}

/// Reports the findings in the player's order; returns an error if one of them is an error.
fn report_all((mut checked, refused): (Vec<Validated>, Vec<anyhow::Error>)) -> Result<()> {
    said_once(&mut checked);
    let mut all: Vec<(usize, &Finding)> = Vec::new();
    for (index, checked) in checked.iter().enumerate() {
        all.extend(checked.findings.iter().map(|found| (index, found)));
    }
    all.sort_by_key(|(_, found)| found.order);
    let mut sources = Vec::new();
    for Validated { name, text, agal, .. } in &checked {
        let program = agal.as_ref().map(|agal| &agal.program);
        sources.push(Source::decoded(name, text.as_ref(), program));
    }
    let (listed, further) = report::first_of(all, KEPT);
    for (index, found, is_shown) in listed {
        if let Some(source) = sources.get(index) {
            report::finding_in(source, found, is_shown);
        }
    }
    report::note_of_text(further, "finding");
    verdict(&checked, refused)
}

fn verdict(checked: &[Validated], refused: Vec<anyhow::Error>) -> Result<()> {
    let misfits = report::misfits(checked.iter().map(|checked| (checked.name.as_str(), &checked.findings[..])));
    let errors = checked.iter().map(|checked| (&checked.name, report::errors(&checked.findings)));
    let errors = errors.filter(|(_, errors)| misfits.is_none() && *errors > 0);
    let errors = errors.map(|(name, errors)| report::has_errors(name, errors));
    let found = errors.chain(misfits.clone()).map(report::Refused::error);
    all(refused.into_iter().chain(found).map(Err).collect()).map(|_: Vec<()>| ())
}

pub(super) fn stdout(files: &Files, what: &str, text: String) -> Result<()> {
    files.write(vec![PendingOutput { sink: Sink::Stdout, what: what.into(), bytes: text.into_bytes(), is_text: true }])
}

#[derive(Serialize)]
struct JsonProgram {
    file: String,
    stage: Option<String>,
    version: Option<u32>,
    tokens: Option<usize>,
    findings: Vec<JsonFinding>,
    /// The values that constants of the macro language must hold.
    constants: Vec<JsonConstant>,
}

#[derive(Serialize)]
struct JsonConstant {
    register: String,
    /// Null for a component that the program does not declare.
    values: [Option<f32>; 4],
}

#[derive(Serialize)]
struct JsonFinding {
    code: String,
    severity: &'static str,
    message: String,
    help: Option<String>,
    stops_player: bool,
    order: u32,
    attested: bool,
    token: Option<u32>,
    part: Option<&'static str>,
    byte: Option<usize>,
    instruction: Option<String>,
    line: Option<u32>,
    column: Option<u32>,
    start: Option<usize>,
    end: Option<usize>,
    /// Line and column of the macro call that was being expanded.
    #[serde(skip_serializing_if = "Option::is_none")]
    call: Option<[u32; 2]>,
}

impl JsonProgram {
    fn new(checked: &Validated) -> JsonProgram {
        let program = checked.agal.as_ref().map(|agal| &agal.program);
        let text = checked.text.as_ref();
        JsonProgram {
            file: checked.name.clone(),
            stage: program.map(|program| program.stage.to_string()),
            version: program.map(|program| program.version),
            tokens: program.map(|program| program.tokens.len()),
            findings: checked.findings.iter().map(|finding| JsonFinding::new(finding, program, text)).collect(),
            constants: checked.agal.iter().flat_map(|agal| constants(&agal.aliases)).collect(),
        }
    }
}

/// Returns the aliases that are constants.
fn constants(aliases: &[Alias]) -> impl Iterator<Item = JsonConstant> {
    aliases.iter().filter_map(|alias| {
        let register = alias.target.split('.').next().unwrap_or_default().to_string();
        Some(JsonConstant { register, values: alias.values? })
    })
}

impl JsonFinding {
    fn new(finding: &Finding, program: Option<&Program>, text: Option<&Text>) -> JsonFinding {
        let place = finding.place;
        // Offsets are those in the file.
        let in_file = |at| text.map_or(at, |text| text.offset_in_file(at));
        let instruction = program.zip(place.instruction).and_then(|(program, token)| {
            let token = program.tokens.get((token as usize).checked_sub(1)?)?;
            Some(instruction(token, program.stage))
        });
        let part = match place.part {
            Part::Operation => "operation",
            Part::Destination => "destination",
            Part::Source(0) => "source 1",
            Part::Source(_) => "source 2",
        };
        JsonFinding {
            code: format!("AGAL{}", finding.code()),
            severity: if finding.severity == Severity::Error { "error" } else { "warning" },
            message: finding.kind.to_string(),
            help: finding.kind.help(),
            stops_player: finding.stops_player,
            order: finding.order,
            attested: finding.kind.is_attested(),
            token: place.instruction,
            part: place.instruction.map(|_| part),
            byte: place.byte,
            instruction,
            line: place.span.map(|span| span.line),
            column: place.span.map(|span| span.column),
            start: place.span.map(|span| in_file(span.start)),
            end: place.span.map(|span| in_file(span.end)),
            call: place.span.and_then(|span| span.call).map(|call| [call.line, call.column]),
        }
    }
}
