//! Diagnostics for people (feature `render`): the source line with a caret for text, the token and its offset for bytecode.
//!
//! [`errors()`] and [`warnings()`] return all messages as text. A program that writes to a terminal, or selects the
//! messages that it shows, uses [`SourceFile`].

mod problem;
pub mod shown;

use std::ops::Range;

use agal_front::Wording;
use codespan_reporting::files::{Error as FilesError, SimpleFile};
use codespan_reporting::term::{self, WriteStyle};

pub use codespan_reporting;
pub use codespan_reporting::diagnostic::{Diagnostic, Label};
pub use problem::{CheckedProgram, Level, Place, Problem, Related, in_names, of_error, of_program, problems, remarks};

use crate::names::{FileError, NameError, NameWarningKind, NamesFile, Origin};
use crate::{Finding, Foreign, InputError, InputErrorKind, Loaded, Refused, Severity, Text, Warning, WarningKind};

/// The maximum length of a source line that is shown, in bytes. A longer line is only referred to by its number.
const LONGEST_LINE: usize = 400;

/// The input that diagnostics refer to. The lines of a text are indexed once, however many diagnostics are shown.
#[derive(Debug)]
pub struct SourceFile<'a> {
    name: &'a str,
    text: Option<&'a str>,
    decoded: Option<&'a Text>,
    wording: Wording,
    file: SimpleFile<String, String>,
    lines: shown::Lines,
}

