//! Reports findings, errors and notes. A finding about text shows the source line with a caret, and a finding about bytecode
//! shows the token and the token's byte offset.

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

/// The maximum number of findings shown as text. Further findings are only counted.
const SHOWN: usize = 20;

/// The end of an error message if the run writes no output because of the error.
const NOTHING: &str = "; nothing was written";

pub(crate) fn document(command: &str, exit_code: u8) -> Document {
    Document::new(command, exit_code, messages::all())
}

pub(crate) fn unread(name: &str, error: &std::io::Error) -> anyhow::Error {
    Located::whole(name, format!("cannot read `{name}`: {error}"))
}

pub(crate) fn nothing_written(error: anyhow::Error) -> anyhow::Error {
    Located::with(error, NOTHING)
}

/// Returns the error for an input that `agalc extract` wrote as a template or as a piece of a program.
pub(crate) fn unfinished(name: &str, unfinished: Unfinished) -> anyhow::Error {
    Located::whole(name, unfinished.refusal(name))
}

pub(crate) fn is_json() -> bool {
    format() == Format::Json
}

pub(crate) fn error(error: &anyhow::Error) {
    let mut message = format!("{error:#}");
    // A batch still writes its other shaders after an error, so the error must not claim that nothing was written.
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
            // The text of the first problem also covers the other problems, which therefore appear only in documents.
            others.iter().for_each(|problem| send(Message::Problem(Box::new(problem.clone()), messages::buffer())));
        }
        _ => send(Message::Problem(Box::new(Problem::new(Level::Error, message)), text)),
    }
}

pub(crate) fn draw_error(error: &agalc::DrawError) {
    let diagnostic =
        Diagnostic::error().with_code(format!("AGAL{}", error.kind.code())).with_message(error.to_string());
    emit(diagnostic, &error.kind.help());
}

pub(crate) fn warning(message: &str, help: &str) {
    emit(Diagnostic::warning().with_message(message), help);
}

/// Returns the error that ends a run after all errors in an input have been reported.
fn wrong(name: &str, errors: usize) -> anyhow::Error {
    Refused::error(has_errors(name, errors) + NOTHING)
}

/// Returns a phrase such as `` `a.agal` has 2 errors ``.
pub(crate) fn has_errors(name: &str, errors: usize) -> String {
    format!("`{name}` has {}", counted(errors, "error", "errors"))
}

/// Returns `` `a.vert.agal` and `a.frag.agal` do not fit together `` if two programs have errors only as a pair.
pub(crate) fn misfits<'a>(programs: impl IntoIterator<Item = (&'a str, &'a [Finding])>) -> Option<String> {
    let programs: Vec<(&str, &[Finding])> = programs.into_iter().collect();
    let [(one, _), (other, _)] = programs[..] else { return None };
    let mut wrong = programs.iter().flat_map(|(_, findings)| *findings).filter(|finding| finding.is_error()).peekable();
    wrong.peek()?;
    let is_of_pair = one != other && wrong.all(|finding| finding.is_of_pair);
    is_of_pair.then(|| format!("`{one}` and `{other}` do not fit together"))
}

/// Removes the warnings if `-W allow` is given.
pub(crate) fn drop_silenced(judging: &Judging, findings: &mut Vec<Finding>) {
    if judging.warnings == Warnings::Allow {
        findings.retain(Finding::is_error);
    }
}

/// Reports an input's findings. At most [`SHOWN`] findings are shown as text, and a note states how many are not shown.
pub(crate) fn show(name: &str, text: Option<&Text>, findings: &[Finding]) {
    let name = shown::name(name);
    let source = &SourceFile::decoded(&name, text, wording);
    let (listed, further) = first_of(findings.iter().map(|finding| ((), finding)).collect(), SHOWN);
    listed.into_iter().for_each(|((), finding, is_shown)| finding_in(source, finding, is_shown));
    // If no finding is an error, all findings that are not shown are warnings.
    messages::count_warnings(if errors(findings) == 0 { further } else { 0 });
    note_further(source.name(), further, "finding");
}

/// Writes a note that states how many findings or errors of an input are not shown. Documents omit the note.
fn note_further(name: &str, count: usize, what: &str) {
    if count > 0 {
        let note = format!("{name}: {}", not_shown(count, what));
        send(Message::Shown(rendered(&nowhere(), Diagnostic::note().with_message(note))));
    }
}

