//! Diagnostics for people (feature `render`): the source line with a caret for text, the token and its offset for bytecode.
//!
//! [`errors()`] and [`warnings()`] return everything that was found, as text. A program that writes to a terminal, or selects
//! what it shows, uses [`Source`].

mod problem;
pub mod shown;

use std::ops::Range;

use agal_front::disassemble::instruction;
use agal_front::finding::{Finding, FindingPlace, Severity};
use agal_front::program::HEADER_BYTES;
use agal_front::token::TOKEN_BYTES;
use agal_front::{Kind, Program};
use codespan_reporting::files::{Error as FilesError, SimpleFile};
use codespan_reporting::term::{self, WriteStyle};

pub use codespan_reporting;
pub use codespan_reporting::diagnostic::{Diagnostic, Label};
pub use problem::{
    Level, Place, Problem, Related, in_names, of_agal, of_error, of_es2_findings, of_findings, problems, remarks,
    remarks_of,
};

use crate::names::{FileError, NameError, NameWarningKind, NamesFile, Origin};
use crate::{Error, ErrorKind, Foreign, Loaded, Refused, Text, Warning, WarningKind};

/// Source lines with more bytes than this are referred to by number and not shown.
const LONGEST_LINE: usize = 400;

/// The input that diagnostics refer to. The lines of a text are indexed once, however many diagnostics are shown.
#[derive(Debug)]
pub struct Source<'a> {
    name: &'a str,
    text: Option<&'a str>,
    decoded: Option<&'a Text>,
    program: Option<&'a Program>,
    file: SimpleFile<String, String>,
    lines: shown::Lines,
}

impl<'a> Source<'a> {
    /// An input with its text, if it has one, and its program, if it could be read.
    pub fn new(name: &'a str, text: Option<&'a str>, program: Option<&'a Program>) -> Source<'a> {
        let mut lines = shown::Lines::new(text.unwrap_or_default());
        let file = SimpleFile::new(shown::name(name).into_owned(), std::mem::take(&mut lines.text));
        Source { name, text, decoded: None, program, file, lines }
    }

    /// An input whose text was decoded from a file, so that offsets in the file are known.
    pub fn decoded(name: &'a str, text: Option<&'a Text>, program: Option<&'a Program>) -> Source<'a> {
        Source { decoded: text, ..Source::new(name, text.map(Text::as_str), program) }
    }

    /// The input's name.
    pub fn name(&self) -> &'a str {
        self.name
    }

    /// The input's text, if it has one.
    pub fn text(&self) -> Option<&'a str> {
        self.text
    }

