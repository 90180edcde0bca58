//! Reads one input: decodes, assembles or parses it.

use std::collections::BTreeSet;

use agal_front::assemble::{Alias, AssembleOptions, Assembly, Expansion, SourceName, assemble, expand as expand_text};
use agal_front::disassemble::disassemble;
use agal_front::finding::{Finding, SourceMap};
use agal_front::program::Upload;
use agal_front::{Kind, Program, Stage};
use sdlbc::{Comments, Module};

use crate::detect::{Form, Input, detect_file, is_module_text, pasted};
use crate::error::{BytePosition, Error, ErrorKind, Warning, WarningKind};
use crate::es2::{self, Es2};
use crate::foreign;
#[cfg(feature = "sources")]
use crate::foreign::Foreign;
use crate::options::Options;
use crate::paste::{self, Code, Notes, Paste, Pasted, Pasting, Pieced, Written};
use crate::text::Text;

/// A program of an input: the whole input, or one of the two parts of its text.
#[derive(Clone, Copy, Debug)]
pub struct Item<'a> {
    input: &'a Input,
    stage: Option<Stage>,
    /// Whether the stage selects a part of a text, so that the selection need not be reported.
    is_chosen: bool,
    /// Whether warnings about the file have already been reported.
    is_again: bool,
}

impl<'a> Item<'a> {
    /// An input as one program, with its stage if it is known.
    pub fn new(input: &'a Input, stage: Option<Stage>) -> Item<'a> {
        Item { input, stage, is_chosen: false, is_again: false }
    }

    /// The program of a stage that is implied by the input's role, such as a scene's `vertex`.
    pub fn of_stage(input: &'a Input, stage: Stage) -> Item<'a> {
        Item { is_chosen: true, ..Item::new(input, Some(stage)) }
    }

    /// The input.
    pub fn input(&self) -> &'a Input {
        self.input
    }

    /// The stage of the program, if its text leaves it open.
    pub fn stage(&self) -> Option<Stage> {
        self.stage
    }
}

/// Splits inputs into programs. If `stage` is given, each input is one program of that stage; otherwise a text with parts for
/// both stages is two programs.
pub fn items(inputs: &[Input], stage: Option<Stage>) -> Vec<Item<'_>> {
    let mut items = Vec::new();
    for input in inputs {
        match stage {
            None if detect_file(input) == Form::AgalPair => {
                items.push(Item::of_stage(input, Stage::Vertex));
                items.push(Item { is_again: true, ..Item::of_stage(input, Stage::Fragment) });
            }
            stage => items.push(Item::new(input, stage)),
        }
    }
    items
}

/// The content of an input.
#[derive(Clone, Debug)]
pub enum Content {
    /// An AGAL program.
    Agal(Box<Agal>),
    /// A program of the unified-shader instruction set.
    Es2(Box<Es2>),
    /// An SDLSHADERBC module.
    Ir(Box<Ir>),
}

/// An AGAL program and its source.
#[derive(Clone, Debug)]
pub struct Agal {
    /// The input's name.
    pub name: String,
    /// The program.
    pub program: Program,
    /// The text that it was assembled from.
    pub text: Option<Text>,
    /// The positions of its tokens in the text.
    pub map: SourceMap,
    /// The findings so far, judged by the rules; [`lift()`](crate::lift()) adds more.
    pub findings: Vec<Finding>,
    /// Whether the version was stated rather than inferred.
    pub version_given: bool,
    /// The aliases of the macro language.
    pub aliases: Vec<Alias>,
    /// The names that the text's comments and aliases give to registers.
    pub names: Vec<SourceName>,
    /// Warnings about the file.
    pub warnings: Vec<Warning>,
}