/// Writes a note that states how many findings or errors of the run are not shown. Documents omit the note.
pub(crate) fn note_of_text(count: usize, what: &str) {
    if count > 0 {
        send(Message::Shown(line_of_note(&not_shown(count, what))));
    }
}

/// Calls `report` for each error of an input, with a flag that is true if the error is shown as text. Returns the error that ends
/// the run.
fn each<T>(name: &str, errors: &[T], report: impl Fn(&T, bool)) -> anyhow::Error {
    let listed = if messages::is_collected() { errors.len() } else { SHOWN };
    errors.iter().take(listed).enumerate().for_each(|(index, error)| report(error, index < SHOWN));
    note_further(name, errors.len().saturating_sub(SHOWN), "error");
    wrong(name, errors.len())
}

pub(crate) fn errors(findings: &[Finding]) -> usize {
    findings.iter().map(Finding::errors).sum()
}

/// Reports a finding about a source. If `is_shown` is false, the finding appears only in documents.
pub(crate) fn finding_in(source: &SourceFile<'_>, finding: &Finding, is_shown: bool) {
    let diagnostic = source.finding(finding);
    let problem = Problem::finding(source, finding, &diagnostic);
    emit_as(source, diagnostic, problem, is_shown);
}

/// Reports the findings about an accepted program, and the constants that the application must upload.
pub(crate) fn program(program: &Program, judging: &Judging) {
    let mut findings = program.findings.clone();
    drop_silenced(judging, &mut findings);
    show(&program.name, program.text.as_ref(), &findings);
    program.agal().iter().for_each(|agal| uploads(&agal.aliases));
}

/// Reports the warnings about accepted files.
///
/// # Errors
/// There is a warning, and `-W error` turns warnings into errors.
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
/// A program cannot be converted to JSON.
pub(crate) fn reported<T: Serialize>(programs: impl Iterator<Item = T>, varyings: Option<Value>) -> anyhow::Result<()> {
    let programs = programs.map(serde_json::to_value).collect::<Result<_, _>>()?;
    send(Message::Reported(programs, varyings));
    Ok(())
}

pub(crate) fn notes(notes: &[agalc::Warning]) {
    notes.iter().for_each(|note| emit_report(render::warning(note, Severity::Warning), true));
}

/// Reports a warning about a run.
///
/// # Errors
/// `-W error` turns the warning into an error.
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

/// Returns the error that ends a run if `-W error` has turned `count` warnings into errors.
fn strict(count: usize) -> anyhow::Error {
    let warnings = if count == 1 { "a warning is an error" } else { &format!("{count} warnings are errors") };
    Refused::error(format!("{warnings} (`-W error`){NOTHING}"))
}

/// Returns the error for a name that does not fit the program. For a name in a file of names, reports the error with its line and
/// returns a summary.
fn name_error(found: &NameError) -> anyhow::Error {
    match &found.origin {
        Origin::File { file, .. } => {
            emit_report(render::name_error(found), true);
            Refused::error(format!("a name in `{}` does not fit the program{NOTHING}", file.name()))
        }
        _ => anyhow::anyhow!("{found}"),
    }
}

/// Reports the errors in a file of names, and returns the error that ends the run.
pub(crate) fn names_file(name: &str, errors: &[FileError]) -> anyhow::Error {
    each(name, errors, |error, is_shown| emit_report(render::file_error(error), is_shown))
}

/// Reports all findings about the inputs. Returns the module that was built from the inputs, or the error that ends the run.
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

fn of_input(input: &Result<Program, agalc::InputError>) -> (&str, &[Finding]) {
    match input {
        Ok(program) => (&program.name, &program.findings),
        Err(agalc::InputError { name, kind: InputErrorKind::Program(program), .. }) => (name, &program.findings),
        Err(error) => (&error.name, &[]),
    }
}

/// Returns the error for an input that cannot be used. For errors with a location, reports the errors and returns a summary.
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

/// Returns the advice at the end of the error about a file that is not a shader program.
fn remedy(foreign: Foreign) -> &'static str {
    match foreign {
        Foreign::Scene => "; `agalc render` draws it if its name ends in .toml",
        Foreign::Png => "; `agalc render --texture` uses pictures as textures",
        foreign if foreign.help().is_some() => "",
        _ => agalc::render::READ,
    }
}

