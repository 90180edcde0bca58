//! Messages as data, for `--format json`, SARIF and the JavaScript package (docs/diagnostics.md).

use std::ops::Range;

use agal_front::Wording;
use agal_front::assemble::Alias;
use agal_front::finding::Part;
use codespan_reporting::diagnostic::{LabelStyle, Severity as Weight};
use sdlbc::Violation;
use serde::Serialize;

use super::{Diagnostic, Report, SourceFile, advice, file_error, name_error, shown, warning};
use crate::input::position;
use crate::names::FileError;
use crate::{Finding, InputError, InputErrorKind, Program, Refused, Severity, Warning};

/// The prefix of the notes that contain advice.
const HELP: &str = "help: ";
/// The separator between a message and its position.
const ARROW: &str = "\n --> ";

/// The severity of a message: error, warning or note.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// An error: the input cannot be used.
    Error,
    /// A warning: the input is used, but its meaning may not be what the author intended.
    Warning,
    /// Additional information that requires no action.
    Note,
}

/// An error, a warning or a note about one input or about all inputs together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// The severity of the message.
    pub severity: Level,
    /// The code of a finding or of a rule, such as `AGAL3647`, `ES2126` or `V12`.
    pub code: Option<String>,
    /// The message without its position.
    pub message: String,
    /// Advice on how to solve the problem.
    pub help: Option<String>,
    /// Notes that explain the message.
    pub notes: Vec<String>,
    /// The input's name, with control characters escaped.
    pub file: Option<String>,
    /// The range of source text that the message is about, or `None` if the message has no position in source text.
    pub span: Option<Place>,
    /// The shader stage that the message is about, which is `vertex` or `fragment`.
    pub stage: Option<String>,
    /// The number of the token or instruction, counted from 1.
    pub token: Option<u32>,
    /// The byte offset in bytecode or in an SDLSHADERBC file.
    pub byte: Option<usize>,
    /// The instruction as AGAL text, such as `mov oc, v0`.
    pub instruction: Option<String>,
    /// Other locations that the message is about.
    pub related: Vec<Related>,
}

/// Another location that a message is about, such as the call of an expanded macro.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Related {
    /// An explanation of how the location relates to the message.
    pub message: String,
    /// The name of the input that contains the location.
    pub file: String,
    /// The range of source text in the input.
    pub span: Place,
}

/// A range of source text. Lines and columns are counted from 1, and columns are counted in characters. Offsets are byte offsets
/// in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Place {
    /// The line of the first character.
    pub line: usize,
    /// The column of the first character.
    pub column: usize,
    /// The line on which the range ends.
    pub end_line: usize,
    /// The column after the last character.
    pub end_column: usize,
    /// The byte offset of the first character.
    pub start: usize,
    /// The byte offset after the last character.
    pub end: usize,
}

impl Place {
    fn of(source: &SourceFile<'_>, range: Range<usize>) -> Place {
        let text = source.text().unwrap_or_default();
        let ((line, column), (end_line, end_column)) = (position(text, range.start), position(text, range.end));
        let (start, end) = (source.offset_in_file(range.start), source.offset_in_file(range.end));
        Place { line, column, end_line, end_column, start, end }
    }
}

impl Problem {
    /// Returns a message without a position.
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

    /// Sets the name of the input that the message is about.
    pub fn about(self, file: &str) -> Problem {
        Problem { file: Some(file.to_string()), ..self }
    }

