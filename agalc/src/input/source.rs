//! An input that was opened: it is decoded, detected and unpacked once. Its programs are then read from the result.

use agal_front::assemble::{Alias, AssembleOptions, Expansion, SourceName, assemble, expand as expand_text};
use agal_front::disassemble::disassemble;
use agal_front::finding::Finding as Found;
use agal_front::{Kind, Stage};

use super::detect::{Form, Input, Look, is_module_text};
use super::foreign;
#[cfg(feature = "sources")]
use super::foreign::Foreign;
use super::program::{Checked, Code as ProgramCode, ModuleInput, Program, checked};
use super::text::Text;
use crate::error::{BytePosition, InputError, InputErrorKind, Warning, WarningKind};
use crate::finding::{Finding, InstructionSet};
#[cfg(feature = "es2")]
use crate::language::Es2;
use crate::language::agal::{self, Agal};
use crate::language::{Language, Raw, Read};
use crate::options::Options;
use crate::paste::{self, Code, Paste, Pasted, Pasting, Pieced};

/// An opened input.
#[derive(Debug)]
pub struct Source<'a> {
    input: &'a Input,
    form: Form,
    /// The text, unless the input is binary data of a known form.
    text: Option<Text>,
    /// AGAL that is pasted from code, from a tool's output or from a post.
    paste: Option<Paste>,
    stage: Option<Stage>,
    /// Whether the input's role determines the stage, so that the choice of a part of its text is not reported.
    has_role: bool,
}

/// A text with its macros expanded.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Expanded {
    /// The plain text.
    pub text: String,
    /// The aliases that the text declares.
    pub aliases: Vec<Alias>,
    /// The names that the text gives to registers.
    pub names: Vec<SourceName>,
    /// Warnings about the text, with their places in `source`.
    pub findings: Vec<Finding>,
    /// The text that was expanded.
    pub source: Text,
    /// Warnings about the file.
    pub warnings: Vec<Warning>,
}

impl<'a> Source<'a> {
    /// Decodes an input and detects its form: by its content, and by its name where the content is ambiguous. If the
    /// options state the language of texts, that language decides. The options may also require a stage.
    pub fn open(input: &'a Input, options: &Options) -> Source<'a> {
        let Look { form, text, paste } = Look::at(&input.bytes);
        let form = options.form_of(input, form, text.is_none());
        Source { input, form, text, paste, stage: options.stage, has_role: false }
    }

    /// Opens each input.
    pub fn all(inputs: &'a [Input], options: &Options) -> Vec<Source<'a>> {
        inputs.iter().map(|input| Source::open(input, options)).collect()
    }

    /// Sets the stage to that of the input's role, such as a scene's `vertex`. From a text with both programs, only the
    /// program of that stage is read.
    #[must_use]
    pub fn with_role(self, stage: Stage) -> Source<'a> {
        Source { stage: Some(stage), has_role: true, ..self }
    }

    /// The input.
    pub fn input(&self) -> &'a Input {
        self.input
    }

    /// The form in which the input is read.
    pub fn form(&self) -> Form {
        self.form
    }

    /// Whether the input is a module, as a file or as text.
    pub fn is_module(&self) -> bool {
        matches!(self.form, Form::Sdlbc | Form::ModuleText)
    }

    /// The instruction set of the input's programs, if the form determines it.
    pub fn instruction_set(&self) -> Option<InstructionSet> {
        match self.form {
            Form::Bytecode | Form::AgalText | Form::AgalPair => Some(InstructionSet::Agal),
            Form::Es2Code | Form::Es2Text => Some(InstructionSet::UnifiedShader),
            Form::Sdlbc | Form::ModuleText | Form::Foreign(_) => None,
        }
    }

    /// Whether two programs are read from the input: its text has parts for both stages, and no stage is requested.
    pub fn is_pair(&self) -> bool {
        self.form == Form::AgalPair && self.stage.is_none()
    }

