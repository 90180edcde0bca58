//! Diagnostics for people (feature `render`). A diagnostic about source text shows the source line with a caret, and a diagnostic
//! about bytecode shows the token and its offset.
//!
//! [`errors()`] and [`warnings()`] return all messages as text. A program that writes diagnostics to a terminal, or shows only
//! some of them, uses [`SourceFile`].

mod problem;
pub mod shown;

use std::ops::Range;

use agal_front::Wording;
use codespan_reporting::files::{Error as FilesError, SimpleFile};
use codespan_reporting::term::{self, WriteStyle};

pub use codespan_reporting;
pub use codespan_reporting::diagnostic::{Diagnostic, Label};
pub use problem::{CheckedProgram, Level, Place, Problem, Related, in_names, of_error, of_program, problems, remarks};

#[cfg(feature = "sources")]
use sdlbc::front::RefusalKind;

use crate::names::{FileError, NameError, NameWarningKind, NamesFile, Origin};
use crate::{
    Assumption, Finding, Foreign, InputError, InputErrorKind, Loaded, Refused, Severity, Text, Warning, WarningKind,
};

/// The maximum length in bytes of a source line that a diagnostic quotes. For a longer line, the diagnostic states only the line
/// number and column.
const LONGEST_LINE: usize = 400;

/// An input that diagnostics refer to. The input's lines are indexed only once for all diagnostics.
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
    /// Returns an input with optional source text. Advice that names a setting is left out, because the input has no `Wording`
    /// for the setting's name.
    pub fn new(name: &'a str, text: Option<&'a str>) -> SourceFile<'a> {
        let mut lines = shown::Lines::new(text.unwrap_or_default());
        let file = SimpleFile::new(shown::name(name).into_owned(), std::mem::take(&mut lines.text));
        SourceFile { name, text, decoded: None, wording: |_| None, file, lines }
    }

    /// Returns an input whose source text was decoded from a file. Offsets in the text can therefore be converted to offsets in
    /// the file. `wording` determines how the advice of findings names settings.
    pub fn decoded(name: &'a str, text: Option<&'a Text>, wording: Wording) -> SourceFile<'a> {
        SourceFile { decoded: text, wording, ..SourceFile::new(name, text.map(Text::as_str)) }
    }

    /// Returns the input's name.
    pub fn name(&self) -> &'a str {
        self.name
    }

    /// Returns the input's source text, or `None` for bytecode without text.
    pub fn text(&self) -> Option<&'a str> {
        self.text
    }

    /// Converts a byte offset in the decoded text to a byte offset in the file. If the source text was not decoded from a file,
    /// the offset is returned unchanged.
    pub fn offset_in_file(&self, at: usize) -> usize {
        self.decoded.map_or(at, |text| text.offset_in_file(at))
    }

    /// Returns the diagnostic for a finding, with the line of source text or the instruction in the bytecode.
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

    /// Returns an error about a byte range of the text. `at` is the line and column at which the range begins.
    pub fn error_at(&self, message: &str, span: Range<usize>, at: (usize, usize)) -> Diagnostic<()> {
        self.at(Diagnostic::error(), message, span, at)
    }

    /// Adds a message and a byte range of the text to a diagnostic. `line` and `column` state where the range begins.
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

    /// Returns the diagnostic for a rule of SDLSHADERBC that the module breaks.
    pub fn violation(&self, violation: &sdlbc::Violation, span: Option<Range<usize>>) -> Diagnostic<()> {
        let message = violation.message();
        let Some(span) = span else { return Diagnostic::error().with_message(format!("{}: {message}", self.name)) };
        let before = self.text.and_then(|text| text.get(..span.start)).unwrap_or_default();
        let line = 1 + before.bytes().filter(|&byte| byte == b'\n').count();
        let column = 1 + before.chars().rev().take_while(|&c| c != '\n').count();
        self.error_at(&message, span, (line, column))
    }

    /// Writes a diagnostic about the input.
    ///
    /// # Errors
    /// Returns an error if the diagnostic cannot be written to `to`.
    pub fn write(&self, diagnostic: Diagnostic<()>, to: &mut dyn WriteStyle) -> Result<(), FilesError> {
        term::emit_to_write_style(to, &term::Config::default(), &self.file, &self.escaped(diagnostic))
    }

    /// Escapes characters that a terminal might interpret, and adapts the ranges of the labels to the escaped text.
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

    /// Returns the diagnostic for WGSL, GLSL, HLSL or SPIR-V code that is refused.
    #[cfg(feature = "sources")]
    pub fn refusal(&self, refusal: &naga_front::Refusal) -> Diagnostic<()> {
        let diagnostic = match self.place_of(refusal) {
            Some((bytes, at)) => self.error_at(&refusal.to_string(), bytes, at),
            None => Diagnostic::error().with_message(format!("{}: {refusal}", self.name)),
        };
        diagnostic.with_notes(remedy(&refusal.kind).map(|remedy| format!("help: {remedy}")).into_iter().collect())
    }

    /// Returns the byte range of a refusal in the text, and the line and column at which the range begins.
    #[cfg(feature = "sources")]
    fn place_of(&self, refusal: &naga_front::Refusal) -> Option<(Range<usize>, (usize, usize))> {
        let text = self.text?;
        let bytes = refusal.bytes.clone()?;
        let end = bytes.end.min(text.len());
        let is_within = bytes.start <= end && text.is_char_boundary(bytes.start) && text.is_char_boundary(end);
        Some((bytes.start..end, refusal.position(text)?)).filter(|_| is_within)
    }

    /// Returns a diagnostic about the input as plain text without colours.
    pub fn plain(&self, diagnostic: Diagnostic<()>) -> String {
        let message = diagnostic.message.clone();
        let config = term::Config::default();
        let text = term::emit_into_string(&config, &self.file, &self.escaped(diagnostic));
        text.map_or(message, |text| text.trim_end().to_string())
    }
}

