//! Diagnostics for people: the source line with a caret for text, the token and its offset for bytecode.

use crate::args::{Judging, Warnings};
use crate::{messages, shown};
use agal_front::assemble::Alias;
use agal_front::finding::{Finding, Severity};
use agal_front::{Kind, Program};
use agalc::names::{FileError, NameError, Origin};
use agalc::render::{self, Diagnostic, Report, Source};
use agalc::{Agal, ErrorKind, Foreign, Loaded, PairError, Text};
use codespan_reporting::diagnostic::Severity as CodespanSeverity;

/// How many findings are shown; further ones are counted.
const SHOWN: usize = 20;

/// An input was refused; its errors have been reported.
#[derive(Debug)]
pub(crate) struct Refused {
    summary: String,
}

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.summary)
    }
}

impl std::error::Error for Refused {}

/// Reports an error with its causes.
pub(crate) fn error(error: &anyhow::Error) {
    emit("", "", &Diagnostic::error().with_message(format!("{error:#}")));
}

/// Reports what the player refuses about a draw.
pub(crate) fn draw_error(error: &agalc::DrawError) {
    let diagnostic =
        Diagnostic::error().with_code(format!("AGAL{}", error.kind.code())).with_message(error.to_string());
    emit("", "", &diagnostic.with_notes(vec![format!("help: {}", error.kind.help())]));
}

/// Reports a warning with advice.
pub(crate) fn warning(message: &str, help: &str) {
    emit("", "", &Diagnostic::warning().with_message(message).with_notes(vec![format!("help: {help}")]));
}

/// Reports findings, and returns the error to end the run with.
fn refused(name: &str, text: Option<&str>, program: Option<&Program>, findings: &[Finding]) -> anyhow::Error {
    show(name, text, program, findings);
    let errors = errors(findings);
    let plural = if errors == 1 { "error" } else { "errors" };
    Refused { summary: format!("`{name}` has {errors} {plural}; nothing was written") }.into()
}

/// Removes warnings that should not be reported.
pub(crate) fn drop_silenced(judging: &Judging, findings: &mut Vec<Finding>) {
    if judging.warnings == Warnings::Allow {
        findings.retain(Finding::is_error);
    }
}

/// Reports findings.
pub(crate) fn show(name: &str, text: Option<&str>, program: Option<&Program>, findings: &[Finding]) {
    let name = &*shown::name(name);
    let source = Source::new(name, text, program);
    let (shown, further) = first_of(findings.iter().map(|finding| ((), finding)).collect(), SHOWN);
    shown.into_iter().for_each(|((), finding)| finding_in(&source, finding));
    if further > 0 {
        // Errors are shown first.
        messages::count_warnings(if errors(findings) == 0 { further } else { 0 });
        let note = format!("{name}: {}", not_shown(further, "finding"));
        emit("", "", &Diagnostic::note().with_message(note));
    }
}

/// The same for findings about a program of the unified-shader instruction set.
pub(crate) fn drop_silenced_es2(judging: &Judging, findings: &mut Vec<es2_front::Finding>) {
    if judging.warnings == Warnings::Allow {
        findings.retain(es2_front::Finding::is_error);
    }
}

/// Reports up to `most` findings about a program of the unified-shader instruction set: errors first if there are more.
pub(crate) fn show_es2(
    name: &str,
    text: Option<&str>,
    program: Option<&es2_front::Program>,
    findings: &[es2_front::Finding],
    most: usize,
) {
    let name = &*shown::name(name);
    let source = Source::new(name, text, None);
    let count: usize = findings.iter().map(es2_front::Finding::stands_for).sum();
    let is_listed = |finding: &&es2_front::Finding| !matches!(finding.kind, es2_front::Kind::Further { .. });
    let mut listed: Vec<&es2_front::Finding> = findings.iter().filter(is_listed).collect();
    if listed.len() > most {
        listed.sort_by_key(|finding| !finding.is_error());
        listed.truncate(most);
    }
    listed.iter().for_each(|finding| emit_in(&source, source.es2_finding(finding, program)));
    if count > listed.len() {
        let note = format!("{name}: {}", not_shown(count - listed.len(), "finding"));
        emit("", "", &Diagnostic::note().with_message(note));
    }
}