    /// The input's program, if it could be read.
    pub fn program(&self) -> Option<&'a Program> {
        self.program
    }

    /// Converts an offset in the text to one in the file, as far as that is known.
    pub fn offset_in_file(&self, at: usize) -> usize {
        self.decoded.map_or(at, |text| text.offset_in_file(at))
    }

    /// Returns a finding with its place: the line of the text, or the token as an instruction.
    pub fn finding(&self, finding: &Finding) -> Diagnostic<()> {
        let token = self.token(finding);
        let without_text = self.without_text(finding, token.clone());
        let message = finding.kind.to_string();
        let mut diagnostic = self.found(finding.severity, finding.place, message, token, without_text);
        diagnostic.notes.extend(finding.verdict().map(str::to_string));
        diagnostic.notes.extend(finding.kind.help().map(|help| format!("help: {help}")));
        diagnostic.with_code(format!("AGAL{}", finding.code()))
    }

    /// Returns a finding about a program of the unified-shader instruction set.
    pub fn es2_finding(&self, finding: &es2_front::Finding, program: Option<&es2_front::Program>) -> Diagnostic<()> {
        let place = finding.place;
        let number = place.instruction.zip(place.byte);
        let at = number.map(|(number, byte)| format!("instruction {number}, byte {byte}"));
        let index = place.instruction.and_then(|number| (number as usize).checked_sub(1));
        let of = program.and_then(|program| Some((program, program.instructions.get(index?)?)));
        let line = of.map_or(String::new(), |(program, of)| format!(": {}", es2_front::disassemble::line(program, of)));
        let at_byte = || place.byte.map(|byte| format!("byte {byte}"));
        let arrow = at.clone().or_else(at_byte).map_or(String::new(), |at| format!("\n --> {at}{line}"));
        let without_text = format!("{}: {}{arrow}", self.name, finding.kind);
        let mut diagnostic = self.found(finding.severity, place, finding.kind.to_string(), at, without_text);
        diagnostic.notes.extend(finding.kind.help().map(|help| format!("help: {help}")));
        diagnostic.with_code(format!("ES{}", finding.code()))
    }

    /// A message about a place in the text, with a note about the instruction; or if there is no text, another message.
    fn found(
        &self,
        severity: Severity,
        place: FindingPlace,
        message: String,
        note: Option<String>,
        without_text: String,
    ) -> Diagnostic<()> {
        let name = self.name;
        let diagnostic = match severity {
            Severity::Error => Diagnostic::error(),
            Severity::Warning => Diagnostic::warning(),
        };
        match place.span.zip(self.text) {
            Some((span, text)) if line_length(text, span.start) > LONGEST_LINE => {
                let mut place = format!("\n --> {name}:{}:{}", span.line, span.column);
                if let Some(call) = span.call {
                    place += &format!(", in the expansion of the call at {name}:{}:{}", call.line, call.column);
                }
                diagnostic.with_message(message + &place)
            }
            Some((span, _)) => {
                let mut diagnostic = diagnostic
                    .with_message(message)
                    .with_label(Label::primary((), span.start..span.end.max(span.start + 1)));
                if let Some(call) = span.call {
                    let label = Label::secondary((), call.start..call.end);
                    diagnostic = diagnostic.with_label(label.with_message("in the expansion of this call"));
                }
                diagnostic.notes.extend(note);
                diagnostic
            }
            None => diagnostic.with_message(without_text),
        }
    }

    /// The message of a finding in bytecode: the token as an instruction, or the byte.
    fn without_text(&self, finding: &Finding, token: Option<String>) -> String {
        let (place, program) = (finding.place, self.program);
        let mut message = format!("{}: {}", self.name, finding.kind);
        if let Some(token) = token {
            message += &format!("\n --> {token}");
        } else if let Some(byte) = place.byte {
            let end = program.filter(|program| byte == HEADER_BYTES + TOKEN_BYTES * program.tokens.len());
            let end = end.map_or(String::new(), |program| format!("the end of the {} program, ", program.stage));
            message += &format!("\n --> {end}byte {byte}");
        }
        if let (Some(token), Some(program)) = (place.instruction, program)
            && let Some(token) = (token as usize).checked_sub(1).and_then(|index| program.tokens.get(index))
        {
            message += &format!(": {}", instruction(token, program.stage));
        }
        message
    }

    /// The stage, token and byte offset of a finding about a token.
    fn token(&self, finding: &Finding) -> Option<String> {
        let (token, byte) = (finding.place.instruction?, finding.place.byte?);
        let stage = self.program.map_or(String::new(), |program| format!("{} program, ", program.stage));
        Some(format!("{stage}token {token}, byte {byte}"))
    }

    /// Returns an error at a place in the text, given as a range of bytes and as line and column.
    pub fn error_at(&self, message: &str, span: Range<usize>, at: (usize, usize)) -> Diagnostic<()> {
        self.at(Diagnostic::error(), message, span, at)
    }

    /// Gives a diagnostic its message and its place in the text, as a range of bytes and as line and column.
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

    /// Returns a rule of SDLSHADERBC that the module in the text breaks.
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
    /// It cannot be written.
    pub fn write(&self, diagnostic: Diagnostic<()>, to: &mut dyn WriteStyle) -> Result<(), FilesError> {
        term::emit_to_write_style(to, &term::Config::default(), &self.file, &self.escaped(diagnostic))
    }

    /// Escapes what a terminal might interpret, and moves the labels to their places in the text as it is shown.
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

    /// Returns the diagnostic of why a source in WGSL, GLSL or SPIR-V is refused.
    #[cfg(feature = "sources")]
    pub fn refusal(&self, refusal: &naga_front::Refusal) -> Diagnostic<()> {
        match self.place_of(refusal) {
            Some((bytes, at)) => self.error_at(&refusal.to_string(), bytes, at),
            None => Diagnostic::error().with_message(format!("{}: {refusal}", self.name)),
        }
    }

    /// Returns where a refusal is in the text: its bytes, and the line and column.
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