/// Returns the option of the command with which a refused source is accepted, or `None` if there is no such option.
#[cfg(feature = "sources")]
fn remedy(kind: &RefusalKind) -> Option<&'static str> {
    match kind {
        RefusalKind::SeveralEntries { .. } => Some("pass `--entry-point NAME` for each stage that has several"),
        RefusalKind::NoValue { .. } => Some("pass `--override NAME=VALUE`"),
        RefusalKind::TexelFormat { given: None, .. } => Some("pass `--texel-format NAME=FORMAT`"),
        _ => None,
    }
}

/// Returns the length of the line that contains the byte offset `at`. If the line is longer than [`LONGEST_LINE`], the result may
/// be any number above that limit.
fn line_length(text: &str, at: usize) -> usize {
    let (before, after) = text.as_bytes().split_at(at.min(text.len()));
    let is_end = |&byte: &u8| byte == b'\n' || byte == b'\r';
    let start = before.iter().rev().take(LONGEST_LINE + 1).take_while(|byte| !is_end(byte)).count();
    start + after.iter().take(LONGEST_LINE + 1).take_while(|byte| !is_end(byte)).count()
}

/// Returns the errors of an input as plain text with positions.
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

/// Returns the errors of inputs that could not be loaded into a module, as plain text.
pub fn refused(refused: &Refused, wording: Wording) -> Vec<String> {
    let inputs = refused.errors().flat_map(|error| errors(error, wording));
    let pair = refused.pair.iter().map(|error| headed(&error.to_string()));
    inputs.chain(pair).chain(refused.names.iter().map(|error| name_error(error).plain())).collect()
}

/// Returns the warnings about inputs that were loaded into a module, as plain text.
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

/// A diagnostic, and the input that the diagnostic is about.
#[derive(Debug)]
pub struct Report<'a> {
    /// The input that the diagnostic is about. If the diagnostic has no position, the input has no name.
    pub source: SourceFile<'a>,
    /// The error, warning or note about the input.
    pub diagnostic: Diagnostic<()>,
}

