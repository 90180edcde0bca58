//! Opens an input: decodes its text, detects its form and unpacks pasted code once, before any program is read.

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

/// An input whose form has been detected and whose programs are ready to be read.
#[derive(Debug)]
pub struct Source<'a> {
    input: &'a Input,
    form: Form,
    /// The decoded text, unless the input is binary data of a known form.
    text: Option<Text>,
    paste: Option<Paste>,
    stage: Option<Stage>,
    /// Whether the input's role determines the stage. With such a role, reading only one of two programs causes no
    /// warning.
    has_role: bool,
}

/// AGAL text with its macros expanded.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Expanded {
    /// The plain AGAL text after expansion.
    pub text: String,
    /// The aliases that the AGAL text declares.
    pub aliases: Vec<Alias>,
    /// The names that the AGAL text gives to registers.
    pub names: Vec<SourceName>,
    /// Warnings about the AGAL text, with their positions in `source`.
    pub findings: Vec<Finding>,
    /// The source text before expansion.
    pub source: Text,
    /// Warnings about the file, for example that it is not UTF-8.
    pub warnings: Vec<Warning>,
}

impl<'a> Source<'a> {
    /// Decodes an input and detects its form from its content, or from its name if the content is ambiguous. A language stated in
    /// the options overrides the language detected for text.
    pub fn open(input: &'a Input, options: &Options) -> Source<'a> {
        let Look { form, text, paste } = Look::at(&input.bytes);
        let form = options.form_of(input, form, text.is_none());
        Source { input, form, text, paste, stage: options.stage, has_role: false }
    }

    /// Opens every input with the same options.
    pub fn all(inputs: &'a [Input], options: &Options) -> Vec<Source<'a>> {
        inputs.iter().map(|input| Source::open(input, options)).collect()
    }

    /// Requires the stage that the input's role determines, such as `vertex` in a scene. If AGAL text has programs of both
    /// stages, only the program of the given stage is read.
    #[must_use]
    pub fn with_role(self, stage: Stage) -> Source<'a> {
        Source { stage: Some(stage), has_role: true, ..self }
    }

    /// Returns the input that was opened.
    pub fn input(&self) -> &'a Input {
        self.input
    }

    /// Returns the form in which the input is read.
    pub fn form(&self) -> Form {
        self.form
    }

    /// Reports whether the input is an SDLSHADERBC module, in binary or text form.
    pub fn is_module(&self) -> bool {
        matches!(self.form, Form::Sdlbc | Form::ModuleText)
    }

    /// Returns the instruction set of the input's programs, or `None` if the input's form does not determine the set.
    pub fn instruction_set(&self) -> Option<InstructionSet> {
        match self.form {
            Form::Bytecode | Form::AgalText | Form::AgalPair => Some(InstructionSet::Agal),
            Form::Es2Code | Form::Es2Text => Some(InstructionSet::UnifiedShader),
            Form::Sdlbc | Form::ModuleText | Form::Foreign(_) => None,
        }
    }

    /// Reports whether the input is read as two programs, because the text has parts for both stages and no stage is
    /// requested.
    pub fn is_pair(&self) -> bool {
        self.form == Form::AgalPair && self.stage.is_none()
    }

    /// Lists each word of unified-shader code with its instruction, and reports whether every word is valid. Returns `None` for
    /// any other form of input.
    pub fn listing(&self) -> Option<(String, bool)> {
        match self.form {
            #[cfg(feature = "es2")]
            Form::Es2Code => Some(crate::language::es2::listing(&self.input.bytes)),
            _ => None,
        }
    }

    /// Decodes, assembles or parses the input's programs: one program, or two if AGAL text has parts for both stages.
    ///
    /// # Errors
    /// Returns all errors of each program. Text in another known language produces a single error, not one for each line.
    pub fn read(&self, options: &Options) -> Vec<Result<Program, InputError>> {
        self.read_all(options, false)
    }

    /// Reads all programs. If `is_shown` is true, rule violations in a module are warnings instead of errors.
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

    fn part<'s>(&'s self, options: &'s Options, is_shown: bool) -> Part<'s> {
        Part { source: self, stage: self.stage, is_again: false, is_shown, options }
    }