/// The error for a program of the unified-shader instruction set with errors.
pub(crate) fn wrong_es2(name: &str, findings: &[es2_front::Finding]) -> Option<String> {
    let errors: usize = findings.iter().map(es2_front::Finding::errors).sum();
    let plural = if errors == 1 { "error" } else { "errors" };
    (errors > 0).then(|| format!("`{name}` has {errors} {plural}"))
}

/// Reports the findings about a program of the unified-shader instruction set that is accepted.
pub(crate) fn es2(es2: &agalc::Es2, judging: &Judging) {
    let mut findings = es2.findings.clone();
    drop_silenced_es2(judging, &mut findings);
    show_es2(&es2.name, es2.text(), Some(&es2.program), &findings, SHOWN);
}

/// Selects up to `most` findings to show, and counts the others. Each has a value that the caller attached to it.
pub(crate) fn first_of<T>(mut findings: Vec<(T, &Finding)>, most: usize) -> (Vec<(T, &Finding)>, usize) {
    let count: usize = findings.iter().map(|(_, finding)| finding.stands_for()).sum();
    findings.retain(|(_, finding)| !matches!(finding.kind, Kind::Further { .. }));
    if findings.len() > most {
        // Errors must not be crowded out by warnings.
        findings.sort_by_key(|(_, finding)| !finding.is_error());
    }
    findings.truncate(most);
    let further = count.saturating_sub(findings.len());
    (findings, further)
}

/// Counts the errors.
pub(crate) fn errors(findings: &[Finding]) -> usize {
    findings.iter().map(Finding::errors).sum()
}

/// Reports a finding.
pub(crate) fn finding_in(source: &Source<'_>, finding: &Finding) {
    emit_in(source, source.finding(finding));
}

/// Reports the findings about an AGAL program that is accepted.
pub(crate) fn program(agal: &Agal, judging: &Judging) {
    let mut findings = agal.findings.clone();
    drop_silenced(judging, &mut findings);
    show(&agal.name, agal.text(), Some(&agal.program), &findings);
    uploads(&agal.aliases);
}

/// Reports the warnings about files that are accepted.
///
/// # Errors
/// There are some, and warnings are errors.
pub(crate) fn file_warnings(warnings: &[agalc::Warning], judging: &Judging) -> anyhow::Result<()> {
    let severity = if judging.warnings == Warnings::Error { Severity::Error } else { Severity::Warning };
    for found in warnings.iter().filter(|_| judging.warnings != Warnings::Allow) {
        emit_report(render::warning(found, severity));
    }
    match (severity, warnings.iter().filter(|found| !found.is_note()).count()) {
        (Severity::Warning, _) | (_, 0) => Ok(()),
        (_, count) => Err(strict(count)),
    }
}

/// Reports a warning about the files of a run.
///
/// # Errors
/// Warnings are errors.
pub(crate) fn run_warning(message: &str, help: &str, judging: &Judging) -> anyhow::Result<()> {
    match judging.warnings {
        Warnings::Allow => Ok(()),
        Warnings::Warn => {
            warning(message, help);
            Ok(())
        }
        Warnings::Error => {
            let error = Diagnostic::error().with_message(message).with_notes(vec![format!("help: {help}")]);
            emit("", "", &error);
            Err(strict(1))
        }
    }
}

/// The error for warnings that were reported as errors.
fn strict(count: usize) -> anyhow::Error {
    let summary = match count {
        1 => "a warning is an error (`-W error`); nothing was written".to_string(),
        _ => format!("{count} warnings are errors (`-W error`); nothing was written"),
    };
    Refused { summary }.into()
}

/// Returns the error for a name that does not fit. One from a file of names is reported here, and a summary is returned.
fn name_error(found: &NameError) -> anyhow::Error {
    match &found.origin {
        Origin::File { file, .. } => {
            emit_report(render::name_error(found));
            Refused { summary: format!("a name in `{}` does not fit; nothing was written", file.name()) }.into()
        }
        _ => anyhow::anyhow!("{found}"),
    }
}

/// Reports all but the last of the names that do not fit, and returns the error for that.
pub(crate) fn name_errors(errors: &[NameError]) -> anyhow::Error {
    let mut errors: Vec<anyhow::Error> = errors.iter().map(name_error).collect();
    let last = errors.pop();
    errors.iter().for_each(error);
    last.unwrap_or_else(|| anyhow::anyhow!("the names do not fit"))
}