fn pair_error(error: &PairError) -> anyhow::Error {
    match error {
        PairError::Rules(violations) => broken_rules("both inputs together", violations.iter()),
        error => anyhow::anyhow!("{error}"),
    }
}

pub(crate) fn not_shown(count: usize, what: &str) -> String {
    counted(count, &format!("further {what} is not shown"), &format!("further {what}s are not shown"))
}

/// Returns the error for a module that breaks the rules of SDLSHADERBC.
fn broken_rules<'v>(name: &str, violations: impl Iterator<Item = &'v sdlbc::Violation>) -> anyhow::Error {
    let source = SourceFile::new(name, None);
    let (mut lines, mut problems) = (String::new(), Vec::new());
    for violation in violations {
        lines += &format!("\n  {violation}");
        problems.push(Problem::violation(&source, violation, None));
    }
    Located::error(format!("{name}: the module breaks the rules of SDLSHADERBC:{lines}"), problems)
}

fn parse_errors(name: &str, text: &Text, errors: &[sdlbc::ParseError]) -> anyhow::Error {
    let source = SourceFile::decoded(name, Some(text), wording);
    each(name, errors, |error, is_shown| {
        at_span_in(&source, &error.kind.to_string(), error.span.clone(), (error.line, error.column), is_shown);
    })
}

/// Returns the error for a scene. For an error with a location, reports the error and returns a summary.
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

/// Reports each rule that module text breaks, with the line and column of the violation.
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

/// Reports an error at a span of the file `name`. `at` is the line and column of the span.
pub(crate) fn at_span(name: &str, text: &str, message: &str, span: std::ops::Range<usize>, at: (usize, usize)) {
    at_span_in(&SourceFile::new(name, Some(text)), message, span, at, true);
}

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

pub(crate) fn text(text: String) {
    send(Message::Text(text));
}

pub(crate) fn shows_progress() -> bool {
    detail() != Detail::Quiet && format() == Format::Text && std::io::stderr().is_terminal()
}

pub(crate) fn done(summary: &str) {
    send(Message::Done(summary.to_string()));
}

pub(crate) fn note(message: &str) {
    send(Message::Problem(Box::new(Problem::new(Level::Note, message)), line_of_note(message)));
}

/// With `--verbose`, writes a note that a command skips a file in a folder.
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

/// Writes a note that states how many warnings of a batch are not shown. Documents omit the note.
pub(crate) fn repeated(repeats: &Repeats) {
    if let Some(note) = repeats.note() {
        send(Message::Shown(line_of_note(&note)));
    }
}

pub(crate) fn line_of_warning(message: &str) {
    send(Message::Problem(Box::new(Problem::new(Level::Warning, message)), line("warning", message)));
}

fn line(severity: &str, message: &str) -> Buffer {
    let mut text = messages::buffer();
    // Writing to memory cannot fail.
    let _ = std::io::Write::write_all(&mut text, format!("{severity}: {}\n", shown::text(message)).as_bytes());
    text
}

/// Writes notes with the values of the constants that the application must upload for a program.
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

fn emit_report(Report { source, diagnostic }: Report<'_>, is_shown: bool) {
    let problem = Problem::of(&source, &diagnostic);
    emit_as(&source, diagnostic, problem, is_shown);
}

/// Reports a diagnostic as text, and as `problem` in documents. If `is_shown` is false, the text is omitted.
fn emit_as(source: &SourceFile<'_>, mut diagnostic: Diagnostic<()>, problem: Problem, is_shown: bool) {
    if detail() == Detail::Verbose
        && let Some(code) = &problem.code
    {
        diagnostic.notes.push(format!("`agalc explain {code}` explains it"));
    }
    let text = if is_shown { rendered(source, diagnostic) } else { messages::buffer() };
    send(Message::Problem(Box::new(problem), text));
}

fn rendered(source: &SourceFile<'_>, diagnostic: Diagnostic<()>) -> Buffer {
    let mut text = messages::buffer();
    // Writing to memory cannot fail.
    let _ = source.write(diagnostic, &mut text);
    text
}

/// Reports a diagnostic that has advice but no source.
fn emit(diagnostic: Diagnostic<()>, help: &str) {
    let diagnostic = diagnostic.with_notes(vec![format!("help: {help}")]);
    emit_report(Report { source: nowhere(), diagnostic }, true);
}

/// Returns an empty source, for diagnostics that are not about a file.
fn nowhere() -> SourceFile<'static> {
    SourceFile::new("", Some(""))
}
