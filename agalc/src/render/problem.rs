//! Messages as data: what `--format json` and SARIF, and the package for JavaScript, say about an input (docs/diagnostics.md).

use std::ops::Range;

use agal_front::disassemble::instruction;
use agal_front::finding::{Finding, FindingPlace};
use codespan_reporting::diagnostic::{LabelStyle, Severity};
use sdlbc::Violation;
use serde::Serialize;

use super::{Diagnostic, Report, Source, advice, file_error, name_error, shown, warning};
use crate::names::FileError;
use crate::{Agal, Error, ErrorKind, Es2, Loaded, Program, Refused, Text, Warning};

/// What a note of a diagnostic begins with if it is advice.
const HELP: &str = "help: ";
/// What stands before the place of a message that has it in its text.
const ARROW: &str = "\n --> ";

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// The input cannot be used.
    Error,
    /// It is used, and may not be what is meant.
    Warning,
    /// What else is to be known.
    Note,
}

/// A message about an input, or about the run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// How bad it is.
    pub severity: Level,
    /// The number of a finding or a rule: `AGAL3647`, `ES2126`, `V12`.
    pub code: Option<String>,
    /// What is wrong, without the place.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
    /// What else is to be known.
    pub notes: Vec<String>,
    /// The input's name, as messages show it.
    pub file: Option<String>,
    /// The place in a text.
    pub span: Option<Place>,
    /// `vertex` or `fragment`.
    pub stage: Option<String>,
    /// The number of the token or instruction, counted from 1.
    pub token: Option<u32>,
    /// The offset in the file with bytecode, or of an SDLSHADERBC file.
    pub byte: Option<usize>,
    /// The instruction as text.
    pub instruction: Option<String>,
    /// Other places that it is about.
    pub related: Vec<Related>,
}

/// Another place that a message is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Related {
    /// Why it is named.
    pub message: String,
    /// The input's name.
    pub file: String,
    /// The place in its text.
    pub span: Place,
}

/// A stretch of a text. Lines and columns count from 1, columns in characters; the offsets are those of bytes in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Place {
    /// The line of the first character.
    pub line: usize,
    /// Its column.
    pub column: usize,
    /// The line after the last character.
    pub end_line: usize,
    /// The column after it.
    pub end_column: usize,
    /// The offset of the first byte.
    pub start: usize,
    /// The offset after the last.
    pub end: usize,
}

impl Place {
    fn of(source: &Source<'_>, range: Range<usize>) -> Place {
        let text = source.text().unwrap_or_default();
        let ((line, column), (end_line, end_column)) = (position(text, range.start), position(text, range.end));
        let (start, end) = (source.offset_in_file(range.start), source.offset_in_file(range.end));
        Place { line, column, end_line, end_column, start, end }
    }
}

/// The line and column of a byte of a text, counted from 1. Lines end with CR, LF or both.
fn position(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let is_end = |c: char| c == '\n' || c == '\r';
    let ends = before.bytes().filter(|&byte| is_end(char::from(byte))).count();
    let both = before.as_bytes().windows(2).filter(|pair| pair == b"\r\n").count();
    (1 + ends - both, 1 + before.chars().rev().take_while(|&c| !is_end(c)).count())
}

impl Problem {
    /// A message without a place.
    pub fn new(severity: Level, message: impl Into<String>) -> Problem {
        Problem {
            severity,
            code: None,
            message: message.into(),
            help: None,
            notes: Vec::new(),
            file: None,
            span: None,
            stage: None,
            token: None,
            byte: None,
            instruction: None,
            related: Vec::new(),
        }
    }

    /// The same about an input.
    pub fn about(self, file: &str) -> Problem {
        Problem { file: Some(file.to_string()), ..self }
    }

    /// What a diagnostic for people says.
    pub fn of(source: &Source<'_>, diagnostic: &Diagnostic<()>) -> Problem {
        let severity = match diagnostic.severity {
            Severity::Bug | Severity::Error => Level::Error,
            Severity::Warning => Level::Warning,
            Severity::Note | Severity::Help => Level::Note,
        };
        let message = diagnostic.message.split(ARROW).next().unwrap_or_default();
        let name = Some(source.name()).filter(|name| !name.is_empty());
        let message = name.and_then(|name| message.strip_prefix(name)?.strip_prefix(": ")).unwrap_or(message);
        let (help, notes): (Vec<&String>, Vec<&String>) =
            diagnostic.notes.iter().partition(|note| note.starts_with(HELP));
        let mut problem = Problem {
            code: diagnostic.code.clone(),
            help: help.first().and_then(|help| help.strip_prefix(HELP)).map(str::to_string),
            notes: notes.into_iter().cloned().collect(),
            file: name.map(str::to_string),
            ..Problem::new(severity, message)
        };
        for label in &diagnostic.labels {
            let span = Place::of(source, label.range.clone());
            match label.style {
                LabelStyle::Primary => problem.span = Some(span),
                LabelStyle::Secondary => {
                    let (message, file) = (label.message.clone(), source.name().to_string());
                    problem.related.push(Related { message, file, span });
                }
            }
        }
        problem
    }

