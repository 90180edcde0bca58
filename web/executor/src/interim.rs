//! Messages about inputs as data (docs/diagnostics.schema.json), until the library has them.

use std::ops::Range;

use agalc::render::codespan_reporting::diagnostic::{LabelStyle, Severity};
use agalc::render::{self, Diagnostic, Source, shown};
use agalc::{ErrorKind, Finding, Text};
use serde::Serialize;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Level {
    Error,
    Warning,
    Note,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Problem {
    pub(crate) severity: Level,
    pub(crate) code: Option<String>,
    pub(crate) message: String,
    pub(crate) help: Option<String>,
    pub(crate) notes: Vec<String>,
    pub(crate) file: Option<String>,
    pub(crate) span: Option<Place>,
    pub(crate) stage: Option<String>,
    pub(crate) token: Option<u32>,
    pub(crate) byte: Option<usize>,
    pub(crate) instruction: Option<String>,
    pub(crate) related: Vec<()>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Place {
    pub(crate) line: usize,
    pub(crate) column: usize,
    end_line: usize,
    end_column: usize,
    start: usize,
    end: usize,
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
    pub(crate) fn new(severity: Level, message: impl Into<String>) -> Problem {
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

    pub(crate) fn about(self, file: &str) -> Problem {
        Problem { file: Some(file.to_string()), ..self }
    }

    pub(crate) fn at(self, source: &Source<'_>, range: Range<usize>) -> Problem {
        let text = source.text().unwrap_or_default();
        let ((line, column), (end_line, end_column)) = (position(text, range.start), position(text, range.end));
        let (start, end) = (source.offset_in_file(range.start), source.offset_in_file(range.end));
        let span = source.text().map(|_| Place { line, column, end_line, end_column, start, end });
        Problem { span, ..self }
    }

    fn of(source: &Source<'_>, diagnostic: &Diagnostic<()>) -> Problem {
        let severity = match diagnostic.severity {
            Severity::Bug | Severity::Error => Level::Error,
            Severity::Warning => Level::Warning,
            Severity::Note | Severity::Help => Level::Note,
        };
        let message = diagnostic.message.split("\n --> ").next().unwrap_or_default();
        let problem = Problem { code: diagnostic.code.clone(), ..Problem::new(severity, message) };
        let problem = if source.name().is_empty() { problem } else { problem.about(source.name()) };
        match diagnostic.labels.iter().find(|label| label.style == LabelStyle::Primary) {
            Some(label) => problem.at(source, label.range.clone()),
            None => problem,
        }
    }
}

pub(crate) fn of_findings(source: &Source<'_>, findings: &[Finding]) -> Vec<Problem> {
    let problem = |finding: &Finding| {
        let (message, token, byte) = (finding.kind.to_string(), finding.place.instruction, finding.place.byte);
        Problem { message, token, byte, ..Problem::of(source, &source.finding(finding)) }
    };
    findings.iter().map(problem).collect()
}

pub(crate) fn of_warnings(warnings: &[agalc::Warning]) -> Vec<Problem> {
    let report = |warning| render::warning(warning, agalc::Severity::Warning);
    warnings.iter().map(report).map(|report| Problem::of(&report.source, &report.diagnostic)).collect()
}

pub(crate) fn of_error(error: &agalc::Error) -> Vec<Problem> {
    let name = &*shown::name(&error.name);
    match &error.kind {
        ErrorKind::Program { text, program, findings } => {
            of_findings(&Source::decoded(name, text.as_ref(), program.as_deref()), findings)
        }
        ErrorKind::Es2 { text, program, findings } => {
            let source = Source::decoded(name, text.as_ref(), None);
            findings.iter().map(|found| Problem::of(&source, &source.es2_finding(found, program.as_deref()))).collect()
        }
        ErrorKind::Parse { text, errors } => {
            let source = Source::new(name, Some(Text::as_str(text)), None);
            let problem = |error: &sdlbc::ParseError| {
                Problem::new(Level::Error, error.kind.to_string()).about(name).at(&source, error.span.clone())
            };
            errors.iter().map(problem).collect()
        }
        kind => vec![Problem::new(Level::Error, kind.to_string()).about(name)],
    }
}

pub(crate) fn problems(refused: &agalc::Refused) -> Vec<Problem> {
    let mut all: Vec<Problem> = refused.errors().flat_map(of_error).collect();
    all.extend(refused.pair.iter().map(|error| Problem::new(Level::Error, error.to_string())));
    all
}