    /// Lists the words of a file of unified-shader code, which may be damaged, each with its instruction. Also returns
    /// whether all words could be read. Returns `None` for other forms.
    pub fn listing(&self) -> Option<(String, bool)> {
        match self.form {
            #[cfg(feature = "es2")]
            Form::Es2Code => Some(crate::language::es2::listing(&self.input.bytes)),
            _ => None,
        }
    }

    /// Decodes, assembles or parses the programs: one, or two of a text with both. The stage and the form were set when
    /// the source was opened.
    ///
    /// # Errors
    /// For each program, all its errors. Text in another known language has one error, rather than one for each line.
    pub fn read(&self, options: &Options) -> Vec<Result<Program, InputError>> {
        self.read_all(options, false)
    }

    /// Reads all programs; a module may break rules if it is only shown.
    pub(super) fn read_all(&self, options: &Options, is_shown: bool) -> Vec<Result<Program, InputError>> {
        let part = self.part(options, is_shown);
        if !self.is_pair() {
            return vec![part.read()];
        }
        let first = Part { stage: Some(Stage::Vertex), ..part }.read();
        let is_of_file = first.as_ref().is_err_and(|error| !matches!(error.kind, InputErrorKind::Program(_)));
        if is_of_file {
            return vec![first];
        }
        vec![first, Part { stage: Some(Stage::Fragment), is_again: true, ..part }.read()]
    }

    /// Returns the input as one program to be read.
    fn part<'s>(&'s self, options: &'s Options, is_shown: bool) -> Part<'s> {
        Part { source: self, stage: self.stage, is_again: false, is_shown, options }
    }

    /// Reads the programs of an input that must be neither a module nor a source in another language.
    ///
    /// # Errors
    /// For each program, all its errors, or the form of the input.
    pub fn read_programs(&self, options: &Options) -> Vec<Result<Program, InputError>> {
        let other = |name: String| match self.form {
            Form::Foreign(foreign) => InputError { name, kind: InputErrorKind::Foreign(foreign) },
            _ => InputError { name, kind: InputErrorKind::NotAgal },
        };
        if self.is_module() {
            return vec![Err(other(self.input.name.clone()))];
        }
        let program = |read| match read {
            Ok(Program { code: ProgramCode::Module(_), name, .. }) => Err(other(name)),
            #[cfg(feature = "sources")]
            Err(InputError { kind: InputErrorKind::Source { .. }, name }) => Err(other(name)),
            read => read,
        };
        self.read(options).into_iter().map(program).collect()
    }

    /// Reads the input as one program. A text with programs of both stages is an error, unless a stage is requested.
    ///
    /// # Errors
    /// All errors in the program.
    pub fn read_one(&self, options: &Options) -> Result<Program, InputError> {
        self.part(options, false).read()
    }

    /// Reads the input as one program that is only shown: a module that breaks rules has a warning for each violation.
    ///
    /// # Errors
    /// As for [`Source::read_one`].
    pub fn read_shown(&self, options: &Options) -> Result<Program, InputError> {
        self.part(options, true).read()
    }

    /// Expands the macro language of a text into plain statements; pasted code becomes plain AGAL text.
    ///
    /// # Errors
    /// All errors in the text.
    pub fn expand(&self, options: &Options) -> Result<Expanded, InputError> {
        self.part(options, false).expand()
    }
}

/// A program of a paste: the input's text with the warnings about the file, and the program with the findings about the text.
type Chosen<'p> = (Text, Vec<Warning>, &'p Pasted, Vec<Found>);

/// A program of a source that is being read.
#[derive(Clone, Copy)]
struct Part<'s> {
    source: &'s Source<'s>,
    stage: Option<Stage>,
    /// Whether warnings about the file were already given with the other program.
    is_again: bool,
    /// Whether a module may break rules, because it is only shown.
    is_shown: bool,
    options: &'s Options,
}

