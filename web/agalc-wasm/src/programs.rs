//! What is done with programs: checking, assembling, disassembling, describing.

use agal_front::assemble::Alias;
use agal_front::disassemble::disassemble as disassemble_agal;
use agalc::render::{Problem, of_error, of_es2_findings, of_findings, problems, remarks};
use agalc::{Content, Error, ErrorKind, Finding, Form, Input, Item, Reflection, Validated};
use agalc::{check_es2, first_stop, items, module, read, reflect, said_once};
use agalc_wasm_bridge::{Options, Refused};
use serde::Serialize;

/// What `validate` returns.
#[derive(Default, Serialize)]
pub(crate) struct Report {
    diagnostics: Vec<Problem>,
    programs: Vec<Program>,
}

#[derive(Serialize)]
struct Program {
    file: String,
    stage: String,
    version: Option<u32>,
    tokens: usize,
    constants: Vec<Constant>,
}

/// The values that constants of the macro language must hold.
#[derive(Serialize)]
struct Constant {
    register: String,
    values: [Option<f32>; 4],
}

/// Checks programs; a module is verified.
pub(crate) fn validate(inputs: &[Input], options: &Options) -> Result<Report, Refused> {
    let reading = options.reading(true)?;
    let forms: Vec<Form> = inputs.iter().map(|input| reading.form(input)).collect();
    let are_all = |of: &[Form]| forms.iter().all(|form| of.contains(form));
    if are_all(&[Form::Es2Code, Form::Es2Text]) {
        return Ok(of_es2(inputs, options, &reading));
    }
    if are_all(&[Form::Bytecode, Form::AgalText, Form::AgalPair]) {
        return Ok(match agalc::validate(inputs, options.stage(), &reading) {
            Ok(programs) => of_agal(programs),
            Err(error) => Report { diagnostics: of_error(&error), ..Report::default() },
        });
    }
    // A module, or a pair of two languages.
    let diagnostics = match module(&items(inputs, options.stage()), &reading) {
        Ok(loaded) => remarks(&loaded),
        Err(refused) => problems(&refused),
    };
    Ok(Report { diagnostics, ..Report::default() })
}

fn of_agal(mut programs: Vec<Validated>) -> Report {
    first_stop(&mut programs);
    said_once(&mut programs);
    let mut report = Report::default();
    let mut ordered: Vec<(u32, Problem)> = Vec::new();
    for Validated { name, text, agal, findings, warnings } in &programs {
        let program = agal.as_ref().map(|agal| &agal.program);
        let said = of_findings(name, text.as_ref(), program, findings);
        ordered.extend(findings.iter().map(|finding: &Finding| finding.order).zip(said));
        let severity = agal_front::Severity::Warning;
        report.diagnostics.extend(warnings.iter().map(|found| agalc::render::warning(found, severity).problem()));
        if let Some(agal) = agal {
            report.programs.push(Program {
                file: name.clone(),
                stage: agal.program.stage.to_string(),
                version: Some(agal.program.version),
                tokens: agal.program.tokens.len(),
                constants: constants(&agal.aliases),
            });
        }
    }
    // In the player's order.
    ordered.sort_by_key(|(order, _)| *order);
    report.diagnostics.extend(ordered.into_iter().map(|(_, problem)| problem));
    report
}

fn constants(aliases: &[Alias]) -> Vec<Constant> {
    let constant = |alias: &Alias| {
        let register = alias.target.split('.').next().unwrap_or_default().to_string();
        Some(Constant { register, values: alias.values? })
    };
    aliases.iter().filter_map(constant).collect()
}

fn of_es2(inputs: &[Input], options: &Options, reading: &agalc::Options) -> Report {
    let mut report = Report::default();
    let mut programs = Vec::new();
    for item in items(inputs, options.stage()) {
        match read(&item, reading) {
            Ok(Content::Es2(es2)) => programs.push(*es2),
            // The form says that there is nothing else.
            Ok(_) => {}
            Err(Error { name, kind: ErrorKind::Es2 { text, program, findings } }) => {
                report.diagnostics.extend(of_es2_findings(&name, text.as_ref(), program.as_deref(), &findings));
            }
            Err(error) => report.diagnostics.extend(of_error(&error)),
        }
    }
    check_es2(&mut programs, reading);
    for es2 in &programs {
        let said = of_es2_findings(&es2.name, es2.text.as_ref(), Some(&es2.program), &es2.findings);
        report.diagnostics.extend(said);
        report.programs.push(Program {
            file: es2.name.clone(),
            stage: es2.program.stage.to_string(),
            version: None,
            tokens: es2.program.instructions.len(),
            constants: Vec::new(),
        });
    }
    report
}

/// The only input, as a program that can be assembled.
fn program(inputs: &[Input], options: &Options) -> Result<Content, Refused> {
    let [input] = inputs else { return Err(Refused::plain("this is for one program")) };
    let content = match read(&Item::new(input, options.stage()), &options.reading(false)?)? {
        Content::Agal(agal) => Content::Agal(Box::new(agal.sound()?)),
        Content::Es2(es2) => Content::Es2(Box::new(es2.sound()?)),
        Content::Ir(ir) => {
            return Err(Refused::plain(format!("`{}` is an SDLSHADERBC module, and not a program", ir.name)));
        }
    };
    Ok(content)
}

/// Text to bytecode.
pub(crate) fn assemble(inputs: &[Input], options: &Options) -> Result<Vec<u8>, Refused> {
    Ok(match program(inputs, options)? {
        Content::Agal(agal) => agal.program.encode(),
        Content::Es2(es2) => es2.program.encode(),
        Content::Ir(_) => Vec::new(),
    })
}

/// Bytecode to text.
pub(crate) fn disassemble(inputs: &[Input], options: &Options) -> Result<String, Refused> {
    match program(inputs, options)? {
        Content::Agal(agal) => Ok(disassemble_agal(&agal.program)),
        Content::Es2(es2) => {
            // What no text says is an error of the program.
            let mut checked = [*es2];
            check_es2(&mut checked, &agalc::Options::default());
            let [es2] = checked;
            match es2.disassembled() {
                Some(text) => Ok(text),
                None => Err(es2.sound().map_or_else(Refused::from, |_| Refused::plain("the program has no text"))),
            }
        }
        Content::Ir(_) => Ok(String::new()),
    }
}

/// What programs read and write.
pub(crate) fn inspect(inputs: &[Input], options: &Options) -> Result<Reflection, Refused> {
    let loaded = module(&items(inputs, options.stage()), &options.reading(false)?)?;
    let reflection = reflect(&loaded.module, &[]).with_programs(&loaded.programs).with_es2(&loaded.es2);
    Ok(reflection.with_formats(&loaded.formats))
}