/// An SDLSHADERBC module and its source. It has not been verified.
#[derive(Clone, Debug)]
pub struct Ir {
    /// The input's name.
    pub name: String,
    /// The module.
    pub module: Module,
    /// The text that it was parsed from, and its comments.
    pub text: Option<(Text, Comments)>,
    /// Warnings about the file.
    pub warnings: Vec<Warning>,
    /// The overrides of a source that were given a value by [`Options::overrides`].
    pub overrides: Vec<String>,
    /// The names of inputs that a source declares; a module has those that are read.
    pub declared: BTreeSet<String>,
}

impl Agal {
    /// A program that was decoded.
    fn of_bytes(item: &Item<'_>, program: Program, findings: Vec<Finding>) -> Agal {
        Agal {
            name: item.input.name.clone(),
            program,
            text: None,
            map: SourceMap::default(),
            findings,
            version_given: true,
            aliases: Vec::new(),
            names: Vec::new(),
            warnings: Vec::new(),
        }
    }

    /// Returns the text that it was assembled from.
    pub fn text(&self) -> Option<&str> {
        self.text.as_ref().map(Text::as_str)
    }

    /// Returns the program, unless one of its findings is an error.
    ///
    /// # Errors
    /// All findings.
    pub fn sound(self) -> Result<Agal, Error> {
        if !self.findings.iter().any(Finding::is_error) {
            return Ok(self);
        }
        let (text, program) = (self.text, Some(Box::new(self.program)));
        Err(Error { name: self.name, kind: ErrorKind::Program { text, program, findings: self.findings } })
    }
}

impl Ir {
    /// A module that has no text, and no source that says more of it.
    pub fn new(name: String, module: Module) -> Ir {
        Ir { name, module, text: None, warnings: Vec::new(), overrides: Vec::new(), declared: BTreeSet::new() }
    }

    /// Attaches the debug table in the options, if there is one, and verifies the module.
    ///
    /// # Errors
    /// The table belongs to another module, or the module breaks rules.
    pub fn checked(self, options: &Options) -> Result<Ir, Error> {
        let ir = self.attached(options)?;
        ir.verify()?;
        Ok(ir)
    }

    fn attached(mut self, options: &Options) -> Result<Ir, Error> {
        if let Some((name, table)) = &options.debug_table {
            let refuse = |error| Error { name: name.clone(), kind: ErrorKind::DebugTable(error) };
            self.module = sdlbc::attach(self.module, table.clone()).map_err(refuse)?;
        }
        Ok(self)
    }

    /// Attaches the debug table, verifies the module, and makes warnings of the rules that it breaks.
    ///
    /// # Errors
    /// The table belongs to another module.
    pub fn shown(self, options: &Options) -> Result<Ir, Error> {
        let mut ir = self.attached(options)?;
        let Err(violations) = sdlbc::verify(&ir.module) else { return Ok(ir) };
        for violation in violations {
            let span = ir.text.as_ref().and_then(|(text, comments)| Some((text, comments.span_of(&violation)?)));
            let line = span.map(|(text, span)| text.line(span.start));
            ir.warnings.push(Warning { name: ir.name.clone(), kind: WarningKind::Rule(violation, line) });
        }
        Ok(ir)
    }

    /// Verifies the module.
    ///
    /// # Errors
    /// The rules that it breaks, with their ranges in the text.
    pub fn verify(&self) -> Result<(), Error> {
        let Err(violations) = sdlbc::verify(&self.module) else { return Ok(()) };
        let span = |violation: &_| self.text.as_ref().and_then(|(_, comments)| comments.span_of(violation));
        let violations = violations.into_iter().map(|violation| (span(&violation), violation));
        let violations = violations.map(|(span, violation)| (violation, span)).collect();
        let text = self.text.as_ref().map(|(text, _)| text.clone());
        Err(Error { name: self.name.clone(), kind: ErrorKind::Rules { text, violations } })
    }
}

impl Content {
    /// The input's name.
    pub fn name(&self) -> &str {
        match self {
            Content::Agal(agal) => &agal.name,
            Content::Es2(es2) => &es2.name,
            Content::Ir(ir) => &ir.name,
        }
    }

