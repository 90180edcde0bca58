//! Reports findings, errors and notes. Text is shown as the source line with a caret, bytecode as the token and its byte offset.

mod document;
mod errors;
mod listed;
mod messages;

use std::io::IsTerminal;

use crate::args::{Detail, Format, Judging, Warnings};
use crate::phrases::{counted, wording};
use agal_front::assemble::Alias;
use agalc::found::Unfinished;
use agalc::names::{FileError, NameError, Origin};
use agalc::render::codespan_reporting::term::termcolor::Buffer;
use agalc::render::shown;
use agalc::render::{self, Diagnostic, Level, Problem, Report, SourceFile};
use agalc::{Finding, Foreign, InputErrorKind, Loaded, PairError, Program, Severity, Text};

use serde::Serialize;
use serde_json::Value;

use errors::Located;

pub(crate) use document::Document;
pub(crate) use errors::Refused;
pub(crate) use listed::first_of;
pub(crate) use messages::{
    Message, Messages, Output, Repeats, captured, configure, detail, format, send, wrote_in_batch,
};

/// The maximum number of findings that are shown as text. Further findings are counted.
const SHOWN: usize = 20;

/// The end of the message of an error that prevents a run for one shader from writing anything.
const NOTHING: &str = "; nothing was written";

/// The document with the messages of a run.
pub(crate) fn document(command: &str, exit_code: u8) -> Document {
    Document::new(command, exit_code, messages::all())
}

/// The error for a file that cannot be read.
pub(crate) fn unread(name: &str, error: &std::io::Error) -> anyhow::Error {
    Located::whole(name, format!("cannot read `{name}`: {error}"))
}

/// Appends to the error for one of several inputs that nothing was written.
pub(crate) fn nothing_written(error: anyhow::Error) -> anyhow::Error {
    Located::with(error, NOTHING)
}

/// The error for a template or a piece of an extraction that is named as an input.
pub(crate) fn unfinished(name: &str, unfinished: Unfinished) -> anyhow::Error {
    Located::whole(name, unfinished.refusal(name))
}

/// Whether a report is written as JSON.
pub(crate) fn is_json() -> bool {
    format() == Format::Json
}

/// Reports an error with its causes.
pub(crate) fn error(error: &anyhow::Error) {
    let mut message = format!("{error:#}");
    // A batch still writes the other shaders.
    if messages::is_captured()
        && let Some(rest) = message.strip_suffix(NOTHING)
    {
        message.truncate(rest.len());
    }
    let text = rendered(&nowhere(), Diagnostic::error().with_message(message.as_str()));
    if error.is::<Refused>() {
        return send(Message::Summary(message, text));
    }
    match error.downcast_ref::<Located>().map(|located| &located.problems[..]) {
        Some([first, others @ ..]) => {
            send(Message::Problem(Box::new(first.clone()), text));
            // The text of the first problem covers all of them.
            others.iter().for_each(|problem| send(Message::Problem(Box::new(problem.clone()), messages::buffer())));
        }
        _ => send(Message::Problem(Box::new(Problem::new(Level::Error, message)), text)),
    }
}

/// Reports an error that the player would report for a draw.
pub(crate) fn draw_error(error: &agalc::DrawError) {
    let diagnostic =
        Diagnostic::error().with_code(format!("AGAL{}", error.kind.code())).with_message(error.to_string());
    emit(diagnostic, &error.kind.help());
}

/// Reports a warning with advice.
pub(crate) fn warning(message: &str, help: &str) {
    emit(Diagnostic::warning().with_message(message), help);
}

/// The error for an input whose errors have been reported.
fn wrong(name: &str, errors: usize) -> anyhow::Error {
    Refused::error(has_errors(name, errors) + NOTHING)
}

/// `` `a.agal` has 2 errors ``
pub(crate) fn has_errors(name: &str, errors: usize) -> String {
    format!("`{name}` has {}", counted(errors, "error", "errors"))
}