/// Returns the length of the line that contains a byte of the text.
fn line_length(text: &str, at: usize) -> usize {
    let (before, after) = text.as_bytes().split_at(at.min(text.len()));
    let is_end = |&byte: &u8| byte == b'\n' || byte == b'\r';
    let start = before.iter().rev().take(LONGEST_LINE + 1).take_while(|byte| !is_end(byte)).count();
    start + after.iter().take(LONGEST_LINE + 1).take_while(|byte| !is_end(byte)).count()
}

/// Returns an input's errors as text, each with its place.
pub fn errors(error: &Error) -> Vec<String> {
    let name = &*shown::name(&error.name);
    match &error.kind {
        ErrorKind::Parse { text, errors } => {
            let source = Source::new(name, Some(text.as_str()), None);
            let at = |error: &sdlbc::ParseError| {
                source.error_at(&error.kind.to_string(), error.span.clone(), (error.line, error.column))
            };
            errors.iter().map(|error| source.plain(at(error))).collect()
        }
        #[cfg(feature = "sources")]
        ErrorKind::Source { text, refusals } => {
            let source = Source::new(name, text.as_ref().map(Text::as_str), None);
            let plain = |refusal: &naga_front::Refusal| source.plain(source.refusal(refusal));
            refusals.iter().map(plain).collect()
        }
        ErrorKind::Rules { text, violations } => {
            let source = Source::new(name, text.as_ref().map(Text::as_str), None);
            let plain = |(violation, span): &(_, Option<Range<usize>>)| {
                source.plain(source.violation(violation, span.clone().filter(|_| text.is_some())))
            };
            violations.iter().map(plain).collect()
        }
        ErrorKind::Program { text, program, findings } => {
            let source = Source::new(name, text.as_ref().map(Text::as_str), program.as_deref());
            let errors = findings.iter().filter(|finding| finding.is_error());
            errors.map(|finding| source.plain(source.finding(finding))).collect()
        }
        ErrorKind::Es2 { text, program, findings } => {
            let source = Source::new(name, text.as_ref().map(Text::as_str), None);
            let errors = findings.iter().filter(|finding| finding.is_error());
            errors.map(|finding| source.plain(source.es2_finding(finding, program.as_deref()))).collect()
        }
        ErrorKind::Foreign(foreign) => vec![headed(&format!("{error}{}", advice(*foreign)))],
        _ => vec![headed(&error.to_string())],
    }
}

/// Returns the errors of inputs that cannot become a module, as text.
pub fn refused(refused: &Refused) -> Vec<String> {
    let inputs = refused.errors().flat_map(errors);
    let pair = refused.pair.iter().map(|error| headed(&error.to_string()));
    inputs.chain(pair).chain(refused.names.iter().map(|error| name_error(error).plain())).collect()
}

/// Returns the warnings about inputs that became a module, as text.
pub fn warnings(loaded: &Loaded) -> Vec<String> {
    let mut all: Vec<String> = loaded.warnings.iter().map(|found| warning(found, Severity::Warning).plain()).collect();
    for agal in &loaded.programs {
        let name = &*shown::name(&agal.name);
        let source = Source::new(name, agal.text(), Some(&agal.program));
        let findings = agal.findings.iter().filter(|found| !matches!(found.kind, Kind::Further { .. }));
        all.extend(findings.map(|finding| source.plain(source.finding(finding))));
    }
    for es2 in &loaded.es2 {
        let source = Source::new(&es2.name, es2.text(), None);
        let findings = es2.findings.iter().filter(|found| !matches!(found.kind, es2_front::Kind::Further { .. }));
        all.extend(findings.map(|finding| source.plain(source.es2_finding(finding, Some(&es2.program)))));
    }
    all
}