impl<'a> SourceFile<'a> {
    /// Returns an input with its text, if it has one. There is no wording of settings, so advice that names a setting is
    /// left out.
    pub fn new(name: &'a str, text: Option<&'a str>) -> SourceFile<'a> {
        let mut lines = shown::Lines::new(text.unwrap_or_default());
        let file = SimpleFile::new(shown::name(name).into_owned(), std::mem::take(&mut lines.text));
        SourceFile { name, text, decoded: None, wording: |_| None, file, lines }
    }

    /// Returns an input whose text was decoded from a file, so that offsets in the file are known. `wording` words the
    /// settings in the advice of findings.
    pub fn decoded(name: &'a str, text: Option<&'a Text>, wording: Wording) -> SourceFile<'a> {
        SourceFile { decoded: text, wording, ..SourceFile::new(name, text.map(Text::as_str)) }
    }

    /// The input's name.
    pub fn name(&self) -> &'a str {
        self.name
    }

    /// The input's text, if it has one.
    pub fn text(&self) -> Option<&'a str> {
        self.text
    }

    /// Converts an offset in the text to an offset in the file. If the file is not known, the offset stays the same.
    pub fn offset_in_file(&self, at: usize) -> usize {
        self.decoded.map_or(at, |text| text.offset_in_file(at))
    }

    /// Returns the diagnostic for a finding, with its place: the line of the text, or the instruction in the bytecode.
    pub fn finding(&self, finding: &Finding) -> Diagnostic<()> {
        let (name, place, message) = (self.name, finding.place, &finding.message);
        let diagnostic = match finding.severity {
            Severity::Error => Diagnostic::error(),
            Severity::Warning => Diagnostic::warning(),
        };
        let mut diagnostic = match place.span.zip(self.text) {
            Some((span, text)) if line_length(text, span.start) > LONGEST_LINE => {
                let mut place = format!("\n --> {name}:{}:{}", span.line, span.column);
                if let Some(call) = span.call {
                    place += &format!(", in the expansion of the call at {name}:{}:{}", call.line, call.column);
                }
                diagnostic.with_message(format!("{message}{place}"))
            }
            Some((span, _)) => {
                let mut diagnostic = diagnostic
                    .with_message(message)
                    .with_label(Label::primary((), span.start..span.end.max(span.start + 1)));
                if let Some(call) = span.call {
                    let label = Label::secondary((), call.start..call.end);
                    diagnostic = diagnostic.with_label(label.with_message("in the expansion of this call"));
                }
                diagnostic.notes.extend(finding.location.clone().filter(|_| place.instruction.is_some()));
                diagnostic
            }
            None => {
                let arrow = finding.location.as_ref().map(|location| format!("\n --> {location}")).unwrap_or_default();
                let instruction = finding.instruction.as_ref().map(|line| format!(": {line}")).unwrap_or_default();
                diagnostic.with_message(format!("{name}: {message}{arrow}{instruction}"))
            }
        };
        diagnostic.notes.extend(finding.verdict().map(str::to_string));
        diagnostic.notes.extend(finding.advice(self.wording).map(|help| format!("help: {help}")));
        diagnostic.with_code(finding.label())
    }

    /// Returns an error at a place in the text, which is a range of bytes, and a line and a column.
    pub fn error_at(&self, message: &str, span: Range<usize>, at: (usize, usize)) -> Diagnostic<()> {
        self.at(Diagnostic::error(), message, span, at)
    }

    /// Gives a diagnostic its message and its place in the text, which is a range of bytes, and a line and a column.
    pub fn at(
        &self,
        diagnostic: Diagnostic<()>,
        message: &str,
        span: Range<usize>,
        (line, column): (usize, usize),
    ) -> Diagnostic<()> {
        if line_length(self.text.unwrap_or_default(), span.start) > LONGEST_LINE {
            return diagnostic.with_message(format!("{message}\n --> {}:{line}:{column}", self.name));
        }
        let label = Label::primary((), span.start..span.end.max(span.start + 1));
        diagnostic.with_message(message).with_label(label)
    }

    /// Returns the diagnostic for a rule of SDLSHADERBC that the module in the text breaks.
    pub fn violation(&self, violation: &sdlbc::Violation, span: Option<Range<usize>>) -> Diagnostic<()> {
        let message = violation.message();
        let Some(span) = span else { return Diagnostic::error().with_message(format!("{}: {message}", self.name)) };
        let before = self.text.and_then(|text| text.get(..span.start)).unwrap_or_default();
        let line = 1 + before.bytes().filter(|&byte| byte == b'\n').count();
        let column = 1 + before.chars().rev().take_while(|&c| c != '\n').count();
        self.error_at(&message, span, (line, column))
    }

    /// Writes a diagnostic about the text.
    ///
    /// # Errors
    /// `to` cannot be written.
    pub fn write(&self, diagnostic: Diagnostic<()>, to: &mut dyn WriteStyle) -> Result<(), FilesError> {
        term::emit_to_write_style(to, &term::Config::default(), &self.file, &self.escaped(diagnostic))
    }

    /// Escapes characters that a terminal might interpret, and converts the ranges of the labels to ranges of the
    /// escaped text.
    fn escaped(&self, mut diagnostic: Diagnostic<()>) -> Diagnostic<()> {
        let messages = diagnostic.labels.iter_mut().map(|label| &mut label.message).chain(&mut diagnostic.notes);
        for message in messages.chain([&mut diagnostic.message]) {
            *message = shown::text(message).into_owned();
        }
        for label in &mut diagnostic.labels {
            label.range = self.lines.place(label.range.start)..self.lines.place(label.range.end);
        }
        diagnostic
    }

    /// Returns the diagnostic for the refusal of a source in WGSL, GLSL or SPIR-V.
    #[cfg(feature = "sources")]
    pub fn refusal(&self, refusal: &naga_front::Refusal) -> Diagnostic<()> {
        match self.place_of(refusal) {
            Some((bytes, at)) => self.error_at(&refusal.to_string(), bytes, at),
            None => Diagnostic::error().with_message(format!("{}: {refusal}", self.name)),
        }
    }

    /// Returns the place of a refusal in the text: its bytes, and the line and column.
    #[cfg(feature = "sources")]
    fn place_of(&self, refusal: &naga_front::Refusal) -> Option<(Range<usize>, (usize, usize))> {
        let text = self.text?;
        let bytes = refusal.bytes.clone()?;
        let end = bytes.end.min(text.len());
        let is_within = bytes.start <= end && text.is_char_boundary(bytes.start) && text.is_char_boundary(end);
        Some((bytes.start..end, refusal.position(text)?)).filter(|_| is_within)
    }

    /// Returns a diagnostic about the text as text.
    pub fn plain(&self, diagnostic: Diagnostic<()>) -> String {
        let message = diagnostic.message.clone();
        let config = term::Config::default();
        let text = term::emit_into_string(&config, &self.file, &self.escaped(diagnostic));
        text.map_or(message, |text| text.trim_end().to_string())
    }
}

