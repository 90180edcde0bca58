//! A program of an input, in any language.
//!
//! This file, the languages and the errors import each other: a program contains its code, whose type is a program of a
//! language, and an error contains its program.

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

/// A program of an input, with its findings and warnings.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Program {
    /// The input's name.
    pub name: String,
    /// The text that the program was read from, if it was a text.
    pub text: Option<Text>,
    /// The places of its instructions in the text.
    pub map: SourceMap,
    /// Errors and warnings about the program, judged by the rules.
    pub findings: Vec<Finding>,
    /// Warnings about the file.
    pub warnings: Vec<Warning>,
    /// The code, in its language.
    pub code: Code,
}

/// The code of a program.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Code {
    /// A program that could not be read, for the reasons in the findings.
    Unread,
    /// An AGAL program.
    Agal(Agal),
    /// A program of the unified-shader instruction set.
    #[cfg(feature = "es2")]
    Es2(Es2),
    /// An SDLSHADERBC module.
    Module(Box<ModuleInput>),
}

/// An input that is a module, with the information about its source that a module cannot store.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ModuleInput {
    pub(crate) module: Checked,
    /// The comments of module text.
    pub comments: Option<Comments>,
    /// The overrides of a source that were given a value by [`Options::overrides`](crate::Options::overrides).
    pub overrides: Vec<String>,
    /// The names of inputs that a source declares. The module has only the inputs that the code reads.
    pub declared: BTreeSet<String>,
}

/// A verified module, or a module that is shown although it may break rules.
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

/// Verifies a module. All modules of this crate are verified here, except a module that [`checked`] only shows.
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
        ModuleInput { module, comments: None, overrides: Vec::new(), declared: BTreeSet::new() }
    }

    /// The module.
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

    /// The text that the program was read from, if it was a text.
    pub fn text(&self) -> Option<&str> {
        self.text.as_ref().map(Text::as_str)
    }

    /// The AGAL program, if it is one.
    pub fn agal(&self) -> Option<&Agal> {
        if let Code::Agal(agal) = &self.code { Some(agal) } else { None }
    }

    /// The module, if it is one.
    pub fn module(&self) -> Option<&ModuleInput> {
        if let Code::Module(module) = &self.code { Some(module) } else { None }
    }

    /// The instruction set of a program that could be read.
    pub fn instruction_set(&self) -> Option<InstructionSet> {
        match &self.code {
            Code::Agal(_) => Some(InstructionSet::Agal),
            #[cfg(feature = "es2")]
            Code::Es2(_) => Some(InstructionSet::UnifiedShader),
            Code::Unread | Code::Module(_) => None,
        }
    }

    /// The stage of a program.
    pub fn stage(&self) -> Option<Stage> {
        Some(self.code()?.stage())
    }

    /// The version of an AGAL program.
    pub fn version(&self) -> Option<u32> {
        self.code()?.version()
    }

    /// The number of instructions of a program.
    pub fn instructions(&self) -> Option<usize> {
        Some(self.code()?.len())
    }

    /// An instruction of a program as text, by its number, counted from 1.
    pub fn line(&self, number: u32) -> Option<String> {
        self.code()?.line(number)
    }

    /// The program as bytecode, or the module as a file.
    pub fn encode(&self) -> Option<Vec<u8>> {
        match self.module() {
            Some(of) => Some(sdlbc::encode(of.module())),
            None => Some(self.code()?.encode()),
        }
    }

    /// Lists the words of the program or the module, each with its instruction.
    pub fn listing(&self) -> Option<String> {
        match self.module() {
            Some(of) => Some(sdlbc::dump(&sdlbc::encode(of.module())).text),
            None => Some(self.code()?.listing()),
        }
    }

    /// Whether one of its findings is an error.
    pub fn has_errors(&self) -> bool {
        self.findings.iter().any(Finding::is_error)
    }

    /// Returns the program, unless one of its findings is an error.
    ///
    /// # Errors
    /// The program with all findings.
    pub fn sound(self) -> Result<Program, InputError> {
        if self.has_errors() { Err(self.refused()) } else { Ok(self) }
    }

    /// Returns the error for a program that cannot be used.
    pub(crate) fn refused(self) -> InputError {
        InputError { name: self.name.clone(), kind: InputErrorKind::Program(Box::new(self)) }
    }
}

/// Attaches the debug table in the options to a module that was read, and verifies it. A module that breaks rules is an
/// error; if the module is only shown, each violation is a warning.
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