/// A diagnostic with the input that it refers to.
#[derive(Debug)]
pub struct Report<'a> {
    /// The input.
    pub source: Source<'a>,
    /// What is shown about it.
    pub diagnostic: Diagnostic<()>,
}

impl<'a> Report<'a> {
    /// A diagnostic about a part of a file of names.
    fn in_file(diagnostic: Diagnostic<()>, message: &str, file: &'a NamesFile, span: Range<usize>) -> Report<'a> {
        let source = Source::new(file.name(), Some(file.text()), None);
        let place = file.position(span.start);
        let diagnostic = source.at(diagnostic, message, span, place);
        Report { source, diagnostic }
    }

    /// A diagnostic without a place.
    fn headed(diagnostic: Diagnostic<()>, message: &str) -> Report<'a> {
        Report { source: Source::new("", None, None), diagnostic: diagnostic.with_message(message) }
    }

    /// A diagnostic about a name: at its line, if it is from a file.
    fn of_name(diagnostic: Diagnostic<()>, message: &str, origin: &'a Origin) -> Report<'a> {
        match origin {
            Origin::File { file, span } => Report::in_file(diagnostic, message, file, span.clone()),
            _ => Report::headed(diagnostic, message),
        }
    }

    /// Returns it as text.
    pub fn plain(self) -> String {
        self.source.plain(self.diagnostic)
    }
}

/// Returns an error in a file of names, with its line.
pub fn file_error(error: &FileError) -> Report<'_> {
    Report::in_file(Diagnostic::error(), &error.kind.to_string(), &error.file, error.span.clone())
}

/// Returns why a name cannot be honoured, with its line if it is from a file.
pub fn name_error(error: &NameError) -> Report<'_> {
    Report::of_name(Diagnostic::error(), &error.message(), &error.origin)
}

/// Returns a warning about an input with advice, at its line if it is about a name from a file, as a diagnostic of a severity.
pub fn warning(warning: &Warning, severity: Severity) -> Report<'_> {
    warning_of(warning, severity, &crate::foreign::argument(&warning.name))
}

/// The same for an input that commands take by another argument than its name, such as `-` for standard input.
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

/// An error without a place.
fn headed(message: &str) -> String {
    Report::headed(Diagnostic::error(), message).plain()
}

/// What is read, for the error about a file that is something else.
pub const READ: &str = match cfg!(feature = "sources") {
    true => "; an input is AGAL, WGSL, GLSL, SPIR-V, SDLSHADERBC or the unified-shader instruction set",
    false => "; an input is AGAL, SDLSHADERBC or the unified-shader instruction set",
};

/// Advice on a warning about a file.
pub fn help(kind: &WarningKind) -> &'static str {
    match kind {
        WarningKind::Unknown(_) => "a later version of agalc may know it; what needs its meaning refuses the file",
        WarningKind::Rule(..) => "the module is shown as it is; `agalc verify` and what needs its meaning refuse it",
        WarningKind::LeftOut(_) => "it is left out of the debug table",
        WarningKind::NotUtf8(..) => "save the file as UTF-8",
        WarningKind::Pasted(_) => {
            "`agalc assemble --expand` prints its AGAL text, and `agalc disassemble` that of bytecode"
        }
        WarningKind::NoOverride(_) => "overrides are declared so: `override name = 1.0;`, or have a number: `@id(7)`",
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

/// Advice on a file that is not a program, to be added to the error.
pub fn advice(foreign: Foreign) -> &'static str {
    match foreign.help() {
        Some(_) => "",
        None => READ,
    }
}