    /// Reads the programs of an input that must be neither a module nor source text in another language.
    ///
    /// # Errors
    /// Returns all errors of each program, or one error if the input is a module or is in another language.
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

    /// Reads the input as one program. Text with programs of both stages is an error unless a stage is requested.
    ///
    /// # Errors
    /// Returns all errors in the program.
    pub fn read_one(&self, options: &Options) -> Result<Program, InputError> {
        self.part(options, false).read()
    }

    /// Reads the input as one program, for display only. In a module, each violation of a rule is a warning, not an error.
    ///
    /// # Errors
    /// See [`Source::read_one`].
    pub fn read_shown(&self, options: &Options) -> Result<Program, InputError> {
        self.part(options, true).read()
    }

    /// Expands the macro language of AGAL text into plain statements. Pasted code is converted to plain AGAL text.
    ///
    /// # Errors
    /// Returns all errors in the AGAL text.
    pub fn expand(&self, options: &Options) -> Result<Expanded, InputError> {
        self.part(options, false).expand()
    }
}

/// The input's text, the warnings about the file, the chosen program, and the findings about the text.
type Chosen<'p> = (Text, Vec<Warning>, &'p Pasted, Vec<Found>);

#[derive(Clone, Copy)]
struct Part<'s> {
    source: &'s Source<'s>,
    stage: Option<Stage>,
    /// Whether the program is the second of a pair, for which warnings about the file are not repeated.
    is_again: bool,
    /// Whether a module may break rules, because it is only displayed.
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
            Form::Foreign(language @ (Foreign::Wgsl | Foreign::Glsl | Foreign::Hlsl | Foreign::Spirv)) => {
                let (text, warnings) = match language {
                    Foreign::Spirv => (None, Vec::new()),
                    _ => {
                        let (text, warnings) = self.text()?;
                        // Text that can be assembled is AGAL, unless the program is empty.
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

    /// Attaches the debug table from the options to a decoded or parsed module, and verifies the module.
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

    fn unread(&self, text: Option<Text>, mut findings: Vec<Finding>) -> InputError {
        self.drop_choice(&mut findings);
        Program { text, findings, ..Program::new(self.name(), ProgramCode::Unread) }.refused()
    }

    /// Returns the error for text that cannot be assembled. The error names the text's language if the language is
    /// recognised; otherwise, the error contains the findings.
    fn refused(&self, text: Text, findings: Vec<Finding>) -> InputError {
        match foreign::of_text(text.as_str()) {
            Some(foreign) => self.error(InputErrorKind::Foreign(foreign)),
            None => self.unread(Some(text), findings),
        }
    }

    /// Removes the warning that only one of two programs was read, if a role determines the stage or both programs are read.
    fn drop_choice(&self, findings: &mut Vec<Finding>) {
        if self.source.has_role || self.source.is_pair() {
            findings.retain(|found| found.code != (Kind::Part { name: String::new() }).code());
        }
    }

    /// Reads a pasted program, and maps the positions of its findings to the input's text.
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

    /// Selects the program to read from a paste. Warnings are not repeated for the second program of a pair.
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

    /// Returns the options for assembling pasted text. The caller's options override the stage and version stated in the paste.
    fn assembling_pasted(&self, pasted: &Pasted) -> AssembleOptions {
        let options = self.options.assembling(self.stage.or(pasted.asked));
        let version = options.version.or(pasted.version);
        options.version(version)
    }

    /// Returns the decoded text, with a warning if the file is not UTF-8.
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

    /// Returns the expanded text, or an error if the rules make one of the findings an error.
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

    /// Returns a header comment with the stage and the version, if code around the pasted text states the version.
    fn header_of(&self, pasted: &Pasted, code: &Pieced) -> Option<String> {
        let version = pasted.version?;
        let program = assemble(code.as_str(), &self.assembling_pasted(pasted)).ok()?.program;
        (program.version == version).then(|| format!("// agal {version} {}\n", program.stage))
    }
}

/// Adds the header to the text of a paste, and adds a missing final line break.
fn plain(mut text: String, code: &Pieced, header: Option<&str>) -> String {
    if text == code.as_str() && !text.ends_with('\n') {
        text.push('\n');
    }
    match header.filter(|header| !text.starts_with(*header)) {
        Some(header) => format!("{header}{text}"),
        None => text,
    }
}