    /// The same at a stretch of the text.
    pub fn at(self, source: &Source<'_>, range: Range<usize>) -> Problem {
        let span = source.text().map(|_| Place::of(source, range));
        Problem { span, ..self }
    }

    /// A finding about an AGAL program.
    pub fn finding(source: &Source<'_>, finding: &Finding, diagnostic: &Diagnostic<()>) -> Problem {
        let program = source.program();
        let index = finding.place.instruction.and_then(|number| usize::try_from(number).ok()?.checked_sub(1));
        let token = program.zip(index).and_then(|(program, index)| Some((program, program.tokens.get(index)?)));
        Problem {
            notes: finding.verdict().map(str::to_string).into_iter().collect(),
            stage: program.map(|program| program.stage.to_string()),
            instruction: token.map(|(program, token)| instruction(token, program.stage)),
            ..Problem::of(source, diagnostic).found(source, finding.kind.to_string(), finding.place)
        }
    }

    /// A finding about a program of the unified-shader instruction set.
    pub fn es2(
        source: &Source<'_>,
        finding: &es2_front::Finding,
        program: Option<&es2_front::Program>,
        diagnostic: &Diagnostic<()>,
    ) -> Problem {
        let index = finding.place.instruction.and_then(|number| usize::try_from(number).ok()?.checked_sub(1));
        let of = program.zip(index).and_then(|(program, index)| Some((program, program.instructions.get(index)?)));
        Problem {
            notes: Vec::new(),
            stage: program.map(|program| program.stage.to_string()),
            instruction: of.map(|(program, of)| es2_front::disassemble::line(program, of)),
            ..Problem::of(source, diagnostic).found(source, finding.kind.to_string(), finding.place)
        }
    }

    /// A rule of SDLSHADERBC that a module breaks, at its place in the text, if it was read from one.
    pub fn violation(source: &Source<'_>, violation: &Violation, span: Option<Range<usize>>) -> Problem {
        let problem = Problem::of(source, &source.violation(violation, span));
        let (file, code) = (Some(source.name().to_string()), Some(violation.rule.to_string()));
        // The message begins with the rule's number.
        let message = violation.message();
        let message = message.split_once(": ").map_or(message.clone(), |(_, rest)| rest.to_string());
        Problem { file, code, message, byte: violation.offset, ..problem }
    }

    /// Why a source in WGSL, GLSL or SPIR-V is refused, at its place, if it is known.
    #[cfg(feature = "sources")]
    pub fn refusal(source: &Source<'_>, refusal: &naga_front::Refusal) -> Problem {
        let problem = Problem::of(source, &source.refusal(refusal));
        match source.place_of(refusal) {
            Some((bytes, _)) => problem.at(source, bytes),
            None => Problem::new(Level::Error, refusal.to_string()).about(source.name()),
        }
    }

    /// The same with the place of a finding, which also holds for a line that is too long to be shown.
    fn found(self, source: &Source<'_>, message: String, place: FindingPlace) -> Problem {
        let span = place.span.filter(|_| source.text().is_some());
        Problem {
            message,
            file: Some(source.name().to_string()),
            span: span.map(|span| Place::of(source, span.start..span.end)),
            token: place.instruction,
            byte: place.byte,
            ..self
        }
    }
}

impl Report<'_> {
    /// As data.
    pub fn problem(&self) -> Problem {
        Problem::of(&self.source, &self.diagnostic)
    }
}

/// The errors of an input, and what else was found in it.
///
/// ```
/// use agalc::render::{Level, problems};
///
/// let error = agalc::Shader::single("mov oc, v0\nadd ft0, v0").unwrap_err();
/// let [problem] = &problems(&error)[..] else { panic!() };
/// assert_eq!((problem.severity, problem.code.as_deref()), (Level::Error, Some("AGAL9102")));
/// assert_eq!(problem.span.map(|span| (span.line, span.column)), Some((2, 1)));
/// ```
pub fn problems(refused: &Refused) -> Vec<Problem> {
    let mut all = Vec::new();
    for input in &refused.inputs {
        match input {
            Ok(agal) => all.extend(of_agal(agal)),
            Err(error) => all.extend(of_error(error)),
        }
    }
    all.extend(refused.es2.iter().flat_map(of_es2));
    all.extend(refused.warnings.iter().map(|found| warning(found, agal_front::Severity::Warning).problem()));
    all.extend(refused.pair.iter().map(|error| Problem::new(Level::Error, error.to_string())));
    all.extend(refused.names.iter().map(|error| name_error(error).problem()));
    all
}