/// Reports the errors of a file of names, and returns the error to end the run with.
pub(crate) fn names_file(name: &str, errors: &[FileError]) -> anyhow::Error {
    errors.iter().take(SHOWN).for_each(|error| emit_report(render::file_error(error)));
    if errors.len() > SHOWN {
        let note = format!("{name}: {}", not_shown(errors.len() - SHOWN, "error"));
        emit("", "", &Diagnostic::note().with_message(note));
    }
    let plural = if errors.len() == 1 { "error" } else { "errors" };
    Refused { summary: format!("`{name}` has {} {plural}; nothing was written", errors.len()) }.into()
}

/// Returns what was built from inputs, and reports everything that was found in them.
pub(crate) fn loaded(loaded: Result<Loaded, agalc::Refused>, judging: &Judging) -> anyhow::Result<Loaded> {
    match loaded {
        Ok(loaded) => {
            loaded.programs.iter().for_each(|agal| program(agal, judging));
            loaded.es2.iter().for_each(|program| es2(program, judging));
            file_warnings(&loaded.warnings, judging)?;
            Ok(loaded)
        }
        Err(agalc::Refused { inputs, es2: sound, pair, names, warnings }) => {
            sound.iter().for_each(|program| es2(program, judging));
            let mut errors: Vec<anyhow::Error> = Vec::new();
            for input in inputs {
                match input {
                    Ok(agal) => program(&agal, judging),
                    Err(mut error) => {
                        match &mut error.kind {
                            ErrorKind::Program { findings, .. } => drop_silenced(judging, findings),
                            ErrorKind::Es2 { findings, .. } => drop_silenced_es2(judging, findings),
                            _ => {}
                        }
                        errors.push(load_error(&error));
                    }
                }
            }
            errors.extend(file_warnings(&warnings, judging).err());
            errors.extend(pair.as_deref().map(pair_error));
            errors.extend(names.iter().map(name_error));
            let last = errors.pop();
            errors.iter().for_each(error);
            Err(last.unwrap_or_else(|| anyhow::anyhow!("the programs cannot be translated")))
        }
    }
}

/// Returns the error for an input that cannot be used. Errors with a place are reported here, and a summary is returned.
pub(crate) fn load_error(error: &agalc::Error) -> anyhow::Error {
    let name = &error.name;
    match &error.kind {
        ErrorKind::Foreign(foreign) => anyhow::anyhow!("{error}{}", remedy(*foreign)),
        ErrorKind::Decode(error) => {
            let hint = format!("`agalc dump {name}` shows what can be read of the file");
            anyhow::anyhow!("{name}: {error}\n = {hint}")
        }
        ErrorKind::Parse { text, errors } => parse_errors(name, text.as_str(), errors),
        ErrorKind::Rules { text: Some(text), violations } => self::violations(name, text.as_str(), violations),
        ErrorKind::Rules { text: None, violations } => broken_rules(name, violations.iter().map(|(broken, _)| broken)),
        ErrorKind::Program { text, program, findings } => {
            refused(name, text.as_ref().map(Text::as_str), program.as_deref(), findings)
        }
        ErrorKind::Es2 { text, program, findings } => {
            show_es2(name, text.as_ref().map(Text::as_str), program.as_deref(), findings, SHOWN);
            let wrong = wrong_es2(name, findings).unwrap_or_default();
            Refused { summary: format!("{wrong}; nothing was written") }.into()
        }
        _ => anyhow::anyhow!("{error}"),
    }
}

/// Advice on what to do with a file that is not a program.
fn remedy(foreign: Foreign) -> &'static str {
    match foreign {
        Foreign::Scene => "; `agalc render` draws it if its name ends in .toml",
        Foreign::Png => "; `agalc render --texture` uses pictures as textures",
        foreign if foreign.help().is_some() => "",
        _ => "; an input is AGAL, as text or bytecode, or SDLSHADERBC",
    }
}

/// Returns the error for inputs that cannot be combined in one module.
fn pair_error(error: &PairError) -> anyhow::Error {
    match error {
        PairError::Rules(violations) => broken_rules("both inputs together", violations.iter()),
        error => anyhow::anyhow!("{error}"),
    }
}

/// Returns the text of a note about findings or errors beyond those that are shown.
pub(crate) fn not_shown(count: usize, what: &str) -> String {
    match count {
        1 => format!("1 further {what} is not shown"),
        _ => format!("{count} further {what}s are not shown"),
    }
}