impl Part<'_> {
    fn name(&self) -> &str {
        &self.source.input.name
    }

    fn error(&self, kind: InputErrorKind) -> InputError {
        InputError { name: self.name().to_string(), kind }
    }

    fn read(&self) -> Result<Program, InputError> {
        let Source { input, form, paste, text, .. } = self.source;
        if let (Form::Bytecode | Form::AgalText | Form::AgalPair, Some(paste)) = (form, paste) {
            return self.read_pasted(paste);
        }
        match *form {
            Form::Sdlbc => {
                let decoded = match self.options.step_over {
                    true => sdlbc::decode_known(&input.bytes),
                    false => sdlbc::decode(&input.bytes).map(|module| (module, Vec::new())),
                };
                let (module, unknown) = decoded.map_err(|error| self.error(InputErrorKind::Decode(error)))?;
                let note = |error| Warning { name: input.name.clone(), kind: WarningKind::Unknown(error) };
                self.module(module, None, None, unknown.into_iter().map(note).collect())
            }
            Form::ModuleText => {
                let (text, warnings) = self.text()?;
                match sdlbc::parse_with_comments(text.as_str()) {
                    Ok((module, comments)) => self.module(module, Some(text), Some(comments), warnings),
                    Err(errors) => Err(self.error(InputErrorKind::Parse { text, errors })),
                }
            }
            #[cfg(feature = "sources")]
            Form::Foreign(language @ (Foreign::Wgsl | Foreign::Glsl | Foreign::Spirv)) => {
                let (text, warnings) = match language {
                    Foreign::Spirv => (None, Vec::new()),
                    _ => {
                        let (text, warnings) = self.text()?;
                        // A text that assembles is AGAL, unless it is empty.
                        if let Ok(assembly) = assemble(text.as_str(), &self.options.assembling(self.stage))
                            && !assembly.program.tokens.is_empty()
                        {
                            return Ok(self.program(Agal::assembled(assembly, self.options), Some(text), warnings));
                        }
                        (Some(text), warnings)
                    }
                };
                super::sources::read(input, text, language, self.stage, warnings, self.options, self.is_shown)
            }
            Form::Foreign(foreign) if text.is_none() => Err(self.error(InputErrorKind::Foreign(foreign))),
            #[cfg(feature = "es2")]
            Form::Es2Code => {
                let read = Es2::read(Raw::Bytes(&input.bytes), self.stage, self.options);
                self.read_or_unread(read, None, Vec::new())
            }
            #[cfg(feature = "es2")]
            Form::Es2Text => {
                let (text, warnings) = self.text()?;
                let read = Es2::read(Raw::Text(text.as_str()), self.stage, self.options);
                self.read_or_unread(read, Some(text), warnings)
            }
            #[cfg(not(feature = "es2"))]
            Form::Es2Code | Form::Es2Text => Err(self.error(InputErrorKind::NotAgal)),
            Form::Bytecode => {
                let read = Agal::read(Raw::Bytes(&input.bytes), self.stage, self.options);
                self.read_or_unread(read, None, Vec::new())
            }
            Form::AgalText | Form::AgalPair | Form::Foreign(_) => {
                let (text, warnings) = self.text()?;
                match Agal::read(Raw::Text(text.as_str()), self.stage, self.options) {
                    Ok(read) => Ok(self.program(read, Some(text), warnings)),
                    Err(findings) => Err(self.refused(text, findings)),
                }
            }
        }
    }

    /// Reads a module from a file or a text, attaches the debug table of the options, and verifies it.
    fn module(
        &self,
        module: sdlbc::Module,
        text: Option<Text>,
        comments: Option<sdlbc::Comments>,
        warnings: Vec<Warning>,
    ) -> Result<Program, InputError> {
        let read = Program { text, warnings, ..Program::new(self.name(), ProgramCode::Unread) };
        let input = ModuleInput { comments, ..ModuleInput::new(Checked::Broken(module)) };
        checked(read, input, self.options, self.is_shown)
    }

    fn read_or_unread<P: Language + Into<ProgramCode>>(
        &self,
        read: Result<Read<P>, Vec<Finding>>,
        text: Option<Text>,
        warnings: Vec<Warning>,
    ) -> Result<Program, InputError> {
        match read {
            Ok(read) => Ok(self.program(read, text, warnings)),
            Err(findings) => Err(self.unread(text, findings)),
        }
    }

    /// Returns a program that was read.
    fn program<P: Language + Into<ProgramCode>>(
        &self,
        read: Read<P>,
        text: Option<Text>,
        warnings: Vec<Warning>,
    ) -> Program {
        let Read { program, map, mut findings } = read;
        self.drop_choice(&mut findings);
        Program { text, map, findings, warnings, ..Program::new(self.name(), program.into()) }
    }

    /// Returns the error of a program that could not be read.
    fn unread(&self, text: Option<Text>, mut findings: Vec<Finding>) -> InputError {
        self.drop_choice(&mut findings);
        Program { text, findings, ..Program::new(self.name(), ProgramCode::Unread) }.refused()
    }

    /// Returns the error of a text that does not assemble: its findings, or its other known kind of file.
    fn refused(&self, text: Text, findings: Vec<Finding>) -> InputError {
        match foreign::of_text(text.as_str()) {
            Some(foreign) => self.error(InputErrorKind::Foreign(foreign)),
            None => self.unread(Some(text), findings),
        }
    }

    /// Removes the warning that a part of the text was chosen, if the stage comes from a role or the text is read as
    /// two programs.
    fn drop_choice(&self, findings: &mut Vec<Finding>) {
        if self.source.has_role || self.source.is_pair() {
            findings.retain(|found| found.code != (Kind::Part { name: String::new() }).code());
        }
    }

    /// Reads a pasted program, and maps the places of all its findings to the input's text.
    fn read_pasted(&self, paste: &Paste) -> Result<Program, InputError> {
        let (text, warnings, pasted, notes) = self.chosen(paste)?;
        let read = match &pasted.code {
            Code::Text(code) => match assemble(code.as_str(), &self.assembling_pasted(pasted)) {
                Ok(mut assembly) => {
                    paste::relocate_assembly(text.as_str(), code, &mut assembly);
                    assembly.warnings.splice(0..0, notes);
                    Ok(Agal::assembled(assembly, self.options))
                }
                Err(mut found) => {
                    paste::relocate_findings(text.as_str(), code, &mut found);
                    found.splice(0..0, notes);
                    Err(found)
                }
            },
            Code::Bytes(written) => {
                let placed = |mut found: Vec<Found>| {
                    paste::place_bytes(text.as_str(), written, &mut found);
                    found.splice(0..0, notes);
                    found
                };
                match agal::decode(&written.bytes, self.options) {
                    Ok((program, found)) => {
                        let map = paste::map_of_bytes(text.as_str(), written, &program);
                        Ok(Agal::decoded(program, map, placed(found), self.options))
                    }
                    Err(found) => Err(placed(found)),
                }
            }
        };
        self.read_or_unread(read.map_err(|found| agal::unread(found, self.options)), Some(text), warnings)
    }

    /// Chooses the program of a paste. Warnings that were given with the other program are left out.
    fn chosen<'p>(&self, paste: &'p Paste) -> Result<Chosen<'p>, InputError> {
        let (text, mut warnings) = self.text()?;
        let (pasted, notes) = match paste.choose(self.stage) {
            Ok(chosen) => chosen,
            Err(notes) => {
                let found = paste::findings(text.as_str(), notes);
                return Err(self.unread(Some(text), agal::unread(found, self.options)));
            }
        };
        if self.is_again {
            return Ok((text, warnings, pasted, Vec::new()));
        }
        let kind = WarningKind::Pasted(Pasting::new(paste, self.stage, self.options));
        warnings.push(Warning { name: self.name().to_string(), kind });
        let found = paste::findings(text.as_str(), notes);
        Ok((text, warnings, pasted, found))
    }

    /// Returns the options for assembling a pasted text: the caller's options take precedence over statements in the
    /// paste.
    fn assembling_pasted(&self, pasted: &Pasted) -> AssembleOptions {
        let options = self.options.assembling(self.stage.or(pasted.asked));
        let version = options.version.or(pasted.version);
        options.version(version)
    }

    /// Returns the text, with a warning if it is not UTF-8.
    fn text(&self) -> Result<(Text, Vec<Warning>), InputError> {
        let text = self.source.text.clone().unwrap_or_else(|| Text::decode(&self.source.input.bytes));
        if text.is_utf8() {
            return Ok((text, Vec::new()));
        }
        let first = text.first_stray();
        let place = BytePosition { line: text.line(first), byte: text.offset_in_file(first) };
        if self.options.rules().warnings_are_errors {
            return Err(self.error(match foreign::of_text(text.as_str()) {
                Some(foreign) if !is_module_text(text.as_str()) => InputErrorKind::Foreign(foreign),
                _ => InputErrorKind::NotUtf8(place),
            }));
        }
        let kind = WarningKind::NotUtf8(text.encoding(), place);
        let warning = (!self.is_again).then(|| Warning { name: self.name().to_string(), kind });
        Ok((text, warning.into_iter().collect()))
    }

    fn expand(&self) -> Result<Expanded, InputError> {
        match self.source.form {
            Form::Es2Text => return Err(self.error(InputErrorKind::NotAgal)),
            Form::Foreign(foreign) if self.source.text.is_none() => {
                return Err(self.error(InputErrorKind::Foreign(foreign)));
            }
            Form::Sdlbc | Form::Es2Code => return Err(self.error(InputErrorKind::NotText)),
            Form::Foreign(_) | Form::ModuleText => {}
            form => match &self.source.paste {
                Some(paste) => return self.expand_pasted(paste),
                None if form == Form::Bytecode => return Err(self.error(InputErrorKind::NotText)),
                None => {}
            },
        }
        let (text, warnings) = self.text()?;
        match expand_text(text.as_str(), &self.options.assembling(self.stage)) {
            Ok(expansion) => self.expanded(expansion, text, warnings),
            Err(found) => Err(self.refused(text, agal::unread(found, self.options))),
        }
    }

    /// Judges the findings of an expansion.
    fn expanded(&self, expansion: Expansion, source: Text, warnings: Vec<Warning>) -> Result<Expanded, InputError> {
        let Expansion { text, aliases, names, warnings: found } = expansion;
        let findings = agal::unread(found, self.options);
        if findings.iter().any(Finding::is_error) {
            return Err(
                Program { text: Some(source), findings, ..Program::new(self.name(), ProgramCode::Unread) }.refused()
            );
        }
        Ok(Expanded { text, aliases, names, findings, source, warnings })
    }

    /// Expands the text of a pasted program.
    fn expand_pasted(&self, paste: &Paste) -> Result<Expanded, InputError> {
        let (text, warnings, pasted, notes) = self.chosen(paste)?;
        let Code::Text(code) = &pasted.code else {
            let program = self.read()?.sound()?;
            let plain = program.agal().map(|agal| disassemble(&agal.program)).unwrap_or_default();
            let (aliases, names, findings) = (Vec::new(), Vec::new(), program.findings);
            return Ok(Expanded { text: plain, aliases, names, findings, source: text, warnings });
        };
        match expand_text(code.as_str(), &self.assembling_pasted(pasted)) {
            Ok(mut expansion) => {
                paste::relocate_expansion(text.as_str(), code, &mut expansion);
                expansion.warnings.splice(0..0, notes);
                expansion.text = plain(expansion.text, code, self.header_of(pasted, code).as_deref());
                self.expanded(expansion, text, warnings)
            }
            Err(mut found) => {
                paste::relocate_findings(text.as_str(), code, &mut found);
                Err(self.unread(Some(text), agal::unread(found, self.options)))
            }
        }
    }

    /// Returns a header comment with the stage and the version, if the code around a pasted text states a version.
    fn header_of(&self, pasted: &Pasted, code: &Pieced) -> Option<String> {
        let version = pasted.version?;
        let program = assemble(code.as_str(), &self.assembling_pasted(pasted)).ok()?.program;
        (program.version == version).then(|| format!("// agal {version} {}\n", program.stage))
    }
}

/// Completes the text of a paste with a header, and with a line end after the last line.
fn plain(mut text: String, code: &Pieced, header: Option<&str>) -> String {
    if text == code.as_str() && !text.ends_with('\n') {
        text.push('\n');
    }
    match header.filter(|header| !text.starts_with(*header)) {
        Some(header) => format!("{header}{text}"),
        None => text,
    }
}