/// `` `a.vert.agal` and `a.frag.agal` do not fit together ``, if two programs have errors as a pair, and neither has an error by
/// itself.
pub(crate) fn misfits<'a>(programs: impl IntoIterator<Item = (&'a str, &'a [Finding])>) -> Option<String> {
    let programs: Vec<(&str, &[Finding])> = programs.into_iter().collect();
    let [(one, _), (other, _)] = programs[..] else { return None };
    let mut wrong = programs.iter().flat_map(|(_, findings)| *findings).filter(|finding| finding.is_error()).peekable();
    wrong.peek()?;
    let is_of_pair = one != other && wrong.all(|finding| finding.is_of_pair);
    is_of_pair.then(|| format!("`{one}` and `{other}` do not fit together"))
}

/// Removes warnings if they are not reported.
pub(crate) fn drop_silenced(judging: &Judging, findings: &mut Vec<Finding>) {
    if judging.warnings == Warnings::Allow {
        findings.retain(Finding::is_error);
    }
}

/// Reports findings.
pub(crate) fn show(name: &str, text: Option<&Text>, findings: &[Finding]) {
    let name = shown::name(name);
    let source = &SourceFile::decoded(&name, text, wording);
    let (listed, further) = first_of(findings.iter().map(|finding| ((), finding)).collect(), SHOWN);
    listed.into_iter().for_each(|((), finding, is_shown)| finding_in(source, finding, is_shown));
    // Errors are shown first, so that only warnings are left if there are no errors.
    messages::count_warnings(if errors(findings) == 0 { further } else { 0 });
    note_further(source.name(), further, "finding");
}

/// Reports, as text only, the number of findings or errors that are not shown.
fn note_further(name: &str, count: usize, what: &str) {
    if count > 0 {
        let note = format!("{name}: {}", not_shown(count, what));
        send(Message::Shown(rendered(&nowhere(), Diagnostic::note().with_message(note))));
    }
}

/// Reports, as text only, the number of findings or errors of a whole run that are not shown.
pub(crate) fn note_of_text(count: usize, what: &str) {
    if count > 0 {
        send(Message::Shown(line_of_note(&not_shown(count, what))));
    }
}

/// Reports the errors of an input with `report`, whose second argument tells whether the error is shown. Returns their summary.
fn each<T>(name: &str, errors: &[T], report: impl Fn(&T, bool)) -> anyhow::Error {
    let listed = if messages::is_collected() { errors.len() } else { SHOWN };
    errors.iter().take(listed).enumerate().for_each(|(index, error)| report(error, index < SHOWN));
    note_further(name, errors.len().saturating_sub(SHOWN), "error");
    wrong(name, errors.len())
}

/// Counts the errors.
pub(crate) fn errors(findings: &[Finding]) -> usize {
    findings.iter().map(Finding::errors).sum()
}

/// Reports a finding.
pub(crate) fn finding_in(source: &SourceFile<'_>, finding: &Finding, is_shown: bool) {
    let diagnostic = source.finding(finding);
    let problem = Problem::finding(source, finding, &diagnostic);
    emit_as(source, diagnostic, problem, is_shown);
}

/// Reports the findings about an accepted program.
pub(crate) fn program(program: &Program, judging: &Judging) {
    let mut findings = program.findings.clone();
    drop_silenced(judging, &mut findings);
    show(&program.name, program.text.as_ref(), &findings);
    program.agal().iter().for_each(|agal| uploads(&agal.aliases));
}

/// Reports the warnings about accepted files.
///
/// # Errors
/// There is a warning, and warnings are errors.
pub(crate) fn file_warnings(warnings: &[agalc::Warning], judging: &Judging) -> anyhow::Result<()> {
    let severity = if judging.warnings == Warnings::Error { Severity::Error } else { Severity::Warning };
    for found in warnings.iter().filter(|_| judging.warnings != Warnings::Allow) {
        let report = match messages::is_stdin(&found.name) {
            true => render::warning_of(found, severity, "-"),
            false => render::warning(found, severity),
        };
        emit_report(report, true);
    }
    match (severity, warnings.iter().filter(|found| !found.is_note()).count()) {
        (Severity::Warning, _) | (_, 0) => Ok(()),
        (_, count) => Err(strict(count)),
    }
}

/// Adds checked programs, and the varyings of a pair, to the document of messages.
///
/// # Errors
/// A report cannot be converted to JSON.
pub(crate) fn reported<T: Serialize>(programs: impl Iterator<Item = T>, varyings: Option<Value>) -> anyhow::Result<()> {
    let programs = programs.map(serde_json::to_value).collect::<Result<_, _>>()?;
    send(Message::Reported(programs, varyings));
    Ok(())
}