/// What was found in inputs that became a module: warnings and notes.
pub fn remarks(loaded: &Loaded) -> Vec<Problem> {
    remarks_of(&loaded.programs, &loaded.es2, &loaded.warnings)
}

/// The same of a shader.
pub fn remarks_of(programs: &[Agal], es2: &[Es2], warnings: &[Warning]) -> Vec<Problem> {
    let programs = programs.iter().flat_map(of_agal).chain(es2.iter().flat_map(of_es2));
    programs.chain(warnings.iter().map(|found| warning(found, agal_front::Severity::Warning).problem())).collect()
}

/// What is wrong with a file of names.
pub fn in_names(errors: &[FileError]) -> Vec<Problem> {
    errors.iter().map(|error| file_error(error).problem()).collect()
}

/// The findings of an AGAL program.
pub fn of_agal(agal: &Agal) -> Vec<Problem> {
    of_findings(&agal.name, agal.text.as_ref(), Some(&agal.program), &agal.findings)
}

/// Findings about an AGAL program, which was read from this input.
pub fn of_findings(name: &str, text: Option<&Text>, program: Option<&Program>, findings: &[Finding]) -> Vec<Problem> {
    let name = &*shown::name(name);
    let source = Source::decoded(name, text, program);
    findings.iter().map(|finding| Problem::finding(&source, finding, &source.finding(finding))).collect()
}

fn of_es2(es2: &Es2) -> Vec<Problem> {
    of_es2_findings(&es2.name, es2.text.as_ref(), Some(&es2.program), &es2.findings)
}

/// Findings about a program of the unified-shader instruction set, which was read from this input.
pub fn of_es2_findings(
    name: &str,
    text: Option<&Text>,
    program: Option<&es2_front::Program>,
    findings: &[es2_front::Finding],
) -> Vec<Problem> {
    let name = &*shown::name(name);
    let source = Source::decoded(name, text, None);
    let problem = |finding| Problem::es2(&source, finding, program, &source.es2_finding(finding, program));
    findings.iter().map(problem).collect()
}

/// Why an input cannot be used.
pub fn of_error(error: &Error) -> Vec<Problem> {
    let name = &*shown::name(&error.name);
    let whole = |message: String| vec![Problem::new(Level::Error, message).about(name)];
    match &error.kind {
        ErrorKind::Foreign(foreign) => whole(format!("{error}{}", advice(*foreign))),
        ErrorKind::Decode(error) => {
            vec![Problem { byte: Some(error.offset), ..Problem::new(Level::Error, error.kind.to_string()).about(name) }]
        }
        ErrorKind::Parse { text, errors } => {
            let source = Source::decoded(name, Some(text), None);
            let problem = |error: &sdlbc::ParseError| {
                let at = (error.line, error.column);
                let diagnostic = source.error_at(&error.kind.to_string(), error.span.clone(), at);
                Problem::of(&source, &diagnostic).at(&source, error.span.clone())
            };
            errors.iter().map(problem).collect()
        }
        #[cfg(feature = "sources")]
        ErrorKind::Source { text, refusals } => {
            let source = Source::decoded(name, text.as_ref(), None);
            refusals.iter().map(|refusal| Problem::refusal(&source, refusal)).collect()
        }
        ErrorKind::Rules { text, violations } => {
            let source = Source::decoded(name, text.as_ref(), None);
            violations.iter().map(|(violation, span)| Problem::violation(&source, violation, span.clone())).collect()
        }
        ErrorKind::Program { text, program, findings } => {
            of_findings(name, text.as_ref(), program.as_deref(), findings)
        }
        ErrorKind::Es2 { text, program, findings } => {
            of_es2_findings(name, text.as_ref(), program.as_deref(), findings)
        }
        _ => whole(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::position;

    #[test]
    fn lines_and_columns_are_counted_in_characters() {
        let text = "é\r\nab\rc\nd";
        let of = |word: &str| position(text, text.find(word).unwrap_or(text.len()));
        assert_eq!(["é", "b", "c", "d", "none"].map(of), [(1, 1), (2, 2), (3, 1), (4, 1), (4, 2)]);
    }
}
