//! A message of a run as data: what `--format json` and SARIF say about it (docs/diagnostics.md).

use std::ops::Range;

use agal_front::disassemble::instruction;
use agal_front::finding::{Finding, FindingPlace};
use agalc::render::codespan_reporting::diagnostic::{LabelStyle, Severity};
use agalc::render::{Diagnostic, Source};
use serde::Serialize;

/// What a note of a diagnostic begins with if it is advice.
const HELP: &str = "help: ";
/// What stands before the place of a message that has it in its text.
const ARROW: &str = "\n --> ";

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Level {
    Error,
    Warning,
    Note,
}

/// A message about an input, or about the run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Problem {
    pub(crate) severity: Level,
    /// The number of a finding or a rule: `AGAL3647`, `ES2126`, `V12`.
    pub(crate) code: Option<String>,
    pub(crate) message: String,
    pub(crate) help: Option<String>,
    pub(crate) notes: Vec<String>,
    /// The input's name, as messages show it.
    pub(crate) file: Option<String>,
    /// The place in a text.
    pub(crate) span: Option<Place>,
    /// `vertex` or `fragment`.
    pub(crate) stage: Option<String>,
    /// The number of the token or instruction, counted from 1.
    pub(crate) token: Option<u32>,
    /// The offset in the file with bytecode, or of an SDLSHADERBC file.
    pub(crate) byte: Option<usize>,
    /// The instruction as text.
    pub(crate) instruction: Option<String>,
    /// Other places that it is about.
    pub(crate) related: Vec<Related>,
}

/// Another place that a message is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Related {
    pub(crate) message: String,
    pub(crate) file: String,
    pub(crate) span: Place,
}

/// A stretch of a text. Lines and columns count from 1, columns in characters; the offsets are those of bytes in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Place {
    pub(crate) line: usize,
    pub(crate) column: usize,
    /// The line and column after the last character.
    pub(crate) end_line: usize,
    pub(crate) end_column: usize,
    pub(crate) start: usize,
    pub(crate) end: usize,
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

    /// The same about an input.
    pub(crate) fn about(self, file: &str) -> Problem {
        Problem { file: Some(file.to_string()), ..self }
    }

    /// What a diagnostic for people says.
    pub(crate) fn of(source: &Source<'_>, diagnostic: &Diagnostic<()>) -> Problem {
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
    pub(crate) fn at(self, source: &Source<'_>, range: Range<usize>) -> Problem {
        let span = source.text().map(|_| Place::of(source, range));
        Problem { span, ..self }
    }

    /// A finding about an AGAL program.
    pub(crate) fn finding(source: &Source<'_>, finding: &Finding, diagnostic: &Diagnostic<()>) -> Problem {
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
    pub(crate) fn es2(
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