/// Reports notes about files.
pub(crate) fn notes(notes: &[agalc::Warning]) {
    notes.iter().for_each(|note| emit_report(render::warning(note, Severity::Warning), true));
}

/// Reports a warning about a run.
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
            emit(Diagnostic::error().with_message(message), help);
            Err(strict(1))
        }
    }
}

/// The error for warnings that were reported as errors.
fn strict(count: usize) -> anyhow::Error {
    let warnings = if count == 1 { "a warning is an error" } else { &format!("{count} warnings are errors") };
    Refused::error(format!("{warnings} (`-W error`){NOTHING}"))
}

/// Returns the error for a name that does not fit. If the name is from a file of names, reports the error at its line and returns a
/// summary.
fn name_error(found: &NameError) -> anyhow::Error {
    match &found.origin {
        Origin::File { file, .. } => {
            emit_report(render::name_error(found), true);
            Refused::error(format!("a name in `{}` does not fit{NOTHING}", file.name()))
        }
        _ => anyhow::anyhow!("{found}"),
    }
}

/// Reports the errors in a file of names, and returns the error that ends the run.
pub(crate) fn names_file(name: &str, errors: &[FileError]) -> anyhow::Error {
    each(name, errors, |error, is_shown| emit_report(render::file_error(error), is_shown))
}