/// Returns the error for a module that does not verify.
fn broken_rules<'v>(name: &str, violations: impl Iterator<Item = &'v sdlbc::Violation>) -> anyhow::Error {
    let lines: Vec<String> = violations.map(|violation| format!("\n  {violation}")).collect();
    anyhow::anyhow!("{name}: the module breaks the rules of SDLSHADERBC:{}", lines.concat())
}

/// Reports the errors in module text that cannot be parsed.
fn parse_errors(name: &str, text: &str, errors: &[sdlbc::ParseError]) -> anyhow::Error {
    for error in errors.iter().take(SHOWN) {
        at_span(name, text, &error.kind.to_string(), error.span.clone(), (error.line, error.column));
    }
    if errors.len() > SHOWN {
        let note = format!("{name}: {}", not_shown(errors.len() - SHOWN, "error"));
        emit("", "", &Diagnostic::note().with_message(note));
    }
    let plural = if errors.len() == 1 { "error" } else { "errors" };
    Refused { summary: format!("`{name}` has {} {plural}; nothing was written", errors.len()) }.into()
}

/// Returns the error in a scene. An error with a line is reported here, and a summary is returned.
pub(crate) fn scene_error(error: &scene::Error) -> anyhow::Error {
    let name = &*shown::name(&error.file);
    if let scene::ErrorKind::Program(error) = &*error.kind {
        return load_error(error);
    }
    if let (Some(place), Some(text)) = (&error.place, &error.text)
        && text.is_char_boundary(place.span.start)
        && text.is_char_boundary(place.span.end)
    {
        at_span(name, text, &error.kind.to_string(), place.span.clone(), (place.line, place.column));
        return Refused { summary: format!("`{name}` has 1 error; nothing was written") }.into();
    }
    let place = error.place.as_ref().map_or(String::new(), |place| format!(":{}:{}", place.line, place.column));
    match name.is_empty() {
        true => anyhow::anyhow!("{}", error.kind),
        false => anyhow::anyhow!("{name}{place}: {}", error.kind),
    }
}

/// Reports the rules that a module text breaks, each at its place.
fn violations(
    name: &str,
    text: &str,
    violations: &[(sdlbc::Violation, Option<std::ops::Range<usize>>)],
) -> anyhow::Error {
    let source = Source::new(name, Some(text), None);
    for (violation, span) in violations.iter().take(SHOWN) {
        emit_in(&source, source.violation(violation, span.clone()));
    }
    if violations.len() > SHOWN {
        let note = format!("{name}: {}", not_shown(violations.len() - SHOWN, "error"));
        emit("", "", &Diagnostic::note().with_message(note));
    }
    let plural = if violations.len() == 1 { "error" } else { "errors" };
    Refused { summary: format!("`{name}` has {} {plural}; nothing was written", violations.len()) }.into()
}

/// Reports an error at a place in a text.
pub(crate) fn at_span(name: &str, text: &str, message: &str, span: std::ops::Range<usize>, at: (usize, usize)) {
    let source = Source::new(name, Some(text), None);
    emit_in(&source, source.error_at(message, span, at));
}

/// Reports what was done.
pub(crate) fn note(message: &str) {
    messages::note(&shown::text(message));
}

/// Reports the values that a program's constants must hold.
pub(crate) fn uploads(aliases: &[Alias]) {
    for alias in aliases {
        let Some(values) = alias.values else { continue };
        let register = alias.target.split('.').next().unwrap_or_default();
        let known = || "xyzw".chars().zip(values).filter_map(|(letter, value)| Some((letter, value?)));
        let letters: String = known().map(|(letter, _)| letter).collect();
        let list: Vec<String> = known().map(|(_, value)| value.to_string()).collect();
        let part = if letters == "xyzw" { String::new() } else { format!(".{letters}") };
        note(&format!("note: upload {register}{part} = {}", list.join(", ")));
    }
}

/// Writes a diagnostic with its source to standard error.
fn emit_report(Report { source, diagnostic }: Report<'_>) {
    emit_in(&source, diagnostic);
}

/// Writes a diagnostic to standard error.
fn emit_in(source: &Source<'_>, diagnostic: Diagnostic<()>) {
    if diagnostic.severity == CodespanSeverity::Warning {
        messages::count_warnings(1);
    }
    messages::say(|text| source.write(diagnostic, text).map_err(std::io::Error::other));
}

fn emit(name: &str, text: &str, diagnostic: &Diagnostic<()>) {
    emit_in(&Source::new(name, Some(text), None), diagnostic.clone());
}