/// Returns the length of the line that contains a byte of the text, or more than [`LONGEST_LINE`].
fn line_length(text: &str, at: usize) -> usize {
    let (before, after) = text.as_bytes().split_at(at.min(text.len()));
    let is_end = |&byte: &u8| byte == b'\n' || byte == b'\r';
    let start = before.iter().rev().take(LONGEST_LINE + 1).take_while(|byte| !is_end(byte)).count();
    start + after.iter().take(LONGEST_LINE + 1).take_while(|byte| !is_end(byte)).count()
}

/// Returns an input's errors as text, each with its place.
pub fn errors(error: &InputError, wording: Wording) -> Vec<String> {
    let name = &*shown::name(&error.name);
    match &error.kind {
        InputErrorKind::Parse { text, errors } => {
            let source = SourceFile::new(name, Some(text.as_str()));
            let at = |error: &sdlbc::ParseError| {
                source.error_at(&error.kind.to_string(), error.span.clone(), (error.line, error.column))
            };
            errors.iter().map(|error| source.plain(at(error))).collect()
        }
        #[cfg(feature = "sources")]
        InputErrorKind::Source { text, refusals } => {
            let source = SourceFile::new(name, text.as_ref().map(Text::as_str));
            let plain = |refusal: &naga_front::Refusal| source.plain(source.refusal(refusal));
            refusals.iter().map(plain).collect()
        }
        InputErrorKind::Rules { text, violations } => {
            let source = SourceFile::new(name, text.as_ref().map(Text::as_str));
            let plain = |(violation, span): &(_, Option<Range<usize>>)| {
                source.plain(source.violation(violation, span.clone().filter(|_| text.is_some())))
            };
            violations.iter().map(plain).collect()
        }
        InputErrorKind::Program(program) => {
            let source = SourceFile::decoded(name, program.text.as_ref(), wording);
            let errors = program.findings.iter().filter(|finding| finding.is_error());
            errors.map(|finding| source.plain(source.finding(finding))).collect()
        }
        InputErrorKind::Foreign(foreign) => vec![headed(&format!("{error}{}", advice(*foreign)))],
        _ => vec![headed(&error.to_string())],
    }
}

/// Returns the errors of inputs that cannot become a module, as text.
pub fn refused(refused: &Refused, wording: Wording) -> Vec<String> {
    let inputs = refused.errors().flat_map(|error| errors(error, wording));
    let pair = refused.pair.iter().map(|error| headed(&error.to_string()));
    inputs.chain(pair).chain(refused.names.iter().map(|error| name_error(error).plain())).collect()
}

/// Returns the warnings about inputs that became a module, as text.
pub fn warnings<M>(loaded: &Loaded<M>, wording: Wording) -> Vec<String> {
    let mut all: Vec<String> = loaded.warnings.iter().map(|found| warning(found, Severity::Warning).plain()).collect();
    for program in &loaded.programs {
        let name = &*shown::name(&program.name);
        let source = SourceFile::decoded(name, program.text.as_ref(), wording);
        let findings = program.findings.iter().filter(|found| !found.is_count());
        all.extend(findings.map(|finding| source.plain(source.finding(finding))));
    }
    all
}

/// A diagnostic with the input that it refers to.
#[derive(Debug)]
pub struct Report<'a> {
    /// The input.
    pub source: SourceFile<'a>,
    /// The diagnostic about the input.
    pub diagnostic: Diagnostic<()>,
}

impl<'a> Report<'a> {
    /// Returns a diagnostic about a part of a file of names.
    fn in_file(diagnostic: Diagnostic<()>, message: &str, file: &'a NamesFile, span: Range<usize>) -> Report<'a> {
        let source = SourceFile::new(file.name(), Some(file.text()));
        let place = file.position(span.start);
        let diagnostic = source.at(diagnostic, message, span, place);
        Report { source, diagnostic }
    }

    /// Returns a diagnostic without a place.
    fn headed(diagnostic: Diagnostic<()>, message: &str) -> Report<'a> {
        Report { source: SourceFile::new("", None), diagnostic: diagnostic.with_message(message) }
    }