/// Reports all findings about inputs, and returns the module that was built from them.
pub(crate) fn loaded<M>(loaded: Result<Loaded<M>, agalc::Refused>, judging: &Judging) -> anyhow::Result<Loaded<M>> {
    match loaded {
        Ok(loaded) => {
            loaded.programs.iter().for_each(|one| program(one, judging));
            file_warnings(&loaded.warnings, judging)?;
            Ok(loaded)
        }
        Err(agalc::Refused { inputs, pair, names, warnings, .. }) => {
            let misfits = misfits(inputs.iter().map(of_input)).map(|misfits| format!("{misfits}{NOTHING}"));
            let mut errors: Vec<anyhow::Error> = Vec::new();
            for input in inputs {
                match input {
                    Ok(one) => program(&one, judging),
                    Err(mut error) => {
                        if let InputErrorKind::Program(program) = &mut error.kind {
                            drop_silenced(judging, &mut program.findings);
                        }
                        let error = load_error(&error);
                        errors.push(misfits.clone().map_or(error, Refused::error));
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

/// The name of an input, and the findings about it if it is a program.
fn of_input(input: &Result<Program, agalc::InputError>) -> (&str, &[Finding]) {
    match input {
        Ok(program) => (&program.name, &program.findings),
        Err(agalc::InputError { name, kind: InputErrorKind::Program(program), .. }) => (name, &program.findings),
        Err(error) => (&error.name, &[]),
    }
}

/// Returns the error for an input that cannot be used. Reports errors with a location, and returns a summary of them.
pub(crate) fn load_error(error: &agalc::InputError) -> anyhow::Error {
    let name = &error.name;
    match &error.kind {
        InputErrorKind::Foreign(foreign) => Located::whole(name, format!("{error}{}", remedy(*foreign))),
        InputErrorKind::Decode(error) => {
            let hint = format!("`agalc dump {name}` shows what can be read of the file");
            let problem = Problem { byte: Some(error.offset), ..Problem::new(Level::Error, error.kind.to_string()) };
            let problem = Problem { help: Some(hint.clone()), ..problem.about(name) };
            Located::error(format!("{name}: {error}\n = {hint}"), vec![problem])
        }
        InputErrorKind::Parse { text, errors } => parse_errors(name, text, errors),
        InputErrorKind::Source { text, refusals } => {
            let source = SourceFile::decoded(name, text.as_ref(), wording);
            each(name, refusals, |refusal, is_shown| {
                emit_as(&source, source.refusal(refusal), Problem::refusal(&source, refusal), is_shown);
            })
        }
        InputErrorKind::Rules { text: Some(text), violations } => self::violations(name, text, violations),
        InputErrorKind::Rules { text: None, violations } => {
            broken_rules(name, violations.iter().map(|(broken, _)| broken))
        }
        InputErrorKind::Program(program) => {
            show(name, program.text.as_ref(), &program.findings);
            wrong(name, errors(&program.findings))
        }
        kind => {
            let byte = if let InputErrorKind::NotUtf8(position) = kind { Some(position.byte) } else { None };
            Located::about(name, error.to_string(), kind.to_string(), byte)
        }
    }
}

/// Advice on a file that is not a program.
fn remedy(foreign: Foreign) -> &'static str {
    match foreign {
        Foreign::Scene => "; `agalc render` draws it if its name ends in .toml",
        Foreign::Png => "; `agalc render --texture` uses pictures as textures",
        foreign if foreign.help().is_some() => "",
        _ => agalc::render::READ,
    }
}

/// Returns the error for inputs that cannot be combined in one module.
fn pair_error(error: &PairError) -> anyhow::Error {
    match error {
        PairError::Rules(violations) => broken_rules("both inputs together", violations.iter()),
        error => anyhow::anyhow!("{error}"),
    }
}

/// The text of a note about findings or errors that are not shown.
pub(crate) fn not_shown(count: usize, what: &str) -> String {
    counted(count, &format!("further {what} is not shown"), &format!("further {what}s are not shown"))
}

/// Returns the error for a module that does not verify.
fn broken_rules<'v>(name: &str, violations: impl Iterator<Item = &'v sdlbc::Violation>) -> anyhow::Error {
    let source = SourceFile::new(name, None);
    let (mut lines, mut problems) = (String::new(), Vec::new());
    for violation in violations {
        lines += &format!("\n  {violation}");
        problems.push(Problem::violation(&source, violation, None));
    }
    Located::error(format!("{name}: the module breaks the rules of SDLSHADERBC:{lines}"), problems)
}

/// Reports the errors in module text that cannot be parsed.
fn parse_errors(name: &str, text: &Text, errors: &[sdlbc::ParseError]) -> anyhow::Error {
    let source = SourceFile::decoded(name, Some(text), wording);
    each(name, errors, |error, is_shown| {
        at_span_in(&source, &error.kind.to_string(), error.span.clone(), (error.line, error.column), is_shown);
    })
}

/// Returns the error for a scene. Reports an error with a location, and returns a summary of it.
pub(crate) fn scene_error(error: &agalc_scene::Error) -> anyhow::Error {
    let name = &*shown::name(&error.file);
    if let agalc_scene::ErrorKind::Program(error) = &*error.kind {
        return load_error(error);
    }
    if let (Some(place), Some(text)) = (&error.place, &error.text)
        && text.is_char_boundary(place.span.start)
        && text.is_char_boundary(place.span.end)
    {
        at_span(name, text, &error.kind.to_string(), place.span.clone(), (place.line, place.column));
        return wrong(name, 1);
    }
    let place = error.place.as_ref().map_or(String::new(), |place| format!(":{}:{}", place.line, place.column));
    match name.is_empty() {
        true => anyhow::anyhow!("{}", error.kind),
        false => {
            let text = format!("{name}{place}: {}", error.kind);
            Located::about(name, text, error.kind.to_string(), None)
        }
    }
}

/// Reports the rules that a module text breaks, each at its location.
fn violations(
    name: &str,
    text: &Text,
    violations: &[(sdlbc::Violation, Option<std::ops::Range<usize>>)],
) -> anyhow::Error {
    let source = SourceFile::decoded(name, Some(text), wording);
    each(name, violations, |(violation, span), is_shown| {
        let problem = Problem::violation(&source, violation, span.clone());
        emit_as(&source, source.violation(violation, span.clone()), problem, is_shown);
    })
}

/// Reports an error at a span of a text. `at` is its line and column.
pub(crate) fn at_span(name: &str, text: &str, message: &str, span: std::ops::Range<usize>, at: (usize, usize)) {
    at_span_in(&SourceFile::new(name, Some(text)), message, span, at, true);
}

/// Reports an error at a span of the text of a source.
fn at_span_in(
    source: &SourceFile<'_>,
    message: &str,
    span: std::ops::Range<usize>,
    at: (usize, usize),
    is_shown: bool,
) {
    let diagnostic = source.error_at(message, span.clone(), at);
    let problem = Problem::of(source, &diagnostic).at(source, span);
    emit_as(source, diagnostic, problem, is_shown);
}

/// Reports text that an option requested.
pub(crate) fn text(text: String) {
    send(Message::Text(text));
}

/// Whether progress bars are shown.
pub(crate) fn shows_progress() -> bool {
    detail() != Detail::Quiet && format() == Format::Text && std::io::stderr().is_terminal()
}

/// Reports the summary of a whole run.
pub(crate) fn done(summary: &str) {
    send(Message::Done(summary.to_string()));
}

/// Reports a note.
pub(crate) fn note(message: &str) {
    send(Message::Problem(Box::new(Problem::new(Level::Note, message)), line_of_note(message)));
}

/// Reports, with `--verbose`, a file in a folder that a command does not read.
pub(crate) fn skipped(path: &std::path::Path, unfinished: Option<Unfinished>, endings: &str) {
    if detail() == Detail::Verbose {
        let name = shown::path(path);
        match unfinished {
            Some(unfinished) => note(&unfinished.refusal(&name)),
            None => note(&format!("`{name}` is skipped, because its name does not end in {endings}")),
        }
    }
}

fn line_of_note(message: &str) -> Buffer {
    line("note", message)
}

/// Reports, as text only, the warnings of a batch that are not shown.
pub(crate) fn repeated(repeats: &Repeats) {
    if let Some(note) = repeats.note() {
        send(Message::Shown(line_of_note(&note)));
    }
}

/// Reports a warning of one line, without advice.
pub(crate) fn line_of_warning(message: &str) {
    send(Message::Problem(Box::new(Problem::new(Level::Warning, message)), line("warning", message)));
}

fn line(severity: &str, message: &str) -> Buffer {
    let mut text = messages::buffer();
    // Writing to memory cannot fail.
    let _ = std::io::Write::write_all(&mut text, format!("{severity}: {}\n", shown::text(message)).as_bytes());
    text
}

/// Reports the values that the application must upload to a program's constants.
pub(crate) fn uploads(aliases: &[Alias]) {
    for alias in aliases {
        let Some(values) = alias.values else { continue };
        let register = alias.target.split('.').next().unwrap_or_default();
        let known = || "xyzw".chars().zip(values).filter_map(|(letter, value)| Some((letter, value?)));
        let letters: String = known().map(|(letter, _)| letter).collect();
        let list: Vec<String> = known().map(|(_, value)| value.to_string()).collect();
        let part = if letters == "xyzw" { String::new() } else { format!(".{letters}") };
        note(&format!("upload {register}{part} = {}", list.join(", ")));
    }
}

/// Reports a diagnostic about a source. If `is_shown` is false, its text is omitted.
fn emit_report(Report { source, diagnostic }: Report<'_>, is_shown: bool) {
    let problem = Problem::of(&source, &diagnostic);
    emit_as(&source, diagnostic, problem, is_shown);
}

/// Reports a diagnostic, and `problem` as its data. If `is_shown` is false, its text is omitted.
fn emit_as(source: &SourceFile<'_>, mut diagnostic: Diagnostic<()>, problem: Problem, is_shown: bool) {
    if detail() == Detail::Verbose
        && let Some(code) = &problem.code
    {
        diagnostic.notes.push(format!("`agalc explain {code}` explains it"));
    }
    let text = if is_shown { rendered(source, diagnostic) } else { messages::buffer() };
    send(Message::Problem(Box::new(problem), text));
}

/// A diagnostic as text.
fn rendered(source: &SourceFile<'_>, diagnostic: Diagnostic<()>) -> Buffer {
    let mut text = messages::buffer();
    // Writing to memory cannot fail.
    let _ = source.write(diagnostic, &mut text);
    text
}

/// Reports a diagnostic with advice and without a source.
fn emit(diagnostic: Diagnostic<()>, help: &str) {
    let diagnostic = diagnostic.with_notes(vec![format!("help: {help}")]);
    emit_report(Report { source: nowhere(), diagnostic }, true);
}

/// The source of a diagnostic that has no source.
fn nowhere() -> SourceFile<'static> {
    SourceFile::new("", Some(""))
}