    /// Converts a diagnostic about `source` to data.
    pub fn of(source: &SourceFile<'_>, diagnostic: &Diagnostic<()>) -> Problem {
        let severity = match diagnostic.severity {
            Weight::Bug | Weight::Error => Level::Error,
            Weight::Warning => Level::Warning,
            Weight::Note | Weight::Help => Level::Note,
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

    /// Sets the byte range of source text that the message is about.
    pub fn at(self, source: &SourceFile<'_>, range: Range<usize>) -> Problem {
        let span = source.text().map(|_| Place::of(source, range));
        Problem { span, ..self }
    }

    /// Returns the message for a finding about a program, given the diagnostic for that finding.
    pub fn finding(source: &SourceFile<'_>, finding: &Finding, diagnostic: &Diagnostic<()>) -> Problem {
        let span = finding.place.span.filter(|_| source.text().is_some());
        Problem {
            message: finding.message.clone(),
            notes: finding.verdict().map(str::to_string).into_iter().collect(),
            file: Some(source.name().to_string()),
            // A message as data includes the position even if the source line is too long to be quoted.
            span: span.map(|span| Place::of(source, span.start..span.end)),
            stage: finding.stage.map(|stage| stage.to_string()),
            token: finding.place.instruction,
            byte: finding.place.byte,
            instruction: finding.instruction.clone(),
            ..Problem::of(source, diagnostic)
        }
    }

    /// Returns the message for a rule of SDLSHADERBC that a module breaks. `span` is `None` if the module was not read from text.
    pub fn violation(source: &SourceFile<'_>, violation: &Violation, span: Option<Range<usize>>) -> Problem {
        let problem = Problem::of(source, &source.violation(violation, span));
        let (file, code) = (Some(source.name().to_string()), Some(violation.rule.to_string()));
        // The text of a violation begins with the rule's number, which belongs in the field `code`.
        let message = violation.message();
        let message = message.split_once(": ").map_or(message.clone(), |(_, rest)| rest.to_string());
        Problem { file, code, message, byte: violation.offset, ..problem }
    }

    /// Returns the message for refused WGSL, GLSL, HLSL or SPIR-V code, with its position in the code if the position is known.
    #[cfg(feature = "sources")]
    pub fn refusal(source: &SourceFile<'_>, refusal: &naga_front::Refusal) -> Problem {
        let problem = Problem::of(source, &source.refusal(refusal));
        match source.place_of(refusal) {
            Some((bytes, _)) => problem.at(source, bytes),
            None => Problem::new(Level::Error, refusal.to_string()).about(source.name()),
        }
    }
}

impl Report<'_> {
    /// Converts the report to data.
    pub fn problem(&self) -> Problem {
        Problem::of(&self.source, &self.diagnostic)
    }
}

/// Returns the errors, warnings and other findings of inputs that could not be loaded into a module.
///
/// ```
/// use agalc::Options;
/// use agalc::render::{Level, problems};
///
/// let error = agalc::Shader::single("mov oc, v0\nadd ft0, v0").unwrap_err();
/// let [problem] = &problems(&error, Options::wording)[..] else { panic!() };
/// assert_eq!((problem.severity, problem.code.as_deref()), (Level::Error, Some("AGAL9102")));
/// assert_eq!(problem.span.map(|span| (span.line, span.column)), Some((2, 1)));
/// ```
pub fn problems(refused: &Refused, wording: Wording) -> Vec<Problem> {
    let mut all = Vec::new();
    for input in &refused.inputs {
        match input {
            Ok(program) => all.extend(of_program(program, wording)),
            Err(error) => all.extend(of_error(error, wording)),
        }
    }
    all.extend(refused.warnings.iter().map(|found| warning(found, Severity::Warning).problem()));
    all.extend(refused.pair.iter().map(|error| Problem::new(Level::Error, error.to_string())));
    all.extend(refused.names.iter().map(|error| name_error(error).problem()));
    all
}

/// Returns the warnings and notes about inputs that were loaded into a module.
pub fn remarks(programs: &[Program], warnings: &[Warning], wording: Wording) -> Vec<Problem> {
    let of_programs = programs.iter().flat_map(|program| of_program(program, wording));
    of_programs.chain(warnings.iter().map(|found| warning(found, Severity::Warning).problem())).collect()
}

/// Returns the errors in names files as data.
pub fn in_names(errors: &[FileError]) -> Vec<Problem> {
    errors.iter().map(|error| file_error(error).problem()).collect()
}

/// Returns the findings of a program as data.
pub fn of_program(program: &Program, wording: Wording) -> Vec<Problem> {
    let name = &*shown::name(&program.name);
    let source = SourceFile::decoded(name, program.text.as_ref(), wording);
    program.findings.iter().map(|found| Problem::finding(&source, found, &source.finding(found))).collect()
}

/// Returns the errors of an input that cannot be used.
pub fn of_error(error: &InputError, wording: Wording) -> Vec<Problem> {
    let name = &*shown::name(&error.name);
    let whole = |message: String| vec![Problem::new(Level::Error, message).about(name)];
    match &error.kind {
        InputErrorKind::Foreign(foreign) => whole(format!("{error}{}", advice(*foreign))),
        InputErrorKind::Decode(error) => {
            vec![Problem { byte: Some(error.offset), ..Problem::new(Level::Error, error.kind.to_string()).about(name) }]
        }
        InputErrorKind::Parse { text, errors } => {
            let source = SourceFile::decoded(name, Some(text), wording);
            let problem = |error: &sdlbc::ParseError| {
                let at = (error.line, error.column);
                let diagnostic = source.error_at(&error.kind.to_string(), error.span.clone(), at);
                Problem::of(&source, &diagnostic).at(&source, error.span.clone())
            };
            errors.iter().map(problem).collect()
        }
        #[cfg(feature = "sources")]
        InputErrorKind::Source { text, refusals } => {
            let source = SourceFile::decoded(name, text.as_ref(), wording);
            refusals.iter().map(|refusal| Problem::refusal(&source, refusal)).collect()
        }
        InputErrorKind::Rules { text, violations } => {
            let source = SourceFile::decoded(name, text.as_ref(), wording);
            violations.iter().map(|(violation, span)| Problem::violation(&source, violation, span.clone())).collect()
        }
        InputErrorKind::Program(program) => of_program(program, wording),
        _ => whole(error.to_string()),
    }
}

/// A checked program with its findings, for the report of `validate`.
#[derive(Clone, Debug, Serialize)]
pub struct CheckedProgram {
    file: String,
    stage: Option<&'static str>,
    version: Option<u32>,
    tokens: Option<usize>,
    findings: Vec<CheckedFinding>,
    /// The values that the application must upload for constants defined by aliases of the macro language.
    constants: Vec<Constant>,
}

#[derive(Clone, Debug, Serialize)]
struct CheckedFinding {
    code: String,
    severity: Level,
    message: String,
    help: Option<String>,
    stops_player: bool,
    order: u32,
    attested: bool,
    token: Option<u32>,
    part: Option<&'static str>,
    byte: Option<usize>,
    instruction: Option<String>,
    line: Option<u32>,
    column: Option<u32>,
    start: Option<usize>,
    end: Option<usize>,
    /// The line and column of the macro call whose expansion contains the finding's position.
    #[serde(skip_serializing_if = "Option::is_none")]
    call: Option<[u32; 2]>,
}

#[derive(Clone, Debug, Serialize)]
struct Constant {
    register: String,
    /// The values of x, y, z and w; null for a component that the program does not define.
    values: [Option<f32>; 4],
}

fn part(part: Part) -> &'static str {
    match part {
        Part::Operation => "operation",
        Part::Destination => "destination",
        Part::Source(0) => "source 1",
        Part::Source(_) => "source 2",
    }
}