    /// Warnings about the file.
    pub fn warnings(&self) -> &[Warning] {
        match self {
            Content::Agal(agal) => &agal.warnings,
            Content::Es2(es2) => &es2.warnings,
            Content::Ir(ir) => &ir.warnings,
        }
    }
}

/// Decodes, assembles or parses an item.
///
/// # Errors
/// All errors in it. Text in another known language has that one error rather than one for each line.
pub fn read(item: &Item<'_>, options: &Options) -> Result<Content, Error> {
    let Input { name, bytes } = item.input;
    let refuse = |kind| Error { name: name.clone(), kind };
    let form = options.form(item.input);
    match form {
        Form::Sdlbc => {
            let decoded = match options.step_over {
                true => sdlbc::decode_known(bytes),
                false => sdlbc::decode(bytes).map(|module| (module, Vec::new())),
            };
            let (module, unknown) = decoded.map_err(|error| refuse(ErrorKind::Decode(error)))?;
            let note = |error| Warning { name: name.clone(), kind: WarningKind::Unknown(error) };
            let warnings = unknown.into_iter().map(note).collect();
            Ok(Content::Ir(Box::new(Ir { warnings, ..Ir::new(name.clone(), module) })))
        }
        Form::ModuleText => {
            let (text, warnings) = text_of(item, options)?;
            match sdlbc::parse_with_comments(text.as_str()) {
                Ok((module, comments)) => {
                    let text = Some((text, comments));
                    Ok(Content::Ir(Box::new(Ir { text, warnings, ..Ir::new(name.clone(), module) })))
                }
                Err(errors) => Err(refuse(ErrorKind::Parse { text, errors })),
            }
        }
        #[cfg(feature = "sources")]
        Form::Foreign(language @ (Foreign::Wgsl | Foreign::Glsl | Foreign::Spirv)) => {
            let (text, warnings) = match language {
                Foreign::Spirv => (None, Vec::new()),
                _ => {
                    let (text, warnings) = text_of(item, options)?;
                    // Whatever assembles is AGAL, unless it is nothing.
                    if let Ok(assembly) = assemble(text.as_str(), &options.assembling(item.stage))
                        && !assembly.program.tokens.is_empty()
                    {
                        return Ok(of_assembly(item, options, assembly, text, warnings));
                    }
                    (Some(text), warnings)
                }
            };
            let ir = crate::sources::read(name, (bytes, text), language, item.stage, warnings, options)?;
            Ok(Content::Ir(Box::new(ir)))
        }
        Form::Foreign(foreign) if foreign::of_bytes(bytes).is_some() => Err(refuse(ErrorKind::Foreign(foreign))),
        Form::Es2Code => Ok(Content::Es2(Box::new(es2::decoded(name, bytes, options)?))),
        Form::Es2Text => {
            let text = text_of(item, options)?;
            Ok(Content::Es2(Box::new(es2::assembled(name, text, item.stage, options)?)))
        }
        Form::Bytecode | Form::AgalText | Form::AgalPair => match pasted(bytes) {
            Some(paste) => read_pasted(item, options, paste),
            None if form == Form::Bytecode => bytecode(item, options),
            None => assembled(item, options),
        },
        Form::Foreign(_) => assembled(item, options),
    }
}

/// The same for an input that must be AGAL.
///
/// # Errors
/// All errors in it, or that it is something else.
pub fn read_agal(item: &Item<'_>, options: &Options) -> Result<Box<Agal>, Error> {
    let name = item.input.name.clone();
    let other = |kind| Err(Error { name, kind });
    match (read(item, options), options.form(item.input)) {
        (Ok(Content::Agal(agal)), _) => Ok(agal),
        #[cfg(feature = "sources")]
        (Ok(_) | Err(Error { kind: ErrorKind::Source { .. }, .. }), Form::Foreign(foreign)) => {
            other(ErrorKind::Foreign(foreign))
        }
        (Ok(_), _) => other(ErrorKind::NotAgal),
        (Err(error), _) => Err(error),
    }
}

