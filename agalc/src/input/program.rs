//! An input's program, in any language.
//!
//! The source files for programs, languages and errors import each other: a program contains the code of a language, and
//! an error contains the program that it is about.

use std::collections::BTreeSet;
use std::ops::Deref;

use sdlbc::front::{SourceMap, Stage};
use sdlbc::{Comments, Module, Verified, Violation};

use super::text::Text;
use crate::error::{InputError, InputErrorKind, Warning, WarningKind};
use crate::finding::{Finding, InstructionSet};
use crate::language::Agal;
#[cfg(feature = "es2")]
use crate::language::Es2;
use crate::language::Instructions;
use crate::options::Options;

/// An input's program, with its findings and warnings.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Program {
    /// The name of the input: a path, or a placeholder such as `<stdin>`.
    pub name: String,
    /// The text that the program was read from, or `None` if the program was read from bytes.
    pub text: Option<Text>,
    /// The positions of the program's instructions in the text.
    pub map: SourceMap,
    /// Errors and warnings about the program, with the severities that the rules of the check assign.
    pub findings: Vec<Finding>,
    /// Warnings about the input file.
    pub warnings: Vec<Warning>,
    /// The program's code, in its language.
    pub code: Code,
}

/// The code of a program.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Code {
    /// The program could not be read. The findings contain the reasons.
    Unread,
    /// An AGAL program.
    Agal(Agal),
    /// A program for the unified-shader instruction set.
    #[cfg(feature = "es2")]
    Es2(Es2),
    /// An SDLSHADERBC module.
    Module(Box<ModuleInput>),
}

/// An input that is a module, with information about the module's source that the module itself cannot store.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ModuleInput {
    pub(crate) module: Checked,
    /// The comments in the module's text, or `None` if the module was not parsed from text.
    pub comments: Option<Comments>,
    /// The source's overrides whose values [`Options::overrides`](crate::Options::overrides) sets.
    pub overrides: Vec<String>,
    /// The names of all shader inputs that a source declares. The module contains only the shader inputs that the code reads.
    pub declared: BTreeSet<String>,
    /// Whether the source declares varyings without locations, which are linked by name in a pair.
    pub(crate) links_by_name: bool,
}

/// A verified module, or a module that is only displayed and may break rules.
#[derive(Clone, Debug)]
pub(crate) enum Checked {
    Verified(Verified),
    Broken(Module),
}

impl Checked {
    pub(crate) fn into_module(self) -> Module {
        match self {
            Checked::Verified(verified) => verified.into_module(),
            Checked::Broken(module) => module,
        }
    }
}

/// Verifies a module. Every module in this crate is verified here, except a broken module that [`checked`] accepts for display.
pub(super) fn verified(module: Module) -> Result<Verified, Vec<Violation>> {
    #[cfg(test)]
    super::once::VERIFIED.with(|count| count.set(count.get() + 1));
    Verified::new(module)
}

impl Deref for Checked {
    type Target = Module;

    fn deref(&self) -> &Module {
        match self {
            Checked::Verified(verified) => verified,
            Checked::Broken(module) => module,
        }
    }
}

impl PartialEq for Checked {
    fn eq(&self, other: &Checked) -> bool {
        **self == **other
    }
}

impl ModuleInput {
    pub(crate) fn new(module: Checked) -> ModuleInput {
        ModuleInput { module, comments: None, overrides: Vec::new(), declared: BTreeSet::new(), links_by_name: false }
    }

    /// Returns the module without the information about its source.
    pub fn module(&self) -> &Module {
        &self.module
    }
}

impl Program {
    pub(crate) fn new(name: &str, code: Code) -> Program {
        Program {
            name: name.to_string(),
            text: None,
            map: SourceMap::default(),
            findings: Vec::new(),
            warnings: Vec::new(),
            code,
        }
    }

    pub(super) fn code(&self) -> Option<&dyn Instructions> {
        match &self.code {
            Code::Agal(agal) => Some(agal),
            #[cfg(feature = "es2")]
            Code::Es2(es2) => Some(es2),
            Code::Unread | Code::Module(_) => None,
        }
    }

    /// Returns the text that the program was read from, or `None` if the program was read from bytes.
    pub fn text(&self) -> Option<&str> {
        self.text.as_ref().map(Text::as_str)
    }

