//! Implements `validate`, `assemble`, `disassemble` and `inspect`.

use agalc::render::{CheckedProgram, Problem, of_error, of_program, problems, remarks, warning};
use agalc::{Input, Program, Reflection, Severity, Source, load, reflect};
use agalc_wasm_bridge::{Options, Refused, wording};
use serde::Serialize;

#[derive(Default, Serialize)]
pub(crate) struct Report {
    diagnostics: Vec<Problem>,
    programs: Vec<CheckedProgram>,
}

/// Checks programs and reports their findings, or verifies a module.
pub(crate) fn validate(inputs: &[Input], options: &Options) -> Result<Report, Refused> {
    let reading = options.reading(true)?;
    let sources = Source::all(inputs, &reading);
    let first = sources.first().and_then(Source::instruction_set);
    if first.is_some() && sources.iter().all(|source| source.instruction_set() == first) {
        return Ok(match agalc::validate(&sources, &reading) {
            Ok(programs) => reported(&programs),
            Err(error) => Report { diagnostics: of_error(&error, wording), ..Report::default() },
        });
    }
    // The inputs are a module, or a pair of programs with different instruction sets.
    let diagnostics = match load(&sources, &reading) {
        Ok(loaded) => remarks(&loaded.programs, &loaded.warnings, wording),
        Err(refused) => problems(&refused, wording),
    };
    Ok(Report { diagnostics, ..Report::default() })
}

fn reported(programs: &[Program]) -> Report {
    let mut report = Report::default();
    let mut ordered: Vec<(u32, Problem)> = Vec::new();
    for program in programs {
        let order = program.findings.iter().map(|finding| finding.order);
        ordered.extend(order.zip(of_program(program, wording)));
        let warnings = program.warnings.iter();
        report.diagnostics.extend(warnings.map(|found| warning(found, Severity::Warning).problem()));
        if program.stage().is_some() {
            report.programs.push(CheckedProgram::new(program, wording));
        }
    }
    // The findings are sorted in the order in which the player reports them.
    ordered.sort_by_key(|(order, _)| *order);
    report.diagnostics.extend(ordered.into_iter().map(|(_, problem)| problem));
    report
}

/// Reads the only input, which must be a program.
fn program(inputs: &[Input], options: &Options) -> Result<Program, Refused> {
    let [input] = inputs else { return Err(Refused::plain("this function takes exactly one program")) };
    let reading = options.reading(false)?;
    let program = Source::open(input, &reading).read_shown(&reading)?;
    match program.module() {
        Some(_) => Err(Refused::plain(format!("`{}` is an SDLSHADERBC module, not a program", program.name))),
        None => Ok(program.sound()?),
    }
}

pub(crate) fn assemble(inputs: &[Input], options: &Options) -> Result<Vec<u8>, Refused> {
    Ok(program(inputs, options)?.encode().unwrap_or_default())
}

pub(crate) fn disassemble(inputs: &[Input], options: &Options) -> Result<String, Refused> {
    Ok(program(inputs, options)?.disassemble()?)
}

pub(crate) fn inspect(inputs: &[Input], options: &Options) -> Result<Reflection, Refused> {
    let reading = options.reading(false)?;
    let loaded = agalc::load_all(inputs, &reading)?;
    Ok(reflect(&loaded.module, &[]).with_programs(&loaded.programs).with_formats(&loaded.formats))
}
