//! Reads one input: decodes, assembles or parses it.

use agal_front::assemble::{Alias, Expansion, SourceName, assemble, expand as expand_text};
use agal_front::finding::{Finding, SourceMap};
use agal_front::program::Upload;
use agal_front::{Kind, Program, Stage};
use sdlbc::{Comments, Module};

use crate::detect::{Form, Input, detect, is_module_text};
use crate::error::{BytePosition, Error, ErrorKind, Warning, WarningKind};
use crate::es2::{self, Es2};
use crate::foreign;
use crate::options::Options;
use crate::text::{Text, agal_comments, module_comments};

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
            None if detect(&input.bytes) == Form::AgalPair => {
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
}

impl Agal {
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
    /// Attaches the debug table in the options, if there is one, and verifies the module.
    ///
    /// # Errors
    /// The table belongs to another module, or the module breaks rules.
    pub fn checked(mut self, options: &Options) -> Result<Ir, Error> {
        if let Some((name, table)) = &options.debug_table {
            let refuse = |error| Error { name: name.clone(), kind: ErrorKind::DebugTable(error) };
            self.module = sdlbc::attach(self.module, table.clone()).map_err(refuse)?;
        }
        self.verify()?;
        Ok(self)
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
    match options.form(bytes) {
        Form::Sdlbc => {
            let module = sdlbc::decode(bytes).map_err(|error| refuse(ErrorKind::Decode(error)))?;
            Ok(Content::Ir(Box::new(Ir { name: name.clone(), module, text: None, warnings: Vec::new() })))
        }
        Form::ModuleText => {
            let (text, warnings) = text_of(item, options)?;
            match sdlbc::parse_with_comments(text.as_str()) {
                Ok((module, comments)) => {
                    let text = Some((text, comments));
                    Ok(Content::Ir(Box::new(Ir { name: name.clone(), module, text, warnings })))
                }
                Err(errors) => Err(refuse(ErrorKind::Parse { text, errors })),
            }
        }
        Form::Foreign(foreign) if foreign::of_bytes(bytes).is_some() => Err(refuse(ErrorKind::Foreign(foreign))),
        Form::Es2Code => Ok(Content::Es2(Box::new(es2::decoded(name, bytes, options)?))),
        Form::Es2Text => {
            let text = text_of(item, options)?;
            Ok(Content::Es2(Box::new(es2::assembled(name, text, item.stage, options)?)))
        }
        Form::Bytecode => bytecode(item, options),
        Form::AgalText | Form::AgalPair | Form::Foreign(_) => assembled(item, options),
    }
}

fn bytecode(item: &Item<'_>, options: &Options) -> Result<Content, Error> {
    let Input { name, bytes } = item.input;
    let allow_version_0 = options.rules().allow.contains(&3617);
    match Program::decode_uploaded(bytes, Upload { big_endian: options.big_endian, allow_version_0 }) {
        Ok((program, mut findings)) => {
            options.rules().judge(&mut findings);
            Ok(Content::Agal(Box::new(Agal {
                name: name.clone(),
                program,
                text: None,
                map: SourceMap::default(),
                findings,
                version_given: true,
                aliases: Vec::new(),
                names: Vec::new(),
                warnings: Vec::new(),
            })))
        }
        Err(mut findings) => {
            options.rules().judge(&mut findings);
            Err(Error { name: name.clone(), kind: ErrorKind::Program { text: None, program: None, findings } })
        }
    }
}

fn assembled(item: &Item<'_>, options: &Options) -> Result<Content, Error> {
    let (text, warnings) = text_of(item, options)?;
    // If the stage selects a part of the text, the selection is not reported.
    let is_said = |found: &Finding| !item.is_chosen || !matches!(found.kind, Kind::Part { .. });
    match assemble(text.as_str(), &options.assembling(item.stage)) {
        Ok(assembly) => {
            let mut findings: Vec<Finding> = assembly.warnings.into_iter().filter(is_said).collect();
            options.rules().judge(&mut findings);
            Ok(Content::Agal(Box::new(Agal {
                name: item.input.name.clone(),
                program: assembly.program,
                map: assembly.map,
                findings,
                version_given: assembly.version_given,
                aliases: assembly.aliases,
                names: assembly.names,
                text: Some(text),
                warnings,
            })))
        }
        Err(mut findings) => {
            findings.retain(is_said);
            Err(refused(item, options, text, findings))
        }
    }
}

/// Returns the error of a text that does not assemble: its findings, or what else it is.
fn refused(item: &Item<'_>, options: &Options, text: Text, mut findings: Vec<Finding>) -> Error {
    let kind = match foreign::of_text(text.as_str()) {
        Some(foreign) => ErrorKind::Foreign(foreign),
        None => {
            options.rules().judge(&mut findings);
            ErrorKind::Program { text: Some(text), program: None, findings }
        }
    };
    Error { name: item.input.name.clone(), kind }
}

/// Expands the macro language of a text into plain statements. Findings are judged by the rules.
///
/// # Errors
/// Its errors.
pub fn expand(item: &Item<'_>, options: &Options) -> Result<(Expansion, Text, Vec<Warning>), Error> {
    let Input { name, bytes } = item.input;
    let refuse = |kind| Error { name: name.clone(), kind };
    match options.form(bytes) {
        Form::Sdlbc | Form::Bytecode | Form::Es2Code => return Err(refuse(ErrorKind::NotText)),
        Form::Es2Text => return Err(refuse(ErrorKind::NotAgal)),
        Form::Foreign(foreign) if foreign::of_bytes(bytes).is_some() => {
            return Err(refuse(ErrorKind::Foreign(foreign)));
        }
        _ => {}
    }
    let (text, warnings) = text_of(item, options)?;
    match expand_text(text.as_str(), &options.assembling(item.stage)) {
        Ok(mut expansion) => {
            options.rules().judge(&mut expansion.warnings);
            if !expansion.warnings.iter().any(Finding::is_error) {
                return Ok((expansion, text, warnings));
            }
            let findings = expansion.warnings;
            Err(refuse(ErrorKind::Program { text: Some(text), program: None, findings }))
        }
        Err(findings) => Err(refused(item, options, text, findings)),
    }
}

/// Decodes the text of an item.
fn text_of(item: &Item<'_>, options: &Options) -> Result<(Text, Vec<Warning>), Error> {
    let name = &item.input.name;
    let text = Text::decode(&item.input.bytes);
    let Some(first) = text.first_stray() else { return Ok((text, Vec::new())) };
    let place = |at| BytePosition { line: text.line(at), byte: text.offset_in_file(at) };
    let in_code = match is_module_text(text.as_str()) {
        true => text.first_stray_in_code(module_comments(text.as_str())),
        false => text.first_stray_in_code(agal_comments(text.as_str())),
    };
    let is_error = options.rules().warnings_are_errors;
    if let Some(at) = in_code.or(is_error.then_some(first)) {
        let kind = match foreign::of_text(text.as_str()) {
            Some(foreign) if !is_module_text(text.as_str()) => ErrorKind::Foreign(foreign),
            _ => ErrorKind::NotUtf8(place(at)),
        };
        return Err(Error { name: name.clone(), kind });
    }
    let warning = Warning { name: name.clone(), kind: WarningKind::NotUtf8(place(first)) };
    let warnings = if item.is_again { Vec::new() } else { vec![warning] };
    Ok((text, warnings))
}