/// Reads a program that is pasted, and gives everything that is said about it its place in the input's text.
fn read_pasted(item: &Item<'_>, options: &Options, paste: Paste) -> Result<Content, Error> {
    let (text, mut warnings) = text_of(item, options)?;
    warnings.extend(note_of(item, options, &paste));
    let (pasted, notes) = paste.choose(item.stage).map_err(|notes| wrong_paste(item, options, &text, notes))?;
    let notes = said(item, &text, notes);
    match &pasted.code {
        Code::Text(code) => {
            let mut assembly =
                assemble(code.as_str(), &assembling_pasted(item, options, &pasted)).map_err(|mut findings| {
                    paste::relocate_findings(text.as_str(), code, &mut findings);
                    findings.splice(0..0, notes.clone());
                    wrong(item, options, text.clone(), findings)
                })?;
            paste::relocate_assembly(text.as_str(), code, &mut assembly);
            assembly.warnings.splice(0..0, notes);
            Ok(of_assembly(item, options, assembly, text, warnings))
        }
        Code::Bytes(written) => pasted_bytes(item, options, (written, notes), text, warnings),
    }
}

/// The warnings about a pasted text, unless they were given with the input's other program.
fn said(item: &Item<'_>, text: &Text, notes: Notes) -> Vec<Finding> {
    if item.is_again { Vec::new() } else { paste::findings(text.as_str(), notes) }
}

/// How a pasted text is assembled: what is requested counts more than what the paste states.
fn assembling_pasted(item: &Item<'_>, options: &Options, pasted: &Pasted) -> AssembleOptions {
    let options = options.assembling(item.stage.or(pasted.asked));
    AssembleOptions { version: options.version.or(pasted.version), ..options }
}

/// The note that an input is pasted, unless it was given with the input's other program.
fn note_of(item: &Item<'_>, options: &Options, paste: &Paste) -> Option<Warning> {
    let warning =
        Warning { name: item.input.name.clone(), kind: WarningKind::Pasted(Pasting::new(paste, item.stage, options)) };
    (!item.is_again).then_some(warning)
}

fn wrong_paste(item: &Item<'_>, options: &Options, text: &Text, notes: Notes) -> Error {
    wrong(item, options, text.clone(), paste::findings(text.as_str(), notes))
}

fn pasted_bytes(
    item: &Item<'_>,
    options: &Options,
    (written, mut notes): (&Written, Vec<Finding>),
    text: Text,
    warnings: Vec<Warning>,
) -> Result<Content, Error> {
    options.rules().judge(&mut notes);
    match decoded(&written.bytes, options) {
        Ok((program, mut findings)) => {
            paste::place_bytes(text.as_str(), written, &mut findings);
            findings.splice(0..0, notes);
            let map = paste::map_of_bytes(text.as_str(), written, &program);
            let text = Some(text);
            Ok(Content::Agal(Box::new(Agal { text, map, warnings, ..Agal::of_bytes(item, program, findings) })))
        }
        Err(mut findings) => {
            paste::place_bytes(text.as_str(), written, &mut findings);
            findings.splice(0..0, notes);
            let kind = ErrorKind::Program { text: Some(text), program: None, findings };
            Err(Error { name: item.input.name.clone(), kind })
        }
    }
}

/// Decodes bytecode.
fn decoded(bytes: &[u8], options: &Options) -> Result<(Program, Vec<Finding>), Vec<Finding>> {
    let allow_version_0 = options.rules().allow.contains(&3617);
    match Program::decode_uploaded(bytes, Upload { big_endian: options.big_endian, allow_version_0 }) {
        Ok((program, mut findings)) => {
            options.rules().judge(&mut findings);
            Ok((program, findings))
        }
        Err(mut findings) => {
            options.rules().judge(&mut findings);
            Err(findings)
        }
    }
}