    /// Returns the AGAL program, or `None` if the code is in another language.
    pub fn agal(&self) -> Option<&Agal> {
        if let Code::Agal(agal) = &self.code { Some(agal) } else { None }
    }

    /// Returns the module, or `None` if the code is not a module.
    pub fn module(&self) -> Option<&ModuleInput> {
        if let Code::Module(module) = &self.code { Some(module) } else { None }
    }

    /// Returns the program's instruction set, or `None` if the code is a module or could not be read.
    pub fn instruction_set(&self) -> Option<InstructionSet> {
        match &self.code {
            Code::Agal(_) => Some(InstructionSet::Agal),
            #[cfg(feature = "es2")]
            Code::Es2(_) => Some(InstructionSet::UnifiedShader),
            Code::Unread | Code::Module(_) => None,
        }
    }

    /// Returns the program's stage, or `None` if the code is a module or could not be read.
    pub fn stage(&self) -> Option<Stage> {
        Some(self.code()?.stage())
    }

    /// Returns the version of an AGAL program, or `None` for other code.
    pub fn version(&self) -> Option<u32> {
        self.code()?.version()
    }

    /// Returns the number of instructions, or `None` if the code is a module or could not be read.
    pub fn instructions(&self) -> Option<usize> {
        Some(self.code()?.len())
    }

    /// Returns the text of an instruction. Instruction numbers begin at 1.
    pub fn line(&self, number: u32) -> Option<String> {
        self.code()?.line(number)
    }

    /// Returns the program's bytecode, or the module as an SDLSHADERBC file. Returns `None` if the program could not be read.
    pub fn encode(&self) -> Option<Vec<u8>> {
        match self.module() {
            Some(of) => Some(sdlbc::encode(of.module())),
            None => Some(self.code()?.encode()),
        }
    }

    /// Lists the words of the program or the module, with the instruction that each word belongs to.
    pub fn listing(&self) -> Option<String> {
        match self.module() {
            Some(of) => Some(sdlbc::dump(&sdlbc::encode(of.module())).text),
            None => Some(self.code()?.listing()),
        }
    }

    /// Reports whether any of the program's findings is an error.
    pub fn has_errors(&self) -> bool {
        self.findings.iter().any(Finding::is_error)
    }

    /// Returns the program, if none of its findings is an error.
    ///
    /// # Errors
    /// Returns the program with all findings.
    pub fn sound(self) -> Result<Program, InputError> {
        if self.has_errors() { Err(self.refused()) } else { Ok(self) }
    }

    pub(crate) fn refused(self) -> InputError {
        InputError { name: self.name.clone(), kind: InputErrorKind::Program(Box::new(self)) }
    }
}

/// Attaches the debug table in the options to a module that was read, and verifies the module. If the module is only displayed,
/// each violation of a rule becomes a warning. In all other cases, a violation is an error.
pub(super) fn checked(
    mut read: Program,
    mut input: ModuleInput,
    options: &Options,
    is_shown: bool,
) -> Result<Program, InputError> {
    let mut module = input.module.into_module();
    if let Some((name, table)) = &options.debug_table {
        let refuse = |error| InputError { name: name.clone(), kind: InputErrorKind::DebugTable(error) };
        module = sdlbc::attach(module, table.clone()).map_err(refuse)?;
    }
    let located = |violation: Violation| {
        let span = input.comments.as_ref().and_then(|comments| comments.span_of(&violation));
        (violation, span)
    };
    input.module = if is_shown {
        for (violation, span) in sdlbc::verify(&module).err().into_iter().flatten().map(located) {
            let line = span.zip(read.text.as_ref()).map(|(span, text)| text.line(span.start));
            read.warnings.push(Warning { name: read.name.clone(), kind: WarningKind::Rule(violation, line) });
        }
        Checked::Broken(module)
    } else {
        match verified(module) {
            Ok(verified) => Checked::Verified(verified),
            Err(violations) => {
                let (text, violations) = (read.text, violations.into_iter().map(located).collect());
                return Err(InputError { name: read.name, kind: InputErrorKind::Rules { text, violations } });
            }
        }
    };
    Ok(Program { code: Code::Module(Box::new(input)), ..read })
}