    /// Returns a diagnostic about a name: at its line, if it is from a file.
    fn of_name(diagnostic: Diagnostic<()>, message: &str, origin: &'a Origin) -> Report<'a> {
        match origin {
            Origin::File { file, span } => Report::in_file(diagnostic, message, file, span.clone()),
            _ => Report::headed(diagnostic, message),
        }
    }

    /// Returns the diagnostic as text.
    pub fn plain(self) -> String {
        self.source.plain(self.diagnostic)
    }
}

/// Returns an error in a file of names, with its line.
pub fn file_error(error: &FileError) -> Report<'_> {
    Report::in_file(Diagnostic::error(), &error.kind.to_string(), &error.file, error.span.clone())
}

/// Returns an error about a name, with its line if the name is from a file.
pub fn name_error(error: &NameError) -> Report<'_> {
    Report::of_name(Diagnostic::error(), &error.message(), &error.origin)
}

/// Returns a warning about an input, with advice, as a diagnostic of a severity. A warning about a name from a file has
/// its line.
pub fn warning(warning: &Warning, severity: Severity) -> Report<'_> {
    warning_of(warning, severity, &crate::input::argument(&warning.name))
}

/// Returns a warning about an input whose argument in commands differs from its name, such as `-` for standard input.
pub fn warning_of<'a>(warning: &'a Warning, severity: Severity, argument: &str) -> Report<'a> {
    let diagnostic = match severity {
        _ if warning.is_note() => Diagnostic::note(),
        Severity::Error => Diagnostic::error(),
        Severity::Warning => Diagnostic::warning(),
    };
    let help = match &warning.kind {
        WarningKind::Pasted(pasting) => pasting.help(argument),
        kind => help(kind).to_string(),
    };
    let diagnostic = diagnostic.with_notes(vec![format!("help: {help}")]);
    match &warning.kind {
        WarningKind::Name(found) => Report::of_name(diagnostic, &found.message(), &found.origin),
        _ => Report::headed(diagnostic, &warning.to_string()),
    }
}

/// Returns an error without a place, as text.
fn headed(message: &str) -> String {
    Report::headed(Diagnostic::error(), message).plain()
}

/// The kinds of files that are read, for the error about a file of another kind.
pub const READ: &str = match cfg!(feature = "sources") {
    true => "; an input is AGAL, WGSL, GLSL, SPIR-V, SDLSHADERBC or the unified-shader instruction set",
    false => "; an input is AGAL, SDLSHADERBC or the unified-shader instruction set",
};

/// Returns advice on a warning about a file.
pub fn help(kind: &WarningKind) -> &'static str {
    match kind {
        WarningKind::Unknown(_) => {
            "a later version of agalc may know it; commands that need its meaning refuse the file"
        }
        WarningKind::Rule(..) => {
            "the module is shown unchanged; `agalc verify` and commands that need its meaning refuse it"
        }
        WarningKind::LeftOut(_) => "it is left out of the debug table",
        WarningKind::NotUtf8(..) => "save the file as UTF-8",
        WarningKind::Pasted(_) => {
            "`agalc assemble --expand` prints its AGAL text, and `agalc disassemble` that of bytecode"
        }
        WarningKind::NoOverride(_) => {
            "an override is declared with a name, `override name = 1.0;`, and may have a number, `@id(7)`"
        }
        WarningKind::NothingToInline => "an alias gives a constant its value: `alias vc4, CONST(0.5, 1)`",
        WarningKind::Name(found) => match found.kind {
            NameWarningKind::NoStage(_) => "name the program of that stage too, or remove the name",
            NameWarningKind::Became(_) => "names have letters, digits and single `_`, and begin with a letter",
            NameWarningKind::Taken(_) => "choose another name for one of them",
            NameWarningKind::Overridden { .. } => "remove one of the names",
            _ => "check the registers, or remove the name",
        },
    }
}

/// Returns the advice that is added to the error about a file that is not a program.
pub fn advice(foreign: Foreign) -> &'static str {
    if foreign.help().is_some() { "" } else { READ }
}