fn bytecode(item: &Item<'_>, options: &Options) -> Result<Content, Error> {
    match decoded(&item.input.bytes, options) {
        Ok((program, findings)) => Ok(Content::Agal(Box::new(Agal::of_bytes(item, program, findings)))),
        Err(findings) => {
            let kind = ErrorKind::Program { text: None, program: None, findings };
            Err(Error { name: item.input.name.clone(), kind })
        }
    }
}

fn assembled(item: &Item<'_>, options: &Options) -> Result<Content, Error> {
    let (text, warnings) = text_of(item, options)?;
    match assemble(text.as_str(), &options.assembling(item.stage)) {
        Ok(assembly) => Ok(of_assembly(item, options, assembly, text, warnings)),
        Err(findings) => Err(refused(item, options, text, findings)),
    }
}

/// If the stage selects a part of the text, the selection is not reported.
fn drop_unsaid(item: &Item<'_>, findings: &mut Vec<Finding>) {
    findings.retain(|found| !item.is_chosen || !matches!(found.kind, Kind::Part { .. }));
}

fn of_assembly(item: &Item<'_>, options: &Options, assembly: Assembly, text: Text, warnings: Vec<Warning>) -> Content {
    let mut findings = assembly.warnings;
    drop_unsaid(item, &mut findings);
    options.rules().judge(&mut findings);
    Content::Agal(Box::new(Agal {
        name: item.input.name.clone(),
        program: assembly.program,
        map: assembly.map,
        findings,
        version_given: assembly.version_given,
        aliases: assembly.aliases,
        names: assembly.names,
        text: Some(text),
        warnings,
    }))
}

/// Returns the error of a text that does not assemble.
fn wrong(item: &Item<'_>, options: &Options, text: Text, mut findings: Vec<Finding>) -> Error {
    drop_unsaid(item, &mut findings);
    options.rules().judge(&mut findings);
    let kind = ErrorKind::Program { text: Some(text), program: None, findings };
    Error { name: item.input.name.clone(), kind }
}

/// Returns the error of a text that does not assemble: its findings, or what else it is.
fn refused(item: &Item<'_>, options: &Options, text: Text, findings: Vec<Finding>) -> Error {
    match foreign::of_text(text.as_str()) {
        Some(foreign) => Error { name: item.input.name.clone(), kind: ErrorKind::Foreign(foreign) },
        None => wrong(item, options, text, findings),
    }
}

/// Expands the macro language of a text into plain statements; what is pasted becomes plain AGAL text. Findings are judged by
/// the rules.
///
/// # Errors
/// Its errors.
pub fn expand(item: &Item<'_>, options: &Options) -> Result<(Expansion, Text, Vec<Warning>), Error> {
    let Input { name, bytes } = item.input;
    let refuse = |kind| Error { name: name.clone(), kind };
    let form = options.form(item.input);
    match form {
        Form::Es2Text => return Err(refuse(ErrorKind::NotAgal)),
        Form::Foreign(foreign) if foreign::of_bytes(bytes).is_some() => {
            return Err(refuse(ErrorKind::Foreign(foreign)));
        }
        Form::Sdlbc | Form::Es2Code => return Err(refuse(ErrorKind::NotText)),
        Form::Foreign(_) | Form::ModuleText => {}
        _ => {
            if let Some(paste) = pasted(bytes) {
                return expand_pasted(item, options, paste);
            }
        }
    }
    if form == Form::Bytecode {
        return Err(refuse(ErrorKind::NotText));
    }
    let (text, warnings) = text_of(item, options)?;
    match expand_text(text.as_str(), &options.assembling(item.stage)) {
        Ok(expansion) => expanded(item, options, expansion, text, warnings),
        Err(findings) => Err(refused(item, options, text, findings)),
    }
}

