//! What commands do with programs of the unified-shader instruction set: the code words in a table, and findings.

use agal_front::finding::KEPT;
use agalc::{Content, Es2, Input, Options, PairError, Text, check_es2, items};
use anyhow::Result;
use es2_front::disassemble::line;
use es2_front::link::varyings;
use es2_front::program::{HEADER_BYTES, WORD_BYTES};
use es2_front::{Finding, Instruction, Opcode, Program, Stage};
use serde_json::{Value, json};

use super::validate::{self, Linked, needs_a_pair, stdout, table};
use crate::args::{Format, Reporting};
use crate::files::Files;
use crate::report;

/// Lists the words of a file next to their instructions, and what is wrong with those that are none. Returns whether all are
/// good.
pub(super) fn dump(bytes: &[u8]) -> (String, bool) {
    let stage = if bytes.get(3) == Some(&b'v') { Stage::Vertex } else { Stage::Fragment };
    let (header, words) = bytes.split_at(bytes.len().min(HEADER_BYTES));
    let (decoded, wrong) = match Program::decode(bytes) {
        Ok(program) => (program, Vec::new()),
        Err(findings) => (Program::new(stage), findings),
    };
    let said = |at: std::ops::Range<usize>| {
        let here = wrong.iter().filter(|finding| finding.place.byte.is_some_and(|byte| at.contains(&byte)));
        here.map(|finding| format!("  <- {}", finding.kind)).collect::<String>()
    };
    let hex = |bytes: &[u8]| bytes.iter().rev().map(|byte| format!("{byte:02x}")).collect::<String>();
    let mut text = format!("{:06x}  {:<16}     {stage} program", 0, hex(header));
    let mut samplers: Vec<u8> =
        decoded.instructions.iter().filter(|of| of.op == Opcode::Tex).map(|of| of.sampler).collect();
    samplers.sort_unstable();
    samplers.dedup();
    for sampler in samplers {
        text += &format!(", t{sampler} {}", decoded.dimension(sampler).name());
    }
    text += &format!("{}\n", said(0..HEADER_BYTES));
    for (index, bytes) in words.chunks(WORD_BYTES).enumerate() {
        let at = HEADER_BYTES + index * WORD_BYTES;
        let word: Option<[u8; WORD_BYTES]> = bytes.try_into().ok();
        let instruction = word.and_then(|word| Instruction::decode(u64::from_le_bytes(word)).ok());
        let shown = instruction.map_or(String::new(), |instruction| line(&decoded, &instruction));
        let said = said(at..at + bytes.len());
        text += format!("{at:06x}  {:<16}  {:4}  {shown}{said}", hex(bytes), index + 1).trim_end();
        text.push('\n');
    }
    (text, wrong.is_empty())
}

/// `validate` for inputs that are all of this instruction set: reports every finding.
pub(super) fn validate(files: &Files, inputs: &[Input], how: &Reporting, options: &Options) -> Result<()> {
    report_all(files, checked(inputs, how, options)?, None)
}

/// `link`: lists the varyings of a pair, and reports every finding.
pub(super) fn link(files: &Files, inputs: &[Input], how: &Reporting, options: &Options) -> Result<()> {
    if inputs.len() != 2 {
        return Err(needs_a_pair());
    }
    let checked = checked(inputs, how, options)?;
    let of = |stage| checked.iter().filter_map(|checked| checked.program.as_ref()).find(|of| of.stage == stage);
    let linked = of(Stage::Vertex).zip(of(Stage::Fragment)).map(|(vertex, fragment)| {
        let varyings = varyings(vertex, fragment).into_iter();
        varyings.map(|varying| (u32::from(varying.number), varying.written, varying.read)).collect()
    });
    report_all(files, checked, Some(linked))
}