impl CheckedProgram {
    /// Converts a checked program and its findings to data.
    pub fn new(program: &Program, wording: Wording) -> CheckedProgram {
        let constant = |alias: &Alias| {
            let register = alias.target.split('.').next().unwrap_or_default().to_string();
            Some(Constant { register, values: alias.values? })
        };
        let finding = |finding: &Finding| {
            let place = finding.place;
            // Spans contain offsets in the decoded text, which are converted to offsets in the file.
            let in_file = |at| program.text.as_ref().map_or(at, |text| text.offset_in_file(at));
            CheckedFinding {
                code: finding.label(),
                severity: if finding.severity == Severity::Error { Level::Error } else { Level::Warning },
                message: finding.message.clone(),
                help: finding.advice(wording),
                stops_player: finding.stops_player,
                order: finding.order,
                attested: finding.is_attested,
                token: place.instruction,
                part: place.instruction.map(|_| part(place.part)),
                byte: place.byte,
                instruction: finding.instruction.clone(),
                line: place.span.map(|span| span.line),
                column: place.span.map(|span| span.column),
                start: place.span.map(|span| in_file(span.start)),
                end: place.span.map(|span| in_file(span.end)),
                call: place.span.and_then(|span| span.call).map(|call| [call.line, call.column]),
            }
        };
        CheckedProgram {
            file: program.name.clone(),
            stage: program.stage().map(|stage| stage.name()),
            version: program.version(),
            tokens: program.instructions(),
            findings: program.findings.iter().map(finding).collect(),
            constants: program.agal().iter().flat_map(|agal| &agal.aliases).filter_map(constant).collect(),
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