type Expanded = (Expansion, Text, Vec<Warning>);

/// Judges the findings of an expansion.
fn expanded(
    item: &Item<'_>,
    options: &Options,
    mut expansion: Expansion,
    text: Text,
    warnings: Vec<Warning>,
) -> Result<Expanded, Error> {
    options.rules().judge(&mut expansion.warnings);
    if !expansion.warnings.iter().any(Finding::is_error) {
        return Ok((expansion, text, warnings));
    }
    let kind = ErrorKind::Program { text: Some(text), program: None, findings: expansion.warnings };
    Err(Error { name: item.input.name.clone(), kind })
}

/// The text of a program that is pasted.
fn expand_pasted(item: &Item<'_>, options: &Options, paste: Paste) -> Result<Expanded, Error> {
    let (text, mut warnings) = text_of(item, options)?;
    warnings.extend(note_of(item, options, &paste));
    let (pasted, notes) = paste.choose(item.stage).map_err(|notes| wrong_paste(item, options, &text, notes))?;
    let notes = said(item, &text, notes);
    let Code::Text(code) = &pasted.code else {
        let Content::Agal(agal) = read(item, options)? else { return Err(not_agal(item)) };
        let Agal { program, findings, .. } = agal.sound()?;
        let (aliases, names) = (Vec::new(), Vec::new());
        return Ok((Expansion { text: disassemble(&program), aliases, names, warnings: findings }, text, warnings));
    };
    match expand_text(code.as_str(), &assembling_pasted(item, options, &pasted)) {
        Ok(mut expansion) => {
            paste::relocate_expansion(text.as_str(), code, &mut expansion);
            expansion.warnings.splice(0..0, notes);
            expansion.text = plain(expansion.text, code, header_of(item, options, &pasted).as_deref());
            expanded(item, options, expansion, text, warnings)
        }
        Err(mut findings) => {
            paste::relocate_findings(text.as_str(), code, &mut findings);
            Err(wrong(item, options, text, findings))
        }
    }
}

fn not_agal(item: &Item<'_>) -> Error {
    Error { name: item.input.name.clone(), kind: ErrorKind::NotAgal }
}

/// The header comment with what the code around a pasted text states, if it states a version.
fn header_of(item: &Item<'_>, options: &Options, pasted: &Pasted) -> Option<String> {
    let Code::Text(code) = &pasted.code else { return None };
    let version = pasted.version?;
    let program = assemble(code.as_str(), &assembling_pasted(item, options, pasted)).ok()?.program;
    (program.version == version).then(|| format!("// agal {version} {}\n", program.stage))
}

/// The text that literals make, with a header, and a line end after the last line.
fn plain(mut text: String, code: &Pieced, header: Option<&str>) -> String {
    if text == code.as_str() && !text.ends_with('\n') {
        text.push('\n');
    }
    match header.filter(|header| !text.starts_with(*header)) {
        Some(header) => format!("{header}{text}"),
        None => text,
    }
}

/// Decodes the text of an item.
fn text_of(item: &Item<'_>, options: &Options) -> Result<(Text, Vec<Warning>), Error> {
    let name = &item.input.name;
    let text = Text::decode(&item.input.bytes);
    if text.is_utf8() {
        return Ok((text, Vec::new()));
    }
    let first = text.first_stray();
    let place = BytePosition { line: text.line(first), byte: text.offset_in_file(first) };
    if options.rules().warnings_are_errors {
        let kind = match foreign::of_text(text.as_str()) {
            Some(foreign) if !is_module_text(text.as_str()) => ErrorKind::Foreign(foreign),
            _ => ErrorKind::NotUtf8(place),
        };
        return Err(Error { name: name.clone(), kind });
    }
    let warning = Warning { name: name.clone(), kind: WarningKind::NotUtf8(text.encoding(), place) };
    let warnings = if item.is_again { Vec::new() } else { vec![warning] };
    Ok((text, warnings))
}
