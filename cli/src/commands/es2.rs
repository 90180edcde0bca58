//! What commands do with programs of the unified-shader instruction set: the code words in a table, and findings.

use agalc::{Content, Es2, Options, Text, check_es2};
use anyhow::Result;
use es2_front::disassemble::line;
use es2_front::program::{HEADER_BYTES, WORD_BYTES};
use es2_front::{Finding, Program};
use serde_json::{Value, json};

use super::validate::stdout;
use crate::args::Reporting;
use crate::files::Files;
use crate::report;

/// Lists a program's words next to its instructions.
pub(super) fn dump(program: &Program) -> String {
    let bytes = program.encode();
    let header: String = bytes.iter().take(HEADER_BYTES).rev().map(|byte| format!("{byte:02x}")).collect();
    let mut text = format!("{:06x}  {header}     {} program", 0, program.stage);
    let used = program.instructions.iter().filter(|instruction| instruction.op == es2_front::Opcode::Tex);
    let mut samplers: Vec<u8> = used.map(|instruction| instruction.sampler).collect();
    samplers.sort_unstable();
    samplers.dedup();
    for sampler in samplers {
        text += &format!(", t{sampler} {}", program.dimension(sampler).name());
    }
    text.push('\n');
    for (index, instruction) in program.instructions.iter().enumerate() {
        let at = HEADER_BYTES + index * WORD_BYTES;
        text += &format!("{at:06x}  {:016x}  {:4}  {}\n", instruction.encode(), index + 1, line(program, instruction));
    }
    text
}

/// An input of `validate`: the program, or the findings for which there is none.
struct Checked {
    name: String,
    text: Option<Text>,
    program: Option<Program>,
    findings: Vec<Finding>,
}

/// `validate` for inputs that are all of this instruction set: reports every finding.
pub(super) fn validate(
    files: &Files,
    contents: Vec<Result<Content, agalc::Error>>,
    how: &Reporting,
    options: &Options,
) -> Result<()> {
    let (mut programs, mut refused) = (Vec::new(), Vec::new());
    for content in contents {
        match content {
            Ok(Content::Es2(es2)) => {
                report::file_warnings(&es2.warnings, &how.judging)?;
                programs.push(*es2);
            }
            Ok(other) => anyhow::bail!("`{}` is of another language than the other input", other.name()),
            Err(agalc::Error { name, kind: agalc::ErrorKind::Es2 { text, program, findings } }) => {
                let program = program.map(|program| *program);
                refused.push(Checked { name, text, program, findings });
            }
            Err(error) => return Err(report::load_error(&error)),
        }
    }
    check_es2(&mut programs, options);
    let accepted = programs.into_iter().map(|Es2 { name, program, text, findings, .. }| Checked {
        name,
        text,
        program: Some(program),
        findings,
    });
    let mut checked: Vec<Checked> = accepted.chain(refused).collect();
    checked.iter_mut().for_each(|checked| report::drop_silenced_es2(&how.judging, &mut checked.findings));
    if how.is_json() {
        let programs: Vec<Value> = checked.iter().map(as_json).collect();
        stdout(files, "report", serde_json::to_string_pretty(&json!({ "programs": programs }))? + "\n")?;
    } else {
        for Checked { name, text, program, findings } in &checked {
            report::show_es2(name, text.as_ref().map(Text::as_str), program.as_ref(), findings);
        }
    }
    let wrong = checked.iter().map(|checked| {
        let errors = checked.findings.iter().filter(|finding| finding.is_error()).count();
        let plural = if errors == 1 { "error" } else { "errors" };
        if errors == 0 { Ok(()) } else { Err(anyhow::anyhow!("`{}` has {errors} {plural}", checked.name)) }
    });
    super::all(wrong.collect()).map(|_| ())
}

fn as_json(checked: &Checked) -> Value {
    let Checked { name, text, program, findings } = checked;
    let finding = |finding: &Finding| {
        let place = finding.place;
        let in_file = |at| text.as_ref().map_or(at, |text| text.offset_in_file(at));
        let instruction = program.as_ref().zip(place.token).and_then(|(program, number)| {
            Some(line(program, program.instructions.get((number as usize).checked_sub(1)?)?))
        });
        json!({
            "code": format!("ES{}", finding.code()),
            "severity": if finding.is_error() { "error" } else { "warning" },
            "message": finding.kind.to_string(),
            "help": finding.kind.help(),
            "number": place.token,
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