/// Reads and checks the inputs.
fn checked(inputs: &[Input], how: &Reporting, options: &Options) -> Result<Vec<Checked>> {
    let mut programs = Vec::new();
    // The inputs in their order: a program, or what is wrong with it.
    let mut found = Vec::new();
    for item in items(inputs, how.text.stage()) {
        match agalc::read(&item, options) {
            Ok(Content::Es2(es2)) => {
                report::file_warnings(&es2.warnings, &how.judging)?;
                programs.push(*es2);
                found.push(None);
            }
            Ok(other) => anyhow::bail!("`{}` is of another language than the other input", other.name()),
            Err(agalc::Error { name, kind: agalc::ErrorKind::Es2 { text, program, findings } }) => {
                let program = program.map(|program| *program);
                found.push(Some(Checked { name, text, program, findings }));
            }
            Err(error) => return Err(report::load_error(&error)),
        }
    }
    check_es2(&mut programs, options);
    let mut accepted = programs.into_iter().map(|Es2 { name, program, text, findings, .. }| Checked {
        name,
        text,
        program: Some(program),
        findings,
    });
    let mut checked: Vec<Checked> = found.into_iter().filter_map(|input| input.or_else(|| accepted.next())).collect();
    checked.iter_mut().for_each(|checked| report::drop_silenced_es2(&how.judging, &mut checked.findings));
    Ok(checked)
}

/// Reports the findings; returns an error if one of them is an error, or if two programs are not a pair. `linked` has the varyings,
/// for `link`; there are none if the programs are not a pair.
fn report_all(files: &Files, checked: Vec<Checked>, linked: Option<Option<Vec<Linked>>>) -> Result<()> {
    if report::is_json() {
        report::reported(
            checked.iter().map(as_json),
            linked.map(|linked| validate::as_json(&linked.unwrap_or_default())),
        )?;
    } else if let Some(Some(varyings)) = linked
        && report::format() == Format::Text
    {
        stdout(files, "varyings", table(&varyings))?;
    }
    for Checked { name, text, program, findings } in &checked {
        report::show_es2(name, text.as_ref(), program.as_ref(), findings, 2 * KEPT);
    }
    let wrong = checked.iter().map(|Checked { name, findings, .. }| match report::wrong_es2(name, findings) {
        None => Ok(()),
        Some(wrong) => Err(report::Refused::error(wrong)),
    });
    super::all(wrong.chain([are_a_pair(&checked)]).collect()).map(|_| ())
}

/// Whether two programs that could be read are of two stages.
fn are_a_pair(checked: &[Checked]) -> Result<()> {
    let stages: Vec<Stage> = checked.iter().filter_map(|of| Some(of.program.as_ref()?.stage)).collect();
    let count = |stage| stages.iter().filter(|of| **of == stage).count();
    match (count(Stage::Vertex), count(Stage::Fragment)) {
        (vertex @ 2.., fragment) | (vertex, fragment @ 2..) => Err(PairError::NotAPair { vertex, fragment }.into()),
        _ => Ok(()),
    }
}

/// An input of `validate`: the program, or the findings for which there is none.
struct Checked {
    name: String,
    text: Option<Text>,
    program: Option<Program>,
    findings: Vec<Finding>,
}

fn as_json(checked: &Checked) -> Value {
    let Checked { name, text, program, findings } = checked;
    let finding = |finding: &Finding| {
        let place = finding.place;
        let in_file = |at| text.as_ref().map_or(at, |text| text.offset_in_file(at));
        let instruction = program.as_ref().zip(place.instruction).and_then(|(program, number)| {
            Some(line(program, program.instructions.get((number as usize).checked_sub(1)?)?))
        });
        json!({
            "code": format!("ES{}", finding.code()),
            "severity": if finding.is_error() { "error" } else { "warning" },
            "message": finding.kind.to_string(),
            "help": finding.kind.help(),
            "number": place.instruction,
            "byte": place.byte,
            "instruction": instruction,
            "line": place.span.map(|span| span.line),
            "column": place.span.map(|span| span.column),
            "start": place.span.map(|span| in_file(span.start)),
            "end": place.span.map(|span| in_file(span.end)),
        })
    };
    json!({
        "file": name,
        "stage": program.as_ref().map(|program| program.stage.to_string()),
        "instructions": program.as_ref().map(|program| program.instructions.len()),
        "findings": findings.iter().map(finding).collect::<Vec<Value>>(),
    })
}