impl<'a> Report<'a> {
    fn in_file(diagnostic: Diagnostic<()>, message: &str, file: &'a NamesFile, span: Range<usize>) -> Report<'a> {
        let source = SourceFile::new(file.name(), Some(file.text()));
        let place = file.position(span.start);
        let diagnostic = source.at(diagnostic, message, span, place);
        Report { source, diagnostic }
    }

    fn headed(diagnostic: Diagnostic<()>, message: &str) -> Report<'a> {
        Report { source: SourceFile::new("", None), diagnostic: diagnostic.with_message(message) }
    }

    /// Returns a diagnostic about a name, with the name's line if the name comes from a file.
    fn of_name(diagnostic: Diagnostic<()>, message: &str, origin: &'a Origin) -> Report<'a> {
        match origin {
            Origin::File { file, span } => Report::in_file(diagnostic, message, file, span.clone()),
            _ => Report::headed(diagnostic, message),
        }
    }

    /// Returns the report as plain text without colours.
    pub fn plain(self) -> String {
        self.source.plain(self.diagnostic)
    }
}

/// Returns an error in a names file, with the line of the error.
pub fn file_error(error: &FileError) -> Report<'_> {
    Report::in_file(Diagnostic::error(), &error.kind.to_string(), &error.file, error.span.clone())
}

/// Returns an error about a name, with the name's line if the name comes from a file.
pub fn name_error(error: &NameError) -> Report<'_> {
    Report::of_name(Diagnostic::error(), &error.message(), &error.origin)
}

/// Returns a warning about an input, with advice. The diagnostic has the given severity, unless the warning is a note.
pub fn warning(warning: &Warning, severity: Severity) -> Report<'_> {
    warning_of(warning, severity, &crate::input::argument(&warning.name))
}

/// Returns a warning whose advice refers to the input by `argument`, such as `-` for standard input.
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

fn headed(message: &str) -> String {
    Report::headed(Diagnostic::error(), message).plain()
}

/// The list of accepted file kinds, for the end of an error message about a file of an unknown kind.
pub const READ: &str = match cfg!(feature = "sources") {
    true => "; an input is AGAL, WGSL, GLSL, HLSL, SPIR-V, SDLSHADERBC or the unified-shader instruction set",
    false => "; an input is AGAL, SDLSHADERBC or the unified-shader instruction set",
};

/// Returns advice on a warning about an input.
pub fn help(kind: &WarningKind) -> &'static str {
    match kind {
        WarningKind::Unknown(_) => "a later version of agalc may support it; commands that need it refuse the file",
        WarningKind::Rule(..) => {
            "the module is shown unchanged; `agalc verify` and commands that interpret the module refuse it"
        }
        WarningKind::Assumption(Assumption::ExternalTexture) => {
            "copy each frame of the video into the texture, with its colours converted to RGBA"
        }
        WarningKind::Assumption(Assumption::NoPosition) => "if a draw needs one, write it in the shader",
        WarningKind::Assumption(_) => "otherwise, pass the number in a uniform",
        WarningKind::Lost(_) => "compute values that must be equal in one shader, or allow for small differences",
        WarningKind::LeftOut(_) => "it is left out of the debug table",
        WarningKind::NotUtf8(..) => "save the file as UTF-8",
        WarningKind::Pasted(_) => {
            "`agalc assemble --expand` prints the AGAL text alone, and `agalc disassemble` prints bytecode as text"
        }
        WarningKind::NoOverride(_) => {
            "an override is declared with a name, `override name = 1.0;`, and may have a number, `@id(7)`"
        }
        WarningKind::NothingToInline => "an alias gives a constant its value: `alias vc4, CONST(0.5, 1)`",
        WarningKind::Name(found) => match found.kind {
            NameWarningKind::NoStage(_) => "pass a program of that stage too, or remove the name",
            NameWarningKind::Became(_) => "names have letters, digits and single `_`, and begin with a letter",
            NameWarningKind::Taken(_) => "choose another name",
            NameWarningKind::Overridden { .. } => "remove one of the names",
            _ => "check the registers, or remove the name",
        },
    }
}

/// Returns the end of the error message about a file that is not a program: [`READ`], or an empty string if the file's kind has
/// its own advice.
pub fn advice(foreign: Foreign) -> &'static str {
    if foreign.help().is_some() { "" } else { READ }
}
